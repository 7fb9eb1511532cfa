"""Included files, evals.defaults.yaml of folders, and named sets of criteria."""

from __future__ import annotations

import textwrap

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.suite import read_suite

from .conftest import SPECS, explained

SUITE = "target: echo\ncases:\n- {id: a, input: x, criteria: [own]}\n"


@pytest.fixture
def files(tmp_path):
    """Writes files, reads the suite among them, and tells its problems or the suite."""

    def read(suite: str = "evals/a.eval.yaml", **written: str):
        for name, text in written.items():
            path = tmp_path / name.replace("__", "/").replace("_yaml", ".yaml").replace("_yml", ".yml")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text), encoding="utf-8")
        return read_suite(tmp_path / suite, specs=SPECS, shown=suite, top=tmp_path)

    def wrong(**written: str) -> list[str]:
        with pytest.raises(SuiteError) as raised:
            read(**written)
        return explained(raised.value)

    read.wrong = wrong  # type: ignore[attr-defined]
    return read


def names(case) -> list[str]:
    return [criterion.name for criterion in case.criteria]


def test_what_stands_nearer_to_the_case_is_stronger(files):
    suite = files(
        evals_defaults_yaml="",
        **{
            "evals.defaults_yaml": "defaults: {timeout: 1s, retries: 1, category: top, tags: [top], criteria: [top]}",
            "evals__evals.defaults_yaml": "defaults: {timeout: 2s, retries: 2, tags: [folder], vars: {a: 1, b: 1}}",
            "evals__one_yaml": "include: base.yaml\ndefaults: {timeout: 4s, tags: [one], criteria: [one]}",
            "evals__base_yaml": "defaults: {timeout: 3s, retries: 3, warn: 0.1, tags: [base]}",
            "evals__two_yaml": "defaults: {timeout: 5s, metadata: {m: 1, n: 1}}",
            "evals__a.eval_yaml": """
                target: echo
                include: [one.yaml, two.yaml]
                defaults: {threshold: 0.5, tags: [suite], metadata: {n: 2}, criteria: [suite], vars: {b: 2}}
                cases:
                  - {id: a, input: x}
                  - {id: b, input: x, timeout: 9s, criteria: [case]}
                  - {id: c, input: x, criteria: [case], inherit_criteria: false, category: ~}
            """,
        },
    )
    a, b, c = suite.cases
    assert (a.timeout_s, a.retries, a.category, a.warn, a.threshold) == (5.0, 3, "top", 0.1, 0.5)
    assert a.tags == ("top", "folder", "base", "one", "suite")
    assert (a.metadata, a.vars) == ({"m": 1, "n": 2}, {"a": 1, "b": 2})
    assert [names(case) for case in (a, b, c)] == [["top", "one", "suite"], ["top", "one", "suite", "case"], ["case"]]
    assert (b.timeout_s, c.category) == (9.0, None)


def test_it_is_known_where_a_value_comes_from(files):
    suite = files(
        **{
            "evals.defaults_yaml": "defaults: {retries: 1, tags: [top]}",
            "evals__one_yaml": "defaults: {timeout: 4s, tags: [one]}",
            "evals__a.eval_yaml": "include: one.yaml\n" + SUITE.replace("input: x", "input: x, category: c"),
        }
    )
    (case,) = suite.cases
    found = {key: suite.origin(case, key) for key in ("retries", "timeout", "tags", "category", "warn")}
    assert found == {
        "retries": "evals.defaults.yaml",
        "timeout": "evals/one.yaml",
        "tags": "evals.defaults.yaml, evals/one.yaml",
        "category": "case",
        "warn": "",
    }


def test_a_suite_can_drop_the_criteria_of_what_is_weaker(files):
    suite = files(
        **{
            "evals.defaults_yaml": "defaults: {criteria: [top]}",
            "evals__a.eval_yaml": "defaults: {criteria: [mine], inherit_criteria: false}\n" + SUITE,
        }
    )
    assert names(suite.cases[0]) == ["mine", "own"]


def test_defaults_of_folders_above_the_top_do_not_count(files, tmp_path):
    files(**{"evals.defaults_yaml": "defaults: {retries: 7}", "evals__a.eval_yaml": SUITE})
    path = tmp_path / "evals/a.eval.yaml"
    assert read_suite(path, specs=SPECS, top=tmp_path).cases[0].retries == 7
    assert read_suite(path, specs=SPECS, top=tmp_path / "evals").cases[0].retries == 1
    assert read_suite(path, specs=SPECS).cases[0].retries == 1
    assert read_suite(path, specs=SPECS, top=tmp_path / "elsewhere").cases[0].retries == 1


def test_a_file_that_is_included_twice_counts_once(files):
    suite = files(
        evals__base_yaml="defaults: {criteria: [base], retries: 0}",
        evals__one_yaml="include: base.yaml\ndefaults: {retries: 4}",
        evals__two_yaml="include: [./base.yaml]\ndefaults: {criteria: [two]}",
        **{"evals__a.eval_yaml": "include: [one.yaml, two.yaml, ../evals/one.yaml]\n" + SUITE},
    )
    assert (names(suite.cases[0]), suite.cases[0].retries) == (["base", "two", "own"], 4)


def test_sets_are_put_in_the_place_of_use(files):
    suite = files(
        evals__sets_yaml="""
            criteria_sets:
              polite: [not: {contains: stupid}, own: {name: tone}]
              all: [use: polite, {use: brief}]
              brief: [regex: short]
        """,
        **{
            "evals__a.eval_yaml": """
                include: sets.yaml
                target: echo
                criteria_sets: {brief: [length: {max: 9}]}
                defaults: {criteria: [use: brief]}
                cases:
                  - {id: a, input: x, criteria: [own, use: polite]}
                  - {id: b, input: x, criteria: [use: [all]], inherit_criteria: false}
                  - id: c
                    input: x
                    criteria: [any_of: [{use: all}, contains: y], {use: polite}]
            """,
        },
    )
    a, b, c = suite.cases
    assert names(a) == ["length", "own", "not_contains", "tone"]
    assert names(b) == ["not_contains", "tone", "length"]  # the suite's own set takes the place of the included one
    assert names(c) == ["length", "any_of", "not_contains", "tone"]
    assert [part.name for part in c.criteria[1].parts] == ["not_contains", "tone", "length", "contains"]
    assert a.criteria[2] is c.criteria[2]
    assert (a.criteria[2].place.path, a.criteria[2].place.line) == ("evals/sets.yaml", 3)


def test_a_set_may_be_a_template(files):
    suite = files(
        evals__sets_yaml="""
            criteria_sets:
              names: [contains: '{{ country }}']
              outer: [use: names, own]
        """,
        **{
            "evals__a.eval_yaml": """
                include: sets.yaml
                target: echo
                defaults: {criteria: [use: outer]}
                cases:
                  - {id: a, input: x, vars: {country: France}}
                  - {id: b, input: x, vars: {country: Spain}, criteria: [all_of: [{use: names}]]}
                  - {id: c, input: x}
            """,
        },
    )
    assert [case.criteria[0].options["expected"] for case in suite.cases] == ["France", "Spain", "{{ country }}"]
    assert suite.cases[1].criteria[2].parts[0].options == {"expected": "Spain"}


def test_paths_start_at_the_file_that_names_them(files, tmp_path):
    suite = files(
        common__prompts__p_yaml="'Q {{ input }}'",
        common__base_yaml="defaults: {prompt: {file: prompts/p.yaml}, criteria: [python: 'checks.py:good']}",
        **{"evals__a.eval_yaml": "include: ../common/base.yaml\n" + SUITE},
    )
    assert suite.cases[0].input == "Q x"
    assert suite.cases[0].criteria[0].base == tmp_path / "common"


def test_a_function_of_an_included_file_is_looked_for_beside_it(files, tmp_path):
    asked = []
    files(
        common__base_yaml="defaults: {criteria: [python: 'checks.py:good']}",
        **{"evals__a.eval_yaml": "include: ../common/base.yaml\n" + SUITE},
    )
    read_suite(
        tmp_path / "evals/a.eval.yaml", specs=SPECS, unknown_scorer=lambda name: asked.append(name) or "", top=tmp_path
    )
    assert f"python:{tmp_path}/common/checks.py:good" in asked


@pytest.mark.parametrize(
    ("written", "problems"),
    [
        ({"evals__a.eval_yaml": "include: {a: b}\n" + SUITE}, ["evals/a.eval.yaml:1:1: include must be a list of files, not a mapping; write include: [shared.yaml]"]),
        ({"evals__a.eval_yaml": "include: [~, [x]]\n" + SUITE}, ["evals/a.eval.yaml:1:11: an empty place in include; write include: [shared.yaml]", "evals/a.eval.yaml:1:14: each of include must be text, not a list"]),
        ({"evals__a.eval_yaml": "include: [a.eval.yaml]\n" + SUITE}, ["evals/a.eval.yaml:1:11: 'a.eval.yaml' includes itself: a.eval.yaml → a.eval.yaml; remove one of these"]),
        ({"evals__a.eval_yaml": "include: b.yaml\n" + SUITE, "evals__b_yaml": "include: c.yaml", "evals__c_yaml": "include: b.yaml"}, ["evals/c.yaml:1:1: 'b.yaml' includes itself: b.yaml → c.yaml → b.yaml; remove one of these"]),
        ({"evals__a.eval_yaml": "include: b.yaml\n" + SUITE, "evals__b_yaml": "- a"}, ["evals/b.yaml:1:1: a file of defaults has include, defaults, criteria_sets; this one is a list"]),
        ({"evals__a.eval_yaml": "include: b.yaml\n" + SUITE, "evals__b_yaml": "target: echo\ndefault: {}\nx-free: 1"}, ["evals/b.yaml:1:1: unknown key 'target'; a file that others include has include, defaults and criteria_sets alone", "evals/b.yaml:2:1: unknown key 'default'; did you mean 'defaults'?"]),
        ({"evals__a.eval_yaml": "include: b.yaml\n" + SUITE, "evals__b_yaml": "defaults: {timeot: 1}\ncriteria_sets: [a]"}, ["evals/b.yaml:1:12: unknown key 'timeot'; did you mean 'timeout'?", "evals/b.yaml:2:1: criteria_sets must be a mapping of names to lists of criteria, not a list"]),
        ({"evals__a.eval_yaml": "include: b.yaml\n" + SUITE, "evals__b_yaml": "a: [1"}, ["evals/b.yaml:1:4: cannot read on inside the '['"]),
        ({"evals__evals.defaults_yaml": "defaults: {}", "evals__evals.defaults_yml": "", "evals__a.eval_yaml": SUITE}, ["evals/a.eval.yaml:1:1: "]),
        ({"evals__evals.defaults_yaml": "defaults: {id: x}", "evals__a.eval_yaml": SUITE}, ["evals/evals.defaults.yaml:1:12: unknown key 'id'; every case has its own"]),
        ({"evals__a.eval_yaml": SUITE.replace("[own]", "[use: polit]") + "criteria_sets: {polite: [own]}"}, ["evals/a.eval.yaml:3:32: unknown criteria set 'polit'; did you mean 'polite'?"]),
        ({"evals__a.eval_yaml": SUITE.replace("[own]", "[use: polite]")}, ["evals/a.eval.yaml:3:32: unknown criteria set 'polite'; there are no criteria_sets"]),
        ({"evals__a.eval_yaml": SUITE.replace("[own]", "[{use: p, weight: 2}]") + "criteria_sets: {p: [own]}"}, ["evals/a.eval.yaml:3:41: unknown key 'weight'; 'use' stands alone: write '- use: NAME'"]),
        ({"evals__a.eval_yaml": SUITE + "criteria_sets: {p: [regex], q: [contains: '{{ x }}']}"}, ["evals/a.eval.yaml:4:21: regex needs the option 'pattern'"]),
        ({"evals__a.eval_yaml": SUITE.replace("[own]", "[not: {use: p}]") + "criteria_sets: {p: [own]}"}, ["evals/a.eval.yaml:3:37: 'use' stands in a list of criteria: write '[use: NAME]'"]),
        ({"evals__a.eval_yaml": SUITE.replace("[own]", "[not: [use: p]]") + "criteria_sets: {p: [own, contains: x]}"}, ["evals/a.eval.yaml:3:32: 'not' takes one criterion; "]),
        ({"evals__a.eval_yaml": SUITE.replace("[own]", "[use: p]") + "criteria_sets: {p: [use: q], q: [use: p]}"}, ["evals/a.eval.yaml:4:34: the criteria set 'p' uses itself"]),
        ({"evals__a.eval_yaml": SUITE.replace("[own]", "[use: p]") + "criteria_sets: {p: [], q: own}"}, ["evals/a.eval.yaml:4:17: the criteria set 'p' must be a list of criteria, not an empty list", "evals/a.eval.yaml:4:24: the criteria set 'q' must be a list of criteria, not the text 'own'"]),
        ({"evals__a.eval_yaml": SUITE.replace("[own]", "[own, use: p]") + "criteria_sets: {p: [own]}"}, ["evals/a.eval.yaml:4:21: criterion 'own' is there already (in line 3); give one of them another 'name'"]),
        ({"evals__a.eval_yaml": SUITE.replace("[own]", "[use: [p, p]]") + "criteria_sets: {p: [own]}"}, ["evals/a.eval.yaml:4:21: criterion 'own' comes twice from evals/a.eval.yaml:4; use its set once"]),
        ({"evals__a.eval_yaml": "include: b.yaml\n" + SUITE, "evals__b_yaml": "defaults: {criteria: [own]}"}, ["evals/a.eval.yaml:4:32: criterion 'own' is there already (at evals/b.yaml:1)"]),
    ],
)  # fmt: skip
def test_mistakes(files, written, problems):
    found = files.wrong(**written)
    assert len(found) == len(problems), found
    for line, start in zip(found, problems, strict=True):
        assert line.startswith(start)


def test_a_missing_file_is_told_with_the_path_that_was_looked_for(files, tmp_path):
    (problem,) = files.wrong(**{"evals__a.eval_yaml": "include: [x/../nope.yaml]\n" + SUITE})
    assert (
        problem
        == f"evals/a.eval.yaml:1:11: there is no file {tmp_path}/evals/nope.yaml; paths start at the folder of the file"
    )


def test_a_shared_file_may_have_a_byte_order_mark(files, tmp_path):
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals/b.yaml").write_bytes("\ufeffdefaults: {category: größe}\r\n".encode())
    assert files(**{"evals__a.eval_yaml": "include: b.yaml\n" + SUITE}).cases[0].category == "größe"
