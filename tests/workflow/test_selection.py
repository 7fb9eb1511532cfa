"""Which cases of a session run."""

from __future__ import annotations

import random

import pytest

from pytest_evals.errors import UsageError
from pytest_evals.model.case import Case
from pytest_evals.workflow.fromrun import FromRun, parse_from
from pytest_evals.workflow.selection import Candidate, Selection, parse_filters


def one(case_id="a", suite="bot", variant="", bracket=None, **fields):
    return Candidate(
        suite, Case(case_id, "?", (), suite=suite, **fields), variant, variant if bracket is None else bracket
    )


def kept(selection, candidates):
    return [c.case.id for c, stays in zip(candidates, selection.choose(candidates), strict=True) if stays]


def filtered(*texts):
    return Selection(filters=parse_filters(texts))


CASES = [
    one("refund-1", category="refunds", tags=("smoke",), metadata={"ticket": 12, "eu": True, "who": {"team": "a.b"}}),
    one("refund-2", category="refunds", tags=("smoke", "slow"), metadata={"ticket": "12", "langs": ["de", "en"]}),
    one("hours", category="hours", tags=("slow",), metadata={"who.team": "c"}),
    one("hello", suite="chat", variant="small", bracket="m1-small"),
]


@pytest.mark.parametrize(
    ("texts", "ids"),
    [
        (["category=refunds"], ["refund-1", "refund-2"]),
        (["category="], ["hello"]),
        (["category=refunds", "category=hours"], ["refund-1", "refund-2", "hours"]),
        (["category=refunds", "tag=slow"], ["refund-2"]),
        (["tag=smoke", "tag=slow"], ["refund-1", "refund-2", "hours"]),
        (["tag="], ["hello"]),
        (["metadata.ticket=12"], ["refund-1", "refund-2"]),
        (["metadata.eu=true"], ["refund-1"]),
        (["metadata.langs=en"], ["refund-2"]),
        (["metadata.who.team=a.b"], ["refund-1"]),
        (["metadata.who.team=c"], ["hours"]),
        (["metadata.nothing=x"], []),
        (["metadata.ticket="], ["hours", "hello"]),
        (["suite=chat"], ["hello"]),
        (["id=refund-*"], ["refund-1", "refund-2"]),
        (["id=refund-?"], ["refund-1", "refund-2"]),
        (["id=refund-[12]"], []),
        (["id=Refund-1"], []),
        (["variant=small"], ["hello"]),
        (["variant=m1-small"], ["hello"]),
        ([" category = refunds "], ["refund-1", "refund-2"]),
    ],
)
def test_filters(texts, ids):
    assert kept(filtered(*texts), CASES) == ids


def test_the_values_of_a_filter_may_hold_an_equals_sign():
    assert kept(filtered("metadata.q=a=b"), [one(metadata={"q": "a=b"}), one("b")]) == ["a"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("category", "'category' has no '='; write category=refunds"),
        ("categroy=x", "unknown key 'categroy'; did you mean 'category'?"),
        ("metadata=x", "unknown key 'metadata'"),
        ("metadata.=x", "unknown key 'metadata.'"),
        ("zzz=x", "there are id, suite, category, tag, variant, metadata.<key>"),
    ],
)
def test_what_is_no_filter(text, said):
    with pytest.raises(UsageError) as error:
        parse_filters([text])
    assert said in str(error.value)
    assert str(error.value).startswith("--evals-filter: ")


def test_the_first_so_many_are_cases_each_with_all_its_variants():
    cases = [one(case, variant=v) for case in "abc" for v in ("small", "large")]
    assert kept(Selection(first=2), cases) == ["a", "a", "b", "b"]
    assert kept(Selection(first=9), cases) == list("aabbcc")


def test_the_first_are_those_of_what_the_filters_leave():
    assert kept(Selection(filters=parse_filters(["tag=slow"]), first=1), CASES) == ["refund-2"]


def test_a_sample_is_the_same_in_any_order_and_another_one_with_another_seed():
    cases = [one(f"c{n}", variant=v) for n in range(200) for v in ("small", "large")]
    drawn = kept(Selection(sample=20), cases)
    assert len(drawn) == 40
    assert len(set(drawn)) == 20
    shuffled = cases[:]
    random.Random(1).shuffle(shuffled)
    assert set(kept(Selection(sample=20), shuffled)) == set(drawn)
    assert set(kept(Selection(sample=20, seed=1), cases)) != set(drawn)
    assert set(kept(Selection(sample=10), cases)) < set(drawn)


def test_cases_beside_them_do_not_change_who_is_drawn_first():
    cases = [one(f"c{n}") for n in range(100)]
    drawn = set(kept(Selection(sample=30), cases))
    without = [c for c in cases if c.case.id != next(iter(drawn))]
    assert len(drawn & set(kept(Selection(sample=30), without))) == 29


def test_a_sample_is_fair():
    cases = [one(f"c{n}") for n in range(50)]
    counts = dict.fromkeys((c.case.id for c in cases), 0)
    for seed in range(400):
        for case in kept(Selection(sample=10, seed=seed), cases):
            counts[case] += 1
    # each is drawn 80 times on average, with a standard deviation of 8
    assert min(counts.values()) > 45
    assert max(counts.values()) < 115


def test_what_was_asked_for_in_words():
    selection = Selection(parse_filters(["tag=a", "tag=b", "category="]), sample=1000, seed=7, first=3)
    assert str(selection) == "tag=a or b, category=none, a sample of 1,000 (seed 7), the first 3"
    assert bool(selection)
    assert not Selection()


def test_the_cases_of_a_run_cross_to_a_worker_and_back():
    past = FromRun(frozenset({("bot", "a", ""), ("bot", "b", "small")}), {("bot", "a", ""): "x"}, "failed in run r")
    assert FromRun.read(past.plain()) == past
    assert FromRun.read(FromRun(frozenset()).plain()) == FromRun(frozenset())


def test_changed_cases_are_those_that_ask_something_else_and_new_ones():
    same, other, new = one("same"), one("other"), one("new")
    known = {same.key: same.case.definition_sha256(), other.key: "of another time"}
    past = FromRun(frozenset(), known)
    assert kept(Selection(chosen=past), [same, other, new]) == ["other", "new"]


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("last:failed", ("last", ("failed",))),
        ("last:main:failed", ("last:main", ("failed",))),
        ("v5w3: failed, errored", ("v5w3", ("failed", "errored"))),
    ],
)
def test_a_run_and_what_is_asked_of_it(text, parsed):
    assert parse_from(text) == parsed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("last", "write RUN:failed|errored|missed|changed|flaky, such as last:failed"),
        (":failed", "write RUN:"),
        ("last:", "write RUN:"),
        ("last:fialed", "unknown word 'fialed'; did you mean 'failed'?"),
        ("last:main", "unknown word 'main'"),
    ],
)
def test_what_is_no_such_question(text, said):
    with pytest.raises(UsageError, match="--evals-from: ") as error:
        parse_from(text)
    assert said in str(error.value)
