"""What kind of thing a told clause is: the first row whose pattern fits gives kind, slot and weight.

A row's group `v` is the slot's value. Only rows that name a slot for certain carry a single-valued one.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from dataclasses import dataclass

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.model import Lang

_I = re.IGNORECASE
_BY_MEANS = r"(?:[^,]{2,60} (?:in|on|with|using|via) (?:(?:an?|the|our|my|one) )?(?:excel|(?:\w+ )?spreadsheets?|paper|(?:\w+ )?whiteboard)|[^,]{2,60} (?:with|using|via) (?-i:[A-Z])|(?:all|every|each|both) )"
"""What is done with a tool: who plans the deliveries in Excel does so, and plans to do nothing."""
_NUM = r"[\d一二两三四五六七八九十几百千万亿零半]"
_CURRENCY_ZH = r"(?:元|块钱?|美金|美元|[英日港澳加欧韩]元|英镑|港币|人民币|日币|新币|泰铢|卢布|瑞?法?郎|刀|RMB|rmb|USD|EUR|GBP|HKD)"
_CURRENCY_EN = r"(?:euros?|dollars?|bucks|pounds?|quid|francs?|yuan|rmb|yen|rupees?|eur|usd|gbp|chf)"
_HEDGE_EN = r"(?:(?:around|about|roughly|approximately|approx\.?|ca\.?|circa|nearly|almost|just (?:over|under)) )"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_AMOUNT = rf"(?:从[^到]{{1,8}}(?:提高|增加|上调|涨|加|降|减|下调|调整|改|变|提){{0,2}}(?:到|成|为))?(?:加到|提到|涨到|砍到|压到|压缩到|缩减到|削减到|减到|减少到|上调到|下调到|追加到|调到|(?:大概|大约|差不多)(?=[在是有为就要])|不到|不超过|最多|至少|一共|总共|共|控制在|也就|只有|有|在|是|为|就|:|调整?[到为成]|提高到|增加到|降到|改[成为到]){{0,4}}(?P<v>(?:大概|大约|差不多|将近|约)?[¥$£€]?{_NUM}[\d一二两三四五六七八九十几百千万亿零半,.]*(?:到|至|-|~)?[\d一二两三四五六七八九十百千万.]*\s?(?:k|K|w|W|万|多(?=\s?{_CURRENCY_ZH})|{_CURRENCY_ZH})*(?:左右|上下|以内|出头|多)?)"


@dataclass(frozen=True, slots=True)
class Kind:
    """One row: how such a clause is recognised in each language, and what it is."""

    name: str
    importance: int
    attribute: str | None
    zh: re.Pattern | None
    en: re.Pattern | None


@dataclass(frozen=True, slots=True)
class Kinded:
    """A clause's kind, with the slot it fills."""

    name: str
    importance: int
    attribute: str | None
    value: str | None


def _row(name: str, importance: int, attribute: str | None, zh_pattern: str | None, en_pattern: str | None) -> Kind:
    return Kind(
        name,
        importance,
        attribute,
        re.compile(zh_pattern) if zh_pattern else None,
        re.compile(en_pattern, _I) if en_pattern else None,
    )


ROWS: tuple[Kind, ...] = (
    _row(
        "budget",
        8,
        "budget",
        rf"^[^,]{{0,12}}(?:预算|budget|Budget|经费)[^,\d]{{0,6}}?{_AMOUNT}",
        rf"\bbudget(?: for [^,]{{1,25}}?)?(?:'s| is| of| would be| has gone up to| went up to| (?:was|is|has been|got|went) ?(?:now )?(?:cut|reduced|lowered|raised|increased|changed|bumped|down|up)(?: up| down)?(?: from [^,]{{1,20}}?)? to| (?:dropped|fell|rose|grew|increased|shrank) to| now| really|[ :]){{1,4}}(?:is |now |really |up to |max |maximum |to |set at |capped at |under |somewhere |at |a |of )*(?P<v>(?:between )?{_HEDGE_EN}?(?:[$£€¥]?\d[\d,.]*\s?(?:k|m|grand|thousand|million)?\b|(?:[a-z]+[ -]){{1,4}}?(?:hundred|thousand|million)\b)(?:\s?{_CURRENCY_EN}\b)?(?:[^,;.]{{0,30}}(?=[,;.]|$))?)",
    ),
    _row(
        "budget",
        8,
        "budget",
        None,
        r"(?:have|got|set aside|spend|go up to)\s+(?:a budget of |up to |a maximum of |maybe )*(?P<v>(?:(?:around|about|roughly) )?[$£€]\d[\d,.]*\s?(?:k|m|grand|thousand|million)?\b[^,;.]{0,20})(?: to spend| for this| budget)|\b(?:can|could|will|able to|prepared to|willing to)(?: only)? spend (?:up to |a maximum of |maybe )*(?P<v2>(?:(?:around|about|roughly) )?(?:[$£€]\d[\d,.]*\s?(?:k|m|grand|thousand|million)?\b|\d[\d,.]*\s?(?:k |thousand |million )?(?:euros?|dollars?|pounds?|francs?|yuan)\b))",
    ),
    _row(
        "birthday",
        6,
        "birthday",
        r"生日(?:其实|应该|实际上?){0,3}(?:是|在)?(?P<v>.{2,12}[日号])",
        rf"\b(?:my birthday|i was born)(?:'s| is| falls)?(?: on)? (?P<v>(?=[^,;.]{{0,20}}(?:\d|\b(?:{_MONTHS})\b))[^;.]{{3,25}}(?!\w))",
    ),
    _row(
        "age",
        5,
        "age",
        rf"^(?:我)?(?:今年|现在|刚|快)*(?P<v>{_NUM}{{1,3}})岁(?:了)?$|^(?:我)?今年(?P<v2>\d{{2}}|[二三四五六七八九]?十[一二三四五六七八九]?)了?$",
        r"^i(?:'m| am)(?: now)? (?P<v>\d{2})(?: years old)?(?: now)?$|^i(?:'ve| have)?(?: just)? turned (?P<v2>\d{2})\b",
    ),
    _row(
        "headcount",
        7,
        "headcount",
        rf"(?:员工|团队|公司|规模|工厂|厂里|店里|诊所|编制|我们)[^,\d]{{0,8}}?(?P<v>(?:大概|大约|差不多|不到|超过|将近|近)?{_NUM}+(?:多|来|几)?)(?:个|名|位|号)?(?:人|员工)(?!民|次|份|住|用|吃|去|一起|参加|报名|来|到场|出席|面试|离职|请假|在)(?:左右|上下|吧|的团队|的公司)?",
        rf"^(?:we|i|our (?:company|team|firm|practice|staff))(?:'re|'ve| now| currently| are| have| employ| is| has|'ve got| run| got)*\s(?:a |just |only |got |now |currently |over |a team of |a staff of |a company of |down to |up to |grown to |grew to |shrunk to ){{0,4}}(?P<v>(?:(?:about|around|roughly|nearly) )?(?:\d[\d,]*|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|ten|twelve|fifteen|(?:a|one|two|three|five) hundred))(?:(?<=team of \d\d)$|(?<=team of \d)$|(?<=staff of \d\d)$|-(?:person|people|man|seat|desk)\b|[ -](?:person|people|strong|man|staff|employees|full-time\w*|of us|staff|members? of staff|seat|desk)\b{en.WHOLE_SIZE})|^there(?:'s| are)(?: now)? (?P<v2>\d+) of us$",
    ),
    _row(
        "employer",
        7,
        "employer",
        r"^(?:我|本人)?(?:现在|目前|刚)*(?:就职于|任职于|供职于|受雇于)(?P<v>[^,]{2,20})|^(?:我(?:现在|目前)?|现在|目前)在(?!家|外|找|考|想)(?!(?:"
        + zh.CITIES
        + r")市?(?:上班|工作|任职|担任|当|做))(?P<v2>[^,]{2,16}?)(?:上班|工作|任职|担任|当|做(?!的|生意|[^,]{1,10}的))|^(?:我|我们)?(?:现在|目前)?的?(?:公司|单位)(?:是|叫)(?!做|在|一|个|不|有|搞)(?P<v4>[^,]{2,20})$|^(?:我|本人)(?:现在|目前|已经)*(?:去(?=[^,了]{2,16}(?:上班|工作|任职)了?$)|跳槽[到去]了?|入职了?|加入了?|加盟了?|转到了?|调到了?|回到了?|被调到)(?!.{0,6}(?:家|会员|群|俱乐部|项目|团队|会议|学校|这里|那里|国内|购物车)$)(?!(?:"
        + zh.CITIES
        + r")(?:了|$))(?P<v3>[^,了]{2,16}?)(?:上班|工作|任职)?(?:了)?$",
        r"^i(?:'m| am)?(?: now| currently)? (?:work(?:ing)?|employed) (?:at|for|with) (?!nights?\b|home\b|weekends?\b|least\b|times\b|all\b|present\b|first\b|noon\b|the (?:weekend|moment|office)|my ?self|free\b|fun\b|a living|people|\d)(?P<v>(?:(?! as (?:an?|the|head) )[^,]){2,40})(?!\w)|^i(?:'m| am)(?: now)?(?: back)? (?:at|with) (?P<v2>(?-i:[A-Z])[\w&'.-]*(?: (?:(?:and|of|the|&) )?(?-i:[A-Z\d])[\w&'.-]*){0,4})(?: now)?$|^(?:i|we)(?:'ve| have|'m| am)?(?: now| also)?\s*(?:(?:left|quit) [^,]{2,40}? (?:and|to) )?(?:join(?:ed)?|started (?:working )?(?:at|for|with)|(?:got|took|started|accepted|have)(?: an?| my)?(?: new)? (?:job|position|role) (?:at|with)|moved (?:over )?to work (?:at|for)) (?P<v3>(?-i:[A-Z])[\w&' .-]{1,30}?)(?: (?:as|in) .*)?$",
    ),
    _row(
        "occupation",
        7,
        "occupation",
        rf"^(?:我|本人)(?:现在|目前|本身|已经|转行|改行|开始|升职|升)*(?:是|当了?上?了?|做了?|成为了?|成了)(?:一[名位个]|[个名位])?(?P<v>[^,我你]{{0,12}}(?:{zh.OCCUPATION_END}))(?:了)?$|^(?:我|本人)?(?:现在|目前)?的(?:职业|职位|岗位|职务)(?:现在|目前)?是(?P<v2>[^,]{{2,12}})$",
        rf"^i(?:'m| am| work as|'ve been| became|'ve become| have become|(?: was|'ve been| got)? promoted to)(?: now| currently)? (?:working as )?(?:an? |the )?(?!(?:bit|kind|sort|fan|lot|friend) )(?P<v>(?:[\w-]+ ){{0,3}}(?:{en.OCCUPATIONS}))\b|^my (?:job title|job|profession|occupation|role|position) is(?: now)? (?:an? |the )?(?P<v3>[a-z][\w-]*(?: [\w-]+){{0,3}})$|^i(?:'m| am|'ve| have)?(?: now| currently| just| recently)* (?:work(?:ing)? as|employed as|bec[ao]me|(?:got|was|been) promoted to|retrained as)(?: now)? (?:an? |the )?(?!(?:father|mother|parent|dad|mum|mom|member|citizen|vegan|vegetarian|friend)s?\b|part of)(?P<v2>[a-z][\w-]*(?: [\w-]+){{0,3}}?)(?: (?:at|in|for) .*)?$",
    ),
    _row(
        "business",
        7,
        "business",
        rf"^(?:我们?|本人|公司|我们公司|这边)?(?:主要|现在|目前|一直|就|是|都|公司)*(?:做|搞|从事|经营|卖|干|主营)(?:的是)?(?![^,]{{0,6}}(?:{zh.OCCUPATION_END})的?$)(?P<v>[^,了]{{2,16}}?)(?:的|这块|生意|业务|这一行|行业)$|(?:主营|主要做|专门做|专做|主营业务是|业务是)(?P<v2>[^,]{{2,24}})",
        r"^(?:we|our company|our firm|i)(?:'re| are| mainly| mostly| primarily|'m| am)* (?:in the (?P<v2>[\w -]{3,30}) (?:business|trade)|(?:sell|manufacture|distribute|import|make and sell)s? (?!online|direct|mostly|mainly)(?P<v>[^,]{3,40}))",
    ),
    _row(
        "business",
        7,
        "business",
        rf"^(?:我们?|我们?公司|我们这边)(?:是|这边是)(?:一家|一个|家|个|一间|间)(?P<v>[^,]{{2,20}}(?:{zh.FIRM_END}))$|^(?:我们?)?(?:自己)?(?:开了|开着|开|经营)(?:一?[家间个])(?P<v2>[^,]{{1,20}})",
        rf"^(?:we|i)(?:'re| are| run| own| have| manage|'m| operate|'ve got)(?: just)? (?P<v>(?:a|an) (?:[\w&'-]+ ){{0,7}}?(?:{en.FIRM})\b(?:[^,]{{0,40}}(?=,|$))?)",
    ),
    _row(
        "industry",
        6,
        "industry",
        r"(?:属于|是|做|在|从事)(?P<v>[\u4e00-\u9fff]{2,8})行业",
        r"\bin the (?P<v>[\w -]{3,25}) (?:industry|sector)\b",
    ),
    _row(
        "current_system",
        7,
        "current_system",
        r"^(?:我们?[^,]{0,6}?|公司|[^,]{0,4})?(?:现在|目前|一直|还|都|在|系统)*(?:使用|用|采用)(?:的|着)?(?:还是|是|都是)?(?P<v>[^,了]{1,20}(?:系统|软件|平台|表格|表|ERP|CRM|OA|Excel|excel|版本|程序|工具)[^,]{0,8})$|(?:现在|目前|一直|还)用(?:的)?(?:是|还是|着)?(?P<v2>(?:[A-Za-z][\w .]*|金蝶|用友|钉钉|飞书|企业微信|企微|有赞|微盟|管家婆)[^,]{0,8})$|^(?:我们?公司|我们?|公司)用(?:的)?(?:就?是)?(?P<v3>(?:[A-Z][\w .]*|金蝶|用友|钉钉|飞书|企业微信|企微|有赞|微盟|管家婆))$",
        r"^(?:we|i)(?:'re| are)?(?: currently| still| mostly| all| now| just| basically)* (?:us(?:e|ing)|run(?:ning)?(?: everything| it all)? on|on) (?P<v>[^,;]{2,40})|^currently (?:using|on) (?P<v2>[^,;]{2,40})",
    ),
    _row(
        "current_system",
        7,
        "current_system",
        r"(?:换成|改用|换到|切换到|升级到)了?(?P<v>[A-Za-z][\w .]*|金蝶|用友|钉钉|飞书|企业微信|有赞|微盟|管家婆)(?:了)?$",
        r"^(?:we|our (?:company|team|firm|office|shop|clinic))\b.{0,30}?\b(?:switched|migrated|changed)(?: over)?(?: from [A-Z][\w.]*)? to (?P<v>(?-i:[A-Z])[\w. ]{1,30})",
    ),
    _row(
        "city",
        6,
        "city",
        rf"^(?:我们?|公司|人|家)?(?:现在|目前|总部|办公室|一直|长期)*(?:住在|常住|常驻|定居|坐标|(?i:based?) ?在) ?(?P<v>{zh.CITIES}|[A-Z][a-z]+(?: [A-Z][a-z]+){{0,2}})(?:市|这边|本地)?$",
        None,
    ),
    _row(
        "city",
        6,
        "city",
        rf"^(?:我们一家|我们全家|全家|我家|我们?|我们?公司|公司|人|家|坐标)?(?:现在|目前|总部|办公室|都|家|人|是)*(?:(?:从[^,]{2, 8}?)?(?:搬到|搬回|搬去|搬来)了?|住在|住|位于|在|坐标|(?:跳槽|调动|调职|外派|调|派|转)(?:去|到)了?|回到了?|回了?|定居|移居|是)(?P<v>(?:{zh.CITIES})(?:市|[\u4e00-\u9fff]{{1,6}}(?:区|镇|路|街|县|新区))?|(?<=住在)(?:{zh.CITIES})[\u4e00-\u9fff]{{2,3}})(?:这边|本地|工作|生活|居住|定居|人在)?(?:的|了)?$",
        r"^(?:we|i)(?:'re| are|'m| am|'ve| have)?(?: now| currently| all| just| recently| been)* (?:based|located|lived?|living|moved|moving|move|relocated|relocating|headquartered)(?: (?:away )?from (?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,3})?(?: out of)? (?:in|to) (?P<v>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,3})|^(?:currently |now )?(?:based|living|located) in (?P<v2>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,3})|^(?:we|i)(?:'ve| have)? (?:\w+ ){0,4}?(?:moved|relocated|settled(?: down)?) (?:to|in) (?P<v3>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,3})|^my (?:home|house|flat|apartment|base) is(?: now)? in (?P<v4>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,3})",
    ),
    _row(
        "family",
        6,
        "marital_status",
        r"^(?:我|本人)?(?:现在|目前|还|一直|是|刚|已经|又|去年|今年|上个?月|上周)*(?P<v>单身|未婚|已婚|离异|离婚|再婚|结婚|订婚|丧偶|分居)(?:状态)?(?:了|的)?$",
        r"^(?:i|we)(?:'m| am|'re| are|'ve been| have been|'ve| have| got| just got){0,3}(?: now| still| just| recently| happily| finally)* (?:got )?(?P<v>single|engaged|married|divorced|widowed|separated|unmarried)(?: now)?$",
    ),
    _row(
        "family",
        6,
        "family",
        rf"(?:{zh.HOUSEHOLD})|结婚|怀孕|单身|离婚",
        rf"\b(?:{en.CHILDREN}|wife|husband|married|pregnant|expecting)\b",
    ),
    _row(
        "allergy",
        8,
        "constraint",
        r"过敏|忌口|不能吃|吃素|清真",
        r"\ballerg\w+|\b(?:vegan|vegetarian|gluten[- ]free|halal|kosher|coeliac|lactose)\b",
    ),
    _row(
        "deadline",
        7,
        None,
        r"(?:截止|最晚|最迟|deadline|死线|(?:之前|以前|前|底)(?:要|必须|得|需要|希望|一定|能|上线|交付|完成|用上|到货|搬|入住|弄好|搞定))",
        r"\b(?:deadline|by (?:the end|end|mon|tue|wed|thu|fri|sat|sun|next|this|jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|tomorrow|\d)|before (?:the end|mon|tue|wed|thu|fri|sat|sun|next|christmas|easter|summer|winter|jan|feb|mar|apr|june|july|aug|sep|oct|nov|dec|\d)|go live|no later than)\b",
    ),
    _row(
        "appointment",
        8,
        "appointment",
        r"(?:约|预约|见面|过来|过去|来店|到店|看房|试驾|上门|面谈|开会|演示|面诊|复诊|拜访|来看|去看|见|体验课|试听|打给我|联系我|给我打|来电|有空|有时间|方便|demo|meeting)",
        r"\b(?:appointment|meet(?:ing)?|come (?:in|by|over|round)|visit|book(?:ed)?|booking|view(?:ing)?|demo|call (?:me|us)|test drive|drop (?:in|by|off)|pick up|see you|free|available|schedule|slot|works for)\b",
    ),
    _row(
        "need",
        7,
        "need",
        r"(?:希望|需要|期望|(?<!想)想(?![想通到起过法念来象开不]|好(?!好))|要(?:一|加|换|买|做|找|租|有|能|求|的是)|求购|急需|缺|期望|^(?:我们?)?要(?!是|么|求))",
        r"\b(?:need|want|would like|'d like|'d love|would love|looking (?:for|to|at)|interested in|after (?:a|an|some)|require|wish|hoping|keen (?:on|to)|in the market for|searching for)s?\b",
    ),
    _row(
        "plan",
        6,
        "plan",
        r"(?:打算|计划|准备|预计|争取|考虑|明年|下个?月|下半年|年底)",
        rf"\bplan(?:ning)?\b(?! {_BY_MEANS})|\b(?:going to|about to|thinking of|considering|intend|will be|'ll be|opening|moving|expanding|hiring|launching)\b",
    ),
    _row(
        "constraint",
        7,
        "constraint",
        r"(?:必须|一定要|不能|不可以|只能|只接受|不接受|最多|至少|不超过|不得|务必|严禁|不允许|要求|不支持|没法|无法|只有.{1,8}(?:有空|有时间|才|能))",
        r"\b(?:must|can't(?! stand)|cannot(?! stand)|can only|has to|have to|only|not allowed|no more than|at least|at most|max|mustn't|won't|needs? to be|required?|restricted|unable|non-negotiable|deal-?breaker)\b",
    ),
    _row(
        "preference",
        6,
        "preference",
        r"(?:喜欢|偏好|倾向|更想|最好|优先|偏爱|讨厌|不爱|宁愿|习惯|很重要|更重要|就好|爱吃|爱喝|爱|不吃|不喝)",
        r"\b(?:prefer|like|love|hate|dislike|rather|favou?rite|enjoy|fond of|would be (?:ideal|great|good|perfect|nice|best)|matters? (?:more|most|a lot)|important|a must|comfortable with|can't stand|not a fan|big on)s?\b",
    ),
    _row(
        "complaint",
        6,
        "complaint",
        rf"(?:{zh.EVALUATION}.{{0,3}}?(?:{zh.NEGATIVE})|老旧|陈旧|落后|过时|崩溃|死机|宕机|掉线|出错|报错|总是|老是|受不了|担心|怕|头疼|没人|丢|流失|不准|断|费时|费力|手工|出问题|坏了|漏|疼|痛|不好用|不够|跟不上|不满|失望|投诉)",
        rf"\b(?:too|very|really|so|a bit|quite|pretty|always|constantly|keeps?) (?:{en.NEGATIVE})|\b(?:bothered|annoyed|irritated|frustrated|bugged|upset|disappointed) (?:by|that)\b|\b(?:{en.NEGATIVE}|worried|concerned|struggl\w+|problem|issue|trouble|complain\w*|fed up|sick of|tired of|unhappy|lost|wast\w+|by hand|double[- ]book\w*)\b",
    ),
    _row(
        "habit",
        5,
        "habit",
        r"(?:每天|每周|每月|每个月|每年|每晚|每次|平时|平常|经常|习惯|一般都|周末都)",
        rf"\bplan(?:ning)?\b {_BY_MEANS}|\b(?:every|usually|always|daily|weekly|monthly|often|each (?:day|week|month|year)|twice a|once a|times a)\b",
    ),
    _row(
        "quantity",
        6,
        "quantity",
        rf"{_NUM}+(?:多|来|几)?(?:个|台|套|家|间|辆|张|份|平米|平方|平|亩|吨|公里|单|条|件|箱|名|位|人|户|斤|公斤|万|层|年|次|小时|天)",
        r"\b(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|dozen)\b",
    ),
    _row(
        "possession",
        5,
        "possession",
        r"(?:(?<!没)有(?=[^,]{2})(?!个?新?(?:情况|事|问题|点|些|时|空|过))|养|买了|租了)",
        r"\b(?:have|has|own|bought|got(?! (?:[a-z]+ed|to|laid|let|sent|cut|hurt|stuck|lost|sick|ill|better|worse|ready|rid|going|back|home|here|there|it|up|out|in|into|on|off|over|away|along|through|around)\b))\b",
    ),
)


_AGAIN_ZH = re.compile(
    r"(?<=我)(?:又|再次|重新|仍然|依然|还是|前不久|最近|刚|上个?[周月]|去年|今年)+(?=是|在|住|搬|跳|回|换|当|做|用|加|入|就)|(?<=们)(?:又|再次|重新|仍然|依然|最近|刚)+"
)
_DATED_ZH = re.compile(
    r"^(?P<who>(?:我们?|本人|公司)?)(?:从|自|在|于)?(?:(?:\d{4}年|[去今前]年|上个?月|上周|本月|这个月)(?:的?(?:\d{1,2}|[一二三四五六七八九十]{1,2})月份?)?(?:\d{1,2}[日号])?|(?:\d{1,2}|[一二三四五六七八九十]{1,2})月份?(?:\d{1,2}[日号])?)(?:底|初|中旬?|末)?(?:起|开始|以来)?(?:就|才)?(?=是|在|住|搬|跳|换|当|做|用|加|入|就|回|转|结|离|订|外派|调|派)"
)
_AGAIN_EN = re.compile(
    r"\s+(?:again|recently|just|(?:last|this) (?:week|month|year|spring|summer|autumn|winter)|(?:a|two|three|a few) (?:days|weeks?|months?|years?) ago)\b",
    _I,
)
_BACK = re.compile(r"\b(?P<verb>moved|switched|migrated|relocated|changed) back\b", _I)
_TRAILING = re.compile(
    r"\s+(?:now|again|at the moment|these days|currently|right now|instead|since .*|as of .*|from now on|full[- ]time|part[- ]time|(?:last|this|next|in (?=\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|the)|on (?=\d|the|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|yesterday|today|from (?=\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|between (?=\d)|until (?=\d)).*)$",
    _I,
)


_NO_PLACE = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|plan [a-z])(?: .*)?",
    _I,
)
"""What a meeting is moved to, and nobody lives in."""

_NO_SUM = re.compile("[一二两三四五六七八九十半零百几]|[一大小]半")
"""A lone numeral behind a budget counts something else: 砍了一半."""

_QUALIFIER = re.compile(
    r"\b(?P<en>marketing|advertising|ad|travel|training|hiring|wedding|renovation|it|r&d|event|food|holiday|research|department) (?=budget)|(?P<zh>市场|营销|装修|广告|推广|旅行|旅游|婚礼|差旅|培训|采购|招聘|研发|部门)(?=的?预算)|(?P<unit>部门|小组|组里|班里)(?=[^,]{0,6}人)",
    _I,
)
"""What a budget or a number of people is of, where it is not of the whole."""


def _qualified(attribute: str | None, text: str) -> str | None:
    """The slot with its qualifier: the marketing budget is not the budget."""
    if attribute not in ("budget", "headcount"):
        return attribute
    found = _QUALIFIER.search(text)
    word = next((word for word in found.groups() if word), None) if found is not None else None
    return f"{word.lower()}_{attribute}" if word else attribute


_UNIT = r"(?:dollars?|bucks|euros?|pounds?|quid|francs|rupees|pesos|yuan|cents|usd|percent|per|thousands?|millions?|billions?|grand|years?|months?|weeks?|days?|nights?|hours?|minutes?|seconds?|times|degrees|kilos|grams|tons|tonnes|miles|met(?:er|re)s|kilomet(?:er|re)s|feet|inches|ounces|litres|liters|points|o'clock|of|in|at|on|to|for|from|by|as|and|or|is|was|has|this|that|the|a|an|my|our|his|her|its|their)"
_COUNTED: dict[Lang, re.Pattern] = {
    "zh": re.compile(
        r"(?:[\d二两三四五六七八九百千万几]|(?<=[二三四五六七八九])十|十[一二三四五六七八九]?|[十百千]零?一)(?:多|来|几)?(?:个(?!月|小时|星期|点|年|钟|工作日|百分)|[台套家间辆张份条件箱名位户只头匹棵把部](?![年月]))"
    ),
    "en": re.compile(
        rf"(?<![$£€\d,.])\b(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|dozen)(?: (?!{_UNIT}\b)[a-z][\w-]*){{0,2}}? (?!{_UNIT}\b)(?:[a-z][\w-]*s|people|men|women|children|staff|sheep|mice|geese)\b",
        _I,
    ),
}
"""A number of things. A sum, a length of time and the one that only means `a` count nothing he has."""


def _settled(text: str, lang: Lang) -> str:
    """The clause without the words that only say it is so again, or came about lately."""
    if lang == "zh":
        return _AGAIN_ZH.sub("", _DATED_ZH.sub(re.filled(r"\g<who>"), text))
    return _BACK.sub(re.filled(r"\g<verb>"), _AGAIN_EN.sub("", text))


def kind_of(text: str, lang: Lang) -> Kinded:
    """The first row that fits; a plain fact where none does."""
    text = _settled(text, lang)
    for row in ROWS:
        pattern = row.zh if lang == "zh" else row.en
        found = pattern.search(text) if pattern is not None else None
        if found is not None:
            slot = None if row.attribute == "quantity" and not _COUNTED[lang].search(text) else row.attribute
            return Kinded(row.name, row.importance, _qualified(slot, text) if slot else None, _value(found, row))
    return Kinded("fact", 5, None, None)


def tells_allergy(text: str, lang: Lang) -> bool:
    """Whether the clause says what somebody may not eat or touch, whoever it is."""
    pattern = _ALLERGY.zh if lang == "zh" else _ALLERGY.en
    return pattern is not None and pattern.search(text) is not None


_ALLERGY = next(row for row in ROWS if row.name == "allergy")


def without_when(value: str) -> str:
    """A value without the words behind it that say since or until when."""
    return _TRAILING.sub("", value).strip(" ,.:的")


def _value(found: re.Match, row: Kind) -> str | None:
    value = next((value for value in found.groupdict().values() if value), None)
    value = without_when(value) if value else None
    if value is None or (row.attribute in ("city", "current_system") and _NO_PLACE.fullmatch(value)):
        return None
    return None if row.name == "budget" and _NO_SUM.fullmatch(value) else value or None
