"""Complaints about what a service or a thing that was delivered did: `the driver was rude`, 包装还破了, 少了两瓶.

Only what is said of a thing, of the other side or of those who work for it counts: that a train, a friend or the
speaker himself was late is nobody's fault here.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import render_en, render_zh
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.told import finding

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


def faults(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """What went wrong with a thing or a service, as the speaker's complaint."""
    if clause.act is not Act.ASSERT:
        return
    said = _zh(clause, discourse) if clause.lang == "zh" else _en(clause, discourse)
    if said is not None:
        content, value = said
        yield finding(clause, discourse, content, "complaint", 6, attribute="complaint", value=value[:500])


def _en(clause: Clause, discourse: Discourse) -> tuple[str, str] | None:
    own = clause.subject.who is Who.OWN
    if clause.subject.who not in (Who.THING, Who.OFFER, Who.SECOND, Who.OWN, Who.THIRD) or clause.subject.person:
        return None
    if _FAULT_EN.search(clause.text) is None or _ELSEWHERE_EN.search(clause.text):
        return None
    if own and not re.match(r"(?:my|our) (?:order|parcel|package|delivery|item)|the\b|your\b", clause.text, _I):
        return None
    value = render_en.echoed(clause.text, discourse.agent_name)
    return f"{discourse.label} complains that {value}", value


def _zh(clause: Clause, discourse: Discourse) -> tuple[str, str] | None:
    who, text = clause.subject.who, clause.text
    impersonal = who in (Who.THING, Who.OFFER, Who.SECOND) or (who is Who.OWN and "我" not in clause.subject.words)
    received = who in (Who.NONE, Who.FIRST) and re.match(r"(?:我们?)?(?:收到|买|拿到|送来|寄来|订)的", text)
    if not (impersonal or received) or len(text) > 30 or _ELSEWHERE_ZH.search(text):
        return None
    fault = _OF_SERVANTS_ZH.search(text) or _OF_THINGS_ZH.search(text)
    if fault is None or not _WHAT.match(text):
        return None
    value = render_zh.retold(text, discourse.label, "对方").replace(discourse.label, "自己")
    return f"{discourse.label}抱怨{value}", value


_WHAT = re.compile(
    r"(?!(?:这|那|它)?(?:也|都|还|又|就|已经|全)*(?:破|碎|裂|少|缺|漏|错|坏|晚|迟|发|送|寄|有|一直|至今)).{2}"
)
"""Something must be named that has the fault."""
