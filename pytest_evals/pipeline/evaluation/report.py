"""The report on evaluations for people: models against each other, in Markdown. Every sentence comes from data."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.rating import POINTS, band, distribution, grade, weakest
from ...model.text import one_line
from ...report.format import UNKNOWN, counted, duration, percent, usd
from ...report.markdown import inline, row
from ..shapes.evaluation import OVERVIEW
from ..shapes.evaluations import EvaluationFile
from ..spent import NOTHING, Spent

WORDS = tuple(POINTS)


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """A model over all its evaluations of one kind; every item counts the same, whichever test set it is of."""

    model: str
    inference: str
    """local, cloud or unknown."""
    files: tuple[EvaluationFile, ...]
    items: int
    errors: int
    ratings: Mapping[str, Sequence[str]]
    passed: int
    inference_spent: Spent
    judged: Spent
    latencies_s: Sequence[float]
    comparative: bool

    @property
    def grade(self) -> float | None:
        """0 to 100, over the ratings of all criteria."""
        return grade(word for words in self.ratings.values() for word in words)

    @property
    def pass_rate(self) -> float | None:
        """Of the items, those that could not be judged included."""
        return self.passed / self.items if self.items else None


def figures_of(files: Sequence[EvaluationFile], kind: str) -> list[ModelFigures]:
    """The models of the evaluations of one kind, the best first: by pass rate for questions, else by grade."""
    by_model: dict[str, list[EvaluationFile]] = {}
    for file in files:
        if file.kind == kind:
            by_model.setdefault(file.model, []).append(file)
    found = [_figures(model, of_model) for model, of_model in by_model.items()]

    def rank(one: ModelFigures) -> tuple[float, float, str]:
        first = one.pass_rate if kind == "qa" else None
        return (-(first or 0.0), -(one.grade if one.grade is not None else -1.0), one.model)

    return sorted(found, key=rank)


def _figures(model: str, files: Sequence[EvaluationFile]) -> ModelFigures:
    ratings: dict[str, list[str]] = {}
    for file in files:
        for name, words in file.ratings().items():
            ratings.setdefault(name, []).extend(words)
    kinds = list(dict.fromkeys(str(file.metadata.get("tested_model_inference") or "unknown") for file in files))
    verdicts = [verdict for file in files for verdict in file.verdicts]
    return ModelFigures(
        model,
        kinds[0] if len(kinds) == 1 else "mixed",
        tuple(files),
        sum(len(file.items) for file in files),
        sum(file.errors for file in files),
        ratings,
        sum(verdict is True for verdict in verdicts),
        sum((file.inference for file in files), NOTHING),
        sum((file.judged for file in files), NOTHING),
        [second for file in files for second in file.latencies_s],
        all(file.ours.get("comparative", True) for file in files),
    )


def markdown(files: Sequence[EvaluationFile], *, prose: bool = True) -> str:
    """The whole report; questions and summaries apart, for they are not on one scale."""
    lines = ["# Evaluation of models", ""]
    lines += [f"{counted(len(files), 'evaluation')}, judged by {', '.join(_judges(files))}.", ""]
    for kind, title in (("summarization", "Summaries"), ("qa", "Answers to questions")):
        found = figures_of(files, kind)
        if found:
            lines += [f"## {title}", "", *_section(found, kind), ""]
            if prose:
                lines += _prose(found)
    return "\n".join(lines).rstrip() + "\n"


def _judges(files: Sequence[EvaluationFile]) -> list[str]:
    return [_cell(name) for name in dict.fromkeys(str(file.metadata.get("evaluator_model") or "?") for file in files)]


def _section(found: Sequence[ModelFigures], kind: str) -> Iterator[str]:
    heads = ["model", "runs", "items", *(["passed"] if kind == "qa" else []), "grade", "", "cost", "latency", "tokens"]
    yield row(*heads)
    yield row(*["---"] * len(heads))
    for one in found:
        rate = [f"{percent(one.pass_rate)} ({one.passed} of {one.items})"] if kind == "qa" else []
        errors = f" ({one.errors} not judged)" if one.errors else ""
        yield row(
            *[
                _cell(one.model),
                one.inference,
                f"{one.items}{errors}",
                *rate,
                _grade(one.grade),
                band(one.grade) or UNKNOWN,
                _cost(one),
                duration(statistics.fmean(one.latencies_s) * 1000) if one.latencies_s else UNKNOWN,
                UNKNOWN if one.inference_spent.total_tokens is None else f"{one.inference_spent.total_tokens:,}",
            ]
        )
    yield ""
    standalone = [one.model for one in found if not one.comparative]
    if standalone:
        yield f"Judged without expectations, on their own: {', '.join(map(_cell, standalone))}."
        yield ""
    yield from _matrix(found)
    judged = sum((one.judged for one in found), NOTHING)
    tokens = UNKNOWN if judged.total_tokens is None else f"{judged.total_tokens:,}"
    yield f"Judging took {tokens} tokens, {usd(judged.total_usd)}."


def _matrix(found: Sequence[ModelFigures]) -> Iterator[str]:
    """Model by criterion, with the weakest criterion of each model."""
    criteria = list(dict.fromkeys(name for one in found for name in one.ratings))
    if not criteria:
        return
    yield "Grade by criterion, and how often each word was given (" + ", ".join(WORDS) + "):"
    yield ""
    yield row("criterion", *(_cell(one.model) for one in found))
    yield row(*["---"] * (len(found) + 1))
    for name in criteria:
        yield row(_cell(name.replace("_", " ")), *(_rated(one.ratings.get(name, ())) for one in found))
    yield ""
    for one in found:
        worst = weakest(one.ratings)
        if worst is not None:
            yield f"- {_cell(one.model)} is weakest in {worst.replace('_', ' ')}: {_grade(grade(one.ratings[worst]))}."
    yield ""


def _rated(words: Sequence[str]) -> str:
    counts = distribution(words)
    return f"{_grade(grade(words))} ({' / '.join(str(counts[word]) for word in WORDS)})" if words else UNKNOWN


def _prose(found: Sequence[ModelFigures]) -> Iterator[str]:
    """What a judge wrote about the whole, marked as its words."""
    for one in found:
        for file in one.files:
            texts = {name: file.data.get(name) for name in OVERVIEW if file.data.get(name)}
            if not texts:
                continue
            by = _cell(str(file.metadata.get("evaluator_model") or "a model"))
            yield f"<details><summary>{_cell(file.name)}: in the words of {by}</summary>"
            yield ""
            for name, value in texts.items():
                title = name.replace("_", " ")
                if isinstance(value, list):
                    yield f"**{title}**"
                    yield ""
                    yield from (f"- {_cell(str(part))}" for part in value)
                else:
                    yield f"**{title}**: {_cell(str(value))}"
                yield ""
            yield "</details>"
            yield ""


def summary_lines(files: Sequence[EvaluationFile]) -> Iterator[str]:
    """A line for each model, for the terminal."""
    for kind in ("summarization", "qa"):
        for one in figures_of(files, kind):
            rate = f", {percent(one.pass_rate)} passed" if kind == "qa" else ""
            errors = f", {one.errors} not judged" if one.errors else ""
            what = counted(one.items, "answer") if kind == "qa" else counted(one.items, "summary", "summaries")
            word = f" {band(one.grade)}" if one.grade is not None else ""
            yield f"{one_line(one.model, 120)}: {what}{rate}, grade {_grade(one.grade)}{word}{errors}, {_cost(one)}"


def _cost(one: ModelFigures) -> str:
    if one.inference == "local":
        return "free"
    return usd(one.inference_spent.total_usd)


def _grade(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.1f}"


def _cell(text: str) -> str:
    return inline(text, 2000)
