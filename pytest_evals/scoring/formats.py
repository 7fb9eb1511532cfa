"""What ``format`` in a JSON schema asks of a text.

The jsonschema package checks some formats only with more packages installed, and passes every text without them. These
are checked here by the grammar of their standards; whatever is left is told in the reason as not checked.
"""

from __future__ import annotations

import datetime
import ipaddress
import re
import uuid
import warnings
from collections.abc import Callable, Mapping

_TIME = r"(?P<hour>[01]\d|2[0-3]):[0-5]\d:(?P<second>[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)"
_LABEL = r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)"
_PERCENT = r"%[0-9A-Fa-f]{2}"
_CHARACTER = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|{_PERCENT})"
_AUTHORITY = rf"(?://(?:(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|{_PERCENT})*@)?(?:\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|{_PERCENT})*)(?::\d*)?(?=[/?#]|$))?"
_REST = rf"{_AUTHORITY}{_CHARACTER}*(?:\?(?:{_CHARACTER}|\?)*)?(?:#(?:{_CHARACTER}|\?)*)?"

_PATTERNS = {
    "time": _TIME,
    "email": rf"""(?:[A-Za-z0-9!#$%&'*+/=?^_`{{|}}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{{|}}~-]+)*|"(?:[^"\\]|\\.)*")@"""
    rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9A-Fa-f:.]+\])",
    "hostname": rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*",
    "uri": rf"[A-Za-z][A-Za-z0-9+.-]*:{_REST}",
    "uri-reference": rf"(?:[A-Za-z][A-Za-z0-9+.-]*:)?{_REST}",
    "duration": r"P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)",
    "json-pointer": r"(?:/(?:[^~/]|~[01])*)*",
}


def _matches(pattern: str) -> Callable[[str], bool]:
    return lambda text: re.fullmatch(pattern, text, re.DOTALL | re.ASCII) is not None


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        return False
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_date_time(text: str) -> bool:
    date, mark, time = text[:10], text[10:11], text[11:]
    return mark in {"T", "t", " "} and _is_date(date) and _matches(_TIME)(time.upper())


def _is_address(kind: type[ipaddress.IPv4Address] | type[ipaddress.IPv6Address]) -> Callable[[str], bool]:
    def check(text: str) -> bool:
        try:
            return "%" not in text and bool(kind(text))
        except ValueError:
            return False

    return check


def _is_uuid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False


def _is_pattern(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(text)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


CHECKS: Mapping[str, Callable[[str], bool]] = {
    **{name: _matches(pattern) for name, pattern in _PATTERNS.items()},
    "date": _is_date,
    "date-time": _is_date_time,
    "ipv4": _is_address(ipaddress.IPv4Address),
    "ipv6": _is_address(ipaddress.IPv6Address),
    "uuid": _is_uuid,
    "regex": _is_pattern,
}
"""The formats that are checked, each by a function that says whether a text has it."""
