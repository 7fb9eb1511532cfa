"""``pytest-evals summarize``: an experiment with one model, about documents of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import UsageError
from ..model.place import did_you_mean
from ..pipeline.asking.progress import Tell
from ..pipeline.experiments.config import MAX_TOKENS, Config, Experiment
from ..pipeline.experiments.styles import STYLES, USUAL, style_named
from ..pipeline.shapes.experiment import read_experiment
from .experimenting import ExperimentOptions, ExperimentsMade, run_config
from .pipelineasking import AskOptions

SYSTEM = "You summarise documents. Keep to what the text says; write only what is asked for."


def summarize(
    path: Path,
    styles: Sequence[str],
    *,
    combined: bool,
    output: Path,
    force: bool,
    asking: AskOptions,
    tell: Tell,
) -> tuple[ExperimentsMade, list[tuple[str, str]]]:
    """Summarise; returns what was done, and the summaries with their titles. Raises ``UsageError``."""
    spec = asking.spec()
    spec = replace(spec, system=SYSTEM, max_tokens=spec.max_tokens or 2 * MAX_TOKENS)
    experiment = Experiment(
        f"summaries {spec.model}",
        "summarization",
        spec,
        {"combined_prompt": combined},
        combined,
        _styles(styles),
    )
    options = ExperimentOptions(Path(), path, output=output, force=force, asking=asking)
    made = run_config(Config((experiment,)), options, tell, truth=False)
    texts = []
    for file in made.files:
        if file.is_file():
            for row in read_experiment(file).rows:
                for key, text in (row.get("generated_summaries") or {}).items():
                    texts.append((f"{row['source_file']}: {key.replace('_', ' ')}", str(text)))
    return made, texts


def _styles(given: Sequence[str]) -> tuple[str, ...]:
    if "all" in given:
        return tuple(STYLES)
    found = []
    for name in given or USUAL:
        style = style_named(name)
        if style is None:
            hint = did_you_mean(name, STYLES) or f"; there are {', '.join(STYLES)} and all"
            raise UsageError(f"--styles: there is no style {name!r}{hint}")
        found.append(style.name)
    return tuple(dict.fromkeys(found))
