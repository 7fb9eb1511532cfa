"""Included files, defaults of folders and prompts in a session, and that ``validate`` tells what collection tells."""

from __future__ import annotations

import re

from click.testing import CliRunner

from pytest_evals.cli import main

SHARED = {
    "pytest.ini": "[pytest]\n",
    "evals/evals.defaults.yaml": "defaults: {tags: [nightly], criteria: [use: tone], prompt: {file: prompts/p.txt}}\n"
    "criteria_sets: {tone: [contains: polite]}\n",
    "evals/prompts/p.txt": "In a polite way: {{ input }}\n",
    "evals/deep/a.eval.yaml": "target: echo\ncases:\n- {id: a, input: hello}\n- {id: b, input: bye, prompt: ~}\n",
}


def test_defaults_of_a_folder_and_prompts_hold_in_every_process(project):
    ran = project(SHARED, "evals/deep", "-m", "nightly")
    assert ran.outcomes == {"a": "passed", "b": "failed"}
    assert ran.case("a")["input"] == "In a polite way: hello"


def test_defaults_of_a_folder_are_no_suite_whatever_patterns_there_are(alone):
    files = {**SHARED, "pytest.ini": "[pytest]\nevals_files = *.yaml\n"}
    assert alone(files, "evals").outcomes == {"a": "passed", "b": "failed"}


BROKEN = {
    "pytest.ini": "[pytest]\n",
    "bot.py": "def answer(question): return question\n",
    "shared.yaml": "defaults: {timeot: 1, prompt: '{{ inptu }}'}\n",
    "a.eval.yaml": """
target: bot.py:answr
include: [shared.yaml, nowhere.yaml]
gates: [pass_rte >= 1]
cases:
- {id: a, input: 'Capital of {{ x }}', vars: {y: 1}, criteria: [contians, use: tone]}
- {id: a, input: x, criteria: [python: 'bot.py:polite']}
""",
}


def test_validate_tells_what_collection_tells(alone, monkeypatch):
    ran = alone(BROKEN, report=False)
    monkeypatch.chdir(ran.path)
    result = CliRunner().invoke(main, ["validate"])
    place = re.compile(r"\S+:\d+:\d+: ")
    told = [line for line in result.output.splitlines() if place.match(line)]
    collected = [line.strip() for line in ran.result.outlines if place.match(line.strip())]
    assert len(told) == 11
    assert sorted(told) == sorted(collected)
