"""What the agent says of the person: paraphrases, guesses, promised benefits. Never more than the agent's word.

What it supposes, asks openly or says out of politeness is nothing.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.findings import keys_of
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import Finding, Lang, Span, language_of, sentences, trimmed
from agentmem.adapters.cognition.rules.retelling import retold_en, third_person, tidied_en, tidied_zh
from agentmem.domain.event import Person
from agentmem.domain.memory import Modality

_I = re.IGNORECASE
_SUPPOSED_ZH = re.compile(
    r"如果|(?<![主重只需])要是|假如|若|的话|不确定|不知道|不清楚|不太清楚|是否|当您|为了|以便|请|欢迎|让您|感谢|谢谢|祝|希望(?:您|你)(?:能|可以|喜欢|满意|考虑|生活|一切)|希望能|希望我们"
)
_PARAPHRASE_ZH = re.compile(
    r"(?:^|[,:])(?:好的|嗯|那|那么|所以|也就是说|就是说|看来|听起来|原来|这么说|这么看|明白了?|了解了?|我(?:们)?(?:大概|完全|非常)?(?:理解|了解到?|明白|知道|听到|注意到|记得|记下了?|确认一下|总结一下)(?:到|了)?)*[,:]?"
    r"(?:您|你)(?:们)?(?:刚才|之前)?(?:是说|的意思是|说的是|提到|说过?)?[,:]?(?P<claim>(?:们|这边|那边|公司|目前|现在|主要|正在|还|也|更|比较|是|已经|一直)*(?:希望|想|需要|打算|计划|要|使用|用|有|在|做|担心|关注|考虑|偏好|喜欢|更看重|看重|是|的(?:预算|业务|公司|团队|系统|方案|需求|情况|痛点|问题|电话|房子|孩子)).+)"
)
_TAG_ZH = re.compile(r"[,，]?(?:对吗|对吧|是吗|是吧|是这样吗|没错吧|对不对|是不是|我理解得?对吗|可以这么理解吗)$")
_ASK_ZH = re.compile(r"吗$|么$|呢$|什么|怎么|哪|多少|几|谁|如何|为什么|多大|多久|是不是|有没有")
_BENEFIT_ZH = re.compile(
    r"(?P<who>[^,。]{0,24}?)(?P<can>可以|能够|能|会|将)?(?:更好地)?(?P<help>帮助|帮|协助)(?:您|你)(?:们)?(?:的(?:公司|企业|团队))?(?P<what>[^。]{2,})"
)
_PRODUCT_ZH = re.compile(
    r"(?P<v>[A-Za-z0-9\u4e00-\u9fff]{1,12}?(?:产品|系统|平台|软件|课程|方案|套餐|服务))(?=可以|能|是|提供|为|会)"
)
_ANAPHOR_ZH = re.compile(
    r"^(?:这些|这个|这|它们?|该|我们的)(?:功能|产品|系统|平台|服务|方案|软件|能力|特性)?(?:都|也)?$|^$"
)
_OR_ZH = re.compile(r"还是|或者?")

_SUPPOSED_EN = re.compile(
    r"\b(?:if|unless|whether|in case|not sure|unsure|feel free|please|let me know|hope|when you|once you|would you|could you|thank)\b",
    _I,
)
_CLEAR_IF = re.compile(r"\bif i(?:'ve| have)? (?:understand|understood|got it)(?: you)?(?: correctly| right)?,?\s*", _I)
_PARAPHRASE_EN = re.compile(
    r"^(?:(?:ok|okay|right|great|got it|so|i see|perfect|understood|alright|just to confirm|to confirm|let me confirm|to recap|to summari[sz]e|it sounds like|sounds like|it seems(?: like)?|i understand(?: that)?|i see(?: that)?|"
    r"i hear(?: that)?|what you're saying is(?: that)?|in other words|from what you(?:'ve)? said)[,:]?\s*)*(?P<claim>(?:you(?:'re|'ve|'d like|'d prefer| are| have| need| want| use| run| would like| would prefer| prefer| currently| mainly| work| live| plan| mentioned(?: that)? you| said(?: that)? you)|your (?:team|company|budget|business|main|current|system|biggest|deadline|practice|office))\b.+)",
    _I,
)
_CUED_EN = re.compile(
    r"^(?:ok|okay|right|got it|so|i see|understood|just to confirm|to confirm|to recap|to summari|it sounds|sounds like|it seems|i understand|i hear|what you're|in other|from what)",
    _I,
)
_TAG_EN = re.compile(
    r",?\s*(?:right|correct|is that right|is that correct|yes|am i right|isn't it|don't you|aren't you)$", _I
)
_WANTS_EN = re.compile(
    r"^you(?:'re| are) (?:looking for|after|hoping|planning|using)|^you (?:need|want|prefer)|^you'd (?:like|prefer)", _I
)
_OPEN_EN = re.compile(r"^(?:what|how|when|where|who|which|why|do|does|are|is|can|could|would|will|have)\b", _I)
_BENEFIT_EN = re.compile(
    r"^(?P<who>[^,]{2,40}?)\s+(?P<can>can|will|would|could)?\s*helps?\s+you(?:r (?:team|company|business))?\s+(?P<what>(?:to )?.{4,})$",
    _I,
)
_OR_EN = re.compile(
    r"^(?:(?:so|ok|okay|and),?\s+)?(?:do|would|are) you (?P<verb>prefer|want|like|need|rather have|looking for|looking at|looking to|planning to|hoping to)(?: to)?\s+(?P<a>[^,?]{2,60}?),? or (?P<b>[^,?]{2,60})$",
    _I,
)


@dataclass(frozen=True, slots=True)
class AgentClaim:
    """Something the agent said of the person. `options` are the sides of an alternative it asked; what is `asked` last
    the next turn answers, and it says nothing without the answer."""

    finding: Finding
    options: tuple[str, ...] = ()
    asked: bool = False


def claims_of(text: str, person: Person, agent: str) -> Iterator[AgentClaim]:
    """All claims of one normalised agent turn."""
    all_said = list(sentences(text))
    for sentence in all_said:
        span = Span(sentence.start, sentence.end)
        said = text[span.start : span.end]
        lang = language_of(said)
        reader = _zh if lang == "zh" else _en
        asked = sentence.mark == "?" and sentence is all_said[-1]
        for claim in reader(said, text, person, agent, asks=sentence.mark == "?"):
            if sentence.mark == "?" and not claim.options and _EITHER.search(said):
                continue
            moved = tuple(Span(part.start + span.start, part.end + span.start) for part in claim.finding.spans)
            yield replace(claim, finding=replace(claim.finding, spans=moved), asked=asked)


_EITHER = re.compile(r"(?<![您你们])还是|\bor\b(?! (?:so|more|less)\b)", _I)
"""What leaves a choice in a question, so that it says neither of the two."""


def _claim(
    content: str,
    said: str,
    modality: Modality,
    lang: Lang,
    person: Person,
    *,
    kind: str = "paraphrase",
    options: tuple[str, ...] = (),
) -> AgentClaim:
    known = kind_of(content.replace(person.label, "我" if lang == "zh" else "I", 1), lang)
    span = trimmed(said, 0, len(said))
    multi = known.attribute in ("need", "constraint", "preference", "plan")
    finding = Finding(
        content=content,
        kind=kind,
        importance=6 if modality is Modality.ASSERTED_BY_AGENT else 3,
        lang=lang,
        spans=(span,),
        attribute=("benefit" if kind == "benefit" else known.attribute if multi and kind != "guess" else None),
        value=(
            content.replace(person.label, "", 1)[:500] if kind == "benefit" or (multi and kind != "guess") else None
        ),
        modality=modality,
        layer="insight",
        key=keys_of(content, (person.label, person.name)),
    )
    return AgentClaim(finding, options)


def _zh(said: str, text: str, person: Person, agent: str, *, asks: bool) -> Iterator[AgentClaim]:
    if not asks and not _SUPPOSED_ZH.search(said):
        benefit = _BENEFIT_ZH.search(said)
        if benefit is not None and benefit["help"] and not _ASK_ZH.search(said):
            who = benefit["who"].strip()
            if _ANAPHOR_ZH.match(who):
                who = _product_before(text[: text.find(said)])
            yield _claim(
                f"{who}{benefit['can'] or '可以'}帮助{person.label}{tidied_zh(benefit['what'])}",
                said,
                Modality.ASSERTED_BY_AGENT,
                "zh",
                person,
                kind="benefit",
            )
            return
    tag = _TAG_ZH.search(said)
    body = said[: tag.start()] if tag else said
    found = _PARAPHRASE_ZH.search(body)
    before = body[: found.start("claim")] if found else ""
    if (
        found is None
        or _SUPPOSED_ZH.search(before)
        or re.search(r"^(?:们)?(?:可以|能|好)", found["claim"])
        or re.search("如果|是否|的话|不确定", body)
    ):
        return
    claim = re.sub(r"^们", "", found["claim"])
    if asks and tag is None:
        yield from _guess_zh(claim, said, person)
    elif not _ASK_ZH.search(claim):
        yield _claim(_retold_zh(claim, person, agent), said, Modality.ASSERTED_BY_AGENT, "zh", person)


def _product_before(text: str) -> str:
    """The product named last before, for `these functions` and `it`."""
    named = [found["v"] for found in _PRODUCT_ZH.finditer(text)]
    known = [name for name in named if not name.startswith(("这", "我们", "它"))]
    return known[-1] if known else "对方的产品"


def _guess_zh(claim: str, said: str, person: Person) -> Iterator[AgentClaim]:
    sides = [side for side in _OR_ZH.split(claim) if side]
    if "还是" in claim and len(sides) == 2 and not re.search("什么|怎么|哪|多少|几", claim):
        content = f"{person.label}{re.sub('还是', '和', claim, count=1)}"
        options = (re.sub(r"^.*?(?:希望|想要?|需要|打算|(?<!主)要|偏好|喜欢|是)", "", sides[0]), sides[1])
        yield _claim(tidied_zh(content), said, Modality.HYPOTHESIS, "zh", person, kind="guess", options=options)
    elif re.search(r"[吗么]$", claim) and not re.search("什么|怎么|哪|多少|几|还有|其他", claim):
        content = f"{person.label}{re.sub('[吗么]$', '', claim)}"
        yield _claim(tidied_zh(content), said, Modality.HYPOTHESIS, "zh", person, kind="guess")


def _retold_zh(claim: str, person: Person, agent: str) -> str:
    del agent
    told = re.sub(r"我们", "对方", claim)
    told = re.sub(r"(?:您|你)(?:们)?", "自己", told)
    return tidied_zh(f"{person.label}{told}")


def _en(said: str, text: str, person: Person, agent: str, *, asks: bool) -> Iterator[AgentClaim]:
    del text
    body = _CLEAR_IF.sub("", said)
    choice = _OR_EN.match(body) if asks else None
    benefit = _BENEFIT_EN.match(body) if not asks else None
    if choice is not None:
        yield _choice_en(choice, said, person)
    elif _SUPPOSED_EN.search(body):
        return
    elif benefit is not None:
        yield _benefit_en(benefit, said, person, agent)
    else:
        yield from _restated_en(body, said, person, agent, asks=asks)


_LOOKING_EN = {
    "looking for": "is looking for",
    "looking at": "is looking at",
    "looking to": "is looking to",
    "planning to": "is planning to",
    "hoping to": "is hoping to",
    "like": "would like",
}


def _choice_en(choice: re.Match, said: str, person: Person) -> AgentClaim:
    verb = _LOOKING_EN.get(choice["verb"].lower(), third_person(choice["verb"]))
    options = (choice["a"].strip(), choice["b"].strip())
    content = f"{person.label} {verb} {options[0]} or {options[1]}"
    return _claim(content, said, Modality.HYPOTHESIS, "en", person, kind="guess", options=options)


def _benefit_en(benefit: re.Match, said: str, person: Person, agent: str) -> AgentClaim:
    who = re.sub(
        r"\b(?:our|we|it|this|that)\b",
        lambda m: f"{agent}'s" if m.group().lower() == "our" else agent,
        benefit["who"],
        flags=_I,
    )
    what = re.sub(r"\byour\b", "their", benefit["what"], flags=_I)
    content = tidied_en(f"{who} {benefit['can'] or 'can'} help {person.label} {what}")
    return _claim(content, said, Modality.ASSERTED_BY_AGENT, "en", person, kind="benefit")


def _restated_en(body: str, said: str, person: Person, agent: str, *, asks: bool) -> Iterator[AgentClaim]:
    """What the person said, said again."""
    found = _PARAPHRASE_EN.match(body)
    if found is None or _OPEN_EN.match(body):
        return
    tag = _TAG_EN.search(found["claim"])
    cued = _CUED_EN.match(body) is not None or tag is not None or asks or _WANTS_EN.match(body) is not None
    if not cued:
        return
    claim = found["claim"][: tag.start()] if tag else found["claim"]
    claim = re.sub(r"^you (?:mentioned|said)(?: that)? ", "", claim, flags=_I)
    modality = (
        Modality.HYPOTHESIS
        if asks and tag is None and not re.match("so|ok|got", body, _I)
        else Modality.ASSERTED_BY_AGENT
    )
    yield _claim(retold_you(claim, person.label, agent), said, modality, "en", person)


def retold_you(text: str, label: str, agent: str) -> str:
    """Words said to the person, retold about the person."""
    swapped = re.sub(r"\b(?:we|our|us)\b", agent, text, flags=_I)
    for you, first in (
        ("you're", "I'm"),
        ("you've", "I've"),
        ("you'd", "I'd"),
        ("you'll", "I'll"),
        ("yourself", "myself"),
        ("your", "my"),
        ("you", "I"),
    ):
        swapped = re.sub(rf"\b{you}\b", first, swapped, flags=_I)
    return retold_en(swapped, label, agent)


_CONFIRM = re.compile(
    r"^(?:嗯+[,， ]*)?(?:对(?!不起|了|于|面|方)|是的|是啊|是(?=[,，。!]|$)|没错|正确|就是这样|正是|可以这么说|可以的|差不多|基本上是|完全正确|你说得对|您说得对|嗯嗯|嗯(?=[,，。]|$)|(?:有的?|需要|要的?)(?=[,，。! ]|$))|"
    r"^(?:exactly|yes|yeah|yep|yup|correct|that'?s (?:right|correct|it|exactly)|right(?=[,. !]|$)|spot on|precisely|absolutely|indeed|you got it|sure is)\b",
    _I,
)
_REJECT = re.compile(
    r"^(?:不是|不对|不(?=[,，。! ]|$)|不不|并不是|没有(?=[,，。! ]|$)|没有啊|错了|你误会|您误会|误会了|你理解错|您理解错|我不是这个意思|不完全是|倒不是|也不是|我没(?:有)?(?:说|这个意思)|我只是(?:问|看|了解))|"
    r"^(?:no\b(?! (?:problem|worries))|nope|nah|not really|not exactly|not quite|not at all|that'?s not|that isn'?t|wrong|actually,? no|you misunderst|i never said|i didn'?t (?:say|mean)|i'?m (?:just|only) (?:asking|looking|browsing))",
    _I,
)


def confirms(text: str) -> bool:
    """Whether a turn begins by agreeing."""
    return _CONFIRM.search(text) is not None


def rejects(text: str) -> bool:
    """Whether a turn begins by denying."""
    return _REJECT.search(text) is not None


def rest_after(text: str) -> str:
    """What follows the agreement or denial."""
    found = _CONFIRM.search(text) or _REJECT.search(text)
    return text[found.end() :].strip(" ,.!。") if found else text
