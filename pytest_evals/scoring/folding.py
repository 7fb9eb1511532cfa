"""Texts made comparable: Unicode in its composed form (NFC), and lower case unless case counts."""

from __future__ import annotations

from typing import Any
from unicodedata import normalize

from ..model.text import text_of


def fold(value: Any, case_sensitive: bool = False) -> str:
    """The value as text in NFC, in lower case unless ``case_sensitive``."""
    text = value if type(value) is str else text_of(value)
    if text.isascii():
        return text if case_sensitive else text.lower()
    text = normalize("NFC", text)
    # lower case can come apart again: İ becomes i and a combining dot
    return text if case_sensitive else normalize("NFC", text.lower())
