"""Faults reported against tools of this kind, as users would meet them: YAML."""

from __future__ import annotations

import codecs
import os

import pytest


@pytest.mark.parametrize(
    "word",
    [
        "no",
        "on",
        "Yes",
        "off",
        "y",
        "TRUE",
        "null-ish",
        "0123",
        "12:30:45",
        "2024-01-05",
        "1e3",
        "=",
        "0x1F",
        "1_000",
        ".5",
    ],
)
def test_Y01_scalars_mean_the_text_they_look_like(project, word):
    suite = f"""
target: echo
cases:
  - id: {word}
    input: {word}
    expected_output: {word}
    criteria: [{{exact_match: {{case_sensitive: true}}}}]
  - {{id: other, input: "not {word}", expected_output: {word}, criteria: [exact_match]}}
"""
    ran = project({"a.eval.yaml": suite}) if word in ("no", "on", "2024-01-05") else _alone(project, suite)
    assert ran.outcomes == {word: "passed", "other": "failed"}
    assert ran.case(word)["output"] == word


def _alone(project, suite):
    if project.args:
        pytest.skip("the reader is the same in every way of running")
    return project({"a.eval.yaml": suite})


def test_Y03_a_second_key_of_one_name_is_refused_with_its_line(project):
    suite = """
target: echo
cases:
  - id: refund
    input: first wording
    expected_output: yes please
    input: second wording
    criteria: [contains]
  - {id: b, id: c, input: x, expected_output: x, criteria: [contains]}
  - id: d
    input: x
    metadata: {k: 1, k: 2}
    criteria: [{contains: {expected: x, expected: y}}]
"""
    ran = project({"a.eval.yaml": suite})
    assert ran.status == 2
    for line, key in ((7, "input"), (9, "id"), (12, "k"), (13, "expected")):
        assert any(f"a.eval.yaml:{line}:" in text and f"'{key}'" in text for text in ran.result.outlines), (line, key)


def test_Y03_merge_keys_stay_legal_and_are_overridden(project):
    suite = """
x-defaults: &d {threshold: 0.5, criteria: [levenshtein]}
x-more: &m {threshold: 0.1, category: merged}
target: echo
cases:
  - id: shipping
    <<: *d
    threshold: 0.9
    input: trackang
    expected_output: tracking
  - {id: lax, <<: *d, input: trackang, expected_output: tracking}
  - {id: several, <<: [*d, *m], input: trackang, expected_output: tracking}
"""
    ran = project({"a.eval.yaml": suite})
    assert ran.outcomes == {"shipping": "failed", "lax": "passed", "several": "passed"}
    assert ran.case("shipping")["threshold"] == 0.9
    assert (ran.case("several")["threshold"], ran.case("several")["category"]) == (0.5, "merged")


TEXT = (
    'target: echo\ncases:\n  - {id: a, input: "Größe – “quoted” 東京", expected_output: 東京, criteria: [contains]}\n'
)
RESPONSES = (
    "target: {responses: answers.csv}\ncases:\n  - {id: ä, input: x, expected_output: 東京, criteria: [contains]}\n"
)
CSV = "id,output\nä,Größe 東京\n"


@pytest.mark.parametrize("bom", [b"", codecs.BOM_UTF8], ids=["plain", "bom"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:backslashreplace"},
    ],
)
def test_Y05_files_read_the_same_with_a_bom_crlf_or_any_locale(alone, monkeypatch, bom, ends, locale):
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    files = {
        "a.eval.yaml": bom + TEXT.replace("\n", ends).encode(),
        "b.eval.yaml": bom + RESPONSES.replace("\n", ends).encode(),
        "answers.csv": bom + CSV.replace("\n", ends).encode(),
        "c.eval.json": bom
        + b'{"target": "echo", "cases": [{"id": "j", "input": "\\u6771\xe4\xba\xac", "expected_output": "\\u6771", "criteria": ["contains"]}]}',
    }
    ran = alone(files, subprocess=True)
    assert ran.outcomes == {"a": "passed", "ä": "passed", "j": "passed"}, ran.out
    assert ran.case("a")["input"] == "Größe – “quoted” 東京"
    assert os.environ["LC_ALL"] == "C"


def test_Y05_other_encodings_are_named_not_guessed(project):
    for encoding in ("latin-1", "utf-16"):
        ran = project(
            {
                "a.eval.yaml": TEXT.replace("東京", "ö")
                .replace("–", "-")
                .replace("“", "")
                .replace("”", "")
                .encode(encoding)
            }
        )
        assert ran.status == 2
        assert "UTF-8" in ran.out
        assert "Traceback" not in ran.out


def test_Y07_duplicate_ids_are_refused_within_a_file_and_free_between_files(project):
    two = """
suite: two
target: echo
cases:
  - {id: greet, input: a, expected_output: b, criteria: [contains]}
  - {id: greet, input: a, expected_output: a, criteria: [contains]}
"""
    other = "suite: other\ntarget: echo\ncases: [{id: greet, input: a, expected_output: a, criteria: [contains]}]\n"
    ran = project({"a.eval.yaml": two, "b.eval.yaml": other}, "--continue-on-collection-errors")
    assert ran.status == 2
    line = next(line for line in ran.result.outlines if "a.eval.yaml:6:" in line)
    assert "greet" in line
    assert "5" in line.partition("a.eval.yaml:6:")[2]
    assert ran.outcomes == {"greet": "passed"}


@pytest.mark.parametrize(
    ("first", "second"),
    [('"a::b"', '"a:b"'), ('"a[1]"', '"a(1)"'), ('"1"', "1"), ('"x\\ty"', '"x\\\\ty"'), ("Ä", "Ä")],
)
def test_Y07_ids_that_would_share_a_node_name_are_refused(project, first, second):
    if project.args:
        pytest.skip("the reader is the same in every way of running")
    case = "  - {{id: {}, input: a, expected_output: a, criteria: [contains]}}\n"
    ran = project({"a.eval.yaml": "target: echo\ncases:\n" + case.format(first) + case.format(second)})
    assert ran.status == 2
    assert ran.outcomes == {}
