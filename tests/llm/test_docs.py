"""docs/limits.md tells what the code does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.llm.account import FIRST_TOKENS
from pytest_evals.llm.limits import Limit, parse_limits
from pytest_evals.llm.pace import Pace
from pytest_evals.llm.retry_after import MAX_RETRY_AFTER_S, retry_after
from pytest_evals.llm.slowdown import BACKOFF_S, MAX_BACKOFF_S, OVERLOADED, RECOVER_S, SHRINK

PAGE = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")


def block(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_examples_of_settings_can_be_read():
    ini = parse_limits(block("ini")[0].partition("evals_limits =")[2])
    assert ini.by_name["anthropic"] == Limit(requests_per_minute=50, tokens_per_minute=40_000, in_flight=8)
    assert ini.by_name["my_app.bot:answer"] == Limit(requests_per_second=20)
    toml = parse_limits(tomllib.loads(block("toml")[0])["tool"]["pytest"]["ini_options"]["evals_limits"])
    assert toml.by_name["anthropic"] == ini.by_name["anthropic"]
    assert toml.default == ini.default == Limit(in_flight=10)


def test_every_limit_has_a_row():
    rows = [parse_limits(f"x: {row}").by_name["x"] for row in re.findall(r"^\| `(\d+ [a-z ]+)` \|", PAGE, re.MULTILINE)]
    given = {name for row in rows for name in Limit.__slots__ if getattr(row, name) is not None}
    assert given == set(Limit.__slots__)


def test_the_message_is_the_one_that_is_printed():
    message = next(text for text in block("text") if text.startswith("evals_limits: ")).strip()
    with pytest.raises(UsageError) as caught:
        parse_limits([message.split("'")[1]])
    assert str(caught.value) == message


def test_numbers_are_those_of_the_code():
    text = " ".join(PAGE.split())
    assert f"one starts every {Pace.of(20, 1.0).interval_s * 1000:.0f} ms" in text
    assert f"{FIRST_TOKENS:,} at first" in text
    assert f"it is {BACKOFF_S:.0f} s, and twice as long each time" in text
    assert f"up to {MAX_BACKOFF_S:.0f} s" in text
    assert f"in {RECOVER_S:.0f} s to the rate of before" in text
    assert SHRINK == 0.5
    assert sorted(OVERLOADED) == [429, 529]
    assert "status 429 or 529" in text
    assert f"| `99999` | {retry_after('99999'):.0f} s;" in text
    assert MAX_RETRY_AFTER_S == 120
