"""Settings: what was said last counts, and how it is read."""

from __future__ import annotations

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.llm.cache import MAX_AGE_S, MAX_BYTES
from pytest_evals.model import trials
from pytest_evals.workflow import settings
from pytest_evals.workflow.settings import BY_NAME, SETTINGS, find


def test_the_flag_goes_before_the_variable_before_the_ini_key_before_the_default():
    retries = BY_NAME["retries"]
    environ = {"PYTEST_EVALS_RETRIES": "2"}
    assert find(retries, flag="3", environ=environ, ini="1") == (3, "--evals-retries")
    assert find(retries, environ=environ, ini="1") == (2, "PYTEST_EVALS_RETRIES")
    assert find(retries, environ={}, ini="1") == (1, "evals_retries")
    assert find(retries, environ={}) == (1, "default")


def test_what_has_no_ini_key_is_not_read_from_the_environment():
    assert find(BY_NAME["dry_run"], environ={"PYTEST_EVALS_DRY_RUN": "1"}, ini=True) == (None, "default")


def test_a_variable_holds_lines():
    environ = {"PYTEST_EVALS_REPORT": "json:a.json\n\n json:b.json \n"}
    assert find(BY_NAME["report"], environ=environ)[0] == ["json:a.json", "json:b.json"]


@pytest.mark.parametrize(
    ("name", "said", "value"),
    [
        ("cache_size", "200MB", 200_000_000),
        ("cache_size", "1.5 GB", 1_500_000_000),
        ("cache_size", "300kB", 300_000),
        ("cache_size", "5000", 5000),
        ("cache_age", "30d", 30 * 86400.0),
        ("cache_age", "12h", 12 * 3600.0),
        ("cache_age", "0", 0.0),
        ("cache", "yes", True),
        ("cache", "off", False),
        ("prices", "p.toml", "p.toml"),
    ],
)
def test_values_are_read(name, said, value):
    assert find(BY_NAME[name], environ={BY_NAME[name].variable: said})[0] == value


@pytest.mark.parametrize(
    ("name", "said", "message"),
    [
        ("cache_size", "big", "'big' is not a size such as 200MB or 1GB"),
        ("cache_size", "0", "'0' is not a size such as 200MB or 1GB"),
        ("cache_size", "-1MB", "'-1MB' is not a size such as 200MB or 1GB"),
        ("cache_age", "month", "'month' is not a time such as 30s, 500ms or 2m"),
        ("cache", "maybe", "'maybe' is neither true nor false"),
    ],
)
def test_a_value_that_is_none_is_told_with_where_it_was_said(name, said, message):
    variable = BY_NAME[name].variable
    with pytest.raises(UsageError) as caught:
        find(BY_NAME[name], environ={variable: said})
    assert str(caught.value) == f"{variable}: {message}"


def test_defaults_and_words_are_those_of_what_they_set():
    assert (BY_NAME["cache_size"].default, BY_NAME["cache_age"].default) == (MAX_BYTES, MAX_AGE_S)
    assert BY_NAME["pass_if"].choices == trials.WORDS
    assert BY_NAME["pass_if"].default == trials.DEFAULT_PASS_IF
    assert settings.MOST_TRIALS == trials.MOST_TRIALS


def test_every_setting_can_be_said_somewhere():
    assert [setting.name for setting in SETTINGS if not (setting.flag or setting.ini)] == []
    assert len(BY_NAME) == len(SETTINGS)
