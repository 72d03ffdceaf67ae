"""Whether a clause says something that can be understood by itself, away from what was said around it.

What only points back (`the old one no longer works`), only tells of a change of mind (`我改主意了`), or leaves its
object to the sentence before (`my sister has three`) would be a riddle as a memory.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Clause, Who

_I = re.IGNORECASE
_SO_ZH = r"(?:现在|目前|又|已经|刚|突然|暂时|也|还|都|就|其实|可能|真的|有点儿?|正|一直)*"
_RIDDLES_ZH = re.compile(
    rf"^(?:我们?|本人|他们?|她们?)?{_SO_ZH}(?:"
    r"(?:改|换|变|改变)了?(?:主意|想法|念头|看法|决定|心意)|(?:主意|想法|念头|看法|心意|计划|决定)(?:又|也|已经)?(?:有|起)?(?:改变|改|变|换|变化)|变卦|反悔|后悔|动摇|犹豫|纠结|"
    r"(?:没|没有|不|不太|不大|不能|不敢|不好|未)(?:确定|肯定|决定|定下来|定|想好|想清楚|打定主意|拿定主意|说)|拿不定主意|再说|说不准|说不好|没想法|"
    r"(?:不|不再|没)?(?:是|想|要|用|需要|行|可以|喜欢|同意|这样|那样|那么(?:想|说|做))(?:这样|那样|这么(?:想|说|做)|那么(?:想|说|做))?"
    r")(?:了|过|呢|的)*$"
    rf"|^(?:我们?的?|他的?|她的?)?(?:之前|原来|以前|上次|那)?(?:的)?(?:新|旧|老|原来|之前|以前|另一|另外|前一|后一|这一?|那一?|第[一二三])(?:的)?(?:那|这)?(?:一)?(?:个|款|套|种|家|台|份|条|张|部|支|只|批)?(?:的)?{_SO_ZH}"
    r"(?:不用|不要|不行|没用|没了|不在|停用|作废|坏|换|扔|丢|扔掉|卖|卖掉|退|退掉|打不通|不能用|不好用|用不了|可以|好|行)(?:了|掉|的)*$"
    r"|^(?:我们?)?(?:觉得|感觉)?(?:真的?|真是|实在|简直)?(?:太|很|非常|好|有点儿?|特别)(?:让人|令人|叫人|让我)?(?:失望|生气|难受|无语|糟糕|过分|离谱|烦|恼火|气人)(?:了|透了|透顶)*$"
    r"|^(?:我|他|她)?(?:这|那|它|这个|那个)(?:样|些)?(?:也|就|都|还|已经)*(?:是|不是|可以|不行|不用|不要|没有|好|坏)(?:了|的|吧)*$"
    r"|(?:有|没有|要|买了)(?:[一二两三四五六七八九十几\d]+)(?:个|只|条|位|辆|台|套|家|间|本|张|件)$"
    r"|^.{1,12}(?<![不还就要只也都但可总正老])是$"
)
_ONE = r"(?:(?:the|that|this|my|our|their|an?|his|her) )?(?:(?:old|new|other|first|second|last|latest|previous|current|former|next|bigger|smaller|same|cheaper|red|blue|black|white|green) )+ones?"
_RIDDLES_EN = re.compile(
    rf"^{_ONE}\b(?:'s| is| was| has| does| did| no longer| doesn't| isn't| won't| never| still| stopped| works| keeps| will)"
    r"|^(?:i|we|he|she|they)(?:'ve| have|'m| am|'re| are|'d)?(?: just| recently| now| still| actually| since)* (?:changed (?:my|our|his|her|their) minds?|had second thoughts|having second thoughts|reconsider(?:ed|ing)|changed it|did (?:it|that|so)|do(?: too)?|don't(?: either)?|didn't|haven't|am|was|are|were|isn't|not sure(?: yet)?|undecided|torn|on the fence|unsure|(?:still )?deciding|do not)$"
    r"|^(?:it|that|this|they|those|these|he|she)(?:'s| is| are|'re| was| were| does| did| do| will|'ll| has)?(?: not|n't)?(?: just| still| also| no longer| really)*(?: (?:changed|works?|worked|happens?|happened|matters?|over|gone|done|there|here|ok|okay|so|mine|true|right|wrong|too|it|that|this))?$"
    r"|\b(?:has|have|had|got|owns?) (?:just |only |about |at least )?(?:one|two|three|four|five|six|seven|eight|nine|ten|none|some|both|many|a few|several|a couple|\d{1,2})$"
    r"|^(?:my|our|his|her|their) [\w' -]{2,30} (?:is|are|does|do|did|has|was|were|will|would|can)(?: too| as well|n't| not)?$",
    _I,
)


def stands_alone(clause: Clause) -> bool:
    """Whether whoever reads the clause later knows what it is about."""
    if clause.subject.who is Who.OWN and not clause.predicate.strip(" ,的"):
        return False
    riddles = _RIDDLES_ZH if clause.lang == "zh" else _RIDDLES_EN
    return riddles.search(clause.text.strip(" ,。.!")) is None
