"""Variants of a suite: their ids, values and targets."""

from __future__ import annotations

import pytest

from .conftest import only

CASES = "\ncases: [{id: a, input: q, criteria: [own]}]\n"


def variants(read, written, target="target: echo\n"):
    return read(target + written + CASES).variants


def test_a_suite_without_variants_has_none(read):
    assert variants(read, "") == ()


def test_a_variant_has_an_id_and_values_and_the_target_of_the_suite(read):
    small, large = variants(read, "variants: [{id: small, words: 2, lang: no}, {id: large}]")
    assert (small.id, small.values, str(small.target)) == ("small", {"words": 2, "lang": "no"}, "echo")
    assert small.given() == {"id": "small", "words": 2, "lang": "no"}
    assert large.given() == {"id": "large"}


@pytest.mark.parametrize(
    ("written", "made"),
    [
        ("{temperature: 0}", "temperature-0"),
        ("{temperature: 0.50}", "temperature-0.50"),
        ("{lang: en, upper: true}", "en-upper-true"),
        ("{version: '2'}", "2"),
        ("{seed: ~}", "seed-none"),
        ("{model: anthropic/claude-haiku-5-5}", "anthropic/claude-haiku-5-5"),
        ("{style: 'short answers'}", "short answers"),
    ],
)
def test_an_id_is_made_of_the_values(read, written, made):
    (variant,) = variants(read, f"variants: [{written}]")
    assert variant.id == made


def test_a_prompt_in_a_file_gives_the_name_of_the_file(read, tmp_path):
    (tmp_path / "prompts").mkdir()
    for name in ("short", "long"):
        (tmp_path / "prompts" / f"{name}.txt").write_text(f"{name}: {{{{ input }}}}")
    made = variants(read, "matrix: {prompt: [{file: prompts/short.txt}, {file: prompts/long.txt}]}")
    assert [(variant.id, variant.inputs, variant.values) for variant in made] == [
        ("short", {"a": "short: q"}, {}),
        ("long", {"a": "long: q"}, {}),
    ]


def test_a_matrix_makes_every_combination_the_last_key_fastest(read):
    made = variants(read, "matrix: {lang: [en, de], words: [2, 6]}")
    assert [variant.id for variant in made] == ["en-words-2", "en-words-6", "de-words-2", "de-words-6"]
    assert made[1].values == {"lang": "en", "words": 6}


def test_every_variant_is_combined_with_the_whole_matrix(read):
    made = variants(read, "variants: [{id: plain}, {id: loud, upper: true}]\nmatrix: {words: [2, 6]}")
    assert [variant.id for variant in made] == ["plain-words-2", "plain-words-6", "loud-words-2", "loud-words-6"]
    assert made[3].values == {"upper": True, "words": 6}


def test_a_variant_can_have_another_target(read, tmp_path):
    (tmp_path / "old.jsonl").write_text('{"id": "a", "output": "x"}\n')
    old, new = variants(read, "variants: [{id: old, target: {responses: old.jsonl}}, {id: new}]")
    assert (old.target.kind, old.target.value, new.target.kind) == ("responses", "old.jsonl", "echo")
    assert old.values == {}


def test_a_suite_whose_variants_all_name_a_target_needs_none(read):
    suite = read("variants: [{id: a, target: echo}, {id: b, target: {fixture: bot}}]" + CASES)
    assert (suite.target.kind, [variant.target.kind for variant in suite.variants]) == ("echo", ["echo", "fixture"])


def test_a_variant_changes_keys_of_a_model_target(read):
    hot, other = variants(
        read,
        "variants: [{id: hot, temperature: 1}, {model: openai/y}]",
        "target: {model: anthropic/x, temperature: 0, max_tokens: 50}\n",
    )
    assert (hot.target.kind, hot.target.options.name) == ("model", "anthropic/x")
    assert (hot.target.options.temperature, hot.target.options.max_tokens) == (1, 50)
    assert (other.target.options.name, other.target.options.temperature) == ("openai/y", 0)


def test_a_model_makes_a_target_where_the_suite_has_none(read):
    suite = read("matrix: {model: [anthropic/x, openai/y], temperature: [0]}" + CASES)
    assert [str(variant.target) for variant in suite.variants] == ["anthropic/x", "openai/y"]
    assert suite.variants[0].target.options.temperature == 0


def test_a_model_is_a_value_where_the_target_is_an_application(read):
    (variant,) = variants(read, "variants: [{id: a, model: anthropic/x, temperature: 0}]")
    assert (variant.target.kind, variant.values) == ("echo", {"model": "anthropic/x", "temperature": 0})


def test_environment_variables_are_inserted_in_values(read, monkeypatch):
    monkeypatch.setenv("BOT_REGION", "eu")
    (variant,) = variants(read, "variants: [{id: a, region: '${BOT_REGION}', urls: ['http://${HOST_OF:-here}']}]")
    assert variant.values == {"region": "eu", "urls": ["http://here"]}
    assert "the environment variable NOWHERE is not set" in only(
        read.wrong("target: echo\nvariants: [{id: a, region: '${NOWHERE}'}]" + CASES)
    )


def test_a_request_can_insert_what_every_variant_has(read):
    target = "target: {http: {url: 'http://x/{{ input }}', body: {m: '{{ variant.model }}', v: '{{ variant.id }}'}}}\n"
    assert len(variants(read, "matrix: {model: [a, b]}", target)) == 2
    missing = target + "variants: [{id: a, model: x}, {id: b}]" + CASES
    assert "there is no {{ variant.model }} to insert; did you mean 'variant.id'?" in only(read.wrong(missing))
    assert all("there is no {{ variant." in problem for problem in read.wrong(target + CASES))


def test_a_request_that_inserts_the_variant_alone_is_the_same_for_every_case(read):
    problems = read.wrong("target: {http: {url: 'http://x/{{ variant.id }}'}}\nvariants: [{id: a}]" + CASES)
    assert "every case would send the same request" in only(problems)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("variants: []", "2:1: variants is empty; write variants:"),
        ("variants:", "variants is empty"),
        ("variants: {small: {}}", "variants must be a list, not a mapping"),
        ("variants: [small]", "2:12: a variant is a mapping with an 'id' and what it changes, not the text 'small'"),
        ("variants: [{}]", "a variant is a mapping with an 'id' and what it changes, not an empty mapping"),
        ("variants: [{id: ''}]", "2:13: id is blank; give one"),
        ("variants: [{id: [a]}]", "id must be text, not a list"),
        ("variants: [{id: a}, {id: a}]", "2:22: duplicate id 'a', which a variant in the same line has; change one"),
        ("variants:\n  - {id: a}\n  - {id: a}", "4:6: duplicate id 'a', which a variant in line 3 has; change one"),
        ("matrix: {words: [1, 1]}", "duplicate id 'words-1'"),
        ("variants: [{id: 'a[b'}]", "the id 'a[b' holds '::', '[', ']' or '\\'"),
        ("variants: [{id: 'a::b'}]", "the id 'a::b' holds '::'"),
        ("variants: [{id: größe}]", "the id 'größe' holds characters beyond printable ASCII"),
        ("variants: [{lang: größe}]", "the id 'größe' holds characters beyond printable ASCII"),
        (f"variants: [{{id: {'a' * 101}}}]", "is longer than 100 characters"),
        ("variants: [{stop: [a]}]", "2:13: no id can be made of 'stop'; give the variant an 'id'"),
        ("variants: [{prompt: 'Say {{ input }}'}]", "no id can be made of 'prompt'; give the variant an 'id'"),
        ("matrix: {}", "matrix must be a mapping of keys to lists of values, not an empty mapping"),
        ("matrix: [1]", "matrix must be a mapping of keys to lists of values, not a list"),
        ("matrix: {words: 2}", "2:10: 'words' of the matrix must be a list of values, not 2"),
        ("matrix: {words: []}", "'words' of the matrix must be a list of values, not an empty list"),
        ("matrix: {target: [echo]}", "'target' cannot be a dimension of a matrix"),
        ("matrix: {stop: [[a]]}", "no id can be made of 'stop'; list the variants under 'variants'"),
        ("variants: [{id: a, words: 1}]\nmatrix: {words: [2]}", "2:20: 'words' is in the matrix too"),
        ("variants: [{id: a, target: {http: 1}}]", "http must be a mapping, not 1"),
        ("variants: [{id: a, target: nothing}]", "2:20: target 'nothing' is none that is known"),
    ],
)
def test_what_is_no_variant(read, written, said):
    assert said in only(read.wrong("target: echo\n" + written + CASES))


def test_a_key_that_a_model_does_not_have_is_a_mistake(read):
    problems = read.wrong("target: {model: anthropic/x}\nvariants: [{id: a, temprature: 1}]" + CASES)
    assert only(problems).startswith("2:20: unknown key 'temprature'; did you mean 'temperature'?")


def test_a_value_that_a_model_does_not_take_is_found_where_it_stands(read):
    problems = read.wrong("target: {model: anthropic/x}\nmatrix:\n  temperature: [0, 9]" + CASES)
    assert only(problems).startswith("3:20: temperature must be a number from 0 to 2, not 9")


def test_a_variant_without_any_target_is_a_mistake(read):
    problems = read.wrong("variants: [{id: a, target: echo}, {id: b}]" + CASES)
    assert only(problems).startswith("1:35: the variant names no target; give it a 'target' or a 'model'")


def test_a_prompt_that_every_variant_has_stands_for_the_input(read):
    suite = read(
        "target: echo\nvariants: [{id: a, prompt: 'Tell {{ context }}'}, {id: b, prompt: Hello}]\n"
        "cases: [{id: c, context: a joke, criteria: [own]}]\n"
    )
    assert [variant.of(suite.cases[0]).input for variant in suite.variants] == ["Tell a joke", "Hello"]


def test_a_gate_can_be_about_a_variant_that_exists(read):
    def listed(variant):
        gates = f"gates: ['pass_rate(variant={variant}) >= 50%']"
        return f"target: echo\nvariants: [{{id: small}}, {{id: large}}]\n{gates}{CASES}"

    assert read(listed("small")).gates[0].scope == (("variant", "small"),)
    assert "no variant is 'smal'; did you mean 'small'?" in only(read.wrong(listed("smal")))
    assert "no variant is 'x'; the variants are large, small" in only(read.wrong(listed("x")))
    assert "no variant is 'small'; the suite has no variants" in only(
        read.wrong("target: echo\ngates: [pass_rate(variant=small) >= 50%]" + CASES)
    )
