"""What a Chinese clause does: asks, requests, supposes, doubts, is polite, passes on, or states."""

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_zh as words
from agentmem.adapters.cognition.rules.model import Act

_ANY_QUESTION = re.compile(
    r"(?:吗|么|呢|嘛)[啊呀]?$|怎么样?才|怎么(?!都|也)|怎样|咋|(?<!没)(?<!为)什么(?!的$|都|样的都)|为什么|为啥|啥|"
    r"哪[个些里种款家儿位边天]|多少(?!有)|谁(?!都)|如何|是否|有没有|有无|是不是|行不行|好不好|要不要|会不会|多久|多长时间|多大|多高|多远|几[个点号天位款种折]?$"
)
_MINDED = re.compile(r"(?:在意|关心|看重|注重|担心|取决于|在乎|关注).*(?<![吗呢么])$")
_SEEKING = re.compile(
    r"(?:想|想要|希望|要|打算|需要)?(?:先|再|来)?(?:知道|了解|咨询|请教|打听|问问|问一下|问下|请问|确认|搞清楚|弄清楚|听听|对比一下|比较一下|看看(?!房|车|样|现场|演示|实物|牙|病))"
)
_SEEKS = re.compile(
    rf"^.{{0,8}}?(?:想|想要|希望|要|打算|需要)(?:先|再|来|多)?{_SEEKING.pattern}|^(?:请问|问一下|问下|请教|想问)"
)
_COULD = re.compile(r"能不能|可不可以|可以不可以|能否|可否|能不可以|是否可以|是不是可以|是否能|有没有办法|有没有可能")
_CAN = re.compile(r"(?:可以|能|可不可|能够).{1,30}[吗么]$|(?:可以|能).{2,30}$")
_BENEFIT = re.compile(r"帮我|给我|替我|为我|我们?的|帮忙|把")
_CHANGE = re.compile(
    r"加[点上个入装]?|添加|增加|新增|开发|定制|接入|集成|对接|打通|改[成造进为]?|升级|取消|去掉|删掉|便宜|优惠|打折|打个折|送[货个我]?|安排|"
    r"上门|提前|推迟|延期|延长|换[成个]?|退|减免|减|免|分期|试用|试听|试驾|试吃|看房|预约|约|订|保留|留[个一]?|发货|寄|缩短|开发票|开票|降[低点一]?|少[点一]|早[点一]|晚[点一]"
)
_TELL = re.compile(
    r"^(?:简单|大概|详细|具体|先|再)?(?:介绍|讲|说|告诉|解释|科普|推荐|展示|演示|发|看|听|回答|举例|详细|了解|聊)"
)
_CONDITION = re.compile(
    r"如果|(?<![主重只需])要是|假如|假设|假使|倘若|若是|万一|除非|一旦|即使|就算|哪怕|的话$|的话(?=[,，就我你])|^若|只要.{1,12}(?:就|都)"
)
_COURTESY_IF = re.compile(
    r"(?:如果|(?<!主)要是)?(?:您|你)?(?:可以|方便|可能|有可能|行|没问题|不麻烦|没记错|没有意外)的话"
)
_DOUBT = re.compile(
    r"(?<!不)(?<!有)(?<!尽)可能(?!性)|也许|或许|说不定|没准|不确定|不太确定|不一定|还没(?:有)?(?:想好|决定|定下?来?|确定|考虑)|没想好|不好说|好像|似乎|估计|"
    r"大概会|应该会|在犹豫|犹豫|再看看|看情况|或者.{1,12}吧|不清楚|不知道|未必|保不齐"
)
_POLITE = re.compile(
    r"^(?:谢谢|多谢|感谢|谢了|辛苦|麻烦(?:你|您)?(?:了|啦)|不好意思|抱歉|对不起|打扰|你好|您好|大家好|早上好|上午好|下午好|晚上好|再见|拜拜|祝|恭喜|"
    r"新年快乐|节日快乐|幸会|收到(?!的)|明白|了解了|知道了|客气|不客气|不用谢|没关系|没事|合作愉快|(?:很)?高兴(?:认识|见到)|久仰|期待|先这样|回头聊|回见|(?:那)?就这样)|"
    r"(?:希望|祝愿|但愿)(?:我们)?(?:你|您|贵|咱|大家|合作|以后|一切|天气|明天不要|能够?合作|可以合作|有机会)|合作愉快|多多关照|越来越好|越办越好|生意兴隆|很高兴"
)
_ASKED_OF_YOU = re.compile(
    r"希望(?:你|您|贵)[^,]{0,6}?(?:能|可以|可|给|帮|把|尽快|尽早|不要|别|支持|提供|安排|多)(?!够?合作|越)"
)
_REPORT = re.compile(
    r"^(?:我)?(?:听说|听.{1,6}(?:说|讲)|据说|有人说|网上(?:说|都说|看到)|都说|人家说|别人说|看新闻|看到新闻|朋友说|他说|她说|他们说)|"
    r"^(?:我|我们)?(?:的)?(?:同事|朋友|老板|领导|老婆|老公|邻居|客户|同学|家人|孩子|儿子|女儿|妈|爸|经理)[^,]{0,3}(?:说|讲|觉得|认为|建议|告诉)|有人说|都说|^(?!我|我们|咱|老实|说|据我)[^,我会能要不]{1,6}(?<!小)(?:说(?!明|服|实话|真|白|书|.{0,4}(?:话|语))|告诉我|跟我讲)|.{1,8}(?:说|告诉我|跟我说)[:\"]"
)
_IRONY = re.compile(
    r"呵呵|真是太好了呢|好得很啊|厉害了我的|真行|(?:我)?谢谢你(?:们)?(?:全家|啊$)|可真(?:会|能|行|是)|笑死|开玩笑|逗你|说笑|做梦吧|中彩票|我是你(?:爸|爷)"
)
_IDLE = re.compile(
    r"^(?:我|我们|咱)?(?:们)?(?:先|再|都|也|就|会|去|回去|回头|得|要|可以)*(?:知道|明白|懂|清楚|看看|看一下|看一看|想想|想一想|想一下|考虑(?:一下|考虑|下)?|再说|走了|忙|挂了|在听|在|同意|"
    r"没问题|没有问题|没事|没什么|没有了|没了|随便|随意|都可以|都行|问|来问|听|看到|看了|打错|是说|的意思|想起|想到|想必|想象|忘|记得|猜|试试|等|稍等|马上|过会|商量|"
    r"讨论|汇报|不急|不着急|理解|相信|承认|确定|知道了|明白了|联系你|联系您|找你|找您|回复|加你|加您|好的|行|好)(?:[了吧啊呢的哈呀]|一下|你们?|您)*(?:来了|，|,|$)|想起|想到|想必|想象|^(?:我)?记错|^(?:我|我们)?(?:先|再|回去|回头|要|得)+(?:看|想|考虑|了解|研究|商量|对比|比较)(?!房|车|买|租|换|做)|^(?:我|我们)?(?:刚刚?|今天|昨天|正好)?(?:看(?:网上|见|到)|听(?:见|到)|明白|没听懂|没看懂|听不懂|看不懂|猜|想也是|问一下|问问|加(?:你|您)|(?:有|还有)(?:个|点|几个|一个)?(?:问题|疑问)(?:想|要|$)|开会|在?开车|在忙|在外面|在路上|又不是|又没|是(?:从|在|通过|看).{1,12}(?:看到|知道|了解|听说|找)|(?:回去|回家|去|要|得|先|再)*(?:跟|和|与).{1,8}(?:商量|汇报|说一下|说说|确认|讨论))|^(?:明天|回头|改天|下次|有空|有需要|到时候|晚点)?再?(?:联系|聊|说)(?:吧|你|您|$)|^(?:一般|大多数|很多|现在的|别的|其他)(?:的)?(?:公司|企业|人|店|家庭|学校|客户)|^(?:我|我们)?(?:是)?(?:帮|替).{1,6}问|累死|饿死|刚吃|又不是|难道|凭什么|哪有|^只是问|^随便问|^(?:我)?只是(?:问|看|了解)|上次聊"
)
_WORLD = re.compile(
    rf"^(?:今天|今年|明天|最近|这几天|这里|这边|现在|你们那边|上海|北京)?(?:的)?(?:{words.WORLD})|^今天.{{0,3}}[热冷]"
)
_COMMAND = re.compile(r"^(?:请|麻烦|劳烦|拜托|帮我|帮忙|给我|替我|你|您|你们|赶紧|尽快)")
_NO_CALL = re.compile(
    r"(?:不要|别|勿|不用|不想|少|不方便|先别).{0,6}(?:打|接|发|加|联系|来电|致电|电话|微信|短信|邮件|推销)"
)


def act_of(text: str, *, asks: bool) -> Act:
    """The act of one clause; `asks` where a question mark closes it."""
    if _CONDITION.search(text) and _CONDITION.search(_COURTESY_IF.sub("", text)):
        return Act.CONDITIONAL
    if _SEEKS.search(text) and not _BENEFIT.search(text):
        return Act.QUESTION
    request = _request(text)
    if request is not None:
        return request
    if _REPORT.search(text):
        return Act.REPORTED
    if _polite(text):
        return Act.POLITE
    if asks or _SEEKS.search(text) or _ANY_QUESTION.search(_MINDED.sub("", text)):
        return Act.QUESTION
    if _IDLE.search(text) or _IRONY.search(text) or _WORLD.search(text):
        return Act.IDLE
    return Act.UNCERTAIN if _DOUBT.search(text) else Act.ASSERT


def courteous(text: str) -> str:
    """The text without a condition that is mere courtesy (方便的话)."""
    return _COURTESY_IF.sub("", text)


def is_conditional(text: str) -> bool:
    """Whether the clause opens a supposition."""
    return _CONDITION.search(_COURTESY_IF.sub("", text)) is not None


def _polite(text: str) -> bool:
    return _POLITE.search(text) is not None and _ASKED_OF_YOU.search(text) is None


def _request(text: str) -> Act | None:
    """Whether a question or an order asks for something to be done for the speaker."""
    could = _COULD.search(text)
    if could is not None:
        return _wanted(text[: could.start()], text[could.end() :])
    command = _COMMAND.match(text)
    if command is not None and not _ANY_QUESTION.search(text):
        rest = text[command.end() :]
        if _TELL.match(rest) or not (_CHANGE.search(rest) or _NO_CALL.search(text)):
            return None if command.group() in ("你", "您", "你们") else _imperative(rest)
        return Act.REQUEST if command.group() not in ("你", "您", "你们") or _BENEFIT.search(rest) else None
    can = _CAN.search(text)
    if can is not None and _BENEFIT.search(text) and _CHANGE.search(text) and text[-1] in "吗么":
        return Act.REQUEST
    return None


def _imperative(rest: str) -> Act | None:
    return Act.QUESTION if _TELL.match(rest) else None


def _wanted(before: str, rest: str) -> Act:
    if _TELL.match(rest.removeprefix("请").removeprefix("给我们").removeprefix("给我").removeprefix("帮我")):
        return Act.QUESTION
    theirs = any(word in before for word in ("你", "您", "贵"))
    if _BENEFIT.search(rest) or (_CHANGE.search(rest) and not (theirs and rest.startswith("支持"))):
        return Act.REQUEST
    return Act.QUESTION
