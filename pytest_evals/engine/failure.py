"""From an exception of an application or scorer to what a person reads."""

from __future__ import annotations

import traceback
from pathlib import Path

from ..errors import EvalsError, JudgeError, TargetError
from ..model.outcome import ErrorKind
from ..model.result import CaseError
from ..model.text import one_line

_OWN = str(Path(__file__).resolve().parents[1])
_MAX_FRAMES = 12


def case_error(kind: ErrorKind, error: BaseException, prefix: str = "") -> CaseError:
    """The error of a case, with the traceback cut down to frames that are not this package's or the event loop's."""
    if isinstance(error, EvalsError):  # ours: says all there is in one line, but for what a target said itself
        detail = error.detail if isinstance(error, TargetError | JudgeError) else ""
        return CaseError(kind, prefix + one_line(str(error), 500), type(error).__name__, detail)
    name = type(error).__name__
    text = one_line(_text(error), 500)
    message = f"{prefix}{name}: {text}" if text else prefix + name
    return CaseError(kind, message, name, _trace(error))


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # a broken __str__ of someone else's exception
        return ""


def _trace(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_OWN)]
    while frames and ("asyncio" in frames[0].filename or "concurrent" in frames[0].filename):
        del frames[0]
    if not frames:
        return ""
    dropped = len(frames) - _MAX_FRAMES
    lines = traceback.format_list(frames[-_MAX_FRAMES:])
    if dropped > 0:
        lines.insert(0, f"  … {dropped} outer frames\n")
    return "".join([*lines, *traceback.format_exception_only(error)]).rstrip()
