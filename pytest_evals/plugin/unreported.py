"""What was answered and not reported when a session was stopped: kept for ``--evals-resume``, for it is paid for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.codec import result_from_json, result_to_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..model.comparison import Key
    from ..model.result import CaseResult
    from ..store.location import Location
    from .earlier import EarlierAnswers
    from .state import State

_FILE = "answers-{}.jsonl"


def leave(state: State, folder: Path, worker: str) -> None:
    """In a worker: leave it to the controller, in the folder of the session."""
    from ..workflow.answered import keep_answers

    try:
        lines = [*state.recent, *map(result_to_json, _left(state))]
        keep_answers(folder / _FILE.format(worker), lines)
    except OSError:  # a full disk: the cases are asked again
        return


def keep(state: State, location: Location, session_id: str, folder: Path | None, done: set[Key]) -> str:
    """Keep what is not in the results; returns a line that says so, empty when there is nothing."""
    from ..workflow.answered import answers_file, keep_answers

    lines = dict.fromkeys(_lines(state, folder, state.earlier, done))
    path = answers_file(location, session_id)
    try:
        number = keep_answers(path, lines)
    except OSError as error:
        return f"answers: cannot write {path}: {error.strerror or error}"
    are = "case was answered and has" if number == 1 else "cases were answered and have"
    return f"{number} {are} no result yet; --evals-resume takes that over, too" if number else ""


def _left(state: State) -> list[CaseResult]:
    return [*state.unreported, *([] if state.last_result is None else [state.last_result])]


def _lines(state: State, folder: Path | None, earlier: EarlierAnswers | None, done: set[Key]) -> Iterator[str]:
    from ..workflow.answered import kept_answers

    for result in _left(state):
        if result.key not in done:
            yield result_to_json(result)
    for path in sorted(folder.glob(_FILE.format("*"))) if folder is not None else ():
        yield from (line for line in kept_answers(path) if result_from_json(line).key not in done)
    if earlier is not None:
        yield from earlier.not_used(done)
