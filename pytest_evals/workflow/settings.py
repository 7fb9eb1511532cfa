"""Every setting with its three spellings, and how what was said is read.

Later wins: default, ini ``evals_*``, environment ``PYTEST_EVALS_*``, flag ``--evals-*``. Cheap to import: the plugin's
front does, at every start of pytest.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Kind = Literal["text", "texts", "number", "usd", "whole", "trials", "duration", "size", "flag"]

# as in model.trials, which is not imported at every start of pytest; a test holds them together
PASS_IF = ("all", "any", "majority", "mean")
MOST_TRIALS = 1000


class Setting(NamedTuple):
    """One setting with its three spellings: ``--evals-x-y``, ``evals_x_y``, ``PYTEST_EVALS_X_Y``."""

    name: str
    kind: Kind
    help: str
    default: Any = None
    metavar: str = ""
    flag: bool = True
    """Whether there is a command-line option."""
    ini: bool = True
    """Whether there is an ini key and an environment variable."""
    choices: tuple[str, ...] = ()
    """The words a text may be; any when there are none."""
    alone: bool = False
    """Whether the flag may stand without a value, which is then the empty text."""

    @property
    def option(self) -> str:
        return "--evals-" + self.name.replace("_", "-")

    @property
    def key(self) -> str:
        return "evals_" + self.name

    @property
    def variable(self) -> str:
        return "PYTEST_EVALS_" + self.name.upper()


SETTINGS = (
    Setting(
        "files", "texts", "more file names (glob patterns) that are suites, besides *.eval.yaml|yml|json", flag=False
    ),
    Setting(
        "report", "texts", "write a report when the session ends: FORMAT:PATH, or PATH by its suffix", metavar="REPORT"
    ),
    Setting("threshold", "number", "weighted mean a case must reach, where its suite states none", metavar="SCORE"),
    Setting("warn", "number", "cases that reach this score but not their threshold are warned", metavar="SCORE"),
    Setting("timeout", "duration", "limit of one attempt of the target: 30s, 500ms, 2m; 0 = none", 60.0, "TIME"),
    Setting("retries", "whole", "extra attempts after an error or timeout of the target", 1, "N"),
    Setting(
        "trials", "trials", "how often to ask every case, whatever suites say; ini: where they say nothing", 1, "N"
    ),
    Setting(
        "pass_if",
        "text",
        "what decides over several trials, where a suite says nothing",
        PASS_IF[0],
        flag=False,
        choices=PASS_IF,
    ),
    Setting("all_trials", "flag", "ask every trial, also when the decision of a case cannot change any more", False),
    Setting("concurrency", "whole", "calls in flight in a process; 1 = strictly in turn", 16, "N"),
    Setting("limits", "texts", "limits of calls: 'NAME: 50 rpm, 40000 tpm, 8 in flight'", flag=False),
    Setting(
        "ignore_fixtures", "texts", "function-scoped fixtures that do not keep calls from starting early", flag=False
    ),
    Setting("max_cost", "usd", "dollars the session may spend; cases that are left are then skipped", metavar="USD"),
    Setting("max_tokens", "whole", "tokens the session may use; cases that are left are then skipped", metavar="N"),
    Setting(
        "max_time",
        "duration",
        "time after which no case is begun any more: 10m, 90s; the rest is skipped",
        None,
        "TIME",
    ),
    Setting(
        "filter",
        "texts",
        "only cases with category=…, tag=…, metadata.KEY=…, suite=…, id=… or variant=…",
        metavar="KEY=VALUE",
        ini=False,
    ),
    Setting("first", "whole", "only the first N of the cases that are selected", None, "N", ini=False),
    Setting("sample", "whole", "only N of the cases that are selected, drawn by --evals-seed", None, "N", ini=False),
    Setting("seed", "whole", "which cases a sample has: the same number, the same cases", None, "S", ini=False),
    Setting(
        "from",
        "text",
        "only cases that were failed, errored, missed or flaky in a run of the history, or changed since",
        metavar="RUN:WORD",
        ini=False,
    ),
    Setting(
        "resume",
        "text",
        "take over what an interrupted run has answered (without RUN: the newest), and ask the rest",
        metavar="RUN",
        ini=False,
        alone=True,
    ),
    Setting(
        "retry_errors",
        "text",
        "as --evals-resume, but ask errored cases again (without RUN: the newest run with errors)",
        metavar="RUN",
        ini=False,
        alone=True,
    ),
    Setting("rescore", "text", "call no target: score the answers of this run again", metavar="RUN", ini=False),
    Setting(
        "shard",
        "text",
        "run one part of the cases, such as 2/3, and write its results to a file for pytest-evals merge",
        metavar="I/N",
        ini=False,
    ),
    Setting("shard_file", "text", "that file; evals-I-of-N.shard otherwise", metavar="FILE", ini=False),
    Setting(
        "shard_plan",
        "text",
        "balance shards by the times in this file, which merge writes with -o evals.plan.json",
        metavar="FILE",
    ),
    Setting("dry_run", "flag", "call nothing: show how many calls there would be, to what, at what price", ini=False),
    Setting(
        "explain",
        "text",
        "run nothing: show how a case would run (an id, a node id, a glob)",
        metavar="CASE",
        ini=False,
    ),
    Setting(
        "progress",
        "text",
        "the live progress line: auto, on (also in CI, and with -q, -v, -s) or off",
        "auto",
        "WHEN",
        choices=("auto", "on", "off"),
    ),
    Setting("max_error_share", "number", "share of errored cases to tolerate: 0.02 or 2%%", 0.0, "SHARE"),
    Setting(
        "history", "text", "where runs are kept: a file (relative to the rootdir) or a database URL", metavar="WHERE"
    ),
    Setting("no_history", "flag", "keep no run of this session", False),
    Setting(
        "atif_dir",
        "text",
        "where trajectories of agents are kept; by default in atif/ beside the history",
        metavar="DIR",
    ),
    Setting(
        "experiment", "text", "the experiment that the session's runs belong to, whatever suites say", metavar="NAME"
    ),
    Setting("experiment_desc", "text", "what the experiment is about", metavar="TEXT"),
    Setting("run_name", "text", "a name for the session's runs", metavar="NAME"),
    Setting("prices", "text", "a file of prices (TOML, YAML, JSON) that go before the known ones", metavar="FILE"),
    Setting("cache", "flag", "keep replies of models, and answer the same request from there", False),
    Setting("cache_size", "size", "room for kept replies: 200MB, 1GB; the oldest go first", 500_000_000, flag=False),
    Setting(
        "cache_age", "duration", "replies kept longer are asked for again: 30d, 12h; 0 = none", 30 * 86400.0, flag=False
    ),
    Setting(
        "judge_model",
        "text",
        "the model that answers llm_judge criteria of suites that name no judge: provider/name",
        metavar="MODEL",
    ),
    Setting("record", "text", "write every reply of a model to a file in this folder", metavar="DIR"),
    Setting("replay", "text", "answer from the replies recorded in this folder; call no model", metavar="DIR"),
    Setting(
        "baseline",
        "text",
        "compare with a run (id, name, last, last:BRANCH), a variant of one (RUN@VARIANT) or a baseline file (*.json)",
        metavar="WHAT",
    ),
    Setting("allow_missing", "flag", "a case of the baseline that is gone from its suite is no regression", False),
    Setting("redact", "texts", "hide what matches this regular expression in whatever is written", metavar="PATTERN"),
    Setting("gate", "texts", "a further condition on the whole run, such as 'pass_rate >= 95%%'", metavar="GATE"),
    Setting("strict", "flag", "warned, missed and tolerated errored cases fail the session", False),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}


def find(
    setting: Setting, *, flag: Any = None, environ: Mapping[str, str] | None = None, ini: Any = None
) -> tuple[Any, str]:
    """The value of a setting and where it was said last: the flag, the variable, the ini key or ``default``.

    ``flag`` and ``ini`` are what was said there, ``None`` if nothing was. Raises ``UsageError`` for a bad value.
    """
    if setting.flag and flag is not None:
        return read_said(setting, flag, setting.option), setting.option
    if setting.ini:
        said = (os.environ if environ is None else environ).get(setting.variable)
        if said is not None:
            parts = [part for part in said.splitlines() if part.strip()] if setting.kind == "texts" else said
            return read_said(setting, parts, setting.variable), setting.variable
        if ini not in (None, "", []):
            return read_said(setting, ini, setting.key), setting.key
    return ([] if setting.kind == "texts" else setting.default), "default"


def read_said(setting: Setting, said: Any, where: str) -> Any:
    """The value of a setting as it was said ``where``. Raises ``UsageError`` when it is none."""
    try:
        value = _READERS[setting.kind](said)
        if setting.choices and value not in setting.choices:
            raise ValueError(f"{value!r} is not one of {', '.join(setting.choices)}")
        return value
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from None


def _number(said: Any) -> float:
    text = str(said).strip()
    try:
        value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number from 0 to 1 (or a percentage)") from None
    if not 0 <= value <= 1:
        raise ValueError(f"{text!r} is not between 0 and 1")
    return value


def _usd(said: Any) -> float:
    text = str(said).strip()
    try:
        value = float(text.removeprefix("$"))
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ValueError(f"{text!r} is not a sum of dollars such as 0.50 or 20")
    return value


def _whole(said: Any) -> int:
    text = str(said).strip()
    if not text.isdecimal():
        raise ValueError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def _trials(said: Any) -> int:
    number = _whole(said)
    if not 1 <= number <= MOST_TRIALS:
        raise ValueError(f"{number} is not a number of trials from 1 to {MOST_TRIALS}")
    return number


_UNITS = (("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0))


def _duration(said: Any) -> float:
    text = str(said).strip()
    number, factor = text, 1.0
    for unit, seconds in _UNITS:
        if text.endswith(unit):
            number, factor = text[: -len(unit)].strip(), seconds
            break
    try:
        value = float(number) * factor
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ValueError(f"{text!r} is not a time such as 30s, 500ms or 2m")
    return value


_SIZES = (("kB", 10**3), ("KB", 10**3), ("MB", 10**6), ("GB", 10**9), ("B", 1))


def _size(said: Any) -> int:
    text = str(said).strip()
    number, factor = text, 1
    for unit, octets in _SIZES:
        if text.endswith(unit):
            number, factor = text[: -len(unit)].strip(), octets
            break
    try:
        value = float(number) * factor
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise ValueError(f"{text!r} is not a size such as 200MB or 1GB")
    return int(value)


def _flag(said: Any) -> bool:
    if isinstance(said, bool):
        return said
    word = str(said).strip().lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off", ""):
        return False
    raise ValueError(f"{said!r} is neither true nor false")


def _texts(said: Sequence[str]) -> list[str]:
    return [text.strip() for text in said if text.strip()]


_READERS: dict[Kind, Callable[[Any], Any]] = {
    "text": str,
    "texts": _texts,
    "number": _number,
    "usd": _usd,
    "whole": _whole,
    "trials": _trials,
    "duration": _duration,
    "size": _size,
    "flag": _flag,
}
