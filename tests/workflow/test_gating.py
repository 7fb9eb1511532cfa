"""Gates of a stored run are decided again, with the exit status that a session would have."""

from __future__ import annotations

import pytest
from factories import error, result
from histories import history, record

from pytest_evals.errors import UsageError
from pytest_evals.model.gate_grammar import parse_gate
from pytest_evals.stats.decide import decide
from pytest_evals.store.connect import reading
from pytest_evals.store.results import case_rows
from pytest_evals.workflow.gating import decide_run, named_gates, stored_gates


def run_of(tmp_path, *results, gates=(), **fields):
    location = history(tmp_path)
    from pytest_evals.report.rows import row_of

    verdicts = decide([parse_gate(text, suite="bot") for text in gates], [row_of(r) for r in results])
    (run,) = record(location, list(results), verdicts=verdicts, **fields)
    with reading(location) as connection:
        return run, case_rows(connection, run)


def passed(n, **fields):
    return [result("passed", f"p{k}", score=1.0, **fields) for k in range(n)]


def failed(n, **fields):
    return [result("failed", f"f{k}", score=0.0, **fields) for k in range(n)]


@pytest.mark.parametrize(
    ("results", "gates", "status"),
    [
        ([*passed(9), *failed(1, gated=True)], ["pass_rate >= 90%"], 0),
        ([*passed(8), *failed(2, gated=True)], ["pass_rate >= 90%"], 1),
        ([*passed(9), *failed(1)], [], 1),
        ([*passed(9), *failed(1, xfail="known")], [], 0),
        ([*passed(2), result("errored", error=error("provider"))], [], 75),
        ([*passed(2), result("errored", error=error("target"))], [], 1),
        (passed(2), ["latency.p95 <= 2s"], 75),
        (passed(2), ["regressions == 0"], 0),
    ],
)
def test_the_gates_of_a_run_make_the_status_its_session_had(tmp_path, results, gates, status):
    run, rows = run_of(tmp_path, *results, gates=gates)
    assert decide_run(run, rows, stored_gates(run), alone=False).exit_status == status


def test_gates_that_are_named_decide_alone(tmp_path):
    run, rows = run_of(tmp_path, *passed(9), *failed(1), gates=["pass_rate >= 99%"])
    for text, status in [("pass_rate >= 90%", 0), ("pass_rate >= 95%", 1), ("cost.total <= $1", 75)]:
        gates = named_gates([text], rows)
        assert decide_run(run, rows, gates, alone=True).exit_status == status


def test_a_run_that_was_cut_off_leaves_its_gates_undecided(tmp_path):
    run, rows = run_of(tmp_path, *passed(3), stopped="interrupted", exit_status=2)
    decided = decide_run(run, rows, named_gates(["pass_rate >= 50%"], rows), alone=True)
    assert decided.exit_status == 75
    assert decided.verdicts[0].reason == "stopped early: interrupted"


def test_a_gate_about_cases_that_are_not_there_is_a_mistake(tmp_path):
    _, rows = run_of(tmp_path, *passed(1))
    with pytest.raises(UsageError, match=r"no case of the run has the tag 'smoke'"):
        named_gates(["pass_rate(tag=smoke) >= 90%"], rows)
