"""What a worker begins early of what xdist has sent: each item is looked at once, however long the queue is."""

from __future__ import annotations

import threading
from collections import deque
from contextlib import contextmanager

from pytest_evals.plugin.ahead import LookAhead


class Queue:
    """xdist's queue of a worker; counts how many of its numbers are read."""

    def __init__(self, numbers):
        self.items = deque(numbers)
        self.read = 0
        self.guard = threading.RLock()

    @contextmanager
    def lock(self):
        with self.guard:
            yield self

    def __reversed__(self):
        for number in reversed(self.items):
            self.read += 1
            yield number

    def __contains__(self, number):
        return number in self.items


class Worker:
    def __init__(self, numbers):
        self.torun = Queue(numbers)
        self.nextitem_index = self.torun.items.popleft()

    def turn(self):
        """The item whose turn it is; xdist takes the one after it from the queue already."""
        number = self.nextitem_index
        self.nextitem_index = self.torun.items.popleft() if self.torun.items else None
        return number


def ahead_of(worker) -> LookAhead:
    look = LookAhead.__new__(LookAhead)
    look._queue, look._noticed, look._undecided, look._open = worker, set(), deque(), set()
    return look


def begun(look, worker, most):
    """What could begin now: at most so many, then the window is full."""
    found = []
    for number in look._sent(range(100_000)):
        if len(found) == most:
            break
        if look._comes_yet():
            found.append(number)
    return found


def test_every_item_is_begun_once_and_before_its_turn():
    worker = Worker(range(10))
    look = ahead_of(worker)
    worker.turn()
    assert begun(look, worker, 3) == [1, 2, 3]
    worker.turn()
    assert begun(look, worker, 1) == [4]
    assert begun(look, worker, 0) == []
    assert begun(look, worker, 100) == [5, 6, 7, 8, 9]
    assert begun(look, worker, 100) == []


def test_items_whose_turn_was_before_are_passed_over():
    worker = Worker(range(10))
    look = ahead_of(worker)
    worker.turn()
    assert begun(look, worker, 0) == []  # an item before them keeps them waiting
    for _ in range(4):
        worker.turn()
    assert begun(look, worker, 2) == [5, 6]


def test_items_that_are_sent_later_come_after_and_those_sent_on_never():
    worker = Worker(range(5))
    look = ahead_of(worker)
    worker.turn()
    assert begun(look, worker, 1) == [1]
    worker.torun.items.extend([50, 51])
    worker.torun.items.remove(3)  # stolen
    assert begun(look, worker, 9) == [2, 4, 50, 51]


def test_a_long_queue_is_not_read_again_for_every_item():
    worker = Worker(range(2000))
    look = ahead_of(worker)
    count = 0
    for _ in range(2000):
        worker.turn()
        count += len(begun(look, worker, 1))
    assert count == 1999
    assert worker.torun.read < 3 * 2000
