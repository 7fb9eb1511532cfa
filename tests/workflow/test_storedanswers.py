"""Answers of stored runs that labels are about."""

from __future__ import annotations

import pytest
from factories import result
from histories import history, record

from pytest_evals.errors import UsageError
from pytest_evals.model.labelled import Labelled
from pytest_evals.model.outcome import Outcome
from pytest_evals.model.place import Place
from pytest_evals.model.result import Trial
from pytest_evals.workflow.storedanswers import StoredAnswers

PLACE = Place("labels.csv", 2)


@pytest.fixture
def stored(tmp_path):
    location = history(tmp_path)
    results = [
        result("passed", "a", suite=suite, variant=variant, trials=tuple(Trial(Outcome.PASSED, output=text) for text in texts))
        for suite, variant, texts in (
            ("bot", "", ["plain", "again"]), ("bot", "small", ["small"]), ("shop", "small", ["of the shop"]),
        )
    ]  # fmt: skip
    results.append(result("errored", "b", suite="bot", trials=(Trial(Outcome.ERRORED),)))
    record(location, results)
    found = StoredAnswers(location, tmp_path, "last")
    yield found
    found.close()


@pytest.mark.parametrize(
    ("row", "answer"),
    [
        ({"id": "bot::a", "suite": "bot"}, "plain"),
        ({"id": "a", "suite": "bot"}, "plain"),
        ({"id": "a", "suite": "bot", "variant": "small"}, "small"),
        ({"id": "a", "suite": "shop"}, "of the shop"),
        ({"id": "bot::a[small]"}, "small"),
        ({"id": "a", "suite": "bot", "trial": 2}, "again"),
        ({"id": "a"}, "plain"),
    ],
)
def test_an_answer_is_found_by_suite_case_variant_and_trial(stored, row, answer):
    labelled = Labelled(None, True, place=PLACE, **row)
    assert stored.trial(labelled, stored.find(labelled)).output == answer


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"id": "a", "variant": "small"}, "has several cases 'a': write one of bot::a[small], shop::a[small]"),
        ({"id": "a", "suite": "bott"}, "has no case 'a'"),
        ({"id": "c"}, "has no case 'c'"),
        ({"id": "bot::a", "trial": 3}, "case 'bot::a' has no trial 3 there"),
        ({"id": "b"}, "case 'b' has no answer there, it was errored"),
        ({"id": "a", "run": "zzzz"}, "there is no run 'zzzz'"),
    ],
)
def test_an_answer_that_is_not_there_is_said_with_the_place_of_its_label(stored, row, says):
    labelled = Labelled(None, True, place=PLACE, **row)
    with pytest.raises(UsageError) as error:
        stored.trial(labelled, stored.find(labelled))
    assert str(error.value).startswith("labels.csv:2")
    assert says in str(error.value)
