"""Whether a sentence speaks of somebody other than who says it: what a colleague earns answers no question for one's own
pay."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterable
from typing import Final

from agentmem import patterns as re
from agentmem.domain.naming import canonical_name
from agentmem.language.names import placed_names
from agentmem.language.synonyms import kin_in
from agentmem.language.word_lists import word_list
from agentmem.questions.form import wanted_by

_RELATED_EN: Final = (
    r"(?:mother|father|brother|sister|son|daughter)[- ]in[- ]law|in-laws|mother|mum|mom|father|dad|wife|husband|partner|girlfriend|boyfriend|ex|son|daughter|kids?|children|brothers?|sisters?|siblings?"
    r"|uncle|aunt|cousins?|nephew|niece|parents|grand(?:mother|father|ma|pa|parents)"
    r"|friends?|mates?|pals?|budd(?:y|ies)|neighbou?rs?|colleagues?|co-?workers?|workmates?|classmates?|flatmates?|roommates?|housemates?|boss"
)
_RELATED_ZH: Final = (
    "|".join(sorted(word_list("kinship_zh", "relatives"), key=len, reverse=True))
    + r"|爸妈|父母|双亲|妈妈?|母亲|爸爸?|父亲|老[婆公]|妻子|丈夫|太太|媳妇|爱人|[女男]朋?友|前[任夫妻]|儿子|女儿|闺女|孩子|[哥弟姐妹][哥弟姐妹]?|表[哥弟姐妹]|堂[哥弟姐妹]"
    r"|岳[父母]|公公|婆婆|爷爷|奶奶|外[公婆]|姥[姥爷]|叔叔|阿姨|舅舅|姑姑|侄[子女]|外甥|朋友|哥们|闺蜜|邻居|同事|同学|室友|舍友|老板|领导|上司|亲戚"
)
_PET_EN: Final = r"pets?|dogs?|cats?|pupp(?:y|ies)|kittens?|horses?|pon(?:y|ies)|rabbits?|hamsters?|parrots?"
_PET_ZH: Final = "宠物|[小大老]?[狗猫]|兔子|仓鼠|鹦鹉"
_LEAD_EN: Final = r"\W*(?:(?:oh|and|but|so|well|anyway|also|btw|then|because|funny|hey|ha|yeah|no|yes)\b\W*)*"
_LEAD_ZH: Final = r"\W*(?:(?:对了|哦|唉|哈+|嗯|那个|然后|但是?|不过|而且|话说|说起来)\W*)*"
_PRONOUN: Final = re.compile(rf"{_LEAD_EN}(?:she|he)\b|{_LEAD_ZH}[他她](?!们?说我)", re.IGNORECASE)
_RELATIVE: Final = re.compile(
    rf"{_LEAD_EN}(?:(?:my|our|his|her|the|a|some)|['’]s?)\s(?:\w+['’]s\s)?(?:\w+\s)?(?P<en>{_RELATED_EN}|{_PET_EN})\b(?! and (?:i|me)\b)"
    rf"|{_LEAD_ZH}(?:[我咱他她]们?(?:的|家|单位|公司|班)*|的|隔壁的?|楼[上下]的?)(?:有个|那个|一个)?(?P<zh>{_RELATED_ZH}|{_PET_ZH})(?![和跟][我咱])",
    re.IGNORECASE,
)
_NEARBY_ZH: Final = re.compile(
    rf"{_LEAD_ZH}(?:隔壁|楼[上下]|人家|听说)|{_LEAD_ZH}[我咱]们?(?:单位|公司|班|村|小区)有[个人位]"
)
_OLD_THING: Final = re.compile(
    r"(?:\W*(?:says )?(?:the|this|that|my|our)|['’]s?) (?:\w+ ){0,2}?(?P<thing>\w+) (?:is|was|must be) [^,;.]{1,30}\b(?:years?|months?|weeks?|days?) old\b",
    re.IGNORECASE,
)
"""A thing that is so old, which is nobody's age: the house is 90 years old."""
_ASKS_WHO: Final = re.compile(
    r"\b(?:does|did|do|is|was|has|will|can) (?:my|our|his|her|their|the) \w+(?:er|or|ant|ist|ian|man|woman)\b"
    r"|谁|哪位|什么人|\b(?:who|whom|whose)\b",
    re.IGNORECASE,
)
_RELATED: Final = re.compile(rf"\b(?:{_RELATED_EN})\b|{_RELATED_ZH}", re.IGNORECASE)
_PET: Final = re.compile(rf"\b(?:{_PET_EN})\b|{_PET_ZH}", re.IGNORECASE)
_PETS: Final = re.compile(r"\b(?:pets?|animals?)\b|宠物|动物", re.IGNORECASE)
_COUNTED: Final = re.compile(
    rf"\bhow many (?:\w+ )?(?:{_RELATED_EN}|{_PET_EN})\b|(?:几|多少)[个位名只条]?(?:{_RELATED_ZH}|{_PET_ZH})",
    re.IGNORECASE,
)
"""Of whom it is asked how many somebody has."""
_HAS_OR_DOES: Final = re.compile(
    r"['’]s\b|\s(?:is|was|has|had|does|did|will|can|says|said|thinks|got|wants|\w{2,}s)\b", re.IGNORECASE
)


def is_of_another(sentence: str, question: str, names: Iterable[str]) -> bool:
    """Whether a sentence, said by or of the person who bears one of these names, begins with somebody else, whom the
    question does not ask for."""
    own = next((sentence[len(name) :] for name in names if sentence.startswith(name)), sentence)
    if _says_a_name_of(question, own):
        return False
    if _PRONOUN.match(own):
        return not _asks_of_another(question)
    if (relative := _RELATIVE.match(own)) is not None:
        return not _asks_of(question, relative["en"] or relative["zh"], own[relative.end() :])
    if (thing := _OLD_THING.match(own)) is not None:
        return thing["thing"].lower() not in question.lower()
    if _NEARBY_ZH.match(own) is not None:
        return not _asks_of_another(question)
    return _begins_with_a_name(sentence, question, names)


def _asks_of_another(question: str) -> bool:
    return _ASKS_WHO.search(question) is not None or _RELATED.search(question) is not None


def _asks_of(question: str, relative: str, told: str) -> bool:
    """Whether a question may ask for a relative or a pet, of whom that is told."""
    if _ASKS_WHO.search(question):
        return True
    counted = _COUNTED.search(question)
    if counted is not None and not kin_in(counted.group()).isdisjoint(kin_in(told)):
        return False
    if relative.lower() in question.lower():
        return True
    if _PET.fullmatch(relative):
        return _PETS.search(question) is not None
    asked, kin = kin_in(question), kin_in(relative)
    if asked and kin:
        return not asked.isdisjoint(kin | kin_in(told))
    return _RELATED.search(question) is not None


def _says_a_name_of(question: str, sentence: str) -> bool:
    plain = canonical_name(sentence)
    return any(
        canonical_name(each.mention.name) in plain for each in placed_names(question) if each.mention.kind == "person"
    )


_SOMEBODY: Final = re.compile(
    rf"\b(?:{_RELATED_EN}|i|me|myself|mr|mrs|ms|dr|miss|(?:the|an?|my|our|his|her|their) \w+(?:er|or|ant|ist|ian|man|woman|lord|lady))\b|{_RELATED_ZH}|[我咱]|本人|先生|女士|小姐|[经主]管?理|师傅|医生|老师|总(?!是|之|共|要|得|算|会)",
    re.IGNORECASE,
)


def names_somebody(sentence: str, question: str, names: Iterable[str]) -> bool:
    """Whether a sentence says who, beside those who bear these names and those whom the question names."""
    plain = canonical_name(question)
    rest = sentence
    for name in names:
        rest = rest.replace(name, " ")
    new = (canonical_name(each.mention.name) for each in placed_names(rest))
    return any(name not in plain for name in new) or _SOMEBODY.search(rest) is not None


def _begins_with_a_name(sentence: str, question: str, names: Iterable[str]) -> bool:
    plain = canonical_name(question)
    own = {part for name in names for part in (canonical_name(name), *canonical_name(name).split())}
    for placed in placed_names(sentence)[:1]:
        name = canonical_name(placed.mention.name)
        if placed.start > 0 or placed.mention.kind == "place" or not own.isdisjoint((name, *name.split())):
            return False
        if placed.mention.kind != "person" and wanted_by(question) in ("name", "place"):
            return False
        return (
            name not in plain
            and _HAS_OR_DOES.match(sentence, placed.end) is not None
            and not _asks_of_another(question)
        )
    return False
