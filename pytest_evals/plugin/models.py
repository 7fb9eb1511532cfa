"""The models of a session: what conftests and plugins say of their clients goes before the built-in ones."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ..engine.model import Models
from ..errors import EvalsError, TargetError
from ..llm.clients import Clients
from ..llm.pricing import Prices
from ..model.llm import ModelSpec
from ..model.text import one_line
from ..workflow.replies import keeping, price_file
from .options import SETTINGS_KEY

if TYPE_CHECKING:
    import pytest

    from ..model.case import TargetSpec
    from ..model.llm import Endpoint, LlmClient
    from .dryrun import Pricing

HOOK = "pytest_evals_llm_connect"


def session_models(config: pytest.Config) -> Models:
    """The models that suites of this session name."""

    def connect(endpoint: Endpoint) -> LlmClient | None:
        try:
            client: LlmClient | None = config.hook.pytest_evals_llm_connect(endpoint=endpoint, config=config)
        except EvalsError:
            raise
        except Exception as error:  # of a conftest: a mistake there, said in one line
            raise TargetError(f"{HOOK} raised {type(error).__name__}: {one_line(str(error))}") from error
        if client is not None and not inspect.iscoroutinefunction(getattr(client, "complete", None)):
            kind = type(client).__name__
            raise TargetError(f"{HOOK} gave a {kind}, which has no 'async def complete(request)'")
        return client

    settings, rootdir = config.stash[SETTINGS_KEY], config.rootpath
    kept = keeping(
        rootdir,
        cache=settings.cache,
        max_bytes=settings.cache_size,
        max_age_s=settings.cache_age,
        record=settings.record,
        replay=settings.replay,
        redact=settings.redact,
    )
    config.add_cleanup(kept.close)
    return Models(Clients(connect, kept.wrap, offline=kept.asks_nobody), Prices(price_file(rootdir, settings.prices)))


def pricing_of(spec: TargetSpec, config: pytest.Config) -> Pricing:
    """What calls of a target would cost."""
    from .activate import activate
    from .dryrun import LOCAL, RECORDED, UNKNOWN, by_the_token

    if not isinstance(spec.options, ModelSpec):
        return UNKNOWN
    if (settings := config.stash[SETTINGS_KEY]).replay and not settings.record:
        return RECORDED
    models, endpoint = activate(config).models, spec.options.endpoint
    price = models.prices.price(endpoint, spec.options.model)
    if price is None and getattr(models.clients.client(endpoint), "local", False):
        return LOCAL
    return UNKNOWN if price is None else by_the_token(price)
