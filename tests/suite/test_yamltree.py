"""What YAML itself offers: duplicate keys, merge keys, anchors, tags, documents."""

from __future__ import annotations

import subprocess
import sys
from tempfile import TemporaryDirectory

import pytest

from pytest_evals.suite.tree import Map, Plain, Seq
from pytest_evals.suite.yamlparser import parser_for, pure_parser
from pytest_evals.suite.yamltree import MAX_DEPTH, build

from .conftest import only

CASES = "target: echo\ncases:\n"


# --- duplicate keys ---------------------------------------------------------------------------------------------------


def test_Y03_a_second_key_of_one_name_is_refused_with_both_lines(read):
    problem = only(
        read.wrong(
            """\
            target: echo
            cases:
              - id: refund
                input: first wording
                expected_output: yes please
                input: second wording
                criteria: [contains]
            """
        )
    )
    assert problem == "6:5: duplicate key 'input', which is also in line 4; remove one"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("target: echo\ntarget: echo\ncases: [{input: q, criteria: [own]}]\n", "2:1"),
        (CASES + "- {input: q, criteria: [own], metadata: {k: 1, 'k': 2}}\n", "3:48"),
        (CASES + "- {input: {a: 1, a: 1}, criteria: [own]}\n", "3:18"),
        (CASES + "- {input: q, criteria: [own: {weight: 1, weight: 2}]}\n", "3:42"),
        (CASES + "- input: q\n  criteria: [own]\n  expected_output:\n    1: a\n    1: b\n", "7:5"),
        ("x-free: {a: 1, a: 2}\ntarget: echo\ncases: [{input: q, criteria: [own]}]\n", "1:16"),
        (CASES + "- {input: q, criteria: [own: {}], metadata: {yes: 1, yes: 2}}\n", "3:54"),
    ],
)
def test_Y03_duplicates_are_found_everywhere(read, text, place):
    assert only(read.wrong(text)).startswith(f"{place}: duplicate key ")


def test_Y03_every_duplicate_is_reported(read):
    text = CASES + "- input: q\n  input: r\n  input: s\n  criteria: [own]\n  id: a\n  id: b\n"
    assert [problem.split(": ")[0] for problem in read.wrong(text)] == ["4:3", "5:3", "8:3"]


def test_Y03_merge_keys_are_legal_and_overridden_by_explicit_keys(read):
    suite = read(
        """\
        x-base: &base {threshold: 0.5, criteria: [levenshtein], expected_output: tracking}
        x-more: &more {threshold: 0.1, category: merged}
        target: echo
        cases:
          - {id: before, threshold: 0.9, <<: *base, input: q}
          - {id: after, <<: *base, threshold: 0.9, input: q}
          - {id: several, <<: [*base, *more], input: q}
          - id: block
            <<: *more
            <<: *base
            input: q
        """.replace("            <<: *more\n            <<: *base\n", "            <<: [*more, *base]\n")
    )
    before, after, several, block = suite.cases
    assert before.threshold == after.threshold == 0.9
    assert [criterion.scorer for criterion in before.criteria] == ["levenshtein"]
    assert (several.threshold, several.category) == (0.5, "merged")
    assert (block.threshold, block.category) == (0.1, "merged")


def test_Y03_merges_of_merges_and_in_any_mapping(read):
    suite = read(
        """\
        x-a: &a {one: 1, two: 1}
        x-b: &b {<<: *a, two: 2}
        target: echo
        cases:
          - {input: {<<: *b, three: 3}, metadata: {<<: {k: v}}, criteria: [own: {<<: *b}]}
        """
    )
    case = suite.cases[0]
    assert case.input == {"one": 1, "two": 2, "three": 3}
    assert case.metadata == {"k": "v"}
    assert case.criteria[0].options == {"one": 1, "two": 2}


def test_Y03_a_quoted_merge_key_is_a_key(read):
    assert read.case("metadata: {'<<': {k: v}}").metadata == {"<<": {"k": "v"}}


@pytest.mark.parametrize("merged", ["1", "text", "[1]", "[{a: 1}, b]", "~"])
def test_merging_what_is_no_mapping_is_refused(read, merged):
    assert "'<<' merges a mapping or a list of mappings" in only(read.wrong_case(f"metadata: {{<<: {merged}}}"))


def test_two_merge_keys_are_refused(read):
    assert "duplicate key '<<'" in only(read.wrong_case("metadata:\n  <<: {a: 1}\n  <<: {b: 1}"))


def test_a_mistake_in_what_is_merged_is_said_once_and_where_it_stands(read):
    text = "x-a: &a {criteria: [own], treshold: 1}\ntarget: echo\ncases:\n"
    text += "".join(f"- {{<<: *a, id: c{n}, input: q}}\n" for n in range(5))
    assert only(read.wrong(text)).startswith("1:27: unknown key 'treshold'; did you mean 'threshold'?")


# --- anchors and aliases ----------------------------------------------------------------------------------------------


def test_aliases_repeat_values(read):
    suite = read(
        """\
        x-long: &long A long context.
        x-criteria: &both [own, contains]
        target: echo
        defaults: {expected_output: &e yes}
        cases:
          - {input: *long, context: *long, criteria: *both, reference_outputs: [*e]}
          - {input: &q hello, criteria: *both}
          - {input: *q, criteria: *both, id: again}
        """
    )
    first, second, third = suite.cases
    assert first.input == first.context == "A long context."
    assert first.reference_outputs == ("yes",)
    assert second.input == third.input == "hello"
    assert [criterion.name for criterion in third.criteria] == ["own", "contains"]


@pytest.mark.parametrize(
    "line",
    [
        "id: *gone",
        "input: *gone",
        "criteria: *gone",
        "criteria: [*gone]",
        "criteria: [own: *gone]",
        "threshold: *gone",
        "criteria: [own: {weight: *gone}]",
        "tags: *gone",
        "tags: [*gone]",
        "timeout: *gone",
        "metadata: *gone",
        "skip: *gone",
        "criteria: [regex: *gone]",
        "criteria: [{scorer: *gone}]",
        "criteria: [all_of: *gone]",
        "criteria: [not: *gone]",
        "expected_tool_calls: [{name: *gone}]",
        "expected_output: *gone\ncriteria: [contains]",
        "inherit_criteria: *gone",
        "reference_outputs: [*gone]",
        "<<: *gone",
        "*gone : 1",
        "warn: *gone",
    ],
)
def test_a_value_that_could_not_be_had_is_one_mistake(read, line):
    assert "unknown anchor '*gone'" in only(read.wrong_case(line))


@pytest.mark.parametrize("key", ["suite", "description", "experiment", "target", "defaults", "gates", "cases"])
def test_a_key_of_the_file_that_could_not_be_had_is_one_mistake(read, key):
    values = {"target": "echo", "cases": "[{input: q, criteria: [own]}]", key: "*gone"}
    text = "".join(f"{name}: {value}\n" for name, value in values.items())
    assert "unknown anchor '*gone'" in only(read.wrong(text))


@pytest.mark.parametrize("text", ["*nobody", "[*nobody]", "{a: *nobody}"])
def test_an_unknown_anchor_is_named(read, text):
    assert "unknown anchor '*nobody'; define it with '&nobody'" in only(read.wrong_case(f"metadata: {{k: {text}}}"))


def test_an_anchor_used_before_its_definition_is_unknown(read):
    assert "unknown anchor '*a'" in only(read.wrong_case("metadata: {k: *a}\ncategory: &a x")[:1])


@pytest.mark.parametrize("value", ["&a [*a]", "&a {k: *a}", "&a [[1, {x: *a}]]", "&a {<<: *a}", "&a {k: &b [*a, 1]}"])
def test_an_anchor_that_contains_itself_is_refused(read, value):
    problems = read.wrong_case(f"input: {value}")
    assert any("'*a' stands inside what it repeats, '&a'; it would never end" in problem for problem in problems)


def test_an_anchor_defined_twice_is_refused(read):
    assert "anchor '&a' is defined twice" in only(read.wrong_case("metadata: {k: &a 1, l: &a 2, m: *a}"))


def test_an_unused_anchor_on_a_text_is_refused_since_it_may_be_the_text(read):
    assert only(read.wrong_case("input: &b rocks")).startswith("4:10: anchor '&b' is never used")
    assert read.wrong("x-a: &free text\n" + CASES + "- {input: q, criteria: [own]}\n") == []
    assert read.wrong_case("metadata: &whole {k: 1}") == []


BOMB = "x-a: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"x-{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize("use", ["input: *a11", "metadata: {k: *a9}", "criteria: *a8", "input: q"])
def test_an_alias_bomb_is_refused_at_once(read, use):
    text = BOMB + CASES + f"- {{id: a, {use}{'' if 'criteria' in use else ', criteria: [own]'}}}\n"
    assert any("aliases repeat more than 1,000,000 values" in problem for problem in read.wrong(text))


def test_a_merge_bomb_is_refused_at_once(read):
    keys = ", ".join(f"k{n}: 1" for n in range(2000))
    text = f"x-a: &a {{{keys}}}\n" + CASES + "- {id: a, input: q, criteria: [own], metadata: {<<: *a}}\n" * 600
    assert any("aliases repeat more than" in problem for problem in read.wrong(text))


def test_many_cases_may_share_a_lot(read):
    criteria = ", ".join(f"own: {{name: c{n}}}" for n in range(20))
    text = f"x-c: &c [{criteria}]\n" + CASES + "".join(f"- {{id: c{n}, input: q, criteria: *c}}\n" for n in range(3000))
    assert len(read(text).cases) == 3000


def test_aliases_do_not_nest_deeper_than_the_limit(read):
    chain = "x-0: &a0 [x]\n" + "".join(f"x-{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 3000))
    text = chain + CASES + "- {input: *a2999, criteria: [own]}\n"
    assert any("nested deeper than 60 levels" in problem for problem in read.wrong(text))


@pytest.mark.parametrize("depth", [MAX_DEPTH, 200, 990])
@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_deep_nesting_is_refused(read, depth, brackets):
    opening = "[" if brackets == "[]" else "{a: "
    text = "target: echo\ncases:\n- criteria: [own]\n  input: " + opening * depth + "x" + brackets[1] * depth + "\n"
    assert "nested deeper than 60 levels" in only(read.wrong(text))


def test_nesting_up_to_the_limit_is_read(read):
    case = read.case("input: " + "[" * 55 + "x" + "]" * 55)
    assert str(case.input).count("[") == 55


def test_absurd_nesting_is_refused_not_followed(read):
    assert only(read.wrong("target: echo\ncases: " + "[" * 100_000)).startswith("2:1")


# --- tags, documents, keys --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tag",
    ["!x", "!!python/object/apply:os.system", "!!str", "!!int", "!!binary", "!!set", "!", "!<tag:x,2024:y>", "!env"],
)
@pytest.mark.parametrize(
    "where", ["input: {} [a]", "input: {} text", "metadata: {{k: {} 1}}", "criteria: [own: {{k: {} x}}]"]
)
def test_yaml_tags_are_refused(read, tag, where):
    problems = read.wrong_case(where.format(tag))
    assert "YAML tags are not read" in only(problems)


def test_a_tag_of_the_root_is_refused_and_nothing_is_run(read, tmp_path):
    text = f"!!python/object/apply:os.system ['touch {tmp_path}/made']\n"
    assert any("'!!python/object/apply:os.system'" in problem for problem in read.wrong(text))
    assert not (tmp_path / "made").exists()


def test_several_documents_are_refused(read):
    good = CASES + "- {input: q, criteria: [own]}\n"
    assert only(read.wrong(good + "---\n" + good)).startswith("4:1: a second document starts here")
    assert read.wrong("---\n" + good + "...\n") == []
    assert read.wrong("%YAML 1.2\n---\n" + good) == []


@pytest.mark.parametrize("key", ["[a]", "{a: b}", "[]"])
def test_keys_that_are_no_text_are_refused(read, key):
    problems = read.wrong_case(f"metadata:\n  ? {key}\n  : 1")
    assert "a key must be text" in only(problems)


def test_a_template_in_braces_is_told_to_be_quoted(read):
    assert "quote a text that starts with '{' or '['" in only(read.wrong_case("context: {{ question }}"))


# --- the fallback -----------------------------------------------------------------------------------------------------

MANY = """\
# 😀 “ü” 東京
a: &a [1, 'two', "three", null, ~, {b: c}]   # said
b: {<<: {x: 1}, y: *a}
c: |
  text
  # no comment
d: Fix #12
? e
: >-
  folded
  text
ü: 😀 東京
"""


def spots(node):
    if isinstance(node, Map):
        return ("map", node.at, [(key, spot, spots(node[key])) for key, spot in zip(node, node.spots, strict=True)])
    if isinstance(node, Seq):
        return ("seq", node.at, [(spot, spots(part)) for part, spot in zip(node, node.spots, strict=True)])
    return (type(node).__name__, str(node))


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_the_parser_written_in_python_gives_the_same_tree(ends):
    text = MANY.replace("\n", ends)
    found: dict[str, list[tuple[int, str]]] = {"c": [], "python": []}
    c = build(text, lambda *problem: found["c"].append(problem), parser_for)
    python = build(text, lambda *problem: found["python"].append(problem), pure_parser)
    assert spots(c) == spots(python)
    assert found["c"] == found["python"]
    assert type(c["a"][0]) is Plain


def test_modules_that_are_forgotten_and_imported_again_read_on():
    # as pytest run inside a test does: modules written in C stay, with the classes they were first given
    script = """
import pathlib, sys
for turn in range(2):
    for name in [name for name in sys.modules if name.partition(".")[0] in ("yaml", "_yaml", "pytest_evals")]:
        del sys.modules[name]
    from pytest_evals.suite import read_suite
    from pytest_evals.errors import SuiteError
    for text in ("target: echo\\ncases: [{id: a, input: q, criteria: [own]}]\\n", "a: @b\\n", "a: [b\\n"):
        path = pathlib.Path(sys.argv[1], "a.eval.yaml")
        path.write_text(text)
        try:
            print(len(read_suite(path, specs={}).cases))
        except SuiteError as error:
            print(type(error).__name__)
"""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", script, folder]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.stdout.split() == ["1", "SuiteError", "SuiteError"] * 2, ran.stderr


def test_a_pyyaml_without_libyaml_will_do(tmp_path):
    (tmp_path / "a.eval.yaml").write_text("target: echo\ncases: [{id: ü, input: 12:30, criteria: [own]}]\n", "utf-8")
    script = """
import pathlib, sys
sys.modules["yaml._yaml"] = None
from pytest_evals.suite import read_suite
print(ascii(read_suite(pathlib.Path(sys.argv[1]), specs={}).cases[0].id))
"""
    command = [sys.executable, "-c", script, str(tmp_path / "a.eval.yaml")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.stdout.strip() == "'\\xfc'", ran.stderr


def test_the_tree_knows_where_things_stand():
    root = build(MANY, lambda *problem: None)
    assert MANY[root.spot("b") :].startswith("b: {<<")
    assert MANY[root["a"].spot(1) :].startswith("'two'")
    assert MANY[root["a"][5].at :].startswith("{b: c}")
    assert MANY[root["b"].spot("x") :].startswith("x: 1")
    assert MANY[root.spot("nowhere") :].startswith("a: &a")
