"""A model whose answers depend on what it is asked, with faults that a test plants: behind a server or a client."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from fakellm import Says
from servers import Asked

from pytest_evals.llm.scripted import ScriptedClient
from pytest_evals.model.llm import Reply, Request

WORDS = [
    "amber",
    "bridge",
    "cedar",
    "delta",
    "ember",
    "falcon",
    "garden",
    "harbor",
    "island",
    "jungle",
    "kernel",
    "lantern",
    "meadow",
    "nickel",
    "orchard",
    "pepper",
    "quartz",
    "river",
    "saddle",
    "timber",
    "umbra",
    "velvet",
    "willow",
    "yonder",
    "zephyr",
    "anchor",
    "beacon",
    "copper",
    "dragon",
    "engine",
    "forest",
    "glacier",
    "hammer",
]

Fault = str
"""``short``, ``section``, ``twin``, ``no head``, ``one pair less``, ``broken json``, ``refusal``, ``in fences``."""


class Model:
    """Writes documents, ground truth and answers. ``fault`` says of a question's text what is wrong with the answer.

    With ``once`` it mends the fault when it is asked again.
    """

    def __init__(self, fault: Callable[[str], Fault] = lambda _: "", *, once: bool = False) -> None:
        self.fault = fault
        self.once = once
        self.asked: list[str] = []
        """The first message of each question."""

    def says(self, messages: list[dict[str, Any]]) -> Says:
        """The reply to a conversation."""
        first = str(messages[0]["content"])
        self.asked.append(first)
        again = len(messages) > 1
        fault = "" if again and self.once else self.fault(first)
        if fault == "refusal":
            return Says("", refusal="I will not write that.")
        if "qa_pairs" in first or '"summaries"' in first:
            return Says(self.truth(first, fault))
        last = str(messages[-1]["content"])
        wanted = re.search(r"too short by about (\d+) tokens", last)
        tokens = int(wanted[1]) if wanted else int((re.search(r"about (\d+) tokens", first) or ["", "60"])[1])
        return Says(self.document(first, fault, tokens, more=bool(wanted)))

    def document(self, asked: str, fault: Fault, tokens: int, *, more: bool = False) -> str:
        """A document of the kind that is asked for, no two alike."""
        kind = (
            "e-mail" if "Write an e-mail" in asked else "meeting" if "transcript of a meeting" in asked else "document"
        )
        seed = "" if fault == "twin" else re.sub(r"Write.*?Type:", "", asked, flags=re.DOTALL)
        rng = Random(f"{seed} {more}")
        if fault == "short":
            tokens = tokens // 3
        names = rng.sample(["Ana", "Ben", "Cleo", "Dora", "Emil"], 2)
        lines: list[str] = []
        while sum(map(len, lines)) < tokens * 4:
            line = " ".join(rng.choices(WORDS, k=12)) + "."
            lines.append(f"{names[len(lines) % 2]}: {line}" if kind == "meeting" else line)
        if more:
            return "\n".join(lines)
        heads = {
            "meeting": ["Weekly", "Date: 2026-03-02", f"Participants: {', '.join(names)}", ""],
            "e-mail": ["From: a@example.com", "To: b@example.com", "Subject: news", "Date: 2 March 2026", ""],
            "document": ["# A document", "", "## First part"],
        }
        text = "\n".join([*([] if fault == "no head" else heads[kind]), *lines])
        if fault == "section":
            text += "\n\nAction Items:\n- Ana: everything"
        return f"Here is the text:\n```\n{text}\n```" if fault == "in fences" else text

    def truth(self, asked: str, fault: Fault) -> str:
        """Ground truth of the document in the question."""
        text = asked.rpartition("<document>\n")[2].rpartition("\n</document>")[0]
        lines = [line for line in text.splitlines() if len(line) > 20] or [text]
        count = int((re.search(r"exactly (\d+) entries", asked) or ["", "0"])[1]) - (fault == "one pair less")
        shape = json.loads(asked[asked.index("{\n") : asked.index("\n}\n") + 2])
        for box in shape.values():
            if isinstance(box, dict):
                for name, value in box.items():
                    line = lines[len(name) % len(lines)]
                    box[name] = value if isinstance(value, int) else [line] if isinstance(value, list) else line
        if "summary" in shape:
            shape["summary"] = lines[0]
        if "qa_pairs" in shape:
            shape["qa_pairs"] = [
                {"query": f"What is number {n}?", "response": lines[n % len(lines)], "evidence": lines[n % len(lines)]}
                for n in range(count)
            ]
        said = json.dumps(shape)
        return said[: len(said) // 2] if fault == "broken json" else f"Sure:\n```json\n{said}\n```"

    # -- behind a server, or as a client -----------------------------------------------------------------------------

    def __call__(self, asked: Asked) -> Says:
        """For ``fake_llm(default=…)``: both protocols."""
        messages = [each for each in asked.json["messages"] if each["role"] != "system"]
        return self.says([{**each, "content": _text(each["content"])} for each in messages])

    def client(self) -> ScriptedClient:
        """For ``Clients.given({"fake": …})``."""

        def answer(request: Request) -> Reply:
            said = self.says([{"role": each["role"], "content": _text(each["content"])} for each in request.messages])
            return Reply(said.text, refusal=said.refusal, stop_reason="refusal" if said.refusal else "end")

        return ScriptedClient(answer, local=True)


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
