"""What takes secrets out of what is written, when pytest is not there to say what else is secret."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import UsageError
from ..model.redaction import Redactor
from .origins import settings_of


def project_redactor(start: Path | None = None) -> Redactor:
    """Hides keys and the like, and what ``evals_redact`` of the project names that ``start`` is in.

    A setting that cannot be read hides nothing more: sessions say what is wrong with it.
    """
    try:
        said = next(said.value for said in settings_of(start or Path.cwd()) if said.name == "redact")
        return Redactor(patterns=said or (), prose=True)
    except (UsageError, re.error):
        return Redactor(prose=True)
