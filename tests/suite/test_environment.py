"""Environment variables in the texts of a target."""

from __future__ import annotations

import pytest

from pytest_evals.suite.environment import Environment, is_secret
from pytest_evals.suite.reading import Reading
from pytest_evals.suite.source import Source
from pytest_evals.suite.tree import Map

VARIABLES = {"NAME": "value", "EMPTY": "", "API_KEY": "hush", "NESTED": "${NAME}"}


@pytest.fixture
def env(tmp_path):
    return Environment(Reading(Source(tmp_path, "a", "key: text")), VARIABLES)


@pytest.fixture
def box():
    box = Map(key="text")
    box.at, box.spots = 0, [0]
    return box


@pytest.mark.parametrize(
    ("written", "expanded", "inserted", "shown"),
    [
        ("a ${NAME} b", "a value b", [("NAME", "value")], "a value b"),
        ("${NAME:-other}", "value", [("NAME", "value")], "value"),
        ("${EMPTY:-other}", "other", [], "other"),
        ("${EMPTY}", "", [("EMPTY", "")], ""),
        ("${GONE:-}", "", [], ""),
        ("${GONE:-a:-b}", "a:-b", [], "a:-b"),
        ("${NESTED}", "${NAME}", [("NESTED", "${NAME}")], "${NAME}"),
        ("Bearer ${API_KEY}", "Bearer hush", [("API_KEY", "hush")], "Bearer ${API_KEY}"),
        ("${API_KEY:-none}", "hush", [("API_KEY", "hush")], "${API_KEY}"),
        ("$NAME {NAME} $$", "$NAME {NAME} $$", [], "$NAME {NAME} $$"),
    ],
)
def test_variables_are_inserted_once_and_remembered(env, box, written, expanded, inserted, shown):
    assert env.expand(box, "key", written) == expanded
    assert env.inserted == inserted
    assert env.shown(written) == shown


@pytest.mark.parametrize(
    "name",
    [
        "API_KEY",
        "x-api-key",
        "Authorization",
        "Cookie",
        "SHOP_TOKEN",
        "DB_PASSWORD",
        "CLIENT_SECRET",
        "SLACK_WEBHOOK_URL",
    ],
)
def test_names_that_say_that_the_value_is_secret(name):
    assert is_secret(name)


@pytest.mark.parametrize("name", ["SHOP_URL", "HOST", "Accept", "X-Version", "MODEL", "LANG"])
def test_other_names(name):
    assert not is_secret(name)
