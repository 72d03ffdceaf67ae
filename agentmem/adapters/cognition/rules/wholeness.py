"""Whether a statement that was retold is a whole sentence: a verb where one is needed, what its verb needs, no word at
its end that leads on, and no question left in it.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Finding, has_han

_I = re.IGNORECASE
_RETOLD_REPLY = frozenset(("answer", "contact", "name", "alias"))
"""Kinds whose words are a reply or a value, and no sentence of their own."""


def is_whole(found: Finding, label: str, agent: str) -> bool:
    """Whether whoever reads the finding later reads a whole sentence."""
    if found.kind in _RETOLD_REPLY:
        return True
    said = found.content.replace(agent, _AGENT).replace(label, _PERSON).strip(" .。!！")
    broken = _BROKEN_ZH if has_han(said) else _BROKEN_EN
    return not any(pattern.search(said) for pattern in broken)


_PERSON, _AGENT = "PERSON", "AGENT"
_WHO = rf"(?:{_PERSON}(?:'s organisation|'s \w+)?|[A-Z]\w+(?:'s \w+)?)"
_ADVERB = r"(?: (?:also|just|still|now|never|really|always|only|even|already|\w+ly))*"
_WHEN = r"(?:$|[,.;:!]| (?:in|on|at|before|last|this|yesterday|today|already|then|again|ago|since|when|now|earlier|once|twice)\b)"
_NO_VERB = (
    r"(?:again|ever|too|also|off|over|there|here|in|on|at|by|for|with|from|of|under|before"
    r"|after|until|because|and|but|or|so|the|an?|my|our|their|his|this|that|any|no(?! longer)|it|them|they|we|you|he|she|i"
    r"|been|gone|done|seen|had|was|were|got|went|made|took|taken|gave|given|found|knew|known|thought|felt|heard|said|told"
    r"|met|saw|did|(?!(?!agr|fr|decr|guarant)[a-z]*eed\b|embed|shed|wed|shred)[a-z]{2,}ed)"
)
_BROKEN_EN = (
    re.compile(rf"\b(?:wants?|likes?|needs?|love|prefer)(?: {_AGENT})? to (?:(?:\w+ly|just|not) )?{_NO_VERB}(?:$|[ ,.;])", _I),
    re.compile(rf"(?<!as )\b(?:{_PERSON}|they){_ADVERB}(?: had| have| has)? (?:gave|given|gives?|told|tells?|sent|sends?|showed|shows?|lent|lends?|promised?|owed?|asked|asks?) {_AGENT}{_WHEN}"),
    re.compile(rf"\b(?:told|asked) (?:them|him|her|{_PERSON}){_WHEN}"),
    re.compile(
        rf"^{_WHO}{_ADVERB} (?:wants?|needs?|said|says?|told|thinks?|thought|believes?|hopes?|has|had|gave|gives|got|took|sent"
        r"|makes?|made|uses?|likes?|loves?|hates?|prefers?|is|are|was|were|would like|would|can|will|could|should|must|does|did)$",
        _I,
    ),
    re.compile(rf"^{_PERSON}(?:'s organisation)?{_ADVERB} (?:is|are|was|were) (?:shut|closed|open|full|off|away|out|free|busy)$", _I),
    re.compile(r"\b(?:to|the|an?|my|our|your|their|and|or|but|because|if|than|of|very|which|whether|unless|nor|per)$", _I),
    re.compile(
        r"[.;!?,] (?:should|do|does|did|is|are|am|can|could|would|will|shall)(?:n't)? (?:i|they|we|you|it|he|she|there|that|AGENT|PERSON)\b"
        r"|[.;!?] (?:what|how|when|where|why|who|which)\b|\?",
        _I,
    ),
)  # fmt: skip
_BROKEN_ZH = (
    re.compile(
        r"(?:把|跟|对于|从(?<![听服顺]从)|和(?<![柔温饱缓平]和)|与(?<!参与)|因为|所以|但是?|如果|以及|或者?|还是|关于|而且|并且|的话|比如|例如)$"
    ),
    re.compile(r"(?:觉得|认为|以为|声称|得知|据说|想要(?<!不想要)|[^小听难传解胡话不没]说)$"),
    re.compile(r"[?？]|(?:吗|没|么(?<![什怎那这]么)|呢|(?<!没)多少|(?<!没)什么|哪里|哪儿|几点)$"),
    re.compile(r"^PERSON(?:有|没|没有|也|之前|以前)*[\u4e00-\u9fff]过了?$|^PERSON的[^希望想要]{1,6}[改换调]一?下$"),
    re.compile(r"^PERSON的?[啊呀哦嗯哎呢吧]"),
    re.compile(
        r"^PERSON(?:也|还|就|都|已经|刚刚?|现在|最近|又)*(?:搬|买|换|用|做|想|给|找|约|订|养|租|住|在|是|有|叫|姓|把|让|属于|成为|对)了?$(?<![换搬]了)"
    ),
)
