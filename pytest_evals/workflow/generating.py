"""``pytest-evals generate``: which documents are wanted, which are there already, and making the others."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import EvalsError, UsageError
from ..model.llm import ModelSpec
from ..pipeline.asking.asker import Asker
from ..pipeline.asking.progress import Progress, Tell
from ..pipeline.files import now, read_bytes, sha256_file, sha256_text, shown, write_bytes
from ..pipeline.generation.checks import twin_of
from ..pipeline.generation.kinds import KINDS, Kind
from ..pipeline.generation.suite import draft_suite
from ..pipeline.generation.writing import Wish, Written, write
from ..pipeline.shapes.testdata import SHAPES, Entry, TestData, estimated_tokens, read_test_data
from ..pipeline.sources.pdf import missing_package, read_pdf, write_pdf
from ..pipeline.spent import Spent
from ..pipeline.suites import SUFFIX, write_draft
from .pipelineasking import AskOptions, asker_for, exit_status, make_all

OUTPUT = Path("output/test_data")
_REPLY_ROOM = 2
"""A reply may be this many times as long as what is asked for before it is cut off."""


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """What is wanted."""

    kind: Kind = KINDS["meetings"]
    types: tuple[str, ...] = ()
    """Empty: all."""
    per_type: int = 1
    target_tokens: int | None = None
    """``None``: as usual for the kind."""
    output: Path = OUTPUT
    """The folder of the kind is made in it, unless it ends in the folder's name itself."""
    pdf: bool = False
    force: bool = False
    asking: AskOptions = field(default_factory=AskOptions)

    @property
    def folder(self) -> Path:
        return self.output if self.output.name == self.kind.name else self.output / self.kind.name

    @property
    def tokens(self) -> int:
        return self.target_tokens or self.kind.target_tokens

    @property
    def suffix(self) -> str:
        return ".pdf" if self.pdf else ".txt"

    def wishes(self) -> list[Wish]:
        """The documents that are wanted. Raises ``UsageError`` for types that do not exist."""
        return [
            Wish(self.kind, type, number, self.tokens, f"{type.name}_{self.kind.noun}" + (f"_{number}" if more else ""))
            for type in self.kind.chosen(self.types)
            for number in range(1, self.per_type + 1)
            for more in (self.per_type > 1,)
        ]


@dataclass(frozen=True, slots=True)
class Generated:
    """What a command did."""

    folder: Path
    made: int
    kept: int
    """Files that were there already."""
    errors: tuple[str, ...]
    spent: Spent
    """In this process, on what led to nothing too."""
    calls: int
    status: int
    told: tuple[str, ...] = ()
    """What a person should know besides."""
    unpriced: tuple[str, ...] = ()


def generate(options: GenerateOptions, tell: Tell = lambda _: None) -> Generated:
    """Make the documents that are not there yet, the metadata of their folder, and a draft suite.

    What is there is kept when it is what would be asked for again. Raises ``UsageError`` before anything is asked.
    """
    wishes = options.wishes()
    if options.pdf and options.kind.name != "documents":
        raise UsageError(f"--pdf is for documents; {options.kind.name} are text")
    if options.pdf and (missing := missing_package()):
        raise UsageError(missing)
    spec = options.asking.spec()
    if spec.max_tokens is None:
        spec = replace(spec, max_tokens=_REPLY_ROOM * options.tokens + 500)
    making = _Making(options, spec, asker_for(options.folder, options.asking.clients), Progress(len(wishes), tell))
    missing_wishes = [wish for wish in wishes if not making.is_there(wish)]
    found = make_all(making.asker, [spec], missing_wishes, making.make, options.asking.concurrency)
    errors = tuple(str(each) for each in found if isinstance(each, EvalsError))
    told = making.finish()
    asker, progress = making.asker, making.progress
    return Generated(
        options.folder,
        progress.done,
        progress.skipped,
        errors,
        asker.spent,
        asker.calls,
        exit_status(found),
        tuple(told),
        tuple(sorted(asker.unpriced)),
    )


class _Making:
    """The folder while it is filled."""

    def __init__(self, options: GenerateOptions, spec: ModelSpec, asker: Asker, progress: Progress) -> None:
        self.options = options
        self.spec = spec
        self.asker = asker
        self.progress = progress
        self._shape = SHAPES[options.kind.name]
        known = read_test_data(options.folder, self._shape)
        self._known = known.entries
        self._entries = {entry.filename: entry for entry in known.entries}
        self._texts: dict[str, str] = {}

    def is_there(self, wish: Wish) -> bool:
        """Whether the file of a wish needs nothing; a file that a person has put there or changed is kept, too."""
        path = self._path(wish)
        entry = self._entries.get(path.name)
        if self.options.force or not path.is_file():
            return False
        why = "is there already"
        if entry is None:
            why = "is there, but was not generated; --force replaces it"
        elif sha := entry.ours.get("sha256"):
            if sha != sha256_file(path):
                why = "was changed by a person; --force replaces it"
            elif entry.ours.get("asked_sha256") != self._asked(wish):
                return False
        self._texts[path.name] = _text_of(path)
        self.progress.skip(path.name, why)
        return True

    async def make(self, wish: Wish) -> None:
        """Ask for one document and write it, its entry first: a file without one would be taken for a person's."""
        path = self._path(wish)
        try:
            with self.asker.talk(self.spec) as talk:
                written = await write(talk, wish, self._twin)
                self._texts[path.name] = written.text
                content = write_pdf(wish.name, written.text) if self.options.pdf else _text(written)
                self._entries[path.name] = self._entry(wish, path, written, content, talk.spent)
                self._write_metadata()
                write_bytes(path, content)
        except EvalsError as error:
            self.progress.fail(path.name, str(error))
            raise type(error)(f"{shown(path)}: {error}") from error
        self.progress.finish(path.name, talk.spent, "; ".join(written.notes))

    def finish(self) -> list[str]:
        """Write what describes the whole folder; returns what a person should be told."""
        if not self._entries:
            return []
        self._write_metadata()
        texts = {name: self._texts.get(name) or _text_of(self.options.folder / name) for name in self._there()}
        if not texts:
            return []
        path = self.options.folder / f"{self.options.kind.name}{SUFFIX}"
        told = write_draft(path, draft_suite(self.options.kind, texts), f"generate {self.options.kind.name}")
        return [told] if told else []

    def _there(self) -> list[str]:
        return [name for name in self._sorted() if (self.options.folder / name).is_file()]

    def _sorted(self) -> list[str]:
        types = list(self.options.kind.types)

        def place(name: str) -> tuple[int, int, str]:
            type_name = self._entries[name].type
            return (types.index(type_name) if type_name in types else len(types), len(name), name)

        return sorted(self._entries, key=place)

    def _write_metadata(self) -> None:
        """With an entry for every file that is there, from whatever command; those of files that are gone go."""
        written = {*self._texts}
        names = [name for name in self._sorted() if name in written or (self.options.folder / name).is_file()]
        data = TestData(self._shape, tuple(self._entries[name] for name in names))
        if self._known == data.entries:
            return
        self._known = data.entries
        models = ", ".join(dict.fromkeys(entry.model for entry in data.entries))
        data.write(self.options.folder, self.options.tokens, self.options.per_type, models, now())

    def _entry(self, wish: Wish, path: Path, written: Written, content: bytes, spent: Spent) -> Entry:
        ours: dict[str, Any] = {"sha256": sha256(content).hexdigest(), "asked_sha256": self._asked(wish)}
        if written.notes:
            ours["notes"] = list(written.notes)
        return Entry(
            type=wish.type.name,
            description=wish.type.description,
            filename=path.name,
            file_path=shown(path),
            file_size_bytes=len(content),
            estimated_tokens=estimated_tokens(written.text),
            target_tokens=wish.target_tokens,
            model=self.spec.name,
            spent=spent,
            generated_date=now().replace(tzinfo=None).isoformat(),
            about=wish.type.about,
            ours=ours,
        )

    def _asked(self, wish: Wish) -> str:
        """What tells a document from one that would be asked for otherwise."""
        spec = self.spec
        settings = (spec.name, spec.endpoint.base_url, str(spec.temperature), str(spec.max_tokens))
        return sha256_text(wish.prompt, *settings, self.options.suffix)

    def _path(self, wish: Wish) -> Path:
        return self.options.folder / f"{wish.name}{self.options.suffix}"

    def _twin(self, text: str) -> str:
        return twin_of(text, self._texts)


def _text(written: Written) -> bytes:
    return (written.text.rstrip() + "\n").encode("utf-8", "replace")


def _text_of(path: Path) -> str:
    if path.suffix == ".pdf":
        return read_pdf(path)
    return read_bytes(path).decode("utf-8", "replace")
