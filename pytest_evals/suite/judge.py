"""The judge of a suite: the model that answers its ``llm_judge`` criteria, and whether there is one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..errors import UsageError
from ..model.case import Case
from ..model.criterion import Criterion
from ..model.judge import SCORER
from ..model.llm import Endpoint, ModelSpec
from ..model.place import Place
from .environment import Environment
from .modeltarget import model_name, read_model
from .options import describe
from .reading import Reading
from .scalars import words
from .tree import Map, is_null, quoted

JUDGE_KEYS = ("model", "max_tokens", "temperature", "top_p", "seed", "base_url", "api_key", "extra")
"""Keys of ``judge``."""

_SAYS = ("rubric", "preset", "criteria")


def judge_named(text: str, where: str) -> ModelSpec:
    """The judge that a setting names. Raises ``UsageError`` for a text that names no model."""
    found = model_name(text.strip())
    if found is None:
        raise UsageError(f"{where}: {quoted(text)} names no model; write provider/name")
    return ModelSpec(Endpoint(found[0]), found[1])


def read_judge(r: Reading, root: Map, environment: Mapping[str, str] = os.environ) -> ModelSpec | None:
    """What stands under ``judge``: a mapping, or the model's name alone. ``None`` if nothing does."""
    node = root.get("judge")
    if node is None or is_null(node):
        return None
    env = Environment(r, environment)
    if isinstance(node, Map):
        return read_model(r, node, env, JUDGE_KEYS, "judge")
    before = r.count
    name = env.expand(root, "judge", words(r, root, "judge", node) or "").strip()
    found = model_name(name)
    if r.count == before and found is None:
        r.wrong(root, "judge", f"{quoted(name)} names no judge; write judge: provider/name or judge: {{model: …}}")
    if found is None:
        return None
    return ModelSpec(Endpoint(found[0]), found[1], places={"model": r.source.place(root.spot("judge"))})


def with_judge(r: Reading, root: Map, cases: tuple[Case, ...], default: ModelSpec | None) -> tuple[Case, ...]:
    """The cases with the judge of their ``llm_judge`` criteria. Notes that there is none, or what is wrong with it."""
    before = r.count
    own = read_judge(r, root)
    judged: dict[int, bool] = {}
    first: Place | None = None
    for case in cases:
        for criterion in case.criteria:
            if id(criterion) in judged:
                continue
            found = [*judgements((criterion,))]
            judged[id(criterion)] = bool(found)
            for each in found:
                first = first or each.place
                _check(r, each)
    judge = own or default
    if r.count == before and (own is not None or any(judged.values())):
        r.check_judge(judge, first or r.source.place(root.at))
    if judge is None or not any(judged.values()):
        return cases
    return tuple(
        replace(case, judge=judge) if any(judged[id(criterion)] for criterion in case.criteria) else case
        for case in cases
    )


def judgements(criteria: Iterable[Criterion]) -> Iterator[Criterion]:
    """The criteria that a judge answers, out of combinations too."""
    for criterion in criteria:
        if criterion.parts:
            yield from judgements(criterion.parts)
        elif criterion.scorer == SCORER:
            yield criterion


def _check(r: Reading, criterion: Criterion) -> None:
    """A name is no instruction: what is judged must be said."""
    named = criterion.name != SCORER and not criterion.description and criterion.place is not None
    if named and not any(key in criterion.options for key in _SAYS):
        assert criterion.place is not None
        what = "add a 'description', 'rubric', 'criteria' or 'preset' ('preset: default' for the default criteria)"
        r.add(criterion.place, f"{describe(criterion.name)} does not say what is judged; {what}")
