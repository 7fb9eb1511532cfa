"""Texts that break out of careless formats, and sessions full of them."""

from __future__ import annotations

import random

from factories import criterion, error, result, session

from pytest_evals.model.comparison import Side
from pytest_evals.model.response import ToolCall
from pytest_evals.model.result import CaseResult, CriterionResult
from pytest_evals.model.run import SessionResult
from pytest_evals.report.rows import row_of
from pytest_evals.stats.compare import compare

PARTS = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"onmouseover=alert(1) x="', "&amp;&lt;", "</details>",
    "</summary>", "<!--", "]]>", "<pre>", "\x1b[31mred\x1b[0m", "\x00", "\x07", "\x0b", "\x0c", "\x7f", "\x85", "\ufffe",
    "\uffff", "\ud83d", "\udc00", "\U0001f600", "\U00020000", "\u202egnp.exe", "\u2066", "\u200b", "\ufeff", "\u2028",
    "a | b", "\\|", "\\", "`code`", "```", "````", "~~~", "*bold*", "_it_", "# head", "- item", "1. one", "> quote", "---",
    "===", "@everyone", "#12", "[a](http://127.0.0.1/)", "![i](//x)", "http://127.0.0.1/?q", "www.example.com", "$x$",
    "\n", "\r\n", "\r", "\n\n", "\t", "=HYPERLINK(\"http://127.0.0.1\")", "+1", "-2", "@SUM(A1)", "\t=1+1", "'=1", "''",
    '"', '""', ",", ";", "%0A::error::x", "::error file=x::y", "%", "{{ x }}", "${HOME}", "\\u0041", "é", "日本語", "",
)  # fmt: skip


def strings(number: int, seed: int = 12) -> list[str]:
    """So many texts, the same each time: every part alone, then parts together in any order."""
    draw = random.Random(seed)
    made = list(PARTS[:number])
    while len(made) < number:
        made.append("".join(draw.choice(PARTS) for _ in range(draw.randint(2, 6))))
    return made


def case(number: int, text: str) -> CaseResult:
    """A case with the text wherever one may stand; names of suites, variants and criteria are those of ``PARTS``."""
    outcome = ("failed", "errored", "warned", "passed")[number % 4]
    named = text if number < len(PARTS) else ""
    return result(
        outcome,
        f"{number} {text}",
        f"suite {named}",
        node_id=f"evals/x.eval.yaml::{number}",
        name=text,
        category=named or None,
        tags=(named,) if named else (),
        metadata={text: text},
        input=text,
        context=text,
        expected_output=text,
        reference_outputs=(text,),
        output=None if outcome == "errored" else text,
        target=text,
        variant=named,
        variant_id=named,
        error=error("target", text or "none", detail=text) if outcome == "errored" else None,
        criteria=() if outcome == "errored" else (_criterion(named, text),),
        tool_calls=(ToolCall(text, {text: text}),),
        logs={"stdout": text},
        score=0.5,
    )


def _criterion(name: str, text: str) -> CriterionResult:
    return criterion(name or "c", 0.5, 0.7, reason=text, detail={text: text})


def full(texts: list[str]) -> tuple[SessionResult, list[CaseResult]]:
    """A session with a case for each of the texts, compared with a baseline, and interrupted."""
    results = [case(number, text) for number, text in enumerate(texts)]
    rows = [row_of(one) for one in results]
    before = [row_of(result("passed", one.case_id, one.suite, variant=one.variant, score=1.0)) for one in results]
    comparison = compare(Side(texts[0], before), Side(texts[-1], rows))
    stopped, not_run = texts[1], texts[:3]
    return session(rows, exit_status=2, stopped=stopped, not_run=not_run, comparison=comparison), results
