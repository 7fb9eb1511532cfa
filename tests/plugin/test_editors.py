"""What editors ask of items to list, run and show tests: files, lines, names."""

from __future__ import annotations

import json

import pytest
from projects import Project

SUITE = """\
target: {fixture: bot}
gates: [pass_rate >= 90%]
cases:
  - id: greets
    input: hi
    criteria: [contains: hi]

  - id: misses v1.2
    input: hi
    criteria: [contains: bye]
  - {id: fails, input: hi, criteria: [{contains: bye}], tags: [slow]}

  - id: "a::b[c] é"
    input: hi
    criteria: [contains: hi]
  - id: raises
    retries: 0
    input: raise
    criteria: [contains: hi]
  - {id: skipped, input: hi, criteria: [{contains: hi}], skip: later}
"""
PLAIN = """
import pytest
@pytest.fixture
def bot():
    def answer(question):
        print("asked")
        if question == "raise": raise ValueError("no")
        return question
    return answer
"""
PARAMETRISED = PLAIN.replace("@pytest.fixture\ndef bot():", "@pytest.fixture(params=['s', 'l'])\ndef bot(request):")
FILES = {"pytest.ini": "[pytest]\n", "evals/a.eval.yaml": SUITE, "test_plain.py": "def test_plain(): pass\n"}
LINES = {"greets": 4, "misses v1.2": 8, "fails": 11, "a:b(c) é": 13, "raises": 16, "skipped": 20}

LISTS = """
import json, pathlib

def pytest_sessionfinish(session):
    # as the collector of VS Code: a tree of files, and of functions with a node for each set of parameters below
    if not session.config.option.collectonly: return
    files = {}
    for item in session.items:
        head, name = item.nodeid.rsplit("::", 1)
        node = {
            "name": item.name,
            "path": str(item.path),
            "lineno": str(item.location[1] + 1) if item.location[1] is not None else "",
            "id_": "::".join([str(item.path), *item.nodeid.split("::")[1:]]),
        }
        children = files.setdefault(str(item.parent.path), {})
        if hasattr(item, "callspec"):
            inside = head.rsplit(".py", 1)[1]
            function, parameters = item.name.split("[", 1)
            key = str(item.path) + inside + "::" + function
            children.setdefault(key, {"name": item.originalname, "children": {}})["children"][node["id_"]] = node
        else:
            children[node["id_"]] = node
    pathlib.Path(session.config.rootpath, "tree.json").write_text(json.dumps(files))
"""


@pytest.fixture(autouse=True)
def plugins_are_found(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.syspathinsert()
    monkeypatch.setenv("PYTHONPATH", str(pytester.path))  # for workers


@pytest.mark.parametrize("conftest", [PLAIN, PARAMETRISED], ids=["plain", "parametrised"])
def test_vs_code_lists_files_lines_and_names(alone: Project, conftest):
    files = {**FILES, "vscode_pytest.py": LISTS, "conftest.py": conftest}
    files["test_plain.py"] += "import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test_n(n): pass\n"
    ran = alone(files, "--collect-only", "-p", "vscode_pytest", "-p", "no:cacheprovider")
    assert ran.status == 0, ran.out
    tree = json.loads((ran.path / "tree.json").read_text("utf-8"))
    suite = str(ran.path / "evals" / "a.eval.yaml")
    assert set(tree) == {suite, str(ran.path / "test_plain.py")}
    variants = ["[s]", "[l]"] if conftest == PARAMETRISED else [""]
    assert [(node["name"], node["lineno"]) for node in tree[suite].values()] == [
        (name + variant, str(line)) for name, line in LINES.items() for variant in variants
    ]
    for key, node in tree[suite].items():
        assert key == f"{suite}::{node['name']}"
        assert node["path"] == suite
        assert len(key.split("::")) == 2
    # ordinary tests are as they were
    assert "children" in tree[str(ran.path / "test_plain.py")][f"{ran.path / 'test_plain.py'}::test_n"]


def test_what_vs_code_lists_can_be_run_by_the_ids_it_has(alone: Project):
    alone({**FILES, "vscode_pytest.py": LISTS, "conftest.py": PARAMETRISED}, "--collect-only", "-p", "vscode_pytest")
    tree = json.loads((alone.pytester.path / "tree.json").read_text("utf-8"))
    ids = [node["id_"] for node in tree[str(alone.pytester.path / "evals" / "a.eval.yaml")].values()]
    ran = alone.run(*ids[:2], ids[6])
    keys = [(case["id"], case["variant"]) for case in ran.report["cases"]]
    assert keys == [("greets", "l"), ("greets", "s"), ("a::b[c] é", "s")]


SHOWS = """
import datetime, json, pathlib, re

class Shows:
    # as PyCharm's and TeamCity's plugin: messages with an id from node id and location
    def __init__(self, config):
        self.file = config.rootpath / "messages.json"
        self.said, self.open = [], set()

    def id_of(self, nodeid, location):
        assert type(location) is tuple and len(location) == 3 and hasattr(location[2], "startswith")
        if "::" not in nodeid: nodeid += "::top_level"
        bare, bracket, parameters = nodeid.partition("[")
        bare = re.sub(r"\\.pyc?::", "::", bare).replace(".", "_").replace("/", ".").replace("::", ".")
        return bare + (f"({parameters[:-1]})" if bracket else "")

    def pytest_collection_finish(self, session):
        self.said.append(["count", len(session.items)])

    def pytest_runtest_logstart(self, nodeid, location):
        self.start(self.id_of(nodeid, location), location[2].split(".")[-1])

    def start(self, name, rerun=None):
        if name not in self.open:
            self.open.add(name)
            self.said.append(["start", name, rerun])

    def end(self, name, report, *said):
        self.start(name)
        datetime.timedelta(seconds=report.duration)
        self.said.append([*said, name])
        self.open.remove(name)

    def output(self, report):
        return [text for where, text in report.sections if report.when in where and "stdout" in where]

    def pytest_runtest_logreport(self, report):
        name = self.id_of(report.nodeid, report.location)
        if report.passed and report.when == "call":
            self.end(name, report, "passed", self.output(report))
        elif report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            message = "%s:%s (%s)" % report.location
            name += "_teardown" if report.when == "teardown" else ""
            self.end(name, report, "failed", message, str(crash.message) if crash else "", bool(str(report.longrepr)))
        elif report.skipped:
            longrepr = report.longrepr
            reason = longrepr[2] if type(longrepr) is tuple and len(longrepr) == 3 else str(longrepr)
            self.end(name, report, "ignored", reason)

    def pytest_collectreport(self, report):
        if report.failed: self.end(self.id_of(report.nodeid, report.location) + "_collect", report, "failed")

    def pytest_sessionfinish(self, session):
        assert not self.open, self.open
        self.file.write_text(json.dumps(self.said))

def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.option.verbose = 2
        config.pluginmanager.register(Shows(config))
"""


def test_pycharm_shows_every_case_once_with_its_line_and_output(project):
    project.write({**FILES, "shows.py": SHOWS, "conftest.py": PLAIN})
    ran = project.run("-p", "shows", subprocess=True)
    said = json.loads((ran.path / "messages.json").read_text("utf-8"))
    suite = "evals.a_eval_yaml."
    starts = [message[1] for message in said if message[0] == "start"]
    assert len(starts) == len(set(starts))
    gate = "evals.a_eval_yaml.gate(pass_rate >= 90%)"
    names = [name.replace(".", "_") for name in LINES]
    assert sorted(starts) == sorted([*(suite + name for name in names), gate, "test_plain.test_plain"])
    outcomes = {message[-1]: message for message in said if message[0] in ("passed", "failed", "ignored")}
    assert outcomes[suite + "greets"][0] == "passed"
    assert "".join(outcomes[suite + "greets"][1]) == "asked\n"
    # under a gate a miss is tolerated
    assert outcomes[suite + "fails"][0] == "ignored"
    assert outcomes[suite + "skipped"][:2] == ["ignored", "Skipped: later"]
    _, message, crash, shown, _ = outcomes[suite + "raises"]
    assert message == "evals/a.eval.yaml:15 (raises)"
    assert "ValueError: no" in crash
    assert shown
    assert outcomes[gate][0] == "failed"


def test_pycharm_shows_variants_by_their_parameters(alone: Project):
    ran = alone({**FILES, "shows.py": SHOWS, "conftest.py": PARAMETRISED}, "-p", "shows")
    said = json.loads((ran.path / "messages.json").read_text("utf-8"))
    assert said[0] == ["count", 13]
    assert ["start", "evals.a_eval_yaml.greets(s)", "greets[s]"] in said


LOOKS = """
import inspect, json, pathlib, pytest

def pytest_collection_modifyitems(session, config, items):
    seen = {}
    for item in items:
        module = item.getparent(pytest.Module)
        assert isinstance(item, pytest.Function) and isinstance(item.parent, pytest.File)
        assert callable(item.function) and callable(item.obj) and item.cls is None and item.instance is None
        assert item.module is module.obj and inspect.ismodule(item.module)
        assert inspect.signature(item.function) is not None and inspect.getsourcelines(item.obj)
        assert item.listchain()[-1] is item and session in item.listchain()
        assert not item.stash.get(pytest.StashKey(), None)
        path, line, name = item.reportinfo()
        assert pathlib.Path(path) == item.path == module.path
        assert (line, name) == item.location[1:]
        assert name.strip() == item.name
        assert config.rootpath / item.location[0] == item.path
        seen[item.nodeid] = {
            "name": item.name, "original": item.originalname, "line": line + 1, "module": item.module.__name__,
            "module_file": item.module.__file__, "keywords": sorted(k for k in item.keywords if k in ("slow", "evals")),
            "params": item.callspec.params if hasattr(item, "callspec") else None,
            "id": item.callspec.id if hasattr(item, "callspec") else None,
            "fixtures": "bot" in item.fixturenames,
        }
    pathlib.Path(config.rootpath, "seen.json").write_text(json.dumps(seen))
"""


@pytest.mark.parametrize("conftest", [PLAIN, PARAMETRISED], ids=["plain", "parametrised"])
@pytest.mark.parametrize("mode", ["prepend", "importlib"])
def test_an_item_has_all_that_a_test_function_has(alone: Project, conftest, mode):
    ran = alone({**FILES, "looks.py": LOOKS, "conftest.py": conftest}, "-p", "looks", f"--import-mode={mode}", "evals")
    seen = json.loads((ran.path / "seen.json").read_text("utf-8"))
    variants = ["l", "s"] if conftest == PARAMETRISED else [None]
    assert len(seen) == len(LINES) * len(variants)
    for nodeid, item in seen.items():
        file, _, name = nodeid.partition("::")
        assert (file, name) == ("evals/a.eval.yaml", item["name"])
        assert item["line"] == LINES[item["original"]]
        assert item["module_file"] == str(ran.path / "evals" / "a.eval.yaml")
        assert item["keywords"] == (["evals", "slow"] if item["original"] == "fails" else ["evals"])
        assert item["fixtures"]
        assert item["id"] in variants
        assert item["params"] == ({"bot": item["id"]} if item["id"] else None)


@pytest.mark.parametrize("args", [["-v"], ["-v", "-n2"], ["-vv", "-rA"]], ids=" ".join)
def test_verbose_lines_show_ids_that_select(alone: Project, args):
    ran = alone({**FILES, "conftest.py": PLAIN}, *args)
    for name in LINES:
        assert f"evals/a.eval.yaml::{name} " in ran.out
    assert "v1::2" not in ran.out
    assert alone.run("evals/a.eval.yaml::misses v1.2").outcomes == {"misses v1.2": "failed"}


def test_a_verbose_list_shows_nothing_of_ours(alone: Project):
    ran = alone({**FILES, "conftest.py": PLAIN}, "--collect-only", "-vv")
    assert "<SuiteFile a.eval.yaml>" in ran.out
    assert "<CaseItem greets>" in ran.out
    assert "Stand-in" not in ran.out
