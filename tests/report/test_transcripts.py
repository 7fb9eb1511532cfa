"""Word errors of many transcripts: the rate of the corpus and the mean of the cases, from scorer to report."""

from __future__ import annotations

import json
import random

import jiwer
import pytest
from factories import criterion, result, session
from histories import history, record

from pytest_evals.model.summary import Transcripts
from pytest_evals.model.words import WordErrors
from pytest_evals.report.json import write_json
from pytest_evals.report.lines import plain_text
from pytest_evals.report.rows import row_of
from pytest_evals.report.terminal import section
from pytest_evals.scoring import score
from pytest_evals.stats import summarize
from pytest_evals.stats.summarize import merge
from pytest_evals.store.connect import reading
from pytest_evals.store.results import case_rows
from pytest_evals.store.runs import list_runs

PAIRS = [
    ("please send three copies of the invoice", "please send free copies of the invoice"),
    ("hello", "yellow there"),
    ("the train leaves at noon", "the train leaves at noon"),
    ("no", ""),
    ("", "what"),
]


def heard(reference, hypothesis, number, scorer="word_error_rate", name="wer"):
    scored = score("word_error_rate", hypothesis, reference)
    return result(
        "passed",
        f"line-{number}",
        output=hypothesis,
        criteria=(criterion(name, float(scored.value), 0.7, scorer=scorer, detail=scored.detail),),
    )


@pytest.fixture
def results():
    return [heard(*pair, number) for number, pair in enumerate(PAIRS)]


def transcripts(results, name="wer"):
    return summarize([row_of(each) for each in results]).criteria[name].transcripts


def test_the_corpus_rate_adds_up_errors_and_words_and_the_mean_counts_cases_alike(results):
    found = transcripts(results)
    # 1 of 7 words, 2 of 1, 0 of 5, 1 of 1, and 1 where there is none
    assert found.errors == WordErrors(substitutions=2, deletions=1, insertions=2, reference_words=14)
    assert found.errors.rate == pytest.approx(5 / 14)
    assert found.rates.mean == pytest.approx((1 / 7 + 2 + 0 + 1 + 1) / 5)
    assert (found.rates.n, found.rates.maximum) == (5, 2)


def test_the_corpus_rate_is_that_of_jiwer():
    words = ["ask", "the", "red", "boat", "for", "more", "salt", "and", "two", "mugs", "of", "tea"]
    draw = random.Random(7)
    pairs = [
        (" ".join(draw.choices(words, k=draw.randint(1, 30))), " ".join(draw.choices(words, k=draw.randint(0, 30))))
        for _ in range(200)
    ]
    expected = jiwer.wer([reference for reference, _ in pairs], [hypothesis for _, hypothesis in pairs])
    found = transcripts([heard(*pair, number) for number, pair in enumerate(pairs)])
    assert found.errors.rate == pytest.approx(expected, abs=1e-12)
    assert found.errors.rate != pytest.approx(found.rates.mean, abs=1e-3)


def test_parts_add_up_to_the_whole(results):
    rows = [row_of(each) for each in results]
    assert merge([summarize(rows[:2]), summarize(rows[2:]), summarize([])]) == summarize(rows)


@pytest.mark.parametrize(
    ("scorer", "detail"),
    [
        ("contains", {"substitutions": 1, "deletions": 0, "insertions": 0, "reference_words": 3}),
        ("not", {"substitutions": 1, "deletions": 0, "insertions": 0, "reference_words": 3}),
        ("word_error_rate", {}),
        ("word_error_rate", {"substitutions": 1, "deletions": 0, "insertions": 0}),
        ("word_error_rate", {"substitutions": 1, "deletions": 0, "insertions": 0, "reference_words": "3"}),
        ("word_error_rate", {"substitutions": 1, "deletions": 0, "insertions": -1, "reference_words": 3}),
        ("word_error_rate", {"substitutions": 1, "deletions": 0.5, "insertions": 0, "reference_words": 3}),
        ("word_error_rate", {"substitutions": True, "deletions": 0, "insertions": 0, "reference_words": 3}),
    ],
)
def test_other_scorers_and_details_have_no_corpus(scorer, detail):
    one = result("passed", criteria=(criterion("wer", 0.9, 0.7, scorer=scorer, detail=detail),))
    assert transcripts([one]) is None


def test_a_transcript_that_could_not_be_scored_is_in_neither(results):
    broken = result("errored", "line-9", criteria=(criterion("wer", None, scorer="word_error_rate"),))
    assert transcripts([*results, broken]) == transcripts(results)


def shown(results, **options):
    return [plain_text(line) for line in section(session([row_of(each) for each in results]), **options)]


def test_the_terminal_names_both(results):
    lines = shown(results)
    at = next(number for number, line in enumerate(lines) if "mean of cases" in line)
    assert lines[at].split() == ["word", "error", "rate", "corpus", "mean", "of", "cases", "words", "sub", "del", "ins"]
    assert lines[at + 1].split() == ["wer", "35.7%", "82.9%", "14", "2", "1", "2"]


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_table_fits_the_terminal(width):
    name = "word error rate of the second speaker on the line"
    lines = shown([heard("a " * 60_000, "b " * 60_000, 1, name=name)], width=width)
    assert max(map(len, lines)) <= width
    assert any("100%" in line and "60,000" in line for line in lines)


def test_without_transcripts_there_is_no_table():
    assert not any("mean of cases" in line for line in shown([result("passed", criteria=(criterion("tone", 1.0),))]))


def test_the_json_report_has_both(results, tmp_path):
    both = [*results, result("passed", "other", criteria=(criterion("tone", 1.0),))]
    write_json(tmp_path / "r.json", session([row_of(each) for each in both]), both)
    criteria = json.loads((tmp_path / "r.json").read_text("utf-8"))["summary"]["criteria"]
    assert {part["name"]: part["word_errors"] for part in criteria} == {
        "wer": {
            "corpus_rate": pytest.approx(5 / 14),
            "mean_rate": pytest.approx(0.8285714),
            "cases": 5,
            "substitutions": 2,
            "deletions": 1,
            "insertions": 2,
            "reference_words": 14,
        },
        "tone": None,
    }


def test_a_run_of_the_history_has_the_same_figures(results, tmp_path):
    location = history(tmp_path)
    record(location, results)
    with reading(location) as connection:
        (run,) = list_runs(connection)
        rows = case_rows(connection, run)
    found = summarize(rows).criteria["wer"].transcripts
    assert isinstance(found, Transcripts)
    assert found == transcripts(results)
