from __future__ import annotations

import json


def test_files_of_evaluations_are_no_suites(project):
    """The pipeline, and other tools, call them ``….experiment.eval.json``."""
    project.write(
        {"evals/a.eval.yaml": "target: echo\ncases:\n- {input: x, expected_output: x, criteria: [exact_match]}\n"}
    )
    ratings = json.dumps({"metadata": {}, "per_question": []})
    project.write({"output/evaluations/small.experiment.eval.json": ratings})
    ran = project.run()
    assert (ran.status, ran.counts()) == (0, {"passed": 1})
