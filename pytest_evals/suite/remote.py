"""Targets outside the process, as a suite writes them: ``{http: {url: …}}`` and ``{command: [program, …]}``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from ..model.fieldpath import FieldPath, read_path
from ..model.remote import CommandSpec, HttpSpec
from ..model.template import OF_VARIANT, mistakes, places
from ..model.text import one_line
from .environment import Environment, is_secret
from .reading import Reading
from .scalars import json_value, number, text, words
from .tree import LOST, Map, Node, Seq, is_null, quoted, said

HTTP_KEYS = ("url", "method", "headers", "body", "output", "status")
COMMAND_KEYS = ("argv", "stdin", "output", "status")

_HTTP = "write {url: http://…, body: {question: '{{ input }}'}, output: answer}"
_COMMAND = "write [program, argument, …]"
_HEADER_NAME = re.compile(r"[!#$%&'*+.^`|~\w-]+", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_BLANK_URL = re.compile(r"//[^/@]*@|\?.*", re.DOTALL)
_SHORTEST_SECRET = 8
"""Shorter texts are not looked for in answers: they would be found where they are none."""


def read_http(r: Reading, box: Map, env: Environment) -> tuple[str, HttpSpec] | None:
    """How results name the server, and the request. ``None`` after a mistake."""
    node: Node = box["http"]
    before = r.count
    if not isinstance(node, Map):
        r.wrong(box, "http", f"http must be a mapping, not {said(node)}; {_HTTP}")
        return None
    _check_keys(r, node, HTTP_KEYS)
    url = _url(r, node, env)
    body = _template(r, node, "body", env) if "body" in node else None
    headers = _headers(r, node, env)
    method = (words(r, node, "method", node["method"]) if "method" in node else None) or (
        "GET" if body is None else "POST"
    )
    if not method.isascii() or not method.isalpha():
        r.wrong(node, "method", f"{quoted(method)} is no HTTP method")
    inserted = [*places(url), *places(body), *places(headers)]
    same = all(name.startswith(OF_VARIANT) for name in inserted)
    if same and not r.count:  # a mistake may have hidden the place
        r.report(node.at, "every case would send the same request; put '{{ input }}' into the url or the body")
    statuses = _statuses(r, node, 100, 599)
    output = _output(r, node)
    if r.count > before:
        return None
    label = f"{method.upper()} {_BLANK_URL.sub(_blank, env.shown(str(node['url'])))}"
    secrets = _secrets(node, url, headers, env)
    return one_line(label, 120), HttpSpec(url, method.upper(), headers, body, output, statuses, secrets)


def read_command(r: Reading, box: Map, env: Environment) -> tuple[str, CommandSpec] | None:
    """How results name the program, and how it is run. ``None`` after a mistake."""
    node: Node = box["command"]
    before = r.count
    whole: Map = box
    key = "command"
    if isinstance(node, Map):
        _check_keys(r, node, COMMAND_KEYS)
        if "argv" not in node:
            r.report(node.at, f"a command needs 'argv'; {_COMMAND}")
            return None
        whole, key = node, "argv"
    argv = _argv(r, whole, key, env)
    stdin = _template(r, node, "stdin", env) if isinstance(node, Map) and "stdin" in node else None
    statuses = _statuses(r, node, 0, 255) if isinstance(node, Map) else ()
    output = _output(r, node) if isinstance(node, Map) else None
    if r.count > before:
        return None
    label = shlex.join(env.shown(str(part)) for part in whole[key])
    return one_line(label, 120), CommandSpec(argv, stdin, output, statuses or (0,))


def _check_keys(r: Reading, node: Map, known: Collection[str]) -> None:
    for key in node:
        if key not in known:
            r.unknown_key(node, key, known)


def _url(r: Reading, node: Map, env: Environment) -> str:
    if "url" not in node or is_null(node["url"]):
        if node.get("url") is not LOST:
            r.report(node.spot("url"), f"an http target needs a 'url'; {_HTTP}")
        return ""
    before = r.count
    url = _inserted(r, node, "url", text(r, node, "url", node["url"], prose=False) or "", env).strip()
    if r.count == before and node["url"] is not LOST:
        try:
            parts = urlsplit(url)
            good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            good = False
        if not good:
            shown = env.shown(str(node["url"]))
            r.wrong(node, "url", f"{quoted(shown)} is no url of a server; write http://host:port/path")
    return url


def _headers(r: Reading, node: Map, env: Environment) -> dict[str, str]:
    given: Any = node.get("headers")
    if given is None or is_null(given):
        return {}
    if not isinstance(given, Map):
        r.wrong(
            node, "headers", f"headers must be a mapping, not {said(given)}; write {{Authorization: 'Bearer ${{KEY}}'}}"
        )
        return {}
    headers: dict[str, str] = {}
    for name, value in given.items():
        if not _HEADER_NAME.fullmatch(name):
            r.report(given.spot(name), f"{quoted(name)} cannot be the name of a header")
        if name.lower() in {other.lower() for other in headers}:
            r.report(given.spot(name), f"header {quoted(name)} is there already; names ignore case")
        expanded = _inserted(r, given, name, text(r, given, name, value, prose=False) or "", env).strip()
        if _CONTROL.search(expanded):  # never shown: it may be a secret
            r.report(given.spot(name), f"the value of header {quoted(name)} holds a line break or control character")
        headers[name] = expanded
    return headers


def _argv(r: Reading, box: Map, key: str, env: Environment) -> tuple[str, ...]:
    node: Node = box[key]
    if not isinstance(node, Seq) or not node:
        cure = _COMMAND
        if isinstance(node, str) and not is_null(node):
            cure = f"no shell reads it; write [{', '.join(_words_of(node))}]"
        r.wrong(box, key, f"{key} must be a list of texts, not {said(node) if node != [] else 'an empty list'}; {cure}")
        return ()
    argv = []
    for index, part in enumerate(node):
        value = text(r, node, index, part, f"each of {key}", prose=False)
        if value is None and is_null(part):
            r.wrong(node, index, f"an empty place in {key}; write '\"\"' for the empty text, or remove it")
        argv.append(_inserted(r, node, index, value or "", env))
    if not argv[0].strip() and node[0] is not LOST:
        r.wrong(node, 0, "the name of the program is blank")
    elif list(places(argv[0])):
        r.wrong(node, 0, "the program cannot be taken from a case; name it here")
    return tuple(argv)


def _words_of(command: str) -> list[str]:
    try:
        return [quoted(word) if not word.isalnum() else word for word in shlex.split(command)]
    except ValueError:  # an open quote
        return command.split()


def _template(r: Reading, box: Map | Seq, key: str | int, env: Environment) -> Any:
    """A JSON value in whose texts variables and what a case gives can be inserted."""
    node: Node = box[key]  # type: ignore[index]
    if isinstance(node, Map):
        return {name: _template(r, node, name, env) for name in node}
    if isinstance(node, Seq):
        return [_template(r, node, index, env) for index in range(len(node))]
    value = json_value(r, box, key, node)
    return _inserted(r, box, key, value, env) if isinstance(value, str) else value


def _inserted(r: Reading, box: Map | Seq, key: str | int, value: str, env: Environment) -> str:
    """The text with variables replaced; what it inserts of a case is checked."""
    for mistake in mistakes(value, r.insertable):
        r.wrong(box, key, mistake)
    before = len(env.inserted)
    expanded = env.expand(box, key, value)
    for name, found in env.inserted[before:]:
        if "{{" in found:
            r.wrong(box, key, f"the environment variable {name} holds '{{{{', which would be read as a place to fill")
    return expanded


def _statuses(r: Reading, node: Map, least: int, most: int) -> tuple[int, ...]:
    """One or several statuses that mean there is an answer; empty when the suite says nothing."""
    given: Any = node.get("status")
    if given is None or is_null(given):
        return ()
    if not isinstance(given, Seq):
        return (number(r, node, "status", given, least=least, most=most, whole=True, stand_in=least),)
    found = [
        number(r, given, index, part, "each of status", least=least, most=most, whole=True, stand_in=least)
        for index, part in enumerate(given)
    ]
    if not found:
        r.wrong(node, "status", "status is an empty list; name at least one, or leave it out")
    return tuple(found)


def _output(r: Reading, node: Map) -> FieldPath | None:
    given = words(r, node, "output", node["output"]) if "output" in node else None
    if given is None:
        return None
    try:
        return read_path(given)
    except ValueError as error:
        r.wrong(node, "output", str(error))
        return None


def _secrets(node: Map, url: str, headers: dict[str, str], env: Environment) -> tuple[str, ...]:
    """What must not be kept of what is sent: longest first, for one may hold another."""
    found = {value for name, value in env.inserted if is_secret(name)}
    written = node.get("headers") or {}
    for name, value in headers.items():
        if is_secret(name):
            # `Bearer abc`: the key alone is as secret as the whole
            found |= {value, *value.split()} if not list(places(str(written[name]))) else set()
    found.add(urlsplit(url).password or "")
    return tuple(sorted((s for s in found if len(s) >= _SHORTEST_SECRET), key=len, reverse=True))


def _blank(match: re.Match[str]) -> str:
    """A user and password, or a query: what a URL may hold of secrets."""
    return "//" if match[0].startswith("//") else ""
