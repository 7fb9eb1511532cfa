"""The gate on how far a judge agrees with people, from the calibration to the exit status."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import get_args

import pytest
from click.testing import CliRunner
from fakellm import Says, fake_llm
from jsonschema import Draft202012Validator

from pytest_evals.cli import main
from pytest_evals.model.gate import METRICS, Unit

SCHEMA = json.loads(files("pytest_evals.report").joinpath("report.schema.json").read_text("utf-8"))

SUITE = """
target: {responses: answers.json}
judge: {model: anthropic/m-1, base_url: '${FAKE_URL}'}
gates: [judge.kappa >= 0.6]
defaults:
  criteria:
    - {scorer: llm_judge, name: tone, rubric: It is polite.}
cases:
  - {id: a, input: q}
  - {id: b, input: q}
"""
LABELS = "output,label\n" + "gladly,pass\n" * 10 + "buzz off,fail\n" * 10


def polite(asked):
    return Says(json.dumps({"reason": "so", "score": 0.9 if b"gladly" in asked.body else 0.1}))


@pytest.fixture(autouse=True)
def server(monkeypatch):
    for name in ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "PYTEST_EVALS_JUDGE_MODEL", "PYTEST_EVALS_HISTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-1")
    with fake_llm(default=polite) as found:
        monkeypatch.setenv("FAKE_URL", found.url)
        yield found


def gate(ran):
    Draft202012Validator(SCHEMA).validate(ran.report)
    [found] = ran.report["gates"]
    return found["verdict"], found["observed"]


def test_it_holds_only_where_this_judge_was_held_against_people(project, monkeypatch):
    files = {"pytest.ini": "[pytest]\n", "a.eval.yaml": SUITE, "answers.json": '{"a": "gladly", "b": "gladly"}'}
    ran = project({**files, "labels.csv": LABELS})
    assert (ran.status, gate(ran)) == (75, ("undecided", None))
    reason = ran.report["gates"][0]["reason"]
    command = reason.partition("run: pytest-evals ")[2].replace("LABELS", "labels.csv").split()
    monkeypatch.chdir(ran.path)
    assert CliRunner().invoke(main, command).exit_code == 0, reason
    ran = project.run()
    assert (ran.status, gate(ran)) == (0, ("held", 1.0))
    decided = CliRunner().invoke(main, ["gate", "last", "--json"])
    assert (decided.exit_code, json.loads(decided.stdout)["gates"][0]["observed"]) == (0, 1.0)
    lower = CliRunner().invoke(main, ["gate", "last", "--gate", "lower(judge.kappa) >= 0.9"])
    assert (lower.exit_code, "broken" in lower.stdout) == (1, True)
    # another rubric is another judge
    ran = project({"a.eval.yaml": SUITE.replace("It is polite.", "It is short.")})
    assert (ran.status, gate(ran)) == (75, ("undecided", None))
    ran = project({"a.eval.yaml": SUITE.replace("It is polite.", "It is polite., threshold: 0.8")})
    assert (ran.status, gate(ran)) == (75, ("undecided", None))
    assert "was calibrated with the threshold 0.7, and tone has 0.8" in ran.report["gates"][0]["reason"]


def test_criteria_that_differ_in_words_alone_share_a_calibration(alone, monkeypatch):
    suite = SUITE.replace("input: q}", "input: q, criteria: [llm_judge: Polite in case {}.]}").replace(
        "    - {scorer: llm_judge, name: tone, rubric: It is polite.}\n", "    - length: {min: 1}\n"
    )
    suite = "\n".join(line.replace("{}", str(n)) for n, line in enumerate(suite.splitlines()))
    labels = "id,output,label\n" + "a,gladly,pass\nb,gladly,pass\na,buzz off,fail\nb,buzz off,fail\n" * 5
    files = {"pytest.ini": "[pytest]\n", "a.eval.yaml": suite, "answers.json": '{"a": "gladly", "b": "gladly"}'}
    ran = alone({**files, "labels.csv": labels})
    assert gate(ran) == ("undecided", None)
    assert "(and 1 more) is not calibrated" in ran.report["gates"][0]["reason"]
    monkeypatch.chdir(ran.path)
    done = CliRunner().invoke(main, ["judge", "calibrate", "labels.csv", "--suite", "a.eval.yaml"])
    assert done.exit_code == 0, done.output
    assert gate(alone.run()) == ("held", 1.0)


def test_the_schema_of_the_report_knows_every_metric_and_unit():
    gate = next(part for part in SCHEMA["$defs"].values() if "metric" in part.get("properties", {}))["properties"]
    assert gate["metric"]["enum"] == list(METRICS)
    assert gate["unit"]["enum"] == list(get_args(Unit))
