"""Playing a conversation: the target is asked turn by turn, with one session id; the answer is all that was said."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from ..atif.collector import COLLECTOR
from ..atif.recorder import Recording
from ..errors import TargetError
from ..model.case import Case
from ..model.conversation import TURNS, USER, SimulatedUser, UserTurn, transcript, turns_of
from ..model.judge import AskJudge
from ..model.llm import Message
from ..model.response import Response, Usage, as_response
from ..model.text import text_of
from ..model.trajectory import Trajectory
from ..model.wire import plain
from .target import Target

PLAYED = "user"
"""Under this name the metadata of an answer say who played the user, and why the conversation ended."""

BEGIN = "(The conversation begins: write your first message.)"

SYSTEM = """\
You play a user who talks to an application. Stay in this role: write only what the user says next, in one short \
message, without quotes or a name before it. Never answer for the application, and do not help it.
{persona}What you want: {goal}
When you have got it, or it is clear that you will not, write {stop} and nothing else."""

_NEEDS = ("case", "session_id", "variant", "trial")


def conversing(case: Case, target: Target, ask_user: AskJudge | None = None) -> Target:
    """The target as a case needs it: one that plays the turns when the input of the case is a conversation.

    ``ask_user`` asks the model that plays the user of a case.

    Targets that answer at once (recorded answers, ``echo``) have the whole answer already.
    """
    turns = turns_of(case.input)
    if (not turns and case.user is None) or target.inline:
        return target
    if not turns and case.input is not None:
        turns = (UserTurn(text_of(case.input)),)
    return Target(target.label, _Player(target, turns, ask_user).play, passes_input=None, extras=_NEEDS, is_async=True)


class _Player:
    def __init__(self, target: Target, turns: Sequence[UserTurn], ask_user: AskJudge | None) -> None:
        self._target = target
        self._turns = turns
        self._ask_user = ask_user

    async def play(self, *, case: Case, session_id: str, variant: Mapping[str, Any], trial: int) -> Response:
        """Ask turn by turn. What one turn raises ends the conversation."""
        collector = COLLECTOR.get()
        before = len(collector.recorded) if collector is not None else 0
        responses: list[Response] = []
        told: list[dict[str, Any]] = []
        user = _User(case.user, self._ask_user, trial) if case.user is not None else None
        while (said := await self._says(user, told)) is not None:
            asked = replace(case, input=self._input(said, told))
            started = perf_counter()
            response = await self._ask(asked, session_id, variant, trial)
            took_ms = response.latency_ms
            if took_ms is None and not response.cached:
                took_ms = (perf_counter() - started) * 1000
            responses.append(response)
            told.append(
                {
                    USER: said,
                    "output": response.output,
                    "latency_ms": took_ms,
                    "cost_usd": response.cost_usd,
                    "tool_calls": [{"name": call.name, "args": plain(call.args)} for call in response.tool_calls],
                }
            )
        recorded = collector is not None and len(collector.recorded) > before
        if not responses:
            raise TargetError("the model that plays the user ended the conversation before it began")
        whole = self._whole(responses, told, session_id, recorded=recorded)
        return whole if user is None else replace(whole, metadata={**whole.metadata, PLAYED: user.facts})

    async def _says(self, user: _User | None, told: Sequence[Mapping[str, Any]]) -> str | None:
        """What the user says next; ``None`` when the conversation is over."""
        if len(told) < len(self._turns):
            return self._turns[len(told)].said
        return await user.next(told) if user is not None else None

    def _input(self, said: str, told: Sequence[Mapping[str, Any]]) -> Any:
        """What the target is asked: a model all that was said before, too; others remember by the session's id."""
        if not self._target.takes_messages:
            return said
        before = [
            message
            for turn in told
            for message in (
                {"role": "user", "content": turn[USER]},
                {
                    "role": "assistant",
                    "content": turn["output"] if isinstance(turn["output"], str) else str(turn["output"]),
                },
            )
        ]
        return [*before, {"role": "user", "content": said}]

    async def _ask(self, case: Case, session_id: str, variant: Mapping[str, Any], trial: int) -> Response:
        target = self._target
        arguments, keywords = target.arguments(case, session_id, variant, trial)
        if target.prepare is not None:
            known = await target.prepare(*arguments, **keywords)
            if known is not None:
                return as_response(known)
        value = (
            target.call(*arguments, **keywords)
            if target.is_async
            else await asyncio.to_thread(target.call, *arguments, **keywords)
        )
        if inspect.isawaitable(value):
            value = await value
        response = as_response(value)
        if response.output is None:
            raise TargetError(f"target {target.label!r} returned None; return the answer ('' for an empty one)")
        return response

    def _whole(
        self, responses: Sequence[Response], told: Sequence[dict[str, Any]], session_id: str, *, recorded: bool
    ) -> Response:
        own = [] if self._target.takes_messages else [r.trajectory for r in responses if r.trajectory is not None]
        steps: Any = own or (None if recorded else self._steps(responses, told, session_id))
        costs = [response.cost_usd for response in responses]
        return Response(
            transcript(told),
            usage=_usage(responses),
            cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
            tool_calls=[call for response in responses for call in response.tool_calls],
            trajectory=steps,
            metadata={**responses[-1].metadata, TURNS: list(told)},
            cached=all(response.cached for response in responses),
        )

    def _steps(self, responses: Sequence[Response], told: Sequence[Mapping[str, Any]], session_id: str) -> Trajectory:
        """The conversation as a trajectory, for a target that records none itself."""
        recording = Recording(self._target.label, session_id=session_id)
        for turn, response in zip(told, responses, strict=True):
            recording.user(turn[USER])
            step = recording.agent(response.output, usage=response.usage, cost_usd=response.cost_usd)
            for call in response.tool_calls:
                step.call(call.name, call.args)
        return Trajectory(recording.document(), kind="conversation")


class _User:
    """The model that plays the user of one conversation."""

    def __init__(self, user: SimulatedUser, ask: AskJudge | None, trial: int) -> None:
        if ask is None:
            raise TargetError("there is nothing that could ask the model of the user")
        self._user = user
        self._ask = ask
        self._trial = trial
        self._costs: list[float | None] = []
        self._ended = "max_turns"

    @property
    def facts(self) -> dict[str, Any]:
        """Why it ended, and what playing the user took; that is not part of the target's cost."""
        known = [cost for cost in self._costs if cost is not None]
        cost = sum(known) if len(known) == len(self._costs) else None
        return {"model": self._user.model.name, "ended": self._ended, "calls": len(self._costs), "cost_usd": cost}

    async def next(self, told: Sequence[Mapping[str, Any]]) -> str | None:
        user = self._user
        if len(told) >= user.max_turns:
            return None
        persona = f"Who you are: {user.persona}\n" if user.persona else ""
        system = SYSTEM.format(persona=persona, goal=user.goal, stop=user.stop)
        # it sees the conversation from the other side: the application's replies are what is said to it
        messages: list[Message] = [{"role": "user", "content": BEGIN}]
        for turn in told:
            messages += [
                {"role": "assistant", "content": turn[USER]},
                {"role": "user", "content": text_of(turn["output"]) or "(nothing)"},
            ]
        request = replace(user.model.request(tuple(messages), self._trial), system=system)
        judged = await self._ask(user.model, request)
        self._costs.append(judged.cost_usd)
        said = judged.reply.text.strip()
        if user.stop in said or not said:
            self._ended = "stop" if said else "silence"
            return None
        return said


def _usage(responses: Sequence[Response]) -> Usage | None:
    """Tokens of all turns; what one of them does not say is unknown."""
    used = [response.usage for response in responses]
    if None in used:
        return None
    sums = {
        name: None if None in (counts := [getattr(each, name) for each in used]) else sum(counts)
        for name in Usage.__dataclass_fields__
    }
    return Usage(**sums)
