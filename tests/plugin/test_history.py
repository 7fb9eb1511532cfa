"""What a session leaves in the history, as a user of pytest meets it."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from histories import query
from projects import Project

from pytest_evals.store.location import locate
from pytest_evals.store.rows import key_text

BOT = """
from pytest_evals import Response, Usage

def answer(question):
    if question == "crash":
        raise ValueError("no")
    return Response(question, Usage(len(question), 1), cost_usd=0.01)
"""

SUPPORT = """
suite: support
experiment: {name: support, description: The bot, config: {k: 3}}
target: bot.py:answer
defaults: {retries: 0, criteria: [contains]}
gates: ['pass_rate(tag=smoke) >= 100%', 'errors <= 5']
cases:
  - {id: good, input: hello, expected_output: hello, tags: [smoke], category: easy, metadata: {ticket: 1}}
  - {id: bad, input: hello, expected_output: bye}
  - {id: broken, input: crash, expected_output: x}
  - {id: later, input: hello, expected_output: hello, skip: not yet}
  - id: graded
    input: hello
    expected_output: hallo
    criteria: [levenshtein]
    inherit_criteria: false
    threshold: unset
"""

OTHER = """
suite: other
target: echo
cases:
  - {id: one, input: hello, expected_output: hello, criteria: [contains]}
"""

CHECKS = """
def test_it(evals):
    evals.check("Two weeks.", expected="weeks", criteria=["contains"], name="first")
    evals.check("Two weeks.", scores={"short": 1.0}, name="second")
    evals.record("A long answer", scores={"brevity": 0.25}, name="third")

def test_nothing(): pass
"""

FILES = {"bot.py": BOT, "support.eval.yaml": SUPPORT, "other.eval.yaml": OTHER, "test_checks.py": CHECKS}

RUNS = "SELECT {} FROM v_runs LEFT JOIN experiments e ON e.id = v_runs.experiment_id ORDER BY e.name, v_runs.type"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch):
    for name in ("HISTORY", "NO_HISTORY", "EXPERIMENT", "EXPERIMENT_DESC", "RUN_NAME"):
        monkeypatch.delenv(f"PYTEST_EVALS_{name}", raising=False)


def kept(ran, columns, where=".evals/history.db"):
    return query(locate(where, ran.path), RUNS.format(columns))


def cli(ran, *args):
    """What ``pytest-evals history`` prints there."""
    from pytest_evals.cli import main

    done = CliRunner().invoke(main, ["history", *args, "--history", str(ran.path / ".evals/history.db")])
    assert done.exit_code == 0, done.output
    return done.stdout


# -- the runs of a session --------------------------------------------------------------------------------------------


def test_a_session_leaves_one_run_for_each_experiment_and_type(project):
    ran = project(FILES)
    assert ran.status == 1
    assert kept(
        ran, "e.name, v_runs.type, status, total_cases, passed_cases, failed_cases, error_cases, judged_cases"
    ) == [
        ("default", "checked", "passed", 3, 3, 0, 0, 0),
        ("default", "judged", "completed", 1, 0, 0, 0, 1),
        ("support", "checked", "failed", 3, 1, 1, 1, 0),
        ("support", "judged", "completed", 1, 0, 0, 0, 1),
    ]
    assert {len(set(column)) for column in zip(*kept(ran, "session_id, started_at, exit_status"), strict=True)} == {1}
    assert {status for (status,) in kept(ran, "exit_status")} == {1}
    assert query(
        locate(None, ran.path), "SELECT type, description, config FROM experiments WHERE name = 'support'"
    ) == [
        ("checked", "The bot", '{"k":3}'),
        ("judged", "The bot", '{"k":3}'),
    ]
    assert kept(ran, "e.name, skipped_cases, defined_cases, selected_cases, unpriced_cases, round(cost_usd, 9)") == [
        ("default", 0, 1, 1, 3, None),
        ("default", 0, 1, 1, 1, None),
        ("support", 1, 5, 5, 1, 0.02),
        ("support", 0, 5, 5, 0, 0.01),
    ]
    assert sorted(p.name for p in (ran.path / ".evals").iterdir()) == [".gitignore", "history.db"]
    assert (ran.path / ".evals/.gitignore").read_text().splitlines()[-1] == "*"


def test_the_section_ends_with_experiment_run_status_and_cost(project):
    ran = project(FILES, "-q")
    runs = kept(ran, "e.name, uid, status")
    section = ran.out.partition(" evaluation ")[2].splitlines()
    lines = [line.strip() for line in section if line.strip().startswith("experiment ")]
    cost = {("support", "failed"): "$0.02", ("support", "completed"): "$0.01"}
    assert sorted(lines) == sorted(
        f"experiment {name}, run {uid}: {status}, cost {cost.get((name, status), '–')}" for name, uid, status in runs
    )
    last = max(n for n, line in enumerate(section) if line.strip().startswith("experiment "))
    rest = [line for line in section[last + 1 :] if line.strip()]
    assert rest[0].startswith("=") or "failed" in rest[0]


def test_gates_stand_with_the_runs_of_their_suite(project):
    ran = project(FILES)
    gates = {name: json.loads(found) for name, found in kept(ran, "e.name, gates")}
    assert gates["default"] == []
    assert [(g["gate"], g["verdict"], g["observed"]) for g in gates["support"]] == [
        ("pass_rate(tag=smoke) >= 100%", "held", 1.0),
        ("errors <= 5", "held", 1.0),
    ]


def test_checks_of_ordinary_tests_land_in_the_history(project):
    ran = project(FILES)
    cases = (
        "SELECT type, eval, case_name, status, score, node_id FROM case_runs WHERE eval = 'test_checks.py' "
        "ORDER BY type, seq"
    )
    node = "test_checks.py::test_it"
    assert query(locate(None, ran.path), cases) == [
        ("checked", "test_checks.py", "test_it/first", "passed", 1.0, node),
        ("checked", "test_checks.py", "test_it/second", "passed", 1.0, node),
        ("judged", "test_checks.py", "test_it/third", "judged", 0.25, node),
    ]


def test_workers_leave_the_rows_that_one_process_leaves(pytester):
    def everything(args):
        ran = Project(pytester, args)(FILES, f"--evals-history=h{len(args)}.db")
        location = locate(f"h{len(args)}.db", ran.path)
        runs = kept(
            ran,
            "e.name, v_runs.type, status, v_runs.name, defined_cases, selected_cases, total_cases, passed_cases, "
            "failed_cases, missed_cases, error_cases, skipped_cases, pass_rate, score, cost_usd, unpriced_cases, "
            "gates, stopped",
            f"h{len(args)}.db",
        )
        cases = query(
            location,
            "SELECT e.name, r.type, c.seq, c.eval, c.case_name, c.variant, c.outcome, c.status, c.score, c.error_kind, "
            "c.error, c.headline, c.definition_sha256, c.input, c.category, c.tags, c.metadata, c.skip_reason, "
            "c.gated, c.node_id, c.source, c.target, c.cost_usd, c.input_tokens, c.attempts, m.answer "
            "FROM case_runs c JOIN experiment_runs r ON r.id = c.run_id JOIN experiments e ON e.id = r.experiment_id "
            "LEFT JOIN checked_case_meta m ON m.case_run_id = c.id ORDER BY e.name, r.type, c.seq",
        )
        scores = query(
            location,
            "SELECT c.eval, c.case_name, s.seq, s.name, s.scorer, s.score, s.passed, s.weight, s.threshold, s.reason "
            "FROM case_scores s JOIN case_runs c ON c.id = s.case_run_id ORDER BY c.eval, c.case_name, s.seq",
        )
        return runs, cases, scores

    alone = everything([])
    assert len(alone[1]) == 9
    assert everything(["-n2"]) == alone


def test_figures_of_the_history_are_those_of_the_report(project):
    ran = project(FILES)
    (rate,) = {
        rate
        for name, kind, rate in kept(ran, "e.name, v_runs.type, pass_rate")
        if (name, kind) == ("support", "checked")
    }
    (suite,) = (s for s in ran.report["summary"]["by_suite"] if s["name"] == "support")
    assert rate == suite["pass_rate"]
    (session,) = {session for (session,) in kept(ran, "session_id")}
    assert session == ran.report["session_id"]


def test_numbers_defined_and_selected_are_told_apart(project):
    ran = project(FILES, "-k", "good or bad")
    assert kept(ran, "e.name, v_runs.type, status, defined_cases, selected_cases, total_cases, n_cancelled") == [
        ("support", "checked", "failed", 5, 2, 2, 0)
    ]
    assert "selected     2 of 5 cases" in cli(ran, "show", "last")


def test_a_case_that_passes_again_and_one_of_which_the_definition_changed(project):
    ran = project(FILES)
    changed = SUPPORT.replace(
        "{id: bad, input: hello, expected_output: bye}", "{id: bad, input: hello, expected_output: ell}"
    )
    project.write({"support.eval.yaml": changed.replace("tags: [smoke]", "tags: [smoke, new]")}).run()
    hashes = query(
        locate(None, ran.path),
        "SELECT case_name, count(DISTINCT definition_sha256) FROM case_runs WHERE eval = 'support' "
        "GROUP BY 1 ORDER BY 1",
    )
    assert hashes == [("bad", 2), ("broken", 1), ("good", 1), ("graded", 1), ("later", 1)]
    story = cli(ran, "case", "support::bad")
    assert "oldest → newest: ✗✓" in story
    assert [("the case was changed" in line) for line in story.splitlines()[-2:]] == [True, False]
    assert "changed" not in cli(ran, "case", "support::good")


def test_a_rerun_leaves_its_last_result(project):
    flaky = "import itertools\ncounter = itertools.count()\ndef answer(q): return 'ok' if next(counter) else 'no'\n"
    suite = "target: flaky.py:answer\ncases: [{id: a, input: x, expected_output: ok, criteria: [contains]}]\n"
    ran = project({"flaky.py": flaky, "a.eval.yaml": suite}, "--reruns=1", "-p", "no:asyncio", plugins=True)
    assert ran.status == 0
    assert query(locate(None, ran.path), "SELECT case_name, repeat_index, outcome FROM case_runs") == [
        ("a", 0, "passed")
    ]


def test_C05_the_newest_session_is_the_one_that_began_last_whatever_the_zone(project, monkeypatch):
    project.write({"other.eval.yaml": OTHER})
    names = ["run-9", "run-10", "run-1"]
    for name, zone in zip(names, ("Asia/Tokyo", "America/New_York", "UTC"), strict=True):
        monkeypatch.setenv("TZ", zone)
        ran = project.run(f"--evals-run-name={name}", subprocess=True)
        assert ran.status == 0, ran.out
    assert [line.split()[-1] for line in cli(ran).splitlines()[1:]] == names[::-1]
    assert cli(ran, "show", "last").splitlines()[1].split() == ["name", "run-1"]
    started = [run["started_at"] for run in json.loads(cli(ran, "--json"))["runs"]]
    assert started == sorted(started, reverse=True)
    assert all(time.endswith("+00:00") for time in started)


# -- where it comes from ----------------------------------------------------------------------------------------------


def test_a_run_knows_how_it_was_made_and_no_secret(project, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "sk-very-secret-1234567890")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    for name, value in (
        ("SERVER_URL", "https://host"),
        ("REPOSITORY", "me/app"),
        ("RUN_ID", "7"),
        ("REF_NAME", "main"),
    ):
        monkeypatch.setenv(f"GITHUB_{name}", value)
    ran = project(FILES, "--evals-experiment-desc=sk-very-secret-1234567890", "--evals-retries=0")
    (params, provider, url, branch), *_ = kept(ran, "params, ci_provider, ci_url, git_branch")
    assert (provider, url, branch) == ("github", "https://host/me/app/actions/runs/7", "main")
    said = json.loads(params)
    assert said["command"][0] == "pytest"
    assert "--evals-retries=0" in said["command"]
    assert said["settings"]["retries"] == 0
    assert {"python", "pytest", "pytest-evals-suite"} <= set(said["versions"])
    assert "very-secret" not in params


# -- options ----------------------------------------------------------------------------------------------------------

SETTINGS = {"experiment": "night", "experiment_desc": "Every night", "run_name": "night 7"}


@pytest.mark.parametrize("spelling", ["option", "variable", "ini"])
def test_experiment_description_and_name_are_said_in_three_ways(project, monkeypatch, spelling):
    args = []
    if spelling == "option":
        args = [f"--evals-{name.replace('_', '-')}={value}" for name, value in SETTINGS.items()]
    elif spelling == "variable":
        for name, value in SETTINGS.items():
            monkeypatch.setenv(f"PYTEST_EVALS_{name.upper()}", value)
    else:
        keys = "".join(f"evals_{name} = {value}\n" for name, value in SETTINGS.items())
        project.write({"pytest.ini": f"[pytest]\n{keys}"})
    ran = project(FILES, *args)
    # what a suite says itself wins over an ini file
    stated = [("support", "The bot", "night 7")] * 2 if spelling == "ini" else []
    assert kept(ran, "e.name, e.description, v_runs.name") == [("night", "Every night", "night 7")] * 2 + stated
    assert re.search(r"experiment night, run \w{12} \(night 7\): \w+, cost ", ran.out)
    assert cli(ran, "show", "night 7").startswith("run ")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--evals-run-name=last"], "--evals-run-name: a run cannot be named 'last': that means the newest run"),
        (["--evals-run-name=last:main"], "--evals-run-name: a run cannot be named 'last:main'"),
        (["--evals-run-name=a\nb"], "--evals-run-name: a run's name is one line of printable characters"),
        (["--evals-experiment= "], "--evals-experiment: an experiment needs a name that is not blank"),
        (["--evals-history=sqlite://"], "the history needs a file"),
        (["--evals-history=."], "the history is a file, and this is a folder"),
    ],
)
def test_a_setting_that_cannot_be_is_a_usage_error_before_anything_runs(alone, args, message):
    ran = alone(FILES, *args)
    assert ran.status == 4
    assert message in ran.out
    assert not (ran.path / ".evals").exists()


@pytest.mark.parametrize("spelling", ["option", "variable", "ini", "url"])
def test_the_history_may_lie_elsewhere(project, monkeypatch, spelling):
    args = []
    if spelling == "option":
        args = ["--evals-history=runs/h.db"]
    elif spelling == "variable":
        monkeypatch.setenv("PYTEST_EVALS_HISTORY", "runs/h.db")
    elif spelling == "url":
        args = [f"--evals-history=sqlite:///{project.pytester.path}/runs/h.db"]
    else:
        project.write({"pytest.ini": "[pytest]\nevals_history = runs/h.db\n"})
    ran = project(FILES, *args)
    assert len(kept(ran, "uid", "runs/h.db")) == 4
    assert not (ran.path / ".evals").exists()
    assert sorted(p.name for p in (ran.path / "runs").iterdir()) == ["h.db"]


def test_a_relative_history_starts_at_the_rootdir(alone, monkeypatch):
    project = alone.write({"evals/a.eval.yaml": OTHER, "pytest.ini": "[pytest]\n"})
    monkeypatch.chdir(project.pytester.path / "evals")
    ran = project.run("--evals-history=runs/h.db")
    assert len(kept(ran, "uid", "runs/h.db")) == 1


@pytest.mark.parametrize("spelling", ["option", "variable", "ini"])
def test_no_history_keeps_nothing_and_says_nothing(project, monkeypatch, spelling):
    args = ["--evals-no-history"] if spelling == "option" else []
    if spelling == "variable":
        monkeypatch.setenv("PYTEST_EVALS_NO_HISTORY", "1")
    if spelling == "ini":
        project.write({"pytest.ini": "[pytest]\nevals_no_history = true\n"})
    ran = project(FILES, *args)
    assert len(ran.outcomes) == 9  # the report is written all the same
    assert not (ran.path / ".evals").exists()
    assert "experiment " not in ran.out


def test_a_history_that_is_asked_for_on_the_command_line_wins_over_one_in_the_environment(alone, monkeypatch):
    monkeypatch.setenv("PYTEST_EVALS_HISTORY", "env.db")
    ran = alone(FILES, "--evals-history=flag.db")
    assert len(kept(ran, "uid", "flag.db")) == 4
    assert not (ran.path / "env.db").exists()


# -- what applications say --------------------------------------------------------------------------------------------

ODD = """
from pytest_evals import Response, ToolCall, Usage
import math

ANSWERS = {
    "cost": lambda: Response("ok", cost_usd=-1.0),
    "nan": lambda: Response("ok", cost_usd=math.nan, metadata={"n": math.nan, 3: {1, 2}}),
    "inf": lambda: Response("ok", cost_usd=math.inf, latency_ms=math.inf),
    "late": lambda: Response("ok", latency_ms=-5.0),
    "tokens": lambda: Response("ok", Usage(-5, 3, 9)),
    "cached": lambda: Response("ok", Usage(3, 3, 9)),
    "fraction": lambda: Response("ok", Usage(3.5, 2.0)),
    "words": lambda: Response("ok", cost_usd="cheap"),
    "huge": lambda: Response("ok", Usage(10**30, 1), cost_usd=10**400),
    "bytes": lambda: Response(b"ok \\xff"),
    "surrogate": lambda: Response("ok \\ud800 \\x00 end"),
    "deep": lambda: Response({"ok": [[[{"a": object()}]]]}),
    "tools": lambda: Response("ok", tool_calls=[ToolCall("t", {"x": math.nan})]),
    "none": lambda: None,
    "long": lambda: "ok " * 300_000,
}

def answer(question):
    return ANSWERS[question]()
"""


def test_whatever_an_application_says_the_run_is_kept_and_the_session_ends_well(project):
    names = re.findall(r'^    "(\w+)": lambda', ODD, re.MULTILINE)
    cases = "".join(f"  - {{id: {name}, input: {name}, expected_output: ok, criteria: [contains]}}\n" for name in names)
    ran = project({"bot.py": ODD, "odd.eval.yaml": f"target: bot.py:answer\ndefaults: {{retries: 0}}\ncases:\n{cases}"})
    assert "INTERNALERROR" not in ran.out
    assert {name for name, outcome in ran.outcomes.items() if outcome != "passed"} == {"fraction", "words", "none"}
    assert "the target's cost_usd is 'cheap' (str); it must be a number, or None" in ran.out
    stored = query(locate(None, ran.path), "SELECT case_name, outcome FROM case_runs ORDER BY seq")
    assert dict(stored) == ran.outcomes
    assert [name for name, _ in stored] == names


def test_names_of_every_script_and_length_are_kept(project):
    odd = ["größe 🙂", "日本語", "a::b", "a[b]", "x" * 5000, 'it\'s "quoted"', "  space  ", "\u202eright to left"]
    cases = [
        {"id": f"{number}{name}", "input": name, "expected_output": name, "criteria": ["contains"], "category": name}
        for number, name in enumerate(odd)
    ]
    suite = {"suite": odd[0], "experiment": odd[1], "target": "echo", "cases": cases}
    ran = project({"odd.eval.json": json.dumps(suite)}, "--evals-run-name=größe 🙂")
    assert ran.status == 0, ran.out
    assert kept(ran, "e.name, v_runs.name") == [("日本語", "größe 🙂")]
    assert [name for (name,) in query(locate(None, ran.path), "SELECT case_name FROM case_runs ORDER BY seq")] == [
        key_text(case["id"]) for case in cases
    ]


# -- nothing to keep --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (["--collect-only"], 0),
        (["--setup-plan"], 0),
        (["--setup-only"], 0),
        (["--evals-dry-run"], 0),
        (["--evals-explain=good"], 0),
        (["-k", "nothing_like_it"], 5),
        (["--evals-thresold=1"], 4),
        (["--evals-timeout=soon"], 4),
        (["test_checks.py::test_nothing"], 0),
        (["support.eval.yaml::later"], 75),
        (["--markers"], 0),
    ],
)
def test_nothing_is_made_when_nothing_ran(project, args, status):
    ran = project(FILES, "-p", "no:cacheprovider", *args, report=False)
    assert ran.status == status, ran.out
    assert "experiment support" not in ran.out
    assert not (ran.path / ".evals").exists()


def test_nothing_is_made_when_the_named_file_does_not_exist(project):
    ran = project(FILES, "no_such_file.eval.yaml", report=False)
    assert ran.status == (5 if "-n2" in project.args else 4)  # xdist's own
    assert not (ran.path / ".evals").exists()


def test_nothing_is_made_when_a_suite_cannot_be_read(project):
    ran = project({**FILES, "z.eval.yaml": "target: echo\ncases: [{input: x}]\n"})
    assert ran.status == 2
    assert not (ran.path / ".evals").exists()


def test_nothing_is_made_when_no_suite_is_there(project):
    ran = project({"test_a.py": "def test_a(): pass\n"})
    assert ran.status == 0
    assert not (ran.path / ".evals").exists()


def test_skipped_cases_are_kept_beside_executed_ones(project):
    ran = project(FILES, "support.eval.yaml::later", "support.eval.yaml::good")
    assert kept(ran, "status, total_cases, skipped_cases, selected_cases") == [("passed", 1, 1, 2)]
    assert query(
        locate(None, ran.path), "SELECT case_name, outcome, status, skip_reason FROM case_runs ORDER BY seq"
    ) == [
        ("good", "passed", "passed", None),
        ("later", "skipped", None, "not yet"),
    ]
