"""Environment variables in texts: ``${NAME}`` and ``${NAME:-default}``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .reading import Reading
from .tree import Map, Seq

_VARIABLE = re.compile(r"\$\{(?:(?P<name>[A-Za-z_]\w*)(?P<given>:-(?P<default>[^}]*))?\})?", re.ASCII)
_SECRET = re.compile(
    r"key|token|secret|passw|passphrase|pwd|auth|cookie|credential|session|signature|webhook|dsn", re.IGNORECASE
)


def is_secret(name: str) -> bool:
    """Whether the value of a variable or header of this name is likely to be a secret."""
    return _SECRET.search(name) is not None


class Environment:
    """Puts variables into the texts of one target, and remembers which."""

    def __init__(self, r: Reading, variables: Mapping[str, str]) -> None:
        self._r = r
        self._variables = variables
        self.inserted: list[tuple[str, str]] = []
        """Names and values, in their order. A default is no value: it stands in the file."""

    def expand(self, box: Map | Seq, key: str | int, value: str) -> str:
        """The text with variables replaced, once: what is inserted is not looked at again. Notes a mistake."""

        def replaced(match: re.Match[str]) -> str:
            name = match["name"]
            if name is None:
                self._r.wrong(box, key, "a '${' that is not understood; write ${NAME} or ${NAME:-default}")
                return ""
            found = self._variables.get(name)
            if match["given"] is not None and not found:
                return match["default"]
            if found is None:
                cure = f"set it, or write ${{{name}:-default}}"
                self._r.wrong(box, key, f"the environment variable {name} is not set; {cure}")
                return ""
            self.inserted.append((name, found))
            return found

        return _VARIABLE.sub(replaced, value)

    def shown(self, value: str) -> str:
        """The text as it may be shown: variables whose names say that they are secret stay names."""

        def replaced(match: re.Match[str]) -> str:
            name = match["name"] or ""
            if is_secret(name):
                return f"${{{name}}}"
            return self._variables.get(name) or match["default"] or ""

        return _VARIABLE.sub(replaced, value)
