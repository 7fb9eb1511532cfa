"""The support bot: what its suite finds, whichever way pytest runs it."""

from __future__ import annotations

import pytest

SUITE = "support-bot"


@pytest.mark.parametrize("way", ["alone", "n2"])
def test_all_but_one_tolerated_miss_pass(example, way):
    ran = example("support_bot", way).run()
    assert ran.status == 0, ran.output
    others = {case: outcome for (_, case), outcome in ran.outcomes.items() if outcome != "passed"}
    assert others == {"postage-overseas": "failed", "delivery-france": "warned", "german-question": "failed"}
    assert ran.counts == {"passed": 25, "warned": 1, "missed": 1, "xfailed": 1}
    assert ran.report["summary"]["pass_rate"] == pytest.approx(25 / 27)
    assert set(ran.gates.values()) == {"held"}
    assert len(ran.gates) == 4


def test_the_summary_shows_gates_and_the_miss_with_its_reason(example):
    output = example("support_bot").run().output
    for text in ("pass_rate >= 90%", "pass_rate(tag=smoke) >= 100%", "postage-overseas", "€24"):
        assert text in output
    assert max(len(line) for line in output.partition(" evaluation ")[2].splitlines()) <= 80


def test_the_smoke_cases_can_be_run_alone(example):
    ran = example("support_bot").run("-m", "smoke")
    assert ran.status == 0, ran.output
    assert ran.counts == {"passed": 8, "deselected": 20}


def test_a_case_can_be_run_alone_and_shows_why_it_missed(example):
    bot = example("support_bot")
    assert bot.run("support-bot.eval.yaml::return-window").counts == {"passed": 1}
    ran = bot.run("support-bot.eval.yaml::postage-overseas", "--evals-strict")
    assert ran.status == 1
    assert ran.counts["failed"] >= 1
    assert "How much is postage to the USA?" in ran.output
    assert "elsewhere you pay the postage" in ran.output
    assert "bot.py" not in ran.output.partition("short test summary")[0].partition("FAILURES")[2]


def test_the_missed_case_is_what_lf_runs_next(example):
    bot = example("support_bot")
    bot.run("-p", "cacheprovider")
    ran = bot.run("-p", "cacheprovider", "--lf")
    assert set(ran.outcomes) == {(SUITE, "postage-overseas")}


def test_a_bot_that_got_worse_breaks_the_gates(example):
    bot = example("support_bot")
    source = bot.folder / "bot.py"
    text = source.read_text("utf-8")
    assert "LEAST_FIT = 2.0" in text
    source.write_text(text.replace("LEAST_FIT = 2.0", "LEAST_FIT = 6.0"), "utf-8")
    ran = bot.run()
    assert ran.status == 1
    assert ran.gates[SUITE, "pass_rate >= 90%"] == "broken"
    assert ran.gates[SUITE, "pass_rate(tag=smoke) >= 100%"] == "broken"
    assert ran.gates[SUITE, "errors == 0"] == "held"
