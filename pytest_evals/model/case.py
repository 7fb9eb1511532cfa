"""Cases and the suites that hold them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from .conversation import SimulatedUser
from .criterion import Criterion, compared_variants
from .gate import Gate
from .llm import ModelSpec
from .place import Place
from .remote import CommandSpec, HttpSpec
from .response import ToolCall
from .trials import DEFAULT_PASS_IF
from .wire import plain

DEFAULT_TIMEOUT_S = 60.0
DEFAULT_RETRIES = 1
DEFAULT_EXPERIMENT = "default"

DRAFT = "draft: nobody has accepted it yet"
"""The ``xfail`` of a case whose status is ``draft``: it runs and is shown, and counts in no gate and no status."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question with what a good answer must fulfil. All defaults of the suite are already applied."""

    id: str
    """As written; unique within the suite."""
    input: Any
    """Text, a list of messages, the turns of a user (``{user: …}``), or any JSON value."""
    criteria: tuple[Criterion, ...]
    name: str = ""
    """For people; the id when the suite gives none."""
    suite: str = ""
    category: str | None = None
    tags: tuple[str, ...] = ()
    context: Any = None
    expected_output: Any = None
    """Text, or a JSON value; ``None`` is no expectation, ``""`` the empty text."""
    reference_outputs: tuple[str, ...] = ()
    expected_tool_calls: tuple[ToolCall, ...] | None = None
    """``None``: nothing expected of tools; ``()``: no call is expected."""
    threshold: float | Literal["unset"] | None = None
    """The weighted mean to reach; ``None``: every criterion must reach its mark; ``"unset"``: a score, no verdict."""
    warn: float | None = None
    timeout_s: float | None = DEFAULT_TIMEOUT_S
    """Per attempt; ``None`` or 0 is no limit."""
    retries: int = DEFAULT_RETRIES
    """Extra attempts after an error or timeout of the target."""
    trials: int = 1
    """How often it is asked, at most: each trial is scored, and together they decide."""
    pass_if: str = DEFAULT_PASS_IF
    """``all``, ``any`` or ``majority`` of the trials pass, ``3 of 5`` do, or the ``mean`` of their scores does."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    vars: Mapping[str, Any] = field(default_factory=dict)
    """The values its templates can insert."""
    skip: str | None = None
    xfail: str | None = None
    user: SimulatedUser | None = None
    """Who talks to the target in a conversation whose turns are not written beforehand."""
    judges: tuple[ModelSpec, ...] = field(default=(), compare=False, repr=False)
    """The models that answer its ``llm_judge`` criteria; empty: none is named, or nothing is to be judged."""
    place: Place | None = field(default=None, compare=False)
    stated: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The keys that it states itself; what it has under others comes from defaults."""

    def definition_sha256(self) -> str:
        """A hash of what is asked and how it is judged; tags, metadata and run settings do not count."""
        definition = [
            self.input,
            self.context,
            self.expected_output,
            self.reference_outputs,
            None if self.expected_tool_calls is None else [[c.name, c.args] for c in self.expected_tool_calls],
            [_definition_of(criterion) for criterion in self.criteria],
            self.threshold,
            self.warn,
        ]
        if self.pass_if != DEFAULT_PASS_IF:
            definition.append(self.pass_if)
        if self.user is not None:
            definition.append(self.user.definition)
        return hashlib.sha256(json.dumps(plain(definition), sort_keys=True).encode()).hexdigest()


def _definition_of(criterion: Criterion) -> list[Any]:
    parts = [_definition_of(part) for part in criterion.parts]
    return [
        criterion.scorer,
        criterion.name,
        criterion.options,
        criterion.weight,
        criterion.threshold,
        criterion.description,
        parts,
        *([] if criterion.turn is None else [criterion.turn]),
    ]


TargetKind = Literal["callable", "fixture", "responses", "http", "command", "echo", "model"]


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """The application under test, as the suite names it."""

    kind: TargetKind
    value: str
    """``pkg.mod:name`` or ``../file.py:name``, a fixture's name, a file with answers; a URL or command line as written,
    without what may be secret; ``provider/model``; empty for ``echo``."""
    base: Path
    """The folder that relative paths start from: the suite file's."""
    place: Place | None = field(default=None, compare=False)
    options: HttpSpec | CommandSpec | ModelSpec | None = field(default=None, repr=False)
    """What ``http``, ``command`` and ``model`` say. Not shown: headers hold secrets."""

    def __str__(self) -> str:
        if self.kind in ("callable", "model"):
            return self.value
        return "echo" if self.kind == "echo" else f"{self.kind}: {self.value}"


@dataclass(frozen=True, slots=True)
class Variant:
    """One configuration of the target; every case of the suite runs once with it."""

    id: str
    """As written; the bracket of the item's name."""
    values: Mapping[str, Any]
    """What it states, by key, the dimensions of a matrix included."""
    target: TargetSpec
    """The suite's target with what the variant changes of it."""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    """By case id, where a prompt of the variant makes the input another one."""
    prompt: Any = None
    """That prompt as written, for people: a text, messages, or ``{"file": name}``."""

    def given(self) -> dict[str, Any]:
        """What an application is told of it: its id, and what it states."""
        return {"id": self.id, **self.values}

    def of(self, case: Case) -> Case:
        """The case as it is asked with this variant, which is not compared with itself."""
        if self.id in compared_variants(case.criteria):
            others = (each for each in case.criteria if self.id not in compared_variants((each,)))
            case = replace(case, criteria=tuple(others))
        return replace(case, input=self.inputs[case.id]) if case.id in self.inputs else case


@dataclass(frozen=True, slots=True)
class ExperimentSpec:
    """The named series of runs a suite belongs to."""

    name: str = DEFAULT_EXPERIMENT
    description: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suite:
    """One case file, read and checked."""

    name: str
    path: Path
    target: TargetSpec
    cases: tuple[Case, ...]
    gates: tuple[Gate, ...] = ()
    experiment: ExperimentSpec = ExperimentSpec()
    description: str = ""
    variants: tuple[Variant, ...] = ()
    """Empty: every case runs once, with ``target``."""
    origins: Mapping[str, str] = field(default_factory=dict, compare=False)
    """By key of a case: the files whose defaults give it where the case does not."""

    @property
    def asks_models(self) -> bool:
        """Whether a model is the target, or that of a variant."""
        return any(spec.kind == "model" for spec in (self.target, *(variant.target for variant in self.variants)))

    def origin(self, case: Case, key: str) -> str:
        """Where a case has the value of a key from: ``case``, a file's defaults, or "" if the suite says nothing."""
        return "case" if key in case.stated else self.origins.get(key, "")
