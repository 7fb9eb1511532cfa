"""Texts that want to be more than text: shown, never executed, and never the end of the page."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import cycle
from urllib.parse import urlencode

from factories import criterion, error, result
from hostile import PARTS as HOSTILE
from reportsessions import of

from pytest_evals.model.response import ToolCall
from pytest_evals.model.run import TrendPoint
from pytest_evals.report.text import escape

ACTIVE = (
    "<script>window.hit = 1</script>",
    "</script><script>window.hit = 1</script>",
    "<img src=x onerror='window.hit = 1'>",
    "<svg onload=window.hit=1>",
    "<![CDATA[",
    "javascript:window.hit=1",
    '" onmouseover="window.hit=1',
    "' autofocus onfocus='window.hit=1",
    "${window.hit = 1}",
    "&#60;",
    "<b>x</b>",
    "<iframe src=http://127.0.0.1:1/>",
    "<link rel=stylesheet href=http://127.0.0.1:1/x.css>",
    "<style>*{display:none}</style>",
    "<base href=http://127.0.0.1:1/>",
    "@import url(http://127.0.0.1:1/)",
    "e\u0301\u0327" * 5,
    "__proto__",
    "constructor",
    "%00%3Cscript%3E",
)
"""What a browser would act on."""

PARTS = (*ACTIVE, *HOSTILE)


def strings(number: int) -> list[str]:
    """So many texts: each part alone, then up to four of them together."""
    chance = random.Random(12)
    made = ["".join(chance.choices(PARTS, k=chance.randint(1, 4))) for _ in range(number - len(PARTS))]
    return [*PARTS, *json.loads(json.dumps(made))]  # two halves of a pair that met are one character


def hostile(cases: int, texts: list[str]):
    """So many cases, into which all the texts are put in turn."""
    turn = cycle(texts)

    def text() -> str:
        return next(turn)

    results = [
        result(
            ("passed", "failed", "errored", "skipped")[n % 4],
            f"{n} {text()}",
            f"suite {text()}" if n % 50 == 0 else "bot",
            name=text(),
            category=text(),
            tags=(text(), "tag"),
            variant=text() if n % 3 == 0 else "",
            variant_id=text() if n % 3 == 0 else "",
            input=text(),
            context=text(),
            expected_output=f"expected {text()}",
            output=f"answer {text()}",
            reference_outputs=(text(),),
            metadata={text(): text()},
            node_id=f"x.eval.yaml::{text()}",
            source=f"{text()}:7",
            target=text(),
            criteria=(criterion(text() or "c", 0.5, 0.7, reason=text(), detail={text(): text()}),),
            tool_calls=(ToolCall(text(), {text(): text()}),),
            error=error("target", text(), detail=text()) if n % 4 == 2 else None,
            skip_reason=text(),
            logs={"stdout": text(), "log": text()},
        )
        for n in range(cases)
    ]
    trend = [
        TrendPoint("r", text(), "checked", "2026-01-01", name=text(), branch=text(), pass_rate=rate)
        for rate in (0.5, 1)
    ]
    told = {"session_id": "<b>", "stopped": "<i>", "not_run": list(PARTS), "params": {"a": PARTS[1]}}
    return of(results, trend=[replace(point, experiment=trend[0].experiment) for point in trend], **told)


def test_two_thousand_hostile_texts_are_shown_and_do_nothing(show):
    session, results = hostile(120, strings(2000))
    shown = show(session, results)
    page = shown.page
    assert page.locator("script, style, iframe, img, link[rel=stylesheet], base").count() == page.evaluate(
        "document.querySelectorAll('script, style').length"
    )
    for address in ("#cases", "#variants", "#overview"):
        page.evaluate(f"location.hash = '{address}'")
        page.wait_for_timeout(30)
    opened = [
        escape(f"{one.suite}::{one.case_id}") + (escape(f"[{one.variant}]") if one.variant else "") for one in results
    ]
    shown.open("#cases?" + urlencode([("open", key) for key in opened]))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # paper gets all of them, open
    page.wait_for_function("() => document.querySelectorAll('article.case').length === 120")
    assert page.evaluate("window.hit") is None
    assert (
        page.evaluate("document.querySelectorAll('b, i, img, iframe, svg[onload], [onmouseover], [onfocus]').length")
        == 0
    )


def test_what_was_typed_is_what_is_shown(show):
    typed = '<b>x</b>"onmouseover=alert(1) &amp;&lt; <pre>'
    shown = show(*of([result("failed", typed, input=typed, output="\x1b[31mred \u202e \ud800", error=None)]), "#cases")
    assert shown.shows(typed)
    case = shown.toggle()
    assert typed in case.inner_text()
    assert "\\x1b[31mred \\u202e \\ud800" in case.inner_text()
    shown.page.get_by_role("searchbox").fill("&amp;&lt;")
    assert shown.shows(typed)


def test_an_answer_of_five_megabytes_is_cut_and_says_so(show):
    shown = show(*of([result("failed", "huge", output="0123456789" * 500_000), result("passed", "next")]), "#cases")
    assert shown.path.stat().st_size < 300_000
    case = shown.toggle()
    assert "4,900,000 more characters are not in this report" in case.inner_text()
    assert shown.page.locator("article.case .box").nth(1).bounding_box()["height"] < 400
