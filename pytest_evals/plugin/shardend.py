"""The end of a session that was a shard: all that the end of the whole evaluation needs goes to a file."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..model.wire import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pytest

    from ..model.case import Case, Suite
    from ..model.run import SessionResult
    from ..workflow.shards import Shard
    from ..workflow.spool import Spool
    from .history import SessionHistory
    from .session import SessionReports

_DECIDE = (
    "timeout",
    "retries",
    "trials",
    "all_trials",
    "judge_model",
    "experiment",
    "run_name",
    "max_error_share",
    "strict",
    "allow_missing",
    "gate",
    "baseline",
)
"""Settings that must be the same in all shards. Those that make cases, such as the threshold, are in their hashes."""


def write_shard_file(
    session: SessionReports, history: SessionHistory, spool: Spool, result: SessionResult, ending: Mapping[str, Any]
) -> tuple[bool, str]:
    """Write the file; returns whether that went well, and the line that says so. ``ending`` are fields of the facts."""
    from ..workflow.shardfile import ShardFacts, write_shard

    assert session.sharding is not None
    shard, path = session.sharding.shard, session.sharding.file
    settings, index = session.state.settings, session.index
    suites = dict(sorted(index.suites.items()))
    provenance = history.where_from()
    facts = ShardFacts(
        index=shard.index,
        of=shard.of,
        plan=shard.plan,
        same={
            "version of pytest-evals": provenance.versions.get("pytest-evals-suite", ""),
            "commit": provenance.git_commit or "",
            "plan of shards": shard.plan,
            "selection of cases": _selection(session.config, result.selection),
            "settings": {name: plain(settings.origin(name)[0]) for name in _DECIDE},
            "suites": {name: _digest(suite) for name, suite in suites.items()},
        },
        suites=[
            {**plain(asdict(count)), "gates": [_gate(gate) for gate in suite.gates]}
            for count, suite in zip(index.counts(), suites.values(), strict=True)
        ],
        experiments={name: plain(asdict(spec)) for name, spec in history.experiments().items()},
        not_run=[
            {"node_id": node, **_case(one.suite.name, one.case, one.variant_id)}
            for node, one in index.selected.items()
            if one.key not in session.rows
        ],
        deselected=list(_deselected(session, shard)),
        session_id=result.session_id,
        started_at=result.started_at,
        finished_at=result.finished_at,
        stopped=result.stopped,
        max_error_share=settings.max_error_share,
        gates=settings.gate,
        baseline=settings.baseline or "",
        allow_missing=settings.allow_missing,
        selection=result.selection,
        run_name=settings.run_name or "",
        parent=session.state.earlier.run if session.state.earlier is not None else "",
        params=plain(result.params),
        provenance=plain(provenance.plain()),
        **ending,
    )
    place_of = index.places()
    shown = os.path.relpath(path) if path.is_relative_to(session.config.invocation_params.dir) else str(path)
    try:
        found = spool.results([row.key for row in result.rows])
        write_shard(path, facts, ((place_of(one), one) for one in found))
    except OSError as error:
        return False, f"shard {shard}: cannot write {shown}: {error.strerror or error}"
    return True, f"shard {shard}: {shown}, for pytest-evals merge"


def _deselected(session: SessionReports, shard: Shard) -> Iterable[Mapping[str, Any]]:
    """Cases of this shard that were not selected."""
    chosen = {(one.suite.name, one.case.id, one.variant_id) for one in session.index.selected.values()}
    for candidate in session.index.candidates():
        suite, case, variant = candidate.suite, candidate.case, candidate.variant_id
        if (suite, case.id, variant) not in chosen and shard.has(suite, case.id):
            yield _case(suite, case, variant)


def _case(suite: str, case: Case, variant: str) -> dict[str, Any]:
    known = {"suite": suite, "case_id": case.id, "tags": list(case.tags), "category": case.category}
    return {**known, "variant_id": variant}


def _gate(gate: Any) -> dict[str, Any]:
    from ..workflow.shardfile import place_text

    return {"text": gate.text, "place": place_text(gate.place)}


def _digest(suite: Suite) -> str:
    """A hash of all that a suite asks, of whom, and what it comes to."""
    content = [
        suite.name,
        str(suite.target),
        [[case.id, case.definition_sha256(), case.trials, list(case.tags), case.category] for case in suite.cases],
        [[variant.given(), str(variant.target), variant.inputs] for variant in suite.variants],
        [gate.text for gate in suite.gates],
    ]
    text = json.dumps(plain(content), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _selection(config: pytest.Config, words: str) -> dict[str, Any]:
    """Everything that chose cases before they were divided."""
    option = config.option
    return {
        "words": words,
        "-k": getattr(option, "keyword", ""),
        "-m": getattr(option, "markexpr", ""),
        "--deselect": list(getattr(option, "deselect", None) or ()),
        "--lf": bool(getattr(option, "lf", False)),
        "ids": sorted(str(argument) for argument in config.args if "::" in str(argument)),
    }
