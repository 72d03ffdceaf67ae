"""Of whom an English clause speaks, read off its beginning."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as words
from agentmem.adapters.cognition.rules.model import Subject, Who

_I = re.IGNORECASE
_LEAD = (
    r"(?:(?:at the moment|right now|currently|these days|today|this (?:week|month|year)|last (?:week|month|year)|next (?:week|month|year)|for years|most of the time|"
    r"usually|normally|mostly|ideally|in total|on average|by the way|every \w+|on \w+days?|(?:for|in|with|at|from) [^,]{1,40}),?\s+)?"
)
_THIRD = re.compile(
    rf"{_LEAD}(?:(?:my|our|one of (?:my|our)|a)\s+(?:\w+\s+)?(?P<kin>{words.COLLEAGUES}|{words.HOUSEHOLD})s?\b(?!')(?:,?\s+(?P<name>(?-i:[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)))?"
    rf"|(?:my|our)\s+(?:\w+\s+)?(?P<kins>{words.COLLEAGUES}|{words.HOUSEHOLD})(?:'s|s')"
    r"|(?P<pronoun>he|she|they|his|her|their|someone|somebody|people|everyone|everybody|others|competitors)\b"
    r"|(?P<full>(?-i:(?!I'|It's|That's|There's|What's|Here's|Let's|He's|She's|Who's|Where's)[A-Z][a-z]+))'s\s+(?=number|phone|mobile|email|address|extension|cell)"
    r"|(?P<chief>(?-i:[A-Z][a-z]+(?:\s[A-Z][a-z]+)?))\s+(?:handles|manages|runs|is in charge|looks after|is (?:our|my|the)|does our)\b)",
    _I,
)
_SECOND = re.compile(rf"{_LEAD}(?:your|you|yours)\b(?:'re|'ll|'ve)?", _I)
_FIRST = re.compile(rf"{_LEAD}(?P<self>I|we|both of us|all of us|myself)\b(?P<aux>'m|'re|'ve|'d|'ll)?", _I)
_MINE = re.compile(rf"{_LEAD}(?P<own>(?:my|our)\s+)", _I)
_OWN = re.compile(rf"{_LEAD}(?P<own>(?:the\s+|this\s+)?(?:\w+\s+)?(?:{words.OWN}))(?:'s)?\b(?=\s|'s|:)(?! of\b)", _I)
_OFFER = re.compile(rf"{_LEAD}(?P<offer>(?:the|this|that|those|these)?\s*(?:\w+\s+)?(?:{words.OFFER}))\b(?=\s|'s)", _I)
_THING = re.compile(rf"{_LEAD}(?:it|this|that|these|those|there|here)\b(?:'s|'re|'ll|'d)?", _I)
_VERB = re.compile(
    r"(?:really |just |also |still |currently |mainly |mostly |actually |only |definitely |probably )*"
    r"(?:need(?:ed|ing)?|want(?:ed|ing)?|looking (?:for|to|at)|hoping|trying|planning|thinking of|based in|living in|working (?:in|at|as|for)|currently|using|used to|running|moving|"
    r"got|have|had|would (?:like|prefer|love)|would rather|prefer|love|like|hate|can't|cannot|must|don't|won't|never|no (?:budget|time|meat|nuts|dairy)|allergic|interested in|happy with|ready to|"
    r"team of|about \d|around \d|roughly \d|\d|up to|at least|max|ideally|preferably|only|mornings|evenings|weekends|weekdays|after|before|tuesday|monday|wednesday|thursday|friday|saturday|sunday)\b",
    _I,
)


def subject_of(text: str, agent_words: re.Pattern | None, person: str) -> tuple[Subject, str]:
    """The subject and what follows it. `person` is the speaker's name, for those who have none of their own."""
    if agent_words is not None and agent_words.match(text):
        return Subject(Who.SECOND, "agent"), text
    third = _THIRD.match(text)
    if third is not None:
        return _third(third, person), text[third.end() :]
    for who, pattern in _ORDER:
        found = pattern.match(text)
        if found is not None:
            return Subject(who, found.group()), text[found.end() :]
    if _VERB.match(text):
        return Subject(Who.NONE), text
    return Subject(Who.THING, ""), text


_ORDER = (
    (Who.SECOND, _SECOND),
    (Who.FIRST, _FIRST),
    (Who.OWN, _MINE),
    (Who.THING, _THING),
    (Who.OFFER, _OFFER),
    (Who.OWN, _OWN),
)


def _third(found: re.Match, person: str) -> Subject:
    name = found["name"] or found["full"] or found["chief"]
    kin = found["kin"] or found["kins"]
    if name:
        return Subject(Who.THIRD, found.group(), name)
    return Subject(Who.THIRD, found.group(), f"{person}'s {kin.lower()}" if kin else None)


def is_household(subject: Subject) -> bool:
    """Whether the third person is a child, an animal or a relative of the speaker."""
    return subject.who is Who.THIRD and re.search(rf"\b(?:{words.CHILDREN})\b", subject.words, _I) is not None
