"""A case as a pytest item."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from ..model.outcome import Outcome
from .outcomes import CaseErrored, CaseFailed

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from ..engine.call import Identity
    from ..engine.output import Output
    from ..engine.target import Target
    from ..model.case import Case, Suite, TargetSpec, Variant
    from ..model.result import CaseResult
    from .state import State


class CaseItem(pytest.Function):
    """One case of a suite (and one parameter set of its fixtures).

    The target is asked and the answer scored at the end of set-up, after the fixtures: an error there shows as pytest's
    error, a miss is raised in the call.
    """

    case: Case
    suite: Suite
    state: State
    target: Target | None
    scorers: tuple[str, ...]
    gated: bool
    variant: str
    number: int
    """Its place among the cases of the session, as they were collected."""
    configuration: Variant | None
    """The variant of the suite that it runs with."""
    result: CaseResult | None = None
    output: Output | None = None
    """What its call printed and logged while other items were the current one."""
    seconds: float = 0.0
    """What asking and scoring took of the set-up phase."""
    told_junit: Sequence[tuple[str, object]] = ()
    """The properties of the last time it ran."""

    def setup(self) -> None:
        """Set the fixtures up, then ask and score."""
        self.result = None  # a rerun asks again
        self.output = None
        self.seconds = 0.0
        plan_only = self.config.getoption("setuponly", False)
        earlier = None if plan_only or self.state.earlier is None else self.state.earlier.result_of(self)
        if earlier is not None:  # with what it had asked: nothing is set up
            self.result = result = earlier
        else:
            if not plan_only:
                self.state.admit(self)
            super().setup()
            if plan_only:
                return
            try:
                self.result = result = self.state.run(self)
            finally:
                self._show_output()
        self._tell_junit(result)
        if result.outcome is Outcome.ERRORED:
            raise CaseErrored(self.state.explain(result), tolerated=self.state.tolerates_errors)

    def _tell_junit(self, result: CaseResult) -> None:
        if getattr(self.config.option, "xmlpath", None):
            from ..report.junit import junit_properties

            # a rerun says it anew
            mine = [said for said in self.user_properties if said not in self.told_junit]
            self.told_junit = junit_properties(result)
            self.user_properties[:] = [*mine, *self.told_junit]

    def _show_output(self) -> None:
        if self.output is None:
            return
        for stream, said in self.output.sections():
            text = self.state.redactor.text(said)
            if self.config.getoption("capture", "no") == "no" and stream != "log":
                print(text, end="", file=sys.stderr if stream == "stderr" else sys.stdout)
            else:
                self.add_report_section("call", stream, text)
        self.output = None

    @property
    def spec(self) -> TargetSpec:
        """The target as the suite, or the variant, names it."""
        return self.suite.target if self.configuration is None else self.configuration.target

    def target_of_fixture(self) -> Target:
        """The target that the suite's fixture gave to this item."""
        from ..engine.target import from_callable

        return from_callable(self.funcargs[self.spec.value], str(self.spec))

    def identity(self) -> Identity:
        """What the session knows of the case beyond its definition."""
        from ..engine.call import Identity

        experiment = self.state.experiment(self.suite.experiment).name
        return Identity(self.nodeid, self.variant, experiment, self.gated, self.configuration, self.state.asked(self))

    def runtest(self) -> None:
        """Raise what the case missed."""
        result = self.result
        if result is None:
            return
        if result.outcome is Outcome.FAILED:
            raise CaseFailed(self.state.explain(result), tolerated=self.gated and result.xfail is None)
        if result.outcome is Outcome.WARNED and self.state.settings.strict:
            raise CaseFailed(self.state.explain(result))

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """The case's line in the suite file, or in the data file that it is a row of."""
        place = self.case.place
        path = self.path
        if place is not None and place.path != getattr(self.parent, "shown", place.path):
            path = self.state.start / place.path
        # pytest's verbose lines show a name at their end with "::" for each dot of it, which no id is found by
        name = f"{self.name} " if "." in self.name else self.name
        return path, place.line - 1 if place else 0, name
