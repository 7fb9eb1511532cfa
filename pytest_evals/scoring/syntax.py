"""``xml_valid`` and ``python_valid``: whether an answer is written in a language. Nothing of it is run or loaded."""

from __future__ import annotations

import re
import warnings

from ..model.criterion import Option
from ..model.score import Score
from ..model.text import one_line, text_of
from .builtin import Asked, count, define, named
from .fences import code_of

EXTRACT_CODE = Option(
    "extract", "boolean", "Whether the answer is read from its block between ``` marks, when it has one.", default=False
)

_BLANK_LINES = re.compile(r"\A\ufeff?(?:[ \t]*\r?\n)+|\A\ufeff")  # the indent of the first line stays: it may count


def code(asked: Asked, *languages: str) -> str:
    """The text that must be in the language: the answer without the blank lines around it, or a block of it."""
    text = text_of(asked.actual)
    found = code_of(text, *languages) if asked.options["extract"] else text
    return _BLANK_LINES.sub("", found).rstrip()


def fence_hint(asked: Asked, *languages: str) -> str:
    """What to say of an answer that has its code between marks, when nobody asked for blocks."""
    text = text_of(asked.actual)
    return "" if asked.options["extract"] or code_of(text, *languages) == text else "; `extract: true` reads its block"


class _DtdError(Exception):
    pass


def xml_valid(asked: Asked) -> Score:
    from xml.parsers import expat

    text = code(asked, "xml", "svg", "html").lstrip()
    if not text:
        return Score(False, "the answer is empty")
    root, inside = "", 0

    def doctype(*_: object) -> None:
        raise _DtdError

    def element(name: str, _: object) -> None:
        nonlocal root, inside
        root, inside = root or name.rpartition(" ")[2], inside + bool(root)

    # the encoding that a text declares was that of its bytes; a separator makes expat look at namespaces too
    parser = expat.ParserCreate("utf-8", " ")
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = element
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except _DtdError:
        return Score(False, "has a document type declaration (DTD), which is not accepted")
    except expat.ExpatError as error:
        message = expat.errors.messages.get(error.code, "error")
        place = f"line {error.lineno}, column {error.offset + 1}"
        return Score(False, f"not XML: {message} at {place}{fence_hint(asked, 'xml')}")
    return Score(True, f"XML: <{one_line(root, 40)}> and {count(inside, 'element')} inside")


def python_valid(asked: Asked) -> Score:
    text = code(asked, "python", "py", "python3")
    if not text:
        return Score(False, "the answer is empty")
    try:
        with warnings.catch_warnings():  # an invalid escape is no error, whatever a project makes of warnings
            warnings.simplefilter("ignore")
            compile(text, "<answer>", "exec", dont_inherit=True)
    except SyntaxError as error:
        place = f" at line {error.lineno}" if error.lineno else ""
        hint = fence_hint(asked, "python", "py")
        return Score(False, f"not Python: {one_line(error.msg, 120)}{place}{hint}", {"line": error.lineno})
    except (ValueError, OverflowError) as error:  # null bytes, lone surrogates
        return Score(False, f"not Python: {one_line(str(error), 120)}")
    except (RecursionError, MemoryError):
        return Score(False, "not Python that this interpreter can compile: it is nested too deep")
    return Score(True, f"compiles: {count(len(text.splitlines()), 'line')}")


SCORERS = named(
    define("xml_valid", xml_valid, EXTRACT_CODE, graded=False, main="extract"),
    define("python_valid", python_valid, EXTRACT_CODE, graded=False, main="extract"),
)
