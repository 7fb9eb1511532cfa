"""A history on a PostgreSQL server: how it is reached, and what can go wrong with it as one line."""

from __future__ import annotations

import json
import re
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from ..errors import StoreError
from .location import Location, hide_password

CONNECT_TIMEOUT_S = 10
"""How long a host may take to answer, unless the URL says ``connect_timeout``."""

EXTRA = "pip install 'pytest-evals-suite[postgres]'"

_decode = json.JSONDecoder().decode

_DRIVER = "postgresql+psycopg"

# A connection that died without a word is noticed within a minute or so, not after the two hours of the system.
_ALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}


def server_engine(location: Location, *, writes: bool, timeout_s: float) -> Engine:
    """An engine for the database of the URL. Its transactions see one unchanging state, unless it ``writes``.

    Raises ``StoreError`` for a URL that cannot be used, and when the driver is missing.
    """
    url = _url(location)
    stated = {name: value for name, value in _ALIVE.items() if name not in url.query}
    if "connect_timeout" not in url.query:
        stated["connect_timeout"] = CONNECT_TIMEOUT_S
    # Prepared statements would outlive the transaction, which poolers between us and the server do not like.
    options: dict[str, Any] = {**stated, "prepare_threshold": None, "client_encoding": "utf8"}
    if "application_name" not in url.query:
        options["application_name"] = "pytest-evals"
    try:
        engine = create_engine(
            url,
            poolclass=NullPool,
            hide_parameters=True,
            connect_args=options,
            json_deserializer=_from_json,
            isolation_level="READ COMMITTED" if writes else "REPEATABLE READ",
        )
    except ImportError as error:
        raise StoreError(f"a PostgreSQL history needs the psycopg package: {EXTRA}") from error
    milliseconds = max(1, int(timeout_s * 1000))

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(
            f"SELECT set_config('lock_timeout', '{milliseconds}', true), set_config('TimeZone', 'UTC', true)"
        )

    event.listen(engine, "begin", begin)
    return engine


def _from_json(data: bytes) -> Any:
    # json.loads would ask of every value which encoding it has: of the 80,000 values of two runs, half a second
    return _decode(data.decode())


def _url(location: Location) -> URL:
    text = re.sub(r"^postgres(ql)?://", f"{_DRIVER}://", location.url or "", flags=re.IGNORECASE)
    try:
        url = make_url(text)
        if url.get_backend_name() != "postgresql":
            url.get_dialect()
            raise StoreError("not a database this package can use: it keeps a history in SQLite or PostgreSQL")
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        # older versions of SQLAlchemy quote the URL
        raise StoreError(f"not a database URL this package can use ({hide_password(str(error))})") from error
    except ImportError as error:
        raise StoreError("not a database this package can use: it keeps a history in SQLite or PostgreSQL") from error
    if url.drivername != _DRIVER:
        raise StoreError(f"PostgreSQL is reached through psycopg: write {_DRIVER}://…")
    return url


def check_server(connection: Connection) -> None:
    """Raise ``StoreError`` for a database in which a history cannot be begun."""
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
    if encoding != "UTF8":
        raise StoreError(f"its encoding is {encoding}; a history needs a database made with --encoding=UTF8")


def is_driver_error(error: BaseException) -> bool:
    """Whether the driver itself raised it. Asked of its name: it may not be installed."""
    return type(error).__module__.partition(".")[0] == "psycopg"


_REASONS = (
    (
        r'password authentication failed for user "(.*?)"|no password supplied|password is missing',
        "the server refuses the user or the password: mend the URL, PGPASSWORD or ~/.pgpass",
    ),
    (r'database "(.*?)" does not exist', "there is no database {0!r} on that server; make it: createdb {0}"),
    (r'role "(.*?)" does not exist', "the server knows no user {0!r}"),
    (r"resolve host '(.*?)'|translate host name \"(.*?)\"", "there is no host {0!r}; is the URL right?"),
    (
        r"name or service not known|nodename nor servname|temporary failure in name resolution",
        "there is no such host; is the URL right?",
    ),
    (
        r"connection refused|no such file or directory",
        "no server listens there; is it running, and are host and port right?",
    ),
    (r"timeout expired|timed out", "the server does not answer; is it reachable from here?"),
    (r"no pg_hba\.conf entry", "the server lets nobody in from this host, or not without TLS (its pg_hba.conf)"),
    (r"too many clients|too many connections|connection slots", "the server has no connection left; try again"),
    (
        r"closed the connection|terminating connection|connection is lost|connection was lost|connection is closed"
        r"|connection reset|connection timed out|could not receive data|could not send data|eof detected",
        "the connection was lost",
    ),
    (r"the database system is (starting up|shutting down)|recovery mode", "the server is not ready; try again"),
    (r"lock timeout", "another session has it locked; try again"),
    (r"no space left|disk full", "the server's disk is full"),
    (r"read-only transaction", "it is read-only: name the primary server, not a replica"),
    (
        r"permission denied for (\w+ \S+)|must be owner of (\w+ \S+)",
        "the user may not do that (permission denied for {0}); the database's owner can grant it",
    ),
    (
        r"no schema has been selected",
        "the user's search_path names no schema that exists; make it: CREATE SCHEMA …",
    ),
    (
        r'relation "(.*?)" already exists',
        "it has a table {0!r} that is not ours; use a database or schema of its own",
    ),
)


def reason(error: BaseException | None) -> str:
    """Why the server, or the way to it, refused; a line without what was to be stored."""
    text = str(error)
    for pattern, said in _REASONS:
        if found := re.search(pattern, text, re.IGNORECASE):
            return said.format(*[group for group in found.groups() if group] or [""])
    first, *_ = text.splitlines() or [""]  # further lines may quote the row that was refused
    return " ".join(first.split())
