"""Chinese clauses retold about a named person: 我们公司的系统 becomes 罗小东的公司的系统."""

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_zh as words

_SELF = re.compile(r"我们|我司|我方|我自己|本人|俺们?|敝公司|我")
_ADJACENT = re.compile(
    rf"(?:公司|单位|店里?|团队|部门|家里?|厂里?|学校|诊所|酒店|医院|工厂|老家|{words.HOUSEHOLD}|{words.COLLEAGUES}|{words.OWN})"
)
_HERE = re.compile(r"(?:这边|这里|这儿|那边|自己)(?:的)?")
_FAMILY = re.compile(rf"我们?家(?:里)?的?(?=(?:{words.HOUSEHOLD}))")
_YOU = re.compile(r"您们|你们|您|你")
_TAIL = re.compile(r"(?:了)?[啊呀呢吧哈哦嘛哟啦]+$|的说$|谢谢.{0,3}$")
_TIDY = re.compile(r"(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])")


def retold(text: str, label: str, agent: str) -> str:
    """The clause with the first person named: first by label, then as 自己; the agent's side by its name."""
    text = _FAMILY.sub("我", text)
    parts: list[str] = []
    at = 0
    for found in _SELF.finditer(text):
        after = _HERE.match(text, found.end())
        end = after.end() if after else found.end()
        possessive = text.startswith("的", end) or (after is not None and after.group().endswith("的"))
        name = label if not parts else "自己"
        joint = "的" if not text.startswith("的", end) and (possessive or _ADJACENT.match(text, end)) else ""
        gap = " " if name[-1].isascii() and text[end : end + 1].isascii() and text[end : end + 1].isalnum() else ""
        parts += [text[at : found.start()], name, joint, gap]
        at = end
    told = "".join(parts) + text[at:]
    return tidy(_YOU.sub(agent, told))


def tidy(text: str) -> str:
    """Without the particles that only colour speech, and without stray blanks."""
    shorter = _TAIL.sub("", text.strip(" ,。.!?~"))
    return _TIDY.sub("", shorter).strip(" ,").replace(",", "，")


def mentions_self(text: str) -> bool:
    """Whether the first person is spoken of."""
    return _SELF.search(text) is not None


def strip_leading_self(text: str) -> str:
    """The clause without 我 or 我们 (这边) at its head."""
    found = _SELF.match(text)
    if found is None:
        return text
    after = _HERE.match(text, found.end())
    return text[after.end() if after else found.end() :]
