"""The dry run: how many calls there would be, to what, at what known price."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..model.case import TargetSpec
from ..model.criterion import FUNCTION
from ..model.judge import BETTER, JUDGE
from ..model.llm import ModelSpec
from ..model.text import one_line
from ..report.format import count, counted, usd
from ..report.lines import INDENT, Line, Span, line, table
from ..report.text import fit
from ..scoring import WITH_JUDGE, names
from ..scoring.judge.scorer import RETRIES
from ..suite.judge import judgements

if TYPE_CHECKING:
    from ..engine.target import Target
    from ..model.price import Price
    from .items import CaseItem


@dataclass(frozen=True, slots=True)
class Pricing:
    """What the calls of a target cost."""

    shown: str
    known: bool = True
    free: bool = False


UNKNOWN = Pricing("unknown", known=False)
RECORDED = Pricing("nothing: recorded replies answer", free=True)
LOCAL = Pricing("nothing: the model is local", free=True)


def by_the_token(price: Price) -> Pricing:
    """The price of a model."""
    if not (price.input or price.output):
        return Pricing("nothing", free=True)
    return Pricing(f"{usd(price.input)} in, {usd(price.output)} out per 1M")


@dataclass(slots=True)
class _Calls:
    """What one target would be asked."""

    label: str
    suites: dict[str, None] = field(default_factory=dict)
    cases: int = 0
    skipped: int = 0
    least: int = 0
    """When every first attempt answers."""
    most: int = 0
    """When every case needs all its attempts."""
    at_once: bool = False
    """Answers are there already: nothing is called."""
    price: Pricing = UNKNOWN


def plan(
    items: Sequence[CaseItem],
    others: int,
    width: int,
    price_of: Callable[[TargetSpec], Pricing] = lambda _: UNKNOWN,
) -> list[Line]:
    """What a run of these cases would call. ``others`` is the number of ordinary tests beside them."""
    if not items:
        return [line("no case was selected"), *_ordinary(others)]
    targets = list(_by_target(items, price_of).values())
    asked = sum(target.least for target in targets)
    most = sum(target.most for target in targets)
    said = counted(asked, "call") + (f", up to {count(most)} with retries" if most > asked else "")
    prices = [target.price for target in targets if target.least and not target.at_once]
    price = "nothing to pay" if all(price.free for price in prices) else "paid by the token"
    if not all(price.known for price in prices):
        some = "partly " if any(price.known and not price.free for price in prices) else ""
        price = f"{some}at a price that is not known"
    lines = [line((f"{said}, {price}", "bold")), line("")]
    lines += table([("target", "cases", "calls", "with retries", "price"), *map(_row, targets)], width, "lrrrl")
    lines += [line(""), *_trials(items), *_left_out(targets), *_scorers(items, width), *_ordinary(others)]
    return lines if lines[-1] != line("") else lines[:-1]


def _row(calls: _Calls) -> Sequence[str | Span]:
    if calls.at_once:
        return (calls.label, count(calls.cases), "0", "0", "nothing: it answers at once")
    price = calls.price.shown if calls.least else "nothing"
    return (calls.label, count(calls.cases), count(calls.least), count(calls.most), price)


def _by_target(items: Sequence[CaseItem], price_of: Callable[[TargetSpec], Pricing]) -> dict[tuple[str, ...], _Calls]:
    found: dict[tuple[str, ...], _Calls] = {}
    for item in items:
        spec = item.spec
        identity = _identity(spec)
        if identity not in found:
            found[identity] = _Calls(one_line(str(spec)), price=price_of(spec))
        calls = found[identity]
        calls.suites[item.suite.name] = None
        calls.cases += 1
        calls.at_once = _at_once(item.target)
        if item.get_closest_marker("skip") is not None:
            calls.skipped += 1
        elif not calls.at_once:
            calls.least += item.case.trials
            calls.most += item.case.trials * (1 + item.case.retries)
    for item in items:
        if any(name in WITH_JUDGE for name in item.scorers):
            for judge in item.case.judges or (None,):
                _add_judge(found, item, judge, price_of)
    labels = [calls.label for calls in found.values()]
    for calls in found.values():
        if labels.count(calls.label) > 1:  # files of one name in two folders
            calls.label = f"{calls.label} ({', '.join(calls.suites)})"
    return found


def _add_judge(
    found: dict[tuple[str, ...], _Calls],
    item: CaseItem,
    judge: ModelSpec | None,
    price_of: Callable[[TargetSpec], Pricing],
) -> None:
    """The calls to a judge of a case, which is a model of its own."""
    identity = (JUDGE, judge.name, judge.endpoint.base_url) if judge is not None else (JUDGE, "", "")
    if identity not in found:
        spec = None if judge is None else TargetSpec("model", judge.name, item.suite.path.parent, options=judge)
        label = f"judge {judge.name}" if judge is not None else "judge of a fixture"
        found[identity] = _Calls(one_line(label), price=UNKNOWN if spec is None else price_of(spec))
    calls = found[identity]
    calls.suites[item.suite.name] = None
    calls.cases += 1
    if item.get_closest_marker("skip") is not None:
        return  # told of its target
    for criterion in judgements(item.case.criteria):
        orders = 2 if criterion.scorer == BETTER else 1
        calls.least += item.case.trials * orders
        calls.most += item.case.trials * orders * (1 + int(criterion.options.get("retries", RETRIES)))


def _identity(spec: TargetSpec) -> tuple[str, ...]:
    """What tells one target from another: a file's name alone does not."""
    if isinstance(spec.options, ModelSpec):
        return (spec.kind, spec.value, spec.options.endpoint.base_url)
    in_folder = spec.kind in ("responses", "command") or (spec.kind == "callable" and ".py:" in spec.value)
    return (spec.kind, spec.value, str(spec.base) if in_folder else "")


def _at_once(target: Target | None) -> bool:
    return target is not None and target.inline


def _trials(items: Sequence[CaseItem]) -> Iterator[Line]:
    if any(item.case.trials > 1 for item in items) and not items[0].state.settings.all_trials:
        yield line(INDENT, "fewer where a case with several trials stops: its decision cannot change any more")


def _left_out(targets: Sequence[_Calls]) -> Iterator[Line]:
    if skipped := sum(calls.skipped for calls in targets):
        yield line(INDENT, f"{counted(skipped, 'case is', 'cases are')} skipped and not called")


def _scorers(items: Sequence[CaseItem], width: int) -> Iterator[Line]:
    """Scorers of the project may call models themselves, nobody knows how often."""
    known = names()
    own: dict[str, None] = {}
    for item in items:
        own.update(dict.fromkeys(name for name in item.scorers if name not in known))
        own.update(dict.fromkeys(_functions(item)))
    if own:
        yield line(
            INDENT, fit(f"not counted: what scorers of the project call ({', '.join(own)})", width - len(INDENT))
        )


def _functions(item: CaseItem) -> Iterator[str]:
    from ..engine.criteria import leaves

    for criterion in leaves(item.case.criteria):
        if criterion.scorer.startswith(FUNCTION):
            yield criterion.scorer


def _ordinary(others: int) -> Iterator[Line]:
    if others:
        yield line(INDENT, f"{counted(others, 'ordinary test is', 'ordinary tests are')} not run either")
