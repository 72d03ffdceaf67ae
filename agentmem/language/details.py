"""The details that people tell of themselves and of others: the words that name each, and those in which it is told.

"My job" and 他做什么工作 name one, "I work at Acme" and 他在银行当柜员 tell it.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.characters import has_han
from agentmem.language.lookalikes import simplified
from agentmem.language.people import people_in

_NUMBER: Final = r"(?:\d|[一二三四五六七八九十百千万两半]{1,6}(?=[万千百元块岁年月号斤公厘个人名多]|$))"
_DIGITS: Final = r"\d(?:[ .()/-]{0,2}\d){3,}"
_MANY_EN: Final = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w{3,5})?)"
_MONEY: Final = r"(?:[€$£] ?\d|\d[\d.,]* ?(?:k|euros?|dollars?|pounds|bucks|thousand|million|grand|€|\$|£))"
_MONTH: Final = r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\d{1,2}[./-]\d{1,2}\b|\b(?:19|20)\d\d\b"
_MONTH_ZH: Final = rf"(?:{_NUMBER}.{{0,3}}月|\d{{1,2}}[./-]\d|(?:19|20)\d\d|[今明后]天)"
_SOON: Final = r"(?: (?:am|is|are|was|were|have|has|had|been|used to|now|currently|also|still|just|only|already|about|around|almost|nearly|exactly)|'m|'s|'re|'ve|'d)"
_I: Final = rf"(?:\bI{_SOON}*|^\W*(?:and|but|now)?{_SOON}*)"
_BE: Final = r"(?:\bI|^)(?:(?: am| is| are| was| were| have been| has been| became| become)|'m|'s|'re)(?: (?:now|currently|also|still|just|only|already|about|around|almost|nearly))*"
_MY: Final = r"\b(?:my|mine|the|new|old|current|of I) (?:(?:own|new|old|first|last|current|exact|full|real|home|work|office|private|personal|mobile|monthly|yearly|annual) ){0,2}"
_ADV_ZH: Final = r"(?:现在|目前|今年|去年|以前|之前|大概|差不多|已经|只|才|就|也|都|还|还是|快|刚|满|有|是)*"
_STREET_EN: Final = r"(?:street|st|road|rd|lane|ln|avenue|ave|close|drive|way|court|place|terrace|square|crescent|gardens?|grove|row|hill|park|mews|quay|boulevard|blvd|highway|parade|walk|yard|wharf)"
_ADDRESS: Final = rf"\b\d{{1,5}}[a-z]?,? (?:[A-Z][\w'-]+ ){{1,3}}(?i:{_STREET_EN})\b|[\u4e00-\u9fff]{{2,8}}?(?:路|街|巷|弄|里|大道|胡同|村|园|苑|城|区|庄)\d{{1,5}}(?:号|弄|栋|幢|座|室|[-—]\d)[\d\u4e00-\u9fff-]{{0,8}}?(?=$|[,，。;；\s])"
_PLATE_ZH: Final = r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][ ·]?[A-Z\d]{5,6}(?![A-Z\d])"
WORKERS_EN: Final = r"(?:accountant|actor|actress|adviser|advisor|analyst|architect|artist|astronaut|baker|banker|barber|barista|bartender|beekeeper|bookkeeper|bricklayer|builder|bus driver|butcher|carer|caretaker|carpenter|cashier|chef|chemist|cleaner|clerk|coach|consultant|cook|counsell?or|courier|dentist|designer|detective|developer|director|doctor|driver|economist|editor|electrician|engineer|estate agent|farmer|firefighter|fireman|fisherman|florist|gardener|geologist|glazier|guide|hairdresser|handyman|historian|housewife|illustrator|inspector|interpreter|janitor|jeweller|journalist|judge|lawyer|lecturer|librarian|locksmith|machinist|manager|mechanic|medic|midwife|miller|miner|musician|nanny|nurse|nutritionist|optician|painter|paramedic|pharmacist|photographer|physicist|physiotherapist|pilot|plumber|police officer|policeman|policewoman|politician|porter|postman|priest|producer|professor|programmer|psychiatrist|psychologist|publisher|radiographer|receptionist|reporter|roofer|sailor|salesman|scientist|secretary|shopkeeper|social worker|soldier|solicitor|sommelier|statistician|surgeon|surveyor|tailor|taxi driver|teacher|technician|therapist|translator|truck driver|tutor|undertaker|upholsterer|vet|veterinarian|waiter|waitress|watchmaker|welder|writer|zookeeper)"
WORKERS_ZH: Final = r"(?:老师|教师|律师|医师|工程师|设计师|厨师|会计师?|理发师|摄影师|药剂师|分析师|建筑师|护士|医生|士兵|军人|经理|总监|主管|老板|司机|工人|农民|学者|教授|记者|编辑|演员|画家|作家|柜员|店员|售货员|服务员|快递员|公务员|程序员|销售员?|研究员|飞行员|消防员|收银员|保安|警察|助理|秘书|顾问|翻译|导游|木匠|电工|焊工|园丁|兽医|牙医|裁缝|保姆)"
_WORKS_EN: Final = rf"{_I} ?(?:works?|worked|working) (?:(?:now|full-time|part-time|nights|again|mostly|\w+ly) )?(?:at|for|as|with|in) (?!me\b|us\b|it\b|expected\b|the (?:garden|kitchen)\b)|(?:{_BE}|\bworks? as|\bworked as|\bworking as) an? (?:[\w-]+ ){{0,2}}?{WORKERS_EN}\b(?! of mine)|{_BE} (?:self-employed|unemployed|retired|employed|hired by|a freelanc\w+|freelanc\w+)|{_I} ?(?:runs?|owns?) an? (?:[\w-]+ ){{0,3}}?(?:company|business|shop|store|bakery|cafe|café|restaurant|farm|firm|agency|studio|salon|hotel|clinic)\b|{_I} ?(?:teach|teaches|taught) (?:at|maths?|mathematics|english|french|german|physics|chemistry|biology|history|music|art)\b"
_WORKS_ZH: Final = rf"(?:在|去|到)[^,，。]{{1,14}}(?:上班|工作(?!日|餐|台)|任职|就职|实习)|(?:工作|职业|职位|单位|公司)(?:是|叫|在)|(?:换|找|辞)(?:了|到|掉)?(?:[一份个新])*工作|辞职|跳槽|入职|退休了?|当(?:过|了)?(?:一?[名个])?{WORKERS_ZH}|我{_ADV_ZH}是?(?:一?[名位个])?[^,，。是我你他她的]{{0,8}}{WORKERS_ZH}(?=了?(?:$|[,，。!！、]))|我[^,，。]{{0,6}}做[^,，。]{{0,6}}(?:{WORKERS_ZH}|生意|行业|销售|设计|开发|财务|运营|会计|翻译)的?(?:$|[,，。!！])|我[^,，。]{{0,8}}开(?:了|着)?(?:一?[家个间])?[^,，。车的]{{0,6}}(?:店|馆|公司|厂|超市|餐厅|诊所|工作室)(?:$|[,，。!！])"
_ILL_EN: Final = r"(?:asthma\w*|diabet\w+|epileps\w+|epileptic|lupus|migraines?|(?:\w+ )?cancer|tumou?rs?|leuka?emia|anaemia|anemia|lymphoma|melanoma|glaucoma|carcinoma|psoriasis|cirrhosis|tuberculosis|thrombosis|osteoporosis|scoliosis|neurosis|psychosis|fibrosis|endometriosis|\w{3,9}itis|fibromyalgia|neuralgia|neuropathy|depression|anxiety|adhd|autis[mt]\w*|hypertension|high blood pressure|celiac|coeliac|parkinson\S*|alzheimer\S*|dementia|stroke|heart (?:attack|disease|failure|trouble|problem|condition)|hiv|sclerosis|eczema|insomnia|ulcers?|anorexia|bulimia|bipolar|ptsd|infection|(?:\w+ )?(?:disease|disorder|syndrome)|(?:medical|health|skin|chronic|thyroid) (?:condition|problem|issue)s?|illness|gout|shingles|pneumonia|covid)"
_ILL_ZH: Final = r"(?:哮喘|偏头痛|高血压|血压高|糖尿病|糖尿|癫痫|抑郁症?|焦虑症|中风|失眠|贫血|胃?溃疡|甲亢|甲减|痛风|骨折|心脏病|冠心病|胃病|肝炎|胃炎|肺炎|鼻炎|关节炎|湿疹|白血病|帕金森|老年痴呆|(?:肾|胆)?结石|[肺胃肝肠乳腺宫颈]{1,2}癌|强迫症|腰椎间盘突出)"
_STEMS_EN: Final = r"(?<![\w-])\w{2,12}(?:farin|statin|pril|sartan|olol|prazole|conazole|cillin|mycin|oxetine|traline|azepam|azolam|codone|gliptin|gliflozin|glutide|triptan|barbital|floxacin|cycline|tidine|parin|dipine|thiazide|setron|coxib|dronate|lukast|terol|solone|sonide|gabalin|afil|tinib|ciclovir|tegravir|zolam|apine|idone|xaban|grel)"
_STEMS_ZH: Final = r"[\u4e00-\u9fff]{1,4}(?:沙坦|洛尔|他汀|普利|拉唑|康唑|西泮|唑仑|曲林|地平|匹林|法林|西林|霉素|环素|沙星|西汀|列汀|列净|鲁肽|曲坦|肝素|噻嗪|司琼|昔布|膦酸|司特|特罗|松龙|奈德|巴林|那非|替尼|洛韦|沙班|格雷|双胍)"
"""How the international names of medicines end that are of one group (WHO, "The use of stems"), and their Chinese forms."""
_DRUG_EN: Final = rf"(?:metformin|{_STEMS_EN}|prednis\w+|cortisone|levothyroxine|thyroxine|salbutamol|albuterol|citalopram|risperidone|quetiapine|olanzapine|clozapine|insulin|aspirin|paracetamol|ibuprofen|naproxen|lithium|ventolin|prozac|xanax|zoloft|ritalin|gabapentin|amlodipine|(?:medication|medicine|pill|tablet|med)s?|drugs?|an? (?:\w+ )?inhaler|antibiotics?|painkillers?|antidepressants?|beta.?blockers?|blood thinners?|antihistamines?)"
_DRUG_ZH: Final = rf"(?:药|二甲双胍|{_STEMS_ZH}|布洛芬|优甲乐|头孢|胰岛素|激素)"
_CAR_EN: Final = r"\b(?:cars?|drives?|driving|drove|vehicles?|van|suv|motorbikes?|motorcycles?|scooter)\b"
_CAR: Final = r"(?:cars?|vehicles?|van|suv|motorbikes?|motorcycles?|scooter)\b"
_MAKES_ZH: Final = r"(?:大众|丰田|本田|奥迪|宝马|奔驰|特斯拉|比亚迪|别克|福特|日产|现代|起亚|雪佛兰|沃尔沃|吉利|奇瑞|长安|哈弗|蔚来|理想|小鹏|马自达|斯柯达|标致|雪铁龙|路虎|保时捷|雷克萨斯|五菱|红旗|斯巴鲁)"
MOTORBIKES: Final = r"(?i:\b(?:harley(?:-davidson)?|ducati|triumph|kawasaki|yamaha|vespa|royal enfield|aprilia|moto guzzi|piaggio|husqvarna)\b|春风|雅马哈|川崎|哈雷|杜卡迪|无极|光阳|钱江|贝纳利)"
"""Who makes them."""
_PASTIMES_EN: Final = r"(?:hiking|fishing|climbing|sailing|painting|knitting|reading|swimming|cycling|running|dancing|gardening|cooking|baking|singing|skiing|surfing|photography|drawing|rowing|gaming|pottery|embroidery|chess|tennis|football|golf|hockey|badminton|cricket|rugby|basketball|volleyball|squash|poker|bridge|cards|(?:the )?(?:cello|guitar|piano|violin|flute|drums|trumpet|accordion|harp|saxophone|banjo|clarinet|oboe|organ|ukulele))"
_PASTIMES_ZH: Final = r"(?:看书|读书|阅读|看电影|听音乐|听歌|唱歌|唱戏|跳舞|画画|画国画|画油画|钓鱼|爬山|登山|下棋|下围棋|下象棋|围棋|象棋|打球|打?羽毛球|打?篮球|打?乒乓球|打?网球|打?太极拳?|打麻将|踢?足球|踢球|跑步|游泳|摄影|拍照|旅行|旅游|书法|养花|养鱼|种花|做饭|弹琴|弹?吉他|弹?钢琴|拉?二胡|拉?小提琴|吹笛子|骑车|骑行|滑雪|滑冰|瑜伽|集邮|刺绣|剪纸|打游戏|徒步|露营|园艺|烘焙)"
_WORN_EN: Final = r"(?:shoe|boot|clothing|clothes|dress|ring|shirt|t-shirt|jacket|coat|suit|sweater|bra|hat|helmet|trouser|trousers|jeans|pants|skirt|glove|waist)"
_SCHOOL_EN: Final = r"(?:school|university|college|kindergarten|nursery|academy|polytechnic|institute|grammar|primary|elementary|prep)\b"
_OTHER_NUMBER: Final = r"\b(?:passport|order|accounts?|house|flat|street|card|id|identity|tax|member\w*|employee|staff|student|plate|licen[cs]e|reference|flight|train|bus|room|seat|invoice|ticket|tracking|case|contract|customer|policy|serial|bank|insurance|security|registration|lucky|favou?rite|shoe|model|parcel|booking|locker|iban|pin|code)\b|护照|订单|单号|身份证|证号|车牌|工号|学号|账号|卡号|门牌|航班|会员|社保|房间|座位|快递|编号|密码|发票|合同|型号|QQ|微信"
_OF_A_LINE: Final = r"(?:my|our|his|her|their|its|the|an?|this|that|new|old|other|second|first|own|current|former|previous|correct|right|wrong|full|main|direct|private|personal|business|home|work|office|daytime|emergency|contact|mobile|cell|(?:tele)?phone|landline|whatsapp|fax|is|and|or|s)"
_OF_ELSE: Final = rf"\b(?!{_OF_A_LINE}\b)[a-z]+ numbers?\b"
"""A number that is called after something else than a telephone: "my library number"."""


@dataclass(frozen=True, slots=True)
class Detail:
    """What names it, what tells it, and what beside that shows that something else is told; `slots` are those of the
    vocabulary that it fills, and a `value` is of it by its form alone, whatever stands beside it. Whoever is meant
    stands in what is told as I and my: "my brother works" as "I works"."""

    named: str
    told: str
    slots: tuple[str, ...] = ()
    never: str = ""
    value: str = ""


def _numbered(named: str, told: str, value: str = "") -> Detail:
    """Something that is told by its own noun, with a digit behind it."""
    return Detail(named, rf"(?:{told}).*?\d", value=value)


DETAILS: Final[Mapping[str, Detail]] = {
    "phone": Detail(
        r"\b(?:(?:tele)?phone|mobile|cell|landline|contact)(?: ?phone)?(?: numbers?)?\b|(?<!house )(?<!card )(?<!account )(?<!id )(?<!plate )(?<!passport )(?<!employee )(?<!room )\bnumbers?\b(?! (?:of|plates?)\b)|(?:联系)?电话(?:号码)?|手机号?码?|座机号?码?|(?<!证)(?<!牌)(?<!卡)(?<!工)(?<!账)(?<!单)(?<!房)(?<!门)号码|联系方式|how to (?:reach|contact)",
        rf"(?:\b(?:(?:tele)?phone|mobile|cell|landline|tel)\b|电话|手机|座机|联系方式).*?{_DIGITS}|\b(?:reach|call|text|ring|whatsapp|contact)\b.{{0,30}}?{_DIGITS}|(?:{_MY}|'s )numbers?\b.{{0,30}}?{_DIGITS}|(?<![\w-]){_DIGITS} (?:is|was) (?:my|mine)(?: \w+)? ?(?:number|phone)|(?:新号|旧号|(?<!单)号码)(?:码)?(?:是|:|：|换成|改成|为)?.{{0,4}}?{_DIGITS}|打(?:给)?我?{_DIGITS}",
        ("phone", "work_phone", "home_phone", "whatsapp"),
        rf"{_OTHER_NUMBER}|{_OF_ELSE}",
    ),
    "email": Detail(r"\be-?mails?(?: addresse?s?)?\b|(?:电子)?(?:邮箱|邮件)(?:地址)?|电邮", r"[\w.+-]+@[\w-]+\.\w", ("email", "work_email"), value=r"[\w.+-]+@[\w-]+\.\w[\w.-]*"),
    "wechat": Detail(r"\bwe ?chat(?: id| account)?\b|微信号?", r"\bwe ?chat(?: id| account| name)?(?: is(?: now)?|:) ?[\w-]{4,}|微信(?:号|名|ID)?(?:现在)?(?:是|:|：|为|叫|改成|换成)? ?[A-Za-z\d][\w-]{3,}", ("wechat",)),
    "qq": Detail(r"\bqq\b|QQ号?", r"\bqq(?:号码?| number)?(?: is|是|:|：|换成|改成)? ?\d{5,}", ("qq",)),
    "home": Detail(
        r"(?<!mail )(?<!email )\b(?:home |postal |street )?add?ress(?:es)?\b|\bwhere .{0,30}?\blives?\b|\bhome town\b|\bplace of residence\b|(?<!邮箱)(?<!邮件)(?:家庭)?(?:地|住)址|住在?(?:哪里?|哪儿|什么地方)|住的地方|住处",
        rf"{_I} ?(?:lives?|lived|living|resides?|resided|settled|stays?|staying) (?:(?!with)\w+ )?(?:at|in|on|near|by) |{_I} ?(?:moved|moving|moves?) (?:(?:back|house|away|out) )?(?:to|into|in) |{_I} ?(?:rents?|renting|rented) (?:[\w-]+ ){{0,4}}?(?:at|in|on|near) |\bI(?: have| has|'ve|'s) moved\b|(?:{_MY}|'s )(?:(?:home|postal|street) )?address(?:es)?(?: (?:is|was|are|has)|:| \d)|\bhome is (?:at|in|on)\b|(?:地址|住址)(?:是|在|:|：|换|改|为)|我(?:家|们)?[^,，。不]{{0,6}}(?<![忍记停坐抓不得保站顶留憋卡按堵护握接])住(?!院|宿|酒店|宾馆|民宿)|住在|搬(?:家|到|去|进|回)|我家(?:就|现在)?在|安家|定居",
        ("address", "work_address", "city"),
        r"\be-?mail|\b(?:ip|mac|web) address|\blives? in (?:hope|fear)|邮箱|邮件|网址|把",
        _ADDRESS,
    ),
    "birthday": Detail(r"\b(?:birth ?days?|birth ?dates?|dates? of birth)\b|生日|出生(?:日期|年月)?", rf"(?:\bbirth ?(?:day|date)|\bborn\b|\bdate of birth\b).*?(?:{_MONTH}|\b(?:today|tomorrow)\b)|(?:{_MONTH}).{{0,20}}\b(?:is|was) (?:my|mine).{{0,10}}birth ?day|(?:生日|出生|生于).*?{_MONTH_ZH}|{_MONTH_ZH}.{{0,6}}(?:生日|出生|生的)", ("birthday",), r"\b(?:party|cake|presents?|gifts?|trip)\b|蛋糕|礼物|聚会"),
    "age": Detail(
        r"\bages?\b|\bhow old\b|年龄|年纪|岁数|多大(?:年纪|岁数)?|几岁",
        rf"{_BE} {_MANY_EN}(?: and a half)?(?: (?:years?|months?|yrs?)[ -]old\b|(?=\s*(?:$|[,.;!?])| (?:now|today|and|this|next|already|but)\b))|\bI{_SOON}* ?turn(?:s|ed|ing)? {_MANY_EN}\b(?! (?:pages|degrees|times|into|of))|\bmy (?:(?:real|exact) )?ages? (?:is|was|are)\b|\bI,? aged \d|\b{_MANY_EN}[ -](?:year|month)s?[ -]old (?:\w+ )?(?:I\b|son|daughter|boy|girl|dog|cat)|(?:今年|我|了|有|满|快|是|才|刚)[^,，。房车树]{{0,5}}?(?:\d{{1,3}}|[一二三四五六七八九十百两]{{1,4}})(?:周)?岁(?!月|生日)|今年(?:都|已经|快|刚)?(?:\d{{2}}|[一二三四五六七八九]?十[一二三四五六七八九]?)了?(?=$|[,，。!！])|^(?:\d{{1,3}}|[一二三四五六七八九十]{{1,3}})岁(?!月)|(?:年龄|年纪|岁数)(?:是|:|：)|属[鼠牛虎兔龙蛇马羊猴鸡狗猪](?=$|[,，。的!！])",
        ("age",),
        r"\b(?:house|building|bike|car|company|tree|number|phone|temperature)\b|房子|公司|大楼",
    ),
    "job": Detail(
        r"\b(?:jobs?|occupation|profession|career|employers?|work ?place|company(?! size)|position|job title)\b|\bwhat .{0,30}?\b(?:do|does|did)\b(?: for (?:a living|work))?(?=\W*$)|\bwhat .{0,30}?\b(?:do|does|did)\b for (?:a living|work)|\b(?:do|does|did)\b for (?:a living|work)|\bwhere .{0,30}?\b(?:works?|employed)\b|(?<![在上])(?:工作(?:单位)?|职业|职位|职务|岗位|单位|公司(?!的?(?:规模|人数|员工))|做什么(?:工作|的)?|干什么(?:工作|的)?|在哪里?儿?(?:上班|工作))",
        rf"(?:{_MY}|'s )(?:(?:day|dream|part-time) )?(?:job|occupation|profession|career|employer|work ?place|job title)\b|(?:{_MY}|'s )(?:company|firm|employer) (?:is|was) (?:called|named)\b|\bI{_SOON}* ?(?:found|got|started|lost|left|quit) (?:an?|the|my) (?:\w+ )?job\b|{_WORKS_EN}|{_WORKS_ZH}",
        ("occupation", "employer", "business", "industry"),
        r"\b(?:good|great|nice) job\b|楼下|附近|门口|对面|街上|新开的|想当|像",
    ),
    "school": Detail(
        r"\b(?:schools?|university|uni|college|kindergarten|nursery|studies|degree|major)\b|学校|高中|初中|中学|小学|本科|(?:在哪里?儿?)?(?:上学|读书|念书)|幼儿园|大学|专业|学历",
        rf"\b(?:go|goes|going|went|attend\w*|enrol\w+|stud(?:y|ies|ied|ying)|graduat\w+|transferred|started|starts) (?:to|at|from|in|with|(?-i:[A-Z])).{{0,40}}?\b{_SCHOOL_EN}|(?:{_BE}) (?:at|in) (?:[\w.'-]+ ){{0,3}}?{_SCHOOL_EN}|(?:{_MY}|'s )(?:{_SCHOOL_EN}|degree|major)\s?(?:is|was|:)|\b(?:graduated|majors?|majored|majoring|degree|diploma|phd|master's) (?:in|from)\b|{_I} ?stud(?:y|ies|ied|ying) (?:at|law|medicine|physics|chemistry|biology|history|art|music|economics|engineering|maths?|mathematics|english|french|german)\b|(?:在|上|读|念|考上|就读于?|转到|转去)[^,，。当教]{{0,12}}(?:学校|小学|中学|高中|初中|大学|学院|幼儿园)(?=$|[,，。了!！读上念就]|[一二三四五六]年级)|上学|就读|在[^,，。]{{1,12}}(?:读书|念书)|[上读念][^,，。]{{0,8}}(?:专业|[一二三四五六]年级)|毕业于|从[^,，。]{{2,10}}毕业|(?:学校|专业|幼儿园|大学|学历)(?:是|叫)|(?:小学|初中|高中|中学|大学|本科|硕士|博士)(?:是|在|就读|读|念|上)(?:的?是)?(?=[^,，。的]{{2}})",
        never=r"\b(?:vote|bus stop|drove past)\b|接|送|路过",
    ),
    "salary": Detail(
        r"\b(?:salar(?:y|ies)|income|wages?|pay|earn|earns|earnings|(?:how much|what) .{0,30}?\b(?:earns?|makes?(?=\W*$)|gets? paid))\b|工资|薪水|薪资|收入|月薪|年薪|[挣赚拿]多少钱?",
        rf"\b(?:takes?|bring|brings) home .{{0,12}}?\d|到手[^,，。]{{0,3}}?{_NUMBER}|(?:\b(?:salary|income|wages?|earnings)\b|\b(?:my|'s) (?:\w+ )?pay (?:is|was)|\bearn(?:s|ed|ing)?\b|\b(?:gets?|got|am|is|'m) paid\b).*?\d|\bI{_SOON}* ?makes? (?:about |around |roughly )?[€$£]? ?\d.*?\b(?:a|per|an) (?:month|year|hour|week)|(?:工资|薪水|薪资|月薪|年薪|月收入|年收入|收入).*?{_NUMBER}|(?:月|年|每天|小时)[^,，。]{{0,6}}[挣赚].*?{_NUMBER}",
        never=r"\b(?:trust|points|badge|income tax|miles)\b",
    ),
    "savings": Detail(r"\bsavings\b|\bhow much .{0,30}?\bsaved?\b|存款|存了多少钱?|积蓄", rf"\b(?:sav(?:ed|ings)|put aside)\b.*?{_MONEY}|\bsavings (?:is|are|of|total)\b.*?\d|(?:存款|积蓄).*?{_NUMBER}|存(?:了|有|下)?[^,，。]{{0,6}}\d*[一二三四五六七八九十百千万两半]*(?:万|千|块|元)(?![张个份首条本])"),
    "debt": Detail(r"\bdebts?\b|\bloans?\b|\bmortgage\b|债务?|欠款|贷款|房贷|车贷|欠.{0,4}钱", rf"\b(?:have|has|had|'ve|my|'s|our|paying off|paid off|took out|got|with)\b (?:[\w$€£,.]+ ){{0,5}}?(?:debts?|loans?|mortgage)\b|\bI{_SOON}* in debt\b(?! to)|\bI{_SOON}* ?(?:owes?|owed|owing) .{{0,30}}?(?:{_MONEY}|\bmoney\b|\d{{2,}})|欠(?:了|着|我|他|她)?[^,，。]{{0,8}}(?:钱|块|元|万|千|债)|(?:有|还|背|借|办)[^,，。]{{0,6}}(?:债|贷)|房贷|车贷|负债|债务", never=r"\blibrary\b|贷款公司|欠揍"),
    "budget": Detail(r"\bbudgets?\b|预算|经费", r"\bbudgets?\b|预算|经费", ("budget",), r"\bbudget (?:airlines?|hotels?|flights?|phones?|meeting|committee|cuts?)|预算员|预算会|预算部"),
    "rent": Detail(r"\brents?\b|房租|租金", rf"(?:{_MY}|'s |\bpa(?:y|ys|id|ying) )(?:\w+ )?rent\b.*?\d|\bpa(?:y|ys|id|ying) .{{0,20}}\d.{{0,20}}\brent\b|\brent (?:is|was|costs|went)\b.*?\d|(?:房租|租金).*?{_NUMBER}"),
    "deposit": Detail(r"\bdeposits?\b|押金|定金", r"\bdeposit\b(?! (?:accounts?|box|slip|bottles?))|押金|定金"),
    "allergy": Detail(r"\ballerg(?:y|ies|ens?)\b|过敏(?:史|源|原|的东西|什么)?", r"\ballerg(?:y|ies|ic)\b|过敏|\b(?:lactose|gluten|histamine|fructose)[ -]intoleran|\bintoleran(?:t to|ce)\b|\bcan't tolerate\b", never=r"\ballergy (?:clinic|season|nurse|research|doctor)|\ballergic to (?:mondays|meetings|work|mornings)|过敏科|抗过敏"),
    "illness": Detail(
        r"\b(?:illness(?:es)?|diagnos[ie]s|diseases?|(?:medical |health )?conditions?|health(?: problems?| issues?)?|sickness|medical (?:history|records?))\b|病(?:史|历|情|症)?(?!人|房|毒)|健康(?:状况|问题)?|身体状况|诊断",
        rf"\b(?:have|has|had|having|'ve|got|gets?|caught|developed|suffer\w*|diagnosed|treated|survived|battl\w+|fighting|live with|lives with)\b.{{0,30}}?\b{_ILL_EN}\b|\b(?:my|'s) (?:\w+ )?{_ILL_EN}\b|{_BE} (?:an? )?(?:\w+ )?(?:epileptic|diabetic|asthmatic|autistic|bipolar|anorexic|depressed)\b|{_BE} (?:\w+ly |very )?(?:ill|sick)\b(?! of)|\bdiagnosed with\b|\bdiagnosis (?:is|was)\b|\bmy (?:health|illness) (?:is|was)\b|{_I} ?(?:had|having|needs?|have|has) (?:[\w-]+ ){{0,3}}?(?:surgery|operation)\b|{_ILL_ZH}|(?:得|患|生|犯|查出|确诊|诊断)(?:了|过|上|有|出|为|是)?[^,，。]{{0,8}}(?:病|炎|症|癌|瘤)|(?:确诊|诊断)(?:为|是|出)|我的?(?:病|健康)(?:是|情|史|好|又)|我{_ADV_ZH}[^,，。]{{0,6}}有[^,，。的]{{0,6}}(?:病|炎|症|癌)(?=$|[,，。了])|(?:做|动)(?:了|过)?[^,，。]{{0,6}}手术",
        never=r"\b(?:research|charity|charities|ward|hospital|books?|films?|movie|museum|nurse|doctor|awareness|donat\w+|foundation|fundrais\w+|stroke of|computer)\b|病毒|病房|病人|病友|患者|医院当|医院上班|肿瘤医院|肿瘤科|护士|病假|书|电影|讲座|研究|捐|专家|怕",
    ),
    "medicine": Detail(
        r"\b(?:medications?|medicines?|meds|drugs?|pills?|prescriptions?|tablets?)\b|药(?:物|品)?|吃(?:的|什么)药",
        rf"(?:\b(?:takes?|took|taking|prescribed|needs?|injects?|uses?|using|swallows?|is on|am on|are on)|'m on|'s on)\b (?:[\w.,-]+ ){{0,5}}?{_DRUG_EN}\b|\bmy (?:\w+ )?(?:medication|medicine|prescription|pills|tablets|meds) (?:is|are|was|were)(?: called)?\b (?!in\b|on\b|white\b)|\b\d+ ?(?:mg|mcg|micrograms|milligrams)\b|[吃服用打开停换][^,，。]{{0,8}}{_DRUG_ZH}|药(?:是|叫)",
        never=r"\b(?:cabinet|chest|box|shop|pharmacy|degree|student|drug (?:store|dealer|test))\b|药店|药房|农药|山药|火药|药膳|药箱|药剂师|药学|药水味",
        value=rf"\b{_STEMS_EN}\b|{_STEMS_ZH}",
    ),
    "pregnancy": Detail(r"\bpregnan(?:cy|t)\b|怀孕|孕期|预产期", rf"{_I} ?(?:\w+ )?(?:\w+ )?pregnant\b|\bmy pregnancy\b|\bexpecting (?:an? |our |my |twins|another )(?:\w+ )?(?:baby|child|boy|girl)?|\b(?:baby|child|twins?) (?:is|are) due\b|\bdue date (?:is|was)\b|怀孕|怀(?:了|上)[^,，。]{{0,4}}(?:孕|胎|宝宝|娃)|预产期|孕期|孕\d|身孕", never=r"\b(?:parcel|package|guests?|delivery|visitors?|call|letter)\b|孕妇"),
    "weight": Detail(r"\bweight\b|\bhow much .{0,30}?\bweighs?\b|体重|多重", rf"\bI{_SOON}* ?weigh(?:s|ed)? .{{0,20}}?(?:\d|\w+ty\b|a hundred)|\bmy (?:\w+ )?weight (?:is|was|went|has)\b|\bI{_SOON}* ?(?:lost|gained|put on) (?:\w+ )?{_MANY_EN} ?(?:kg|kilos?|pounds|lbs)\b|体重|我{_ADV_ZH}重?{_NUMBER}[\d.]*[十百千万两半]* ?(?:多)?(?:kg|公斤|斤|千克)重?(?=了?(?:$|[,，。]))", never=r"体重秤"),
    "height": Detail(r"\bheight\b|\bhow tall\b|身高|多高", rf"\bmy height\b|{_BE} .{{0,20}}\btall\b|{_BE} (?:\d ?m ?\d\d|\d\.\d\d ?m|\d{{3}} ?cm)\b|身高|我{_ADV_ZH}高?(?:\d米\d{{0,2}}|\d{{3}} ?(?:cm|厘米)|一米[六七八九]\w?)高?(?=了?(?:$|[,，。]))", never=r"\btall (?:order|story|tale)"),
    "blood type": Detail(r"\bblood (?:type|group)\b|血型", r"\bblood (?:type|group) (?:is|was|:)|\b(?:has|have|with) blood (?:type|group)\b|血型|(?-i:\b(?:A|B|AB|O)(?: [Rr]h)?)[ -](?:negative|positive)(?=$|[,.!]| blood)|(?-i:A|B|AB|O)型(?:血|$|[,，。的])", never=r"血型(?:书|性格)"),
    "diet": Detail(r"\bdiet(?:ary \w+)?\b|饮食|忌口", rf"(?:{_BE}|\bI{_SOON}* ?(?:turned|went|gone|go|goes|eats?|eating)) (?:(?:an?|only|strictly|fully|mostly|on a) )*(?:[\w-]+ )?(?:vegetarian|vegan|pescatarian|halal|kosher|gluten-free|keto|diet)\b|\bmy (?:\w+ )?diet\b|\bI{_SOON}* ?(?:don't|doesn't|do not|does not|never) eats? (?:any )?(?:\w+ )?(?:meat|pork|beef|fish|dairy|sugar|eggs|gluten|seafood|carbs)\b|吃素|素食(?:者|主义)|忌口|(?:吃|守)清真|我[^,，。]{{0,4}}不吃(?:[^,，。]{{0,2}}(?:肉|鱼|海鲜|辣|香菜|葱|蒜|蛋|奶|糖|猪|牛|羊))", never=r"\b(?:restaurants?|cafe|cookbook|recipes?|shop)\b|餐厅|饭馆|店"),
    "car": Detail(
        rf"{_CAR_EN}|\bwhat .{{0,30}}?\bdrives?\b|(?<!停)(?<!房)车(?!位|牌|站|票|厘)(?:子|型)?|摩托(?:车)?",
        rf"{_I} ?(?:drives?|driving|drove) (?:an?|my|his|her|our|the) (?:[\w.-]+ ?){{1,4}}|{_I} ?(?:owns?|have|has|had|bought|got|buys?|sold) (?:(?:an?|my|new|old|second-hand|used|[\w-]+) ){{0,3}}{_CAR}|\b(?:my|our|'s) (?:[\w-]+ )?{_CAR} (?:is|was|are)\b(?! (?:parked|broken|dirty|in|at|outside|being))|开(?:的|着)?(?:是)?(?:一?[辆台部])[^,，。]{{1,10}}|骑(?:的|着)?(?:是)?(?:一?[辆台部])?[^,，。自单]{{0,10}}(?:摩托|机车|电动车|电瓶车)|开的(?:车)?是|开(?:的|着)?(?:是)?{_MAKES_ZH}|我[^,，。]{{0,6}}(?:买|换|有|卖)(?:了|过)?(?:一?[辆台部])?[^,，。]{{0,8}}车(?=了?(?:$|[,，。!！]))|我(?:家)?的?(?:新|旧|老)?车(?:子)?(?:型)?(?:是|叫)",
        never=r"\b(?:bargain|bus|taxi|train|tram|lorry|truck|crazy|mad|nuts|toy|rental|hire)\b|火车|自行车|公交|出租|车站|车票|车位|停车|车牌|购物车|玩具|坐|搭",
        value=rf"{MOTORBIKES}(?: ?[A-Z\d]\w+)?",
    ),
    "licence plate": Detail(r"\b(?:licen[cs]e|number|registration) plates?(?: numbers?)?\b|\bmy plates?\b|车牌号?码?", r"\b(?:licen[cs]e|number|registration) plates?\b|(?:^|\bmy |\bthe )plate(?:'s| is)\b|\b(?:my|'s) (?:car )?registration (?:number )?is\b|车牌", value=_PLATE_ZH),
    "parking": Detail(r"\bparking(?: (?:space|spot|place|bay))?\b|\bwhere .{0,30}?\bparked\b|停车位|车位|停车的?地方", r"\bI\b.{0,12}\bparked?\b (?:my |the |it |our )?|\b(?:is|are) parked\b|\bparking (?:space|spot|place|bay) (?:is|was|number|\w?\d)|\b(?:car|van) .{0,10}\bparked\b|车[^,，。]{0,4}停在|(?:停?车位)(?:是|在|号)"),
    "passport": _numbered(r"\bpassport(?: (?:numbers?|no\.?))?\b|护照号?码?", r"\bpassport (?:numbers?|no\b|is\b)|护照号?码?(?:是|:|：|为)?"),
    "identity": _numbered(r"\b(?:id|identity)(?: card)? (?:numbers?|no\.?)\b|身份证号?码?", r"\b(?:id|identity)(?: card)? (?:number|no\b|is\b)|身份证", value=r"(?<!\d)\d{17}[\dXx](?!\d)"),
    "social security": _numbered(r"\b(?:social security|ssn|national insurance)(?: numbers?)?\b|社保号?码?", r"\b(?:social security|ssn|national insurance)\b|社保"),
    "insurance": _numbered(r"\b(?:insurance|policy) (?:numbers?|no\.?|id)\b|保单号?码?", r"(?<!national )\b(?:insurance|policy) (?:number|no\b|id\b)|保单"),
    "tax number": _numbered(r"\btax (?:numbers?|no\.?|id)\b|税号", r"\btax (?:number|no\b|id\b)|税号"),
    "staff number": _numbered(r"\b(?:employee|staff)(?: card)? (?:numbers?|no\.?|id)\b|工号", r"\b(?:employee|staff)(?: card)? (?:number|no\b|id\b)|工号"),
    "student number": _numbered(r"\bstudent(?: card)? (?:numbers?|no\.?|id)\b|学号", r"\bstudent(?: card)? (?:number|no\b|id\b)|学号"),
    "membership": _numbered(r"\bmember(?:ship)?(?: card)? (?:numbers?|no\.?|id)\b|会员号", r"\bmember(?:ship)?(?: card)? (?:number|no\b|id\b)|会员号"),
    "account": _numbered(r"\b(?:bank|savings|checking) ?accounts?(?: numbers?)?\b|\baccount numbers?\b|\biban\b|账号|账户", r"\b(?:(?:bank|savings|checking) )?account (?:numbers?|no\b|is\b|ends\b)|\biban\b|银行账[号户]|(?<!微信)(?<!游戏)账[号户](?:是|:|：)"),
    "card": _numbered(r"\b(?:bank|credit|debit) ?cards?(?: numbers?)?\b|\bcard (?:numbers?|digits)\b|银行卡(?:号码?|尾号)?|卡号|信用卡(?:号码?)?", r"\b(?:bank|credit|debit) ?card (?:numbers?|no\b|is\b|ends\b)|(?<!id )(?<!membership )\bcard (?:number|ends)\b|(?:银行|信用)卡(?:的)?(?:卡?号码?|尾号|是)|(?:尾号|后四位).{0,3}\d{3,4}|(?<!会员)(?<!门)卡号", value=r"(?<!\d)(?:\d{4} \d{4} \d{4} \d{1,7}|\d{4}-\d{4}-\d{4}-\d{1,7}|\d{16}|\d{19})(?!\d)"),
    "password": Detail(r"\bpass(?:word|code)s?\b|(?<!门禁)(?<!门锁)(?<!银行卡)密码|口令", r"\bpass(?:word|code)\b(?! manager| reset).{0,30}?(?:\bis\b|:|=|\bto\b)|\bpass(?:word|code)\b.*?\d|(?<!门禁)(?<!门锁)(?<!卡)密码.{0,6}?(?:是|为|:|：|改成|换成|[\dA-Za-z]{3,})|口令是", never=r"门禁|门锁|银行卡|\bpassword manager"),
    "pin": _numbered(r"\bpin(?: codes?| numbers?)?\b|验证码|银行卡密码", r"\bpin\b(?: code| number)?|验证码|银行卡密码"),
    "door code": _numbered(r"\b(?:access|door|entry|gate|alarm) codes?\b|门禁(?:密?码)?|门锁密码", r"\b(?:access|door|entry|gate|alarm) code|门禁|门锁密码"),
    "name": Detail(r"\b(?:first |last |full |maiden |middle |nick)?names?\b|\bwhat .{0,40}?\bcalled\b|名字|姓名|叫什么(?:名字)?|外号|绰号|昵称|小名|笔名|网名|艺名|真名|本名|大名", rf"{_I} ?(?:called|named|known as) (?-i:[A-Z])|\b(?:my|'s) (?:\w+ )?(?:called|named) (?-i:[A-Z])|\b(?:my|'s) (?:(?:first|last|full|maiden|middle|real|old) )?(?:nick)?names?(?: is| was|'s|:)|\bI{_SOON}* also called\b|\b(?:calls?|called) (?:me|him|her|it|myself) (?-i:[A-Z])|(?:名字|姓名|外号|绰号|昵称|小名|笔名|网名|艺名|真名|本名|大名)(?:是|叫|:|：)|都叫我(?![别去来快过不回起])(?-i:[\u4e00-\u9fffA-Z]){{1,4}}(?=$|[,，。!！])|(?:我|我的|名|就|也|号|^)(?:[^,，。]{{0,6}})叫(?:做)?(?-i:[\u4e00-\u9fffA-Z])[^,，。]{{0,8}}(?:$|[,，。!！])", ("name", "alias"), r"\b(?:books?|song|film|movie|band|company|shop|street|town|village|boat|game|app|team|school|project|blog|restaurant|album|show|street|file)\b|(?<!都)叫我|叫(?:你|他|她|做|人|车|外|醒|救|停|了|不|什么)|书|歌|公司|店|电影|剧|饭馆"),
    "marriage": Detail(r"\bmari?tal status\b|\bmarriage\b|\brelationship status\b|婚姻(?:状况|状态)?|感情状况", rf"(?:{_I} ?(?:got|getting|get|be)?|'m|'s|am|is|are|was|got|been) ?(?:\w+ly |not |happily )?(?:married|divorced|widowed|separated|engaged(?! in| with)|single(?=$|[,.!;]| (?:now|again|and|since|for)))\b|\bmarital status\b|我[^,，。]{{0,8}}(?:结婚|离婚|单身|未婚|已婚|订婚)", ("marital_status",), r"结婚照|婚礼|婚纱|\bsingle (?:room|bed|malt)"),
    "religion": Detail(r"\b(?:religion|faith|beliefs?)\b|宗教|信仰", rf"{_BE} (?:an? |not |very )?(?:\w+ )?(?:catholic|protestant|muslim|jewish|buddhist|hindu|christian|atheist|religious|sikh|baptist|orthodox)\b(?! (?:dior|school|art))|\bmy (?:religion|faith) (?:is|was)\b|\bI{_SOON}* ?(?:converted to|believes? in (?:god|allah|jesus|buddha))|信(?:佛|教|基督|伊斯兰|天主|道教)|我[^,，。]{{0,4}}是[^,，。]{{0,4}}(?:基督徒|佛教徒|穆斯林|天主教徒|道教徒)|(?:宗教)?信仰(?:的)?是"),
    "nationality": Detail(r"\b(?:nationality|citizenship)\b|国籍|民族|籍贯|老家", rf"\b(?:nationality|citizenship) (?:is|was)\b|{_BE} an? (?:\w+ )?citizen\b|{_I} ?(?:comes?|came|originally|hails?)?(?: originally)? ?from (?-i:[A-Z])|国籍|我[^,，。]{{0,4}}是[^,，。]{{1,6}}(?:国人|族)(?=$|[,，。])|(?:老家|籍贯)(?:是|在)|我[^,，。]{{0,4}}来自|[\u4e00-\u9fff]族(?=$|[,，。])", never=r"\b(?:bought|borrowed|letter|got|present|gift)\b"),
    "size": Detail(rf"\b{_WORN_EN} sizes?\b|\bwaist\b|鞋码|尺码|衣服(?:尺码|大小)|裤腰|腰围|胸围", rf"\b{_WORN_EN} size\b|\bwaist (?:is|of)\b|腰围|胸围|\b(?:wears?|takes?) (?:a )?(?:shoe )?size \w{{1,3}}\b|\b(?:shoes?|boots?|dress(?:es)?|shirts?|trousers) (?:in |are |is )*size\b|鞋码|尺码|穿[^,，。]{{0,6}}(?:\d{{1,3}}|[XSMLxsml]{{1,4}}|[大中小])[码号](?=$|[,，。的])|\d{{2,3}}码的?(?:鞋|衣|裤|$)"),
    "headcount": Detail(r"\b(?:headcount|company size|number of (?:employees|staff|people)|how many (?:employees|people|staff))\b|(?:员工|公司|团队)?人数|多少(?:员工|人)|规模", rf"\b(?:company|team|firm|we|I|office|department|agency)\b.{{0,30}}?\b(?:has|have|had|are|is|employs?|with|of)\b.{{0,12}}?\d+ ?(?:\w+ )?(?:employees|people|staff|colleagues)\b|\b\d+ employees\b|\bteam of \d|\bheadcount\b|(?:公司|团队|部门|店里|店|厂里?|员工)[^,，。]{{0,8}}?{_NUMBER}[\d一二三四五六七八九十百千多]*(?:来|多)?(?:个|名|号)?(?:员工|人|伙计)|{_NUMBER}[\d一二三四五六七八九十百千多]*(?:个|名)?(?:员工|伙计)|人数", ("headcount",), r"\b(?:party|wedding|guests)\b"),
    "hobby": Detail(r"\bhobb(?:y|ies)\b|\bpastimes?\b|爱好|兴趣", rf"\bhobb(?:y|ies)\b|{_I} ?(?:plays?|played|playing) (?:in a band|{_PASTIMES_EN})\b|{_I} ?(?:collects?|collecting) (?:(?:old|rare|\w+) )?(?:stamps|coins|records|postcards|vinyl|books|minerals|comics)\b|{_I} ?(?:loves?|likes?|enjoys?|into|do|does|goes|go)(?: to)? {_PASTIMES_EN}\b|{_I} ?(?:paints?|knits?|hikes?|sails?|climbs?|fishes)\b|爱好|(?:喜欢|爱|热爱|迷上|学|常|经常|周末)(?:去|上|着|了)?{_PASTIMES_ZH}"),
}  # fmt: skip

_NAMED: Final = {name: re.compile(detail.named, re.IGNORECASE) for name, detail in DETAILS.items()}
_TOLD: Final = {name: re.compile(detail.told, re.IGNORECASE) for name, detail in DETAILS.items()}
_VALUES: Final = {name: re.compile(detail.value) for name, detail in DETAILS.items() if detail.value}
_NEVER: Final = {name: re.compile(detail.never, re.IGNORECASE) for name, detail in DETAILS.items() if detail.never}


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
    """Whether a clause surely tells a detail of somebody."""
    plain = simplified(text).replace("’", "'")
    if only_resembles(plain, (detail,)):
        return False
    told = _TOLD[detail]
    return told.search(plain) is not None or told.search(_with_speaker(plain)) is not None


def values_of(text: str, detail: str) -> frozenset[str]:
    """What stands in a clause that by its form is of a detail, whatever is said of it."""
    pattern = _VALUES.get(detail)
    return frozenset(found.group() for found in pattern.finditer(simplified(text))) if pattern else frozenset()


def only_resembles(text: str, details: Iterable[str]) -> bool:
    """Whether something beside it shows that a clause tells something else than one of these."""
    return any(name in _NEVER and _NEVER[name].search(text) for name in details)


@bounded_cache(1_024, longest=400)
def _with_speaker(text: str) -> str:
    """A clause as if all that it tells of somebody were told by himself: "I works at Acme"."""
    said, at = "", 0
    mine, me = ("我的", "我") if has_han(text) else ("my", "I")
    for each in people_in(text):
        said += text[at : each.start] + (mine if each.owns else me)
        at = each.end
    return said + text[at:]


def slots_of(details: Iterable[str]) -> frozenset[str]:
    """The slots of the vocabulary that these fill."""
    return frozenset(slot for name in details for slot in DETAILS[name].slots)


def details_of(slot: str | None) -> frozenset[str]:
    """The details that fill a slot of the vocabulary."""
    return frozenset(name for name, detail in DETAILS.items() if slot in detail.slots)
