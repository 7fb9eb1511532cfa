"""Kept replies."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

from pytest_evals.errors import StoreError
from pytest_evals.llm.cache import ReplyCache, remove
from pytest_evals.model.llm import Reply
from pytest_evals.model.response import ToolCall, Usage

WHOLE = Reply(
    "30 days",
    reasoning="hm",
    tool_calls=(ToolCall("policy", {"topic": "returns"}),),
    usage=Usage(10, 5, 2),
    cache_write_tokens=3,
    stop_reason="stop",
    model="m-1",
    raw_usage={"input_tokens": 5},
)


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def cache(tmp_path, clock):
    cache = ReplyCache(tmp_path / "replies.db", clock=clock)
    yield cache
    cache.close()


def test_a_kept_reply_is_the_same_but_marked_and_knows_what_it_took(cache):
    cache.put("k", "p/m", WHOLE, 812.5)
    assert cache.get("k") == WHOLE.kept(812.5)
    assert cache.get("other") is None


def test_the_name_that_the_service_gave_to_the_request_is_not_kept(cache):
    cache.put("k", "p/m", Reply("x", request_id="req_1"), None)
    assert cache.get("k").request_id == ""


def test_a_text_that_no_encoding_knows_comes_back(cache):
    cache.put("k", "p/m", Reply("a\ud800b\x00é"), None)
    assert cache.get("k").text == "a\ud800b\x00é"


def test_the_last_reply_to_a_request_counts(cache):
    cache.put("k", "p/m", Reply("one"), None)
    cache.put("k", "p/m", Reply("two"), None)
    assert cache.get("k").text == "two"
    assert cache.stats().replies == 1


def test_a_reply_that_is_too_old_is_asked_for_again(tmp_path, clock):
    cache = ReplyCache(tmp_path / "r.db", max_age_s=100, clock=clock)
    cache.put("k", "p/m", Reply("x"), None)
    clock.now += 100
    assert cache.get("k") is not None
    clock.now += 1
    assert cache.get("k") is None
    unlimited = ReplyCache(tmp_path / "r.db", max_age_s=0, clock=clock)
    assert unlimited.get("k") is not None
    cache.close()
    unlimited.close()


def test_the_oldest_replies_go_when_there_is_no_room(tmp_path, clock):
    cache = ReplyCache(tmp_path / "r.db", max_bytes=20_000, clock=clock)
    for number in range(100):
        clock.now += 1
        cache.put(str(number), "p/m", Reply("x" * 1000), None)
    stats = cache.stats()
    assert stats.bytes <= 20_000
    assert cache.get("99") is not None
    assert cache.get("0") is None
    kept = [cache.get(str(number)) is not None for number in range(100)]
    assert kept == sorted(kept), "newer ones are kept"
    assert sum(kept) >= 10
    cache.close()


def test_a_reply_without_room_is_not_kept_and_nothing_else_is_lost_for_good(tmp_path, clock):
    cache = ReplyCache(tmp_path / "r.db", max_bytes=1_000, clock=clock)
    cache.put("k", "p/m", Reply("x" * 5_000), None)
    assert cache.get("k") is None
    cache.put("s", "p/m", Reply("x"), None)
    assert cache.get("s") is not None
    cache.close()


def test_statistics_name_the_models(cache, clock):
    assert cache.stats().oldest_s is None
    cache.put("a", "p/small", Reply("x"), None)
    clock.now += 5
    cache.put("b", "p/large", Reply("x" * 100), None)
    cache.put("c", "p/large", Reply("x" * 100), None)
    stats = cache.stats()
    assert (stats.replies, stats.newest_s - stats.oldest_s) == (3, 5)
    assert [(each.model, each.replies) for each in stats.models] == [("p/large", 2), ("p/small", 1)]
    assert stats.bytes == sum(each.bytes for each in stats.models)


def test_some_or_all_can_be_forgotten(cache, clock):
    for number, model in enumerate(("p/a", "p/b", "q/a")):
        clock.now += 10
        cache.put(str(number), model, Reply("x"), None)
    assert cache.clear(model="p/*", before_s=clock.now - 15) == 1
    assert cache.clear(model="q/*") == 1
    assert cache.stats().replies == 1
    assert cache.clear() == 1
    assert cache.stats().replies == 0


def test_the_space_of_forgotten_replies_goes_back_to_the_disk(cache):
    for number in range(50):
        cache.put(str(number), "p/m", Reply("x" * 10_000), None)
    cache.clear()
    raw = sqlite3.connect(cache.path)
    assert raw.execute("PRAGMA page_count").fetchone()[0] < 10
    raw.close()


def test_a_file_of_another_version_starts_afresh(tmp_path, cache):
    cache.put("k", "p/m", Reply("x"), None)
    raw = sqlite3.connect(cache.path)
    raw.execute("PRAGMA user_version = 99")
    raw.close()
    again = ReplyCache(cache.path)
    assert again.get("k") is None
    again.put("k", "p/m", Reply("y"), None)
    assert again.get("k").text == "y"
    again.close()


def test_a_file_that_is_no_cache_is_refused_in_one_line_and_can_be_removed(tmp_path):
    path = tmp_path / "replies.db"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreError, match=r"replies\.db: kept replies cannot be used: .*not a database; .*cache clear"):
        ReplyCache(path).get("k")
    remove(path)
    assert ReplyCache(path).get("k") is None


def test_there_is_no_file_until_something_is_looked_for(tmp_path):
    cache = ReplyCache(tmp_path / "deep" / "replies.db")
    assert not (tmp_path / "deep").exists()
    assert cache.get("k") is None
    assert (tmp_path / "deep" / "replies.db").exists()
    cache.close()


def test_trouble_during_a_run_means_asking_the_model(cache, caplog):
    cache.put("k", "p/m", Reply("x"), None)
    raw = sqlite3.connect(cache.path)
    raw.execute("DROP TABLE replies")
    raw.commit()
    raw.close()
    assert cache.get("k") is None
    cache.put("k", "p/m", Reply("x"), None)
    assert [record.message for record in caplog.records] == [
        f"{cache.path}: kept replies cannot be used for now: no such table: replies"
    ]


WRITER = """
import sys
from pathlib import Path
from pytest_evals.llm.cache import ReplyCache
from pytest_evals.model.llm import Reply
me = int(sys.argv[2])
cache = ReplyCache(Path(sys.argv[1]), max_bytes=1_000_000)
for number in range(150):
    key = f"{number % 50}" if number % 2 else f"{me}-{number}"
    cache.put(key, f"p/{me}", Reply("x" * 200), 1.0)
    found = cache.get(key)
    assert found is not None and found.text == "x" * 200, (me, number)
"""


def test_several_processes_write_and_read_at_once(tmp_path):
    path = tmp_path / "replies.db"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(n)]) for n in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    cache = ReplyCache(path)
    assert cache.stats().replies == 3 * 75 + 25  # the odd ones below 50 are shared
    cache.close()
