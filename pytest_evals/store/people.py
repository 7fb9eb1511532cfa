"""What people say of results: verdicts and notes beside the automatic ones, which they never change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Select, exists, insert, select, update

from ..errors import UsageError
from . import tables as t
from .rows import clean
from .times import now, utc_text
from .values import StoredRun

Said = Literal["pass", "fail"]

LONGEST_NOTE = 10_000
"""Characters."""
LONGEST_NAME = 200

_HUMAN = t.human_verdicts.c
_CASE = t.case_runs.c


@dataclass(frozen=True, slots=True)
class HumanVerdict:
    """What a person said of a result."""

    id: int
    case_run_id: int
    criterion: str
    """Empty: of the result as a whole."""
    verdict: Said | None
    """``None`` for a note alone."""
    note: str
    author: str
    created_at: str
    undone_at: str | None
    """When it was taken back; ``None`` while it holds."""

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Label:
    """A person's verdict on a case of a run, with what the run itself found."""

    run: str
    suite: str
    case: str
    variant: str
    criterion: str
    verdict: Said
    note: str
    author: str
    time: str
    input: Any
    answer: str | None
    automatic: str
    """The outcome of the result; of a criterion passed, failed, error or scored."""
    score: float | None

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return asdict(self)


def add_verdict(
    connection: Connection, result: int, *, verdict: Said | None, author: str, criterion: str = "", note: str = ""
) -> HumanVerdict:
    """Keep what a person says of a result, by its number.

    Raises ``UsageError`` for a result or criterion that is not there, and for a verdict that says nothing.
    """
    note, author = clean(note.strip()), clean(author.strip())
    if verdict not in ("pass", "fail", None):
        raise UsageError(f"a verdict is pass or fail, not {str(verdict)[:40]!r}")
    if verdict is None and not note:
        raise UsageError("say pass or fail, or write a note")
    if not author:
        raise UsageError("a verdict needs the name of who gives it")
    if len(note) > LONGEST_NOTE or len(author) > LONGEST_NAME:
        raise UsageError(f"a note has at most {LONGEST_NOTE:,} characters, a name {LONGEST_NAME}")
    if not connection.execute(select(exists().where(_CASE.id == result))).scalar():
        raise UsageError(f"there is no result {result}")
    if criterion and criterion not in _criteria(connection, result):
        raise UsageError(f"result {result} has no criterion {criterion[:80]!r}")
    values = {"case_run_id": result, "criterion": criterion, "verdict": verdict, "note": note, "author": author}
    made = connection.execute(
        insert(t.human_verdicts).returning(_HUMAN.id), {**values, "created_at": now(), "undone_at": None}
    )
    return _one(connection, made.scalar_one())


def undo_verdict(connection: Connection, number: int, *, undone: bool = True) -> HumanVerdict:
    """Take a verdict back, by its own number, or let it hold again. Raises ``UsageError`` when there is none."""
    values = {"undone_at": now() if undone else None}
    if connection.execute(update(t.human_verdicts).where(_HUMAN.id == number).values(values)).rowcount == 0:
        raise UsageError(f"there is no verdict {number}")
    return _one(connection, number)


def verdicts_of_result(connection: Connection, result: int) -> list[HumanVerdict]:
    """All that was said of a result, the newest first, what was taken back included."""
    return _verdicts(connection, _rows().where(_HUMAN.case_run_id == result).order_by(_HUMAN.id.desc()))


def standing_verdicts(connection: Connection, run: StoredRun) -> dict[int, Said]:
    """The verdicts on results of a run as a whole that count: by the number of the result, the newest that holds."""
    query = (
        select(_HUMAN.case_run_id, _HUMAN.verdict)
        .join(t.case_runs, _CASE.id == _HUMAN.case_run_id)
        .where(_CASE.run_id == run.id, _HUMAN.criterion == "", _HUMAN.verdict.is_not(None), _HUMAN.undone_at.is_(None))
        .order_by(_HUMAN.id)
    )
    return {row.case_run_id: row.verdict for row in connection.execute(query)}


def labels(connection: Connection, run: StoredRun) -> list[Label]:
    """The verdicts that count, the newest of each criterion, in the order of the files: to calibrate a judge with."""
    query = (
        select(
            t.human_verdicts,
            *(_CASE[name] for name in ("seq", "eval", "case_name", "variant", "outcome", "input")),
            _CASE.score.label("case_score"),
        )
        .join(t.case_runs, _CASE.id == _HUMAN.case_run_id)
        .where(_CASE.run_id == run.id, _HUMAN.verdict.is_not(None), _HUMAN.undone_at.is_(None))
        .order_by(_CASE.seq, _HUMAN.id)
    )
    newest: dict[tuple[int, str], Mapping[Any, Any]] = {}
    for row in connection.execute(query).mappings():
        newest[row["case_run_id"], row["criterion"]] = row
    return [_label(connection, run, row) for row in newest.values()]


def _label(connection: Connection, run: StoredRun, row: Mapping[Any, Any]) -> Label:
    automatic, score = row["outcome"], row["case_score"]
    if row["criterion"]:
        state, passed, score = _criteria(connection, row["case_run_id"])[row["criterion"]]
        automatic = state if passed is None else "passed" if passed else "failed"
    meta = t.checked_case_meta if run.type == "checked" else t.judged_case_meta
    answer = connection.execute(select(meta.c.answer).where(meta.c.case_run_id == row["case_run_id"])).scalar()
    return Label(
        run.uid,
        row["eval"],
        row["case_name"],
        row["variant"],
        row["criterion"],
        row["verdict"],
        row["note"],
        row["author"],
        utc_text(row["created_at"]),
        row["input"],
        answer,
        automatic,
        score,
    )


def _criteria(connection: Connection, result: int) -> dict[str, tuple[str, int | None, float | None]]:
    c = t.case_scores.c
    rows = connection.execute(select(c.name, c.state, c.passed, c.score).where(c.case_run_id == result))
    return {row.name: (row.state, row.passed, row.score) for row in rows}


def _rows() -> Select[Any]:
    return select(t.human_verdicts)


def _verdicts(connection: Connection, query: Select[Any]) -> list[HumanVerdict]:
    return [HumanVerdict(**dict(row)) for row in connection.execute(query).mappings()]


def _one(connection: Connection, number: int) -> HumanVerdict:
    return _verdicts(connection, _rows().where(_HUMAN.id == number))[0]
