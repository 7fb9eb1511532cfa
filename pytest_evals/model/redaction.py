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

_HINTS = ("key", "secret", "pass", "pwd", "token", "credential", "auth", "cookie", "dsn")
"""One of them is in every name of a secret."""

# user:password@ in a URL; the password may hold @ and /, but host:port/ is none
_URL = re.compile(r"(?<=://)([^\s/@:]{0,200}):(?!\d+(?:/|\s|$))\S{0,300}@")
# api_key=abc, "password": "abc", X-Api-Key: abc, Authorization: Bearer abc
_NAMED = re.compile(
    rf"(?P<name>{_SECRET_WORD})(?P<sign>(?:\\?[\"'])?\s*[=:]\s*)(?P<scheme>(?:Bearer|Basic)\s+)?"
    rf"(?:(?P<quote>\\?[\"'])(?P<quoted>.*?)(?P=quote)|(?P<bare>[^\s&;,\"'}}]+))",
    re.IGNORECASE | re.DOTALL,
)
# Bearer abc123 by itself
_BEARER = re.compile(r"\b(Bearer)\s{1,9}(?=\S{0,200}[0-9._~+/=-])[\w.~+/=-]{6,}", re.IGNORECASE)
# what the big issuers' keys look like; they start where no other of their characters is before them, so that a text
# of millions of these characters is gone through once
_ISSUED = re.compile(
    r"(?<![\w-])(?:sk-[\w-]{16,}|gh[a-z]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}"
    r"|hf_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)"
)
_ISSUERS = ("sk-", "gh", "glpat-", "xox", "hf_", "AKIA", "AIza", "eyJ")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:(?!-----).)*-----END [A-Z ]{0,30}KEY-----", re.DOTALL
)


class Redactor:
    """Replaces secrets by ``***``: by the names they stand under, by their looks, and by their values.

    Values are those of the environment variables whose names say that they are secret, wherever they turn up.
    ``patterns`` are regular expressions of more that is to be hidden. In ``prose``, what people and models write, a
    word after a colon is hidden only when it looks like a secret: «The secret: patience» says something else.
    """

    def __init__(
        self, environ: Mapping[str, str] | None = None, patterns: Iterable[str] = (), *, prose: bool = False
    ) -> None:
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
        self._patterns = [re.compile(pattern) for pattern in patterns]
        self._prose = prose

    def text(self, text: str) -> str:
        """The text without secrets."""
        for value in self._values:
            if value in text:
                text = text.replace(value, HIDDEN)
        for pattern in self._patterns:
            text = pattern.sub(HIDDEN, text)
        if "PRIVATE KEY-----" in text:
            text = _PRIVATE_KEY.sub(HIDDEN, text)
        if "://" in text and "@" in text:
            text = _URL.sub(rf"\1:{HIDDEN}@", text)
        folded = text.lower()
        # most texts hold none of these, and are not looked at any closer
        if (":" in text or "=" in text) and any(hint in folded for hint in _HINTS):
            text = _NAMED.sub(self._named, text)
        if "bearer" in folded:
            text = _BEARER.sub(rf"\1 {HIDDEN}", text)
        if any(start in text for start in _ISSUERS):
            text = _ISSUED.sub(HIDDEN, text)
        return text

    def _named(self, found: re.Match[str]) -> str:
        quote, scheme = found["quote"] or "", found["scheme"] or ""
        said = found["quoted"] if quote else found["bare"]
        ambiguous = self._prose and not scheme and (_is_token(found) if quote else ":" in found["sign"])
        if not said or (ambiguous and not _looks_secret(said)):
            return found[0]
        return f"{found['name']}{found['sign']}{scheme}{quote}{HIDDEN}{quote}"

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
            plain_word = self._prose and name.lower() == "token" and not _looks_secret(str(value))
            return value if plain_word else HIDDEN
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.value(item, str(key)) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(item) for item in value]
        return value


def _is_token(found: re.Match[str]) -> bool:
    """Whether the name is just ``token``: to those who work with words that is no secret."""
    before = found.string[max(found.start() - 1, 0) : found.start()]
    return found["name"].lower() == "token" and not re.match(r"[\w.-]", before)


def _looks_secret(text: str) -> bool:
    """Whether it could be a password or key: one word, long, or with a digit in it."""
    return not re.search(r"\s", text) and (len(text) >= 16 or (len(text) >= 6 and re.search(r"\d", text) is not None))
