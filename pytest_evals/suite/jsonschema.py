"""The JSON Schema of suite files, by which editors complete and check them while they are written.

It is made of the tables that the reader reads by: the keys of a file, a case, a data set and a target, and the options
of the built-in scorers. A key without a shape here is an error, so that none is forgotten. What a schema cannot say,
such as that ids differ, is left to the reader; nothing that the reader takes is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..model.criterion import COMBINATIONS, Option, ScorerSpec
from .criteria import PYTHON, USE
from .datasets import DATASET_KEYS, FILE, SHARED_FIELDS
from .fields import CASE_FIELDS, DEFAULT_FIELDS
from .judge import JUDGE_KEYS
from .modeltarget import MODEL_KEYS, TOOL_KEYS
from .options import OWN_KEYS
from .reader import EXPERIMENT_KEYS, ROOT_KEYS
from .remote import COMMAND_KEYS, HTTP_KEYS
from .reuse import REUSED_KEYS
from .user import USER_KEYS

Schema = dict[str, Any]
Described = dict[str, tuple[Schema, str]]
"""Shapes, and the sentences that an editor shows."""

DIALECT = "http://json-schema.org/draft-07/schema#"
"""The one that editors know best."""

_SCALARS = ["string", "number", "boolean"]
GIVEN_TEXT: Schema = {"type": _SCALARS}
"""A text as it is written: ``no``, ``0123`` and ``12:30`` are themselves, whatever an editor takes them for."""
TEXT: Schema = {"type": [*_SCALARS, "null"]}
ANYTHING: Schema = {}
MAPPING: Schema = {"type": ["object", "null"]}
TEMPLATE: Schema = {"type": "string", "pattern": r"\{\{"}
"""A place that a variable fills, where another type is wanted."""
IDENTIFIER = r"^[^\W\d]\w*$"
FREE = {"^x-": ANYTHING, r"^\$schema$": {"type": "string"}}


def suite_schema(specs: Mapping[str, ScorerSpec]) -> Schema:
    """The schema of a suite file, with the options of these scorers."""
    schema = _file(ROOT_KEYS, "An evaluation suite", specs)
    return {
        **schema,
        "required": ["cases"],
        "anyOf": [{"required": [key]} for key in ("target", "variants", "matrix")],
    }


def defaults_schema(specs: Mapping[str, ScorerSpec]) -> Schema:
    """The schema of ``evals.defaults.yaml`` and of files that suites include."""
    return _file(REUSED_KEYS, "Defaults of evaluation suites", specs)


def _file(keys: Iterable[str], title: str, specs: Mapping[str, ScorerSpec]) -> Schema:
    root: Described = {
        "suite": (TEXT, "The name of the suite; the file's name by default."),
        "description": (TEXT, "A sentence for reports."),
        "experiment": (
            {"anyOf": [TEXT, _closed({"name": TEXT, "description": TEXT, "config": MAPPING}, EXPERIMENT_KEYS)]},
            "The named series of runs that the suite belongs to.",
        ),
        "target": (_ref("target"), "The application under test."),
        "variants": ({"type": "array", "minItems": 1, "items": _ref("variant")}, "Every case runs once with each."),
        "matrix": (
            {"type": "object", "minProperties": 1, "additionalProperties": {"type": "array", "minItems": 1}},
            "Every variant runs once with each combination of these values.",
        ),
        "judge": (
            _one_or_several({"anyOf": [TEXT, _object(dict.fromkeys(JUDGE_KEYS, ANYTHING) | {"model": GIVEN_TEXT})]}),
            "The model that answers the llm_judge criteria, or several of them.",
        ),
        "include": (_one_or_several(TEXT), "Files whose defaults and criteria sets hold here, too."),
        "defaults": ({"anyOf": [_ref("defaults"), {"type": "null"}]}, "What holds for every case of the file."),
        "criteria_sets": (
            {"type": ["object", "null"], "additionalProperties": {"allOf": [_ref("criteria"), {"minItems": 1}]}},
            "Named lists of criteria; 'use: NAME' puts one into a list.",
        ),
        "gates": (
            {"type": ["array", "null"], "items": {"type": "string"}},
            "Conditions on the whole run, such as 'pass_rate >= 95%'.",
        ),
        "cases": ({"type": "array", "minItems": 1, "items": _ref("entry")}, "The cases and data sets."),
    }
    return {
        "$schema": DIALECT,
        "title": title,
        "type": "object",
        "properties": _described(root, keys),
        "patternProperties": FREE,
        "additionalProperties": False,
        "definitions": _definitions(specs),
    }


def _definitions(specs: Mapping[str, ScorerSpec]) -> Schema:
    case = _case_keys()
    return {
        "entry": {"if": {"required": [FILE]}, "then": _ref("dataset"), "else": _ref("case")},
        "case": _object(_described(case, CASE_FIELDS)),
        "defaults": _object(_described(case, DEFAULT_FIELDS)),
        "dataset": {
            **_object({**_described(_DATASET, DATASET_KEYS), **_described(case, SHARED_FIELDS)}),
            "required": [FILE],
            "not": {"required": ["limit", "sample"]},
        },
        "criteria": {"type": ["array", "null"], "items": _ref("criterion")},
        "criterion": _criterion(specs),
        "part": _part(),
        **{f"options.{name}": _options(spec) for name, spec in specs.items()},
        "target": _target(),
        "variant": {"type": "object", "minProperties": 1, "properties": {"target": _ref("target"), "prompt": _PROMPT}},
    }


def _case_keys() -> Described:
    reason = {"type": ["string", "boolean", "null"]}
    return {
        "id": (GIVEN_TEXT, "What the test is called; results are compared between runs by it."),
        "name": (TEXT, "The name for people."),
        "input": (ANYTHING, "What the target is given: text, a list of messages, or any JSON value."),
        "context": (ANYTHING, "Text or a JSON value that the target may ask for."),
        "expected_output": (ANYTHING, "The answer that is expected: text or a JSON value."),
        "reference_outputs": (_several(GIVEN_TEXT), "Further texts that are right."),
        "expected_tool_calls": (
            _several({**_object({"name": GIVEN_TEXT, "args": ANYTHING}), "required": ["name"]}),
            "The tools that should be called; an empty list expects no call.",
        ),
        "criteria": (_ref("criteria"), "What is asked of the answer."),
        "inherit_criteria": ({"type": "boolean"}, "false: the criteria of defaults do not count here."),
        "threshold": (
            _or_null(_or({"type": "number", "minimum": 0, "maximum": 1}, {"const": "unset"})),
            "The weighted mean of the scores to reach, or the word unset.",
        ),
        "warn": (
            _or_null({"type": "number", "minimum": 0, "maximum": 1}),
            "A case that reaches this, but not its threshold, is warned.",
        ),
        "timeout": (
            _or({"type": "number", "minimum": 0}, {"type": "string", "pattern": r"^\s*[0-9.]+\s*(ms|s|m|h)?\s*$"}),
            "Limit of one attempt: 30s, 500ms, 2m; 0 is no limit.",
        ),
        "retries": ({"type": "number", "minimum": 0, "multipleOf": 1}, "Extra attempts after an error or timeout."),
        "trials": ({"type": "number", "minimum": 1, "multipleOf": 1}, "How many times the case is asked."),
        "pass_if": (
            {"type": "string", "pattern": r"^\s*([aA][lL]{2}|[aA][nN][yY]|[mM][a-zA-Z]+|\d+\s+[oO][fF]\s+\d+)\s*$"},
            "Which trials must pass: all, any, majority, mean, or '3 of 5'.",
        ),
        "category": (TEXT, "One word to group by in reports and gates."),
        "tags": (_several(GIVEN_TEXT), "Words that become pytest markers."),
        "metadata": (MAPPING, "Whatever is worth keeping with the result."),
        "vars": (MAPPING, "Variables that the templates of the case insert."),
        "prompt": (_PROMPT, "What is sent, made of the input: a text, a list of messages, or {file: …}."),
        "user": (
            _or_null(
                {
                    **_object(dict.fromkeys(USER_KEYS, ANYTHING) | {"model": GIVEN_TEXT, "goal": GIVEN_TEXT}),
                    "required": ["model", "goal"],
                }
            ),
            "A model that plays the user of a conversation: what it wants, who it is, how many turns at most.",
        ),
        "skip": (reason, "Why the case is not run."),
        "xfail": (reason, "Why the case is expected to fail."),
        "status": ({"enum": ["draft", "accepted", None]}, "A draft runs, but no gate counts it; accepted by default."),
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}


def _or(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def _or_null(schema: Schema) -> Schema:
    return _or(schema, {"type": "null"})


def _several(item: Schema) -> Schema:
    return {"type": ["array", "null"], "items": item}


def _one_or_several(item: Schema) -> Schema:
    return _or(item, {"type": "array", "items": item})


def _object(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _closed(shapes: Mapping[str, Schema], keys: Iterable[str]) -> Schema:
    return _object({key: shapes[key] for key in keys})


def _described(shapes: Described, keys: Iterable[str]) -> Schema:
    """Properties with the sentence that an editor shows. Raises ``KeyError`` for a key that has no shape."""
    return {key: {**shapes[key][0], "description": shapes[key][1]} for key in keys}


_PROMPT: Schema = _or(
    TEXT, {"type": "array", "minItems": 1}, {**_object({FILE: {"type": "string", "minLength": 1}}), "required": [FILE]}
)

_DATASET: Described = {
    FILE: ({"type": "string", "minLength": 1}, "A file whose rows are cases: csv, tsv, jsonl, ndjson, json, yaml."),
    "map": ({"type": ["object", "null"]}, "Which column gives which key of a case."),
    "where": ({"type": ["object", "null"]}, "What columns must hold."),
    "limit": ({"type": ["number", "null"]}, "The first rows only."),
    "sample": ({"type": ["number", "null"]}, "So many rows, chosen by chance."),
    "seed": ({"type": ["number", "null"]}, "The start of the chance of 'sample'."),
    "delimiter": ({"type": ["string", "null"]}, "What stands between the cells of a table."),
    "encoding": ({"type": ["string", "null"]}, "The encoding of the file; UTF-8 by default."),
}


# --- criteria ---------------------------------------------------------------------------------------------------------


def _criterion(specs: Mapping[str, ScorerSpec]) -> Schema:
    """A criterion in all its forms."""
    own = _own()
    needy = [name for name, spec in specs.items() if spec.requires]
    special = [*COMBINATIONS, PYTHON]
    return _or(
        {"type": "string", "pattern": IDENTIFIER, "not": {"enum": [*special, *needy]}, "examples": [*specs]},
        {**_object({USE: _one_or_several(GIVEN_TEXT)}), "required": [USE]},
        {
            "type": "object",
            "required": [PYTHON],
            "properties": {PYTHON: {"type": "string", "pattern": ":"}, **own},
        },
        *({**_object({name: _parts(name), **own}), "required": [name]} for name in COMBINATIONS),
        _full(specs, own),
        {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "propertyNames": {"pattern": IDENTIFIER, "not": {"enum": [*special, USE, "scorer"]}},
            "properties": {name: _keyed(spec) for name, spec in specs.items()},
        },
    )


def _part() -> Schema:
    """A criterion inside a combination, where weight and threshold cannot stand."""
    weighted = {"anyOf": [{"required": ["weight"]}, {"required": ["threshold"]}]}
    unweighted = {"not": {"type": "object", **weighted}}
    keyed = {"if": {"type": "object", "maxProperties": 1}, "then": {"additionalProperties": unweighted}}
    return {"allOf": [_ref("criterion"), unweighted, keyed]}


def _own() -> Schema:
    shapes: dict[str, Schema] = {
        "name": GIVEN_TEXT,
        "weight": _or({"type": "number", "minimum": 0}, TEMPLATE),
        "threshold": _or({"type": "number", "minimum": 0, "maximum": 1}, TEMPLATE),
        "description": TEXT,
        "turn": _or({"type": "integer", "minimum": 1}, {"enum": ["last", "all"]}, TEMPLATE),
    }
    return {key: shapes[key] for key in OWN_KEYS}


def _parts(name: str) -> Schema:
    listed = {"type": "array", "minItems": 1, "items": _ref("part")}
    return _or(_ref("part"), {**listed, "maxItems": 1}) if name == "not" else listed


def _full(specs: Mapping[str, ScorerSpec], own: Schema) -> Schema:
    """``{scorer: NAME, …}``: for a built-in scorer its options, for another anything."""
    forms = []
    for name, spec in specs.items():
        keys = [*(option.name for option in spec.options), *own]
        options = {key: {"$ref": f"#/definitions/options.{name}/properties/{key}"} for key in keys}
        closed = {**_object({"scorer": ANYTHING, **options}), "required": list(spec.requires)}
        forms.append({"if": {"properties": {"scorer": {"const": name}}}, "then": closed})
    for name in COMBINATIONS:
        made_of = _object({"scorer": ANYTHING, "criteria": _parts(name), name: _parts(name), **own})
        forms.append({"if": {"properties": {"scorer": {"const": name}}}, "then": made_of})
    scorer = {"type": "string", "pattern": IDENTIFIER, "not": {"const": PYTHON}}
    return {"type": "object", "required": ["scorer"], "properties": {"scorer": scorer, **own}, "allOf": forms}


def _keyed(spec: ScorerSpec) -> Schema:
    """What may stand under a built-in scorer: its options, or its main option alone."""
    forms = [_ref(f"options.{spec.name}")]
    if spec.main is not None:
        main = {"$ref": f"#/definitions/options.{spec.name}/properties/{spec.main}"}
        forms.append({"allOf": [main, {"not": {"type": ["object", "null"]}}]})
    if not spec.requires:
        forms.append({"type": "null"})
    return {**_or(*forms), "description": spec.summary}


def _options(spec: ScorerSpec) -> Schema:
    options = {option.name: {**_option(option), "description": option.help} for option in spec.options}
    # a criterion's own keys go before options of their names
    return {**_object({**options, **_own()}), "required": list(spec.requires)}


def _option(option: Option) -> Schema:
    match option.kind:
        case "boolean":
            return _or({"type": "boolean"}, TEMPLATE)
        case "number" | "integer":
            shape: Schema = {"type": "number"}
            if option.kind == "integer":
                shape["multipleOf"] = 1
            if option.minimum is not None:
                shape["minimum"] = option.minimum
            if option.maximum is not None:
                shape["maximum"] = option.maximum
            return _or(shape, TEMPLATE)
        case "choice":
            return _or({"enum": list(option.choices)}, TEMPLATE)
        case "text":
            return dict(GIVEN_TEXT)
        case "texts":
            return _or(GIVEN_TEXT, {"type": "array", "minItems": 1, "items": GIVEN_TEXT})
        case "json" | "document":
            return {}


# --- targets ----------------------------------------------------------------------------------------------------------


def _target() -> Schema:
    status = _or({"type": "number"}, {"type": "array", "items": {"type": "number"}, "minItems": 1}, {"type": "null"})
    texts = {"type": "array", "minItems": 1, "items": GIVEN_TEXT}
    http: dict[str, Schema] = {
        "url": {"type": "string", "minLength": 1},
        "method": TEXT,
        "headers": {"type": ["object", "null"], "additionalProperties": TEXT},
        "body": ANYTHING,
        "output": TEXT,
        "status": status,
    }
    command: dict[str, Schema] = {"argv": texts, "stdin": ANYTHING, "output": TEXT, "status": status}
    kinds: dict[str, Schema] = {
        "fixture": {"type": "string", "minLength": 1},
        "responses": {"type": "string", "minLength": 1},
        "http": {**_closed(http, HTTP_KEYS), "required": ["url"]},
        "command": _or(texts, {**_closed(command, COMMAND_KEYS), "required": ["argv"]}),
    }
    alone = [{**_object({kind: shape}), "required": [kind]} for kind, shape in kinds.items()]
    return _or({"type": "string", "minLength": 1}, *alone, {**_closed(_model(), MODEL_KEYS), "required": ["model"]})


def _model() -> dict[str, Schema]:
    document = {"type": ["object", "string", "null"]}
    tool: dict[str, Schema] = {"name": GIVEN_TEXT, "description": TEXT, "parameters": document}
    return {
        "model": {"type": "string", "pattern": r"[/$]"},
        "system": TEXT,
        "max_tokens": _or_null({"type": "number", "minimum": 1, "multipleOf": 1}),
        "temperature": _or_null({"type": "number", "minimum": 0}),
        "top_p": _or_null({"type": "number", "minimum": 0, "maximum": 1}),
        "seed": _or_null({"type": "number", "multipleOf": 1}),
        "stop": _or(TEXT, {"type": "array", "items": GIVEN_TEXT}),
        "tools": _several({**_closed(tool, TOOL_KEYS), "required": ["name"]}),
        "tool_choice": TEXT,
        "schema": document,
        "base_url": TEXT,
        "api_key": TEXT,
        "extra": MAPPING,
    }
