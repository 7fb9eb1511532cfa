"""Builds the suite and the files of answers of its four variants from ``model_solutions_200.jsonl``.

    python build.py [FOLDER]        FOLDER: where to write; this one by default

The source holds, for 200 questions, a worked solution and the recorded answers of four models, each with the verdict
of the people who published them (``is_correct``). The suite asks only what its case says: is the number after the last
``A:`` of the answer the number after the last ``A:`` of the worked solution? The verdicts are not used here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SOURCE = HERE / "model_solutions_200.jsonl"

MODELS = {"6b_finetuning": 22.5, "6b_verification": 37.5, "175b_finetuning": 32.5, "175b_verification": 55.0}
"""For each model of the source the percentage of right answers it reaches, which a gate holds."""

HEADER = """\
# Built by build.py from model_solutions_200.jsonl (MIT, (c) 2021 OpenAI); edit build.py instead.
suite: gsm8k
description: >-
  200 questions of grade school mathematics, answered by models of 6B and 175B, finetuned alone and with a verifier that
  ranks their answers
experiment: gsm8k
variants:
{variants}
defaults:
  tags: [gsm8k]
  criteria:
    - numeric: {{pattern: 'A:'}}
gates:
{gates}
  - errors == 0
cases:
"""


def read_source() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SOURCE.read_text(encoding="utf-8").splitlines()]


def case_id(number: int) -> str:
    """``q001`` for the first question."""
    return f"q{number:03}"


def slug(model: str) -> str:
    """``6b-finetuning`` for ``6b_finetuning``."""
    return model.replace("_", "-")


def final_number(solution: str) -> str:
    """What follows the last ``A:`` of a worked solution."""
    return solution.rsplit("A:", 1)[1].strip()


def files() -> Iterator[tuple[str, str]]:
    """Each file to write: its path within the folder, and its text."""
    rows = list(enumerate(read_source(), start=1))
    # a JSON text is a double-quoted YAML scalar too, as long as it holds no control character
    cases = "".join(
        f"  - id: {case_id(number)}\n"
        f"    input: {json.dumps(row['question'], ensure_ascii=False)}\n"
        f"    expected_output: {json.dumps(final_number(row['ground_truth']))}\n"
        for number, row in rows
    )
    variants = "\n".join(f"  - {{id: {slug(model)}, target: {{responses: answers/{model}.jsonl}}}}" for model in MODELS)
    gates = "\n".join(f"  - pass_rate(variant={slug(model)}) >= {rate}%" for model, rate in MODELS.items())
    yield "gsm8k.eval.yaml", HEADER.format(variants=variants, gates=gates) + cases
    for model in MODELS:
        answers = ({"id": case_id(number), "output": row[model]["solution"]} for number, row in rows)
        yield (
            f"answers/{model}.jsonl",
            "".join(json.dumps(answer, ensure_ascii=False) + "\n" for answer in answers),
        )


def main(folder: Path = HERE) -> None:
    for name, text in files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
