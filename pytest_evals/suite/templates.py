"""Texts with places for values, such as ``Capital of {{ country | title }}``.

The text around the places is kept to the character, single braces and ``%`` too. What is inserted is not looked at
again. Jinja, which reads what stands between the braces, is imported when the first of them is met.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from .filters import Refused, bounded, bounded_text

if TYPE_CHECKING:
    from .expressions import Expression

OPEN = "{{"
CLOSE = "}}"

_TOKEN = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|\}\}|[\[({\])}]|['"]""", re.DOTALL)
_BLOCK = re.compile(r"\{%[-+]?\s*(\w+)[^{}%]*%\}")
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_WORDS = frozenset(
    {"if", "elif", "else", "endif", "for", "endfor", "set", "macro", "raw", "include", "import", "block"}
)
_MOST_NESTED = 20


class TemplateMistakes(Exception):  # noqa: N818  (several of them)
    """What is wrong with a template: offsets into it, and sentences."""

    def __init__(self, found: list[tuple[int, str]]) -> None:
        self.found = found
        super().__init__("; ".join(message for _, message in found))


class Template:
    """A text that was read once and is rendered for many cases."""

    __slots__ = ("_parts", "names")

    def __init__(self, parts: list[str | tuple[int, Expression]]) -> None:
        self._parts = parts
        self.names: frozenset[str] = frozenset().union(*(part[1].names for part in parts if not isinstance(part, str)))
        """The names it inserts."""

    @property
    def is_value(self) -> bool:
        """Whether it is nothing but one place, which becomes the value itself, whatever JSON type it has."""
        return len(self._parts) == 1 and not isinstance(self._parts[0], str)

    def render(self, values: Mapping[str, Any]) -> str:
        """The text with values inserted. Raises ``TemplateMistakes``."""
        parts: list[str] = []
        found: list[tuple[int, str]] = []
        for part in self._parts:
            if isinstance(part, str):
                parts.append(part)
                continue
            try:
                value = part[1].compute(values)
                if value is None:
                    raise Refused("the value is blank (null); give one, or write {{ … | default('…', true) }}")
                parts.append(bounded_text(value))
            except Refused as error:
                found.append((part[0], str(error)))
        if not found:
            try:
                return bounded("".join(parts))
            except Refused as error:
                found.append((0, str(error)))
        raise TemplateMistakes(found)

    def value(self, values: Mapping[str, Any]) -> Any:
        """The value itself where the template is nothing but one place, else the text. Raises ``TemplateMistakes``."""
        if not self.is_value:
            return self.render(values)
        only = self._parts[0]
        assert not isinstance(only, str)
        try:
            return only[1].compute(values)
        except Refused as error:
            raise TemplateMistakes([(only[0], str(error))]) from None


@lru_cache(maxsize=1024)
def template(source: str) -> Template:
    """The template in a text. Raises ``TemplateMistakes`` with all that can be seen before there are values."""
    parts: list[str | tuple[int, Expression]] = []
    found: list[tuple[int, str]] = []
    at = 0
    while (start := source.find(OPEN, at)) >= 0:
        literal = source[at:start]
        end = _end(source, start + len(OPEN))
        if end is None:
            found.append((start, "a '{{' that no '}}' closes; for two braces in the text write {{ '{{' }}"))
            break
        inside = source[start + len(OPEN) : end]
        at = end + len(CLOSE)
        if inside.startswith("-"):  # as in Jinja: no white space before it
            literal, inside = literal.rstrip(), inside[1:]
        if inside.endswith("-"):
            inside = inside[:-1]
            at += len(source[at:]) - len(source[at:].lstrip())
        _literal(literal, start - len(literal), parts, found)
        try:
            from .expressions import expression

            parts.append((start, expression(inside.strip())))
        except Refused as error:
            found.append((start, str(error)))
    else:
        _literal(source[at:], at, parts, found)
    if found:
        raise TemplateMistakes(found)
    return Template(parts)


def render(source: str, values: Mapping[str, Any]) -> str:
    """The text with values inserted. Raises ``UsageError`` with every mistake, on one line."""
    try:
        return template(source).render(values) if OPEN in source else source
    except TemplateMistakes as mistakes:
        raise UsageError("; ".join(message for _, message in mistakes.found)) from None


def _literal(text: str, at: int, parts: list[Any], found: list[tuple[int, str]]) -> None:
    if not text:
        return
    parts.append(text)
    if "{%" in text:
        for block in _BLOCK.finditer(text):
            if block[1] in _WORDS:
                cure = f"a template inserts with {{{{ … }}}}; for the text itself write {{{{ '{{%' }}}} {block[1]} …"
                found.append((at + block.start(), f"'{{% {block[1]} %}}' is not read; {cure}"))
    if "{#" in text:
        message = "'{# … #}' is no comment here; for the text itself write {{ '{#' }}"
        found += [(at + comment.start(), message) for comment in _COMMENT.finditer(text)]


def _end(source: str, at: int) -> int | None:
    """Where the ``}}`` stands that closes a place, past texts in quotes and brackets."""
    open_brackets: list[str] = []
    for token in _TOKEN.finditer(source, at):
        text = token[0]
        if text == CLOSE and not open_brackets:
            return token.start()
        if text in ("'", '"'):
            return None
        if text in ("[", "(", "{"):
            open_brackets.append(text)
            if len(open_brackets) > _MOST_NESTED:
                return None
        elif text == CLOSE:  # two closing braces of mappings
            if len(open_brackets) == 1:  # `{{ {'a': 1}}}`: the first closes the mapping
                return token.start() + 1 if source.startswith(CLOSE, token.start() + 1) else None
            del open_brackets[-2:]
        elif text in ("]", ")", "}"):
            if not open_brackets:
                return None
            open_brackets.pop()
    return None
