"""Prompts: what is sent, made of the input, the context and the variables of a case.

prompt: 'Answer in one word: {{ input }}'              a text
prompt: [{role: user, content: '{{ input }}'}]         messages, or any JSON value
prompt: {file: prompts/short.txt}                      a text in a file; .json and .yaml files hold messages
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any

from ..errors import SuiteError
from ..model.case import Case
from ..model.text import one_line
from .filling import MOST_TOLD, fill_value, scope
from .jsontree import read_json
from .reading import Reading
from .scalars import json_value, text
from .source import LINE_END, load
from .templates import OPEN, TemplateMistakes, template
from .tree import LOST, Map, Node, Seq, is_null, said
from .yamlerrors import read_yaml

FILE = "file"
_FORMS = "write a text, a list of messages, or {file: prompt.txt}"


class Prompt:
    """A prompt that was read once and is rendered for many cases."""

    __slots__ = ("_box", "_broken", "_file", "_key", "_names", "_r", "_told")

    def __init__(self, r: Reading, box: Map, key: str, *, file: bool = False) -> None:
        self._r = r
        self._box = box
        self._key = key
        self._file = file
        self._told = 0
        before = r.count
        self._names = _names(r, box, key, box[key], file=file)
        self._broken = r.count > before

    def inserts_input(self, variables: Mapping[str, Any]) -> bool:
        """Whether it says what the case's input is; whether it may, where a name in it is a mistake."""
        return self._broken or "input" in self._names or not self._names <= {*variables, "context", "vars"}

    def of(self, question: Any, context: Any, variables: Mapping[str, Any], where: Callable[[], str]) -> Any:
        """What a case sends. Notes mistakes; ``where`` says which case they are about."""
        if self._broken:
            return "lost"
        values = dict(scope(variables))
        for name, given in (("input", question), ("context", context)):
            values.pop(name, None)  # a variable of that name is still to be had as vars.input
            if given is not None:
                values[name] = given
        # said of the first cases only: what is wrong in a prompt is mostly wrong for all of them
        r = self._r if self._told < MOST_TOLD else self._r.unheard()
        before = r.count
        made = self._made(r, values, f" ({where()})")
        self._told += r.count > before
        return made

    def _made(self, r: Reading, values: Mapping[str, Any], about: str) -> Any:
        written: Node = self._box[self._key]
        if self._file and isinstance(written, str):
            try:
                return template(str(written)).value(values) if OPEN in written else str(written)
            except TemplateMistakes as mistakes:
                for at, message in mistakes.found:
                    r.report(at, message + about)
                return "lost"
        node = fill_value(r, self._box, self._key, written, values, about)
        if isinstance(node, str):
            return "lost" if node is LOST else str(node)
        return json_value(r, self._box, self._key, node)


def read_prompt(r: Reading, box: Map, key: str, node: Node) -> Prompt | None:
    """The prompt under a key; ``None`` when there is none. After a mistake it is one that stands for any."""
    if is_null(node):
        return _broken(r) if node is LOST else None
    if isinstance(node, str):
        text(r, box, key, node)
        return Prompt(r, box, key)
    if isinstance(node, Seq) and node:
        return Prompt(r, box, key)
    if isinstance(node, Map) and list(node) == [FILE]:
        return _of_file(r, node)
    what = f"a mapping of {', '.join(node)}" if isinstance(node, Map) and node else said(node) if node else "empty"
    r.wrong(box, key, f"prompt cannot be {what}; {_FORMS}")
    return _broken(r)


def _broken(r: Reading) -> Prompt:
    box = Map(prompt="")
    box.at, box.spots = 0, [0]
    prompt = Prompt(r, box, "prompt")
    prompt._broken = True
    return prompt


def inputs(r: Reading, box: Map, cases: Iterable[Case]) -> dict[str, Any]:
    """What every case sends with the ``prompt`` of a variant, by its id; empty when the variant has none."""
    prompt = read_prompt(r, box, "prompt", box["prompt"]) if "prompt" in box else None
    if prompt is None:
        return {}
    made = {}
    for case in cases:
        asked = r.asked.get(case.id, case.input)
        made[case.id] = prompt.of(asked, case.context, case.vars, lambda case=case: of_case(case))  # type: ignore[misc]
    return made


def of_case(case: Case) -> str:
    """Which case a message is about."""
    return f"for the case {one_line(case.id, 40)!r}"


def _names(r: Reading, box: Map | Seq, key: str | int, node: Node, *, file: bool = False) -> set[str]:
    """The names that the texts of a prompt insert. Notes what can be wrong with them whatever the case."""
    if isinstance(node, str):
        try:
            return set(template(str(node)).names) if OPEN in node else set()
        except TemplateMistakes as mistakes:
            for at, message in mistakes.found:
                line = node.count("\n", 0, at) + 1
                if file:
                    r.report(at, message)
                else:
                    r.wrong(box, key, f"{message}{f' (line {line} of the text)' if line > 1 else ''}")
            return set()
    parts = node.items() if isinstance(node, Map) else enumerate(node)
    return set().union(*(_names(r, node, name, part) for name, part in parts))


def _of_file(r: Reading, node: Map) -> Prompt:
    before = r.count
    name = (text(r, node, FILE, node[FILE], prose=False) or "").strip()
    if r.count > before or node[FILE] is LOST:
        return _broken(r)
    if not name:
        r.wrong(node, FILE, "file is blank; give the name of a file")
        return _broken(r)
    path = r.source.path.absolute().parent / name
    if not _is_file(path):
        tried = one_line(os.path.normpath(path), 300)
        r.wrong(node, FILE, f"there is no file {tried}; paths in a suite start at its folder")
        return _broken(r)
    known = r.prompts.get(path)
    if known is None:
        shown = name if PurePath(name).is_absolute() else (PurePath(r.source.shown).parent / name).as_posix()
        known = r.prompts[path] = _loaded(r, path, shown)
    return known


def _loaded(r: Reading, path: Path, shown: str) -> Prompt:
    box = Map()
    box.at, box.spots = 0, [0]
    try:
        source = load(path, shown)
        inside = r.part(source)
        suffix = path.suffix.lower()
        if suffix in (".json", ".yaml", ".yml"):
            root = (read_json if suffix == ".json" else read_yaml)(source, inside.report)
            if root is None or is_null(root):
                raise source.refuse("the file is empty; it should hold a prompt")
            box["prompt"] = root
            return Prompt(inside, box, "prompt") if not inside.count else _broken(r)
        # editors end a file with a line break, which is no part of the prompt
        ends = [*LINE_END.finditer(source.text)][-1:]
        box["prompt"] = source.text[: ends[0].start()] if ends and ends[0].end() == len(source.text) else source.text
        if not source.text.strip():
            raise source.refuse("the file is empty; it should hold a prompt")
    except SuiteError as error:
        for problem in error.problems:
            r.add(problem.place, problem.message)
        return _broken(r)
    return Prompt(inside, box, "prompt", file=True)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
