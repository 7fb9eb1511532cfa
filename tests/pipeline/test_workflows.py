"""The page about models against each other, followed command by command against a model that plays all the parts."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from pipelinemodel import Model

from pytest_evals import experiments

from .answering import Answering, config
from .conftest import load
from .test_eval import Judge

PAGE = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text("utf-8")


def commands(title):
    """The commands of a section of the page."""
    section = PAGE.split(f"# {title}\n")[1].split("\n#")[0]
    found = [
        line.removeprefix("$ ")
        for block in re.findall(r"```console\n(.*?)```", section, re.S)
        for line in block.splitlines()
    ]
    return [shlex.split(line)[1:] for line in found if line.startswith("pytest-evals ")]


class Everybody:
    """Writes documents and ground truth, answers for several models, and judges."""

    def __init__(self):
        self.writes, self.answers, self.judges = Model(), Answering(), Judge()

    def __call__(self, asked):
        text = "\n".join(str(message["content"]) for message in asked.json["messages"])
        system = json.dumps(asked.json.get("system", ""))
        if "figures of an evaluation" in text or "<<<" in text or "judge" in system.lower():
            return self.judges(asked)
        if "<text>" in text:
            return self.answers(asked)
        return self.writes(asked)


@pytest.fixture
def models():
    """The configurations that the workflows name, with a good model and one that makes mistakes."""
    Path("models.json").write_text(json.dumps(config("good-1", "bad-1")))
    Path("answers.json").write_text(json.dumps(config("good-1", "bad-1", kind="qa")))


def follow(command, title, everybody, before=lambda arguments: None):
    told = []
    for arguments in commands(title):
        before(arguments)
        if arguments[0] in ("view",):
            continue
        result = command(everybody, *arguments)
        told.append(result.output)
        assert result.exit_code == 0, (arguments, result.output)
    return told


def ranking(path):
    """The models in the order of the report's tables, and their grades."""
    text = Path(path).read_text()
    return [re.findall(r"^\| ([\w-]+) \|.*?\| ([\d.]+) \| (\w+) \|", part, re.M) for part in text.split("\n## ")[1:]]


def test_the_quick_start_is_comparative(command):
    def configured(arguments):
        if arguments[:2] == ["experiment", "-c"]:
            data = load("models.json")
            data["experiments"] = [each for each in data["experiments"] if each["llm_type"] == "claude"]
            Path("models.json").write_text(json.dumps(data))

    told = follow(command, "Quick start", Everybody(), configured)
    assert "STANDALONE" not in "".join(told)
    (evaluation, *_) = sorted(Path("output/evaluations").glob("*.eval.json"))
    assert load(evaluation)["metadata"]["pytest_evals"]["comparative"] is True


@pytest.mark.parametrize(
    ("title", "report", "mistakes"),
    [
        ("Summaries of meetings", "reports/meetings.md", "output/evaluations"),
        ("E-mails", "reports/emails.md", "output/email_evaluations"),
        ("Questions about documents", "reports/questions.md", "output/qa_evaluations"),
    ],
)
def test_the_better_model_ranks_first_and_the_reports_show_exactly_the_planted_mistakes(
    command, models, title, report, mistakes
):
    told = follow(command, title, Everybody())
    assert "STANDALONE" not in "".join(told)
    ((first, second),) = ranking(report)
    assert (first, second) == (("good-1", "100.0", "excellent"), ("bad-1", "0.0", "poor"))
    words = {"good-1": {"excellent"}, "bad-1": {"poor"}}
    for path in Path(mistakes).rglob("*.experiment.eval.json"):
        data = load(path)
        given = {part["rating"] for item in data["per_question"] for part in ratings(item)}
        assert given == words[data["metadata"]["tested_model"]]
    assert {run.name.split()[0] for run in experiments.runs("pipeline")} == {"good-1", "bad-1"}


def ratings(item):
    return [part for part in item.get("analysis", item).values() if isinstance(part, dict) and "rating" in part]


def test_answers_of_somebody_else_are_judged_when_they_are_filled_in(command, models, meetings):
    Path("output/test_data").mkdir(parents=True)
    meetings.rename("output/test_data/meetings")

    def fill(arguments):
        if arguments[0] == "eval":
            (path,) = Path("output/templates").glob("*.csv")
            lines = path.read_text().splitlines()
            path.write_text("\n".join(filled(line, number) for number, line in enumerate(lines)) + "\n")

    told = follow(command, "Answers of somebody else", Everybody(), fill)
    assert "1 not answered, and not judged" in "".join(told)
    (path,) = Path("output/template_evaluations").glob("*.eval.json")
    assert load(path)["overall_rating"]["metrics"]["num_questions"] == 5


def filled(line, number):
    """A row with an answer, but for the first one, which stays blank."""
    import csv
    import io

    cells = next(csv.reader([line]))
    if number > 1:
        cells[5] = "I do not know." if number == 2 else cells[4]
    out = io.StringIO()
    csv.writer(out).writerow(cells)
    return out.getvalue().rstrip("\r\n")
