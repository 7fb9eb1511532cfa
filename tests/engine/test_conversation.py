"""A case whose input is a list of a user's turns is played turn by turn."""

from __future__ import annotations

import asyncio

import pytest

from pytest_evals import Response, ScriptedClient, ToolCall, Usage, UsageError, run_suite, trajectory
from pytest_evals.model.conversation import turns_of

TURNS = [{"user": "Do you have mugs?"}, {"user": "And in blue?", "expected_output": "12"}, {"user": "Thanks!"}]


def play(target, criteria, **more):
    case = {"id": "talk", "input": TURNS, "criteria": criteria, **more}
    [result] = run_suite([case], target, history=False, defaults={"retries": 0}).results
    return result


class Shop:
    """Remembers by the session."""

    def __init__(self):
        self.heard = {}

    def __call__(self, input, session_id):
        heard = self.heard.setdefault(session_id, [])
        heard.append(input)
        said = {1: "Yes, mugs.", 2: "12 of them.", 3: "Bye!"}[len(heard)]
        return Response(said, usage=Usage(10, 2), cost_usd=0.5, tool_calls=[ToolCall("stock", {"n": len(heard)})])


def test_the_turns_are_played_with_one_session_and_the_transcript_is_the_answer():
    shop = Shop()
    result = play(shop, [{"contains": "Assistant: 12 of them."}])
    assert result.outcome == "passed"
    assert [*shop.heard.values()] == [["Do you have mugs?", "And in blue?", "Thanks!"]]
    [trial] = result.trials
    assert trial.output.splitlines()[:2] == ["User: Do you have mugs?", "Assistant: Yes, mugs."]
    assert (trial.usage, trial.cost_usd, len(trial.tool_calls)) == (Usage(30, 6), 1.5, 3)
    assert [turn["output"] for turn in trial.metadata["turns"]] == ["Yes, mugs.", "12 of them.", "Bye!"]
    [reference] = trial.trajectories
    assert (reference.kind, reference.steps, len(reference.calls)) == ("conversation", 6, 3)


def test_criteria_ask_about_a_turn_the_last_one_or_all():
    result = play(
        Shop(),
        [
            {"contains": {"turn": 2}},
            {"contains": {"name": "bye", "turn": "last", "expected": "bye"}},
            {"not": {"contains": "sorry"}, "turn": "all"},
            {"length": {"name": "short", "turn": "all", "max": 9, "unit": "characters"}},
            {"tool_called": {"name": "second", "turn": 2, "tool": "stock", "args": {"n": 2}}},
            {"max_tool_calls": {"name": "whole", "max": 3}},
        ],
    )
    scores = {criterion.name: criterion.score for criterion in result.trials[0].criteria}
    assert scores == {"contains": 1, "bye": 1, "not_contains": 1, "short": 0, "second": 1, "whole": 1}
    reasons = {criterion.name: criterion.reason for criterion in result.trials[0].criteria}
    assert reasons["short"].startswith("turn 1: ")


def test_targets_that_are_async_play_side_by_side():
    async def echo(input, session_id):
        await asyncio.sleep(0.001)
        return f"{session_id} {input}"

    cases = [
        {"id": f"c{n}", "input": TURNS, "criteria": [{"contains": {"turn": "all", "expected": "?"}}]} for n in range(5)
    ]
    results = run_suite(cases, echo, history=False).results
    assert {result.outcome for result in results} == {"failed"}  # the last turn asks nothing
    sessions = [{turn["output"].split()[0] for turn in result.trials[0].metadata["turns"]} for result in results]
    assert all(len(each) == 1 for each in sessions)
    assert len(set.union(*sessions)) == 5


def test_a_model_is_asked_with_all_that_was_said_and_nothing_is_counted_twice():
    asked = []

    def reply(request):
        asked.append([message["content"] for message in request.messages])
        return f"reply {len(asked)}"

    case = {"id": "talk", "input": TURNS, "criteria": [{"contains": {"turn": "last", "expected": "reply 3"}}]}
    ran = run_suite([case], {"model": "mine/m"}, clients={"mine": ScriptedClient(reply)}, history=False)
    [result] = ran.results
    assert result.outcome == "passed", result
    assert asked[2] == ["Do you have mugs?", "reply 1", "And in blue?", "reply 2", "Thanks!"]
    assert len(result.trials[0].trajectories) == 1


def test_a_target_that_records_its_steps_is_taken_at_its_word():
    def agent(input):
        with trajectory.record(agent="shop") as steps:
            steps.user(input)
            steps.agent("yes", usage=Usage(5, 1), cost_usd=0.25)
        return "yes"

    trial = play(agent, [{"max_steps": 3}]).trials[0]
    assert [reference.agent_name for reference in trial.trajectories] == ["shop"] * 3
    assert (trial.cost_usd, trial.usage) == (0.75, Usage(15, 3))


def test_a_turn_that_fails_ends_the_conversation():
    def broken(input):
        if "blue" in input:
            raise RuntimeError("no blue")
        return "yes"

    result = play(broken, [{"contains": {"turn": 1, "expected": "yes"}}])
    assert result.outcome == "errored"
    assert "no blue" in result.error.message


@pytest.mark.parametrize(
    "value",
    [
        "text",
        [],
        [{"user": 1}],
        [{"user": "a", "age": 3}],
        [{"role": "user", "content": "x"}],
        ["a", "b"],
        {"user": "x"},
    ],
)
def test_other_inputs_are_no_conversations(value):
    assert turns_of(value) == ()


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (
            {"input": "hi", "criteria": [{"contains": {"turn": 1, "expected": "x"}}]},
            "contains is about turn 1, and the input is no",
        ),
        (
            {"input": TURNS, "criteria": [{"contains": {"turn": 4, "expected": "x"}}]},
            "about turn 4, and the conversation has 3",
        ),
        (
            {"input": TURNS, "criteria": [{"contains": {"turn": 0, "expected": "x"}}]},
            "turn is the number of a turn from 1 on",
        ),
        ({"input": TURNS, "criteria": [{"contains": {"turn": 1}}]}, "'contains' needs expected_output"),
        ({"input": TURNS, "criteria": [{"contains": {"turn": "all"}}]}, "'contains' needs expected_output"),
        (
            {"input": TURNS, "criteria": [{"all_of": [{"contains": {"turn": 1, "expected": "x"}}]}]},
            "'turn' cannot stand on a part",
        ),
    ],
)
def test_a_turn_that_is_not_there_is_a_mistake_of_the_suite(case, said):
    with pytest.raises(UsageError) as raised:
        run_suite([case], str, history=False)
    assert said in str(raised.value)


USER = {"model": "mine/user", "goal": "a blue mug", "persona": "in a hurry", "max_turns": 5}


class TestAUserThatAModelPlays:
    def talk(self, reply, case=None, target=None):
        asked = []

        def user(request):
            asked.append(request)
            return reply(len(asked))

        whole = {"id": "talk", "user": USER, "criteria": [{"contains": "Assistant"}], **(case or {})}
        ran = run_suite(
            [whole],
            target or (lambda input: f"to {input}"),
            clients={"mine": ScriptedClient(user)},
            history=False,
            defaults={"retries": 0},
        )
        return asked, ran.results[0]

    def test_it_talks_until_it_writes_the_stop(self):
        asked, result = self.talk(lambda n: f"wish {n}" if n < 3 else "[END]")
        [trial] = result.trials
        assert trial.output.splitlines() == [
            "User: wish 1",
            "Assistant: to wish 1",
            "User: wish 2",
            "Assistant: to wish 2",
        ]
        assert {**trial.metadata["user"], "cost_usd": None} == {
            "model": "mine/user", "ended": "stop", "calls": 3, "cost_usd": None,
        }  # fmt: skip
        # it sees the conversation from its own side
        assert [(m["role"], m["content"]) for m in asked[1].messages][1:] == [
            ("assistant", "wish 1"),
            ("user", "to wish 1"),
        ]
        assert "What you want: a blue mug" in asked[0].system
        assert "Who you are: in a hurry" in asked[0].system

    def test_it_ends_after_so_many_turns(self):
        asked, result = self.talk(lambda n: "more")
        assert len(result.trials[0].metadata["turns"]) == 5
        assert result.trials[0].metadata["user"]["ended"] == "max_turns"
        assert len(asked) == 5

    def test_the_first_turns_may_be_written_and_criteria_may_be_about_turns(self):
        case = {"input": "Hello", "criteria": [{"contains": {"turn": 1, "expected": "to Hello"}}]}
        asked, result = self.talk(lambda n: "[END] thanks", case)
        assert result.outcome == "passed"
        assert len(asked) == 1

    def test_a_turn_that_was_not_played_is_an_error_of_the_criterion(self):
        case = {"input": "Hello", "criteria": [{"contains": {"turn": 4, "expected": "x"}}]}
        _, result = self.talk(lambda n: "[END]", case)
        assert result.outcome == "errored"
        assert "turn: 4 was not played; the conversation has 1" in result.trials[0].criteria[0].error.message

    def test_nothing_that_was_said_is_an_error(self):
        _, result = self.talk(lambda n: "[END]")
        assert result.outcome == "errored"
        assert "ended the conversation before it began" in result.error.message

    @pytest.mark.parametrize(
        ("user", "said"),
        [
            ("mine/user", "user must be a mapping"),
            ({"model": "mine/user"}, "a user needs a 'goal'"),
            ({"goal": "x"}, "a user needs a 'model'"),
            ({"model": "mine/user", "goal": "x", "max_turns": 0}, "max_turns must be"),
            ({"model": "mine/user", "goal": "x", "mood": "bad"}, "unknown key of a user 'mood'"),
            ({"model": "mine/user", "goal": "x", "stop": " "}, "stop is blank"),
        ],
    )
    def test_mistakes_are_told_at_collection(self, user, said):
        with pytest.raises(UsageError) as raised:
            self.talk(lambda n: "x", {"user": user})
        assert said in str(raised.value)
