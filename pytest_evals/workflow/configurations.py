"""What the variants of a suite are, as reports and the history keep it: so that their differences can be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..model.llm import ModelSpec
from ..model.redaction import Redactor
from ..model.wire import plain

if TYPE_CHECKING:
    from ..model.case import Suite, Variant

_ELSEWHERE = ("endpoint", "model", "places")
"""Fields of a model that are no setting, or stand in its name."""


def configurations(suite: Suite, redactor: Redactor | None = None) -> tuple[Mapping[str, Any], ...]:
    """Of each variant its ``id``, its ``target``, and its ``settings`` by key, without secrets.

    Those of a model are the suite's and the variant's together; keys at their default are left out.
    """
    if not suite.variants:
        return ()
    redactor = redactor or Redactor()
    return tuple(
        {
            "id": variant.id,
            "target": str(variant.target),
            "settings": redactor.value(plain(dict(_settings(variant)))),
        }
        for variant in suite.variants
    )


def _settings(variant: Variant) -> Iterator[tuple[str, Any]]:
    spec = variant.target.options
    if isinstance(spec, ModelSpec):
        yield "model", spec.name
        if spec.endpoint.base_url:
            yield "base_url", spec.endpoint.base_url
        for field in fields(spec):
            value = getattr(spec, field.name)
            if field.name == "tools":
                value = [tool.name for tool in value]
            if field.name not in _ELSEWHERE and value not in (None, "", (), [], {}):
                yield field.name, value
    else:
        yield from variant.values.items()
    if variant.prompt is not None:
        yield "prompt", variant.prompt
