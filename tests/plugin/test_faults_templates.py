"""Faults reported against tools of this kind, as users would meet them: templates, variables, files that are named."""

from __future__ import annotations

import pytest

PROMPT = 'Answer as {"city": "", "ok": {"deep": {}}} only. Question: {{ question }} 100% sure?'
RENDERED = 'Answer as {"city": "", "ok": {"deep": {}}} only. Question: Where is {it}? 100% sure?'


def test_T01_braces_and_percent_signs_of_prompt_and_variable_arrive_as_written(project):
    ran = project(
        {
            "prompt.txt": PROMPT + "\n",
            "rows.csv": 'id,question\nfrom-row,"Where is {it}?"\n',
            "a.eval.yaml": f"""
target: echo
defaults:
  criteria: [exact_match: {{expected: '{RENDERED}', case_sensitive: true}}]
cases:
  - {{id: from-case, prompt: '{PROMPT}', vars: {{question: 'Where is {{it}}?'}}}}
  - {{file: rows.csv, prompt: {{file: prompt.txt}}}}
""",
        }
    )
    assert ran.outcomes == {"from-case": "passed", "from-row": "passed"}
    assert {case["input"] for case in ran.report["cases"]} == {RENDERED}


def test_T03_a_variable_that_is_missing_is_an_error_with_its_name_and_a_falsy_one_is_there(project):
    suite = """
target: echo
cases:
  - id: late
    vars: {name: Ann, order: {id: 0, gift: false}}
    input: 'Dear {{ NAME }}, your order {{ order.id }} is late, gift: {{ order.gift }}. $5 and $$ and ${NOT_SET}'
    criteria: [contains: 'Dear Ann, your order 0 is late, gift: false. $5 and $$ and ${NOT_SET}']
"""
    assert project({"a.eval.yaml": suite.replace("NAME", "name", 1)}).outcomes == {"late": "passed"}
    ran = project({"a.eval.yaml": suite.replace("NAME", "nmae", 1)}, report=False)
    assert ran.status != 0
    assert "a.eval.yaml:6:5: there is no variable 'nmae'; did you mean 'name'?" in ran.out


def test_T03_an_unset_environment_variable_is_named_and_a_default_is_used(alone, monkeypatch):
    monkeypatch.delenv("EVALS_TEST_UNSET", raising=False)
    suite = "target: {http: {url: '${EVALS_TEST_UNSET%s}/{{ input }}'}}\ncases: [{id: a, input: x, criteria: [contains: x]}]\n"
    ran = alone({"a.eval.yaml": suite % ""}, report=False)
    assert "the environment variable EVALS_TEST_UNSET is not set" in ran.out
    ran = alone({"a.eval.yaml": suite % ":-http://127.0.0.1:9"}, "--evals-explain", "a", report=False)
    assert "http://127.0.0.1:9" in ran.out


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_Y05_included_files_and_prompts_read_the_same_with_a_bom_and_any_line_ends(alone, bom, ends):
    def encoded(text: str) -> bytes:
        return bom + text.replace("\n", ends).encode()

    files: dict[str, str | bytes] = {
        "shared.yaml": encoded("defaults:\n  prompt: {file: p.txt}\n  criteria: [contains: 'Größe – “quoted” 東京']\n"),
        "p.txt": encoded("Größe – {{ input }} 東京\n"),
        "a.eval.yaml": encoded("target: echo\ninclude: shared.yaml\ncases:\n- {id: a, input: “quoted”}\n"),
    }
    ran = alone(files)
    assert ran.outcomes == {"a": "passed"}
    assert ran.case("a")["input"] == "Größe – “quoted” 東京"
