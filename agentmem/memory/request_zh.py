"""How Chinese asks that something be forgotten: what asks, what is meant before or behind the verb, what ends it."""

# ruff: noqa: E501 - patterns read best unbroken

from typing import Final

from agentmem import patterns as re
from agentmem.characters import HAN
from agentmem.language.lookalikes import simplified
from agentmem.memory.request_extent import ALL_OF_ME, all_but, is_detail, means_everything
from agentmem.memory.request_named import names_alone
from agentmem.memory.wish_parts import kept_behind, parted

_LEAD: Final = r"(?:(?:那|好的?|嗯|另外|还有|对了|算了|哦|啊|抱歉|不好意思|对不起|其实|谢谢|还是|以后|今后|那么|所以|但是?)[,，、\s]*)*"
_ASKING: Final = r"(?:请求|恳请|恳求|求求|求(?=你|您)|请|麻烦|拜托|劳驾|能不能|能否|可不可以|可否|可以|能|帮我|帮忙|我希望|希望|我想让|想让|我想请|我要|要|让|我需要|你最好|最好|你应该|应该|你要|务必|一定|一定要|赶紧|快|就|都|全部|立即|立刻|现在|你就|你|您|给我|从此)"
_ASK: Final = rf"(?P<ask>{_ASKING}*)[,，\s]*"
_FORGET: Final = r"(?:忘掉|忘记|忘了|忘却|遗忘|淡忘|忘)"
_DELETE: Final = (
    r"(?:删除|删掉|删了|删去|删|清除|清掉|清空|清理掉|抹掉|抹去|抹除|去掉|移除|擦除|擦掉|销毁|撤销|消除|丢掉)"
)
_NOT: Final = (
    r"(?:别|不要|不用|不许|请勿|勿|停止|不必|不需要|我?不(?:想|希望|愿意?)(?:让|要)?你|不准|无需|无须)(?:再|继续)*"
)
_KEEP: Final = r"(?:记住|记得|记着|记录下来|记录|记下来|记下|记|保存下来|保存|存储|存下来|存起来|存|留存|保留|留着|留下|留|收集)(?:着|下|了)?"
_FROM_MEMORY: Final = r"(?:从(?:你的?|您的?)?(?:记忆|记录|脑海|脑子|数据|数据库|系统|资料|档案)(?:当?中|里面?|内|库)?)"
_PRETEND: Final = rf"(?:{_ASKING})*(?:当作?|当做|假装|权当|就当)我?(?:从来?|根本)?(?:没有?|未曾|不曾)(?:跟你|和你|对你)?(?:说|提|讲|告诉)(?:过|起)?(?:你)?"
_END: Final = r"(?:了|吧|啊|呀|哦|嘛|呢|它|掉|好吗|好不好|可以吗|行吗|行不行|谢谢|一下|[,，。.!！?？\s])*$"

_AHEAD: Final = re.compile(
    rf"^{_LEAD}{_ASK}{_FROM_MEMORY}?(?:(?P<forget>{_FORGET})|(?P<delete>{_DELETE}))(?:一下)?{_FROM_MEMORY}?(?P<object>[^吗]*?){_END}"
)
_TAKEN: Final = re.compile(
    rf"^{_LEAD}{_ASK}(?:把|将)(?P<object>.*?)(?:都|全部?|给我|给|先|统统|彻底)*{_FROM_MEMORY}?(?:都|全部?|给我|给|先|统统|彻底)*(?:(?P<forget>{_FORGET})|(?P<delete>{_DELETE})){_END}"
)
_TOPIC: Final = re.compile(
    rf"^{_LEAD}(?P<object>.*?)[,，、\s]*(?P<ask>{_ASKING}+)(?:被|给)?(?:把它|把这个|把这些)?{_FROM_MEMORY}?(?:(?P<forget>{_FORGET})|(?P<delete>{_DELETE}))(?:它|这句话|这件事|这个|这些|那些)?{_END}"
)
_MATTER: Final = re.compile(
    rf"^{_LEAD}(?P<object>.+?(?:这件?事情?|的事情?|那件?事情?|一事|的话))[,，]?(?:就|都|全|也)*(?:(?P<forget>{_FORGET})|(?P<delete>{_DELETE}))(?:掉|了)*(?:吧|好了|算了)(?:谢谢|[,，。!！\s])*$"
)
_MATTER_BARE: Final = re.compile(
    rf"^{_LEAD}(?P<object>.+?(?:这件?事情?|的事情?|那件?事情?|一事))[,，]?(?:就|都|全|也|给我|帮我)*(?:(?P<forget>忘掉|忘却)|(?P<delete>删除|删掉|清除|抹掉|抹去))(?:吧|了|谢谢|[,，。!！\s])*$"
)
SECRET: Final = re.compile(
    r"[,，]?(?:千万|就|也|请)*(?:别|不要|不许|不能|谁(?:也|都)别)(?:再)?(?:跟|和|对|告诉|让)?(?:任何人|别人|其他人|外人|谁)?(?:说|提|讲|知道|外传|声张)?(?:起|出去)?[,，]?$"
)
"""What says of something that it is not to be told."""
_REPORTED: Final = re.compile(
    r"^(?!我|你|您|请|麻烦|刚|之前|以前|上次|关于|有关|把|将).{1,10}?(?:(?:说|讲|问|提议|建议|认为|觉得)(?!过|的|起)|[叫让要求]+我|告诉我)"
)
"""What somebody else says is to be done."""
_UNKNOWN: Final = r"我?不(?:想|希望|愿意?)(?:再)?(?:让|要)?你(?:再|继续)*知道"
_UNKEPT: Final = re.compile(rf"^{_LEAD}{_ASK}(?:{_NOT}(?:{_KEEP})|{_UNKNOWN})(?P<object>.+?){_END}")
_UNKEPT_TAKEN: Final = re.compile(rf"^{_LEAD}{_ASK}(?:别|不要|请勿)(?:再)?(?:把|将)(?P<object>.+?)(?:{_KEEP}){_END}")
_UNKEPT_TOPIC: Final = re.compile(
    rf"^{_LEAD}(?P<object>.*?)[,，、\s]*(?:{_ASKING})*(?:什么)?(?:{_ASKING})*{_NOT}(?:{_KEEP}){_END}"
)
_UNSAID: Final = re.compile(rf"^{_LEAD}{_PRETEND}(?P<object>.*?){_END}")
_UNSAID_TOPIC: Final = re.compile(
    rf"^{_LEAD}(?P<object>.+?)[,，、\s]*(?:{_ASKING})*(?:当作?|当做|假装|权当|就当)我?(?:从来?|根本)?(?:没有?|未曾|不曾)(?:跟你|和你|对你)?(?:说|提|讲|告诉)(?:过|起)?(?:你)?{_END}"
)
_EXCEPT: Final = re.compile(
    r"(?:除了?|除开|除却)(?P<kept>.+?)(?:(?:以外|之外|外)的?[,，]?|[,，]|的)(?:其[他它余]|别|剩下|剩余|所有|一切|全部)*的?(?:事情?|信息|资料|内容|东西|都|全部?)*"
    r"|(?:只|仅|就)(?:保留|留下?|留着|记住|记得|记)(?P<left>.+?)[,，](?:其[他它余]|别|剩下|剩余)的?(?:事情?|信息|资料|内容|东西|都|全部?)*"
)
"""All but what is named."""
_ONLY_BUT: Final = re.compile(r"(?:除了|除开|除却)(?P<kept>[^,，]+?)(?:全部|全都|全|都)?")
"""The same where only a word for all stands behind it: 除了手机号都忘掉."""
_ASKED_BACK: Final = re.compile(r"[,，]?(?:可以|好|行)?吗$")
_BLANK: Final = re.compile(rf"(?<=[{HAN}，,])\s+(?=[{HAN}])")
"""Blanks between Chinese characters, which mean nothing."""
_MAY: Final = re.compile(r"能不能|可不可以|能否|可否")
_UNASKED: Final = re.compile(r"(?:别|不要?|没有?|勿|莫|不会|不能|不许|难以?|无法|从未)(?:再|想|敢|该|会|能)*忘")
_FORGOT: Final = re.compile(
    rf"^{_LEAD}(?:我|你|您|他|她|谁|怎么|为什么)[^,，]{{0,8}}(?:忘了|忘记了?|删了|删除了|删掉了)"
)

_TOLD: Final = re.compile(
    r"^(?:(?:关于|有关)|我?(?:刚才|刚刚|之前|以前|曾经|上次)?我?(?:跟你|和你|对你|给你)?(?:所?说|讲|提|告诉)(?:过|起|到|你)*的?|(?:刚才|刚刚|之前|上次)|你的?(?:记录|记忆|脑子)里?的|你记(?:着|下|住)?的(?:那|这)?[个些条]?|你(?:知道|记得|记住|保存|存)的?|所有|全部|一切)+"
)
_CALLED: Final = re.compile(
    r"(?:(?:的)?(?:这|那)?(?:件|个|些|条|一)?(?:事情?|信息|记录|内容|资料|记忆|情况|数据)|(?:的|这|那)(?:一?(?:句|些|条|点))?话?)+(?:了|吧|啊|都|全部?|就|你|您|请)*$"
)
_QUOTES: Final = "“”「」『』\"'‘’ ,，。.!！?？:："
_EACH: Final = re.compile(r"全部|全都|都|统统|通通|彻底")
_SAID: Final = re.compile(r"我|咱|说|讲|告诉|知道|这|那|一切|所有|记|聊")
_POLITE: Final = re.compile(r"请|麻烦|拜托|劳驾|希望|想让|能不能|可不可以|把|将|吧|一切|所有|全部")
_BEGGED: Final = re.compile(r"请|麻烦|拜托|劳驾|求")
"""What only who is spoken to is asked with: 王强应该忘掉 says what Wang Qiang should do."""
_IDLE: Final = re.compile(r"(?:了|吧|啊|呀|你|您|就|都|请)+$")
_POSSESSED: Final = re.compile(r"^我们?的(?P<thing>.+)$")


ASKING: Final = (
    *(_UNSAID, _UNSAID_TOPIC, _TAKEN, _AHEAD, _UNKEPT_TAKEN, _UNKEPT),
    *(_TOPIC, _MATTER, _MATTER_BARE, _UNKEPT_TOPIC),
)
"""One of these matches whatever asks for something, or seems to, once the blanks between characters are gone."""


def wish_in(sentence: str) -> str | None:
    """What a sentence asks to be forgotten, without the words that ask; None where it asks nothing of the kind."""
    said = _BLANK.sub("", simplified(sentence).strip().rstrip("。.!！?？ "))
    if _UNASKED.search(_MAY.sub("", said)) or only_tells(said) or _REPORTED.match(said):
        return None
    gone, kept = kept_behind(_ASKED_BACK.sub("", said))
    wish = _wish_in(gone)
    return f"{wish},但保留{kept}" if wish and kept else wish


def _wish_in(said: str) -> str | None:
    for pattern in (_UNSAID, _UNSAID_TOPIC, _TAKEN, _AHEAD, _UNKEPT_TAKEN, _UNKEPT):
        found = pattern.match(said)
        if found is not None:
            return _meant(pattern, found, said)
    for pattern in (_TOPIC, _MATTER, _MATTER_BARE, _UNKEPT_TOPIC):
        found = pattern.match(said)
        if found is not None and found["object"].strip():
            return _meant(pattern, found, said)
    return None


def names_in(sentence: str) -> tuple[str, ...]:
    """What a sentence asks to be forgotten that has no other sign of being remembered than that it may be a name."""
    said = _BLANK.sub("", simplified(sentence).strip().rstrip("。.!！?？ "))
    if _UNASKED.search(_MAY.sub("", said)) or only_tells(said) or _REPORTED.match(said):
        return ()
    said = _ASKED_BACK.sub("", said)
    forms = (_TAKEN, _AHEAD, _UNKEPT_TAKEN, _UNKEPT)
    form, found = next(((form, match) for form in forms if (match := form.match(said))), (None, None))
    if found is None and (topic := _TOPIC.match(said)) and _BEGGED.search(topic["ask"] or ""):
        form, found = _TOPIC, topic
    if form is None or found is None or found.groupdict().get("delete"):
        return ()
    asks = form is not _AHEAD or found["ask"] or found["forget"] not in ("忘了", "忘") or _is_mild(found, said)
    return names_alone(_plain(found["object"])[0]) if asks else ()


_THING_ELSEWHERE: Final = re.compile(
    r"文件|文档|照片|图片|相片|段落?|[一二三四五六七八九十\d几这那上下]行|句子?|[个些]字|标题|表格|邮件|短信|消息|微信(?!号)|聊天|闹钟|提醒|视频|歌|软件|程序|应用|代码|分支|函数|评论|帖子|朋友圈|缓存|垃圾|重复|备份|草稿|快捷方式|好友|联系人"
)
"""What one has deleted elsewhere than in a memory."""
_POINTING: Final = re.compile(r"(?:它|他|她|这|那|这个|那个|这些|那些|这条|那条|全部|所有|一切|都|了|吧|我|自己)*")


def held_in(sentence: str) -> str | None:
    """What a sentence asks to be deleted, or not to be kept, that only the memory can tell to be something remembered:
    请删掉会员卡号."""
    said = _BLANK.sub("", simplified(sentence).strip().rstrip("。.!！?？ "))
    if _UNASKED.search(_MAY.sub("", said)) or only_tells(said) or _REPORTED.match(said):
        return None
    said = _ASKED_BACK.sub("", said)
    forms = (_TAKEN, _AHEAD, _UNKEPT_TAKEN, _UNKEPT, _TOPIC, _UNKEPT_TOPIC)
    found = next((match for form in forms if (match := form.match(said)) and match["object"].strip()), None)
    if found is None or found.groupdict().get("forget"):
        return None
    meant, _ = _plain(found["object"])
    return None if _POINTING.fullmatch(meant) or _THING_ELSEWHERE.search(meant) else meant


def is_unclear(sentence: str) -> bool:
    """Whether a sentence that asks for nothing plainly seems to ask that something said be forgotten."""
    said = _BLANK.sub("", simplified(sentence).strip().rstrip("。.!！?？ "))
    if _UNASKED.search(_MAY.sub("", said)) or only_tells(said):
        return False
    found = next((match for form in (_TAKEN, _AHEAD, _UNKEPT_TAKEN, _UNKEPT) if (match := form.match(said))), None)
    return found is not None and _SAID.search(found["object"]) is not None and _POLITE.search(said) is not None


_WONDERS: Final = re.compile(r"(?:怎么|如何|怎样|咋)(?:才能|才|样|能|去|可以|把[^,，]{1,12})*(?:删|清|抹|忘|移除|注销)")
"""How it is asked how something is deleted."""


def only_tells(said: str) -> bool:
    """Whether somebody has forgotten or deleted something already, or it is asked whether he has."""
    if _WONDERS.search(said):
        return True
    tells = _FORGOT.match(said) is not None and not re.search(
        r"吧|请|麻烦|希望|最好|应该|可以|能|就忘|我要你|让你", said
    )
    asks = "吗" in said and not re.search(r"能|可以|可否|好吗|行吗", said)
    return tells or asks


def _meant(pattern: re.Pattern, found: re.Match, said: str) -> str | None:
    everything = _everything(found["object"], said)
    if everything is not None:
        return everything
    plain, told = _plain(found["object"])
    if not plain:
        return None
    groups = found.groupdict()
    if pattern in (_UNSAID, _UNSAID_TOPIC):
        return plain
    own, thing = plain.startswith(("我", "咱")), _possessed(parted(plain)[0])
    if groups.get("forget"):
        asked = (
            pattern is not _AHEAD
            or groups["ask"]
            or found["forget"] in ("忘掉", "忘却", "遗忘", "淡忘")
            or _is_mild(found, said)
        )
        return plain if asked and (own or told or is_detail(thing)) else None
    state = own and not _POSSESSED.match(plain)
    return (
        plain
        if is_detail(thing)
        or is_detail(parted(plain)[0])
        or (told and state)
        or (told and _tells_of_saying(found["object"]))
        or (state and pattern is not _AHEAD and not groups.get("delete"))
        else None
    )


def _everything(thing: str, said: str) -> str | None:
    """The wish for all that is known of the speaker, and what of it is kept."""
    thing = thing.strip(_QUOTES)
    besides = _EXCEPT.fullmatch(thing)
    if besides is not None:
        return f"{ALL_OF_ME} but keep {besides['kept'] or besides['left']}"
    only = _ONLY_BUT.fullmatch(thing) if _EACH.search(said) else None
    if only is not None:
        return f"{ALL_OF_ME} but keep {only['kept']}"
    gone, kept = parted(thing)
    if kept and all_but(gone):
        return f"{ALL_OF_ME} but keep {kept}"
    if means_everything(gone) or (_EACH.search(said) and means_everything(f"所有{gone}")):
        return f"{ALL_OF_ME} but keep {kept}" if kept else ALL_OF_ME
    return None


def _is_mild(found: re.Match, said: str) -> bool:
    """忘了 by itself tells what happened; with 吧, or of a matter, it asks."""
    return "吧" in said or _CALLED.search(found["object"]) is not None


def _tells_of_saying(thing: str) -> bool:
    return re.search(r"说|讲|提|告诉|的事|这件事|话|你(?:所)?(?:知道|记得|记住|记下|保存|存)", thing) is not None


def _possessed(plain: str) -> str:
    own = _POSSESSED.match(plain)
    return own["thing"] if own else plain


def _plain(text: str) -> tuple[str, bool]:
    """What is meant, and whether it was called something told, remembered or a matter."""
    plain = began = _IDLE.sub("", SECRET.sub("", text.strip(_QUOTES)))
    for _ in range(3):
        plain = _CALLED.sub("", _TOLD.sub("", plain).strip(_QUOTES)).strip(_QUOTES)
        plain = _IDLE.sub("", plain)
    return plain, plain != began
