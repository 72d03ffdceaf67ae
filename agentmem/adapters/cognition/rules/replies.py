"""What a person's words change: corrections in the same breath (`周三…不对，周四` and `不是周三，是周四` are read as if only 周四
had been said), and replies to the agent's claims: agreed they are his own word, denied they are nothing.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.answers import affirmed, agreed_time, slotted
from agentmem.adapters.cognition.rules.matters import BOUND_BEFORE
from agentmem.adapters.cognition.rules.model import COMMA, Discourse, Finding, Span, has_han
from agentmem.adapters.cognition.rules.paraphrase import AgentClaim, confirms, rejects, rest_after
from agentmem.domain.memory import Modality

_LEAD = re.compile(
    r"[,，。.…\s—-]*(?:(?:哦|噢|啊|额|呃)?[,， ]*(?:(?:(?<![\u4e00-\u9fffA-Za-z])|(?<=[哦噢啊额呃]))(?:不对|错了)|(?:我)?(?:刚才?)?(?:说|讲|记|写|打)错了|应该说|更正|哦不|噢不|不不不?|口误|更正一下|记错了)[,，。! ]*(?:应该)?(?:是)?|"
    r"\b(?:no,? wait|wait,? no|oh wait|actually,? no|no,? actually|sorry,? (?:i mean|i meant|make that|no)|sorry(?=,\s+(?:it'?s|that'?s|the|in|at|to|[A-Z]\w+[.!]?$|\d))|or rather,?|rather,|i mean(?=,? (?:\w+day|\d|the|in|at|[A-Z]))|i meant|scratch that|make that|correction|no,? sorry|my mistake|(?:sorry,? )?(?:i (?:misspoke|mistyped|got (?:it|that) wrong)|(?:that was |i made )?a typo)|(?<=[.!?;] )(?:sorry,? |oops,? )?(?:typo|correction)(?=:)|hang on)\b[,:.]?\s*(?:it'?s|make (?:it|that)|that'?s)?)\s*",
    re.IGNORECASE,
)
_CLASSES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"[\w.+-]+@[\w.-]+\w",
        r"(?<![A-Za-z0-9_@.-])\+?\d(?:[\d()]|[ -](?=[\d(])){5,20}\d(?![A-Za-z0-9_@])",
        r"(?:下|这|上|本)?(?:周|星期|礼拜)[一二三四五六日天]|\b(?:next |this |on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
        r"(?:上午|下午|晚上|早上|中午)?[\d一二三四五六七八九十两]+点半?|\b\d{1,2}(?::\d\d)?\s?(?:am|pm|o'clock)\b",
        r"\d+月\d+[日号]?|\d+[日号]|\b(?:\d{1,2}(?:st|nd|rd|th)?\s)?(?:january|february|march|april|may|june|july|august|september|october|november|december)(?:\s\d{1,2}(?:st|nd|rd|th)?)?\b|\b\d{1,2}(?:st|nd|rd|th)\b|明天|后天|今天|tomorrow|today",
        r"[$£€¥]?(?:\d[\d,.]*\d|\d)\s?(?:k|万|千|元|块|个|人|套|台|平|people|users|staff|m)?|[一二两三四五六七八九十百千万]+(?:个|人|套|台|万|千|元|块)|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty)\b",
    )
)
_CLAUSE = re.compile(
    r"^(?:我|他|她|你|您|i\b|i'|we\b|we'|my\b|our\b|he\b|she\b|you\b|the \w+ (?:is|was))", re.IGNORECASE
)
_LAST_PART = re.compile(
    r"^(?:.*(?:\b(?:in|at|to|for|from|is|are|am|as|an?|called|named|use|using|with)\b|'m|'s)\s+|.*(?:住在|住|在|搬到|到|是|叫|当|做|换成|改成|用|姓))?(?P<v>[^,，。!?;\n]{1,40}?)[.。!]?$",
    re.IGNORECASE | re.DOTALL,
)
"""The last part of a clause, behind its last preposition or copula: what a bare word takes the place of."""
_COPULA = re.compile(r"^(?:it's|it is|that's|是|就是|应该是)\s*", re.IGNORECASE)
_FRAGMENT_END = re.compile(rf"{COMMA}|[，。!?;\n]|\.(?=\s|$)")
_ABOUT = r"(?:(?:about|around|roughly|approximately|nearly|almost|up to|at least|at most) |大概|大约|约|差不多|将近|最多|至少|不超过)?"
_NOUN = r"[^\d,，。;；!?？\n]{0,4}?"
_OF_VALUES = tuple(
    (re.compile(pattern.format(v=kind.pattern, n=_NOUN, a=_ABOUT), re.IGNORECASE), plain)
    for kind in _CLASSES
    for pattern, plain in (
        (r"(?:并)?不是\s*(?:{a}{v}){n}\s*[,，;；。]?\s*(?:而)?(?:应该)?就?是\s*(?P<y>{a}{v})", r"是\g<y>"),
        (
            r"(?P<y>{a}{v})(?P<n>{n})\s*[,，;；]?\s*(?:而)?不是\s*(?:{a}{v}){n}(?=[,，。;；!?\s]|$)(?!\s*[吗么])",
            r"\g<y>\g<n>",
        ),
        (
            r"(?P<be>\b(?:is|was|are)|'s)(?:n't| not)(?P<p> (?:at|on|in|for))? (?:{a}{v})\s*(?:[,.;]|-+)?\s*(?:but(?: rather)?|it's|it is|they're|that's|it was|rather)(?: (?:at|on|in|for))? (?P<y>{a}{v})",
            r"\g<be>\g<p> \g<y>",
        ),
        (
            r"^not(?P<p> (?:at|on|in|for))? (?:{a}{v})\s*(?:[,.;]|-+)?\s*(?:but(?: rather)?|it's|it is|that's|rather)(?: (?:at|on|in|for))? (?P<y>{a}{v})",
            r"it's\g<p> \g<y>",
        ),
        (
            r"(?P<y>{a}{v})(?P<n>(?: [a-z]+){{0,2}}?),? (?:and not|not|instead of|rather than)(?: (?:at|on|in|for))? (?:{a}{v})(?=[,.;!\s]|$)",
            r"\g<y>\g<n>",
        ),
    )
)
_CONTRASTS = (
    *_OF_VALUES,
    (re.compile(r"(?<=的)不是[^,，。;；!?？\n是]{1,12}[,，]\s*(?:而)?是(?=[^,，。;；!?？\n是]{2})"), "是"),
)
"""One value put in the place of another of its kind, or of what a clause in 的 is said not to be, and how it is said without the wrong one."""
_ADMITTED = re.compile(
    r"[,，。.;；\s]*(?:(?:哦|啊|抱歉|不好意思|对不起)[,，]?)?(?:我)?(?:刚才?|之前|前面|上次)?(?:说|讲|写|打|记|报|输|填)错了?|[,.;\s]*\b(?:sorry,? )?(?:i (?:misspoke|mistyped|made a (?:mistake|typo)|got (?:it|that) wrong)|my (?:mistake|bad)|(?:that was )?a typo)\b",
    re.IGNORECASE,
)


def corrected(text: str) -> tuple[str, bool]:
    """The text with what was taken back left out, and whether anything was. Offsets hold only where nothing was."""
    told = _contrasted(text) if len(text) < 2_000 and _CONTRASTING.search(text) else text
    if told != text:
        return _ADMITTED.sub("", told), True
    moved = False
    for _ in range(3):
        lead = _LEAD.search(text, 1) if len(text) < 2_000 else None
        if lead is None or not text[: lead.start()].strip():
            break
        text, moved = _replaced(text, lead), True
    return _TAKEN_BACK.sub(lambda found: " " * len(found.group()), text), moved


_BREAK = r"(?:…+|\.{2,}|。{2,}| ?-+|—+|[,，])[ ,，]*"
_TAKEN_BACK = re.compile(
    rf"(?:[^,，。.!！?？;；:：\n…—]|(?<=\d)[.,](?=\d))*{_BREAK}(?:啊呸[,，]|(?:哎呀?[,，]?)?(?:说错了|口误)[,，。]|(?:(?:oh )?(?:no|wait|sorry), )?(?:scratch that|strike that|that's (?:wrong|not right)|the other (?:one|thing))(?=[,.;!]|$))[,， ]*",
    re.IGNORECASE,
)
"""A clause and, right behind it, the words that take it back and can mean nothing else."""


_CONTRASTING = re.compile(r"不是|\bnot\b|n't\b|instead of|rather than", re.IGNORECASE)


def _contrasted(text: str) -> str:
    """The text with `not X but Y` said as Y, where both are values of one kind and no question is asked."""
    for pattern, plain in _CONTRASTS:
        found = pattern.search(text)
        if found is not None and not _ASKED.match(text, found.end()):
            text = f"{text[: found.start()]}{found.expand(plain)}{text[found.end() :]}"
    return text


_ASKED = re.compile(r"[^,，。;；.!\n]{0,12}(?:吗|么|呢|[?？])")


def _replaced(text: str, lead: re.Match) -> str:
    head, tail = text[: lead.start()], text[lead.end() :]
    stop = _FRAGMENT_END.search(tail)
    fragment, rest = (tail[: stop.start()], tail[stop.start() :]) if stop else (tail, "")
    for kind in _CLASSES:
        new = kind.search(fragment)
        old = list(kind.finditer(head))
        if new is not None and old:
            if len(fragment) - len(new.group()) < 14:
                behind = head[old[-1].end() :]
                behind = behind if behind.strip(" ,，") else fragment[new.end() :]
                return _before(head, old[-1]) + _with_bound(fragment, new) + _apart(fragment, behind) + rest
            break
    if (
        fragment
        and len(fragment) <= 40
        and not _CLAUSE.search(fragment)
        and (held := _LAST_PART.search(head)) is not None
    ):
        part = _LAST_PART.match(fragment)
        return f"{head[: held.start('v')]}{(part['v'] if part else _COPULA.sub('', fragment)).strip()}{rest}"
    kept = re.split(r"(?<=[,，。!?;\n])(?!(?<=\d,)\d\d\d)", head)
    return "".join(kept[:-1]) + tail


def _apart(fragment: str, behind: str) -> str:
    """What follows a value, apart from it where it is a Latin word."""
    return f" {behind}" if behind[:1].isascii() and behind[:1].isalnum() and fragment.isascii() else behind


def renumbered(claim: str, reply: str) -> str | None:
    """The claim with its figure, day or hour put right, where the reply gives another one and little else."""
    reply = _FRAGMENT_END.split(reply)[0]
    for kind in _CLASSES:
        new, old = kind.search(reply), list(kind.finditer(claim))
        if new is not None and old and len(reply) - len(new.group()) < 14 and new.group() != old[-1].group():
            return _before(claim, old[-1]) + _with_bound(reply, new) + claim[old[-1].end() :]
    return None


def _before(text: str, value: re.Match) -> str:
    """What stands before a value, without how sure it was."""
    return BOUND_BEFORE.sub("", text[: value.start()])


def _with_bound(text: str, value: re.Match) -> str:
    """A value with how sure it is and what bounds it."""
    bound = BOUND_BEFORE.search(text[: value.start()])
    return f"{bound.group().lstrip() if bound else ''}{value.group()}"


_ASKS_BACK = re.compile(
    r"[?？]|[吗呢]$|什么|多少|怎么|哪|^(?:what|which|how|when|where|why|who|is|are|does|do|can|could)\b", re.IGNORECASE
)
"""To ask about one side of an alternative is not to choose it."""

_COMMON = frozenset(("with", "your", "that", "this", "plan", "the", "and", "for", "you", "have", "like"))


def replied(text: str, claims: Sequence[AgentClaim], claimed_in: str, discourse: Discourse) -> Iterator[Finding]:
    """Statements by agreement, choice or correction. `claimed_in` is the agent's turn, quoted beside the reply."""
    if rejects(text):
        yield from _put_right(text, claims, claimed_in, discourse)
    elif claims:
        yield from _taken_up(text, claims, claimed_in, discourse)
    else:
        yield from _settled(text, discourse)


def _put_right(text: str, claims: Sequence[AgentClaim], claimed_in: str, discourse: Discourse) -> Iterator[Finding]:
    for claim in claims:
        content = renumbered(claim.finding.content, rest_after(text))
        if content is not None:
            right = replace(claim.finding, content=content, kind="corrected", attribute=None, value=None)
            yield _own(right, claimed_in, Span(0, len(text)), discourse)


def _taken_up(text: str, claims: Sequence[AgentClaim], claimed_in: str, discourse: Discourse) -> Iterator[Finding]:
    agreed = confirms(text)
    for claim in claims:
        taken = _confirmed(claim, text, agreed=agreed)
        if taken is not None:
            yield _own(taken, claimed_in, _opening(text), discourse)


def _own(claim: Finding, claimed_in: str, span: Span, discourse: Discourse) -> Finding:
    """A claim as the person's own word, quoting both turns."""
    cited = tuple((claimed_in, part) for part in claim.spans)
    own = replace(claim, layer="observation", modality=Modality.STATED, spans=(span,), cited=cited, importance=7)
    return slotted(own, discourse)


def _settled(text: str, discourse: Discourse) -> Iterator[Finding]:
    accepted = agreed_time(discourse.asked, text, discourse)
    if accepted is not None:
        yield replace(accepted, spans=(_opening(text),))
        return
    content = affirmed(discourse.asked, text, discourse) if confirms(text) else None
    if content is not None:
        lang = "zh" if has_han(content.replace(discourse.label, "")) else "en"
        yield Finding(content, "affirmed", 6, lang, (_opening(text),))


def _confirmed(claim: AgentClaim, text: str, *, agreed: bool) -> Finding | None:
    finding = claim.finding
    if finding.kind == "benefit":
        return None
    if not claim.options:
        return finding if agreed else None
    chosen = [option for option in claim.options if _names(text, option)]
    if len(chosen) == 1 and len(text) < 60 and not _ASKS_BACK.search(text):
        both = next(
            (
                joint
                for joint in (f"{claim.options[0]}和{claim.options[1]}", f"{claim.options[0]} or {claim.options[1]}")
                if joint in finding.content
            ),
            None,
        )
        return replace(finding, content=finding.content.replace(both, chosen[0]), kind="choice") if both else None
    return None


def _names(text: str, option: str) -> bool:
    """Whether the reply speaks of one side of an alternative."""
    if has_han(option):
        core = re.sub(r"[的了呢吧一个]", "", option)
        return any(core[i : i + 3] in text for i in range(max(1, len(core) - 2))) if len(core) > 2 else core in text
    words = [word for word in re.findall(r"[a-z0-9]{3,}", option.lower()) if word not in _COMMON]
    return any(re.search(rf"\b{word}", text.lower()) for word in words)


def _opening(text: str) -> Span:
    found = re.search(r"[,.。!?\n]", text)
    return Span(0, found.start() if found and found.start() else len(text))
