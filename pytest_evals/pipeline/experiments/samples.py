"""Configurations to begin with."""

from __future__ import annotations

from typing import Any

from ..shapes.groundtruth import GroundTruth

_SUMMARY = "You summarise meetings and messages. Keep to what the text says; write only what is asked for."
_ANSWER = "You answer questions about a document. Keep to what it says, and answer in a sentence or two."
_TERSE = "Answer in as few words as possible."

CLOUD, LOCAL = "claude-haiku-5-5", "Qwen3-4B-Instruct-2507-GGUF"


def sample_config() -> dict[str, Any]:
    """Six experiments: a model of a provider and a local one, for summaries and for questions."""

    def one(name: str, llm_type: str, model: str, kind: str, prompt: str, **more: Any) -> dict[str, Any]:
        base = {"name": name, "llm_type": llm_type, "model": model, "experiment_type": kind, "system_prompt": prompt}
        return base | {"max_tokens": 1024} | more

    return {
        "description": "Summaries and answers of two models; take away what you do not need",
        "experiments": [
            one("Claude-Summaries", "claude", CLOUD, "summarization", _SUMMARY, parameters={}),
            one("Claude-Combined", "claude", CLOUD, "summarization", _SUMMARY, parameters={"combined_prompt": True}),
            one("Local-Summaries", "lemonade", LOCAL, "summarization", _SUMMARY, temperature=0.1, parameters={}),
            one("Claude-Answers", "claude", CLOUD, "qa", _ANSWER, parameters={}),
            one("Claude-Terse", "claude", CLOUD, "qa", f"{_ANSWER} {_TERSE}", parameters={}),
            one("Local-Answers", "lemonade", LOCAL, "qa", _ANSWER, temperature=0.1, parameters={}),
        ],
    }


def config_for(truths: list[GroundTruth]) -> dict[str, Any]:
    """Experiments for ground truth: the model that wrote it, and the sample's others, of the kind it is for."""
    pairs = any(truth.pairs for truth in truths) and not any(truth.summaries for truth in truths)
    kind = "qa" if pairs else "summarization"
    sample = [each for each in sample_config()["experiments"] if each["experiment_type"] == kind]
    wrote = next((truth.model for truth in truths if truth.model), "")
    provider, slash, model = wrote.partition("/")
    if slash:
        first = {**sample[0], "name": f"{model}-as-ground-truth", "llm_type": provider, "model": model}
        sample = [first, *(each for each in sample if each["model"] != model)]
    return {"description": f"Models against ground truth for {kind}", "experiments": sample}
