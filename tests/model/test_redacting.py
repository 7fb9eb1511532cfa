"""A result without secrets."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from factories import criterion, error, result

from pytest_evals.model.codec import result_to_json
from pytest_evals.model.redacting import redacted
from pytest_evals.model.redaction import Redactor
from pytest_evals.model.response import ToolCall
from pytest_evals.model.result import Attempt

KEY = "sk-proj-0123456789abcdefghij"
SAID = {"OPENAI_API_KEY": "value-of-the-key"}


@pytest.fixture
def redactor():
    return Redactor(SAID, [r"ACME-\d+"], prose=True)


def everywhere(secret):
    text = f"it is {secret}, no doubt"
    failed = error("target", text, detail=f"Traceback\n  key = '{secret}'")
    return result(
        "errored",
        "a",
        name=text,
        input=[{"role": "user", "content": text}],
        context={"docs": [text]},
        expected_output=text,
        reference_outputs=(text, "other"),
        metadata={"note": text},
        output={"answer": text},
        skip_reason=text,
        xfail=text,
        target=text,
        error=failed,
        attempts=(Attempt(1.0, failed),),
        criteria=(criterion("judge", reason=text, detail={"said": text}, error=failed),),
        tool_calls=(ToolCall("post", {"body": text}),),
        logs={"stdout": text, "log": text},
    )


@pytest.mark.parametrize("secret", [KEY, "value-of-the-key", "ACME-77", "Bearer abc123def456", "https://me:pw12@host/"])
def test_nothing_of_a_secret_is_left_wherever_it_stands(redactor, secret):
    hidden = result_to_json(redacted(everywhere(secret), redactor))
    # every text is still there, without it
    assert hidden.count("***") == result_to_json(everywhere(secret)).count(secret)
    for part in (KEY, "value-of-the-key", "ACME-77", "abc123def456", "pw12"):
        assert part not in hidden


def test_every_field_that_may_hold_a_text_is_looked_at():
    """A field that is added later must be hidden, or named here."""
    looked_at = redacted(everywhere(KEY), Redactor({}, prose=True))
    left = {f.name for f in dataclasses.fields(looked_at) if KEY in repr(getattr(looked_at, f.name))}
    assert left == set()
    trial = looked_at.trials[0]
    assert {f.name for f in dataclasses.fields(trial) if KEY in repr(getattr(trial, f.name))} == set()


def test_a_result_without_secrets_comes_back_itself(redactor):
    one = result("failed", output={"array": np.array([1.0, 2.0])}, criteria=(criterion(reason="fine"),))
    assert redacted(one, redactor) is one


def test_values_under_the_name_of_a_secret_are_hidden(redactor):
    one = result(tool_calls=(ToolCall("login", {"password": "hunter", "user": "me"}),), output={"api_key": "x"})
    [trial] = redacted(one, redactor).trials
    assert trial.tool_calls[0].args == {"password": "***", "user": "me"}
    assert trial.output == {"api_key": "***"}
