from __future__ import annotations

import json

import pytest
from histories import history

from pytest_evals.viewer.source import Source

TRUTH = {
    "metadata": {"source_file": "out/test_data/meetings/standup.txt", "num_samples": 2, "cost": {"total_cost": 0.1}},
    "analysis": {
        "qa_pairs": [
            {"query": "Who takes the login bug?", "response": "Cleo <b>."},
            {"query": "When?", "response": "Friday."},
        ],
        "summaries": {"brief": "x" * 300},
        "tags": ["a", "b"],
    },
}


@pytest.fixture
def folders(tmp_path):
    data, truth = tmp_path / "test_data", tmp_path / "groundtruth"
    (data / "meetings").mkdir(parents=True)
    truth.mkdir()
    (data / "meetings" / "standup.txt").write_text("Ana: Ben, is the <script>export</script> done?")
    (data / "secret.key").write_text("not to be shown")
    (data / ".hidden.txt").write_text("not to be shown")
    (truth / "standup.qa.groundtruth.json").write_text(json.dumps(TRUTH))
    (truth / "broken.json").write_text("{")
    outside = tmp_path / "outside.txt"
    outside.write_text("not to be shown")
    (data / "link.txt").symlink_to(outside)
    return {"test-data": data, "groundtruth": truth}


@pytest.fixture
def client(tmp_path, folders, client_of):
    return client_of(Source(history(tmp_path), tmp_path / "atif", pipeline=folders))


def test_the_files_of_the_folders_are_listed(client):
    found = client.get("/api/evals/files").json()["files"]
    assert [(file["folder"], file["path"], file["kind"]) for file in found] == [
        ("test-data", "meetings/standup.txt", "text"),
        ("groundtruth", "broken.json", "JSON"),
        ("groundtruth", "standup.qa.groundtruth.json", "ground truth"),
    ]
    page = client.get("/files").text
    assert "/files/test-data/meetings/standup.txt" in page
    assert "secret.key" not in page


def test_ground_truth_stands_beside_its_document(client):
    page = client.get("/files/groundtruth/standup.qa.groundtruth.json").text
    assert "Who takes the login bug?" in page
    assert "Cleo &lt;b&gt;." in page
    assert "&lt;script&gt;export&lt;/script&gt;" in page
    assert "<script>export" not in page
    whole = client.get("/api/evals/files/groundtruth/standup.qa.groundtruth.json").json()
    assert whole["content"] == TRUTH
    text = client.get("/api/evals/files/test-data/meetings/standup.txt").json()
    assert text["text"].startswith("Ana: Ben")


@pytest.mark.parametrize(
    "path",
    [
        "test-data/x/../../outside.txt",
        "test-data/..%2foutside.txt",
        "test-data/%2e%2e/outside.txt",
        "test-data/meetings/%2e%2e%2f%2e%2e%2foutside.txt",
        "test-data//etc/hostname.txt",
        "test-data/link.txt",
        "test-data/.hidden.txt",
        "test-data/secret.key",
        "test-data/meetings",
        "test-data/a%00b.txt",
        "nowhere/a.txt",
        "test-data/\\..\\outside.txt",
    ],
)
def test_nothing_else_is_shown(client, path):
    for prefix in ("/files/", "/api/evals/files/"):
        answer = client.get(prefix + path, follow_redirects=True)
        assert answer.status_code == 404
        assert "not to be shown" not in answer.text


def test_a_file_that_is_no_json_is_one_line(client):
    answer = client.get("/files/groundtruth/broken.json")
    assert answer.status_code == 503
    assert "broken.json is no JSON" in answer.text


def test_a_pdf_is_shown_as_its_text(client, folders):
    (folders["test-data"] / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    answer = client.get("/files/test-data/broken.pdf")
    assert answer.status_code == 400
    assert "broken.pdf" in answer.text


def test_a_new_file_is_noticed(tmp_path, folders, monkeypatch):
    from pytest_evals.viewer import live

    monkeypatch.setattr(live, "LEAST_S", 0.0)
    source = Source(history(tmp_path), tmp_path / "atif", pipeline=folders)
    before = source.live.version()
    assert source.live.version() == before
    (folders["test-data"] / "new.txt").write_text("new")
    assert source.live.version() != before


def test_without_folders_it_says_how_they_are_named(tmp_path, client_of):
    page = client_of(Source(history(tmp_path), tmp_path / "atif")).get("/files").text
    assert "--test-data" in page
