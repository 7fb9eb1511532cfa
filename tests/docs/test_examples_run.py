"""The examples of README and documentation do what the pages show."""

from __future__ import annotations

import pytest
from blocks import ROOT, Command, File, blocks, run, shows, write
from servers import serve

TOLD = [
    "README.md",
    "docs/quickstart.md",
    "docs/library.md",
    "docs/running.md",
    "docs/comparing.md",
    "docs/importing.md",
    "docs/trajectories.md",
    "docs/long-runs.md",
]
"""Pages that tell a story from top to bottom: each file is written, each command run, in their order."""

COLLECTED = ["docs/targets.md", "docs/reference.md", "docs/datasets.md"]
"""Pages whose files stand side by side: all are written, then pytest runs them."""


def follow(folder, command):
    result = run(folder, command.line)
    missing = shows(command.expected, result.stdout)
    assert missing is None, f"$ {command.line}\n{result.stdout}{result.stderr}\nwithout the line: {missing}"


@pytest.mark.parametrize("page", TOLD)
def test_the_story_of_the_page_can_be_followed(page, tmp_path):
    steps = list(blocks(ROOT / page))
    assert any(isinstance(step, Command) for step in steps)
    for step in steps:
        if isinstance(step, File):
            write(tmp_path, step)
        else:
            follow(tmp_path, step)


@pytest.fixture
def shop(monkeypatch):
    """The server that the pages ask."""

    def answer(asked):
        assert asked.path == "/ask"
        assert asked.json["conversation"].startswith("eval-")
        return {"choices": [{"message": {"content": "Returns are accepted within 30 days."}}]}

    with serve(answer) as server:
        monkeypatch.setenv("SHOP_URL", server.url)
        yield server


@pytest.mark.parametrize("page", COLLECTED)
@pytest.mark.usefixtures("shop")
def test_every_suite_of_the_page_passes(page, tmp_path):
    steps = list(blocks(ROOT / page))
    files = [step for step in steps if isinstance(step, File)]
    for file in files:
        write(tmp_path, file)
    runnable = [file for file in files if ".eval." in file.path or file.path.startswith("tests/")]
    assert runnable
    result = run(tmp_path, "pytest -q")
    assert result.returncode == 0, result.stdout + result.stderr
    for suite in runnable:
        alone = run(tmp_path, f"pytest {suite.path} -q")
        assert alone.returncode == 0, alone.stdout + alone.stderr
    for step in steps:
        if isinstance(step, Command):
            follow(tmp_path, step)


def test_an_example_without_a_name_is_no_example():
    for page in TOLD + COLLECTED:
        text = (ROOT / page).read_text("utf-8")
        for language in ("yaml", "python"):
            for block in text.split(f"```{language}\n")[1:]:
                assert block.startswith("# "), f"{page}: {block[:40]!r} has no path in its first line"


def test_expected_lines_are_found_in_order():
    output = "one\ntwo 2.5s\nthree\n"
    assert shows("one\ntwo ...s\nthree\n", output) is None
    assert shows("...\nthree\n", output) is None
    assert shows("one\nthree\n", output) == "three"
    assert shows("three\n...\none\n", output) == "one"
    assert shows("tw\n", output) == "tw"
    assert shows("...\ntwo   9 ms\n", "one\ntwo  12.5 ms\n") is None
    assert shows("two 9 ms\n", "two x ms\n") == "two 9 ms"
