"""A user that a model plays, as a case writes it: ``user: {model: provider/name, goal: …, max_turns: 8}``."""

from __future__ import annotations

import os
from dataclasses import fields

from ..model.conversation import DEFAULT_STOP, DEFAULT_TURNS, MOST_TURNS, SimulatedUser
from .environment import Environment
from .judge import JUDGE_KEYS
from .modeltarget import read_model
from .reading import Reading
from .scalars import number, text
from .tree import LOST, Map, Node, is_null, said

OWN = tuple(field.name for field in fields(SimulatedUser) if field.name != "model")

USER_KEYS = (*JUDGE_KEYS, *OWN)
"""Keys of ``user``."""


def read_user(r: Reading, box: Map, key: str, node: Node) -> SimulatedUser | None:
    """Who talks to the target. ``None`` when nobody does, and after a mistake."""
    if is_null(node):
        return None
    if not isinstance(node, Map):
        if node is not LOST:
            r.wrong(box, key, f"user must be a mapping, not {said(node)}; write {{model: provider/name, goal: …}}")
        return None
    before = r.count
    model = read_model(r, node, Environment(r, os.environ), USER_KEYS, "user")
    goal = text(r, node, "goal", node["goal"]) if "goal" in node else None
    if r.count == before and not (goal or "").strip():
        r.report(node.spot("goal"), "a user needs a 'goal': what it wants of the application")
    most = DEFAULT_TURNS
    if "max_turns" in node:
        most = int(number(r, node, "max_turns", node["max_turns"], least=1, most=MOST_TURNS, whole=True, stand_in=1))
    persona = text(r, node, "persona", node["persona"]) if "persona" in node else None
    stop = text(r, node, "stop", node["stop"]) if "stop" in node else DEFAULT_STOP
    if r.count == before and not (stop or "").strip():
        r.wrong(node, "stop", "stop is blank; it is what the user writes when the conversation is over")
    if r.count > before or model is None:
        return None
    return SimulatedUser(model, goal or "", persona or "", most, (stop or "").strip())
