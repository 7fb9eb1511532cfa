"""The Python file beside an imported suite: code of the configuration, as targets and criteria.

A suite is data, so code that stands in a configuration is moved into a file, and functions that promptfoo calls in its
own way are wrapped.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Mapping
from typing import Any

HEAD = '"""Python code of {source}, as targets and criteria of {suite}. Written by `pytest-evals import promptfoo`."""'

_HEAD_OF_ODD = (
    '"""Python code of a configuration, as targets and criteria. Written by `pytest-evals import promptfoo`."""'
)


class Code:
    """Collects what the file must hold. ``name`` is that of the file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._parts: list[str] = []
        self._names: dict[str, str] = {}
        self._uses: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._parts)

    def target(self, path: str, function: str, config: Mapping[str, Any]) -> str:
        """The target that asks a provider in a Python file."""
        call = self._call("provider", [path, *([function] if function != "call_api" else [])], config=config or None)
        return f"{self.name}:{self._named('answer', call)}"

    def criterion(
        self, path: str, function: str, config: Any, *, threshold: float | None = None, graded: bool = False
    ) -> str:
        """The function that asks an assertion in a Python file."""
        given = [path, *([function] if function != "get_assert" else [])]
        call = self._call("check", given, config=config, threshold=threshold, graded=graded or None)
        return f"{self.name}:{self._named('check', call)}"

    def inline(self, source: str, config: Any, *, threshold: float | None = None, graded: bool = False) -> str:
        """The function that asks code which stands in the configuration. Raises ``SyntaxError`` when it is none."""
        lines = textwrap.dedent(source).strip("\n").splitlines()
        body = lines if len(lines) > 1 else [f"return {lines[0].strip().removeprefix('return ')}"]
        function = "def {name}(output, context):\n" + "\n".join(f"    {line}".rstrip() for line in body)
        ast.parse(function.replace("{name}", "f"))
        uses = {name for name in _MODULES if re.search(rf"(?<![\w.]){name}\.\w", source)}
        name = self._named("asked", function)
        self._uses |= uses
        call = self._call("check", [], name, config=config, threshold=threshold, graded=graded or None)
        return f"{self.name}:{self._named('check', call)}"

    def text(self, source: str, suite: str) -> str:
        """The file."""
        needed = [name for name in ("check", "provider") if any(f" = {name}(" in part for part in self._parts)]
        imports = [f"import {name}" for name in sorted(self._uses)]
        about = HEAD.format(source=source, suite=suite)
        head = [about if about.isprintable() and "\\" not in about and about.count('"') == 6 else _HEAD_OF_ODD, ""]
        head += [*imports, *([""] if imports else [])]
        head += [f"from pytest_evals.importers.promptfoo.adapter import {', '.join(needed)}"]
        text = "\n".join(head) + "\n"
        after_function = False
        for index, part in enumerate(self._parts):
            is_function = part.startswith("def ")
            apart = "\n\n" if is_function or after_function else "" if index else "\n"
            text += f"{apart}{part}\n"
            after_function = is_function
        return text

    def _call(self, name: str, given: list[str], first: str = "", **options: Any) -> str:
        arguments = ["__file__", *([first] if first else []), *(_quoted(part) for part in given)]
        arguments += [f"{key}={_literal(value)}" for key, value in options.items() if value is not None]
        return f"{{name}} = {name}({', '.join(arguments)})"

    def _named(self, stem: str, definition: str) -> str:
        """The name under which something is defined; the same thing once."""
        if definition not in self._names:
            number = sum(name.split("_")[0] == stem for name in self._names.values()) + 1
            name = stem if stem == "answer" and number == 1 else f"{stem}_{number}"
            self._names[definition] = name
            self._parts.append(definition.replace("{name}", name, 1))
        return self._names[definition]


_MODULES = ("json", "math", "re", "datetime", "os", "random", "statistics", "string")
"""Modules that code which stands in a configuration uses without importing them, as promptfoo's own example does."""


def _literal(value: Any) -> str:
    """A JSON value as Python."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(str(key))}: {_literal(part)}" for key, part in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return repr(value)


def _quoted(text: str) -> str:
    return f'"{text}"' if text.isprintable() and not set(text) & set('"\\') else repr(text)
