"""What targets insert of the variables of a case: ``system`` of a model, and ``{{ vars.name }}`` of other targets.

It can be checked only when both target and cases are known.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.case import Case, Suite
from ..model.llm import ModelSpec
from ..model.place import did_you_mean
from ..model.remote import CommandSpec, HttpSpec
from ..model.template import OF_CASE, places
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


def check_inserted(r: Reading, suite: Suite) -> None:
    """Note which variables ``http`` and ``command`` targets insert that a case does not have."""
    told = 0
    for target in [suite.target, *(variant.target for variant in suite.variants)]:
        wanted = sorted({name for name in _places_of(target.options) if name.startswith(OF_CASE)})
        for case in suite.cases if wanted else ():
            missing = [name for name in wanted if name.removeprefix(OF_CASE) not in case.vars]
            if missing and told < MOST_TOLD and case.place is not None:
                near = did_you_mean(missing[0].removeprefix(OF_CASE), case.vars)
                message = (
                    f"the case has no variable for {{{{ {missing[0]} }}}} of the target{near or '; add it to vars'}"
                )
                r.add(case.place, message)
                told += 1


def _places_of(options: object) -> Iterator[str]:
    match options:
        case HttpSpec():
            yield from (*places(options.url), *places(options.headers), *places(options.body))
        case CommandSpec():
            yield from (*places(options.argv), *places(options.stdin))


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
