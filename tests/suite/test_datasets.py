"""Data sets in ``cases``: each row of a file is a case, and what is wrong with one is said at its line."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.model.place import Place
from pytest_evals.suite.columns import JSON, LISTS
from pytest_evals.suite.datafile import KINDS
from pytest_evals.suite.datasets import DATASET_KEYS
from pytest_evals.suite.reading import MOST_TOLD
from pytest_evals.suite.table import DELIMITERS

from .conftest import explained, only

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 1503\n"


class DataSets:
    """Suites of one data set: ``data`` is written, the entry's other keys are YAML of one line."""

    def __init__(self, reader):
        self.reader = reader

    def suite(self, entry: str) -> str:
        return f"target: echo\ndefaults: {{criteria: [own]}}\ncases:\n- {{{entry}}}\n"

    def write(self, data, name):
        path = self.reader.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))

    def __call__(self, data, entry="map: {input: question}", name="a.csv"):
        self.write(data, name)
        return self.reader(self.suite(f"file: {name}, {entry}")).cases

    def wrong(self, data, entry="map: {input: question}", name="a.csv"):
        """The problems; those of the data file with its name, those of the suite without."""
        self.write(data, name)
        problems = self.reader_problems(self.suite(f"file: {name}, {entry}"))
        return [line.removeprefix("a.eval.yaml:") for line in problems]

    def reader_problems(self, text):
        """The problems of a suite, whole lines."""
        try:
            self.reader(text)
        except SuiteError as error:
            return explained(error)
        return []


@pytest.fixture
def data(read):
    return DataSets(read)


ROWS = [
    {"id": "window", "question": "How long?", "answer": "30 days", "lang": "en"},
    {"id": "fenster", "question": "Wie lange?", "answer": "30 Tage", "lang": "de"},
]
MAP = "map: {input: question, expected_output: answer}"


def as_text(name: str) -> str:
    if name.endswith((".csv", ".tsv")):
        delimiter = "\t" if name.endswith(".tsv") else ","
        return "\n".join(delimiter.join(row) for row in [[*ROWS[0]], *(list(row.values()) for row in ROWS)]) + "\n"
    if name.endswith(("l", "ndjson")) and "json" in name:
        return "\n".join(json.dumps(row) for row in ROWS)
    if name.endswith("json"):
        return json.dumps(ROWS, indent=1)
    return "\n".join("- " + "\n  ".join(f"{key}: {value}" for key, value in row.items()) for row in ROWS)


NAMES = ["a.csv", "a.tsv", "a.jsonl", "a.ndjson", "a.json", "a.yaml", "a.YML", "sub/dir ü/a.csv"]


@pytest.mark.parametrize("name", NAMES)
def test_each_row_of_a_file_is_a_case(data, name):
    cases = data(as_text(name), MAP, name)
    assert [(case.id, case.input, case.expected_output) for case in cases] == [
        ("window", "How long?", "30 days"),
        ("fenster", "Wie lange?", "30 Tage"),
    ]
    assert cases[1].vars == ROWS[1]
    assert cases[1].name == "fenster"


@pytest.mark.parametrize(
    ("name", "lines"), [("a.csv", (2, 3)), ("a.jsonl", (1, 2)), ("a.json", (2, 8)), ("a.yaml", (1, 5))]
)
def test_a_case_stands_in_the_line_of_its_row(data, name, lines):
    assert [(case.place.path, case.place.line) for case in data(as_text(name), MAP, name)] == [
        (name, line) for line in lines
    ]


def test_data_sets_stand_anywhere_in_the_list(data):
    data.write(as_text("a.csv"), "a.csv")
    data.write(as_text("b.jsonl").replace("window", "w").replace("fenster", "f"), "b.jsonl")
    suite = data.reader(
        f"""\
        target: echo
        defaults: {{criteria: [own]}}
        cases:
        - {{id: first, input: q}}
        - {{file: a.csv, {MAP}}}
        - {{id: middle, input: q}}
        - {{file: b.jsonl, {MAP}}}
        - {{id: last, input: q}}
        """
    )
    assert [case.id for case in suite.cases] == ["first", "window", "fenster", "middle", "w", "f", "last"]


def test_data_sets_of_a_json_suite(data):
    data.write(as_text("a.csv"), "a.csv")
    entry = {"file": "a.csv", "map": {"input": "question"}, "limit": 1, "criteria": ["own"]}
    (case,) = data.reader(json.dumps({"target": "echo", "cases": [entry]}), "a.eval.json").cases
    assert case.input == "How long?"


def test_places_are_relative_to_where_pytest_was_started(data, tmp_path):
    (tmp_path / "evals" / "x").mkdir(parents=True)
    data.write(as_text("a.csv"), "data/a.csv")
    text = data.suite(f"file: ../../data/a.csv, {MAP}")
    shown = data.reader(text, "evals/x/a.eval.yaml").cases[0].place.path
    assert shown == "data/a.csv"
    outside = data.reader(text, "evals/x/a.eval.yaml", shown="a.eval.yaml").cases[0].place.path
    assert outside == str(tmp_path / "data" / "a.csv")


# --- what columns give ------------------------------------------------------------------------------------------------

ALL = {
    "id": "x",
    "name": "The name",
    "category": "c",
    "tags": "smoke, slow",
    "input": "q",
    "context": "ctx",
    "expected_output": "yes",
    "reference_outputs": "a, b",
    "expected_tool_calls": '[{"name": "look", "args": {"n": 1}}]',
    "criteria": '["exact_match"]',
    "inherit_criteria": "false",
    "threshold": "0.5",
    "warn": " 0.25 ",
    "timeout": "2m",
    "retries": "3",
    "metadata": '{"ticket": 12}',
    "skip": "later",
    "xfail": "true",
}


def csv_of(row: dict[str, str]) -> str:
    return ",".join(row) + "\n" + ",".join('"' + cell.replace('"', '""') + '"' for cell in row.values()) + "\n"


def test_a_column_named_like_a_key_gives_that_key(data):
    (case,) = data(csv_of(ALL), "tags: [big]")
    assert (case.id, case.name, case.category, case.input, case.context) == ("x", "The name", "c", "q", "ctx")
    assert (case.expected_output, case.reference_outputs, case.tags) == ("yes", ("a, b",), ("big", "smoke", "slow"))
    assert [(call.name, call.args) for call in case.expected_tool_calls] == [("look", {"n": 1})]
    assert [criterion.name for criterion in case.criteria] == ["exact_match"]
    assert (case.threshold, case.warn, case.timeout_s, case.retries) == (0.5, 0.25, 120.0, 3)
    assert (case.metadata, case.skip, case.xfail) == ({"ticket": 12}, "later", "expected to fail")
    assert case.vars == ALL


def test_the_same_row_as_json_is_the_same_case(data):
    row = dict(ALL, tags=["smoke", "slow"], threshold=0.5, warn=0.25, retries=3, inherit_criteria=False, xfail=True)
    row |= {key: json.loads(ALL[key]) for key in ("expected_tool_calls", "criteria", "metadata")}
    (one,) = data(csv_of(ALL), "tags: [big]")
    (other,) = data(json.dumps(row), "tags: [big]", "a.jsonl")
    assert one.definition_sha256() == other.definition_sha256()
    assert (one.tags, one.metadata, one.retries, one.warn) == (other.tags, other.metadata, other.retries, other.warn)


def test_map_leaves_a_column_alone(data):
    (case,) = data(csv_of({"input": "q", "name": "Anna", "tags": "not tags!"}), "map: {name: ~, tags: ~}")
    assert case.name == case.id
    assert case.tags == ()
    assert case.vars == {"input": "q", "name": "Anna", "tags": "not tags!"}


def test_map_takes_another_column_than_the_one_named_like_the_key(data):
    (case,) = data(csv_of({"input": "raw", "question": "q"}))
    assert case.input == "q"


def test_several_columns_are_a_list_or_a_mapping(data):
    row = {"question": "q", "a1": "one", "a2": " ", "a3": "three", "topic": "x", "ticket": "12"}
    entry = "map: {input: question, reference_outputs: [a1, a2, a3], tags: [topic], metadata: {ticket: ticket, no: a2}}"
    (case,) = data(csv_of(row), entry)
    assert (case.reference_outputs, case.tags, case.metadata) == (("one", "three"), ("x",), {"ticket": "12"})


def test_a_dotted_name_leads_into_a_value_of_json(data):
    row = {"doc": {"q": [{"text": "How?"}], "n": 0.5}, "a.b": "flat", "a": {"b": "deep"}}
    entry = "map: {input: 'doc.q[0].text', expected_output: a.b, threshold: doc.n, metadata: {q: doc.q}}"
    (case,) = data(json.dumps([row]), entry, "a.json")
    assert (case.input, case.expected_output, case.threshold) == ("How?", "flat", 0.5)
    assert case.metadata == {"q": [{"text": "How?"}]}


def test_json_values_keep_their_type_except_where_text_is_expected(data):
    rows = [
        {"input": {"n": 1, "f": 1.0, "no": None}, "expected_output": 30, "context": [True], "id": 7, "extra": [1, "1"]},
        {"input": "0123", "expected_output": 1.50, "id": "b", "category": 2024, "extra": None},
    ]
    first, second = data("\n".join(map(json.dumps, rows)), "limit: 2", "a.jsonl")
    assert (first.input, first.expected_output, first.context, first.id) == (rows[0]["input"], "30", [True], "7")
    assert (second.expected_output, second.category) == ("1.5", "2024")
    assert (first.vars["extra"], second.vars["extra"], first.vars["id"]) == ([1, "1"], None, 7)


@pytest.mark.parametrize(
    "cell", ["no", "0123", "12:30", "2024-01-05", "~", "null", "true", "1e3", "{}", "[a]", "#x", "=1"]
)
def test_every_cell_of_a_table_is_text(data, cell):
    (case,) = data(f"question,expected_output,id\n{cell},{cell},{cell}\n")
    assert (case.input, case.expected_output, case.id) == (cell, cell, cell)


@pytest.mark.parametrize("blank", ["", "  ", '""', '" "'])
def test_a_blank_cell_gives_nothing(data, blank):
    header = "question,expected_output,threshold,timeout,tags,metadata,category,reference_outputs,skip,other\n"
    row = ",".join(["q", *[blank] * 9])
    (case,) = data(header + row, "map: {input: question}, threshold: 0.5, category: general")
    assert (case.expected_output, case.tags, case.metadata, case.skip) == (None, (), {}, None)
    assert case.reference_outputs == ()
    assert (case.threshold, case.timeout_s, case.category) == (0.5, 60.0, "general")
    assert case.vars["other"] == blank.strip('"')


def test_null_in_json_takes_a_default_back_as_in_a_suite_and_an_empty_text_is_one(data):
    rows = [{"input": "q", "category": None, "expected_output": "", "threshold": None}, {"input": "r"}]
    first, second = data(json.dumps(rows), "category: general, threshold: 0.5", "a.json")
    assert (first.category, first.expected_output, first.threshold) == (None, "", None)
    assert (second.category, second.expected_output, second.threshold) == ("general", None, 0.5)


# --- what the entry says for every row --------------------------------------------------------------------------------


def test_keys_beside_file_hold_for_every_row(data):
    data.write('question,tags,metadata,threshold\nq,own,,\nr,,"{""a"": 2}",0.9\n', "a.csv")
    suite = data.reader(
        """\
        target: echo
        defaults: {criteria: [own], tags: [all], metadata: {team: x}, timeout: 5s}
        cases:
        - file: a.csv
          map: {input: question}
          tags: [rows]
          criteria: [length: {max: 9}]
          metadata: {a: 1}
          threshold: 0.5
          retries: 0
        - {id: other, input: q}
        """
    )
    first, second, other = suite.cases
    assert (first.tags, second.tags, other.tags) == (("all", "rows", "own"), ("all", "rows"), ("all",))
    assert [criterion.name for criterion in first.criteria] == ["own", "length"]
    assert (first.metadata, second.metadata, other.metadata) == (
        {"team": "x", "a": 1},
        {"team": "x", "a": 2},
        {"team": "x"},
    )
    assert (first.threshold, second.threshold, other.threshold) == (0.5, 0.9, None)
    assert (first.retries, first.timeout_s, other.retries) == (0, 5.0, 1)
    assert first.criteria is second.criteria, "100,000 rows share what they have in common"


def test_an_entry_replaces_the_criteria_of_the_defaults(data):
    (case,) = data("question\nq\n", "map: {input: question}, inherit_criteria: false, criteria: [exact_match: q]")
    assert [criterion.name for criterion in case.criteria] == ["exact_match"]


def test_an_input_of_the_entry_holds_for_every_row(data):
    cases = data("n,expected_output\n1,a\n2,b\n", "input: Answer the question")
    assert [(case.input, case.expected_output) for case in cases] == [
        ("Answer the question", "a"),
        ("Answer the question", "b"),
    ]
    assert cases[0].id != cases[1].id


# --- which rows -------------------------------------------------------------------------------------------------------

MANY = "question,lang,level\n" + "".join(f"q{n},{('en', 'de', 'fr', '')[n % 4]},{n % 3}\n" for n in range(40))


def asked(cases):
    return [case.input for case in cases]


@pytest.mark.parametrize(
    ("where", "chosen"),
    [
        ("{lang: de}", [n for n in range(40) if n % 4 == 1]),
        ("{lang: [de, fr]}", [n for n in range(40) if n % 4 in (1, 2)]),
        ("{lang: ~}", [n for n in range(40) if n % 4 == 3]),
        ("{lang: [en, ~]}", [n for n in range(40) if n % 4 in (0, 3)]),
        ("{lang: de, level: 2}", [n for n in range(40) if n % 4 == 1 and n % 3 == 2]),
        ("{}", range(40)),
    ],
)
def test_where_chooses_rows_by_what_a_column_holds(data, where, chosen):
    assert asked(data(MANY, f"map: {{input: question}}, where: {where}")) == [f"q{n}" for n in chosen]


def test_where_compares_values_of_json_as_they_are_written(data):
    rows = [{"input": str(n), "m": {"ok": n % 2 == 0, "n": n}} for n in range(4)] + [{"input": "4", "m": {"ok": "no"}}]
    text = json.dumps(rows)
    assert asked(data(text, "where: {m.ok: true}", "a.json")) == ["0", "2"]
    assert asked(data(text, "where: {m.ok: no}", "a.json")) == ["4"]
    assert asked(data(text, "where: {m.n: [1, 3]}", "a.json")) == ["1", "3"]
    assert asked(data(text, "where: {m.n: ~}", "a.json")) == ["4"]


def test_limit_takes_the_first_of_those_that_are_chosen(data):
    assert asked(data(MANY, "map: {input: question}, limit: 3")) == ["q0", "q1", "q2"]
    assert asked(data(MANY, "map: {input: question}, where: {lang: de}, limit: 2")) == ["q1", "q5"]
    assert len(data(MANY, "map: {input: question}, limit: 1000")) == 40


def test_a_sample_is_the_same_in_every_run_and_in_the_order_of_the_file(data):
    one = asked(data(MANY, "map: {input: question}, sample: 10"))
    assert one == asked(data(MANY, "map: {input: question}, sample: 10, seed: 0"))
    assert len(one) == len(set(one)) == 10
    assert one == sorted(one, key=lambda question: int(question[1:]))
    other = asked(data(MANY, "map: {input: question}, sample: 10, seed: 1"))
    assert other != one
    assert asked(data(MANY, "map: {input: question}, sample: 100")) == [f"q{n}" for n in range(40)]
    assert set(asked(data(MANY, "map: {input: question}, sample: 3"))) < set(one)


def test_a_sample_never_changes(data):
    # results of earlier runs are compared with it
    assert asked(data(MANY, "map: {input: question}, sample: 4, seed: 7")) == SAMPLE_OF_SEED_7


SAMPLE_OF_SEED_7 = ["q7", "q19", "q24", "q36"]


def test_a_row_that_is_added_exchanges_one_of_the_sample_at_most(data):
    before = set(asked(data(MANY, "map: {input: question}, sample: 10")))
    header, _, rows = MANY.partition("\n")
    after = set(asked(data(f"{header}\nnew,en,1\n{rows}", "map: {input: question}, sample: 10")))
    assert len(before - after) <= 1


def test_every_row_is_drawn_now_and_then(data):
    drawn = [asked(data(MANY, f"map: {{input: question}}, sample: 8, seed: {seed}")) for seed in range(60)]
    counts = {f"q{n}": sum(f"q{n}" in one for one in drawn) for n in range(40)}
    assert min(counts.values()) >= 2  # 12 is expected of each
    assert max(counts.values()) <= 26


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("where: {lang: es}", "4:26: no row of a.csv is chosen: 'lang' is 'de', 'en', 'fr'"),
        ("where: {lang: [es, it], level: 9}", "'lang' is 'de', 'en', 'fr'; 'level' is '0', '1', '2'"),
        ("where: {lang: de, question: q0}", "each condition holds somewhere, all together nowhere"),
        ("where: {lnag: de}", "4:26: a.csv has no column 'lnag' (delimiter ','); did you mean 'lang'?"),
        ("where: de", "4:26: where must be a mapping of columns to values, not the text 'de'"),
        ("where: {lang: []}", "the value of 'lang' is an empty list; give at least one"),
        ("where: {lang: {a: b}}", "the value of 'lang' must be text, not a mapping"),
        ("limit: 0", "limit must be a whole number of at least 1, not 0"),
        ("limit: all", "limit must be a whole number of at least 1, not the text 'all'"),
        ("sample: 1.5", "sample must be a whole number of at least 1, not 1.5"),
        ("limit: 3, sample: 3", "'limit' takes the first rows and 'sample' draws some; give one of them"),
        ("seed: 3", "a seed needs a 'sample' that is drawn with it"),
        ("sample: 3, seed: x", "seed must be a whole number, not the text 'x'"),
    ],
)
def test_what_is_wrong_with_a_choice_of_rows(data, entry, problem):
    text = MANY
    found = only(data.wrong(text, f"map: {{}}, {entry}, input: x"))
    assert problem.removeprefix("4:26: ") in found
    assert found.startswith("4:")


# --- ids --------------------------------------------------------------------------------------------------------------


def test_without_an_id_it_is_made_from_what_the_row_asks(data):
    (case,) = data("question,answer,note\nq,a,n\n", MAP)
    assert case.id.startswith("case-")
    assert len(case.id) == len("case-") + 12
    moved = data("note,answer,question\nx,b,r\nother,a,q\n", MAP + ", tags: [x]")[1]
    assert moved.id == case.id, "neither the place of the row, other columns nor what holds for all change it"
    assert data("question,answer,note\nq,A,n\n", MAP)[0].id != case.id


def test_a_made_id_of_a_row_never_changes(data):
    assert data("question\nHow long?\n")[0].id == ID_OF_HOW_LONG


ID_OF_HOW_LONG = "case-bf0668ac7774"


def test_an_id_is_made_from_the_name(data):
    assert data("question,name\nq,Refund window?\n")[0].id == "refund-window"


def test_duplicate_ids_are_refused_with_both_places(data):
    found = data.wrong("id,question\na,q\nb,r\na,s\n")
    assert only(found) == "a.csv:4:1: duplicate id 'a', which the case in line 2 has; change one"


def test_duplicate_ids_of_two_files_are_refused_with_both_places(data):
    data.write("id,question\na,q\n", "a.csv")
    data.write('{"id": "a", "question": "q"}\n{"id": "b", "question": "q"}\n', "b.jsonl")
    text = data.suite("file: a.csv, map: {input: question}") + (
        "- {file: b.jsonl, map: {input: question}}\n- {id: b, input: q}\n"
    )
    problems = data.reader_problems(text)
    assert problems == [
        "a.eval.yaml:6:4: duplicate id 'b', which the case at b.jsonl:2 has; change one",
        "b.jsonl:1:2: duplicate id 'a', which the case at a.csv:2 has; change one",
    ]


def test_two_rows_alike_without_ids_are_refused(data):
    found = only(data.wrong("question\nq\nr\nq\n"))
    assert found.startswith("a.csv:4:1: without an id the case is 'case-")
    assert found.endswith("like the one in line 2; give each an 'id'")


def test_ids_that_make_one_test_name_are_refused(data):
    found = only(data.wrong("id,question\na::b,q\na:b,r\n"))
    assert found == "a.csv:3:1: ids 'a:b' and 'a::b' (line 2) make one test name, 'a:b'; change one"


def test_a_blank_id_in_a_column_of_ids_is_refused(data):
    assert "a.csv:3:1: id is blank" in only(data.wrong("id,question\na,q\n ,r\n"))


# --- known faults -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_D01_a_byte_order_mark_is_no_part_of_a_column(data, end):
    text = end.join(["id,question,expected", "1,What is 2+2?,4", ""])
    (case,) = data(b"\xef\xbb\xbf" + text.encode(), "map: {input: question, expected_output: expected}")
    assert case.vars == {"id": "1", "question": "What is 2+2?", "expected": "4"}
    assert (case.id, case.input, case.expected_output) == ("1", "What is 2+2?", "4")


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.yaml"])
def test_D01_nor_of_a_key(data, name):
    cases = data(b"\xef\xbb\xbf" + as_text(name).encode(), MAP, name)
    assert [*cases[0].vars] == ["id", "question", "answer", "lang"]


D04 = '''\
id;question;expected
1;"Write two lines;
one per line";"a;b"
2;"Price of tea?";"3,50"
3;"He said ""go""";"{""k"": 1}"
'''


@pytest.mark.parametrize("delimiter", ["", ", delimiter: ;", ", delimiter: ';'"])
def test_D04_delimiters_quotes_and_line_breaks_inside_quotes(data, delimiter):
    cases = data(D04, "map: {input: question, expected_output: expected}" + delimiter)
    assert [(case.id, case.input, case.expected_output) for case in cases] == [
        ("1", "Write two lines;\none per line", "a;b"),
        ("2", "Price of tea?", "3,50"),
        ("3", 'He said "go"', '{"k": 1}'),
    ]
    assert [case.place.line for case in cases] == [2, 4, 5]


def test_D04_the_wrong_delimiter_is_an_error(data):
    problems = data.wrong(D04, "map: {input: question, expected_output: expected}, delimiter: ','")
    assert len(problems) == 2
    assert "a.csv has no column 'question' (delimiter ','); the columns are 'id;question;expected'" in problems[0]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("4;x;y;z", "a.csv:6:1: the row has 4 cells, the first line has 3; quote a text that holds the delimiter"),
        ("4;x", "a.csv:6:1: the row has 2 cells, the first line has 3"),
    ],
)
def test_D04_a_ragged_row_is_an_error_with_its_line(data, row, problem):
    assert only(data.wrong(D04 + row + "\n", "map: {input: question}")) == problem


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.json", "a.yaml"])
def test_D05_a_git_lfs_pointer_is_named(data, name):
    problem = only(data.wrong(LFS, MAP, name))
    assert problem == f"{name}:1:1: this is a Git LFS pointer, not the file itself; run `git lfs pull`"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.csv", "", "a.csv:1:1: the file is empty; a table has a line of names and a line for each row"),
        ("a.csv", "\n \n", "a.csv:1:1: the file is empty"),
        ("a.csv", "question\n", "a.csv:1:1: the file holds no rows"),
        ("a.csv", "question,answer\n,\n\n", "a.csv:1:1: the file holds no rows"),
        ("a.jsonl", "", "a.jsonl:1:1: the file holds no rows"),
        ("a.json", "[]", "a.json:1:1: the file holds no rows"),
        ("a.json", " ", "a.json:1:1: the file holds no rows"),
        ("a.yaml", "# nothing\n", "a.yaml:1:1: the file holds no rows"),
        ("a.yaml", "~", "a.yaml:1:1: the file holds no rows"),
    ],
)
def test_P09_a_data_set_without_rows_is_an_error(data, name, text, problem):
    assert problem in only(data.wrong(text, "map: {input: question}", name))


def test_P13_a_file_that_is_not_there_is_named_in_full(data, tmp_path):
    problem = only(data.reader_problems(data.suite("file: data/q.csv")))
    assert problem == f"a.eval.yaml:4:4: there is no file {tmp_path}/data/q.csv; paths in a suite start at its folder"


# --- what is wrong with a file ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.csv", "question,question\na,b\n", "a.csv:1:1: there are two columns 'question'; rename one"),
        ("a.csv", "question,\na,b\n", "a.csv:2:1: 'b' stands in a column without a name; name the column"),
        ("a.csv", 'question\n"a" b\n', "a.csv:2:1: text follows a closing quote in this row"),
        ("a.csv", 'question\na\n"b\nc\nd\n', "a.csv:3:1: a quote that opens in this row is never closed"),
        ("a.csv", "question\na\0b\n", "a.csv:2:2: a NUL character; this is no text, or text that is not UTF-8"),
        ("a.csv", "question\nä\n".encode("latin-1"), "a.csv:2:1: byte 0xE4 at offset 9 is not UTF-8; save the file as UTF-8"),
        ("a.csv", "question\na\n".encode("utf-16"), "a.csv:1:1: the file is UTF-16; save it as UTF-8, or name its 'encoding'"),
        ("a.csv", "question\na\n".encode("utf-16-le"), "a.csv:1:2: a NUL character"),
        ("a.csv", "question,id\n,x\n", "a.csv:2:1: the case has no input"),
        ("a.csv", "question,threshold\na,high\n", "a.csv:2:1: threshold must be a number from 0 to 1"),
        ("a.csv", "question,tags\na,skip\n", "a.csv:2:1: tag 'skip' is a pytest marker"),
        ("a.csv", "question,criteria\na,polite\n", "a.csv:2:1: criteria must be JSON, without repeated keys, not 'polite'"),
        ("a.jsonl", '{"question": "a"}\n{"question": \n', "a.jsonl:2:14: this is not JSON: expecting value"),
        ("a.jsonl", '{"question": "a"}\n["b"]\n', "a.jsonl:2:1: a row is an object of columns and their values, not a list"),
        ("a.jsonl", '{"question": "a", "question": "b"}\n', "a.jsonl:1:19: duplicate key 'question'"),
        ("a.jsonl", '{"question": NaN}\n', "a.jsonl:1:14: NaN is not a JSON value"),
        ("a.jsonl", '{"question": "a"}\n{"question": "b", "id": ["x"]}\n', "a.jsonl:2:19: id must be text, not a list"),
        ("a.jsonl", '{"question": "a"}\n{"question": null}\n', "a.jsonl:2:2: input is blank"),
        ("a.json", '{"question": "a"}', "a.json:1:1: a data set is a list of rows, not a mapping"),
        ("a.json", '[\n {"question": "a"},\n 3\n]', "a.json:3:2: a row is an object of columns and their values, not 3"),
        ("a.yaml", "- question: a\n- b\n", "a.yaml:2:3: a row is an object of columns and their values, not the text 'b'"),
        ("a.yaml", "- question: !x a\n", "a.yaml:1:13: YAML tags are not read"),
        ("a.yaml", "- {question: ticket #12}\n", "a.yaml:1:"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said_at_its_line(data, name, text, problem):
    assert problem in only(data.wrong(text, "map: {input: question}", name)[:1])


def test_the_place_of_a_wrong_key_is_that_of_the_mapped_key(data):
    (problem,) = data.wrong('{"question": "a", "m": {"t": 7}}', "map: {input: question, threshold: m.t}", "a.jsonl")
    assert problem.startswith("a.jsonl:1:25: threshold must be a number from 0 to 1")


def test_the_first_mistakes_of_many_rows_are_told(data):
    problems = data.wrong("question,threshold\n" + "".join(f"q{n},2\n" for n in range(500)))
    assert len(problems) == 21
    assert problems[0].startswith("a.csv:2:1: threshold must be")
    assert problems[-1] == "a.csv:22:1: 480 more mistakes from here on; mend those above first"


def test_mistakes_of_the_suite_and_of_its_data_are_told_together(data):
    data.write("question,threshold\nq,2\n", "a.csv")
    text = data.suite("file: a.csv, map: {input: question}, retries: x") + "- {input: q, thresold: 1}\n"
    assert [problem.partition(" ")[0] for problem in data.reader_problems(text)] == [
        "a.csv:2:1:",
        "a.eval.yaml:4:41:",
        "a.eval.yaml:5:14:",
    ]


def test_all_mistakes_of_a_file_are_told_whatever_their_kind(data):
    text = '{"question": \n{"question": "a", "threshold": 7}\n[]\n{"question": "b", "id": ""}\n'
    problems = data.wrong(text, "map: {input: question}", "a.jsonl")
    assert [problem.partition(": ")[0] for problem in problems] == [
        "a.jsonl:1:14",
        "a.jsonl:2:19",
        "a.jsonl:3:1",
        "a.jsonl:4:19",
    ]
    assert problems[3].startswith("a.jsonl:4:19: id is blank")


def test_gates_are_not_held_against_a_data_set_that_could_not_be_read(data):
    text = "gates: [pass_rate(tag=topic) >= 0.5]\n" + data.suite("file: none.csv")
    assert "there is no file" in only(data.reader_problems(text))


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_only_line_ends_end_a_line(data, character):
    rows = "".join(json.dumps({"question": f"a{character}b{n}"}, ensure_ascii=character < " ") + "\n" for n in range(2))
    assert asked(data(rows, "map: {input: question}", "a.jsonl")) == [f"a{character}b{n}" for n in range(2)]
    cases = data(f"question\na{character}b\nc\n")
    assert asked(cases) == [f"a{character}b", "c"]
    assert cases[1].place == Place("a.csv", 3, 1)


def test_cells_keep_their_line_breaks_and_spaces(data):
    (case,) = data('question\r\n" a\r\nb\nc\rd "\r\n')
    assert case.input == " a\r\nb\nc\rd "


def test_huge_cells_are_read(data):
    before = csv.field_size_limit()
    (case,) = data("question\n" + "x" * 1_000_000 + "\n")
    assert len(case.input) == 1_000_000
    assert csv.field_size_limit() == before


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_delimiters_are_found_by_the_columns_that_are_wanted(data, delimiter):
    text = f'"a, b; c | d"{delimiter}question{delimiter}note\nx{delimiter}q{delimiter}"one, two; three | four\tfive"\n'
    (case,) = data(text)
    assert case.input == "q"
    assert case.vars["note"] == "one, two; three | four\tfive"


@pytest.mark.parametrize(
    ("written", "text"),
    [("^", "id^question\na^q\n"), ("tab", "id\tquestion\na\tq\n"), ("'\t'", "id\tquestion\na\tq\n")],
)
def test_another_delimiter_can_be_given(data, written, text):
    assert asked(data(text, f"map: {{input: question}}, delimiter: {written}")) == ["q"]


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "utf-8-sig", "UTF-8", "utf-16-le"])
def test_another_encoding_can_be_given(data, encoding):
    text = "question\nGröße\n".encode(encoding)
    assert asked(data(text, f"map: {{input: question}}, encoding: {encoding}")) == ["Größe"]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("encoding: klingon", "'klingon' is no encoding; write utf-8, utf-16, cp1252, latin-1 …"),
        ("encoding: base64", "'base64' is no encoding"),
        ("delimiter: ab", "a delimiter is one character such as ',' or ';', or the word tab, not the text 'ab'"),
        ("delimiter: x", "a delimiter is one character"),
        ("delimiter: '\"'", "a delimiter is one character"),
        ("delimiter: [a]", "a delimiter is one character such as ',' or ';', or the word tab, not a list"),
        ("limt: 3", "unknown key 'limt'; did you mean 'limit'?"),
        ("treshold: 3", "unknown key 'treshold'; did you mean 'threshold'?"),
        ("id: x", "unknown key 'id'; every row has its own: write 'map: {id: COLUMN}'"),
        ("map: [a]", "map must be a mapping of keys of cases to columns, not a list"),
        ("map: {inputt: question}", "unknown key of a case 'inputt'; did you mean 'input'?"),
        ("map: {vars: question}", "unknown key of a case 'vars'; all columns are variables of templates"),
        ("map: {input: [question]}", "input takes the name of a column, not a list"),
        ("map: {input: ' '}", "input is blank; give a text or leave the key out"),
        ("map: {input: question, tags: [[a]]}", "this must be the name of a column, not a list"),
        ("map: {input: question, tags: {a: b}}", "tags takes the name of a column or a list of columns, not a mapping"),
        ("map: {input: question, metadata: [a]}", "metadata takes the name of a column or a mapping of columns, not a list"),
        ("map: {input: qestion}", "a.csv has no column 'qestion' (delimiter ','); did you mean 'question'?"),
        ("map: {input: question, id: number}", "a.csv has no column 'number' (delimiter ','); the columns are 'question', 'x'"),
        ("limit: 5", "no column gives the input; write which one does: 'map: {input: COLUMN}'; the columns are 'question', 'x'"),
        ("map: {input: question}, input: '{{ x }}'", "input is given beside 'map' too; keep one"),
        ("map: {input: question}, criteria: [own]", "criterion 'own' is there already (in defaults, "),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_entry(data, entry, problem):
    found = data.wrong("question,x\nq,1\n", entry)
    assert any(problem in line for line in found), found
    assert all(line.startswith("4:") for line in found)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("file: ~", "file is blank; name a file of data"),
        ("file: ' '", "file is blank"),
        ("file: [a.csv]", "file must be text, not a list"),
        ("file: a.xlsx", "a data set is read from .csv, .tsv, .jsonl, .ndjson, .json, .yaml, .yml, not from 'a.xlsx'"),
        ("file: a.jsonl, delimiter: ','", "only .csv and .tsv have a delimiter, 'a.jsonl' has none"),
        ("file: .", "a data set is read from"),
    ],
)
def test_what_is_wrong_with_the_name_of_the_file(data, entry, problem):
    assert problem in only(data.reader_problems(data.suite(entry)))


def test_a_column_that_no_row_of_json_has_is_named(data):
    problem = only(data.wrong('{"q": "a"}\n{"q": "b", "other": 1}\n', "map: {input: q, id: nr}", "a.jsonl"))
    assert problem.endswith("a.jsonl has no column 'nr'; the columns are 'q', 'other'")
    assert len(data('{"q": "a"}\n{"q": "b", "nr": 1}\n', "map: {input: q, id: nr}", "a.jsonl")) == 2


def test_recorded_answers_need_no_input(data):
    data.write("id,answer\na,x\n", "a.csv")
    data.write("id,output\na,x\n", "answers.csv")
    text = data.suite("file: a.csv, map: {expected_output: answer}").replace("echo", "{responses: answers.csv}")
    assert data.reader(text).cases[0].expected_output == "x"


def test_a_criterion_that_needs_what_a_row_lacks_is_told_at_the_row(data):
    found = data.wrong("question,expected_output\nq,a\nr,\n", "map: {input: question}, criteria: [exact_match]")
    assert only(found).startswith("a.csv:3:1: criterion 'exact_match' needs expected_output")


# --- templates --------------------------------------------------------------------------------------------------------


def test_columns_can_be_inserted_into_what_the_entry_says(data):
    text = "country,capital\nFrance,Paris\n{{ capital }},Rome\n"
    entry = "input: 'What is the capital of {{ country }}?', expected_output: '{{ capital }}'"
    first, second = data(text, entry)
    assert (first.input, first.expected_output) == ("What is the capital of France?", "Paris")
    assert second.input == "What is the capital of {{ capital }}?", "values are inserted once"


def test_D01_the_first_column_can_be_inserted(data):
    (case,) = data(b"\xef\xbb\xbfid,question\r\n1,q\r\n", "input: 'No. {{ id }}: {{ question }}'")
    assert case.input == "No. 1: q"


def test_a_cell_is_no_template(data):
    (case,) = data("question,expected_output\nWhat is {{ 1 }}?,{{ question }}\n")
    assert (case.input, case.expected_output) == ("What is {{ 1 }}?", "{{ question }}")


def test_a_column_named_like_a_key_can_be_inserted_into_that_key(data):
    (case,) = data("input,expected_output\nFrance,Paris\n", "input: 'Capital of {{ input }}?'")
    assert (case.input, case.expected_output) == ("Capital of France?", "Paris")


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_page_lists_the_keys_and_kinds_that_are_read():
    page = (Path(__file__).parents[2] / "docs" / "datasets.md").read_text("utf-8")
    keys = page.partition("## Keys of a data set\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", keys, re.MULTILINE)) == set(DATASET_KEYS)
    kinds = page.partition("## Files\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"`\*(\.\w+)`", kinds)) == set(KINDS)
    assert f"the first {MOST_TOLD} mistakes" in page
    assert {*LISTS, *JSON} <= set(re.findall(r"`(\w+)`", page.partition("### Text and values")[2]))


# --- whatever a file holds --------------------------------------------------------------------------------------------

PIECES = [
    *"\t\n\r ,;|\"'{}[]:0aä~\0\x1a\u2028\ufeff",
    '""',
    "\r\n",
    "null",
    "question",
    "\\u0000",
    "\\ud800",
    "- ",
    "&a",
    "*a",
]


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.json", "a.yaml"])
def test_whatever_a_file_holds_it_is_read_or_refused(data, name):
    rng = random.Random(name)
    for _ in range(80):
        text = as_text(name)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(PIECES) + text[at + rng.randint(0, 3) :]
        entry = rng.choice([MAP, "map: {input: question}, sample: 1", MAP + ", where: {lang: [de, en]}"])
        problems = data.wrong(text, entry, name)
        if not problems:
            cases = data(text, entry, name)
            assert cases
            assert all(case.input and case.place.path == name for case in cases)
