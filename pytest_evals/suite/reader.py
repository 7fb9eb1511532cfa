"""Reading a suite file: text → tree → ``Suite``, and every mistake on the way.

The checks are written by hand. pydantic would read the same keys in 3 µs a case, but its messages know neither the
line nor what to write instead, it cannot tell ``1`` from ``"1"``, and what a criterion may hold depends on its scorer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import SuiteError, UsageError
from ..model.case import ExperimentSpec, Suite
from ..model.memory import collector_paused
from ..model.place import IN_NO_FILE, Problem
from ..model.wire import plain
from .cases import read_cases
from .comparisons import check_compared
from .criteria import check_unused
from .defaults import RunDefaults
from .fields import CASE_FIELDS
from .gates import read_gates
from .inherited import read_all_defaults
from .jsontree import read_json
from .judge import with_judge
from .modeltarget import check_messages
from .reading import Reading, Surroundings
from .reuse import read_layers
from .scalars import json_value, text, words
from .source import Source, load
from .systems import check_inserted, check_systems
from .tree import LOST, NOTHING, Map, Node, Seq, is_null, said
from .variants import read_targets
from .yamlerrors import read_yaml

ROOT_KEYS = (
    *("suite", "description", "experiment", "target", "variants", "matrix"),
    *("include", "judge", "defaults", "criteria_sets", "gates", "cases"),
)
EXPERIMENT_KEYS = ("name", "description", "config")
FREE = "x-"
"""Keys at the top of a file that start so are free for anchors."""

SCHEMA = "$schema"
"""The key by which editors of JSON find the schema of a file."""

_SUFFIX = re.compile(r"(\.eval)?\.(ya?ml|json)$", re.IGNORECASE)


def read(path: Path, around: Surroundings, defaults: RunDefaults, shown: str, top: Path | None) -> Suite:
    """The suite in a file. Raises ``SuiteError`` with all mistakes of the file, in its order."""
    source = load(path, shown)
    with collector_paused():
        return _read(source, Reading(source, around), path, defaults, top)


def read_data(data: Mapping[str, Any], around: Surroundings, defaults: RunDefaults, path: Path) -> Suite:
    """The suite that a program made of mappings and lists. Raises ``UsageError``, which counts the cases from 1."""
    source = Source(path, IN_NO_FILE, _a_case_a_line(data))
    try:
        return _read(source, Reading(source, around), path.with_suffix(".json"), defaults, None)
    except SuiteError as error:
        cases = data.get("cases")
        number = len(cases) if isinstance(cases, (list, tuple)) else 0
        raise UsageError("; ".join(_of_data(problem, number) for problem in error.problems)) from None


def _a_case_a_line(data: Mapping[str, Any]) -> str:
    """The data as JSON in which the line of a mistake is the number of its case; all other keys come after."""
    cases = data.get("cases")
    if not isinstance(cases, (list, tuple)):
        return json.dumps(plain(data))
    rest = json.dumps(plain({key: value for key, value in data.items() if key != "cases"}))
    comma = "" if rest == "{}" else ","
    return '{"cases": [' + ",\n".join(json.dumps(plain(case)) for case in cases) + f"\n]{comma}" + rest[1:]


_OTHER_CASE = re.compile(r"the (?:case|one) in line (?=\d+ has|\d+; give)|line (?=\d+\) make one test name)")


def _of_data(problem: Problem, cases: int) -> str:
    if problem.place.path != IN_NO_FILE:
        return str(problem)  # of a data file
    message = _OTHER_CASE.sub("case ", problem.message)
    return f"case {problem.place.line}: {message}" if problem.place.line <= cases and cases > 1 else message


def _read(source: Source, r: Reading, path: Path, defaults: RunDefaults, top: Path | None) -> Suite:
    try:
        root = (read_json if path.suffix.lower() == ".json" else read_yaml)(source, r.report)
    except SuiteError as error:
        raise r.give_up(error) from None
    if isinstance(root, Map):
        suite = _suite(r, root, path, defaults, top)
        r.finish()
        return suite
    r.report(0, _no_suite(root, source.text))
    raise r.all()


def _no_suite(root: Node | None, content: str) -> str:
    wanted = "a suite file has a 'target' and 'cases'"
    if root is None or is_null(root):
        return f"the file is empty; {wanted}" if not content.strip() else f"the file has no content; {wanted}"
    return f"{wanted}; this one is {said(root)}"


def _suite(r: Reading, root: Map, path: Path, run: RunDefaults, top: Path | None) -> Suite:
    for key in root:
        if key not in ROOT_KEYS and not key.startswith(FREE) and key != SCHEMA:
            hint = "; it belongs in a case or in 'defaults'" if key in CASE_FIELDS else ""
            r.unknown_key(root, key, ROOT_KEYS, hint)
    name = _optional(r, root, "suite") or _SUFFIX.sub("", path.name) or path.name
    before = r.count
    targets = read_targets(r, root)
    if r.count == before:
        for spec in targets.distinct():
            r.check_target(spec)
    given, origins = read_all_defaults(read_layers(r, root, top))
    cases = read_cases(r, _cases(r, root), name, given, run, needs_input=targets.need_input)
    check_unused(r)
    cases = with_judge(r, root, cases, run.judge)
    suite = Suite(
        name=name,
        path=path,
        target=targets.suite,
        cases=cases,
        gates=read_gates(r, root, name, cases, targets.variants),
        experiment=_experiment(r, root),
        description=text(r, root, "description", root.get("description", NOTHING)) or "",
        variants=targets.prompted(r, cases),
        origins=origins,
    )
    check_compared(r, suite.cases, targets.variants)
    check_messages(r, suite)
    check_systems(r, suite)
    check_inserted(r, suite)
    return suite


def _optional(r: Reading, box: Map, key: str) -> str | None:
    return words(r, box, key, box[key]) if key in box else None


def _cases(r: Reading, root: Map) -> Seq:
    node: Any = root.get("cases")
    if isinstance(node, Seq) and node:
        return node
    if node is not None and not is_null(node) and not isinstance(node, Seq):
        r.wrong(root, "cases", f"cases must be a list, not {said(node)}; start each case with '- '")
    elif node is not LOST:
        r.report(root.spot("cases"), "the suite has no cases; add at least one under 'cases'")
    empty = Seq()
    empty.at, empty.spots = root.at, []
    return empty


def _experiment(r: Reading, root: Map) -> ExperimentSpec:
    node: Any = root.get("experiment")
    if node is None or is_null(node):
        return ExperimentSpec()
    if not isinstance(node, Map):
        return ExperimentSpec(words(r, root, "experiment", node) or "")
    for key in node:
        if key not in EXPERIMENT_KEYS:
            r.unknown_key(node, key, EXPERIMENT_KEYS)
    config: Any = node.get("config", NOTHING)
    if not isinstance(config, Map) and not is_null(config):
        r.wrong(node, "config", f"config must be a mapping, not {said(config)}")
    return ExperimentSpec(
        name=_optional(r, node, "name") or ExperimentSpec().name,
        description=text(r, node, "description", node.get("description", NOTHING)) or "",
        config=json_value(r, node, "config", config) if isinstance(config, Map) else {},
    )
