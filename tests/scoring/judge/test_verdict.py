"""Reading a judge's reply."""

from __future__ import annotations

import pytest

from pytest_evals.scoring.judge.criteria import JudgeCriterion
from pytest_evals.scoring.judge.scales import SCALES
from pytest_evals.scoring.judge.verdict import UnreadableError, read_verdict

ONE = {"tone": JudgeCriterion("tone")}
TWO = {"tone": JudgeCriterion("tone"), "facts": JudgeCriterion("facts")}
SCALE = SCALES["0-1"]
FINE = '{"score": 0.8, "reason": "fine"}'


def read(text, keys=ONE):
    return [(scored.value, scored.reason) for scored in read_verdict(text, keys, SCALE)]


@pytest.mark.parametrize(
    "text",
    [
        FINE,
        f"```json\n{FINE}\n```",
        f"Here you go:\n{FINE}\nAnything else?",
        f"json\n{FINE}",
        f'<think>{{"score": 0.1}}</think>\n{FINE}',
        f"I compared {{two}} answers.\n{FINE}",
        f"{FINE}\n{FINE}",
        '{"tone": {"reason": "fine", "score": 0.8}}',
    ],
)
def test_G01_a_fenced_or_wrapped_verdict_is_read(text):
    assert read(text) == [(0.8, "fine")]


def test_G03_valid_json_is_never_repaired():
    assert read('{"score": 1, "reason": "lists a, b, ] and stops,} ok"}') == [(1, "lists a, b, ] and stops,} ok")]
    with pytest.raises(UnreadableError, match="its JSON is not valid"):
        read('{"score": 1, "reason": "fine",}')


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"reason": "The answer covers 3 of 4 points, so score 0.75 would be fair but', "it ends within its JSON"),
        ('{"reason": "good", "score": 0.9', "it ends within its JSON"),
        ("I compared 2 answers on 5 criteria. The response is not excellent. Score: 0.4", "no JSON object"),
        ("I can't rate this.", "no JSON object"),
        ("0.9", "no JSON object"),
        ("", "it is empty"),
        ("{}", "no JSON object"),
        ('{"overall": 0.9}', "no score for 'tone'"),
        ('{"score": 7}', "outside the scale 0-1"),
        ('{"score": -1}', "outside the scale 0-1"),
        ('{"score": "0.8"}', "is not a number from 0"),
        ('{"score": NaN}', "NaN"),
        ('{"score": 0.1, "score": 0.9}', "there twice"),
        ('{"score": 0.1} {"score": 0.9}', "2 different JSON objects"),
        ('<think>it could be {"score": 0.1}', "within its thinking"),
        ('{"score": 1, "reason": ["a"]}', "is no text"),
        ('{"a": ' * 300 + "1" + "}" * 300, "nested deeper"),
    ],
)
def test_G06_a_reply_that_is_no_verdict_gives_no_score(text, why):
    with pytest.raises(UnreadableError, match=why):
        read(text)


def test_a_part_of_a_cut_reply_is_no_verdict():
    with pytest.raises(UnreadableError, match="ends within"):
        read('{"tone": {"reason": "fine", "score": 1}, "facts": {"reas', ONE)


def test_every_criterion_needs_its_score():
    whole = '{"tone": {"reason": "a", "score": 1}, "facts": {"reason": "b", "score": 0}}'
    assert read(whole, TWO) == [(1, "a"), (0, "b")]
    with pytest.raises(UnreadableError, match="no score for 'facts'"):
        read('{"tone": {"reason": "a", "score": 1}}', TWO)
