"""The evaluation section of the terminal summary: verdict first, what to do next last."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from ..model.result import CaseRow
from ..model.run import SessionResult
from ..model.summary import Summary
from .cases import case_lines, first_case, remembered
from .comparison import baseline_lines
from .earlier import earlier_lines
from .figures import figure_lines
from .flaky import flaky_lines
from .format import count, counted, duration, percent, rate, score
from .gates import gate_lines
from .lines import Line, Span, line, table
from .text import cells, escape, fit, pad
from .variants import variant_lines
from .verdict import sentence

MAX_LISTED = 10
"""Suites, criteria and cases that are listed; all of them with ``-v``."""


def section(
    session: SessionResult,
    *,
    width: int = 80,
    verbose: int = 0,
    reports: Sequence[str] = (),
    runs: Sequence[str] = (),
    other_tests: int = 0,
    command: str = "pytest",
    prefix: str = "",
) -> list[Line]:
    """What a session came to, in lines of at most ``width`` columns (60 at least).

    ``reports`` are lines about what was written, ``runs`` about what the history keeps. ``other_tests`` is how many
    ordinary tests ran. ``command`` and ``prefix`` (put before node ids) make the suggested commands work where pytest
    was started; without a command nothing is suggested.
    """
    width = max(width, 60)
    blocks: list[list[Line]] = [[_verdict(session, other_tests, width)]]
    blocks.append(figure_lines(session, width) + earlier_lines(session, width, verbose))
    if session.rows:
        blocks.append(_suites(session.summary, width, verbose))
        blocks.append(_criteria(session.summary, width, verbose))
        blocks.append(variant_lines(session, width, verbose))
        blocks.append(_transcripts(session.summary, width))
    if session.verdicts:
        blocks.append(gate_lines(session.verdicts, width, verbose))
    if session.comparison is not None:
        blocks.append(baseline_lines(session.comparison, width, verbose))
    elif session.no_baseline:
        blocks.append([line("  ", (fit(session.no_baseline, width - 2), "yellow"))])
    blocks.append(case_lines(session.rows, width, None if verbose > 0 else MAX_LISTED))
    blocks.append(flaky_lines(session.rows, width, None if verbose > 0 else MAX_LISTED))
    blocks.append(_never_ran(session.not_run, width, verbose))
    blocks.append(_reports(reports))
    blocks.append(list(_next(session.rows, command, prefix)))
    blocks.append(_reports(runs))
    lines: list[Line] = []
    for block in blocks:
        if block:
            lines += [*([line("")] if lines else []), *block]
    return lines


def _verdict(session: SessionResult, other_tests: int, width: int) -> Line:
    word, style, facts = sentence(session, other_tests)
    took = f" ({duration(session.duration_s * 1000)})"
    said = facts[0]
    for fact in facts[1:]:
        if len(word) + len(said) + len(fact) + len(took) + 4 > width:
            break  # the figures below say the rest
        said += f", {fact}"
    return line((word, style), (fit(f": {said}", width - len(word) - len(took)), "bold"), (took, "dim"))


def _suites(summary: Summary, width: int, verbose: int) -> list[Line]:
    if len(summary.by_suite) < 2:
        return []
    # worst first; a suite without a rate comes last
    ranked = sorted(summary.by_suite.items(), key=lambda item: 2.0 if item[1].pass_rate is None else item[1].pass_rate)
    shown = ranked if verbose > 0 else ranked[:MAX_LISTED]
    rows: list[Sequence[str | Span]] = [("suite", "cases", "failed", "missed", "errored", "pass rate", "score")]
    for name, part in shown:
        failed = part.counts.failed - part.missed
        rows.append(
            (
                fit(name, 60),
                count(part.cases),
                _bad(failed, "red"),
                _bad(part.missed, "yellow"),
                _bad(part.counts.errors, "red"),
                percent(part.pass_rate),
                score(part.score.mean, 3),
            )
        )
    return table(rows, width, "lrrrrrr") + _rest(len(ranked) - len(shown), "suite", "no worse than these")


def _criteria(summary: Summary, width: int, verbose: int) -> list[Line]:
    criteria = list(summary.criteria.items())
    if not criteria:
        return []
    if verbose <= 0 and len(criteria) > MAX_LISTED:
        ranked = sorted(criteria, key=lambda item: 2.0 if item[1].pass_rate is None else item[1].pass_rate)
        kept = {name for name, _ in ranked[:MAX_LISTED]}
    else:
        kept = set(summary.criteria)
    rows: list[Sequence[str | Span]] = [("criterion", "n", "mean", "sd", "pass rate", "not scored")]
    for name, part in criteria:
        if name in kept:
            rows.append(
                (
                    fit(name, 60),
                    count(part.score.n),
                    score(part.score.mean, 3),
                    score(part.score.sd, 3),
                    percent(part.pass_rate),
                    _bad(part.unscored, "red"),
                )
            )
    return table(rows, width, "lrrrrr") + _rest(
        len(criteria) - len(kept), "criterion", "no worse than these", plural="criteria"
    )


def _transcripts(summary: Summary, width: int) -> list[Line]:
    """Word error rates of the corpus, with the counts that make them, beside the mean of the cases' own rates."""
    heads = ("word error rate", "corpus", "mean of cases", "words", "sub", "del", "ins")
    rows: list[Sequence[str | Span]] = [heads]
    for name, part in summary.criteria.items():
        if part.transcripts is not None:
            errors = part.transcripts.errors
            numbers = (errors.reference_words, errors.substitutions, errors.deletions, errors.insertions)
            rates = (rate(errors.rate), rate(part.transcripts.rates.mean))
            rows.append((fit(name, 60), (rates[0], "bold"), rates[1], *map(count, numbers)))
    return table(rows, width, "lrrrrrr") if len(rows) > 1 else []


def _bad(number: int, style: str) -> Span:
    return (count(number), style if number else "dim")


def _rest(number: int, noun: str, what: str, plural: str = "") -> list[Line]:
    if not number:
        return []
    more = counted(number, f"more {noun}", f"more {plural or noun + 's'}")
    return [line((f"  and {more}, {what}", "dim"))]


def _never_ran(not_run: Sequence[str], width: int, verbose: int) -> list[Line]:
    if not not_run:
        return []
    shown = not_run if verbose > 0 else not_run[: MAX_LISTED // 2]
    lines = [line((f"  never ran: {counted(len(not_run), 'case')}", "yellow"))]
    lines += [line(f"    {fit(node_id, width - 4)}") for node_id in shown]
    return lines + _rest(len(not_run) - len(shown), "case", "all with -v")


def _reports(reports: Iterable[str]) -> list[Line]:
    return [line(f"  {escape(report)}") for report in reports]


def _next(rows: Sequence[CaseRow], command: str, prefix: str) -> Iterator[Line]:
    if not command or not remembered(rows):
        return
    commands = [(f"{command} --lf", "what did not pass, again")]
    first = first_case(rows)
    if first is not None:
        commands.append((f"{command} {quoted(prefix + first.node_id)}", "one of them alone"))
    # never cut: they are there to be copied
    column = min(max(cells(text) for text, _ in commands), 48)
    yield line(("  next", "dim"))
    for text, what in commands:
        yield line("    ", (pad(text, column), "cyan"), (f"  # {what}", "dim"))


def quoted(argument: str) -> str:
    """The argument as a shell takes it literally, readable where that is possible."""
    if "'" in argument and not set(argument) & set('"$`\\!'):
        return f'"{argument}"'
    return shlex.quote(argument)
