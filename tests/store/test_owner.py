from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from pytest_evals.store.owner import FOREIGN_SILENCE_S, Owner


def test_this_process_is_alive_however_long_it_is_silent():
    assert Owner.current().alive(1e9)


def test_a_process_that_has_ended_is_not_alive():
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert not replace(Owner.current(), pid=child.pid).alive(0)


def test_a_process_that_was_killed_and_not_waited_for_is_not_alive():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    os.kill(child.pid, 9)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and is a zombie now
    try:
        assert not replace(Owner.current(), pid=child.pid).alive(0)
    finally:
        child.wait()


def test_another_process_with_its_number_does_not_count_as_it():
    assert not replace(Owner.current(), started="1").alive(0)


def test_a_process_whose_start_is_unknown_counts_as_alive_while_its_number_is_taken():
    assert replace(Owner.current(), started="").alive(1e9)


@pytest.mark.parametrize("change", [{"host": "elsewhere"}, {"space": "another boot/pid:[1]"}])
def test_a_process_elsewhere_is_judged_by_its_silence(change):
    owner = replace(Owner.current(), **change)
    assert not owner.near
    assert owner.alive(FOREIGN_SILENCE_S - 1)
    assert not owner.alive(FOREIGN_SILENCE_S + 1)


def test_it_is_written_and_read_back():
    assert Owner.read(Owner.current().plain()) == Owner.current()


@pytest.mark.parametrize("data", [None, [], {}, {"pid": "12"}, "owner"])
def test_what_is_no_owner_is_not_read(data):
    assert Owner.read(data) is None
