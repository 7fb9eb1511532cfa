"""Python providers and assertions of promptfoo run as targets and criteria.

What they are called with and may return is what promptfoo's pages on Python providers and assertions say.
"""

from __future__ import annotations

import pytest

from pytest_evals.errors import ScorerError, TargetError
from pytest_evals.importers.promptfoo.adapter import check, provider
from pytest_evals.model.case import Case
from pytest_evals.model.response import Response, Usage

PROVIDER = """
import helper

def call_api(prompt, options, context):
    return {
        "output": f"{prompt}|{options['config']['a']}|{context['vars']['q']}|{helper.NAME}",
        "tokenUsage": {"total": 5, "prompt": 3, "completion": 2},
        "cost": 0.5,
    }

async def later(prompt, options, context):
    return {"output": prompt.upper()}

def broken(prompt, options, context):
    return {"error": "no such model"}
"""
CHECKS = """
def get_assert(output, context):
    return len(output) <= context.get("config", {}).get("limit", 0)

def topic(output, context):
    return {"pass": context["vars"]["q"] in output, "score": 0.6, "reason": "Looks good to me"}

def half(output, context):
    return 0.5
"""


def test_a_python_provider_is_asked_in_its_own_way(importing):
    made = importing(
        "promptfoo",
        {
            "promptfooconfig.yaml": """
                prompts: ['Say {{q}}']
                providers: [{id: 'file://app/provider.py', config: {a: 1}}]
                tests: [{description: t, vars: {q: x}, assert: [{type: equals, value: Say x|1|x|beside}]}]
                """,
            "app/provider.py": PROVIDER,
            "app/helper.py": "NAME = 'beside'\n",
        },
    )
    assert made.suite["target"] == "made_promptfoo.py:answer"
    assert made.written.code.read_text("utf-8") == (
        '"""Python code of promptfooconfig.yaml, as targets and criteria of made.eval.yaml. '
        'Written by `pytest-evals import promptfoo`."""\n'
        "\n"
        "from pytest_evals.importers.promptfoo.adapter import provider\n"
        "\n"
        'answer = provider(__file__, "../app/provider.py", config={"a": 1})\n'
    )
    assert made.outcomes() == {"t": "passed"}


def test_what_a_provider_tells_of_its_answer_is_kept(tmp_path):
    (tmp_path / "p.py").write_text(PROVIDER.replace("import helper", "class helper: NAME = 1"))
    case = Case("a", "x", (), vars={"q": "v"})
    answer = provider(str(tmp_path / "made.py"), "p.py", config={"a": 1})
    assert answer("x", case) == Response("x|1|v|1", usage=Usage(3, 2), cost_usd=0.5)
    with pytest.raises(RuntimeError, match="no such model"):
        provider(str(tmp_path / "made.py"), "p.py", "broken")("x", case)
    with pytest.raises(TargetError, match=r"p\.py has no function gone"):
        provider(str(tmp_path / "made.py"), "p.py", "gone")
    with pytest.raises(TargetError, match="there is no Python file"):
        provider(str(tmp_path / "made.py"), "q.py")


def test_functions_that_wait_are_awaited(importing):
    made = importing(
        "promptfoo",
        {
            "promptfooconfig.yaml": """
                providers: ['python:p.py:later']
                tests: [{description: t, vars: {prompt: x}, assert: [{type: equals, value: X}]}]
                """,
            "p.py": PROVIDER.replace("import helper", ""),
        },
    )
    assert made.outcomes() == {"t": "passed"}


def test_python_assertions(importing):
    made = importing(
        "promptfoo",
        {
            "promptfooconfig.yaml": """
                providers: [echo]
                prompts: ['{{q}}']
                tests:
                  - {description: line, vars: {q: Hello}, assert: [{type: python, value: 'output[0:2] == "He"'}]}
                  - {description: line-fails, vars: {q: Bye}, assert: [{type: python, value: 'output[0:2] == "He"'}]}
                  - {description: context, vars: {q: x}, assert: [{type: python, value: 'context["vars"]["q"] == "x"'}]}
                  - {description: number, vars: {q: Hello}, assert: [{type: python, value: math.log10(len(output)) * 10}]}
                  - {description: no-number, vars: {q: x}, assert: [{type: python, value: math.log10(len(output)) * 10}]}
                  - {description: not, vars: {q: an error}, assert: [{type: not-python, value: "'error' in output"}]}
                  - description: lines
                    vars: {q: Expected output}
                    assert:
                      - type: python
                        value: |
                          # Insert your scoring logic here...
                          if output == 'Expected output':
                              return {'pass': True, 'score': 0.5}
                          return {'pass': False, 'score': 0}
                  - description: file
                    vars: {q: Hello}
                    assert: [{type: python, value: 'file://checks.py', config: {limit: 5}}]
                  - description: file-fails
                    vars: {q: Hello there}
                    assert: [{type: python, value: 'file://checks.py', config: {limit: 5}}]
                  - {description: result, vars: {q: x}, assert: [{type: python, value: 'file://checks.py:topic'}]}
                  - {description: mark, vars: {q: x}, assert: [{type: python, value: 'file://checks.py:half', threshold: 0.6}]}
                  - {description: reached, vars: {q: x}, assert: [{type: python, value: 'file://checks.py:half', threshold: 0.5}]}
                  - description: mean
                    vars: {q: x}
                    threshold: 0.75
                    assert: [{type: contains, value: x}, {type: python, value: 'file://checks.py:half'}]
                """,
            "checks.py": CHECKS,
        },
    )
    assert made.notes("dropped") == []
    assert made.outcomes() == {
        "line": "passed",
        "line-fails": "failed",
        "context": "passed",
        "number": "passed",
        "no-number": "failed",
        "not": "failed",
        "lines": "passed",
        "file": "passed",
        "file-fails": "failed",
        "result": "passed",
        "mark": "failed",
        "reached": "passed",
        "mean": "passed",
    }


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("output ==", "its code is no Python: invalid syntax"),
        ("output == '{{q}}'", "its code holds a template"),
        ("file://gone.py", "there is no file"),
        ("", "it has no code"),
    ],
)
def test_code_that_cannot_be_moved_is_listed(importing, value, told):
    tests = [{"description": "t", "vars": {"prompt": "x"}, "assert": [{"type": "python", "value": value}]}]
    made = importing("promptfoo", {"promptfooconfig.json": {"providers": ["echo"], "tests": tests}})
    (note,) = made.notes("dropped")
    assert told in note
    assert made.written.code is None


@pytest.mark.parametrize(
    ("returned", "threshold", "value"),
    [
        (True, None, True),
        (0.2, None, True),
        (0, None, False),
        (0.2, 0.3, False),
        ({"pass_": False, "score": 1}, None, False),
    ],
)
def test_verdicts_of_assertions(returned, threshold, value):
    case = Case("a", "x", ())
    assert check("f", lambda output, context: returned, threshold=threshold)("x", case).value is value


def test_an_assertion_that_returns_something_else_is_no_score():
    with pytest.raises(ScorerError, match="returned str, not a bool, a number or a GradingResult"):
        check("f", lambda output, context: "yes")("x", Case("a", "x", ()))


def test_the_same_code_is_written_once(importing):
    asked = "{type: python, value: len(output) > 0}"
    config = "providers: [echo]\ntests:\n" + "".join(
        f"  - {{vars: {{prompt: {n}}}, assert: [{asked}]}}\n" for n in (1, 2)
    )
    made = importing("promptfoo", config)
    assert made.written.code.read_text("utf-8").count("len(output) > 0") == 1
    assert set(made.outcomes().values()) == {"passed"}
