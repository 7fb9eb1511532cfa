from __future__ import annotations

import errno
import functools
import json
import operator
import os
import threading

import pytest
from factories import result
from histories import history, start

from pytest_evals.errors import StoreError
from pytest_evals.model.codec import result_from_json, result_to_json
from pytest_evals.store.abandoned import abandoned, living
from pytest_evals.store.journal import Entry, Journal


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "journals"


def line(case_id="refund", outcome="passed", **fields):
    return result_to_json(result(outcome, case_id, **fields))


def ids(journal, order=None):
    return [r.case_id for r in journal.results(order)]


def reopened(journal: Journal) -> Journal:
    return Journal.open(journal.path)


def test_results_come_back_in_the_order_in_which_they_first_ended(folder):
    journal = Journal.create(folder, {"session_id": "s1"})
    for name in ("b", "a", "c"):
        journal.append(line(name))
    journal.append(line("a", "failed", output="Größe \ud800 \0 ☃"))
    for reader in (journal, reopened(journal)):
        assert ids(reader) == ["b", "a", "c"]
        again = reader.read(("bot", "a", ""))
        assert (again.outcome, again.output) == ("failed", "Größe \ud800 \0 ☃")
        assert reader.read(("bot", "unknown", "")) is None
        assert len(reader) == 3


def test_an_order_that_is_given_comes_first(folder):
    journal = Journal.create(folder, {})
    for name in ("b", "a", "c"):
        journal.append(line(name))
    assert ids(journal, [("bot", "c", ""), ("bot", "never", ""), ("bot", "b", "")]) == ["c", "b", "a"]


def test_variants_and_suites_are_different_cases(folder):
    journal = Journal.create(folder, {})
    journal.append(line("a", variant="small"))
    journal.append(line("a", variant="large"))
    journal.append(line("a", suite="other"))
    assert list(journal) == [("bot", "a", "small"), ("bot", "a", "large"), ("other", "a", "")]


def test_a_line_is_on_disk_when_append_returns(folder):
    journal = Journal.create(folder, {})
    for n in range(5):
        journal.append(line(str(n)))
        assert len(journal.path.read_bytes().splitlines()) == n + 2


def test_what_becomes_known_later_joins_the_header(folder):
    journal = Journal.create(folder, {"session_id": "s1", "started_at": "x"})
    journal.append(line())
    journal.note({"suites": [{"name": "bot"}]})
    journal.end({"exit_status": 1})
    again = reopened(journal)
    assert again.header == journal.header == {"session_id": "s1", "started_at": "x", "suites": [{"name": "bot"}]}
    assert again.ending == {"exit_status": 1}


def test_repeats_and_what_a_result_has_no_field_for_are_kept(folder):
    journal = Journal.create(folder, {})
    data = json.loads(line())
    del data["v"]
    journal.append_entry(Entry(data, 0, {"dataset_id": "refund_run1"}))
    journal.append_entry(Entry(data, 1))
    first, second = reopened(journal).entries()
    assert (first.repeat, first.extra, second.repeat) == (0, {"dataset_id": "refund_run1"}, 1)
    assert list(reopened(journal)) == [("bot", "refund", ""), ("bot", "refund", "", "1")]


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_torn_last_line_costs_only_itself(folder, cut):
    journal = Journal.create(folder, {})
    for name in ("a", "b", "c"):
        journal.append(line(name))
    journal.path.write_bytes(journal.path.read_bytes()[:-cut])
    again = reopened(journal)
    assert ids(again) == ["a", "b", "c"][: 3 if cut == 1 else 2]  # without its line end a line is still whole
    assert again.damaged == (0 if cut == 1 else 1)


@pytest.mark.parametrize(
    "damage", [b"\0\0\0\0\n", b"{}\n", b"[1]\n", b'{"v":1,"suite":"bot"}\n', b"\xff\xfe\n", b'"x"\n']
)
def test_a_damaged_line_costs_only_itself(folder, damage):
    journal = Journal.create(folder, {})
    journal.append(line("a"))
    with journal.path.open("ab") as file:
        file.write(damage)
    later = result_to_json(result("passed", "b"))
    with journal.path.open("ab") as file:
        file.write(later.encode() + b"\n")
    again = reopened(journal)
    assert ids(again) == ["a", "b"]
    assert again.damaged == 1


@pytest.mark.parametrize(
    "content", [b"", b"\n", b'{"journal":1,"kind":"head', b'{"journal":9,"kind":"header"}\n', b"text\n"]
)
def test_what_is_no_journal_is_refused(folder, content):
    folder.mkdir()
    path = folder / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="not a journal of a session"):
        Journal.open(path)
    assert list(abandoned(folder)) == []


def test_finish_removes_the_journal_and_its_folder(folder):
    one, other = Journal.create(folder, {}), Journal.create(folder, {})
    one.finish()
    assert list(folder.iterdir()) == [other.path]
    other.finish()
    assert not folder.exists()


def test_a_folder_that_vanishes_is_made_again(folder, monkeypatch):
    from pytest_evals.store import journal as module

    real, calls = module.make_folder, []

    def vanishing(path):
        real(path)
        calls.append(path)
        if len(calls) == 1:
            path.rmdir()  # the last session with a journal here has just finished

    monkeypatch.setattr(module, "make_folder", vanishing)
    journal = Journal.create(folder, {})
    assert journal.path.exists()
    assert len(calls) == 2


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"^.*/file/journals: cannot keep a journal there \(Not a directory\)$"):
        Journal.create(tmp_path / "file" / "journals", {})


def test_a_journal_in_memory_holds_the_same(tmp_path):
    journal = Journal.in_memory({"session_id": "s1"})
    journal.append(line("a"))
    journal.append(line("a", "failed"))
    journal.note({"x": 1})
    assert [r.outcome for r in journal.results()] == ["failed"]
    assert not journal.flush()
    journal.finish()


class Full:
    """A disk that takes so many bytes and no more."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.write = os.write

    def __call__(self, handle: int, data: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = self.write(handle, data[: self.room])
        self.room -= written
        return written


def test_a_full_disk_is_said_once_and_loses_nothing_while_the_process_lives(folder, monkeypatch):
    journal = Journal.create(folder, {})
    journal.append(line("a"))
    disk = Full(room=25)
    monkeypatch.setattr(os, "write", disk)
    with pytest.raises(StoreError, match=r"cannot be written \(No space left on device\); results are kept in memory"):
        journal.append(line("b"))
    journal.append(line("c"))
    journal.append(line("a", "failed"))
    assert ids(journal) == ["a", "b", "c"]
    assert journal.read(("bot", "a", "")).outcome == "failed"
    assert ids(reopened(journal)) == ["a"]

    disk.room = 10**6  # somebody makes room
    journal.append(line("d"))
    assert ids(reopened(journal)) == ["a", "d"]
    assert journal.flush()
    again = reopened(journal)
    assert sorted(ids(again)) == ["a", "b", "c", "d"]
    assert again.read(("bot", "a", "")).outcome == "failed"
    assert again.damaged == 1  # the part of a line that got through


def test_several_threads_may_append(folder):
    journal = Journal.create(folder, {})
    names = [[f"{t}-{n}" for n in range(50)] for t in range(4)]
    threads = [threading.Thread(target=lambda part=part: [journal.append(line(x)) for x in part]) for part in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ids(journal)) == sorted(functools.reduce(operator.iadd, names, []))
    assert sorted(ids(reopened(journal))) == sorted(functools.reduce(operator.iadd, names, []))


def test_a_closed_journal_says_so(folder):
    journal = Journal.create(folder, {})
    journal.append(line())
    journal.close()
    with pytest.raises(StoreError, match="closed"):
        journal.read(("bot", "refund", ""))


def test_the_journal_of_a_living_session_is_left_alone(tmp_path):
    location = history(tmp_path)
    journal = start(location, [result()])
    assert list(abandoned(location.journals)) == []
    assert list(abandoned(location.journals, foreign=True)) == []
    assert [path for path, _ in living(location.journals)] == [journal.path]


def test_a_journal_that_was_left_to_recover_is_abandoned_though_its_process_lives(tmp_path):
    location = history(tmp_path)
    journal = start(location, [result()])
    journal.keep = True
    journal.finish()
    (found,) = abandoned(location.journals)
    assert [r.case_id for r in found.results()] == ["refund-window"]
    assert living(location.journals) == []


def test_a_journal_of_another_machine_is_abandoned_when_it_was_silent_for_an_hour(tmp_path):
    location = history(tmp_path)
    journal = start(location, [result()])
    text = journal.path.read_text("ascii")
    journal.path.write_text(text.replace(f'"host":"{journal.owner.host}"', '"host":"elsewhere"'), "ascii")
    assert list(abandoned(location.journals)) == []
    assert len(living(location.journals)) == 1
    (found,) = abandoned(location.journals, foreign=True)
    assert found.owner.host == "elsewhere"
    old = journal.path.stat().st_mtime - 3700
    os.utime(journal.path, (old, old))
    assert len(list(abandoned(location.journals))) == 1
    journal.beat()
    assert list(abandoned(location.journals)) == []


def test_what_a_session_left_that_was_killed_in_the_instant_of_its_start_is_swept_up_later(folder):
    folder.mkdir()
    unfinished = folder / "20260301T160000Z-7-abc.jsonl.new"
    unfinished.write_bytes(b'{"journal":1,"ki')
    assert list(abandoned(folder)) == []
    assert unfinished.exists()  # it may be about to get its name
    os.utime(unfinished, (1, 1))
    assert list(abandoned(folder)) == []
    assert not folder.exists()


def test_a_line_is_what_the_wire_carries(folder):
    written = line("a", "failed", output={"answer": 12})
    journal = Journal.create(folder, {})
    journal.append(written)
    assert journal.path.read_text("ascii").splitlines()[1] == written
    assert journal.read(("bot", "a", "")) == result_from_json(written)
