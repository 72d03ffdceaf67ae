"""What a contact looks like: whether a number is a telephone, and which one, and whether the words around a contact call it
one that is out of use; a new one is often told together with the old one.

A telephone is known by the words that are said of the number itself: those of the clause before, such as a budget or
where somebody works, say nothing of it.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh

_I = re.IGNORECASE
_YOURS_ZH = re.compile(
    r"(?:你们?|您们?|贵公司|贵司)(?:公司|家|的|客服|那边|这边|那个|上次给的)*(?:电话|手机|微信|邮箱|号码|热线|客服|联系)"
)
_YOURS_EN = re.compile(r"\byour\s+(?:\w+\s+)?(?:number|phone|email|hotline|support|line|address)", _I)
_ELSEWHERE_ZH = re.compile(
    r"(?<![我们司])(?:物业|快递|外卖|餐厅|餐馆|饭店|酒店|宾馆|民宿|医院|学校|幼儿园|银行|客服|门卫|保安|中介|出租车|派出所|店家|商家|厂家|供应商|维修|"
    r"保险|搬家公司|家政|律所|车行|机场|车站|景区|旅行社|居委会|村委会|街道办|急救|报警|投诉|诈骗|推销|骚扰)[\u4e00-\u9fff]{0,4}?的?(?:联系)?(?:电话|手机号?|号码|热线|微信|邮箱|座机)"
    r"|(?:来自|发件人是?|收到了?|发自)\s*$"
)
_ELSEWHERE_EN = re.compile(
    rf"\b(?:the|this|that|an?)\s+(?!new|main|old|head|best)(?:(?:[\w&-]+\s+){{1,3}}?|(?!(?:{en.OWN})'s?\s))[\w&-]+(?:'s|s')\s+(?:\w+\s+)?(?:number|phone|mobile|e-?mail|address|line|hotline|cell)\b"
    r"|(?:^|[.,;:!?]\s*|\b(?:and|but)\s+)(?:[\w-]+\s+){0,2}(?!(?:it|that|this|there|here|what|who|he|she|let|number|phone|mobile|e-?mail|address|cell)'s)[\w-]+'s\s+(?:(?:\w+\s+)?(?:number|phone|mobile|e-?mail|address|line|hotline|cell)|is)\b"
    r"|\bemergency contact\b"
    r"|\b(?:number|phone|e-?mail|line|hotline)\s+(?:for|of|at)\s+(?:the|an?)\b"
    r"|(?<!writing )(?<!emailing )(?<!calling )\bfrom\s*$"
    r"|\bthe\s+(?:[\w&-]+\s+)?(?:restaurant|hotel|hospital|bank|taxi|cab|garage|pharmacy|airport|station|airline|council|police|emergency|support|customer service|insurance|courier|delivery|supplier|vendor|plumber|electrician|landlord)\s+(?:\w+\s+)?(?:number|phone|e-?mail|line|hotline)\b",
    _I,
)
"""Of a thing or a house that is not the speaker's: nobody's contact that is worth keeping."""

_SOMEBODYS_ZH = re.compile(
    r"(?:^|(?<=[,，。;；!！?？ ]))(?!(?:公司|单位|办公室?|工作|家里?|新|旧|老|现在|目前|以前|之前|原来|平时|常用|私人|个人|最新|备用|国内|国外|这边|另外?|我)[^的]{0,3}的)"
    r"[\u4e00-\u9fff]{1,5}的(?:联系)?(?:电话|手机号?|号码|微信|邮箱|座机)"
)
_TURN_TO_ZH = re.compile("(?:找|联系|打给|问)(?![你您我他她])[\u4e00-\u9fff]{2,3}(?=[,，。])")
"""Somebody by a word that need be no name: 阿城的号码, 以后找阿城."""
NOBODYS = (_YOURS_ZH, _YOURS_EN, _ELSEWHERE_ZH, _ELSEWHERE_EN, _SOMEBODYS_ZH, _TURN_TO_ZH)
"""Whose contact nobody needs to remember, or of whom it is not known who he is."""
_CONTACT_EN = r"(?:number|phone|mobile|cell|landline|line|e-?mail|mail|address|whatsapp|wechat)"
_CONTACT_ZH = "(?:手机号?码?|电话号?码?|号码?|微信号?|邮箱|座机)"
MY_OWN = re.compile(
    rf"\b(?:my|our) (?:(?:own|new|old|other|work|home|office|private|personal|main|mobile|phone|cell|e-?mail) ){{0,2}}{_CONTACT_EN}(?: (?:address|number))?(?:'s|,|:| (?:now )?is| has changed to| will be)?(?: now| still)?[ :]*$"
    rf"|(?:我们?|本人)(?:自己|现在|家|公司)?的?(?:新|旧|私人|工作|常用)?的?{_CONTACT_ZH}(?:还|现在|就|改|换)?[是成为]?[,，:： ]*$",
    _I,
)
"""What introduces a contact as the speaker's own: it stays his whatever is said behind it."""
SAYS_WHOSE = re.compile(
    r"(?:[ ,](?:for now|at the moment|these days|right now|暂时|现在))?[ ,]*(?:[这那]?是|this is|that's|that is|it's|is)"
    rf"(?P<whose> (?:(?:my|our) (?:\w+ )?(?:{en.HOUSEHOLD}|{en.COLLEAGUES})(?: (?-i:[A-Z][\w-]+))?|(?-i:[A-Z][\w-]+)(?: (?-i:[A-Z][\w-]+))?|his|hers?|theirs?|mine)(?:'s?)?(?: (?:work |home |mobile |phone |e-?mail )?{_CONTACT_EN})?"
    rf"|(?:[我他她]们?|本人)?(?:公司)?的?(?:{zh.RELATED}|{zh.NAME}|[{zh.SURNAMES}](?:{zh.TITLES})|[老小][{zh.SURNAMES}])?(?:{zh.NAME}|{zh.LATIN_NAME})?的?{_CONTACT_ZH}?)(?=[ 啦哦]*(?:[,.;!?，。；！？\n]|$))",
    _I,
)
"""What says behind a contact whose it is, and nothing else."""
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
    r"(?:还有|另有|另外|再加)(?:一?个|[^,，。我]{0,2}(?:电话|手机|座机|号))|另一个|第二个|备用|备份|\b(?:second|other|another|also|backup|spare|alternative|secondary)\b",
    _I,
)
_FROM_NOW_ON = re.compile(
    r"\b(?:other|second) (?:one|number|phone|mobile)\b[^.;]*\b(?:now|instead|from now)\b|(?:以后|改)(?:打|用)", _I
)
"""What makes of the other number the only one."""
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


_NAMED_EN = re.compile(
    r"\b(?:my|our|his|her|their|your|the) (?P<what>[a-z][a-z' -]{1,30}?)(?: now)?(?: is| was| are| were|:| =)(?: now| about| around)? *$",
    _I,
)
_NAMED_ZH = re.compile(r"的(?P<what>[\u4e00-\u9fff]{2,6}?)(?:现在|目前)?(?:是|为|:|：) *$")
_OF_CONTACT = re.compile(
    rf"[号话机信线家]|联系|新|旧|那个|这个|办公|单位|公司|前台|(?:\b(?:{_PHONE_EN}|number|one|extension)|'s)$", _I
)
"""What a number may be told of that somebody is reached by, and whose one may be."""
_UNIT = re.compile(r" ?(?:[元万块年月日个台%]|(?:euros?|dollars?|pounds?|yuan)\b)")
_COUNTED = re.compile(r" [a-z]{3,}s\b")


def is_of_something_named(head: str, tail: str, *, called: bool) -> bool:
    """Whether a number is told of what is named right before it and is nothing to reach somebody by ("my PIN is"), or of
    what stands behind it ("shares"). `head` are the words since the last contact, `tail` those that follow; `called`:
    the head says that one is reached by it."""
    found = _NAMED_EN.search(head) or _NAMED_ZH.search(head)
    named = found is not None and _OF_CONTACT.search(found["what"]) is None and _CALLED.search(found["what"]) is None
    return named or _UNIT.match(tail) is not None or (not called and _COUNTED.match(tail) is not None)


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
    if _SPARE.search(head) and _FROM_NOW_ON.search(head) is None:
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


CONTACT = re.compile(
    r"(?P<email>(?<![A-Za-z0-9_.+-])[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4})"
    r"|(?P<wechat>(?:微信|wechat|weixin|WX|wx|vx|VX|V信|加v|加V)(?:号|id|ID)?(?:\s*(?:is now|is|'s|(?:现在)?就?是|:|为|的|(?:已经|已)?(?:换|改|变)(?:成|为|到)了?)\s*|\s*)(?P<wechat_id>[A-Za-z][A-Za-z0-9_-]{4,24}|\d{6,12}))"
    r"|(?P<qq>(?:qq|QQ|扣扣)(?:号)?(?:\s*(?:is|就?是|:|为)\s*|\s*)(?P<qq_id>\d{5,11}))"
    r"|(?P<phone>(?<![A-Za-z0-9_.@-])(?:\+[0-9]{1,3}[ -]?)?(?:\([0-9]{2,5}\)[ -]?)?[0-9]{2,15}(?:[ -][0-9]{2,15}){0,5}(?:[ -][0-9](?=[.,;!?)]|\s*$))?(?:\s?(?:转|ext\.?|extension|x)\s?[0-9]{1,5})?(?![A-Za-z0-9_@]|\.\d))",
    _I,
)
_OUT_OF_USE = r"不再?用|停[用机了]|作废|注销|不再|打不通|[没无]用|失效|别再?[打用]了|换掉|no longer|not in use|out of (?:use|service)|disconnected|\bdead\b|cancell?ed|(?:don't|doesn't|isn't|won't|stopped) (?:use|work|be|working|in use|valid|active)|\bgone\b|deactivated|closed"
_OLD = re.compile(rf"以前|之前|旧号|原来|\bold\b|used to|previous|former|{_OUT_OF_USE}", _I)
_SAYS_WHICH = re.compile(r"\S.*\S|[打拨发加用]")
_PIECE = re.compile(r"[,，;；。!?]")


def is_outdated(head: str, tail: str) -> bool:
    """Whether the words about the contact, in its own piece of the sentence or right behind it, call it an old one."""
    pieces = _PIECE.split(CONTACT.sub("", head))
    piece = next((part for part in reversed(pieces) if _SAYS_WHICH.search(part)), "")
    if _IN_USE.search(piece) or (piece != pieces[-1] and _OF_ANOTHER.match(piece)):
        return False
    if _IN_PLACE_OF.search(head):
        return True
    behind = _said_behind(_PIECE.split(tail.lstrip(",， "))[0])
    if _IN_USE.search(behind):
        behind = ""
    old = _OLD.search(piece) or (_NEW.search(piece) is None and _OLD.search(behind))
    return bool(old) and not re.search("新|换[成为到]|new|now", piece[-8:], _I)


def _said_behind(words: str) -> str:
    """What the words behind a contact say of it, and not of another that they name."""
    following = CONTACT.search(words)
    if following is None:
        return "" if _OF_ANOTHER.match(words) else words
    before = words[: following.start()]
    return "" if _ANOTHER.match(before) or _IN_PLACE_OF.search(before) else before


_ANOTHER = re.compile(
    r"[ (]*(?:(?:and|but|而|但是?|那)[ ,]*)?(?:(?:我们?的?|那个)?(?:旧|老(?!师|板|婆|公)|[以之]前|原[来先]|另[一外]|[\u4e00-\u9fff]{1,4}那个)"
    r"|(?:(?:my|our|his|her|their|the|that) )?(?:(?:old|previous|former|other|last)\b|\w+ one\b)|(?:formerly|previously)\b)",
    _I,
)
_IN_PLACE_OF = re.compile(
    r"\b(?:(?:instead|in place) of|rather than|(?:chang|switch|mov)\w+ (?:[\w-]+ ){0,4}from)\s*$|(?:[从由]|代替|而不是|不再[打用])\s*$",
    _I,
)
"""What a contact that another takes the place of stands behind."""
_OF_ANOTHER = re.compile(rf"{_ANOTHER.pattern}.{{0,24}}?(?:{_OUT_OF_USE})", _I)
"""What tells of another contact than the one it stands beside: the old one is out of use."""
_NEW = re.compile(r"\bnew\b|新[的手电号邮地]", _I)
_IN_USE = re.compile(
    r"还是(?:[打用发]|原来|以前|之前|老|旧)|改回|换回|用回|继续[打用]|\b(?:back to|go back|keep using|still use)\b", _I
)
"""What says that an old one is used again, or on."""
