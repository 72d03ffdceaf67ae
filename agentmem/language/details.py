"""The details that people tell of themselves and of others: the words that name each, and those in which it is told.

"My job" and 他做什么工作 name one, "I work at Acme" and 他在银行当柜员 tell it.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.language.lookalikes import simplified

_NUMBER: Final = r"(?:\d|[一二三四五六七八九十百千万两半]{1,6}(?=[万千百元块岁年月号斤公厘个人多]|$))"
_DIGITS: Final = r"\d(?:[ .()/-]{0,2}\d){3,}"
_WORKERS_EN: Final = r"\b(?:is|am|are|'m|'s|'re|was|been|as|works? as|became|become) (?:now |currently |also |still )?an? (?:[\w-]+ ){0,2}?(?:\w+(?:er|or|ist|ian|ant|ent|man|woman|ess|ic|yst|ect)|nurse|chef|cook|guide|vet|clerk|coach|pilot|judge|housewife|professor|medic)\b"
_WORKS_ZH: Final = r"上班|工作|任职|就职|入职|跳槽|当(?:过|了)?(?:一?[名个])?(?!时|然|天|年|成|作|心|场)[\u4e00-\u9fff]{1,6}|做[^,，。]{1,8}的|是(?:一?[名位个])?[\u4e00-\u9fff]{0,6}(?:师|员|医生|护士|士兵|律师|会计|老师|经理|总监|主管|老板|厨师|司机|工人|农民|学者|教授|记者|编辑|演员|画家|作家|柜员|公务员|程序员|保安|警察|医师|助理|秘书|顾问)|开[^,，。车]{0,4}(?:店|馆|公司|厂|超市|餐厅)|在[^,，。]{1,12}(?:做|当)[^,，。]{1,6}"
_ILL_EN: Final = r"\b\w*(?:itis|osis|emia|aemia|oma|iasis|algia|pathy)\b|\b(?:diagnos\w+|asthma|diabet\w+|epileps\w+|epileptic|lupus|migraines?|cancer|tumou?r|depress\w+|anxiety|adhd|autis\w+|ill(?:ness)?|sick(?:ness)?|disease|disorder|syndrome|condition|hypertension|high blood pressure|celiac|coeliac|parkinson\S*|alzheimer\S*|dementia|stroke|heart (?:attack|disease|failure|trouble|problem)|hiv|hepatitis|sclerosis|eczema|insomnia|ulcers?|anorexia|bulimia|bipolar|ptsd|infection|surgery|operation|chronic)\b"
_ILL_ZH: Final = r"病|炎|症|癌|瘤|哮喘|头痛|偏头痛|头疼|高血压|血压高|糖尿|癫痫|抑郁|焦虑|中风|失眠|贫血|结石|手术|确诊|诊断|胃溃疡|溃疡|过敏性|甲亢|甲减|痛风|骨折|感染"
_DRUG_EN: Final = r"\b\w+(?:formin|farin|statin|pril|sartan|olol|azole|cillin|mycin|oxetine|azepam|azolam|idone|apine|prazole|tidine|profen|caine|codone|thyroxine|terol|solone|sone|mab|vir|gliptin|flozin|triptan|amine|barbital|oxacin|cycline)\b|\b(?:insulin|aspirin|paracetamol|ibuprofen|lithium|warfarin|ventolin|prozac|xanax|zoloft|ritalin|medic\w*|pills?|tablets?|drugs?|inhaler|antibiotics?|painkillers?|antidepressants?|prescri\w+|beta.?blockers?|blood thinners?)\b"
_DRUG_ZH: Final = r"药|[吃服用打][^,，。]{0,8}(?:林|胍|片|胶囊|丸|平|汀|沙坦|洛尔|素|酮|钠|唑|西泮|韦|拉唑|普利|他汀|冲剂|口服液|颗粒|膏|激素|针)|胰岛素"
_CAR_EN: Final = r"\b(?:cars?|drives?|driving|drove|vehicles?|van|suv|motorbikes?|motorcycles?|scooter)\b"


@dataclass(frozen=True, slots=True)
class Detail:
    """What names it and what tells it; `slots` are those of the vocabulary that it fills."""

    named: str
    told: str
    slots: tuple[str, ...] = ()


DETAILS: Final[Mapping[str, Detail]] = {
    "phone": Detail(
        r"\b(?:(?:tele)?phone|mobile|cell|landline|contact)(?: ?phone)?(?: numbers?)?\b|(?<!house )(?<!card )(?<!account )(?<!id )(?<!plate )(?<!passport )(?<!employee )(?<!room )\bnumbers?\b(?! of\b)|(?:联系)?电话(?:号码)?|手机号?码?|座机|(?<!证)(?<!牌)(?<!卡)(?<!工)(?<!账)(?<!单)(?<!房)(?<!门)号码|联系方式|how to (?:reach|contact)",
        rf"(?:\b(?:phone|mobile|cell|landline|number|reach|call|text|whatsapp|tel)\b|电话|手机|号|座机|打).*?{_DIGITS}|{_DIGITS}.*?(?:\b(?:phone|mobile|cell|number|reach|call)\b|电话|手机|号)",
        ("phone", "work_phone", "home_phone", "whatsapp"),
    ),
    "email": Detail(r"\be-?mails?(?: addresse?s?)?\b|邮箱(?:地址)?|邮件(?:地址)?|电邮", r"@", ("email", "work_email")),
    "wechat": Detail(r"\bwe ?chat(?: id| account)?\b|微信号?", r"(?:we ?chat|微信).*?[\w-]{4,}", ("wechat",)),
    "qq": Detail(r"\bqq\b|QQ号?", r"\bqq.*?\d{4,}", ("qq",)),
    "home": Detail(
        r"(?<!mail )(?<!email )\b(?:home |postal |street )?address(?:es)?\b|\bwhere .{0,30}?\blives?\b|\bhome town\b|\bplace of residence\b|(?<!邮箱)(?<!邮件)(?:家庭)?(?:地|住)址|住在?(?:哪里?|哪儿|什么地方)|住的地方|住处",
        r"\b(?:lives?|lived|living|resides?|moved|moving|rents?|renting|stays?|settled|home is) (?:\w+ )?(?:at|in|on|to|into|near|by)\b|\baddress|\b(?:has|have|'ve) moved\b|地址|住址|住(?!院|宿费)|搬|家(?:就|现在)?在|安家|定居",
        ("address", "city"),
    ),
    "birthday": Detail(r"\b(?:birth ?days?|birth ?dates?|dates? of birth)\b|生日|出生(?:日期|年月)?", rf"(?:\bbirth ?day|\bborn\b|\bdate of birth\b|生日|出生|生于).*?(?:{_NUMBER}|\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)", ("birthday",)),
    "age": Detail(r"\bages?\b|\bhow old\b|年龄|岁数|多大(?:年纪|岁数)?|几岁", rf"\b(?:\d{{1,3}}|\w+teen|\w+ty(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) ?(?:years?|months?|yrs?)?[ -]?old\b|\bage[sd]?\b|\bturn(?:s|ed|ing) \w+|\b(?:is|am|'m|'s|are) \d{{1,3}}(?! ?[\w%€$£])|{_NUMBER}岁|年龄|年纪|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]", ("age",)),
    "job": Detail(
        r"\b(?:jobs?|occupation|profession|career|employers?|work ?place|company|position|job title)\b|\bwhat .{0,30}?\b(?:do|does|did)\b(?: for (?:a living|work))?(?=\W*$)|\bwhat .{0,30}?\b(?:do|does|did)\b for (?:a living|work)|\b(?:do|does|did)\b for (?:a living|work)|\bwhere .{0,30}?\bworks?\b|(?<![在上])(?:工作(?:单位)?|职业|职位|单位|公司|做什么(?:工作|的)?|干什么(?:工作|的)?|在哪里?儿?(?:上班|工作))",
        rf"\b(?:(?:works?|worked|working) (?:\w+ )?(?:at|for|in|as|with|from|on)|employ\w+|job|hired|joined|occupation|profession|self-employed|freelanc\w+|runs an?|teaches|boss|company|retired|career)\b|{_WORKERS_EN}|{_WORKS_ZH}",
        ("occupation", "employer", "business", "industry"),
    ),
    "school": Detail(
        r"\b(?:schools?|university|college|kindergarten|nursery|studies|degree|major)\b|学校|(?:在哪里?儿?)?(?:上学|读书|念书)|幼儿园|大学|专业|学历",
        r"\b(?:school|university|college|kindergarten|nursery|academy|primary|high|secondary|polytechnic|institute|stud(?:y|ies|ied|ying)|graduat\w+|degree|major\w*|enrol\w*|attends?)\b|学校|小学|中学|高中|初中|大学|学院|幼儿园|上学|读书|念书|就读|毕业|专业|[一二三四五六]年级",
    ),
    "salary": Detail(
        r"\b(?:salar(?:y|ies)|income|wages?|pay|earnings|how much .{0,30}?\b(?:earns?|makes?|gets? paid))\b|工资|薪水|薪资|收入|月薪|年薪|挣多少钱?|赚多少钱?",
        rf"(?:\b(?:salary|income|wages?|earn\w*|paid|pays?|makes?)\b|工资|薪|收入|挣|赚).*?{_NUMBER}",
    ),
    "savings": Detail(r"\bsavings\b|\bhow much .{0,30}?\bsaved?\b|存款|存了多少钱?|积蓄", rf"(?:\bsav(?:ed|ings|e)\b|存|积蓄).*?{_NUMBER}"),
    "debt": Detail(r"\bdebts?\b|\bloans?\b|\bmortgage\b|债务?|欠款|贷款|房贷|车贷|欠.{0,4}钱", r"\b(?:debts?|loans?|mortgage|owes?|owed|owing)\b|债|欠|贷"),
    "budget": Detail(r"\bbudgets?\b|预算|经费", r"\bbudget|预算|经费|\b(?:spend|afford)\b.*?\d", ("budget",)),
    "rent": Detail(r"\brents?\b|房租|租金", rf"(?:\brents?\b|房租|租金|租).*?{_NUMBER}"),
    "deposit": Detail(r"\bdeposits?\b|押金|定金", r"\bdeposit|押金|定金"),
    "allergy": Detail(r"\ballerg(?:y|ies|ens?)\b|过敏(?:史|源|原|的东西|什么)?", r"\ballerg|过敏|\b(?:can't|cannot|mustn't) (?:eat|have|stand|tolerate)\b|\bintoleran"),
    "illness": Detail(
        r"\b(?:illness(?:es)?|diagnos[ie]s|diseases?|(?:medical |health )?conditions?|health(?: problems?| issues?)?|sickness|medical (?:history|records?))\b|病(?:史|历|情|症)?(?!人|房|毒)|健康(?:状况|问题)?|身体状况|诊断",
        rf"{_ILL_EN}|{_ILL_ZH}",
    ),
    "medicine": Detail(r"\b(?:medications?|medicines?|meds|drugs?|pills?|prescriptions?|tablets?)\b|药(?:物|品)?|吃(?:的|什么)药", rf"{_DRUG_EN}|{_DRUG_ZH}"),
    "pregnancy": Detail(r"\bpregnan(?:cy|t)\b|怀孕|孕期|预产期", r"\bpregnan|\bexpecting\b|\bdue (?:in|date)\b|怀孕|孕|预产期"),
    "weight": Detail(r"\bweight\b|\bhow much .{0,30}?\bweighs?\b|体重|多重", rf"\bweigh|体重|{_NUMBER} ?(?:kg|kilos?|pounds|lbs|公斤|斤|千克)"),
    "height": Detail(r"\bheight\b|\bhow tall\b|身高|多高", rf"\bheight\b|\btall\b|身高|{_NUMBER} ?(?:cm|厘米)|\d米\d"),
    "blood type": Detail(r"\bblood (?:type|group)\b|血型", r"\bblood (?:type|group)\b|血型|\b(?:A|B|AB|O)(?:型血?| negative| positive)"),
    "diet": Detail(r"\bdiet(?:ary \w+)?\b|饮食|忌口", r"\b(?:diet|vegetarian|vegan|halal|kosher|gluten|pescatarian|keto)\b|吃素|素食|忌口|清真|不吃"),
    "car": Detail(rf"{_CAR_EN}|\bwhat .{{0,30}}?\bdrives?\b|(?<!停)(?<!房)车(?!位|牌|站|票|厘)(?:子|型)?", r"\b(?:drives?|driving|drove) (?!me\b|him\b|her\b|us\b)|\b(?:has|have|owns?|bought|got|is|my|our|his|her|their|new|old|'s) (?:an? |new |old |second-hand )*(?:cars?|vehicles?|van|suv|motorbikes?|motorcycles?|scooter)\b|开(?:的是?|着)?(?:一?[辆台部])?[^,，。会门店始学心]|(?<!停)(?<!搭)(?<!堵)车(?!位|站|票|厘)"),
    "licence plate": Detail(r"\b(?:licen[cs]e|number|registration) plates?(?: numbers?)?\b|车牌号?码?", r"\bplates?\b|\bregistration\b|车牌"),
    "parking": Detail(r"\bparking(?: (?:space|spot|place|bay))?\b|\bwhere .{0,30}?\bparked\b|停车位|车位|停车的?地方", r"\bpark(?:ed|ing)\b|停在|车位|停车"),
    "document number": Detail(r"\b(?:passport|id|identity card|social security|insurance|tax|employee|staff|member(?:ship)?)(?: card)? (?:numbers?|no\.?|id)\b|身份证号?码?|护照号?码?|社保号|工号|学号|会员号|保单号", r"\b(?:passport|id|identity|social security|ssn|insurance|tax|employee|staff|member(?:ship)?)\b.*?\d|(?:身份证|护照|社保|工号|学号|会员号|保单).*?[\dA-Za-z]"),
    "account": Detail(r"\b(?:bank|credit|debit|savings|checking) ?(?:account|card)(?: numbers?)?\b|\baccount numbers?\b|\bcard numbers?\b|\biban\b|银行卡(?:号码?|尾号)?|账号|账户|卡号|信用卡(?:号码?)?", r"(?:\b(?:account|card|iban|bank)\b|银行|账号|账户|卡).*?\d"),
    "code": Detail(r"\b(?:passwords?|passcodes?|pin(?: codes?| numbers?)?|(?:access|door|entry|gate|alarm) codes?)\b|密码|口令|门禁码?|验证码", r"\b(?:password|passcode|pin|code)\b|密码|口令|门禁|验证码"),
    "name": Detail(r"\b(?:first |last |full |maiden |middle |nick)?names?\b|\bwhat .{0,40}?\bcalled\b|名字|姓名|叫什么(?:名字)?", r"\b(?:is|are|was|'s|also) (?:called|named)\b|\b(?:called|named) (?-i:[A-Z])|\bnames?\b|名字|姓名|叫(?!我|你|他|她|做|人|车|外)", ("name", "alias")),
    "marriage": Detail(r"\bmari?tal status\b|\bmarriage\b|\brelationship status\b|婚姻(?:状况|状态)?|感情状况", r"\b(?:married|single|divorced|engaged|widowed|separated|marital)\b|结婚|离婚|单身|未婚|已婚|订婚", ("marital_status",)),
    "religion": Detail(r"\b(?:religion|faith|beliefs?)\b|宗教|信仰", r"\b(?:religio\w*|faith|catholic|protestant|muslim|jewish|buddhist|hindu|christian|atheist|believes in)\b|宗教|信仰|信佛|信教|基督|佛教|伊斯兰|天主教|道教"),
    "nationality": Detail(r"\b(?:nationality|citizenship)\b|国籍|民族|籍贯|老家", r"\b(?:nationality|citizen\w*|comes? from|from)\b|国籍|民族|籍贯|老家|来自"),
    "size": Detail(r"\b(?:shoe|clothing|dress|ring|shirt) sizes?\b|鞋码|尺码|衣服(?:尺码|大小)", r"\bsize|码|穿"),
    "headcount": Detail(r"\b(?:headcount|number of (?:employees|staff|people)|how many (?:employees|people|staff))\b|(?:员工|公司|团队)?人数|多少(?:员工|人)|规模", r"\d+ ?(?:employees|people|staff|colleagues)|\bteam of \d|[\d一二三四五六七八九十百千]+(?:个|名|多)*(?:员工|人|伙计)", ("headcount",)),
    "hobby": Detail(r"\bhobb(?:y|ies)\b|\bpastimes?\b|爱好|兴趣", r"\b(?:hobb(?:y|ies)|plays?|playing|collects?|enjoys?|loves? \w+ing|likes? \w+ing|paints?|knits?|hik(?:es?|ing)|fishing|climb\w*|sail\w*|cello|guitar|piano|violin)\b|爱好|喜欢|爱(?:看|听|玩|打|踢|爬)|学(?:吉他|钢琴|画)|钓鱼|爬山|打(?:球|羽毛球|篮球|网球)"),
}  # fmt: skip

_NAMED: Final = {name: re.compile(detail.named, re.IGNORECASE) for name, detail in DETAILS.items()}
_TOLD: Final = {name: re.compile(detail.told, re.IGNORECASE) for name, detail in DETAILS.items()}


@bounded_cache(1_024, longest=400)
def details_named(text: str) -> frozenset[str]:
    """The details that a text names, as a request or a question does."""
    plain = simplified(text)
    return frozenset(name for name, pattern in _NAMED.items() if pattern.search(plain))


def without_details(text: str, details: Iterable[str]) -> str:
    """A text without the words that name these."""
    for name in details:
        text = _NAMED[name].sub(" ", text)
    return text


def tells(text: str, detail: str) -> bool:
    """Whether a clause tells a detail of somebody."""
    return _TOLD[detail].search(simplified(text)) is not None


def slots_of(details: Iterable[str]) -> frozenset[str]:
    """The slots of the vocabulary that these fill."""
    return frozenset(slot for name in details for slot in DETAILS[name].slots)
