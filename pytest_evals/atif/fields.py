"""The fields of the format's objects, and what each may hold. A table, and the few kinds of values in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..model.place import did_you_mean
from ..model.text import one_line
from .findings import Findings
from .values import is_list, kind_of, number_of, whole_of

Check = Callable[[Any, str, Findings], None]
"""Looks at a value that is there and not null."""


@dataclass(frozen=True, slots=True)
class Field:
    """What a field may hold."""

    check: Check
    required: bool = False


def check_object(value: Any, fields: Mapping[str, Field], path: str, found: Findings, what: str) -> bool:
    """Hold an object against its fields: required ones, unknown ones, their values; whether it is an object."""
    if not isinstance(value, Mapping):
        found.error(path, f"{what} must be an object, not {kind_of(value)}")
        return False
    for name, field in fields.items():
        given = value.get(name)
        if given is not None:
            field.check(given, f"{path}.{name}", found)
        elif field.required:
            found.error(f"{path}.{name}", "must not be null" if name in value else f"missing; {what} needs it")
    for name in value:
        if name not in fields:
            shown = one_line(name, 40)
            found.error(f"{path}.{shown}", f"no field of {what}{did_you_mean(str(name), fields)}")
    return True


def text(value: Any, path: str, found: Findings) -> None:
    if not isinstance(value, str):
        found.error(path, f"must be text, not {kind_of(value)}")


def anything_named(value: Any, path: str, found: Findings) -> None:
    """An object of any fields."""
    if not isinstance(value, Mapping):
        found.error(path, f"must be an object, not {kind_of(value)}")


def whole(least: int | None = None) -> Check:
    """A whole number; as the official models do, also written as text."""

    def check(value: Any, path: str, found: Findings) -> None:
        number = int(value) if isinstance(value, bool) else whole_of(value)
        if number is None:
            found.error(path, f"must be a whole number, not {one_line(value, 40) or kind_of(value)}")
        elif least is not None and number < least:
            found.error(path, f"must be at least {least}, not {one_line(value, 40)}")

    return check


def number(least: float | None = None) -> Check:
    def check(value: Any, path: str, found: Findings) -> None:
        read = float(value) if isinstance(value, bool) else number_of(value)
        if read is None:
            found.error(path, f"must be a number, not {one_line(value, 40) or kind_of(value)}")
        elif least is not None and read < least:
            found.error(path, f"must be at least {least:g}, not {one_line(value, 40)}")

    return check


def truth(value: Any, path: str, found: Findings) -> None:
    words = ("true", "false", "yes", "no", "on", "off", "t", "f", "y", "n", "1", "0")
    right = isinstance(value, bool) or value in (0, 1) or (isinstance(value, str) and value.lower() in words)
    if not right:
        found.error(path, f"must be true or false, not {one_line(value, 40)}")


def text_or_number(value: Any, path: str, found: Findings) -> None:
    if not isinstance(value, str):
        number()(value, path, found)


def list_of(check: Check) -> Check:
    """A list of values that each pass the check."""

    def each(value: Any, path: str, found: Findings) -> None:
        if not is_list(value):
            found.error(path, f"must be a list, not {kind_of(value)}")
            return
        for position, item in enumerate(value):
            if item is None:
                found.error(f"{path}[{position}]", "must not be null")
            else:
                check(item, f"{path}[{position}]", found)

    return each
