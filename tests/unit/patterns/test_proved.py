"""What is kept of the library's patterns is what would be proved of them now."""

import re
import sys

import pytest
from hypothesis import given, settings

from agentmem import patterns
from agentmem.patterns.classes import letter
from agentmem.patterns.needed import needed
from agentmem.patterns.proved import UNBOUNDED, known, prove
from agentmem.patterns.syntax import parse
from agentmem.patterns.text import folded, holds_one
from tests.support.patterns import every_pattern
from tests.unit.patterns.test_patterns import SOURCES, TEXTS

SAMPLED = 10
"""One pattern in so many is proved anew here, all of them by `make soak`: what proves them is part of what is kept."""


def test_nearly_all_patterns_are_kept() -> None:
    kept = [known(each.pattern, each.flags) is not None for each in every_pattern()]
    assert sum(kept) / len(kept) > 0.9, "run `make proofs`"


@pytest.mark.longer
def test_what_is_kept_is_what_is_proved_now(longer: int) -> None:
    for each in every_pattern()[:: 1 if longer > 1 else SAMPLED]:
        proof = known(each.pattern, each.flags)
        assert proof is None or proof == prove(parse(each.pattern, each.flags)), each


def test_a_prepared_pattern_makes_nothing_when_it_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = next(each for each in every_pattern() if (proof := known(each.pattern, each.flags)) and proof.any_place > 99)
    unknown = r"\bnowhere (?:in|of) the library \d"
    prepared = [patterns.Pattern(kept.pattern, kept.flags), patterns.Pattern(unknown)]
    for each in prepared:
        each.prepare()
    text = "".join(("it is nowhere in the library 7 times", *kept.needs))
    found = kept.search(text)
    monkeypatch.setattr("agentmem.patterns.pattern.re", None)
    again = prepared[0].search(text)
    assert (again and again.span()) == (found and found.span())
    assert prepared[1].search(text) is not None


def test_a_prepared_pattern_that_python_may_not_read_is_parsed_before_its_first_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    never = (-1, -1, -1)
    kept = [(each, known(each.pattern, each.flags)) for each in every_pattern()]
    one = next(each for each, proof in kept if proof and (proof.any_place, proof.one_place, proof.whole) == never)
    prepared = patterns.Pattern(one.pattern, one.flags)
    prepared.prepare()
    text = " ".join(one.needs)
    found = one.search(text)
    monkeypatch.setattr("agentmem.patterns.pattern.parse", None)
    again = prepared.search(text)
    assert (again and again.span()) == (found and found.span())


def test_all_patterns_are_prepared() -> None:
    assert frozenset(every_pattern()) <= frozenset(patterns.prepare())


def test_a_pattern_that_cannot_be_read_keeps_no_other_from_being_prepared() -> None:
    refused = patterns.compile(r"(no+)\1 end of it")
    with pytest.raises(patterns.error):
        refused.prepare()
    assert refused in tuple(patterns.prepare())


def test_a_pattern_is_another_one_under_other_flags() -> None:
    one = next(each for each in every_pattern() if known(each.pattern, each.flags) is not None)
    assert known(one.pattern, one.flags ^ re.IGNORECASE) is None


@settings(max_examples=400, deadline=None)
@given(source=SOURCES, text=TEXTS)
@pytest.mark.parametrize("flags", [0, re.IGNORECASE])
def test_what_matches_holds_a_string_that_is_needed(source: str, text: str, flags: int) -> None:
    strings = needed(parse(source, flags).root)
    if strings and not holds_one(text, strings):
        assert re.search(source, text, flags) is None


@pytest.mark.parametrize(
    ("source", "strings"),
    [
        ("my (?:wife|husband)", {"my wife", "my husband"}),
        (r"\b(?:wife|housewife)s?\b", {"wife"}),
        ("(?:re)?new[ae]d", {"newad", "newed"}),
        (r"(?:fiancée|partner) of \d", {"fianc", "partner"}),
        (r"\w+(?: very){1,3} good(?!s)", {" very"}),
        ("(?:very )*", set[str]()),
    ],
)
def test_what_is_needed_is_whole_words_where_the_pattern_says_them(source: str, strings: set[str]) -> None:
    assert needed(parse(source, re.IGNORECASE).root) == strings


@pytest.mark.parametrize("text", ["ΑΣ", "KING'S", "ſIX", "İn", "ın"])
def test_a_text_holds_a_string_in_whatever_case(text: str) -> None:
    assert holds_one(f"the {text} of", {"of it", folded(text)})
    assert not holds_one(f"the {text} of", {"of it"})
    assert len(folded(text)) == len(text)


def test_a_letter_has_all_the_forms_that_python_takes_for_it() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    for code in range(128):
        assert letter(code, True, False).listed == frozenset(re.findall(re.escape(chr(code)), every, re.IGNORECASE))


@pytest.mark.parametrize("code", [0xE5, 0xB5, 0x17F, 0x130, 0x131, 0x3B9, 0x1E9E])
def test_the_forms_of_a_letter_beyond_ascii_are_not_listed(code: int) -> None:
    assert letter(code, True, False).listed is None


def test_a_proof_for_a_length_holds_for_shorter_texts_and_grows_no_longer() -> None:
    proof = prove(parse(r"(?:a|aa){0,20}x", 0))
    assert proof.one_place < 1_000
    assert prove(parse(r"\d{4}-\d{2}(?!\d)", 0)).any_place == UNBOUNDED


def test_a_text_without_what_is_needed_is_told_so_by_every_operation() -> None:
    pattern = patterns.compile(r"(?:\w+\s?)*(?P<mark>!)")
    text = "word " * 4_000
    assert pattern.search(text) is pattern.match(text) is pattern.fullmatch(text) is None
    assert list(pattern.finditer(text)) == pattern.findall(text) == []
    assert (pattern.split(text), pattern.subn("x", text)) == ([text], (text, 0))
