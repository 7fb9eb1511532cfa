"""Which case is in which shard."""

from __future__ import annotations

import json

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.workflow.shards import Shard, deal, default_file, parse_shard, with_plan

NAMES = [("shop", f"case-{number}") for number in range(400)]


def of(name, number, **more):
    """The shards that have a case."""
    return [index for index in range(1, number + 1) if Shard(index, number, **more).has(*name)]


def test_every_case_is_in_one_shard_whatever_else_there_is():
    placed = [of(name, 3) for name in NAMES]
    assert all(len(shards) == 1 for shards in placed)
    counts = [placed.count([index]) for index in (1, 2, 3)]
    assert min(counts) > 100
    # known values: a version that places them otherwise could not be merged with this one
    assert [of(name, 3) for name in NAMES[:6]] == [[1], [1], [1], [1], [3], [3]]


def test_the_longest_are_dealt_out_first_each_to_who_has_least():
    dealt = deal({"a": 9, "b": 5, "c": 4, "d": 1, "e": 0, "f": 0}, 2)
    assert dealt == {"a": 1, "b": 2, "c": 2, "d": 1, "e": 2, "f": 2}


def test_a_plan_deals_out_what_it_knows_and_the_rest_is_where_it_was(tmp_path):
    path = tmp_path / "evals.plan.json"
    path.write_text(json.dumps({"format": 1, "seconds": {f"shop::case-{n}": 1.5 for n in range(90)}}))
    shards = [with_plan(Shard(index, 3), path, "--evals-shard-plan") for index in (1, 2, 3)]
    assert [sum(shard.has(*name) for name in NAMES[:90]) for shard in shards] == [30, 30, 30]
    for name in NAMES[90:]:
        assert [shard.index for shard in shards if shard.has(*name)] == of(name, 3)
    path.write_text(json.dumps({"format": 1, "seconds": {"shop::case-1": 2}}))
    assert with_plan(Shard(1, 3), path, "x").plan != shards[0].plan


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2", "'2' is no shard such as 2/3"),
        ("0/3", "the shards of 3 are 1/3 to 3/3"),
        ("4/3", "the shards of 3 are 1/3 to 3/3"),
        ("1/0", "there can be 1 to 1,000 shards"),
        ("1/2000", "there can be 1 to 1,000 shards"),
        ("-1/3", "is no shard"),
    ],
)
def test_what_is_no_shard_is_said(text, why):
    with pytest.raises(UsageError, match=f"^--evals-shard: .*{why}"):
        parse_shard(text, "--evals-shard")


def test_shards_have_names():
    shard = parse_shard(" 2 / 12", "--evals-shard")
    assert (str(shard), default_file(shard)) == ("2/12", "evals-2-of-12.shard")


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"format": 1}', '{"format": 1, "seconds": {"a": "x"}}', '{"format":1,"seconds":{"a":-1}}'],
)
def test_what_is_no_plan_is_said(content, tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(content)
    with pytest.raises(UsageError, match="is not a plan of shards"):
        with_plan(Shard(1, 2), path, "--evals-shard-plan")


def test_a_plan_of_another_version_or_none_at_all_is_said(tmp_path):
    path = tmp_path / "plan.json"
    with pytest.raises(UsageError, match=r"--evals-shard-plan: .*plan\.json: No such file"):
        with_plan(Shard(1, 2), path, "--evals-shard-plan")
    path.write_text('{"format": 2, "seconds": {}}')
    with pytest.raises(UsageError, match="a plan of format 2, not 1"):
        with_plan(Shard(1, 2), path, "--evals-shard-plan")
