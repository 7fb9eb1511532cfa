"""The ``system`` text of a model target, which is a template where a case has variables."""

from __future__ import annotations

from ..model.case import Case, Suite
from ..model.llm import ModelSpec
from .filling import MOST_TOLD, scope
from .reading import Reading
from .templates import OPEN, TemplateMistakes, template


def system_of(system: str, case: Case) -> str:
    """What the model is told for a case. Raises ``TemplateMistakes``, which reading the suite has found out before."""
    if OPEN not in system or not case.vars:
        return system
    values = dict(scope(case.vars))
    if case.context is not None:
        values["context"] = case.context
    return template(system).render(values)


def check_systems(r: Reading, suite: Suite) -> None:
    """Note what is wrong with the system texts of the suite's models, for the first cases that find it wrong."""
    checked: list[str] = []
    for spec in (suite.target.options, *(variant.target.options for variant in suite.variants)):
        if isinstance(spec, ModelSpec) and OPEN in spec.system and spec.system not in checked:
            checked.append(spec.system)
            _check(r, suite, spec)


def _check(r: Reading, suite: Suite, spec: ModelSpec) -> None:
    told = 0
    for case in suite.cases:
        try:
            system_of(spec.system, case)
        except TemplateMistakes as mistakes:
            assert case.place is not None
            place = spec.places.get("system", case.place)
            for at, message in mistakes.found:
                line = spec.system.count("\n", 0, at) + 1
                inside = f" (line {line} of the text)" if line > 1 else ""
                r.add(place, f"{message}{inside} (for the case at {case.place.path}:{case.place.line})")
            told += 1
            if told == MOST_TOLD:
                return
