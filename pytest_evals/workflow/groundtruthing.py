"""``pytest-evals groundtruth``: which documents need ground truth, and making it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from ..errors import EvalsError, UsageError
from ..model.llm import ModelSpec
from ..pipeline.asking.asker import Asker
from ..pipeline.asking.progress import Progress, Tell
from ..pipeline.files import now, read_text, sha256_text, short_ids, shown, stamp, unique_stems, write_json
from ..pipeline.shapes.consolidated import consolidated_name, read_ground_truth, write_consolidated
from ..pipeline.shapes.groundtruth import DRAFT, SUFFIX, GroundTruth, analysis_hash, file_name
from ..pipeline.shapes.usecases import USE_CASES, UseCase
from ..pipeline.sources.reading import SourceText, find_sources, read_source
from ..pipeline.spent import Spent
from ..pipeline.suites import write_draft
from ..pipeline.truth.prompts import prompt_for
from ..pipeline.truth.suite import draft_suite
from ..pipeline.truth.writing import write
from .pipelineasking import FAILED, AskOptions, asker_for, exit_status, make_all

OUTPUT = Path("output/groundtruth")
SAMPLES = 5
MAX_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class TruthOptions:
    """What is wanted."""

    path: Path
    """A document, or a folder of them."""
    use_case: UseCase = USE_CASES["summarization"]
    pattern: str = "*"
    num_samples: int = SAMPLES
    """Pairs of question and answer; e-mails have five whatever it says."""
    custom_prompt: Path | None = None
    output: Path = OUTPUT
    force: bool = False
    asking: AskOptions = field(default_factory=AskOptions)

    @property
    def pairs(self) -> int | None:
        """How many pairs there must be; ``None``: no pairs are asked for."""
        return self.use_case.pairs if self.use_case.pairs != 0 else self.num_samples


@dataclass(frozen=True, slots=True)
class TruthMade:
    """What a command did."""

    folder: Path
    made: int
    kept: int
    errors: tuple[str, ...]
    spent: Spent
    """In this process, on what led to nothing too."""
    calls: int
    status: int
    told: tuple[str, ...] = ()
    unpriced: tuple[str, ...] = ()
    consolidated: Path | None = None


@dataclass(frozen=True, slots=True)
class _Document:
    source: Path
    id: str
    target: Path
    """The ground-truth file."""


def make_ground_truth(options: TruthOptions, tell: Tell = lambda _: None) -> TruthMade:
    """Make the ground truth that is not there yet, and the consolidated file of all documents.

    Raises ``UsageError`` before anything is asked: no documents, a prompt that cannot be read, wrong settings.
    """
    custom = read_text(options.custom_prompt) if options.custom_prompt is not None else ""
    if options.custom_prompt is not None and not custom.strip():
        raise UsageError(f"--custom-prompt: {shown(options.custom_prompt)} is empty")
    documents = _documents(options)
    spec = options.asking.spec()
    if spec.max_tokens is None:
        spec = replace(spec, max_tokens=MAX_TOKENS)
    progress = Progress(len(documents), tell)
    asker = asker_for(options.output, options.asking.clients)
    making = _Making(options, spec, prompt_for(options.use_case, options.pairs, custom), asker, progress)
    wanted: list[tuple[_Document, SourceText]] = []
    unreadable: list[str] = []
    for document in documents:
        try:
            source = read_source(document.source)
            if not making.is_there(document, source):
                wanted.append((document, source))
        except UsageError as error:
            progress.fail(shown(document.source), str(error))
            unreadable.append(str(error))
    found = make_all(asker, [spec], wanted, making.make, options.asking.concurrency)
    errors = (*unreadable, *(str(each) for each in found if isinstance(each, EvalsError)))
    truths = [making.truths[document.id] for document in documents if document.id in making.truths]
    consolidated, told = _consolidate(options, truths)
    return TruthMade(
        options.output,
        progress.done,
        progress.skipped,
        errors,
        asker.spent,
        asker.calls,
        FAILED if unreadable else exit_status(found),
        (*making.told, *told),
        tuple(sorted(asker.unpriced)),
        consolidated,
    )


class _Making:
    """The output folder while it is filled."""

    def __init__(self, options: TruthOptions, spec: ModelSpec, prompt: str, asker: Asker, progress: Progress) -> None:
        self.truths: dict[str, GroundTruth] = {}
        """By id."""
        self.told: list[str] = []
        self._options = options
        self._spec = spec
        self._prompt = prompt
        self._asker = asker
        self._progress = progress
        settings = (spec.name, spec.endpoint.base_url, str(spec.temperature), str(spec.max_tokens))
        self._asked_sha256 = sha256_text(prompt, *settings, options.use_case.name)

    def is_there(self, document: _Document, source: SourceText) -> bool:
        """Whether a document has its ground truth: source, prompt and model are the same, or a person wrote it."""
        path = document.target
        if not path.is_file():
            return False
        try:
            truth = read_ground_truth(path)[0]
        except UsageError as error:
            if not self._options.force:
                self.told.append(f"{error}; it is made anew")
            return False
        if self._options.force:
            return False
        why = self._kept(truth, source)
        if why:
            self.truths[document.id] = replace(truth, id=document.id)
            self._progress.skip(path.name, why)
        return bool(why)

    def _kept(self, truth: GroundTruth, source: SourceText) -> str:
        """Why a file is kept; empty when it must be made anew."""
        ours = truth.ours
        if "asked_sha256" not in ours and "fingerprint" not in ours:
            return "was not made here and is kept; --force replaces it"
        by_content = "source_sha256" in ours
        same = ours["source_sha256"] == source.sha256 if by_content else ours.get("fingerprint") == source.fingerprint
        same = same and ours.get("asked_sha256", self._asked_sha256) == self._asked_sha256
        if same:
            return "is there already"
        if not truth.is_draft or ours.get("analysis_sha256") != analysis_hash(truth.analysis):
            return "was accepted or changed by a person and is kept, but is out of date; --force replaces it"
        return ""

    async def make(self, wanted: tuple[_Document, SourceText]) -> None:
        """Ask for the ground truth of one document and write it."""
        document, source = wanted
        options = self._options
        try:
            with self._asker.talk(self._spec) as talk:
                found = await write(
                    talk, options.use_case, options.pairs, self._prompt, source.text, shown(document.source)
                )
                truth = GroundTruth(
                    id=document.id,
                    use_case=options.use_case.name,
                    source_file=shown(document.source),
                    analysis=found.analysis,
                    model=self._spec.name,
                    prompt=self._prompt,
                    timestamp=stamp(now()),
                    num_samples_requested=options.pairs if options.use_case.name == "rag" else None,
                    spent=talk.spent,
                    ours={
                        "status": DRAFT,
                        "source_sha256": source.sha256,
                        "fingerprint": source.fingerprint,
                        "asked_sha256": self._asked_sha256,
                        "analysis_sha256": analysis_hash(found.analysis),
                        "provenance": found.provenance,
                    },
                    path=document.target,
                )
                write_json(document.target, truth.to_json())
        except EvalsError as error:
            self._progress.fail(document.target.name, str(error))
            raise type(error)(f"{shown(document.source)}: {error}") from error
        self.truths[document.id] = truth
        self._progress.finish(document.target.name, talk.spent, "; ".join(found.notes))


def _documents(options: TruthOptions) -> list[_Document]:
    sources = find_sources(options.path, options.pattern)
    root = options.path if options.path.is_dir() else options.path.parent
    inside = options.output.resolve()
    sources = [source for source in sources if not source.resolve().is_relative_to(inside) or root.resolve() == inside]
    stems = unique_stems(sources, root)
    ids = short_ids(stems.values())
    return [
        _Document(source, ids[stems[source]], options.output / file_name(stems[source], options.use_case.name))
        for source in sources
    ]


def _consolidate(options: TruthOptions, truths: list[GroundTruth]) -> tuple[Path | None, list[str]]:
    """Write the file of all documents and its suite; returns the file, and what a person should be told."""
    if not truths:
        return None, []
    use_case = options.use_case
    path = options.output / consolidated_name(use_case.name)
    changed = write_consolidated(path, _with_others(options, truths), use_case.name, force=options.force)
    suite = options.output / f"{use_case.name}.eval.yaml"
    told = write_draft(suite, draft_suite(use_case, path.name), f"groundtruth --use-case {use_case.name}")
    return path, [line for line in (changed, told) if line]


def _with_others(options: TruthOptions, truths: list[GroundTruth]) -> list[GroundTruth]:
    """Those of this command, and those of the folder from earlier ones: of one document, the other files stay in."""
    mine = {truth.path for truth in truths}
    others = []
    for path in sorted(options.output.rglob(f"*.{options.use_case.name}{SUFFIX}")):
        if path not in mine:
            try:
                truth = read_ground_truth(path)[0]
            except UsageError:
                continue  # said when its own document comes up
            within = path.relative_to(options.output).as_posix().removesuffix(SUFFIX)
            others.append(replace(truth, id=within.removesuffix(f".{options.use_case.name}")))
    names = {truth.id for truth in truths}
    last = [other.id.rpartition("/")[2] for other in others]
    return [
        *truths,
        *(
            replace(other, id=end if end not in names and last.count(end) == 1 else other.id)
            for other, end in zip(others, last, strict=True)
        ),
    ]
