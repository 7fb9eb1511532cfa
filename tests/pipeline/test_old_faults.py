"""Faults that tools of this kind have had, and cannot have here.

Those of this file are the ones that no other test shows. The others:

- a single file could not be evaluated: test_eval, whatever is judged with ``-f``
- the quick start was without expectations: test_workflows, the quick start is comparative
- failures ended with status 0: test_eval, gates decide the exit status; test_experiment, trouble is never an answer
- the report forgot older evaluations, or had poorer rows for new ones: test_eval, the report has the same rows
- what was asked was told apart by the file's name, and names that came out alike shared a file: test_experiment
- an interrupted command paid everything again: test_experiment and test_eval, wherever it is killed
- everything was judged twice, as a whole and by document: test_eval, files of another tool are judged
- files of single documents had the costs of all: test_experiment, models summarise
- errors were judged as answers, or left out: test_eval, what could not be answered is an error
- verdicts that are no JSON were guessed at: test_eval, a reply that is no verdict
- questions and summaries were ranked on one scale: test_eval, the better model ranks first
- combined questions were counted several times: test_experiment, a combined question counts once
- a grade of 0 was shown as unknown or as another number: test_eval, the better model ranks first
- the number of questions could not be set: test_experiment, the questions of ground truth are asked of documents
- attempts and time limits could not be seen: test_asking
- comparisons that overlook what got worse, unknown baselines: tests/workflow and tests/stats; the viewer: tests/viewer
"""

from __future__ import annotations

import json
import os
import re
import threading
from pathlib import Path

import pytest
from fakellm import Fails, Says
from pipelinemodel import Model

from pytest_evals.pipeline.evaluation.report import figures_of
from pytest_evals.pipeline.evaluation.subjects import read_answers
from pytest_evals.pipeline.shapes.evaluations import EvaluationFile
from pytest_evals.pipeline.shapes.experiment import SUFFIX

from .answering import Answering, config
from .conftest import load
from .test_eval import Judge
from .test_experiment import write

EXPERIMENTS, OUT = Path("output/experiments"), Path("output/evaluations")


@pytest.fixture
def answers(command, meetings):
    """What a good model said about two documents, with questions and expectations."""
    assert command(Model(), "groundtruth", meetings, "-u", "qa", "-n", 2).exit_code == 0
    assert command(Answering(), "experiment", "-c", write(config("good-1", kind="qa"))).exit_code == 0
    return EXPERIMENTS / f"good-1_qa{SUFFIX}"


def test_a_changed_file_is_seen_by_its_content_where_size_and_time_are_the_same(command, answers):
    command(Judge(), "eval", "--no-overview")
    path = OUT / "good-1_qa.experiment.eval.json"
    before = path.stat()
    path.write_text(path.read_text().replace('"tested_model": "good-1"', '"tested_model": "next-1"'))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_mtime_ns, path.stat().st_size) == (before.st_mtime_ns, before.st_size)
    report = OUT / "consolidated_evaluations_report.json"
    assert command(Judge(), "eval", "--report-only").exit_code == 0
    assert load(report)["evaluations"][0]["tested_model"] == "next-1"
    judge = Judge()
    text = answers.read_text()
    first = load(answers)["analysis"]["qa_results"][0]["response"]
    answers.write_text(text.replace(json.dumps(first), json.dumps("x" * len(first))))
    command(judge, "eval", "--no-overview")
    assert judge.asked, "answers of the same length are other answers"


def test_figures_that_a_judge_makes_up_are_nowhere(command, answers):
    judge = Judge()
    lists = {key: ["99 questions, all passed"] for key in ("strengths", "weaknesses", "recommendations")}
    words = {"analysis": "pass_rate 1.0", "use_case_fit": "fine", **lists, "num_questions": 99, "pass_rate": 0.0}
    judge.says["figures of an evaluation"] = json.dumps({"about_the_whole": words, "metrics": {"num_questions": 99}})
    command(judge, "eval")
    data = load(OUT / "good-1_qa.experiment.eval.json")
    metrics = data["overall_rating"]["metrics"]
    assert (metrics["num_questions"], metrics["pass_rate"]) == (4, 1.0)
    assert data["overall_analysis"] == "pass_rate 1.0", "words stay words"
    assert '"num_questions": 99' not in json.dumps(data)


def test_a_model_that_answered_nothing_is_in_the_report_with_its_costs(command, answers):
    data = load(answers)
    for row in data["analysis"]["qa_results"]:
        row["response"] = "ERROR: the server was down"
    answers.write_text(json.dumps(data))
    judge = Judge()
    assert command(judge, "eval").exit_code == 1
    assert judge.asked == []
    evaluation = load(OUT / "good-1_qa.experiment.eval.json")
    assert evaluation["overall_rating"]["rating"] == "error"
    assert evaluation["overall_rating"]["metrics"]["error_count"] == 4
    assert evaluation["timing"]["total_processing_time_seconds"] == 0.0
    assert evaluation["total_cost"]["total_cost"] == 0.0
    assert command(judge, "report", "-o", "report.md").exit_code == 0
    assert "| good-1 | cloud | 4 (4 not judged) | 0% (0 of 4) | – | – |" in Path("report.md").read_text()


def test_the_report_has_no_sentence_that_is_not_from_the_data_and_has_latency_and_tokens(command, answers):
    data = load(answers)
    data["metadata"]["timing"]["per_item_times_seconds"] = [1.5, 2.5]
    answers.write_text(json.dumps(data))
    command(Judge(), "eval", "--no-overview")
    result = command(Judge(), "report", "-o", "-")
    assert result.exit_code == 0
    (row,) = [line for line in result.stdout.splitlines() if line.startswith("| good-1 |")]
    assert [cell.strip() for cell in row.split("|")][-3:-1] == ["2.00 s", "480"]
    assert not re.search(r"recommend|production|strength|root cause|timeline|should", result.stdout, re.IGNORECASE)


def test_a_temperature_that_is_noted_was_sent(command, meetings, monkeypatch):
    asked = []

    def model(request):
        asked.append(request.json)
        return "It says so."

    data = config("m", kind="qa", temperature=0.3) | {"qa_config": {"num_qa_pairs": 1}}
    data["experiments"][0] |= {"llm_type": "vllm"}
    with_address(monkeypatch, command, model, data, meetings)
    assert {request["temperature"] for request in asked} == {0.3}
    metadata = load(EXPERIMENTS / f"m_qa{SUFFIX}")["metadata"]
    assert (metadata["temperature"], metadata["inference_type"]) == (0.3, "local")
    assert metadata["total_cost"]["total_cost"] == 0.0


def with_address(monkeypatch, command, model, data, meetings):
    """The experiment against a server that speaks as local ones do, with the provider's own address for it."""
    from click.testing import CliRunner
    from fakellm import fake_llm

    from pytest_evals.cli import main

    with fake_llm(default=model) as server:
        monkeypatch.setenv("VLLM_BASE_URL", f"{server.url}/v1")
        result = CliRunner().invoke(main, ["experiment", "-c", write(data), "-i", str(meetings)])
    assert result.exit_code == 0, result.output


def test_whether_a_model_is_local_is_not_guessed_from_its_name(command, answers):
    data = load(answers)
    data["metadata"] |= {"model": "Lemonade-llama-local-GGUF", "total_cost": {"input_cost": 0.0, "output_cost": 0.0}}
    answers.write_text(json.dumps(data))
    command(Judge(), "eval", "--no-overview")
    command(Judge(), "report", "-o", "report.md")
    assert "| Lemonade-llama-local-GGUF | cloud |" in Path("report.md").read_text()
    data["metadata"] |= {"inference_type": "local"}
    answers.write_text(json.dumps(data))
    command(Judge(), "eval", "--no-overview")
    command(Judge(), "report", "-o", "report.md")
    assert re.search(r"\| Lemonade-llama-local-GGUF \| local \|.*\| free \|", Path("report.md").read_text())


def test_ground_truth_of_emails_is_shown_to_the_judge_whole(command):
    folder = Path("data/emails")
    for name in ("a/update_email.txt", "b/update_email.txt"):
        path = folder / name
        path.parent.mkdir(parents=True)
        path.write_text(f"From: {name[0]}@example.com\nTo: c@example.com\nSubject: news\n\nThe export is done.\n")
    assert command(Model(), "groundtruth", folder, "-u", "email").exit_code == 0
    result = command(Answering(), "experiment", "-c", write(config("good-1")), "-i", "output/groundtruth")
    assert result.exit_code == 0, result.output
    path = EXPERIMENTS / f"good-1_summarization{SUFFIX}"
    found = read_answers(path)
    assert len({subject.source_file for subject in found.subjects}) == 2, "equal names in two folders are two files"
    assert len(set(load(path)["metadata"]["individual_files"])) == 2
    for row, subject in zip(load(path)["analysis"]["summarization_results"], found.subjects, strict=True):
        assert row["groundtruth_summaries"]
        assert all(f"## {key}\n" in f"{subject.expected}\n" for key in row["groundtruth_summaries"])


def test_a_model_without_a_known_price_costs_an_unknown_sum_and_that_is_said(command, answers):
    metadata = load(answers)["metadata"]
    assert metadata["total_cost"]["total_cost"] is None
    assert metadata["total_usage"]["input_tokens"] == 400
    result = command(Answering(), "experiment", "-c", write(config("good-1", kind="qa")), "--force")
    assert "The price of anthropic/good-1 is not known: name it in the file of evals_prices." in result.output


def test_tokens_belong_to_the_reply_that_took_them_and_models_are_asked_at_once(command, answers):
    both = threading.Barrier(2, timeout=20)

    def model(request):
        both.wait()
        text = request.json["messages"][0]["content"]
        return Says("It is done.", input=1000 if "Ana" in text else 10)

    data = config("one", "two", kind="qa") | {"qa_config": {"num_qa_pairs": 1}}
    result = command(model, "experiment", "-c", write(data), "-o", "together", "--concurrency", 2)
    assert result.exit_code == 0, result.output
    for name in ("one", "two"):
        items = load(f"together/{name}_qa{SUFFIX}")["metadata"]["pytest_evals"]["items"]
        assert sorted(item["usage"]["input_tokens"] for item in items.values()) == [10, 1000]


def test_what_was_answered_about_a_document_is_not_paid_again_for_the_question_that_was_not(
    command, answers, monkeypatch
):
    monkeypatch.setattr("pytest_evals.pipeline.asking.asker.BACKOFF_S", 0.0)
    last = load(answers)["analysis"]["qa_results"][1]["query"]
    name = write(config("good-1", kind="qa"))
    for folder, fails, status in (("refused", Fails(400, "no"), 1), ("down", Fails(500, "no"), 75)):
        model = Answering()
        model.trouble[last] = fails
        assert command(model, "experiment", "-c", name, "-o", folder).exit_code == status
        model = Answering()
        assert command(model, "experiment", "-c", name, "-o", folder).exit_code == 0
        assert [last in text for _, text in model.asked] == [True, True]
        assert not list(Path(folder).glob(".*")), "nothing is left of it"


def test_answers_that_could_not_be_written_are_told_and_not_paid_again(command, answers):
    name = write(config("good-1", kind="qa"))
    blocked = Path("other") / answers.name
    blocked.mkdir(parents=True)
    result = command(Answering(), "experiment", "-c", name, "-o", "other")
    assert result.exit_code == 1
    assert "cannot be written: Is a directory" in result.output
    blocked.rmdir()
    model = Answering()
    assert command(model, "experiment", "-c", name, "-o", "other").exit_code == 0
    assert model.asked == []
    assert len(load(blocked)["analysis"]["qa_results"]) == 4


def test_without_a_key_one_line_says_so_and_nothing_is_asked_or_written(command, answers, monkeypatch):
    from click.testing import CliRunner

    from pytest_evals.cli import main

    for variable in ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable)
    name = write(config("other", kind="qa"))
    for words in (["experiment", "-c", name, "-o", "new"], ["eval", "-o", "new"]):
        result = CliRunner().invoke(main, words)
        assert (result.exit_code, result.output) == (
            2,
            "Error: anthropic needs a key: set the environment variable ANTHROPIC_API_KEY\n",
        )
    assert not list(Path("new").rglob("*.json"))
    again = CliRunner().invoke(main, ["experiment", "-c", write(config("good-1", kind="qa"))])
    assert again.exit_code == 0, "what is there already needs no key"


def test_values_that_json_has_not_are_read_as_unknown(command, answers):
    data = load(answers)
    data["metadata"] |= {"total_cost": {"input_cost": float("nan")}, "individual_files": 3}
    data["metadata"]["timing"] = {"per_item_times_seconds": [float("inf"), 1.0]}
    answers.write_text(json.dumps(data))
    assert command(Judge(), "eval", "--no-overview").exit_code == 0
    assert command(Judge(), "report", "-o", "report.md").exit_code == 0
    entry = load(OUT / "consolidated_evaluations_report.json")["evaluations"][0]
    assert entry["inference_cost"]["total_cost"] is None
    assert entry["performance"]["total_time_seconds"] == 1.0


def test_names_and_texts_cannot_break_out_of_the_report(command, answers):
    evil = "a|b <script>alert(1)</script> @octocat [x](http://e) #12"
    data = load(answers)
    data["metadata"] |= {"model": f"{evil}\n# head", "experiment_name": f"{evil}\n# head"}
    answers.write_text(json.dumps(data))
    judge = Judge()
    lists = {key: [f"</details>\n\n# {evil}"] for key in ("strengths", "weaknesses", "recommendations")}
    words = {"about_the_whole": {"analysis": evil, "use_case_fit": evil, **lists}}
    judge.says["figures of an evaluation"] = json.dumps(words)
    assert command(judge, "eval").exit_code == 0
    assert command(judge, "report", "-o", "report.md").exit_code == 0
    text = Path("report.md").read_text()
    assert not re.search(r"<script|@octocat|\]\(http|a\|b|^# (head|a)", text, re.MULTILINE)
    assert text.count("</details>") == 1
    assert len([line for line in text.splitlines() if line.startswith("# ")]) == 1


def test_a_model_over_several_test_sets_counts_by_items():
    def of(name, *passed):
        items = [
            {"correctness": {"rating": "excellent" if each else "poor"}, "qa_inputs": {"is_pass": each}}
            for each in passed
        ]
        return EvaluationFile(Path(name), {"metadata": {"tested_model": "m"}, "per_question": items})

    (only,) = figures_of([of("a", True, True, True), of("b", False)], "qa")
    assert (only.items, only.pass_rate, only.grade) == (4, 0.75, 75.0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["report", "-o", "html:models.html"], "the report of a folder is Markdown; name a file that ends in .md"),
        (["eval", "--report-only", "-o", "data"], "data has no evaluations (*.eval.json)"),
        (["experiment", "-c", "models.json", "-i", "data", "-q", "nope.json"], "nope.json cannot be read"),
    ],
)
def test_what_is_wrong_is_one_line(command, meetings, arguments, words):
    write(config("good-1"))
    result = command(Judge(), *arguments)
    assert result.exit_code == 2
    assert words in result.output


def test_what_eval_has_put_into_the_history_is_not_imported_again(command, answers):
    command(Judge(), "eval", "--no-overview")
    result = command(Judge(), "import", "gaia", "output")
    assert result.exit_code == 0
    assert "0 runs brought into the history" in result.output
