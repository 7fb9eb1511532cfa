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
