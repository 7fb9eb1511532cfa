"""A result that is stored comes back as it was."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import pytest
from factories import criterion, error, result
from histories import change, history, made, query, record
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_evals.model.codec import result_from_json, result_to_json
from pytest_evals.model.outcome import ErrorKind, Outcome
from pytest_evals.model.response import ToolCall, Usage
from pytest_evals.model.result import Attempt, CaseError, CaseResult, CriterionResult, Trial
from pytest_evals.report.rows import row_of
from pytest_evals.store.connect import reading
from pytest_evals.store.results import case_results, case_rows
from pytest_evals.store.rows import clean, key_text, run_type
from pytest_evals.store.runs import list_runs

clean_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
any_text = st.text(st.characters(), max_size=20)
names = clean_text.filter(bool)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=6,
)
answers = any_text | json_values
mappings = st.dictionaries(clean_text, json_values, max_size=3)
scores = st.none() | st.floats(0, 1)
amounts = st.none() | st.floats(0, 1e6)
tokens = st.none() | st.integers(0, 10**9)
case_errors = st.builds(CaseError, st.sampled_from(ErrorKind), names, clean_text, clean_text)
times = st.sampled_from(["", "2026-03-01T16:00:00.000000+00:00", "2026-03-01T16:00:00.250000+00:00"])


@st.composite
def criteria(draw):
    failure = draw(st.none() | case_errors)
    return CriterionResult(
        draw(clean_text),
        draw(clean_text),
        draw(scores),
        None if failure else draw(scores),
        None if failure else draw(st.none() | st.booleans()),
        draw(st.floats(0, 10)),
        draw(scores),
        draw(clean_text),
        draw(mappings),
        failure,
    )


trials = st.builds(
    Trial,
    st.sampled_from(Outcome),
    answers,
    scores,
    st.lists(criteria(), max_size=3).map(tuple),
    st.none() | case_errors,
    st.lists(st.builds(Attempt, amounts, st.none() | case_errors), max_size=2).map(tuple),
    amounts,
    amounts,
    st.none() | st.builds(Usage, tokens, tokens, tokens),
    amounts,
    st.lists(st.builds(ToolCall, clean_text, json_values), max_size=2).map(tuple),
    mappings,
    clean_text,
)


@st.composite
def several_trials(draw):
    """Trials as a case has them: all are asked the same, those that errored may lack an answer."""
    asked = draw(
        st.lists(st.tuples(clean_text, clean_text, st.floats(0, 10), scores), max_size=3, unique_by=lambda a: a[0])
    )
    made = []
    for trial in draw(st.lists(trials.filter(lambda t: t.outcome is not Outcome.SKIPPED), min_size=1, max_size=3)):
        answered = tuple(
            replace(draw(criteria()), name=name, scorer=scorer, weight=weight, threshold=threshold)
            for name, scorer, weight, threshold in asked
        )
        made.append(
            replace(trial, criteria=answered if trial.outcome is not Outcome.ERRORED or draw(st.booleans()) else ())
        )
    return tuple(made)


@st.composite
def case_results_(draw, number):
    outcome = draw(st.sampled_from(Outcome))
    score = draw(scores)
    judged = outcome is Outcome.SCORED or (outcome in (Outcome.ERRORED, Outcome.SKIPPED) and draw(st.booleans()))
    planned = draw(st.integers(1, 5))
    asked = st.lists(trials, max_size=1) if planned == 1 else st.just(()) | several_trials()
    return CaseResult(
        suite=draw(names),
        case_id=f"{number}-{draw(clean_text)}",
        outcome=outcome,
        trials=() if outcome is Outcome.SKIPPED else tuple(draw(asked)),
        planned_trials=planned,
        pass_if=draw(st.sampled_from(["", "all", "any", "majority", "mean"])),
        variant=draw(clean_text),
        variant_id=draw(clean_text),
        name=draw(clean_text),
        node_id=draw(clean_text),
        source=draw(clean_text),
        experiment="support",
        category=draw(st.none() | clean_text),
        tags=tuple(draw(st.lists(clean_text, max_size=2))),
        metadata=draw(mappings),
        input=draw(answers),
        context=draw(answers),
        expected_output=draw(answers),
        reference_outputs=tuple(draw(st.lists(any_text, max_size=2))),
        definition_sha256=draw(st.sampled_from(["", "a" * 64])),
        score=draw(st.floats(0, 1)) if outcome is Outcome.SCORED else score,
        threshold="unset" if judged else draw(scores),
        warn=draw(scores),
        error=draw(case_errors) if outcome is Outcome.ERRORED else None,
        skip_reason=draw(st.none() | clean_text) if outcome is Outcome.SKIPPED else None,
        xfail=draw(st.none() | clean_text),
        gated=draw(st.booleans()),
        target=draw(clean_text),
        started_at=draw(times),
        finished_at=draw(times),
    )


sessions = st.integers(1, 3).flatmap(lambda many: st.tuples(*(case_results_(number) for number in range(many))))


quick = settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)


@settings(quick, max_examples=120)
@given(sessions)
def test_every_result_and_row_comes_back_as_it_was(tmp_path_factory, results):
    come_back(history(tmp_path_factory.mktemp("history")), results)


@settings(quick, max_examples=25)
@given(sessions)
def test_every_result_and_row_comes_back_from_a_server_as_it_was(server_location, results):
    if made(server_location):
        change(server_location, "TRUNCATE experiments RESTART IDENTITY CASCADE")
    come_back(server_location, results)


def come_back(location, results):
    sent = [result_from_json(result_to_json(r)) for r in results]
    record(location, results)
    if all(r.outcome is Outcome.SKIPPED for r in results):
        assert not made(location) or query(location, "SELECT count(*) FROM experiment_runs") == [(0,)]
        return
    kept, rows = {}, {}
    with reading(location) as connection:
        for run in list_runs(connection):
            for one in case_results(connection, run):
                kept[one.key] = one
                assert run_type(json.loads(result_to_json(one))) == run.type
            rows |= {row.key: row for row in case_rows(connection, run)}
    executed = {
        (r.experiment, run_type(json.loads(result_to_json(r)))) for r in sent if r.outcome is not Outcome.SKIPPED
    }
    for one in sent:
        if (one.experiment, run_type(json.loads(result_to_json(one)))) in executed:
            assert kept[one.key] == one
            assert rows[one.key] == row_of(one)


HOSTILE = "lone \ud800 surrogate, NUL \0, \x1b[31mred, \u202e"


def test_text_that_no_database_takes_is_kept_whole_where_it_counts(location):
    failed = result(
        "failed", HOSTILE, suite=HOSTILE, output=HOSTILE, input=HOSTILE, metadata={HOSTILE: HOSTILE}, tags=(HOSTILE,),
        category=HOSTILE, criteria=(criterion(HOSTILE, reason=HOSTILE, detail={HOSTILE: HOSTILE}),),
    )  # fmt: skip
    errored = result("errored", "other", suite=HOSTILE, error=error(message=HOSTILE, detail=HOSTILE))
    record(location, [failed, errored], run_name="x")
    with reading(location) as connection:
        (run,) = list_runs(connection)
        kept, other = case_results(connection, run)
    assert (kept.output, kept.input, kept.metadata) == (HOSTILE, HOSTILE, {HOSTILE: HOSTILE})
    assert kept.criteria[0].detail == {HOSTILE: HOSTILE}
    shown = "lone \\ud800 surrogate, NUL \\x00, \x1b[31mred, \u202e"
    assert (kept.case_id, kept.suite, kept.tags, kept.criteria[0].reason) == (shown, shown, (shown,), shown)
    assert (other.error.message, other.error.detail) == (shown, shown)
    assert query(location, "SELECT answer FROM checked_case_meta WHERE case_run_id = 1") == [(shown,)]


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0, "0.5", True, [], 10**30])
def test_a_number_that_is_none_is_unknown_and_the_run_is_kept(location, value):
    odd = result(
        "failed",
        criteria=(replace(criterion(), score=value, weight=value, mark=value, threshold=value),),
        usage=Usage(value, value, value),
        cost_usd=value,
        latency_ms=value,
        score=value,
        warn=value,
    )
    line = json.loads(result_to_json(odd))
    record_line(location, line)
    columns = "score, warn, input_tokens, output_tokens, cached_tokens"
    assert query(location, f"SELECT {columns} FROM case_runs") == [(None,) * 5]
    assert query(location, "SELECT state, score, mark, threshold FROM case_scores") == [("skipped", None, None, None)]
    costs = query(location, "SELECT cost_usd, latency_ms FROM case_runs")
    assert costs == [(1e30, 1e30)] if value == 10**30 else costs == [(None, None)]


def record_line(location, line):
    from histories import STARTED

    from pytest_evals.store.journal import Journal
    from pytest_evals.workflow.history import journal_header, store_or_keep
    from pytest_evals.workflow.recording import Facts

    header = journal_header(session_id="s1", started_at=STARTED)
    journal = Journal.create(location.journals, header)
    journal.append(json.dumps(line))
    runs = store_or_keep(location, Facts.read(header), journal, row=lambda entry: row_of(result("failed")))
    journal.finish()
    return runs


def test_a_result_without_what_its_outcome_promises_is_an_error_with_a_reason(location):
    record(location, [result("scored", "a"), result("errored", "b", error=error(message="")), result("errored", "c")])
    assert query(location, "SELECT case_name, status, error_kind, error FROM case_runs ORDER BY case_name") == [
        ("a", "error", "scorer", "it has neither a verdict nor a score"),
        ("b", "error", "target", "no reason was given"),
        ("c", "error", "target", "no reason was given"),
    ]
    assert query(location, "SELECT type, judged_cases, error_cases FROM experiment_runs ORDER BY type") == [
        ("checked", 0, 2),
        ("judged", 0, 1),
    ]


def test_more_cached_than_input_tokens_are_unknown(location):
    record(location, [result(usage=Usage(5, 1, 6)), result(case_id="b", usage=Usage(5, 1, 5))])
    assert query(location, "SELECT input_tokens, cached_tokens FROM case_runs ORDER BY seq") == [(5, None), (5, 5)]


def test_an_answer_that_is_text_is_stored_once(location):
    long = "x" * 5000
    record(location, [result("passed", output=long), result("passed", "json", output={"text": "x"})])
    trials = [json.loads(text) for (text,) in query(location, "SELECT trials FROM case_runs ORDER BY seq")]
    assert trials == [[{"outcome": "passed"}], [{"outcome": "passed", "output": {"text": "x"}}]]
    assert [a for (a,) in query(location, "SELECT answer FROM checked_case_meta ORDER BY case_run_id")] == [
        long,
        '{"text": "x"}',
    ]


def test_checks_are_listed_as_problems_and_passed_ones(location):
    answered = (
        criterion("contains", 1.0),
        criterion("tone", 0.2, 0.7, reason="curt"),
        criterion("judge", None, 0.7, error=error("judge", "unreadable reply")),
        criterion("length", 0.3, None),
    )
    record(location, [result(criteria=answered)])
    ((problems, passed),) = query(location, "SELECT problems, passed_checks FROM checked_case_meta")
    assert json.loads(problems) == ["tone: curt", "judge: unreadable reply"]
    assert json.loads(passed) == ["contains"]


def test_a_score_without_a_verdict_is_judged(location):
    record(
        location,
        [
            result(
                "scored",
                "a",
                score=0,
                input="Write.",
                expected_output=["x"],
                criteria=(criterion("tone", 0.0, None, reason="flat"),),
            ),
            result("errored", "b", threshold="unset", error=error()),
        ],
    )
    assert query(location, "SELECT type, status, judged_cases, error_cases, score FROM experiment_runs") == [
        ("judged", "error", 1, 1, 0.0)
    ]
    meta = "question, expected, answer, judge_score, judge_reasoning"
    assert query(location, f"SELECT {meta} FROM judged_case_meta ORDER BY case_run_id") == [
        ("Write.", '["x"]', "Two weeks.", 0.0, "tone: flat"),
        ("How long do I have to return a mug?", None, None, None, None),
    ]


def test_clean_leaves_clean_values_alone():
    value = {"a": ["x", 1, None, True, {"é": "☃\n"}]}
    assert clean(value) == value


def test_names_too_long_for_an_index_are_cut_and_stay_apart(location):
    chance = random.Random(7)  # a text that cannot be compressed
    long = "".join(chance.choices("abcdefghijklmnopqrstuvwxyzäöü0123456789", k=6000))
    made = [result("passed", long + end, suite=long, variant=long, experiment=long) for end in ("x", "y")]
    record(location, made)
    ((suite, variant),) = query(location, "SELECT DISTINCT eval, variant FROM case_runs")
    assert suite == variant
    assert len(suite.encode()) <= 600
    assert suite.startswith(long[:400])
    assert query(location, "SELECT count(DISTINCT case_name) FROM case_runs") == [(2,)]
    assert key_text("ä" * 300) == "ä" * 300
