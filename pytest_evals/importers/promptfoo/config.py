"""A configuration of promptfoo as a suite: its prompts and providers are target and variants, its tests are cases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import UsageError
from ...model.ids import slug
from ..foreign import dereferenced, mapping_in, place_of
from ..imported import Folders, Imported, Wishes, compact, unique
from ..notes import Notes
from ..unjudged import read_target
from .cases import Shared, cases_of
from .prompts import Prompt, prompts_of
from .providers import Provider, providers_of
from .rows import record_of
from .scenarios import scenarios_of, tests_of
from .values import UnreadableError, as_text, content, is_file, number

EQUIVALENTS = {
    "description": "`description`",
    "prompts": "`prompt` in `defaults`; several are `variants`",
    "providers": "`target`; several are `variants`",
    "targets": "the same as `providers`",
    "tests": "`cases`; files of tests are read",
    "scenarios": "a case for each test with each entry of `config`",
    "defaultTest": "`defaults`",
    "assertionTemplates": "put where a `$ref` names them",
    "evaluateOptions.repeat": "`trials` in `defaults`",
    "evaluateOptions.timeoutMs": "`timeout` in `defaults`",
}
"""What becomes of each key of a file."""

ELSEWHERE = {
    "evaluateOptions.maxConcurrency": "is an option of the run: pytest --evals-concurrency N",
    "evaluateOptions.cache": "is an option of the run, see docs/models",
    "evaluateOptions.delay": "requests are paced by what the provider allows, see docs/limits",
    "outputPath": "is an option of the run: pytest --evals-report",
    "env": "set the variables where pytest runs",
}
"""Keys that are no part of a suite, and where to turn."""

WITHOUT = {
    "derivedMetrics": "aggregates are figures and gates of the run",
    "nunjucksFilters": "templates have no filters of one's own",
    "extensions": "they are code; use fixtures of pytest",
    "redteam": "attacks are not generated",
    "tags": "they are about the whole file; experiment.config can hold them",
}
"""Keys of a file without an equivalent, and why."""

_MEANINGLESS = ("$schema", "sharing", "writeLatestResults", "evaluateOptions.showProgressBar")
"""Keys that say nothing about what is evaluated."""


def convert(data: Any, wishes: Wishes, notes: Notes, folders: Folders) -> Imported:
    """The suite of a configuration, or of a CSV file of tests. Raises ``UsageError`` when it is neither."""
    if isinstance(data, list) and data and all(isinstance(row, Mapping) for row in data):
        # tests alone, as `promptfoo eval --tests` takes them
        rows = all(isinstance(value, str) for row in data for value in row.values())
        data = {"tests": [record_of(row, notes) for row in data] if rows else data}
        data["prompts"] = _only_prompt(data["tests"], notes)
    if not isinstance(data, Mapping) or not {"prompts", "providers", "targets", "tests", "scenarios"} & set(data):
        raise UsageError("this is no configuration of promptfoo: it has neither 'prompts', 'providers' nor 'tests'")
    data = dereferenced(data, data)
    options = _note_keys(data, notes)
    prompts = prompts_of(data.get("prompts"), folders, notes, place_of(data, "prompts"))
    listed = data.get("providers", data.get("targets"))
    providers = [] if wishes.target else providers_of(listed, folders, notes, place_of(data, "providers"))
    if wishes.target and listed:
        notes.chosen("providers", "left out, as --target names the application")
    shared = Shared(folders, notes, prompts, _default(data, folders, notes))
    tests = [
        *tests_of(data.get("tests"), folders, notes, place_of(data, "tests")),
        *scenarios_of(data.get("scenarios"), folders, notes, place_of(data, "scenarios")),
    ]
    if not tests and (data.get("tests") or data.get("scenarios")):
        raise UsageError("nothing could be imported: the file names no tests that can be read")
    cases = cases_of(tests or [{}], shared)
    asked = _asked(prompts, providers, wishes, notes)
    suite = compact(
        [
            ("suite", wishes.name or None),
            ("description", as_text(data.get("description")) or None),
            ("target", asked.get("target")),
            ("variants", asked.get("variants")),
            ("defaults", compact([("prompt", asked["prompt"]), *options.items(), *shared.defaults().items()])),
            ("cases", cases if prompts else [_skipped(case) for case in cases]),
        ]
    )
    return Imported(suite, notes, code=folders.code)


def _only_prompt(tests: Sequence[Mapping[str, Any]], notes: Notes) -> str:
    """The prompt of tests whose file names none: the variable ``prompt``, ``input``, or the first one."""
    names = [name for test in tests for name in test.get("vars") or ()]
    chosen = next((name for name in ("prompt", "input") if name in names), names[0] if names else "prompt")
    if chosen != "prompt":
        notes.chosen("prompt", f"the file names none, so {{{{ {chosen} }}}} is asked")
    return f"{{{{ {chosen} }}}}"


def _skipped(case: dict[str, Any]) -> dict[str, Any]:
    """A case whose prompt could not be imported."""
    return {**case, "input": "", "skip": "its prompt could not be imported; see x-not-imported"}


def _note_keys(data: Mapping[str, Any], notes: Notes) -> dict[str, Any]:
    """What the options of a run become in ``defaults``."""
    found: dict[str, Any] = {}
    groups = ("evaluateOptions", "commandLineOptions")
    flat: dict[str, tuple[Any, Any]] = {key: (data, value) for key, value in data.items() if key not in groups}
    for group in groups:
        options = mapping_in(data, group)
        for key, value in options.items():
            flat[f"evaluateOptions.{key}"] = (options, value)
    for key, (box, value) in flat.items():
        if key == "evaluateOptions.repeat":
            found |= {"trials": number(value)} if (number(value) or 1) > 1 else {}
        elif key == "evaluateOptions.timeoutMs":
            found |= {"timeout": f"{number(value):g}ms"} if number(value) else {}
        elif key in ELSEWHERE:
            notes.changed(key, ELSEWHERE[key], place_of(box, key.removeprefix("evaluateOptions.")))
        elif key not in EQUIVALENTS and key not in _MEANINGLESS:
            place = place_of(box, key.removeprefix("evaluateOptions."))
            notes.dropped(f"key {key}", WITHOUT.get(key, "a suite has no such key"), place, value)
    return found


def _default(data: Mapping[str, Any], folders: Folders, notes: Notes) -> Mapping[str, Any]:
    given = data.get("defaultTest")
    if is_file(given):
        try:
            given = content(str(given), folders)
        except UnreadableError as error:
            notes.dropped(f"defaultTest {given}", str(error), place_of(data, "defaultTest"), given)
            return {}
    if given is not None and not isinstance(given, Mapping):
        notes.dropped("defaultTest", "it is no mapping", place_of(data, "defaultTest"), given)
    return given if isinstance(given, Mapping) else {}


def _asked(prompts: Sequence[Prompt], providers: Sequence[Provider], wishes: Wishes, notes: Notes) -> dict[str, Any]:
    """Target, variants and the prompt of all cases."""
    prompt = prompts[0].content if prompts else None
    if len(prompts) == 1 and isinstance(prompt, str) and re.fullmatch(r"\{\{\s*input\s*\}\}", prompt):
        prompt = None  # what is nothing but the input needs no prompt
    if wishes.target:
        providers = [Provider("target", read_target(wishes.target))]
    if not providers:
        notes.chosen("target", "no provider could be imported; echo stands in for it: give --target, or edit it")
        providers = [Provider("echo", "echo")]
    if len(providers) == 1 and len(prompts) < 2:
        return {"target": providers[0].target, "prompt": prompt}
    taken: set[str] = set()
    variants = []
    for provider in providers:
        given: list[Prompt | None] = [one for one in prompts if _is_given(provider, one)]
        for one in given or [None]:
            parts = [provider.label if len(providers) > 1 else "", one.label if one and len(prompts) > 1 else ""]
            made: dict[str, Any] = {"id": unique(_identifier(" ".join(filter(None, parts))), taken)}
            if len(providers) > 1:
                made |= provider.target if _is_model(provider.target) else {"target": provider.target}
            if len(prompts) > 1 and one is not None:
                made["prompt"] = one.content
            variants.append(made)
    return {"target": providers[0].target if len(providers) == 1 else None, "variants": variants, "prompt": prompt}


def _is_model(target: Any) -> bool:
    return isinstance(target, Mapping) and "model" in target


def _is_given(provider: Provider, prompt: Prompt) -> bool:
    """Whether a provider is given a prompt: by its label, or the beginning of it up to a colon."""
    names = [name.removesuffix(":*") for name in provider.prompts]
    return not names or any(prompt.label == name or prompt.label.startswith(f"{name}:") for name in names)


def _identifier(label: str) -> str:
    """A label as the id of a variant: printable ASCII, without what brackets of a test's name cannot hold."""
    kept = "".join(c if c.isascii() and c.isprintable() and c not in "[]\\" else "-" for c in label)
    return (kept.replace("::", ":")[:80].strip() or slug(label)[:80]) or "variant"
