from __future__ import annotations

from pathlib import Path

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.store.folder import make_folder
from pytest_evals.store.location import hide_password, locate


@pytest.mark.parametrize(
    ("said", "path"),
    [
        (None, "/root/.evals/history.db"),
        ("runs.db", "/root/runs.db"),
        ("a b/größe #1?.db", "/root/a b/größe #1?.db"),
        ("/elsewhere/h.db", "/elsewhere/h.db"),
        (Path("sub/h.db"), "/root/sub/h.db"),
        ("sqlite:///sub/h.db", "/root/sub/h.db"),
        ("sqlite:////elsewhere/h.db", "/elsewhere/h.db"),
        ("sqlite+pysqlite:///sub/h%20i.db", "/root/sub/h i.db"),
    ],
)
def test_a_path_or_sqlite_url_is_a_file_below_the_rootdir(said, path):
    location = locate(said, Path("/root"))
    assert (location.path, location.url) == (Path(path), None)
    assert location.journals == Path(f"{path}.journals")
    assert str(location) == path


def test_a_server_keeps_its_journals_in_the_project_under_a_name_of_their_own():
    one = locate("postgresql+psycopg://me:secret@db.example/evals", Path("/root"))
    other = locate("postgresql+psycopg://me:secret@db.example/other", Path("/root"))
    assert one.path is None
    assert one.url == "postgresql+psycopg://me:secret@db.example/evals"
    assert one.journals.parent == Path("/root/.evals")
    assert one.journals.name.startswith("db.example-evals-")
    assert one.journals != other.journals
    assert not one.missing


def test_a_changed_password_means_the_same_journals():
    one, other = (locate(f"postgresql://me:{word}@db/evals", Path("/root")) for word in ("old", "new"))
    assert one.journals == other.journals


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql+psycopg://me:secret@db.example/evals", "postgresql+psycopg://me:***@db.example/evals"),
        ("postgresql://me:p@ss:w/rd@db.example/evals", "postgresql://me:***@db.example/evals"),
        ("postgresql://me@db.example/evals", "postgresql://me@db.example/evals"),
        ("postgresql:///evals?host=/run&password=secret", "postgresql:///evals?host=/run&password=***"),
    ],
)
def test_a_password_is_never_shown(url, shown):
    assert hide_password(url) == shown
    assert str(locate(url, Path("/root"))) == shown
    assert "secret" not in str(locate(url, Path("/root")).journals)
    assert "secret" not in repr(locate(url, Path("/root")))


@pytest.mark.parametrize("said", ["", "  ", ":memory:", "sqlite://", "sqlite:///:memory:", "sqlite:///h.db?mode=ro"])
def test_what_cannot_keep_a_history_is_refused(said):
    with pytest.raises(UsageError, match="history"):
        locate(said, Path("/root"))


def test_a_folder_is_refused_with_what_to_write(tmp_path):
    with pytest.raises(UsageError, match=r"the history is a file, and this is a folder; write .*history\.db"):
        locate(tmp_path, Path("/root"))


def test_a_broken_url_still_has_a_place_for_journals():
    assert locate("postgresql://[bad/evals", Path("/root")).journals.name.startswith("server-")


def test_a_new_evals_folder_ignores_itself(tmp_path):
    make_folder(tmp_path / "a" / ".evals" / "history.db.journals")
    assert (tmp_path / "a" / ".evals" / ".gitignore").read_text("utf-8").splitlines()[-1] == "*"
    assert not (tmp_path / "a" / ".gitignore").exists()


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path):
    (tmp_path / ".evals").mkdir()
    make_folder(tmp_path / ".evals" / "atif")
    assert [path.name for path in (tmp_path / ".evals").iterdir()] == ["atif"]
