from __future__ import annotations

import json

import pytest

from pytest_evals.errors import StoreError, UsageError
from pytest_evals.store.location import locate
from pytest_evals.store.values import StoredTrajectory
from pytest_evals.workflow.trajectories import Trajectory, atif_folder, keep_trajectory, remove_files

DOCUMENT = {
    "schema_version": "ATIF-v1.8",
    "trajectory_id": "run-7",
    "agent": {"name": "shop-agent", "version": "1"},
    "steps": [{"step_id": 1, "source": "user", "message": "Größe?"}, {"step_id": 2, "source": "agent", "message": ""}],
}


def keep(trajectory, folder, taken=()):
    return keep_trajectory(trajectory, folder, lambda number: number in taken)


def test_a_document_is_written_beside_the_history(tmp_path):
    folder = atif_folder(locate(None, tmp_path), tmp_path)
    assert folder == tmp_path / ".evals" / "atif"
    reference = keep(Trajectory(DOCUMENT, kind="query", artifact_ids=["a1"], cost_usd=0.5), folder)
    path = folder / "run-7.json"
    assert json.loads(path.read_text("utf-8")) == DOCUMENT
    assert {**reference, "sha256": len(reference["sha256"])} == {
        "trajectory_id": "run-7", "kind": "query", "agent_name": "shop-agent", "steps": 2, "cost_usd": 0.5,
        "path": str(path), "sha256": 64, "artifact_ids": ["a1"],
    }  # fmt: skip
    assert [p.name for p in folder.iterdir()] == ["run-7.json"]


def test_a_file_stays_where_it_is(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**DOCUMENT, "trajectory_id": None}), "utf-8")
    reference = keep(Trajectory(path=path, trajectory_id="own-id"), tmp_path / "atif")
    assert (reference["trajectory_id"], reference["path"]) == ("own-id", str(path))
    assert not (tmp_path / "atif").exists()


def test_a_document_without_an_id_gets_one(tmp_path):
    one, other = (keep(Trajectory({"steps": []}), tmp_path)["trajectory_id"] for _ in range(2))
    assert one != other
    assert len(one) == 32


@pytest.mark.parametrize("number", ["../up", ".hidden", "a/b", "a b", "x" * 201, "é", "a\n"])
def test_an_id_that_is_unsafe_as_a_file_name_is_refused(tmp_path, number):
    with pytest.raises(UsageError, match="cannot be a trajectory's id"):
        keep(Trajectory(DOCUMENT, trajectory_id=number), tmp_path / "atif")
    assert not (tmp_path / "atif").exists()


def test_an_id_is_used_once(tmp_path):
    with pytest.raises(UsageError, match="'run-7' is recorded already"):
        keep(Trajectory(DOCUMENT), tmp_path, taken={"run-7"})
    keep(Trajectory(DOCUMENT), tmp_path)
    with pytest.raises(UsageError, match=r"run-7\.json is there already"):
        keep(Trajectory(DOCUMENT), tmp_path)


@pytest.mark.parametrize("document", [[], {"steps": None}, {"steps": 3}, {}])
def test_what_is_no_trajectory_is_refused(tmp_path, document):
    with pytest.raises(UsageError, match=r"\$\.steps: must be the list of steps|\$: a trajectory is an object"):
        keep(Trajectory(document), tmp_path)


@pytest.mark.parametrize("trajectory", [Trajectory(), Trajectory(DOCUMENT, path="x.json")])
def test_either_a_document_or_a_path_is_given(tmp_path, trajectory):
    with pytest.raises(UsageError, match="either a document or the path"):
        keep(trajectory, tmp_path)


def test_files_that_cannot_be_read_or_written_are_one_line(tmp_path):
    with pytest.raises(StoreError, match=r"never\.json: no such file"):
        keep(Trajectory(path=tmp_path / "never.json"), tmp_path)
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(UsageError, match=r"bad\.json: not JSON"):
        keep(Trajectory(path=tmp_path / "bad.json"), tmp_path)
    with pytest.raises(StoreError, match="cannot be written"):
        keep(Trajectory(DOCUMENT), tmp_path / "bad.json" / "atif")


def stored(path, number="run-7"):
    return StoredTrajectory(
        number, "query", 0, "", 1, None, str(path), None, [], "bot", "a", "", 0, "uid", "x", "checked"
    )


def test_only_files_with_a_trajectorys_own_name_are_removed(tmp_path):
    mine, other, link = tmp_path / "run-7.json", tmp_path / "passwords", tmp_path / "link" / "run-7.json"
    mine.write_text("{}")
    other.write_text("x")
    link.parent.mkdir()
    link.symlink_to(other)
    assert remove_files([stored(other), stored(link), stored(tmp_path / "gone" / "run-7.json"), stored(mine)]) == [mine]
    assert other.exists()
    assert link.is_symlink()
    assert not mine.exists()


def test_a_file_system_without_links_is_written_to_all_the_same(tmp_path, monkeypatch):
    def no_links(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", no_links)
    keep(Trajectory(DOCUMENT), tmp_path)
    with pytest.raises(UsageError, match=r"run-7\.json is there already"):
        keep(Trajectory(DOCUMENT), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["run-7.json"]
