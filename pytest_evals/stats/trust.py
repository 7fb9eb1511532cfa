"""Whether the judges of some cases were held against people, and how far they agree with them."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.gate import Gate
from ..model.judge import Calibrated, Calibrations, JudgeKey
from ..model.result import CaseRow
from ..model.score import TOLERANCE
from .observe import Observation


def observe_kappa(gate: Gate, rows: Sequence[CaseRow], known: Calibrations) -> Observation:
    """The kappa (or its lower bound) of the judge that agrees least with people, of those asked for these rows.

    A calibration is about the mark that it was made with: verdicts by another one agree more or less.
    """
    used: dict[tuple[JudgeKey, float | None], tuple[CaseRow, str]] = {}
    judged: set[tuple[str, str, str]] = set()
    for row in rows:
        for criterion in row.criteria:
            if gate.criterion is None or criterion.name == gate.criterion:
                for key in criterion.judges:
                    used.setdefault((key, criterion.mark), (row, criterion.name))
                    judged.add(row.key)
    if not used:
        return Observation(None, 0, "no case in scope was judged")
    found = {(key, mark): calibration_of(key, known) for key, mark in used}
    missing = [each for each, calibrated in found.items() if calibrated is None]
    if missing:
        message = _uncalibrated([key for key, _ in missing], *used[missing[0]])
        return Observation(None, len(judged), message)
    values = []
    for (key, mark), calibrated in found.items():
        assert calibrated is not None
        if mark is not None and calibrated.mark is not None and abs(mark - calibrated.mark) > TOLERANCE:
            name = used[key, mark][1]
            said = f"judge {key.model} was calibrated with the threshold {calibrated.mark:g}, and {name} has {mark:g}"
            return Observation(None, len(judged), said)
        value = calibrated.low if gate.lower else calibrated.kappa
        if value is None:
            return Observation(None, len(judged), f"kappa of judge {key.model} is not defined: all labels are alike")
        values.append(value)
    return Observation(min(values), len(judged))


def calibration_of(key: JudgeKey, known: Calibrations) -> Calibrated | None:
    """That of the very prompt, else that of the prompt with any criterion; ``None`` when there is neither."""
    exact = known.get((key.model, key.prompt))
    return known.get((key.model, key.form)) if exact is None and key.form else exact


def _uncalibrated(missing: Sequence[JudgeKey], row: CaseRow, criterion: str) -> str:
    key, more = missing[0], len(dict.fromkeys(missing)) - 1
    others = f" (and {more} more)" if more else ""
    file = row.node_id.partition("::")[0]
    suite = f" --suite {_word(file)} --criterion {_word(criterion)}" if file else ""
    return (
        f"judge {key.model} with prompt {key.prompt}{others} is not calibrated; "
        f"run: pytest-evals judge calibrate LABELS{suite} --judge-model {_word(key.model)}"
    )


def _word(text: str) -> str:
    import shlex

    return shlex.quote(text)
