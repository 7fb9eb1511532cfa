"""Providers of promptfoo as targets."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ...errors import SuiteError
from ..foreign import list_in, mapping_in, parse_json, place_of
from ..imported import Folders, compact
from ..notes import Notes
from .models import model_target
from .nunjucks import with_environment
from .values import DATA, FILE, UnreadableError, as_text, code_of, content, path_of

EQUIVALENTS = {
    "openai:": "`{model: openai/NAME}`, for chat and responses",
    "anthropic:": "`{model: anthropic/NAME}`, for messages",
    "ollama:": "`{model: ollama/NAME}`",
    "vllm:": "`{model: vllm/NAME}`",
    "python: or file:// of Python": "a function in a file beside the suite, which calls its `call_api`",
    "echo": "`echo`",
    "http:// or https://": "`{http: …}`; `{{prompt}}` is `{{ input }}`, and a simple `transformResponse` is `output`",
    "exec:": "`{command: …}`; the prompt is the last argument",
    "webhook:": "`{http: …}`",
    "file:// of YAML or JSON": "the provider that the file describes",
}
"""Providers with an equivalent, and which."""

WITHOUT = {
    "file:// of code": "only Python, programs and servers are targets; ask it by a command",
    "javascript:": "only Python, programs and servers are targets; ask it by a command",
    "golang:": "only Python, programs and servers are targets; ask it by a command",
}
"""Providers without an equivalent, and why."""

_OTHER = "no such provider here; if it speaks OpenAI's API, write {model: openai/NAME, base_url: …}"
_PATH = re.compile(r"(?:\(?json\)?)((?:\.\w+|\[-?\d+\]|\[(['\"])[^'\"]+\2\])+)")
_PROMPT = re.compile(r"\{\{-?\s*prompt\s*(?:\|\s*(?:dump|safe)\s*)?-?\}\}")
_KEYS = ("id", "label", "config", "prompts")


class NoTargetError(ValueError):
    """A provider that cannot be a target; the message says why."""


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider."""

    label: str
    target: Any
    prompts: tuple[str, ...] = ()
    """Labels of the prompts that it is given; empty: of all."""


def providers_of(data: Any, folders: Folders, notes: Notes, place: str) -> list[Provider]:
    """The providers of a file; those that cannot be targets are noted."""
    if data in (None, "", []):
        return []
    listed = data if isinstance(data, list) else [data]
    found: list[Provider] = []
    for index, given in enumerate(listed):
        found += _provider(given, folders, notes, place_of(listed, index) or place)
    return found


def _provider(given: Any, folders: Folders, notes: Notes, place: str) -> list[Provider]:
    if not isinstance(given, (str, Mapping)):
        notes.dropped("provider", "a provider is a text, or a mapping with an 'id'", place, given)
        return []
    if isinstance(given, Mapping) and "id" not in given:
        # {"openai:gpt-4o": {config: …}}: the key is the id
        return [
            made
            for key, value in given.items()
            for made in _provider({"id": key, **(value if isinstance(value, Mapping) else {})}, folders, notes, place)
        ]
    options = dict(given) if isinstance(given, Mapping) else {"id": given}
    name = as_text(options["id"])
    if name.startswith(FILE) and PurePath(path_of(name)).suffix.lower() in DATA:
        try:
            inside = content(name, folders)
        except UnreadableError as error:
            notes.dropped(f"provider {name}", str(error), place, name)
            return []
        return providers_of(inside, folders, notes, place)
    for key in options:
        if key not in _KEYS:
            notes.dropped(f"{key} of provider {name}", "a target has no such key", place, options[key])
    config = mapping_in(given, "config") if isinstance(given, Mapping) else {}
    try:
        target = _target(name, config, folders, notes, place)
    except NoTargetError as error:
        notes.dropped(f"provider {name}", str(error), place, given)
        return []
    only = list_in(given, "prompts") if isinstance(given, Mapping) else []
    return [Provider(as_text(options.get("label")) or name, target, tuple(map(as_text, only)))]


def _target(name: str, config: Mapping[str, Any], folders: Folders, notes: Notes, place: str) -> Any:
    if name == "echo":
        return "echo"
    kind = name.partition(":")[0]
    if kind in ("openai", "anthropic", "ollama", "vllm"):
        target = model_target(name, config, folders, notes, place)
        if target is None:
            raise NoTargetError("only chat, messages and responses are asked")
        return target
    if name.startswith(("http://", "https://")) or name in ("http", "https"):
        return _http(name, config, notes, place)
    if kind == "exec":
        return _exec(name, folders, notes, place)
    if kind == "webhook":
        return _webhook(name)
    path, function = code_of(name, "call_api")
    if path:
        if not folders.there(path).is_file():
            raise NoTargetError(f"there is no file {folders.there(path)}")
        return folders.code.target(folders.here(path), function, config)
    if name.startswith(FILE):
        raise NoTargetError(WITHOUT["file:// of code"])
    raise NoTargetError(WITHOUT.get(f"{kind}:", _OTHER))


def _http(name: str, config: Mapping[str, Any], notes: Notes, place: str) -> Any:
    url = as_text(config.get("url")) or name
    if config.get("request"):
        raise NoTargetError("a raw request is not read; write url, headers and body")
    body = config.get("body")
    if isinstance(body, str):
        try:
            # in a JSON text the place may stand without quotes
            body = parse_json(re.sub(r"(?<![\"\w])(\{\{.*?\}\})(?!\")", r'"\1"', body))
        except SuiteError:
            raise NoTargetError("its body is no JSON; only JSON is sent") from None
    headers = mapping_in(config, "headers")
    target = compact(
        [
            ("url", _filled(url)),
            ("method", config.get("method")),
            ("headers", {key: _filled(as_text(value)) for key, value in headers.items()}),
            ("body", _filled(body)),
            ("output", _output(config)),
        ]
    )
    if unknown := sorted(set(re.findall(r"\{\{\s*([^}]*?)\s*\}\}", str(target))) - {"input"}):
        raise NoTargetError(f"it inserts {', '.join(unknown)}; a request can hold the input alone")
    for key in config:
        if key not in ("url", "method", "headers", "body", "transformResponse", "responseParser"):
            notes.dropped(f"{key} of provider {name}", "a server as a target has no such key", place, config[key])
    return {"http": target}


def _output(config: Mapping[str, Any]) -> str | None:
    """The path in ``json.choices[0].message.content``."""
    written = as_text(config.get("transformResponse", config.get("responseParser"))).strip()
    if written in ("", "json", "text"):
        return "$" if written == "json" else None
    found = _PATH.fullmatch(written)
    if found is None:
        raise NoTargetError(f"its transformResponse is code: {written}")
    return found[1].removeprefix(".")


def _filled(value: Any) -> Any:
    if isinstance(value, str):
        return with_environment(_PROMPT.sub("{{ input }}", value))
    if isinstance(value, Mapping):
        return {key: _filled(part) for key, part in value.items()}
    return [_filled(part) for part in value] if isinstance(value, list) else value


def _exec(name: str, folders: Folders, notes: Notes, place: str) -> Any:
    try:
        argv = shlex.split(name.removeprefix("exec:").strip())
    except ValueError:
        raise NoTargetError("its command has a quote that is never closed") from None
    if not argv:
        raise NoTargetError("it names no program")
    why = "it is given the prompt alone; promptfoo also gave its options and the variables, as JSON"
    notes.changed(f"provider {name}", why, place)
    # programs run in the folder of the suite
    moved = [
        folders.here(part) if folders.there(part).is_file() and not part.startswith("-") else part for part in argv
    ]
    if moved[0] != argv[0] and "/" not in moved[0]:
        moved[0] = f"./{moved[0]}"
    return {"command": [*moved, "{{ input }}"]}


def _webhook(name: str) -> Any:
    url = name.removeprefix("webhook:")
    return {"http": {"url": with_environment(url), "body": {"prompt": "{{ input }}"}, "output": "output"}}
