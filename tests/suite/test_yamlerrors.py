"""Mistakes in YAML, said so that a person knows what to change."""

from __future__ import annotations

import pytest

from pytest_evals.errors import SuiteError
from pytest_evals.suite.source import Source
from pytest_evals.suite.yamlerrors import read_yaml
from pytest_evals.suite.yamlparser import parser_for, pure_parser

from .conftest import explained, only


@pytest.fixture(params=[parser_for, pure_parser], ids=["libyaml", "python"])
def mistakes(request, tmp_path):
    """The mistakes of a YAML text, the last of which may end the reading."""

    def read(text: str) -> list[str]:
        source = Source(tmp_path / "a.yaml", "a.yaml", text)
        found: list[tuple[int, str]] = []
        try:
            read_yaml(source, lambda at, message: found.append((at, message)), request.param)
        except SuiteError as error:
            return [f"{source.place(at)}: {message}" for at, message in found] + explained(error)
        return [f"{source.place(at)}: {message}" for at, message in found]

    return read


@pytest.mark.parametrize("start", list("@`%*&|>"))
@pytest.mark.parametrize("before", ["a: ", "- ", "a:\n  - ", "a: {b: ", "a: [", "a: \n  "])
def test_a_text_that_starts_with_an_indicator_is_told_to_be_quoted(mistakes, start, before):
    end = "}" if "{" in before else "]" if "[" in before else ""
    found = only(mistakes(f"{before}{start}*x+ y{end}\n"))
    place = f"a.yaml:{before.count(chr(10)) + 1}:{len(before.rpartition(chr(10))[2]) + 1}"
    if start in "|>" and end:
        assert "must be quoted" in found
    else:
        assert found.startswith(f"{place}: a text that starts with '{start}' must be quoted")
        assert "single quotes if it is a regular expression" in found


@pytest.mark.parametrize(
    "text", ["*bold* text", "*.py", "*bold text", "**", "* item", "&amp; more", "& more", "&", "!foo!bar x"]
)
def test_markdown_globs_and_entities_are_told_to_be_quoted(mistakes, text):
    assert "quote" in only(mistakes(f"first: 1\nregex: {text}\nlast: 2\n"))
    assert mistakes(f"regex: '{text}'\n") == []


def test_all_such_texts_of_a_file_are_reported_with_its_other_mistakes(read):
    problems = read.wrong(
        """\
        target: echo
        cases:
          - id: one
            input: @bob are you there?
            expected_output: `code`
            criteria: [own]
            treshold: 1
          - id: two
            input: %d items
            criteria:
              - regex: *.py
              - regex: {name: digits, pattern: "\\d+"}
              - contains: Note: this
        """
    )
    assert [problem.partition(": ")[0] for problem in problems] == [
        "4:12",
        "5:22",
        "7:5",
        "9:12",
        "11:16",
        "12:41",
        "13:23",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: Note: this\n", "1:8: a text that holds ': ' must be quoted"),
        ("- id: a\n   input: x\n", "2:9: this key is indented differently from its neighbours"),
        ("a: b\n c: d\n", "2:3: this key is indented differently"),
        ("a: - b\n", "1:4: a text that starts with '- ' must be quoted"),
        ("a: ? b\n", "1:4: a text that starts with '? ' must be quoted"),
        ('a: "q" rest\n', '1:8: text follows the closing "; quote the whole text'),
        ("a: 'it's'\n", "1:8: text follows the closing '; quote the whole text, with '' for each '"),
        ("a: [x] is\n", "1:8: text follows the closing bracket; quote a text that starts with '['"),
        ("a: {x} is\n", "1:8: text follows the closing bracket; quote a text that starts with '{'"),
        ("a: }\n", "1:4: a text that starts with '}' must be quoted"),
        ("a: ,x\n", "1:4: a text that starts with ',' must be quoted"),
        ("a: 'x\nb: c\n", "1:4: the quote that opens here (') is never closed"),
        ('a: "x\nb: c\n', '1:4: the quote that opens here (") is never closed'),
        ('a: "\\d+"\n', "1:5: \\d is no escape in double quotes; use single quotes"),
        ('a: "\\xzz"\n', "too few hexadecimal digits"),
        ("a: [x\nb: c\n", "a comma or the closing bracket is missing"),
        ("a: [x\n", "1:4: cannot read on inside the '[' of line 1"),
        ("{\n", "2:1: the file ends inside brackets; a closing ']' or '}' is missing"),
        ("a: {x: 1\n", "1:4: cannot read on inside the '{' of line 1"),
        ("a: b\nfoo\nc: d\n", "2:1: this line is neither a 'key: value' nor a part of the text above"),
        ("a:\n  b: 1\n c: 2\n", "3:2: this line does not fit the lines above it; check its indentation"),
        ("a: b\n- c\n", "2:1: this line does not fit the lines above it"),
        ("%YAML 2.0\n---\na: b\n", "1:1: YAML directives"),
        ("a: x\0y\n", '1:5: the control character U+0000 is not allowed; write it as "\\x00" in double quotes'),
        ("a: x\x1by\n", "1:5: the control character U+001B"),
        ("a: \ufffe\n", '1:4: the control character U+FFFE is not allowed; write it as "\\ufffe"'),
        ("a: one\u2028two\n", "1:7: U+2028 would be read as a line break; write it as an escape in double quotes"),
        ("a: one\x85two\n", "1:7: U+0085 would be read as a line break"),
    ],
)
def test_what_is_wrong_and_what_to_do(mistakes, text, said):
    assert any(said in problem for problem in mistakes(text)), mistakes(text)


def test_a_surrogate_in_an_escape_is_told_to_be_the_character(tmp_path):
    source = Source(tmp_path, "a.yaml", 'a: "\\ud83d\\ude00"\n')
    with pytest.raises(SuiteError, match="this escape is no character; write the character itself"):
        read_yaml(source, lambda at, message: None)


@pytest.mark.parametrize(
    "text", ["\ta: b\n", "a:\n\tb: c\n", "a:\n  - b\n\t- c\n", "a: |\n\tb\n", "a:\n  - b: 1\n\t  c: 2\n"]
)
def test_a_tab_in_the_indentation_is_named(mistakes, text):
    found = mistakes(text)
    line = text[: text.index("\t")].count("\n") + 1
    assert f"a.yaml:{line}:1: a tab cannot indent; use spaces" in found


def test_a_tab_elsewhere_is_a_space_or_text(read):
    case = read.case("id:\tb\ninput: 'd\te'\ncontext: g\th")
    assert (case.id, case.input, case.context) == ("b", "d\te", "g\th")


def test_hundreds_of_texts_without_quotes_are_not_read_again_and_again(mistakes):
    found = mistakes("".join(f"k{n}: @x\n" for n in range(300)))
    assert len(found) == 51
    assert "too many texts want quotes" in found[-1]


def test_an_escape_too_large_for_a_character_is_a_mistake_not_a_crash(mistakes):
    assert len(mistakes('a: "\\UFFFFFFFF"\n')) == 1


@pytest.mark.parametrize("text", ["", "\n\n", "# only\n# comments\n", "---\n", "---\n# x\n...\n"])
def test_a_file_without_content_has_no_mistake_here(mistakes, text):
    assert mistakes(text) == []
