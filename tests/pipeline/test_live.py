"""The pipeline with a real model, if its packages are installed (`make live`). Its words are not held to."""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from click.testing import CliRunner

from pytest_evals.cli import main

from .conftest import load

SPEC = spec_from_file_location("serve_pipeline", Path(__file__).parents[2] / "example_suites" / "live" / "serve.py")
assert SPEC is not None
assert SPEC.loader is not None
serve = module_from_spec(SPEC)
SPEC.loader.exec_module(serve)

pytestmark = pytest.mark.skipif(bool(serve.missing()), reason=f"{serve.missing()} is not installed: make live")


def test_a_small_model_writes_a_document_with_its_tokens_counted(monkeypatch):
    running = serve.server()
    try:
        monkeypatch.setenv("LLAMACPP_BASE_URL", running.__enter__())
    except SystemExit as error:
        pytest.skip(str(error))
    words = ["--model", "llamacpp/smollm2-135m", "--max-tokens", "120", "--temperature", "0"]
    try:
        result = CliRunner().invoke(
            main, ["generate", "documents", "-t", "user_manual", "--target-tokens", "40", *words]
        )
        folder = Path("output/test_data/documents")
        assert result.exit_code == 0, result.output
        (entry,) = load(folder / "document_metadata.json")["documents"]
        assert entry["claude_usage"]["input_tokens"] > 50
        assert 0 < entry["claude_usage"]["output_tokens"] <= 240
        assert entry["claude_cost"]["total_cost"] == 0
        # it is too small to write JSON: what comes back is ground truth, or a line that says what is wrong
        result = CliRunner().invoke(main, ["groundtruth", str(folder), "-u", "rag", "-n", "1", *words])
        assert result.exit_code in (0, 1), result.output
        made = Path("output/groundtruth/user_manual_document.rag.groundtruth.json").exists()
        assert made is (result.exit_code == 0)
        assert made or "was asked twice, but its reply cannot be used" in result.stderr
        assert "$0.00" in result.stdout
    finally:
        running.__exit__(*sys.exc_info())


def test_a_small_model_is_put_to_the_test_and_judges(monkeypatch):
    running = serve.server()
    try:
        monkeypatch.setenv("LLAMACPP_BASE_URL", running.__enter__())
    except SystemExit as error:
        pytest.skip(str(error))
    Path("notes.txt").write_text("Ana: the export is done by Monday.\nBen: the login is done by Friday.\n")
    experiment = {"name": "small", "llm_type": "llamacpp", "model": "smollm2-135m", "experiment_type": "qa"}
    content = {"experiments": [experiment | {"max_tokens": 40, "temperature": 0}], "qa_config": {"num_qa_pairs": 1}}
    Path("models.json").write_text(json.dumps(content))
    try:
        result = CliRunner().invoke(main, ["experiment", "-c", "models.json", "-i", "notes.txt"])
        assert result.exit_code == 0, result.output
        metadata = load("output/experiments/small.experiment.json")["metadata"]
        assert metadata["inference_type"] == "local"
        assert metadata["total_usage"]["input_tokens"] > 20
        assert 0 < metadata["total_usage"]["output_tokens"] <= 40
        assert metadata["timing"]["total_experiment_time_seconds"] > 0
        words = ["--model", "llamacpp/smollm2-135m", "--max-tokens", "120", "--temperature", "0", "--no-overview"]
        result = CliRunner().invoke(main, ["eval", *words])
        # its verdict may be no verdict: then that is an error with the reply kept, and no rating
        assert result.exit_code in (0, 1, 75), result.output
        (item,) = load("output/evaluations/small.experiment.eval.json")["per_question"]
        assert bool(item.get("error")) is (result.exit_code != 0)
        result = CliRunner().invoke(main, ["report", "-o", "-"])
        assert "| smollm2-135m | local | 1" in result.stdout
        assert "| free |" in result.stdout
    finally:
        running.__exit__(*sys.exc_info())
