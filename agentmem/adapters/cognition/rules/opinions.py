"""Opinions of what is offered, told as his opinion: 罗小东觉得价格比较贵."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules import render_en, render_zh
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.told import finding

_I = re.IGNORECASE
_BAD_ZH = re.compile(
    rf"(?:{zh.EVALUATION}(?:的)?.{{0,2}}?(?:{zh.NEGATIVE}))|(?:不(?:够|太|怎么)?(?:好|划算|值|方便|稳定|清楚|满意|合理|灵活|直观|专业|及时|友好|行|准|合适|便宜|理想))|(?:{zh.NEGATIVE})(?:了|死了|得很|一点|一些|了点|了些)|比.{1, 8}(?:贵|慢|差|复杂|麻烦|难|高|低)|难用|老旧|超出|超了|跟不上|受不了|费时|费力|太.{{1,4}}了?$"
)
_PRICE_ZH = re.compile(
    r"^(?:感觉|觉得|还是|这也|也|就是|真的|实在)*(?:太|有点儿?|有些|比较|挺|好|偏|略|确实|实在)+(?:的)?(?:贵|高)(?:了)?"
)
_OF_YOU = re.compile(r"^(?:你|您)(?!们|家|这|那|的)")
_THINK_ZH = re.compile(r"^(?:我们?(?:老板|领导)?)?(?:还是|就是|真的|个人|总|也|都)?(?:觉得|认为|感觉|嫌)")
_LIKE_YOURS = re.compile(r"(?:喜欢|看中|看上|满意|感兴趣)")
_BAD_EN = re.compile(
    rf"\b(?:too|very|really|so|a bit|a little|quite|pretty|rather|way too|far too|super|still|kind of|a tad|bit) (?:{en.NEGATIVE})\b|\b(?:is|are|was|'s|'re|looks|seems|feels|sounds|keeps?)\s+(?:\w+\s+)?(?:{en.NEGATIVE})\b|\bdoesn't (?:work|support|fit|sync|integrate|help)\b|\b(?:crash|leak|break|freez|fail)\w*\b|\b(?:hurts?|aches?)\b|more than (?:i|we) (?:can|wanted|expected|pay|budgeted)|\b(?:over|out of|beyond|above) (?:my|our|the) (?:budget|price range|means)\b",
    _I,
)
_IT = re.compile(r"^(?:it|that|this)(?:'s| is| was| seems| looks| sounds| feels)?\b", _I)
_PRICEY = re.compile(r"expensive|pricey|steep|costly|too much|a lot|over (?:my|our|the) budget|more than (?:i|we)", _I)


def opinions(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """Objections and complaints about the offer or about something named; never an attribute of the speaker."""
    if clause.act is not Act.ASSERT:
        return
    if clause.lang == "zh":
        yield from _zh(clause, discourse)
    else:
        yield from _en(clause, discourse)


def _zh(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    text, who = clause.text, clause.subject.who
    think = _THINK_ZH.match(text)
    if think is not None:
        rest = render_zh.retold(text[think.end() :], discourse.label, "对方").replace(discourse.label, "自己")
        if len(rest) >= 2 and (_BAD_ZH.search(rest) or not re.search("可以|不错|还行|行|挺好", rest)):
            kind = ("complaint", 6) if _BAD_ZH.search(rest) else ("opinion", 5)
            yield _opinion(clause, discourse, f"{discourse.label}觉得{_priced(rest)}", *kind)
        return
    if who in (Who.OFFER, Who.SECOND, Who.THING) or (who is Who.NONE and _PRICE_ZH.match(text)):
        if _OF_YOU.match(text) or (not clause.opens_sentence and discourse.subject.who is Who.THIRD):
            return
        if not _BAD_ZH.search(text) or (who is Who.THING and not clause.subject.words and len(text) > 24):
            return
        yield _opinion(
            clause,
            discourse,
            f"{discourse.label}觉得{_priced(render_zh.retold(text, discourse.label, '对方'))}",
            "complaint",
            6,
        )


def _priced(text: str) -> str:
    return f"价格{text}" if _PRICE_ZH.match(text) and "贵" in text else text


def _en(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    if clause.subject.who not in (Who.OFFER, Who.THING, Who.SECOND) or not _BAD_EN.search(clause.text):
        return
    text = clause.text
    it = _IT.match(text)
    if it is not None:
        topic = "the price" if _PRICEY.search(text) else discourse.topic or "it"
        if topic == "it":
            return
        text = topic + re.sub(r"^(?:it|that|this)", "", text, flags=_I)
    told = render_en.retold(text, discourse.label, discourse.agent_name).replace(discourse.label, "they")
    yield _opinion(clause, discourse, f"{discourse.label} finds that {told[:1].lower()}{told[1:]}", "complaint", 6)


def _opinion(clause: Clause, discourse: Discourse, content: str, kind: str, importance: int) -> Finding:
    return finding(
        clause,
        discourse,
        content,
        kind,
        importance,
        attribute=kind if kind == "complaint" else None,
        value=content.removeprefix(discourse.label)[:500] if kind == "complaint" else None,
    )
