"""Times as the history keeps them: UTC, ISO 8601, with microseconds, so that they sort as texts."""

from __future__ import annotations

from datetime import UTC, datetime

_LENGTH = len("2026-03-01T16:00:00.000000+00:00")


def utc_text(value: str | datetime) -> str:
    """The time in UTC as ``2026-03-01T16:00:00.000000+00:00``; a time without a zone is taken as UTC.

    Raises ``ValueError`` for a text that is not a time in ISO 8601.
    """
    if isinstance(value, str):
        if len(value) == _LENGTH and value.endswith("+00:00") and value[19] == ".":
            datetime.fromisoformat(value)
            return value
        value = datetime.fromisoformat(value)
    if value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    return value.astimezone(UTC).isoformat(timespec="microseconds")


def utc_or_none(value: object) -> str | None:
    """The time in UTC, or ``None`` when it is unknown or cannot be read."""
    if not isinstance(value, (str, datetime)) or not value:
        return None
    try:
        return utc_text(value)
    except (ValueError, OverflowError):  # the year 1 in a zone east of Greenwich has no UTC
        return None


def of_epoch(seconds: float | None) -> str | None:
    """The time so many seconds after the start of 1970."""
    return None if seconds is None else utc_text(datetime.fromtimestamp(seconds, UTC))


def now() -> str:
    """The present time."""
    return utc_text(datetime.now(UTC))


def seconds_between(earlier: str, later: str) -> float:
    """The time that passed between two stored times."""
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
