"""What a person names becomes two sides: runs, variants, baseline files."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from factories import result
from histories import history, record

from pytest_evals.errors import UsageError
from pytest_evals.model.case import ExperimentSpec
from pytest_evals.model.comparison import Change
from pytest_evals.model.run import SuiteCount
from pytest_evals.workflow.baseline import baseline_text, read_baseline, write_baseline
from pytest_evals.workflow.comparing import answers_before, baseline_side, compare_specs, sides
from pytest_evals.workflow.provenance import Provenance


def add(location, number, *results, experiment="default", branch="main", **fields):
    made = [replace(r, experiment=experiment) for r in results]
    runs = record(
        location,
        made,
        session_id=f"s{number}",
        started_at=f"2026-03-{number:02}T16:00:00Z",
        experiments={r.suite: ExperimentSpec(experiment) for r in made},
        provenance=Provenance(git_branch=branch),
        **fields,
    )
    return runs[0]


def case(case_id, outcome="passed", score=1.0, **fields):
    return result(outcome, case_id, score=score, **fields)


@pytest.fixture
def location(tmp_path):
    return history(tmp_path)


def test_two_runs_of_a_history_are_compared(location):
    first = add(location, 1, case("a"), case("b"))
    add(location, 2, case("a", "failed", 0.0), case("b"), case("c"))
    found = compare_specs(first.uid, "last", location)
    assert [(one.key[1], one.change) for one in found.cases] == [
        ("a", Change.BROKEN),
        ("b", Change.SAME),
        ("c", Change.NEW),
    ]
    assert found.before.label == f"{first.uid} (main, 2026-03-01 16:00)"
    assert found.after.label.startswith("last (")


def test_an_experiment_means_its_newest_run(location):
    add(location, 1, case("a"), experiment="prompts")
    newest = add(location, 2, case("a"), experiment="prompts")
    add(location, 3, case("a"), experiment="other")
    [side] = sides(["prompts"], location)
    assert newest.uid in side.label
    with pytest.raises(UsageError, match=r"there is no run 'promts'"):
        sides(["promts"], location)


def test_variants_of_one_run_are_compared_case_by_case(location):
    run = add(
        location,
        1,
        case("a", variant="small"),
        case("a", "failed", 0.0, variant="large"),
        case("b", variant="m1-small"),
        case("b", variant="m1-large"),
    )
    found = compare_specs(f"{run.uid}@small", f"{run.uid}@large", location)
    assert {one.key: one.change.value for one in found.cases} == {
        ("bot", "a", ""): "broken",
        ("bot", "b", "m1"): "same",
    }
    with pytest.raises(UsageError, match=r"has no variant 'smal'; did you mean 'small'\?"):
        compare_specs(f"{run.uid}@smal", "last", location)


def test_what_a_partial_run_lacks_is_left_out_and_what_a_whole_run_lacks_is_broken(location):
    first = add(location, 1, case("a"), case("b"))
    add(location, 2, case("a"), suites=[SuiteCount("bot", "evals/bot.eval.yaml", 2, 1)])
    partial = compare_specs(first.uid, "last", location)
    assert [one.change for one in partial.cases] == [Change.SAME, Change.LEFT_OUT]
    assert partial.after.incomplete == "1 of 2 cases were selected"
    add(location, 3, case("a"))
    assert compare_specs(first.uid, "last", location).regressions == 1
    assert compare_specs(first.uid, "last", location, allow_missing=True).regressions == 0


def test_a_name_that_holds_an_at_sign_is_a_name(location):
    add(location, 1, case("a"), run_name="v1@staging")
    [side] = sides(["v1@staging"], location)
    assert "variant" not in side.label


def test_without_a_history_there_is_no_run(tmp_path, location):
    with pytest.raises(UsageError, match=r"there is no history at .* to look for run 'last' in"):
        sides(["last"], location)


# -- the baseline of a session --------------------------------------------------------------------------------------


def baseline(spec, location, *, experiments=("default",), suites=("bot",), folder=None):
    return baseline_side(spec, location, experiments=experiments, suites=suites, folder=folder)


def test_the_last_run_is_the_newest_whole_one_of_the_experiment(location):
    whole = add(location, 1, case("a"), case("b"))
    add(location, 2, case("a"), suites=[SuiteCount("bot", "evals/bot.eval.yaml", 2, 1)])
    add(location, 3, case("a", "failed", 0.0), experiment="other")
    assert baseline("last", location).label.startswith(f"last ({whole.uid},")


def test_a_run_that_was_cut_off_is_no_baseline(location):
    whole = add(location, 1, case("a"))
    add(location, 2, case("a"), stopped="Ctrl-C", exit_status=2)
    assert whole.uid in baseline("last", location).label


def test_the_last_run_of_a_branch(location):
    main = add(location, 1, case("a"), branch="main")
    add(location, 2, case("a"), branch="feature")
    assert main.uid in baseline("last:main", location).label
    with pytest.raises(UsageError, match=r"there is no finished run of branch 'mian' of default yet"):
        baseline("last:mian", location)


def test_several_experiments_each_have_their_own(location):
    first = add(location, 1, case("a", suite="one"), experiment="x")
    second = add(location, 2, case("a", suite="two"), experiment="y")
    side = baseline("last", location, experiments=("x", "y"), suites=("one", "two"))
    assert {row.suite for row in side.rows} == {"one", "two"}
    assert side.runs == (first.uid, second.uid)


def test_suites_that_the_session_does_not_have_are_left_out(location):
    add(location, 1, case("a"), case("z", suite="elsewhere"))
    assert {row.suite for row in baseline("last", location).rows} == {"bot"}
    with pytest.raises(UsageError, match=r"has no case of these suites"):
        baseline("last", location, suites=("third",))


def test_what_a_case_answered_is_looked_up(location):
    add(location, 1, case("a", output="Thirty days."), case("b", output={"days": 30}))
    side = baseline("last", location)
    known = answers_before(side, location, [("bot", "a", ""), ("bot", "b", ""), ("bot", "zz", "")])
    assert known == {("bot", "a", ""): "Thirty days.", ("bot", "b", ""): '{"days": 30}'}


# -- baseline files -------------------------------------------------------------------------------------------------


def test_the_same_results_make_the_same_file_whatever_their_order(location, tmp_path):
    add(location, 1, case("b", score=2 / 3), case("a", "failed", 0.1), case("a[x]", variant="v"))
    [side] = sides(["last"], location)
    text = baseline_text(side.rows, side.definitions)
    assert text == baseline_text(reversed(side.rows), side.definitions)
    assert json.loads(text)["suites"]["bot"]["b"]["score"] == 0.667
    path = tmp_path / "deep" / "baseline.json"
    assert write_baseline(path, side.rows, side.definitions) is True
    assert write_baseline(path, side.rows, side.definitions) is False
    back = read_baseline(path, "baseline.json")
    assert {row.key for row in back.rows} == {row.key for row in side.rows}
    assert not list(path.parent.glob(".baseline*"))


def test_a_run_against_its_own_file_is_the_same(location, tmp_path):
    add(location, 1, *(case(f"c{n}", "failed" if n % 3 else "passed", n / 7) for n in range(8)))
    [side] = sides(["last"], location)
    path = tmp_path / "b.json"
    write_baseline(path, side.rows, side.definitions)
    found = compare_specs(str(path), "last", location)
    assert {one.change for one in found.cases} == {Change.SAME}
    assert not any(one.question_changed for one in found.cases)


def test_times_and_answers_are_not_in_the_file(location):
    add(location, 1, case("a", output="a secret answer", latency_ms=1234.5))
    [side] = sides(["last"], location)
    text = baseline_text(side.rows, side.definitions)
    assert "secret" not in text
    assert "1234" not in text
    assert "2026" not in text


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, r"there is no baseline file b.json; `pytest-evals bless -o b.json` writes one"),
        ("{", r"b.json: no baseline file: Expecting"),
        ("[]", r"b.json: no baseline file; `pytest-evals bless` writes them"),
        ('{"format": "pytest-evals baseline 2", "suites": {}}', r"b.json: no baseline file"),
        (
            '{"format": "pytest-evals baseline 1", "suites": {"s": {"a": {"outcome": "fine"}}}}',
            r"b.json: case 'a' of suite 's' has no known outcome; bless the run again",
        ),
        ('{"format": "pytest-evals baseline 1", "suites": {"s": {"a": 3}}}', r"case 'a' of suite 's'"),
        ("[" * 100_000, r"b.json: no baseline file"),
    ],
)
def test_a_file_that_is_no_baseline_is_one_line(tmp_path, content, says):
    path = tmp_path / "b.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError, match=says):
        read_baseline(path, "b.json")
