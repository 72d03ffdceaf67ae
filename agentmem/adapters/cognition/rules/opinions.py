"""Opinions of what is offered, told as his opinion: 罗小东觉得价格比较贵; and complaints about what a service or a thing that was
delivered did: `the driver was rude`, 包装还破了, 少了两瓶.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.findings import finding
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.retelling import echoed, retold_en, retold_zh

_I = re.IGNORECASE
_BAD = (
    r"(?:rude|unfriendly|unhelpful|impolite|disrespectful|late|broken(?! (?:up|into|down))|scratched|damaged|missing|wrong|dented|torn|cracked|"
    r"faulty|defective|stained|ripped|smashed|shattered|chipped|incomplete|mouldy|moldy|unusable|crushed|leaking)"
)
_THING_EN = r"(?:the|your|this|that|these|those|one|two|three|four|some|several|both|half|my order|our order|my parcel|our parcel|my package|my delivery|our delivery|my item|\d+)(?: (?!(?:i|we|you|he|she|they|is|are|was|were|if|that|who)\b)[\w'-]+){0,6}?"
_HOW = r"(?: (?:very|really|so|quite|extremely|completely|totally|all|also|already|a bit|still|badly|two|three|four|an?|\d+|hours?|days?|weeks?|minutes?))*"
_FAULT_EN = re.compile(
    rf"^{_THING_EN}(?:'s)? (?:was|were|is|are|came|arrived|turned up|showed up|got here|has been|have been|looked|seemed){_HOW} {_BAD}\b"
    rf"|^{_THING_EN} (?:never|(?:did|has|have)(?:n't| not|n't even)|still has(?:n't| not))(?: yet| ever| even)? (?:arrived?|come|shown? up|turned? up|been delivered|delivered|worked)\b"
    rf"|^(?:you|they|your [\w-]+|the [\w-]+)(?: guys)?(?: have|'ve)? (?:sent|delivered|shipped|gave|brought|charged)(?: me| us)? (?:the |an? )?(?:wrong|broken|damaged|defective|twice|too much|too few|only half)\b",
    _I,
)
_ELSEWHERE_EN = re.compile(
    r"\b(?:trains?|bus(?:es)?|flights?|planes?|trams?|metro|tube|ferry|traffic|weather|news|film|movie|shows?(?! up)|game|match|teacher|school|boss|president|government|police|king|war|boy|girl|man|woman|people|guy|others|past|idea|answer|law)\b",
    _I,
)
_COUNT = r"[一二两三四五六七八九十几半\d]+"
_MEASURE = "(?:个|瓶|件|箱|盒|袋|本|台|套|只|份|包|斤|块|双|条|支|张|根|样|颗|片)"
_OF_THINGS_ZH = re.compile(
    rf"(?:破|碎|裂|变质|过期|变形|压扁|压坏|摔坏|碰坏|损坏|开胶|掉漆|掉色|褪色|发霉|受潮|漏液|洒)了(?:{_COUNT}?{_MEASURE})?$"
    rf"|(?:少|缺)(?:发|送|装|配|寄|给)?了(?:{_COUNT}{_MEASURE}.{{0,4}})$|(?:发|送|寄|装|配)(?:错|漏|少)(?:了|货)|(?:漏|错|少|误)(?:发|送|装|寄|配)了?(?:{_COUNT}?{_MEASURE}.{{0,4}}|货)?$"
    r"|有(?:很?多|一道|几道|明显的?|些)?(?:划痕|破损|裂纹|裂痕|裂缝|瑕疵|污渍|异味|色差|质量问题|缺陷|凹痕)|(?:尺码|型号|颜色|尺寸|数量|规格|款式|口味)(?:都|也|还|又)?(?:不对|错了|不符|不一样|发错了?)"
    rf"|(?:晚|迟|延误|耽误|拖延?)了{_COUNT}个?(?:多)?(?:天|周|小时|星期|月|礼拜)|(?:一直|至今|到现在|迟迟)(?:都|也|还)?没(?:有)?(?:到|送到|送来|收到|发货|来|上门|处理|解决)"
)
_OF_SERVANTS_ZH = re.compile(
    r"(?:快递|司机|师傅|送货|外卖|骑手|客服|技师|店员|服务员|前台|安装|维修|物流|配送|售后|接待|工作人员|导购|货|包裹|订单|你们|您们|你家|您家|对方|员工).*"
    r"(?:迟到|晚到|来晚了|送晚了|没(?:有)?(?:按时|准时)|(?:还|都)没(?:有)?(?:到|送|发|来)|态度(?:也|很|太|非常|特别|极其|真|实在)*(?:差|恶劣|不好|冷淡|傲慢)|没(?:有)?礼貌|不礼貌|粗鲁|不耐烦|爱理不理|(?:乱|多)收费|多收了)"
)
_ELSEWHERE_ZH = re.compile(
    "火车|高铁|地铁|公交|飞机|航班|天气|电影|比赛|学校|心|梦|世界|新闻|机会|时间|日子|感情|关系|岁|人数|班"
)


def complaints(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """What went wrong with a thing or a service, as the speaker's complaint."""
    if clause.act is not Act.ASSERT:
        return
    said = _complaint_zh(clause, discourse) if clause.lang == "zh" else _complaint_en(clause, discourse)
    if said is not None:
        content, value = said
        yield finding(clause, discourse, content, "complaint", 6, attribute="complaint", value=value[:500])


def _complaint_en(clause: Clause, discourse: Discourse) -> tuple[str, str] | None:
    own = clause.subject.who is Who.OWN
    if clause.subject.who not in (Who.THING, Who.OFFER, Who.SECOND, Who.OWN, Who.THIRD) or clause.subject.person:
        return None
    if _FAULT_EN.search(clause.text) is None or _ELSEWHERE_EN.search(clause.text):
        return None
    if own and not re.match(r"(?:my|our) (?:order|parcel|package|delivery|item)|the\b|your\b", clause.text, _I):
        return None
    value = echoed(clause.text, discourse.agent_name)
    return f"{discourse.label} complains that {value}", value


def _complaint_zh(clause: Clause, discourse: Discourse) -> tuple[str, str] | None:
    who, text = clause.subject.who, clause.text
    impersonal = who in (Who.THING, Who.OFFER, Who.SECOND) or (who is Who.OWN and "我" not in clause.subject.words)
    received = who in (Who.NONE, Who.FIRST) and re.match(r"(?:我们?)?(?:收到|买|拿到|送来|寄来|订)的", text)
    if not (impersonal or received) or len(text) > 30 or _ELSEWHERE_ZH.search(text):
        return None
    fault = _OF_SERVANTS_ZH.search(text) or _OF_THINGS_ZH.search(text)
    if fault is None or not _WHAT.match(text):
        return None
    value = retold_zh(text, discourse.label, "对方").replace(discourse.label, "自己")
    return f"{discourse.label}抱怨{value}", value


_WHAT = re.compile(
    r"(?!(?:这|那|它)?(?:也|都|还|又|就|已经|全)*(?:破|碎|裂|少|缺|漏|错|坏|晚|迟|发|送|寄|有|一直|至今)).{2}"
)
"""Something must be named that has the fault."""
_BAD_ZH = re.compile(
    rf"(?:{zh.EVALUATION}(?:的)?.{{0,2}}?(?:{zh.NEGATIVE}))|(?:不(?:够|太|怎么)?(?:好|划算|值|方便|稳定|清楚|满意|合理|灵活|直观|专业|及时|友好|行|准|合适|便宜|理想))|(?:{zh.NEGATIVE})(?:了|死了|得很|一点|一些|了点|了些)|比.{1, 8}(?:贵|慢|差|复杂|麻烦|难|高|低)|难用|老旧|超出|超了|跟不上|受不了|费时|费力|太(?!好|棒|赞|牛|强|感谢|谢|给力|美|香|值|划算|喜欢|爽|舒服|方便|开心|高兴|神|厉害|优秀|贴心).{{1,4}}了?$"
)
_PRICE_ZH = re.compile(
    r"^(?:感觉|觉得|还是|这也|也|就是|真的|实在)*(?:太|有点儿?|有些|比较|挺|好|偏|略|确实|实在)+(?:的)?(?:贵|高)(?:了)?"
)
_OF_YOU = re.compile(r"^(?:你|您)(?!们|家|这|那|的)")
_THINK_ZH = re.compile(r"^(?:我们?(?:老板|领导)?)?(?:还是|就是|真的|个人|总|也|都)?(?:觉得|认为|感觉|嫌)")
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
        yield from _opinion_zh(clause, discourse)
    else:
        yield from _opinion_en(clause, discourse)


def _opinion_zh(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    text, who = clause.text, clause.subject.who
    if _NO_OPINION_ZH.search(text):
        return
    think = _THINK_ZH.match(text)
    if think is not None:
        rest = retold_zh(text[think.end() :], discourse.label, "对方").replace(discourse.label, "自己")
        if len(rest) >= 2 and (_BAD_ZH.search(rest) or not re.search("可以|不错|还行|行|挺好", rest)):
            kind = ("complaint", 6) if _BAD_ZH.search(rest) else ("opinion", 5)
            yield _opinion(clause, discourse, f"{discourse.label}觉得{_priced(rest)}", *kind)
        return
    if who in (Who.OFFER, Who.SECOND, Who.THING) or (who is Who.NONE and _PRICE_ZH.match(text)):
        if _OF_YOU.match(text) or (not clause.opens_sentence and discourse.subject.who is Who.THIRD):
            return
        bad = _BAD_ZH.search(text)
        of_nothing = len(text) > 24 or (bad is not None and bad.start() == 0 and clause.opens_sentence)
        if bad is None or (who is Who.THING and not clause.subject.words and of_nothing):
            return
        yield _opinion(
            clause,
            discourse,
            f"{discourse.label}觉得{_priced(retold_zh(text, discourse.label, '对方'))}",
            "complaint",
            6,
        )


_NO_OPINION_ZH = re.compile("^(?:别|不要)|不好意思|不敢当")
"""A request, and what is said for politeness."""


def _priced(text: str) -> str:
    return f"价格{text}" if _PRICE_ZH.match(text) and "贵" in text else text


def _opinion_en(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    if clause.subject.who not in (Who.OFFER, Who.THING, Who.SECOND) or not _BAD_EN.search(clause.text):
        return
    text = clause.text
    it = _IT.match(text)
    if it is not None:
        topic = "the price" if _PRICEY.search(text) else discourse.topic or "it"
        if topic == "it":
            return
        text = topic + re.sub(r"^(?:it|that|this)", "", text, flags=_I)
    told = retold_en(text, discourse.label, discourse.agent_name).replace(discourse.label, "they")
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
