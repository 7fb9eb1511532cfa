"""Prompts: their forms, what they see, and the place of their mistakes."""

from __future__ import annotations

import pytest

from .conftest import only


def prompted(read, prompt: str, keys: str = "input: a question"):
    return read.case(f"prompt: {prompt}\n{keys}").input


@pytest.mark.parametrize(
    ("prompt", "keys", "sent"),
    [
        ("'Q: {{ input }}'", "", "Q: a question"),
        ("'{{ input }} / {{ context }}'", "context: {k: 1}", 'a question / {"k": 1}'),
        ("'{{ input }}'", "input: [{role: user, content: hi}]", [{"role": "user", "content": "hi"}]),
        ("'{{ input }} {{ vars.input }}'", "vars: {input: hidden}", "a question hidden"),
        ("'{{ who }}: {{ input }}'", "vars: {who: '{{ input }}'}", "{{ input }}: a question"),
        ("'{{ input }}{{ context | default(\"!\") }}'", "", "a question!"),
        (
            "[{role: system, content: Be brief}, {role: user, content: 'Q {{ input }}'}]",
            "",
            [{"role": "system", "content": "Be brief"}, {"role": "user", "content": "Q a question"}],
        ),
        ("~", "", "a question"),
    ],
)
def test_the_rendering_takes_the_place_of_the_input(read, prompt, keys, sent):
    assert prompted(read, prompt, keys) == sent


def test_a_case_needs_no_input_when_the_prompt_asks_without(read):
    assert prompted(read, "'Capital of {{ country }}?'", "vars: {country: France}\ninput: ~") == "Capital of France?"


def test_a_prompt_of_the_defaults_holds_for_every_case_that_has_none(read):
    suite = read("""
        target: echo
        defaults: {prompt: 'Q: {{ input }}', criteria: [own]}
        cases:
          - {input: one}
          - {input: two, prompt: ~}
          - {input: three, prompt: '{{ input | upper }}'}
    """)
    assert [case.input for case in suite.cases] == ["Q: one", "two", "THREE"]


@pytest.mark.parametrize(
    ("name", "text", "sent"),
    [
        ("p.txt", "Q: {{ input }}\n", "Q: a question"),
        ("p.md", "# Task\r\n{{ input }}\r\n\r\n", "# Task\r\na question\r\n"),
        ("p.txt", "\ufeffGrüße {{ input }}", "Grüße a question"),
        ("p", '{"a": {"b": 1}} 100% {{ input }}', '{"a": {"b": 1}} 100% a question'),
        ("p.json", '[{"role": "user", "content": "{{ input }}"}]', [{"role": "user", "content": "a question"}]),
        ("p.yaml", "- {role: user, content: 'Q {{ input }}'}\n", [{"role": "user", "content": "Q a question"}]),
        ("p.yml", "'Q {{ input }}'", "Q a question"),
    ],
)
def test_a_prompt_may_stand_in_a_file(read, name, text, sent):
    (read.folder / "prompts").mkdir()
    (read.folder / "prompts" / name).write_bytes(text.encode())
    assert prompted(read, f"{{file: prompts/{name}}}") == sent


def test_mistakes_in_a_file_are_told_with_its_own_lines(read):
    (read.folder / "p.txt").write_text("Answer {{ input }}\nin {{ langauge }} and {{ input | uper }}\n")
    with pytest.raises(Exception, match=r"p\.txt") as raised:
        read.case("prompt: {file: p.txt}\nvars: {language: French}")
    assert [str(problem.place) for problem in raised.value.problems] == [
        "p.txt:2:23"
    ]  # what no case can mend goes first
    (read.folder / "p.txt").write_text("Answer {{ input }}\nin {{ langauge }}\n")
    with pytest.raises(Exception, match=r"p\.txt") as raised:
        read.case("prompt: {file: p.txt}\nvars: {language: French}")
    assert str(raised.value) == (
        "p.txt:2:4: there is no variable 'langauge'; did you mean 'language'? (for the case at a.eval.yaml:4)"
    )


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ("{file: nowhere.txt}", "there is no file "),
        ("{file: ''}", "file is blank; give the name of a file"),
        ("{file: [a]}", "file must be text, not a list"),
        ("{fil: p.txt}", "prompt cannot be a mapping of fil; write a text, a list of messages, or {file: prompt.txt}"),
        ("{}", "prompt cannot be empty; write a text"),
        ("[]", "prompt cannot be empty; write a text"),
        ("no place in it", "the prompt does not insert the input, which would not be sent; put {{ input }} into it"),
        ("'{{ input }} {{ context }}'", "there is no context here; a prompt can insert that of its case"),
        ("'{{ input }} {{ x }}'", "there is no variable 'x'; there are input"),
        ("'{{ input'", "a '{{' that no '}}' closes"),
    ],
)
def test_what_is_no_prompt(read, prompt, message):
    assert message in only(read.wrong_case(f"prompt: {prompt}"))


def test_an_empty_file_is_no_prompt(read):
    for name in ("p.txt", "p.yaml"):
        (read.folder / name).write_text("\n")
        with pytest.raises(Exception, match=f"{name}:1:1: the file is empty; it should hold a prompt"):
            read.case(f"prompt: {{file: {name}}}")


def test_a_prompt_that_inserts_the_input_needs_one(read):
    found = read.wrong("target: echo\ncases:\n- {prompt: 'Q {{ input }}', criteria: [own]}\n")
    assert only(found).endswith(
        "there is no input here; a prompt can insert that of its case (for the case at a.eval.yaml:3)"
    )


def test_a_prompt_of_a_variant_takes_the_input_before_the_prompt_of_the_defaults(read):
    suite = read("""
        target: echo
        variants:
          - {id: as-it-is}
          - {id: loud, prompt: '{{ input | upper }} {{ who }}'}
        defaults: {prompt: 'Q: {{ input }}', criteria: [own], vars: {who: me}}
        cases:
          - {id: one, input: hello}
    """)
    assert [variant.of(suite.cases[0]).input for variant in suite.variants] == ["Q: hello", "HELLO me"]
