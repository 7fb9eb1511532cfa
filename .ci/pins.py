"""Prints the exact versions of everything this package and its ``dev`` extra need, as installed beside this Python.

The closure of the dependencies only: what else lies in the environment is left out.
"""

from __future__ import annotations

from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

DISTRIBUTION = "pytest-evals-suite"

HEADER = """\
# Exact versions for make and CI; pyproject.toml has the bounds that hold for users.
# Written by `make pins` from what is installed in .venv."""


def closure(name: str, extras: set[str]) -> dict[str, Distribution]:
    """The distributions ``name`` needs on this Python and platform, without itself."""
    found: dict[str, Distribution] = {}
    asked: set[tuple[str, str]] = set()
    todo = [(name, extra) for extra in ("", *sorted(extras))]
    while todo:
        current, extra = todo.pop()
        if (current, extra) in asked:
            continue
        asked.add((current, extra))
        try:
            dist = found.setdefault(current, distribution(current))
        except PackageNotFoundError:
            raise SystemExit(f"{current} is not installed: run `make test` first") from None
        for text in dist.requires or ():
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
                needed = canonicalize_name(wanted.name)
                todo += [(needed, e) for e in ("", *sorted(wanted.extras))]
    found.pop(name, None)
    return found


if __name__ == "__main__":
    print(HEADER)
    for name, dist in sorted(closure(DISTRIBUTION, {"dev"}).items()):
        print(f"{name}=={dist.version}")
