"""Values with places for what a case gives: ``{"question": "{{ input }}", "user": "eval-{{ session_id }}"}``.

What is inserted is not looked at again: an input that holds ``{{ context }}`` stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from .place import did_you_mean
from .text import text_of
from .wire import plain

NAMES = ("input", "context", "case.id", "session_id")
"""What can be inserted, besides ``vars.<name>``; with variants also ``variant.id`` and what all of them state."""

OF_VARIANT = "variant."

OF_CASE = "vars."
"""Before the name of a variable of the case. Whether every case has it is known when the cases are."""

_PLACE = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")


def places(template: Any) -> Iterator[str]:
    """The names that are inserted, in a text or in all texts of a JSON value."""
    for text in _texts(template):
        yield from _PLACE.findall(text)


def mistakes(text: str, names: Collection[str] = NAMES) -> Iterator[str]:
    """What is wrong with a text as a template that can insert these names."""
    for name in _PLACE.findall(text):
        if name not in names and not name.startswith(OF_CASE):
            yield f"there is no {{{{ {name} }}}} to insert{did_you_mean(name, names) or _known(names)}"
    if "{{" in _PLACE.sub("", text):
        yield f"a '{{{{' that is not understood{_known(names)}"


def fill(template: Any, given: Mapping[str, Any], text: Callable[[Any], str] = text_of) -> Any:
    """The template with what ``given`` holds by name inserted.

    A text that is nothing but a place becomes the value itself, whatever JSON type it has; inside a longer text the
    value stands as ``text`` shows it, which is its own text or compact JSON. Keys of mappings are left as they are.
    """
    if isinstance(template, str):
        whole = _PLACE.fullmatch(template)
        return plain(given[whole[1]]) if whole else fill_text(template, given, text)
    if isinstance(template, Mapping):
        return {key: fill(part, given, text) for key, part in template.items()}
    if isinstance(template, (list, tuple)):
        return [fill(part, given, text) for part in template]
    return template


def fill_text(template: str, given: Mapping[str, Any], text: Callable[[Any], str] = text_of) -> str:
    """A text with values inserted as text."""
    return _PLACE.sub(lambda place: text(given[place[1]]), template)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)


def _known(names: Collection[str]) -> str:
    return "; there are " + ", ".join(f"{{{{ {name} }}}}" for name in names)
