"""Whether a history can be read, without changing anything in it."""

from __future__ import annotations

from dataclasses import dataclass

from .connect import _engine, _one_line
from .location import Location
from .migrations import MIGRATIONS, check_known, schema_version

TIMEOUT_S = 3.0


@dataclass(frozen=True, slots=True)
class Probed:
    """What is known of a history."""

    schema: int
    """The version of its schema; 0 when it is empty."""
    newest: int
    """The version that this package writes. An older history is brought up to it by the next session."""
    runs: int


def probe(location: Location) -> Probed:
    """Look into an existing history. Raises ``StoreError`` when it cannot be read, or a newer version wrote it."""
    with _one_line(location):
        engine = _engine(location, "ro", TIMEOUT_S)
        try:
            with engine.connect() as connection:
                version = schema_version(connection)
                check_known(version)
                runs = connection.exec_driver_sql("SELECT count(*) FROM experiment_runs").scalar() if version else 0
                return Probed(version, len(MIGRATIONS), int(runs or 0))
        finally:
            engine.dispose()
