"""docs/schema.md lists every table and column, with the comments of the code. Printed anew by running this file."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_evals.store.migrations import MIGRATIONS
from pytest_evals.store.migrations.sql import statements
from pytest_evals.store.tables import metadata, views

PAGE = Path(__file__).parents[2] / "docs" / "schema.md"


def kinds() -> dict[tuple[str, str], str]:
    """The SQLite type of every column."""
    found = {}
    for migration in MIGRATIONS:
        for statement in statements(migration.script, "sqlite"):
            if added := re.match(r"ALTER TABLE (\w+) ADD COLUMN (\w+) (TEXT|INTEGER|REAL)\b( NOT NULL)?", statement):
                found[added[1], added[2]] = added[3] + ("" if added[4] else ", may be NULL")
            table = re.match(r"CREATE TABLE (\w+)", statement)
            for line in statement.splitlines()[1:] if table else ():
                if column := re.match(r"\s+([a-z_0-9]+)\s+(TEXT|INTEGER|REAL)\b( NOT NULL| PRIMARY KEY)?", line):
                    kind = column[2] + ("" if column[3] else ", may be NULL")
                    found[table[1], column[1]] = kind
    return found


def section(table, kinds) -> str:
    lines = [f"### `{table.name}`", "", table.comment, "", "| column | type | what it holds |", "|---|---|---|"]
    columns = table.columns if table.name in metadata.tables else list(table.columns)[-_own(table) :]
    for column in columns:
        kind = kinds.get((table.name, column.name), "TEXT" if str(column.type) == "TEXT" else "INTEGER")
        comment = column.comment.replace("|", "\\|").replace("<", "&lt;")
        lines.append(f"| `{column.name}` | {kind} | {comment} |")
    return "\n".join(lines)


def _own(view) -> int:
    """How many columns a view has beyond those of its table."""
    return len(view.columns) - max(
        len(t.columns) for t in metadata.tables.values() if set(t.c.keys()) < set(view.c.keys())
    )


def sections() -> list[str]:
    known = kinds()
    return [section(table, known) for table in (*metadata.tables.values(), *views.tables.values())]


def test_every_table_and_column_is_on_the_page_as_the_code_says_it():
    page = PAGE.read_text("utf-8")
    for text in sections():
        assert text in page, text.splitlines()[0]


def test_the_page_has_no_table_that_does_not_exist():
    page = PAGE.read_text("utf-8")
    named = re.findall(r"^### `(\w+)`$", page, re.MULTILINE)
    assert named == [*metadata.tables, *views.tables]


def test_every_migration_is_on_the_page():
    page = PAGE.read_text("utf-8")
    assert [m.name for m in MIGRATIONS if f"`{m.name}`" not in page] == []


if __name__ == "__main__":
    print("\n\n".join(sections()))
