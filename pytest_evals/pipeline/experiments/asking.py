"""Asking one model about one document."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import EvalsError, ProviderError, UsageError
from ..asking.asker import Answer, Asker
from ..files import sha256_text
from ..shapes.experiment import DOCUMENTS_QA, EXCERPT, QA, SUMMARIES, ItemResult
from .config import Experiment
from .inputs import Item
from .styles import FULL, OF_DOCUMENTS, STYLES, Style, ask_many, ask_one, take_apart


def styles_for(experiment: Experiment, item: Item) -> list[Style]:
    """Those of the configuration; else the two of documents, or the six of transcripts and e-mails."""
    usual = OF_DOCUMENTS if item.content_type == "pdf" else FULL
    return [STYLES[name] for name in experiment.styles or usual]


def result_key(experiment: Experiment, *, from_truth: bool) -> str:
    """Under which key of ``analysis`` the results stand."""
    if experiment.kind == "summarization":
        return SUMMARIES
    return QA if from_truth else DOCUMENTS_QA


def content_hash(experiment: Experiment, item: Item) -> str:
    """Of all that decides what is asked, and what the answer is held against."""
    spec = experiment.spec
    settings = [
        spec.name,
        spec.endpoint.base_url,
        spec.system,
        spec.max_tokens,
        spec.temperature,
        spec.top_p,
        spec.seed,
    ]
    styles = [style.name for style in styles_for(experiment, item)] if experiment.kind == "summarization" else []
    questions = [[question.query, question.expected] for question in item.questions]
    asked = [settings, dict(spec.extra), experiment.kind, experiment.combined, styles]
    about = [item.source_file, item.content_type, questions, item.summaries]
    return sha256_text(json.dumps([*asked, *about], sort_keys=True, ensure_ascii=True, default=str), item.text)


async def ask(asker: Asker, experiment: Experiment, item: Item, *, from_truth: bool) -> ItemResult:
    """What the model says about the document. What cannot be answered is an error, and never an answer.

    Raises ``ProviderError``: what was answered before is kept, and asked for again only where it was not.
    """
    if item.problem:
        return failed(experiment, item, item.problem, from_truth=from_truth)
    if experiment.kind == "summarization":
        return await _summaries(asker, experiment, item)
    return await _answers(asker, experiment, item, from_truth=from_truth)


def failed(experiment: Experiment, item: Item, why: str, *, from_truth: bool) -> ItemResult:
    """The result of a document about which nothing could be asked: a row for each that there should be, with why."""
    questions = [{"query": question.query, "response": None, "error": why} for question in item.questions]
    rows: list[dict[str, Any]]
    if experiment.kind == "summarization":
        rows = [_summary_row(item) | {"error": why, "processing_time_seconds": 0.0}]
    elif from_truth:
        rows = [
            {"query": question.query, "ground_truth": question.expected, "response": None, "error": why}
            | {"source_file": item.source_file, "processing_time_seconds": 0.0}
            for question in item.questions
        ]
    else:
        rows = [_document_row(item, questions)]
    return ItemResult(item.id, item.source_file, tuple(rows), errors=(f"{item.id}: {why}",))


def _summary_row(item: Item, found: Mapping[str, str] | None = None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "transcript": item.text[:EXCERPT],
        "generated_summaries": found or None,
        "source_file": item.source_file,
        "content_type": item.content_type,
    }
    return row if item.summaries is None else row | {"groundtruth_summaries": dict(item.summaries)}


def _document_row(item: Item, rows: Sequence[Mapping[str, Any]], took_s: float = 0.0) -> dict[str, Any]:
    return {
        "transcript": item.text[:EXCERPT],
        "source_file": item.source_file,
        "qa_results": list(rows),
        "processing_time_seconds": round(took_s, 3),
    }


async def _summaries(asker: Asker, experiment: Experiment, item: Item) -> ItemResult:
    styles = styles_for(experiment, item)
    found: dict[str, str] = {}
    errors: list[str] = []
    answers: list[Answer] = []
    with asker.talk(experiment.spec) as talk:
        try:
            if experiment.combined and len(styles) > 1:
                answers.append(await talk.ask(ask_many(styles, item.text)))
                found, missing = take_apart(answers[0].text, styles)
                errors += [f"{item.id}: the reply has no section {key}" for key in missing]
            else:
                for style in styles:
                    answers.append(await talk.ask(ask_one(style, item.text)))
                    found[style.key] = answers[-1].text
                    if not answers[-1].text.strip():
                        errors.append(f"{item.id}: the reply for {style.key} is empty")
                        del found[style.key]
                        talk.reject()
            if experiment.combined and errors:
                talk.reject()
        except (ProviderError, UsageError):
            raise
        except EvalsError as error:
            errors.append(f"{item.id}: {error}")
            talk.unfinished = True
        spent, took = talk.spent, talk.took_ms / 1000
    row = _summary_row(item, found) | _thinking(answers) | {"processing_time_seconds": round(took, 3)}
    if errors:
        row["error"] = "; ".join(errors)
    return ItemResult(item.id, item.source_file, (row,), spent, (took,), tuple(errors), content_hash(experiment, item))


async def _answers(asker: Asker, experiment: Experiment, item: Item, *, from_truth: bool) -> ItemResult:
    rows: list[dict[str, Any]] = []
    errors: list[str] = []
    times: list[float] = []
    with asker.talk(experiment.spec) as talk:
        for number, question in enumerate(item.questions, 1):
            row: dict[str, Any] = {"query": question.query}
            if from_truth:
                row["ground_truth"] = question.expected
            before = talk.took_ms
            try:
                answer = await talk.ask(_question(item.text, question.query))
                if not answer.text.strip():
                    talk.reject()
                    raise EvalsError("the reply is empty")
                row |= {"response": answer.text} | _thinking([answer])
            except (ProviderError, UsageError):
                raise
            except EvalsError as error:
                errors.append(f"{item.id}, question {number}: {error}")
                row |= {"response": None, "error": str(error)}
                talk.unfinished = True
            times.append((talk.took_ms - before) / 1000)
            rows.append(row | {"processing_time_seconds": round(times[-1], 3)})
        spent = talk.spent
    if from_truth:
        rows = [row | {"source_file": item.source_file} for row in rows]
    else:
        rows = [_document_row(item, rows, sum(times))]
    sha256 = content_hash(experiment, item)
    return ItemResult(item.id, item.source_file, tuple(rows), spent, tuple(times), tuple(errors), sha256)


def _question(text: str, query: str) -> str:
    return f"<text>\n{text}\n</text>\n\nAnswer this question about the text above: {query}"


def _thinking(answers: Sequence[Answer]) -> dict[str, str]:
    thoughts = "\n\n".join(answer.reply.reasoning for answer in answers if answer.reply.reasoning)
    return {"thinking": thoughts} if thoughts else {}
