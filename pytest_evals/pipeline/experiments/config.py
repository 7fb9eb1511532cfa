"""Configurations of experiments: which models are asked, and how. JSON or YAML, in the spellings of several tools."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import yaml

from ...errors import UsageError
from ...llm.providers import PROVIDERS
from ...model.llm import Endpoint, ModelSpec
from ...model.place import did_you_mean
from ...model.text import one_line
from ..files import read_text, shown
from .styles import STYLES, style_named

Kind = Literal["qa", "summarization"]
KINDS: tuple[Kind, ...] = ("qa", "summarization")

MAX_TOKENS = 512
"""Of a reply, when an experiment does not say."""

LEAST_FOR_COMBINED = 7.0
"""Billions of parameters below which a model is hardly up to several summaries in one reply."""

_PROVIDERS = {"claude": "anthropic"}
"""Providers by the names of ``llm_type``, where they differ."""
_LLM_TYPES = {"anthropic": "claude"}
_NO_SAMPLING = frozenset({"anthropic"})
"""Providers whose present models refuse a temperature."""

_TOP = frozenset({"description", "experiments", "qa_config", "use_case", "styles"})
_OWN = frozenset(
    {"name", "llm_type", "provider", "model", "experiment_type", "system_prompt", "max_tokens", "temperature"}
    | {"max_ctx_size", "parameters", "base_url", "styles", "seed", "top_p"}
)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One model with its settings."""

    name: str
    kind: Kind
    spec: ModelSpec
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """As the configuration has them."""
    combined: bool = False
    """All styles in one question."""
    styles: tuple[str, ...] = ()
    """Names of styles; empty: those that fit the document."""

    @property
    def llm_type(self) -> str:
        """The provider as files of results name it."""
        provider = self.spec.endpoint.provider
        return _LLM_TYPES.get(provider, provider)

    @property
    def local(self) -> bool:
        """Whether the model runs on a machine of one's own."""
        provider = PROVIDERS.get(self.spec.endpoint.provider)
        return provider is not None and provider.local


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration as it was read."""

    experiments: tuple[Experiment, ...]
    use_case: str = ""
    num_qa_pairs: int | None = None
    """So many questions of each document at most."""
    warnings: tuple[str, ...] = ()
    """What is not understood, or cannot be done as it is asked for, a line each."""


def read_config(path: Path) -> Config:
    """Read a configuration. Raises ``UsageError`` with everything that is wrong in it, one line each."""
    text = read_text(path)
    try:
        data = json.loads(text) if path.suffix.lower() == ".json" else yaml.safe_load(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{shown(path)}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or error
        raise UsageError(f"{shown(path)}{where}: this is not YAML: {one_line(problem, 120)}") from None
    except RecursionError:
        raise UsageError(f"{shown(path)}: this is nested too deeply") from None
    reader = _Reader(shown(path))
    config = reader.read(data)
    if reader.problems:
        raise UsageError("\n".join(f"{shown(path)}: {problem}" for problem in reader.problems))
    return config


class _Reader:
    def __init__(self, where: str) -> None:
        self.problems: list[str] = []
        self._warnings: dict[str, None] = {}
        self._where = where

    def read(self, data: Any) -> Config:
        if not isinstance(data, Mapping):
            self.problems.append(f"a configuration is an object with 'experiments', not {one_line(data, 40)}")
            return Config(())
        self._unknown(data, _TOP, "")
        listed = data.get("experiments")
        if not isinstance(listed, list) or not listed:
            self.problems.append("'experiments' must be a list with at least one experiment")
            listed = []
        styles = self._styles(data.get("styles"), "styles")
        found = [self._experiment(each, number, styles) for number, each in enumerate(listed, 1)]
        experiments = tuple(each for each in found if each is not None)
        names = [each.name for each in experiments]
        self.problems += [
            f"there are two experiments {name!r}" for name in dict.fromkeys(names) if names.count(name) > 1
        ]
        return Config(experiments, str(data.get("use_case") or ""), self._pairs(data), tuple(self._warnings))

    def _pairs(self, data: Mapping[str, Any]) -> int | None:
        box = data.get("qa_config")
        if box is None:
            return None
        value = box.get("num_qa_pairs") if isinstance(box, Mapping) else box
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            self.problems.append(f"qa_config.num_qa_pairs must be a whole number from 1 on, not {one_line(value, 40)}")
            return None
        return value

    def _experiment(self, data: Any, number: int, styles: tuple[str, ...]) -> Experiment | None:
        where = f"experiments[{number}]"
        if not isinstance(data, Mapping):
            self.problems.append(f"{where} must be an object, not {one_line(data, 40)}")
            return None
        before = len(self.problems)
        self._unknown(data, _OWN, "experiments[].")
        name = self._text(data, "name", where)
        where = f"experiment {name!r}" if name else where
        provider = self._provider(data, where)
        model = self._text(data, "model", where)
        kind = data.get("experiment_type", "qa")
        if kind not in KINDS:
            self.problems.append(f"{where}: experiment_type is qa or summarization, not {one_line(kind, 40)}")
        system = self._text(data, "system_prompt", where, needed=False)
        max_tokens = self._whole(data, "max_tokens", where, MAX_TOKENS)
        parameters = data.get("parameters") or {}
        if not isinstance(parameters, Mapping):
            self.problems.append(f"{where}: parameters must be an object")
            parameters = {}
        own = self._styles(data.get("styles"), f"{where}: styles") or styles
        if len(self.problems) > before:
            return None
        spec = ModelSpec(Endpoint(provider, self._address(data, parameters, where)), model, system, max_tokens)
        spec = self._sampling(spec, data, parameters, where)
        if len(self.problems) > before:
            return None
        combined = parameters.get("combined_prompt") is True
        if combined and (size := parameter_count(model)) is not None and size < LEAST_FOR_COMBINED:
            self._warn(
                f"experiment {name!r}: combined_prompt asks {model} for all styles at once; models below "
                f"{LEAST_FOR_COMBINED:g} B parameters often leave some out"
            )
        return Experiment(name, kind, spec, dict(parameters), combined, own)

    def _provider(self, data: Mapping[str, Any], where: str) -> str:
        said = data.get("llm_type", data.get("provider"))
        if not isinstance(said, str) or not said.strip():
            self.problems.append(f"{where} needs 'llm_type' (or 'provider'): claude, lemonade, openai, …")
            return ""
        name = _PROVIDERS.get(said.strip().lower(), said.strip().lower())
        if name not in PROVIDERS:
            hint = did_you_mean(name, [*PROVIDERS, *_PROVIDERS]) or f"; there are {', '.join(PROVIDERS)}"
            self.problems.append(f"{where}: there is no provider {said!r}{hint}")
        return name

    def _address(self, data: Mapping[str, Any], parameters: Mapping[str, Any], where: str) -> str:
        stated = data.get("base_url") or parameters.get("base_url")
        if stated:
            address = str(stated).strip().rstrip("/")
            if not address.lower().startswith(("http://", "https://")):
                self.problems.append(f"{where}: base_url begins with http:// or https://, not {one_line(address, 60)}")
            return address
        host, port = parameters.get("host"), parameters.get("port")
        if not host and not port:
            return ""
        return f"http://{host or 'localhost'}:{port or 13305}/api/v1"

    def _sampling(
        self, spec: ModelSpec, data: Mapping[str, Any], parameters: Mapping[str, Any], where: str
    ) -> ModelSpec:
        values = {name: data.get(name, parameters.get(name)) for name in ("temperature", "top_p", "seed")}
        for name, value in values.items():
            if value is not None and not _is_number(value, whole=name == "seed"):
                self.problems.append(
                    f"{where}: {name} must be a {'whole ' if name == 'seed' else ''}number, not {one_line(value, 40)}"
                )
                return spec
        stop = parameters.get("stop") or ()
        if not isinstance(stop, (str, list, tuple)):
            self.problems.append(f"{where}: parameters.stop must be a text or a list of them, not {one_line(stop, 40)}")
            return spec
        stop = (stop,) if isinstance(stop, str) else tuple(map(str, stop))
        try:
            json.dumps(parameters, allow_nan=False)
        except (TypeError, ValueError) as error:
            self.problems.append(f"{where}: parameters has something that JSON has not: {one_line(error, 80)}")
            return spec
        known = {"combined_prompt", "stop", "host", "port", "base_url", *values}
        extra = {str(name): value for name, value in parameters.items() if name not in known}
        if spec.endpoint.provider in _NO_SAMPLING:
            refused = [name for name, value in values.items() if value is not None]
            if refused:
                named = " and ".join(refused)
                self._warnings[
                    f"{spec.endpoint.provider} takes no {named} any more: it is not sent, and noted as null"
                ] = None
            for name in extra:
                self._warnings[f"parameters.{name} is not sent to {spec.endpoint.provider}"] = None
            return replace(spec, stop=stop)
        if data.get("max_ctx_size") is not None:
            self._warn("max_ctx_size is not sent: the server decides over the size of its context")
        seed = values["seed"]
        return replace(
            spec,
            temperature=values["temperature"],
            top_p=values["top_p"],
            seed=int(seed) if seed is not None else None,
            stop=stop,
            extra=extra,
        )

    def _styles(self, value: Any, where: str) -> tuple[str, ...]:
        if value is None:
            return ()
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, Sequence):
            self.problems.append(f"{where} must be a list of {', '.join(STYLES)}")
            return ()
        found = []
        for name in names:
            style = style_named(str(name))
            if style is None:
                hint = did_you_mean(str(name), STYLES) or f"; there are {', '.join(STYLES)}"
                self.problems.append(f"{where}: there is no style {one_line(name, 40)!r}{hint}")
            else:
                found.append(style.name)
        return tuple(dict.fromkeys(found))

    def _text(self, data: Mapping[str, Any], key: str, where: str, *, needed: bool = True) -> str:
        value = data.get(key)
        if value is None and not needed:
            return ""
        if not isinstance(value, str) or (needed and not value.strip()):
            self.problems.append(f"{where} needs '{key}', a text" if needed else f"{where}: {key} must be a text")
            return ""
        if needed and not value.strip().isprintable():
            self.problems.append(f"{where}: {key} must be one line of printable characters, not {one_line(value, 60)}")
            return ""
        return value.strip() if needed else value

    def _whole(self, data: Mapping[str, Any], key: str, where: str, usual: int) -> int:
        value = data.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            self.problems.append(f"{where}: {key} must be a whole number from 1 on, not {one_line(value, 40)}")
            return usual
        return value

    def _unknown(self, data: Mapping[str, Any], known: frozenset[str], before: str) -> None:
        for key in data:
            if key not in known and not str(key).startswith(("_", "x-")) and key != "comment":
                hint = did_you_mean(str(key), known)
                self._warn(f"{self._where}: {before}{key} is not known, and left alone{hint}")

    def _warn(self, line: str) -> None:
        """Once, however many experiments it is about."""
        self._warnings[line] = None


def _is_number(value: Any, *, whole: bool) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return False
    return not whole or value == int(value)


def parameter_count(model: str) -> float | None:
    """Billions of parameters, where the model's name says so: 0.6 of ``Qwen3-0.6B-GGUF``."""
    found = re.search(r"(?<![\w.])(\d+(?:\.\d+)?)[Bb](?![A-Za-z])", model.replace("_", "-").replace("-", " "))
    return float(found[1]) if found else None
