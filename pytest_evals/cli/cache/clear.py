"""``pytest-evals cache clear``: forget replies."""

from __future__ import annotations

from pathlib import Path

import click

from ..history.options import json_option, print_json, yes_option
from ..lazy import example


@click.command("clear", epilog=example("pytest-evals cache clear --yes", "pytest-evals cache clear --model 'ollama/*'"))
@click.option("--model", metavar="PATTERN", help="Only replies of these models: anthropic/*, openai/gpt-5.")
@click.option("--older-than", metavar="AGE", help="Only replies kept longer than this: 36h, 30d, 8w.")
@yes_option
@json_option
def clear_command(model: str | None, older_than: str | None, yes: bool, as_json: bool) -> None:
    """Forget kept replies, all of them or some.

    Asks before it does, and gives the space back to the disk. Also removes a file that is damaged.
    """
    import time

    from ...errors import StoreError
    from ...llm.cache import remove
    from ...report.format import counted
    from ...workflow.replies import find_cache
    from ..ages import age

    kept = find_cache(Path.cwd())
    before_s = None if older_than is None else time.time() - age(older_than).total_seconds()
    if not kept.path.exists():
        _say(0, kept.path, as_json)
        return
    if not (yes or as_json):
        which = "all kept replies" if model is None and before_s is None else "these kept replies"
        click.confirm(f"Forget {which} in {kept.path}?", abort=True)
    try:
        forgotten = kept.clear(model=model, before_s=before_s)
    except StoreError:
        if model is not None or before_s is not None:
            raise
        remove(kept.path)
        click.echo(f"Removed {kept.path}, which was damaged.", err=as_json)
        forgotten = 0
    if as_json:
        _say(forgotten, kept.path, as_json)
    else:
        click.echo(f"Forgot {counted(forgotten, 'reply', 'replies')}.")


def _say(forgotten: int, path: Path, as_json: bool) -> None:
    if as_json:
        print_json(file=str(path), forgotten=forgotten)
    else:
        from ...workflow.replies import CACHE_FILE
        from ...workflow.where import elsewhere

        click.echo(f"No replies are kept in {path}{elsewhere(file=CACHE_FILE)}.")
