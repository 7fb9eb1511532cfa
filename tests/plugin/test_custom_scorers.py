"""Scorers of a project's own, from conftests at any level and from installed plugins: new ones, overridden ones."""

from __future__ import annotations

import os

import pytest
from projects import Project

CASE = "  - {{id: {id}, input: {input!r}, expected_output: ok, criteria: [{criterion}]}}\n"


def suite(*cases, name=None):
    head = f"suite: {name}\n" if name else ""
    lines = "".join(CASE.format(id=i, input=question, criterion=criterion) for i, question, criterion in cases)
    return f"{head}target: echo\ncases:\n{lines}"


def scores(ran):
    return {case["id"]: case["criteria"][0]["score"] for case in ran.report["cases"]}


SCORERS = """
import asyncio, pytest
from pytest_evals import Score

@pytest.fixture
def plain_scorer():
    def score(actual, expected): return Score(len(expected) / len(actual), "by length", {"n": len(actual)})
    return score

@pytest.fixture(scope="session")
def later_scorer():
    async def score(actual):
        await asyncio.sleep(0.01)
        return actual == "ok"
    return score

@pytest.fixture(scope="module")
def object_scorer():
    class Scorer:
        def __call__(self, *, case, response, references, options):
            return case.id == "object" and response.output == "ok" and references == () and options == {}
    return Scorer()

@pytest.fixture
def async_object_scorer():
    class Scorer:
        async def __call__(self, actual): return 0.75
    return Scorer()

@pytest.fixture
def all_scorer():
    def score(**given): return len(given) / 9
    return score

@pytest.fixture
def some_scorer():
    def score(actual, *rest, unit="m"): return 0.9
    return score

@pytest.fixture
def nothing_scorer(): return lambda: True

@pytest.fixture
def built_scorer(contains_scorer, tmp_path):
    def score(actual, expected): return contains_scorer(actual=actual, expected=expected, options={})
    return score
"""


def test_a_scorer_gets_what_its_signature_names_and_may_be_asynchronous(project):
    names = ("plain", "later", "object", "async_object", "all", "some", "nothing", "built")
    ran = project(
        {"conftest.py": SCORERS, "a.eval.yaml": suite(*((name, "ok", name) for name in names))}, "--strict-markers"
    )
    assert ran.status == 0, ran.out
    assert scores(ran) == {
        "plain": 1,
        "later": 1,
        "object": 1,
        "async_object": 0.75,
        "all": 1,
        "some": 0.9,
        "nothing": 1,
        "built": 1,
    }
    criterion = ran.case("plain")["criteria"][0]
    assert (criterion["reason"], criterion["detail"]) == ("by length", {"n": 2})
    assert (ran.case("later")["criteria"][0]["mark"], criterion["mark"]) == (1, 0.7)


LEVEL = """
import pytest
@pytest.fixture
def tone_scorer({asks}):
    {how} score(actual, expected, options):
        return {value}
    return score
"""


def level(value, how="def", asks=""):
    return LEVEL.format(value=value, how=how, asks=asks)


def test_a_conftest_of_any_level_adds_changes_and_extends_scorers(project):
    files = {
        "conftest.py": level(0.8),
        "evals/a.eval.yaml": suite(("top", "ok", "tone"), name="a"),
        "evals/inner/conftest.py": level(0.9, how="async def"),
        "evals/inner/b.eval.yaml": suite(("inner", "ok", "tone"), name="b"),
        "evals/inner/deep/conftest.py": level(
            "await tone_scorer(actual, expected, options) / 2 + 0.5", "async def", "tone_scorer"
        ),
        "evals/inner/deep/c.eval.yaml": suite(("deep", "ok", "tone"), name="c"),
        "other/d.eval.yaml": suite(("other", "ok", "tone"), name="d"),
    }
    ran = project(files)
    assert ran.status == 0, ran.out
    assert scores(ran) == {"top": 0.8, "inner": 0.9, "deep": 0.95, "other": 0.8}


def test_a_scorer_of_one_folder_is_not_there_in_another(project):
    files = {
        "one/conftest.py": level(1.0),
        "one/a.eval.yaml": suite(("here", "ok", "tone"), name="a"),
        "two/b.eval.yaml": suite(("there", "ok", "tone"), name="b"),
    }
    ran = project(files, "--continue-on-collection-errors")
    assert ran.status == 2
    assert "two/b.eval.yaml:4:" in ran.out
    assert "unknown criterion 'tone'" in ran.out
    assert ran.outcomes == {"here": "passed"}


STRICT = """
import pytest
@pytest.fixture
def contains_scorer(contains_scorer):
    def contains(actual, expected, options):
        return contains_scorer(actual=actual, expected=expected, options={**options, "case_sensitive": True})
    return contains
"""


def test_a_conftest_overrides_a_built_in_scorer_for_its_folder(project):
    files = {
        "loose/a.eval.yaml": suite(("loose", "OK", "contains"), name="a"),
        "strict/conftest.py": STRICT,
        "strict/b.eval.yaml": suite(("strict", "OK", "contains"), name="b"),
        "strict/test_b.py": "def test_b(evals): evals.check('ok', 'ok', criteria=['contains'])\n",
    }
    ran = project(files)
    assert ran.outcomes == {"loose": "passed", "strict": "failed", "test_b": "passed"}


def test_parts_of_combinations_are_overridden_too(project):
    criterion = "{not: {any_of: [{contains: OK}, tone]}}"
    files = {"conftest.py": STRICT + level(0.0), "a.eval.yaml": suite(("a", "ok", criterion))}
    assert project(files).outcomes == {"a": "passed"}


PLUGIN = (
    level(0.85)
    + """
@pytest.fixture
def contains_scorer(contains_scorer):
    async def contains(actual, expected, options):
        return not contains_scorer(actual=actual, expected=expected, options=options).value
    return contains

@pytest.fixture
def starts_with_scorer():
    return lambda: 0.75
"""
)

SHOP = {
    "site/shop_scorers.py": PLUGIN,
    "site/shop_scorers-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: shop-scorers\nVersion: 1.0\n",
    "site/shop_scorers-1.0.dist-info/entry_points.txt": "[pytest11]\nshop = shop_scorers\n",
    "a.eval.yaml": suite(("new", "ok", "tone"), ("changed", "no", "contains"), ("replaced", "", "starts_with"), name="a"),
    "own/conftest.py": level(0.95, asks="tone_scorer") + STRICT,
    "own/b.eval.yaml": suite(("own", "ok", "tone"), ("both", "OK", "contains"), name="b"),
    "pytest.ini": "[pytest]\n",
}  # fmt: skip


@pytest.mark.parametrize("how", ["installed", "-p"])
def test_an_installed_plugin_adds_and_overrides_scorers_and_conftests_override_it(project, monkeypatch, how):
    """Whichever of both plugins pytest loads first."""
    files = dict(SHOP)
    args = []
    if how == "-p":
        args = ["-p", "shop_scorers"]
        del files["site/shop_scorers-1.0.dist-info/entry_points.txt"]
    site = str(project.pytester.path / "site")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([site, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep))
    ran = project(files, *args, "-p", "no:randomly", subprocess=True, plugins=how == "installed")
    assert scores(ran) == {"new": 0.85, "changed": 1, "replaced": 0.75, "own": 0.95, "both": 1}, ran.out


@pytest.mark.parametrize(
    ("scorer", "said"),
    [
        ("lambda: 1 / 0", "scorer 'mine' raised ZeroDivisionError: division by zero"),
        ("lambda actual: actual", "scorer 'mine' returned str 'ok'; it must return a number from 0 to 1"),
        ("lambda: None", "scorer 'mine' returned NoneType None"),
        ("lambda: 7", "scorer 'mine' returned 7.0; a score lies between 0 and 1"),
        ("lambda anwser: 1", "a scorer asks for 'anwser'; a scorer can ask for actual, expected"),
        ("'a text'", "scorer 'mine' is a str, which cannot be called"),
    ],
)
def test_a_scorer_that_cannot_score_is_an_error_never_a_score(project, scorer, said):
    conftest = f"import pytest\n@pytest.fixture\ndef mine_scorer(): return {scorer}\n"
    ran = project({"conftest.py": conftest, "a.eval.yaml": suite(("a", "ok", "mine"), ("b", "ok", "contains"))})
    assert ran.outcomes == {"a": "errored", "b": "passed"}
    assert said in ran.case("a")["error"]["message"]
    assert ran.case("a")["error"]["kind"] == "scorer"
    assert ran.case("a")["score"] is None


def test_a_scorer_whose_fixture_fails_is_an_error_of_the_fixture(alone: Project):
    conftest = "import pytest\n@pytest.fixture\ndef mine_scorer(): raise OSError('no model')\n"
    ran = alone({"conftest.py": conftest, "a.eval.yaml": suite(("a", "ok", "mine"))})
    assert ran.case("a")["error"]["kind"] == "fixture"
    assert "no model" in ran.case("a")["error"]["message"]


def test_a_parametrised_scorer_makes_one_item_for_each(project):
    conftest = """
import pytest
@pytest.fixture(params=[0.7, 0.9], ids=["low", "high"])
def mark_scorer(request): return lambda: request.param
"""
    ran = project({"conftest.py": conftest, "a.eval.yaml": suite(("a", "ok", "mark"), ("b", "ok", "contains"))})
    assert {(c["id"], c["variant"]): c["score"] for c in ran.report["cases"]} == {
        ("a", "low"): 0.7,
        ("a", "high"): 0.9,
        ("b", ""): 1,
    }
