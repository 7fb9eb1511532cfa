"""Models for experiments: they answer by what they are asked, well or with planted mistakes."""

from __future__ import annotations

import json
import re
from typing import Any

from fakellm import Fails, Says
from servers import Asked


class Answering:
    """Answers questions and writes summaries of the text it is given; ``bad`` names models that do it badly."""

    def __init__(self, bad: frozenset[str] = frozenset({"bad-1"})) -> None:
        self.bad = bad
        self.asked: list[tuple[str, str]] = []
        """Model and question."""
        self.trouble: dict[str, Fails] = {}
        """What is said instead, by a text in the question."""
        self.leaves_out = ""
        """A section of a combined summary that is left out."""

    def __call__(self, asked: Asked) -> Says | Fails:
        model, text = asked.json["model"], _text(asked.json["messages"][-1])
        self.asked.append((model, text))
        for part, fails in self.trouble.items():
            if part in text:
                return fails
        return Says(self.answer(model, text))

    def answer(self, model: str, text: str) -> str:
        """What the model says."""
        source = (re.search(r"<text>\n(.*?)\n</text>", text, re.DOTALL) or ["", ""])[1]
        question = re.search(r"about the text above: (.*)", text)
        if question:
            return "I do not know." if model in self.bad else _found(source, question[1])
        headings = re.findall(r"^# (\w+)$", text.partition("<text>")[0], re.MULTILINE)
        if headings:
            return "\n".join(
                f"# {name}\n{self._summary(model, source)}" for name in headings if name != self.leaves_out
            )
        return self._summary(model, source)

    def _summary(self, model: str, source: str) -> str:
        return "Somebody said something." if model in self.bad else " / ".join(source.splitlines()[-3:])


def _found(source: str, question: str) -> str:
    """The line of the source that has the most words of the question."""
    words = set(re.findall(r"\w+", question.lower()))
    return max(source.splitlines(), key=lambda line: len(words & set(re.findall(r"\w+", line.lower()))))


def _text(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else json.dumps(content)


def config(*models: str, kind: str = "summarization", **more: Any) -> dict[str, Any]:
    """A configuration with an experiment for each model."""
    parameters = more.pop("parameters", {})
    return {
        "experiments": [
            {"name": f"{model} {kind}", "llm_type": "claude", "model": model, "experiment_type": kind}
            | {"parameters": parameters, **more}
            for model in models
        ]
    }
