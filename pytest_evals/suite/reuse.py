"""What suites share: included files, the ``evals.defaults.yaml`` of folders, named sets of criteria.

    include: [shared/tone.yaml]          # defaults and criteria_sets of other files
    criteria_sets:
      polite: [{not: {contains: stupid}}, {llm_judge: {name: tone}}]
    cases:
      - input: …
        criteria: [contains, use: polite]

What stands nearer to a case wins: the case, the entry of a data set, the suite's ``defaults``, the files it includes
(the last of them first, each before those that it includes itself), the ``evals.defaults.yaml`` of its folder, those
of the folders above. Tags, criteria, metadata and variables are added up.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from ..errors import SuiteError
from ..model.text import one_line
from .jsontree import read_json
from .reading import CriteriaSet, Reading
from .scalars import text
from .source import load
from .tree import LOST, Map, Node, Seq, is_null, quoted, said
from .yamlerrors import read_yaml

INCLUDE, SETS, DEFAULTS = "include", "criteria_sets", "defaults"

REUSED_KEYS = (INCLUDE, DEFAULTS, SETS)
"""The keys of a file that others include, and of ``evals.defaults.yaml``."""

FOLDER_FILES = ("evals.defaults.yaml", "evals.defaults.yml")
"""Files whose defaults hold for the suites of their folder and below. A folder has one of them."""

_INCLUDES = "write include: [shared.yaml]"


@dataclass(frozen=True, slots=True)
class Layer:
    """One file's share in what holds for the cases of a suite."""

    r: Reading
    root: Map


def read_layers(r: Reading, root: Map, top: Path | None) -> list[Layer]:
    """All files that say something about the suite's cases, the weakest first and the suite itself last.

    Takes up their sets of criteria. ``top`` is the highest folder whose ``evals.defaults.yaml`` counts; ``None``: none
    does.
    """
    files = _Files(r)
    for path, shown in _of_folders(r, top):
        files.take(r, path, shown, ())
    files.follow(r, root, (_absolute(r.source.path),))
    layers = [*files.layers, Layer(r, root)]
    for layer in layers:
        _take_sets(layer.r, layer.root)
    return layers


class _Files:
    """The files that are included, each once: where it is named first."""

    def __init__(self, r: Reading) -> None:
        self.layers: list[Layer] = []
        self._known: set[Path] = {_absolute(r.source.path)}

    def follow(self, r: Reading, root: Map, chain: tuple[Path, ...]) -> None:
        """Take the files that one includes. ``chain`` are those that led to it, itself included."""
        node: Node | None = root.get(INCLUDE)
        if node is None or is_null(node):
            return
        box, entries = (node, [*range(len(node))]) if isinstance(node, Seq) else (root, [INCLUDE])
        if isinstance(node, Map):
            r.wrong(root, INCLUDE, f"include must be a list of files, not {said(node)}; {_INCLUDES}")
            return
        for entry in entries:
            self._entry(r, box, entry, chain)

    def _entry(self, r: Reading, box: Map | Seq, entry: int | str, chain: tuple[Path, ...]) -> None:
        before = r.count
        value: Node = box[entry]  # type: ignore[index]
        name = (text(r, box, entry, value, "each of include", prose=False) or "").strip()
        if r.count > before or value is LOST:
            return
        if not name:
            r.wrong(box, entry, f"an empty place in include; {_INCLUDES}")
            return
        path = _absolute(r.source.path.parent / name)
        if path in chain:
            names = [each.name for each in (*chain[chain.index(path) :], path)]
            r.wrong(box, entry, f"{quoted(name)} includes itself: {' → '.join(names)}; remove one of these")
        elif not _is_file(path):
            r.wrong(box, entry, f"there is no file {one_line(str(path), 300)}; paths start at the folder of the file")
        elif path not in self._known:
            whole = PurePath(name).is_absolute()
            shown = name if whole else os.path.normpath(PurePath(r.source.shown).parent / name)
            self.take(r, path, shown, chain)

    def take(self, r: Reading, path: Path, shown: str, chain: tuple[Path, ...]) -> None:
        """Read a file, and those that it includes, which are weaker."""
        self._known.add(path)
        try:
            source = load(path, shown)
            inside = r.part(source)
            root = (read_json if path.suffix.lower() == ".json" else read_yaml)(source, inside.report)
        except SuiteError as error:
            for problem in error.problems:
                r.add(problem.place, problem.message)
            return
        if root is None or is_null(root):
            return
        if not isinstance(root, Map):
            inside.report(0, f"a file of defaults has {', '.join(REUSED_KEYS)}; this one is {said(root)}")
            return
        for key in root:
            if key not in REUSED_KEYS and not key.startswith("x-") and key != "$schema":
                hint = "; a file that others include has include, defaults and criteria_sets alone"
                inside.unknown_key(root, key, REUSED_KEYS, hint if key in ("cases", "target", "suite", "gates") else "")
        self.follow(inside, root, (*chain, path))
        self.layers.append(Layer(inside, root))


def _of_folders(r: Reading, top: Path | None) -> Iterator[tuple[Path, str]]:
    """The files of defaults of the suite's folder and those above, the highest first."""
    if top is None:
        return
    folder, top = _absolute(r.source.path).parent, _absolute(top)
    folders = [folder]
    if folder.is_relative_to(top):
        folders = [each for each in (folder, *folder.parents) if each.is_relative_to(top)]
    for each in reversed(folders):
        found = [each / name for name in FOLDER_FILES if _is_file(each / name)]
        for path in found[:1]:
            shown = PurePath(r.source.shown)
            beside = "" if shown.is_absolute() else os.path.relpath(path, folder)
            yield path, os.path.normpath(shown.parent / beside) if beside else str(path)
        if found[1:]:
            r.report(0, f"{each} has both {FOLDER_FILES[0]} and {FOLDER_FILES[1]}; keep one")


def _take_sets(r: Reading, root: Map) -> None:
    """Note the sets of criteria of a file; those of a nearer file take the place of others of their name."""
    node: Node | None = root.get(SETS)
    if node is None or is_null(node):
        return
    if not isinstance(node, Map):
        r.wrong(root, SETS, f"criteria_sets must be a mapping of names to lists of criteria, not {said(node)}")
        return
    for name, part in node.items():
        if isinstance(part, Seq) and part:
            r.sets[name] = CriteriaSet(r, node, name)
        else:
            what = said(part) if part != [] else "an empty list"
            r.wrong(node, name, f"the criteria set {quoted(name)} must be a list of criteria, not {what}")
            r.sets[name] = CriteriaSet(r, node, name, broken=True)


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100  (without `..`, so that equal files are equal paths)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
