"""``sql_valid``: whether an answer is SQL, by the grammar of sqlglot."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.place import did_you_mean
from ..model.score import Score
from ..model.text import one_line
from .builtin import Asked, count, define, named
from .syntax import EXTRACT_CODE, code, fence_hint

EXTRA = "needs the sqlglot package: pip install 'pytest-evals-suite[sql]'"

# sqlglot also reads an expression on its own: two words are a column and its alias
_STATEMENTS = (
    *("Query", "DML", "DDL", "Insert", "Update", "Delete", "Merge", "Create"),
    *("Values", "Drop", "Alter", "AlterRename", "TruncateTable", "Comment", "Grant", "Revoke"),
    *("Set", "Use", "Pragma", "Describe", "Summarize", "Show", "Analyze", "Command", "Kill", "Execute", "Declare"),
    *("Transaction", "Commit", "Rollback", "LoadData", "Export", "Attach", "Detach", "Cache", "Uncache", "Refresh"),
)


def sql_valid(asked: Asked) -> Score:
    try:
        import sqlglot
        from sqlglot import exp
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "sqlglot":
            raise
        raise ScorerError(f"sql_valid {EXTRA}") from None

    text = code(asked, "sql")
    if not text:
        return Score(False, "the answer is empty")
    try:
        with _quiet():
            statements = sqlglot.parse(text, dialect=asked.options["dialect"], error_level=sqlglot.ErrorLevel.IMMEDIATE)
    except sqlglot.errors.ParseError as error:
        first: dict[str, Any] = error.errors[0] if error.errors else {}
        place = f" at line {first['line']}, column {first['col']}" if first.get("line") else ""
        near = f", near '{one_line(first['highlight'], 30)}'" if first.get("highlight") else ""
        problem = one_line(str(first.get("description") or error).rstrip("."), 120)
        return Score(False, f"not SQL: {problem}{place}{near}{fence_hint(asked, 'sql')}")
    except sqlglot.errors.SqlglotError as error:
        return Score(False, f"not SQL: {one_line(str(error), 120)}{fence_hint(asked, 'sql')}")
    except (RecursionError, ValueError):
        return Score(False, "not SQL: it is nested too deep, or holds a number that is too long")
    known = tuple(getattr(exp, name) for name in _STATEMENTS if hasattr(exp, name))
    found = [
        statement for statement in statements if statement is not None and not isinstance(statement, exp.Semicolon)
    ]
    if not found:
        return Score(False, "there is no statement in it")
    odd = next((statement for statement in found if not isinstance(statement, known)), None)
    if odd is not None:
        return Score(False, f"no statement of SQL{fence_hint(asked, 'sql')}")
    if asked.options["single"] and len(found) > 1:
        return Score(False, f"{len(found)} statements where one is asked for", {"statements": len(found)})
    kinds = [statement.key.upper() for statement in found]
    told = f"{kinds[0]} statement" if len(found) == 1 else count(len(found), "statement")
    return Score(True, f"SQL: {told}", {"statements": len(found), "kinds": kinds[:50]})


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep sqlglot from logging what of an answer it reads only in part."""
    logger = logging.getLogger("sqlglot")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _check(options: Mapping[str, Any]) -> Sequence[str]:
    if find_spec("sqlglot") is None:
        return [EXTRA]
    dialect = options.get("dialect")
    if dialect is None:
        return []
    from sqlglot import Dialect

    known = sorted(name for name in Dialect.classes if name)
    if dialect in known:
        return []
    return [f"unknown dialect {dialect!r}{did_you_mean(dialect, known) or '; there are ' + ', '.join(known)}"]


SCORERS = named(
    define(
        "sql_valid",
        sql_valid,
        Option("dialect", "text", "The dialect, such as `postgres`, `sqlite`, `mysql`; default: what most have."),
        EXTRACT_CODE,
        Option("single", "boolean", "Whether it must be one statement.", default=False),
        graded=False,
        main="dialect",
        check=_check,
    ),
)
