"""What a person sees of long work: a line for each thing that is done, and one for the whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import floor, log10

from ..spent import NOTHING, Spent

Tell = Callable[[str], None]


@dataclass(slots=True)
class Progress:
    """Counts what is done of ``total`` and tells each with its tokens and dollars."""

    total: int
    tell: Tell = lambda _: None
    done: int = 0
    skipped: int = 0
    failed: int = 0
    spent: Spent = field(default=NOTHING)
    """Of what was done, whenever it was asked."""

    def skip(self, what: str, why: str) -> None:
        """Something that needs nothing."""
        self.skipped += 1
        self.tell(f"{self._count()} {what}: {why}")

    def finish(self, what: str, spent: Spent, note: str = "") -> None:
        """Something that is written."""
        self.done += 1
        self.spent += spent
        self.tell(f"{self._count()} {what}  {price(spent)}" + (f"  ({note})" if note else ""))

    def fail(self, what: str, why: str) -> None:
        """Something that could not be made."""
        self.failed += 1
        self.tell(f"{self._count()} {what}: {why}")

    def _count(self) -> str:
        seen = self.done + self.skipped + self.failed
        return f"[{seen:>{len(str(self.total))}}/{self.total}]"


def price(spent: Spent) -> str:
    """``1,043 tokens, $0.0031``."""
    tokens = "tokens unknown" if spent.total_tokens is None else f"{spent.total_tokens:,} tokens"
    return f"{tokens}, {dollars(spent.total_usd)}"


def dollars(amount: float | None) -> str:
    """``$0.0031``, ``$0.00004``; ``cost unknown``."""
    if amount is None:
        return "cost unknown"
    if amount == 0 or amount >= 1:
        return f"${amount:,.2f}"
    # two digits that say something
    return f"${amount:.{max(2, 1 - floor(log10(amount)))}f}"
