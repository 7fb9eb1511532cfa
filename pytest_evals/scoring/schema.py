"""``json_schema``: an answer held against a JSON schema, by the jsonschema package."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..errors import ScorerError
from ..model.criterion import Option
from ..model.score import Score
from ..model.text import one_line
from .builtin import Asked, define, named
from .formats import CHECKS
from .jsoncompare import Difference, written
from .jsonvalue import NotJsonError
from .pattern import compiled, matches
from .structure import EXTRACT, KEPT, answer_of, not_json, told

if TYPE_CHECKING:
    from jsonschema import FormatChecker
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

EXTRA = "json_schema needs the jsonschema package: pip install 'pytest-evals-suite[jsonschema]'"

_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


def json_schema(asked: Asked) -> Score:
    schema = asked.options["schema"]
    validator = _validator_of(schema)
    try:
        answer = answer_of(asked)
    except NotJsonError as error:
        return not_json(asked, error)
    try:
        found = [_difference(error) for error in islice(validator.iter_errors(answer.value), KEPT)]
    except RecursionError:
        raise ScorerError("the schema leads back to itself without end, or the answer is nested too deep") from None
    except (ArithmeticError, TypeError, ValueError) as error:  # 1e400 against multipleOf: 0.1
        found = [Difference((), f"holds a number that cannot be checked: {error or type(error).__name__}")]
    unchecked = _unchecked(json.dumps(schema))
    note = f"; format {', '.join(unchecked)} is not checked" if unchecked else ""
    if not found:
        return Score(True, f"fits the schema{answer.note}{note}")
    detail = {"errors": [{"path": written(steps), "message": message} for steps, message in found]}
    return Score(False, told(found) + answer.note + note, detail)


def _difference(error: ValidationError) -> Difference:
    # an error of anyOf says only that nothing fits; what came closest is the reason
    if error.context and error.validator in {"anyOf", "oneOf"}:
        from jsonschema.exceptions import best_match

        inner = best_match([error])
        if inner is not None and inner is not error and inner.validator not in {"anyOf", "oneOf"}:
            return Difference(_steps(inner), f"{one_line(inner.message, 200)} ({error.validator})")
    return Difference(_steps(error), one_line(error.message, 200))


def _steps(error: ValidationError) -> tuple[str | int, ...]:
    return tuple(error.absolute_path)


def _validator_of(schema: Any) -> Validator:
    try:
        return _validator(json.dumps(schema, sort_keys=False))
    except ModuleNotFoundError:
        raise ScorerError(EXTRA) from None


@lru_cache(maxsize=256)
def _validator(text: str) -> Validator:
    """The validator of a schema, which is JSON text so that it can be looked up."""
    from jsonschema.validators import Draft202012Validator, extend, validator_for
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it has no types

    schema = json.loads(text)
    usual = validator_for(schema, default=Draft202012Validator)
    changed = {"pattern": _pattern, "patternProperties": _pattern_properties}
    ours: Any = extend(usual, changed)  # type: ignore[no-untyped-call]  # its stubs leave it untyped
    # with a registry of its own, nothing is ever fetched from the network
    validator: Validator = ours(schema, registry=REGISTRY, format_checker=_format_checker())
    return validator


@cache
def _format_checker() -> FormatChecker:
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    for name, check in CHECKS.items():
        checker.checks(name)(_for_texts(check))
    return checker


def _for_texts(check: Callable[[str], bool]) -> Callable[[Any], bool]:
    return lambda value: not isinstance(value, str) or check(value)


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    """As the package has it, with a limit of time."""
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and not matches(compiled(pattern), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, Mapping):
        for pattern, schema in patterns.items():
            for key, value in instance.items():
                if matches(compiled(pattern), key):
                    yield from validator.descend(value, schema, path=key, schema_path=pattern)


@lru_cache(maxsize=256)
def _unchecked(text: str) -> tuple[str, ...]:
    """The formats of a schema that are not checked."""
    parts = [resource.contents for resource, _ in _resources(json.loads(text))]
    found = {part.get("format") for part in parts if isinstance(part, Mapping)}
    return tuple(sorted(name for name in found if isinstance(name, str) and name not in CHECKS))


def _resources(schema: Any) -> Iterator[tuple[Any, Any]]:
    """The schemas inside a schema, itself included, each with what finds the place that a ``$ref`` in it names."""
    from jsonschema_specifications import REGISTRY
    from referencing.jsonschema import DRAFT202012, specification_with

    dialect = schema.get("$schema", "") if isinstance(schema, Mapping) else ""
    root = specification_with(str(dialect), default=DRAFT202012).create_resource(schema)
    todo = [(root, REGISTRY.resolver_with_root(root))]
    for resource, resolver in todo:
        yield resource, resolver
        todo.extend((part, resolver.in_subresource(part)) for part in resource.subresources())


def mistakes(schema: Any) -> list[str]:
    """What is wrong with a schema: it is a mistake of the suite, not of an answer."""
    if not isinstance(schema, (Mapping, bool)):
        return [f"a schema is a mapping, not {one_line(schema, 40)!r}"]
    from jsonschema.exceptions import best_match

    try:
        validator = _validator(json.dumps(schema))
        meta = type(validator)(type(validator).META_SCHEMA, format_checker=_format_checker())
        found = best_match(meta.iter_errors(schema))
        if found is not None:
            difference = _difference(found)
            hint = f"; the types are {', '.join(_TYPES)}" if difference.steps[-1:] == ("type",) else ""
            return [f"the schema is wrong at {written(difference.steps)}: {difference.says}{hint}"]
        return _lost(schema)
    except RecursionError:
        return ["the schema is nested too deep"]


def _lost(schema: Any) -> list[str]:
    """The references of a schema that lead nowhere."""
    from referencing.exceptions import Unresolvable

    for resource, resolver in _resources(schema):
        name = resource.contents.get("$ref") if isinstance(resource.contents, Mapping) else None
        if isinstance(name, str):
            try:
                resolver.lookup(name)
            except Unresolvable:
                return [f"the $ref {one_line(name, 80)!r} of the schema leads nowhere; it must stay inside the schema"]
    return []


def _check(options: Mapping[str, Any]) -> Sequence[str]:
    if find_spec("jsonschema") is None:
        return [EXTRA.removeprefix("json_schema ")]
    return mistakes(options["schema"]) if options.get("schema") is not None else []


SCORERS = named(
    define(
        "json_schema",
        json_schema,
        Option("schema", "document", "The schema, or the name of its JSON or YAML file, relative to the suite."),
        EXTRACT,
        graded=False,
        main="schema",
        requires=("schema",),
        check=_check,
    ),
)
