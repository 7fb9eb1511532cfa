"""The judges: what they say together of recorded answers, without any model."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("way", ["alone", "n2"])
def test_what_the_context_does_not_say_is_found_out(example, way):
    ran = example("judges", way).run()
    assert ran.status == 0, ran.output
    assert {case for (_, case), outcome in ran.outcomes.items() if outcome != "passed"} == {"invented"}
    assert set(ran.gates.values()) == {"held"}
    assert ran.report["summary"]["judge"]["calls"] == 27
    by_case = {case["id"]: case["trials"][0]["criteria"] for case in ran.report["cases"]}
    faithful = by_case["invented"][0]
    assert (faithful["score"], faithful["detail"]["disagreement"]) == (0, 0.4)
    assert [found["passed"] for found in by_case["invented"][1:]] == [True, True]
    assert by_case["window"][0]["detail"]["qa"][0]["passed"] is True
    [minutes] = by_case["minutes"]
    assert minutes["detail"]["rating"]["band"] == "fair"
    assert minutes["detail"]["criteria"]["participant_information"]["given"] == "fair"
