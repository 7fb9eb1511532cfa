"""``pytest-evals cache [stats]``: what is kept."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from ..history.options import json_option, print_json
from ..lazy import example


@click.command("stats", epilog=example("pytest-evals cache", "pytest-evals cache stats --json"))
@json_option
def stats_command(as_json: bool) -> None:
    """Show how many replies of which models are kept.

    This is what `cache` alone does.
    """
    from ...llm.cache import CacheStats
    from ...report.format import count, counted, size
    from ...store.times import of_epoch
    from ...workflow.replies import CACHE_FILE, find_cache
    from ...workflow.where import elsewhere
    from ..table import minute, table

    kept = find_cache(Path.cwd())
    found = kept.stats() if kept.path.exists() else CacheStats(0, 0, None, None, ())
    oldest, newest = of_epoch(found.oldest_s), of_epoch(found.newest_s)
    if as_json:
        print_json(
            file=str(kept.path),
            replies=found.replies,
            bytes=found.bytes,
            oldest=oldest,
            newest=newest,
            models=[asdict(model) for model in found.models],
        )
    elif not found.replies:
        click.echo(f"No replies are kept in {kept.path}{elsewhere(file=CACHE_FILE)}.")
    else:
        click.echo(f"{counted(found.replies, 'reply', 'replies')}, {size(found.bytes)}, in {kept.path}")
        click.echo(f"kept from {minute(oldest)} to {minute(newest)} (UTC)\n")
        rows = [(model.model, count(model.replies), size(model.bytes)) for model in found.models]
        click.echo(table(("model", "replies", "size"), rows, right=(1, 2), width=60))
