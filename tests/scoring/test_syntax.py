"""``xml_valid``, ``yaml_valid`` and ``python_valid``."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from pytest_evals.scoring import score
from pytest_evals.scoring.fences import Block, code_of, fenced

FENCED = "Here you are:\n\n```{}\n{}\n```\nAnything else?"


@pytest.mark.parametrize(
    ("name", "language", "text"),
    [("xml_valid", "xml", "<a/>"), ("yaml_valid", "yaml", "a: 1"), ("python_valid", "python", "x = 1")],
)
def test_a_block_is_read_when_that_is_asked_for(name, language, text):
    answer = FENCED.format(language, text)
    assert score(name, text).value is True
    assert score(name, text, extract=True).value is True
    found = score(name, answer)
    assert found.value is False
    assert found.reason.endswith("; `extract: true` reads its block")
    assert score(name, answer, extract=True).value is True
    assert score(name, FENCED.format("", text), extract=True).value is True
    assert score(name, "").reason == "the answer is empty"
    assert score(name, "\n\n" + text + "\n\n").value is True


def test_blocks_are_those_of_markdown():
    text = "a\n```py\nx = `1`\n~~~\n```\n~~~~\n```\n~~~~\n  ```js\n  y\n    z\n  ```\n```\ncut"
    assert list(fenced(text)) == [
        Block("py", "x = `1`\n~~~\n"),
        Block("", "```\n"),
        Block("js", "y\n  z\n"),
        Block("", "cut"),
    ]
    assert code_of(text, "js") == "y\n  z\n"
    assert code_of(text, "rust") == "x = `1`\n~~~\n"
    assert code_of("no block") == "no block"
    assert list(fenced("inline ```a``` and `b`")) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<a><b>x</b></a>", "XML: <a> and 1 element inside"),
        ("<?xml version='1.0' encoding='latin-1'?><é/>", "XML: <é> and 0 elements inside"),
        ('<x:a xmlns:x="u"/>', "XML: <a> and 0 elements inside"),
        ("<a>", "not XML: no element found at line 1, column 4"),
        ("<a/><b/>", "not XML: junk after document element at line 1, column 5"),
        ("<x:a/>", "not XML: unbound prefix at line 1, column 1"),
        ("<a>&nbsp;</a>", "not XML: undefined entity at line 1, column 4"),
        ("plain", "not XML: syntax error at line 1, column 1"),
        ("<!DOCTYPE a><a/>", "has a document type declaration (DTD), which is not accepted"),
        ("<a>\ud800</a>", "not XML: not well-formed (invalid token) at line 1, column 4"),
    ],
)
def test_xml(text, says):
    found = score("xml_valid", text)
    assert found.reason == says
    assert found.value is says.startswith("XML")


def test_entities_that_multiply_are_never_read():
    bomb = (
        "<!DOCTYPE a [<!ENTITY b 'x'>" + "".join(f"<!ENTITY b{i} '{'&b;' * 99}'>" for i in range(9)) + "]><a>&b8;</a>"
    )
    assert "DTD" in score("xml_valid", bomb).reason
    assert "DTD" in score("xml_valid", '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>').reason


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: 1\nb: [x, y]", "YAML: a mapping"),
        ("- 1", "YAML: a list"),
        ("  a: 1\n  b: 2", "YAML: a mapping"),
        ("---\na: 1\n---\n- b", "YAML: 2 documents"),
        ("a: &x [1]\nb: *x", "YAML: a mapping"),
        ("? [a]\n: b", "YAML: a mapping"),
        ('{"a": 1}', "YAML: a mapping"),
        ("base: &b {x: 1}\nc: {<<: *b, y: 2}", "YAML: a mapping"),
        ("Just some words.", "a plain text, which is YAML only by name; `scalar: true` accepts it"),
        ("---\na: 1\n---\nwords", "a plain text, which is YAML only by name; `scalar: true` accepts it"),
        ("a: 1\nb: 2\na: 3", "not YAML: the key 'a' is there twice in one mapping, at line 3"),
        ("a: [1", "not YAML: did not find expected ',' or ']' at line 2"),
        ("a: *x", "not YAML: the alias *x at line 1 names no anchor"),
        ("a: &x 1\n---\nb: *x", "not YAML: the alias *x at line 3 names no anchor"),
        ("a: !!python/object:os.system x", "not YAML: the tag !!python/object:os.system at line 1, which only its own"),
        ("!mine {a: 1}", "not YAML: the tag !mine at line 1"),
        ("# nothing", "no document in it"),
        ("\x00", "not YAML: unacceptable character"),
        ("a: \ud800", "not YAML: 'utf-8' codec can't encode"),
    ],
)
def test_yaml(text, says):
    found = score("yaml_valid", text)
    assert found.reason.startswith(says)
    assert found.value is says.startswith("YAML")


def test_a_text_is_yaml_when_that_is_enough():
    assert score("yaml_valid", "Just some words.", scalar=True).value is True


def test_yaml_that_multiplies_or_nests_takes_no_time():
    started = time.perf_counter()
    bomb = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 40))
    assert score("yaml_valid", bomb).value is True
    assert score("yaml_valid", "[" * 300).reason == "not YAML: it is nested deeper than 200 levels"
    assert score("yaml_valid", "- " * 100_000 + "a").value is False
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(x):\n    return x\n", "compiles: 2 lines"),
        ("x = '\\d'", "compiles: 1 line"),
        ("await f()", "not Python: 'await' outside function at line 1"),
        ("x = 1\nreturn x", "not Python: 'return' outside function at line 2"),
        ("def f(:", "not Python: invalid syntax at line 1"),
        ("if x:\npass", "not Python: expected an indented block after 'if' statement on line 1 at line 2"),
        ("  x = 1\n  y = 2", "not Python: unexpected indent at line 1"),
        ("\ud800", "not Python: 'utf-8' codec can't encode"),
        ("x = 1\x00", "not Python: source code"),
    ],
)
def test_python(text, says):
    found = score("python_valid", text)
    assert found.reason.startswith(says)
    assert found.value is says.startswith("compiles")


def test_nothing_of_an_answer_is_run():
    assert score("python_valid", "raise SystemExit(1 / 0)").value is True


def test_no_answer_takes_the_interpreter_down():
    # in a process of its own: a crash would take the tests down with it
    code = """
from pytest_evals.scoring import score
for text in ("(" * 100_000, "-" * 200_000 + "1", "a" + ".b" * 200_000, "[" * 200_000, "1+" * 200_000 + "1", "not " * 99_999,
             "lambda:" * 50_000 + "1", "f'{" * 5_000, "x if y else " * 50_000 + "z", "9" * 5_000, "{" * 300 + "}" * 300,
             "\\n".join(" " * i + "if x:" for i in range(200)), "(yield)" * 1000, "a[" * 5000 + "]" * 5000):
    for name in ("python_valid", "yaml_valid", "xml_valid", "json_valid", "sql_valid"):
        print(name, score(name, text[:50_000] if name == "sql_valid" else text).value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.splitlines()) == 14 * 5
