"""The scorers that a log of inspect names, as criteria of a case with its targets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .criteria import Draft
from .foreign import list_in, mapping_in
from .judges import WHY, Judgement, judged
from .notes import Notes

EQUIVALENTS = {
    "includes": "`contains`, for several targets `contains_any`",
    "match": "`regex`: the target at the end (`location`), punctuation around it ignored; `numeric` with `numeric`",
    "exact": "`exact_match`, for several targets `equals_any`",
    "f1": "`token_f1` with `all_references`",
    "choice": "`choice`",
    "answer": "`choice` for a letter, else `regex`: the target behind `ANSWER:`",
    "model_graded_qa": "kept under `x-not-imported`",
    "model_graded_fact": "kept under `x-not-imported`",
}
"""What becomes of each scorer. All others are code, and listed."""

_JUDGES = ("model_graded_qa", "model_graded_fact")


def scorers_of(log: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The scorers of a log, each with ``name`` and ``options``."""
    listed = list_in(mapping_in(log, "eval"), "scorers") or list_in(mapping_in(log, "results"), "scores")
    return [
        {
            "name": str(scorer.get("scorer") or scorer.get("name")),
            "options": mapping_in(scorer, "options") or mapping_in(scorer, "params"),
        }
        for scorer in listed
        if isinstance(scorer, Mapping)
    ]


def criteria_of(scorers: Sequence[Mapping[str, Any]], targets: Sequence[str], notes: Notes, place: str) -> list[Draft]:
    """The criteria of a case."""
    found = []
    for scorer in scorers:
        name = str(scorer["name"]).removeprefix("inspect_ai/")
        make = _MAKERS.get(name)
        if name in _JUDGES:
            options = scorer["options"]
            text, model = str(options.get("instructions") or ""), str(options.get("model") or "")
            criterion = judged(Judgement(name, text, model=model))
            if criterion is None:
                notes.dropped(f"scorer {name}", WHY, place, dict(scorer) | {"target": list(targets)})
            else:
                found.append(criterion)
        elif make is None:
            why = "a scorer in Python; write a criterion `python: module:function`"
            notes.dropped(f"scorer {name}", why, place, dict(scorer))
        elif targets:
            found.append(make(_Seen(targets, scorer["options"])))
        else:
            notes.dropped(f"scorer {name}", "the sample has no target", place, dict(scorer))
    return found


class _Seen(NamedTuple):
    """A scorer of a sample."""

    targets: Sequence[str]
    options: Mapping[str, Any]

    @property
    def many(self) -> bool:
        return len(self.targets) > 1


def _includes(seen: _Seen) -> Draft:
    exactly = {} if seen.options.get("ignore_case", True) else {"case_sensitive": True}
    return Draft("contains_any" if seen.many else "contains", exactly)


def _match(seen: _Seen) -> Draft:
    options = seen.options
    if options.get("numeric") and not seen.many and re.fullmatch(r"[-+$£€,.\d\s]*\d[-+$£€,.\d\s]*", seen.targets[0]):
        return Draft("numeric")
    location = options.get("location", "end")
    # what is no letter and no digit does not count around a target
    bare = bool(options.get("ignore_punctuation", True))
    loose = r"\W*" if bare else r"\s*"
    before = rf"\A{loose}" if location in ("begin", "exact") else ""
    after = rf"{loose}\Z" if location in ("end", "exact") else ""
    return _pattern(before, seen.targets, after, ignore_case=bool(options.get("ignore_case", True)), bare=bare)


def _pattern(before: str, targets: Sequence[str], after: str, *, ignore_case: bool, bare: bool = False) -> Draft:
    wanted = [re.sub(r"^\W+|\W+$", "", target) or target.strip() if bare else target.strip() for target in targets]
    # only what means something in a pattern is escaped, so that it can be read
    parts = [re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", target) for target in wanted]
    middle = f"(?:{'|'.join(parts)})" if len(parts) > 1 else parts[0]
    return Draft("regex", {"pattern": f"{before}{middle}{after}", **({"flags": "i"} if ignore_case else {})})


def _exact(seen: _Seen) -> Draft:
    return Draft("equals_any" if seen.many else "exact_match")


def _f1(seen: _Seen) -> Draft:
    return Draft("token_f1", {"all_references": True} if seen.many else {})


def _choice(_: _Seen) -> Draft:
    return Draft("choice")


def _answer(seen: _Seen) -> Draft:
    if seen.options.get("pattern") == "letter":
        return Draft("choice")
    return _pattern(r"ANSWER\s*:\s*", seen.targets, r"(?!\w)", ignore_case=True)


_MAKERS: dict[str, Callable[[_Seen], Draft]] = {
    "includes": _includes,
    "match": _match,
    "exact": _exact,
    "f1": _f1,
    "choice": _choice,
    "answer": _answer,
}
