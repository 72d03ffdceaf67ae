"""Names: what somebody is called, in full and for short; and who somebody named is to the speaker: `my husband Jonas …`,
我同事Lily…, `my new boss is Ms. Okafor`.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.acquaintances import NAME_EN, NO_PERSON, Acquaintances
from agentmem.adapters.cognition.rules.findings import finding
from agentmem.adapters.cognition.rules.model import (
    Act,
    Clause,
    Discourse,
    Finding,
    Lang,
    Span,
    Subject,
    Who,
    has_han,
)
from agentmem.domain.memory import Modality
from agentmem.language.names import placed_names
from agentmem.language.names_zh import is_full_name
from agentmem.language.tokens import ends_word
from agentmem.language.word_lists import word_list

_NAME_EN = r"(?-i:(?:(?:Mr|Ms|Mrs|Dr|Miss|Prof)\.? )?(?![A-Za-z]+-[a-z])[A-Z][a-z][\w'-]*(?: [A-Z][a-z][\w'-]*){0,2})"
_KIN_EN = rf"(?:{en.COLLEAGUES}|{en.HOUSEHOLD})"
_LATIN = zh.LATIN_NAME
_SHORTEST = f"{zh.NAME}?"
"""A Chinese name as short as what follows allows: 李敏不是… names 李敏."""
_KIN_ZH = rf"(?:{zh.RELATED})"
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
            named = named and found["name"].split()[0] not in NO_PERSON
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


def placed(clause: Clause, people: Acquaintances, speaker: str) -> Clause:
    """The clause told of somebody known, by his full name, where it begins with him; of nobody where that may be one of
    several. One of the speaker's children is named with what it is."""
    subject = clause.subject
    if subject.who is Who.THIRD and subject.person is not None:
        kin = re.search(_KIN_ZH if clause.lang == "zh" else _KIN_EN, subject.words, re.IGNORECASE)
        if not subject.person.startswith(speaker):
            if kin is not None:
                people.add(subject.person, kin.group())
            elif _BY_WORDS.search(people.kin.get(subject.person, "")) and subject.words == subject.person:
                return _named_at(clause, subject.person, people)
            return replace(clause, subject=replace(subject, person=people.called(subject.person)))
        name = None if kin is None or _BY_WORDS.search(kin.group()) else people.of_kin(kin.group())
        return clause if name is None else replace(clause, subject=replace(subject, person=name))
    if subject.who is not Who.THING or subject.words or clause.act is Act.QUESTION:
        return clause
    called = next((name for name in _names_at(clause) if people.knows(name)), None)
    return clause if called is None else _named_at(clause, called, people)


def _names_at(clause: Clause) -> Iterator[str]:
    """The names that a clause may begin with, the longest first."""
    if clause.lang == "zh":
        yield from (clause.text[:length] for length in (7, 6, 5, 4, 3, 2) if ends_word(clause.text, length))
    elif (found := _HEAD_EN.match(clause.text)) is not None:
        yield from (found["name"], found["name"].split()[0])


def _named_at(clause: Clause, called: str, people: Acquaintances) -> Clause:
    person = people.called(called)
    words, rest = called, clause.text[len(called) :]
    if person is None or not (rest.startswith(("'s ", " ", ", ")) or clause.lang == "zh"):
        return clause
    people.add(person)
    kin = people.kin[person]
    if rest.startswith(", "):
        words, rest = clause.text, ""
    if _BY_WORDS.search(kin):
        words = f"我{kin}{called}" if clause.lang == "zh" else f"my {kin} {called}"
    return replace(clause, text=f"{words}{rest}", subject=Subject(Who.THIRD, words, person), predicate=rest)


_VERB_EN = rf"(?:(?:{en.ADVERBS}) )*(?:can|can't|cannot|won't|\w+n't|{'|'.join(en.UNCHANGED_VERBS)}|[a-z]+ed|[a-z]+(?<!s)s(?! (?:need|are|were|have|do)\b))\b"
_HEAD_EN = re.compile(rf"(?P<name>{NAME_EN})(?='s\b| (?i:{_VERB_EN})|, (?:my|our) (?:[a-z-]+ )?(?i:{_KIN_EN})$)")
"""A name that opens a clause, before what somebody does or is: `Mark fixes bikes`, and not `mark the date`."""


def introductions(text: str, found: Iterable[re.Match], discourse: Discourse) -> Iterator[Finding]:
    """Who those are to the speaker whom a turn names along the way: `call Lena, my wife, on …`."""
    for each in found:
        name, kin = each["name"], each["kin"]
        if name in discourse.person.name or _BY_WORDS.search(kin):
            continue
        lang: Lang = "zh" if has_han(kin) else "en"
        content = (
            f"{name}是{discourse.label}的{kin}" if lang == "zh" else f"{name} is {discourse.label}'s {kin.lower()}"
        )
        yield Finding(content, "person", 4, lang, (Span(each.start(), each.end()),), about=name)


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


def titled(label: str, name: str, title: str, spans: tuple[Span, ...]) -> Finding:
    """What the title in somebody's label says he is; in English it is not said twice."""
    chinese = has_han(title)
    content = f"{label}是一名{title}" if chinese else f"{name} is {_with_article(title)}"
    return Finding(
        content,
        "profile",
        5,
        "zh" if chinese else "en",
        spans,
        "occupation",
        title,
        modality=Modality.INFERRED,
        key=(title,),
    )


def _with_article(title: str) -> str:
    """An English title as it stands in a sentence: `head of logistics`, `CEO`, `an HR manager`."""
    alone = _ONLY_ONE.match(title) is not None
    said = title if _KEEPS_CAPITAL.match(title) else f"{title[0].lower()}{title[1:]}"
    return said if alone else f"{'an' if _VOWEL.match(said) else 'a'} {said}"


_ONLY_ONE = re.compile(
    r"(?:(?:deputy|vice|co-?|managing|executive) ?)*(?:head|chief|president|director|vp|dean|mayor|chair\w*)\b.*(?: of| for|\bofficer)\b|(?-i:C[A-Z]O|VP|MD)\b",
    re.IGNORECASE,
)
"""What one person alone is in a firm stands without an article."""
_KEEPS_CAPITAL = re.compile(r"\w[A-Z]|[A-Z]\b|(?:[A-Z][a-z]+(?:an|ish|ese|ch|ek)) |[a-z]")
"""An acronym, and perhaps a language."""
_VOWEL = re.compile(r"(?!(?:uni|use|euro|one)|U[A-Z])(?:[aeiouAEIOU]|hour|hono)|[FHLMNRSX][A-Z]")
_I = re.IGNORECASE
_FULL_ZH = re.compile(
    rf"(?:全名|姓名|大名|真名|名字)(?:就?是|叫|:|为)?(?P<v>(?!.*的)[\u4e00-\u9fff·]{{2,6}})$|^(?:我|本人)(?:的?(?:名字)?叫|名叫)(?P<v2>[\u4e00-\u9fff·]{{2,4}}|[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)$|^我(?:就)?是(?P<v3>{zh.NAME})$"
)
_SURNAME_ZH = re.compile(rf"^(?:我|本人)?(?:免贵)?姓(?P<v>{zh.COMPOUND_SURNAMES}|[{zh.SURNAMES}])$")
_CALL_ZH = re.compile(
    r"(?<![别要准许用])(?:叫我|称呼我|喊我|管我叫)(?P<v>[\u4e00-\u9fffA-Za-z]{2,10}?)(?:就[行好成得]了?|就可以了?|即可|吧|好了)?(?=$|[,，。!！;；~])"
    r"|(?:(?<!给)我(?:的|有个)?|(?:^|[。!！?？;；])我(?:叫|是|姓)[^,，。!！?？;；]{1,10}[,，]\s*)英文名(?:是|叫)?(?P<v2>[A-Za-z]{2,15})"
)
_FULL_EN = re.compile(
    r"^(?:my (?:full )?name(?:'s| is)|the name(?:'s| is)|name's|i am called|this is|it's|i'm|i am)\s+(?P<v>(?-i:[A-ZÀ-Þ][a-zß-ÿ]+(?:[ -](?:[A-Z]\.?|(?:Mc|O')?[A-ZÀ-Þ][a-zß-ÿ]+)){0,3}))(?:\s+(?:from|at|with|of|here|over at)\s+(?P<firm>(?-i:[A-Z])[\w&' .-]{1,40}?))?(?:\s+(?:here|speaking|now))?(?:, (?:nice|pleased|good|great|lovely) to (?:meet|see|speak)\b.*)?$",
    _I,
)
_SELF_EN = r"(?:i(?: am|'m| was| have been|'ve been)|my (?:full |real )?name(?:'s| is))"
_CALL_EN = re.compile(
    rf"\b(?:(?<!not )(?<!n't )(?<!never )call me|i (?:also |usually |mostly |just )?go by"
    rf"|{_SELF_EN}(?: (?-i:[A-Z])[\w'-]*){{0,3}}(?: ?, ?| )(?:(?:also|better|usually|mostly|often|sometimes) )?(?:known as|goes by|go by))"
    rf"\s+(?P<v>(?-i:[A-Z][a-z]+))",
    _I,
)
_HERE_EN = re.compile(
    r"^(?P<v>(?-i:[A-ZÀ-Þ][a-zß-ÿ]+(?: [A-ZÀ-Þ][a-zß-ÿ]+)?))\s+(?:here|speaking)(?:\s+from\s+(?P<firm>(?-i:[A-Z])[\w&' .-]{1,40}?))?(?:,.*)?$",
    _I,
)
_NO_NAME = re.compile(
    r"^(?:not|very|so|just|really|here|looking|happy|sorry|interested|based|good|fine|busy|english|british|american|chinese|german|french|monday|tuesday|wednesday|thursday|friday|saturday|sunday|vegan|vegetarian|also|still|more|too|nobody|back|alone|ready|aware|home)\b",
    _I,
)


def names(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """`我姓罗，全名罗小东`, `this is Tom from Brightside`."""
    if clause.act not in (Act.ASSERT, Act.IDLE) or clause.subject.who is Who.SECOND:
        return
    if clause.lang == "zh":
        yield from _zh(clause, discourse)
        return
    found = _FULL_EN.match(clause.text) or _HERE_EN.match(clause.text)
    if found is None or _is_no_name(found["v"]):
        return
    name, firm = found["v"], found["firm"]
    ahead = discourse.turn.text[: clause.span.start].strip() and "name" not in discourse.asked
    if ahead and _IT_IS.match(clause.text) and set(name.split()).isdisjoint(discourse.person.name.split()):
        return
    if (
        clause.text.lower().startswith(("i'm ", "it's ", "i am ", "this is "))
        and name.split()[0] not in discourse.person.name
        and not firm
        and len(name.split()) < 2
        and not clause.opens_sentence
    ):
        return
    if name != discourse.person.name and name not in discourse.person.name:
        yield finding(clause, discourse, f"{discourse.label}'s name is {name}", "name", 7, attribute="name", value=name)
    if firm:
        yield finding(
            clause, discourse, f"{discourse.label} is from {firm}", "employer", 7, attribute="employer", value=firm
        )


_IT_IS = re.compile(r"it's|this is", _I)
"""What may be anything that was spoken of before it."""


def _is_no_name(words: str) -> bool:
    """Whether words in the place of a name say what somebody is, or open a sentence like any other."""
    first = words.split()[0]
    described = _AN_ADJECTIVE.match(words) is not None and words not in _LIKE_ADJECTIVES
    return described or first in NO_PERSON or _NO_NAME.match(words) is not None


_LIKE_ADJECTIVES = frozenset(word_list("names_en", "given names that end as adjectives do"))


def _zh(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    full = _FULL_ZH.search(clause.text)
    claimed = full["v3"] if full is not None else None
    if claimed and not set(claimed) & set(discourse.person.name):
        full = full if clause.opens_sentence and is_full_name(claimed) else None
    if full is not None and clause.subject.who is not Who.THIRD and not _of_another(clause, full):
        name = full["v"] or full["v2"] or full["v3"]
        if name == discourse.person.name:
            return
        word = "全名" if "全名" in clause.text else "姓名"
        yield finding(clause, discourse, f"{discourse.label}的{word}是{name}", "name", 7, attribute="name", value=name)
        return
    surname = _SURNAME_ZH.match(clause.text)
    if surname is not None and surname["v"] not in discourse.person.name:
        yield finding(clause, discourse, f"{discourse.label}姓{surname['v']}", "surname", 6)


def _of_another(clause: Clause, full: re.Match) -> bool:
    """Whether the words before a name give it to somebody or something else: 李敏的姓名是…, 这家店的名字是…."""
    before = clause.text[: full.start()]
    return full["v"] is not None and before.endswith("的") and _SELF_ZH.search(before) is None


_SELF_ZH = re.compile("(?:我|本人)(?:自己)?的$")


def repeats_name(clause: Clause, discourse: Discourse) -> bool:
    """Whether a clause only says what the name it already names somebody by is: 李敏的姓名是李敏."""
    found = _NAME_IS_ZH.match(clause.text) if clause.lang == "zh" else _NAME_IS_EN.match(clause.text)
    if found is None:
        return False
    named = {found["who"], clause.subject.person} if found["who"] else {discourse.person.name}
    return found["name"].casefold() in {name.casefold() for name in named if name}


_NAME_IS_ZH = re.compile(
    r"^(?:(?:我们?|本人)的?|(?P<who>[^,的]{2,16}?)的)?(?:全名|姓名|大名|真名|名字)(?:就?是|叫|:|为)*(?P<name>[\u4e00-\u9fff·A-Za-z ]{2,30})$"
)
_NAME_IS_EN = re.compile(
    r"^(?:my|the|(?P<who>[\w .-]{2,40}?)'s) (?:full |real )?name(?: is|'s|:) (?P<name>[\w .-]{2,40})$", _I
)


def nicknames(text: str, discourse: Discourse) -> list[tuple[str, int, int]]:
    """Other names he gives himself, with their places in the text."""
    found: list[tuple[str, int, int]] = []
    for pattern in (_CALL_ZH, _CALL_EN):
        for match in pattern.finditer(text):
            group = "v" if match["v"] else "v2"
            if match[group] != discourse.person.name:
                found.append((match[group], match.start(group), match.end(group)))
    return found


def short_name(text: str) -> str | None:
    """The last who is called by his title and his surname, whom a pronoun after it means: 店长小葛收，她电话…"""
    called = [each["name"] for each in _SHORT_NAME.finditer(text)]
    return called[-1] if called else None


_SHORT_NAME = re.compile(
    rf"(?:{zh.TITLES}|{zh.COLLEAGUES})(?P<name>[小老][{zh.SURNAMES}])(?=[收接说管]|[,，。;；、!！?？ ]|$)"
)
