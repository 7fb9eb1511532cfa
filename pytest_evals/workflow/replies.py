"""Where the replies of a project are kept, and what they cost: what sessions and the command line have in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import SuiteError, UsageError
from ..llm.cache import FILE, MAX_AGE_S, MAX_BYTES, ReplyCache
from ..llm.cassettes import Cassettes
from ..llm.keeping import Keeping
from ..model.price import PriceFile
from ..model.redaction import Redactor
from ..store.folder import FOLDER, make_folder

CACHE_FILE = f"{FOLDER}/{FILE}"
"""The kept replies, below the rootdir."""


def cache_file(rootdir: Path) -> Path:
    """The file of a project's kept replies, whether it is there or not."""
    return rootdir / CACHE_FILE


def open_cache(rootdir: Path, *, max_bytes: int = MAX_BYTES, max_age_s: float = MAX_AGE_S) -> ReplyCache:
    """The kept replies of a project. Nothing is made or opened before the first look."""
    return ReplyCache(cache_file(rootdir), max_bytes=max_bytes, max_age_s=max_age_s, make_folder=make_folder)


def find_cache(start: Path) -> ReplyCache:
    """The kept replies that a session started here would use."""
    from .where import project

    rootdir, _ = project(start)
    folders = [folder for folder in (start, *start.parents) if folder.is_relative_to(rootdir)]
    return open_cache(next((folder for folder in folders if cache_file(folder).exists()), rootdir))


def keeping(
    rootdir: Path,
    *,
    cache: bool = False,
    max_bytes: int = MAX_BYTES,
    max_age_s: float = MAX_AGE_S,
    record: str | None = None,
    replay: str | None = None,
    redact: Sequence[str] = (),
) -> Keeping:
    """Where a session keeps replies, by its settings; folders are relative to ``rootdir``.

    ``redact`` are regular expressions of what is hidden besides keys and the like.
    """
    redactor = Redactor(patterns=redact)
    return Keeping(
        cache=open_cache(rootdir, max_bytes=max_bytes, max_age_s=max_age_s) if cache else None,
        record=Cassettes(below(rootdir, record), redactor) if record else None,
        replay=Cassettes(below(rootdir, replay), redactor) if replay else None,
        redactor=redactor,
    )


def below(rootdir: Path, said: str) -> Path:
    """A path that a setting names."""
    return rootdir / Path(said).expanduser()


def price_file(rootdir: Path, said: str | None) -> PriceFile | None:
    """The file of prices that a setting names. Raises ``UsageError`` with every mistake in it."""
    if not said:
        return None
    from ..suite import read_prices

    try:
        return read_prices(below(rootdir, said), shown=said)
    except SuiteError as error:
        raise UsageError("\n".join(map(str, error.problems))) from None
