"""Patterns mean what they mean to Python's `re`, whichever engine reads them, and none can be made to take long."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentmem import patterns
from agentmem.patterns.linear import Linear
from agentmem.patterns.matching import Matching
from agentmem.patterns.pattern import LinearMatch
from agentmem.patterns.positions import build
from agentmem.patterns.syntax import parse, width
from agentmem.patterns.work import Work

LETTERS = st.sampled_from(
    [
        *("a", "b", "ab", "A", "1", "i", "is", "我", "的", " ", ","),
        *(r"\w", r"\d", r"\s", r"\W", "[ab]", "[^a]", "[i-k]", r"[\W_]", r"[^\W_]", ".", r"[\u4e00-\u9fff]"),
    ]
)
EDGES = st.sampled_from(
    [
        r"\b",
        "^",
        "$",
        r"\Z",
        "(?=a)",
        "(?!a)",
        "(?<=a)",
        "(?<!a)",
        r"(?!\w)",
        r"(?<!\d)",
        "(?=a|bb?)",
        "(?!ab|我)",
        r"(?<!\bab)",
    ]
)
ODD = "ſKiIİısk_-\u0378\U0001faff"
"""Letters with a third form or a fourth, what joins words, and characters that nothing is assigned to."""

TEXTS = st.text(alphabet="abAB1 ,我的\n" + ODD, max_size=14)


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda options: f"(?:{'|'.join(options)})"),
        inner.map(lambda body: f"({body})"),
        st.tuples(LETTERS, st.sampled_from(["*", "+", "?", "*?", "+?", "{1,3}", "{2}"])).map("".join),
        st.tuples(LETTERS, inner, st.sampled_from(["?", "??", "{0,2}", "*", "+", "*?"])).map(
            lambda t: f"(?:{t[0]}{t[1]}){t[2]}"
        ),
    )


SOURCES = st.recursive(st.one_of(LETTERS, EDGES), _grown, max_leaves=8)


def told(match: patterns.Match | LinearMatch | None, groups: int) -> object:
    return None if match is None else [match.span(number) for number in range(groups + 1)]


@settings(max_examples=600, deadline=None)
@given(source=SOURCES, text=TEXTS, fold=st.booleans())
def test_the_linear_engines_find_what_python_finds(source: str, text: str, fold: bool) -> None:
    flags = re.IGNORECASE if fold else 0
    python, parsed = re.compile(source, flags), parse(source, flags)
    linear = Linear(parsed)

    assert linear.search(text, 0) == told(python.search(text), python.groups)
    assert linear.match(text, 0, whole=False) == told(python.match(text), python.groups)
    assert linear.match(text, 0, whole=True) == told(python.fullmatch(text), python.groups)
    if text:
        assert linear.search(text, 1) == told(python.search(text, 1), python.groups)
        assert linear.match(text, 1, whole=False) == told(python.match(text, 1), python.groups)
    if width(parsed.root)[0]:
        assert [spans[0] for spans in linear.all(text, 0)] == [match.span() for match in python.finditer(text)]


HANGS = (
    (r"^(?:can you please )+$", "can you please " * 2_000 + "zzz"),
    (r"^(?:(?:can|could) you |please |can you please )*end", "can you please " * 2_000 + "zzz"),
    (r"(?:刚刚?|已经|现在)*的", "刚" * 10_000),
    (r"(?:我|本人)?(?:刚刚?|已经)*(?:住|在)(?!吗)", "本人" + "刚" * 10_000),
    (r"Hello\s*\s*\s*!(?=\b)", "Hello" + " " * 10_000 + "there"),
    (r"(?:,\s*)*(?:,\s*)*x\b", ", " * 5_000),
    (r"[.…]*[.…]*(?<!x)[.…]*$(?<=!)", "." * 16_000),
    (r"(?:\s*\n\s*)*x", "\n" * 16_000),
    (r"(a+)+$", "a" * 16_000 + "b"),
    (r"(?:\w+\s?)*(?=!)", "word " * 4_000),
)


@pytest.mark.parametrize(("source", "text"), HANGS)
def test_no_text_holds_a_pattern(source: str, text: str) -> None:
    pattern = patterns.compile(source)
    begun = time.process_time()
    for read in (pattern.search, pattern.match, pattern.fullmatch, pattern.split):
        read(text)
    assert time.process_time() - begun < 5 * (0.02 + len(text) * 50e-6)


def test_bounded_work_is_left_to_python_at_any_length() -> None:
    for source in (r"\d{4}-\d{2}(?!\d)", r"(?:Mr|Mrs)\.? (?=[A-Z])", r"(?<![a-z])(?:one|two|three)\b"):
        work = Work(parse(source, 0).root, whole=False)
        assert work.steps(16) == work.steps(1_000_000) < 100


@pytest.mark.parametrize(
    "source", [r"(?:a|aa)+$", r"(?:\w+\s?)*x", r"\s*\s*\s*x", r"(?:\d+|\w)*(?!\w),", r"(?:刚刚?|已)*的"]
)
def test_work_that_grows_faster_than_the_text_is_seen(source: str) -> None:
    assert Work(parse(source, 0).root, whole=False).steps(256) > 500 * 256


def test_a_match_tells_what_pythons_tells() -> None:
    source, text = r"(?P<first>\w+), ?(?P<second>(?:x|xx)*)(y)?(?!z)", "我们, xxxxxxxxxxxx"
    python = re.search(source, text)
    linear = Linear(parse(source, 0)).search(text, 0)
    assert python is not None
    assert linear is not None
    match = LinearMatch(text, linear, {"first": 1, "second": 2})
    assert (match[0], match["first"], match.group(1, 2)) == (python[0], python["first"], python.group(1, 2))
    assert (match.groups(), match.groupdict()) == (python.groups(), python.groupdict())
    assert (match.start("second"), match.end(2), match.span(3)) == (python.start("second"), python.end(2), (-1, -1))
    assert match.lastgroup == python.lastgroup
    assert match.expand(r"\2\\ \g<first>\n") == python.expand(r"\2\\ \g<first>\n")


@pytest.mark.parametrize("method", ["findall", "split", "sub", "subn"])
@pytest.mark.parametrize("source", [r"(?:x|xx)+(?!y)", r"(x+)(?!y)", r"(x+)(z)?(?!y)", r",\s*"])
def test_all_matches_are_worked_on_as_python_does(method: str, source: str) -> None:
    text = ("xxy, xx ,xz," * 200)[:2_001]
    ours, theirs = ((patterns.filled(r"<\g<0>>"), text), (r"<\g<0>>", text)) if method[:3] == "sub" else ((text,),) * 2
    assert getattr(patterns.compile(source), method)(*ours) == getattr(re.compile(source), method)(*theirs)


def test_a_lone_surrogate_is_read_and_not_an_error() -> None:
    text = "a\ud800" * 20_000
    assert patterns.compile(r"(?:a|aa)+\w?b").search(text) is None


@pytest.mark.parametrize(
    "text", ["i was born on S.\u201c  İ was born on S", "İnstead the K to it", "i used to have İ used to have"]
)
def test_a_letter_with_four_forms_is_read_and_not_an_error(text: str) -> None:
    source = r"\b(?:my birthday|i was born|instead|i used to have)(?: on| the)?(?! x)"
    python = re.compile(source, re.IGNORECASE)
    assert list(Linear(parse(source, re.IGNORECASE)).all(text, 0)) == [
        [match.span()] for match in python.finditer(text)
    ]


@given(SOURCES, TEXTS, st.integers(1, 6))
@settings(max_examples=1_500, deadline=None)
def test_a_match_read_off_in_a_window_is_the_match_of_the_whole_text(source: str, text: str, window: int) -> None:
    parsed = parse(source, 0)
    root = build(parsed.root)
    whole, windows = Matching(root, text, window=len(text)), Matching(root, text, window=window)
    at = 0
    while (start := whole.first(at)) is not None:
        assert windows.first(at) == start
        assert windows.spans(start, parsed.groups) == whole.spans(start, parsed.groups)
        at = start + 1
    assert windows.first(at) is None


def test_no_pattern_matches_a_text_that_holds_nothing_of_what_they_need() -> None:
    several = patterns.compile(r"\b(?:delete|erase) it", re.IGNORECASE), patterns.compile("删掉|删除")
    assert not patterns.may_match(several, "I live in Oslo")
    assert patterns.may_match(several, "DELETE IT")
    assert patterns.may_match(several, "请删掉")
    assert patterns.may_match(several, "please 删除 it")
    assert patterns.may_match((patterns.compile("kelvin", re.IGNORECASE),), "\u212aelvin")
    assert not patterns.may_match(several[1:], "delete it")
    assert patterns.may_match(
        (*several, patterns.compile(r"\d+")), "I live in Oslo"
    )  # of one it is not known what it needs


@pytest.mark.parametrize("text", ["ab", "ab" * 5_000])
@pytest.mark.parametrize("name", [r"A\T", r"B\1", r"C\g<0>", "D\\"])
def test_a_text_takes_the_place_of_matches_as_it_stands(name: str, text: str) -> None:
    assert patterns.compile("(a)").sub(name, text) == text.replace("a", name)
    assert patterns.compile("(a)").sub(patterns.filled(r"\1\1"), text) == text.replace("a", "aa")
