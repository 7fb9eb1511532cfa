"""Equal texts score 1, in every script and by every measure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_evals.scoring import score

TEXTS = {
    "Latin": "The quick brown fox.",
    "one word": "Paris",
    "short words": "is it on",
    "stop words": "the and of",
    "one letter": "a",
    "Cyrillic": "Привет мир",
    "Greek": "Ο ΣΟΦΟΣ ΟΔΥΣΣΕΥΣ",
    "Chinese": "我今天在图书馆读了一本新书",
    "Japanese": "日本語 テスト",
    "Korean": "안녕하세요 세계",
    "Thai": "ขอบคุณมาก",
    "Lao": "ສະບາຍດີ",
    "Khmer": "អរគុណ",
    "Burmese": "ကျေးဇူးတင်ပါတယ်",
    "Hindi": "किताब पढ़ो",
    "Tamil": "வணக்கம் உலகம்",
    "Arabic": "شكرا جزيلا",
    "Hebrew": "שלום עולם",
    "accents": "naïve café",
    "emoji": "👍 👍",
    "marks alone": "!",
    "digits": "2024",
}

MEASURES = [
    ("exact_match", {}),
    ("equals_any", {}),
    ("contains", {}),
    ("starts_with", {}),
    ("ends_with", {}),
    ("levenshtein", {}),
    ("word_overlap", {}),
    ("semantic_similarity", {}),
    ("token_f1", {}),
    ("tfidf_similarity", {}),
    ("tfidf_similarity", {"stop_words": "none"}),
    ("bleu", {}),
    ("bleu", {"max_ngram_order": 4}),
    ("bleu", {"max_ngram_order": 4, "effective_order": False}),
    ("bleu", {"max_ngram_order": 4, "tokenizer": "13a"}),
    ("bleu", {"max_ngram_order": 4, "tokenizer": "char"}),
    *(("rouge", {"variant": variant}) for variant in ("rouge1", "rouge2", "rougeL", "rougeLsum")),
    ("chrf", {}),
    ("chrf", {"word_order": 2}),
    ("word_error_rate", {}),
    ("word_error_rate", {"normalise": False}),
]


@pytest.mark.parametrize("script", TEXTS)
@pytest.mark.parametrize(("scorer", "options"), MEASURES, ids=str)
def test_equal_texts_score_1(scorer, options, script):
    assert score(scorer, TEXTS[script], TEXTS[script], **options).value == 1


@pytest.mark.parametrize("script", [name for name in TEXTS if name not in ("marks alone", "emoji")])
def test_rouge_with_the_tokenizer_of_rouge_score_sees_every_script(script):
    assert score("rouge", TEXTS[script], TEXTS[script], tokenizer="rouge_score").value == 1


@given(st.text(min_size=1).filter(lambda text: text.strip()))
def test_equal_texts_score_1_whatever_they_hold(text):
    for scorer, options in MEASURES:
        assert score(scorer, text, text, **options).value == 1, (scorer, options)


@given(st.text(), st.text())
def test_scores_of_any_two_texts_lie_between_0_and_1(actual, expected):
    for scorer, options in MEASURES:
        if scorer not in ("contains", "starts_with", "ends_with"):
            assert 0 <= score(scorer, actual, expected, **options).value <= 1
