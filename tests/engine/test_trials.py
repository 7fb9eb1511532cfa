"""Trials: which are asked, what they come to, and that neither depends on how many calls are in flight."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_evals.engine.asking import Asking
from pytest_evals.engine.runner import Engine
from pytest_evals.engine.target import Target, from_callable
from pytest_evals.model.case import Case
from pytest_evals.model.criterion import Criterion
from pytest_evals.model.outcome import ErrorKind, Outcome
from pytest_evals.model.result import CaseResult

PASSED, WARNED, FAILED, ERRORED = Outcome.PASSED, Outcome.WARNED, Outcome.FAILED, Outcome.ERRORED


def value(actual):
    """The answer is the score: digits are tenths, p is yes, f is no."""
    return {"p": 1.0, "f": 0.0}.get(actual, int(actual) / 10 if actual.isdigit() else 0.0)


def case(letters: str, pass_if: str = "all", **values) -> Case:
    criteria = values.pop("criteria", (Criterion("value", "value"),))
    return Case("c", letters, criteria, trials=values.pop("trials", len(letters)), pass_if=pass_if, retries=0, **values)


def answer(question: str, trial: int) -> str:
    """Trial 2 of ``pfe`` says f; e raises, t is too late."""
    letter = question[trial - 1]
    if letter == "e":
        raise ConnectionError("down")
    return letter


@pytest.fixture
def engine():
    engine = Engine(concurrency=4)
    yield engine
    engine.close()


def run(engine: Engine, asked: Case, target: Target | None = None, *, all_trials: bool = False) -> CaseResult:
    asking = Asking(asked, target or from_callable(answer, "t"), scorers={"value": value}, all_trials=all_trials)
    engine.start(asking)
    return engine.finish(asking, {"value": value})


def said(result: CaseResult) -> str:
    return "".join(trial.output if trial.output is not None else "e" for trial in result.trials)


@pytest.mark.parametrize(
    ("letters", "pass_if", "outcome", "asked"),
    [
        ("ppppp", "all", PASSED, "ppppp"),
        ("ppfpp", "all", FAILED, "ppf"),
        ("fffff", "all", FAILED, "f"),
        ("ffpff", "any", PASSED, "ffp"),
        ("pfffp", "majority", FAILED, "pfff"),
        ("ppppp", "majority", PASSED, "ppp"),
        ("pfpfp", "3 of 5", PASSED, "pfpfp"),
        ("eeeee", "all", ERRORED, "eeeee"),
        ("eefpp", "all", FAILED, "eef"),
        ("eepff", "majority", ERRORED, "eepf"),
        ("ppepp", "majority", PASSED, "ppep"),
    ],
)
def test_a_case_stops_once_its_decision_cannot_change(engine, letters, pass_if, outcome, asked):
    result = run(engine, case(letters, pass_if))
    assert (result.outcome, said(result)) == (outcome, asked)
    assert (result.planned_trials, result.pass_if) == (5, pass_if)
    everything = run(engine, case(letters, pass_if), all_trials=True)
    assert (everything.outcome, said(everything)) == (outcome, letters)


@pytest.mark.parametrize(
    ("letters", "threshold", "outcome", "asked"),
    [
        ("88888", 0.7, PASSED, "88888"),
        ("99999", 0.7, PASSED, "9999"),  # 3.6 of 5 are enough whatever the fifth says
        ("22222", 0.7, FAILED, "22"),  # 0.4 and three times 1 are not
        ("pffpp", None, FAILED, "pff"),  # the mark of a graded scorer is 0.7: (1 + 0 + 0 + 1 + 1) / 5
        ("pfppp", None, PASSED, "pfppp"),
        ("e9999", 0.7, PASSED, "e9999"),
        ("e8888", 0.7, ERRORED, "e8888"),
        ("eeppp", 0.7, ERRORED, "eepp"),  # it could still have failed after two errors, not after two passes more
        ("eeeee", 0.7, ERRORED, "eeee"),
    ],
)
def test_the_mean_decides_as_soon_as_the_rest_cannot_change_it(engine, letters, threshold, outcome, asked):
    result = run(engine, case(letters, "mean", threshold=threshold))
    assert (result.outcome, said(result)) == (outcome, asked)
    assert run(engine, case(letters, "mean", threshold=threshold), all_trials=True).outcome is outcome


def test_the_mean_can_be_a_near_miss(engine):
    result = run(engine, case("65756", "mean", threshold=0.7, warn=0.5))
    assert (result.outcome, result.score) == (WARNED, pytest.approx(0.58))


def test_the_score_is_the_mean_of_the_trials_that_have_one(engine):
    assert run(engine, case("ppf", "any"), all_trials=True).score == pytest.approx(2 / 3)
    assert run(engine, case("epp", "majority"), all_trials=True).score == 1.0
    assert run(engine, case("epf", "majority")).score is None  # errored


def test_a_score_without_a_verdict_needs_every_trial(engine):
    result = run(engine, case("0246", threshold="unset"))
    assert (result.outcome, result.score, said(result)) == (Outcome.SCORED, pytest.approx(0.3), "0246")
    assert run(engine, case("02e6", threshold="unset")).outcome is ERRORED


def test_an_error_of_the_application_stands_before_one_from_outside(engine):
    async def bot(question, trial):
        if question[trial - 1] == "t":
            await asyncio.sleep(5)
        return answer(question, trial)

    result = run(engine, case("te", timeout_s=0.05), from_callable(bot, "t"))
    assert [trial.error.kind for trial in result.trials] == [ErrorKind.TIMEOUT, ErrorKind.TARGET]
    assert result.error.kind is ErrorKind.TARGET


def test_the_trial_that_is_shown_has_the_outcome_of_the_case(engine):
    result = run(engine, case("fppp", "majority"), all_trials=True)
    assert result.output == "p"
    assert result.shown is result.trials[3]
    assert run(engine, case("pfpp", "all"), all_trials=True).output == "f"


def test_every_trial_has_a_session_and_attempts_of_its_own(engine):
    seen = []

    def bot(question, session_id, trial):
        seen.append((session_id, trial))
        if trial == 2 and sum(t == 2 for _, t in seen) == 1:
            raise ConnectionError("once")
        return "p"

    asked = Case("c", "q", (Criterion("value", "value"),), trials=3, retries=1)
    result = run(engine, asked, from_callable(bot, "t"))
    assert [len(trial.attempts) for trial in result.trials] == [1, 2, 1]
    assert len({trial.session_id for trial in result.trials}) == 3
    assert {(session, trial) for session, trial in seen} == {
        (trial.session_id, number) for number, trial in enumerate(result.trials, 1)
    }


def test_trials_of_a_case_run_at_the_same_time(engine):
    together = threading.Barrier(4, timeout=5)

    def bot(_):
        together.wait()
        return "p"

    assert run(engine, case("pppp"), from_callable(bot, "t"), all_trials=True).outcome is PASSED


def test_later_trials_of_a_case_begin_before_its_turn(engine):
    """While the first case is waited for, the trials of the second are asked one after another to the end."""
    asked = []

    def bot(question, trial):
        if question == "slow":
            for _ in range(500):
                if len(asked) == 3:
                    return "p"
                time.sleep(0.01)
            return "f"
        asked.append(trial)
        return "p"

    target = from_callable(bot, "t")
    first = Asking(Case("a", "slow", (Criterion("value", "value"),)), target, scorers={"value": value})
    second = Asking(case("ppp"), target, scorers={"value": value})
    for asking in (first, second):
        engine.start(asking)
    assert engine.finish(first, {"value": value}).outcome is PASSED
    assert asked == [1, 2, 3]
    assert engine.finish(second, {"value": value}).outcome is PASSED


def test_nothing_begins_beside_a_case_that_runs_alone(engine):
    asked = []

    def bot(question, trial):
        if question == "slow":
            time.sleep(0.3)
        else:
            asked.append(trial)
        return "p"

    target = from_callable(bot, "t")
    first = Asking(Case("a", "slow", (Criterion("value", "value"),)), target, scorers={"value": value})
    second = Asking(case("ppp"), target, scorers={"value": value})
    for asking in (first, second):
        engine.start(asking)
    engine.alone = True
    engine.finish(first, {"value": value})
    assert asked == [1]
    engine.alone = False
    assert engine.finish(second, {"value": value}).outcome is PASSED
    assert asked == [1, 2, 3]


def test_a_trial_that_blocks_the_loop_is_a_timeout_and_the_others_are_asked_again():
    async def blocking(question, trial):
        if trial == 2:
            time.sleep(3.5)
        await asyncio.sleep(0)
        return "p"

    engine = Engine(concurrency=4)
    try:
        result = run(engine, case("ppp", "majority", timeout_s=0.05), from_callable(blocking, "t"), all_trials=True)
    finally:
        engine.close()
    assert [trial.outcome for trial in result.trials] == [PASSED, ERRORED, PASSED]
    assert "blocks its event loop" in result.trials[1].error.message
    assert result.outcome is PASSED


class Steer(Exception):
    """As pytest's skip."""


def test_what_steers_the_session_is_raised_when_the_other_trials_have_ended():
    ended = []

    async def bot(question, trial):
        if trial == 1:
            raise Steer
        await asyncio.sleep(0.1)
        ended.append(trial)
        return "p"

    engine = Engine(concurrency=4, passthrough=(Steer,))
    try:
        with pytest.raises(Steer):
            run(engine, case("ppp"), from_callable(bot, "t"), all_trials=True)
    finally:
        engine.close()
    assert sorted(ended) == [2, 3]


def test_a_cancelled_case_stops_all_its_trials(engine):
    stopped = []

    async def bot(question, trial):
        try:
            await asyncio.sleep(30)
        finally:
            stopped.append(trial)

    asking = Asking(case("ppp"), from_callable(bot, "t"), scorers={"value": value}, all_trials=True)
    engine.start(asking)
    time.sleep(0.1)
    engine.cancel([asking])
    assert sorted(stopped) == [1, 2, 3]


def test_a_target_that_answers_at_once_is_asked_every_trial(engine):
    at_once = Target("echo", lambda question: "p", inline=True)
    assert said(run(engine, case("ppp"), at_once)) == "ppp"


suites = st.lists(
    st.tuples(
        st.text("ppfew5", min_size=1, max_size=6),
        st.sampled_from(["all", "any", "majority", "mean"]),
        st.sampled_from([None, 0.7, "unset"]),
        st.sampled_from([None, 0.4]),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(suites, st.booleans(), st.randoms(use_true_random=False))
def test_results_do_not_depend_on_how_many_calls_are_in_flight(suite, all_trials, random):
    """Whatever order answers come in: the same outcomes, scores and trials at a concurrency of 1 and of 20."""
    delays = {(number, trial): random.random() * 0.004 for number in range(len(suite)) for trial in range(1, 7)}

    def outcomes(concurrency: int) -> list[tuple[object, ...]]:
        engine = Engine(concurrency=concurrency)
        scorers = {"value": value}
        askings = []
        for number, (letters, pass_if, threshold, warn) in enumerate(suite):

            async def bot(question, trial, number=number):
                await asyncio.sleep(delays[number, trial] if concurrency > 1 else 0)
                return answer(question, trial)

            asked = case(letters, pass_if, threshold=threshold, warn=warn if threshold == 0.7 else None)
            askings.append(Asking(asked, from_callable(bot, "t"), scorers=scorers, all_trials=all_trials))
        try:
            if concurrency > 1:
                for asking in askings:
                    engine.start(asking)
            results = []
            for asking in askings:
                if concurrency == 1:
                    engine.start(asking)
                results.append(engine.finish(asking, scorers))
        finally:
            engine.close()
        return [(r.outcome, r.score, said(r), r.error) for r in results]

    assert outcomes(1) == outcomes(20)
