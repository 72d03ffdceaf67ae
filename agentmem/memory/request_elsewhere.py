"""Requests that are not simply about what the memory holds of the speaker: what they name lies elsewhere, or they are handed
on for somebody else.

What is to be deleted elsewhere is nothing to forget: "take my company off the invoice", 把订单上我的手机号删掉. What is
handed on is: "Petra doesn't want her allergy stored, delete it", 王磊不想让你记他的身份证号,删了吧.
"""

# ruff: noqa: E501 - patterns read best unbroken

from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han

MEMORY_EN: Final = (
    r"(?:(?:your|the) )?(?:memor(?:y|ies)|records?|notes?|files?|system|database|data|mind|head|log|logs|books|history)"
)
"""What the memory is called."""

_GO_EN: Final = r"(?:delet|eras|remov|wip|purg|scrub|discard|drop|clear|strik|tak|cross|cut|kick|scrap|bin|chuck|throw|get(?:ting)? rid|leav)\w*"
_OWNED_EN: Final = r"(?:the|my|our|your|that|this|his|her|their|its)"
_OF_TALK_EN: Final = rf"(?:{_OWNED_EN} )?(?:(?:whole|entire|own|customer|client|internal|personal|(?:long|short)-term) )*(?:memor|(?:records?|notes?|files?|system|database|data|mind|head|brain|logs?|books|history|profile|chat|conversation|talk|thread|side|end|start|beginning|past|life|day|week|month|year|morning|evening|night|time|other|last|first|air|blue)\b)"
"""What is no place besides the memory: the talk itself, and times."""
_PLACES_EN: Final = r"(?:basket|cart|trolley|wish ?list|orders?|invoices?|quot(?:e|ation)s?|offers?|bills?|receipts?|bookings?|reservations?|calendar|diary|agenda|schedule|list|label|form|contract|policy|tickets?|parcel|package|menu|web ?site|web ?page|page|album|inbox|mailbox|group|newsletter|document|spreadsheet|slides?|draft|letter|leaflet|brochure|facebook|instagram|linkedin|twitter|whatsapp|google|outlook|amazon|ebay|youtube)"
_ELSEWHERE_EN: Final = re.compile(
    rf"\b{_GO_EN}\b.{{0,120}}?\b(?:(?:from|off|out of) (?!{_OF_TALK_EN})(?:{_OWNED_EN}|an?) \w|(?:from|off|out of|on|in|at) (?:{_OWNED_EN} |an? )?(?:[\w'-]+ ){{0,2}}?{_PLACES_EN}\b)",
    re.IGNORECASE,
)
_GO_ZH: Final = r"(?:删|去掉|移除|移出|划掉|撤|清|拿掉|拿走|取消|抹|踢|扔|取下)"
_OF_TALK_ZH: Final = r"(?:(?:你|您)(?:的|那|这)?(?:里|儿|边)|这里|那里|心里|记忆|记录|脑|数据|系统|资料|档案|笔记|印象)"
_PLACES_ZH: Final = r"(?:购物车|订单|发票|报价单?|合同|保单|账单|收据|小票|[\u4e00-\u9fff]单|名单|清单|列表|群|朋友圈|官网|网站|网页|网(?=上)|日历|日程|行程|通讯录|联系人|标签|菜单|邮件|短信|相册|表格|文件|文档|行李|箱子|冰箱|票|预订|预约|公众号|平台|地图|淘宝|京东|抖音|微博|支付宝)"
_ELSEWHERE_ZH: Final = re.compile(
    rf"从(?![^,，。]{{0,4}}{_OF_TALK_ZH})[^,，。]{{1,12}}?[里中上内][^,，。]{{0,20}}?{_GO_ZH}"
    rf"|{_PLACES_ZH}[^,，。的]{{0,1}}(?:里|上|中|内)[^,，。]{{0,20}}?{_GO_ZH}"
    rf"|{_GO_ZH}[^,，。]{{0,12}}?{_PLACES_ZH}(?:里|上|中|内)"
    rf"|朋友圈[^,，。]{{0,20}}?{_GO_ZH}|(?:移出|踢出|退出|撤出)[^,，。]{{0,12}}?{_PLACES_ZH}"
)


_SETTLED: Final = re.compile(
    r"\b(?:clear|wip|writ|pay)\w*(?: (?:off|out))? (?:\w+ ){0,3}(?:debts?|loans?|mortgages?|balances?|arrears)\b(?! (?:from|in|out of|off) (?:your|the) (?:memor|notes|records?))"
    r"|清(?:掉|了|偿|还)?[^,，。]{0,8}(?:债|账|欠款|贷款|花呗|信用卡)(?!.{0,4}(?:信息|记录|事))",
    re.IGNORECASE,
)
"""What is paid, and not forgotten."""


def lies_elsewhere(said: str) -> bool:
    """Whether what is asked to be deleted is said to lie somewhere else than in the memory, or is to be paid."""
    if _SETTLED.search(said):
        return True
    return (_ELSEWHERE_ZH if has_han(said) else _ELSEWHERE_EN).search(said) is not None


_WHO_EN: Final = r"(?P<who>(?:my |our )?[\w' .-]{2,40}?)"
_LATELY: Final = r"(?:(?: also| just| really| simply|,)*)"
_WANTS_NOT_EN: Final = r"(?:does not|doesn't|do not|don't|did not|didn't|would not|wouldn't|never|no longer)(?: really)? (?:want|wants|wanted|wish|like|agree|consent)(?: for| that| to)?"
_RATHER_NOT_EN: Final = r"(?:would|'d) (?:rather|prefer)(?: (?:that )?you (?:did not|didn't|do not|don't))?"
_ASKED_EN: Final = r"(?:has |have |just )?(?:asked|asks|begged|told|wants|wanted|would like|'d like|requested)(?: (?:me|you|us))?(?: that)?(?: (?:me|you|us))?(?: not)? to"
_KEEP_EN: Final = r"(?:you (?:to )?|to )?(?:not )?(?:keep|keeping|store|storing|remember|remembering|save|saving|record|recording|know|knowing|have|having|hold|forget|delete|erase|remove)"
_KEPT_EN: Final = r"(?: (?:to be |being |be |is |are )?(?:stored|kept|saved|remembered|recorded|known|on (?:file|record)|in (?:your|the) (?:memory|notes|records)|forgotten|deleted|erased|removed|here|anywhere))"
_FORMS_EN: Final = (
    re.compile(
        rf"{_WHO_EN} {_WANTS_NOT_EN} (?P<thing>(?:his|her|their|its) [\w' -]{{2,60}}?){_KEPT_EN}", re.IGNORECASE
    ),
    re.compile(
        rf"{_WHO_EN} (?:{_WANTS_NOT_EN}|{_ASKED_EN}|{_RATHER_NOT_EN}){_LATELY} {_KEEP_EN} (?P<thing>(?:his|her|their|its) [\w' -]{{2,60}}?)(?:{_KEPT_EN})?",
        re.IGNORECASE,
    ),
)
_FORM_ZH: Final = re.compile(
    r"(?P<who>[\u4e00-\u9fffA-Za-z]{1,10}?)(?:说(?:过)?(?:他|她)?)?(?:不想|不愿意?|不希望|不同意|不让|不许|要求|希望|想)(?:让|要|叫)?(?:你|我|我们|人)?(?:别|不要|不)?(?:再)?(?:记住|记着|记录|记|保存|存|保留|留|知道|忘掉|忘了|删掉|删除)(?:着|下)?(?:他|她)的?(?P<thing>[\u4e00-\u9fffA-Za-z]{1,15})"
)
_SELVES: Final = re.compile(
    r"(?:i|we|you|my|it|this|that|he|she|they|who|nobody|我|你|您|他|她|它|谁|大家|咱)", re.IGNORECASE
)
_POSSESSED: Final = re.compile(r"^(?:his|her|their|its) ", re.IGNORECASE)


def wished_by_another(said: str) -> str | None:
    """What somebody else wants not to be kept, as a wish has it; None where a text says nothing of the kind."""
    plain = said.strip(" \t,.;，。；")
    found = _FORM_ZH.fullmatch(plain) if has_han(plain) else _first(plain)
    if found is None or _SELVES.fullmatch(found["who"].strip()):
        return None
    who, thing = found["who"].strip(), _POSSESSED.sub("", found["thing"])
    return f"{who}的{thing}" if has_han(plain) else f"{who}'s {thing}"


def _first(said: str) -> re.Match | None:
    return next((match for form in _FORMS_EN if (match := form.fullmatch(said))), None)
