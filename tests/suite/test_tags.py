"""Tags become markers, so some words cannot be tags."""

from __future__ import annotations

import pytest

from pytest_evals.suite.tags import MARKERS_WITH_BEHAVIOUR

from .conftest import only


@pytest.mark.parametrize(
    "tag", ["smoke", "slow-ish", "a_b", "v1.2", "1st", "größe", "a/b", "c+", "team.a", "True", "-x", "no", "0123"]
)
def test_words_that_can_be_markers_are_tags(read, tag):
    assert read.case(f"tags: [{tag}]").tags == (tag,)


@pytest.mark.parametrize(
    "tag",
    [
        "skip",
        "skipif",
        "xfail",
        "timeout",
        "asyncio",
        "anyio",
        "usefixtures",
        "parametrize",
        "filterwarnings",
        "flaky",
        "evals",
        "tryfirst",
        "trylast",
        "xdist_group",
        "order",
        "dependency",
        "django_db",
    ],
)
def test_markers_with_behaviour_cannot_be_tags(read, tag):
    assert tag in MARKERS_WITH_BEHAVIOUR
    problem = only(read.wrong_case(f"tags: [fine, {tag}]"))
    assert problem.startswith(f"4:16: tag '{tag}' is a pytest marker that does something by itself")
    in_defaults = f"target: echo\ndefaults: {{tags: [{tag}]}}\ncases: [{{input: q, criteria: [own]}}]\n"
    assert only(read.wrong(in_defaults)).startswith("2:19: tag")


@pytest.mark.parametrize("tag", ["skip", "xfail", "timeout"])
def test_a_tag_that_is_also_a_key_is_told_to_be_the_key(read, tag):
    assert only(read.wrong_case(f"tags: [{tag}]")).endswith(f"; use the key '{tag}'")


@pytest.mark.parametrize(
    "tag",
    ["two words", "_private", "a:b", "a(b)", "'a,b'", "and", "or", "not", "''", "'[x]'", "a=b", "a|b", "a&b", "ab!"],
)
def test_words_that_pytest_cannot_select_are_no_tags(read, tag):
    assert "cannot be a pytest marker; use letters, digits" in only(read.wrong_case(f"tags: [{tag}]"))


@pytest.mark.parametrize("tag", ["smoke", "v1.2", "a/b", "c+", "größe", "-x", "1st", "True"])
def test_every_tag_can_be_selected_and_registered(tag):
    from _pytest.mark.expression import Expression

    assert Expression.compile(tag).evaluate(lambda name, **_: name == tag)
    assert f"{tag}: a tag".split(":")[0].split("(")[0].strip() == tag


def test_tags_are_united_in_order_each_once(read):
    text = (
        "target: echo\ndefaults: {tags: [b, a, b], criteria: [own]}\ncases: [{input: q, tags: [c, a, c]}, {input: r}]\n"
    )
    first, second = read(text).cases
    assert first.tags == ("b", "a", "c")
    assert second.tags == ("b", "a")
    assert read.case("tags: [c, c]").tags == ("c",)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("smoke", "tags must be a list of texts, not the text 'smoke'; write [smoke]"),
        ("{a: b}", "tags must be a list of texts, not a mapping"),
        ("[[a]]", "each of tags must be text, not a list"),
        ("[a, ~]", "an empty place in tags"),
    ],
)
def test_tags_are_a_list_of_texts(read, written, said):
    assert said in only(read.wrong_case(f"tags: {written}"))


def test_every_wrong_tag_is_reported_once(read):
    text = "target: echo\ndefaults: {tags: [skip, a b]}\ncases:\n" + "- {input: q, criteria: [own]}\n"
    assert len(read.wrong(text)) == 2
