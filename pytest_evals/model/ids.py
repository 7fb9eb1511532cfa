"""From case ids, which are kept as written, to names of pytest nodes, which must select and survive ``--lf``."""

from __future__ import annotations

import hashlib
import re
import sys

MAX_NODE_NAME = 200
"""Longer names are cut and end in a hash: terminals, JUnit files and file systems have limits."""

_BRACKETS = str.maketrans("[]", "()")
_CHANGED = re.compile(r"::|[\[\]]")
_SLUG = re.compile(r"[^\w]+", re.UNICODE)


_ENCODING = sys.getfilesystemencoding().lower()


def node_name(case_id: str) -> str:
    """The name of the case's pytest node: ``::`` becomes ``:``, ``[ ]`` become ``( )``, control characters are escaped.

    pytest 9.2 forgets ``--lf`` for names that hold brackets, and cannot select names with ``::``.
    """
    if case_id.isascii() and case_id.isprintable() and not _CHANGED.search(case_id) and len(case_id) <= MAX_NODE_NAME:
        return case_id  # most are; 100,000 rows are 100,000 texts less
    name = re.sub(":{2,}", ":", case_id).translate(_BRACKETS)
    if not name.isprintable():
        name = "".join(c if c.isprintable() else _escaped(c) for c in name)
    if not name.isascii() and _ENCODING != "utf-8":
        # pytest keeps the running test's name in the environment, which a "C" locale cannot hold
        name = name.encode(_ENCODING, "backslashreplace").decode(_ENCODING)
    if len(name) > MAX_NODE_NAME:
        digest = hashlib.sha256(case_id.encode("utf-8", "surrogatepass")).hexdigest()[:10]
        name = f"{name[: MAX_NODE_NAME - 11]}-{digest}"
    return name


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def slug(text: str) -> str:
    """``"Refund window?"`` → ``"refund-window"``; empty when nothing is left."""
    return _SLUG.sub("-", text.strip().lower()).strip("-")
