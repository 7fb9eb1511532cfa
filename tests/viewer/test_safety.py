from __future__ import annotations

import json

import pytest
from factories import criterion, result
from histories import record

from pytest_evals.errors import UsageError
from pytest_evals.viewer.safety import host_of, is_loopback
from pytest_evals.viewer.serve import _listen

HERE = "127.0.0.1:3000"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": HERE}, 200),
        ({"host": "localhost:3000"}, 200),
        ({"host": "[::1]:3000"}, 200),
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1.evil.example"}, 403),
        ({"host": "user@127.0.0.1"}, 400),
        ({"host": "127.0.0.1:x"}, 400),
        ({"host": ""}, 400),
        ({"host": HERE, "origin": f"http://{HERE}"}, 200),
        ({"host": HERE, "origin": "http://evil.example"}, 403),
        ({"host": HERE, "origin": "null"}, 403),
        ({"host": HERE, "origin": "http://127.0.0.1:8000"}, 403),
    ],
    ids=str,
)
def test_only_pages_of_the_viewer_may_ask(client, headers, status):
    for path in ("/", "/api/evals/", "/static/viewer.js"):
        assert client.get(path, headers=headers).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": f"http://{HERE}"}, 303),
        ({}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": f"http://{HERE}"}, 403),
    ],
    ids=str,
)
def test_no_foreign_page_can_write(client, headers, status):
    assert client.post("/results/2/verdicts", data={"verdict": "pass"}, headers=headers).status_code == status


def test_a_program_writes_with_json_and_a_form_of_a_foreign_page_cannot_pretend_to(client):
    assert client.post("/api/evals/case_runs/2/verdicts", json={"verdict": "pass"}).status_code == 200
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        sent = client.post(
            "/api/evals/case_runs/2/verdicts", content=b'{"verdict": "pass"}', headers={"content-type": kind}
        )
        assert sent.status_code == 403, kind


def test_every_answer_forbids_what_a_page_must_not_do(client):
    for path in ("/", "/results/2", "/api/evals/", "/static/viewer.js", "/nowhere", "/trajectories/nope"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "set-cookie" not in headers


def test_pages_have_no_script_or_style_within(client):
    for path in ("/", "/results/2", "/runs/second", "/experiments/1", "/compare?run=second", "/api"):
        page = client.get(path).text
        assert page.count("<script") == page.count("<script src=") == 1
        assert "<style" not in page
        assert " style=" not in page
        assert " onclick" not in page


def test_with_a_token_every_address_needs_it(source, client_of, client):
    client = client_of(source, hosts={"10.0.0.1"}, token="secret-token")
    for path in ("/", "/runs/second", "/api/evals/", "/static/viewer.js", "/secret", "/secret-tokenx/"):
        assert client.get(path, headers={"host": "evals.example"}).status_code == 403
    page = client.get("/secret-token/", headers={"host": "evals.example"})
    assert page.status_code == 200
    assert 'href="/secret-token/experiments/1"' in page.text
    assert 'src="/secret-token/static/viewer.js"' in page.text
    assert client.get("/secret-token/runs/second").status_code == 200
    assert client.get("/secret-token/static/viewer.js").status_code == 200
    said = client.post(
        "/secret-token/results/2/verdicts", data={"verdict": "pass"}, headers={"origin": f"http://{HERE}"}
    )
    assert (said.status_code, said.headers["location"]) == (303, "/secret-token/results/2#people")


def test_names_in_host_headers():
    assert host_of("127.0.0.1:3000") == "127.0.0.1"
    assert host_of("[::1]:3000") == "::1"
    assert host_of("EVALS.example") == "evals.example"
    assert [host_of(text) for text in ("a/b", "a?b", "a@b", "a:b", "[::1", "")] == [""] * 6
    assert [is_loopback(host) for host in ("127.0.0.1", "127.1.2.3", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "192.168.1.2", "evals.example")] == [False] * 4


def test_a_port_in_use_is_one_line():
    with _listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=rf"^port {port} is in use; choose another one with --port, or 0 for any$"):
            _listen("127.0.0.1", port)
    with pytest.raises(UsageError, match=r"^--host not a host: "):
        _listen("not a host", 0)


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }} {% raw %}",
    "</title></textarea>",
    "\x1b[31mred\x1b[0m \x00\x07",
    "\u202egnp.exe \u2066x",
    "\ud800 lone",
    "javascript:alert(1)",
    "&lt;b&gt;",
)


def test_hostile_text_is_shown_as_text(source, client_of):
    results = [
        result(
            "failed",
            f"case {n}",
            input=text,
            output=text,
            expected_output=text + "!",
            criteria=(criterion("contains", 0.0, reason=text),),
            score=0.0,
            category=text,
            tags=(text,),
            metadata={text: text},
        )
        for n, text in enumerate(HOSTILE)
    ]
    record(source.location, results, run_name="x", exit_status=1, stopped=HOSTILE[0])
    client = client_of(source)
    assert (
        client.post("/api/evals/case_runs/1/verdicts", json={"note": HOSTILE[0], "author": HOSTILE[1]}).status_code
        == 200
    )
    pages = ["/", "/experiments/1", "/runs/x", "/compare?run=x", *(f"/results/{n + 1}" for n in range(len(HOSTILE)))]
    for path in (*pages, "/runs/x?text=%3Cscript%3E", "/history?suite=bot&case=case+0", "/nowhere/%3Cscript%3E"):
        answer = client.get(path)
        assert answer.status_code in (200, 404), path
        text = answer.content.decode("utf-8")
        assert "<script>" not in text, path
        assert "<img src=x" not in text, path
        assert "\x1b" not in text, path
        assert "\x00" not in text, path
        assert "\u202e" not in text, path
        assert " 49 " not in text, path
        assert 'href="javascript' not in text, path
    for n in range(len(HOSTILE)):
        found = json.loads(client.get(f"/api/evals/case_runs/{n + 1}").content)
        assert found["input"] == HOSTILE[n]
