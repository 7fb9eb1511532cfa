"""PDF: reading its text with pypdf, writing one with fpdf2. Both are imported when the first file needs them."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from ...errors import UsageError
from ..files import shown


def missing_package() -> str:
    """What to install before PDF can be read or written; empty when all is there."""
    gone = [name for module, name in (("pypdf", "pypdf"), ("fpdf", "fpdf2")) if find_spec(module) is None]
    return f"PDF needs the {gone[0]} package: pip install 'pytest-evals-suite[pdf]'" if gone else ""


def read_pdf(path: Path) -> str:
    """The text of all pages, between blank lines.

    Raises ``UsageError``: no such file, no PDF, one that is locked, one without any text (scanned pages).
    """
    if missing := missing_package():
        raise UsageError(f"{shown(path)}: {missing}")
    from pypdf import PdfReader
    from pypdf.errors import FileNotDecryptedError, PyPdfError

    try:
        with _quiet(), path.open("rb") as file:
            pages = [page.extract_text() for page in PdfReader(file).pages]
    except OSError as error:
        raise UsageError(f"{shown(path)} cannot be read: {error.strerror or error}") from None
    except FileNotDecryptedError:
        raise UsageError(f"{shown(path)} is locked with a password; save it without one") from None
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError) as error:  # what a broken file makes of pypdf
        raise UsageError(f"{shown(path)} is no PDF that can be read: {error}") from None
    text = "\n\n".join(page.strip() for page in pages if page.strip())
    if not text:
        raise UsageError(f"{shown(path)} holds no text; scanned pages must go through text recognition first")
    return text


def write_pdf(title: str, text: str) -> bytes:
    """A PDF with the text, whose lines that begin with ``#`` are headings. Raises ``UsageError`` without the package.

    The built-in fonts of PDF know the letters of western Europe; any other character becomes «?».
    """
    if missing := missing_package():
        raise UsageError(missing)
    from fpdf import FPDF

    pdf = FPDF(format="A4")
    pdf.set_title(_latin(title))
    pdf.set_auto_page_break(True, margin=20)
    pdf.add_page()
    for line in text.split("\n"):
        bare = line.lstrip("#")
        level = len(line) - len(bare)
        heading = 0 < level <= 6 and bare.startswith(" ")
        pdf.set_font("Helvetica", "B" if heading else "", max(11, 18 - 2 * level) if heading else 11)
        shown_line = (bare if heading else line).strip()
        if shown_line:
            pdf.multi_cell(0, 6, _latin(shown_line), new_x="LMARGIN", new_y="NEXT", align="L")
        else:
            pdf.ln(4)
    out = io.BytesIO()
    pdf.output(out)
    return out.getvalue()


_PLAINER = str.maketrans(
    {"–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "•": "-", "…": "...", "\t": "    "}
)


def _latin(text: str) -> str:
    return text.translate(_PLAINER).encode("latin-1", "replace").decode("latin-1")


@contextmanager
def _quiet() -> Iterator[None]:
    """Broken files make pypdf log warnings on standard error, line after line."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
