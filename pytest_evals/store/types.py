"""Column types that mean the same on SQLite and PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, TIMESTAMP, Dialect, Text, TypeDecorator
from sqlalchemy.types import TypeEngine

from .times import utc_text


class Json(TypeDecorator[Any]):
    """A JSON value: ASCII text on SQLite, ``JSONB`` on PostgreSQL. ``None`` is NULL, never JSON's null."""

    impl = Text
    cache_ok = True

    def __init__(self, verbatim: bool = False) -> None:
        """``verbatim`` keeps what JSONB refuses, such as the character NUL, in PostgreSQL's plain ``JSON``."""
        super().__init__()
        self.verbatim = verbatim

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            from sqlalchemy.dialects.postgresql import JSONB  # 45 ms that a history in SQLite can do without

            return dialect.type_descriptor(JSON(none_as_null=True) if self.verbatim else JSONB(none_as_null=True))
        return dialect.type_descriptor(Text())

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        if dialect.name == "postgresql":
            return super().bind_processor(dialect)
        return json_text  # in place of a chain of calls: a run of 10,000 cases has 100,000 such values

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        if dialect.name == "postgresql":
            return super().result_processor(dialect, coltype)
        return _from_text


_EMPTY: dict[type[Any], str] = {dict: "{}", list: "[]"}
_encode = json.JSONEncoder(separators=(",", ":")).encode


def json_text(value: Any) -> str | None:
    """The value as compact ASCII JSON; ``None`` stays ``None``."""
    if value is None:
        return None
    if not value and type(value) in _EMPTY:
        return _EMPTY[type(value)]
    return _encode(value)


def _from_text(value: str | None) -> Any:
    return None if value is None else json.loads(value)


class Instant(TypeDecorator[str]):
    """A time: ISO 8601 text in UTC with microseconds in Python and on SQLite, ``TIMESTAMPTZ`` on PostgreSQL."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(TIMESTAMP(timezone=True) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        text = utc_text(value)
        return datetime.fromisoformat(text) if dialect.name == "postgresql" else text

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002  # as the base class
        return None if value is None else utc_text(value)
