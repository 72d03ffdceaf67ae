"""What somebody asks of the memory itself in the middle of a talk: that it forget something of his.

Only what is plainly asked counts. "I always forget my keys", "don't forget my birthday", 你忘了我的生日 and "forget it"
ask for nothing, and neither does a text to be edited ("delete my second paragraph").
"""

import re

from agentmem.language.clauses import sentences

_LEAD_EN = r"(?:(?:please|okay|ok|now|and|so|hey|(?:can|could|would|will) you|i want you to|i'd like you to)[,\s]+)*"
_OWN_EN = r"(?:my|our|me|i|that\s+i|that\s+my|what\s+i|where\s+i|when\s+i|who\s+i|how\s+i)\b"
_FROM_MEMORY_EN = r".*\bfrom\s+(?:your\s+)?memor(?:y|ies)\b"
_ENGLISH = re.compile(
    rf"^{_LEAD_EN}(?:forget\s+(?:about\s+)?{_OWN_EN}|(?:delete|erase|remove)\s+{_OWN_EN}{_FROM_MEMORY_EN})",
    re.IGNORECASE,
)
_LEAD_ZH = r"(?:那|好的?|嗯|另外|还有)?[,，\s]*"
_ASKING_ZH = r"(?:请你?|麻烦你?|能不能|能否|可以|可不可以|帮我)"
_OWN_ZH = r"(?:关于)?(?:我的|我说|我刚|我之前|我家|我们的|我)"
_CHINESE = re.compile(
    rf"^{_LEAD_ZH}(?:"
    rf"{_ASKING_ZH}+(?:忘记|忘掉|忘了|抹去){_OWN_ZH}"
    rf"|(?:忘掉|抹去){_OWN_ZH}"
    rf"|(?:忘记|忘了){_OWN_ZH}[^吗?？]*吧"
    rf"|{_ASKING_ZH}*把{_OWN_ZH}.*(?:忘记|忘掉|忘了|从记忆[里中]?(?:删除|删掉|抹去|清除))"
    rf"|{_ASKING_ZH}*(?:别再?|不要再?)(?:记着|记住|记录|记){_OWN_ZH})"
)
_FORM_ZH = re.compile(
    r"把|从记忆[里中]?|(?:别再?|不要再?)(?:记着|记住|记录|记)|能不能|能否|可不可以|可以|麻烦你?|帮我|吧"
)


def forget_request(text: str) -> str | None:
    """What is to be forgotten, as it was said, fit for `read_wish`; None where nothing is asked to be."""
    for sentence in sentences(text):
        if _ENGLISH.match(sentence.text):
            return sentence.text
        if _CHINESE.match(sentence.text):
            return _FORM_ZH.sub("", sentence.text)
    return None
