"""The description of the API, in the form OpenAPI 3.1."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

from ..model.comparison import Change
from ..store.browse import SORTS
from ..store.people import LONGEST_NAME, LONGEST_NOTE
from .asked import GROUPS, MOST_NUMBER, MOST_OFFSET, OUTCOMES
from .data import MOST
from .files import KINDS

_TEXT = {"type": "string"}
_WHOLE = {"type": "integer"}
_NUMBER_OR_NULL = {"type": ["number", "null"]}
_WHOLE_OR_NULL = {"type": ["integer", "null"]}
_TEXT_OR_NULL = {"type": ["string", "null"]}


def description(server: str) -> dict[str, Any]:
    """The whole document; ``server`` is the path the API is below."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "pytest-evals",
            "version": version("pytest-evals-suite"),
            "description": "Experiments, runs, results and trajectories of a history of evaluations. "
            "All that can be written is what people say of results.",
        },
        "servers": [{"url": server}],
        "paths": _paths(),
        "components": {"schemas": _schemas()},
    }


@cache
def _paths() -> dict[str, Any]:
    run, number = (
        _path("run", _TEXT, "An id or a beginning of one, a name, last, or last:BRANCH."),
        _path("number", _WHOLE | {"minimum": 0, "maximum": MOST_NUMBER}, "Its number."),
    )
    paging = [
        _query("offset", _WHOLE | {"minimum": 0, "maximum": MOST_OFFSET}, "How many to leave out at the beginning."),
        _query("limit", _WHOLE | {"minimum": 1, "maximum": MOST}, "How many to give at most."),
    ]
    case = [
        _query("eval", _TEXT | {"minLength": 1}, "The suite.", required=True),
        _query("name", _TEXT | {"minLength": 1}, "The case's id.", required=True),
        _query("variant", _TEXT, "One variant's bracket."),
    ]
    signs = [*SORTS, *(f"-{name}" for name in SORTS)]
    chosen = [
        _query("outcome", {"type": "string", "enum": [*OUTCOMES, *GROUPS]}, "Only these; several with commas."),
        *(_query(name, _TEXT, text) for name, text in _FILTERS.items()),
        _query("sort", {"type": "string", "enum": signs}, "A minus turns it round."),
        *paging,
    ]
    changed = [
        _query("changed", {"type": "string", "enum": ["any", *(c.value for c in Change)]}, "Since the baseline."),
        _query("baseline", _TEXT, "The run to compare with; by default the one before."),
    ]
    return {
        "/": _get("Totals and experiments", "Overview"),
        "/experiments/{number}": _get(
            "An experiment with its cases and runs, the newest first",
            "Experiment",
            [number, _query("limit", _WHOLE | {"minimum": 0, "maximum": MOST_OFFSET}, "So many runs; 0 is all.")],
        ),
        "/experiments/{number}/history": _get(
            "One case over the runs of an experiment, the oldest first", "History", [number, *case]
        ),
        "/history": _get("One case over all runs, the oldest first", "History", case),
        "/compare": _get(
            "Two runs, compared on the cases they share",
            "Comparison",
            [
                _query("before", _TEXT | {"minLength": 1}, "A run.", required=True),
                _query("after", _TEXT | {"minLength": 1}, "A run.", required=True),
            ],
        ),
        "/runs/{run}": _get("A run and its results, whole", "Run", [run, *chosen]),
        "/runs/{run}/cases": _get(
            "A list of the results of a run, without long texts", "Cases", [run, *chosen, *changed]
        ),
        "/runs/{run}/facets": _get("What the results of a run can be narrowed by, with counts", "Facets", [run]),
        "/runs/{run}/trajectories": _get("The trajectories a run recorded", "Trajectories", [run]),
        "/runs/{run}/tool_calls": _get(
            "Of each case of a run the tools its agent called, by name: web searches among them",
            "ToolCalls",
            [run, _query("tool", _TEXT, "Only this tool.")],
        ),
        "/case_runs/{number}": _get("One result, whole", "Result", [number]),
        "/case_runs/{number}/graph": _get(
            "The data set that a result came from, as a graph, where a plugin shows it", "Graph", [number]
        ),
        "/artifacts": _get(
            "What steps of agents stored or used, where a plugin shows it",
            "Artifacts",
            [_query("id", _TEXT, "An artifact; can be given several times.", required=True)],
        ),
        "/case_runs/{number}/verdicts": _post(
            "Say what you think of a result: pass or fail, a note, or both", number, "Say"
        ),
        "/verdicts/{number}/undo": _post("Take a verdict back, or let it hold again", number, "Undo"),
        "/runs/{run}/labels": _get("The verdicts of people that count, to calibrate a judge with", "Labels", [run]),
        "/running": _get("The runs of the sessions that run, with how far they are", "Running"),
        "/files": _get("The files of the pipeline that can be shown", "Files"),
        "/files/{folder}/{path}": _get(
            "A file of the pipeline: JSON as its value, everything else as text",
            "File",
            [
                _path("folder", {"type": "string", "enum": list(KINDS)}, "Which folder."),
                _path("path", _TEXT, "Below the folder; may have slashes."),
            ],
        ),
        "/trajectories/{id}": _get(
            "A recorded trajectory: the ATIF document", "Trajectory", [_path("id", _TEXT, "The trajectory's id.")]
        ),
        "/openapi.json": _get("This description", "Description"),
    }


_FILTERS = {
    "suite": "Only of this suite.",
    "tag": "Only with this tag.",
    "category": "Only of this category.",
    "variant": "Only of this variant.",
    "criterion": "Only those that did not pass this criterion.",
    "text": "Only those that mention it in id, title, headline, input or answer.",
    "flaky": "1: only those whose trials disagree.",
}


def _path(name: str, schema: dict[str, Any], text: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": text}


def _query(name: str, schema: dict[str, Any], text: str, *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "schema": schema, "description": text}


def _get(summary: str, schema: str, parameters: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"get": _operation(summary, schema) | ({"parameters": parameters} if parameters else {})}


def _post(summary: str, number: dict[str, Any], sent: str) -> dict[str, Any]:
    body = {"required": True, "content": _content(sent)}
    return {"post": _operation(summary, "HumanVerdict") | {"parameters": [number], "requestBody": body}}


def _operation(summary: str, schema: str) -> dict[str, Any]:
    refusals = {
        "400": "The question is wrong.",
        "404": "What is asked for is not there.",
        "503": "The history cannot be reached now.",
    }
    responses = {code: {"description": text, "content": _content("Error")} for code, text in refusals.items()}
    return {
        "summary": summary,
        "responses": {"200": {"description": summary, "content": _content(schema)}, **responses},
    }


def _content(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}


@cache
def _schemas() -> dict[str, Any]:
    listed: dict[str, Any] = {
        "id": _WHOLE,
        "suite": _TEXT,
        "case_id": _TEXT,
        "title": _TEXT,
        "variant": _TEXT,
        "repeat": _WHOLE,
        "outcome": {"type": "string", "enum": list(OUTCOMES)},
        "status": _TEXT_OR_NULL,
        "core_status": _TEXT,
        "verdict": _TEXT_OR_NULL,
        "score": _NUMBER_OR_NULL,
        "latency_ms": _NUMBER_OR_NULL,
        "cost_usd": _NUMBER_OR_NULL,
        "input_tokens": _WHOLE_OR_NULL,
        "output_tokens": _WHOLE_OR_NULL,
        "attempts": _WHOLE,
        "headline": _TEXT,
        "category": _TEXT_OR_NULL,
        "tags": {"type": "array", "items": _TEXT},
        "flaky": {"type": "boolean"},
        "source": _TEXT,
        "error_kind": _TEXT_OR_NULL,
    }
    run = _object(
        uid=_TEXT,
        experiment=_TEXT,
        type={"type": "string", "enum": ["checked", "judged"]},
        status=_TEXT,
        core_status=_TEXT,
        verdict=_TEXT_OR_NULL,
        pass_rate=_NUMBER_OR_NULL,
        score=_NUMBER_OR_NULL,
        cost_usd=_NUMBER_OR_NULL,
        started_at=_TEXT,
        finished_at=_TEXT_OR_NULL,
        params={"type": "object"},
        counts={"$ref": "#/components/schemas/Counts"},
    )
    experiment = _object(
        id=_WHOLE, name=_TEXT, type=_TEXT, description=_TEXT, config={"type": "object"}, runs=_COUNTED, cases=_WHOLE
    )
    case = _object(eval=_TEXT, name=_TEXT)
    counts = ("total", "pending", "running", "completed", "errored", "cancelled", "passed", "failed")
    return {
        "Error": _object(error=_TEXT),
        "Counts": _object(**dict.fromkeys(counts, _WHOLE)),
        "Overview": _object(
            totals=_object(experiments=_WHOLE, runs=_WHOLE, cases=_WHOLE, case_runs=_COUNTED, cost_usd=_NUMBER_OR_NULL),
            experiments=_list(experiment),
        ),
        "Experiment": _object(experiment=experiment, cases=_list(case), runs=_list(run)),
        "History": _object(case=case, points=_list(_object(run_id=_TEXT, started_at=_TEXT, outcome=_TEXT))),
        "Run": _object(
            run=run,
            total=_WHOLE,
            offset=_WHOLE,
            case_runs=_list({"$ref": "#/components/schemas/Result"}),
        ),
        "ListedCase": _object(**listed),
        "Cases": _object(
            run=_TEXT, total=_WHOLE, offset=_WHOLE, cases=_list({"$ref": "#/components/schemas/ListedCase"})
        ),
        "Facets": _object(
            **dict.fromkeys(
                ("outcomes", "suites", "tags", "categories", "variants", "criteria", "error_kinds"), _COUNTED
            ),
            flaky=_WHOLE,
        ),
        "HumanVerdict": _object(
            id=_WHOLE,
            case_run_id=_WHOLE,
            criterion=_TEXT,
            verdict=_TEXT_OR_NULL,
            note=_TEXT,
            author=_TEXT,
            created_at=_TEXT,
            undone_at=_TEXT_OR_NULL,
        ),
        "Say": {
            "type": "object",
            "properties": {
                "verdict": {"type": "string", "enum": ["pass", "fail"]},
                "criterion": _TEXT,
                "note": _TEXT | {"maxLength": LONGEST_NOTE},
                "author": _TEXT | {"maxLength": LONGEST_NAME},
            },
        },
        "Undo": {"type": "object", "properties": {"restore": {"type": "boolean"}}},
        "Labels": _object(
            labels=_list(
                _object(
                    run=_TEXT, suite=_TEXT, case=_TEXT, criterion=_TEXT, verdict=_TEXT, author=_TEXT, automatic=_TEXT
                )
            )
        ),
        "Running": _object(
            running=_list(_object(uid=_TEXT, experiment=_TEXT, done=_WHOLE, total=_WHOLE_OR_NULL, outcomes=_COUNTED))
        ),
        "Files": _object(files=_list(_object(folder=_TEXT, path=_TEXT, kind=_TEXT, size=_WHOLE))),
        "File": _object(folder=_TEXT, path=_TEXT, kind=_TEXT),
        "Graph": _object(dataset_id=_TEXT, nodes=_list({"type": "object"}), edges=_list({"type": "object"})),
        "Artifacts": _object(artifacts=_list(_object(id=_TEXT, absent={"type": "boolean"}))),
        "ToolCalls": _object(
            run=_TEXT,
            cases=_list(_object(eval=_TEXT, name=_TEXT, variant=_TEXT, tool_calls={"type": "object"})),
            unread=_list(_TEXT),
        ),
        "Trajectories": _object(trajectories=_list(_object(trajectory_id=_TEXT, kind=_TEXT, steps=_WHOLE))),
        "Trajectory": {"type": "object"},
        "Description": {"type": "object"},
        "Result": _object(
            **listed,
            eval=_TEXT,
            name=_TEXT,
            answer=_TEXT_OR_NULL,
            problems=_list(_TEXT),
            passed_checks=_list(_TEXT),
            scores=_list(_object(name=_TEXT, scorer=_TEXT, score=_NUMBER_OR_NULL)),
            error=_TEXT_OR_NULL,
            trajectories=_list({"type": "object"}),
            verdicts=_list({"$ref": "#/components/schemas/HumanVerdict"}),
        ),
        "Comparison": _object(
            verdict=_TEXT, shared_cases=_WHOLE, regressions=_WHOLE, counts=_COUNTED, metrics=_list({"type": "object"})
        ),
    }


_COUNTED = {"type": "object", "additionalProperties": _WHOLE}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}
