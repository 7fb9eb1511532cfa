"""The folder ``.evals`` that holds history and journals."""

from __future__ import annotations

from pathlib import Path

FOLDER = ".evals"


def make_folder(folder: Path) -> None:
    """Make the folder and those above it; a new ``.evals`` gets a ``.gitignore``: it is not to be committed.

    Raises ``OSError`` when it cannot be made.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        if path.name == FOLDER:
            path.joinpath(".gitignore").write_text("# Made by pytest-evals.\n*\n", "utf-8")
