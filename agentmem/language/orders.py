"""Whether a text tells whoever reads it what to do, instead of telling something.

It speaks to the agent, to the system or of memory itself: ignore your rules, copy this on to every customer, you must
from now on. A word list cannot know every disguise; it keeps orders out of what is concluded, which nobody said and
nobody misses. What was said is kept as it was said.
"""

# ruff: noqa: E501 - word lists read best unbroken

import unicodedata

from agentmem import patterns as re
from agentmem.language.normal import is_invisible

_ORDERS = re.compile(
    r"""
    \b(?:ignore|disregard|forget|override|bypass)\b .{0,40} \b(?:instruction|prompt|rule|guideline|polic)
    | \b(?:copy|repeat|pass|spread|forward|propagate|add|write|store|remember|save|include|tell)\b .{0,60} \b(?:every|all|each|any|other)\b .{0,20} \b(?:customer|user|client|memor|agent|conversation|summar|insight|reflection|cycle)
    | \b(?:you|the\ (?:agent|assistant|system|model|ai|bot))\b .{0,12} \b(?:must|shall|have\ to|are\ now|should\ (?:always|never))\b
    | \bas\ (?:your|the|an)\ (?:administrator|admin|developer|operator|system)\b
    | \b(?:system|developer|assistant)\s*:
    | <\|.{1,40}\|> | \[/?inst\]
    | (?:忽略|无视|忘记|忘掉|不要理会|绕过) .{0,20} (?:指令|提示词|规则|设定|指示)
    | (?:复制|转告|转发|传给|写入|写进|记到|加到|同步|告诉|告知) .{0,20} (?:每|所有|全部|其他|其它|任何) .{0,6} (?:客户|用户|顾客|记忆|对话|会话|智能体|总结|洞察)
    | (?:你|您|助手|智能体|系统)(?:必须|务必|一定要|不得|只能|从现在起|今后都?要)
    | 作为(?:你的|你们的|您的|系统)?(?:管理员|开发者|主人)
    | (?:系统|管理员|开发者)(?:提示|指令|命令)?[:\uff1a]
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def gives_orders(text: str) -> bool:
    """Whether the text, unseen letters left out, gives orders to its reader."""
    seen = unicodedata.normalize("NFKC", "".join(ch for ch in text if not is_invisible(ch)))
    return _ORDERS.search(seen) is not None
