"""The live progress line: there on a terminal, and as if it had never been there in what is left."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from itertools import pairwise

import pytest
from factories import row
from projects import OTHERS
from screen import on_terminal

from pytest_evals.plugin.progress import Progress
from pytest_evals.plugin.statusline import StatusLine

BOT = """
import asyncio, logging, random
from pytest_evals import Response
rng = random.Random(5)
async def answer(question):
    logging.getLogger("bot").warning("asked %s", question)
    print("printed", question)
    await asyncio.sleep(rng.random() / 10)
    if question.startswith("boom"): raise ValueError(question)
    return Response("no" if question.startswith("bad") else "ok", cost_usd=0.002)
"""

LINE = re.compile(r"^\d+/\d+ cases")
MOVES = re.compile(r"\x1b\[[0-9]*[ACK]")
"""What only the line writes: pytest itself does not move the cursor."""


def suite(name, questions, extra=""):
    cases = "".join(f"  - {{id: c{i}, input: {q}, expected_output: ok}}\n" for i, q in enumerate(questions))
    return (
        f"suite: {name}\ntarget: bot.py:answer\ndefaults: {{criteria: [contains], retries: 0}}\n{extra}cases:\n{cases}"
    )


@pytest.fixture
def folder(tmp_path):
    """A project with every letter, files of one letter and of more than a row."""
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "a.eval.yaml").write_text(suite("a", ["q", "bad", "boom"] + ["q"] * 5))
    (tmp_path / "b.eval.yaml").write_text(suite("b", ["q", "bad"] * 15, "gates: ['pass_rate >= 10%']\n"))
    (tmp_path / "c.eval.yaml").write_text(suite("c", ["q"]))
    (tmp_path / "test_d.py").write_text("import time\ndef test_d(): print('mine'); time.sleep(0.3)\n")
    return tmp_path


def command(*args):
    others = [word for name in OTHERS for word in ("-p", f"no:{name}")]
    own = ["-p", "no:cacheprovider", "--evals-no-history", "--tb=line", "--evals-concurrency=4"]
    return [sys.executable, "-m", "pytest", *others, *own, *args]


def settled(text):
    """What is written between collection and figures, without what differs from one run to the next."""
    text = re.split(r"=+ evaluation =+", text)[0].rpartition("collected ")[2]
    text = re.sub(r"\d+(\.\d+)? ?(ms|s)\b", "TIME", text)
    return re.sub(r" +", " ", re.sub(r"=+", "=", text))


def line_of(shot):
    return next((line for line in reversed(shot) if LINE.match(line)), "")


@pytest.mark.parametrize("columns", [80, 30])
def test_what_is_left_on_the_screen_is_what_pytest_writes_without_the_line(folder, columns):
    (folder / "b.eval.yaml").write_text(suite("b", ["q", "bad"] * 50, "gates: ['pass_rate >= 10%']\n"))
    without = on_terminal(command("--evals-progress=off"), folder, columns=columns)
    seen = on_terminal(command(), folder, columns=columns)
    assert MOVES.search(without.raw) is None
    assert len({line_of(shot) for shot in seen.shots}) > 5
    assert settled(seen.text) == settled(without.text)
    assert seen.status == without.status == 1


def test_with_workers_the_controller_shows_the_line(folder):
    seen = on_terminal(command("-n2"), folder)
    lines = {line_of(shot) for shot in seen.shots}
    assert len(lines) > 5
    assert not any("in flight" in line for line in lines)
    assert not [line for line in seen.screen.lines if LINE.match(line)]
    letters = re.sub(r"\[ *\d+%\]|\s", "", seen.text.split("items]")[1].split("===")[0])
    assert sorted(letters) == sorted("." * 22 + "m" * 15 + "FE" + ".")


def test_the_line_tells_how_far_the_session_is(folder):
    seen = on_terminal(command(), folder, columns=120)
    lines = [line_of(shot) for shot in seen.shots if line_of(shot)]
    done = [int(line.split("/")[0]) for line in lines]
    assert done == sorted(done)
    assert all("/39 cases, " in line for line in lines)
    last = next(line for line in reversed(lines) if "1 errored" in line)
    assert re.search(r"\d in flight, \d+ passed, \d+ missed, 1 failed, 1 errored, \$0\.\d+", last)
    in_flight = [int(found[1]) for line in lines if (found := re.search(r"(\d+) in flight", line))]
    assert max(in_flight) == 4


def test_the_line_changes_ten_times_a_second_at_most(folder):
    (folder / "b.eval.yaml").write_text(suite("b", ["q"] * 1500))
    bot = BOT.replace("await asyncio.sleep(rng.random() / 10)", "await asyncio.sleep(0.001)")
    (folder / "bot.py").write_text(bot)
    seen = on_terminal(command(), folder)
    lines = [line_of(shot) for shot in seen.shots]
    changes = sum(before != after and bool(before) and bool(after) for before, after in pairwise(lines))
    assert changes <= 10 * seen.seconds + 1
    assert settled(seen.text).count(".") >= 1500


@pytest.mark.parametrize(
    ("args", "environment"),
    [
        (["-q"], {}),
        (["-v"], {}),
        (["-s"], {}),
        ([], {"CI": "true"}),
        ([], {"TERM": "dumb"}),
        (["--evals-progress=off"], {}),
    ],
    ids=["q", "v", "s", "ci", "dumb", "off"],
)
def test_it_is_not_shown_where_it_would_disturb(folder, args, environment):
    seen = on_terminal(command(*args), folder, environment=environment)
    assert MOVES.search(seen.raw) is None
    assert not any(map(line_of, seen.shots))


@pytest.mark.parametrize("args", [[], ["-n2"], ["--evals-progress=on"]], ids=["alone", "n2", "on"])
def test_a_log_without_a_terminal_holds_no_control_character(folder, args):
    ran = subprocess.run(command(*args), cwd=folder, capture_output=True, check=False, timeout=60)
    out = ran.stdout + ran.stderr
    assert b"evaluation" in out
    assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", out)


@pytest.mark.parametrize("args", [["-v", "-s"], ["-q"], ["-o", "log_cli=true"]], ids=" ".join)
def test_forced_it_keeps_every_line_of_other_output_whole(folder, args):
    without = on_terminal(command("--evals-progress=off", "--evals-concurrency=1", *args), folder, columns=100)
    seen = on_terminal(
        command("--evals-progress=on", "--evals-concurrency=1", *args),
        folder,
        columns=100,
        environment={"CI": "true"},
    )
    assert len({line_of(shot) for shot in seen.shots}) > 5
    assert settled(seen.text) == settled(without.text)


def test_ctrl_c_leaves_no_trace_of_it(folder):
    sent = []

    def interrupt(shot):
        if int((line_of(shot) or "0/").split("/")[0]) > 20 and not sent:
            sent.append(signal.SIGINT)
            return signal.SIGINT
        return None

    seen = on_terminal(command(), folder, during=interrupt)
    assert seen.status == 2
    assert not [line for line in seen.screen.lines if LINE.match(line)]
    assert "KeyboardInterrupt" in seen.text


def test_pdb_has_the_terminal_to_itself(folder):
    (folder / "test_e.py").write_text("def test_e():\n    here = 'a variable'\n    breakpoint()\n")
    asked = []

    def answer(shot):
        if shot and shot[-1].endswith("(Pdb)") and len(asked) < 2:
            asked.append(shot)
            return "p here\n" if len(asked) == 1 else "c\n"
        return None

    seen = on_terminal(command("a.eval.yaml", "test_e.py", "b.eval.yaml"), folder, during=answer)
    assert not [line for shot in asked for line in shot if LINE.match(line)]
    assert "(Pdb) p here\n'a variable'\n(Pdb) c" in seen.text
    after = seen.shots[seen.shots.index(asked[1]) :]
    assert len({line_of(shot) for shot in after}) > 2


def test_streams_are_given_back_as_they_were():
    master, slave = os.openpty()
    try:
        with open(slave, "w", encoding="utf-8", closefd=False) as one, open(slave, "w", closefd=False) as other:
            mine = one.write
            one.write = mine
            line = StatusLine([one, other], lambda columns: "a line")
            line.refresh()
            assert one.write is not mine
            line.stop()
            assert one.write is mine
            assert "write" not in vars(other)
            line.stop()
        assert os.read(master, 1000) == b"a line\x1b[K\r\x1b[K"
    finally:
        os.close(master)
        os.close(slave)


def progress(cases, clock, **calls):
    return Progress(
        lambda: cases, clock=clock, **{name: lambda number=number: number for name, number in calls.items()}
    )


def test_time_left_is_guessed_from_the_answers_so_far():
    now = [100.0]
    shown = progress(50, lambda: now[0], in_flight=4, waiting=6)
    for number in range(4):
        shown.take(None, row("passed", f"c{number}"))
    assert shown.line(200) == "4/50 cases, 6 more answered, 4 in flight, 4 passed"
    now[0] += 20
    assert shown.line(200).endswith(", 1 min left")
    now[0] -= 10
    assert shown.line(200).endswith(", 40 s left")


def test_a_case_that_runs_again_counts_once():
    shown = progress(5, lambda: 0.0)
    first, second = row("errored", "c", cost_usd=0.5), row("passed", "c", cost_usd=0.25)
    shown.take(None, first)
    assert shown.line(99) == "1/5 cases, 1 errored, $0.50"
    shown.take(first, second)
    assert shown.line(99) == "1/5 cases, 1 passed, $0.25"


def test_on_a_narrow_terminal_the_least_important_goes_first():
    shown = progress(2000, lambda: 0.0, in_flight=16)
    for number, (outcome, fields) in enumerate(
        [("passed", {"cost_usd": 0.5}), ("failed", {"gated": True}), ("failed", {}), ("errored", {}), ("warned", {})]
    ):
        shown.take(None, row(outcome, f"c{number}", **fields))
    assert shown.line(99) == "5/2,000 cases, 16 in flight, 1 passed, 1 warned, 1 missed, 1 failed, 1 errored, $0.50"
    assert shown.line(60) == "5/2,000 cases, 1 passed, 1 missed, 1 failed, 1 errored"
    assert shown.line(30) == "5/2,000 cases, 1 failed"
    assert shown.line(15) == "5/2,000 cases"
    assert shown.line(8) == ""


def test_without_cases_there_is_nothing_to_show():
    assert progress(0, lambda: 0.0, in_flight=0).line(80) == ""
