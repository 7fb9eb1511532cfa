"""The cases of a promptfoo file, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..criteria import written
from ..foreign import list_in, mapping_in, place_of
from ..imported import CaseIds, Folders, compact
from ..notes import Notes
from ..unjudged import unjudged
from .asserts import criteria_of
from .nunjucks import UnknownTemplateError, names_in, resolved
from .prompts import Prompt
from .scenarios import expanded, variables
from .values import as_text, number

TEST = {
    "description": "`name`, and the `id` made from it",
    "vars": "`vars`; a list is a case for each of its values",
    "assert": "`criteria`",
    "threshold": "`threshold`",
    "metadata": "`metadata`",
    "options": "`prefix` and `suffix`, if there is one prompt; `disableDefaultAsserts` is `inherit_criteria: false`",
}
"""What becomes of each key of a test and of ``defaultTest``."""

WITHOUT = {
    "provider": "a case has no target of its own; make a variant, or another suite",
    "providers": "a case runs with every variant",
    "prompts": "a case runs with every variant",
    "assertScoringFunction": "the score of a case is the weighted mean",
    "providerOutput": "answers of one case cannot be recorded here; write a file of answers, {responses: FILE}",
    "options.transform": "answers are not changed before they are compared; let the target do it",
    "options.transformVars": "variables are values; let the target change them",
    "options.storeOutputAs": "a case never sees the answer of another",
    "options.provider": "it names the judge",
    "options.rubricPrompt": "it words the question to a judge",
    "options.runSerially": "cases run together: pytest --evals-concurrency 1 runs all of them one by one",
}
"""Keys of a test without an equivalent, and why."""

PROMOTED = ("input", "context")
"""Variables that are keys of a case here: a prompt inserts them by the same names."""

_QUIET = ("prefix", "suffix", "disableDefaultAsserts", "disableVarExpansion")


class Shared:
    """What all cases have in common: prompts, and what ``defaultTest`` says."""

    def __init__(self, folders: Folders, notes: Notes, prompts: list[Prompt], default: Mapping[str, Any]) -> None:
        self.folders = folders
        self.notes = notes
        self.prompts = prompts
        self.default = default
        self.inserted: set[str] = set().union(*(names_in(prompt.content) for prompt in prompts))
        """The names in the prompts."""
        self.vars = variables(default.get("vars"), folders, notes, place_of(default, "vars"))
        self.threshold = number(default.get("threshold"))
        _note_keys(default, notes, "defaultTest")
        self.records = list_in(default, "assert")
        self.taken: set[str] = set()
        """The names of its criteria."""
        made = criteria_of(self.records, folders, notes, by_mean=self.threshold is not None)
        self.states_marks = any(asked.threshold is not None for asked in made)
        self.criteria = written(made, self.taken)
        self.common = {
            key: value for key, value in self.vars.items() if not isinstance(value, list) and key not in PROMOTED
        }
        """The variables that stand in the defaults of the suite."""

    def defaults(self) -> dict[str, Any]:
        """The ``defaults`` of the suite, without prompt, timeout and trials."""
        return compact(
            [
                ("vars", self.common),
                ("criteria", self.criteria),
                ("threshold", self.threshold),
                ("metadata", dict(mapping_in(self.default, "metadata"))),
            ]
        )


def cases_of(tests: Iterable[Mapping[str, Any]], shared: Shared) -> list[dict[str, Any]]:
    """The cases of the tests, in their order."""
    ids = CaseIds("test")
    found: list[dict[str, Any]] = []
    for test in tests:
        _note_keys(test, shared.notes, "test")
        own = variables(test.get("vars"), shared.folders, shared.notes, place_of(test, "vars") or place_of(test))
        fixed = bool({**_options(shared.default), **_options(test)}.get("disableVarExpansion"))
        both = {**shared.vars, **own}
        for values in [both] if fixed else expanded(both):
            found += [_case(test, values, ids, shared)]
    return found


def _options(test: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping_in(test, "options")


def _case(test: Mapping[str, Any], values: dict[str, Any], ids: CaseIds, shared: Shared) -> dict[str, Any]:
    name = as_text(test.get("description"))
    notes = shared.notes.of(ids.next(name=name))
    place = place_of(test)
    threshold = number(test.get("threshold"))
    by_mean = threshold is not None or shared.threshold is not None
    records = list_in(test, "assert")
    disabled = _options(test).get("disableDefaultAsserts") is True
    # the marks that the defaults state do not hold in a test that looks at the mean
    again = threshold is not None and shared.threshold is None and shared.states_marks and not disabled
    asked = [*shared.records, *records] if again else records
    alone = bool(shared.criteria) and (disabled or again)
    drafts = criteria_of(asked, shared.folders, notes, by_mean=by_mean)
    if (alone or not shared.criteria) and all(draft.weight == 0 for draft in drafts):
        # nothing can fail, but something must weigh
        drafts = [replace(draft, weight=None) for draft in drafts]
    criteria = written(drafts, set() if alone else set(shared.taken))
    inherited = [] if alone else shared.criteria
    values = {key: _resolved(key, value, values, notes, place) for key, value in values.items()}
    in_criteria = names_in(criteria) | names_in(inherited)
    for missing in sorted((shared.inserted | in_criteria) - set(values) - {"vars"}):
        why = "has no value in some tests; it is the empty text there, as before"
        shared.notes.changed(f"{{{{ {missing} }}}}", why)
        values[missing] = ""
    own = {
        key: value
        for key, value in values.items()
        if (key not in PROMOTED or key in in_criteria or shared.folders.code)
        and (key not in shared.common or shared.common[key] != value)
    }
    case = {
        "id": notes.case,
        **compact(
            [
                ("name", name if name and name != notes.case else None),
                *((key, _promoted(values[key])) for key in PROMOTED if key in values),
                ("vars", own),
                ("prompt", _around(test, shared, notes, place)),
                ("threshold", threshold),
                ("metadata", dict(mapping_in(test, "metadata"))),
            ]
        ),
    }
    if alone:
        case["inherit_criteria"] = False
    if criteria or not inherited:
        case |= unjudged(criteria, asked=bool(records) or (bool(shared.records) and not disabled))
    return case


def _promoted(value: Any) -> Any:
    return value if isinstance(value, (Mapping, list)) else as_text(value)


def _resolved(key: str, value: Any, values: Mapping[str, Any], notes: Notes, place: str) -> Any:
    if not isinstance(value, str) or "{{" not in value:
        return value
    try:
        return resolved(value, values)
    except UnknownTemplateError as error:
        notes.dropped(f"variable {key}", f"{error}; it stands as it is written", place, value)
        return value


def _around(test: Mapping[str, Any], shared: Shared, notes: Notes, place: str) -> Any:
    """The prompt with the prefix and suffix of a test."""
    options = {**_options(shared.default), **_options(test)}
    before, after = as_text(options.get("prefix")), as_text(options.get("suffix"))
    if not before and not after:
        return None
    content = shared.prompts[0].content if len(shared.prompts) == 1 else None
    if not isinstance(content, str):
        why = "only one prompt that is a text can have a prefix or suffix"
        notes.dropped("prefix and suffix", why, place, {"prefix": before, "suffix": after})
        return None
    return f"{before}{content}{after}"


def _note_keys(test: Mapping[str, Any], notes: Notes, what: str) -> None:
    for key, value in test.items():
        if key not in TEST:
            why = WITHOUT.get(key, "is no key that is known here")
            notes.dropped(f"{key} of {what}", why, place_of(test, key), value)
    for key, value in _options(test).items():
        if key not in _QUIET:
            why = WITHOUT.get(f"options.{key}", "is no option that is known here")
            notes.dropped(f"options.{key} of {what}", why, place_of(test, "options"), value)
