"""That one may be reached at any time puts an end to the limits on when: `You can call me any time now`, 什么时候打都行了."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterator, Sequence

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.matters import Matter, Talk, said_bare
from agentmem.adapters.cognition.rules.model import Act, Clause, plain

_I = re.IGNORECASE
_ANY_EN = r"(?:(?:at )?any ?time|whenever|at (?:all hours|any hour)|(?:any|all) day)(?: (?:now|again|of (?:the )?day|you (?:like|want|wish|need)|from now on|these days|after all|suits you))*"
_LIFTED = re.compile(
    rf"^(?:now |from now on |actually )*(?:(?:(?:you|they) (?:can|may|could)|(?:it's|it is) (?:fine|ok|okay|all right|alright) to|feel free to|please|just) )*(?:now |just |also |again )*(?P<how>call|phone|ring|text|e-?mail|message|whatsapp|contact|reach)(?: me| us)?(?: now| again)? {_ANY_EN}$"
    rf"|^(?:i'm|i am|we're) (?:now )?(?P<reached>reachable|available)(?: by phone)? {_ANY_EN}$"
    rf"|^(?:calls? (?:are|is) )?(?:fine|ok|okay) {_ANY_EN}(?: for (?P<by>calls))?$",
    _I,
)
_LIFTED_ZH = re.compile(
    r"^(?:那|以后|往后|现在|你们?|您|我们?|给我|就|都)*(?:(?:什么时候|啥时候|几点|何时)(?:给我|都能|都可以)*(?P<zh>打(?:电话|来|过来|给我)?|联系(?:我)?|来电|发(?:微信|短信|消息)(?:给我)?)(?:都|也)(?:行|可以|好|方便|没问题)|随时(?:都|也|就)?(?:可以|能|欢迎)?(?:给我|跟我)?(?P<any>打(?:我)?(?:电话|来|过来|给我)?|联系(?:我)?|来电|发(?:微信|短信|消息)(?:给我)?)(?:都|就|也)?(?:行|可以|好|没问题)?)(?:了|啦|的|吧|哦)*$"
)
_WHEN = re.compile(
    r"\b(?:mornings?|afternoons?|evenings?|nights?|noon|lunch(?:time)?|weekends?|weekdays?|\w+days?|hours|before|after|between|until|till|from|\d{1,2} ?[ap]m|o'clock)\b|上午|下午|早上|晚上|中午|夜里|周末|工作日|[周期拜][一二三四五六日天]|点|之前|之后|以前|以后|上班|下班|午休",
    _I,
)
_LIMIT_ZH = re.compile(r"(?:只能?|别|不要)[^,，]{0,8}(?:打电话|联系|发(?:微信|短信|消息))")
_WAYS = (
    re.compile(r"\b(?:call|phone|r[iu]ng)|打|电话|来电", _I),
    re.compile(r"\b(?:text|messag|whatsapp)|发|短信|消息|微信", _I),
    re.compile(r"\be-?mail|邮", _I),
)
_SAID_BY = (Act.ASSERT, Act.IDLE, Act.POLITE, Act.REQUEST, Act.QUESTION)
"""Of these a question, for 什么时候 may as well mean any time."""


def lifted(turn: str, clauses: Sequence[Clause], talk: Talk) -> Iterator[tuple[Clause, Matter]]:
    """The limits on when one may be reached that the clauses of a turn lift, each with its clause."""
    for clause in clauses:
        how = _way_in(clause)
        if how is None or clause.act not in _SAID_BY or plain(turn)[clause.span.end :].lstrip().startswith("?"):
            continue
        for matter in (each for each in talk.current if each.turn < talk.turn):
            bare = said_bare(matter, talk)
            if _is_limit(matter, bare) and _is_of(how, bare):
                yield clause, matter


def _is_limit(matter: Matter, bare: str) -> bool:
    """Whether the statement says when one may be reached, or may not."""
    limits = matter.finding.kind == "contact_preference" or _LIMIT_ZH.match(bare) is not None
    return limits and _WHEN.search(bare) is not None


def _way_in(clause: Clause) -> str | None:
    """How one may be reached at any time, in the words of the clause; None where it does not say so."""
    found = (_LIFTED_ZH if clause.lang == "zh" else _LIFTED).match(clause.text)
    return None if found is None else next((word for word in found.groups() if word), "")


def _is_of(how: str, limit: str) -> bool:
    """Whether the limit is on this way of being reached; what names no way is of all."""
    ways = [way for way in _WAYS if way.search(how)]
    return not ways or any(way.search(limit) for way in ways) or not any(way.search(limit) for way in _WAYS)
