"""Killed at any point and started again: what is finished is not paid twice, and the end is the same."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from pipelinemodel import Model

from pytest_evals.llm.canonical import digest, request_json
from pytest_evals.llm.clients import Clients
from pytest_evals.pipeline import files
from pytest_evals.pipeline.asking.journal import FILE, Journal
from pytest_evals.pipeline.generation.kinds import KINDS
from pytest_evals.pipeline.shapes.usecases import USE_CASES
from pytest_evals.workflow.generating import GenerateOptions, generate
from pytest_evals.workflow.groundtruthing import TruthOptions, make_ground_truth
from pytest_evals.workflow.pipelineasking import AskOptions


class Killed(BaseException):
    """The process is gone: nothing catches this."""


class World:
    """Counts what happens, and kills the process at a chosen moment: at a question, a reply, or within a write."""

    def __init__(self, monkeypatch, fault=lambda _: ""):
        self.left = -1
        self.paid = Counter()
        self.finished = set()
        self.model = Model(fault, once=True)
        self._client = self.model.client()
        self.local = True
        replace, write, keep = Path.replace, os.write, Journal.keep

        def replaced(path, target):
            self.happens()
            found = replace(path, target)
            self.happens()
            return found

        def written(descriptor, content):
            if self.left == 0:  # torn: a part is there, and no more
                write(descriptor, content[: len(content) // 2])
            self.happens()
            return write(descriptor, content)

        def kept(journal, key, reply, took_ms):
            keep(journal, key, reply, took_ms)
            self.finished.add(self.last)

        monkeypatch.setattr(files.Path, "replace", replaced)
        monkeypatch.setattr("pytest_evals.pipeline.asking.journal.os.write", written)
        monkeypatch.setattr(Journal, "keep", kept)

    def happens(self):
        self.left -= 1
        if self.left == -1:
            raise Killed

    async def complete(self, request):
        key = digest(request_json(request))
        assert key not in self.finished, "what was finished is asked again"
        self.happens()
        reply = await self._client.complete(request)
        self.paid[key] += 1
        self.last = key
        self.happens()
        return reply

    @property
    def asking(self):
        # one at a time: the moments are then the same ones in every run
        return AskOptions("fake/model", concurrency=1, clients=Clients.given({"fake": self}))


def first(world):
    options = GenerateOptions(KINDS["meetings"], ("standup", "planning"), 2, 60, asking=world.asking)
    return generate(options)


def then(world):
    options = TruthOptions(Path("output/test_data"), USE_CASES["qa"], num_samples=2, asking=world.asking)
    return make_ground_truth(options)


def everything():
    """What the folder holds, without times and what depends on them."""
    found = {}
    for path in sorted(Path("output").rglob("*")):
        if path.is_file() and path.name != FILE and not path.name.endswith("_metadata.json"):
            text = path.read_text()
            found[path.as_posix()] = "\n".join(
                line for line in text.splitlines() if not any(word in line for word in ("timestamp", "fingerprint"))
            )
    return found


@pytest.mark.parametrize("fault", ["", "section", "short"])
def test_killed_at_random_points_nothing_finished_is_paid_twice(monkeypatch, tmp_path_factory, fault):
    def faults(asked):
        return fault if "Type: planning" in asked else "one pair less" if "Dora" in asked else ""

    world = World(monkeypatch, faults)
    world.left = 10**6
    first(world)
    then(world)
    moments, wanted, calls = 10**6 - world.left, everything(), sum(world.paid.values())
    assert moments > 30
    rng = Random(fault)
    for number in range(17):
        monkeypatch.chdir(tmp_path_factory.mktemp(f"killed{number}"))
        world = World(monkeypatch, faults)
        killed = 0
        for _ in range(4):  # and again, while it goes on
            world.left = rng.randrange(moments)
            try:
                first(world)
                then(world)
            except Killed:
                killed += 1
        world.left = 10**6
        made = first(world), then(world)
        assert [each.status for each in made] == [0, 0]
        assert everything() == wanted
        # a reply that came and was not written down when the process died is all that can be lost
        assert sum(world.paid.values()) <= calls + killed
        # one was killed between a file and the note that its reply is not needed any more
        left_over = sum(len(path.read_text().splitlines()) for path in Path("output").rglob(FILE))
        assert left_over == 0 or killed


def test_forced_and_killed_it_goes_on_too(monkeypatch):
    world = World(monkeypatch)
    world.left = 10**6
    first(world)
    before = sum(world.paid.values())
    world.finished.clear()
    options = GenerateOptions(KINDS["meetings"], ("standup", "planning"), 2, 60, force=True, asking=world.asking)
    world.left = 20
    with pytest.raises(Killed):
        generate(options)
    done = len(world.finished)
    assert 0 < done < before
    world.left = 10**6
    generate(options)
    assert sum(world.paid.values()) <= 2 * before + 1


def test_two_spent_numbers_tell_what_is_paid_now_and_what_the_files_cost(monkeypatch):
    world = World(monkeypatch)
    world.left = 9
    with pytest.raises(Killed):
        first(world)
    world.left = 10**6
    made = first(world)
    assert 0 < made.calls < 4
    assert made.made + made.kept == 4
    assert made.spent.total_tokens < 4 * 1000


@pytest.mark.parametrize("torn", [b'{"key": "a', b"\xff\xfe", b"{}", b"[]", b'{"key": "a", "reply": {}, "took_ms": 1}'])
def test_a_journal_that_was_torn_is_read_as_far_as_it_goes(tmp_path, torn):
    from pytest_evals.model.llm import Reply

    journal = Journal(tmp_path)
    journal.keep("one", Reply("1"), 5.0)
    journal.close()
    with journal.path.open("ab") as file:
        file.write(torn)
    journal = Journal(tmp_path)
    assert journal.find("one") == (Reply("1"), 5.0)
    journal.keep("two", Reply("2"), 6.0)
    journal.forget(["one"])
    journal.close()
    journal = Journal(tmp_path)
    assert (journal.find("one"), journal.find("two")) == (None, (Reply("2"), 6.0))
    journal.settle(["two"])
    journal.finish()
    assert not journal.path.exists()
