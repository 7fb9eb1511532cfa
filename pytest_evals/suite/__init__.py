"""From a suite file to a ``Suite``, and from a file of recorded answers to responses.

The door is cheap to open; PyYAML and the reader are imported when the first file is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .defaults import RunDefaults

if TYPE_CHECKING:
    from ..model.answertemplate import AnswerTemplate
    from ..model.case import Suite, TargetSpec
    from ..model.criterion import ScorerSpec
    from ..model.labelled import Labelled
    from ..model.llm import ModelSpec
    from ..model.place import Place, Problem
    from ..model.price import PriceFile
    from ..model.response import Response

__all__ = [
    "RunDefaults",
    "judge_named",
    "read_labels",
    "read_prices",
    "read_responses",
    "read_suite",
    "read_template",
    "suite_of",
]


def read_suite(
    path: Path,
    *,
    specs: Mapping[str, ScorerSpec],
    defaults: RunDefaults = RunDefaults(),  # noqa: B008  (a frozen value)
    shown: str | None = None,
    unknown_scorer: Callable[[str], str] | None = None,
    check_target: Callable[[TargetSpec], Iterable[Problem]] | None = None,
    check_judge: Callable[[ModelSpec | None, Place], Iterable[Problem]] | None = None,
    top: Path | None = None,
) -> Suite:
    """The suite in a file. Raises ``SuiteError`` with all mistakes of the file, in its order.

    ``specs`` are the built-in scorers by name, ``defaults`` what holds where the file says nothing, ``shown`` the path
    as places in messages print it. ``unknown_scorer`` says of a scorer that is not built in why there is none of that
    name, or "" if there is; ``check_target`` what is wrong with the target besides how it is written.
    ``check_judge`` says what is wrong with the judge of ``llm_judge`` criteria, or with there being none (``None``).
    ``top`` is the highest folder whose ``evals.defaults.yaml`` counts; ``None``: that of the suite.
    """
    from .reader import read
    from .reading import Surroundings

    return read(
        path,
        Surroundings(specs, unknown_scorer, check_target, check_judge),
        defaults,
        shown or str(path),
        top or path.absolute().parent,
    )


def suite_of(
    data: Mapping[str, Any],
    *,
    specs: Mapping[str, ScorerSpec],
    defaults: RunDefaults = RunDefaults(),  # noqa: B008  (a frozen value)
    base: Path,
    unknown_scorer: Callable[[str], str] | None = None,
    check_judge: Callable[[ModelSpec | None, Place], Iterable[Problem]] | None = None,
) -> Suite:
    """The suite that mappings and lists describe with a suite file's keys. Raises ``UsageError`` with every mistake.

    ``base`` is the folder that relative paths start from; ``unknown_scorer`` and ``check_judge`` as for ``read_suite``.
    """
    from .reader import read_data
    from .reading import Surroundings

    return read_data(data, Surroundings(specs, unknown_scorer, check_judge=check_judge), defaults, base / "suite.json")


def judge_named(text: str, where: str) -> ModelSpec:
    """The judge that a setting names, ``provider/model``. Raises ``UsageError``, which begins with ``where``."""
    from .judge import judge_named

    return judge_named(text, where)


def read_responses(path: Path, *, shown: str | None = None) -> Mapping[str, Response]:
    """Recorded answers by case id, from JSON, JSON Lines or CSV. Raises ``SuiteError`` with all mistakes."""
    from .responses import read

    return read(path, shown or str(path))


def read_template(path: Path, *, shown: str | None = None) -> AnswerTemplate:
    """A template for answers, filled or not, from JSON, JSON Lines, CSV or XML. Raises ``SuiteError``."""
    from .answertemplate import read

    return read(path, shown or str(path))


def read_labels(path: Path, *, shown: str | None = None) -> list[Labelled]:
    """Answers that a person has judged, from CSV, JSON Lines or JSON. Raises ``SuiteError`` with all mistakes."""
    from .labels import read

    return read(path, shown or str(path))


def read_prices(path: Path, *, shown: str | None = None) -> PriceFile:
    """What models cost, from TOML, YAML or JSON. Raises ``SuiteError`` with all mistakes."""
    from .prices import read

    return read(path, shown or str(path))
