"""Slot facts in other words: read as if they had been said plainly, and remembered in the words that were said.

`Home for me is Dublin` says `I live in Dublin`, 全家迁到绍兴去了 says 我住在绍兴.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Callable, Iterable
from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.findings import told
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Subject, Who
from agentmem.domain.attributes import cardinality

_PLACE = r"(?P<v>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,3})"
_FIRM_EN = r"(?P<v>(?!(?:i|we|they|he|she|it|you|who|my|our|your|everyone|everybody|somebody|someone|nobody|mom|mum|dad)\b)(?-i:[A-Z])[\w&'.-]*(?: (?:(?-i:[A-Z])[\w&'.-]*|of|and|&)){0,4})"
_NAME = r"(?P<v>(?-i:[A-Z])[a-z]+(?:[ -](?:[A-Z]\.?|(?-i:[A-Z])[\w'-]+)){0,3})"
_JOB_EN = rf"(?P<v>(?:[a-z][\w-]* ){{0,3}}?(?:{en.OCCUPATIONS}|chief|lead|head|partner|captain|foreman|clerk|guard|nanny|plasterer|welder|painter|surgeon|midwife|librarian)(?: of [a-z]+)?)"
_MONEY_EN = r"(?P<v>[$£€¥]\s?\d[\d,.]*\s?(?:k|m|grand|thousand|million)?\b)"
_AMOUNT = r"(?P<v>(?:[$£€¥]\s?)?\d[\d,.]*\s?(?:k|m|grand|thousand|million)?\b)"
_WE = r"(?:i|we)(?:'ve| have|'m| am|'re| are)?(?: (?:now|just|since|recently|finally|currently|both|all|actually|only|still))*"
_HAVE = r"(?:'s| has| have|'ve)?(?: (?:now|just|since|recently|finally|only))*"
_WAS = r"(?:i|we)(?:'ve been| have been| was| were| got| just got)(?: (?:just|recently|finally))*"
_YEARS = r"(?:for (?:\w+ ){1,3}years?|for (?:years|ages|a decade)|since (?:19|20)\d\d|all my (?:working )?life)"
_SACKED_EN = r"(?:let go|laid off|fired|sacked|dismissed|made redundant)"
_SIZED = r"(?:'s| is|'re| are|'ve| has| have)?(?: (?:now|just|recently|since))*(?: (?:grown|grew|shrunk|shrank|expanded|increased|risen|fallen|gone|dropped|been|numbers|stands|counts|totals|doubled|tripled|halved))?(?: in size)?(?: (?:up|down|cut|reduced))?(?: to| at)? (?:about |around |roughly |some |just |only |over )?"
_LATELY = r"(?: (?:now|again|these days|at the moment|for now|nowadays|last (?:week|month|year|spring|summer|autumn|winter)|this (?:week|month|year|spring|summer|autumn|winter)|in (?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?))?$"

_ROWS_EN = (
    # where he lives
    (rf"(?:my |our )?home(?: for (?:me|us))?(?:'s| is)(?: now)?(?: in)? {_PLACE}", "I live in {v}"),
    (rf"{_WE} (?:resid(?:e|ing)|dwell(?:ing)?|domiciled|liv(?:e|ing)) (?:in|at) {_PLACE}", "I live in {v}"),
    (rf"(?:these days |nowadays |now )?you(?:'ll| will| can)(?: now)? find (?:me|us) in {_PLACE}", "I live in {v}"),
    (rf"i(?:'m| am)(?: now| currently)? an? {_PLACE} (?:resident|dweller)", "I live in {v}"),
    (rf"{_WE} (?:a )?residents? of {_PLACE}", "I live in {v}"),
    (rf"{_WE} ma(?:d|k)(?:e|ing) (?:my |our |a )?home in {_PLACE}", "I live in {v}"),
    (rf"{_WE} made {_PLACE} (?:my|our) (?:new )?home", "I live in {v}"),
    (rf"{_WE} call(?:ing)? {_PLACE} home", "I live in {v}"),
    (rf"{_PLACE} is(?: now)? (?:my|our) (?:new )?home", "I live in {v}"),
    (rf"{_PLACE} is where (?:i|we)(?:'m|'re| am| are)? (?:now )?(?:live|living|based)(?: now)?", "I live in {v}"),
    (rf"{_WE} (?:put down roots|set up home|ended up living|gone to live|went to live|come to live|came to live) in {_PLACE}", "I live in {v}"),
    (rf"our (?:whole )?family(?: has|'s)?(?: just| recently| since)* (?:moved|relocated) to {_PLACE}", "I moved to {v}"),
    # whom he works for
    (rf"{_WE} (?:employed|contracted) by {_FIRM_EN}", "I work at {v}"),
    (rf"{_WE} (?:on the payroll|on the books|on staff|on the staff) (?:at|of) {_FIRM_EN}", "I work at {v}"),
    (rf"i(?:'ve| have) (?:been (?:working )?(?:at|for)|been employed (?:at|by)|worked (?:at|for|with)) {_FIRM_EN} {_YEARS}", "I work at {v}"),
    (rf"my (?:(?:new|current|present|latest) )?(?:employer|workplace)(?:'s| is)(?: now| called)* {_FIRM_EN}", "I work at {v}"),
    (rf"my (?:(?:new|current|present) )?job is (?:now )?(?:at|with) {_FIRM_EN}", "I work at {v}"),
    (rf"{_FIRM_EN}{_HAVE} (?:(?:hired|recruited|employed|poached) me|(?:taken|took) me on)", "I joined {v}"),
    (rf"{_WAS} (?:hired|recruited|taken on|poached|employed) by {_FIRM_EN}", "I joined {v}"),
    (rf"{_WE} (?:found|landed|secured|accepted|took up|taken up|started) (?:a |my |an )?(?:new )?(?:job|position|role|post) (?:at|with) {_FIRM_EN}", "I joined {v}"),
    (rf"{_FIRM_EN}{_HAVE} (?:let me go|laid me off|fired me|sacked me|dismissed me|made me redundant)", "I no longer work at {v}"),
    (rf"{_WAS} {_SACKED_EN} (?:by|from|at) {_FIRM_EN}", "I no longer work at {v}"),
    (rf"{_WE} parted (?:ways|company) with {_FIRM_EN}", "I no longer work at {v}"),
    # what he does
    (rf"(?:by (?:trade|profession)|professionally),? i(?:'m| am) an? {_JOB_EN}", "I work as a {v}"),
    (rf"i(?:'m| am)(?: now| still)? an? {_JOB_EN} by (?:trade|profession)", "I work as a {v}"),
    (rf"i (?:now )?(?:earn|make)(?: my| a)? living as an? {_JOB_EN}", "I work as a {v}"),
    (rf"my (?:day |new |current )?job(?:'s| is) (?:now )?(?:being|working as) an? {_JOB_EN}", "I work as a {v}"),
    (rf"my (?:line of work|trade) is (?:now )?(?:that of )?an? {_JOB_EN}", "I work as a {v}"),
    (rf"i(?:'ve| have)?(?: just| recently| now)* (?:been |was |got )(?:just )?(?:made|appointed|named|hired as)(?: as)? (?:an? |the )?{_JOB_EN}", "I became a {v}"),
    (r"i(?:'ve| have)?(?: just| now| recently| finally)* (?P<v>retired)(?: from .{2,40})?", "I am {v}"),
    # what he can spend
    (rf"(?:my|our|the) budget{_HAVE}(?: is| was| got)?(?: now| just)?(?: been)?(?: (?:\w+ed|cut|set|put|up|down|back))?(?: (?:up|down|back))? (?:to|at) (?:about |around |roughly |just |only )?{_AMOUNT}", "My budget is {v}"),
    (rf"(?:my|our|the) budget (?:stands|sits|comes|tops out|maxes out|amounts|runs)(?: in)?(?: at| to) (?:about |around |roughly |just |only )?{_AMOUNT}", "My budget is {v}"),
    (rf"(?:my|our) (?:absolute |upper |spending |price |new )?(?:ceiling|limit|cap|max(?:imum)?)(?: for this)?(?:'s| is)(?: now)? {_MONEY_EN}", "My budget is {v}"),
    (rf"{_WE} (?:earmarked|allocated|set aside|put aside|ring-?fenced|budgeted|allowed)(?: about| around| roughly| up to)? {_MONEY_EN}(?: for (?:this|it|the project|that))?", "My budget is {v}"),
    (rf"(?:i|we)(?:'d| would|'ll| will| can)(?: now| only)? (?:stretch to|go as high as|go up to|stretch as far as|go to)(?: about| around| roughly)? {_MONEY_EN}", "My budget is {v}"),
    (rf"[a-z][\w ']{{1,24}}? (?:has |have )?(?:just )?(?:cut|raised|increased|reduced|slashed|upped|bumped|set|lowered|doubled|halved|trimmed|put|brought) (?:my|our) budget(?: back)?(?: up| down)? (?:to|at) {_AMOUNT}", "My budget is {v}"),
    (rf"(?:finance|management|the board|head office|accounting|our cfo|my boss){_HAVE} (?:approved|signed off(?: on)?|released|allocated)(?: us)?(?: a budget of)? {_MONEY_EN}(?: for (?:this|it|the project|that))?", "Our budget is {v}"),
    (rf"(?:make|put|set|change|update|raise|lower|increase|reduce|bring) (?:my|our|that|the) budget(?: up| down)?(?: to| at)? {_AMOUNT}", "My budget is {v}"),
    # what he is called, when he was born, whom he is married to
    (rf"my (?:(?:full|legal|married|new) )?name(?:'s| is) now {_NAME}", "My name is {v}"),
    (rf"i(?:'ve| have)?(?: just| now| recently| legally)* changed my (?:full |last |legal )?name to {_NAME}", "My name is {v}"),
    (r"my (?:birthday|date of birth|dob) (?:falls on|is on|'s on|comes on) (?:the )?(?P<v>.{3,25})", "My birthday is {v}"),
    (r"(?:i|we)(?:'ve| have)?(?: just| recently| finally)* (?:tied the knot|got hitched|wed|exchanged vows)", "I got married"),
    (r"(?:my|our) divorce(?: is| was|'s| has been| came)(?: now)? (?:final|finali[sz]ed|through)", "I am divorced"),
    (r"i(?:'m| am)(?: now)? an? (?P<v>married|divorced|single|widowed) (?:man|woman|person|guy|lady)", "I am {v}"),
    # how many they are
    (r"there(?:'s| are)(?: now| about| around| roughly| just| only)* (?P<v>\d[\d,]*) of us(?: now)? (?:in|at) (?:the|our|my) (?:company|team|firm|business|practice)", "We are {v} people"),
    (rf"(?:(?:our|the) )?(?:headcount|staff|workforce){_SIZED}(?P<v>\d[\d,]*)(?: (?:people|employees|strong|members|heads))?", "We are {v} people"),
    (rf"(?:our|the) (?:team|company|firm|business|practice){_SIZED}(?P<v>\d[\d,]*) (?:people|employees|staff|strong|members|heads)", "We are {v} people"),
    (rf"we{_SIZED}(?P<v>\d[\d,]*) (?:people|employees|staff|strong|members|heads)", "We are {v} people"),
)  # fmt: skip
_TABLE_EN = tuple((re.compile(rf"{pattern}{_LATELY}", re.IGNORECASE), plain) for pattern, plain in _ROWS_EN)

_LEAD_EN = re.compile(
    r"^(?:(?:after|following|since|because of|due to|thanks to|as of|from|with|by) (?:(?!\b(?:i|we|my|our)\b)[^,]){3,40}?,? (?=(?:i|we)(?:'| )|(?:my|our) )|(?:as of|from|since) [^,]{3,20} (?=(?:i|we)(?:'| )))",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"^(?P<who>i|we)(?:'ve|'re|'m| have| had)? (?:(?! and ).){3,60} and (?:then |now |since |have |has )*(?P<rest>(?:became|become|moved|relocated|joined|started|went to live|gone to live|settled|work|live|employ|am|are)\b.*)$",
    re.IGNORECASE,
)


def plainly_en(text: str) -> str | None:
    """The clause in plain words, or None where it is said plainly_en, or says something else."""
    said = _LEAD_EN.sub("", text, count=1)
    then = _THEN.match(said)
    if then is not None:
        said = f"{then['who']} {then['rest']}"
    for pattern, plain in _TABLE_EN:
        found = pattern.match(said)
        if found is not None:
            return plain.format(**{name: value.strip() for name, value in found.groupdict().items() if value})
    return said if said != text else None


_WHEN = r"(?:现在|如今|目前|已经|早就|后来|最近|刚|今年|去年|年初|年底|上个?月|上周|又|终于|还|一直|也|都)*"
_I = rf"{_WHEN}(?:我们?(?:全家|一家)?|本人|全家|我家){_WHEN}"
_SELF = rf"{_WHEN}(?:(?:我|本人){_WHEN})?"
_CITY = rf"(?P<v>(?:{zh.CITIES}))市?"
_FIRM_ZH = rf"(?P<v>(?!公司|单位|老板|领导|对方|人家|别人|学校|自己|一家|一个|{zh.RELATED}|{zh.CITIES})[^,了的我你您他她它们这那哪家\d]{{2,14}}?)"
_JOB_ZH = rf"(?:一?[名个位])?(?P<v>[^,了的我你您他她在]{{0,10}}(?:{zh.OCCUPATION_END}))"
_ANY_JOB = r"(?:一?[名个位])?(?P<v>[^,了的我你您他她在]{2,10})"
_MONEY_ZH = r"(?P<v>(?:大概|大约|约|近)?[¥$]?[\d一二两三四五六七八九十百千.,]+\s?(?:万|千|亿|k|K|w|W|元|块|美元|欧元)(?:多)?(?:元|块钱?|美元|欧元)?)"
_FOR_IT = r"(?:[来去]?(?:做|买|搞|办|装修|投入|完成|弄)|用[于在来作做]|的?预算|的?经费)"
_SACKED_ZH = r"(?:裁掉?|裁员|开除?|辞退|解雇|解聘|优化掉?|炒掉?|劝退)"
_HIRED = r"(?:录用|聘用|雇用?|招进去|招进来|招|挖走|挖过去|挖)"
_PEOPLE = r"(?P<v>[\d一二两三四五六七八九十百千]+(?:多|来|几)?)(?:个|名|位)?(?:人|员工)"

_ROWS_ZH = (
    # 住在哪里
    (rf"{_I}(?:从[^,]{{2,8}}?)?(?:迁居?|搬家?)(?:到|去|往|回|来)了?{_CITY}(?:去|来|住|定居|生活|居住|这边|那边)*", "我住在{v}"),
    (rf"{_SELF}(?:长期|一直)?(?:常住|长住|定居|久居|现居|客居|落户|安家|扎根)(?:在|于|到)?{_CITY}(?:这边|那边)?", "我住在{v}"),
    (rf"{_I}(?:来|到|去|在|回到?){_CITY}(?:这边|那边)?(?:定居|落户|安(?:了)?家|扎(?:了)?根|落脚|生活|居住|常住|长住|过日子|买房定居|租房住|租住)(?:下来)?", "我住在{v}"),
    (rf"{_SELF}(?:的)?(?:家|住处|住所|户口)(?:现在|如今|目前|已经)*(?:在|安在|搬到|迁到|落在){_CITY}", "我住在{v}"),
    # 在哪里工作
    (rf"{_I}是{_FIRM_ZH}的(?:正式|在职|老|新)?(?:员工|职员|职工|雇员|一员)", "我在{v}上班"),
    (rf"{_SELF}(?:给|为|替|帮){_FIRM_ZH}(?:打工|干活|做事|效力|工作|卖命)", "我在{v}上班"),
    (rf"{_SELF}(?:的)?(?:现在的?|目前的?|如今的?|新的?|现)?(?:东家|雇主)(?:现在|如今|目前)?(?:是|叫|换成){_FIRM_ZH}", "我在{v}上班"),
    (rf"{_I}在{_FIRM_ZH}(?:干|做|工作|上班)了?(?:快|将近|有|整整)?[\d一二两三四五六七八九十半几]+(?:多)?(?:年|个月)(?:多|半)?", "我在{v}上班"),
    (rf"{_I}从[^,]{{2,14}}?跳槽?(?:到|去|往)了?{_FIRM_ZH}(?:上班|工作|任职|去|来)?", "我跳槽到{v}"),
    (rf"{_SELF}(?:去|到|转到|转去|转投|投奔)了?{_FIRM_ZH}(?:上班|工作|任职|就职)", "我入职{v}"),
    (rf"{_WHEN}{_FIRM_ZH}{_WHEN}(?:把)?{_HIRED}了我", "我入职{v}"),
    (rf"{_WHEN}{_FIRM_ZH}{_WHEN}把我{_HIRED}(?:了)?", "我入职{v}"),
    (rf"{_I}被{_FIRM_ZH}{_HIRED}", "我入职{v}"),
    (rf"{_I}被{_FIRM_ZH}{_SACKED_ZH}", "我从{v}离职"),
    (rf"{_WHEN}{_FIRM_ZH}(?:把我{_SACKED_ZH}|{_SACKED_ZH}了我)", "我从{v}离职"),
    # 做什么
    (rf"{_SELF}(?:的)?(?:老?本行|主业|正职|现职)(?:现在|如今|目前)?(?:是|做){_ANY_JOB}", "我的职业是{v}"),
    (rf"{_I}(?:干|做|当|从事)的是{_JOB_ZH}", "我的职业是{v}"),
    (rf"{_I}(?:被)?(?:提拔|提升|晋升|任命|聘任?|升|调任|升职)(?:为|成|当|做){_ANY_JOB}", "我的职业是{v}"),
    (rf"{_I}(?:转岗|转行|改行|转业)(?:去|来)?(?:做|当|成|为|干)(?:了)?{_ANY_JOB}", "我的职业是{v}"),
    (rf"(?:是一?[名个位]|(?:现在|如今|目前)(?:已经)?是(?:一?[名个位])?){_JOB_ZH}", "我的职业是{v}"),
    (rf"{_I}是?(?:做|当|干){_JOB_ZH}的", "我的职业是{v}"),
    (rf"{_I}靠(?:当|做){_JOB_ZH}(?:吃饭|谋生|养家|糊口)", "我的职业是{v}"),
    (rf"{_I}(?:正式|光荣|刚刚?)?(?P<v>退休)", "我的职业是{v}"),
    # 多少钱
    (rf"{_SELF}(?:们)?(?:一共|总共|只)?(?:准备|预留|留出?|拿出|划拨?|拨|腾出|凑)了{_MONEY_ZH}{_FOR_IT}.{{0,12}}", "预算是{v}"),
    (rf"{_SELF}(?:们)?(?:这次|现在)?(?:最多|顶多|只能|最高)(?:也?只?(?:能|可以|愿意))?(?:出|拿出?|花){_MONEY_ZH}(?:以内|左右)?", "预算是{v}"),
    (rf"(?:我们?的?)?(?:老板|公司|领导|财务|上面|上头|总部|总公司)(?:最后|最终|这次|今年|现在|一共|只|就|才|已经)*(?:批|拨|审批)了?{_MONEY_ZH}(?:的?(?:预算|经费))?(?:下来|给我们?)?", "预算是{v}"),
    (rf"(?:我们?的?)?(?:预算|经费)(?:砍|缩|降|减|缩水|缩减|压缩|腰斩)[^,\d]{{0,4}}(?:只剩|还剩|剩下?|到){_MONEY_ZH}", "预算是{v}"),
    # 叫什么，哪天生的，有没有成家
    (rf"{_SELF}(?:改名|更名|改姓名)(?:为|叫|成|作)(?P<v>{zh.NAME})", "我的名字叫{v}"),
    (rf"{_WHEN}(?:我|本人)?(?:现在|如今)的?(?:大名|名字|姓名)?(?:叫|是叫|改叫)(?P<v>{zh.NAME})", "我的名字叫{v}"),
    (rf"{_I}(?:是|出生于|生于)(?:(?:\d{{4}}|[一二〇零九八七六五四三]{{4}}|\d\d)年)?的?(?P<v>[\d一二三四五六七八九十]{{1,2}}月[\d一二三四五六七八九十]{{1,3}}[日号])(?:出)?生的?(?:人)?", "我的生日是{v}"),
    (rf"{_SELF}(?:的)?生日(?:其实|应该|实际上?|真正|每年){{0,3}}(?:是|在)(?:每年|农历|阴历|阳历|公历)?的?(?P<v>[\d一二三四五六七八九十]{{1,2}}月(?:初)?[\d一二三四五六七八九十]{{1,3}}[日号]?)", "我的生日是{v}"),
    (rf"{_I}(?:跟|和|与)?(?:老公|老婆|男朋友|女朋友|对象|爱人|未婚夫|未婚妻)?(?:领证|扯证|登记结婚|办了?婚礼|成了?家|结了婚|举行了?婚礼)", "我结婚了"),
    (rf"{_I}是(?:一?[名个位])?(?P<v>已婚|未婚|单身|离异|丧偶)(?:人士|人员|状态|青年|女性|男性|妈妈|爸爸)", "我{v}"),
    (rf"{_I}(?:已经)?(?:嫁人|嫁了人|娶了老婆|娶妻)", "我结婚了"),
    (rf"{_I}(?:跟|和|与)(?:我?的?)?(?:老公|老婆|丈夫|妻子|太太|爱人|先生|媳妇|前夫|前妻)(?:已经|早就|去年|今年|上个?月)*(?:离|离了婚|离婚|办了?离婚(?:手续)?)", "我离婚了"),
    (rf"{_I}(?:办了?离婚(?:手续)?|离了婚)", "我离婚了"),
    # 多少人
    (rf"(?:我们?的?)?(?:公司|团队|工厂|厂里|店里|员工|编制|我们)(?:(?:总共|一共|现在|目前|如今|已经|人数|规模)*(?:从[^,]{{1,8}}(?:总共|一共|现在|目前|如今|已经|人数|规模)*)?)(?:只剩下?|还剩下?|剩下?|扩充?到|扩大到|扩张到|增加?到|发展到|缩减到|裁到|减少?到|缩到)了?{_PEOPLE}", "我们有{v}人"),
)  # fmt: skip
_TABLE_ZH = tuple((re.compile(rf"{pattern}[了啦的]*$"), plain) for pattern, plain in _ROWS_ZH)
_LEAD_ZH = re.compile(r"^[^,我]{2,6}(?:以后|之后|后|以来)(?=我|公司|团队|店|厂)")


def plainly_zh(text: str) -> str | None:
    """The clause in plain words, or None where it is said plainly_zh, or says something else."""
    said = _LEAD_ZH.sub("", text, count=1)
    for pattern, plain in _TABLE_ZH:
        found = pattern.match(said)
        if found is not None:
            return plain.format(**{name: value.strip() for name, value in found.groupdict().items() if value})
    return said if said != text else None


Reader = Callable[[Clause, Discourse], Iterable[Finding]]
_TELLING = (Act.ASSERT, Act.IDLE, Act.REQUEST, Act.POLITE)


def is_slot(attribute: str | None) -> bool:
    """Whether it holds one value at a time, so that a missed reading leaves an old one standing."""
    return attribute is not None and cardinality(attribute, {}) == "single"


def reworded(clause: Clause, discourse: Discourse, read: Reader) -> list[Finding]:
    """What `read` finds in the clause said plainly, where that fills a slot; nothing where it does not."""
    if clause.act not in _TELLING or not _of_himself(clause, discourse):
        return []
    plain = (plainly_zh if clause.lang == "zh" else plainly_en)(clause.text)
    if plain is None:
        return []
    self = Subject(Who.FIRST, "我" if clause.lang == "zh" else "I")
    anew = replace(clause, text=plain, act=Act.ASSERT, subject=self, predicate=plain)
    found = [item for item in read(anew, discourse) if is_slot(item.attribute) and item.about is None]
    own = told(clause, discourse) if clause.subject.who in (Who.FIRST, Who.OWN) else None
    return [replace(item, content=own or item.content) for item in found]


def _of_himself(clause: Clause, discourse: Discourse) -> bool:
    """Whether the clause names the speaker, or names nobody and follows what he said of himself."""
    named = (_SELF_ZH if clause.lang == "zh" else _SELF_EN).search(clause.text)
    return named is not None or discourse.subject.who in (Who.FIRST, Who.NONE, Who.OWN)


_SELF_ZH = re.compile("我|本人|全家")
_SELF_EN = re.compile(r"\b(?:i|me|my|we|us|our)\b", re.IGNORECASE)
