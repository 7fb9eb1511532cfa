"""The parser of YAML events: libyaml's, or PyYAML's own where that was built without libyaml (12 times slower).

The classes of events and errors are taken from where libyaml's module has them. When tests run pytest inside their own
process, modules are forgotten and imported again, but not those written in C: these go on with the first classes.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import yaml.error
import yaml.events

try:
    import yaml._yaml

    _home: Any = yaml._yaml
except ImportError:
    _home = None

Event: TypeAlias = Any
"""One of the ``yaml.events``, whose stubs hide that every event of a parser has its marks."""

_events: Any = _home or yaml.events
AliasEvent = _events.AliasEvent
MappingEndEvent = _events.MappingEndEvent
MappingStartEvent = _events.MappingStartEvent
ScalarEvent = _events.ScalarEvent
SequenceEndEvent = _events.SequenceEndEvent
SequenceStartEvent = _events.SequenceStartEvent
StreamEndEvent = _events.StreamEndEvent

YAMLError: type[Exception] = (_home or yaml.error).YAMLError


def parser_for(text: str) -> Any:
    """A parser with ``get_event()``; the marks of its events and errors have offsets into the text."""
    return _home.CParser(text) if _home is not None else pure_parser(text)


def pure_parser(text: str) -> Any:
    """PyYAML's own parser."""
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class PureParser(Reader, Scanner, Parser):
        def __init__(self) -> None:
            Reader.__init__(self, text)
            Scanner.__init__(self)
            Parser.__init__(self)

    return PureParser()
