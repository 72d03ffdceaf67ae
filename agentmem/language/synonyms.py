"""Words that ask for what other words tell, in Chinese and English: a birthplace is where somebody was born."""

from collections.abc import Iterable, Mapping
from typing import Final

from agentmem.language.tokens import tokens

_GROUPS: Final = (
    "born birth birthplace birthday 出生 生日 出生地 生于",
    "fear fears afraid scared frightened 害怕 怕 恐惧",
    "eat eats food meal 吃 食物",
    "live home reside residence 住 居住 住址",
    "work job occupation employed 工作 上班 职业 公司 当 职位 跳槽",
    "like love enjoy fond favourite favorite 喜欢 爱 爱好",
    "dislike hate 讨厌",
    "buy purchase bought 买 购买",
    "found founded founder establish 创办 创立 创建 创始人 创办者",
    "lead leader head run manage manager charge 负责 负责人 领导 牵头 主持 掌管 管理",
    "write author writer 写 作者 编写",
    "build make maker develop developer design designer 开发 研发 设计 制造",
    "start begin 开始",
    "own owner belong 拥有 归属",
    "weigh weight heavy 重 重量",
    "study learn 学 学习 读 攻读",
    "move relocate 搬 搬家 搬到",
    "allergy allergic 过敏",
    "apprentice trainee intern 学徒 徒弟 实习生",
    "nickname called 外号 绰号 昵称 小名 叫",
    "cost price 价格 价钱",
)

_GROUP_OF: Final[Mapping[str, int]] = {
    term: place for place, words in enumerate(_GROUPS) for word in words.split() for term in tokens(word)
}


def senses(words: Iterable[str]) -> frozenset[str | int]:
    """Words, as `tokens` has them, and the groups they are in: two that share one may mean the same."""
    held = frozenset(words)
    return held | {_GROUP_OF[word] for word in held if word in _GROUP_OF}
