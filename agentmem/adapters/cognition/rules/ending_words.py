"""The words in which a turn says that something is not as it was: closed classes, in Chinese and English."""

# ruff: noqa: E501 - patterns read best unbroken

from agentmem import patterns as re

_I = re.IGNORECASE
DENIES = re.compile(
    r"(?!^no[,.!])(?:不(?!错|止|仅|但|过|同|好意思)|没(?!事|问题|关系|错)|别(?!的|人)|甭|\b(?:not|no|never|without|cannot|nothing|none)\b|n't\b)",
    _I,
)
ADDS = re.compile(r"\b(?:also|another|extra|additional|as well|besides)\b|另外|还要|加[一两二三四五六七八九十\d]", _I)
"""What stands beside something and not in its place."""
REMINDS = re.compile(
    r"\b(?:still|remember|remind|don't forget|as (?:i|we) said|like i said|same|always)\b|还是|记[着得住]|别忘|说过|照旧|照样|一样|[不没]变|一直",
    _I,
)
SLIP = re.compile(
    r"\b(?:i meant|my mistake|sorry,? (?:i mean|no)|correction|got (?:that|it) wrong|mixed (?:that|it|them)? ?up|misspoke|typo|scratch that|wait,? no|no,? wait)\b|[说讲写打记搞弄填报][错岔混反]|口误|更正|不对",
    _I,
)
PERHAPS = re.compile(
    r"\b(?:if|unless|suppose|whether|maybe|might|perhaps|could|would|wish)\b|如果|要是|万一|可能|也许|说不定|大概", _I
)
DONE = re.compile(
    r"\b(?:updated?|changed?|moved?|raised|lowered|upped|bumped|slid|slipped|switched|swapped|removed?|released|cancell?ed|adjusted|corrected|amended|replaced|retired|dropped|deleted|closed|instead|from now on|as of|going forward)\b|改|换|更新|更正|取消|调整|删|去掉|撤|停|注销|恢复|转[到为成]|[升降涨减挪搬]",
    _I,
)
"""What somebody says who has put a change into effect, or asks for it."""
CEASES = re.compile(
    r"\b(?:stop(?:ped|ping)?|quit|g[ai]ve(?:n)? up|off|done with|finish(?:ed|ing)?|clos(?:ed|es|ing)|shut(?:s|ting)?|gone|retir(?:ed|ing)|died|sold|dropped|dead|expired|no more|ended|broke up|split up|fell through|packed (?:it )?in|let go|ditched|binned|scrapped|cancell?ed|no longer|any ?more)\b|\bleft\b(?! of)"
    r"|[停戒断]了?(?![车电])|[离辞]职|辞了|走了|关门|倒闭|没戏|作废|到期|注销|退[掉了订租房伙出休]|卖[了掉]|分手|分了|黄了|泡汤|散了|取消|不[^,，]{1,6}了|没了|结束|[毕]业",
    _I,
)
"""What says that something has come to an end, whatever it is."""
ACHIEVED = re.compile(
    r"\b(?:done|finished|delivered|handed in|submitted|completed|passed|sorted|arrived|signed|(?:was|been) (?:yesterday|last|a))\b|[交完做办搞弄装考签到]了|[完搞]定|[做办弄装考]完|完成|结束|通过",
    _I,
)
"""What says that something that was to be done is done."""
