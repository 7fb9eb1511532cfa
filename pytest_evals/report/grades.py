"""Grades of judges that rate in words, over all that they rated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..model.rating import grade_of
from ..model.summary import Summary


def words_of(summary: Summary) -> dict[str, Mapping[str, int]]:
    """What judges rated, by the name of what was rated; with the criterion before it where two have one of the name."""
    found = [(name, by, words) for name, part in summary.criteria.items() for by, words in part.ratings.items()]
    names = Counter(by for _, by, _ in found)
    return {by if names[by] == 1 else f"{name}: {by}": words for name, by, words in found}


def all_words(words: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    """How often each word was given, whatever was rated."""
    return sum((Counter(each) for each in words.values()), Counter())


def grade_in(summary: Summary) -> float | None:
    """The grade of all ratings together, 0 to 100; ``None`` where none were given."""
    return grade_of(all_words(words_of(summary)))
