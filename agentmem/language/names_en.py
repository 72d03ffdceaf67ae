"""Names in Latin script, by capital letters away from where a sentence gives one to any word."""

from collections.abc import Iterator, Sequence
from typing import Final

from agentmem import patterns as re
from agentmem.characters import is_letter, word_places
from agentmem.domain.entity import EntityKind
from agentmem.language.numbers import names_currency
from agentmem.language.word_lists import word_list

COMMON: Final = frozenset(word_list("names_en", "capitals that name nothing"))
"""Capital letters that name nothing in particular."""


_TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Lady)\.?"
_LETTER = r"0-9A-Za-z\u00c0-\u024f"
_PART = rf"(?:[A-Z\u00c0-\u00de][{_LETTER}'’&+#-]*(?:\.[{_LETTER}]+)*|[a-z]+[A-Z][{_LETTER}]*)"
_GAP = r"[^\S\n]+"
"""Between the words of a name: a line that ends, ends it, as a heading does."""
_NUMBER = rf"{_GAP}v?\d+(?:\.\d+)*"
_RUN = re.compile(
    rf"(?:^|[^{_LETTER}@./-])(?P<run>(?:{_TITLE}{_GAP})?{_PART}(?:{_GAP}(?:(?:of|the|and|de|van|von|for|&){_GAP}){{0,2}}{_PART}|{_NUMBER})*)"
)
_NUMBER_BEFORE = re.compile(r"(?:^|[^\w.,])(?P<number>\d[\d.,]*) $")
_YEAR = re.compile(r"(?:19|20)\d\d")
_UNIT_AFTER = re.compile(
    r"(?!\s+[a-z])|\s+(?:of|per|and|or|an?|each|in|for|to|from|at|on|with|by|plus|more|less|is|are|was|were)\b"
)
LONGEST_UNIT: Final = 4
_NUMBER_AT_END = re.compile(rf"{_NUMBER}$")
_BREAK = re.compile(r"\s+(?:and|for)\s+")
_ORGANISATION = re.compile(
    r"\b(?:Inc|Ltd|LLC|Corp|Corporation|GmbH|AG|Co|Company|Bank|University|College|School|Hospital|Clinic|Agency|Institute|"
    r"Group|Partners|Labs?|Logistics|Foundation|Council|Ministry|Department|Holdings|Industries|Studio|Consulting|Insurance|Foods)\.?$"
)
_PRODUCT = re.compile(
    r"\b(?:Platform|System|Suite|Server|Cloud|Database|Engine|App|Portal|Gateway|Assistant|SDK|API|CRM|ERP|OS|Scheduler|Module|Service)$"
)
_PROJECT = re.compile(r"^(?:Project|Operation)\b|\b(?:Project|Programme|Program|Initiative)$")
_PLACE = re.compile(r"\b(?:Street|Road|Avenue|City|County|Square|Airport|Station|Island|River|Valley|Harbour|Harbor)$")
_PERSON_AFTER = re.compile(
    r"^(?:['’]s\s+(?:wife|husband|son|daughter|boss|team|phone|number|birthday|email|sister|brother|mother|father|manager)\b"
    r"|\s+(?:said|says|told|asked|works|worked|lives|lived|joined|leads|led|manages|managed|wants|likes|prefers|called|is\s+(?:an?|the)\s+\w*(?:er|or|ist|ian|ant|manager|lead|head|director|chief)))\b"
)
_PERSON_BEFORE = re.compile(
    r"\b(?:colleague|friend|boss|manager|wife|husband|son|daughter|brother|sister|customer|client|named|called|by|with)\s+$"
)
_PLACE_BEFORE = re.compile(r"\b(?:in|to|near|from|at|based in|located in|moved to|lives in)\s+$")
_CALENDAR = frozenset(word_list("names_en", "calendar"))
_ORDINARY = frozenset(word_list("names_en", "open a sentence"))
_SELF = frozenset(["I", "I'm", "I've", "I'd", "I'll"])
_VERB_AFTER = re.compile(
    r"^(?:['’]s\b|\s+(?:is|was|has|had|will|can|uses?|used|runs?|ran|works?|worked|makes?|made|owns?|owned|supports?|provides?|"
    r"provided|offers?|lives?|lived|leads?|led|manages?|managed|needs?|wants?|depends?|relies|relied|integrates?|connects?|stores?|stored|"
    r"replaced|replaces|belongs?|acquired|joined|moved|said|told|built|builds|develops?|developed|maintains?|maintained|sells?|sold|"
    r"delivers?|delivered|reads?|writes?|sends?|hosts?|hosted|(?:co-)?founded|employs|reports?|requires?|ships?|shipped|handles?|writes?|"
    r"launche[sd]|releases?|released|adopt(?:s|ed)|supersedes?|superseded|partners|partnered|switched|acquires|bought|creates?|created|"
    r"designs?|designed|establishe[sd]|set up|includes?|contains?|publishe[sd]|produces?|produced|and|,)\b)"
)


_LISTED_AFTER = re.compile(r"^(?:\s+and\b(?P<next>\s+[a-z])?|,)")
_PLURAL_AFTER = re.compile(
    r"^\s+(?:use|run|work|make|own|need|want|depend|rely|read|write|send|support|require|include|contain)\b"
)
_INFLECTED = re.compile(r"(?:[a-z]{3}[^s]s|ing)$")
_NUMBERS = frozenset(word_list("names_en", "numbers"))
_TONGUES = frozenset(
    [
        *("English", "Chinese", "Latin", "French", "German", "Spanish", "Japanese", "Korean", "Italian", "Russian"),
        *("Arabic", "Portuguese", "Dutch", "Greek", "Hindi", "Mandarin", "Cantonese"),
    ]
)
"""What people speak, and what is from there: no name of anything."""


def closing_word(name: str) -> str | None:
    """The word that says what kind of thing a name names, in lower case: `platform` of `Acme Platform`."""
    found = (pattern.search(name) for pattern in (_ORGANISATION, _PROJECT, _PRODUCT, _PLACE))
    return next((match.group().lower().rstrip(".") for match in found if match and match.start()), None)


def english_names(text: str) -> Iterator[tuple[int, str, EntityKind]]:
    """Each name with its place and its kind; a name may come twice."""
    for match in _RUN.finditer(text):
        start, end = match.span("run")
        run = _without_number(match["run"]) if is_letter(text[end : end + 1]) else match["run"]
        for piece in _BREAK.split(run):
            begin = text.index(piece, start)
            start = begin + len(piece)
            yield from _capitalised(text, begin, piece)


def _without_number(run: str) -> str:
    """A row of names without the number that ends it, or the last part of that: what goes on in letters is none."""
    number = _NUMBER_AT_END.search(run)
    return run if number is None else run[: max(number.start(), run.rfind(".", number.start()))]


def _capitalised(text: str, start: int, run: str) -> Iterator[tuple[int, str, EntityKind]]:
    words = re.sub(r"['’]s?$", "", run).split()
    opens = _opens_sentence(text, start)
    while words and (words[0] in _ORDINARY or words[0].lower() in ("of", "the", "and", "de", "van", "von", "for", "&")):
        start += len(words[0]) + 1
        words, opens = words[1:], False
    while len(words) > 1 and words[0].isdigit():
        start += text[start:].index(words[1])
        words = words[1:]
    while words and words[-1] in _SELF:
        words = words[:-1]
    words = [word.rstrip(".,") for word in words]
    name = " ".join(words)
    if not name or name in COMMON or name in _TONGUES or all(_is_date(word) for word in words):
        return
    rest = text[start + len(name) :][:60]
    if _is_amount(words) or _is_unit(text[max(0, start - 20) : start], name, rest):
        return
    distinct = len(words) > 1 or re.search(r"[A-Z0-9]", name[1:]) is not None
    if opens and not distinct and (not _VERB_AFTER.match(rest) or _is_ordinary(text, start, name, rest)):
        return
    if len(name) > 1:
        yield start, name, _kind(text[:start][-40:], name, rest)


def _is_amount(words: Sequence[str]) -> bool:
    """Whether it is a currency, alone or with how much of it: EUR 30."""
    return names_currency(words[0]) and all(word.replace(".", "").isdigit() for word in words[1:])


def _is_unit(before: str, name: str, after: str) -> bool:
    """Whether a short word behind a number says what it counts: 16 GB. Behind a year, or before what is counted (3 SAP
    systems), it is a name."""
    number = _NUMBER_BEFORE.search(before)
    short = len(name) <= LONGEST_UNIT and name.isalpha()
    return number is not None and short and not _YEAR.fullmatch(number["number"]) and bool(_UNIT_AFTER.match(after))


def _is_date(word: str) -> bool:
    return word in _CALENDAR or word.removesuffix("s") in _CALENDAR or word.isdigit()


def _is_ordinary(text: str, start: int, name: str, rest: str) -> bool:
    """Whether a word that opens a sentence is one like any other: in lower case elsewhere, a plural that does
    something, or, where it is never met again, told to be a name by no more than an `and` or a comma behind it."""
    if any(True for _ in word_places(name.lower(), text)):
        return True
    elsewhere = text[:start] + text[start + len(name) :]
    if any(_goes_on(elsewhere[max(0, at - 2) : at]) for at in word_places(name, elsewhere)):
        return False
    inflected = _INFLECTED.search(name) is not None
    if _PLURAL_AFTER.match(rest):
        return inflected
    beside = _LISTED_AFTER.match(rest)
    return beside is not None and (name in _NUMBERS or inflected or beside["next"] is not None)


def _goes_on(before: str) -> bool:
    """Whether two characters before a word say that it does not open a sentence."""
    return len(before) == 2 and before[1] == " " and (before[0] == "," or "a" <= before[0] <= "z")


def _opens_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\"'“‘(（#*-•>")
    return not before or before[-1] in ".!?。！？:：|\n\r…"


def _kind(before: str, name: str, after: str) -> EntityKind:
    if re.match(_TITLE + r"\s", name) or (
        _PERSON_BEFORE.search(before) and len(name.split()) <= 3 and not name.isupper()
    ):
        return "person"
    for pattern, kind in (
        (_ORGANISATION, "organisation"),
        (_PROJECT, "project"),
        (_PRODUCT, "product"),
        (_PLACE, "place"),
    ):
        if (found := pattern.search(name)) and found.start():
            return kind  # pyright: ignore[reportReturnType]
    if _PERSON_AFTER.match(after) and not name.isupper():
        return "person"
    if _PLACE_BEFORE.search(before) and name.istitle() and len(name.split()) == 1 and name.isalpha():
        return "place"
    return "thing"
