from __future__ import annotations

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.llm.limits import Limit, Limits, parse_limits


def test_lines_become_limits_by_name_and_a_default():
    limits = parse_limits(
        ["anthropic: 50 rpm, 40000 tpm, 8 in flight", "my_app.bot:answer: 20 rps", "", "# a comment", "*: 10 in flight"]
    )
    assert limits.by_name == {
        "anthropic": Limit(requests_per_minute=50, tokens_per_minute=40_000, in_flight=8),
        "my_app.bot:answer": Limit(requests_per_second=20),
    }
    assert limits.default == Limit(in_flight=10)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("40k tpm", Limit(tokens_per_minute=40_000)),
        ("1.5M tpm", Limit(tokens_per_minute=1_500_000)),
        ("40_000 TPM", Limit(tokens_per_minute=40_000)),
        ("20rps", Limit(requests_per_second=20)),
        ("20 rps,100 rpm , 1000 rph", Limit(20, 100, 1000)),
        ("3 in-flight", Limit(in_flight=3)),
        ("3  in  flight", Limit(in_flight=3)),
        ("50k rph", Limit(requests_per_hour=50_000)),
    ],
)
def test_a_limit_is_read_as_people_write_it(text, limit):
    assert parse_limits(f"x: {text}").by_name == {"x": limit}


def test_a_text_may_hold_several_lines_or_semicolons():
    assert parse_limits("a: 1 rps\nb: 2 rps; c: 3 rps").by_name.keys() == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("anthropic: 50 tpn", "unknown unit 'tpn'; did you mean 'tpm'?; the units are rps, rpm, rph, tpm, in flight"),
        ("anthropic: 50 in fligth", "unknown unit 'in fligth'; did you mean 'in flight'?"),
        ("anthropic: 40ktpm", "unknown unit 'ktpm'; did you mean 'tpm'?"),
        ("anthropic: 50 min", "unknown unit 'min'"),
        ("anthropic: 50", "'50' has no unit"),
        ("anthropic: 0 rpm", "'0 rpm' is not a whole number of at least 1"),
        ("anthropic: 0.5 rps", "write it per minute (rpm) or per hour (rph)"),
        ("anthropic: 40,000 tpm", "write thousands as 40000, 40_000 or 40k"),
        ("anthropic: -5 rpm", "cannot read '-5 rpm'"),
        ("anthropic: 5 rpm,", "a line reads NAME: LIMIT, LIMIT"),
        ("anthropic:", "a line reads NAME: LIMIT, LIMIT"),
        ("anthropic 50 rpm", "a line reads NAME: LIMIT, LIMIT"),
        (": 50 rpm", "a line reads NAME: LIMIT, LIMIT"),
        ("my_app.bot:answer", "cannot read 'answer'"),
        ("anthropic: 50 rpm, 60 rpm", "a second limit in rpm"),
    ],
)
def test_a_line_that_cannot_be_read_says_what_is_wrong_in_one_line(line, complaint):
    with pytest.raises(UsageError) as caught:
        parse_limits([line])
    message = str(caught.value)
    assert message.startswith(f"evals_limits: {line.strip()!r}: ")
    assert complaint in message
    assert "\n" not in message


def test_all_mistakes_are_reported_at_once():
    with pytest.raises(UsageError) as caught:
        parse_limits(["a: 1 rqs", "b: 2 rps", "c: many", "b: 3 rpm"], source="PYTEST_EVALS_LIMITS")
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == ["PYTEST_EVALS_LIMITS"] * 3
    assert "a second line for 'b'" in lines[2]


@pytest.mark.parametrize("amount", [0, -1, 1.5, True, "5"])
def test_a_limit_made_in_code_is_checked_too(amount):
    with pytest.raises(UsageError, match=r"requests_per_minute is .*; it must be a whole number of at least 1"):
        Limit(requests_per_minute=amount)


def test_a_model_goes_on_its_own_account_else_on_its_providers_else_on_one_for_itself():
    limits = parse_limits("anthropic: 50 rpm; anthropic/claude-haiku-5-5: 9 rpm; *: 10 in flight")
    assert limits.find("anthropic/claude-haiku-5-5") == ("anthropic/claude-haiku-5-5", Limit(requests_per_minute=9))
    assert limits.find("anthropic/other") == ("anthropic", Limit(requests_per_minute=50))
    assert limits.find("anthropic") == ("anthropic", Limit(requests_per_minute=50))
    assert limits.find("openai/gpt") == ("openai/gpt", Limit(in_flight=10))
    assert limits.find("../bot.py:answer") == ("../bot.py:answer", Limit(in_flight=10))
    assert Limits().find("anything") == ("anything", None)


def test_a_limit_that_no_call_goes_by_is_told_with_what_may_be_meant():
    limits = parse_limits("antropic: 50 rpm; openai: 5 rpm; elsewhere: 1 rps; *: 10 in flight")
    assert limits.unmatched(["anthropic/claude-haiku-5-5", "openai/gpt"]) == (
        "no call goes by the limit of 'antropic'; did you mean 'anthropic'?",
        "no call goes by the limit of 'elsewhere'",
    )


def test_a_limit_reads_as_it_is_written():
    text = "20 rps, 100 rpm, 1000 rph, 40000 tpm, 8 in flight"
    assert str(parse_limits(f"x: {text}").by_name["x"]) == text
    assert str(Limit()) == "no limit"
