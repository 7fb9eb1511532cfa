"""Files of ground truth as data sets: their rows, and what is said of those that cannot be used."""

from __future__ import annotations

import json

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.scoring import specs
from pytest_evals.suite import read_suite

PAIR = {"query": "Who?", "response": "Ana."}


def cases_of(tmp_path, data, more="", name="a.json"):
    text = data if isinstance(data, str) else json.dumps(data)
    (tmp_path / name).write_text(text)
    suite = tmp_path / "s.eval.yaml"
    suite.write_text(f"target: echo\ncases:\n  - {{file: {name}, criteria: [token_f1]{more}}}\n")
    return read_suite(suite, specs=specs(), shown="s.eval.yaml").cases


def test_pairs_and_summaries_are_cases(tmp_path):
    summaries = {"executive_summary": "short", "detailed_summary": "long"}
    data = {"analysis": {"qa_pairs": [PAIR, {"question": "When?", "answer": "Now."}], "summaries": summaries}}
    cases = cases_of(tmp_path, data, name="notes.qa.groundtruth.json")
    assert [(case.id, case.input, case.expected_output) for case in cases] == [
        ("notes", "Summarize the document.", "long"),
        ("notes-1", "Who?", "Ana."),
        ("notes-2", "When?", "Now."),
    ]
    assert all(case.context is None and case.xfail is None for case in cases)


def test_a_draft_of_a_consolidated_file_is_one_by_document(tmp_path):
    data = {
        "metadata": {
            "consolidated_from": 2,
            "source_files": [{"transcript_id": "a"}, {"transcript_id": "b"}],
            "pytest_evals": {"documents": {"a": {"status": "draft"}, "b": {"status": "accepted"}}},
        },
        "analysis": {"qa_pairs": {"a": [PAIR], "b": [PAIR]}},
    }
    assert [case.xfail for case in cases_of(tmp_path, data)] == ["draft: nobody has accepted it yet", None]
    assert [case.id for case in cases_of(tmp_path, data, ", where: {document: b}")] == ["b-1"]


def test_the_document_is_the_context_and_nothing_outside_is_read(tmp_path):
    inside = tmp_path / "project"
    (inside / "out").mkdir(parents=True)
    (inside / "doc.txt").write_text("It was Ana.")
    (tmp_path / "secret.txt").write_text("key")
    found = []
    for source in ("doc.txt", "../secret.txt", str(tmp_path / "secret.txt"), "gone.txt", "doc.pdf", "", "a\0b"):
        data = {"metadata": {"source_file": source}, "analysis": {"qa_pairs": [PAIR]}}
        found.append(cases_of(inside / "out", data)[0].context)
    assert found == ["It was Ana.", None, None, None, None, None, None]


@pytest.mark.parametrize(
    ("analysis", "said"),
    [
        ('{"qa_pairs": {}}', "a.json:1:15: the qa_pairs of a must be a list, not a mapping"),
        ('{"qa_pairs": [1]}', "a.json:1:28: a pair is an object with 'query' and 'response', not 1"),
        ('{"qa_pairs": [{"query": "x"}]}', "a.json:1:28: pair 1 of a has no response, or one that is no text"),
        ('{"qa_pairs": [{"query": 1, "answer": " "}]}', "pair 1 of a has no query and no response"),
        ('{"summaries": []}', "a.json:1:1: the file holds no rows"),
        ("{}", "a.json:1:1: the file holds no rows"),
    ],
)
def test_what_cannot_be_used_is_said_with_its_place(tmp_path, analysis, said):
    with pytest.raises(SuiteError) as caught:
        cases_of(tmp_path, f'{{"analysis": {analysis}}}')
    assert said in str(caught.value)
