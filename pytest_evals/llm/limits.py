"""Limits as a person writes them: how often, how much and how many at a time a service or target may be called.

anthropic: 50 rpm, 40k tpm, 8 in flight
my_app.bot:answer: 20 rps
*: 10 in flight
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction

from ..errors import UsageError
from ..model.place import did_you_mean

_UNITS = {
    "rps": "requests_per_second",
    "rpm": "requests_per_minute",
    "rph": "requests_per_hour",
    "tpm": "tokens_per_minute",
    "in flight": "in_flight",
}
_THOUSANDS = {"": 1, "k": 1_000, "m": 1_000_000}
_LIMIT = re.compile(
    r"(?P<amount>[0-9][0-9_]*(?:\.[0-9]+)?)(?P<thousands>(?:[kKmM](?![a-zA-Z]))?) *(?P<unit>[a-zA-Z/][a-zA-Z/ -]*)?"
)
_SHAPE = "a line reads NAME: LIMIT, LIMIT, such as 'anthropic: 50 rpm, 40k tpm, 8 in flight'"


@dataclass(frozen=True, slots=True)
class Limit:
    """What one name may do; ``None`` is without limit."""

    requests_per_second: int | None = None
    requests_per_minute: int | None = None
    requests_per_hour: int | None = None
    tokens_per_minute: int | None = None
    """Tokens read and written together."""
    in_flight: int | None = None
    """Calls under way at a time."""

    def __post_init__(self) -> None:
        for part in fields(self):
            amount = getattr(self, part.name)
            if amount is not None and (isinstance(amount, bool) or not isinstance(amount, int) or amount < 1):
                raise UsageError(f"a limit's {part.name} is {amount!r}; it must be a whole number of at least 1")

    def shared(self, share: Fraction, name: str) -> Limit:
        """The part of it that one host of several may use. Raises ``UsageError`` when that is none."""
        amounts: dict[str, int] = {}
        for part in fields(self):
            amount = getattr(self, part.name)
            if amount is not None:
                amounts[part.name] = int(amount * share)
                if not amounts[part.name]:
                    unit = _unit_of(part.name)
                    raise UsageError(f"{name}: {amount} {unit} cannot be shared between the hosts of this session")
        return Limit(**amounts)

    def __str__(self) -> str:
        pairs = ((getattr(self, name), unit) for unit, name in _UNITS.items())
        return ", ".join(f"{amount} {unit}" for amount, unit in pairs if amount is not None) or "no limit"


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits of a session."""

    by_name: Mapping[str, Limit] = field(default_factory=dict)
    """By the name of a provider (``anthropic``), of a model (``anthropic/claude-haiku-5-5``) or of a target."""
    default: Limit | None = None
    """For each name that has no line of its own: the line ``*``."""

    def find(self, name: str) -> tuple[str, Limit | None]:
        """Whose account a call of ``name`` goes on, and the limit of that account.

        A model without a line of its own goes on its provider's account, if that has a line. Everything else has an
        account for itself; those under the line ``*`` are apart from each other.
        """
        if name in self.by_name:
            return name, self.by_name[name]
        provider, slash, _ = name.partition("/")
        if slash and provider in self.by_name:
            return provider, self.by_name[provider]
        return name, self.default

    def shared(self, share: Fraction) -> Limits:
        """The part of all of them that one host of several may use. Raises ``UsageError`` when one cannot be shared."""
        default = None if self.default is None else self.default.shared(share, "*")
        return Limits({name: limit.shared(share, name) for name, limit in self.by_name.items()}, default)

    def unmatched(self, called: Iterable[str]) -> tuple[str, ...]:
        """One line for each name with a limit that none of the names called goes by: a slip of the pen, mostly."""
        called = list(called)
        used = {self.find(name)[0] for name in called}
        known = {*called, *(name.partition("/")[0] for name in called if "/" in name)} - set(self.by_name)
        return tuple(
            f"no call goes by the limit of {name!r}{did_you_mean(name, sorted(known))}"
            for name in self.by_name
            if name not in used
        )


def parse_limits(lines: str | Iterable[str], source: str = "evals_limits") -> Limits:
    """Read limits as written in the ini file or an environment variable.

    A text is cut at line ends and semicolons. ``source`` names the setting in messages. All mistakes are reported at
    once, one line each.

    Raises:
        UsageError: A line cannot be read.

    """
    if isinstance(lines, str):
        lines = re.split(r"[\n;]", lines)
    by_name: dict[str, Limit] = {}
    mistakes: list[str] = []
    for line in (line.strip() for line in lines):
        if not line or line.startswith("#"):
            continue
        try:
            name, limit = _line(line)
            if name in by_name:
                raise UsageError(f"a second line for {name!r}; write its limits in one line")
            by_name[name] = limit
        except UsageError as mistake:
            mistakes.append(f"{source}: {line!r}: {mistake}")
    if mistakes:
        raise UsageError("\n".join(mistakes))
    default = by_name.pop("*", None)
    return Limits(by_name, default)


def _line(line: str) -> tuple[str, Limit]:
    # the last colon: names hold some (my_app.bot:answer), limits none
    name, colon, text = line.rpartition(":")
    name = name.strip()
    if not colon or not name:
        raise UsageError(_SHAPE)
    limit = Limit()
    for part, amount in _amounts(text):
        if getattr(limit, part) is not None:
            raise UsageError(f"a second limit in {_unit_of(part)}")
        limit = replace(limit, **{part: amount})
    return name, limit


def _amounts(text: str) -> Iterator[tuple[str, int]]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and re.fullmatch(r"[0-9]{1,3}", parts[0]) and re.match(r"[0-9]{3}\b", parts[1]):
        raise UsageError("a comma stands between limits; write thousands as 40000, 40_000 or 40k")
    for part in parts:
        match = _LIMIT.fullmatch(part)
        if match is None:
            raise UsageError(f"cannot read {part!r}; {_SHAPE}" if part else _SHAPE)
        unit = " ".join((match["unit"] or "").replace("-", " ").lower().split())
        if unit not in _UNITS:
            known = ", ".join(_UNITS)
            what = f"unknown unit {unit!r}{did_you_mean(unit, _UNITS)}" if unit else f"{part!r} has no unit"
            raise UsageError(f"{what}; the units are {known}")
        amount = float(match["amount"].replace("_", "")) * _THOUSANDS[match["thousands"].lower()]
        if amount != int(amount) or amount < 1:
            hint = "; write it per minute (rpm) or per hour (rph)" if unit in {"rps", "rpm"} else ""
            raise UsageError(f"{part!r} is not a whole number of at least 1{hint}")
        yield _UNITS[unit], int(amount)


def _unit_of(part: str) -> str:
    return next(unit for unit, name in _UNITS.items() if name == part)
