"""Targets outside this process: an HTTP server, a command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .fieldpath import FieldPath


@dataclass(frozen=True, slots=True)
class HttpSpec:
    """A request that gives an answer. Texts may hold places of a template."""

    url: str = field(repr=False)
    """Inserted values are percent-encoded."""
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: Any = None
    """A JSON value; ``None``: no body."""
    output: FieldPath | None = None
    """Where the answer lies in the reply; ``None``: the reply is the answer."""
    statuses: tuple[int, ...] = ()
    """Statuses of replies that hold an answer; empty: 200 to 299."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Values that must not be kept or shown, should the server send them back."""


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A program that gives an answer on its standard output. Texts may hold places of a template."""

    argv: tuple[str, ...]
    """The program and its arguments, as they are: no shell reads them."""
    stdin: Any = None
    """What it reads: text, or a JSON value. ``None``: the input of the case if no argument holds it, else nothing."""
    output: FieldPath | None = None
    """Where the answer lies in the JSON it writes; ``None``: what it writes is the answer."""
    statuses: tuple[int, ...] = (0,)
    """Exit statuses that mean there is an answer."""
