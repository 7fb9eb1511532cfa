"""The judges of a suite: the models that answer its ``llm_judge`` criteria, and whether there is one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..errors import UsageError
from ..model.case import Case
from ..model.criterion import Criterion
from ..model.judge import JUDGED, SCORER
from ..model.llm import Endpoint, ModelSpec
from ..model.place import Place
from .environment import Environment
from .modeltarget import model_name, read_model
from .options import describe
from .reading import Reading
from .scalars import text
from .tree import Map, Node, Seq, is_null, quoted

JUDGE_KEYS = ("model", "max_tokens", "temperature", "top_p", "seed", "base_url", "api_key", "extra")
"""Keys of ``judge``."""

_SAYS = ("rubric", "preset", "criteria")


def judge_named(text: str, where: str) -> ModelSpec:
    """The judge that a setting names. Raises ``UsageError`` for a text that names no model."""
    found = model_name(text.strip())
    if found is None:
        raise UsageError(f"{where}: {quoted(text)} names no model; write provider/name")
    return ModelSpec(Endpoint(found[0]), found[1])


def read_judges(r: Reading, root: Map, environment: Mapping[str, str] = os.environ) -> tuple[ModelSpec, ...]:
    """What stands under ``judge``: a mapping, or the model's name alone, or a list of such. Empty if nothing does."""
    node = root.get("judge")
    if node is None or is_null(node):
        return ()
    env = Environment(r, environment)
    if not isinstance(node, Seq):
        found = _read_one(r, root, "judge", node, env)
        return () if found is None else (found,)
    if not node:
        r.wrong(root, "judge", "judge is an empty list; name a model, or leave it away")
    read = [_read_one(r, node, index, part, env) for index, part in enumerate(node)]
    for index, spec in enumerate(read):
        if spec is not None and spec in read[:index]:
            r.wrong(node, index, f"the judge {quoted(spec.name)} is there already, with the same settings")
    return tuple(spec for spec in read if spec is not None)


def _read_one(r: Reading, box: Map | Seq, key: str | int, node: Node, env: Environment) -> ModelSpec | None:
    if isinstance(node, Map):
        return read_model(r, node, env, JUDGE_KEYS, "judge")
    before = r.count
    written = text(r, box, key, node, "judge", prose=False) or ""
    if r.count == before and not written.strip():
        r.wrong(box, key, "judge is blank; name a model, or leave it away")
        return None
    name = env.expand(box, key, written).strip()
    found = model_name(name)
    if r.count == before and found is None:
        r.wrong(box, key, f"{quoted(name)} names no judge; write judge: provider/name or judge: {{model: …}}")
    if found is None:
        return None
    return ModelSpec(Endpoint(found[0]), found[1], places={"model": r.source.place(box.spot(key))})


def with_judge(r: Reading, root: Map, cases: tuple[Case, ...], default: ModelSpec | None) -> tuple[Case, ...]:
    """The cases with the judges of their criteria. Notes that there is none, or what is wrong with one."""
    before = r.count
    own = read_judges(r, root)
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
    judges = own or (() if default is None else (default,))
    if r.count == before and (own or any(judged.values())):
        for judge in judges or (None,):
            r.check_judge(judge, first or r.source.place(root.at))
    if not judges or not any(judged.values()):
        return cases
    return tuple(
        replace(case, judges=judges) if any(judged[id(criterion)] for criterion in case.criteria) else case
        for case in cases
    )


def judgements(criteria: Iterable[Criterion]) -> Iterator[Criterion]:
    """The criteria that a judge answers, out of combinations too."""
    for criterion in criteria:
        if criterion.parts:
            yield from judgements(criterion.parts)
        elif criterion.scorer in JUDGED:
            yield criterion


def _check(r: Reading, criterion: Criterion) -> None:
    """A name is no instruction: what is judged must be said."""
    named = criterion.scorer == SCORER != criterion.name and not criterion.description and criterion.place is not None
    if named and not any(key in criterion.options for key in _SAYS):
        assert criterion.place is not None
        what = "add a 'description', 'rubric', 'criteria' or 'preset' ('preset: default' for the default criteria)"
        r.add(criterion.place, f"{describe(criterion.name)} does not say what is judged; {what}")
