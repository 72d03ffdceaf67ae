"""What a person says of things that touch him and no other rule reads: held in his words, as what he says.

The last of the rules: a clause that stands alone, in which he names himself, makes a demand or, in Chinese and at some
length, leaves himself out as the one who acts, and that gives something to go by. All else is left to the turn, which recall finds.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules.findings import finding
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.retelling import echoed, mentions_self, retold_zh
from agentmem.domain.memory import Modality
from agentmem.language.clauses import opens_with_verb
from agentmem.language.injection import gives_orders
from agentmem.language.names import names_of
from agentmem.language.numbers import parse_numbers

_I = re.IGNORECASE
_SELF_EN = re.compile(r"\b(?:i|we|me|us|my|our|mine|ours)\b", _I)
_VERB_EN = re.compile(
    r"(?:'s|'re|'ll|'ve|\b(?:is|are|was|were|has|have|had|will|can|can't|cannot|must|should|do|does|did|isn't|aren't|won't|don't|doesn't|didn't|hasn't|haven't))\b|\b(?!(?:this|us|as|plus|less|yes|his|its)\b)(?:[a-z]{2,}ed|(?<=\bit )[a-z]{2,}s|(?:(?<=\bmy )|(?<=\bour )|(?<=\bthe ))[a-z]+ [a-z]{2,}s)\b|(?:^|\b(?:the|my|our) [a-z -]{2,30} )(?:i|we) [a-z]{2,}\b|^(?!(?:one|two|three|four|five|six|seven|eight|nine|ten|no|some|both|all|many)\b)[a-z]+ [a-z]{3,}s\b",
    _I,
)
_OF_OTHERS_EN = re.compile(
    rf"^(?:my|our|the|a) (?:\w+ )?(?:{en.HOUSEHOLD}|{en.COLLEAGUES}|guy|man|woman|girl|boy|lady|people|couple|person)s?\b",
    _I,
)
_SPECIFIC_ZH = re.compile(
    "\\d|[A-Za-z]{2}|[今昨明后前]天|今晚|周[一二三四五六日天末]|[一二三四五六七八九十][月号点]|[改换](?!得)"
)
"""A number, a day, a name in Latin letters, or a change: without one of these what he says without a subject is talk of
the moment (晒成炭了), and the turn itself is found."""
_LETTERS_ZH = re.compile("[\u4e00-\u9fffA-Za-z]{2}|\\d")
_EMPTY_ZH = re.compile(
    r"^(?:就|先|再|都|也|还|那|一|去|来|会|能|要|得|可以|不|没|别)*(?:是|有|说|看|想|问|走|行|好|等|算|急|客气|记|知道|明白|觉得|感觉|听|聊|忙|谢|吃|喝|玩)?(?:了|过|着|吧|的|一下)*$"
)
_DEMANDS_ZH = re.compile(
    r"[^,我你他她它这那]{1,12}?(?:必须|一定要|不能|不要|不许|得(?!很|有)|需要|要(?!是|么|求|开始|结束|上涨))[^,]{1,20}$|[^,我你他她它这那]{1,5}最好|人[还在已就也]"
    r"|[^,我你他她它这那]{2,8}[改换变调推挪][了到成为].{2,}|[^,我你他她它这那现今明昨]{2,4}(?:(?:只有|是|最多|一共|大概)[\d一二两三四五六七八九十百千万半]{1,5}|[\d一二两三四五六七八九十百千万半]{1,5}[到至-][\d一二两三四五六七八九十百千万半]{1,5})[^,了]{0,3}$"
)
"""What he demands of a thing, what it changed to, how much of it, and where he himself is."""
_DEMANDS_EN = re.compile(r"\b(?:must|needs? to|ha(?:s|ve) to|should)\b", _I)
_NUMBER_EN = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred)\b", _I
)
_OTHERS_ZH = re.compile(r"[老小][\u4e00-\u9fff](?![\u4e00-\u9fff]?的)[^,]{2,}|[帮给替]我[^,]{1,2}$|真")
"""Somebody by his nickname; what is to be done with something that is not named; and an exclamation."""
_NAMES_ZH = re.compile(r"我(?:就)?(?:是|叫)[\u4e00-\u9fffA-Za-z]{1,8}$")
_SECOND = re.compile(r"\b(?:you|your|yours)\b|[你您]", _I)
_OPINION = re.compile(
    r"^(?:现在的|如今的|有的|有些|一般|大家|人家|测试)|有点|太[^,]{1,4}了|[好真](?:棒|美|赞|烦|爽|惨|累|难|贵|巧)|[烦气笑吓累]死|^别[笑怪介急担忘]|[我己]叫|^(?:免贵)?姓"
)
_NO_MORE = re.compile(r"不再|不[^,]{1,7}了$|\b(?:no longer|not any ?more|any more)\b", _I)
_HEARSAY = re.compile(r"\b(?:told|said|says|reckons?|claims?|thinks?|thought)\b|[说讲告]|觉得|认为|以为", _I)
_LONGEST = 120
_WHOLE_ZH = 8
"""Characters from which a clause that leaves out who acts says what he does: 让稳一个月 hangs on what was said around it."""


def sayings(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """The clause as what he says, where it gives something to go by."""
    if clause.act not in (Act.ASSERT, Act.REQUEST) or clause.subject.who in (Who.SECOND, Who.WORLD, Who.THIRD):
        return
    if not 4 <= len(clause.text) <= _LONGEST or _SECOND.search(clause.text) or _HEARSAY.search(clause.text):
        return
    if (
        _MESSAGE.match(clause.text)
        or gives_orders(clause.text)
        or _REMEMBER.match(clause.text)
        or _of_somebody_else(clause.text, discourse.label)
    ):
        return
    said = _said_zh(clause, discourse) if clause.lang == "zh" else _said_en(clause, discourse)
    if said is not None:
        kind = kind_of(clause.text, clause.lang)
        modality = Modality.NEGATED if _NO_MORE.search(clause.text) else Modality.STATED
        yield finding(clause, discourse, said, kind.name, max(3, kind.importance - 2), modality=modality)


def verbatim(clause: Clause, discourse: Discourse) -> Finding:
    """The clause as what he says, whatever it is about."""
    said = (_told_zh if clause.lang == "zh" else _told_en)(clause.text, discourse)
    kind = kind_of(clause.text, clause.lang)
    return finding(clause, discourse, said, kind.name, max(3, kind.importance - 2))


_MESSAGE = re.compile(r"(?:please |and |so |just )*(?:tell|ask|let|remind|inform) (?!me\b|us\b)", _I)
"""What somebody is to be told is no statement of him who sends it."""
_REMEMBER = re.compile(
    r"(?:please |and |so )*(?:remember|note|write down|keep in mind)\b|[请你您麻烦]*(?:记住|记得|记下|记录)", _I
)
"""What asks to be remembered is an order, and may be anything."""


def _of_somebody_else(text: str, label: str) -> bool:
    """Whether a clause begins with the name of a person who is not the speaker."""
    people = (each.name for each in names_of(text) if each.kind == "person")
    return any(text.startswith(name) and name not in label for name in people)


def _said_zh(clause: Clause, discourse: Discourse) -> str | None:
    text = clause.text
    acts = len(text) >= _WHOLE_ZH and opens_with_verb(text)
    own = mentions_self(text) or (not discourse.elsewhere and (acts or _DEMANDS_ZH.match(text)))
    if (
        not own
        or _NAMES_ZH.match(text)
        or _OPINION.search(text)
        or _EMPTY_ZH.match(text)
        or _LETTERS_ZH.search(text) is None
    ):
        return None
    if not (_SPECIFIC_ZH.search(text) or _DEMANDS_ZH.match(text) or parse_numbers(text) or names_of(text)):
        return None
    said = _told_zh(text, discourse)
    return said if len(said) >= 4 + len(f"{discourse.label}说") else None


def _told_zh(text: str, discourse: Discourse) -> str:
    return f"{discourse.label}说{retold_zh(text, '自己', '对方')}"


def _said_en(clause: Clause, discourse: Discourse) -> str | None:
    text = clause.text
    his_thing = clause.subject.who is Who.OWN and _NUMBER_EN.search(text) is not None
    gives = _SPECIFIC_EN.search(text) is not None or _SELF_EN.search(text) is not None
    if not discourse.elsewhere and _DROPPED_EN.match(text) and gives:
        done = echoed(text, discourse.agent_name)
        return f"{discourse.label} {done[:1].lower()}{done[1:]}"
    own = his_thing or _SELF_EN.search(text) is not None or _DEMANDS_EN.search(text) is not None
    if (
        not own
        or _OTHERS_ZH.match(text)
        or _OF_OTHERS_EN.match(text)
        or _VERB_EN.search(text) is None
        or len(text.split()) < 4
    ):
        return None
    return _told_en(text, discourse)


def _told_en(text: str, discourse: Discourse) -> str:
    said = echoed(text, discourse.agent_name)
    lowered = text[:1].islower() or _NO_NAME.match(text) is not None
    return f"{discourse.label} says {said[:1].lower() if lowered else said[:1]}{said[1:]}"


_DROPPED_EN = re.compile(
    r"(?:just |already |finally |also |now )*(?:(?!need|indeed|speed|feed)[a-z]{3,}ed|got|bought|sold|went|quit|left|took|found|began|gave|sent|paid|spent|lost|broke|forgot|brought|chose|won|wrote|flew)\b(?! (?:by|again|too|out|to be|as|like)\b)",
    _I,
)
"""What he has done, with himself left out: `booked Lisbon for 3 June`."""
_SPECIFIC_EN = re.compile(r"\d|\b(?:on|last|this|next|every) (?:mon|tues|wednes|thurs|fri|satur|sun)day", _I)
_NO_NAME = re.compile(
    r"(?:the|our|my|both|all|each|every|this|these|an?|no|some|most|for|at|in|on|from|with|about|as|so)\b", _I
)
"""What begins with a capital only where it begins a sentence."""
