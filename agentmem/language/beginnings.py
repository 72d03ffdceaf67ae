"""Words by which something begins on a day, or comes again with it, and is not over with that day."""

# ruff: noqa: E501 - patterns read best unbroken

from agentmem import patterns as re

_BEGINS = re.compile(
    r"\b(?:since|from (?:\d|next|this|tomorrow|\w+day|\w+ \(?\d+)(?!.+\b(?:to|until|till)\b)|starts?|starting|started|begin(?:s|ning)?|as of|mov(?:e|es|ed|ing)|join(?:s|ed|ing)?|opens|opening|launch(?:es|ing)?|retir(?:e|es|ing)|marr(?:y|ies|ied|ying)|becom(?:e|es|ing)|birthday|anniversary)\b"
    r"|(?:(?:周|星期|礼拜)[一二三四五六日天]|[日号月年)）])起(?!床)|起(?=$|[,，。])|开始|以后|之后|往后|搬[家到去进]|入职|加入|上班|退休|开业|开学|结婚|上线|生日|纪念",
    re.IGNORECASE,
)


def begins(words: str) -> bool:
    """Whether the words tell of what begins on their day or comes again with it: from Friday, retires, 周五起, 入职."""
    return _BEGINS.search(words) is not None
