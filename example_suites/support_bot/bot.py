"""The support bot of a small shop for mugs: rules, and retrieval from ``knowledge.md``. No model, no network.

    python bot.py "How long do I have to return a mug?"

A question goes three ways. Topics that a person must handle (injuries, legal threats, fraud, the wish for a human) are
escalated. Otherwise the words of the question are looked up in the knowledge base, and the one or two sentences that
fit best are the answer. When nothing fits well enough, the bot says that it does not know.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pytest_evals import Response, ToolCall

KNOWLEDGE = Path(__file__).with_name("knowledge.md")

LEAST_FIT = 2.0
"""Sentences that fit a question less well are not an answer."""

LEAST_SHARE = 0.75
"""A second sentence is added when it fits at least this well, compared with the first."""

DONT_KNOW = (
    "I'm sorry, I don't know that. I can help with orders, delivery, returns, payment and looking after your mugs."
)

ESCALATIONS = {
    "safety": r"\b(burn(t|ed)?|injur\w+|bleed\w*|cut (my|me|his|her)|hospital|allerg\w+|fire)\b",
    "legal": r"\b(lawyers?|legal|sue|court|solicitor)\b",
    "fraud": r"\b(fraud\w*|scam\w*|stolen card|not me who|hacked|charged (me )?twice)\b",
    "human": r"\b(human|real person|agent|manager|someone real|complain\w*|complaint)\b",
}
"""What a person must handle, in the order of urgency."""

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a about an and any are as at be been by can could did do does for from get got had has have how i if in into
        is it its just like long me my need of on or our please should so some tell than that the their them then there
        this to until us want was we what when where which who will with would you your""",
    )
)

SYNONYMS = {
    "package": "parcel",
    "mug": "item",
    "cup": "item",
    "smash": "broken",
    "deliver": "delivery",
    "arriv": "delivery",
    "postage": "ship",
    "abroad": "oversea",
    "usa": "oversea",
    "firm": "company",
    "business": "company",
    "voucher": "gift",
    "login": "password",
    "money": "refund",
    "payment": "pay",
    "swap": "exchange",
}

ASKED_FOR = {
    r"\b(how (long|soon|many days)|when)\b": r"\d+ (hours|working days|days|weeks|years)|\d+:\d\d",
    r"\b(how much|price|discount)\b": r"€\d|\d%|\bfree\b",
}
"""Questions that ask for a time or an amount, and what a sentence with one looks like."""


def tokens(text: str) -> list[str]:
    """The words that matter, without their endings, synonyms made one."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    stems = (_stem(word) for word in words if word not in STOP_WORDS)
    return [SYNONYMS.get(stem, stem) for stem in stems]


def _stem(word: str) -> str:
    for ending, rest in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: len(word) - len(ending)] + rest
    return word


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the knowledge base; the words of its article's title count as its own."""

    article: str
    text: str
    words: Counter[str]


class Knowledge:
    """The knowledge base, ready to be asked. A word counts the more, the fewer sentences have it."""

    def __init__(self, markdown: str) -> None:
        self.sentences: list[Sentence] = []
        article = ""
        for line in markdown.splitlines():
            if line.startswith("## "):
                article = line[3:].strip()
            elif article and line.strip():
                words = Counter(tokens(line) + tokens(article))
                self.sentences.append(Sentence(article, line.strip(), words))
        self._having = Counter(word for sentence in self.sentences for word in sentence.words)

    def rank(self, question: str) -> list[tuple[float, Sentence]]:
        """All sentences with how well each fits the question, the best first."""
        asked = set(tokens(question))
        kinds = [answer for pattern, answer in ASKED_FOR.items() if re.search(pattern, question.lower())]
        ranked = [(self._fit(asked, kinds, sentence), sentence) for sentence in self.sentences]
        return sorted(ranked, key=lambda pair: -pair[0])

    def _fit(self, asked: set[str], kinds: list[str], sentence: Sentence) -> float:
        found = asked & sentence.words.keys()
        if not found:
            return 0.0
        weight = sum(
            (1 + math.log(sentence.words[word])) * math.log(len(self.sentences) / self._having[word]) for word in found
        )
        if any(re.search(kind, sentence.text) for kind in kinds):
            weight *= 1.4
        covered = len(found) / len(asked)
        return weight * math.sqrt(covered) / math.sqrt(1 + 0.05 * sum(sentence.words.values()))


@cache
def knowledge() -> Knowledge:
    return Knowledge(KNOWLEDGE.read_text(encoding="utf-8"))


def answer(question: str) -> Response:
    """What the shop's support page shows for a question."""
    for topic, pattern in ESCALATIONS.items():
        if re.search(pattern, question.lower()):
            text = "I'm passing this on to a colleague, who will write to you within one working day."
            if topic == "safety":
                text = f"I'm sorry to hear that. Please see a doctor if you are hurt. {text}"
            return Response(text, tool_calls=[ToolCall("open_ticket", {"topic": topic})])
    ranked = knowledge().rank(question)
    best, first = ranked[0]
    if best < LEAST_FIT:
        return Response(DONT_KNOW, metadata={"fit": round(best, 2)})
    second, other = ranked[1]
    found = [first]
    if second >= LEAST_SHARE * best and other.article == first.article:
        found = sorted([first, other], key=knowledge().sentences.index)
    return Response(
        " ".join(sentence.text for sentence in found), metadata={"fit": round(best, 2), "article": first.article}
    )


if __name__ == "__main__":
    print(answer(" ".join(sys.argv[1:])).output)
