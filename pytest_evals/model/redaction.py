"""Taking secrets out of what is written: keys, tokens, passwords, authorization headers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

HIDDEN = "***"

_SECRET_WORD = (
    r"(?:api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|secret[_-]?key|signing[_-]?key|secret|"
    r"pass(?:word|wd|phrase)|pwd|token|credentials?|authorization|auth|cookie|dsn)"
)
_SECRET_NAME = re.compile(rf"[\w.-]*{_SECRET_WORD}", re.IGNORECASE)
_VARIABLE_NAME = re.compile(rf"\w*(?:{_SECRET_WORD}|_KEY)", re.IGNORECASE)
_SHORTEST_VALUE = 8
"""Shorter values of variables are not looked for: they would be found everywhere."""

_PATTERNS = (
    # user:password@ in a URL; the password may hold @ and /, but host:port/ is none
    (re.compile(r"(?<=://)([^\s/@:]*):(?!\d+(?:/|\s|$))\S*@"), rf"\1:{HIDDEN}@"),
    # api_key=abc, "password": "abc", X-Api-Key: abc, Authorization: Bearer abc
    (
        re.compile(
            rf"((?<![A-Za-z])[\w.-]*{_SECRET_WORD}[\"']?\s*[=:]\s*(?:(?:Bearer|Basic)\s+)?)"
            rf"(?:(\")[^\"]*\"|(')[^']*'|[^\s&;,\"'}}]+)",
            re.IGNORECASE,
        ),
        rf"\1\2\3{HIDDEN}\2\3",
    ),
    # Bearer abc123 by itself
    (re.compile(r"\b(Bearer)\s+(?=\S*[0-9._~+/=-])[\w.~+/=-]{6,}", re.IGNORECASE), rf"\1 {HIDDEN}"),
    # what the big issuers' keys look like
    (
        re.compile(
            r"\b(?:sk-[\w-]{16,}|gh[a-z]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}"
            r"|hf_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)"
        ),
        HIDDEN,
    ),
)


class Redactor:
    """Replaces secrets by ``***``: by the names they stand under, by their looks, and by their values.

    Values are those of the environment variables whose names say that they are secret, wherever they turn up.
    """

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        environ = os.environ if environ is None else environ
        values = {
            value.strip()
            for name, value in environ.items()
            if len(value.strip()) >= _SHORTEST_VALUE
            and _VARIABLE_NAME.fullmatch(name)
            and not value.startswith("/")  # a path, as in SSH_AUTH_SOCK
        }
        # the longest first, for one may begin another
        self._values = sorted(values, key=len, reverse=True)

    def text(self, text: str) -> str:
        """The text without secrets."""
        for value in self._values:
            if value in text:
                text = text.replace(value, HIDDEN)
        for pattern, replacement in _PATTERNS:
            text = pattern.sub(replacement, text)
        return text

    def command(self, arguments: Iterable[str]) -> list[str]:
        """A command line without secrets: also the argument after an option named for one (``--api-key abc``)."""
        shown: list[str] = []
        hide = False
        for argument in arguments:
            shown.append(HIDDEN if hide else self.text(argument))
            hide = argument.startswith("-") and _SECRET_NAME.fullmatch(argument.lstrip("-")) is not None
        return shown

    def value(self, value: Any, name: str = "") -> Any:
        """A JSON value without secrets; whatever stands under a secret's name is hidden."""
        if name and _SECRET_NAME.fullmatch(name) and value not in (None, "", True, False):
            return HIDDEN
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.value(item, str(key)) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(item) for item in value]
        return value
