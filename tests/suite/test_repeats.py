"""``trials`` and ``pass_if``: how often a case is asked, and who has the last word on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.model.case import Case
from pytest_evals.scoring import specs
from pytest_evals.suite import suite_of
from pytest_evals.suite.defaults import RunDefaults


def read(given, defaults=None, run=None) -> Case:
    case = {"id": "a", "input": "x", "expected_output": "x", "criteria": ["contains"], **given}
    data = {"suite": "s", "target": "echo", "defaults": defaults or {}, "cases": [case]}
    return suite_of(data, specs=specs(), base=Path.cwd(), defaults=run or RunDefaults()).cases[0]


@pytest.mark.parametrize(
    ("given", "defaults", "trials", "pass_if"),
    [
        ({}, {}, 1, "all"),
        ({"trials": 5}, {}, 5, "all"),
        ({"trials": 5, "pass_if": "Majority"}, {}, 5, "majority"),
        ({"pass_if": "3  of 5"}, {}, 5, "3 of 5"),
        ({"pass_if": "3 of 5", "trials": 5}, {}, 5, "3 of 5"),
        ({"trials": 2}, {"trials": 9, "pass_if": "any"}, 2, "any"),
        ({}, {"pass_if": "2 of 4"}, 4, "2 of 4"),
        ({"pass_if": "2 of 3"}, {"trials": 9}, 3, "2 of 3"),
        ({"pass_if": "any"}, {"pass_if": "2 of 4"}, 4, "any"),
    ],
)
def test_a_case_is_asked_as_often_as_it_or_its_defaults_say(given, defaults, trials, pass_if):
    case = read(given, defaults)
    assert (case.trials, case.pass_if) == (trials, pass_if)


@pytest.mark.parametrize(
    ("given", "defaults", "run", "trials", "pass_if"),
    [
        ({}, {}, RunDefaults(trials=4, pass_if="any"), 4, "any"),
        ({"trials": 2, "pass_if": "mean"}, {}, RunDefaults(trials=4, pass_if="any"), 2, "mean"),
        ({"trials": 2}, {}, RunDefaults(trials=7, only_trials=7), 7, "all"),
        ({}, {"trials": 3}, RunDefaults(trials=1, only_trials=1), 1, "all"),
        ({"pass_if": "2 of 3"}, {}, RunDefaults(trials=7, only_trials=7), 3, "2 of 3"),
    ],
)
def test_the_run_says_it_where_the_file_does_not_and_the_command_line_always(given, defaults, run, trials, pass_if):
    case = read(given, defaults, run)
    assert (case.trials, case.pass_if) == (trials, pass_if)


@pytest.mark.parametrize(
    ("given", "defaults", "said"),
    [
        ({"trials": 0}, {}, "trials must be a whole number from 1 to 1000, not 0"),
        ({"trials": 2.5}, {}, "trials must be a whole number from 1 to 1000"),
        ({"trials": 1001}, {}, "trials must be a whole number from 1 to 1000"),
        ({"pass_if": "mayority"}, {}, "pass_if is all, any, majority, mean or a number of trials such as '3 of 5', not"
                                      " 'mayority'; did you mean 'majority'?"),
        ({"pass_if": "6 of 5"}, {}, "pass_if asks for at least 1 trial and at most all of them, 1000 at most, not '6 of 5'"),
        ({"pass_if": 3}, {}, "pass_if is all, any, majority, mean"),
        ({"pass_if": None}, {}, "pass_if is blank"),
        ({"pass_if": "3 of 5", "trials": 4}, {}, "trials is 4, but pass_if is '3 of 5'; leave trials out"),
        ({"trials": 4}, {"pass_if": "3 of 5"}, "trials is 4, but pass_if is '3 of 5'"),
        ({}, {"pass_if": "3 of 5", "trials": 4}, "trials is 4, but pass_if is '3 of 5'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_once(given, defaults, said):
    with pytest.raises(UsageError) as raised:
        read(given, defaults)
    assert said in str(raised.value)
    assert str(raised.value).count("trials is 4") <= 1


def test_how_trials_decide_is_part_of_what_a_case_is_and_their_number_is_not():
    once, often, any_of = read({}), read({"trials": 5}), read({"trials": 5, "pass_if": "any"})
    assert once.definition_sha256() == often.definition_sha256() != any_of.definition_sha256()
