"""A program as the target: one process a case, without a shell, killed with its children when it takes too long."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import TargetError
from ..model.case import Case
from ..model.remote import CommandSpec
from ..model.response import Response
from ..model.template import fill, fill_text, places
from ..model.text import one_line, text_of
from .reply import answer_in, decoded
from .target import Target, given

MAX_BYTES = 10_000_000
"""Of standard output. More is no answer to be scored, and a program that writes for ever is ended by it."""

_MAX_STDERR = 4000
"""Of standard error the end is kept: that is where programs say what was wrong."""

_GENTLE_S = 0.2
"""How long a program may take to end when it is asked to, and what it leaves running to close its output."""


def command_target(spec: CommandSpec, label: str, base: Path) -> Target:
    """The target that runs a program in the suite's folder. Raises ``TargetError`` when there is no such program."""
    environment = _environment()
    program = spec.argv[0]
    if "/" in program:
        if not os.access(base / program, os.X_OK):
            raise TargetError(f"{base / program} is no program that can be run")
    elif shutil.which(program, path=environment["PATH"]) is None:
        raise TargetError(f"there is no program {program!r} in PATH; a program in the suite's folder is './{program}'")
    ask = _Program(spec, base, environment).ask
    return Target(label, ask, passes_input=None, extras=("case", "session_id", "variant"), is_async=True)


def _environment() -> dict[str, str]:
    """Ours, with the programs of the running Python first: `python` is the one that runs pytest, venv or not."""
    beside = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": os.pathsep.join([beside, os.environ.get("PATH", os.defpath)])}


class _Program:
    def __init__(self, spec: CommandSpec, base: Path, environment: Mapping[str, str]) -> None:
        self._spec = spec
        self._base = base
        self._environment = environment
        self._reads_input = spec.stdin is None and "input" not in places(spec.argv)

    async def ask(self, *, case: Case, session_id: str, variant: Mapping[str, Any]) -> Response:
        """Run the program for a case, and find the answer in what it writes."""
        spec, values = self._spec, given(case, session_id, variant)
        argv = [fill_text(argument, values) for argument in spec.argv]
        stdin = text_of(fill(spec.stdin, values)) if spec.stdin is not None else None
        if self._reads_input:
            stdin = text_of(case.input)
        run = await self._run(argv, stdin)
        stderr = decoded(bytes(run.stderr)).strip()
        if run.flooded.done():
            raise TargetError(f"it wrote more than {MAX_BYTES // 1_000_000} MB", stderr)
        if run.status not in spec.statuses:
            lines = stderr.splitlines()
            said = f": {one_line(lines[-1], 200)}" if lines else ", and nothing on standard error"
            raise TargetError(f"{_ended(run.status)}{said}", stderr if len(stderr) > 200 or len(lines) > 1 else "")
        answer = answer_in(decoded(bytes(run.stdout)).rstrip("\r\n"), spec.output)
        return Response(answer, metadata={"exit_status": run.status} | ({"stderr": stderr} if stderr else {}))

    async def _run(self, argv: list[str], stdin: str | None) -> _Run:
        loop = asyncio.get_running_loop()
        pipe = asyncio.subprocess.PIPE
        try:
            transport, run = await loop.subprocess_exec(
                lambda: _Run(loop),
                *argv,
                stdin=asyncio.subprocess.DEVNULL if stdin is None else pipe,
                stdout=pipe,
                stderr=pipe,
                cwd=self._base,
                env=self._environment,
                start_new_session=True,  # a group of its own, to be killed as a whole
            )
        except (OSError, ValueError) as error:  # also a NUL or too long a text among the arguments
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise TargetError(f"cannot start {argv[0]!r}: {reason}") from None
        group = transport.get_pid()
        try:
            if stdin is not None:
                _write(transport.get_pipe_transport(0), stdin.encode("utf-8", "replace"))
            await asyncio.wait({run.exited, run.flooded}, return_when=asyncio.FIRST_COMPLETED)
            if run.exited.done():
                await asyncio.wait({run.closed}, timeout=_GENTLE_S)
        except asyncio.CancelledError:
            await _end(group, run)
            if stderr := decoded(bytes(run.stderr)).strip():
                raise TargetError("it was killed", stderr) from None  # what it said may tell why it took so long
            raise
        finally:
            try:
                await _end(group, run)
            finally:
                run.status = transport.get_returncode() or 0
                transport.close()
        return run


class _Run(asyncio.SubprocessProtocol):
    """A process under way: what it wrote so far, and whether it has ended."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.exited: asyncio.Future[None] = loop.create_future()
        """When it has ended and is no zombie any more."""
        self.flooded: asyncio.Future[None] = loop.create_future()
        """When it has written too much."""
        self.closed: asyncio.Future[None] = loop.create_future()
        """When nobody can write to its output any more."""
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.status = 0
        self._open = {1, 2}

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.stderr += data
            del self.stderr[:-_MAX_STDERR]
        elif len(self.stdout) + len(data) <= MAX_BYTES:
            self.stdout += data
        else:
            _done(self.flooded)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        self._open.discard(fd)
        if not self._open:
            _done(self.closed)

    def process_exited(self) -> None:
        _done(self.exited)


def _done(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _write(pipe: asyncio.BaseTransport | None, data: bytes) -> None:
    if isinstance(pipe, asyncio.WriteTransport):
        pipe.write(data)
        pipe.close()  # once all is written


async def _end(group: int, run: _Run) -> None:
    """Ask a program to end, and kill what is left of its process group."""
    try:
        if not run.exited.done():
            _kill(group, signal.SIGTERM)
            await asyncio.wait({run.exited}, timeout=_GENTLE_S)
    finally:
        _kill(group, signal.SIGKILL)
    if not run.exited.done():
        await asyncio.wait({run.exited}, timeout=_GENTLE_S)


def _kill(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _ended(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"ended by signal {-status}"
