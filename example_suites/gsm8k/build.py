"""Builds the four suites and their files of answers from ``model_solutions_200.jsonl``.

    python build.py [FOLDER]        FOLDER: where to write; this one by default

The source holds, for 200 questions, a worked solution and the recorded answers of four models, each with the verdict
of the people who published them (``is_correct``). A suite asks only what its case says: is the number after the last
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

MODELS = {
    "6b_finetuning": ("a finetuned 6B model", 22.5),
    "6b_verification": ("a finetuned 6B model whose answers a verifier ranks", 37.5),
    "175b_finetuning": ("a finetuned 175B model", 32.5),
    "175b_verification": ("a finetuned 175B model whose answers a verifier ranks", 55.0),
}
"""For each model of the source: who answered, and the percentage of right answers it reaches, which the gate holds."""

HEADER = """\
# Built by build.py from model_solutions_200.jsonl (MIT, (c) 2021 OpenAI); edit build.py instead.
suite: gsm8k-{slug}
description: 200 questions of grade school mathematics, answered by {who}
experiment: gsm8k
target: {{responses: answers/{model}.jsonl}}
defaults:
  tags: [gsm8k]
  criteria:
    - numeric: {{pattern: 'A:'}}
gates:
  - pass_rate >= {rate}%
  - errors == 0
cases:
"""


def read_source() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SOURCE.read_text(encoding="utf-8").splitlines()]


def case_id(number: int) -> str:
    """``q001`` for the first question."""
    return f"q{number:03}"


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
    for model, (who, rate) in MODELS.items():
        slug = model.replace("_", "-")
        yield f"gsm8k-{slug}.eval.yaml", HEADER.format(slug=slug, who=who, model=model, rate=rate) + cases
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
