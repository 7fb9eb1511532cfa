"""docs/models.md does what it shows."""

from __future__ import annotations

import pytest
from blocks import ROOT, File, blocks, run, write
from fakellm import Says, fake_llm

from pytest_evals.llm.providers import PROVIDERS
from pytest_evals.suite.modeltarget import MODEL_KEYS

PAGE = ROOT / "docs" / "models.md"


@pytest.fixture
def service(monkeypatch):
    """Both protocols, from the only address that the page's suites ask."""

    def answer(asked):
        body = asked.json
        question = str(body["messages"][-1]["content"])
        if body.get("tools"):
            return Says("", tools=[("weather", {"city": "Bergen"})])
        return "Bakery" if "sign" in question else "Oslo" if "Norway" in question else "Santiago"

    with fake_llm(default=answer) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-1")
        monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
        yield server


@pytest.mark.usefixtures("service")
def test_every_suite_of_the_page_passes_and_its_script_runs(tmp_path):
    files = [step for step in blocks(PAGE) if isinstance(step, File)]
    for file in files:
        write(tmp_path, file)
    suites = [file.path for file in files if ".eval." in file.path]
    assert len(suites) >= 4
    result = run(tmp_path, f"pytest -q {' '.join(suites)}")
    assert result.returncode == 0, result.stdout + result.stderr
    script = run(tmp_path, "python evals/scripted.py")
    assert script.returncode == 0, script.stderr


def test_every_provider_and_every_setting_is_on_the_page():
    text = PAGE.read_text("utf-8")
    rows = {
        name.strip(" `")
        for line in text.splitlines()
        if line.startswith("| `")
        for name in line.split("|")[1].split(",")
    }
    assert set(PROVIDERS) - rows == set()
    assert set(MODEL_KEYS) - rows == set()
    for provider in PROVIDERS.values():
        for variable in (*provider.keys, provider.address):
            assert f"`{variable}`" in text
