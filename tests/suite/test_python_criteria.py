"""Criteria that a function answers, as a suite writes them."""

from __future__ import annotations

import pytest

from pytest_evals.model.criterion import Criterion

from .conftest import only


@pytest.mark.parametrize(
    ("written", "criterion"),
    [
        ("python: my_checks:polite", Criterion("python:my_checks:polite", "polite")),
        ("{python: 'pkg.my_checks:Checks.polite'}", Criterion("python:pkg.my_checks:Checks.polite", "polite")),
        ("python: ../checks.py:polite", Criterion("python:../checks.py:polite", "polite")),
        (
            "{python: m:f, name: tone, weight: 2, threshold: 0.5, description: Calm, words: [a, 1], strict: true}",
            Criterion("python:m:f", "tone", {"words": ["a", 1], "strict": True}, 2.0, 0.5, "Calm"),
        ),
        (
            "not: {python: m:f, words: x}",
            Criterion("not", "not_f", parts=(Criterion("python:m:f", "f", {"words": "x"}),)),
        ),
        (
            "any_of: [{python: m:f}, {python: n:f}, own]",
            Criterion(
                "any_of",
                "any_of",
                parts=(Criterion("python:m:f", "f"), Criterion("python:n:f", "f_2"), Criterion("own", "own")),
            ),
        ),
    ],
)
def test_forms_of_a_function_as_criterion(read, tmp_path, written, criterion):
    (found,) = read.case(f"criteria:\n- {written}").criteria
    assert found == criterion
    leaf = found.parts[0] if found.parts else found
    assert leaf.base == tmp_path
    assert not list(leaf.scorers())


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("python", "'python' needs a function; write 'python: package.module:function' or 'python: file.py:function'"),
        ("python: ~", "'' names no function; write 'python: package.module:function'"),
        ("python: my_checks.polite", "'my_checks.polite' names no function"),
        ("python: my-checks:polite", "'my-checks:polite' names no function"),
        ("python: checks.py", "'checks.py' names no function"),
        ("python: 'm:f()'", "'m:f()' names no function"),
        ("python: {function: m:f}", "'python' must be text, not a mapping"),
        ("python: [m:f]", "'python' must be text, not a list"),
        ("{scorer: python, function: m:f}", "'python' is a key of its own: write 'python: package.module:function'"),
        ("{python: m:f, weight: -1}", "weight must be a number of at least 0, not -1"),
        ("not: {python: m:f, weight: 2}", "'weight' cannot stand on a part of 'not'"),
    ],
)
def test_what_names_no_function(read, written, said):
    problems = read.wrong(f"target: echo\ncases:\n- input: q\n  criteria:\n  - {written}\n")
    assert said in only(problems)
    assert problems[0].startswith("5:")


def test_the_function_itself_is_checked_by_who_can_import_it(read):
    asked = []

    def unknown(name):
        asked.append(name)
        return "criterion 'python: m:f': there is no module 'm'" if name == "python:m:f" else ""

    criteria = "[{python: m:f}, {not: {python: m:f}}, {python: n:f, name: n}, own]"
    problems = read.wrong(f"target: echo\ncases:\n- input: q\n  criteria: {criteria}\n", unknown_scorer=unknown)
    assert problems == [
        "4:15: criterion 'python: m:f': there is no module 'm'",
        "4:36: criterion 'python: m:f': there is no module 'm'",
    ]
    assert sorted(asked) == ["own", "python:m:f", "python:n:f"]


def test_two_functions_of_one_name_want_a_name(read):
    problems = read.wrong("target: echo\ncases:\n- input: q\n  criteria: [{python: m:f}, {python: n:f}]\n")
    assert "criterion 'f' is there already" in only(problems)


def test_a_changed_function_or_option_changes_the_definition(read):
    hashes = {
        read.case(f"criteria: [{{{keys}}}]").definition_sha256()
        for keys in ("python: m:f", "python: m:g", "python: m:f, x: 1", "python: m:f, x: 2")
    }
    assert len(hashes) == 4
