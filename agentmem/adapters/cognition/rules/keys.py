"""The things a statement is about, as short noun phrases: systems, products, names."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re

_LATIN = re.compile(r"(?<![A-Za-z@.])(?:[A-Z][A-Za-z0-9+#.-]*[A-Za-z0-9+#](?: [A-Z][A-Za-z0-9+-]+)*|[A-Z]{2,}[0-9]*)")
_CUT = re.compile(
    r"[的是在中里想希望给把和跟与将要了为及对于从用做有个些也都能会可以不没很太比较,，。、;:()\s]|觉得|需要|实现|添加|增加|使用|通过|进行|利用|改进|现有|我们|打算|计划|准备"
)
_THING = re.compile(
    r"[\u4e00-\u9fff]{0,8}(?:系统|软件|平台|网站|小程序|能力|功能|技术|业务|流程|数据|报表|设备|仓库|课程|房子|车|预算|价格|联系方式|电话|手机号?|微信|邮箱|合同|"
    r"分析|预测|自动化|智能体|问答|管理|决策|服务|方案|诊所|公司|工厂|学校|医院|店|团队|员工|孩子|儿子|女儿|职位|地址)$"
)
_THING_EN = re.compile(
    r"\b(?:[a-z]+[ -])?(?:crm|erp|system|software|platform|website|app|tool|budget|price|phone|email|practice|clinic|team|staff|office|warehouse|"
    r"fleet|flat|house|car|lease|contract|licen[cs]es?|integration|dashboard|report|data|spreadsheets?|inventory|booking|invoices?|appointment|delivery|training|membership)s?\b"
)


def keys_of(text: str, names: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Up to five keys in order of appearance. `names` are left out: they name the person, not the thing."""
    for name in names:
        text = text.replace(name, " ")
    found: dict[str, None] = dict.fromkeys(match.group() for match in _LATIN.finditer(text[:500]))
    for chunk in _CUT.split(text[:500]):
        thing = _THING.search(chunk)
        if thing is not None and len(thing.group()) > 1:
            found[thing.group()] = None
    for match in _THING_EN.finditer(text[:500]):
        found[match.group()] = None
    return tuple(found)[:5]
