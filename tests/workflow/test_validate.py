"""Suites checked without running anything of the project."""

from __future__ import annotations

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.workflow.validate import validate

SUITE = "target: {target}\ncases:\n- {{id: a, input: x, criteria: [{criterion}]}}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("PYTEST_EVALS_THRESHOLD", "PYTEST_EVALS_FILES"):
        monkeypatch.delenv(name, raising=False)

    def write(**files: str):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


def suite(target: str = "echo", criterion: str = "own") -> str:
    return SUITE.format(target=target, criterion=criterion)


def messages(path) -> list[str]:
    return [str(problem) for each in validate([path]) for problem in each.problems]


def test_a_right_suite_has_no_mistake(folder):
    path = folder(**{"evals__a.eval.yaml": suite(criterion="{contains: x}")})
    (checked,) = validate([path])
    assert (checked.path, checked.suite, checked.cases) == ("evals/a.eval.yaml", "a", 1)
    assert (checked.problems, checked.unchecked) == ((), ())


def test_nothing_of_the_project_is_imported(folder, tmp_path):
    files = {
        "bot.py": "raise SystemExit('imported')\ndef answer(q): ...",
        "conftest.py": "raise SystemExit('imported')",
        "checks.py": "raise SystemExit('imported')\ngood = 1",
        "a.eval.yaml": suite("bot.py:answer", "{python: 'checks.py:good'}"),
        "b.eval.yaml": suite("bot:answer", "own, {python: 'checks:good'}"),
        "c.eval.yaml": suite("{fixture: bot}", "contains: x"),
    }
    checked = {each.suite: each for each in validate([folder(**files)])}
    assert [each.problems for each in checked.values()] == [(), (), ()]
    assert checked["a"].unchecked == ()
    assert checked["b"].unchecked == ("target bot:answer", "scorer own: a fixture own_scorer", "function checks:good")
    assert checked["c"].unchecked == ("target fixture bot",)


@pytest.mark.parametrize(
    ("target", "criterion", "message"),
    [
        ("bot.py:answr", "own", "target 'bot.py:answr': bot.py has no 'answr'; did you mean 'answer'?"),
        ("nowhere.py:answer", "own", "target 'nowhere.py:answer': there is no file "),
        ("echo", "{python: 'bot.py:answr'}", "criterion 'python: bot.py:answr': bot.py has no 'answr'; did you mean 'answer'?"),
        ("echo", "contians", "unknown criterion 'contians'; did you mean 'contains'?"),
        ("{responses: answers.jsonl}", "own", "answers.jsonl:1:1: "),
        ("{model: nobody/x}", "own", "nobody"),
    ],
)  # fmt: skip
def test_mistakes_around_a_suite_are_told(folder, target, criterion, message):
    path = folder(
        **{
            "a.eval.yaml": suite(target, criterion),
            "bot.py": "def answer(question): ...",
            "answers.jsonl": "{}",
        }
    )
    (found,) = messages(path)
    assert message in found


@pytest.mark.parametrize(
    "source",
    ["from x import *", "if 1:\n    def answer(): ...", "try:\n    import a\nexcept ImportError: ...", "def (", "answer = 1",
     "import answer", "from a import b as answer", "class answer: ...", "for answer in []: ...", "globals()['answer'] = 1"],
)  # fmt: skip
def test_what_only_running_a_file_would_tell_is_no_mistake(folder, source):
    assert messages(folder(**{"a.eval.yaml": suite("bot.py:answer"), "bot.py": source})) == []


def test_a_scorer_of_a_conftest_is_known_though_it_is_like_a_built_in_one(folder):
    conftest = "@pytest.fixture\ndef containz_scorer(): ..."
    path = folder(**{"tests__conftest.py": conftest, "tests__deep__a.eval.yaml": suite(criterion="containz")})
    assert messages(path / "tests" / "deep") != []  # there the rootdir is the folder, without the conftest
    assert messages(path) == []
    folder(**{"pytest.ini": "[pytest]\n"})
    assert messages(path / "tests" / "deep") == []


def test_settings_of_the_project_hold(folder, monkeypatch):
    text = "target: echo\ncases: [{id: a, input: x, warn: 0.5, criteria: [own]}]"
    path = folder(**{"evals__a.eval.yaml": text, "evals__b.suite": text})
    assert "warn needs a threshold above it" in messages(path)[0]
    folder(**{"pytest.ini": "[pytest]\nevals_threshold = 80%\nevals_files = *.suite\n"})
    assert [(each.path, each.problems) for each in validate([path])] == [
        ("evals/a.eval.yaml", ()),
        ("evals/b.suite", ()),
    ]
    monkeypatch.setenv("PYTEST_EVALS_THRESHOLD", "0.2")
    assert "warn (0.5) must be below threshold (0.2)" in messages(path)[0]


def test_defaults_of_folders_hold_and_two_suites_of_one_name_are_told(folder):
    path = folder(
        **{
            "pytest.ini": "[pytest]\n",
            "evals.defaults.yaml": "defaults: {criteria: [contains: x], timeout: soon}",
            "evals__a.eval.yaml": "target: echo\nsuite: same\ncases: [{id: a, input: x}]",
        }
    )
    assert "evals.defaults.yaml:1:" in messages(path / "evals")[0]
    folder(
        **{
            "evals.defaults.yaml": "defaults: {criteria: [contains: x]}",
            "evals__b.eval.yaml": "target: echo\nsuite: same\ncases: [{id: a, input: x}]",
        }
    )
    assert messages(path) == [
        "evals/b.eval.yaml:1:1: suite 'same' is also the name of evals/a.eval.yaml; give one of them another `suite:`"
    ]


def test_folders_that_pytest_does_not_look_into_are_left_out(folder):
    files = dict.fromkeys(
        (".hidden__a.eval.yaml", "node_modules__a.eval.yaml", "venv__a.eval.yaml", "build__a.eval.yaml"), "["
    )
    path = folder(**files, **{"evals__a.eval.yaml": suite()})
    assert [each.path for each in validate([path])] == ["evals/a.eval.yaml"]
    assert messages(path / "build" / "a.eval.yaml")  # what is named is read


def test_no_suite_is_no_success(folder, tmp_path):
    folder(**{"a.yaml": ""})
    with pytest.raises(UsageError, match=r"there is no suite in .*; they are named"):
        validate([tmp_path])
    with pytest.raises(UsageError, match="there is no file or folder nowhere"):
        validate([tmp_path.relative_to(tmp_path) / "nowhere"])
