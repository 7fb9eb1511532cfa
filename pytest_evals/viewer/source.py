"""What the viewer looks at: one history, and the folders it may show files of."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..store.connect import Reader
from .live import Live
from .plugins import Plugins

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ..store.location import Location

T = TypeVar("T")

KEPT = 256
"""So many figures of finished runs are kept in memory."""
KEPT_LARGE = {"comparison": 16, "aligned": 6}
"""So many of those that hold something for every case."""


@dataclass(slots=True)
class Source:
    """A history and folders, and what has been computed of runs that cannot change any more."""

    location: Location
    atif: Path
    """The folder of trajectory files beside the history."""
    folders: tuple[Path, ...] = ()
    """Further folders whose trajectory files may be shown."""
    pipeline: Mapping[str, Path] = field(default_factory=dict)
    """Folders of the pipeline, by their keys in ``files.KINDS``."""
    plugins: Plugins = field(default_factory=Plugins)
    """What a project shows of its own."""
    author: str = "somebody"
    """Who gives a verdict that names nobody."""
    live: Live = field(init=False)
    """The sessions that run."""
    _reader: Reader = field(init=False)
    _kept: dict[str, OrderedDict[tuple[str, ...], Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.live = Live(self.location, [*self.pipeline.values()])
        self._reader = Reader(self.location)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One unchanging state of the history. Raises ``StoreError``."""
        with self._reader.reading() as connection:
            yield connection

    def once(self, key: tuple[str, ...], finished: bool, compute: Callable[[], T]) -> T:
        """What ``compute`` gives; kept under ``key`` if the run it is about is finished, and so stays as it is.

        The key begins with the kind of thing it is.
        """
        if not finished:
            return compute()
        with self._lock:
            kept = self._kept.setdefault(key[0], OrderedDict())
            if key in kept:
                kept.move_to_end(key)
                found: T = kept[key]
                return found
        value = compute()
        with self._lock:
            kept[key] = value
            while len(kept) > KEPT_LARGE.get(key[0], KEPT):
                kept.popitem(last=False)
        return value
