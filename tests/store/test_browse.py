"""Looking through the results of a run: narrowed, sorted, a page at a time; and what people say of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from factories import criterion, error, result
from histories import record

from pytest_evals.errors import UsageError
from pytest_evals.store.browse import (
    SORTS,
    CaseFilter,
    case_page,
    count_cases,
    count_results,
    facets,
    find_result,
    listed_cases,
    neighbours,
)
from pytest_evals.store.connect import reading, writing
from pytest_evals.store.flaky import unsteady_cases
from pytest_evals.store.judges import with_judges
from pytest_evals.store.people import add_verdict, labels, standing_verdicts, undo_verdict, verdicts_of_result
from pytest_evals.store.results import case_rows
from pytest_evals.store.runs import last_written, list_runs, run_by_number

MADE = [
    result("passed", "refund", score=1.0, cost_usd=0.5, latency_ms=20.0, tags=("smoke", "größe"), category="money",
           criteria=(criterion(score=1.0),), output="Within 30 days.", variant="small", variant_id="small"),
    result("failed", "repeat", score=0.25, latency_ms=5.0, tags=("SMOKE",), name="Said 100% “wrong”",
           criteria=(criterion("tone", 0.25, 0.7), criterion("length", 1.0)), output="Soon_ish.",
           input={"question": "größe “x”"}, variant="large", variant_id="large"),
    result("errored", "broken", error=error(), tags=("a\"b", "smok"), category="money",
           criteria=(criterion("tone", None, 0.7, error=error("judge", "unreadable")),)),
    result("failed", "other", suite="mugs", score=0.5, latency_ms=10.0, criteria=(criterion("tone", 0.5, 0.7),),
           output="nul \0, lone \ud800"),
    result("skipped", "later", suite="mugs", skip_reason="not now"),
]  # fmt: skip


@pytest.fixture
def run(location):
    (stored,) = record(location, MADE)
    return stored


def found(location, run, sort="file", offset=0, limit=100, **fields):
    """The ids of the cases on a page; how many there are in all, when that is another number."""
    with reading(location) as connection:
        total, page = case_page(connection, run, CaseFilter(**fields), sort=sort, offset=offset, limit=limit)
    ids = " ".join(one.case_id for one in page)
    return ids if total == len(page) else (ids, total)


def test_results_are_narrowed_by_everything_that_is_stated(location, run):
    def shown(**fields):
        return found(location, run, **fields)

    assert shown() == "refund repeat broken other later"
    assert shown(outcomes=frozenset({"failed", "errored"})) == "repeat broken other"
    assert shown(suite="mugs") == "other later"
    assert shown(category="money") == "refund broken"
    assert shown(variant="large") == "repeat"
    assert shown(criterion="tone") == "repeat broken other"
    assert shown(criterion="length") == ""
    assert shown(criterion="tone", suite="bot", outcomes=frozenset({"failed"})) == "repeat"
    assert shown(flaky=True) == ""


def test_a_tag_is_meant_as_a_whole_and_as_it_is_written(location, run):
    tags = {
        "smoke": "refund",
        "SMOKE": "repeat",
        "smok": "broken",
        "größe": "refund",
        'a"b': "broken",
        "b": "",
        ",": "",
        "%": "",
    }
    assert {tag: found(location, run, tag=tag) for tag in tags} == tags


def test_a_text_is_looked_for_in_what_people_read(location, run):
    texts = {
        "REFUND": "refund",  # the id
        "100% “": "repeat",  # the title
        "tone 0.25": "repeat",  # the headline
        "größe “x”": "repeat",  # the input
        "within 30": "refund",  # the answer
        "on_ish": "repeat",
        "n%ish": "",  # no wildcards
        "%": "repeat",
        "_": "repeat",
        "nul \0, lone \ud800": "other",
        "unheard of": "",
    }
    assert {text: found(location, run, text=text) for text in texts} == texts


@pytest.mark.parametrize("field", ["suite", "tag", "category", "variant", "criterion", "text"])
def test_what_no_database_takes_finds_nothing(location, run, field):
    assert found(location, run, **{field: "no \0, no \udfff"}) == ""


def test_results_are_sorted_and_unknown_values_come_last(location, run):
    orders = {sort: found(location, run, sort=sort) for sort in ("score", "-score", "latency", "-cost", "-file")}
    assert orders == {
        "score": "repeat other refund broken later",
        "-score": "refund other repeat broken later",
        "latency": "repeat other refund broken later",
        "-cost": "refund repeat broken other later",
        "-file": "later other broken repeat refund",
    }
    for sort in SORTS:
        assert len(str(found(location, run, sort=sort)).split()) == 5
    with pytest.raises(KeyError):
        found(location, run, sort="name")


def test_a_page_is_a_part_of_what_is_meant(location, run):
    assert found(location, run, offset=1, limit=2) == ("repeat broken", 5)
    assert found(location, run, offset=9) == ("", 5)
    among = {("bot", "repeat", "large"), ("mugs", "other", ""), ("bot", "refund", "large"), ("bot", "broken", "")}
    assert found(location, run, among=among) == "repeat broken other"
    assert found(location, run, among=among, sort="-score", limit=2) == ("other repeat", 3)
    assert found(location, run, among=among, sort="-score", limit=2, offset=2) == ("broken", 3)
    assert found(location, run, among=[]) == ""


def test_more_cases_than_a_statement_has_parameters_can_be_meant(location):
    many = [result("passed", f"case-{n}") for n in range(20)]
    (run,) = record(location, many)
    among = {("bot", f"case-{n}", "") for n in range(100_000)}
    assert found(location, run, among=among, offset=18) == ("case-18 case-19", 20)


def test_a_result_is_listed_and_found_with_what_it_is(location, run):
    with reading(location) as connection:
        listed = listed_cases(connection, run)
        first, *_, last = listed
        assert (first.key, first.title, first.tags, first.outcome, first.status, first.verdict) == (
            ("bot", "refund", "small"), "", ("smoke", "größe"), "passed", "passed", "pass",
        )  # fmt: skip
        assert (first.core_status, first.flaky, first.latency_ms, first.attempts) == ("completed", False, 20.0, 0)
        assert (last.outcome, last.status, last.core_status, last.verdict) == ("skipped", None, "cancelled", None)
        assert first.plain()["case_id"] == "refund"
        stored, again, whole = find_result(connection, listed[1].id)
        assert (stored, again) == (run, listed[1])
        assert whole.input == {"question": "größe “x”"}
        assert whole.trials[0].output == "Soon_ish."
        assert find_result(connection, 10**6) is None
        assert neighbours(connection, run, first.id) == (None, listed[1].id)
        assert neighbours(connection, run, listed[1].id) == (first.id, listed[2].id)
        assert neighbours(connection, run, last.id) == (listed[-2].id, None)
        assert run_by_number(connection, run.id) == run
        assert run_by_number(connection, 99) is None


def test_what_a_run_can_be_narrowed_by_is_counted(location, run):
    with reading(location) as connection:
        assert facets(connection, run).plain() == {
            "outcomes": {"passed": 1, "failed": 2, "errored": 1, "skipped": 1},
            "suites": {"bot": 3, "mugs": 2},
            "tags": {"smoke": 1, "größe": 1, "SMOKE": 1, 'a"b': 1, "smok": 1},
            "categories": {"money": 2},
            "variants": {"small": 1, "large": 1},
            "criteria": {"tone": 3},
            "error_kinds": {"target": 1},
            "flaky": 0,
        }
        assert count_results(connection) == {"passed": 1, "failed": 2, "error": 1, "judged": 0, "skipped": 1}
        assert count_cases(connection) == 5


def test_an_empty_history_counts_nothing(location):
    record(location, [result("passed")])
    with writing(location) as connection:
        connection.exec_driver_sql("DELETE FROM experiments")
    with reading(location) as connection:
        assert set(count_results(connection).values()) == {0}
        assert (count_cases(connection), last_written(connection)[0]) == (0, 0)


def test_cases_that_pass_and_fail_in_turn_are_unsteady(location):
    stable = replace(result("passed", "stable"), definition_sha256="a" * 64)
    for n, outcome in enumerate(("passed", "failed", "passed"), 1):
        shaky = replace(result(outcome, "shaky"), definition_sha256="b" * 64)
        record(location, [stable, shaky], session_id=f"s{n}", started_at=f"2026-03-0{n}T16:00:00Z")
    with reading(location) as connection:
        newest = list_runs(connection)[0]
        assert unsteady_cases(connection, newest, 3) == {("bot", "shaky", "")}
        assert unsteady_cases(connection, newest, 1) == set()


def test_the_judges_of_a_run_are_read_on_their_own(location, run):
    with reading(location) as connection:
        rows = case_rows(connection, run)
        marks = {c.name: c.mark for row in with_judges(connection, run, rows) for c in row.criteria}
    assert set(marks) == {"contains", "tone", "length"}


def test_what_people_say_of_results_is_kept_beside_them_and_can_be_taken_back(location, run):
    with reading(location) as connection:
        numbers = {one.case_id: one.id for one in listed_cases(connection, run)}
        before = last_written(connection)
    with writing(location) as connection:
        first = add_verdict(connection, numbers["repeat"], verdict="pass", author="ann", note=" größe \0 ")
        add_verdict(connection, numbers["repeat"], verdict="fail", author="bob", criterion="tone")
        add_verdict(connection, numbers["other"], verdict=None, author="ann", note="look again")
        second = add_verdict(connection, numbers["repeat"], verdict="fail", author="bob")
    assert first.note == "größe \\x00"
    with reading(location) as connection:
        assert last_written(connection) != before
        assert standing_verdicts(connection, run) == {numbers["repeat"]: "fail"}
        said = {(label.case, label.criterion): (label.verdict, label.automatic) for label in labels(connection, run)}
        assert said == {("repeat", "tone"): ("fail", "failed"), ("repeat", ""): ("fail", "failed")}
        assert [v.author for v in verdicts_of_result(connection, numbers["repeat"])] == ["bob", "bob", "ann"]
    with writing(location) as connection:
        assert undo_verdict(connection, second.id).undone_at is not None
    with reading(location) as connection:
        assert standing_verdicts(connection, run) == {numbers["repeat"]: "pass"}
    with writing(location) as connection:
        assert undo_verdict(connection, second.id, undone=False).undone_at is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"verdict": "maybe"}, "a verdict is pass or fail"),
        ({"verdict": None}, "say pass or fail, or write a note"),
        ({"author": " "}, "needs the name"),
        ({"criterion": "length \0"}, "has no criterion"),
        ({"note": "x" * 10_001}, "at most 10,000 characters"),
        ({"result": 10**6}, "there is no result"),
    ],
)
def test_a_verdict_that_cannot_be_kept_is_refused_with_the_reason(location, run, fields, said):
    fields = {"result": 1, "verdict": "pass", "author": "ann", **fields}
    with writing(location) as connection, pytest.raises(UsageError, match=said):
        add_verdict(connection, fields.pop("result"), **fields)
