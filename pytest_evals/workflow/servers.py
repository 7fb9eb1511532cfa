"""Whether a server of the user's own is up."""

from __future__ import annotations

import urllib.error
import urllib.request
from time import perf_counter

from ..llm.sdk import is_here
from ..model.text import one_line

TIMEOUT_S = 2.0


def ask_health(url: str, key: str = "") -> tuple[str, float]:
    """What is wrong with the server, empty when it answers, and how long it took, in seconds.

    A server that wants a key it was not given is up. The key is sent and never shown.
    """
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"} if key else {})
    handlers = [urllib.request.ProxyHandler({})] if is_here(url) else []
    started = perf_counter()
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=TIMEOUT_S) as answer:
            answer.read(1)
    except urllib.error.HTTPError as error:
        error.close()
        trouble = "" if error.code in (401, 403) and not key else f"HTTP {error.code}"
        return trouble, perf_counter() - started
    except TimeoutError:
        return f"no answer within {TIMEOUT_S:g} s", perf_counter() - started
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            return f"no answer within {TIMEOUT_S:g} s", perf_counter() - started
        return one_line(getattr(reason, "strerror", None) or str(reason) or type(reason).__name__), 0.0
    return "", perf_counter() - started
