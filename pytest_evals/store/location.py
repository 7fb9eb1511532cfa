"""Where a history lies: a file or a database URL, and the folder of its journals."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ..errors import UsageError
from .folder import FOLDER

DEFAULT_FILE = f"{FOLDER}/history.db"


@dataclass(frozen=True, slots=True)
class Location:
    """A history, whether it exists or not."""

    path: Path | None
    """The SQLite file; ``None`` for a database server."""
    url: str | None = field(repr=False)
    """The SQLAlchemy URL of a database server; holds its password, so it is never shown."""
    journals: Path
    """The folder of the journals of sessions that write to it."""

    def __str__(self) -> str:
        """For people: the file, or the URL without its password."""
        return str(self.path) if self.path is not None else hide_password(self.url or "")

    @property
    def missing(self) -> bool:
        """Whether there is certainly nothing: a file that does not exist."""
        return self.path is not None and not self.path.exists()


def locate(where: str | Path | None, rootdir: Path) -> Location:
    """The history a person named: a path (relative to ``rootdir``) or a URL; ``None`` is ``.evals/history.db``.

    Raises ``UsageError`` for what can be neither.
    """
    text = str(where) if where is not None else DEFAULT_FILE
    if not text.strip():
        raise UsageError("the history needs a path or a database URL, not an empty text")
    scheme = re.match(r"([a-z0-9]+)(?:\+\w+)?://", text, re.IGNORECASE)
    if scheme and scheme[1].lower() != "sqlite":
        return Location(None, text, rootdir / FOLDER / f"{_slug(text)}.journals")
    if scheme:
        rest, _, question = text.partition("://")[2].partition("?")
        if question:
            raise UsageError(f"{hide_password(text)}: a SQLite history takes no parameters; write just the path")
        text = unquote(rest.removeprefix("/"))  # sqlite:///relative.db, sqlite:////absolute.db
    if text in ("", ":memory:"):
        raise UsageError("the history needs a file: a database in memory would be gone at the end of the session")
    path = rootdir / Path(text).expanduser()
    if path.is_dir():
        raise UsageError(f"{path}: the history is a file, and this is a folder; write {path / 'history.db'}")
    return Location(path, None, path.with_name(f"{path.name}.journals"))


def hide_password(url: str) -> str:
    """The URL with ``***`` for a password, also one given as a parameter."""
    url = re.sub(r"(?<=://)([^/@:]*):.*@(?=[^@]*$)", r"\1:***@", url)
    return re.sub(r"([?&][^=&]*passw[^=&]*=)[^&]*", r"\1***", url, flags=re.IGNORECASE)


def _slug(url: str) -> str:
    """A name for the database's journals: people see which database, the hash tells it from others of that name."""
    shown = hide_password(url)
    try:
        parts = urlsplit(shown)
        name = f"{parts.hostname or 'local'}{parts.path}"
    except ValueError:  # not a URL after all: connecting to it will say so
        name = "server"
    name = re.sub(r"[^\w.-]+", "-", name).strip("-.")[:80]
    return f"{name}-{hashlib.sha256(shown.encode()).hexdigest()[:8]}"
