"""``pytest-evals view``: the history in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .history.options import history_option
from .lazy import example

if TYPE_CHECKING:
    from ..viewer.serve import Served


_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(
    "view",
    epilog=example(
        "pytest-evals view",
        "pytest-evals view --port 8080 --no-browser",
        "pytest-evals view --history postgresql+psycopg://evals@db/evals",
    ),
)
@click.option("--port", type=click.IntRange(0, 65535), default=3000, show_default=True, help="0 takes any free one.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on. One that other machines reach needs the token that is then printed.",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--atif-dir",
    "atif",
    type=_FOLDER,
    multiple=True,
    help="A further folder whose trajectory files may be shown.",
)
@click.option("--plugin", "plugins", multiple=True, metavar="MODULE", help="What shows artifacts and data sets.")
@click.option("--test-data", type=_FOLDER, help="Generated documents; test_data, where that is here.")
@click.option("--groundtruth", type=_FOLDER, help="Ground truth, and templates; groundtruth, where that is here.")
@click.option("--experiments", type=_FOLDER, help="Files of experiments; experiments, where that is here.")
@click.option("--evaluations", type=_FOLDER, help="Files of evaluations; evaluations, where that is here.")
@history_option
def view_command(
    port: int,
    host: str,
    no_browser: bool,
    atif: tuple[Path, ...],
    plugins: tuple[str, ...],
    where: str | None,
    **folders: Path | None,
) -> None:
    """Look at the history in the browser.

    Experiments, runs as they happen, results, trajectories, and the files of the pipeline. It listens on this machine
    alone and loads nothing from elsewhere. All it writes is what people say of results. Ctrl-C ends it.
    """
    from ..errors import UsageError
    from ..store import connect
    from ..workflow.git import person
    from ..workflow.trajectories import atif_folder
    from ..workflow.where import find_history

    location = find_history(where, start=Path.cwd())
    if not location.missing:
        with connect.reading(location):
            pass  # what is wrong with it is said now, in one line, and not on every page
    try:
        from ..viewer.plugins import Plugins
        from ..viewer.serve import serve
        from ..viewer.source import Source
    except ModuleNotFoundError as error:
        raise UsageError(f"the viewer needs {error.name}: pip install 'pytest-evals-suite[view]'") from error
    source = Source(
        location,
        _atif(atif_folder(location, Path.cwd())),
        atif,
        _pipeline(folders),
        Plugins(plugins),
        person(Path.cwd()),
    )

    def say(served: Served) -> None:
        click.echo(f"{location}\n{served.url}   (Ctrl-C ends it)")
        if location.missing:
            click.echo("There is no history there yet: pages show it when the first session has written it.", err=True)

    serve(source, host=host, port=port, browse=not no_browser, say=say)


def _pipeline(named: Mapping[str, Path | None]) -> dict[str, Path]:
    """The folders of the pipeline by their keys: those that were named, else those of the usual names."""
    found = {name.replace("_", "-"): path or Path(name) for name, path in named.items()}
    return {key: path for key, path in found.items() if path.is_dir()}


def _atif(usual: Path) -> Path:
    """Where sessions keep trajectories: what the project's settings say, else the usual place."""
    from ..workflow.settings import BY_NAME, find
    from ..workflow.where import project

    rootdir, ini = project(Path.cwd())
    said, _ = find(BY_NAME["atif_dir"], ini=ini.get("evals_atif_dir"))
    return rootdir / Path(str(said)).expanduser() if said else usual
