"""Reasoning within an answer."""

from __future__ import annotations

import pytest

from pytest_evals.llm.thinking import split_thinking


@pytest.mark.parametrize(
    ("said", "answer", "reasoning"),
    [
        ("Four.", "Four.", ""),
        ("<think>\nTwo and two.\n</think>\n\nFour.", "Four.", "Two and two."),
        ("  <thinking>Two and two.</thinking>Four.\n", "Four.\n", "Two and two."),
        ("<think></think>\n\nFour.", "Four.", ""),
        ("<think>One.</think>\n<think>Two.</think>\nFour.", "Four.", "One.\n\nTwo."),
        ("<think>I am cut off", "", "I am cut off"),
        ("Two and two.\n</think>\n\nFour.", "Four.", "Two and two."),  # the template opened the tag
        ("</think>\nFour.", "Four.", ""),
        ("Write </think> at the end.", "Write </think> at the end.", ""),
        ("Four. <think>no</think>", "Four. <think>no</think>", ""),
        ("<THINK>Hm</Think> Four.", "Four.", "Hm"),
        ("", "", ""),
    ],
)
def test_reasoning_before_the_answer_is_cut_out(said, answer, reasoning):
    assert split_thinking(said) == (answer, reasoning)
