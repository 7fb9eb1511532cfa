"""Making one evaluation of its shards: everything is computed again from their results, nothing is called."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EvalsError, UsageError
from ..model.codec import result_to_json
from ..model.comparison import Comparison, Key, Side
from ..model.gate import Gate
from ..model.gate_grammar import parse_gate
from ..model.run import SessionResult, SuiteCount
from ..stats import pair_variants, summarize
from ..stats.decide import ScopedCase, decide
from ..stats.status import errors_of, exit_status
from .shardfile import PlaceOf, ShardFacts, place_from, read_facts, read_results

if TYPE_CHECKING:
    from ..model.gate import Verdict
    from ..model.result import CaseRow
    from ..store.location import Location
    from .spool import Spool

_NAMED = 5
"""So many missing shards or cases are named."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a merge is asked for besides what the shards say."""

    gates: Sequence[str] = ()
    baseline: str | None = None
    allow_missing: bool = False
    folder: Path = Path()
    """Where the paths of baseline files start."""


class Shards:
    """The files of all shards of one evaluation, in the order of their numbers."""

    def __init__(self, known: Mapping[Path, ShardFacts]) -> None:
        self.files = dict(sorted(known.items(), key=lambda item: item[1].index))
        self.facts = list(self.files.values())

    @classmethod
    def read(cls, paths: Iterable[Path]) -> Shards:
        """Read what they say of themselves.

        Raises ``UsageError``, which names the files, when one is none, is there twice, does not belong to the others,
        or is missing.
        """
        known: dict[Path, ShardFacts] = {}
        for path in paths:
            facts = read_facts(path)
            for other, theirs in known.items():
                _check_together(path, facts, other, theirs)
            known[path] = facts
        of = next(iter(known.values())).of
        missing = [f"{n}/{of}" for n in range(1, of + 1) if n not in {facts.index for facts in known.values()}]
        if missing:
            more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
            are = "shards are" if len(missing) > 1 else "shard is"
            raise UsageError(
                f"the {are} not complete: there is no file of {', '.join(missing[:_NAMED])}{more}; "
                "run what is missing, and merge all of them"
            )
        return cls(known)

    @property
    def session_id(self) -> str:
        """The same for the same shards, so that merging them twice stores one run."""
        return hashlib.sha256("\0".join(facts.session_id for facts in self.facts).encode()).hexdigest()[:32]

    @property
    def started_at(self) -> str:
        return min(facts.started_at for facts in self.facts)

    def suites(self) -> list[SuiteCount]:
        """The suites, with what was selected in all shards together."""
        return [
            SuiteCount(
                each[0]["name"],
                each[0]["path"],
                max(suite["defined"] for suite in each),
                sum(suite["selected"] for suite in each),
                each[0]["variants"],
            )
            for each in zip(*(facts.suites for facts in self.facts), strict=True)
        ]

    def gates(self, more: Sequence[str]) -> list[Gate]:
        """Those of the suites, those that the sessions were given, and further ones."""
        found = [
            parse_gate(gate["text"], suite=suite["name"], place=place_from(gate["place"]))
            for suite in self.facts[0].suites
            for gate in suite["gates"]
        ]
        return found + [parse_gate(text) for text in dict.fromkeys([*self.facts[0].gates, *more])]

    def take(self, spool: Spool) -> Rows:
        """Read all results into the spool. Raises ``UsageError`` for a damaged file, or a case of two shards."""
        from ..report.rows import row_of

        rows: dict[Key, tuple[PlaceOf, CaseRow]] = {}
        definitions: dict[Key, str] = {}
        files: dict[Key, Path] = {}
        for path in self.files:
            for place, result in read_results(path):
                if result.key in rows:
                    name = f"{result.suite}::{result.case_id}" + (f"[{result.variant}]" if result.variant else "")
                    raise UsageError(f"{path}: case {name} is in {files[result.key]}, too")
                spool.append(result_to_json(result), result)
                rows[result.key] = (place, row_of(result))
                definitions[result.key] = result.definition_sha256
                files[result.key] = path
        return Rows([row for _, row in sorted(rows.values(), key=lambda placed: placed[0])], definitions)


@dataclass(frozen=True, slots=True)
class Rows:
    """All results of the shards as aggregates need them."""

    rows: Sequence[CaseRow]
    """In the order of the files."""
    definitions: Mapping[Key, str]


def _check_together(path: Path, facts: ShardFacts, other: Path, theirs: ShardFacts) -> None:
    if facts.of != theirs.of:
        raise UsageError(f"{path} is shard {facts.name}, {other} is {theirs.name}: they are not of one evaluation")
    if facts.index == theirs.index:
        raise UsageError(f"{path} and {other} are both shard {facts.name}; give one of them")
    for about in {**theirs.same, **facts.same}:
        mine, known = facts.same.get(about), theirs.same.get(about)
        if mine == known:
            continue
        what = about
        if about == "suites" and isinstance(mine, Mapping) and isinstance(known, Mapping):
            different = next(name for name in {**known, **mine} if mine.get(name) != known.get(name))
            what = f"suite {different}"
        raise UsageError(
            f"{path} and {other} are not of one evaluation: the {what} differs; "
            "run all shards with the same files and options"
        )


def merged(shards: Shards, found: Rows, location: Location | None, wishes: Wishes) -> SessionResult:
    """The evaluation as one session would have ended, gates decided and exit status included."""
    from ..store.times import seconds_between
    from .judgetrustfile import calibrations_for

    first, rows = shards.facts[0], found.rows
    stopped = "; ".join(f"shard {facts.name}: {facts.stopped}" for facts in shards.facts if facts.stopped)
    not_run = [case for facts in shards.facts for case in facts.not_run]
    deselected = [case for facts in shards.facts for case in facts.deselected]
    comparison, no_baseline = _compare(shards, found, [*not_run, *deselected], location, wishes, stopped)
    gates = shards.gates(wishes.gates)
    verdicts = decide(
        gates,
        rows,
        not_run=map(_scoped, not_run),
        deselected=map(_scoped, deselected),
        stopped=stopped,
        comparison=comparison,
        no_baseline=no_baseline,
        calibrations=calibrations_for(gates, location),
    )
    finished = max(facts.finished_at for facts in shards.facts)
    return SessionResult(
        session_id=shards.session_id,
        started_at=shards.started_at,
        finished_at=finished,
        duration_s=seconds_between(shards.started_at, finished),
        rows=rows,
        suites=shards.suites(),
        summary=summarize(rows),
        verdicts=verdicts,
        not_run=[case["node_id"] for case in not_run],
        exit_status=_exit_status(shards.facts, rows, [verdict.verdict for verdict in verdicts], len(not_run)),
        stopped=stopped,
        params={**first.params, "shards": first.of},
        comparison=comparison,
        no_baseline=no_baseline,
        selection=first.selection,
        pairs=pair_variants(rows),
    )


def _exit_status(facts: Sequence[ShardFacts], rows: Sequence[CaseRow], verdicts: Sequence[Verdict], never: int) -> int:
    share = facts[0].max_error_share
    errors = errors_of(rows, share)
    return exit_status(
        _of_pytest([each.pytest_status for each in facts]),
        failed_outright=any(each.failed_outright for each in facts) or errors.inside,
        broken_gates=sum(verdict == "broken" for verdict in verdicts),
        undecided_gates=sum(verdict == "undecided" for verdict in verdicts),
        outside_errors=errors.beyond,
        cases=errors.ran,
        tolerated_share=share,
        not_run=never,
        budget_spent=any(each.budget_spent for each in facts),
        unreadable_suite=any(each.unreadable_suite for each in facts),
        stopped_at_failures=all(each.stopped_at_failures for each in facts if each.pytest_status == INTERRUPTED),
    )


INTERRUPTED = 2
NOTHING = 5
"""pytest's status when no test was selected."""


def _of_pytest(statuses: Sequence[int]) -> int:
    """The status that pytest would have had for all of it."""
    if all(status == NOTHING for status in statuses):
        return NOTHING
    told = [status for status in statuses if status != NOTHING]
    return max((status for status in told if status > INTERRUPTED), default=max(told))


def _scoped(case: Mapping[str, Any]) -> ScopedCase:
    return ScopedCase(case["suite"], tuple(case["tags"]), case["category"], case["variant_id"])


def _compare(
    shards: Shards,
    found: Rows,
    others: Sequence[Mapping[str, Any]],
    location: Location | None,
    wishes: Wishes,
    stopped: str,
) -> tuple[Comparison | None, str]:
    """The comparison with the baseline, or why there is none."""
    first = shards.facts[0]
    spec = wishes.baseline or first.baseline
    if not spec or not (found.rows or first.suites):
        return None, ""
    from ..stats.compare import compare
    from .comparing import baseline_side

    suites = {suite["name"] for suite in first.suites}
    experiments = [*(first.experiments[name]["name"] for name in suites), *(row.experiment for row in found.rows)]
    try:
        before = baseline_side(
            spec,
            location,
            experiments=experiments,
            suites={*suites, *(row.suite for row in found.rows)},
            folder=wishes.folder,
        )
        ran = {row.key for row in found.rows}
        there = {(case["suite"], case["case_id"], case["variant_id"]) for case in others}
        left_out = [row.key for row in before.rows if row.key not in ran and _name(row) in there]
        after = Side("these shards", found.rows, found.definitions, frozenset(left_out), incomplete=stopped)
        return compare(before, after, allow_missing=wishes.allow_missing or first.allow_missing), ""
    except EvalsError as error:
        return None, f"no baseline: {error}"


def _name(row: CaseRow) -> tuple[str, str, str]:
    return (row.suite, row.case_id, row.variant_id)
