"""Whatever a file holds, the reader gives a suite or says what is wrong with it."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

VALID = """\
# A suite with most of what YAML and the reader offer.
suite: support-bot
description: Answers of the support bot
experiment: {name: support, config: {model: small, n: 010}}
target: ${EVALS_FUZZ:-my_app.bot}:answer
x-shared: &shared {timeout: 30s, metadata: {team: a}}
criteria_sets:
  tone: [any_of: [not: {contains: stupid}], own: {name: tone-of-it}]
defaults:
  tags: [support, "big one"]
  vars: {who: a support bot, order: {id: 7}}
  criteria: [contains]
  prompt: 'As {{ who }}: {{ input }}'
gates:
  - pass_rate(tag=support) >= 95%
  - score.contains.mean >= 0.8   # said
cases:
  - id: refund-window
    <<: *shared
    name: Refund window
    input: 'How long do I have to return a mug?'
    context: |
      Returns of {{ order.id | default("all") }} are accepted
      within {{ 6 * 5 }} days.
    expected_output: 30 days
    reference_outputs: ["thirty\\tdays", 0123]
    expected_tool_calls: [{name: policy_lookup, args: {topic: returns}}]
    criteria:
      - levenshtein: {weight: 2, threshold: 0.5}
      - regex: '(30|thirty) days'
      - {scorer: own, name: tone, description: Polite and calm}
      - not: {contains: 'I cannot, {{ who | upper }}'}
      - use: tone
      - all_of: [exact_match, {any_of: [own, contains_any: [a, b]]}]
    threshold: 0.7
    skip: later
  - {id: 12:30, input: [{role: user, content: héllo}], expected_output: {a: [1, ~]}, xfail: true, threshold: unset}
"""
PIECES = [
    "\t",
    "\n",
    "\r",
    " ",
    "  ",
    "#",
    " #",
    ": ",
    "- ",
    "? ",
    "'",
    '"',
    "[",
    "]",
    "{",
    "}",
    ",",
    "&a ",
    "*a",
    "*shared",
    "!x ",
    "!!int ",
    "|",
    ">",
    "%",
    "@",
    "`",
    "~",
    "null",
    "<<: ",
    "---\n",
    "...\n",
    "\\",
    "\\x",
    "\0",
    "\x85",
    "\u2028",
    "\ufeff",
    "😀",
    "\x1b",
    "${",
    "}",
    "no",
    "1e999",
    ".nan",
    "0x",
    "-1",
    "x: x: ",
    "id: refund-window",
    "not: ",
    "[[[[",
    "}}}}",
    "\uffff",
    "criteria: ",
    "{{",
    "{{ ",
    " }}",
    "{{ who }}",
    "| join",
    "{% if %}",
    "use: ",
    "use: tone",
    "include: a.yaml",
    "prompt: ",
    "vars: ",
]


def mutated(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(5):
            case 0:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + text[at + rng.randrange(1, 12) :]
            case 2:
                text = text[:at] + rng.choice(string.printable) + text[at + 1 :]
            case 3:
                other = rng.randrange(len(text) + 1)
                text = text[:at] + text[other : other + rng.randrange(60)] + text[at:]
            case 4:
                lines = text.split("\n")
                first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[first], lines[second] = lines[second], lines[first]
                text = "\n".join(lines)
    return text


def test_the_suite_that_is_mutated_is_valid_but_for_one_tag(read):
    assert len(read.wrong(VALID)) == 1
    assert len(read(VALID.replace("big one", "big")).cases) == 2


@pytest.mark.parametrize("seed", range(40))
def test_mutated_suites_are_read_or_refused(read, seed):
    rng = random.Random(seed)
    for _ in range(50):
        problems = read.wrong(mutated(rng, VALID).encode("utf-8"))
        assert all(problem.isprintable() for problem in problems), problems


@pytest.mark.parametrize("seed", range(5))
def test_files_cut_off_anywhere_are_read_or_refused(read, seed):
    for end in range(seed, len(VALID), 25):
        assert isinstance(read.wrong(VALID[:end]), list)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400, deadline=None)
@given(text=st.text(max_size=80) | st.text(alphabet=" \n\t-:#'\"[]{}&*!|>%@`,?ax1~<\\", max_size=60))
def test_any_text_is_read_or_refused(read, text):
    read.wrong(text.encode("utf-8", "surrogatepass"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
@given(data=st.binary(max_size=80), name=st.sampled_from(["a.eval.yaml", "a.eval.json"]))
def test_any_bytes_are_read_or_refused(read, data, name):
    read.wrong(data, name)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300, deadline=None)
@given(text=st.text(alphabet=" \n-:#'\"[]{}&*!|>%@`,?ax1~<\\", max_size=40))
def test_any_text_can_be_a_value(read, text):
    read.wrong(f"target: echo\ncases:\n- id: a\n  input: {text}\n  criteria: [own]\n")


keys = st.sampled_from(
    [
        "suite",
        "target",
        "defaults",
        "gates",
        "cases",
        "experiment",
        "id",
        "name",
        "input",
        "tags",
        "criteria",
        "threshold",
        "warn",
        "timeout",
        "retries",
        "metadata",
        "skip",
        "scorer",
        "weight",
        "not",
        "all_of",
        "contains",
        "regex",
        "own",
        "x",
    ]
)
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | keys,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400, deadline=None)
@given(root=st.dictionaries(keys, documents, max_size=6), case=st.dictionaries(keys, documents, max_size=6))
def test_anything_may_stand_under_any_key(read, root, case):
    import json

    text = json.dumps({"target": "echo", "cases": [case], **root}, allow_nan=True)
    read.wrong(text, "a.eval.json")
    read.wrong(text, "a.eval.yaml")
