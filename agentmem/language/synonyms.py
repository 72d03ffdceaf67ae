"""Words that ask for what other words tell, in Chinese and English: a birthplace is where somebody was born, and a
mother is asked for as 妈妈 and told of as 母亲.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from agentmem import patterns as re
from agentmem.language.tokens import tokens
from agentmem.language.word_lists import word_groups

Kin = Literal["mother", "father", "wife", "husband", "child", "sibling", "grandparent", "boss", "colleague", "teacher"]

_WORDS: Final[Mapping[Kin, str]] = {
    "mother": r"妈妈?|母亲|老妈|娘亲|父母|双亲|\b(?:(?:mother|parents)(?![ -]in[ -]law)|mum|mom|mummy|mommy)\b",
    "father": r"爸爸?|父亲|老爸|父母|双亲|\b(?:(?:father|parents)(?![ -]in[ -]law)|dad|daddy)\b",
    "wife": r"老婆|妻子|太太|媳妇|爱人|夫人|配偶|\b(?:wife|spouse|married)\b",
    "husband": r"老公|丈夫|爱人|配偶|\b(?:husband|spouse|married)\b",
    "child": r"孩子|儿子|女儿|小孩|儿女|子女|宝宝|闺女"
    r"|\b(?:child|children|kids?|(?:sons?|daughters?)(?![ -]in[ -]law)|boys?|girls?|bab(?:y|ies)|twins)\b",
    "sibling": r"哥哥?|弟弟?|姐姐?|妹妹?|姐妹|兄弟|\b(?:(?:brothers?|sisters?)(?![ -]in[ -]law)|siblings?|twins?)\b",
    "grandparent": r"爷爷|奶奶|外公|外婆|姥姥|姥爷|祖父|祖母|\bgrand(?:father|mother|pa|ma|parents?)\b",
    "boss": r"老板|上司|领导|主管|\b(?:boss|manager|supervisor)\b",
    "colleague": r"同事|搭档|\b(?:colleagues?|co-?workers?|workmates?)\b",
    "teacher": r"老师|导师|师父|\b(?:teachers?|supervisors?|mentors?|tutors?|professors?)\b",
}
_PATTERNS: Final[Mapping[Kin, re.Pattern]] = {kin: re.compile(words, re.IGNORECASE) for kin, words in _WORDS.items()}
_ANY: Final = "|".join(_WORDS.values())
_INVERSE: Final[Mapping[Kin, frozenset[Kin]]] = {
    "mother": frozenset({"child"}),
    "father": frozenset({"child"}),
    "child": frozenset({"mother", "father"}),
    "wife": frozenset({"husband"}),
    "husband": frozenset({"wife"}),
}


def kin_in(text: str) -> frozenset[Kin]:
    """The relations that a text has words for."""
    return frozenset(kin for kin, pattern in _PATTERNS.items() if pattern.search(text))


def inverse(kin: Kin) -> frozenset[Kin]:
    """What the other one is."""
    return _INVERSE.get(kin, frozenset())


def relative_of(owner: str, sentence: str) -> tuple[frozenset[Kin], str]:
    """Who it is that a sentence is about, where it begins with a relative of the owner, given as a pattern; and what
    comes after that word."""
    begins = re.match(rf"\W*(?:{owner})(?:的|['’]s?)?\s*(?:\w+ )?(?P<kin>{_ANY})", sentence, re.IGNORECASE)
    return (kin_in(begins["kin"]), sentence[begins.end() :]) if begins else (frozenset(), sentence)


def relative_free(owner: str, question: str) -> str:
    """The question without the relative who is asked for as the owner's, or else without the mark of what he has."""
    owned = re.escape(owner)
    bare = re.sub(rf"({owned})(?:的|['’]s? )\s*(?:{_ANY})", r"\1", question, flags=re.IGNORECASE)
    return re.sub(rf"({owned}['’]s? |^{owned}的)(?!.*(?:{_ANY}))", f"{owner} ", bare, flags=re.IGNORECASE)


_GROUP_OF: Final[Mapping[str, int]] = {
    term: place for place, group in enumerate(word_groups("synonyms")) for word in group for term in tokens(word)
}


def senses(words: Iterable[str]) -> frozenset[str | int]:
    """Words, as `tokens` has them, and the groups they are in: two that share one may mean the same."""
    held = frozenset(words)
    return held | {_GROUP_OF[word] for word in held if word in _GROUP_OF}
