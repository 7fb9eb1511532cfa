"""A file of prices, in TOML, YAML or JSON: what models cost, in dollars a million tokens."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import SuiteError
from ..model.price import Price, PriceFile
from .jsontree import read_json
from .reading import Reading
from .scalars import number, text
from .source import Source, load
from .tree import Map, Node, Plain, Seq, is_null, quoted, said
from .yamlerrors import read_yaml

ROOT_KEYS = ("version", "models")
PRICE_KEYS = ("input", "output", "cached_input", "cache_write")
"""Dollars a million tokens; the first two must be given."""


def read(path: Path, shown: str) -> PriceFile:
    """The prices in a file. Raises ``SuiteError`` with all its mistakes."""
    source = load(path, shown)
    parsers: dict[str, Callable[[Source, Callable[[int, str], None]], Node | None]] = {
        ".toml": _read_toml,
        ".yaml": read_yaml,
        ".yml": read_yaml,
        ".json": read_json,
    }
    parse = parsers.get(path.suffix.lower())
    if parse is None:
        raise source.refuse(f"prices are read from .toml, .yaml (or .yml) or .json, not from {quoted(path.name)}")
    r = Reading(source)
    try:
        root = parse(source, r.report)
    except SuiteError as error:
        raise r.give_up(error) from None
    prices: dict[str, Price] = {}
    version = ""
    if not isinstance(root, Map) or "models" not in root:
        r.report(0, "a file of prices has 'models': prices by provider/model")
    else:
        for key in root:
            if key not in ROOT_KEYS:
                r.unknown_key(root, key, ROOT_KEYS)
        version = text(r, root, "version", root["version"], prose=False) or "" if "version" in root else ""
        prices = _models(r, root)
    r.finish()
    return PriceFile(shown, version, hashlib.sha256(source.text.encode()).hexdigest(), prices)


def _models(r: Reading, root: Map) -> dict[str, Price]:
    models = root["models"]
    if not isinstance(models, Map):
        r.wrong(root, "models", f"models must be a mapping of provider/model to prices, not {said(models)}")
        return {}
    return {name: price for name, node in models.items() if (price := _price(r, models, name, node)) is not None}


def _price(r: Reading, models: Map, name: str, node: Node) -> Price | None:
    provider, slash, model = name.partition("/")
    if not (provider and slash and model):
        r.report(models.spot(name), f"{quoted(name)} is no model; write provider/model, such as openai/gpt-5")
        return None
    if not isinstance(node, Map):
        r.wrong(models, name, f"the price of {quoted(name)} must be a mapping with input and output, not {said(node)}")
        return None
    amounts: dict[str, float | None] = {}
    for key, value in node.items():
        if key not in PRICE_KEYS:
            r.unknown_key(node, key, PRICE_KEYS)
        elif not is_null(value):
            amounts[key] = number(r, node, key, value, least=0)
    for key in PRICE_KEYS[:2]:
        if key not in amounts:
            r.report(models.spot(name), f"{quoted(name)} has no price for {key}; give dollars a million tokens")
    given = {key: amount for key, amount in amounts.items() if amount is not None}
    return Price(**given) if {"input", "output"} <= given.keys() else None


_AT = re.compile(r" \(at line (\d+), column (\d+)\)")


def _read_toml(source: Source, _report: Callable[[int, str], None]) -> Node | None:
    try:
        data = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        where = _AT.search(str(error))
        line, column = (int(where[1]), int(where[2])) if where else (1, 1)
        starts = source.starts
        offset = min(starts[min(line, len(starts)) - 1] + column - 1, len(source.text))
        raise source.refuse(f"this is not TOML: {_AT.sub('', str(error))}", offset) from None
    return _tree(data, source.text, 0)


def _tree(value: Any, content: str, start: int) -> Node:
    """What TOML said as a tree. Its parser tells no places: a key is where its name first stands after its table's."""
    if isinstance(value, dict):
        node = Map()
        node.at, node.spots = start, []
        for key, item in value.items():
            spot = max(content.find(key, start), start)
            node.spots.append(spot)
            node[key] = _tree(item, content, spot)
        return node
    if isinstance(value, list):
        items = Seq(_tree(item, content, start) for item in value)
        items.at, items.spots = start, [start] * len(value)
        return items
    if isinstance(value, bool):
        return Plain("true" if value else "false")
    return value if isinstance(value, str) else Plain(value)
