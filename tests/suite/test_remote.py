"""Targets outside the process, as a suite writes them."""

from __future__ import annotations

import textwrap

import pytest

from pytest_evals.model.fieldpath import read_path
from pytest_evals.model.remote import CommandSpec, HttpSpec

from .conftest import only

CASES = "cases: [{id: a, input: q, criteria: [own]}]\n"
KEY = "hush-1234567890"


def target(read, written):
    written = written.replace("U ", "http: {url: 'http://h/{{ input }}', ")
    return read(f"target:\n{textwrap.indent(textwrap.dedent(written).strip(), '  ')}\n{CASES}").target


def wrong(read, written):
    written = written.replace("U ", "http: {url: 'http://h/{{ input }}', ")
    return read.wrong(f"target:\n{textwrap.indent(textwrap.dedent(written).strip(), '  ')}\n{CASES}")


# --- http -------------------------------------------------------------------------------------------------------------


def test_a_request_with_all_its_keys(read, monkeypatch):
    monkeypatch.setenv("SHOP_KEY", KEY)
    monkeypatch.setenv("SHOP", "shop.example")
    found = target(
        read,
        """
        http:
          url: https://${SHOP}:8443/ask?case={{ case.id }}
          method: put
          headers:
            Authorization: Bearer ${SHOP_KEY}
            X-Version: 2
            X-Session: '{{ session_id }}'
          body:
            question: '{{ input }}'
            options: {n: 3, strict: true, note: no, none: ~, more: ["{{ context }}", 1.5]}
          output: $.choices[0].text
          status: [200, 422]
        """,
    )
    assert found.kind == "http"
    assert found.value == "PUT https://shop.example:8443/ask"
    assert str(found) == "http: PUT https://shop.example:8443/ask"
    assert found.options == HttpSpec(
        url="https://shop.example:8443/ask?case={{ case.id }}",
        method="PUT",
        headers={"Authorization": f"Bearer {KEY}", "X-Version": "2", "X-Session": "{{ session_id }}"},
        body={
            "question": "{{ input }}",
            "options": {"n": 3, "strict": True, "note": "no", "none": None, "more": ["{{ context }}", 1.5]},
        },
        output=read_path("$.choices[0].text"),
        statuses=(200, 422),
        secrets=(f"Bearer {KEY}", KEY),
    )
    assert KEY not in repr(found)


@pytest.mark.parametrize(
    ("written", "method"),
    [
        ("http: {url: 'http://h/{{ input }}'}", "GET"),
        ("http: {url: 'http://h/', body: '{{ input }}'}", "POST"),
        ("U method: DELETE}", "DELETE"),
        ("U body: {a: 1}, method: GET}", "GET"),
    ],
)
def test_the_method_is_post_when_there_is_a_body(read, written, method):
    found = target(read, written)
    assert found.options.method == method
    assert found.options.statuses == ()
    assert found.options.output is None


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://user:pass-word@h:1/x?key=abc&q={{ input }}", "POST http://h:1/x"),
        ("${SHOP_URL}/ask", "POST http://127.0.0.1:9/ask"),
        ("${GONE:-http://127.0.0.1:8000}/ask", "POST http://127.0.0.1:8000/ask"),
        ("http://h/${SHOP_KEY}/x", "POST http://h/${SHOP_KEY}/x"),
        ("http://h/" + "x" * 200, "POST http://h/" + "x" * 105 + "…"),
    ],
)
def test_results_name_the_server_without_what_may_be_secret(read, monkeypatch, url, shown):
    monkeypatch.setenv("SHOP_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("SHOP_KEY", KEY)
    assert target(read, f"http: {{url: '{url}', body: '{{{{ input }}}}'}}").value == shown


@pytest.mark.parametrize(
    ("headers", "secrets"),
    [
        ("Authorization: Bearer abcdefgh", {"Bearer abcdefgh", "abcdefgh"}),
        ("X-Api-Key: abcdefghij", {"abcdefghij"}),
        ("Cookie: 'sid=${LONG}; x'", {"sid=a-long-value; x", "sid=a-long-value;"}),
        ("X-Tenant: '${LONG}'", set()),
        ("X-Tenant: '${SHOP_TOKEN}'", {"a-token-value"}),
        ("X-Tenant: 'of {{ session_id }} ${SHOP_TOKEN}'", {"a-token-value"}),
        ("X-Session: '{{ session_id }}'", set()),
        ("Authorization: Basic abc", {"Basic abc"}),
        ("X-Key: abc", set()),
        ("X-Key: '${UNSET_TOKEN:-a-default-value}'", {"a-default-value"}),
    ],
)
def test_what_must_not_be_kept_is_known_by_its_name(read, monkeypatch, headers, secrets):
    monkeypatch.setenv("LONG", "a-long-value")
    monkeypatch.setenv("SHOP_TOKEN", "a-token-value")
    found = target(read, f"http: {{url: http://h/, body: '{{{{ input }}}}', headers: {{{headers}}}}}").options
    assert set(found.secrets) == secrets
    assert list(found.secrets) == sorted(found.secrets, key=len, reverse=True)


def test_a_password_and_keys_in_the_url_or_the_body_are_secret_too(read, monkeypatch):
    monkeypatch.setenv("SHOP_KEY", KEY)
    written = "http: {url: 'http://u:pass-word@h/?k=${SHOP_KEY}', body: {q: '{{ input }}', key: '${SHOP_KEY}'}}"
    assert target(read, written).options.secrets == (KEY, "pass-word")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("http: http://h/", "2:3: http must be a mapping, not the text 'http://h/'; write {url: http://…, body:"),
        ("http: ~", "2:3: http must be a mapping, not nothing"),
        ("http: [a]", "2:3: http must be a mapping, not a list"),
        ("http: {body: '{{ input }}'}", "2:9: an http target needs a 'url'; write {url: http://…"),
        ("http: {url: ~, body: '{{ input }}'}", "2:10: an http target needs a 'url'"),
        ("http: {url: [x], body: '{{ input }}'}", "2:10: url must be text, not a list"),
        ("http: {url: 'h:80/', body: '{{ input }}'}", "2:10: 'h:80/' is no url of a server; write http://host:port/path"),
        ("http: {url: 'ftp://h/', body: '{{ input }}'}", "2:10: 'ftp://h/' is no url of a server"),
        ("http: {url: 'http://', body: '{{ input }}'}", "2:10: 'http://' is no url of a server"),
        ("http: {url: 'http://h:x/', body: '{{ input }}'}", "2:10: 'http://h:x/' is no url of a server"),
        ("http: {url: 'http://[::1', body: '{{ input }}'}", "2:10: 'http://[::1' is no url of a server"),
        ("http: {url: '${GONE}/x', body: '{{ input }}'}", "2:10: the environment variable GONE is not set; set it"),
        ("http: {url: 'http://h/${', body: '{{ input }}'}", "2:10: a '${' that is not understood"),
        ("http: {url: 'http://h/'}", "2:9: every case would send the same request; put '{{ input }}'"),
        ("http: {url: 'http://h/', body: {q: input}}", "2:9: every case would send the same request"),
        ("http: {url: 'http://h/', body: {q: ['{{ imput }}']}}", "2:39: there is no {{ imput }} to insert"),
        ("http: {url: 'http://h/{{ input | upper }}'}", "2:10: a '{{' that is not understood; there are {{ input }},"),
        ("http: {url: 'http://h/', bdy: '{{ input }}'}", "2:28: unknown key 'bdy'; did you mean 'body'?"),
        ("U method: 'GE T'}", "2:39: 'GE T' is no HTTP method"),
        ("U method: ''}", "2:39: method is blank"),
        ("U headers: [a]}", "2:39: headers must be a mapping, not a list; write {Auth"),
        ("U headers: {'a b': c}}", "2:49: 'a b' cannot be the name of a header"),
        ("U headers: {a: b, A: c}}", "2:55: header 'A' is there already; names ignore"),
        ("U headers: {a: [b]}}", "2:49: a must be text, not a list"),
        ("U headers: {a: '${GONE}'}}", "2:49: the environment variable GONE is not set"),
        ("U headers: {a: \"x\\ny\"}}", "2:49: the value of header 'a' holds a line break"),
        ("U output: a..b}", "2:39: 'a..b' is no path; write 'answer', 'choices.0.message.content' or"),
        ("U output: ''}", "2:39: output is blank"),
        ("U status: ok}", "2:39: status must be a whole number from 100 to 599, not"),
        ("U status: [200, 99]}", "2:53: each of status must be a whole"),
        ("U status: []}", "2:39: status is an empty list; name at least one"),
        ("http: {url: 'http://h/', body: {q: {{ input }}}}", "2:39: a key must be text; quote a text"),
    ],
)  # fmt: skip
def test_what_is_no_request(read, monkeypatch, written, said):
    monkeypatch.delenv("GONE", raising=False)
    assert only(wrong(read, written)).startswith(said)


def test_all_mistakes_of_a_request_are_reported_at_once(read, monkeypatch):
    monkeypatch.delenv("GONE", raising=False)
    written = """
    http:
      url: '${GONE}'
      headers: {X-Key: '${GONE}'}
      body: {q: '{{ question }}', r: '{{ input }'}
      output: '[x'
      status: 1000
      verb: POST
    """
    assert [line.partition(": ")[0] for line in wrong(read, written)] == [
        "3:5",
        "4:15",
        "5:12",
        "5:33",
        "6:5",
        "7:5",
        "8:5",
    ]


def test_a_value_with_braces_cannot_come_in_through_the_environment(read, monkeypatch):
    monkeypatch.setenv("SHOP_KEY", "{{ session_id }}")
    problem = only(wrong(read, "http: {url: 'http://h/{{ input }}', headers: {X-Key: '${SHOP_KEY}'}}"))
    assert problem == "2:49: the environment variable SHOP_KEY holds '{{', which would be read as a place to fill"


def test_the_value_of_a_header_is_never_shown(read, monkeypatch):
    monkeypatch.setenv("SHOP_KEY", f"{KEY}\n{KEY}\n")
    problem = only(wrong(read, "http: {url: 'http://h/{{ input }}', headers: {X-Key: '${SHOP_KEY}'}}"))
    assert KEY not in problem
    monkeypatch.setenv("SHOP_KEY", f"{KEY}\n")
    found = target(read, "http: {url: 'http://h/{{ input }}', headers: {X-Key: '${SHOP_KEY}'}}")
    assert found.options.headers == {"X-Key": KEY}


# --- command ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "spec", "shown"),
    [
        ("command: [bot]", CommandSpec(("bot",)), "bot"),
        ("command: [bot, 3, no, 0123, '']", CommandSpec(("bot", "3", "no", "0123", "")), "bot 3 no 0123 ''"),
        ("command: [bot, '{{ input }}', '${M}']", CommandSpec(("bot", "{{ input }}", "s")), "bot '{{ input }}' s"),
        ("command: [bot, '${SHOP_KEY}']", CommandSpec(("bot", KEY)), "bot '${SHOP_KEY}'"),
        ("command: {argv: [bot]}", CommandSpec(("bot",)), "bot"),
        (
            "command: {argv: [./bot.sh, a b], stdin: 'Q: {{ input }}', output: answer, status: 1}",
            CommandSpec(("./bot.sh", "a b"), "Q: {{ input }}", read_path("answer"), (1,)),
            "./bot.sh 'a b'",
        ),
        (
            "command: {argv: [bot], stdin: {q: '{{ input }}', n: 2}, status: [0, 1]}",
            CommandSpec(("bot",), {"q": "{{ input }}", "n": 2}, None, (0, 1)),
            "bot",
        ),
        ("command: {argv: [bot], stdin: ''}", CommandSpec(("bot",), ""), "bot"),
        ("command: {argv: [bot], stdin: ~, output: ~, status: ~}", CommandSpec(("bot",)), "bot"),
    ],
)  # fmt: skip
def test_forms_of_a_command(read, tmp_path, monkeypatch, written, spec, shown):
    monkeypatch.setenv("M", "s")
    monkeypatch.setenv("SHOP_KEY", KEY)
    found = target(read, written)
    assert (found.kind, found.value, found.options, found.base) == ("command", shown, spec, tmp_path)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("command: python bot.py", "2:3: command must be a list of texts, not the text 'python bot.py'; "
         "no shell reads it; write [python, 'bot.py']"),
        ("command: \"it's\"", "2:3: command must be a list of texts, not the text 'it's'; no shell reads it; write"),
        ("command: ~", "2:3: command must be a list of texts, not nothing; write [program, argument, …]"),
        ("command: []", "2:3: command must be a list of texts, not an empty list; write [program"),
        ("command: [bot, [x]]", "2:18: each of command must be text, not a list"),
        ("command: [bot, ~]", "2:18: an empty place in command; write '\"\"' for the empty text"),
        ("command: ['']", "2:13: the name of the program is blank"),
        ("command: ['{{ input }}']", "2:13: the program cannot be taken from a case; name it here"),
        ("command: [bot, '{{ inptu }}']", "2:18: there is no {{ inptu }} to insert; did you mean 'input'?"),
        ("command: [bot, '${GONE}']", "2:18: the environment variable GONE is not set"),
        ("command: {}", "2:12: a command needs 'argv'; write [program, argument, …]"),
        ("command: {argv: bot}", "2:13: argv must be a list of texts, not the text 'bot'; no shell reads it"),
        ("command: {argv: [bot], shell: true}", "2:26: unknown key 'shell'; there are argv, stdin, output, status"),
        ("command: {argv: [bot], stdin: '{{ x }}'}", "2:26: there is no {{ x }} to insert; there are {{ input }}"),
        ("command: {argv: [bot], output: ']'}", "2:26: ']' is no path"),
        ("command: {argv: [bot], status: 256}", "2:26: status must be a whole number from 0 to 255, not"),
        ("command: {argv: [bot], status: [0, -1]}", "2:38: each of status must be a whole number from 0 to 255"),
    ],
)  # fmt: skip
def test_what_is_no_command(read, monkeypatch, written, said):
    monkeypatch.delenv("GONE", raising=False)
    assert only(wrong(read, written)).startswith(said)


def test_cases_of_a_server_or_program_need_an_input(read):
    for written in ("{http: {url: 'http://h/{{ case.id }}'}}", "{command: [bot]}"):
        problem = only(read.wrong(f"target: {written}\ncases: [{{id: a, criteria: [own]}}]\n"))
        assert "the case has no input" in problem
