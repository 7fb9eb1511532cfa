"""Every figure as text, in one place: all reports agree to the digit. Unknown is «–»."""

from __future__ import annotations

from math import floor, log10

from ..model.gate import Gate, GateVerdict
from ..model.score import TOLERANCE

UNKNOWN = "–"


def percent(share: float | None, digits: int = 1) -> str:
    """A share as ``97.5%``. ``100%`` and ``0%`` only when it is exactly that: 9,999 of 10,000 are ``99.9%``."""
    if share is None:
        return UNKNOWN
    if share in {0, 1}:
        return f"{share:.0%}"
    return f"{_inside(share * 100, digits, 0, 100)}%"


def rate(errors: float | None) -> str:
    """A rate of errors as ``8.2%``; it may be above 100%. ``0%`` only when there is no error."""
    return percent(errors) if errors is None or errors <= 1 else f"{errors * 100:.1f}%"


def score(value: float | None, digits: int = 2) -> str:
    """A score with so many digits. ``1.00`` and ``0.00`` only when it is exactly that."""
    if value is None:
        return UNKNOWN
    return f"{value:.{digits}f}" if value in {0, 1} else _inside(value, digits, 0, 1)


def grade(value: float | None) -> str:
    """A grade of ratings to a tenth. ``100`` and ``0`` only when it is exactly that."""
    if value is None:
        return UNKNOWN
    return f"{value:.0f}" if value in {0, 100} else _inside(value, 1, 0, 100)


def short_score(value: float | None) -> str:
    """A score in running text: ``0.47``, and ``0`` or ``1`` when it is exactly that."""
    return f"{value:.0f}" if value in {0, 1} else score(value)


def comparison(value: float, sign: str, mark: float) -> str:
    """``0.47 < 0.70``, ``0 < 1``; with as many digits as it takes to see a difference."""
    if mark in {0, 1} or value in {0, 1}:
        return f"{short_score(value)} {sign} {short_score(mark)}"
    for digits in range(2, 10):
        if abs(value - mark) <= TOLERANCE or score(value, digits) != score(mark, digits):
            break
    return f"{score(value, digits)} {sign} {score(mark, digits)}"


def duration(ms: float | None) -> str:
    """Milliseconds as a person says them: ``0 ms``, ``0.4 ms``, ``340 ms``, ``1.23 s``, ``45.0 s``, ``2 min 5 s``."""
    if ms is None:
        return UNKNOWN
    if ms < 0:
        return f"-{duration(-ms)}"
    if ms == 0 or 9.95 <= ms < 999.5:
        return f"{ms:.0f} ms"
    if ms < 9.95:
        return f"{max(ms, 0.1):.1f} ms"
    if ms < 9995:
        return f"{ms / 1000:.2f} s"
    if ms < 59_950:
        return f"{ms / 1000:.1f} s"
    seconds = round(ms / 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def size(octets: int) -> str:
    """Bytes as ``0 B``, ``340 B``, ``1.2 kB``, ``56 MB``."""
    value, unit = float(octets), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 999.5:
            break
        value, unit = value / 1000, larger
    return f"{value:.1f} {unit}" if value < 9.95 and unit != "B" else f"{value:.0f} {unit}"


def usd(cost: float | None) -> str:
    """Dollars: cents from a cent on, two significant digits below: ``$1,234.50``, ``$0.12``, ``$0.00034``, ``$0``."""
    if cost is None:
        return UNKNOWN
    if cost < 0:
        return f"-{usd(-cost)}"
    if cost == 0:
        return "$0"
    if cost >= 0.01:
        return f"${cost:,.2f}"
    if cost < 1e-6:
        return "<$0.000001"
    return f"${cost:.{1 - floor(log10(cost))}f}"


def count(number: float | None) -> str:
    """A whole number with its thousands apart."""
    return UNKNOWN if number is None else f"{number:,.0f}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 case``, ``10,000 cases``."""
    return f"{count(number)} {noun if number == 1 else plural or noun + 's'}"


def observed(verdict: GateVerdict) -> str:
    """What a gate observed, in its own unit; with as many digits as it takes to see that it is not the bound."""
    gate, value = verdict.gate, verdict.observed
    if value is None:
        return UNKNOWN
    differs = abs(value - gate.bound) > TOLERANCE * max(1.0, abs(gate.bound))
    shown = ""
    for more in range(8):
        shown = _in_unit(gate, value, more)
        if not differs or shown != _in_unit(gate, gate.bound, more):
            break
    return shown


def _in_unit(gate: Gate, value: float, more: int) -> str:
    match gate.unit:
        case "share":
            return percent(value, 1 + more) if not gate.change else f"{_signed(value * 100, 1 + more)}%"
        case "points":
            return f"{_signed(value * 100, 1 + more)} pp"
        case "score":
            return score(value, 3 + more) if not gate.change else _signed(value, 3 + more)
        case "kappa":
            return _signed(value, 2 + more)
        case "ms":
            return duration(value) if not more else f"{value:,.{more - 1}f} ms"
        case "usd":
            return usd(value) if not more else f"${value:,.{2 + 2 * more}f}"
    return count(value)


def _signed(value: float, digits: int) -> str:
    """Rounded; what is no change has no sign."""
    shown = f"{value:.{digits}f}"
    return shown.removeprefix("-") if not float(shown) else shown


def margin(verdict: GateVerdict) -> str:
    """How far from its bound a gate is, in words: ``2.5 pp to spare``, ``400 ms too much``, ``3 too many``."""
    size = verdict.margin
    if size is None:
        return ""
    gate = verdict.gate
    held = gate.holds(verdict.observed) if verdict.observed is not None else False
    if size == 0:
        return "exactly" if gate.op == "==" else "nothing to spare" if held else "on the bound"
    amount = _amount(gate, abs(size))
    if held:
        return f"{amount} to spare"
    if gate.op == "==":
        return f"{amount} off"
    more = "too little" if gate.op in {">=", ">"} else "too much"
    return (
        f"{amount} {more}"
        if gate.unit != "cases"
        else f"{amount} {more.replace('much', 'many').replace('little', 'few')}"
    )


def _amount(gate: Gate, size: float) -> str:
    match gate.unit:
        case "share" if gate.change:
            return f"{_visible(size * 100, 1)} %"
        case "share" | "points":
            return f"{_visible(size * 100, 1)} pp"
        case "score" | "kappa":
            return _visible(size, 3)
        case "ms":
            return duration(size)
        case "usd":
            return usd(size)
    return count(size)


def _visible(size: float, digits: int) -> str:
    """With so many digits, or as many as it takes not to look like nothing."""
    shown = next((n for n in range(digits, 12) if round(size, n)), digits)
    return f"{size:.{shown}f}"


def _inside(value: float, digits: int, low: float, high: float) -> str:
    """Rounded, but never onto an end that the value does not have."""
    step = 10.0**-digits
    return f"{min(max(value, low + step), high - step):.{digits}f}"
