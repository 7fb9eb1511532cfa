"""Three judges whose verdicts were written down beforehand: the example runs without a key, and says the same again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_evals import Request, ScriptedClient

VERDICTS = json.loads((Path(__file__).parent / "verdicts.json").read_text("utf-8"))


def section(text: str, name: str) -> str:
    """What stands in a section of the question; nothing where there is none."""
    found = re.search(rf"<<<\w+ BEGIN {name}>>>\n(.*?)\n<<<\w+ END {name}>>>", text, re.DOTALL)
    return found[1] if found else ""


def judge(number: int) -> ScriptedClient:
    """The judge whose scores stand in this place."""

    def verdict(request: Request) -> dict[str, Any]:
        text = str(request.messages[0]["content"])
        written = VERDICTS[section(text, "ANSWER")]
        names = re.findall(r"^- (\w+)", section(text, "CRITERIA"), re.MULTILINE)
        scores = {name: {"reason": written[name][1], "score": written[name][0][number]} for name in names}
        return scores if len(names) > 1 else scores[names[0]]

    return ScriptedClient(verdict)


@pytest.fixture(scope="session")
def judge_model() -> list[ScriptedClient]:
    return [judge(number) for number in range(3)]
