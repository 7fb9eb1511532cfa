"""Asynchronous fixtures of a case live on the loop on which its target is called."""

from __future__ import annotations

import pytest
from projects import NEW_ASYNCIO, asyncio_ini

CONFTEST = """
import asyncio, pytest
%s
class Client:
    def __init__(self): self.loop = asyncio.get_running_loop(); self.lock = asyncio.Lock(); self.open = True
    async def ask(self, question):
        assert asyncio.get_running_loop() is self.loop, "another loop"
        async with self.lock: await asyncio.sleep(0.01)
        assert self.open
        return "ok"
@fixture(scope="SCOPE")
async def client():
    client = Client()
    yield client
    assert asyncio.get_running_loop() is client.loop
    client.open = False
    print("closed")
@fixture
async def word(): await asyncio.sleep(0); return "ok"
@pytest.fixture(scope="SCOPE")
def bot(client): return client.ask
@pytest.fixture
def own_scorer(word):
    async def score(actual): return actual == word
    return score
"""
SUITE = "target: {fixture: bot}\ndefaults: {criteria: [contains, own]}\ncases:\n" + "".join(
    f"  - {{id: c{i}, input: q, expected_output: ok}}\n" for i in range(6)
)
PLAIN = "fixture = pytest.fixture"
PYTEST_ASYNCIO = "import pytest_asyncio; fixture = pytest_asyncio.fixture"


@pytest.mark.parametrize("scope", ["function", "module", "session"])
@pytest.mark.parametrize(
    ("fixture", "args"),
    [
        (PLAIN, []),
        (PLAIN, ["-p", "pytest_asyncio.plugin", "--asyncio-mode=auto"]),
        (PYTEST_ASYNCIO, ["-p", "pytest_asyncio.plugin", "--asyncio-mode=strict"]),
    ],
    ids=["alone", "asyncio-auto", "asyncio-strict"],
)
def test_a_client_is_made_used_and_closed_on_one_loop(project, scope, fixture, args):
    if args and not NEW_ASYNCIO:
        pytest.skip("pytest-asyncio before 1.0 wraps fixtures itself")
    ini = asyncio_ini() if args else ""
    test = "import pytest\n@pytest.mark.asyncio\nasync def test_own(client): assert await client.ask('x') == 'ok'\n"
    files = {"conftest.py": (CONFTEST % fixture).replace("SCOPE", scope), "a.eval.yaml": SUITE, "pytest.ini": ini}
    if args and scope == "function":
        files["test_x.py"] = test
    ran = project(files, *args, "-rA")
    assert ran.counts()["passed"] == (7 if "test_x.py" in files else 6), ran.out
    assert ran.status == 0
    assert "another loop" not in ran.out
