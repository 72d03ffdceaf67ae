"""Whether a number is a telephone, and which one: both by the words that are said of the number itself.

Words of the clause before, such as a budget or where somebody works, say nothing of it.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en

_I = re.IGNORECASE
_OTHER = re.compile(
    r"订单|单号|编号|合同号|发票|身份证|账号|卡号|尾号|order|invoice|serial|ref\b|reference|ticket|account|policy|tracking|邮编|zip|postcode|预算|价|元|万|usd|rmb|[$£€¥]|年|月",
    _I,
)
_CALLED = re.compile(
    r"电话|手机|座机|固话|联系方式|热线|传真|\b(?:tele)?phone|\bmobile|\bcell\b|\btel\b|\bcall\b|\bfax", _I
)
_AMOUNT = r"\d\s?[万千元块kw]+|[一二两三四五六七八九十百千]+[万元块]+"
_BREAK = re.compile(rf"[,，;；。!?]|{_AMOUNT}", _I)
_AFTER_AMOUNT = re.compile(rf"(?:{_AMOUNT})\s?[,，;；。]\s*$", _I)
_MOBILE = re.compile(r"^1\d{10}$")

_NEAR = 10
"""Characters before a number in which an amount or a paper may be named."""

_NOUN = r"(?:(?:tele)?phone|number|line|landline|extension|cell|mobile|tel)"
_CALL_ME = r"(?:call|reach|ring|phone|text|contact) me"
_SPARE = re.compile(
    r"(?:还有|另有|另外(?!我)|再加)(?:一个)?|另一个|第二个|备用|备份|\b(?:second|other|another|also|backup|spare|alternative|secondary)\b",
    _I,
)
_HOME = re.compile(
    rf"(?<![大商店厂专])家里?的?(?:联系)?(?:电话|座机|号码|固话)|家庭的?(?:电话|座机|号码)|宅电|家里[是:的打\s]*$|\bhome {_NOUN}\b|\b{_NOUN}\b[^,;.]{{0,8}}\bat home\b|\b{_CALL_ME} at home\b|(?:^|[,;(] ?|\bmy |\band |\bat )home(?: is|'s|:)? ?$",
    _I,
)
_WORK = re.compile(
    rf"办公室?的?(?:电话|座机|号码|固话)|(?:公司|单位|工作|商务)用?的?(?:联系)?(?:电话|手机|号码|座机|固话)|(?:办公室|公司|单位)[是:的打\s]*$|(?<!家)(?<!家里)(?<!家的)(?<!家里的)座机|固话|前台(?=的?(?:电话|座机|号码|分机)|[是: ]*$)"
    rf"|\b(?:office|work|desk|business|company)(?:'s)?(?: (?:contact|direct|main))? {_NOUN}\b|\b{_NOUN}\b[^,;.]{{0,8}}\b(?:at|for) (?:work|the office|my (?:desk|office))\b|\b{_CALL_ME} at (?:work|the office|my (?:desk|office))\b|(?:^|[,;(] ?|\bmy |\band |\bat )(?:office|work|desk)(?: is|'s|:)? ?$|(?<!home )\b(?:landline|direct line|switchboard)\b",
    _I,
)
_MOBILE_WORD = re.compile(r"手机|移动电话|\b(?:mobile|cell)\b", _I)
_QUALIFIED = (("home_phone", _HOME), ("work_phone", _WORK), ("phone", _MOBILE_WORD))
_IS_EN = r"(?:\s*(?:is|'s|was|:|#)(?: now| still)?)?\s*$"
_PHONE_EN = (
    "phone|telephone|tele|mobile|cell|contact|whatsapp|fax|landline|hotline|line|office|work|business|company|desk|home|house|emergency|"
    "new|old|current|previous|former|right|correct|wrong|best|main|direct|personal|private|own|other|another|second|spare|backup|same|"
    "different|usual|good|only|the|this|that|a|an|my|your|his|her|its|our|their|is|on|s"
)
_NUMBER_EN = re.compile(rf"\b(?P<of>[a-z]+) (?:number|no\.?|nr\.?){_IS_EN}", _I)
_IS_PHONE_EN = re.compile(rf"{_PHONE_EN}|{en.HOUSEHOLD}|{en.COLLEAGUES}", _I)
_NUMBER_ZH = re.compile(r"(?P<of>[\u4e00-\u9fff]{1,4})号(?:码)?(?:现在|目前|已经)?(?:就?是|为|:|：)?\s*$")
_IS_PHONE_ZH = re.compile(
    r"(?:机|话|信|联系|联络|座|线|真|新|旧|老|换|改|个|的|我|你|他|她|靓|原|本|短|小|大|这|那|主|副|备用|分机|扣|私|工作|公司|单位|家)$"
)


def counts_something_else(before: str, digits: str) -> bool:
    """Whether the words before a number make it an amount, a date, or the number of something: an order, a member, a
    room. `before` are some 40 characters."""
    of = _NUMBER_EN.search(before)
    if of is not None and _IS_PHONE_EN.fullmatch(of["of"]) is None:
        return True
    of = _NUMBER_ZH.search(before)
    if of is not None and _IS_PHONE_ZH.search(of["of"]) is None:
        return True
    before = before[-_NEAR:]
    piece = _BREAK.split(before)[-1]
    own = _CALLED.search(piece) or (_MOBILE.match(digits) and _AFTER_AMOUNT.search(before))
    return _OTHER.search(piece if own else before) is not None


def phone_slot(head: str) -> str:
    """The slot of a telephone number, by the last words that qualify a telephone; of two that end alike, the fuller."""
    if _SPARE.search(head):
        return "second_phone"
    found = [(match.end(), -match.start(), slot) for slot, words in _QUALIFIED for match in words.finditer(head)]
    return max(found, default=(0, 0, "phone"))[2]


def only_changed(text: str) -> bool:
    """Whether a clause says of a contact no more than that it is another now: contentless beside the new one."""
    return _ONLY_CHANGED.fullmatch(text) is not None


_ONLY_CHANGED = re.compile(
    r"[^,，]{0,24}?(?:换了?(?:个|一个)?新?(?:手机号码?|电话号码?|号码?|手机|电话|邮箱|微信号?)|(?:手机号?|电话|号码?|邮箱|微信号?)(?:已经|刚|最近|又|也)*(?:换|变|改)(?:过)?)了?"
    r"|.{0,60}?\b(?:number|phone|mobile|e-?mail|address|cell|line|wechat|whatsapp)(?: has| have|'s)?(?: just| recently| also)* changed(?: recently| now| again)?"
    r"|.{0,60}?\b(?:changed|switched|got|has|have)(?: (?:to|my|his|her|their|our|a|an|new|different|phone|mobile|cell|e-?mail|wechat|whatsapp|work|home|office|contact))* (?:numbers?|e-?mail|address|wechat|whatsapp)(?: recently| now| again)?",
    _I,
)
