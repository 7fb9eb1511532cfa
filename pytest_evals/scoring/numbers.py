"""Numbers as people and models write them: ``$1,234.50``, ``1.234,5``, ``−3``, ``50 %``, ``2 1/2``, ``.5``.

Which sign is the decimal mark is read off the number itself; only one sign with three digits behind it leaves a doubt:
``1,234`` is then one thousand two hundred and thirty-four and ``1.234`` is a little over one, as in English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Literal

DecimalMark = Literal["auto", "point", "comma"]

LONGEST = 1000
"""A run of more digits and marks is no number: nobody's answer, and slow to compute with."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number found in a text."""

    value: Fraction
    percent: bool = False
    """Whether a percent sign follows."""


_MINUS = "-\u2212\u2013\ufe63\uff0d"  # hyphen, minus, en dash, small and wide hyphen
_SIGNS = re.escape(_MINUS)
_SPACES = "\u00a0\u2009\u202f"  # no-break, thin and narrow no-break space: they group digits
_GROUPING = f"'\u2019_{_SPACES}"
_CURRENCY = r"(?:[A-Z]{0,3}[$¢£¤¥֏؋৳฿₠-⃀﷼﹩＄￠￡￥￦]|(?:USD|EUR|GBP|CHF|JPY|CNY|INR|Rs\.?)(?=\s?\d))"
_MARKED = rf"[.,٫٬{_GROUPING}]"


@cache
def _number() -> re.Pattern[str]:
    """Compiled when first used: it takes 3 ms, which no session without a ``numeric`` criterion should pay."""
    return re.compile(
        rf"""
        (?<!\w) (?P<before>(?<![)\]}}%{_SIGNS}]) [+{_SIGNS}])?     # a sign, but not the minus between two numbers
        (?:{_CURRENCY}\s?(?P<after>[{_SIGNS}])?)?
        (?:
            (?P<spaced>
                \d{{1,3}} (?:[ ]\d{{3}}){{1,8}} ,\d+                                                # 1 234,5
              | \d{{1,3}} (?:[ ]\d{{3}}){{0,7}}? [ ]0\d\d (?:[ ]\d{{3}}){{0,7}} (?!\d) (?:[.,]\d+)?   # 1 000
            ) (?![\d.,]\d)
          | (?:(?P<whole>\d+)[ ])? (?<!/)(?P<over>\d+)/(?P<under>\d+) (?![\d/]|{_MARKED}\d)
          | (?P<run>\d+(?:{_MARKED}\d+)* | (?<![.\d])\.\d+) (?P<exponent>[eE][+{_SIGNS}]?\d{{1,3}}(?!\w))?
            (?P<vulgar>[¼-¾⅐-⅞])?
          | (?P<alone>[¼-¾⅐-⅞])
        )
        (?P<percent>\s?[%％٪]|\s?per\s?cent\b)?
      | (?<!\w) [^\W\d_]+ \d [\w.,]*     # digits glued to letters, as in H2O and v1.2: no number
        """,
        re.VERBOSE,
    )


_TEX = ((re.compile(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}"), r"\1/\2"), (re.compile(r"(?<=\d)(?:\{,\}|\\,)(?=\d{3})"), ","))


def numbers(text: str, decimal: DecimalMark = "auto") -> Iterator[Number]:
    """The numbers of a text, in their order. Digits that follow a letter (``H2O``, ``v1.2``) are no number."""
    for pattern, replacement in _TEX:
        text = pattern.sub(replacement, text)
    for match in _number().finditer(text):
        negative = any(match[name] in tuple(_MINUS) for name in ("before", "after") if match[name])
        percent = match["percent"] is not None
        for value in _values(match, decimal):
            yield Number(-value if negative else value, percent)
            negative = False  # the sign belongs to the first number of a list


def _values(match: re.Match[str], decimal: DecimalMark) -> Iterator[Fraction]:
    if len(match[0]) > LONGEST:
        return
    if match["alone"]:
        yield _vulgar(match["alone"])
    elif match["spaced"]:
        yield Fraction(Decimal(match["spaced"].replace(" ", "").replace(",", ".")))
    elif match["over"]:
        yield from _fraction(match["whole"], match["over"], match["under"])
    elif match["run"]:
        *firsts, last = _read(match["run"], decimal)
        yield from map(_exact, firsts)
        if match["exponent"]:
            last += match["exponent"].translate(dict.fromkeys(map(ord, _MINUS), "-"))
        yield _exact(last) + (_vulgar(match["vulgar"]) if match["vulgar"] else 0)


def _exact(text: str) -> Fraction:
    return Fraction(Decimal(text))


def _vulgar(sign: str) -> Fraction:
    return Fraction(unicodedata.numeric(sign)).limit_denominator(10)


def _fraction(whole: str | None, over: str, under: str) -> Iterator[Fraction]:
    above, below = int(over), int(under)
    if not below:
        yield from map(Fraction, ([int(whole)] if whole else []) + [above, below])
        return
    proper = above < below
    if whole and not proper:  # "3 16/2" are two numbers, "2 1/2" is one
        yield Fraction(int(whole))
    yield Fraction(above, below) + (int(whole) if whole and proper else 0)


def _read(run: str, decimal: DecimalMark) -> list[str]:
    """Digits with marks between them as a number ``Decimal`` reads, or as several: a list, a date, a version."""
    run = run.replace("٫", ".").replace("٬", ",")
    if run.isdecimal():
        return [run]
    for sign in _GROUPING:
        if sign in run:
            head, mark, tail = _split_at_decimal(run)
            if not _is_grouped(head, sign):
                return [piece for part in run.split(sign) for piece in _read(part, decimal)]
            run = head.replace(sign, "") + mark + tail
    points, commas = run.count("."), run.count(",")
    if points and commas:
        mark, group = (".", ",") if run.rfind(".") > run.rfind(",") else (",", ".")
        head, _, tail = run.rpartition(mark)
        if run.count(mark) == 1 and _is_grouped(head, group):
            return [f"{head.replace(group, '')}.{tail}"]
        return [piece for part in run.split(",") for piece in _read(part, decimal)]
    if points or commas:
        mark = "." if points else ","
        if points + commas == 1 and not _groups_alone(run, mark, decimal):
            return [run.replace(",", ".")]
        return [run.replace(mark, "")] if _is_grouped(run, mark) else run.split(mark)
    return [run]


def _split_at_decimal(run: str) -> tuple[str, str, str]:
    """The part before a single final point or comma, that mark, and what follows."""
    match = re.fullmatch(rf"([\d{_GROUPING}]+)([.,])(\d+)", run)
    return (match[1], match[2], match[3]) if match else (run, "", "")


def _groups_alone(run: str, mark: str, decimal: DecimalMark) -> bool:
    """Whether the only mark of a number groups its digits: ``1,234``."""
    if not _is_grouped(run, mark):
        return False
    return mark != {"point": ".", "comma": ",", "auto": "."}[decimal]


def _is_grouped(run: str, sign: str) -> bool:
    """Whether the sign parts digits in threes, or in twos before the last three as in India."""
    head, *groups = run.split(sign)
    if not head.isdecimal() or head.startswith("0") or not all(group.isdecimal() for group in groups):
        return False
    sizes = [len(group) for group in groups]
    threes = len(head) <= 3 and set(sizes) == {3}
    indian = len(head) <= 2 and len(sizes) > 1 and sizes[-1] == 3 and set(sizes[:-1]) == {2}
    return threes or indian
