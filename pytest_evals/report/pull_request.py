"""The Markdown report: for a pull request or a job summary, verdict first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..model.comparison import Change, Comparison
from ..model.result import CaseResult, CaseRow
from ..model.run import SessionResult
from . import comparison as c
from .brief import rerun
from .cases import name_of, ranked, shown_as
from .comparison_markdown import case_rows, metric_lines
from .explain import sign, standing, why
from .figures import figures
from .files import whole_file
from .filling import Part, fill
from .format import count, counted, duration
from .gates import gate_row, ranked_gates
from .markdown import fenced, inline, row
from .markdown_tables import figure_tables
from .registry import Format
from .repeats import as_one
from .text import readable
from .verdict import sentence

MOST_BYTES = 60_000
"""A comment on GitHub may have 65,536 characters."""

MOST_DETAILED = 20
"""Cases of which input and output are shown."""

_EXCERPT = 700
"""Characters of a text in the details of a case."""

_SIGNS = {"failed": "🔴", "passed": "🟢", "inconclusive": "🟡", "incomplete": "🟡", "unknown": "⚪"}


def markdown(session: SessionResult, results: Iterable[CaseResult]) -> str:
    """The session as Markdown that GitHub and GitLab show, of at most 60 kB."""
    rows = ranked(session.rows)
    parts = [
        Part(list(_head(session))),
        *_gates(session),
        *_comparison(session),
        *figure_tables(session),
        *_cases(rows),
        *_details(rows, results),
        *_never_ran(session),
        *_flaky(session),
    ]
    return fill(parts, MOST_BYTES)


def write_markdown(path: Path, session: SessionResult, results: Iterable[CaseResult]) -> None:
    """Write the report. Raises ``OSError``."""
    with whole_file(path) as file:
        file.write(markdown(session, results).encode("utf-8"))


FORMAT = Format("markdown", (".md", ".markdown"), write_markdown)


def _head(session: SessionResult) -> Iterator[str]:
    said = sentence(session)
    facts = ", ".join(said.facts)
    yield f"## {_SIGNS[said.word]} {said.word}: {inline(facts, 300)}"
    yield ""
    if session.stopped:
        yield f"**Interrupted: {inline(session.stopped)}.** What follows is of the cases that were finished."
        yield ""
    suites = ", ".join(inline(suite.name, 60) for suite in session.suites[:5])
    more = f" and {len(session.suites) - 5} more" if len(session.suites) > 5 else ""
    took = f", {duration(session.duration_s * 1000)}"
    yield f"{suites}{more}{took}" if suites else f"took{took[1:]}"
    yield ""
    shown = list(figures(session))
    if shown:
        yield row("figure", "")
        yield row("---", "---")
        for label, parts in shown:
            yield row(inline(label), "; ".join(inline(text, 200) for text, _ in parts))
        yield ""


def _gates(session: SessionResult) -> Iterator[Part]:
    if not session.verdicts:
        return
    several = len({verdict.gate.suite for verdict in session.verdicts}) > 1
    signs = {"broken": "❌", "undecided": "❔", "held": "✅", "not asked": "➖"}
    rows = []
    for verdict in ranked_gates(session.verdicts):
        name, seen, cases, (said, _) = gate_row(verdict, several)
        word = verdict.verdict.value
        rows.append(row(signs.get(word, ""), inline(name), inline(seen), inline(cases), inline(said, 200)))
    head = ["### Gates", "", row("", "gate", "observed", "cases", "verdict")]
    head.append(row("---", "---", "---:", "---:", "---"))
    yield Part(head, rows, [""], ("gate", "gates"), relevance=1)


def _comparison(session: SessionResult) -> Iterator[Part]:
    comparison = session.comparison
    if comparison is None:
        if session.no_baseline:
            yield Part([inline(session.no_baseline, 300), ""])
        return
    word, _ = c.verdict(comparison)
    counts = ", ".join(c.counts(comparison)) or "no case"
    before = inline(comparison.before.label)
    yield Part([f"### Since the baseline: {word}", "", f"{counts}; against {before}", ""])
    yield from _changed(comparison, (Change.BROKEN, Change.ERRORED, Change.FIXED), folded=False)
    yield _folded("The figures before and after", metric_lines(comparison), relevance=3)
    others = tuple(kind for kind in c.LISTED if kind not in (Change.BROKEN, Change.ERRORED, Change.FIXED))
    yield from _changed(comparison, others, folded=True)


def _changed(comparison: Comparison, kinds: Iterable[Change], *, folded: bool) -> Iterator[Part]:
    for kind in kinds:
        found = comparison.of(kind)
        if not found:
            continue
        said = c.LISTED[kind][0] if len(found) > 1 else c.SINGULAR[kind]
        title = f"{kind.value}: {counted(len(found), 'case')} that {said}"
        heads, rows = case_rows(found)
        bad = kind in (Change.BROKEN, Change.ERRORED)
        relevance = 2 if bad else 7 if folded else 4
        yield _listed(
            title, heads, rows, (f"{kind.value} case", f"{kind.value} cases"), relevance, folded=folded or not bad
        )


def _listed(
    title: str, heads: Sequence[str], rows: Sequence[str], noun: tuple[str, str], relevance: int, *, folded: bool = True
) -> Part:
    if not folded:
        return Part([f"**{title}**", "", *heads], rows, [""], noun, relevance)
    start = [f"<details><summary>{title}</summary>", "", *heads]
    return Part(start, rows, ["", "</details>", ""], noun, relevance)


def _folded(title: str, lines: Sequence[str], relevance: int) -> Part:
    return Part([f"<details><summary>{title}</summary>", "", *lines, "", "</details>", ""], relevance=relevance)


def _cases(rows: Sequence[CaseRow]) -> Iterator[Part]:
    if not rows:
        return
    heads = [row("case", "outcome", "why"), row("---", "---", "---")]
    lines = [row(inline(_named(one), 80), shown_as(one), inline(one.headline, 160)) for one in rows]
    title = f"{counted(len(rows), 'case')} did not pass"
    yield _listed(title, heads, lines, ("case that did not pass", "cases that did not pass"), 5, folded=len(rows) > 10)


def _named(one: CaseRow) -> str:
    return f"{one.suite}::{name_of(one)}"


def _details(rows: Sequence[CaseRow], results: Iterable[CaseResult]) -> Iterator[Part]:
    """Input, output and criteria of those that matter most; each folded."""
    wanted = {one.key: number for number, one in enumerate(rows[:MOST_DETAILED])}
    if not wanted:
        return
    found: dict[int, str] = {}
    for result in results:
        if result.key in wanted:
            found[wanted[result.key]] = "\n".join(_case(result))
    if found:
        blocks = [found[number] for number in sorted(found)]
        head = ["<details><summary>Inputs and outputs</summary>", ""]
        yield Part(head, blocks, ["</details>", ""], ("case with its texts", "cases with their texts"), relevance=8)


def _case(result: CaseResult) -> Iterator[str]:
    one = as_one(result)
    bracket = f"[{result.variant}]" if result.variant else ""
    yield f"<details><summary>{inline(f'{result.suite}::{result.case_id}{bracket}', 100)}</summary>"
    yield ""
    if command := rerun(result):
        yield from (*fenced(command, "sh"), "")
    for label, value in (("input", result.input), ("expected", result.expected_output), ("output", one.output)):
        if value is not None:
            shown = readable(value)
            rest = f"\n… ({count(len(shown) - _EXCERPT)} more characters)" if len(shown) > _EXCERPT else ""
            yield from (f"{label}:", "", *fenced(shown[:_EXCERPT] + rest), "")
    for criterion in one.criteria[:_MOST_CRITERIA]:
        said = f"{sign(criterion)} {criterion.name} {standing(criterion)}"
        yield f"- {inline(said)} {inline(why(criterion), 300)}".rstrip()
    if len(one.criteria) > _MOST_CRITERIA:
        yield f"- and {counted(len(one.criteria) - _MOST_CRITERIA, 'more criterion', 'more criteria')}"
    yield from ("", "</details>", "")


_MOST_CRITERIA = 12


def _never_ran(session: SessionResult) -> Iterator[Part]:
    if session.not_run:
        rows = [f"- {inline(node_id, 160)}" for node_id in session.not_run]
        yield _listed(
            f"{counted(len(rows), 'case')} never ran", [], rows, ("case that never ran", "cases that never ran"), 6
        )


def _flaky(session: SessionResult) -> Iterator[Part]:
    rows = [f"- {inline(_named(one), 120)}" for one in session.rows if one.flaky]
    if rows:
        title = f"{counted(len(rows), 'flaky case')}: trials disagree"
        yield _listed(title, [], rows, ("flaky case", "flaky cases"), 6)
