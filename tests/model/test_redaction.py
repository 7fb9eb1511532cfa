from __future__ import annotations

import pytest

from pytest_evals.model.redaction import Redactor

ENVIRON = {
    "OPENAI_API_KEY": "value-of-the-key-1",
    "DEPLOY_TOKEN": "value-of-the-key-1-and-more",
    "DB_PASSWORD": "short",
    "SSH_AUTH_SOCK": "/tmp/agent.sock",
    "HOME": "/home/somebody",
    "TOKENIZERS_PARALLELISM": "true-or-false",
}


@pytest.fixture
def redactor():
    return Redactor(ENVIRON)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql+psycopg://me:pw@host/db", "postgresql+psycopg://me:***@host/db"),
        ("postgresql://me:p@ss:w/rd@host:5432/db", "postgresql://me:***@host:5432/db"),
        ("--api-key=abc", "--api-key=***"),
        ("OPENAI_API_KEY=abc pytest", "OPENAI_API_KEY=*** pytest"),
        ("?access_token=abc&page=2", "?access_token=***&page=2"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("authorization: Basic YWJjOmRlZg==", "authorization: Basic ***"),
        ("curl -H 'X-Api-Key: abc'", "curl -H 'X-Api-Key: ***'"),
        ('{"password": "a b c", "x": 1}', '{"password": "***", "x": 1}'),
        ("client_secret='it is'", "client_secret='***'"),
        ("said Bearer abc123def", "said Bearer ***"),
        ("key sk-ant-REDACTED", "key sk-ant-REDACTED"),
        ("sk-proj-0123456789abcdefghij", "***"),
        ("ghp_0123456789abcdefghijABCDEFGHIJ", "***"),
        ("AKIAIOSFODNN7EXAMPLE", "***"),
        ("it is value-of-the-key-1.", "it is ***."),
        ("it is value-of-the-key-1-and-more.", "it is ***."),
    ],
)
def test_a_secret_is_hidden(redactor, text, shown):
    assert redactor.text(text) == shown
    assert redactor.text(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens=500",
        "tokenizer: bpe",
        "the password is long",
        "author: Bob",
        "basic knowledge and the bearer of news",
        "http://localhost:8000/api?q=1 and a@b.c",
        "https://somebody@host/x",
        "short",
        "/tmp/agent.sock",
        "/home/somebody",
        "true-or-false",
        "pytest evals -k 'token and not secret'",
    ],
)
def test_ordinary_text_is_left_alone(redactor, text):
    assert redactor.text(text) == text


def test_the_argument_after_an_option_named_for_a_secret_is_hidden(redactor):
    arguments = ["pytest", "--auth-token", "abc", "--max-tokens", "5", "-p", "no:x", "--password=abc", "evals"]
    assert redactor.command(arguments) == [
        "pytest", "--auth-token", "***", "--max-tokens", "5", "-p", "no:x", "--password=***", "evals",
    ]  # fmt: skip


def test_whatever_stands_under_the_name_of_a_secret_is_hidden(redactor):
    value = {
        "api_key": "abc",
        "max_tokens": 5,
        "judge": {"Authorization": "abc", "headers": ["token=abc"], "apiKey": 12},
        "password": None,
        "use_auth": True,
    }
    assert redactor.value(value) == {
        "api_key": "***",
        "max_tokens": 5,
        "judge": {"Authorization": "***", "headers": ["token=***"], "apiKey": "***"},
        "password": None,
        "use_auth": True,
    }


# -- what people and models write -------------------------------------------------------------------------------------


@pytest.fixture
def prose():
    return Redactor(ENVIRON, [r"ACME-\d+"], prose=True)


@pytest.mark.parametrize(
    "text",
    [
        "The secret: patience.",
        "Password: none is needed",
        "auth: required",
        '{"token": "Berlin", "label": "LOC"}',
        "token: the",
    ],
)
def test_a_word_after_a_colon_is_no_secret(prose, text):
    assert prose.text(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The password: hunter22", "The password: ***"),
        ("api_key=abc", "api_key=***"),
        ("token: 0123456789abcdef", "token: ***"),
        ('{"token": "0123456789abcdef"}', '{"token": "***"}'),
        ('{"password": "hunter"}', '{"password": "***"}'),
        ('"{\\"api_key\\": \\"abc\\"}"', '"{\\"api_key\\": \\"***\\"}"'),
        ("Authorization: Bearer abc", "Authorization: Bearer ***"),
        ("ticket ACME-12 and ACME-3", "ticket *** and ***"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "***"),
    ],
)
def test_what_looks_like_a_secret_is_hidden_in_prose_too(prose, text, shown):
    assert prose.text(text) == shown


def test_a_word_under_the_name_token_is_a_word(prose):
    assert prose.value({"token": "Berlin"}) == {"token": "Berlin"}
    assert prose.value({"token": "0123456789abcdef"}) == {"token": "***"}
    assert prose.value({"auth_token": "Berlin"}) == {"auth_token": "***"}


@pytest.mark.parametrize(
    "part",
    ["a", "1", "eyJ-", "token ", "secret: ", "://x:", 'token="', "Bearer ", "sk-", "-----BEGIN PRIVATE KEY-----"],
)
def test_long_hostile_texts_take_no_longer_than_long_ones(prose, part):
    from time import process_time

    text = part * (1_000_000 // len(part)) + "@"
    started = process_time()
    prose.text(text)
    assert process_time() - started < 3  # 0.1 to 0.5 s; what tries every start anew takes minutes
