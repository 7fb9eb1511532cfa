"""Targets that fixtures give: of every scope, parametrised, asynchronous, overridden, failing."""

from __future__ import annotations

from collections import Counter

import pytest
from projects import Project


def suite(name, *ids, criterion="contains: hi", extra=""):
    cases = "".join(f"  - {{id: {i}, input: hi, criteria: [{{{criterion}}}]}}\n" for i in ids)
    return f"suite: {name}\ntarget: {{fixture: bot}}\n{extra}cases:\n{cases}"


MADE = """
import itertools, os, pytest
numbers = itertools.count()
@pytest.fixture(scope="{scope}")
def bot(request{asks}):
    key = f"{{os.getpid()}}-{{next(numbers)}}"
    log = open(request.config.rootpath / "log.txt", "a", buffering=1)
    log.write(f"made {{key}}\\n")
    yield lambda q: (log.write(f"asked {{key}}\\n"), f"hi from {{key}}")[1]
    log.write(f"gone {{key}}\\n")
    log.close()
"""

FILES = {
    "one/a.eval.yaml": suite("a", "a1", "a2"),
    "one/b.eval.yaml": suite("b", "b1", "b2"),
    "two/c.eval.yaml": suite("c", "c1", "c2"),
    "pytest.ini": "[pytest]\n",
}

EXPECTED = {
    "function": [{"a1"}, {"a2"}, {"b1"}, {"b2"}, {"c1"}, {"c2"}],
    "class": [{"a1"}, {"a2"}, {"b1"}, {"b2"}, {"c1"}, {"c2"}],
    "module": [{"a1", "a2"}, {"b1", "b2"}, {"c1", "c2"}],
    # once for the folder whose conftest defines it, as pytest has it
    "package": [{"a1", "a2", "b1", "b2", "c1", "c2"}],
    "session": [{"a1", "a2", "b1", "b2", "c1", "c2"}],
}


@pytest.mark.parametrize("scope", EXPECTED)
def test_a_target_is_made_once_in_its_scope_and_outlives_its_calls(project, scope):
    asks = ", tmp_path, monkeypatch, capsys" if scope == "function" else ""
    ran = project({**FILES, "conftest.py": MADE.format(scope=scope, asks=asks)})
    assert set(ran.outcomes.values()) == {"passed"}, ran.out
    groups: dict[str, set[str]] = {}
    for case in ran.report["cases"]:
        groups.setdefault(case["output"], set()).add(case["id"])
    by_worker = "-n2" in project.args
    if by_worker:  # each worker makes its own: no two scopes share one, all the same
        assert all(any(group <= scope_cases for scope_cases in EXPECTED[scope]) for group in groups.values())
    else:
        assert sorted(map(sorted, groups.values())) == sorted(map(sorted, EXPECTED[scope]))
    events = [line.split() for line in (ran.path / "log.txt").read_text().splitlines()]
    assert Counter(what for what, _ in events) == {"made": len(groups), "gone": len(groups), "asked": 6}
    for key in {key for _, key in events}:
        own = [what for what, other in events if other == key]
        assert (own[0], own[-1]) == ("made", "gone")
        assert set(own[1:-1]) == {"asked"}


PARAMS = """
import pytest
@pytest.fixture(scope="{scope}", params=[
    "small", pytest.param("large", id="LARGE", marks=pytest.mark.filterwarnings("default")),
    pytest.param("gone", marks=pytest.mark.skip(reason="not hosted any more")),
])
def model(request): return request.param
@pytest.fixture(scope="{scope}")
def bot(model): return lambda q: f"hi from {{model}}"
"""


@pytest.mark.parametrize("scope", ["function", "module", "session"])
def test_parameters_of_a_target_make_one_item_each(project, scope):
    gate = "gates: [pass_rate >= 50%]\n"
    files = {
        "conftest.py": PARAMS.format(scope=scope),
        "a.eval.yaml": suite("a", "a1", "a2", criterion="contains: small", extra=gate),
    }
    ran = project(files, "--strict-markers")
    outcomes = {(case["id"], case["variant"]): case["outcome"] for case in ran.report["cases"]}
    assert outcomes == {
        ("a1", "small"): "passed",
        ("a1", "LARGE"): "failed",
        ("a1", "gone"): "skipped",
        ("a2", "small"): "passed",
        ("a2", "LARGE"): "failed",
        ("a2", "gone"): "skipped",
    }
    assert ran.status == 0
    assert ran.counts() == {"passed": 2, "missed": 2, "skipped": 2}
    assert ran.report["suites"][0]["defined"] == 6
    assert ran.report["gates"][0]["cases"] == 4


def test_parameters_are_selected_like_those_of_tests(project):
    project.write({"conftest.py": PARAMS.format(scope="session"), "a.eval.yaml": suite("a", "a1", "a2")})
    keys = lambda ran: [(case["id"], case["variant"]) for case in ran.report["cases"]]  # noqa: E731
    assert keys(project.run("a.eval.yaml::a1[small]")) == [("a1", "small")]
    assert keys(project.run("-k", "LARGE")) == [("a1", "LARGE"), ("a2", "LARGE")]
    assert keys(project.run("-m", "filterwarnings")) == [("a1", "LARGE"), ("a2", "LARGE")]
    # as with tests, the name without its parameters stands for all of them
    assert keys(project.run("a.eval.yaml::a1")) == [("a1", "LARGE"), ("a1", "gone"), ("a1", "small")]


def test_several_parametrised_fixtures_multiply(project):
    conftest = """
import pytest
@pytest.fixture(params=["s", "l"])
def model(request): return request.param
@pytest.fixture(params=[0, 1], scope="session")
def heat(request): return request.param
@pytest.fixture
def bot(model, heat): return lambda q: f"hi {model}{heat}"
"""
    ran = project({"conftest.py": conftest, "a.eval.yaml": suite("a", "a1")})
    assert sorted(case["output"] for case in ran.report["cases"]) == ["hi l0", "hi l1", "hi s0", "hi s1"]
    assert len({case["variant"] for case in ran.report["cases"]}) == 4
    assert ran.status == 0


CALLABLES = """
import asyncio, functools, pytest
class Bot:
    made = 0
    def __init__(self): Bot.made += 1
    async def __call__(self, question, *, case, session_id):
        await asyncio.sleep(0.01)
        return f"hi {case.id} {len(session_id)}"
    def method(self, question): return "hi"
async def later(question, context=None):
    await asyncio.sleep(0.01)
    return "hi"
@pytest.fixture
def bot(): return {value}
"""


@pytest.mark.parametrize(
    "value", ["later", "Bot", "Bot()", "Bot().method", "lambda q: later(q)", "functools.partial(later, context=1)"]
)
def test_a_fixture_may_give_anything_that_can_be_called(project, value):
    ran = project({"conftest.py": CALLABLES.replace("{value}", value), "a.eval.yaml": suite("a", "a1", "a2")})
    assert ran.outcomes == {"a1": "passed", "a2": "passed"}, ran.out


def test_a_fixture_of_a_folder_overrides_and_may_use_that_of_the_folder_above(project):
    files = {
        "conftest.py": "import pytest\n@pytest.fixture\ndef bot(): return lambda q: 'hi'\n",
        "top/a.eval.yaml": suite("a", "a1"),
        "sub/conftest.py": "import pytest\n@pytest.fixture\ndef bot(bot): return lambda q: bot(q) + ' there'\n",
        "sub/b.eval.yaml": suite("b", "b1"),
    }
    ran = project(files)
    assert {case["id"]: case["output"] for case in ran.report["cases"]} == {"a1": "hi", "b1": "hi there"}


def test_an_autouse_fixture_surrounds_the_call(project):
    conftest = """
import os, pytest
@pytest.fixture(autouse=True)
def tenant(monkeypatch): monkeypatch.setenv("TENANT", "shop")
@pytest.fixture
def bot(): return lambda q: "hi " + os.environ["TENANT"]
"""
    assert project({"conftest.py": conftest, "a.eval.yaml": suite("a", "a1")}).case("a1")["output"] == "hi shop"


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ("raise OSError('no database')", "fixture", "no database"),
        ("return 'a text'", "target", "target 'fixture: bot' is a str, which cannot be called"),
        ("return lambda: 'hi'", "target", "takes no argument"),
        ("return lambda q, model: 'hi'", "target", "asks for 'model'; a target can ask for the input, context"),
        ("return lambda q: None", "target", "returned None"),
        ("yield lambda q: 'hi'; raise OSError('close')", "fixture", "teardown: OSError: close"),
    ],
)
def test_a_fixture_that_gives_no_target_is_an_error(project, body, kind, said):
    conftest = f"import pytest\n@pytest.fixture\ndef bot():\n    {body}\n"
    ran = project({"conftest.py": conftest, "a.eval.yaml": suite("a", "a1", extra="defaults: {retries: 0}\n")})
    assert ran.outcomes == {"a1": "errored"}
    assert ran.status == 1
    error = ran.case("a1")["error"]
    assert error["kind"] == kind
    assert said in error["message"]


def test_an_unknown_fixture_is_said_at_collection(alone: Project):
    ran = alone({"conftest.py": "", "a.eval.yaml": suite("a", "a1")})
    assert ran.status == 2
    assert "a.eval.yaml:2:1: there is no fixture 'bot'" in ran.out


def test_a_fixture_may_skip(project):
    conftest = "import pytest\n@pytest.fixture\ndef bot(): pytest.skip('no key')\n"
    ran = project({"conftest.py": conftest, "a.eval.yaml": suite("a", "a1")})
    assert ran.outcomes == {"a1": "skipped"}
    assert ran.case("a1")["skip_reason"] == "no key"
