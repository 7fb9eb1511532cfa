"""What is known of how far judges can be trusted: a file for each judge and prompt, in ``judges`` beside the history.

    .evals/judges/anthropic-claude-haiku-5-5-3f9ac2d1e07b.json

``prompt`` is the hash of all that the judge is told beside the material of a case, or of the same with whatever
criterion stands in it. ``calibration`` and ``stability`` are what the commands of these names found last.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..errors import UsageError
from ..model.gate import KAPPA, Gate
from ..model.ids import slug
from ..model.judge import Calibrated, Calibrations
from ..report.files import whole_file
from ..store.folder import make_folder

if TYPE_CHECKING:
    from ..store.location import Location

FOLDER = "judges"
FORMAT = 1

Part = Literal["calibration", "stability"]


def trust_folder(location: Location) -> Path:
    """Where the files lie: beside the history, or beside the journals of one on a database server."""
    return location.journals.parent / FOLDER


def keep(folder: Path, model: str, prompt: str, part: Part, facts: Mapping[str, Any]) -> Path:
    """Write what was found, whole or not at all; the other part stays. Raises ``UsageError``."""
    path = folder / f"{slug(model)}-{prompt}.json"
    before = _read(path)
    content = {**before, "format": FORMAT, "judge": model, "prompt": prompt, part: dict(facts)}
    try:
        make_folder(folder)
        with whole_file(path) as file:
            file.write((json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror or error})") from error
    return path


def calibrations(folder: Path) -> Calibrations:
    """Every calibration in the folder. A file that is none of ours, or is broken, is none."""
    found: dict[tuple[str, str], Calibrated] = {}
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        content = _read(path)
        part = content.get("calibration")
        if not isinstance(part, Mapping):
            continue
        kappa = part.get("kappa")
        value, interval = (kappa.get("value"), kappa.get("interval")) if isinstance(kappa, Mapping) else (None, None)
        try:
            key = (str(content["judge"]), str(content["prompt"]))
            mark, low = part.get("mark"), None if interval is None else interval[0]
            found[key] = Calibrated(*(None if each is None else float(each) for each in (value, low, mark)))
        except (LookupError, TypeError, ValueError):
            continue
    return found


def calibrations_for(gates: Iterable[Gate], location: Location | None) -> Calibrations | None:
    """The calibrations, if one of the gates asks about them. Without a history there are none."""
    if location is None or not any(gate.metric == KAPPA for gate in gates):
        return None
    return calibrations(trust_folder(location))


def _read(path: Path) -> dict[str, Any]:
    """What a file holds; nothing when there is none that this version can read."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) and content.get("format") == FORMAT else {}
