"""Cases that a stored run says something of: those it missed, those that changed since, those that are flaky."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..model.outcome import Outcome
from ..model.place import did_you_mean

if TYPE_CHECKING:
    from ..model.result import CaseRow
    from ..store.location import Location
    from .selection import Candidate

WORDS = ("failed", "errored", "missed", "changed", "flaky")
"""What can be asked of a run."""

RUNS = 10
"""So many runs are looked at for cases that sometimes pass."""

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class FromRun:
    """The cases to run. In plain types, so that a worker can be told."""

    keys: frozenset[Key]
    known: Mapping[Key, str] | None = None
    """Of every case of the run a hash of what it asked: cases that now ask something else run too, and new ones."""
    source: str = ""

    def __call__(self, one: Candidate) -> bool:
        if one.key in self.keys:
            return True
        return self.known is not None and self.known.get(one.key) != one.case.definition_sha256()

    def plain(self) -> dict[str, Any]:
        known = None if self.known is None else [[*key, sha] for key, sha in self.known.items()]
        return {"keys": sorted(self.keys), "known": known, "source": self.source}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> FromRun:
        known = data["known"]
        return cls(
            frozenset((a, b, c) for a, b, c in data["keys"]),
            None if known is None else {(a, b, c): sha for a, b, c, sha in known},
            data["source"],
        )


def parse_from(text: str, where: str = "--evals-from") -> tuple[str, tuple[str, ...]]:
    """The run and what is asked of it: ``last:main:failed,errored``. Raises ``UsageError``."""
    run, colon, asked = text.rpartition(":")
    words = tuple(word.strip() for word in asked.split(",") if word.strip())
    if not colon or not run.strip() or not words:
        raise UsageError(f"{where}: write RUN:{'|'.join(WORDS)}, such as last:failed")
    for word in words:
        if word not in WORDS:
            near = did_you_mean(word, WORDS) or f"; there are {', '.join(WORDS)}"
            raise UsageError(f"{where}: unknown word {word!r}{near}")
    return run.strip(), words


def from_run(location: Location, text: str) -> FromRun:
    """Look the cases up in the history. The runs of one session are taken together. Raises ``UsageError``."""
    from ..store.connect import reading
    from ..store.flaky import unsteady_cases
    from ..store.results import case_definitions, case_rows
    from ..store.runs import find_run, runs_beside

    spec, words = parse_from(text)
    if location.missing:
        raise UsageError(f"--evals-from: there is no history yet at {location}")
    keys: set[Key] = set()
    known: dict[Key, str] | None = {} if "changed" in words else None
    with reading(location) as connection:
        try:
            run = find_run(connection, spec)
        except UsageError as error:
            raise UsageError(f"--evals-from: {error}") from None
        for each in (run, *runs_beside(connection, run)):
            rows = case_rows(connection, each)
            keys |= _said(rows, words)
            if known is not None:
                known |= dict.fromkeys((row.key for row in rows), "") | case_definitions(connection, each)
            if "flaky" in words:
                keys |= unsteady_cases(connection, each, RUNS)
    return FromRun(frozenset(keys), known, f"{' or '.join(words)} in run {run.uid}")


def _said(rows: Iterable[CaseRow], words: Iterable[str]) -> set[Key]:
    wanted = set(words)
    return {row.key for row in rows if wanted & _words_of(row)}


def _words_of(row: CaseRow) -> set[str]:
    if row.outcome is Outcome.ERRORED:
        found = {"errored"}
    elif row.outcome is Outcome.FAILED and not row.xfail:
        found = {"missed"} if row.gated else {"failed"}
    else:
        found = set()
    return found | {"flaky"} if row.flaky else found
