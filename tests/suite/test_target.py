"""The target of a suite, and the environment in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_evals.model.case import TargetSpec

from .conftest import only

CASES = "\ncases: [{id: a, input: q, criteria: [own]}]\n"


@pytest.mark.parametrize(
    ("written", "kind", "value"),
    [
        ("my_app.bot:answer", "callable", "my_app.bot:answer"),
        ("bot:answer", "callable", "bot:answer"),
        ("../bot.py:answer", "callable", "../bot.py:answer"),
        ("'my bots/größe.py:Bot.answer'", "callable", "my bots/größe.py:Bot.answer"),
        ("C:\\bots\\bot.py:answer", "callable", "C:\\bots\\bot.py:answer"),
        ("/abs/bot.py:answer", "callable", "/abs/bot.py:answer"),
        ("echo", "echo", ""),
        ("'echo'", "echo", ""),
        ("echo # as it is", "echo", ""),
        ("{fixture: bot}", "fixture", "bot"),
    ],
)
def test_forms_of_a_target(read, tmp_path, written, kind, value):
    target = read(f"target: {written}{CASES}").target
    assert target == TargetSpec(kind, value, tmp_path)
    assert str(target.place) == "a.eval.yaml:1:1"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "the suite names no target; write 'package.module:callable'"),
        ("~", "the suite names no target"),
        ("''", "target '' is none that is known"),
        (
            "bot",
            "target 'bot' is none that is known; write 'package.module:callable', 'file.py:callable', 'echo',",
        ),
        ("my_app.bot.answer", "target 'my_app.bot.answer' is none that is known"),
        ("my-app:answer", "is none that is known"),
        ("bot.py", "is none that is known"),
        ("'bot.py:'", "is none that is known"),
        ("http://localhost:8000", "is none that is known; for a server write {http: {url: http://…, body: {question:"),
        ("my_app:1answer", "is none that is known"),
        ("my_app:answer()", "is none that is known"),
        ("Echo", "is none that is known"),
        ("[echo]", "a target cannot be a list"),
        ("{}", "a target has one key, here are 0"),
        ("{fixture: bot, responses: a.json}", "a target has one key, here are 2"),
        ("{fixtures: bot}", "unknown kind of target 'fixtures'; did you mean 'fixture'?"),
        ("{https: {url: x}}", "unknown kind of target 'https'; did you mean 'http'?"),
        ("{grpc: {url: x}}", "unknown kind of target 'grpc'; there are fixture, responses, http, command"),
        ("{fixture: ~}", "fixture is blank; give the name of a fixture"),
        ("{fixture: a bot}", "'a bot' cannot be the name of a fixture"),
        ("{fixture: [bot]}", "fixture must be text, not a list"),
        ("{responses: ''}", "responses is blank; give the name of a file"),
        ("{responses: [a.json]}", "responses must be text, not a list"),
    ],
)
def test_what_is_no_target(read, written, said):
    problems = read.wrong(f"target: {written}{CASES}")
    assert said in only(problems)
    assert problems[0].startswith("1:")


def test_a_suite_without_target_is_refused_at_its_first_line(read):
    assert only(read.wrong("cases: [{id: a, input: q, criteria: [own]}]\n")).startswith(
        "1:1: the suite names no target"
    )


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["evals", "größe und maß", "a b/c'd"])
def test_P13_paths_start_at_the_suite_file(read, tmp_path, monkeypatch, folder):
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "recorded").mkdir()
    (tmp_path / folder / "answers.json").write_text('{"a": "x"}')
    (tmp_path / "recorded" / "ü b.csv").write_text("id,output\na,x\n", encoding="utf-8")
    up = "../" * len(Path(folder).parts)
    for cwd in (tmp_path, tmp_path / folder, Path("/")):
        monkeypatch.chdir(cwd)
        for written in ("answers.json", "./answers.json", f"{up}recorded/ü b.csv"):
            text = f"target: {{responses: '{written}'}}{CASES}"
            name = os.path.join(folder, "a.eval.yaml")  # noqa: PTH118
            target = read(text, name).target
            assert target == TargetSpec("responses", written, tmp_path / folder)
            assert (target.base / target.value).is_file()


def test_P13_the_base_is_absolute_when_the_path_is_not(tmp_path, monkeypatch):
    from pytest_evals.suite import read_suite

    monkeypatch.chdir(tmp_path)
    Path("a.eval.yaml").write_text(f"target: echo{CASES}")
    suite = read_suite(Path("a.eval.yaml"), specs={})
    assert suite.target.base == tmp_path
    assert suite.path == Path("a.eval.yaml")
    assert str(suite.cases[0].place) == "a.eval.yaml:2:9"


@pytest.mark.parametrize("written", ["gone.json", "../gone/answers.csv", "größe.jsonl", "."])
def test_P13_a_missing_file_is_named_with_the_path_that_was_tried(read, tmp_path, written):
    problem = only(read.wrong(f"target: {{responses: {written}}}{CASES}"))
    assert problem.startswith("1:10: there is no file ")
    assert os.path.normpath(tmp_path / written) in problem


@pytest.mark.parametrize("written", ["a\\0b.json", "x" * 5000, "a\\nb.json"])
def test_P13_a_name_that_no_file_can_have_is_a_missing_file(read, written):
    assert "there is no file" in only(read.wrong(f'target: {{responses: "{written}"}}{CASES}'))


# --- environment ------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name, value in {"EVALS_BOT": "my_app.bot", "EVALS_EMPTY": "", "EVALS_NESTED": "${EVALS_BOT}"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("EVALS_UNSET", raising=False)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("${EVALS_BOT}:answer", "my_app.bot:answer"),
        ("'${EVALS_BOT}:answer'", "my_app.bot:answer"),
        ("${EVALS_BOT:-other}:answer", "my_app.bot:answer"),
        ("${EVALS_UNSET:-other.bot}:answer", "other.bot:answer"),
        ("${EVALS_EMPTY:-other}:answer", "other:answer"),
        ("${EVALS_UNSET:-../bots/bot.py}:${EVALS_UNSET:-answer}", "../bots/bot.py:answer"),
        ("a${EVALS_EMPTY}:b", "a:b"),
    ],
)
def test_variables_of_the_environment_are_read_in_targets(read, written, value):
    assert read(f"target: {written}{CASES}").target.value == value


def test_variables_are_read_in_every_form_of_a_target(read, tmp_path):
    (tmp_path / "my_app.bot").write_text("{}")
    assert read(f"target: {{fixture: '${{EVALS_UNSET:-bot}}'}}{CASES}").target.value == "bot"
    assert read(f"target: {{responses: '${{EVALS_BOT}}'}}{CASES}").target.value == "my_app.bot"
    assert read(f"target: '${{EVALS_UNSET:-echo}}'{CASES}").target.kind == "echo"


@pytest.mark.parametrize(
    "written", ["${EVALS_UNSET}:answer", "{fixture: '${EVALS_UNSET}'}", "{responses: '${EVALS_UNSET}'}"]
)
def test_a_variable_that_is_not_set_is_named(read, written):
    problem = only(read.wrong(f"target: {written}{CASES}"))
    assert "the environment variable EVALS_UNSET is not set; set it, or write ${EVALS_UNSET:-default}" in problem


def test_what_is_inserted_is_not_looked_at_again(read):
    assert "target '${EVALS_BOT}:answer' is none" in only(read.wrong(f"target: ${{EVALS_NESTED}}:answer{CASES}"))


@pytest.mark.parametrize("written", ["${}:a", "${1A}:a", "${A:=b}:a", "'${A'", "${ EVALS_BOT }:a", "${größe}:a"])
def test_what_is_no_variable_is_refused(read, written):
    problems = read.wrong(f"target: {written}{CASES}")
    assert "a '${' that is not understood; write ${NAME} or ${NAME:-default}" in only(problems)


def test_a_dollar_elsewhere_stays_as_it_is(read):
    case = read.case("input: It costs $5, $$ and ${EVALS_BOT}\ncontext: ${EVALS_UNSET}")
    assert (case.input, case.context) == ("It costs $5, $$ and ${EVALS_BOT}", "${EVALS_UNSET}")
