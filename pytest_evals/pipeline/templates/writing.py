"""A template as JSON, JSON Lines, CSV or XML. Reading one gives back what was written, whatever the format."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree import ElementTree  # only to write: files are read with defusedxml

from ...model.answertemplate import COLUMNS, VERSION, AnswerTemplate, TemplateItem, cell_of
from ...model.csvguard import guard

INSTRUCTIONS = (
    "Write the answer of your system into every 'response'. What stays blank counts as not answered. Change nothing "
    "else; then: pytest-evals eval -f FILE, or a suite with target {responses: FILE}."
)

# what XML cannot hold, or a parser would change
_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_json(template: AnswerTemplate) -> str:
    """One object with all items."""
    return (
        json.dumps(
            {
                "template_version": VERSION,
                **_whole(template),
                "instructions": INSTRUCTIONS,
                "items": [_item(number, item) for number, item in enumerate(template.items, 1)],
            },
            ensure_ascii=False,
            indent=2,
        )
        + "\n"
    )


def to_jsonl(template: AnswerTemplate) -> str:
    """An item a line."""
    rows = ({**_item(number, item), **_whole(template)} for number, item in enumerate(template.items, 1))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_csv(template: AnswerTemplate) -> str:
    """A row an item, under one line of names. Cells that a spreadsheet would calculate have an apostrophe before."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for number, item in enumerate(template.items, 1):
        row: dict[str, Any] = {**_item(number, item), **_whole(template)}
        writer.writerow([guard(_cell(name, row[name])) for name in COLUMNS])
    return out.getvalue()


def to_xml(template: AnswerTemplate) -> str:
    """An element an item."""
    whole = _whole(template)
    about = {"version": str(VERSION), "use_case": whole["use_case"], "threshold": str(whole["threshold"])}
    root = ElementTree.Element("template", about)
    _child(root, "source", whole["source"])
    _child(root, "instructions", INSTRUCTIONS)
    for number, item in enumerate(template.items, 1):
        box = ElementTree.SubElement(root, "item", {"id": str(number)})
        row = _item(number, item)
        for name in COLUMNS[1:7]:
            _child(box, name, _cell(name, row[name]))
    return '<?xml version="1.0" encoding="utf-8"?>\n' + _indented(root) + "\n"


FORMATS: Mapping[str, Callable[[AnswerTemplate], str]] = {
    "json": to_json,
    "csv": to_csv,
    "jsonl": to_jsonl,
    "xml": to_xml,
}
"""By the end of a file's name."""


def _whole(template: AnswerTemplate) -> dict[str, Any]:
    return {"use_case": template.use_case, "source": template.source, "threshold": template.threshold}


def _item(number: int, item: TemplateItem) -> dict[str, Any]:
    return {
        "id": number,
        "test_id": item.test_id,
        "source_file": item.source_file,
        "input_text": item.input_text,
        "ground_truth": item.ground_truth,
        "response": item.response,
        "evaluation_criteria": dict(item.evaluation_criteria),
    }


def _cell(name: str, value: Any) -> str:
    return cell_of(value) if name in ("ground_truth", "evaluation_criteria") else str(value)


def _child(box: ElementTree.Element, name: str, text: str) -> None:
    if _NOT_IN_XML.search(text):
        child = ElementTree.SubElement(box, name, {"escaped": "json"})
        child.text = json.dumps(text)
    else:
        child = ElementTree.SubElement(box, name)
        child.text = text


def _indented(root: ElementTree.Element) -> str:
    """The XML with an element a line. White space between elements says nothing; within them it is the text's."""
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")
