"""The answers that other variants of a case gave in this process, for criteria that compare with them."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import TYPE_CHECKING

from ..errors import ScorerError
from ..model.bracket import rest_of
from ..model.criterion import compared_variants
from ..model.response import Response

if TYPE_CHECKING:
    from ..model.case import Case, Suite
    from ..model.result import CaseResult
    from .call import Call, Identity

_Key = tuple[str, str, str, str, int]
"""Suite, case, what the bracket says besides the variant, variant, trial."""


class OtherVariants:
    """Keeps what is asked for by criteria of the suites it is told of, and nothing else."""

    def __init__(self) -> None:
        self._wanted: set[tuple[str, str]] = set()
        self._answers: dict[_Key, Future[Response | None]] = {}

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return bool(self._wanted)

    def want(self, suite: Suite) -> None:
        """Keep the answers of the variants that criteria of the suite name."""
        for case in suite.cases if suite.variants else ():
            self._wanted |= {(suite.name, variant) for variant in compared_variants(case.criteria)}

    def expect(self, call: Call) -> None:
        """The call begins: from now on its answer can be waited for."""
        if self.keeps(call.case.suite, call.identity.variant_id):
            self._answers[_key(call.case, call.identity, call.identity.variant_id, call.trial)] = Future()

    def tell(self, call: Call) -> None:
        """The call has ended, with an answer or without."""
        if not self.keeps(call.case.suite, call.identity.variant_id):
            return
        future = self._answers.get(_key(call.case, call.identity, call.identity.variant_id, call.trial))
        if future is not None and not future.done():
            future.set_result(call.response)

    def put(self, result: CaseResult) -> None:
        """A result of an earlier run is taken over: its answers are there."""
        if not self.keeps(result.suite, result.variant_id):
            return
        rest = rest_of(result.variant, result.variant_id) or ""
        for number, trial in enumerate(result.trials, 1):
            future: Future[Response | None] = Future()
            future.set_result(None if trial.output is None else Response(trial.output, tool_calls=trial.tool_calls))
            self._answers[result.suite, result.case_id, rest, result.variant_id, number] = future

    async def answer(self, case: Case, identity: Identity, variant: str, trial: int) -> Response:
        """What the variant answered in the same trial, or in the first. Raises ``ScorerError`` when that is not known.

        It must have begun before: what is compared stands after it in the suite, and runs in its order.
        """
        future = self._answers.get(_key(case, identity, variant, trial)) or self._answers.get(
            _key(case, identity, variant, 1)
        )
        if future is None:
            raise ScorerError(
                f"variant {variant!r} of this case was not asked before it in this process; "
                "run both, in the order of the suite, and with xdist use --dist loadfile"
            )
        # shielded: several may wait for it
        found = await asyncio.shield(asyncio.wrap_future(future))
        if found is None:
            raise ScorerError(f"variant {variant!r} gave no answer to this case")
        return found

    def keeps(self, suite: str, variant: str) -> bool:
        """Whether something is compared with the answers of this variant."""
        return (suite, variant) in self._wanted


def _key(case: Case, identity: Identity, variant: str, trial: int) -> _Key:
    rest = rest_of(identity.variant, identity.variant_id) or ""
    return case.suite, case.id, rest, variant, trial
