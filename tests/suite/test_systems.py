"""The system text of a model target, filled with the variables of each case."""

from __future__ import annotations

import pytest

from pytest_evals.suite.systems import system_of

from .conftest import only

SUITE = """\
target: {{model: anthropic/claude-haiku-5-5, system: '{system}'}}
cases:
- {{id: a, input: q, context: a fact, criteria: [own], vars: {{tone: calm}}}}
- {{id: b, input: q, criteria: [own]}}
"""


@pytest.mark.parametrize(
    ("system", "first", "second"),
    [
        ("Be {{ tone }}.", "Be calm.", "Be {{ tone }}."),
        ("Be {{ tone }}: {{ context }}", "Be calm: a fact", "Be {{ tone }}: {{ context }}"),
        ('Answer as {"a": {"b": 1}}', 'Answer as {"a": {"b": 1}}', 'Answer as {"a": {"b": 1}}'),
    ],
)
def test_it_is_a_template_where_the_case_has_variables(read, system, first, second):
    suite = read(SUITE.format(system=system))
    assert [system_of(suite.target.options.system, case) for case in suite.cases] == [first, second]


def test_its_mistakes_are_told_when_the_suite_is_read(read):
    found = read.wrong(SUITE.format(system="Be {{ tnoe }}."))
    assert only(found) == "1:45: there is no variable 'tnoe'; did you mean 'tone'? (for the case at a.eval.yaml:3)"


def test_the_system_of_a_variant_is_one_too(read):
    variants = "variants: [{id: x, system: 'Be {{ gone }}.'}, {id: y, system: 'Be {{ tone }}.'}]\n"
    found = read.wrong(variants + SUITE.format(system="Be {{ tone }}."))
    assert only(found).startswith("1:20: there is no variable 'gone'")


def test_a_model_is_told_the_rendered_system(read):
    from pytest_evals.engine.model import Models

    suite = read(SUITE.format(system="Be {{ tone }}."))
    asked = Models().target(suite.target.options).call.__self__
    assert [asked._request(case, trial=1).system for case in suite.cases] == ["Be calm.", "Be {{ tone }}."]


HTTP = """\
target: {{http: {{url: 'http://127.0.0.1:9/{{{{ vars.lang }}}}', body: {{q: '{{{{ input }}}}', user: '{{{{ vars.user }}}}'}}}}}}
cases:
- {{id: a, input: q, criteria: [own], vars: {{lang: en, user: {{id: 7}}}}}}
- {{id: b, input: q, criteria: [own], vars: {{{second}}}}}
"""


def test_a_request_can_insert_what_every_case_has(read):
    from pytest_evals.engine.target import given
    from pytest_evals.model.template import fill

    suite = read(HTTP.format(second="lang: de, user: me"))
    body = suite.target.options.body
    assert [fill(body, given(case, "s", {}))["user"] for case in suite.cases] == [{"id": 7}, "me"]


def test_a_case_without_what_the_target_inserts_is_a_mistake(read):
    found = read.wrong(HTTP.format(second="lang: de, usr: me"))
    assert only(found) == "4:3: the case has no variable for {{ vars.user }} of the target; did you mean 'usr'?"
    found = read.wrong(HTTP.format(second="lang: de"))
    assert only(found) == "4:3: the case has no variable for {{ vars.user }} of the target; add it to vars"


def test_an_argument_of_a_command_can_be_a_variable(read):
    text = "target: {command: [bot, '{{ vars.user }}']}\ncases:\n- {id: a, input: q, criteria: [own]}\n"
    assert "the case has no variable for {{ vars.user }}" in only(read.wrong(text))
    assert read(text.replace("input: q", "input: q, vars: {user: me}")).cases
