"""JSON Lines: a JSON value on each line."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import SuiteError
from .jsontree import read_json
from .reading import Reading
from .source import LINE_END
from .tree import Node


def read_lines(r: Reading) -> Iterator[tuple[int, Node]]:
    """The values of a file with the offsets of their lines; blank lines hold none.

    A line that is no JSON is a mistake, after which the others are read.
    """
    content = r.source.text
    start = 0
    # not splitlines(): JSON texts may hold U+2028 and other breaks as they are
    for end in [*(match.span() for match in LINE_END.finditer(content)), (len(content), len(content))]:
        try:
            node = read_json(r.source, r.report, start, end[0])
        except SuiteError as error:
            for problem in error.problems:
                r.add(problem.place, problem.message)
        else:
            if node is not None:
                yield start, node
        start = end[1]
