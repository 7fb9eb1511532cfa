"""A program as the target."""

from __future__ import annotations

import json
import os
import signal
import sys
import textwrap
import threading
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_evals.engine.runner import Engine
from pytest_evals.engine.target import resolve
from pytest_evals.errors import TargetError
from pytest_evals.model.case import Case, TargetSpec
from pytest_evals.model.criterion import Criterion
from pytest_evals.model.fieldpath import read_path
from pytest_evals.model.outcome import ErrorKind, Outcome
from pytest_evals.model.remote import CommandSpec

SCORERS = {"any": lambda: True}
PYTHON = sys.executable


@pytest.fixture
def engine():
    engine = Engine()
    yield engine
    engine.close()


@pytest.fixture
def ask(engine, tmp_path):
    """``ask("print(input())", question="hi")``: what a case comes to whose target is that Python program."""

    def ask(program, *arguments, question="Why?", context=None, timeout_s=20.0, retries=0, **options):
        argv = program if isinstance(program, list) else [PYTHON, "-c", textwrap.dedent(program), *arguments]
        output = options.pop("output", None)
        spec = CommandSpec(tuple(argv), output=read_path(output) if output else None, **options)
        target = resolve(TargetSpec("command", "bot", tmp_path, options=spec))
        case = Case("c-1", question, (Criterion("any", "any"),), context=context, timeout_s=timeout_s, retries=retries)
        return engine.run(case, target, SCORERS)

    return ask


ECHO = "import sys; sys.stdout.write(sys.stdin.read())"
SHOW = "import sys, json; print(json.dumps(sys.argv[1:]), end=sys.stdin.read())"


# --- what it is given -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Why?", "Why?"),
        ("two\nlines $HOME `id` 'x' \\ é☃ * ; rm -rf", "two\nlines $HOME `id` 'x' \\ é☃ * ; rm -rf"),
        ("", ""),
        ({"a": [1, None, "é"]}, '{"a": [1, null, "é"]}'),
        ([{"role": "user", "content": "hi"}], '[{"role": "user", "content": "hi"}]'),
        ("x" * 1_000_000, "x" * 1_000_000),
        ("half \ud800", "half ?"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_the_input_is_read_from_standard_input_as_it_is(ask, question, read):
    assert ask(ECHO, question=question).output == read


@pytest.mark.parametrize("question", ["Why?", "$HOME `id` * ; 'x' \"y\" \\n", "--help", "", "two\nlines", {"a": "é"}])
def test_a_place_among_the_arguments_holds_the_input_and_no_shell_reads_it(ask, question):
    result = ask(SHOW, "--case={{ case.id }}", "{{ input }}", "<{{ context }}>", question=question, context="C")
    text = question if isinstance(question, str) else json.dumps(question, ensure_ascii=False)
    assert json.loads(result.output) == ["--case=c-1", text, "<C>"]


def test_standard_input_can_be_a_template(ask):
    result = ask(SHOW, "{{ session_id }}", stdin="{{ input }}/{{ case.id }}/{{ context }}", context={"a": 1})
    assert result.output == f'["{result.last.session_id}"]Why?/c-1/{{"a": 1}}'


def test_a_program_that_does_not_read_its_input_may_still_answer(ask):
    assert ask("import sys; sys.stdin.close(); print('done')", question="x" * 5_000_000).output == "done"


def test_it_runs_in_the_folder_of_the_suite_with_the_running_pythons_programs_first(ask, tmp_path):
    result = ask(["python", "-c", "import os, sys; print(os.getcwd(), sys.prefix)"])
    assert result.output == f"{tmp_path} {sys.prefix}"


def test_a_program_of_the_suites_folder_is_found_there(ask, tmp_path):
    program = tmp_path / "bot.sh"
    program.write_text("#!/bin/sh\ncat\n")
    program.chmod(0o755)
    assert ask(["./bot.sh"]).output == "Why?"


# --- what it answers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "output", "answer"),
    [
        ("yes\\n", None, "yes"),
        ("yes\\r\\n\\n", None, "yes"),
        ("\\n yes \\n", None, "\n yes "),
        ("", None, ""),
        ('{"answer": "yes"}\\n', None, '{"answer": "yes"}'),
        ('{"answer": {"text": "é"}}\\n', "answer.text", "é"),
        ("[1, 2]", "$[-1]", 2),
    ],
)
def test_the_answer_is_what_it_writes_or_lies_in_it(ask, written, output, answer):
    result = ask(f"import sys; sys.stdout.buffer.write('''{written}'''.encode())", output=output)
    assert result.output == answer
    assert result.last.metadata == {"exit_status": 0}


def test_what_is_not_utf_8_is_shown_as_such(ask):
    assert ask("import sys; sys.stdout.buffer.write(b'caf\\xe9')").output == "caf\ufffd"


def test_standard_error_is_kept_apart(ask):
    result = ask("import sys; print('warn', file=sys.stderr); print('yes')")
    assert result.output == "yes"
    assert result.last.metadata == {"exit_status": 0, "stderr": "warn"}


def test_of_much_standard_error_the_end_is_kept(ask):
    result = ask("import sys; sys.stderr.write('x' * 3_000_000 + ' the end'); print('yes')")
    assert result.output == "yes"
    assert result.last.metadata["stderr"].endswith("x the end")
    assert len(result.last.metadata["stderr"]) == 4000


def test_other_exit_statuses_may_mean_an_answer(ask):
    result = ask("import sys; print('no match'); sys.exit(1)", statuses=(0, 1))
    assert (result.output, result.last.metadata) == ("no match", {"exit_status": 1})


# --- what goes wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "message", "detail"),
    [
        ("raise SystemExit(3)", "exit status 3, and nothing on standard error", ""),
        ("raise SystemExit('no key')", "exit status 1: no key", ""),
        ("import sys; sys.exit('one\\ntwo\\n\\n')", "exit status 1: two", "one\ntwo"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended by SIGSEGV, and nothing on", ""),
        ("print('{')", "the reply is not JSON: {", ""),
        ("pass", "the reply is empty, not JSON", ""),
        ("print('{\"b\": 1}')", "no answer at 'a': there is no 'a', which is a mapping of 'b'", '{\n  "b": 1\n}'),
    ],
)
def test_no_answer_is_the_applications_error(ask, program, message, detail):
    result = ask(program, output="a")
    assert result.outcome is Outcome.ERRORED
    assert result.error.kind is ErrorKind.TARGET
    assert result.error.message.startswith(message)
    assert result.error.detail == detail


def test_a_traceback_is_kept_and_its_last_line_is_the_message(ask):
    error = ask("int('x')").error
    assert error.message == "exit status 1: ValueError: invalid literal for int() with base 10: 'x'"
    assert error.detail.startswith("Traceback (most recent call last):")


@pytest.mark.parametrize(
    ("question", "said"),
    [("a\0b", "embedded null byte"), ("x" * 3_000_000, "Argument list too long")],
    ids=["nul", "long"],
)
def test_an_input_that_cannot_be_an_argument_is_an_error(ask, question, said):
    assert said in ask(SHOW, "{{ input }}", question=question).error.message


def test_an_argument_with_half_a_character_is_an_error_not_a_crash(ask):
    assert ask(SHOW, "{{ input }}", question="\ud800").error.kind is ErrorKind.TARGET


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "no-such-program-x",
            "there is no program 'no-such-program-x' in PATH; a program in the suite's folder is './",
        ),
        ("./gone.sh", "gone.sh is no program that can be run"),
        ("/etc/passwd", "/etc/passwd is no program that can be run"),
    ],
)
def test_a_program_that_is_not_there_is_said_before_anything_runs(tmp_path, program, said):
    with pytest.raises(TargetError) as raised:
        resolve(TargetSpec("command", program, tmp_path, options=CommandSpec((program,))))
    assert said in str(raised.value)


def test_a_program_that_disappears_is_an_error(ask, tmp_path, engine):
    program = tmp_path / "bot.sh"
    program.write_text("#!/bin/sh\ncat\n")
    program.chmod(0o755)
    target = resolve(TargetSpec("command", "./bot.sh", tmp_path, options=CommandSpec(("./bot.sh",))))
    program.unlink()
    error = engine.run(Case("c", "q", (Criterion("any", "any"),), retries=0), target, SCORERS).error
    assert error.message == "cannot start './bot.sh': No such file or directory"


# --- the end of a process ---------------------------------------------------------------------------------------------

FAMILY = """
    import os, signal, subprocess, sys, time
    {ignore}
    nap = "import subprocess; subprocess.run(['sleep', '60'])"
    child = subprocess.Popen([sys.executable, "-c", nap])
    open("pids", "w").write(f"{{os.getpid()}} {{child.pid}}")
    print("thinking", file=sys.stderr, flush=True)
    print("so far", flush=True)
    {then}
"""
IGNORE = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie of ours counts, one of somebody else's does not."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z" or int(parent) == os.getpid()


def all_gone(folder: Path) -> bool:
    pids = [int(pid) for pid in (folder / "pids").read_text().split()]
    until = time.monotonic() + 3
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    return not any(map(alive, pids))


@pytest.mark.parametrize("ignore", ["", IGNORE], ids=["ends", "ignores SIGTERM"])
def test_too_slow_a_program_is_killed_with_its_children_and_what_it_said_is_kept(ask, tmp_path, ignore):
    started = time.monotonic()
    result = ask(FAMILY.format(ignore=ignore, then="time.sleep(60)"), timeout_s=1.5)
    assert time.monotonic() - started < 4
    assert result.error.kind is ErrorKind.TIMEOUT
    assert result.error.message == "no answer within 1.5 s"
    assert result.error.detail == "thinking"
    assert all_gone(tmp_path)


def test_a_program_that_says_nothing_is_killed_as_well(ask):
    result = ask("import time; time.sleep(60)", timeout_s=0.5)
    assert (result.error.message, result.error.detail) == ("no answer within 0.5 s", "")


def test_what_a_program_leaves_running_is_killed_when_it_has_answered(ask, tmp_path):
    started = time.monotonic()
    result = ask(FAMILY.format(ignore="", then=""))
    assert result.output == "so far"
    assert time.monotonic() - started < 5
    assert all_gone(tmp_path)


def test_a_program_that_writes_for_ever_is_stopped(ask, tmp_path):
    result = ask("""
        import os, sys
        open("pids", "w").write(str(os.getpid()))
        print("much", file=sys.stderr, flush=True)
        while True: sys.stdout.write("x" * 100_000)
    """)
    assert result.error.message == "it wrote more than 10 MB"
    assert result.error.detail == "much"
    assert all_gone(tmp_path)


def test_closing_the_engine_ends_what_runs(tmp_path):
    engine = Engine()
    spec = CommandSpec((PYTHON, "-c", textwrap.dedent(FAMILY.format(ignore="", then="time.sleep(60)"))))
    target = resolve(TargetSpec("command", "bot", tmp_path, options=spec))
    case = Case("c", "q", (Criterion("any", "any"),), timeout_s=60)

    def run() -> None:
        with suppress(CancelledError):
            engine.run(case, target, SCORERS)

    thread = threading.Thread(target=run)
    thread.start()
    until = time.monotonic() + 10
    while not (tmp_path / "pids").exists() or len((tmp_path / "pids").read_text().split()) < 2:
        assert time.monotonic() < until
        time.sleep(0.02)
    engine.close()
    thread.join(5)
    assert not thread.is_alive()
    assert all_gone(tmp_path)


def children() -> set[str]:
    """Our own processes, zombies included."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if stat.read_text().rpartition(")")[2].split()[1] == str(os.getpid()):
                found.add(stat.parent.name)
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_many_programs_leave_no_process_and_no_open_file(ask):
    ask(["true"])
    before, files = children(), open_files()
    for _ in range(20):
        assert ask(["cat"]).output == "Why?"
        assert ask(["false"]).error.message.startswith("exit status 1")
        ask(["sleep", "60"], timeout_s=0.02)
    time.sleep(0.1)
    assert children() <= before
    assert open_files() <= files


def test_a_signal_to_the_terminal_does_not_reach_the_program(ask):
    # Ctrl-C is for pytest, which then ends what runs
    result = ask("import os; print(os.getpgrp() == os.getpid(), os.getsid(0) == os.getpid())")
    assert result.output == "True True"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
