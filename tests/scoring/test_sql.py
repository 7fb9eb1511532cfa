"""``sql_valid``."""

from __future__ import annotations

import logging
import sys

import pytest

from pytest_evals.errors import ScorerError
from pytest_evals.scoring import score, scorer, specs


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("SELECT a, count(*) FROM t WHERE b > 1 GROUP BY a", "SQL: SELECT statement"),
        ("with x as (select 1) select * from x union select 2", "SQL: UNION statement"),
        ("insert into t values (1); delete from t", "SQL: 2 statements"),
        ("create table t (id int primary key)", "SQL: CREATE statement"),
        ("update t set a = 1;", "SQL: UPDATE statement"),
        ("select a b c from t", "not SQL: Invalid expression / Unexpected token at line 1, column 12, near 'c'"),
        ("select * form t", "not SQL: "),
        ("select (1", "not SQL: Expecting ) at line 1"),
        ("select 'abc", "not SQL: "),
        ("hello world", "no statement of SQL"),
        ("42", "no statement of SQL"),
        ("Here is the query: select 1", "not SQL: "),
        ("-- nothing", "there is no statement in it"),
        ("", "the answer is empty"),
        ("select " + "(" * 5000 + "1" + ")" * 5000, "not SQL: it is nested too deep"),
    ],
)
def test_sql(text, says):
    found = score("sql_valid", text)
    assert found.reason.startswith(says)
    assert found.value is says.startswith("SQL")
    assert "\x1b" not in found.reason


def test_a_dialect_has_its_own_grammar():
    assert score("sql_valid", "select top 5 a from t").value is False
    assert score("sql_valid", "select top 5 a from t", dialect="tsql").value is True
    with pytest.raises(ScorerError, match="unknown dialect 'postgress'; did you mean 'postgres'"):
        score("sql_valid", "select 1", dialect="postgress")
    assert specs()["sql_valid"].check({"dialect": "zzz"})[0].startswith("unknown dialect 'zzz'; there are athena, ")


def test_one_statement_can_be_asked_for():
    assert score("sql_valid", "select 1;", single=True).value is True
    assert score("sql_valid", "select 1; drop table t", single=True).reason == "2 statements where one is asked for"


def test_a_block_is_read_when_that_is_asked_for():
    answer = "Run this:\n```sql\nselect 1\n```"
    assert score("sql_valid", answer).value is False
    assert score("sql_valid", answer, extract=True).value is True


def test_nothing_is_logged(caplog):
    with caplog.at_level(logging.DEBUG):
        assert score("sql_valid", "show tables").value is True
    assert caplog.records == []
    assert logging.getLogger("sqlglot").disabled is False


def test_without_the_package_the_suite_is_told_what_to_install(monkeypatch):
    monkeypatch.setattr("pytest_evals.scoring.sql.find_spec", lambda name: None)
    assert specs()["sql_valid"].check({}) == ["needs the sqlglot package: pip install 'pytest-evals-suite[sql]'"]
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    with pytest.raises(ScorerError, match="sql_valid needs the sqlglot package"):
        scorer("sql_valid")(actual="select 1")
