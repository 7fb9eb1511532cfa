"""What a project needs to run its evaluations, and whether it is there. Calls no model and changes nothing."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from ..errors import EvalsError, StoreError
from ..llm.cassettes import Cassettes
from ..llm.pricing import TABLE, table_version
from ..llm.providers import PROVIDERS, Provider, missing_package
from ..llm.sdk import has_module
from ..model.llm import Endpoint
from ..store.folder import FOLDER
from .checking import checks
from .needs import Needs, needs_of
from .origins import Said, settings_of
from .replies import below, find_cache, price_file
from .servers import ask_health
from .where import elsewhere, find_history, project

Standing = Literal["ok", "unused", "warning", "failed"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    topic: str
    """keys, packages, servers, folders, history, replies, prices, settings, suites."""
    standing: Standing
    found: str
    """What was found, in one line."""
    cure: str = ""
    """What to do about it."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that was looked at."""

    rootdir: Path
    checks: Sequence[Check]
    settings: Sequence[Said]

    @property
    def failed(self) -> bool:
        return any(check.standing == "failed" for check in self.checks)


def examine(
    start: Path,
    suites: Iterable[Path] = (),
    *,
    history: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> Diagnosis:
    """Look at everything that a session started here needs; ``suites`` are files or folders whose models it asks.

    A key or server that no suite needs is no failure when it is missing, unless its address was configured. Takes as
    long as the servers take to answer, two seconds each at most.
    """
    environ = os.environ if environ is None else environ
    rootdir, _ = project(start)
    settings = settings_of(start, environ)
    needs = needs_of(suites, rootdir)
    checks = [
        *_packages(needs),
        *(Check("suites", "failed", problem) for problem in needs.problems),
        *_keys(needs, environ),
        *_servers(needs, environ),
        *_folders(rootdir, settings),
        *_history(start, history, environ),
        *_replies(start, rootdir, settings),
        *_prices(rootdir, settings),
        *_settings(rootdir, settings),
    ]
    return Diagnosis(rootdir, checks, settings)


def _packages(needs: Needs) -> Iterator[Check]:
    own = _version("pytest-evals-suite")
    yield Check(
        "packages", "ok", f"pytest-evals {own}, pytest {_version('pytest')}, Python {platform.python_version()}"
    )
    for sdk in dict.fromkeys(provider.sdk for provider in PROVIDERS.values()):
        users = [provider for provider in PROVIDERS.values() if provider.sdk == sdk]
        wanted = [provider for provider in users if provider.name in needs.providers]
        if has_module(sdk):
            yield Check("packages", "ok", f"{sdk} {_version(sdk)}")
        else:
            missing = missing_package((wanted or users)[0])
            what, _, cure = missing.partition(": ")
            yield Check("packages", "failed" if wanted else "unused", f"{sdk} is not installed", cure or what)


def _keys(needs: Needs, environ: Mapping[str, str]) -> Iterator[Check]:
    for provider in PROVIDERS.values():
        if not provider.keys:
            continue
        found = next((name for name in provider.keys if environ.get(name, "").strip()), None)
        endpoints = needs.providers.get(provider.name, ())
        wanted = [endpoint for endpoint in endpoints if _needs_key(provider, endpoint, environ)]
        if found is not None:
            yield Check("keys", "ok", f"{found} is set")
        elif wanted:
            cure = f"set the environment variable {provider.keys[0]}"
            yield Check("keys", "failed", f"{provider.keys[0]} is not set, and suites ask {provider.name}", cure)
        else:
            yield Check("keys", "unused", f"{provider.keys[0]} is not set")


def _needs_key(provider: Provider, endpoint: Endpoint, environ: Mapping[str, str]) -> bool:
    try:
        provider.key(endpoint, environ)
    except EvalsError:
        return True
    return False


def _servers(needs: Needs, environ: Mapping[str, str]) -> Iterator[Check]:
    for provider in PROVIDERS.values():
        if not provider.health:
            continue
        endpoints = list(needs.providers.get(provider.name, ()))
        if not endpoints and environ.get(provider.address, "").strip():
            endpoints = [Endpoint(provider.name)]
        if not endpoints:
            yield Check("servers", "unused", f"{provider.name} is not used ({provider.address} is not set)")
        for address in dict.fromkeys(_address(provider, endpoint, environ) for endpoint in endpoints):
            if isinstance(address, EvalsError):
                yield Check("servers", "failed", str(address))
                continue
            key = next((environ[name] for name in provider.keys if environ.get(name)), "")
            trouble, took = ask_health(address + provider.health, key)
            if trouble:
                cure = f"start it, or set {provider.address} to its address"
                yield Check("servers", "failed", f"{provider.name} at {address}: {trouble}", cure)
            else:
                yield Check("servers", "ok", f"{provider.name} at {address} answers ({took * 1000:.0f} ms)")


def _address(provider: Provider, endpoint: Endpoint, environ: Mapping[str, str]) -> str | EvalsError:
    try:
        return provider.base_url(endpoint, environ)
    except EvalsError as error:
        return error


def _folders(rootdir: Path, settings: Sequence[Said]) -> Iterator[Check]:
    folders = [rootdir / FOLDER]
    record = _value(settings, "record")
    if record:
        folders.append(below(rootdir, record))
    for folder in folders:
        there = next(path for path in (folder, *folder.parents) if path.exists())
        try:
            with tempfile.TemporaryFile(dir=there):
                pass
        except OSError as error:
            yield Check("folders", "failed", f"{there} cannot be written: {error.strerror or error}")
        else:
            yield Check("folders", "ok", f"{folder} can be {'written' if there == folder else 'made'}")


def _history(start: Path, said: str | None, environ: Mapping[str, str]) -> Iterator[Check]:
    try:
        location = find_history(said, start=start, environ=environ)
        if location.missing:
            yield Check("history", "ok", f"there is none yet at {location}{elsewhere(start)}")
            return
        from ..store.probe import probe

        found = probe(location)
    except EvalsError as error:
        yield Check("history", "failed", str(error))
        return
    older = "" if found.schema == found.newest else f" (brought up to {found.newest} by the next session)"
    yield Check(
        "history", "ok", f"{location}: {found.runs:,} run{'' if found.runs == 1 else 's'}, schema {found.schema}{older}"
    )


def _replies(start: Path, rootdir: Path, settings: Sequence[Said]) -> Iterator[Check]:
    kept = find_cache(start)
    if kept.path.exists():
        try:
            yield Check("replies", "ok", f"{kept.path}: {kept.stats().replies:,} kept")
        except StoreError as error:
            yield Check("replies", "failed", str(error))
        finally:
            kept.close()
    replay = _value(settings, "replay")
    if replay:
        folder = below(rootdir, replay)
        try:
            number = len(Cassettes(folder))
        except EvalsError as error:
            yield Check("replies", "failed", str(error))
        else:
            missing = number == 0 and not _value(settings, "record")
            cure = "record them with --evals-record" if missing else ""
            yield Check("replies", "failed" if missing else "ok", f"{folder}: {number:,} recorded", cure)


def _prices(rootdir: Path, settings: Sequence[Said]) -> Iterator[Check]:
    table = table_version()
    if table:
        yield Check("prices", "ok", table)
    else:
        yield Check("prices", "warning", f"{TABLE} is not installed: costs are unknown", f"pip install {TABLE}")
    said = _value(settings, "prices")
    if said:
        with suppress(EvalsError):  # told with the settings
            own = price_file(rootdir, said)
            named = f" ({own.version})" if own is not None and own.version else ""
            yield Check("prices", "ok", f"{said}{named}: {len(own.prices) if own is not None else 0} prices")


def _settings(rootdir: Path, settings: Sequence[Said]) -> Iterator[Check]:
    known = {said.name: (said.value, said.origin) for said in settings}
    if wrong := [said.problem for said in settings if said.problem]:
        yield from (Check("settings", "failed", problem) for problem in wrong)
        return
    for check in checks(known.__getitem__, rootdir):
        try:
            check()
        except EvalsError as error:
            yield from (Check("settings", "failed", line) for line in str(error).splitlines())


def _value(settings: Sequence[Said], name: str) -> Any:
    return next((said.value for said in settings if said.name == name), None)


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:  # run from a source tree
        return ""
