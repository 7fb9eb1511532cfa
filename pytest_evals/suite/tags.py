"""Tags become pytest markers, so they must be names that pytest can select and that do nothing by themselves."""

from __future__ import annotations

import re
from functools import lru_cache

from .reading import Reading
from .scalars import texts
from .tree import Map, Node, Seq, quoted

_OF_PYTEST = """
    skip skipif xfail parametrize usefixtures filterwarnings tryfirst trylast hookwrapper optionalhook
    evals
"""
_OF_PLUGINS = """
    timeout asyncio anyio trio twisted gen_test flaky xdist_group forked order run first last dependency repeat
    django_db urls ignore_template_errors celery freeze_time time_machine vcr default_cassette block_network
    enable_socket disable_socket allow_hosts respx httpx_mock no_cover datafiles limit_memory limit_leaks
    mpl_image_compare thread_unsafe parallel_threads iterations random_order skip_browser only_browser only_rerun
"""
MARKERS_WITH_BEHAVIOUR = frozenset((_OF_PYTEST + _OF_PLUGINS).split())
"""Markers that change how pytest, or a plugin in wide use, runs an item. A tag of that name would, too."""

# what `-m` can select, without `:` and brackets, which end the name where pytest registers markers
_TAG = re.compile(r"(?!_)[\w.+/-]+")
_OPERATORS = frozenset({"and", "or", "not"})


def read_tags(r: Reading, box: Map, key: str, node: Node) -> tuple[str, ...]:
    """The tags of a case, or of the defaults, each once."""
    tags = texts(r, box, key, node, prose=False)
    for tag in tags:
        if reason := _wrong(tag):
            assert isinstance(node, Seq)
            r.wrong(node, node.index(tag), f"tag {quoted(tag)} {reason}")
    return tags


@lru_cache(maxsize=1024)  # many cases, few tags
def _wrong(tag: str) -> str:
    if tag in MARKERS_WITH_BEHAVIOUR:
        use = f"; use the key '{tag}'" if tag in ("skip", "xfail", "timeout") else "; choose another word"
        return f"is a pytest marker that does something by itself{use}"
    if tag in _OPERATORS or not _TAG.fullmatch(tag):
        return "cannot be a pytest marker; use letters, digits, '-', '_', '.', '+' or '/', and start without '_'"
    return ""
