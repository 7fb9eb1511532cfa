"""Faults reported against tools of this kind, as users would meet them: text scorers."""

from __future__ import annotations

import json
import time

import pytest


def suite(rows):
    """A suite with a case for each ``(id, answer, expected, criterion)``, and the file with its answers."""
    cases = [
        {"id": id, "input": "q", "criteria": [criterion]} | ({} if expected is None else {"expected_output": expected})
        for id, _, expected, criterion in rows
    ]
    text = json.dumps({"suite": "s", "target": {"responses": "answers.json"}, "cases": cases}, ensure_ascii=False)
    answers = json.dumps({id: answer for id, answer, _, _ in rows}, ensure_ascii=False)
    return {"s.eval.json": text, "answers.json": answers}


def scores(ran):
    """The score of each case by its id."""
    return {case["id"]: case["score"] for case in ran.report["cases"]}


def reason(ran, case_id):
    [trial] = ran.case(case_id)["trials"]
    return trial["criteria"][0]["reason"]


def test_S03_a_text_is_one_option_and_a_list_item_is_not_split(alone):
    rows = [
        ("text", "about 41.2", "23.5", {"contains_any": {}}),
        ("own-text", "about 41.2", None, {"contains_any": "23.5"}),
        ("comma", "oil with salt, pepper", None, {"contains_all": ["salt, pepper", "oil"]}),
        ("comma-kept", "oil with salt and pepper", None, {"contains_all": ["salt, pepper", "oil"]}),
        ("number", "12 eggs", None, {"contains_any": [12, True]}),
        ("boolean", "it is true", None, {"contains_any": [12, True]}),
        ("decimal", "2 3 5", None, {"equals_any": "2.5"}),
        ("letters", "abc", None, {"contains_all": "cab"}),
    ]
    ran = alone(suite(rows))
    assert ran.outcomes == {
        "text": "failed", "own-text": "failed", "comma": "passed", "comma-kept": "failed", "number": "passed",
        "boolean": "passed", "decimal": "failed", "letters": "failed",
    }  # fmt: skip


def test_S04_repeats_count_in_token_f1_and_word_overlap_says_that_they_do_not(alone):
    rows = [
        ("f1", "rome rome rome rome", "rome", "token_f1"),
        ("f1-half", "rome rome", "rome", "token_f1"),
        ("overlap", "rome rome rome rome", "rome", "word_overlap"),
        ("similarity", "rome rome", "rome venice", "semantic_similarity"),
        ("order", "man bites dog", "dog bites man", "exact_match"),
        ("order-rouge", "man bites dog", "dog bites man", "rouge"),
        ("bleu", "the the the", "the cat", "bleu"),
    ]
    ran = alone(suite(rows))
    assert scores(ran) == {
        "f1": pytest.approx(0.4), "f1-half": pytest.approx(2 / 3), "overlap": 1, "similarity": 0.5, "order": 0,
        "order-rouge": pytest.approx(1 / 3), "bleu": pytest.approx(1 / 3),
    }  # fmt: skip
    assert "repeats do not count" in reason(ran, "overlap")
    assert "repeats do not count" in reason(ran, "similarity")


def test_S05_the_edges_of_levenshtein(alone):
    case_sensitive = {"levenshtein": {"case_sensitive": True}}
    rows = [
        ("both-empty", "", "", "levenshtein"),
        ("no-expectation-text", "abc", "", "levenshtein"),
        ("no-answer", "", "abc", "levenshtein"),
        ("kitten", "kitten", "sitting", "levenshtein"),
        ("case", "Paris", "PARIS", case_sensitive),
        ("case-ignored", "Paris", "PARIS", "levenshtein"),
        ("marks", "!", "?", "levenshtein"),
        ("space", " ", "", "levenshtein"),
        ("emoji", "👍🏽", "👍", "levenshtein"),
    ]
    assert scores(alone(suite(rows))) == {
        "both-empty": 1, "no-expectation-text": 0, "no-answer": 0, "kitten": pytest.approx(4 / 7),
        "case": pytest.approx(0.2), "case-ignored": 1, "marks": 0, "space": 0, "emoji": 0.5,
    }  # fmt: skip


def test_S08_a_pattern_that_never_ends_costs_its_case_and_nothing_else(alone):
    rows = [
        ("endless", "a" * 40 + "b", None, {"regex": "^(a|aa)+$"}),
        ("endless-groups", "1," * 60, None, {"regex": {"pattern": "(.*?,){25}P", "time_limit": 0.2}}),
        ("endless-number", "s" * 60 + "x", "7", {"numeric": {"pattern": "(?i)(ß|ss|s)+$"}}),
        ("before", "ok\n", None, {"regex": "^ok$"}),
        ("after", "ok\n", None, {"regex": r"^ok\Z"}),
        ("fine", "order 66", None, {"regex": r"\d+"}),
    ]
    started = time.perf_counter()
    ran = alone(suite(rows))
    assert time.perf_counter() - started < 30
    assert ran.outcomes == {
        "endless": "errored", "endless-groups": "errored", "endless-number": "errored", "before": "passed",
        "after": "failed", "fine": "passed",
    }  # fmt: skip
    assert scores(ran)["endless"] is None
    assert "it backtracks" in ran.out


@pytest.mark.parametrize("pattern", ["(", "[a", "a**", r"\k<x>", "(?P<a>.)(?P=b)", ""])
def test_S08_a_pattern_with_a_mistake_is_an_error_of_its_line(alone, pattern):
    ran = alone(
        {"s.eval.yaml": f"target: echo\ncases:\n  - id: a\n    input: x\n    criteria: [{{regex: '{pattern}'}}]\n"}
    )
    assert ran.status == 2
    assert "s.eval.yaml:5:" in ran.out
    assert "the pattern is" in ran.out
    assert "Traceback" not in ran.out


def test_W01_an_empty_reference_has_a_rate(alone):
    rows = [
        ("both", "", "", "word_error_rate"),
        ("added", "two words", "", "word_error_rate"),
        ("lost", "", "three small words", "word_error_rate"),
        ("blank", "x", "   ", "word_error_rate"),
        ("fillers", "um", "uh, [noise]", "word_error_rate"),
        ("punctuation", "x", "…!", "word_error_rate"),
        ("as-written", "x", " ", {"word_error_rate": {"normalise": False}}),
    ]
    ran = alone(suite(rows))
    rates = {case["id"]: case["trials"][0]["criteria"][0]["detail"]["rate"] for case in ran.report["cases"]}
    assert rates == {"both": 0, "added": 2, "lost": 1, "blank": 1, "fillers": 0, "punctuation": 1, "as-written": 1}
    assert scores(ran) == {
        "both": 1, "added": 0, "lost": 0, "blank": 0, "fillers": 1, "punctuation": 0, "as-written": 0,
    }  # fmt: skip


def test_B01_short_answers_get_the_bleu_they_deserve(alone):
    standard = {"bleu": {"max_ngram_order": 4, "tokenizer": "13a"}}
    rows = [
        ("right", "Paris", "Paris", standard),
        ("two-right", "blue whale", "blue whale", standard),
        ("wrong", "London", "Paris", standard),
        ("no-answer", "", "a b c d", standard),
        ("no-expectation", "a b c d", "", standard),
        ("part", "the cat sat", "the cat sat on the mat today", standard),
        ("right-unigram", "Paris", "Paris", "bleu"),
        ("wrong-unigram", "London", "Paris", "bleu"),
        ("right-characters", "Paris", "Paris", {"bleu": {"max_ngram_order": 4, "tokenizer": "char"}}),
    ]
    assert scores(alone(suite(rows))) == {
        "right": 1, "two-right": 1, "wrong": 0, "no-answer": 0, "no-expectation": 0,
        "part": pytest.approx(0.2636, abs=5e-5), "right-unigram": 1, "wrong-unigram": 0, "right-characters": 1,
    }  # fmt: skip


def test_B03_every_script_has_words(alone):
    chinese, changed = "我今天在图书馆读了一本新书", "我今天在图书馆看了一本新书"
    characters = {"bleu": {"max_ngram_order": 4, "tokenizer": "char"}}
    rows = [
        ("zh", chinese, chinese, "rouge"),
        ("zh-bleu", chinese, chinese, "bleu"),
        ("th", "ขอบคุณมาก", "ขอบคุณมาก", "rouge"),
        ("ru", "Привет мир", "Привет мир", "bleu"),
        ("ja", "日本語 テスト", "日本語 テスト", "word_overlap"),
        ("hi", "किताब पढ़ो", "किताब पढ़ो", "token_f1"),
        ("naive", "naïve plan", "naïve plan", {"rouge": {"tokenizer": "rouge_score"}}),
        ("zurich", "Zürich 2024", "Zurich 2024", "rouge"),
        ("changed", changed, chinese, characters),
        ("changed-words", changed, chinese, "rouge"),
        ("changed-rouge-score", changed, chinese, {"rouge": {"tokenizer": "rouge_score"}}),
    ]
    assert scores(alone(suite(rows))) == {
        "zh": 1, "zh-bleu": 1, "th": 1, "ru": 1, "ja": 1, "hi": 1, "naive": 1, "zurich": 0.5,
        "changed": pytest.approx(0.7612, abs=5e-5), "changed-words": pytest.approx(12 / 13),
        "changed-rouge-score": pytest.approx(12 / 13),
    }  # fmt: skip


def test_B05_rouge_compares_words_and_says_which_variant(alone):
    lines, turned = "alpha beta gamma.\ndelta epsilon zeta.", "delta epsilon zeta.\nalpha beta gamma."
    gene, genes = "gene q7 activate kinase", "gene q7 activates kinase"
    rows = [
        ("words", gene, genes, "rouge"),
        ("stems", gene, genes, {"rouge": {"stemming": True}}),
        ("whole", turned, lines, "rouge"),
        ("by-line", turned, lines, {"rouge": {"variant": "rougeLsum"}}),
        ("part", "a b c", "a b c d e f", "rouge"),
        ("more", "a b c d e f", "a b c", "rouge"),
        ("pairs", "a b c", "a b d", {"rouge": {"variant": "rouge2"}}),
        ("letters", "abc", "abd", "rouge"),
    ]
    ran = alone(suite(rows))
    assert scores(ran) == {
        "words": 0.75, "stems": 1, "whole": 0.5, "by-line": 1, "part": pytest.approx(2 / 3),
        "more": pytest.approx(2 / 3), "pairs": 0.5, "letters": 0,
    }  # fmt: skip
    detail = ran.case("part")["trials"][0]["criteria"][0]["detail"]
    assert (detail["precision"], detail["recall"]) == (1, 0.5)
    assert "longest common subsequence" in reason(ran, "whole")
    assert "subsequences of the lines" in reason(ran, "by-line")
