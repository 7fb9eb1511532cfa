"""The engine: attempts, limits of time, retries, errors, outcomes."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from pytest_evals.engine.loop import interruptions
from pytest_evals.engine.runner import Engine
from pytest_evals.engine.target import Target, from_callable, resolve
from pytest_evals.errors import TargetError
from pytest_evals.model.case import Case, TargetSpec
from pytest_evals.model.criterion import Criterion
from pytest_evals.model.outcome import ErrorKind, Outcome
from pytest_evals.model.response import Response, Usage
from pytest_evals.model.score import Score

SCORERS = {
    "equal": lambda actual, expected: actual == expected,
    "half": lambda: 0.5,
    "broken": lambda: 1 / 0,
    "nan": lambda: float("nan"),
}


@pytest.fixture
def engine():
    engine = Engine()
    yield engine
    engine.close()


def case(*criteria: Criterion | str, **values) -> Case:
    read = tuple(c if isinstance(c, Criterion) else Criterion(c, c) for c in criteria or ("equal",))
    return Case(**{"id": "c", "input": "question", "expected_output": "answer", "criteria": read, **values})


def target(function) -> Target:
    return from_callable(function, "t")


def answer(_):
    return "answer"


async def answer_later(_):
    await asyncio.sleep(0.01)
    return "answer"


@pytest.mark.parametrize("function", [answer, answer_later], ids=["sync", "async"])
def test_a_right_answer_passes_and_its_latency_is_the_targets_own(engine, function):
    result = engine.run(case(), target(function), SCORERS)
    assert result.outcome is Outcome.PASSED
    assert result.score == 1.0
    assert result.output == "answer"
    assert 0 <= result.latency_ms < 500
    assert len(result.last.attempts) == 1


def test_a_plain_function_that_returns_a_coroutine_is_awaited(engine):
    def plain(question):
        return answer_later(question)

    assert engine.run(case(), target(plain), SCORERS).outcome is Outcome.PASSED


def test_a_class_is_made_once_and_called(engine):
    made = []

    class Bot:
        def __init__(self):
            made.append(1)

        async def __call__(self, question):
            return "answer"

    bot = target(Bot)
    assert engine.run(case(), bot, SCORERS).outcome is Outcome.PASSED
    assert engine.run(case(), bot, SCORERS).outcome is Outcome.PASSED
    assert made == [1]


@pytest.mark.parametrize("is_async", [False, True])
def test_an_attempt_that_takes_too_long_is_a_timeout_and_is_tried_again(engine, is_async):
    cancelled = threading.Event()
    calls = []

    async def slow_async(_):
        calls.append(1)
        try:
            await asyncio.sleep(30)
        finally:
            cancelled.set()

    def slow(_):
        calls.append(1)
        time.sleep(1.5)

    started = time.monotonic()
    result = engine.run(case(timeout_s=0.1, retries=1), target(slow_async if is_async else slow), SCORERS)
    assert time.monotonic() - started < 1.3
    assert result.outcome is Outcome.ERRORED
    assert result.error.kind is ErrorKind.TIMEOUT
    assert len(result.last.attempts) == len(calls) == 2
    assert result.latency_ms is None
    if is_async:
        assert cancelled.is_set()
    else:
        assert "left behind" in result.error.message


def test_a_call_left_behind_does_not_answer_for_the_next_case_and_does_not_starve_it(engine):
    def bot(question):
        if question == "slow":
            time.sleep(0.6)
            return "late"
        return "answer"

    stuck = [engine.run(case(input="slow", timeout_s=0.05, retries=0), target(bot), SCORERS) for _ in range(4)]
    assert {r.error.kind for r in stuck} == {ErrorKind.TIMEOUT}
    fast = engine.run(case(timeout_s=0.3, retries=0), target(bot), SCORERS)
    assert fast.outcome is Outcome.PASSED


def test_an_async_target_that_swallows_its_cancellation_is_left_behind(engine):
    async def stubborn(_):
        while True:
            try:
                await asyncio.sleep(0.5)
            except asyncio.CancelledError:
                continue

    started = time.monotonic()
    result = engine.run(case(timeout_s=0.05, retries=0), target(stubborn), SCORERS)
    assert result.error.kind is ErrorKind.TIMEOUT
    assert "did not stop" in result.error.message
    assert time.monotonic() - started < 3


def test_an_async_target_that_blocks_the_loop_is_named_and_the_next_case_runs(engine):
    async def blocking(_):
        time.sleep(4)

    started = time.monotonic()
    result = engine.run(case(timeout_s=0.05, retries=0), target(blocking), SCORERS)
    assert result.error.kind is ErrorKind.TIMEOUT
    assert "blocks its event loop" in result.error.message
    assert time.monotonic() - started < 3.5
    assert engine.run(case(), target(answer_later), SCORERS).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    "error", [ValueError("boom"), SystemExit(2), StopIteration(), TimeoutError("mine"), KeyError("k")]
)
@pytest.mark.parametrize("is_async", [False, True])
def test_whatever_the_target_raises_is_an_error_of_the_case_and_is_tried_again(engine, error, is_async):
    def bot(_):
        raise error

    async def bot_async(_):
        raise error

    result = engine.run(case(retries=2), target(bot_async if is_async else bot), SCORERS)
    assert result.outcome is Outcome.ERRORED
    assert result.error.kind is ErrorKind.TARGET
    assert result.score is None
    assert len(result.last.attempts) == 3


def test_a_target_that_cancels_itself_is_errored_and_the_engine_lives_on(engine):
    async def bot(_):
        raise asyncio.CancelledError

    result = engine.run(case(retries=0), target(bot), SCORERS)
    assert result.error.kind is ErrorKind.TARGET
    assert engine.run(case(), target(answer_later), SCORERS).outcome is Outcome.PASSED


def test_the_first_attempt_that_answers_counts(engine):
    calls = []

    def bot(_):
        calls.append(1)
        if len(calls) < 3:
            raise ConnectionError("no")
        return "answer"

    result = engine.run(case(retries=5), target(bot), SCORERS)
    assert result.outcome is Outcome.PASSED
    assert [a.error is None for a in result.last.attempts] == [False, False, True]
    assert result.error is None


def test_a_scorer_that_raises_does_not_call_the_target_again_and_keeps_the_output(engine):
    calls = []
    result = engine.run(case("equal", "broken", retries=3), target(lambda _: calls.append(1) or "answer"), SCORERS)
    assert len(calls) == 1
    assert result.outcome is Outcome.ERRORED
    assert result.error.kind is ErrorKind.SCORER
    assert "ZeroDivisionError" in result.error.message
    assert result.output == "answer"
    assert result.criteria[0].score == 1.0
    assert result.score is None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -0.1, 1.5, "0.5", None, [1]])
def test_what_is_no_score_is_a_scorer_error(engine, value):
    result = engine.run(case("odd"), target(answer), {"odd": lambda: value})
    assert result.error.kind is ErrorKind.SCORER
    assert "0" in result.error.message


@pytest.mark.parametrize(
    ("value", "outcome"),
    [(0.7, Outcome.PASSED), (0.69, Outcome.FAILED), (True, Outcome.PASSED), (False, Outcome.FAILED)],
)
def test_graded_scores_have_the_mark_07_and_yes_no_answers_the_mark_1(engine, value, outcome):
    assert engine.run(case("own"), target(answer), {"own": lambda: value}).outcome is outcome


def test_none_is_no_answer(engine):
    result = engine.run(case(retries=0), target(lambda _: None), SCORERS)
    assert result.outcome is Outcome.ERRORED
    assert "returned None" in result.error.message


def test_async_scorers_and_scorers_that_ask_for_everything_are_served(engine):
    seen = {}

    async def own(actual, expected, references, case, response, options):
        seen.update(locals())
        return Score(0.9, "nice", {"n": 1})

    usage = Usage(3, 4, 1)
    criterion = Criterion("own", "own", {"strict": True})
    result = engine.run(
        case(criterion, reference_outputs=("r",)),
        target(lambda _: Response("answer", usage=usage, cost_usd=0.25)),
        {"own": own},
    )
    assert result.outcome is Outcome.PASSED
    assert (seen["actual"], seen["expected"], seen["references"]) == ("answer", "answer", ("r",))
    assert seen["options"] == {"strict": True}
    assert result.criteria[0].reason == "nice"
    assert result.last.usage == usage
    assert result.cost_usd == 0.25


def test_combinations_are_the_complement_the_least_and_the_greatest(engine):
    parts = (Criterion("equal", "equal"), Criterion("half", "half"))
    criteria = (
        Criterion("not", "not_half", parts=parts[1:]),
        Criterion("not", "not_equal", parts=parts[:1]),
        Criterion("all_of", "all", parts=parts),
        Criterion("any_of", "any", parts=parts),
    )
    result = engine.run(case(*criteria), target(answer), SCORERS)
    assert [(c.score, c.mark) for c in result.criteria] == [(0.5, 0.7), (0.0, 1.0), (0.5, 0.7), (1.0, 0.7)]


def test_an_error_inside_a_combination_is_an_error_even_beside_a_full_score(engine):
    parts = (Criterion("equal", "equal"), Criterion("broken", "broken"))
    result = engine.run(case(Criterion("any_of", "any", parts=parts)), target(answer), SCORERS)
    assert result.outcome is Outcome.ERRORED


class TestThresholds:
    def test_the_weighted_mean_decides_and_criteria_without_a_threshold_do_not(self, engine):
        criteria = (Criterion("equal", "equal", weight=1), Criterion("half", "half", weight=3))
        result = engine.run(case(*criteria, threshold=0.6), target(answer), SCORERS)
        assert result.score == pytest.approx(0.625)
        assert result.outcome is Outcome.PASSED
        assert [c.passed for c in result.criteria] == [None, None]

    def test_a_stated_threshold_of_a_criterion_must_be_reached_all_the_same(self, engine):
        criteria = (Criterion("equal", "equal", weight=9), Criterion("half", "half", threshold=0.6))
        result = engine.run(case(*criteria, threshold=0.6), target(answer), SCORERS)
        assert result.outcome is Outcome.FAILED

    def test_between_warn_and_threshold_a_case_is_warned(self, engine):
        assert engine.run(case("half", threshold=0.6, warn=0.5), target(answer), SCORERS).outcome is Outcome.WARNED
        assert engine.run(case("half", threshold=0.6, warn=0.51), target(answer), SCORERS).outcome is Outcome.FAILED

    def test_unset_is_a_score_without_a_verdict(self, engine):
        result = engine.run(case("half", threshold="unset"), target(answer), SCORERS)
        assert (result.outcome, result.score) == (Outcome.SCORED, 0.5)

    def test_zero_is_zero(self, engine):
        assert engine.run(case("zero", threshold=0.0), target(answer), {"zero": lambda: 0.0}).outcome is Outcome.PASSED
        criteria = (Criterion("equal", "equal"), Criterion("zero", "zero", weight=0, threshold=0.0))
        result = engine.run(case(*criteria), target(answer), {**SCORERS, "zero": lambda: 0.0})
        assert (result.outcome, result.score) == (Outcome.PASSED, 1.0)

    def test_scores_are_compared_within_a_billionth(self, engine):
        criteria = tuple(Criterion("own", f"own{i}", weight=w) for i, w in enumerate((0.1, 0.2, 0.7)))
        assert (
            engine.run(case(*criteria, threshold=0.7), target(answer), {"own": lambda: 0.7}).outcome is Outcome.PASSED
        )
        assert engine.run(case("own", threshold=0.7), target(answer), {"own": lambda: 0.699}).outcome is Outcome.FAILED


class TestTargets:
    def test_a_target_gets_what_its_signature_asks_for(self, engine):
        seen = {}

        def bot(text, *, context, case, session_id, variant="none"):
            seen.update(locals())
            return "answer"

        engine.run(case(context="ctx"), target(bot), SCORERS)
        assert (seen["text"], seen["context"], seen["variant"]) == ("question", "ctx", {})
        assert seen["case"].id == "c"
        first = seen["session_id"]
        engine.run(case(), target(bot), SCORERS)
        assert seen["session_id"] != first

    def test_input_can_come_by_its_name_after_others(self, engine):
        assert engine.run(case(), target(lambda context, input: input), SCORERS).output == "question"
        assert engine.run(case(), target(lambda *parts: parts[0]), SCORERS).output == "question"
        assert engine.run(case(), target(lambda case: case.input), SCORERS).output == "question"

    @pytest.mark.parametrize(
        ("function", "said"),
        [
            (lambda: "x", "takes no argument"),
            (lambda q, db: "x", "asks for 'db'"),
            (3, "is a int, which cannot be called"),
        ],
    )
    def test_a_target_that_cannot_be_called_with_an_input_is_refused(self, function, said):
        with pytest.raises(TargetError, match=said):
            from_callable(function, "t")

    def test_echo_answers_its_input(self, engine, tmp_path):
        result = engine.run(case(expected_output="question"), resolve(TargetSpec("echo", "", tmp_path)), SCORERS)
        assert result.outcome is Outcome.PASSED
        assert result.latency_ms is None

    def test_recorded_answers_are_found_by_id_and_a_missing_one_is_errored(self, engine, tmp_path):
        spec = TargetSpec("responses", "a.json", tmp_path)
        recorded = resolve(spec, {"c": Response("answer", latency_ms=12.0)})
        result = engine.run(case(), recorded, SCORERS)
        assert (result.outcome, result.latency_ms) == (Outcome.PASSED, 12.0)
        missing = engine.run(case(id="cc"), recorded, SCORERS)
        assert missing.outcome is Outcome.ERRORED
        assert "no answer for case 'cc'" in missing.error.message

    def test_a_file_target_imports_its_neighbours_and_is_imported_once(self, tmp_path):
        (tmp_path / "neighbour_x1.py").write_text("WORD = 'hi'\n")
        (tmp_path / "bot_x1.py").write_text("import neighbour_x1\ndef answer(q): return neighbour_x1.WORD + q\n")
        spec = TargetSpec("callable", "bot_x1.py:answer", tmp_path)
        first = resolve(spec)
        assert first.call("!") == "hi!"
        assert resolve(spec).call is first.call

    @pytest.mark.parametrize(
        ("value", "said"),
        [
            ("nowhere_at_all.bot:answer", "pythonpath"),
            ("missing.py:answer", "there is no file"),
            ("bad_x2.py:answer", r"ZeroDivisionError: division by zero \(.*bad_x2.py:1\)"),
            ("good_x2.py:anwser", "has no 'anwser'; did you mean 'answer'"),
            ("syntax_x2.py:answer", "SyntaxError"),
        ],
    )
    def test_a_target_that_cannot_be_imported_says_why_in_one_line(self, tmp_path, value, said):
        (tmp_path / "bad_x2.py").write_text("1 / 0\n")
        (tmp_path / "good_x2.py").write_text("def answer(q): return q\n")
        (tmp_path / "syntax_x2.py").write_text("def answer(q: return q\n")
        with pytest.raises(TargetError, match=said) as raised:
            resolve(TargetSpec("callable", value, tmp_path))
        assert "\n" not in str(raised.value)


def test_the_error_keeps_the_applications_traceback_and_none_of_ours(engine):
    def deep(n):
        return deep(n - 1) if n else 1 / 0

    result = engine.run(case(retries=0), target(lambda _: deep(2)), SCORERS)
    assert "in deep" in result.error.detail
    assert "pytest_evals" not in result.error.detail
    assert "asyncio" not in result.error.detail


@pytest.mark.parametrize("struck", [KeyboardInterrupt(), pytest.fail.Exception("timeout")])
def test_an_interruption_that_strikes_within_a_lock_comes_out_as_it_is(struck):
    def wait():
        try:
            raise struck
        finally:
            raise RuntimeError("cannot release un-acquired lock")

    with pytest.raises(type(struck)), interruptions():
        wait()


def test_an_error_of_its_own_stays_one():
    with pytest.raises(RuntimeError, match="mine"), interruptions():
        raise RuntimeError("mine")
