from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from fakellm import Fails, Says
from pipelinemodel import Model

from pytest_evals import experiments
from pytest_evals.pipeline.evaluation.subjects import find_answers, read_answers
from pytest_evals.pipeline.shapes.evaluations import find_evaluations, read_evaluation

from .answering import Answering, config
from .conftest import load
from .test_experiment import keys, write

OUT = Path("output/evaluations")


class Judge:
    """Rates an answer excellent when all its words are in what is expected, or in the document; else poor."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.says: dict[str, str | Fails] = {}
        """What is said instead, by a text in the question."""

    def __call__(self, asked):
        system = json.dumps(asked.json.get("system", ""))
        text = "\n".join(str(message["content"]) for message in asked.json["messages"])
        self.asked.append(text)
        for part, said in self.says.items():
            if part in text:
                return said if isinstance(said, Fails) else Says(said)
        if "about_the_whole" in text and "figures of an evaluation" in text:
            lists = {key: ["as the ratings say"] for key in ("strengths", "weaknesses", "recommendations")}
            return Says(
                json.dumps({"about_the_whole": {"analysis": "It is mixed.", "use_case_fit": "Meetings.", **lists}})
            )
        bad = "I do not know" in text or "Somebody said" in text
        names = dict.fromkeys(re.findall(r'"(\w+)": \{', system + text) or re.findall(r"^(\w+) \(weight", text, re.M))
        word = "poor" if bad else "excellent"
        return Says(json.dumps(self.verdict(asked.json, names, word)))

    @staticmethod
    def verdict(body, names, word):
        """A verdict of the form that is asked for, whatever it is."""
        schema = (body.get("output_config") or body.get("output_format") or {}).get("format", {}).get("schema")
        schema = schema or next((tool["input_schema"] for tool in body.get("tools", ())), None)
        return fill(schema, word) if schema else {name: {"reason": "as I see it", "score": word} for name in names}


def fill(schema, word):
    if "properties" in schema:
        return {name: fill(part, word) for name, part in schema["properties"].items()}
    if "enum" in schema:
        return word
    return ["x"] if schema.get("type") == "array" else "as I see it"


@pytest.fixture
def answered(command, meetings):
    """Experiments with a good and a bad model, about summaries and questions."""
    for use_case in ("summarization", "qa"):
        assert command(Model(), "groundtruth", meetings, "-u", use_case, "-n", 2).exit_code == 0
    for kind in ("summarization", "qa"):
        result = command(Answering(), "experiment", "-c", write(config("good-1", "bad-1", kind=kind)))
        assert result.exit_code == 0, result.output


def test_the_better_model_ranks_first_and_the_report_says_what_is_wrong_with_the_other(command, answered):
    judge = Judge()
    result = command(judge, "eval")
    assert result.exit_code == 0, result.output
    assert "STANDALONE" not in result.output
    assert len(find_evaluations(OUT)) == 4
    good, bad = (load(OUT / f"{name}-1_summarization.experiment.eval.json") for name in ("good", "bad"))
    assert good["overall_rating"]["metrics"]["quality_score"] == 100.0
    assert bad["overall_rating"]["metrics"] == {
        "total_summaries": 2,
        **{"excellent_count": 0, "good_count": 0, "fair_count": 0, "poor_count": 2},
        "error_count": 0,
        "quality_score": 0.0,
    }
    assert good["overall_analysis"] == "It is mixed."
    report = command(judge, "report", "-d", OUT, "-o", "report.md")
    assert report.exit_code == 0, report.output
    text = Path("report.md").read_text()
    for section in text.split("\n## ")[1:]:
        assert section.index("| good-1 |") < section.index("| bad-1 |")
    assert "| good-1 | cloud | 4 | 100% (4 of 4) | 100.0 | excellent |" in text
    assert "| bad-1 | cloud | 4 | 0% (0 of 4) | 0.0 | poor |" in text
    assert "in the words of anthropic/claude-haiku-5-5" in text


def test_answers_to_questions_pass_by_rule_and_the_figures_are_ours(command, answered):
    command(Judge(), "eval")
    data = load(OUT / "good-1_qa.experiment.eval.json")
    metrics = data["overall_rating"]["metrics"]
    assert (metrics["num_questions"], metrics["num_passed"], metrics["accuracy_percentage"]) == (4, 4, 100.0)
    assert metrics["mean_similarity"] == pytest.approx(
        sum(item["qa_inputs"]["similarity"] for item in data["per_question"]) / 4
    )


def test_files_have_the_keys_that_other_tools_write(command, answered, shapes):
    command(Judge(), "eval")
    for ours, theirs in (("good-1_qa", "Local-QA"), ("good-1_summarization", "Claude_Baseline")):
        mine = keys(load(OUT / f"{ours}.experiment.eval.json"))
        other = keys(load(shapes / "evaluations" / f"{theirs}.experiment.eval.json"))
        mine["overall_rating"]["metrics"].pop("error_count", None)
        other["overall_rating"]["metrics"].pop("error_count", None)
        assert strip(mine) == strip(other)
    mine = keys(load(OUT / "consolidated_evaluations_report.json"))
    other = keys(load(shapes / "evaluations" / "consolidated_evaluations_report.json"))
    for each in (mine, other):
        for entry in each["evaluations"]:
            entry["aspect_summary"] = entry["overall_rating"]["metrics"] = {}
    mine["metadata"]["evaluation_files"][0].pop("sha256")
    assert mine == other


def strip(value):
    """Without the names that a file has by chance: which rating words were given."""
    if isinstance(value, dict):
        return {key: strip(part) for key, part in value.items()}
    return value


def test_each_experiment_is_a_run_of_the_history(command, answered):
    command(Judge(), "eval")
    found = experiments.runs("pipeline")
    assert {run.name for run in found} == {f"{m}-1 {k}" for m in ("good", "bad") for k in ("qa", "summarization")}
    record = experiments.get_run("bad-1 qa")
    assert (record.run.type, record.run.status, len(record.results)) == ("checked", "failed", 4)
    assert experiments.get_run("good-1 summarization").run.score == 1.0


def test_the_same_is_not_judged_again_and_the_report_has_the_same_rows_however_it_came_to_be(command, answered):
    judge = Judge()
    command(judge, "eval")
    paid, report = len(judge.asked), load(OUT / "consolidated_evaluations_report.json")
    again = command(judge, "eval")
    assert (again.exit_code, len(judge.asked)) == (0, paid)
    assert load(OUT / "consolidated_evaluations_report.json")["evaluations"] == report["evaluations"]
    command(judge, "eval", "--report-only")
    command(judge, "eval", "-f", "output/experiments/good-1_qa.experiment.json", "--incremental-update")
    command(judge, "eval", "--regenerate-report")
    assert load(OUT / "consolidated_evaluations_report.json")["evaluations"] == report["evaluations"]
    assert len(judge.asked) == paid
    (OUT / "consolidated_evaluations_report.json").unlink()
    (OUT / "good-1_qa.experiment.eval.json").unlink()
    command(judge, "eval")
    after = load(OUT / "consolidated_evaluations_report.json")
    assert [e["experiment_name"] for e in after["evaluations"]] == [e["experiment_name"] for e in report["evaluations"]]
    whole = sum(entry["usage"]["input_tokens"] for entry in after["evaluations"])
    assert after["metadata"]["total_usage"]["input_tokens"] == whole
    assert len(judge.asked) > paid


def test_nothing_is_written_when_only_a_summary_is_asked_for(command, answered):
    result = command(Judge(), "eval", "--summary-only")
    assert "good-1: 2 summaries, grade 100.0 excellent" in result.output
    assert not OUT.exists() or not list(OUT.glob("*.json"))
    assert experiments.runs("pipeline") == []


def test_documents_without_expectations_are_judged_on_their_own_and_said_loudly(command, meetings):
    command(Answering(), "experiment", "-c", write(config("good-1")), "-i", meetings)
    judge = Judge()
    result = command(judge, "eval", "--no-overview")
    assert result.exit_code == 0, result.output
    assert "STANDALONE, 2 of 2 have no expectation" in result.output
    assert "paging part is done by Friday" in judge.asked[0], "the document is shown to the judge"
    result = command(judge, "eval", "--require-groundtruth", "--force")
    assert result.exit_code == 1
    assert load(OUT / "good-1_summarization.experiment.eval.json")["metadata"]["pytest_evals"]["comparative"] is False


def test_ground_truth_can_be_named_when_it_is_judged(command, meetings):
    assert command(Model(), "groundtruth", meetings).exit_code == 0
    command(Answering(), "experiment", "-c", write(config("good-1")), "-i", meetings)
    truth = "output/groundtruth/consolidated_summarization_groundtruth.json"
    result = command(Judge(), "eval", "-g", truth, "--no-overview")
    assert result.exit_code == 0, result.output
    assert "STANDALONE" not in result.output
    data = json.loads(Path(truth).read_text())
    for source in data["metadata"]["source_files"]:
        source["source_file"] = "elsewhere/other.txt"
    Path("other.json").write_text(json.dumps(data))
    result = command(Judge(), "eval", "-g", "other.json")
    assert result.exit_code == 2
    assert "it is about none of the documents" in result.output


def test_what_could_not_be_answered_is_an_error_and_not_judged(command, answered):
    path = Path("output/experiments/good-1_summarization.experiment.json")
    data = load(path)
    data["analysis"]["summarization_results"][0]["generated_summaries"] = "ERROR: the server was down"
    path.write_text(json.dumps(data))
    result = command(Judge(), "eval", "-f", path)
    assert result.exit_code == 1
    metrics = load(OUT / "good-1_summarization.experiment.eval.json")["overall_rating"]["metrics"]
    assert (metrics["total_summaries"], metrics["error_count"], metrics["excellent_count"]) == (2, 1, 1)
    assert "the server was down" in result.output


def test_a_reply_that_is_no_verdict_is_an_error_with_the_reply_kept(command, answered):
    judge = Judge()
    path = "output/experiments/good-1_qa.experiment.json"
    judge.says[load(path)["analysis"]["qa_results"][0]["query"]] = "{'correctness': 'excellent', it's fine}"
    result = command(judge, "eval", "-f", path, "--no-overview")
    assert result.exit_code == 75, result.output
    data = load(OUT / "good-1_qa.experiment.eval.json")
    broken = [item for item in data["per_question"] if "error" in item]
    assert broken
    assert "it's fine" in broken[0]["raw_response"]
    assert data["overall_rating"]["metrics"]["num_passed"] == 4 - len(broken)


def test_nothing_that_was_judged_is_paid_twice_wherever_it_stops(answered, monkeypatch):
    """A service that fails after every second reply, and commands until all is judged."""
    from pytest_evals.errors import ProviderError
    from pytest_evals.llm.clients import Clients
    from pytest_evals.llm.scripted import ScriptedClient
    from pytest_evals.workflow.evaluating import EvalOptions, evaluate
    from pytest_evals.workflow.pipelineasking import AskOptions

    judge, paid, left = Judge(), [], 0

    class Asked:
        def __init__(self, request):
            self.json = {"system": request.system, "messages": [dict(each) for each in request.messages]}
            self.json |= {"output_format": {"format": {"schema": request.schema}}} if request.schema else {}

    def answer(request):
        nonlocal left
        if left == 0:
            raise ProviderError("it fell over", status=500)
        left -= 1
        text = json.dumps([request.system, request.messages])
        paid.append(text)
        return judge(Asked(request)).text

    clients = Clients(lambda endpoint: ScriptedClient(answer))
    rounds = 0
    while rounds < 40:
        rounds += 1
        left = 2
        made = evaluate(EvalOptions(asking=AskOptions(clients=clients, concurrency=1)))
        if made.status != 75:
            break
    assert rounds > 5
    assert made.errors == ()
    assert 12 <= len(paid) == len(set(paid)) <= 16


def test_a_filled_template_is_judged_and_blank_answers_are_only_told(command, meetings):
    assert command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2).exit_code == 0
    made = command(Model(), "template", "output/groundtruth", "--use-case", "qa", "-o", "templates")
    assert made.exit_code == 0, made.output
    (path,) = Path("templates").rglob("*.template.json")
    data = load(path)
    for item in data["items"][1:]:
        item["response"] = item["ground_truth"]
    path.write_text(json.dumps(data))
    result = command(Judge(), "eval", "-d", "templates", "--no-overview")
    assert result.exit_code == 0, result.output
    assert "1 not answered, and not judged" in result.output
    (evaluation,) = find_evaluations(OUT)
    assert evaluation.data["overall_rating"]["metrics"]["num_questions"] == len(data["items"]) - 1


def test_gates_decide_the_exit_status(command, answered):
    path = "output/experiments/good-1_qa.experiment.json"
    assert command(Judge(), "eval", "-f", path, "--gate", "pass_rate >= 90%").exit_code == 0
    path = "output/experiments/bad-1_qa.experiment.json"
    result = command(Judge(), "eval", "-f", path, "--gate", "pass_rate >= 90%")
    assert result.exit_code == 1
    assert "gate pass_rate >= 90%: broken" in result.output


def test_files_of_another_tool_are_judged_and_reported(command, shapes):
    paths = find_answers(shapes / "experiments")
    assert [path.name for path in paths] == [
        *("Claude_Baseline.experiment.json", "Local-0_6B.experiment.json", "Local-QA.experiment.json")
    ]
    assert [len(read_answers(path).subjects) for path in paths] == [2, 2, 4]
    evaluations = find_evaluations(shapes / "evaluations")
    assert [each.model for each in evaluations] == ["claude-sonnet-4-20250514", "Qwen3-0.6B-GGUF", "Qwen3-0.6B-GGUF"]
    result = command(Judge(), "report", "-d", shapes / "evaluations", "-o", "report.md", "--summary-only")
    assert result.exit_code == 0, result.output
    assert "Qwen3-0.6B-GGUF: 4 answers" in result.output
    assert read_evaluation(shapes / "evaluations" / "Local-QA.experiment.eval.json").kind == "qa"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["eval"], "there is no file or folder output/experiments; make experiments with"),
        (["eval", "-f", "a", "-d", "b"], "name a file with -f or a folder with -d, not both"),
        (["eval", "last", "-d", "b"], "-f, -d and -g are for files of answers"),
        (["eval", "-d", "b", "--suite", "x"], "are for a RUN of the history"),
        (["eval", "-d", "b", "--model", "nope"], "names no model; write provider/name"),
        (["report", "-d", "nowhere"], "there is no folder nowhere; make evaluations with"),
    ],
)
def test_what_is_wrong_is_one_line(command, arguments, words):
    result = command(Judge(), *arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output
