"""What several trials say together, in rows, headlines, explanations and lists."""

from __future__ import annotations

from factories import criterion, error, result

from pytest_evals.model.outcome import Outcome
from pytest_evals.model.result import Trial
from pytest_evals.model.words import WordErrors
from pytest_evals.report.explain import explain
from pytest_evals.report.flaky import flaky_lines
from pytest_evals.report.headline import headline
from pytest_evals.report.lines import plain_text
from pytest_evals.report.rows import row_of


def trial(outcome, score=None, *, tone=None, **fields):
    asked = () if score is None else (criterion("contains", score, passed=score == 1, reason=f"it is {score:g}"),)
    if tone is not None:
        asked += (criterion("tone", tone, 0.7, passed=tone >= 0.7),)
    if outcome == "errored":
        return Trial(Outcome.ERRORED, error=fields.pop("error", error("target", "down")), **fields)
    return Trial(Outcome(outcome), f"answer {score}", score, asked, latency_ms=10.0, **fields)


def repeated(outcome, *trials, planned=None, pass_if="all", **fields):
    return result(
        outcome,
        fields.pop("case_id", "c"),
        trials=trials,
        planned_trials=planned or len(trials),
        pass_if=pass_if,
        **fields,
    )


def test_a_criterion_has_its_mean_score_and_passes_by_the_rule_of_the_case():
    trials = [trial("passed", 1.0, tone=0.9), trial("failed", 0.0, tone=0.8), trial("passed", 1.0, tone=0.7)]
    found = {pass_if: row_of(repeated("passed", *trials, pass_if=pass_if)) for pass_if in ("all", "majority", "mean")}
    for row in found.values():
        assert [(c.name, round(c.score, 3)) for c in row.criteria] == [("contains", 0.667), ("tone", 0.8)]
    assert {name: [c.passed for c in row.criteria] for name, row in found.items()} == {
        "all": [False, True],
        "majority": [True, True],
        "mean": [False, True],
    }


def test_a_criterion_that_trials_not_asked_would_decide_has_no_verdict():
    row = row_of(repeated("failed", trial("failed", 0.0, tone=0.9), planned=3))
    assert [(c.name, c.passed) for c in row.criteria] == [("contains", False), ("tone", None)]
    row = row_of(repeated("errored", trial("errored"), trial("passed", 1.0), trial("passed", 1.0)))
    assert [(c.score, c.passed) for c in row.criteria] == [(1.0, None)]


def test_the_words_of_all_transcripts_count():
    detail = {"substitutions": 1, "deletions": 0, "insertions": 0, "reference_words": 10}
    asked = (criterion("wer", 0.9, 0.7, scorer="word_error_rate", detail=detail),)
    row = row_of(repeated("passed", *[Trial(Outcome.PASSED, "a", 0.9, asked)] * 2))
    assert row.criteria[0].words == WordErrors(2, 0, 0, 20)


def test_a_row_counts_its_trials_and_only_those_of_a_case_with_several():
    row = row_of(repeated("failed", trial("passed", 1.0), trial("failed", 0.0), planned=5))
    assert (row.trials.planned, row.trials.ran, row.flaky) == (5, 2, True)
    assert row_of(result("passed")).trials is None


def test_headlines_say_how_many_passed_how_many_must_and_why_one_did_not():
    failed = trial("failed", 0.0)
    assert headline(repeated("failed", trial("passed", 1.0), failed, planned=5)) == (
        "1 of 2 trials passed, all 5 must: contains 0 < 1: it is 0"
    )
    assert headline(repeated("failed", failed, failed, planned=3, pass_if="majority")).startswith(
        "0 of 2 trials passed, 2 of 3 must: "
    )
    assert headline(repeated("errored", trial("errored"), trial("passed", 1.0), error=error("target", "down"))) == (
        "1 of 2 trials errored, 1 passed, all 2 must: down"
    )
    assert headline(repeated("failed", trial("passed", 1.0), failed, pass_if="mean")) == (
        "mean of 2 trials: contains 0.50 < 1: it is 0"
    )
    assert headline(repeated("passed", trial("passed", 1.0), failed, pass_if="any")) == ""


def test_an_explanation_lists_the_trials_and_shows_the_one_that_missed():
    text = explain(repeated("failed", trial("passed", 1.0), trial("failed", 0.0), trial("passed", 1.0), planned=4))
    assert "trials (2 of 3 trials passed, all 4 must):" in text
    assert "   1. passed   1.00    10 ms  answer 1.0" in text
    assert "   2. failed   0.00    10 ms  contains 0 < 1: it is 0" in text
    assert "  1 trial was not asked: nothing they said could change the decision" in text
    assert "output of trial 2: answer 0.0" in text
    many = explain(repeated("failed", *[trial("failed", 0.0)] * 40))
    assert "… 30 more trials" in many
    assert len(many) < 8000


def test_an_explanation_of_a_single_trial_is_as_it_always_was():
    assert "trial" not in explain(result("failed", criteria=(criterion(score=0.0, passed=False),)))


def listed(rows, limit):
    return [plain_text(line).rstrip() for line in flaky_lines(rows, 80, limit)]


def test_flaky_cases_are_listed_the_most_divided_ones_when_there_are_many():
    def case(number, passed, failed):
        trials = [trial("passed", 1.0)] * passed + [trial("failed", 0.0)] * failed
        return row_of(
            repeated("passed", *trials, pass_if="any", case_id=f"c{number}", node_id=f"s.eval.yaml::c{number}")
        )

    rows = [case(n, 5, 0 if n == 3 else 1) for n in range(4)] + [case(9, 3, 3)]
    assert listed(rows, None) == [
        "  4 cases are flaky: their trials disagree",
        "    s.eval.yaml::c0  5 of 6 trials passed; passed",
        "    s.eval.yaml::c1  5 of 6 trials passed; passed",
        "    s.eval.yaml::c2  5 of 6 trials passed; passed",
        "    s.eval.yaml::c9  3 of 6 trials passed; passed",
    ]
    cut = listed(rows, 1)
    assert cut[0] == "  4 cases are flaky: their trials disagree; 1 of them, all with -v"
    assert cut[1:] == ["    s.eval.yaml::c9  3 of 6 trials passed; passed"]
    assert listed(rows[3:4], None) == []
