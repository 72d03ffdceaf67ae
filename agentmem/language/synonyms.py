"""Words that ask for what other words tell, in Chinese and English: a birthplace is where somebody was born, and a
mother is asked for as 妈妈 and told of as 母亲.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from agentmem import patterns as re
from agentmem.language.tokens import tokens
from agentmem.language.word_lists import word_groups, word_list

Kin = Literal["mother", "father", "wife", "husband", "child", "sibling", "grandparent", "boss", "colleague", "teacher"]

_WORDS: Final[Mapping[Kin, str]] = {
    "mother": r"[亲老]?妈妈?|母亲|娘亲|爸妈|父母|双亲"
    r"|\b(?:(?:mother|parents)(?![ -]in[ -]law)|mum|mom|mummy|mommy)\b",
    "father": r"[亲老]?爸爸?|爸妈|父亲|老?爹|父母|双亲|\b(?:(?:father|parents)(?![ -]in[ -]law)|dad|daddy)\b",
    "wife": r"老婆|妻子|太太|媳妇|爱人|夫人|配偶|\b(?:wife|spouse|married)\b",
    "husband": r"老公|丈夫|爱人|配偶|\b(?:husband|spouse|married)\b",
    "child": r"孩子|[大小]?(?:儿子|女儿)|小孩|小朋友|儿女|子女|宝宝|宝贝|闺女|娃|双胞胎"
    r"|\b(?:child|children|kids?|(?:sons?|daughters?)(?![ -]in[ -]law)|boys?|girls?|bab(?:y|ies)|twins)\b",
    "sibling": r"[大二三亲]?哥哥?|[大小老亲]?弟弟?|[大二三亲]?姐姐?|[大小老亲]?妹妹?|妹子|姐妹|兄弟|兄妹|姐弟|弟兄"
    r"|\b(?:(?:brothers?|sisters?)(?![ -]in[ -]law)|siblings?|twins?)\b",
    "grandparent": r"爷爷|奶奶|外公|外婆|姥姥|姥爷|外?祖[父母]|\bgrand(?:father|mother|pa|ma|parents?)\b",
    "boss": r"老板|上司|领导|主管|\b(?:boss|manager|supervisor)\b",
    "colleague": r"同事|搭档|\b(?:colleagues?|co-?workers?|workmates?)\b",
    "teacher": r"老师|导师|师父|\b(?:teachers?|supervisors?|mentors?|tutors?|professors?)\b",
}
_PATTERNS: Final[Mapping[Kin, re.Pattern]] = {kin: re.compile(words, re.IGNORECASE) for kin, words in _WORDS.items()}
_ANY: Final = "|".join(_WORDS.values())
_KIN: Final = re.compile(_ANY, re.IGNORECASE)
_HIS_KIN: Final = re.compile(rf"(?:的|['’]s? )\s*(?:{_ANY})", re.IGNORECASE)
_RELATIVES: Final = word_list("kinship_zh", "children", "relatives")
_RELATIVE_ZH: Final = re.compile("|".join(sorted(_RELATIVES, key=len, reverse=True)))
_OF_KIN: Final = frozenset(word for word in _RELATIVES if any(each.fullmatch(word) for each in _PATTERNS.values()))
_INVERSE: Final[Mapping[Kin, frozenset[Kin]]] = {
    "mother": frozenset({"child"}),
    "father": frozenset({"child"}),
    "child": frozenset({"mother", "father"}),
    "wife": frozenset({"husband"}),
    "husband": frozenset({"wife"}),
}


def kin_in(text: str) -> frozenset[Kin]:
    """The relations that a text has words for; a word within another (弟 in 弟媳, 妈 in 舅妈) is none."""
    said = _RELATIVE_ZH.sub(lambda found: found[0] if found[0] in _OF_KIN else " ", text)
    return frozenset(kin for kin, pattern in _PATTERNS.items() if pattern.search(said))


def inverse(kin: Kin) -> frozenset[Kin]:
    """What the other one is."""
    return _INVERSE.get(kin, frozenset())


def relative_of(owner: str, sentence: str) -> tuple[frozenset[Kin], str]:
    """Who it is that a sentence is about, where it begins with a relative of the owner, given as a pattern; and what
    comes after that word."""
    begins = re.match(rf"\W*(?:{owner})(?:的|['’]s?)?\s*(?:\w+ )?(?P<kin>{_ANY})", sentence, re.IGNORECASE)
    return (kin_in(begins["kin"]), sentence[begins.end() :]) if begins else (frozenset(), sentence)


def relative_first(owner: str, sentence: str) -> frozenset[Kin]:
    """What he is to the owner with whom a sentence begins: "Ann's son plays"."""
    his = _HIS_KIN.match(sentence, len(owner)) if sentence.startswith(owner) else None
    return kin_in(his[0]) if his is not None else frozenset()


def relative_free(owner: str, question: str) -> str:
    """The question without the relative who is asked for as the owner's, or else without the mark of what he has.

    A pattern with both the owner and the relatives in it would be made anew for each owner, which takes 30 ms.
    """
    return _without_mark(owner, _without_relative(owner, question))


def _without_relative(owner: str, question: str) -> str:
    parts: list[str] = []
    done = 0
    for named in re.finditer(re.escape(owner), question, re.IGNORECASE):
        if named.start() >= done and (his := _HIS_KIN.match(question, named.end())):
            parts.append(question[done : named.end()])
            done = his.end()
    return "".join((*parts, question[done:]))


def _without_mark(owner: str, question: str) -> str:
    """Of what he has, unless a relative is named later in the line."""
    owned = re.escape(owner)
    relatives = [each.start() for each in _KIN.finditer(question)]
    parts: list[str] = []
    done = 0
    for marked in re.finditer(rf"{owned}['’]s? |^{owned}的", question, re.IGNORECASE):
        line_end = question.find("\n", marked.end())
        place = bisect_left(relatives, marked.end())
        if place == len(relatives) or 0 <= line_end <= relatives[place]:
            parts += (question[done : marked.start()], f"{owner} ")
            done = marked.end()
    return "".join((*parts, question[done:]))


_GROUP_OF: Final[Mapping[str, int]] = {
    term: place for place, group in enumerate(word_groups("synonyms")) for word in group for term in tokens(word)
}


def senses(words: Iterable[str]) -> frozenset[str | int]:
    """Words, as `tokens` has them, and the groups they are in: two that share one may mean the same."""
    held = frozenset(words)
    return held | {_GROUP_OF[word] for word in held if word in _GROUP_OF}
