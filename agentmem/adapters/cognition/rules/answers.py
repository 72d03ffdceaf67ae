"""Short answers: the agent's question, with the answer in the place of its question word.

`您现在用的什么系统?` and `金蝶` make `现在用的金蝶系统`; `How many people?` and `about 15` make 15 people.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator
from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules import render_zh
from agentmem.adapters.cognition.rules.keys import keys_of
from agentmem.adapters.cognition.rules.kinds import kind_of
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Who
from agentmem.adapters.cognition.rules.paraphrase import confirms, rejects, retold_you
from agentmem.adapters.cognition.rules.questions_en import QUESTIONS_EN
from agentmem.adapters.cognition.rules.text import Lang, Span, language_of, plain, sentences
from agentmem.language.times import find_times

_I = re.IGNORECASE
_NAME_ASKED = re.compile(
    r"全名|姓名|怎么称呼|如何称呼|名字|叫什么|贵姓|您是哪位|your (?:full |first |last )?name|who am i speaking|may i ask who",
    _I,
)
_CONTACT_ASKED = re.compile(
    r"联系方式|电话|手机|邮箱|微信(?!登录|支付)|号码|phone|number|e-?mail|contact|reach you", _I
)
_NAME_ZH = re.compile(r"^(?:我?(?:姓|叫|是|名叫))?(?P<v>[\u4e00-\u9fff·]{1,4})$")
_NAME_EN = re.compile(r"^(?:it'?s |i'?m |my name is )?(?P<v>(?:[A-Z][A-Za-z'-]+)(?: [A-Z][A-Za-z'-]+){0,2})$")
_ASK_LEAD = re.compile(
    r"^(?:请问一下|请问|那么|那|好的|方便问一下|方便说一下|方便告诉我|可以告诉我|能告诉我|想了解一下|想问一下|冒昧问一下|另外|顺便问一下|麻烦问下|请告诉我|我想确认一下|还有|请教一下|了解一下)+[,:]?"
)
_WH = re.compile(
    r"(?:大概|大约|一般|分别)?(?:是在|是)?(?:什么时候|什么时间|几点|哪天|哪一天|周几|星期几|哪里|哪儿|什么地方|哪个(?P<n1>城市|区|地方|行业|平台|系统|部门|版本|型号|品牌)?|哪些(?P<n2>[\u4e00-\u9fff]{0,4})|哪种(?P<n3>[\u4e00-\u9fff]{0,3})|哪(?P<n4>家|款|方面|一块)|"
    r"什么样的?(?P<n5>[\u4e00-\u9fff]{0,4})|什么(?P<n6>[\u4e00-\u9fff]{0,4})|多少(?P<n7>[\u4e00-\u9fff]{0,3})|几(?P<n8>[\u4e00-\u9fff]{1,3})|多大|多久|多长时间|多高|多重|多远|多宽|怎么样|怎么|如何|谁|啥)"
)
_END_ZH = re.compile(r"[呢吗啊呀的]*$")
_NUMBER = re.compile(r"[\d一二两三四五六七八九十百千万半几]|one|two|three|four|five|six|seven|eight|nine|ten|dozen", _I)
_MANY = re.compile(r"多少|几|多大|多久|多高|多重|how (?:many|much|big|large|long|old)", _I)
_APPROX_ZH = re.compile(
    r"^(?:大概|大约|差不多|不到|至少|最多|不超过|超过|将近|也就|一共|总共|在|是|每|周|下|上|本|明|后|今|月|年|早|晚|中|都|从)"
)
_SHORT_REPLY = re.compile(
    r"^(?:不知道|不清楚|不确定|没想好|随便|都行|都可以|看情况|再说|保密|不方便|没有了?|好|好的|行|可以|嗯|谢谢|你好|您好|不用|算了|稍等|等下|等一下|我看看|none|no idea|not sure|whatever|anything|don't know|dunno|it depends|depends|hello|hi|thanks|thank you|ok|okay|sure|fine|great|nothing|maybe|let me .*|i'll .*|perfect|good|cool|sounds good|that's all)$",
    _I,
)
_COUNTED = re.compile(
    r"((?:(?:about|around|roughly|maybe|just|only|over|under|at least|up to) )?\d[\d,.]*k?)( [a-z ]+)$", _I
)
_YES_EN = re.compile(
    r"^(?:(?:so|ok|okay|and|great|perfect|got it),?\s+)?(?P<aux>do|are|have|would) you (?P<rest>[\w' ,$£€.&/-]{3,80})$",
    _I,
)


def question_in(text: str) -> str:
    """The last question of an agent turn, normalised, without its mark; empty where there is none."""
    asked = ""
    body = plain(text)
    for sentence in sentences(body):
        said = body[sentence.start : sentence.end]
        if sentence.mark == "?" or (
            language_of(said) == "zh" and re.search(r"(?:吗|呢)$|请问|告诉我|请提供|留(?:一?下|个)", said)
        ):
            asked = said
    return asked


def answers(clauses: list[Clause], discourse: Discourse) -> Iterator[tuple[Finding, Clause]]:
    """What the first clause of a turn says as an answer to `discourse.asked`, with the clause it used up."""
    if not discourse.asked or not clauses:
        return
    clause = clauses[0]
    if len(clauses) > 1 and (confirms(clause.text) or rejects(clause.text)) and len(clause.text) < 6:
        clause = clauses[1]
    text = re.sub(
        r"^(?:it'?s|that'?s|they'?re|he'?s|she'?s|he is|she is|that would be|it would be|probably|um|uh|就是|应该是)\s*",
        "",
        clause.text,
        flags=_I,
    ).strip(" ,")
    text = re.sub(r"吧$", "", text)
    if clause.act in (Act.QUESTION, Act.CONDITIONAL, Act.REPORTED) or not text or _SHORT_REPLY.match(text):
        return
    name = _name(text, discourse)
    if name is not None:
        yield _finding(name[0], clause, discourse, attribute="name", value=name[1], kind="name"), clause
        return
    if clause.act is Act.UNCERTAIN or (
        _CONTACT_ASKED.search(discourse.asked) and not re.search(r"时间|when|time|day", discourse.asked, _I)
    ):
        return
    lang = language_of(discourse.asked)
    content = _zh(text, clause, discourse) if lang == "zh" else _en(text, clause, discourse)
    if content is not None:
        yield _classified(content, clause, discourse, lang), clause


def _name(text: str, discourse: Discourse) -> tuple[str, str] | None:
    if not _NAME_ASKED.search(discourse.asked):
        return None
    found = _NAME_ZH.match(text)
    if found is not None:
        surname = len(found["v"]) == 1 or text.startswith(("姓", "我姓"))
        if surname:
            return (f"{discourse.label}姓{found['v']}", found["v"]) if found["v"] in zh.SURNAMES else None
        plausible = re.match(zh.NAME, found["v"]) is not None or found["v"] in discourse.person.name
        return (f"{discourse.label}的全名是{found['v']}", found["v"]) if plausible else None
    latin = _NAME_EN.match(text)
    if latin is not None:
        zh_asked = language_of(discourse.asked) == "zh"
        return (
            f"{discourse.label}的名字是{latin['v']}" if zh_asked else f"{discourse.label}'s name is {latin['v']}"
        ), latin["v"]
    return None


def _zh(text: str, clause: Clause, discourse: Discourse) -> str | None:
    if clause.subject.who in (Who.FIRST, Who.SECOND, Who.THIRD) or len(text) > 40:
        return None
    if clause.subject.who is Who.NONE and not _APPROX_ZH.match(text):
        return None
    if clause.subject.who is Who.OWN and not re.search(
        r"什么(?:问题|困难|痛点|需求|要求)|哪些|哪方面|痛点|是什么", discourse.asked
    ):
        return None
    asked = [_ASK_LEAD.sub("", piece) for piece in re.split("[,，]", discourse.asked)]
    piece = next((piece for piece in reversed(asked) if _WH.search(piece)), None)
    if piece is None:
        return _having(discourse, text) or _completed(asked[-1], text, discourse)
    if re.search("有什么.*[吗么]$", piece):
        return None
    if _MANY.search(piece) and not _NUMBER.search(text):
        return None
    return _substituted(piece, text, discourse)


def _substituted(piece: str, text: str, discourse: Discourse) -> str | None:
    piece = re.sub(
        "^(?:您|你)(?:们)?(?:可以|能|方便)?(?:说说|说一下|告诉我|介绍一下|具体说说)", "", _END_ZH.sub("", piece)
    )
    found = _WH.search(piece)
    if found is None:
        return None
    noun = next((value for value in found.groupdict().values() if value), "")
    head, tail = piece[: found.start()], piece[found.end() :]
    if noun and (
        noun.endswith(("问题", "需求", "要求", "时候", "地方", "钱", "名字", "名称", "城市", "区"))
        or noun in text
        or text[-1] in noun
    ):
        noun = ""
    if noun and noun[0] in text:
        noun = noun[1:].removesuffix("了")
    if found.group().endswith(("怎么", "如何")) and len(tail) <= 3:
        head, tail, text = re.sub("是$", "", head), "", re.sub("^都是", "都", text)
    joint = "是" if found.group().lstrip("大概约一般分别").startswith("是") and not text.startswith("是") else ""
    text = re.sub(r"^是", "", text) if head.endswith("是") else text
    text = re.sub(r"^在", "", text) if head.endswith("在") else text
    if tail and text.endswith(tail):
        tail = ""
    told = _subject(head)
    told = re.sub(r"(?:您|你)(?:们)?", "自己", told)
    if told == "我们" and not tail:
        return None
    return render_zh.retold(f"{told}{joint}{text}{noun}{tail}", discourse.label, "对方")


def _having(discourse: Discourse, text: str) -> str | None:
    """`有过敏吗?` and `青霉素`: what he has, named."""
    found = _HAVE_ASKED.search(discourse.asked)
    if found is None or len(text) > 16 or re.match("有|没|是|对|无", text):
        return None
    return f"{discourse.label}有{found['n']}：{text}"


def _completed(piece: str, text: str, discourse: Discourse) -> str | None:
    """`您的职业是?` with its answer behind it."""
    if not re.search("(?:是|为)$", piece) or len(text) > 20:
        return None
    return render_zh.retold(f"{_subject(piece)}{text}", discourse.label, "对方")


_HAVE_ASKED = re.compile(
    r"有(?:没有|什么|哪些)?(?P<n>(?:药物|食物)?过敏史?|忌口|特殊要求|要求|偏好|病史|宠物|孩子|小孩|经验|基础|担心|顾虑)(?:的)?(?:吗|呢|么)?$"
)


def _subject(head: str) -> str:
    """The words before the question word, with the first person as their subject."""
    if re.match("您|你", head):
        return re.sub(r"^(?:您|你)(?:们)?(?:这边|那边)?", "我们", head)
    return f"我们{head}" if not head or _VERBAL.match(head) else f"我们的{head}"


_VERBAL = re.compile(
    r"大概|大约|有|想|要|现在|目前|平时|平常|每|一般|主要|最|喜欢|预计|希望|打算|需要|在|用|是|住|做|选|买|会|能|计划|准备|之前|以前|一共|总共|通常|偏好|想要|今年|开了|养|已经|还|都|对|从|跟"
)


def _en(text: str, clause: Clause, discourse: Discourse) -> str | None:
    theirs = clause.subject.who is Who.THIRD and not re.match(r"how old", discourse.asked, _I)
    if theirs or clause.subject.who in (Who.FIRST, Who.SECOND) or len(text.split()) > 14 or clause.act is Act.POLITE:
        return None
    asked = re.sub(r"[^\w' ,$£€-]", "", discourse.asked)
    if _MANY.search(asked) and not _NUMBER.search(text):
        return None
    for pattern, template in QUESTIONS_EN:
        found = pattern.search(asked)
        if found is None:
            continue
        groups = {key: (value or "").strip(" ") for key, value in found.groupdict().items()}
        groups["r"] = f" {groups['r']}" if groups.get("r") else ""
        if groups.get("v") in ("using", "looking for", "interested in"):
            groups["v"] = f"are {groups['v']}"
        if groups.get("v") == "like" and "would" in asked.lower():
            groups["v"] = "would like"
        if groups.get("n") and groups["n"].split()[-1].lower().rstrip("s") in text.lower():
            template = (
                template.replace(" {n}", "").replace(" as {n}", "") if "{a}" in template.split("{n}")[0] else template
            )
        text, _, more = text.partition(", ")
        if "{a} {n}" in template and (count := _COUNTED.match(text)):
            text, template = count[1], f"{template}{count[2]}"
        template = f"{template}, {more}" if more and "{" not in more else template
        text = re.sub(r"^(?:in|at) ", "", text, flags=_I) if template.endswith("in {a}") else text
        text = re.sub(r"^(?:we use|using|with) ", "", text, flags=_I)
        return retold_you(
            template.format(
                a=text[:1].lower() + text[1:]
                if text[:1].isupper()
                and text.split()[0].lower()
                in (
                    "about",
                    "around",
                    "roughly",
                    "maybe",
                    "just",
                    "only",
                    "a",
                    "an",
                    "the",
                    "by",
                    "on",
                    "in",
                    "at",
                    "one",
                    "two",
                    "three",
                    "four",
                    "five",
                    "six",
                    "seven",
                    "eight",
                    "nine",
                    "ten",
                    "twelve",
                    "twenty",
                )
                else text,
                **groups,
            ),
            discourse.label,
            discourse.agent_name,
        )
    return None


def _classified(content: str, clause: Clause, discourse: Discourse, lang: Lang) -> Finding:
    spoken = content.replace(discourse.label, "我们" if lang == "zh" else "we", 1)
    kind = kind_of(spoken.replace("我们的", "", 1) if lang == "zh" else spoken.replace("we's", "our"), lang)
    valued = kind.value is not None or kind.attribute in (
        "need",
        "preference",
        "constraint",
        "complaint",
        "plan",
        "quantity",
    )
    slot = kind.attribute if valued else None
    if kind.attribute == "city" and kind.value is None:
        slot = None
    return _finding(
        content,
        clause,
        discourse,
        attribute=slot,
        value=(kind.value or clause.text[:500]) if slot else None,
        kind=kind.name,
        importance=kind.importance,
    )


def slotted(found: Finding, discourse: Discourse) -> Finding:
    """A claim made his own, with the slot its words fill."""
    spoken = found.content.replace(discourse.label, "我们" if found.lang == "zh" else "we", 1)
    kind = kind_of(spoken.replace("我们的", "", 1) if found.lang == "zh" else spoken.replace("we's", "our"), found.lang)
    if kind.value is None:
        return found
    return replace(found, kind=kind.name, attribute=kind.attribute, value=kind.value)


def _finding(
    content: str,
    clause: Clause,
    discourse: Discourse,
    *,
    attribute: str | None,
    value: str | None,
    kind: str,
    importance: int = 7,
) -> Finding:
    return Finding(
        content=content,
        kind=kind,
        importance=importance,
        lang=language_of(content.replace(discourse.label, "")),
        spans=(Span(clause.span.start, clause.span.end),),
        attribute=attribute,
        value=value,
        key=keys_of(content, (discourse.label, discourse.person.name)),
    )


def affirmed(asked: str, text: str, discourse: Discourse) -> str | None:
    """A yes to a plain question, as the statement it affirms."""
    if not confirms(text) or _SHORT_REPLY.match(text):
        return None
    found = _YES_EN.match(asked) if not re.search(r"\bany\b", asked, _I) else None
    if found is None or re.search(
        r"\bor\b|\bany (?:questions|other)|\blike (?:me|to (?:hear|see|know|book|schedule|come|try|start))|\bmind\b|\bhear\b|\bknow\b",
        asked,
        _I,
    ):
        return None
    first = {"do": "you", "are": "you are", "have": "you have", "would": "you would"}[found["aux"].lower()]
    return retold_you(f"{first} {found['rest']}", discourse.label, discourse.agent_name)


_ACCEPT = re.compile(
    r"^(?:嗯+[,， ]*)?(?:可以|行|好|没问题|ok|方便|合适)(?:的|啊|呀|吧|了)*(?=[,，。! ]|$)|^(?:yes|yeah|yep|sure|perfect|great|that works|sounds good|works for me|fine|ok|okay|that'?s (?:fine|great|perfect))\b",
    _I,
)
_PROPOSED_ZH = re.compile(r"(?:可以|行|好|方便|合适|有空|有时间)(?:吗|么|不)$|怎么样$|如何$")
_PROPOSED_EN = re.compile(r"^(?:(?:ok|okay|great|so|how about|shall|would|does|is|can|could|should)\b)", _I)


def agreed_time(asked: str, text: str, discourse: Discourse) -> Finding | None:
    """`周六上午十点可以吗?` and `可以的`: the time both have settled on."""
    if not _ACCEPT.search(text) or not asked or rejects(text):
        return None
    zh_asked = language_of(asked) == "zh"
    if not (_PROPOSED_ZH if zh_asked else _PROPOSED_EN).search(asked):
        return None
    times = [mention for mention in find_times(asked, discourse.turn.at) if not mention.recurring]
    if not times:
        return None
    when = asked[times[0].start : times[-1].end]
    if len(when) > 40:
        return None
    when = when.removeprefix("约")
    content = f"{discourse.label}同意约在{when}" if zh_asked else f"{discourse.label} agrees to {when}"
    lang: Lang = "zh" if zh_asked else "en"
    return Finding(content, "appointment", 8, lang, (), "appointment", when)
