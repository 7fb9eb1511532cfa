"""Broken and hostile documents: each is refused in words or read as far as it goes, and nothing else is opened."""

from __future__ import annotations

import json
import random
import time

import pytest
from documents_atif import changed, document, sample

from pytest_evals import trajectory
from pytest_evals.atif.calls import by_name, uses
from pytest_evals.atif.read import LARGEST, parse
from pytest_evals.atif.show import figures, lines
from pytest_evals.atif.summary import summary
from pytest_evals.engine.steps import NoKeeper, filled, gather, references
from pytest_evals.errors import TrajectoryError
from pytest_evals.model.response import Response
from pytest_evals.workflow.trajectories import TrajectoryFolder

ODD = [
    *(None, True, 0, -1, 1e308, float("nan"), float("inf"), 2**200, "", "\x00", "\ud800", "\u202e", "../../etc/passwd"),
    *([], {}, [[]], [None], {"": {}}, "x" * 100_000, [{}] * 50, {"trajectory_id": "t1"}, "ATIF-v1.99999999999"),
]
PLACES = [
    *("schema_version", "trajectory_id", "session_id", "agent", "agent.name", "agent.model_name", "notes", "extra"),
    *("steps", "steps.0", "steps.1", "steps.0.step_id", "steps.0.timestamp", "steps.0.source", "steps.0.message"),
    *("steps.1.tool_calls", "steps.1.tool_calls.0", "steps.1.tool_calls.0.function_name", "steps.1.metrics"),
    *("steps.1.tool_calls.0.tool_call_id", "steps.1.tool_calls.0.arguments", "steps.1.observation"),
    *("steps.1.observation.results", "steps.1.observation.results.0", "steps.1.observation.results.0.source_call_id"),
    *("steps.1.observation.results.0.content", "steps.1.observation.results.0.subagent_trajectory_ref"),
    *("steps.1.metrics.prompt_tokens", "steps.1.metrics.cost_usd", "steps.1.metrics.logprobs", "final_metrics"),
    *("steps.1.llm_call_count", "steps.1.is_copied_context", "steps.1.extra", "subagent_trajectories"),
    *("continued_trajectory_ref", "final_metrics.total_steps", "steps.2.observation.results.0.content"),
]


def use(value):
    """Everything that is ever done with a document."""
    for finding in trajectory.validate(value):
        assert str(finding).isprintable() or "\n" not in str(finding)
    try:
        found = trajectory.read(value)
    except TrajectoryError as raised:
        error = raised
    else:
        error = None
    if error is not None:
        assert str(error).startswith("$")
        assert len(str(error)) < 1000
        return None
    assert all(line.isprintable() for line in lines(found))
    json.dumps(figures(found))
    summary([found])
    json.dumps(by_name(use.plain() for use in uses(found)))
    return found


def through_the_engine(value, keeper):
    steps, problems = gather((), value, keeper)
    answer = filled(Response("x"), steps, problems)
    refs, unkept = references(steps, keeper)
    assert answer.cost_usd is None or answer.cost_usd >= 0
    return refs, problems + unkept


@pytest.mark.parametrize("place", PLACES)
def test_values_of_any_kind_at_any_place(place, tmp_path):
    keeper = TrajectoryFolder(tmp_path / "atif")
    for odd in ODD:
        try:
            value = changed(place, odd)
        except (TypeError, KeyError, IndexError):
            continue
        use(value)
        refs, _ = through_the_engine(value, keeper)
        for ref in refs:
            assert ref.path.startswith(str(tmp_path / "atif" / ref.trajectory_id))
    assert sorted(path.name for path in tmp_path.iterdir()) in ([], ["atif"])


@pytest.mark.parametrize("seed", range(40))
def test_samples_with_parts_swapped_and_torn_out(seed):
    chance = random.Random(seed)
    value = sample("own/subagent_multimodal_v1_8.json")

    def parts(at):
        items = at.items() if isinstance(at, dict) else enumerate(at)
        for key, inner in list(items):
            yield at, key
            if isinstance(inner, (dict, list)):
                yield from parts(inner)

    for _ in range(5):
        places = list(parts(value))
        at, key = chance.choice(places)
        if chance.random() < 0.3:
            del at[key]
        elif chance.random() < 0.5:
            other, name = chance.choice(places)
            at[key] = json.loads(json.dumps(other.get(name) if isinstance(other, dict) else None))
        else:
            at[key] = chance.choice(ODD)
    use(value)
    through_the_engine(value, NoKeeper())


@pytest.mark.parametrize(
    "text", ["", "[", "{", "null", '"x"', "[1]", "{" * 10_000, "[" * 300_000, '{"a":' * 50_000, "\x00"]
)
def test_texts_that_are_no_trajectory(text):
    with pytest.raises(TrajectoryError):
        trajectory.read(parse(text))


def test_agents_within_agents_end():
    value = inner = document()
    for level in range(200):
        inner["subagent_trajectories"] = [document(trajectory_id=f"t{level}")]
        inner = inner["subagent_trajectories"][0]
    assert "read 40 levels deep" in use(value).warnings[-1]
    many = document(subagent_trajectories=[document(trajectory_id=str(n)) for n in range(2500)])
    assert use(many) is None
    assert "more than 2000 agents" in str(trajectory.validate(many)[-1])


def test_a_document_that_contains_itself_ends():
    value = document()
    value["subagent_trajectories"] = [value, value]
    started = time.perf_counter()
    assert trajectory.validate(value)
    with pytest.raises(TrajectoryError, match="more than 2000 agents"):
        trajectory.read(value)
    refs, problems = through_the_engine(value, NoKeeper())
    assert (refs, problems) == ((), ["$: the document contains itself, or is nested too deeply"])
    assert time.perf_counter() - started < 5


def test_references_in_a_circle_are_not_followed():
    def reference(**names):
        return {"content": None, "subagent_trajectory_ref": [names]}

    value = changed("steps.1.observation.results.0", {"source_call_id": "c1", **reference(trajectory_id="t1")})
    value["steps"][2]["observation"] = {"results": [reference(trajectory_path="t1.json")]}
    value["continued_trajectory_ref"] = "t1.json"
    assert use(value) is not None


@pytest.mark.parametrize(
    "name", ["../up", "/etc/passwd", "..", ".hidden", "a/b", "a\\..\\b", "x" * 500, "", "a\x00b", "con\n", "~root"]
)
def test_ids_never_lead_out_of_the_folder(tmp_path, name):
    keeper = TrajectoryFolder(tmp_path / "atif")
    [ref], _ = through_the_engine(document(trajectory_id=name), keeper)
    assert ref.path == str(tmp_path / "atif" / f"{ref.trajectory_id}.json")
    assert [path.name for path in (tmp_path / "atif").iterdir()] == [f"{ref.trajectory_id}.json"]


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../../../../../etc/passwd", "/proc/self/environ", "/dev/zero", "~/.netrc", "a\x00b", "x" * 5000],
)
def test_paths_out_of_the_known_folders_are_not_read(tmp_path, path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keeper = TrajectoryFolder(tmp_path / "atif", (tmp_path,))
    refs, [problem] = through_the_engine(path, keeper)
    assert refs == ()
    assert any(said in problem for said in ("outside the folders", "no such file", "cannot be read"))
    for value in (
        document(continued_trajectory_ref=path),
        changed("steps.0.message", [{"type": "image", "source": {"path": path}}]),
    ):
        use(value)


def test_a_link_out_of_the_folders_is_not_followed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "temp"))
    outside, inside = tmp_path / "outside.json", tmp_path / "project"
    outside.write_text(json.dumps(document()))
    inside.mkdir()
    (inside / "link.json").symlink_to(outside)
    (inside / "loop.json").symlink_to(inside / "loop.json")
    for name in ("link.json", "loop.json"):
        refs, problems = through_the_engine(inside / name, TrajectoryFolder(inside / "atif", (inside,)))
        assert refs == ()
        assert problems


def test_a_large_file_is_read_and_a_larger_one_refused(tmp_path):
    path = tmp_path / "large.json"
    value = document()
    value["steps"][1]["observation"]["results"][0]["content"] = "x" * 50_000_000
    path.write_text(json.dumps(value))
    found = trajectory.load(path)
    assert len(summary([found])) < 30_000
    assert all(len(line) < 500 for line in lines(found))
    with path.open("ab") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(TrajectoryError, match="larger than 64 MB"):
        trajectory.load(path)


def test_many_steps_take_no_more_than_their_share_of_time():
    value = document()
    value["steps"] = [{**value["steps"][1], "step_id": n} for n in range(1, 3001)]
    started = time.perf_counter()
    assert use(value) is not None
    assert time.perf_counter() - started < 15
