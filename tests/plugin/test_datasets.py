"""Data sets through pytest: rows are items like other cases, and mistakes name the data file."""

from __future__ import annotations

import json

BOT = "def answer(question):\n    return f'It is {question.upper()}.'\n"
SUITE = """\
target: bot.py:answer
gates: [pass_rate(tag=rows) >= 50%]
cases:
- {id: first, input: a, criteria: [contains: A]}
- file: rows.csv
  map: {input: question, expected_output: answer}
  tags: [rows]
  criteria: [contains]
- {id: last, input: z, criteria: [contains: Z]}
"""
ROWS = "id,question,answer,tags\nparis,paris,PARIS,smoke\nrome,rome,MILAN,\nmany.dots::[x],x,X,\n"
FILES = {"evals/bot.py": BOT, "evals/geo.eval.yaml": SUITE, "evals/rows.csv": "\ufeff" + ROWS}


def test_rows_run_like_other_cases(project):
    ran = project(FILES)
    assert ran.outcomes == {
        "first": "passed",
        "paris": "passed",
        "rome": "failed",
        "many.dots::[x]": "passed",
        "last": "passed",
    }
    assert [*ran.outcomes] == ["first", "paris", "rome", "many.dots::[x]", "last"], "in the order of the suite"
    assert ran.case("paris")["source"] == "evals/rows.csv:2"
    assert ran.status == 0, "the gate of the rows' tag decides about the failed one"


def test_a_wrong_row_fails_the_collection_with_its_file_and_line(project):
    ran = project({**FILES, "evals/rows.csv": "\ufeff" + ROWS + "paris,x,X,\nlong,x,X,,,\n"}, report=False)
    assert "evals/rows.csv:5:1: duplicate id 'paris', which the case in line 2 has; change one" in ran.out
    assert "evals/rows.csv:6:1: the row has 6 cells, the first line has 4" in ran.out
    assert ran.status in (1, 2)  # xdist makes 1 of an unreadable suite
    assert "Traceback" not in ran.out


def test_P09_a_data_set_of_which_no_row_is_chosen_never_passes(project):
    suite = SUITE.replace("tags: [rows]", "tags: [rows]\n  where: {answer: NAPLES}")
    ran = project({**FILES, "evals/geo.eval.yaml": suite}, report=False)
    assert "evals/geo.eval.yaml:8:3: no row of evals/rows.csv is chosen: 'answer' is 'MILAN', 'PARIS', 'X'" in ran.out
    assert ran.status in (1, 2)


def test_rows_are_selected_by_their_tags_and_found_again_when_they_failed(alone):
    assert alone(FILES, "-m", "smoke").outcomes == {"paris": "passed"}
    strict = ["--evals-strict"]
    assert alone.run(*strict).status == 1
    assert alone.run("--lf", *strict).outcomes == {"rome": "failed"}


def test_verbose_lines_and_junit_name_the_line_of_the_row(alone):
    ran = alone(FILES, "-vv", "--junit-xml=out.xml", "-o", "junit_family=xunit1")
    assert "evals/geo.eval.yaml::paris <- evals/rows.csv PASSED" in ran.out
    assert "evals/geo.eval.yaml::first PASSED" in ran.out
    assert 'file="evals/rows.csv" line="1"' in (ran.path / "out.xml").read_text("utf-8")


def test_P13_paths_start_at_the_suite_wherever_pytest_is_started(alone, monkeypatch):
    files = {**FILES, "data set/rowß.csv": ROWS}
    del files["evals/rows.csv"]
    files["evals/geo.eval.yaml"] = SUITE.replace("rows.csv", "../data set/rowß.csv")
    alone.write(files)
    sources = []
    for folder in (".", "evals", "data set"):
        monkeypatch.chdir(alone.pytester.path / folder)
        ran = alone.run(f"{alone.pytester.path}/evals", f"--rootdir={alone.pytester.path}")
        assert ran.outcomes["paris"] == "passed"
        sources.append(ran.case("paris")["source"])
    assert sources == [
        "data set/rowß.csv:2",
        f"{alone.pytester.path}/data set/rowß.csv:2",
        f"{alone.pytester.path}/data set/rowß.csv:2",
    ]


def test_hundreds_of_rows_run_in_two_workers_too(project):
    rows = "".join(json.dumps({"q": f"q{n}", "expected_output": f"Q{n}."}) + "\n" for n in range(400))
    files = {
        "bot.py": BOT,
        "many.eval.yaml": "target: bot.py:answer\ncases:\n- {file: rows.jsonl, map: {input: q}, criteria: [contains]}\n",
        "rows.jsonl": rows,
    }
    ran = project(files, "-q")
    assert set(ran.outcomes.values()) == {"passed"}
    assert len(ran.outcomes) == 400
