"""The file of a shard: one JSON line of what is known of its session, one for each result, one that ends it.

It holds everything that the end of a session is made of, so that merging needs neither suites nor the application.
ASCII, as in journals. Secrets are taken out of results before they get here.

Version history of ``format``: 1, the first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..model.codec import WIRE_VERSION, result_from_json, result_to_json
from ..model.place import Place
from ..model.wire import plain

if TYPE_CHECKING:
    from ..model.result import CaseResult

FORMAT = 1

PlaceOf = tuple[Any, ...]
"""Where a case stands among all of the evaluation: values that sort as the files do."""


@dataclass(frozen=True, slots=True)
class ShardFacts:
    """What is known of a shard besides its results. In plain JSON types."""

    index: int
    of: int
    plan: str = ""
    """The hash of the plan that dealt the cases out."""
    same: Mapping[str, Any] = field(default_factory=dict)
    """What must be the same in all shards of an evaluation, by what a person calls it."""
    suites: Sequence[Mapping[str, Any]] = ()
    """In the order of their files: name, path, defined, selected, variants, gates (text, path, line)."""
    experiments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By suite: name, description, config."""
    not_run: Sequence[Mapping[str, Any]] = ()
    """Selected cases without a result: node_id, suite, case_id, tags, category, variant_id."""
    deselected: Sequence[Mapping[str, Any]] = ()
    """Cases of this shard that were not selected, as in ``not_run``."""
    session_id: str = ""
    started_at: str = ""
    finished_at: str = ""
    pytest_status: int = 0
    """pytest's own exit status, before the evaluation had its say."""
    failed_outright: bool = False
    unreadable_suite: bool = False
    stopped_at_failures: bool = False
    budget_spent: bool = False
    stopped: str = ""
    other_tests: int = 0
    max_error_share: float = 0.0
    gates: Sequence[str] = ()
    """Those of the session itself."""
    baseline: str = ""
    allow_missing: bool = False
    selection: str = ""
    run_name: str = ""
    parent: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.index}/{self.of}"


def write_shard(path: Path, facts: ShardFacts, results: Iterable[tuple[PlaceOf, CaseResult]]) -> None:
    """Write the file, whole or not at all. Raises ``OSError``."""
    from ..report.files import whole_file

    with whole_file(path) as file:
        file.write(_line({"shard": FORMAT, "results": WIRE_VERSION, "facts": plain(asdict(facts))}))
        number = 0
        for place, result in results:
            head = json.dumps({"place": plain(list(place))}, ensure_ascii=True, separators=(",", ":"))
            file.write(f'{head[:-1]},"result":{result_to_json(result)}}}\n'.encode("ascii"))
            number += 1
        file.write(_line({"end": number}))


def read_facts(path: Path) -> ShardFacts:
    """What a file says of its shard. Raises ``UsageError`` when it is none, or one of another version."""
    try:
        with path.open("rb") as file:
            first = file.readline()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    try:
        data = json.loads(first)
        version, results, known = data["shard"], data["results"], data["facts"]
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: not the file of a shard, which pytest writes with --evals-shard") from None
    if (version, results) != (FORMAT, WIRE_VERSION):
        raise UsageError(f"{path}: written by another version of pytest-evals; use one version for all shards")
    names = {each.name for each in fields(ShardFacts)}
    try:
        return ShardFacts(**{name: value for name, value in known.items() if name in names})
    except (TypeError, AttributeError):
        raise UsageError(f"{path}: not the file of a shard, which pytest writes with --evals-shard") from None


def read_results(path: Path) -> Iterator[tuple[PlaceOf, CaseResult]]:
    """The results of a shard, one at a time. Raises ``UsageError`` when the file was cut off or damaged."""
    cut_off = UsageError(f"{path}: cut off or damaged; take the file that pytest wrote, or run that shard again")
    number = 0
    try:
        with path.open("rb") as file:
            file.readline()
            for line in file:
                data = json.loads(line)
                if "end" in data:
                    if data["end"] != number or file.read(1):
                        raise cut_off
                    return
                yield tuple(data["place"]), result_from_json(json.dumps(data["result"]))
                number += 1
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise cut_off from None
    raise cut_off


def place_text(place: Place | None) -> Mapping[str, Any]:
    """Where something stands in a file, in plain JSON types."""
    return {} if place is None else plain(asdict(place))


def place_from(data: Mapping[str, Any]) -> Place | None:
    """What ``place_text`` wrote."""
    return Place(**data) if data else None


def _line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
