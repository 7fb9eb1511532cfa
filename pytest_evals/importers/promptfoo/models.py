"""Providers of promptfoo that are models, with their settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..foreign import place_of
from ..imported import Folders, compact
from ..notes import Notes
from .nunjucks import with_environment
from .values import DATA, UnreadableError, as_text, content, is_file

SETTINGS = {
    "temperature": "temperature",
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "max_output_tokens": "max_tokens",
    "num_predict": "max_tokens",
    "top_p": "top_p",
    "seed": "seed",
    "stop": "stop",
    "stop_sequences": "stop",
    "system": "system",
    "systemPrompt": "system",
    "instructions": "system",
    "tools": "tools",
    "tool_choice": "tool_choice",
    "response_format": "schema",
    "apiBaseUrl": "base_url",
    "baseUrl": "base_url",
    "apiHost": "base_url",
    "apiKey": "api_key",
    "apiKeyEnvar": "api_key",
    "passthrough": "extra",
}
"""Keys of a model's config, and the key of a model target that each becomes."""

SENT = (
    *("frequency_penalty", "presence_penalty", "top_k", "logit_bias", "reasoning_effort", "reasoning", "thinking"),
    *("service_tier", "verbosity", "parallel_tool_calls", "effort"),
)
"""Keys that the service itself knows: they become ``extra``."""

_API = {
    "openai": ("chat", "responses"),
    "anthropic": ("messages",),
    "ollama": ("chat", "completion"),
    "vllm": ("chat",),
}
_NOT_ASKED = (
    *("completion", "embedding", "embeddings", "assistant", "image", "realtime", "moderation", "transcription"),
    *("claude-agent-sdk", "video", "speech", "codex-sdk", "agents", "chatkit"),
)
_VARIABLE = re.compile(r"\$\{\w+\}")


def model_target(
    name: str, config: Mapping[str, Any], folders: Folders, notes: Notes, place: str
) -> dict[str, Any] | None:
    """``openai:chat:gpt-4o`` as ``{model: openai/gpt-4o, …}``; ``None`` for what is no conversation."""
    provider, _, rest = name.partition(":")
    api, _, model = rest.partition(":")
    if api not in _API[provider]:
        if api in _NOT_ASKED or not rest:
            return None
        model = rest  # openai:gpt-4o; ollama:llama3:8b
    elif not model:
        return None
    if api == "responses" or (provider == "ollama" and api == "completion"):
        notes.changed(f"provider {name}", "it is asked as a chat", place)
    target: dict[str, Any] = {"model": f"{provider}/{model}"}
    extra: dict[str, Any] = {}
    for key, value in config.items():
        if value is None:
            continue
        at = place_of(config, key) or place
        try:
            if key in SENT:
                extra[key] = value
            elif key in SETTINGS:
                read = _READERS.get(SETTINGS[key])
                loaded = _loaded(f"{{{{env.{value}}}}}" if key == "apiKeyEnvar" else value, folders)
                target |= compact([(SETTINGS[key], read(loaded) if read else loaded)])
            else:
                notes.dropped(f"{key} of provider {name}", "a model target has no such key", at, value)
        except (UnreadableError, ValueError) as error:
            kept = None if SETTINGS.get(key) == "api_key" else value
            notes.dropped(f"{key} of provider {name}", str(error), at, kept)
    if extra:
        target["extra"] = {**extra, **target.get("extra", {})}
    return target


def _base_url(value: Any) -> str:
    url = with_environment(as_text(value))
    return url if "://" in url or url.startswith("$") else f"https://{url}/v1"


def _api_key(value: Any) -> str:
    given = with_environment(as_text(value))
    if not _VARIABLE.fullmatch(given):
        raise ValueError("a key does not belong into a file; it is read from the environment")
    return given


def _tools(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise ValueError("tools must be a list")
    found = []
    for tool in value:
        about = tool.get("function", tool) if isinstance(tool, Mapping) else {}
        about = about if isinstance(about, Mapping) else {}
        if not about.get("name"):
            raise ValueError("a tool without a name is one of the provider's own")
        parameters = about.get("parameters", about.get("input_schema"))
        described = [("name", about["name"]), ("description", about.get("description")), ("parameters", parameters)]
        found.append(compact(described))
    return found


def _tool_choice(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = value.get("function", value)
        named = (inside.get("name") if isinstance(inside, Mapping) else None) or value.get("type")
        if not named:
            raise ValueError("it names no tool")
        return str(named)
    return {"required": "any"}.get(str(value), str(value))


def _schema(value: Any) -> Any:
    if not isinstance(value, Mapping) or value.get("type") != "json_schema":
        raise ValueError("only a JSON schema can be asked for")
    inside = value.get("json_schema", value)
    return inside.get("schema") if isinstance(inside, Mapping) else None


def _loaded(value: Any, folders: Folders) -> Any:
    if is_file(value):
        if not str(value).endswith(DATA):
            raise UnreadableError(f"{value} is neither YAML nor JSON")
        return content(value, folders)
    return value


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "base_url": _base_url,
    "api_key": _api_key,
    "tools": _tools,
    "tool_choice": _tool_choice,
    "schema": _schema,
}
