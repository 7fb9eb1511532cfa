"""When trials decide a case: errors and trials that were not asked could be anything."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.model.outcome import Outcome
from pytest_evals.model.trials import (
    MOST_TRIALS,
    TrialCounts,
    count_trials,
    decide_trials,
    fewest_trials,
    named_trials,
    passes_needed,
    read_pass_if,
)

PASSED, WARNED, FAILED, ERRORED = Outcome.PASSED, Outcome.WARNED, Outcome.FAILED, Outcome.ERRORED
LETTERS = {"p": PASSED, "w": WARNED, "f": FAILED, "e": ERRORED}


def counts(planned: int, letters: str) -> TrialCounts:
    return count_trials(planned, [LETTERS[letter] for letter in letters])


@pytest.mark.parametrize(
    ("said", "rule", "of_five"),
    [
        ("all", "all", 5),
        ("Any", "any", 1),
        ("majority", "majority", 3),
        ("mean", "mean", None),
        (" 3  of 5 ", "3 of 5", 3),
        ("5 OF 5", "5 of 5", 5),
    ],
)
def test_a_rule_says_how_many_trials_must_pass(said, rule, of_five):
    assert read_pass_if(said) == rule
    assert passes_needed(rule, 5) == of_five
    assert named_trials(rule) == (5 if "of" in rule else None)


def test_a_majority_is_more_than_half():
    assert [passes_needed("majority", n) for n in (1, 2, 3, 4, 5)] == [1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    "said", ["most", "", "3/5", "three of five", "0 of 5", "6 of 5", "-1 of 5", f"1 of {MOST_TRIALS + 1}"]
)
def test_anything_else_is_no_rule(said):
    with pytest.raises(ValueError, match=r"^(is|asks) .*not "):
        read_pass_if(said)


@pytest.mark.parametrize(
    ("needed", "planned", "letters", "outcome"),
    [
        (5, 5, "ppppp", PASSED),
        (5, 5, "pppp", None),
        (5, 5, "pf", FAILED),
        (1, 3, "ffp", PASSED),
        (1, 3, "ff", None),
        (1, 3, "fff", FAILED),
        (3, 5, "ppffp", PASSED),
        (3, 5, "fff", FAILED),
        (3, 5, "ppff", None),
        # an error never makes a pass and never a miss: the others do, or nobody knows
        (3, 5, "pppe", PASSED),
        (3, 5, "fffe", FAILED),
        (3, 5, "ppffe", ERRORED),
        (3, 5, "peef", ERRORED),
        (5, 5, "e", None),
        (5, 5, "ef", FAILED),
        (5, 5, "epppp", ERRORED),
        (1, 3, "eff", ERRORED),
        (1, 3, "efp", PASSED),
        # a warned trial is neither: enough of them and of passed ones make the case warned
        (2, 3, "pww", WARNED),
        (2, 3, "pwp", PASSED),
        (2, 3, "wff", FAILED),
        (2, 3, "pwe", ERRORED),
        (2, 3, "wwe", WARNED),
        (2, 3, "ww", WARNED),
    ],
)
def test_trials_decide_a_case(needed, planned, letters, outcome):
    assert decide_trials(needed, counts(planned, letters)) is outcome


shapes = st.integers(1, 7).flatmap(lambda planned: st.tuples(st.just(planned), st.integers(1, planned)))
answers = st.text("pwfe", max_size=7)


def completions(planned: int, letters: str, fill: str) -> set[str]:
    """What the case can still become: trials that were not asked, and errored ones, may be any of ``fill``."""
    known = letters.replace("e", "")
    return {known + "".join(rest) for rest in product(fill, repeat=planned - len(known))}


def plain_verdict(needed: int, letters: str) -> Outcome:
    """Without errors, by definition."""
    if letters.count("p") >= needed:
        return PASSED
    return WARNED if letters.count("p") + letters.count("w") >= needed else FAILED


@given(shapes, answers)
def test_a_decision_holds_whatever_unknown_trials_would_have_been(shape, letters):
    planned, needed = shape
    letters = letters[:planned]
    possible = {plain_verdict(needed, text) for text in completions(planned, letters, "pwf")}
    decided = decide_trials(needed, counts(planned, letters))
    if decided in (PASSED, WARNED, FAILED):
        assert possible == {decided}
    elif len(letters) == planned:
        assert decided is ERRORED
        assert len(possible) > 1
    elif decided is ERRORED:  # nothing the rest could say would settle it
        for rest in product("pwfe", repeat=planned - len(letters)):
            assert decide_trials(needed, counts(planned, letters + "".join(rest))) is ERRORED


@given(shapes, answers)
def test_a_decision_does_not_change_with_more_trials(shape, letters):
    planned, needed = shape
    decided = None
    for number in range(1, min(planned, len(letters)) + 1):
        now = decide_trials(needed, counts(planned, letters[:number]))
        assert decided in (None, now)
        decided = now


@given(shapes, answers)
def test_a_wave_is_the_fewest_trials_that_could_decide(shape, letters):
    planned, needed = shape
    letters = letters[:planned]
    if len(letters) == planned or decide_trials(needed, counts(planned, letters)) is not None:
        return
    size = fewest_trials(needed, counts(planned, letters))
    assert 1 <= size <= planned - len(letters)

    def can_decide(more: int) -> bool:
        return any(
            decide_trials(needed, counts(planned, letters + "".join(rest))) is not None
            for rest in product("pwfe", repeat=more)
        )

    assert can_decide(size)
    assert not any(can_decide(less) for less in range(size))


def test_trials_are_flaky_when_their_verdicts_differ_and_may_be_when_some_are_unknown():
    assert counts(5, "pf").flaky
    assert counts(5, "pw").flaky
    assert not counts(5, "ppe").flaky
    assert counts(5, "ppe").maybe_flaky
    assert counts(5, "f").maybe_flaky
    assert not counts(5, "pppp" + "p").maybe_flaky
    assert not counts(5, "pf").maybe_flaky
    assert (counts(5, "pef").left, counts(5, "pef").unknown) == (2, 3)
