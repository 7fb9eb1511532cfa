"""Templates in the keys of a case: which they are, what their values become, and where mistakes are told."""

from __future__ import annotations

import time

import pytest

from pytest_evals.suite.filling import TEMPLATED

from .conftest import only


def test_every_templated_key_is_filled_and_no_other(read):
    (case,) = read("""
        target: echo
        cases:
          - name: about {{ x }}
            id: about {{ x }}
            vars: {x: 5, y: {z: deep}}
            input: [{role: user, content: '{{ x }}'}, {n: '{{ x }}', m: '{{ y }}'}]
            context: {a: ['{{ y.z }}']}
            expected_output: '{{ x }}'
            reference_outputs: ['{{ x }}', 'no {{ x }}']
            expected_tool_calls: [{name: look, args: {at: '{{ x }}', how: 'so {{ x }}'}}]
            criteria:
              - contains: '{{ y.z }}'
              - levenshtein: {threshold: '{{ x / 10 }}', name: 'near {{ x }}'}
              - own: {value: '{{ y }}', other: ['{{ x }}']}
              - not: {contains: 'un{{ y.z }}'}
            metadata: {note: '{{ x }}'}
            category: '{{ x }}'
            tags: []
    """).cases
    assert (case.id, case.name, case.category) == ("about {{ x }}", "about 5", "{{ x }}")
    assert case.input == [{"role": "user", "content": "5"}, {"n": 5, "m": {"z": "deep"}}]
    assert (case.context, case.expected_output, case.reference_outputs) == ({"a": ["deep"]}, "5", ("5", "no 5"))
    assert [call.args for call in case.expected_tool_calls or ()] == [{"at": 5, "how": "so 5"}]
    contains, levenshtein, own, not_contains = case.criteria
    assert (contains.options, levenshtein.threshold, levenshtein.name) == ({"expected": "deep"}, 0.5, "near 5")
    assert (own.options, not_contains.parts[0].options) == (
        {"value": {"z": "deep"}, "other": [5]},
        {"expected": "undeep"},
    )
    assert case.metadata == {"note": "{{ x }}"}
    assert case.vars == {"x": 5, "y": {"z": "deep"}}


def test_without_variables_nothing_is_a_template(read):
    suite = read("""
        target: echo
        defaults: {context: '{{ x }}', criteria: [contains: '{{ x }}']}
        cases:
          - {id: plain, input: 'a {{ nobody }} {% if %}'}
          - {id: empty, input: 'a {{ nobody }}', vars: {}}
          - {id: with, input: 'a {{ x }}', vars: {x: 1}}
    """)
    assert [case.input for case in suite.cases] == ["a {{ nobody }} {% if %}", "a {{ nobody }}", "a 1"]
    assert [case.context for case in suite.cases] == ["{{ x }}", "{{ x }}", "1"]
    assert [case.criteria[0].options["expected"] for case in suite.cases] == ["{{ x }}", "{{ x }}", "1"]
    assert suite.cases[0].criteria[0] is suite.cases[1].criteria[0]


def test_variables_of_the_defaults_are_in_scope_and_the_case_wins_key_by_key(read):
    suite = read("""
        target: echo
        defaults:
          vars: {a: 1, b: 2}
          expected_output: '{{ a }}{{ b }}{{ vars.a }}'
          criteria: [own]
        cases:
          - {id: one, input: x}
          - {id: two, input: '{{ b }}', vars: {b: 3, vars: {a: shadows}}}
    """)
    assert [case.expected_output for case in suite.cases] == ["121", "13shadows"]
    assert suite.cases[1].input == "3"


def test_defaults_are_filled_for_each_case_and_what_has_no_place_is_shared(read):
    one, two = read("""
        target: echo
        defaults:
          criteria: [own, contains: '{{ country }}']
        cases:
          - {input: a, vars: {country: France}}
          - {input: b, vars: {country: Spain}}
    """).cases
    assert one.criteria[0] is two.criteria[0]
    assert [case.criteria[1].options["expected"] for case in (one, two)] == ["France", "Spain"]


def test_the_id_of_a_case_without_one_is_made_of_its_variables_too(read):
    suite = read("""
        target: echo
        defaults: {prompt: '{{ country }}', criteria: [own]}
        cases:
          - {vars: {country: France}}
          - {vars: {country: Spain}}
          - {name: 'Capital of {{ country }}', vars: {country: Italy}}
    """)
    assert len({case.id for case in suite.cases}) == 3
    assert suite.cases[2].id == "capital-of-italy"


@pytest.mark.parametrize(
    ("value", "written", "read_as"),
    [
        ("7", "{{ x }}", "7"),
        ("'7'", "{{ x }}", "7"),
        ("true", "{{ x }}", "true"),
        ("''", "{{ x }}", ""),
        ("~", "{{ x }}", None),
        ("[1, a]", "{{ x }}", [1, "a"]),
        ("{a: ~}", "{{ x }}", {"a": None}),
        ("no", "{{ x }}", "no"),
        ("2024-01-05", "on {{ x }}", "on 2024-01-05"),
    ],
)
def test_what_a_variable_becomes_where_text_or_json_stands(read, value, written, read_as):
    assert read.case(f"vars: {{x: {value}}}\ncontext: '{written}'").context == read_as


def test_a_scorer_a_function_or_a_set_is_never_chosen_by_data(read):
    keys = "vars: {x: contains}\nexpected_output: a\ncriteria:\n- "
    for written in ("'{{ x }}'", "{scorer: '{{ x }}'}", "{python: '{{ x }}:f'}"):
        assert "{{ x }}" in only(read.wrong_case(keys + written))
    assert "{{ x }}" in only(read.wrong_case(keys + "{use: '{{ x }}'}"))


def test_mistakes_are_told_where_the_template_stands(read):
    found = read.wrong("""\
        target: echo
        defaults:
          criteria: [own, contains: '{{ countri }}']
        cases:
          - id: a
            vars: {country: France}
            input: |
              first line
              and {{ nowhere }}
          - {id: b, vars: {x: 1}, input: '{{ x | uper }} {{ y }}'}
          - {id: c, vars: [x], input: '{{ x }}'}
    """)
    assert found == [
        "3:19: there is no variable 'countri'; did you mean 'country'? (for the case at a.eval.yaml:5)",
        "3:19: there is no variable 'countri'; there are x (for the case at a.eval.yaml:10)",
        "7:5: there is no variable 'nowhere'; there are country (line 2 of the text)",
        "10:27: there is no filter 'uper'; did you mean 'upper'?",
        "11:13: vars must be a mapping, not a list",
    ]


def test_a_wrong_default_is_told_of_the_first_cases_alone(read):
    cases = "".join(f"  - {{id: c{n}, input: q, vars: {{n{n}: 1}}}}\n" for n in range(50))
    text = "target: echo\ndefaults: {criteria: [contains: '{{ missing }}'], prompt: '{{ input }} {{ gone }}'}\ncases:\n"
    assert len(read.wrong(text + cases)) == 6


def test_what_a_filled_value_is_read_as_is_checked(read):
    problem = only(read.wrong_case("vars: {x: high}\ncriteria: [own: {weight: '{{ x }}'}]"))
    assert problem == "5:20: weight must be a number of at least 0, not the text 'high'"


def test_a_text_that_is_cut_off_is_told_of_and_not_filled(read):
    assert "the text ends at ' #'" in only(read.wrong_case("vars: {x: 1}\nname: about {{ x }} #12"))


def test_every_templated_key_is_documented(read):
    from .conftest import PAGE

    section = PAGE.partition("## Templates\n")[2].partition("\n## ")[0]
    assert [key for key in TEMPLATED if f"`{key}`" not in section] == []


def test_many_cases_of_one_template_are_read_fast(read):
    number = 2_000
    cases = "".join(f"  - {{id: c{n}, vars: {{q: 'question {n}', a: answer {n}}}}}\n" for n in range(number))
    head = "target: echo\ndefaults: {prompt: 'Q: {{ q }} A:', criteria: [contains: '{{ a }}']}\ncases:\n"
    started = time.process_time()
    suite = read(head + cases)
    assert suite.cases[-1].input == f"Q: question {number - 1} A:"
    assert time.process_time() - started < number * 0.002  # measured: 0.2 ms a case
