"""Gates of a suite are about something its cases have."""

from __future__ import annotations

import pytest

from .conftest import only

CASES = """
cases:
  - {id: a, input: q, criteria: [own: {name: correctness}, regex: x], tags: [smoke, fast], category: refunds}
  - {id: b, input: q, criteria: [not: own], tags: [slow], category: no}
"""


def suite(gates: str) -> str:
    return f"suite: shop\ntarget: echo\ngates: {gates}{CASES}"


@pytest.mark.parametrize(
    ("text", "scope", "criterion"),
    [
        ("pass_rate >= 95%", (), None),
        ("pass_rate(tag=smoke) >= 100%", (("tag", "smoke"),), None),
        ("pass_rate(category=no) >= 0", (("category", "no"),), None),
        ("pass_rate(suite=shop) >= 0", (("suite", "shop"),), None),
        ("latency.p95 <= 2s", (), None),
        ("score.mean > 0.5", (), None),
        ("score.correctness.mean >= 0.8", (), "correctness"),
        ("score.not_own.mean >= 0.8", (), "not_own"),
        ("errors == 0", (), None),
    ],
)
def test_gates_are_read_with_place_and_suite(read, text, scope, criterion):
    (gate,) = read(suite(f"\n  - {text}")).gates
    assert (gate.text, gate.scope, gate.criterion, gate.suite) == (text, scope, criterion, "shop")
    assert str(gate.place) == "a.eval.yaml:4:5"


@pytest.mark.parametrize("gates", ["", "~", "[]"])
def test_a_suite_needs_no_gates(read, gates):
    assert read(suite(gates)).gates == ()


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        ("[pass_rat >= 95%]", "unknown metric 'pass_rat'"),
        ("[pass_rate => 95%]", "did you mean '>='?"),
        ("[pass_rate(tag=smoek) >= 95%]", "no case has the tag 'smoek'; did you mean 'smoke'?"),
        ("[pass_rate(tag=xyz) >= 95%]", "no case has the tag 'xyz'; the tags are fast, slow, smoke"),
        ("[pass_rate(category=refund) >= 95%]", "no case has the category 'refund'; did you mean 'refunds'?"),
        ("[pass_rate(suite=other) >= 95%]", "it covers nothing: it is written in suite 'shop'"),
        ("[score.corectness.mean >= 0.5]", "no case has the criterion 'corectness'; did you mean 'correctness'?"),
        ("[score.own.mean >= 0.5]", "no case has the criterion 'own'; did you mean 'not_own'?"),
        ("[score.xyz.mean >= 0.5]", "the criteria are correctness, not_own, regex"),
        ("[{pass_rate: 95%}]", "a gate is a text such as 'pass_rate >= 95%', not a mapping"),
        ("[~]", "a gate is a text such as 'pass_rate >= 95%', not nothing"),
        (
            "pass_rate >= 95%",
            "gates must be a list, not the text 'pass_rate >= 95%'; write each as '- pass_rate >= 95%'",
        ),
        ("{pass_rate: 1}", "gates must be a list, not a mapping"),
    ],
)
def test_what_is_wrong_with_a_gate(read, gates, said):
    assert said in only(read.wrong(suite(gates)))


def test_every_wrong_gate_is_reported_with_the_mistakes_of_cases(read):
    text = suite("[pass_rat >= 1, errors == 0, pass_rate(tag=gone) >= 1]").replace("category: no", "categori: no")
    assert [problem.split(": ")[0] for problem in read.wrong(text)] == ["3:9", "3:37", "6:59"]


def test_tags_of_the_defaults_can_be_a_scope(read):
    text = "target: echo\ndefaults: {tags: [all]}\ngates: [pass_rate(tag=all) >= 1]\n"
    text += "cases: [{input: q, criteria: [own]}]\n"
    assert read.wrong(text) == []


def test_without_any_tag_there_is_nothing_to_suggest(read):
    text = "target: echo\ngates: [pass_rate(tag=all) >= 1]\ncases: [{input: q, criteria: [own]}]\n"
    assert only(read.wrong(text)).endswith("no case has the tag 'all'; they have no tags")
