from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakellm import Fails
from pipelinemodel import Model

from pytest_evals.errors import UsageError
from pytest_evals.pipeline.experiments.config import parameter_count, read_config
from pytest_evals.pipeline.experiments.styles import STYLES, take_apart
from pytest_evals.pipeline.shapes.experiment import items_of, read_experiment, safe_names

from .answering import Answering, config
from .conftest import load

OUT = Path("output/experiments")


@pytest.fixture
def truth(command, meetings):
    """Ground truth for the two meetings, summaries and questions."""
    for use_case in ("summarization", "qa"):
        assert command(Model(), "groundtruth", meetings, "-u", use_case, "-n", 2).exit_code == 0


def write(data, name="models.json"):
    Path(name).write_text(json.dumps(data))
    return name


def test_models_summarise_what_the_ground_truth_is_about(command, truth, shapes):
    model = Answering()
    result = command(model, "experiment", "-c", write(config("good-1", "bad-1", temperature=0.3)))
    assert result.exit_code == 0, result.output
    assert "4 files made, 0 kept; 24 calls" in result.output
    assert "anthropic takes no temperature any more" in result.output
    good = load(OUT / "good-1_summarization.experiment.json")
    assert (good["metadata"]["temperature"], good["metadata"]["total_items"]) == (None, 2)
    (row, _) = good["analysis"]["summarization_results"]
    assert "paging part is done by Friday" in row["generated_summaries"]["executive_summary"]
    assert row["groundtruth_summaries"]["executive_summary"]
    report = load(OUT / "consolidated_experiments_report.json")
    assert [each["experiment_name"] for each in report["experiments"]] == [
        "good-1 summarization",
        "bad-1 summarization",
    ]
    parts = [load(OUT / path)["metadata"] for path in good["metadata"]["individual_files"]]
    assert sum(part["total_usage"]["input_tokens"] for part in parts) == good["metadata"]["total_usage"]["input_tokens"]
    theirs = load(shapes / "experiments" / "Local-0_6B.experiment.json")
    assert keys(good) == keys(theirs)
    part = load(OUT / good["metadata"]["individual_files"][0])
    assert keys(part) == keys(load(shapes / "experiments" / "meetings" / "standup_meeting.Local-0_6B.experiment.json"))
    assert keys(report) == keys(load(shapes / "experiments" / "consolidated_experiments_report.json"))


def keys(value):
    """Names and types, without what this package adds, and without numbers being whole or not."""
    if isinstance(value, dict):
        left_out = ("pytest_evals", "thinking", "parameters", "error")
        return {key: keys(part) for key, part in value.items() if key not in left_out}
    if isinstance(value, list):
        return [keys(value[0])] if value else []
    return float if isinstance(value, (int, float)) or value is None else type(value)


def test_models_answer_the_questions_of_the_ground_truth(command, truth, shapes):
    model = Answering()
    source = "output/groundtruth/consolidated_qa_groundtruth.json"
    result = command(model, "experiment", "-c", write(config("good-1", kind="qa")), "-i", source)
    assert result.exit_code == 0, result.output
    data = load(OUT / "good-1_qa.experiment.json")
    assert len(data["analysis"]["qa_results"]) == 4
    assert {row["ground_truth"] is None for row in data["analysis"]["qa_results"]} == {False}
    theirs = load(shapes / "experiments" / "Local-QA.experiment.json")
    ours = keys(data)
    ours["analysis"]["qa_results"][0].pop("source_file")
    assert ours == keys(theirs)


def test_without_an_input_the_consolidated_ground_truth_is_taken(command, truth):
    result = command(Answering(), "experiment", "-c", write(config("good-1", kind="qa")))
    assert result.exit_code == 0, result.output
    assert "without ground truth" not in result.output
    assert load(OUT / "good-1_qa.experiment.json")["analysis"]["qa_results"][0]["ground_truth"]


def test_documents_without_ground_truth_say_so_loudly(command, meetings):
    result = command(Answering(), "experiment", "-c", write(config("good-1", kind="qa")), "-i", meetings)
    assert result.exit_code == 0, result.output
    assert "the answers have nothing to be held against" in result.output
    (row, _) = load(OUT / "good-1_qa.experiment.json")["analysis"]["transcript_qa_results"]
    assert len(row["qa_results"]) == 5


def test_the_questions_of_ground_truth_are_asked_of_documents(command, truth, meetings):
    source = "output/groundtruth/consolidated_qa_groundtruth.json"
    model = Answering()
    data = config("good-1", kind="qa") | {"qa_config": {"num_qa_pairs": 1}}
    result = command(model, "experiment", "-c", write(data), "-i", meetings, "-q", source)
    assert result.exit_code == 0, result.output
    assert len(model.asked) == 2


def test_the_same_is_not_asked_again_and_what_changed_is(command, truth):
    name = write(config("good-1", "bad-1"))
    command(Answering(), "experiment", "-c", name)
    before = (OUT / "good-1_summarization.experiment.json").read_text()
    model = Answering()
    result = command(model, "experiment", "-c", name)
    assert (result.exit_code, model.asked) == (0, [])
    assert "0 files made, 4 kept" in result.output
    assert load(OUT / "good-1_summarization.experiment.json")["analysis"] == json.loads(before)["analysis"]
    Path("data/meetings/standup_meeting.txt").write_text("Ana: all is done by Sunday\n")
    model = Answering()
    command(model, "experiment", "-c", name)
    assert len(model.asked) == 12
    changed = load(OUT / "good-1_summarization.experiment.json")["analysis"]["summarization_results"]
    assert "Sunday" in json.dumps(changed)
    data = config("good-1", "bad-1", system_prompt="Be brief.")
    model = Answering()
    command(model, "experiment", "-c", write(data))
    assert len(model.asked) == 24
    model = Answering()
    assert "4 files made" in command(model, "experiment", "-c", name, "--force").output


def test_names_that_come_out_alike_do_not_share_a_file(command, truth):
    data = config("good-1", "bad-1")
    data["experiments"][0]["name"], data["experiments"][1]["name"] = "A.B", "A_B"
    assert command(Answering(), "experiment", "-c", write(data)).exit_code == 0
    files = sorted(path.name for path in OUT.glob("*.experiment.json"))
    assert len(files) == 2
    assert {load(OUT / name)["metadata"]["model"] for name in files} == {"good-1", "bad-1"}
    assert safe_names(["Local-0.6B", "a b"]) == {"Local-0.6B": "Local-0_6B", "a b": "a_b"}


def test_trouble_is_never_an_answer_and_is_asked_again(command, truth):
    model = Answering()
    model.trouble["Dora"] = Fails(400, "no such model")
    name = write(config("good-1", kind="qa"))
    result = command(model, "experiment", "-c", name)
    assert result.exit_code == 1, result.output
    rows = load(OUT / "good-1_qa.experiment.json")["analysis"]["qa_results"]
    failed = [row for row in rows if row["response"] is None]
    assert len(failed) == 2
    assert all("no such model" in row["error"] for row in failed)
    model = Answering()
    result = command(model, "experiment", "-c", name)
    assert result.exit_code == 0, result.output
    assert len(model.asked) == 2, "the other document was answered already"
    assert all(row["response"] for row in load(OUT / "good-1_qa.experiment.json")["analysis"]["qa_results"])


def test_a_combined_question_counts_once_and_tells_what_is_missing(command, truth):
    model = Answering()
    model.leaves_out = "key_decisions"
    data = config("Tiny-3B", parameters={"combined_prompt": True})
    result = command(model, "experiment", "-c", write(data))
    assert result.exit_code == 1, result.output
    assert "models below 7 B parameters often leave some out" in result.output
    assert "the reply has no section key_decisions" in result.output
    assert len(model.asked) == 2
    data = load(OUT / "Tiny-3B_summarization.experiment.json")
    assert data["metadata"]["total_usage"]["input_tokens"] == 200
    row = data["analysis"]["summarization_results"][0]
    assert set(row["generated_summaries"]) == {
        *("executive_summary", "detailed_summary", "action_items", "participants", "topics_discussed")
    }


def test_nothing_that_was_paid_is_paid_twice_wherever_it_is_killed(truth, monkeypatch):
    """Every call may be the last one of a process; the next one goes on with what was answered."""
    from pytest_evals.llm.clients import Clients
    from pytest_evals.llm.scripted import ScriptedClient
    from pytest_evals.workflow.experimenting import ExperimentOptions, run_experiments
    from pytest_evals.workflow.pipelineasking import AskOptions

    class KilledError(BaseException):
        pass

    model = Answering()
    paid: list[tuple[str, str]] = []
    left = 0

    def answer(request):
        nonlocal left
        if left == 0:
            raise KilledError
        left -= 1
        text = request.messages[-1]["content"]
        paid.append((request.model, text))
        return model.answer(request.model, text)

    name = Path(write(config("good-1", "bad-1")))
    clients = Clients(lambda endpoint: ScriptedClient(answer))
    for _ in range(50):
        left = 1
        try:
            made = run_experiments(ExperimentOptions(name, asking=AskOptions(clients=clients, concurrency=1)))
        except KilledError:
            continue
        break
    assert made.status == 0
    assert len(paid) == len(set(paid)) == 24


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "models.json:1:2: this is not JSON"),
        ("[]", "a configuration is an object with 'experiments', not []"),
        ('{"experiments": []}', "'experiments' must be a list with at least one experiment"),
        ('{"experiments": [{"name": "a", "model": "m"}]}', "experiment 'a' needs 'llm_type' (or 'provider')"),
        ('{"experiments": [{"name": "a", "llm_type": "cloude", "model": "m"}]}', "did you mean 'claude'"),
        ('{"experiments": [{"llm_type": "claude", "model": "m"}]}', "experiments[1] needs 'name', a text"),
        (
            '{"experiments": [{"name": "a", "llm_type": "claude", "model": "m", "experiment_type": "rag"}]}',
            "experiment_type is qa or summarization, not rag",
        ),
        ('{"styles": ["brieff"], "experiments": [{}]}', "there is no style 'brieff'; did you mean 'brief'?"),
        ('{"qa_config": {"num_qa_pairs": 0}, "experiments": [{}]}', "num_qa_pairs must be a whole number from 1 on"),
    ],
)
def test_a_configuration_that_is_wrong_is_told_in_lines(command, text, words):
    Path("models.json").write_text(text)
    result = command(Answering(), "experiment", "-c", "models.json")
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output


def test_what_is_not_known_is_a_warning_and_the_spellings_of_several_tools_are(shapes, tmp_path):
    configs = shapes.parent / "configs"
    for path in sorted(configs.glob("*.json")):
        found = read_config(path)
        assert found.experiments, path
    found = read_config(configs / "basic_summarization.json")
    assert [each.styles for each in found.experiments] == [("executive", "action_items")] * 2
    assert found.experiments[0].spec.stop == ("<|im_end|>",)
    assert any("minions is not known" in warning for warning in found.warnings)
    assert len(found.warnings) == len(set(found.warnings))
    path = tmp_path / "models.yaml"
    path.write_text(
        "experiments:\n- {name: a, provider: lemonade, model: m, parameters: {host: box, port: 1, top_k: 4}}\n"
    )
    (only,) = read_config(path).experiments
    assert (only.spec.endpoint.base_url, only.spec.extra, only.local) == ("http://box:1/api/v1", {"top_k": 4}, True)
    path.write_text("experiments: [\n")
    with pytest.raises(UsageError, match=r"models\.yaml:2:1: this is not YAML"):
        read_config(path)


def test_a_sample_configuration_can_be_read_and_is_not_written_over(command):
    result = command(Answering(), "experiment", "--create-sample-config", "models.json")
    assert result.exit_code == 0, result.output
    assert len(read_config(Path("models.json")).experiments) == 6
    result = command(Answering(), "experiment", "--create-sample-config", "models.json")
    assert result.exit_code == 2
    assert "is there already" in result.output


def test_a_configuration_for_ground_truth(command, truth):
    source = "output/groundtruth/consolidated_qa_groundtruth.json"
    result = command(Answering(), "experiment", "--create-config-from-groundtruth", source)
    assert result.exit_code == 0, result.output
    found = read_config(Path("output/groundtruth/consolidated_qa_groundtruth.config.json"))
    assert {each.kind for each in found.experiments} == {"qa"}


def test_with_nothing_to_ask_about_it_says_what_to_do(command):
    result = command(Answering(), "experiment", "-c", write(config("good-1")))
    assert result.exit_code == 2
    assert "make them with pytest-evals generate and groundtruth" in result.output
    result = command(Answering(), "experiment")
    assert "name a configuration with -c" in result.output


def test_files_of_another_tool_are_read(shapes):
    for path in sorted((shapes / "experiments").rglob("*.experiment.json")):
        found = read_experiment(path)
        assert found.rows
        assert items_of(found) == {}
    with pytest.raises(UsageError, match="is no file of an experiment"):
        read_experiment(shapes / "config_qa.json")


@pytest.mark.parametrize(
    "heading", ["# {}", "## {}", "### {}:", "**{}**", "**{}**:", "**{}:**", "{}:", "#{}", "  # {}"]
)
def test_sections_are_found_by_their_headings(heading):
    styles = [STYLES["executive"], STYLES["action_items"]]
    text = "\n".join(
        [
            "I begin.",
            heading.format("Executive Summary"),
            "We ship.",
            "",
            heading.format("ACTION_ITEMS"),
            "- Ben: paging",
        ]
    )
    found, missing = take_apart(text, styles)
    assert (found, missing) == ({"executive_summary": "We ship.", "action_items": "- Ben: paging"}, [])


def test_words_of_a_sentence_are_no_heading():
    styles = [STYLES["executive"], STYLES["action_items"]]
    found, missing = take_apart("# executive_summary\nAction items were agreed.\nParticipants left.", styles)
    assert found == {"executive_summary": "Action items were agreed.\nParticipants left."}
    assert missing == ["action_items"]


def test_parameters_in_the_names_of_models():
    names = ("Qwen3-0.6B-GGUF", "Qwen3-30B-A3B-Instruct", "llama3.2:3b", "claude-haiku-4-5", "gpt-oss-20b-GGUF")
    assert [parameter_count(name) for name in names] == [0.6, 30, 3, None, 20]
