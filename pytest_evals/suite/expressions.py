"""What may stand between ``{{`` and ``}}``: an expression of Jinja that inserts, and neither calls nor loops.

Values are JSON values, so ``order.id`` looks into a mapping and never at an attribute of a Python object. Names that
do not exist are mistakes, not empty texts.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, TemplateError, Undefined, UndefinedError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from ..model.place import did_you_mean
from ..model.text import one_line
from .filters import FILTERS, MAX_BITS, Refused, bounded, bounded_text, measure

MAX_EXPRESSION = 2_000
"""Characters between the braces."""

DEFAULT = ("default", "d")
TESTS = (
    *("defined", "undefined", "none", "string", "number", "boolean", "mapping", "sequence", "true", "false"),
    *("odd", "even", "divisibleby", "in", "eq", "ne", "lt", "le", "gt", "ge"),
)

_READ = (
    *(nodes.Name, nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Keyword, nodes.CondExpr),
    *(nodes.Filter, nodes.Test, nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Compare, nodes.Operand, nodes.Concat),
    *(nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Neg, nodes.Pos),
    *(nodes.Not, nodes.And, nodes.Or),
)
_OPERATIONS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
_CONCAT = " concat"
"""The filter that stands for ``~``: a name that nobody can write."""


class Expression:
    """An expression, ready to be computed for many cases."""

    __slots__ = ("_compiled", "names")

    def __init__(self, compiled: Any, names: frozenset[str]) -> None:
        self._compiled = compiled
        self.names = names
        """The names it looks up."""

    def compute(self, values: Mapping[str, Any]) -> Any:
        """The JSON value it stands for. Raises ``Refused``."""
        try:
            context = self._compiled.new_context(dict(values))
            for _ in self._compiled.root_render_func(context):
                pass  # it writes nothing; the value is left in the context
            value = _plain(context.vars["result"])
            measure(value)
            return value
        except UndefinedError as error:
            raise Refused(self._undefined(error, values)) from None
        except ZeroDivisionError:
            raise Refused("this divides by 0") from None
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise Refused(f"this cannot be computed: {one_line(str(error))}") from None
        except RecursionError:
            raise Refused("this is nested too deeply") from None

    def _undefined(self, error: UndefinedError, values: Mapping[str, Any]) -> str:
        said = one_line(str(error))
        for name in sorted(self.names - set(values)):
            if said == f"{name!r} is undefined":
                return unknown(name, values)
        return "this 'if' has no 'else'" if "inline if-expression" in said else said


def unknown(name: str, values: Mapping[str, Any]) -> str:
    """What is said of a name that nothing gives a value."""
    if name in ("input", "context"):
        return f"there is no {name} here; a prompt can insert that of its case"
    there = [known for known in values if known != "vars"]
    listed = f"; there are {', '.join(one_line(known, 30) for known in there[:10])}" + (", …" if there[10:] else "")
    return f"there is no variable {name!r}{did_you_mean(name, there) or (listed if there else '')}"


@lru_cache(maxsize=2048)
def expression(text: str) -> Expression:
    """The expression in a text. Raises ``Refused``."""
    if not text.strip():
        raise Refused("nothing stands between '{{' and '}}'; name a variable")
    if len(text) > MAX_EXPRESSION:
        raise Refused(f"more than {MAX_EXPRESSION:,} characters stand between '{{{{' and '}}}}'")
    try:
        body = _ENVIRONMENT.parse("{{ " + text + " }}").body
        written: Any = body[0].nodes if len(body) == 1 and isinstance(body[0], nodes.Output) else ()
        if len(written) != 1 or isinstance(written[0], nodes.TemplateData):
            raise Refused("this is not understood")
        names = frozenset(_check(written[0]))
        value = _Concat().visit(written[0])
        assign = nodes.Assign(nodes.Name("result", "store", lineno=1), value, lineno=1)
        template = nodes.Template([assign], lineno=1)
        template.set_environment(_ENVIRONMENT)
        return Expression(_ENVIRONMENT.from_string(template), names)
    except TemplateError as error:
        raise Refused(f"this is not understood: {one_line(str(error))}") from None
    except (RecursionError, SyntaxError, MemoryError):
        raise Refused("this is nested too deeply") from None


def _check(node: nodes.Node) -> list[str]:
    """The names in an expression that holds nothing but what is read here."""
    names = []
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, nodes.Call):
            raise Refused("a template calls nothing; use a filter, such as {{ name | upper }}")
        if isinstance(part, nodes.Pow):
            raise Refused("'**' is not read")
        if not isinstance(part, _READ):
            raise Refused("this is not understood")
        if isinstance(part, nodes.Filter):
            _check_filter(part)
        if isinstance(part, nodes.Test) and part.name not in TESTS:
            raise Refused(f"there is no test {part.name!r}{did_you_mean(part.name, TESTS) or _listed(TESTS)}")
        if isinstance(part, nodes.Name):
            if part.name == "self":  # Jinja's own, which is no value
                raise Refused("'self' cannot be the name of a variable; write vars['self']")
            names.append(part.name)
        todo += part.iter_child_nodes()
    return names


def _check_filter(node: nodes.Filter) -> None:
    if node.name not in FILTERS and node.name not in DEFAULT:
        known = sorted((*FILTERS, DEFAULT[0]))
        raise Refused(f"there is no filter {node.name!r}{did_you_mean(node.name, known) or _listed(known)}")
    if node.node is None or node.dyn_args is not None or node.dyn_kwargs is not None:
        raise Refused("this is not understood")


def _listed(names: Any) -> str:
    return f"; there are {', '.join(names)}"


def _plain(value: Any) -> Any:
    """The value in JSON types."""
    if isinstance(value, Undefined):
        value._fail_with_undefined_error()
    if isinstance(value, float) and not math.isfinite(value):
        raise Refused("this is not a number that JSON can hold")
    if isinstance(value, str):
        return bounded(str(value))
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value


class _Concat(NodeTransformer):
    """Makes ``a ~ b`` join values as they stand inside a text; Jinja would write ``True`` and ``None``."""

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802  (named after the node)
        parts = nodes.List([self.visit(part) for part in node.nodes], lineno=node.lineno)
        return nodes.Filter(parts, _CONCAT, [], [], None, None, lineno=node.lineno)


def _concat(parts: list[Any]) -> str:
    return bounded("".join([bounded_text(_plain(part)) for part in parts]))


class _Environment(ImmutableSandboxedEnvironment):
    """Looks into JSON values, never at Python objects, and computes within bounds."""

    intercepted_binops = frozenset((*_OPERATIONS, "**"))  # also keeps them from being computed while compiling

    def getattr(self, obj: Any, attribute: str) -> Any:
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, Undefined):
            obj._fail_with_undefined_error()
        if isinstance(obj, Mapping):
            if isinstance(argument, str) and argument in obj:
                return obj[argument]
            near = did_you_mean(str(argument), obj) or f"; it has {', '.join(one_line(key, 30) for key in [*obj][:10])}"
            return self.undefined(f"the mapping has no key {argument!r}{near if obj else '; it is empty'}")
        if isinstance(obj, (list, tuple, str)) and isinstance(argument, int):
            if -len(obj) <= argument < len(obj):
                return obj[argument]
            return self.undefined(f"there is no item {argument}: there are {len(obj)}")
        kind = "a text" if isinstance(obj, str) else "a list" if isinstance(obj, (list, tuple)) else bounded_text(obj)
        return self.undefined(f"{one_line(kind, 40) or 'nothing'} has no {one_line(argument, 40)!r}")

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:  # noqa: ARG002
        for side in (left, right):
            if isinstance(side, Undefined):
                side._fail_with_undefined_error()
        numbers = all(isinstance(side, (int, float)) and not isinstance(side, bool) for side in (left, right))
        if operator == "+" and isinstance(left, str) and isinstance(right, str):
            return bounded(left + right)
        if operator == "+" and isinstance(left, list) and isinstance(right, list):
            return left + right
        if not numbers or operator not in _OPERATIONS:
            raise Refused(f"'{operator}' is for numbers; texts are joined with '~'")
        if operator == "*" and sum(side.bit_length() for side in (left, right) if isinstance(side, int)) > MAX_BITS:
            raise Refused("the number would be too long")
        return _OPERATIONS[operator](left, right)


def _environment() -> _Environment:
    environment = _Environment(undefined=StrictUndefined, autoescape=False, cache_size=0)
    environment.globals.clear()
    own = {name: environment.filters[name] for name in DEFAULT}
    environment.filters.clear()
    environment.filters |= {**own, **FILTERS, _CONCAT: _concat}
    tests = {name: environment.tests[name] for name in TESTS}
    environment.tests.clear()
    environment.tests |= tests
    return environment


_ENVIRONMENT = _environment()
