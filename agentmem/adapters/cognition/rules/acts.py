"""What a clause does: asks, requests, supposes, doubts, is polite, passes on, or states."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.model import Act, Lang

_I = re.IGNORECASE
_QUESTION = re.compile(
    r"^(?:what|how|when|where|who|why|which|whose)\b(?!ever)|^(?:do|does|did|is|are|was|were|has|have|will|would|should|shall|am|can|could|may)\s(?:you|it|there|the|we|i|your|that|this|they|he|she|any|a|my|our|all)\b|"
    r"^(?:isn't|aren't|don't you|doesn't|can't you|won't)\b|^any (?:chance|idea)\b|^not sure (?:if|whether|what|how)",
    _I,
)
_SEEKING_EN = re.compile(
    r"\b(?:love|like|want|wanted|need|hoping|trying|looking|wish|keen|happy|interested|calling|writing|here|curious|just) "
    r"(?:to|in) (?:know|hear|find(?:ing)? out|learn (?:more|about|what|how|if)|ask|understand(?:ing)?|check|see (?:what|how|if|whether|your|some|more)|enquire|inquire|hearing|knowing|learning (?:more|about)|get (?:some|more) info\w*|get (?:an idea|a sense))\b|"
    r"\b(?:wondering|curious|tell me|let me know|show me|explain|asking (?:about|if)|enquir|inquir|question (?:about|for)|interested in (?:hearing|learning|knowing|your (?:prices|pricing|rates)|what))",
    _I,
)
_REQUEST = re.compile(
    r"^(?:please |so |and |also )?(?:(?:could|can|would|will) you(?: guys| please| possibly| maybe| perhaps)*|(?:can|could|may|might) (?:i|we)(?: please| also| maybe| possibly)*|"
    r"would it be possible (?:for you )?to|is it possible (?:for you )?to|(?:is there )?any (?:way|chance) (?:to|you (?:could|can)|we (?:could|can)|i (?:could|can))|is there (?:a|any) way (?:to|you can|we can|you could|we could)|"
    r"would you mind|do you mind|how about you|would you be able to|are you able to) ",
    _I,
)
_CHANGE_EN = re.compile(
    r"^(?:please |also |just |then )*(?:add|adding|include|put|build|create|make|customi[sz]e|integrate|connect|hook|link|set|setting|change(?! of)|changing|move|moving|swap|switch|upgrade|downgrade|remove|"
    r"cancel|waive|reduce|lower|discount|knock|throw|deliver|install|fit|book|schedule|reschedule|arrange|push|bring|extend|postpone|hold|reserve|keep|"
    r"start|get|have|pay|split|come|pop|try|trial|test drive|view|visit|return|exchange|refund|replace|fix|repair|ship|collect|pick|drop|call|ring|phone|text|email|write|avoid|stop|migrate|import|automate|train|increase|turn|give (?:me|us) (?:a )?(?:discount|trial))\b",
    _I,
)
_TELLING = re.compile(
    r"^(?:please |just |then |also )*(?:tell|explain|describe|introduce|show|walk|remind|clarify|confirm|say|share|repeat|elaborate|get (?:some |more |any )?(?:info|details|idea|a (?:brochure|price list|quote))|have (?:some |more |any )?(?:info|details|a look|a (?:brochure|price list|quote)))",
    _I,
)
_WISHED_EN = "like|love|prefer|rather|need|want|appreciate|welcome|go (?:for|as|up|with)|say|hope|be|better|been|had|have|not|never|got|gone|lost|made|taken|done|seen|left|met|bought|told|said|given|found|come|become|paid|it|that|this|you|we|they|there|the|a"
"""What may follow `would` and `'d` where something is wished for, or had happened."""
_CONDITION_EN = re.compile(
    r"(?:^|\b)(?:hypothetically|imagine|let's say|for example|for instance|pretend|if|unless|suppose|supposing|what if|assuming|provided|in case|as long as|were (?:i|we) to|should (?:i|we|you) (?:decide|choose|need|want)|had (?:i|we)\b.*would|(?:would|could|should|might|must) have (?!to\b)|(?:wish|wishes|wished) (?:i|we|it|that|there|he|she|they|you|my|our)|had (?:it|they) been|^had (?:i|we|it|they)\b|in (?:my|the|another) next life|in (?:a perfect|an ideal) world|at this rate)\b"
    r"|^say (?:i|we|my|our|you|they|he|she)\b"
    rf"|(?:\b(?:would|could|might)|\w'd)(?! (?:\w+ly |just |also |really |still |always )?(?:{_WISHED_EN})\b) (?!\w+ed\b)[a-z]+",
    _I,
)
_COURTESY = re.compile(
    r",?\s*\b(?:if (?:possible|you can(?!')|you could(?!n't)|that's (?:ok|okay|alright|possible|fine)|you don't mind|you wouldn't mind|that works|at all possible|i may|i can|we can|need be|i'm honest|i'm being honest|that helps|i remember (?:correctly|right))|as if|even if it|in case)\b",
    _I,
)
_IN_CASE = re.compile(
    r"^(?P<told>(?:i'm|i am|we're|we are|i have|i've|we have|we've|my [\w ]{2,30}(?:'s| is))\b(?!.*\b(?:will|would|can|could|might)\b)[^,]*) if you\b.*$",
    _I,
)
"""What is so whatever the listener does: `I'm coeliac if you bake those yourselves`."""
_DOUBT_EN = re.compile(
    r"\b(?:maybe|perhaps|might|may (?:need|want|be|have|go|move)|possibly|not (?:\w+ )?(?:sure|certain)|no idea|don't know|dunno|unsure|i guess|i suppose|probably|could be|haven't decided|undecided|"
    r"on the fence|(?:'m|am|'re|are|bit|feel|still) torn|toying with|thinking out loud|depends|hard to say|can't say|seems? like|apparently|i doubt|possibility|one day|someday|some day)\b",
    _I,
)
_POLITE_EN = re.compile(
    r"^(?:thanks|thank you|cheers|many thanks|hope (?:you|your|the|all|this|that|everything|to (?:hear|see|speak))|i hope (?:you|your|the|all|this|that|everything|to (?:hear|see|speak))|have a (?:great|good|nice|lovely)|nice (?:to|meeting|talking|chatting)|pleased to|good (?:to|morning|afternoon|evening|luck)|"
    r"great to|lovely to|sorry|no worries|no problem|you're welcome|take care|bye|goodbye|see you|talk (?:soon|later|to you)|speak (?:soon|to you)|happy (?:new year|holidays|birthday)|all the best|best (?:regards|wishes)|kind regards|"
    r"i appreciate|we appreciate|much appreciated|looking forward|i look forward|we look forward|congrat\w*|wish you|i wish you|enjoy|keep up|excuse me|welcome|how are you|hello|hi)\b",
    _I,
)
_REPORT_EN = re.compile(
    r"^(?:i(?:'ve)? (?:heard|read|saw)|they say|people say|apparently|rumou?r|someone (?:said|told)|everyone says|word is)\b|"
    r"\b(?:as (?:they|people) say|as the saying goes|the saying|used to say|(?:like|as) (?:my|our|the) [\w ]{2,16} (?:says?|said))\b|^(?:the|my|our|your|their|this|that|an?) [\w' ]{2,30}? (?:says?|said|reads?|claims?)\b|"
    rf"^(?:my|our|a|the) (?:\w+ )?(?:{en.COLLEAGUES}|{en.HOUSEHOLD})s? (?:says?|said|thinks?|told|reckons?|claims?|suggest\w*|swears?|mentioned|feels?)\b|^(?:he|she|they) (?:says?|said|thinks?|told|reckons?|claims?)\b|^[A-Z][a-z]+ (?:says?|said|told|reckons?|thinks?)\b",
    _I,
)
_IRONY_EN = re.compile(
    r"yeah right|^oh,? (?:sure|yes|yeah|great|brilliant|wonderful|lovely|perfect|fantastic|joy)\b|\b(?:because|cause|cos) (?:i|we) (?:obviously|clearly|totally)\b|oh great|just what (?:i|we) needed|as if\b|sure you do|good luck with that|kidding|joking|very funny|how wonderful|brilliant, another|i could marry|sell (?:me )?a kidney|could (?:murder|kill for|eat a horse)|living the dream|million dollars|win the lottery|in my dreams|when pigs",
    _I,
)
_IDLE_EN = re.compile(
    r"\b(?:i'm|we're|i am|we are) just [a-z]+ing\b(?! to)|\bon hold\b|\b(?:about|due) to\b|\b(?:asking|calling|writing|ringing|enquiring|here) (?:for|on behalf of) (?:a|my|our)\b|\b(?:nearly|almost) (?=\w+ed\b|bought|got|took|went|moved|had|made|sold|chose)|^(?:(?:i|we)(?:'ll| will|'m| am|'re| are|'d| would|'ve| have| can| could|'m going to)?\s*(?:just |still |also |really |all |need to |have to |want to |got to |gotta |should |must |better )*"
    r"(?:see|understand|get (?:it|that)|know\b(?! \w+ (?:who|that))|think (?:so|about it|it over)|agree|guess|bet|mean|suppose so|suppose|wonder|good|fine|ok|okay|sorry|afraid|listening|here|back(?! (?:at|with|in)\b)|busy right now|just (?:looking|browsing|asking|curious|checking)|looking around|browsing|wait|let you|get back|be in touch|check|look into|have a (?:look|think)|read|call back|ring back|remember(?: now)?|forgot|forget|hear you|can hear|(?:have|got|had) (?:a|an|one|some|two|a few|a couple of|another|just one)? ?(?:quick |other |more )?questions?|was told to|starving|could eat|(?:need )?a (?:minute|moment|sec|second)\b|be quick|dash\b|pick up my|on the (?:train|bus|road|phone|way|line)|didn't (?:catch|hear|get|realise|realize|know)|don't (?:understand|follow|know|get it|get that|mind|think so|remember|see)|call you|ring you|email you|text you|take your|talk to you|thought you|thought it|wish (?:i|we) (?:had|could|were|was|did)|give my right|'d kill|saw (?:a|an|your|the|that|you)|got your|received your|happy (?:to|with that)|glad|not interested|go now|run$|going to go|off now|discuss|talk (?:it|to)|speak to|ask|say|said|see|was (?:just |only )?(?:asking|wondering|kidding|joking)|calling (?:about|to ask|because)|writing (?:about|to ask)|assume|believe so|can't (?:believe|wait|complain|remember|say|see|thank|imagine|tell)|appreciate|love it$|like it$|like that$|sure$|imagine|saw your|found you|found your)\b)",
    _I,
)
_WORLD_EN = re.compile(
    r"^(?:most|many|some|other) (?:firms|companies|people|businesses|places|gyms|clinics|shops)\b|\b(?:weather|sunny|raining|rain|snow(?:ing)?|traffic|the game|the match|football|world cup|the news|the economy|inflation|stock market|what a day|lovely day|long day|election)\b",
    _I,
)
_SHORT = re.compile(
    r"^(?:that|this|it)(?:'s| is| sounds| works| seems| looks| would be| was| makes| helps| will)?\s*(?:all|not bad|great|good|fine|perfect|ok|okay|right|correct|true|helpful|interesting|nice|lovely|brilliant|amazing|awesome|sense|a deal|everything|enough|it|fair|useful|cool|for now|reasonable)\b",
    _I,
)
_IMPERATIVE = re.compile(
    r"^(?:please |kindly |just |do |then |and |only |always )*(?:don't|do not|never|stop|call|ring|phone|text|email|e-mail|message|whatsapp|contact|reach|book|put|schedule|reschedule|move|cancel|deliver|ship|add|remove|change(?! of)|make sure|avoid|keep|use|reserve|include|bring|leave|make it|make that)\b(?! (?:is|are|was|has|needs)\b)",
    _I,
)


def act_en(text: str, *, asks: bool) -> Act:
    """The act of one clause; `asks` where a question mark closes it."""
    plain = _IN_CASE.sub(re.filled(r"\g<told>"), _COURTESY.sub("", text))
    request = _REQUEST.match(plain)
    if request is not None:
        return _wanted_en(plain[request.end() :])
    if _CONDITION_EN.search(plain):
        return Act.CONDITIONAL
    if _POLITE_EN.search(plain):
        return Act.POLITE
    if asks or _QUESTION.search(plain) or _SEEKING_EN.search(plain):
        return Act.QUESTION
    if _REPORT_EN.search(plain):
        return Act.REPORTED
    if _IDLE_EN.search(plain) or _IRONY_EN.search(plain) or _WORLD_EN.search(plain) or _SHORT.search(plain):
        return Act.IDLE
    if _DOUBT_EN.search(plain):
        return Act.UNCERTAIN
    return Act.REQUEST if _IMPERATIVE.match(plain) and not _TELLING.match(plain) else Act.ASSERT


def is_ironic(sentence: str) -> bool:
    """Whether any part of a sentence says that it is not meant."""
    return _IRONY_EN.search(sentence) is not None or _IRONY_ZH.search(sentence) is not None


def is_doubtful(text: str, lang: Lang) -> bool:
    """Whether words say that something is not sure, or not decided."""
    return (_DOUBT_ZH if lang == "zh" else _DOUBT_EN).search(text) is not None


_DECIDED = re.compile(
    r"\b(?:(?:sa(?:id|ys)|answered|replied|told (?:me|us)) (?:yes|no|ok|okay|sure|fine)|\b(?:agreed|approved|accepted|refused|confirmed|signed off)(?: it| that| on it)?)$"
    r"|(?:说(?:了)?(?:可以|行|好|同意|不行|不可以|没问题|没意见)|同意|批准?|答应|点头|拍板|通过|不同意|拒绝)了?$",
    _I,
)


def is_decision(clause: str) -> bool:
    """Whether a clause tells what somebody decided and no more: `my boss said yes`."""
    return _DECIDED.search(clause) is not None


_LAUGHS = r"(?:lol|lmao|(?:ha){2,6}h?|(?:he){2,6})"
_LAUGHTER = re.compile(rf"^{_LAUGHS}(?:[!,. ]+|$)|,? +{_LAUGHS}(?=[!., ]*$|,)", _I)


def without_laughter(sentence: str) -> str:
    """The English sentence without the laughter it opens or closes with."""
    return _LAUGHTER.sub("", sentence)


def courteous_en(text: str) -> str:
    """The text without a condition that is mere courtesy (if possible)."""
    return _IN_CASE.sub(re.filled(r"\g<told>"), _COURTESY.sub("", text))


def requested(text: str) -> str | None:
    """What is asked for, without the asking: `could you add X` gives `add X`."""
    found = _REQUEST.match(text)
    return text[found.end() :] if found else None


def _wanted_en(rest: str) -> Act:
    if _TELLING.match(rest):
        return Act.QUESTION
    return Act.REQUEST if _CHANGE_EN.match(rest) else Act.QUESTION


_ANY_QUESTION = re.compile(
    r"(?:吗|么|呢|嘛|咯)[啊呀]?$|[\u4e00-\u9fff]{3}(?<![对是好行差要可])不$|^(?!.*[我咱就先要]).*[有是没].*吧$|怎么样?才|怎么(?!都|也)|怎样|咋|(?<!没)(?<!为)什么(?!的$|都|样的都)|为什么|为啥|啥|"
    r"哪[个些里种款家儿位边天]|多少(?!有)|谁(?!都)|如何|是否|有没有|有无|是不是|行不行|好不好|要不要|会不会|多久|多长时间|多大|多高|多远|几[个点号天位款种折]?$"
)
_MINDED = re.compile(r"(?:在意|关心|看重|注重|担心|取决于|在乎|关注).*(?<![吗呢么])$")
_SEEKING_ZH = re.compile(
    r"(?:想|想要|希望|要|打算|需要)?(?:先|再|来)?(?:知道|了解|咨询|请教|打听|问问|问一下|问下|请问|确认|搞清楚|弄清楚|听听|对比一下|比较一下|看看(?!房|车|样|现场|演示|实物|牙|病))"
)
_SEEKS = re.compile(
    rf"^.{{0,8}}?(?:想|想要|希望|要|打算|需要)(?:先|再|来|多)?{_SEEKING_ZH.pattern}|^(?:请问|问一下|问下|请教|想问)"
)
_COULD = re.compile(r"能不能|可不可以|可以不可以|能否|可否|能不可以|是否可以|是不是可以|是否能|有没有办法|有没有可能")
_CAN = re.compile(r"(?:可以|能|可不可|能够).{1,30}[吗么]$|(?:可以|能).{2,30}$")
_BENEFIT = re.compile(r"帮我|给我|替我|为我|我们?的|帮忙|把")
_CHANGE_ZH = re.compile(
    r"加[点上个入装]?|添加|增加|新增|开发|定制|接入|集成|对接|打通|改[成造进为]?|升级|取消|去掉|删掉|便宜|优惠|打折|打个折|送[货个我]?|安排|"
    r"上门|提前|推迟|延期|延长|换[成个]?|退|减免|减|免|分期|试用|试听|试驾|试吃|看房|预约|约|订|保留|留[个一]?|发货|寄|缩短|开发票|开票|降[低点一]?|少[点一]|早[点一]|晚[点一]"
)
_TELL = re.compile(
    r"^(?:简单|大概|详细|具体|先|再)?(?:介绍|讲|说|告诉|解释|科普|推荐|展示|演示|发|看|听|查(?:一?下|一查|查|询)|搜|算(?:一?下|一算|算)|翻译|回答|举例|详细|了解|聊)"
)
_CONDITION_ZH = re.compile(
    r"如果|(?<![主重只需])要是|假如|假设|假使|倘若|若是|万一|除非|一旦|即使|就算|哪怕|的话$|的话(?=[,，就我你])|^若|只要.{1,12}(?:就|都)|真要.{1,12}[也就都]|早(?:知道|晓得|知)|恨不得|就好了$|该多好|本来(?:想|要|打算)"
)
_COURTESY_IF = re.compile(
    r"(?:如果|(?<!主)要是)?(?:您|你)?(?:可以|方便|可能|有可能|行|没问题|不麻烦|没记错|没有意外)的话"
)
_DOUBT_ZH = re.compile(
    r"(?<!不)(?<!有)(?<!尽)可能(?!性)|也许|或许|说不定|没准|不确定|不太确定|不一定|还没(?:有)?(?:想好|决定|定下?来?|确定|考虑)|没想好|不好说|好像|似乎|估计|"
    r"大概会|应该会|在犹豫|犹豫|再看看|看情况|或者.{1,12}吧|不清楚|不知道|未必|保不齐"
)
_POLITE_ZH = re.compile(
    r"^(?:谢谢|多谢|感谢|谢了|辛苦|麻烦(?:你|您)?(?:了|啦)|不好意思|抱歉|对不起|打扰|你好|您好|大家好|早上好|上午好|下午好|晚上好|再见|拜拜|祝|恭喜|"
    r"新年快乐|节日快乐|幸会|收到(?!的)|明白|了解了|知道了|客气|不客气|不用谢|没关系|没事|合作愉快|(?:很)?高兴(?:认识|见到)|久仰|期待|先这样|回头聊|回见|(?:那)?就这样)|"
    r"(?:希望|祝愿|但愿)(?:我们)?(?:你|您|贵|咱|大家|合作|以后|一切|天气|明天不要|能够?合作|可以合作|有机会)|愉快[啊呀哦~]*$|多多关照|越来越好|越办越好|生意兴隆|很高兴"
)
_ASKED_OF_YOU = re.compile(
    r"希望(?:你|您|贵)[^,]{0,6}?(?:能|可以|可|给|帮|把|尽快|尽早|不要|别|支持|提供|安排|多)(?!够?合作|越)"
)
_REPORT_ZH = re.compile(
    r"写着|上面?写|[里上]说|俗话|老话|常言|.{1,6}常说|^(?:我)?(?:听说|听.{1,6}(?:说|讲)|据说|有人说|网上(?:说|都说|看到)|都说|人家说|别人说|看新闻|看到新闻|朋友说|他说|她说|他们说)|"
    r"^(?:我|我们)?(?:的)?(?:同事|朋友|老板|领导|老婆|老公|邻居|客户|同学|家人|孩子|儿子|女儿|妈|爸|经理)[^,]{0,3}(?:说|讲|觉得|认为|建议|告诉)|有人说|都说|(?:跟|和|告诉|对)我们?(?:说|讲)|告诉我们?|^(?!我|我们|咱|老实|说|据我)[^,我会能要不]{1,6}(?<!小)(?:说(?!明|服|实话|真|白|书|.{0,4}(?:话|语))|告诉我|跟我讲)|.{1,8}(?:说|告诉我|跟我说)[:\"]"
)
_IRONY_ZH = re.compile(
    r"呵呵|真是太好了呢|好得很啊|厉害了我的|真行|(?:我)?谢谢你(?:们)?(?:全家|啊$)|可真(?:会|能|行|是|爱|好|棒|喜欢)|笑死|我倒(?:是|也)?想(?!问|知道|请教)|开玩笑|逗你|说笑|做梦吧|中彩票|我是你(?:爸|爷)"
)
_IDLE_ZH = re.compile(
    r"[困累饿热冷渴疼笑烦忙穷气急]得我?[^,]{0,3}能|得[^,]{1,4}都[^,]{1,4}了|都[要快][^,]{1,3}了$|马上(?:回|来|到)|^(?:我)?刚才|正在(?!考虑|找|学|准备|装修|用|读|备)|差一?点(?:就|没)?|险些|^我(?:就|还|都)?(?:说|问|回他|回她)(?![的明服])|^(?:我|我们|咱)?(?:们)?(?:先|再|都|也|就|会|去|回去|回头|得|要|可以)*(?:知道|明白|懂|清楚|看看|看一下|看一看|想想|想一想|想一下|考虑(?:一下|考虑|下)?|再说|走了|忙|挂了|在听|在|同意|"
    r"没问题|没有问题|没事|没什么|没有了|没了|随便|随意|都可以|都行|问|来问|听|看到|看了|打错|是说|的意思|想起|想到|想必|想象|忘|记得|猜|试试|等|稍等|马上|过会|商量|"
    r"讨论|汇报|不急|不着急|理解|相信|承认|确定|知道了|明白了|联系你|联系您|找你|找您|回复|加你|加您|好的|行|好)(?:[了吧啊呢的哈呀]|一下|你们?|您)*(?:来了|，|,|$)|想起|想到|想必|想象|^(?:我)?记错|^(?:我|我们)?(?:先|再|回去|回头|要|得)+(?:看|想|考虑|了解|研究|商量|对比|比较)(?!房|车|买|租|换|做)|^(?:我|我们)?(?:刚刚?|今天|昨天|正好)?(?:看(?:网上|见|到)|听(?:见|到)|明白|没听懂|没看懂|听不懂|看不懂|猜|想也是|问一下|问问|加(?:你|您)|(?:有|还有)(?:个|点|几个|一个)?(?:问题|疑问)(?:想|要|$)|开会|在?开车|在忙|在外面|在路上|又不是|又没|是(?:从|在|通过|看).{1,12}(?:看到|知道|了解|听说|找)|(?:回去|回家|去|要|得|先|再)*(?:跟|和|与).{1,8}(?:商量|汇报|说一下|说说|确认|讨论))|^(?:明天|回头|改天|下次|有空|有需要|到时候|晚点)?再?(?:联系|聊|说)(?:吧|你|您|$)|^(?:一般|大多数|很多|现在的|别的|其他)(?:的)?(?:公司|企业|人|店|家庭|学校|客户)|^(?:我|我们)?(?:是)?(?:帮|替).{1,6}问|累死|饿死|刚吃|又不是|难道|凭什么|哪有|^只是问|^随便问|随口|^(?:我)?只是(?:问|看|了解)|上次聊"
)
_WORLD_ZH = re.compile(
    rf"^(?:今天|今年|明天|最近|这几天|这里|这边|现在|你们那边|上海|北京)?(?:的)?(?:{zh.WORLD})|^今天.{{0,3}}[热冷]"
)
_COMMAND = re.compile(r"^(?:请|麻烦|劳烦|拜托|帮我|帮忙|给我|替我|你|您|你们|赶紧|尽快)")
_NO_CALL = re.compile(
    r"(?:不要|别|勿|不用|不想|少|不方便|先别).{0,6}(?:打|接|发|加|联系|来电|致电|电话|微信|短信|邮件|推销)"
)


def act_zh(text: str, *, asks: bool) -> Act:
    """The act of one clause; `asks` where a question mark closes it."""
    if _CONDITION_ZH.search(text) and _CONDITION_ZH.search(_COURTESY_IF.sub("", text)):
        return Act.CONDITIONAL
    if _SEEKS.search(text) and not _BENEFIT.search(text):
        return Act.QUESTION
    request = _request(text)
    if request is not None:
        return request
    if _REPORT_ZH.search(text):
        return Act.REPORTED
    if _polite(text):
        return Act.POLITE
    if asks or _SEEKS.search(text) or _ANY_QUESTION.search(_MINDED.sub("", text)):
        return Act.QUESTION
    if _IDLE_ZH.search(text) or _IRONY_ZH.search(text) or _WORLD_ZH.search(text):
        return Act.IDLE
    return Act.UNCERTAIN if _DOUBT_ZH.search(text) else Act.ASSERT


def courteous_zh(text: str) -> str:
    """The text without a condition that is mere courtesy (方便的话)."""
    return _COURTESY_IF.sub("", text)


def _polite(text: str) -> bool:
    return _POLITE_ZH.search(text) is not None and _ASKED_OF_YOU.search(text) is None


_MEETS_ZH = re.compile(
    r"^(?:那|请问|另外|你们?|您们?|我们?)*(?P<when>(?:下{1,2}个?|这个?|本)?(?:[今明后]天|(?:周|星期|礼拜)[一二三四五六日天末]|[\d一二三四五六七八九十][月号日点])[^,我你您他她]{0,10}?)(?:你们?|您们?|我们?)?"
    r"(?P<can>能不能|可不可以|能否|可否|方不方便|能|可以|方便)(?:[^,]{0,8}?)(?:来(?!得)|上门|演示|见面?|面谈|碰头|开会|聊|拜访|视频|通个?电话|看房|看车|试驾)[^,]{0,8}$"
)
"""A day or an hour at which the listener is asked to come or to meet."""


def asks_to_meet(text: str) -> str | None:
    """A Chinese question for a meeting on a day that it names, without the asking; else None."""
    found = _MEETS_ZH.match(text)
    if found is None or not (text[-1] in "吗么" or "不" in found["can"] or "否" in found["can"]):
        return None
    return f"{found['when']}{text[found.end('can') :]}"


def _request(text: str) -> Act | None:
    """Whether a question or an order asks for something to be done for the speaker."""
    if asks_to_meet(text) is not None:
        return Act.REQUEST
    could = _COULD.search(text)
    if could is not None:
        return _wanted_zh(text[: could.start()], text[could.end() :])
    command = _COMMAND.match(text)
    if command is not None and not _ANY_QUESTION.search(text):
        rest = text[command.end() :]
        if _TELL.match(rest) or not (_CHANGE_ZH.search(rest) or _NO_CALL.search(text)):
            return None if command.group() in ("你", "您", "你们") else _imperative(rest)
        return Act.REQUEST if command.group() not in ("你", "您", "你们") or _BENEFIT.search(rest) else None
    can = _CAN.search(text)
    if can is not None and _BENEFIT.search(text) and _CHANGE_ZH.search(text) and text[-1] in "吗么":
        return Act.REQUEST
    return None


def _imperative(rest: str) -> Act | None:
    return Act.QUESTION if _TELL.match(rest) else None


def _wanted_zh(before: str, rest: str) -> Act:
    if _TELL.match(rest.removeprefix("请").removeprefix("给我们").removeprefix("给我").removeprefix("帮我")):
        return Act.QUESTION
    theirs = any(word in before for word in ("你", "您", "贵"))
    if _BENEFIT.search(rest) or (_CHANGE_ZH.search(rest) and not (theirs and rest.startswith("支持"))):
        return Act.REQUEST
    return Act.QUESTION
