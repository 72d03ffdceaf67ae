"""Where what a request names lies: in the memory, or elsewhere, as in a basket, on an invoice or in a list of guests.

What is to be deleted elsewhere is nothing to forget: "take my company off the invoice", 把订单上我的手机号删掉.
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
    rf"\b{_GO_EN}\b.{{0,120}}?\b(?:(?:from|off|out of) (?!{_OF_TALK_EN}){_OWNED_EN} \w|(?:from|off|out of|on|in|at) (?:{_OWNED_EN} |an? )?(?:[\w'-]+ ){{0,2}}?{_PLACES_EN}\b)",
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


def lies_elsewhere(said: str) -> bool:
    """Whether what is asked to be deleted is said to lie somewhere else than in the memory."""
    return (_ELSEWHERE_ZH if has_han(said) else _ELSEWHERE_EN).search(said) is not None
