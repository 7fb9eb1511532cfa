"""Hashes of what was asked, by which answers of an earlier run are taken over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_evals import Case, Criterion, Endpoint
from pytest_evals.model.case import TargetSpec, Variant
from pytest_evals.model.llm import ModelSpec
from pytest_evals.model.place import Place
from pytest_evals.model.remote import CommandSpec, HttpSpec
from pytest_evals.workflow.asked import judge_hash, question_hash, target_hash

CASE = Case("a", "q", (Criterion("contains", "contains"),))
JUDGE = ModelSpec(Endpoint("x"), "m", temperature=0.0)


def test_a_question_is_its_input_and_context_alone():
    asked = question_hash(CASE)
    assert question_hash(replace(CASE, id="b", tags=("smoke",), expected_output="e", criteria=())) == asked
    assert len({asked, question_hash(replace(CASE, input="r")), question_hash(replace(CASE, context="c"))}) == 3


def test_a_judge_is_its_settings_but_neither_its_key_nor_its_place():
    judged = judge_hash(replace(CASE, judges=(JUDGE,)))
    same = replace(JUDGE, endpoint=Endpoint("x", api_key="sk-other"), places={"model": Place("a.yaml", 3)})
    assert judge_hash(replace(CASE, judges=(same,))) == judged
    others = [
        (),
        (replace(JUDGE, temperature=1.0),),
        (replace(JUDGE, endpoint=Endpoint("x", "http://h")),),
        (JUDGE, JUDGE),
    ]
    assert len({judged, *(judge_hash(replace(CASE, judges=judges)) for judges in others)}) == 5


@pytest.mark.parametrize("change", ["value", "options", "variant", "file"])
def test_a_target_is_what_the_suite_says_of_it_and_the_files_it_names(tmp_path, change):
    program = tmp_path / "bot.sh"
    program.write_text("echo 1")
    spec = TargetSpec("command", "sh bot.sh", tmp_path, options=CommandSpec(("sh", "bot.sh")))
    variant = Variant("small", {"words": 2}, spec)
    before = target_hash(spec, variant)
    assert target_hash(replace(spec, place=Place("b.yaml", 1)), variant) == before
    match change:
        case "value":
            spec = replace(spec, value="sh other.sh")
        case "options":
            spec = replace(spec, options=CommandSpec(("sh", "bot.sh"), statuses=(0, 1)))
        case "variant":
            variant = replace(variant, values={"words": 3})
        case "file":
            program.write_text("echo 2")
    assert target_hash(spec, variant) != before


def test_headers_count_by_their_names_for_their_values_are_mostly_keys(tmp_path):
    spec = TargetSpec("http", "http://h", tmp_path, options=HttpSpec("http://h", headers={"Authorization": "k1"}))
    asked = target_hash(spec, None)
    assert target_hash(replace(spec, options=HttpSpec("http://h", headers={"Authorization": "k2"})), None) == asked
    assert target_hash(replace(spec, options=HttpSpec("http://h", headers={"X-Key": "k1"})), None) != asked


def test_a_callable_is_the_file_that_it_is_written_in(tmp_path):
    spec = TargetSpec("callable", "bot:answer", tmp_path)
    assert target_hash(spec, None, replace) != target_hash(spec, None, question_hash)
    assert target_hash(spec, None, len) == target_hash(spec, None)  # something built in has no file
