"""``judge calibrate`` and ``judge stability`` as a person uses them, with a server that speaks a provider's protocol."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading

import pytest
from click.testing import CliRunner
from factories import result
from fakellm import Fails, Says, fake_llm
from histories import history, record

from pytest_evals.cli import main
from pytest_evals.model.outcome import Outcome
from pytest_evals.model.result import Trial

SUITE = """
suite: bot
target: echo
judge: {model: anthropic/m-1, base_url: '${FAKE_URL}'}
defaults:
  criteria:
    - {scorer: llm_judge, name: tone, rubric: It is polite., threshold: 0.5}
    - contains: day
cases:
  - {id: a, category: refunds, input: How long?}
  - {id: b, category: hours, input: When?}
"""
LABELS = """\
id,output,label,category,notes
a,"30 days, gladly",pass,refunds,
b,nice of you,pass,hours,
c,buzz off,fail,hours,
d,gladly not,fail,,the judge will be taken in
"""


def polite(asked):
    """Likes what says gladly or nice."""
    said = asked.json["messages"][0]["content"]
    said = said if isinstance(said, str) else said[0]["text"]
    answer = said.partition("BEGIN ANSWER>>>\n")[2].partition("\n<<<")[0]
    return Says(
        json.dumps({"reason": f"{answer!r} it says", "score": 0.9 if "gladly" in answer or "nice" in answer else 0.1})
    )


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "PYTEST_EVALS_JUDGE_MODEL", "PYTEST_EVALS_HISTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-1")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "bot.eval.yaml").write_text(SUITE)
    (tmp_path / "labels.csv").write_text(LABELS)
    with fake_llm(default=polite) as server:
        monkeypatch.setenv("FAKE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        server.folder = tmp_path
        yield server


def say(*arguments, status=0):
    done = CliRunner().invoke(main, ["judge", *arguments])
    assert done.exit_code == status, done.output + repr(done.exception)
    assert "Traceback" not in done.output
    return done.stdout if status in (0, 75) else done.stderr


def kept(project):
    [file] = (project.folder / ".evals" / "judges").glob("*.json")
    return json.loads(file.read_text())


CALIBRATE = ("calibrate", "labels.csv", "--suite", "bot.eval.yaml")


def test_a_judge_is_held_against_labels(project):
    said = say(*CALIBRATE).splitlines()
    assert said[0].startswith("judge anthropic/m-1, prompt ")
    assert said[0].endswith(", criterion tone, passes from 0.50 on")
    figures = {line.split("  ")[1]: line.split("  ")[2:] for line in said[1:5]}
    assert "75.0% (3 of 4; 30.1% to 95.4%)" in said[1]
    assert "0.50 (-0.23 to 1.00)" in said[2]  # as statsmodels.stats.inter_rater.cohens_kappa([[2, 0], [1, 1]]) has it
    assert "100% (2 of 2;" in said[3]
    assert "50.0% (1 of 2;" in said[4]
    assert list(figures) == ["agreement", "kappa", "TPR", "TNR"]
    assert [line.split() for line in said if line.startswith("  people: ")] == [
        ["people:", "pass", "2", "0"],
        ["people:", "fail", "1", "1"],
    ]
    at = said.index("  1 disagreement")
    assert said[at + 2].split(maxsplit=3) == [
        "d", "fail", "0.90", "standalone, no expected output; 'gladly not' it says",
    ]  # fmt: skip
    assert [line.split()[:4] for line in said if line.startswith(("  hours", "  refunds"))] == [
        ["hours", "2", "100%", "1.00"],
        ["refunds", "1", "100%", "–"],
    ]
    assert said[-1].startswith("  kept in .evals/judges/anthropic-m-1-")


def test_what_is_kept_and_what_programs_read_are_the_same_figures(project):
    found = json.loads(say(*CALIBRATE, "--json"))
    [one] = found["calibrations"]
    assert (found["format"], one["judge"], one["criterion"], one["mark"]) == (1, "anthropic/m-1", "tone", 0.5)
    assert one["kappa"]["value"] == pytest.approx(0.5)
    assert [each["id"] for each in one["disagreements"]] == ["d"]
    assert one["disagreements"][0]["reason"] == "standalone, no expected output; 'gladly not' it says"
    file = kept(project)
    assert (file["judge"], file["prompt"]) == ("anthropic/m-1", one["prompt"])
    assert file["calibration"]["kappa"] == one["kappa"]
    assert file["calibration"]["disagreements"] == ["d"]
    assert file["calibration"]["labels"] == "labels.csv"
    assert file["calibration"]["took"]["calls"] == 4
    assert "gladly" not in json.dumps(file)  # no texts of answers
    assert "sk-secret" not in json.dumps(file)


def test_replies_are_kept_unless_it_is_said_otherwise(project):
    say(*CALIBRATE)
    assert "4 calls, 4 answered by kept replies" in say(*CALIBRATE)
    assert len(project.asked) == 4
    say(*CALIBRATE, "--no-cache")
    assert len(project.asked) == 8


def test_labels_on_a_scale_are_compared_as_scores_too(project):
    (project.folder / "labels.csv").write_text("output,label\ngladly,5\nnice,4\nbuzz off,1\nno,2\n")
    command = ("calibrate", "labels.csv", "--rubric", "Polite", "--scale", "1-5", "--judge-model", "anthropic/m-1")
    with fake_llm('{"score": 5}', '{"score": 5}', '{"score": 1}', '{"score": 1}') as server:
        os.environ["ANTHROPIC_BASE_URL"] = server.url
        said = say(*command, "--concurrency", "1")
        [one] = json.loads(say(*command, "--json"))["calibrations"]
    assert (one["levels"], one["kappa"]["value"], one["mean_distance"]) == (5, 1.0, 0.125)
    # of statsmodels' cohens_kappa(…, wt="quadratic") over the table of [5, 4, 1, 2] and [5, 5, 1, 1]
    assert one["weighted_kappa"]["value"] == pytest.approx(0.9230769230769231)
    assert "weighted kappa  0.92 (" in said


def test_a_label_that_is_not_on_the_scale_is_said_before_anything_is_paid(project):
    (project.folder / "labels.csv").write_text("id,output,label\na,x,pass\na,y,7\n")
    assert say(*CALIBRATE, status=2) == (
        "Error: labels.csv:3:1: the label: 7 is outside the scale 0-1; or write pass or fail\n"
    )
    assert project.asked == []


def test_verdicts_of_people_about_stored_answers(project):
    location = history(project.folder)
    results = [
        result("passed", case, input="How long?", category=category, trials=(Trial(Outcome.PASSED, output=text),), suite="bot",
               node_id=f"bot.eval.yaml::{case}")
        for case, category, text in (("a", "refunds", "gladly"), ("b", "hours", "buzz off"))
    ]  # fmt: skip
    [run] = record(location, results)
    (project.folder / "verdicts.csv").write_text(
        "run,case,criterion,verdict,note,author,time\n"
        f"{run.uid},a,tone,pass,,ann,2026-03-01T16:00:00Z\n"
        f"{run.uid},bot::b,,fail,curt,ann,2026-03-01T16:00:00Z\n"
        f"{run.uid},b,contains,fail,,bob,2026-03-01T16:00:00Z\n"
    )
    done = CliRunner().invoke(main, ["judge", "calibrate", "verdicts.csv"])
    assert done.exit_code == 0, done.output
    assert "100% (1 of 1;" in done.stdout
    assert done.stderr == (
        "Left out: 1 label about a whole answer that is judged by other criteria, too (--criterion says that it is "
        "about this one).\nLeft out: 1 label about a criterion that no judge answers.\n"
    )
    done = CliRunner().invoke(main, ["judge", "calibrate", "verdicts.csv", "-c", "tone"])
    assert "100% (2 of 2;" in done.stdout
    assert done.stderr == "Left out: 1 label about another criterion.\n"
    assert say("calibrate", "verdicts.csv", "--criterion", "tne", status=2) == (
        "Error: no judge answers a criterion 'tne'; did you mean 'tone'?\n"
    )


@pytest.mark.parametrize(
    ("labels", "arguments", "says"),
    [
        ("case,verdict\na,pass\n", (), "labels.csv:2:1: the row has no output; name the run that has it: a column 'run', or "
         "--run"),
        ("case,verdict\na,pass\n", ("--run", "last"), "labels.csv:2:1: there is no history yet at "),
        ("output,label\nx,pass\n", (), "labels.csv:2:1: say what is judged: a suite (--suite), --rubric, --preset, or a "
         "column 'rubric'"),
        ("output,label,rubric\nx,pass,Polite\n", (), "name the judge with --judge-model provider/name"),
        ("output,label,rubric\nx,pass,Polite\n", ("--judge-model", "m"), "--judge-model: 'm' names no model"),
        ("output,label,rubric\nx,pass,P\n", ("--suite", "bot.eval.yaml"), "labels.csv:2:1: the row has a rubric, and the "
         "suite says"),
        ("output,label\nx,pass\n", ("--suite", "b.eval.yaml"), "there is no suite file b.eval.yaml"),
        ("output,label,criterion\nx,pass,contains\n", ("--suite", "bot.eval.yaml"), "no label is left to calibrate with: 1 "
         "about a criterion that no judge answers"),
        ("output,label\nx,pass\n", ("--preset", "safty"), "llm_judge: preset must be one of"),
    ],
)  # fmt: skip
def test_what_cannot_be_calibrated_is_said_in_one_line(project, labels, arguments, says):
    (project.folder / "labels.csv").write_text(labels)
    said = say("calibrate", "labels.csv", *arguments, status=2)
    assert says in said
    assert said.count("\n") == 1
    assert not (project.folder / ".evals").exists()


def test_a_judge_that_says_nothing_is_not_calibrated(project):
    with fake_llm(default="I like it.") as server:
        os.environ["FAKE_URL"] = server.url
        said = say(*CALIBRATE, status=75)
    assert "no verdict of the judge: nothing to compare" in said
    assert "4 answers without a verdict, left out; a: judge anthropic/m-1: the reply is no verdict" in said
    assert not (project.folder / ".evals" / "judges").exists()


def wandering():
    """One answer gets another score every time."""
    lock, counts = threading.Lock(), {}

    def answer(asked):
        text = asked.body.decode()
        if "buzz" not in text:
            return polite(asked)
        with lock:
            counts["n"] = counts.get("n", 0) + 1
        return Says(json.dumps({"reason": "hm", "score": 0.4 if counts["n"] % 5 else 0.6}))

    return answer


def stored(project):
    location = history(project.folder)
    texts = {"a": "gladly", "b": "buzz off"}
    results = [
        result(
            "passed", case, suite="bot", trials=(Trial(Outcome.PASSED, output=text),), node_id=f"bot.eval.yaml::{case}"
        )
        for case, text in texts.items()
    ]
    [run] = record(location, results)
    return run


def test_how_steady_a_judge_is(project):
    run = stored(project)
    with fake_llm(default=wandering()) as server:
        os.environ["FAKE_URL"] = server.url
        said = say("stability", "last", "-k", "5").splitlines()
        assert len(server.asked) == 10
        again = json.loads(say("stability", run.uid, "-k", "5", "--json"))
        assert len(server.asked) == 10  # the replies are kept
        only = json.loads(say("stability", "last", "-k", "2", "--case", "a*", "--no-cache", "--json"))
        assert len(server.asked) == 12
    assert "50.0% (1 of 2)  asked 5 times about each answer" in said[1]
    assert "10.0%" in said[2]
    assert "0.44" in said[3]
    row = next(line.split() for line in said if line.startswith("  b "))
    assert row[:6] == ["b", "20.0%", "1", "of", "5", "0.44"]
    [judge] = again["judges"]
    assert (judge["flipped"], judge["flip_rate"], judge["borderline"]) == (
        1,
        pytest.approx(0.1),
        [pytest.approx(0.44)] * 2,
    )
    assert [each["id"] for each in only["judges"][0]["cases"]] == ["a"]
    assert kept(project)["stability"]["run"] == run.uid


def test_both_are_kept_in_one_file_where_the_judge_is_asked_the_same(project):
    stored(project)
    say(*CALIBRATE)
    say("stability", "last", "-k", "2")
    file = kept(project)
    assert set(file) == {"format", "judge", "prompt", "calibration", "stability"}


@pytest.mark.parametrize("arguments", [("--criterion", "contains"), ("--case", "z*"), ("-k", "1")])
def test_what_cannot_be_repeated_is_said(project, arguments):
    stored(project)
    said = say("stability", "last", *arguments, status=2)
    assert any(part in said for part in ("no judge answers", "the run has no answer", "-k"))
    assert project.asked == []


def test_ctrl_c_keeps_what_was_paid(project):
    first, more = threading.Event(), threading.Event()

    def answer(asked):
        text = asked.body.decode()
        if "buzz" in text or "gladly not" in text:
            first.set()
            more.wait(120)
        return polite(asked)

    with fake_llm(default=answer) as server:
        environ = {**os.environ, "FAKE_URL": server.url}
        command = [
            sys.executable,
            "-c",
            "from pytest_evals.cli import main; main()",
            "judge",
            *CALIBRATE,
            "--concurrency",
            "1",
        ]
        process = subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert first.wait(120)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
        more.set()
        assert process.returncode == 130
        assert (
            said
            == "Interrupted: 2 of 4 answers are judged; their replies are kept: the same command goes on from there.\n"
        )
        before = len(server.asked)
        os.environ["FAKE_URL"] = server.url
        say(*CALIBRATE)
        assert len(server.asked) == before + 2


def test_a_service_that_is_down_is_told(project):
    with fake_llm(default=lambda _: Fails(400, "no such model")) as server:
        os.environ["FAKE_URL"] = server.url
        said = say(*CALIBRATE, status=75)
    assert "no such model" in said


@pytest.mark.parametrize("command", [(), ("calibrate",), ("stability",)])
def test_help_has_an_example(command):
    said = CliRunner().invoke(main, ["judge", *command, "--help"]).stdout
    assert "Example:\n    pytest-evals judge " in said
