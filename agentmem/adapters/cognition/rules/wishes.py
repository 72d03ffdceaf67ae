"""Wishes: said as wishes, as requests in the form of a question, as orders; and wishes denied."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.acts import asks_to_meet, requested
from agentmem.adapters.cognition.rules.findings import agent_name, finding, told, wanted
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.retelling import retold_en, tidied_en, tidied_zh
from agentmem.domain.memory import Modality

_I = re.IGNORECASE
_WANT_ZH = re.compile(r"(?<![联理思梦构设感回幻猜想])想(?!想|好(?!好)|要|起|到|必|象|法|念|过|问|不|来|通|开)")
_AND_ZH = re.compile(r"[,，](?:还有|以及|和|跟|及)")
_WISH_ZH = re.compile(
    r"(?<![联理思梦构设感回幻猜想])想(?!想|好(?!好))|希望|需要|打算|计划|准备|要(?!求|是|么)|求购|急需"
)
_DENIED_ZH = re.compile(
    r"(?:^|我们?|暂时|目前|现在|也|并|就|都|还是|还|先|绝对|真的)(?:不想|不要(?!紧)|不需要|不希望|不打算|不考虑|没打算|没想|没兴趣|不感兴趣|不愿意|无需|用不着|不用(?!了?$|谢|客气|担心|急|管|着急))"
)
_DENIED_EN = re.compile(
    r"\b(?:(?:don't|do not|doesn't|didn't|wouldn't|no longer|never|not) (?:really |actually |particularly |even )?(?:want|need|wish|intend|plan|require|like to)|(?:not|n't) (?:looking|interested|planning|after|going to need|keen)|no (?:need|interest|plans|desire|wish) (?:for|in|to))\b",
    _I,
)
_COULD_ZH = re.compile(
    r"^(?:那|那么|请问|另外)?(?:你们|您们|您|你|贵公司)?(?:这边|那边|家|的?(?:系统|产品|软件|平台|价格))?(?:还|也|到时候|以后)?(?:能不能|可不可以|可以不可以|能否|可否|是否可以|是不是可以|是否能|有没有办法|有没有可能|可以|能)(?:也|再|请|麻烦)?"
)
_PLEASE_ZH = re.compile(r"^(?:请|麻烦|劳烦|拜托)(?:你们?|您)?")
_ASK_TAIL_ZH = re.compile(r"(?:吗|么|呢|啊|吧)+$")
_CALLS_ZH = re.compile(r"(?:打|接)?电话|微信|短信|邮件|邮箱|联系|来电|推销|广告|打给我|打我|发消息")
_NOT_ZH = re.compile(r"不要|别|勿|不想|不方便|不用")
_ONLY_ZH = re.compile(r"只(?:用|能|要|接|收|通过|发|打|在)|仅")
_ONLY_EN = re.compile(r"^(?:(?:please|kindly|just|do|then|and) )*only\b|\b(?:me|us) only\b|^ only\b|\bonly\W*$", _I)
_VERBS_EN = {"call": "called", "phone": "phoned", "ring": "rung", "text": "texted", "email": "emailed", "e-mail": "e-mailed",
             "message": "messaged", "whatsapp": "contacted by WhatsApp", "contact": "contacted"}  # fmt: skip
_CALL_EN = re.compile(
    r"^(?:please |kindly |just |do |then |and |only |always )*(?P<not>don't |do not |never |stop )?(?P<verb>call|phone|ring|text|e-?mail|message|whatsapp|contact)(?:ing)?\b(?: me| us)?(?P<rest>.*)$",
    _I,
)
_SOMEBODY_ELSE = re.compile(r"\s+(?:(?-i:[A-Z][a-z]+)\b(?<!day)|(?:my|our)\b)", _I)
"""Whom to call, other than the speaker."""
_WHERE_ELSE = re.compile(r"\s+(?:home|the|an?|him|her|them|it|that|this|everyone|everybody|whoever)\b|'s", _I)
_CALLED_ZH = re.compile("今天|昨[天晚]|前天|刚才?|上次|老是?|总是?|又|天天|一直")
"""What somebody did, and is not to do."""
_BENEFIT_ZH = re.compile(rf"^(?:给我们|帮我们|替我们|为我们|给我|帮我|替我|为我)(?!的|{zh.RELATED})")


def contact_preferences(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """How he does and does not want to be reached; what he rules out is a limit, and no mere preference."""
    ordered = clause.lang == "en" and clause.act is Act.REQUEST  # `never phone me at work` has no subject
    others = (Who.THIRD, Who.SECOND) if ordered else (Who.THIRD, Who.SECOND, Who.OWN)
    if clause.act not in (Act.REQUEST, Act.ASSERT) or clause.subject.who in others:
        return
    if clause.lang == "zh":
        yield from _calls_zh(clause, discourse)
        return
    found = _CALL_EN.match(clause.text)
    if (
        found is not None
        and clause.act is Act.REQUEST
        and (re.search(r"\b(?:me|us)\b", clause.text, _I) or re.search(r"[a-z]{2}", found["rest"], _I))
    ):
        if discourse.is_claimed(clause.span) and re.match(r"\s*(?:at|on|:)\b", found["rest"]):
            return
        only = _ONLY_EN.search(clause.text) is not None
        if _WHERE_ELSE.match(found["rest"]) and not found["not"]:
            return
        if _SOMEBODY_ELSE.match(found["rest"]) or not (found["not"] or only or found["rest"].strip(" .!")):
            return
        rest = retold_en(found["rest"], discourse.label, discourse.agent_name)
        verb = _VERBS_EN.get(found["verb"].lower(), "contacted")
        rest = f" {rest[:1].lower()}{rest[1:]}" if rest else ""
        alone = " only" if only and not _ONLY_EN.search(found["rest"]) else ""
        does = "does not want" if found["not"] else f"wants{alone}"
        how = f" (no {found['verb'].lower()})" if found["not"] else f" ({found['verb'].lower()})"
        yield finding(
            clause,
            discourse,
            f"{discourse.label} {does} to be {verb}{rest}{how}",
            "contact_preference",
            6,
            attribute="constraint" if found["not"] or only else "preference",
            value=clause.text,
        )


def _calls_zh(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    text = _PLEASE_ZH.sub("", clause.text)
    if not _CALLS_ZH.search(text) or not (
        _NOT_ZH.search(text) or clause.act is Act.REQUEST or re.search("联系我|打给我|给我打|发我|找我", text)
    ):
        return
    if clause.act is Act.ASSERT and _CALLED_ZH.search(text) and not _NOT_ZH.search(text):
        return
    if re.search("联系方式|我的(?:电话|微信|邮箱|号码)", text) and not _NOT_ZH.search(text):
        return
    wish = re.sub(r"\s*[\d-]{6,}.*$", "", text)
    wish = wish.replace("打我电话", "给自己打电话")
    negated = _NOT_ZH.match(wish)
    body = wish[negated.end() :] if negated else wish
    body = tidied_zh(re.sub("我们|我", "自己", body))
    does = "不希望对方" if negated else "希望对方"
    attribute = "constraint" if _NOT_ZH.search(wish) or _ONLY_ZH.search(wish) else "preference"
    yield finding(
        clause, discourse, f"{discourse.label}{does}{body}", "contact_preference", 6, attribute=attribute, value=wish
    )


def requests(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """`能不能给我们的社保系统加点AI`, `could you add …`: a wish in the form of a question or an order."""
    if clause.act is not Act.REQUEST:
        return
    content = _asked_zh(clause, discourse) if clause.lang == "zh" else _asked_en(clause, discourse)
    if content is None:
        return
    kind = (
        "appointment"
        if re.search(r"约|预约|看房|试驾|上门|book|schedule|come in|visit|viewing|appointment", clause.text, _I)
        else "need"
    )
    yield finding(clause, discourse, content, kind, 7, attribute=kind, value=wanted(content, discourse.label))


def _asked_zh(clause: Clause, discourse: Discourse) -> str | None:
    text = asks_to_meet(clause.text) or clause.text
    rest = _PLEASE_ZH.sub("", _COULD_ZH.sub("", text, count=1))
    could = re.search("能不能|可不可以|能否|可否", rest)
    if could is not None:
        rest = rest[: could.start()] + rest[could.end() :]
        rest = re.sub(r"^(?:我们?|你们?|您们?)", "", rest)
    rest = re.sub(r"我们的|我的", "自己的", _ASK_TAIL_ZH.sub("", rest))
    rest = _BENEFIT_ZH.sub("", rest)
    rest = tidied_zh(re.sub(r"我们|我", "自己", re.sub(r"你们|您们|您|你", "对方", rest)))
    return f"{discourse.label}希望{rest}" if len(rest) >= 2 else None


def _asked_en(clause: Clause, discourse: Discourse) -> str | None:
    rest = requested(clause.text)
    theirs = (
        re.match(r"^(?:please |so |and |also )?(?:could|can|would|will) you", clause.text, _I) is not None
        or rest is None
    )
    negated = False
    if rest is None:
        rest = re.sub(r"^(?:please |kindly |just |do |then |and )+", "", clause.text, flags=_I)
        negated = re.match(r"(?:don't|do not|never) ", rest, _I) is not None
        rest = re.sub(r"^(?:don't|do not|never) ", "", rest, flags=_I)
    rest = tidied_en(
        re.sub(
            r"\b(?:my|our)\b",
            "their",
            re.sub(r"\b(?:me|us)\b", "them", re.sub(r"^(?:please|also|just) ", "", rest, flags=_I)),
        )
    )
    rest = re.sub(r",?\s*(?:please|thanks)$", "", rest, flags=_I)
    if len(rest) < 4 or " " not in rest or (negated and _OF_A_MIND_EN.match(rest)):
        return None
    if _AS_IT_IS_EN.match(discourse.turn.text[clause.span.start :]):
        return None
    rest = rest[:1].lower() + rest[1:]
    does = "does not want" if negated else "would like"
    whom = f" {agent_name(discourse, 'en')}" if theirs else ""
    return f"{discourse.label} {does}{whom} to {rest}"


_OF_A_MIND_EN = re.compile(r"(?:need|want|like|love|have|know|care|feel|think|mean|mind|miss|remember)\b", _I)
"""What nobody is asked not to do: `don't need them` is said of oneself."""
_AS_IT_IS_EN = re.compile(
    r"(?:[a-z]+,? ){0,2}(?:leave|keep|let) [^.,;!?]{1,40}? (?:as (?:it|they) (?:is|are|was|were)|as is|alone|be)\b", _I
)
"""What is to stay as it is."""


def is_wish(found: Finding) -> bool:
    """Whether it tells what is wished for: another wish once something else is asked, whatever the answer."""
    return _TOLD_WISH.search(found.content) is not None


_TOLD_WISH = re.compile("would like|希望")


def denied(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """`我不想添加自动能力`: the wish is held as negated, so that it can end an earlier one."""
    if clause.act not in (Act.ASSERT, Act.IDLE) or clause.subject.who not in (Who.FIRST, Who.NONE, Who.THING):
        return
    pattern = _DENIED_ZH if clause.lang == "zh" else _DENIED_EN
    found = pattern.search(clause.text)
    if found is None or len(clause.text) - found.end() < 2 or (clause.subject.who is Who.THING and found.start() > 0):
        return
    if clause.lang == "zh":
        content = told(clause, discourse) or ""
        content = content.replace("不想", "不希望", 1) if "不想要" not in content else content
    else:
        content = told(clause, discourse) or ""
    if content:
        yield finding(
            clause,
            discourse,
            content,
            "need",
            6,
            attribute="need",
            value=wanted(content, discourse.label),
            modality=Modality.NEGATED,
        )


def wishes(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """`想给系统加上智能问答`: what he wants, needs, plans."""
    if clause.lang != "zh" or clause.act is not Act.ASSERT or clause.subject.who not in (Who.FIRST, Who.NONE):
        return
    found = _WANT_ZH.search(clause.text)
    if found is None or found.start() > 14 or not _WISH_ZH.search(clause.text):
        return
    content = told(clause, discourse)
    if content is None:
        return
    content = _AND_ZH.sub("和", _WANT_ZH.sub("希望", content, count=1))
    kind = kind_of(clause.text, "zh")
    name, attribute = (
        ("need", "need") if kind.name not in ("appointment", "deadline", "plan") else (kind.name, kind.attribute)
    )
    yield finding(
        clause,
        discourse,
        content,
        name,
        7,
        attribute=attribute,
        value=wanted(content, discourse.label) if attribute else None,
    )
