"""Who somebody named is to the speaker: `my husband Jonas …`, 我同事Lily…, `my new boss is Ms. Okafor`.

It is remembered about the one who is named, so that he is found by his name; that he is it no more is held as denied.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding
from agentmem.adapters.cognition.rules.told import finding
from agentmem.domain.memory import Modality
from agentmem.language.names import placed_names

_NAME_EN = r"(?-i:(?:(?:Mr|Ms|Mrs|Dr|Miss|Prof)\.? )?(?![A-Za-z]+-[a-z])[A-Z][a-z][\w'-]*(?: [A-Z][a-z][\w'-]*){0,2})"
_KIN_EN = rf"(?:{en.COLLEAGUES}|{en.HOUSEHOLD})"
_LATIN = zh.LATIN_NAME
_SHORTEST = f"{zh.NAME}?"
"""A Chinese name as short as what follows allows: 李敏不是… names 李敏."""
_KIN_ZH = rf"(?:{zh.HOUSEHOLD}|{zh.COLLEAGUES})"
_AN_ADJECTIVE = re.compile(
    r"(?:[A-Z]\w*(?:ish|ese|ian|ean|can|wegian|lic)|German|French|Dutch|Greek|Swiss|Muslim|Hindu|Thai|Czech|Welsh|Arab|Vegan|Asian|Black|White|Here|There|Gone|Away|Late|Sick|Right|Wrong|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b"
)
_SENTENCES_EN = (
    re.compile(rf"^(?:my|our) (?:new |current |other |best |old )?(?P<kin>{_KIN_EN})(?:'s name)?(?: now)? (?:is|'s) (?:now )?(?P<called>called |named )?(?P<name>{_NAME_EN})(?: now)?$", re.IGNORECASE),
    re.compile(rf"^(?P<name>{_NAME_EN}) (?:is|was|'s)(?: now)? (?P<not>not |no longer )?(?:my|our) (?:new |current |other |best )?(?P<kin>{_KIN_EN})(?: now| any ?more| any longer)?$", re.IGNORECASE),
    re.compile(rf"^(?P<name>{_NAME_EN}) (?P<not>isn't) (?:my|our) (?P<kin>{_KIN_EN})(?: any ?more| any longer| now)?$", re.IGNORECASE),
)  # fmt: skip
_SENTENCES_ZH = (
    re.compile(rf"^(?:我们?的?|现在)(?:新的?|现任|现在的)?(?P<kin>{_KIN_ZH})(?:的名字)?(?:现在)?(?:(?P<called>名?叫)|就?是|换成了?)(?P<name>{zh.NAME}|{_LATIN})(?:了)?$"),
    re.compile(rf"^(?P<name>{_SHORTEST}|{_LATIN})(?:现在|已经|就|早就)*(?P<not>不(?:再)?)?是我们?的?(?:新|现任)?(?P<kin>{_KIN_ZH})(?:了)?$"),
)  # fmt: skip
_NAMED_ZH = re.compile(
    rf"^(?:.{{0,6}}?[,，])?(?:我们?的?)(?:[一那]个|有个)?(?P<kin>{_KIN_ZH})(?P<name>{zh.NAME}|{_LATIN})"
)
_NAMED_EN = re.compile(
    rf"\b(?:my|our) (?:new |current |old |ex-|former )?(?P<kin>{_KIN_EN}),? (?P<name>{_NAME_EN})\b", re.IGNORECASE
)
_BY_WORDS = re.compile(rf"\b(?:{en.CHILDREN})\b|^(?:{zh.CHILDREN})$", re.IGNORECASE)
_FORMER = re.compile(r"\b(?:old|former|ex)\b|^ex|前", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Kin:
    """Somebody by name, and what he is to the speaker, or is no more; `whole` where the clause says only that."""

    name: str
    word: str
    denied: bool = False
    whole: bool = True


def kin_in(clause: Clause) -> Kin | None:
    """Whom the clause names with what he is to the speaker; of children, whose names are told with them, nobody."""
    chinese = clause.lang == "zh"
    for pattern in _SENTENCES_ZH if chinese else _SENTENCES_EN:
        found = pattern.match(clause.text)
        if found is not None and not _BY_WORDS.search(found["kin"]):
            parts = found.groupdict()
            named = parts.get("called") is not None or _is_name(found["name"], chinese)
            return Kin(found["name"], found["kin"], denied=parts.get("not") is not None) if named else None
    found = (_NAMED_ZH if chinese else _NAMED_EN).search(clause.text)
    named = found is not None and clause.subject.person == found["name"]
    if found is None or not named or _BY_WORDS.search(found["kin"]) or _FORMER.search(found.group()):
        return None
    return Kin(found["name"], found["kin"], whole=False)


def introduced(clause: Clause) -> Clause:
    """The clause with the one it gives a name as its subject, by that name."""
    kin = kin_in(clause)
    if kin is None or not kin.whole:
        return clause
    return replace(clause, subject=replace(clause.subject, person=kin.name))


def kinship(clause: Clause, discourse: Discourse) -> Iterator[Finding]:
    """Who is what to the speaker, about the one who is named."""
    kin = kin_in(clause) if clause.act in (Act.ASSERT, Act.REPORTED) else None
    if kin is None or kin.name in discourse.person.name:
        return
    word = kin.word if clause.lang == "zh" else kin.word.lower()
    if clause.lang == "zh":
        content = f"{kin.name}{'不再是' if kin.denied else '是'}{discourse.label}的{word}"
    else:
        content = f"{kin.name} is {'no longer ' if kin.denied else ''}{discourse.label}'s {word}"
    modality = Modality.NEGATED if kin.denied else Modality.STATED
    yield finding(clause, discourse, content, "person", 4, about=kin.name, modality=modality)


def _is_name(name: str, chinese: bool) -> bool:
    """Whether it can be nothing but a name: not what somebody is by trade or from where he comes."""
    if name.isascii():
        return _AN_ADJECTIVE.match(name) is None
    if not chinese or re.search(rf"(?:{zh.OCCUPATION_END})$", name):
        return False
    return is_person_zh(name)


def is_person_zh(name: str) -> bool:
    """Whether the words are a person's name in Chinese wherever they stand."""
    return any(
        each.mention.kind == "person" and each.mention.name == name
        for each in (*placed_names(f"{name}是经理"), *placed_names(f"找{name}的电话"))
    )
