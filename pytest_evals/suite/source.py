"""The text of a file that a person wrote, and where in it something stands."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from ..errors import SuiteError
from ..model.place import Place, Problem

UTF_8 = "utf-8"
LINE_END = re.compile(r"\r\n|\n|\r")
_LFS = "version https://git-lfs.github.com/spec/v1"
# UTF-32 first: its little-endian mark starts with that of UTF-16
_OTHER_BOMS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def line_starts(text: str) -> list[int]:
    """The offset of each line. Lines end where editors end them: not at U+2028 and the like."""
    if text.count("\r") == text.count("\r\n"):  # no old Mac line ends: five times faster than the pattern
        return list(accumulate([len(line) + 1 for line in text.split("\n")[:-1]], initial=0))
    return [0, *(match.end() for match in LINE_END.finditer(text))]


class Source:
    """A file's text without a byte order mark; offsets into it become places."""

    def __init__(self, path: Path, shown: str, text: str) -> None:
        self.path = path
        # a line break in a file's name must not break a message into two lines
        self.shown = shown if shown.isprintable() else shown.encode("unicode_escape").decode("ascii")
        self.text = text

    def place(self, offset: int) -> Place:
        """The line and column of a position in the text."""
        starts = self.starts
        line = bisect_right(starts, offset)
        return Place(self.shown, line, offset - starts[line - 1] + 1)

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line."""
        return line_starts(self.text)

    def line_at(self, offset: int) -> str:
        """The whole line that a position is in, without its end."""
        start = max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1
        end = LINE_END.search(self.text, offset)
        return self.text[start : end.start() if end else len(self.text)]

    def refuse(self, message: str, offset: int = 0) -> SuiteError:
        """The error for a file that cannot be read any further."""
        return SuiteError([Problem(self.place(offset), message)])


def load(path: Path, shown: str, encoding: str = UTF_8, cure: str = "") -> Source:
    """The text of a file, whatever the locale. Raises ``SuiteError`` when there is none to be had.

    ``cure`` is what can be done about a file that is not in the encoding, besides saving it anew.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise Source(path, shown, "").refuse(f"there is no file {path.absolute()}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Source(path, shown, "").refuse(f"the file cannot be read: {reason}") from None
    skipped = 0
    if encoding == UTF_8:
        for mark, name in _OTHER_BOMS.items():
            if data.startswith(mark):
                raise Source(path, shown, "").refuse(f"the file is {name}; save it as UTF-8{cure}")
        skipped = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    data = data[skipped:]
    try:
        text = data.decode(encoding).removeprefix("\ufeff" if encoding != UTF_8 else "")
    except UnicodeDecodeError as error:
        before = Source(path, shown, data[: error.start].decode(encoding, "replace"))
        byte = f"byte 0x{data[error.start]:02X} at offset {error.start + skipped}"
        wrong = f"UTF-8; save the file as UTF-8{cure}" if encoding == UTF_8 else encoding
        raise before.refuse(f"{byte} is not {wrong}", len(before.text)) from None
    source = Source(path, shown, text)
    if text.startswith(_LFS):
        raise source.refuse("this is a Git LFS pointer, not the file itself; run `git lfs pull`")
    return source
