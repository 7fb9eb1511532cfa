"""An HTTP server as the target."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from servers import Reply, serve

from pytest_evals.engine import http
from pytest_evals.engine.refusal import refusal_of
from pytest_evals.engine.runner import Engine
from pytest_evals.engine.target import resolve
from pytest_evals.errors import ProviderError, TargetError
from pytest_evals.model.case import Case, TargetSpec
from pytest_evals.model.codec import result_to_json
from pytest_evals.model.criterion import Criterion
from pytest_evals.model.fieldpath import read_path
from pytest_evals.model.outcome import ErrorKind, Outcome
from pytest_evals.model.remote import HttpSpec

SCORERS = {"any": lambda: True}


@pytest.fixture
def engine():
    engine = Engine()
    yield engine
    engine.close()


def ask(engine, url, *, question="Why?", context=None, timeout_s=5.0, retries=0, **options):
    output = options.pop("output", None)
    options.setdefault("body", {"question": "{{ input }}"})
    spec = HttpSpec(url, output=read_path(output) if output else None, **options)
    target = resolve(TargetSpec("http", url, Path(), options=spec))
    case = Case(
        "c-1", question, (Criterion("any", "any"),), context=context, timeout_s=timeout_s, retries=retries
    )  # fmt: skip
    return engine.run(case, target, SCORERS)


def error_of(engine, url, **options):
    result = ask(engine, url, **options)
    assert result.outcome is Outcome.ERRORED
    assert result.score is None
    return result.error


# --- the request ------------------------------------------------------------------------------------------------------


def test_the_request_is_made_from_the_template(engine):
    with serve(lambda asked: "because") as server:
        result = ask(
            engine,
            server.url + "/ask/{{ case.id }}?q={{ input }}",
            method="PUT",
            question="a b&c=ü/?",
            context={"lang": "de"},
            headers={"X-Session": " {{ session_id }} ", "X-Note": "é"},
            body={"messages": [{"role": "user", "content": "Q: {{ input }}"}], "context": "{{ context }}", "n": 1},
        )
    assert result.output == "because"
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("PUT", "/ask/c-1?q=a%20b%26c%3D%C3%BC%2F%3F")
    assert asked.json == {
        "messages": [{"role": "user", "content": "Q: a b&c=ü/?"}],
        "context": {"lang": "de"},
        "n": 1,
    }
    assert asked.headers["X-Session"] == result.last.session_id
    assert asked.headers["X-Note"].encode("latin-1").decode() == "é"
    assert asked.headers["Content-Type"] == "application/json"
    assert asked.headers["User-Agent"] == "pytest-evals"
    assert result.last.metadata == {"http_status": 200}


@pytest.mark.parametrize("question", [{"a": [1, None]}, [{"role": "user", "content": "hi"}], "{{ context }}", "\ud800"])
def test_the_input_is_sent_as_the_json_value_it_is(engine, question):
    with serve(lambda asked: {"got": asked.json}) as server:
        result = ask(engine, server.url, question=question, body="{{ input }}", output="got")
    assert result.output == question


def test_a_request_without_a_body_has_none(engine):
    with serve(lambda asked: "ok") as server:
        ask(engine, server.url + "/{{ input }}", method="GET", body=None)
    (asked,) = server.asked
    assert (asked.method, asked.path, asked.body) == ("GET", "/Why%3F", b"")
    assert "Content-Type" not in asked.headers


def test_a_content_type_of_ones_own_is_kept(engine):
    with serve(lambda asked: "ok") as server:
        ask(engine, server.url, headers={"content-type": "application/vnd.shop+json"})
    assert [value for name, value in server.asked[0].headers.items() if name.lower() == "content-type"] == [
        "application/vnd.shop+json"
    ]


def test_no_cookie_is_carried_from_one_case_to_the_next(engine):
    with serve(lambda asked: Reply("ok", headers={"Set-Cookie": "conversation=abc; Path=/"})) as server:
        for _ in range(2):
            ask(engine, server.url)
        ask(engine, server.url, headers={"Cookie": "mine=1"})
    assert [asked.headers.get("Cookie") for asked in server.asked] == [None, None, "mine=1"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_server_on_this_machine_is_not_asked_through_a_proxy(engine, monkeypatch, host):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with serve(lambda asked: "ok") as server:
        assert ask(engine, server.url.replace("127.0.0.1", host)).output == "ok"
        assert "cannot connect" in error_of(engine, "http://shop.invalid/").message


# --- the answer -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "output", "answer"),
    [
        ("plain text\n", None, "plain text\n"),
        ("", None, ""),
        ({"answer": "yes"}, None, {"answer": "yes"}),
        ({"answer": "yes"}, "answer", "yes"),
        ({"choices": [{"message": {"content": "é"}}]}, "$.choices[0].message.content", "é"),
        ({"answer": 0}, "answer", 0),
        ({"answer": ""}, "answer", ""),
        ({"answer": False}, "answer", False),
        (Reply('"quoted"', headers={"Content-Type": "application/problem+json; charset=utf-8"}), None, "quoted"),
        (Reply('{"a": 1}', headers={"Content-Type": "text/plain"}), "a", 1),
        (Reply("größe".encode("latin-1"), headers={"Content-Type": "text/plain; charset=latin-1"}), None, "größe"),
        (Reply(b"\xff ok", headers={"Content-Type": "text/plain; charset=klingon"}), None, "\ufffd ok"),
    ],
    ids=repr,
)
def test_the_answer_is_the_reply_or_lies_in_it(engine, reply, output, answer):
    with serve(lambda asked: reply) as server:
        result = ask(engine, server.url, output=output)
    assert result.outcome is Outcome.PASSED, result.error
    assert result.output == answer


@pytest.mark.parametrize(
    ("reply", "output", "said"),
    [
        ({"anser": "yes"}, "answer", "no answer at 'answer': there is no 'answer', which is a mapping of 'anser'"),
        ({"all": []}, "all.0.text", "no answer at 'all.0.text': there is no '0' at 'all', which is an empty list"),
        ({"answer": None}, "answer", "the answer at 'answer' is null"),
        ("<html>Log in</html>", "answer", "the reply is not JSON: <html>Log in</html>"),
        ("", "answer", "the reply is empty, not JSON"),
        (Reply("[" * 100_000, headers={"Content-Type": "application/json"}), None, "the reply is not JSON: [[["),
        (Reply("oops", headers={"Content-Type": "application/json"}), None, "the reply is not JSON: oops"),
        (Reply(b"x" * 10_000_001), None, "the reply is longer than 10 MB"),
    ],
    ids=lambda value: repr(value)[:40],
)  # fmt: skip
def test_a_reply_without_an_answer_says_what_is_there(engine, reply, output, said):
    with serve(lambda asked: reply) as server:
        error = error_of(engine, server.url, output=output)
    assert error.message.startswith(said)
    assert len(error.message) < 300
    assert error.kind is ErrorKind.TARGET


def test_a_null_reply_is_no_answer(engine):
    with serve(lambda asked: Reply("null", headers={"Content-Type": "application/json"})) as server:
        assert "returned None" in error_of(engine, server.url).message


# --- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "headers", "kind", "said"),
    [
        (400, {}, ErrorKind.TARGET, "HTTP 400 Bad Request: too bad"),
        (401, {}, ErrorKind.TARGET, "HTTP 401 Unauthorized: too bad"),
        (404, {}, ErrorKind.TARGET, "HTTP 404 Not Found: too bad"),
        (500, {}, ErrorKind.TARGET, "HTTP 500 Internal Server Error: too bad"),
        (502, {}, ErrorKind.TARGET, "HTTP 502 Bad Gateway: too bad"),
        (503, {}, ErrorKind.TARGET, "HTTP 503 Service Unavailable: too bad"),
        (503, {"Retry-After": "2"}, ErrorKind.PROVIDER, "HTTP 503 Service Unavailable: too bad"),
        (503, {"Retry-After": "soon"}, ErrorKind.TARGET, "HTTP 503 Service Unavailable: too bad"),
        (429, {}, ErrorKind.PROVIDER, "HTTP 429 Too Many Requests: too bad"),
        (529, {}, ErrorKind.PROVIDER, "HTTP 529: too bad"),
        (599, {}, ErrorKind.TARGET, "HTTP 599: too bad"),
        (
            302,
            {"Location": "/login?next=secret"},
            ErrorKind.TARGET,
            "HTTP 302 Found: moved to /login; name that address in the suite",
        ),
    ],
)
def test_a_status_that_no_answer_has_is_an_error(engine, status, headers, kind, said):
    with serve(lambda asked: Reply("too bad", status, headers)) as server:
        error = error_of(engine, server.url)
    assert (error.kind, error.message) == (kind, said)
    assert error.detail == ""


def test_a_long_reply_is_kept_beside_the_error(engine):
    with serve(lambda asked: Reply({"error": {"why": "x" * 400}}, 500)) as server:
        error = error_of(engine, server.url)
    assert error.message.startswith('HTTP 500 Internal Server Error: {"error": {"why": "xxx')
    assert error.message.endswith("…")
    assert error.detail == '{"error": {"why": "' + "x" * 400 + '"}}'


def test_statuses_that_have_answers_can_be_named(engine):
    with serve(lambda asked: Reply({"answer": "I cannot say"}, 422)) as server:
        result = ask(engine, server.url, output="answer", statuses=(200, 422))
        assert (result.output, result.last.metadata) == ("I cannot say", {"http_status": 422})
        assert "HTTP 422" in error_of(engine, server.url, output="answer", statuses=(200,)).message


@pytest.mark.parametrize(
    ("status", "headers", "pause"),
    [(429, {}, None), (529, {"retry-after-ms": "250"}, 0.25), (503, {"Retry-After": "7"}, 7)],
)
def test_who_asks_for_the_call_later_is_understood(engine, status, headers, pause):
    with serve(lambda asked: Reply("busy", status, headers)) as server:
        target = resolve(TargetSpec("http", "x", Path(), options=HttpSpec(server.url, body="{{ input }}")))
        with pytest.raises(ProviderError) as raised:
            engine.wait_for(target.call(case=Case("c", "q", ()), session_id="s", variant={}))
    assert (raised.value.status, raised.value.retry_after_s) == (status, pause)
    assert refusal_of(raised.value) == (status, pause)


def test_no_server_at_all_is_the_applications_error(engine):
    with serve(lambda asked: "ok") as server:
        pass
    error = error_of(engine, server.url.replace("http://", "http://user:pass@") + "/ask")
    assert error.kind is ErrorKind.TARGET
    assert error.message.startswith(f"cannot connect to {server.url.removeprefix('http://')}: ")
    assert "pass" not in error.message


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "http://", "http://[::1", "nonsense", "http://127.0.0.1:99999/"])
def test_a_url_that_is_none_is_said(engine, url):
    error = error_of(engine, url)
    assert error.kind is ErrorKind.TARGET
    assert "\n" not in error.message
    assert "Traceback" not in error.detail


def test_a_connection_that_breaks_is_an_error_and_tried_again(engine):
    calls = []

    def hang_up(asked):
        calls.append(asked)
        if len(calls) < 3:
            raise ConnectionError
        return "there"

    with serve(hang_up) as server:
        result = ask(engine, server.url, retries=2)
    assert result.output == "there"
    messages = [attempt.error.message for attempt in result.last.attempts[:2]]
    assert all(m.startswith(f"no reply from {server.url.removeprefix('http://')}: ") for m in messages)


def test_no_answer_in_time_is_a_timeout_and_the_call_really_ends(engine):
    go = threading.Event()
    with serve(lambda asked: go.wait(10) and "late") as server:
        started = time.monotonic()
        error = error_of(engine, server.url, timeout_s=0.2)
        took = time.monotonic() - started
        go.set()
    assert error.kind is ErrorKind.TIMEOUT
    assert error.message == "no answer within 0.2 s"
    assert took < 1.5


def test_latency_is_the_calls_own(engine):
    def slowly(asked):
        time.sleep(0.1)
        return "ok"

    with serve(slowly) as server:
        ask(engine, server.url)
        assert 100 <= ask(engine, server.url).latency_ms < 400


# --- secrets ----------------------------------------------------------------------------------------------------------

KEY = "hush-1234567890"


@pytest.mark.parametrize(
    ("reply", "output"),
    [
        (lambda a: Reply(f"denied: {a.headers['Authorization']}", 401), None),
        (lambda a: Reply({"you": {"sent": [a.headers["Authorization"]] * 30}}, 500), None),
        (lambda a: {"headers": a.headers}, None),
        (lambda a: {"headers": a.headers}, "headers.Authorization"),
        (lambda a: {a.headers["Authorization"]: 1}, "answer"),
        (lambda a: a.headers["Authorization"], None),
        (lambda a: a.headers["Authorization"], "answer"),
        (lambda a: Reply("", 302, {"Location": f"/login/{KEY}"}), None),
    ],
)
def test_what_a_server_sends_back_of_the_secrets_is_not_kept(engine, reply, output):
    with serve(reply) as server:
        headers = {"Authorization": f"Bearer {KEY}"}
        result = ask(engine, server.url, headers=headers, secrets=(KEY,), output=output)
    assert server.asked[0].headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in result_to_json(result)
    assert "***" in result_to_json(result)


def test_a_header_that_cannot_be_sent_is_not_shown(engine):
    with serve(lambda asked: "ok") as server:
        error = error_of(engine, server.url, headers={"Authorization": f"Bearer {KEY}\nx"})
    assert error.message == "a header holds a character that HTTP does not allow there"
    assert KEY not in error.detail


def test_the_address_of_a_request_is_not_logged(engine, caplog):
    import httpx2

    caplog.set_level("DEBUG")
    with serve(lambda asked: "ok") as server:
        ask(engine, f"{server.url}/?key={KEY}")
        assert KEY not in caplog.text
        httpx2.get(f"{server.url}/?key={KEY}")  # what an application asks is its own business
        assert KEY in caplog.text


def test_a_spec_does_not_show_its_headers_or_url():
    spec = HttpSpec(f"http://u:{KEY}@host/", headers={"Authorization": KEY}, secrets=(KEY,))
    assert KEY not in repr(spec) + repr(TargetSpec("http", "http://host/", Path(), options=spec))


# --- connections ------------------------------------------------------------------------------------------------------


def test_all_targets_share_connections_that_stay_open_until_the_engine_closes():
    engine = Engine()
    with serve(lambda asked: "ok") as server:
        for number in range(5):
            ask(engine, f"{server.url}/{number}")
        assert len(server.connections) == 1
        client = next(client for client in http._CLIENTS.values() if not client.is_closed)
        engine.close()
        assert client.is_closed
        assert not http._KEEPERS


def test_a_loop_that_was_replaced_gets_a_client_of_its_own(engine):
    with serve(lambda asked: "ok") as server:
        ask(engine, server.url)
        engine._loop.drain()
        assert ask(engine, server.url).output == "ok"
        engine._loop.replace()
        assert ask(engine, server.url).output == "ok"


@contextmanager
def without_httpx2(monkeypatch):
    import sys

    http._tls.cache_clear()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "httpx2", None)
        yield
    http._tls.cache_clear()


def test_a_missing_package_is_one_line_that_names_the_extra(monkeypatch):
    with without_httpx2(monkeypatch), pytest.raises(TargetError) as raised:
        resolve(TargetSpec("http", "x", Path(), options=HttpSpec("http://x")))
    assert str(raised.value) == "an http target needs the httpx2 package: pip install 'pytest-evals-suite[http]'"
