"""How far a judge is, on a terminal."""

from __future__ import annotations

import io
import sys

import pytest

from pytest_evals import JudgeError, Score
from pytest_evals.cli.judge.options import progress
from pytest_evals.workflow.bench import Interrupted


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(monkeypatch, ask, *, of=3, quiet=False):
    """What a terminal shows; it takes the place of the stream within a test, for pytest sets its own before."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress(of, quiet=quiet) as told:
        ask(told)
    return terminal.getvalue()


def ask_all(told):
    told(Score(1.0))
    told(JudgeError("no"))
    told(Score(0.0))


def ask_one_and_stop(told):
    told(Score(1.0))
    raise Interrupted(1, 3, kept=False)


def test_each_answer_is_counted_and_errors_apart(monkeypatch):
    assert shown(monkeypatch, ask_all).split("\r")[1:] == [
        "1 of 3 judged", "2 of 3 judged, 1 without a verdict", "3 of 3 judged, 1 without a verdict\n",
    ]  # fmt: skip


def test_nothing_is_shown_to_programs(monkeypatch):
    assert shown(monkeypatch, ask_all, quiet=True) == ""


def test_ctrl_c_ends_the_line_first(monkeypatch):
    with pytest.raises(SystemExit) as stop:
        shown(monkeypatch, ask_one_and_stop)
    assert stop.value.code == 130
    assert sys.stderr.getvalue() == (
        "\r1 of 3 judged\nInterrupted: 1 of 3 answers are judged; nothing is kept with --no-cache.\n"
    )
