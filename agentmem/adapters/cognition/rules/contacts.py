"""Contacts of every kind, and whose they are.

A contact belongs to whoever was named last before it in its turn: me, somebody else, or the agent's side,
whose contacts nobody needs to remember.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.acquaintances import NAME_EN, qualified
from agentmem.adapters.cognition.rules.address_words import ADDRESSES, is_at_work, is_his
from agentmem.adapters.cognition.rules.contact_words import (
    CONTACT,
    MY_OWN,
    NOBODYS,
    SAYS_WHOSE,
    counts_something_else,
    is_of_something_named,
    is_outdated,
    phone_slot,
)
from agentmem.adapters.cognition.rules.model import Discourse, Finding, Lang, Span, language_of, sentences
from agentmem.adapters.cognition.rules.persons import is_person_zh, short_name
from agentmem.adapters.cognition.rules.pronouns import Named

_I = re.IGNORECASE
_MOST = 40
"""Numbers looked at in one turn."""
_MOBILE = re.compile(r"^1\d{10}$")
_CUE = re.compile(
    r"电话|手机|联系|号码|座机|热线|分机|whatsapp|拨|打给|打我|call|phone|number|reach|mobile|tel\b|cell|text|ring|landline|contact|direct line|fax|传真|微信|换号|新号|来电",
    _I,
)
_DATE = re.compile(r"^(?:19|20)\d\d[ -]?\d\d?[ -]?\d\d?$|^\d{1,2}[ -]\d{1,2}[ -]\d{2,4}$")
_MINE_ZH = re.compile(
    rf"(?:我们?|本人)(?:自己)?(?:这边|公司)?的?(?![^,，。]{{1,3}}的(?:{zh.TITLES}|人))(?!(?:一个|那个|前)?(?:{zh.RELATED}))"
)
_NEW_ONE_ZH = re.compile("换号|新号")
"""Said of his own number, unless somebody else was named before it."""
_CHANGER_ZH = re.compile(
    r"(?:^|[,，。;；!！?？ ])(?P<who>[\u4e00-\u9fff]{2,4}?)(?:也|又|已经|最近|刚刚?|现在|今天|昨天|上周|上个?月)*(?:换了?新?号)"
)
"""Who has another number, by a name that may be known."""
_THEIRS_ZH = re.compile(
    rf"(?P<who>我们?(?:公司|单位|店里|部门)?的?(?:一个|那个|前)?(?:{zh.RELATED})(?P<name>{zh.NAME}|{zh.LATIN_NAME}|[老小][\u4e00-\u9fff])?)|(?P<pronoun>他们?|她们?)|(?:找|联系(?!方式)|加|打给|打|问|发给|寄给|交给|转给|抄送)(?:(?P<unit>[\u4e00-\u9fff]{{1,4}})的)?(?P<named>{zh.LATIN_NAME}|[老小]?(?:{zh.NAME}|[{zh.SURNAMES}])(?:{zh.TITLES})?)(?=[,的 吧:电手邮微]|\d)|(?:(?P<of>[\u4e00-\u9fff]{{2,4}})的)?(?P<owner>(?:[{zh.SURNAMES}](?:{zh.TITLES}))|{zh.NAME}|[老小][{zh.SURNAMES}]|{zh.LATIN_NAME})的(?=电话|手机|微信|邮箱|号码|联系|分机|座机|$)|(?:^|(?<=[,，。;；!！?？ ]))(?P<whose>(?![^的]{{0,3}}[我你您他她])[\u4e00-\u9fff]{{2,4}})的(?P<member>(?:[{zh.SURNAMES}](?:{zh.TITLES}))|{zh.NAME}|[老小][{zh.SURNAMES}])(?=[,， ]?(?:的?(?:电话|手机|微信|邮箱|号码|分机|座机)))|(?:^|(?<=[,，。;；!！?？ ]))(?P<changer>{zh.NAME}|{zh.LATIN_NAME})(?=(?:也|又|已经|最近|刚|现在|今天|昨天|上周|上个?月)*(?:换|改)(?:了|成|用|号|新|手机|电话|邮箱|微信))|(?:^|(?<=[,，。;；!！?？ ]))(?P<holder>{zh.NAME}|{zh.LATIN_NAME})(?=的(?:预算|公司|单位|地址|职位|生日|姓名|名字|全名))|(?P<hired>我们?(?:家|公司)?的?[\u4e00-\u9fff]{{0,3}}?(?:{zh.OCCUPATION_END}|师傅|[水电木瓦焊]工|保姆|钟点工))(?=的?(?:电话|手机|微信|邮箱|号码|联系|分机|座机))|(?P<bare>(?:{zh.RELATED})(?P<bare_name>{zh.NAME}|{zh.LATIN_NAME})?)(?=的?(?:电话|手机|微信|邮箱|号码|联系|分机|座机))"
)
_MINE_EN = re.compile(
    r"\b(?:my|our|mine|call me|reach me|text me|email me|ring me|me (?:at|on)|contact me|I(?:'d|'ve| would)?(?: (?:only|really|always|mostly|now|also|just))* (?:want|prefer|like|use|have|got|read|check|answer)|i'm (?:on|at)|us (?:at|on))\b(?!\s+(?:\w+\s+)?(?:"
    + en.COLLEAGUES
    + "|"
    + en.HOUSEHOLD
    + r")\b)",
    _I,
)
_THEIRS_EN = re.compile(
    rf"\b(?:my|our)\s+(?:\w+\s+)?(?P<kin>{en.COLLEAGUES}|{en.HOUSEHOLD})\b,?(?:\s+(?P<name>(?-i:[A-Z][a-z]+)))?|\b(?:my|our)\s+(?:\w+\s+)?(?P<whose>(?!(?:{en.OWN})')[a-z]+)'s\s+(?:\w+\s+)?(?:number|phone|mobile|e?-?mail|address|cell|line)|(?P<changer>(?-i:(?!(?:They|She|He|We|It|You|This|That|Somebody|Someone|Everyone|Everybody)\b)[A-Z][a-z]+))(?:'s| has| have)?(?: also| just| recently| now| too)* (?:changed|switched|updated|got|has)(?: to)? (?:his|her|their|a new|a different) (?:\w+ )?(?:number|phone|mobile|e?-?mail|address|cell|line|wechat|whatsapp)|\b(?P<pronoun>his|her|their|him|she|he)\b|(?P<owner>{NAME_EN})'s\s+(?:(?:\w+\s+)?(?:number|phone|mobile|email|address|cell|line|extension|wechat|whatsapp)|is(?=:? ?$))|(?:call|try|contact|reach|ask for|email|ring|speak to|talk to|write to|text)\s+(?P<named>(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?))\b",
    _I,
)
_NOT = re.compile(
    r"不是我|别打|not my|isn't my|wrong number|(?<!是)(?:不是|不叫|并非)[ :]*$|(?:\bnot|n't)(?: (?:at|on))?[ :]*$", _I
)
_WHATSAPP = re.compile(r"whatsapp", _I)
_SAID = re.compile(r"联系方式|联系电话|手机号码?|手机|座机|固话|电话号码|电话|号码")
_ALIAS = re.compile(r"(?:联系方式|电话|手机|微信|号码)?[ ,:是]*(?P<name>[\u4e00-\u9fff]{2,4})[ ,:]+$")
_SAME = re.compile(
    r"微信(?:和(?:手机|电话))?(?:号)?(?:也是|同号|同步|一样|就是(?:手机|电话)|和(?:手机|电话)一样)|(?:手机|电话)(?:号)?(?:同|和)微信(?:同号|一样)?|微信同"
)
_WORDS = {
    "phone": ("电话", "phone number"), "second_phone": ("另一个电话", "second phone number"), "work_phone": ("办公电话", "work phone number"), "home_phone": ("家里电话", "home phone number"),
    "email": ("邮箱", "email address"), "work_email": ("工作邮箱", "work email address"), "wechat": ("微信", "WeChat"), "qq": ("QQ", "QQ"),
    "work_address": ("公司地址", "office address"), "whatsapp": ("WhatsApp", "WhatsApp number"), "address": ("地址", "address"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a contact is: the speaker's (`mine`), a third person's by name, or nobody's worth keeping."""

    mine: bool
    name: str | None = None


def read_contacts(text: str, discourse: Discourse, skipped: list[Span]) -> Iterator[Finding]:
    """All contacts of a normalised turn. `skipped` are the stretches that ask or suppose."""
    yield from _addresses(text, discourse)
    if not any(char.isdigit() for char in text) and "@" not in text and not re.search("微信|wechat", text, _I):
        return
    before = 0
    for token in islice(CONTACT.finditer(text), _MOST):
        attribute, value = _read(token, text, discourse)
        if attribute is None or _skipped(token, text, skipped):
            continue
        sentence = _sentence(text, token.start())
        owner = _owner(text, sentence, before, token, discourse)
        before = token.end()
        span = Span(sentence.start, token.end())
        discourse.claimed.append(Span(token.start(), token.end()))
        yield from _findings(
            attribute,
            value,
            owner,
            text[sentence.start : span.end],
            span,
            discourse,
            text[sentence.start : token.start()],
            text[token.end() : sentence.end],
        )


def _addresses(text: str, discourse: Discourse) -> Iterator[Finding]:
    """Where the speaker lives, works or wants things sent; where others do is left to the other rules."""
    for lang, pattern in ADDRESSES:
        own = (found for found in islice(pattern.finditer(text), _MOST) if _is_his_address(found, text, discourse))
        found = next((each for each in own if lang == "en" or not each["v"].isascii()), None)
        if found is None:
            continue
        span = Span(found.start(), found.end("v"))
        discourse.claimed.append(span)
        slot = "work_address" if is_at_work(text[: found.start("v")]) else "address"
        yield _finding(slot, found["v"].strip(), None, lang, span, discourse, ended=False, said="地址")


def _is_his_address(found: re.Match, text: str, discourse: Discourse) -> bool:
    sentence = _sentence(text, found.start())
    head, tail = text[sentence.start : found.start()], text[found.end() : sentence.end]
    if not is_his(found, head):
        return False
    others = [owner for _, owner in sorted(_mentions(head, discourse), key=lambda mention: mention[0])]
    if not others and Named(discourse.people, discourse.person.name).within(head):
        return False
    if others and not others[-1].mine:
        return False
    return found["home"] is not None or all(owner.mine for _, owner in _mentions(tail[:_NEAR], discourse))


_NEAR = 40
"""How far behind an address somebody is looked for who lives there."""


def _findings(
    attribute: str, value: str, owner: Owner, said: str, span: Span, discourse: Discourse, head: str, tail: str
) -> Iterator[Finding]:
    if not owner.mine and owner.name is None:
        return
    lang: Lang = language_of(
        said.replace(value, ""), "zh" if language_of(discourse.asked + discourse.label) == "zh" else "en"
    )
    ended = is_outdated(head, tail)
    words = _SAID.findall(head)
    yield _finding(attribute, value, owner.name, lang, span, discourse, ended=ended, said=words[-1] if words else "")
    if attribute == "phone" and owner.mine and _SAME.search(discourse.turn.text):
        yield _finding("wechat", value, None, lang, span, discourse, ended=False, said="")


def _finding(
    attribute: str,
    value: str,
    about: str | None,
    lang: Lang,
    span: Span,
    discourse: Discourse,
    *,
    ended: bool,
    said: str,
) -> Finding:
    who = about or discourse.label
    zh_word, en_word = _WORDS[attribute]
    if attribute == "phone" and said and said != "号码":
        zh_word = said
    tense = ("以前的" if ended else "的", "old " if ended else "")
    content = f"{who}{tense[0]}{zh_word}是{value}" if lang == "zh" else f"{who}'s {tense[1]}{en_word} is {value}"
    return Finding(
        content,
        "contact",
        8,
        lang,
        (span,),
        attribute,
        value,
        about,
        ended=ended,
        key=(zh_word if lang == "zh" else en_word,),
    )


def _read(token: re.Match, text: str, discourse: Discourse) -> tuple[str | None, str]:
    """Which slot the token fills, and its value as said; None where it is no contact."""
    near = text[max(0, token.start() - 24) : token.end() + 12]
    if token["email"]:
        return (
            "work_email"
            if re.search(r"工作邮箱|公司邮箱|work e-?mail|office e-?mail|company e-?mail", near, _I)
            else "email"
        ), token["email"].rstrip(".-")
    if token["wechat"]:
        return "wechat", token["wechat_id"]
    if token["qq"]:
        return "qq", token["qq_id"]
    value = token["phone"].strip(" -")
    digits = re.sub(r"\D", "", re.split(r"转|ext|x", value, flags=_I)[0])
    local = text[max(0, token.start() - 40) : token.start()]
    head, after = _head(text, token), text[token.end() : token.end() + 16]
    if (
        not 6 <= len(digits) <= 15
        or _DATE.match(value)
        or counts_something_else(local, digits)
        or is_of_something_named(head, after, called=bool(_CUE.search(head) or _REACH.search(local)))
    ):
        return None, value
    cued = _CUE.search(text) or _CUE.search(discourse.asked[-160:]) or _REACH.search(local)
    if not (_MOBILE.match(digits) or cued):
        return None, value
    if _WHATSAPP.search(near):
        return "whatsapp", value
    return phone_slot(head), value


def _head(text: str, token: re.Match) -> str:
    """The words before a number that may say which it is: back to the contact before it, or the sentence's beginning."""
    sentence = _sentence(text, token.start())
    head = re.split(r"\d{5,}|[;；]", text[sentence.start : token.start()])[-1]
    return head[-60:]


def _owner(text: str, sentence: Span, before: int, token: re.Match, discourse: Discourse) -> Owner:
    head = text[before : token.start()] or text[: token.start()]
    tail = text[token.end() : token.end() + 14]
    own = text[max(sentence.start, token.start() - len(head)) : token.start()]
    said = None if MY_OWN.search(own) else SAYS_WHOSE.match(text[token.end() : sentence.end])
    if said is not None and (named := list(_mentions(said["whose"], discourse))):
        return min(named, key=lambda mention: mention[0])[1]
    if _NOT.search(text[sentence.start : token.start()]) or (_NOT.search(tail[:10]) and "别打" not in tail):
        return Owner(mine=False)
    if token["email"] and (addressee := _addressee(token["email"], text, discourse)) is not None:
        return Owner(mine=False, name=addressee)
    owners = sorted([*_mentions(head, discourse)], key=lambda mention: mention[0])
    if owners:
        before_it = owners[-1][0] < len(head) - len(own)
        return Owner(mine=True) if before_it and _DIRECTS.search(own) else owners[-1][1]
    if (other := _CHANGER_ZH.search(head)) is not None and discourse.people.knows(other["who"]):
        return Owner(mine=False, name=discourse.people.called(other["who"]))
    if _NEW_ONE_ZH.search(head):
        return Owner(mine=True)
    third = _named_before(head, discourse) or (discourse.third if discourse.elsewhere else None)
    if third is None and _DIRECTS.search(own):
        return Owner(mine=True)
    return Owner(mine=False, name=third) if third or discourse.elsewhere else Owner(mine=True)


_DIRECTS = re.compile(r"\b(?:to|use|on|at)\s*$|[发寄送]到?\s*$", _I)
"""What sends something to a contact says nothing of whose it is, and what stands in a sentence before it even less."""
_CALLED = re.compile(r"(?<![\w@.])(?P<first>[A-Z][a-z]{2,20})(?: [A-Z][a-z]{1,20})?(?![\w@])")


def _addressee(address: str, text: str, discourse: Discourse) -> str | None:
    """Somebody named in the turn, and not the speaker, whose first name the mail address begins with."""
    local = address.partition("@")[0].casefold()
    for found in _CALLED.finditer(text):
        first = found["first"].casefold()
        if re.match(rf"{first}(?![a-z])", local) and first not in discourse.person.name.casefold():
            return found.group()
    return None


def _named_before(head: str, discourse: Discourse) -> str | None:
    """A full name other than the speaker's own right before the contact, with no word of his."""
    found = re.search(rf"(?P<name>{zh.NAME})[ ,:]*$", head)
    if found is None or set(found["name"]) & set(discourse.person.name) or len(found["name"]) < 2:
        return None
    return (
        found["name"]
        if re.fullmatch(
            rf"[ ,]*(?:.*(?:负责人|采购|经理|联系人|对接人|财务|行政)(?:是|:|叫)?)?[ ]*{found['name']}[ ,:]*", head
        )
        else None
    )


def _mentions(stretch: str, discourse: Discourse) -> Iterator[tuple[int, Owner]]:
    """Everybody named in a stretch, with the place; pronouns mean the third person named last."""
    for others in NOBODYS:
        yield from ((found.start(), Owner(mine=False)) for found in others.finditer(stretch))
    for mine in (_MINE_ZH, _MINE_EN):
        yield from ((found.start(), Owner(mine=True)) for found in mine.finditer(stretch))
    for at, name in discourse.people.owners_in(stretch):
        yield at, Owner(mine=False, name=name)
    named = False
    for at, called in _thirds(stretch, discourse):
        if called and called in discourse.person.name:
            yield at, Owner(mine=True)
        elif called and discourse.people.called(called) is None:
            yield at, Owner(mine=False)
        else:
            called = discourse.people.called(called) if called else None
            short = None if called or named else short_name(stretch[:at])
            discourse.third = called or short or discourse.third
            named = named or called is not None
            yield at, Owner(mine=False, name=discourse.third)


def _thirds(stretch: str, discourse: Discourse) -> Iterator[tuple[int, str | None]]:
    """Third persons by name or kinship, None for a pronoun."""
    name = discourse.person.name
    for found in _THEIRS_ZH.finditer(stretch):
        kin = found["who"] or found["bare"]
        if found["hired"]:
            yield found.start(), f"{name}的{_HIRER.sub('', found['hired'])}"
            continue
        called = (
            found["name"]
            or found["named"]
            or found["owner"]
            or found["bare_name"]
            or found["member"]
            or found["changer"]
            or found["holder"]
        )
        if (unit := found["unit"] or found["of"] or found["whose"]) and called in discourse.people.shared:
            called = qualified(unit, called)
        if (found["changer"] or found["holder"]) and not (called.isascii() or is_person_zh(called)):
            continue
        yield found.start(), called or (_of_kin(_kin(kin), f"{name}的", discourse) if kin else None)
    for found in _THEIRS_EN.finditer(stretch):
        called = found["name"] or found["owner"] or found["named"] or found["changer"]
        if called not in ("WeChat", "Me"):
            kin = found["kin"] or found["whose"]
            yield found.start(), called or (_of_kin(kin.lower(), f"{name}'s ", discourse) if kin else None)


def _of_kin(kin: str, whose: str, discourse: Discourse) -> str:
    """Somebody who is that to the speaker, by name where that is known."""
    return discourse.people.of_kin(kin) or f"{whose}{kin}"


_HIRER = re.compile("我们?(?:家|公司)?的?")


def _kin(words: str) -> str:
    found = re.search(rf"(?:{zh.RELATED})", words)
    return found.group() if found else words


def _skipped(token: re.Match, text: str, skipped: list[Span]) -> bool:
    sentence = _sentence(text, token.start())
    if _WONDERING.search(text[sentence.start : sentence.end + 1]):
        return True
    if _REACH_ME.search(text[max(0, token.start() - 20) : token.start()]):
        return False
    said = text[sentence.start : token.start()]
    if _IN_CASE.search(said) and _REACH.search(said[-_NEAR:]) and text[sentence.end : sentence.end + 1] != "?":
        return False
    return any(span.start <= token.start() < span.end for span in skipped)


_REACH_ME = re.compile(r"联系我|打我|我的|找我|call me|reach me|my |email me|text me|contact me|ring me", _I)
_IN_CASE = re.compile(
    r"^(?!.*(?:\b(?:would|could|were|had)\b|'d\b)).*?\b(?:if|unless|when|in case)\b|如果|要是|万一|(?:的话|时候)", _I
)
_REACH = re.compile(
    r"\b(?:call|try|ring|text|phone|email|contact|reach|ask for|speak to|talk to|write to) (?:my|our|(?-i:[A-Z]))|(?:打|找|联系|拨|加|发)(?![你您])",
    _I,
)
"""Whom to turn to in some case: whose number it is hangs on nothing."""
_WONDERING = re.compile(
    r"\b(?:should|shall|must|do|did|would) (?:i|we)\b.*\?|^(?:is|was|are|were|isn't|wasn't|has|does) .*\?|\b(?:right|correct|isn't it|is it)\?"
    r"|^(?:what if|suppose|imagine|why would|who says|how about)\b|(?:电话|手机|号码?|邮箱|微信|地址)[^,?]{0,6}是[^?]*[吗么]\s*\??$|难道|要不要|该不该|是不是|是否|应不应该|会不会",
    _I,
)
"""A question whether it is so, or whether to say it: what it asks about is told by nobody."""


def _sentence(text: str, at: int) -> Span:
    for sentence in sentences(text):
        if sentence.start <= at < sentence.end:
            return Span(sentence.start, sentence.end)
    return Span(at, len(text))


def alias_before(text: str, discourse: Discourse) -> tuple[str, Span] | None:
    """A short name right before a contact, when it is part of the speaker's own: 小东 12345678901."""
    for token in CONTACT.finditer(text):
        found = _ALIAS.search(text, max(0, token.start() - 16), token.start())
        name = found["name"] if found else ""
        for length in (3, 2):
            called = name[-length:]
            if found and len(called) == length and called != discourse.person.name and called in discourse.person.name:
                return called, Span(found.end("name") - length, found.end("name"))
    return None
