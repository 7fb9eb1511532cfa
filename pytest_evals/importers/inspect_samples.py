"""Samples of inspect, in JSON, JSON Lines or CSV, and its logs in JSON.

A data set names no scorer: the task does, in Python. A log names them, and holds the answers, which become recorded
answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import UsageError
from .criteria import Draft, written
from .foreign import list_in, mapping_in, place_of
from .imported import CaseIds, Imported, Wishes, check_map, compact
from .inspect_scorers import criteria_of, scorers_of
from .notes import Notes
from .table import criteria_for, split
from .unjudged import target_of, unjudged

EQUIVALENTS = {
    "input": "`input`: text, or the list of messages",
    "target": "`expected_output`; of a list the others are `reference_outputs`",
    "choices": "written under the question, with letters",
    "id": "`id`",
    "metadata": "`metadata`",
}
"""What becomes of each field of a sample."""

WITHOUT = {
    "sandbox": "cases run where pytest runs",
    "files": "cases have no files; let the target put them there",
    "setup": "cases have no set-up script; use a fixture",
}
"""Fields of a sample without an equivalent, and why."""

_ROLES = ("system", "user", "assistant", "tool")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MESSAGE = ("role", "content", "tool_calls", "tool_call_id", "name")


def convert(data: Any, wishes: Wishes, notes: Notes) -> Imported:
    """The suite of a data set or log. Raises ``UsageError`` when it is neither."""
    log = data if isinstance(data, Mapping) else None
    samples = log.get("samples") if log is not None else data
    if log is not None and "eval" in log and not samples:
        raise UsageError("the log holds no samples; write it with them (`inspect log convert --to json`)")
    if not isinstance(samples, list) or not samples:
        raise UsageError("this is no data set of inspect: it is neither a list of samples nor a log in JSON")
    check_map(wishes, EQUIVALENTS, samples)
    about = mapping_in(log or {}, "eval")
    scorers = scorers_of(log) if log is not None else None
    ids = CaseIds("sample")
    answers: list[dict[str, Any]] = []
    cases = []
    for index, sample in enumerate(samples):
        if not isinstance(sample, Mapping):
            raise UsageError(f"item {index + 1} is no sample: it must be an object")
        if log is not None and sample.get("epoch") not in (None, 1):
            why = "a case has one recorded answer, that of the first epoch"
            notes.dropped(f"epoch {sample['epoch']} of sample {sample.get('id')}", why, place_of(samples, index))
            continue
        cases.append(_case(sample, ids, wishes, notes, scorers, place_of(samples, index)))
        if log is not None and (answer := _answer(cases[-1]["id"], sample)):
            answers.append(answer)
    config = compact([("model", about.get("model")), ("task_args", about.get("task_args"))])
    suite = compact(
        [
            ("suite", wishes.name or about.get("task")),
            ("experiment", {"name": str(about["task"]), "config": config} if about.get("task") and config else None),
            ("target", target_of(wishes, notes, "answers" if answers else "")),
            ("cases", cases),
        ]
    )
    return Imported(suite, notes, answers)


def _case(
    sample: Mapping[str, Any], ids: CaseIds, wishes: Wishes, notes: Notes, scorers: Any, place: str
) -> dict[str, Any]:
    fields = {key: sample.get(column) for key, column in _columns(wishes).items()}
    notes = notes.of(ids.next(fields["id"]))
    if fields["input"] in (None, "", []):
        where = f"{place}: " if place else ""
        raise UsageError(f"{where}a sample without input; say which field it is with --map input=FIELD")
    for key, why in WITHOUT.items():
        if sample.get(key) not in (None, {}, []):
            notes.dropped(key, why, place_of(sample, key), sample[key])
    targets = _targets(fields["target"])
    choices = _choices(fields["choices"])
    case = {
        "id": notes.case,
        "input": _with_choices(_input(fields["input"], place), choices),
        **compact([("expected_output", targets[0] if targets else None), ("reference_outputs", targets[1:])]),
        **compact([("metadata", _metadata(sample, fields, wishes))]),
    }
    if choices:
        notes.of("").changed(
            "choices", "stand under the question, one a line with its letter; word it as your solver did"
        )
    if scorers is not None and not wishes.criteria:
        criteria = criteria_of(scorers, targets, notes, place)
        return {**case, **unjudged(written(criteria), asked=bool(scorers))}
    return {**case, **unjudged(written(_usual(case, choices, targets, wishes, notes)), asked=False)}


def _usual(
    case: Mapping[str, Any], choices: Sequence[str], targets: Sequence[str], wishes: Wishes, notes: Notes
) -> list[Draft]:
    if wishes.criteria or not targets:
        return criteria_for(case, wishes, notes)
    asked = Draft("choice" if choices and len(targets) == 1 else "contains_any" if len(targets) > 1 else "contains")
    why = "a data set names no scorer; contains stands for includes(), and choice where there are choices: --criterion"
    notes.of("").chosen("criteria", why)
    return [asked]


def _columns(wishes: Wishes) -> dict[str, str]:
    return {key: wishes.columns.get(key, key) for key in EQUIVALENTS}


def _metadata(sample: Mapping[str, Any], fields: Mapping[str, Any], wishes: Wishes) -> dict[str, Any]:
    given = fields["metadata"]
    if isinstance(given, str) and given.strip():
        try:
            given = json.loads(given)
        except ValueError:
            given = {"metadata": given}
    if "output" in sample and "messages" in sample:  # a log: the rest is about the run
        return dict(given or {})
    taken = {*_columns(wishes).values(), *WITHOUT}
    others = {key: value for key, value in sample.items() if key not in taken and value not in (None, "", {}, [])}
    return {**others, **(given if isinstance(given, Mapping) else {})}


def _input(value: Any, place: str) -> Any:
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return str(value)
    messages = []
    for message in value:
        role = message.get("role") if isinstance(message, Mapping) else None
        if role not in _ROLES:
            where = f"{place}: " if place else ""
            raise UsageError(f"{where}a message has no role ({', '.join(_ROLES)})")
        # ids, sources and the like are of the tool
        messages.append({key: message[key] for key in _MESSAGE if message.get(key) is not None})
    only = messages[0] if len(messages) == 1 else {}
    alone = set(only) == {"role", "content"} and only["role"] == "user" and isinstance(only["content"], str)
    return only["content"] if alone else messages


def _with_choices(value: Any, choices: Sequence[str]) -> Any:
    if not choices:
        return value
    listed = "\n".join(f"{_LETTERS[index % 26]}) {choice}" for index, choice in enumerate(choices))
    below = f"\n\n{listed}\n\nAnswer with the letter of the right choice."
    if isinstance(value, str):
        return value + below
    last = value[-1] if isinstance(value, list) and value and isinstance(value[-1], Mapping) else {}
    if isinstance(last.get("content"), str):
        return [*value[:-1], {**last, "content": last["content"] + below}]
    before = value if isinstance(value, list) else [value]
    return [*before, {"role": "user", "content": below.strip()}]


def _targets(value: Any) -> list[str]:
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = split(value)
    found = value if isinstance(value, list) else [] if value is None else [value]
    return [part if isinstance(part, str) else json.dumps(part) for part in found if part not in (None, "")]


def _choices(value: Any) -> list[str]:
    """As inspect reads them: a list, JSON, or texts between commas, else between blanks."""
    if isinstance(value, list):
        return [str(choice) for choice in value]
    if not isinstance(value, str) or not value.strip():
        return []
    if value.lstrip().startswith("["):
        return split(value)
    return [part.strip() for part in (value.split(",") if "," in value else value.split())]


def _answer(case_id: str, sample: Mapping[str, Any]) -> dict[str, Any] | None:
    """The recorded answer of a sample; ``None`` when it has none, as after an error."""
    output = mapping_in(sample, "output")
    choices = [choice for choice in list_in(output, "choices") if isinstance(choice, Mapping)]
    message = mapping_in(choices[0], "message") if choices else {}
    text = output.get("completion") or _text(message.get("content"))
    if not text and not message:
        return None
    usage = mapping_in(output, "usage")
    seconds = output.get("time")
    calls = [
        {"name": str(call["function"]), "args": mapping_in(call, "arguments")}
        for call in list_in(message, "tool_calls")
        if isinstance(call, Mapping) and call.get("function")
    ]
    scores = {
        name: score.get("value") for name, score in mapping_in(sample, "scores").items() if isinstance(score, Mapping)
    }
    return {
        "id": case_id,
        "output": text,
        **compact(
            [
                ("latency_ms", round(seconds * 1000, 3) if isinstance(seconds, (int, float)) else None),
                ("input_tokens", usage.get("input_tokens")),
                ("output_tokens", usage.get("output_tokens")),
                ("tool_calls", calls),
                ("metadata", compact([("model", output.get("model")), ("inspect_scores", scores)])),
            ]
        ),
    }


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping) and "text" in part)
