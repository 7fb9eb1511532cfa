"""Texts with places for values: what they render to, what is refused, and that nothing in them grows or runs."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_evals.errors import UsageError
from pytest_evals.suite.filters import FILTERS, MAX_LENGTH
from pytest_evals.suite.templates import TemplateMistakes, render, template

VALUES = {
    "question": "Where is {it}?",
    "name": "Ann",
    "order": {"id": 0, "gift": False, "items": ["a", "b"], "note": None},
    "people": [{"name": "Ann", "age": 3}, {"name": "Bo", "age": 5}],
    "n": 7,
    "half": 0.5,
    "empty": "",
    "none": None,
    "result": "a result",  # what the compiled template calls its own value
    "none_of": [],
}


def wrong(source: str) -> list[tuple[int, str]]:
    with pytest.raises(TemplateMistakes) as raised:
        template(source).render(VALUES)
    return raised.value.found


def test_braces_percent_signs_and_what_is_inserted_stay_as_they_are():  # T01
    source = 'Answer as {"city": "", "ok": {"deep": {}}} only. Question: {{ question }} 100% sure?'
    assert render(source, VALUES) == (
        'Answer as {"city": "", "ok": {"deep": {}}} only. Question: Where is {it}? 100% sure?'
    )


def test_what_is_inserted_is_not_looked_at_again():
    values = {"a": "{{ b }}", "b": "{{ a }} {% if x %}"}
    assert render("{{ a }} and {{ b }}", values) == "{{ b }} and {{ a }} {% if x %}"


def test_a_name_that_does_not_exist_is_never_an_empty_text():  # T03
    source = "Dear {{ nmae }}, your order {{ order.id }} is late."
    assert wrong(source) == [(5, "there is no variable 'nmae'; did you mean 'name'?")]
    assert render("order {{ order.id }}, gift {{ order.gift }}", VALUES) == "order 0, gift false"


@pytest.mark.parametrize(
    ("source", "rendered"),
    [
        ("", ""),
        ("no place", "no place"),
        ("a\r\nb {{ name }}\r\n", "a\r\nb Ann\r\n"),
        ("{{ name }}{{name}}", "AnnAnn"),
        ("a {{- name -}} b", "aAnnb"),
        ("{{ -n }}", "-7"),
        ("{{ '{{' }} {{ '}}' }}", "{{ }}"),
        ("{{ order }}", '{"id": 0, "gift": false, "items": ["a", "b"], "note": null}'),
        ("{{ order.items }}", '["a", "b"]'),
        ("{{ order['id'] }}{{ order.items[1] }}{{ name[0] }}{{ name[1:] }}", "0bAnn"),
        ('{{ {"a": {"b": 1}}.a.b }}', "1"),
        ('{{ {"a": {"b": 1}}}}', '{"a": {"b": 1}}'),
        ("{{ 'yes' if order.gift else 'no' }}", "no"),
        ("{{ n + 1 }} {{ n // 2 }} {{ n % 4 }} {{ n * half }} {{ n - 1.5 }} {{ 1 / 4 }}", "8 3 3 3.5 5.5 0.25"),
        ("{{ name ~ order.gift ~ n ~ none }}", "Annfalse7"),
        ("{{ name + '!' }}", "Ann!"),
        ("{{ (order.items + ['c']) | join('-') }}", "a-b-c"),
        ("{{ missing | default('-') }} {{ empty | d('?', true) }} {{ none | default('x', true) }}", "- ? x"),
        (
            "{{ missing is defined }} {{ n is odd }} {{ 'a' in order.items }} {{ n > 3 and not order.gift }}",
            "false true true true",
        ),
        ("{{ people | map('name') | join(', ') }}", "Ann, Bo"),
        ("{{ people | map(attribute='age') | max }}", "5"),
        ("{{ [3, 1, 3] | unique | sort | tojson }}", "[1, 3]"),
        ("{{ '12' | int + 1 }} {{ '1.5' | float }} {{ 2.567 | round(1) }} {{ 2.5 | round }}", "13 1.5 2.6 2"),
        ("{{ ' a ' | trim | upper }}{{ 'bC' | capitalize }}{{ 'x y' | title }}{{ name | lower }}", "ABcX Yann"),
        ("{{ 'a\nb' | indent(2) }}", "a\n  b"),
        ("{{ 'aXa' | replace('X', '-') }}{{ 'ab' | reverse }}{{ order.items | first }}{{ 'xyz' | last }}", "a-abaaz"),
        (
            "{{ name | length }} {{ people | count }} {{ -3 | abs }} {{ [2, 1] | min }} {{ half | string }}",
            "3 2 3 1 0.5",
        ),
        ("{{ 'ä\"<' | tojson }}", '"ä\\"<"'),
        ("{{ result }} {{ name }}", "a result Ann"),
        ("{% not jinja %} {%} {# half", "{% not jinja %} {%} {# half"),
    ],
)
def test_what_a_template_renders_to(source, rendered):
    assert render(source, VALUES) == rendered


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{{ name", "a '{{' that no '}}' closes; for two braces in the text write {{ '{{' }}"),
        ("{{ 'x }}", "a '{{' that no '}}' closes; for two braces in the text write {{ '{{' }}"),
        ("{{ }}", "nothing stands between '{{' and '}}'; name a variable"),
        ('{{"a": 1}}', "this is not understood: expected token"),
        ("{{ 1 2 }}", "this is not understood: expected token"),
        ("{{ a = 1 }}", "this is not understood"),
        ("{{ name() }}", "a template calls nothing; use a filter, such as {{ name | upper }}"),
        ("{{ name.upper() }}", "a template calls nothing"),
        ("{{ range(10**9) }}", "a template calls nothing"),
        ("{{ name | uper }}", "there is no filter 'uper'; did you mean 'upper'?"),
        ("{{ name | pprint }}", "there is no filter 'pprint'; "),
        ("{{ name is defind }}", "there is no test 'defind'; did you mean 'defined'?"),
        ("{{ name is callable }}", "there is no test 'callable'; there are defined, "),
        ("{{ self }}", "'self' cannot be the name of a variable; write vars['self']"),
        ("{{ none }}", "the value is blank (null); give one, or write {{ … | default('…', true) }}"),
        ("{{ order.note }}", "the value is blank (null)"),
        ("{{ name if order.id }}", "this 'if' has no 'else'"),
        ("{{ 1 / 0 }}", "this divides by 0"),
        ("{{ 1e308 * 10 }}", "this is not a number that JSON can hold"),
        ("{{ name + 1 }}", "'+' is for numbers; texts are joined with '~'"),
        ("{{ true + 1 }}", "'+' is for numbers; texts are joined with '~'"),
        ("{{ order.giftt }}", "the mapping has no key 'giftt'; did you mean 'gift'?"),
        ("{{ order.zzzz }}", "the mapping has no key 'zzzz'; it has id, gift, items, note"),
        ("{{ order.items[2] }}", "there is no item 2: there are 2"),
        ("{{ name.first }}", "a text has no 'first'"),
        ("{{ order.items.first }}", "a list has no 'first'"),
        ("{{ n.x }}", "7 has no 'x'"),
        ("{{ missing.key }}", "there is no variable 'missing'"),
        ("{{ missing + 1 }}", "there is no variable 'missing'"),
        ("{{ [name, missing] }}", "there is no variable 'missing'"),
        ("{{ missing ~ 'a' }}", "there is no variable 'missing'"),
        ("{{ 'abc' | int }}", "'abc' is no whole number"),
        ("{{ order | int }}", "is no whole number"),
        ("{{ 'nan' | float }}", "'nan' is no number"),
        ("{{ n | upper }}", "text is wanted here, not 7"),
        ("{{ name | join }}", "a list is wanted here, not a text"),
        ("{{ name | abs }}", "a number is wanted here, not a text"),
        ("{{ none_of | first }}", "there is no first of an empty value"),
        ("{{ none_of | max }}", "an empty list has no least and no greatest"),
        ("{{ people | map('nope') }}", "not every part of the list has the key 'nope'"),
        ("{{ people | map }}", "attribute"),
        ("{{ [1, 'a'] | sort }}", "'<' not supported"),
        ("{% if name %}x{% endif %}", "'{% if %}' is not read; a template inserts with {{ … }}; "),
        ("{%- for x in people %}{{ x }}{% endfor %}", "'{% for %}' is not read; "),
        ("{{ name }} {# a comment #}", "'{# … #}' is no comment here; "),
    ],
)
def test_what_is_refused(source, message):
    assert message in wrong(source)[0][1]


@pytest.mark.parametrize(
    "source",
    [
        "{{ ''.__class__ }}",
        "{{ ''['__class__'] }}",
        "{{ order.__class__.__mro__ }}",
        "{{ name.format }}",
        "{{ order.keys }}",
        "{{ people.append }}",
        "{{ cycler }}",
        "{{ lipsum }}",
        "{{ dict }}",
        "{{ namespace }}",
        "{{ ''|attr('__class__') }}",
        "{{ people|map('__class__') }}",
        "{{ config }}",
    ],
)
def test_no_object_of_python_can_be_reached(source):
    assert wrong(source)


@pytest.mark.parametrize(
    "source",
    [
        "{{ 'a' * 10**9 }}",
        "{{ 'a' * 1000000000 }}",
        "{{ 10 ** 10 ** 10 }}",
        "{{ [0] * 1000000000 }}",
        "{{ '%1000000000d' % 1 }}",
        "{{ " + " * ".join(["9" * 60] * 30) + " }}",
        "{{ name | center(1000000000) }}",
        "{{ name | indent(1000000000) }}",
        "{{ 'a\n' | indent(-1) }}",
        "{{ 5 | round(-1000000000) }}",
        "{{ big | replace('', big) }}",
        "{{ [big, big, big] | join(big) }}",
        "{{ quotes" + " | tojson" * 60 + " }}",
        "{{ [" + ", ".join(["mapping"] * 150) + "] | join }}",
        "{{ [" + ", ".join(["mapping"] * 150) + "] | unique | count }}",
        "{{ [" + ", ".join(["mapping"] * 150) + "] | sort | first }}",
        "{{ big ~ big ~ big ~ big ~ big ~ big }}",
        "{{ [[big, big, big], [big, big, big]] }}",
        "{{ big }}{{ big }}{{ big }}{{ big }}{{ big }}{{ big }}",
        "{{ " + "(" * 900 + "1" + ")" * 900 + " }}",
        "{{ " + "not " * 450 + "1 }}",
        "{{ " + "a" * 3000 + " }}",
    ],
)
def test_a_template_that_grows_without_bounds_is_refused_at_once(source):
    values = {"name": "Ann", "big": "x" * 2_000_000, "mapping": {"big": "x" * 2_000_000}, "quotes": '"' * 10}
    started = time.process_time()
    with pytest.raises(UsageError) as raised:
        render(source, values)
    assert "\n" not in str(raised.value)
    assert time.process_time() - started < 5


def test_a_value_that_repeats_a_long_one_is_refused():
    with pytest.raises(TemplateMistakes, match="longer than"):
        template("{{ [" + "long, " * 20 + "] }}").value({"long": "x" * 1_000_000})


def test_a_long_text_is_no_mistake():
    text = "x" * (MAX_LENGTH - 1)
    assert render("{{ text }}", {"text": text}) == text


def test_every_mistake_is_told_with_its_offset():
    assert [at for at, _ in wrong("a {{ x }} b {{ name }} c {{ y.z }}")] == [2, 25]


def test_all_mistakes_of_a_text_are_one_line_where_there_is_no_file():
    with pytest.raises(UsageError, match=r"^there is no variable 'x'.*; there is no variable 'y'"):
        render("{{ x }} {{ y }}", {})


def test_nothing_but_a_place_is_the_value_itself():
    for source, value in {
        "{{ n }}": 7,
        "{{ order.gift }}": False,
        "{{ none }}": None,
        "{{ people }}": VALUES["people"],
        "{{ n }} ": "7 ",
    }.items():
        found = template(source).value(VALUES)
        assert (found, type(found)) == (value, type(value))


def test_values_are_not_changed_by_what_is_computed():
    before = repr(VALUES)
    template("{{ (order.items + ['c']) | reverse | join }}{{ people | map('age') | sort }}").render(VALUES)
    assert repr(VALUES) == before


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_a_value_is_inserted_as_it_is(value):
    found = template("{{ value }}").value({"value": value})
    assert found == value
    assert type(found) is type(value)


@given(st.text("{}%#'\"ab |~+-*/()[].,:\n", max_size=40))
def test_whatever_stands_there_it_is_rendered_or_refused(source):
    found: list[tuple[int, str]] = []
    try:
        assert isinstance(template(source).render({"a": "1", "b": {"a": 2}}), str)
    except TemplateMistakes as mistakes:
        found = mistakes.found
    assert all("\n" not in message and 0 <= at <= len(source) for at, message in found)


@pytest.mark.parametrize("name", sorted(FILTERS))
@settings(max_examples=25)
@given(value=json_values)
def test_a_filter_gives_a_value_or_a_reason(name, value):
    found: list[tuple[int, str]] = []
    try:
        template(f"{{{{ value | {name} }}}}").value({"value": value})
    except TemplateMistakes as mistakes:
        found = mistakes.found
    assert all(message and "\n" not in message for _, message in found)


def test_a_suite_without_templates_is_read_without_jinja(tmp_path):
    (tmp_path / "a.eval.yaml").write_text(
        "target: echo\ndefaults: {vars: {x: 1}, prompt: '{ input }'}\ncases: [{input: ~, criteria: [own]}]\n"
    )
    code = (
        "import sys\nfrom pathlib import Path\nfrom pytest_evals.suite import read_suite\n"
        "read_suite(Path('a.eval.yaml'), specs={})\nassert 'jinja2' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=tmp_path)


def test_jinja_is_loaded_with_the_first_place_alone():
    code = (
        "import sys\nfrom pytest_evals.suite.templates import render\nrender('a { b }', {})\n"
        "assert 'jinja2' not in sys.modules\nrender('{{ a }}', {'a': 1})\nassert 'jinja2' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
