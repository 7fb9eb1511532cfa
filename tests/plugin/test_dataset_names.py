from __future__ import annotations

from histories import query

from pytest_evals.store.location import locate

CONFTEST = """
import pytest


@pytest.fixture
def bot(evals_dataset):
    return lambda question: evals_dataset
"""

SUITE = """
target: {fixture: bot}
defaults: {criteria: [{contains: _run}]}
cases:
- {id: one/two, input: x}
- {id: three, input: x}
"""


def test_a_case_has_a_data_set_of_its_own_that_is_kept_with_its_result(project, pytester):
    ran = project({"conftest.py": CONFTEST, "s.eval.yaml": SUITE})
    assert ran.counts() == {"passed": 2}
    found = query(locate(None, pytester.path), "SELECT dataset_id, answer FROM checked_case_meta")
    assert all(name == answer for name, answer in found)
    cases, ids = zip(*(name.rsplit("_run", 1) for name, _ in found), strict=True)
    assert sorted(cases) == ["one-two", "three"]
    assert len(set(ids)) == 1
