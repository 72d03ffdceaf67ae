"""A record, such as a row of a table, as one statement: the fields that a question asks for, beside what names it; and
codes, such as versions and model years: two that differ by one character are two things.

A count, a time or an amount is no code; nor is one that only bounds what is asked for, as in "before v0.7".
"""

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Final

from agentmem import patterns as re
from agentmem.language.tokens import terms

_CODE: Final = re.compile(
    r"(?<![a-z0-9@._+-])(?P<family>[a-z]{1,12})-?\d[a-z0-9]*(?:[._/-][a-z0-9]+)*(?![a-z0-9@])"
    r"|(?:version|release|firmware|版本|固件)[ 号]{0,2}(?P<bare>\d+(?:\.\d+)*)(?![\d.]*[\w%])"
    r"|(?<!\d)(?P<year>(?:19|20)\d\d)(?=[- ]?(?:models?|editions?|versions?)\b|\s?年?[款版型])",
    re.IGNORECASE | re.ASCII,
)
_NO_CODE: Final = re.compile(r"(?:q[1-4]|h[12]|(?:no|room|rm|ext|tel|usd|eur|rmb|cny|gbp)[.-]?\d.*)", re.IGNORECASE)
_BOUND_BEFORE: Final = re.compile(
    r"(?:\b(?:before|after|since|until|than|from|to|over)\s+(?:the\s+)?(?:\w+\s+)?|比|自从?|从)$", re.I
)
_BOUND_BEHIND: Final = re.compile(r"\s?(?:之前|以前|之后|以后|以来)")
_LONGEST_BOUND: Final = 60
"""Characters before a code in which what bounds it is looked for."""
_VERSION: Final = "v"


def codes_asked(question: str) -> frozenset[str]:
    """The codes of what a question asks about."""
    return frozenset(
        code
        for start, end, code in _placed(question)
        if not _BOUND_BEFORE.search(question[max(0, start - _LONGEST_BOUND) : start])
        and not _BOUND_BEHIND.match(question[end:])
    )


def speaks_of(codes: frozenset[str], before: str, sentence: str) -> bool:
    """Whether a sentence is about one of the codes: it says one, or none like them and the last like them said
    `before` it is one of them."""
    families = {_family(code) for code in codes}
    own = [code for _, _, code in _placed(sentence) if _family(code) in families]
    if own:
        return not codes.isdisjoint(own)
    last = [code for _, _, code in _placed(before) if _family(code) in families][-1:]
    return not codes.isdisjoint(last)


def _placed(text: str) -> list[tuple[int, int, str]]:
    """Where each code begins and ends, and the code as all ways to write it have it: `v0.6` for "version 0.6"."""
    found: list[tuple[int, int, str]] = []
    for match in _CODE.finditer(text):
        if match["bare"]:
            found.append((match.start(), match.end(), _VERSION + match["bare"]))
        elif not _NO_CODE.fullmatch(match.group()):
            found.append((match.start(), match.end(), match.group().lower().replace("-", "")))
    return found


def _family(code: str) -> str:
    return code[: len(code) - len(code.lstrip(ascii_lowercase))]


_FIELD: Final = re.compile(r"^(?P<label>[^:：\n]{1,60})(?:: |： ?)(?P<value>\S.*)$")
_NAME: Final = re.compile(
    r"^(?:(?:full|first|last|product|item|model)[ _-]?)?(?:name|model)$|^(?:item|product|article|title)$"
    r"|名称$|姓名$|^名字|^型号$|^产品$|^商品$|^品名$",
    re.IGNORECASE,
)
_PRICE_ASKED: Final = re.compile(
    r"多少钱|什么价|价[格钱位]|[单售定报]价|贵不贵|费用|收费|\b(?:prices?|costs?|fees?|expensive)\b"
    r"|\bhow much (?:is|are|was|were|for)\b(?! (?:there|left)\b)",
    re.IGNORECASE,
)
_PRICE: Final = re.compile(
    r"^(?:\w+ ){0,2}(?:prices?|costs?|fees?)(?: (?:per \w+|each|in \w+|[a-z]{3}))?(?: ?\([^)]*\))?$"
    r"|^[\u4e00-\u9fff]{0,4}(?<!代)(?:价格?|价钱|费用?)(?:\s?[(（][^)）]*[)）])?$",
    re.IGNORECASE,
)
_UNIT: Final = re.compile(r"^(?:currency|(?:price )?unit)$|^(?:货币|币种|单位)$", re.IGNORECASE)
_MONEY: Final = re.compile(r"[A-Z]{3}|[€$£¥]|元|人民币|美元|欧元|英镑|日元|港币|(?:euros?|dollars?|pounds?)")
_BARE: Final = re.compile(r"[\d.,' ]+")
_RULE: Final = re.compile(r":?-{2,}:?")
_DIGIT: Final = re.compile(r"\d")
FEWEST: Final = 2
"""Lines that make a record."""


def fields_of(text: str) -> list[tuple[str, str]]:
    """Labels with their values, where every line is one; none where the text is no record."""
    lines = [_FIELD.match(line) for line in text.splitlines() if line.strip()]
    if len(lines) < FEWEST or not all(lines):
        return []
    return [(found["label"].strip(), found["value"].strip()) for found in lines if found]


def named_by(fields: Sequence[tuple[str, str]]) -> str:
    """What a record is of: its first field, and any that is called a name."""
    return " ".join(value for place, (label, value) in enumerate(fields) if not place or _NAME.search(label))


def stated(fields: Sequence[tuple[str, str]], question: str) -> str:
    """`Ida Berg: extension 4411` where the question says what a field is called, and not what is in it; else all."""
    wanted = asked_of(fields, question)
    if not wanted:
        return "; ".join(f"{label}: {value}" for label, value in fields)
    named = named_by([each for each in fields if each not in wanted]) if fields[0] not in wanted else ""
    head = [named] if named else []
    told = (f"{label} {value}{_currency(fields, label, value)}" for label, value in wanted)
    return ": ".join((*head, ", ".join(told)))


def _currency(fields: Sequence[tuple[str, str]], label: str, value: str) -> str:
    """What currency a price is in, where a field of its own says so."""
    if not is_price(label, value) or not _BARE.fullmatch(value):
        return ""
    units = [unit for name, unit in fields if _UNIT.search(last_of(name)) and _MONEY.fullmatch(unit)]
    return f" {units[0]}" if len(units) == 1 else ""


def row_told(text: str, row: str) -> str | None:
    """A row of a table in the text with the names of its columns, `Saturday: Opens 10:00, Closes 14:00`; None for the
    line that names them, and what is no such row as it is.

    The first line of a table names its columns where a line of dashes sets it apart, or where it has no digit and all
    rows have.
    """
    cells = _cells(row)
    above = [block for block in _tables(text) if cells in block]
    if len({tuple(block[0]) for block in above}) != 1:
        return row
    head, *rows = above[0]
    ruled = bool(rows) and _is_rule(rows[0])
    if not (ruled or _is_head(head, rows)) or len({*head}) < len(head):
        return row
    if cells == head or _is_rule(cells):
        return None
    return f"{cells[0]}: " + ", ".join(f"{name} {cell}" for name, cell in zip(head[1:], cells[1:], strict=True) if cell)


def _tables(text: str) -> list[list[list[str]]]:
    """The tables of a text: rows below each other with as many cells. A line of dashes is below the first of one."""
    found: list[list[list[str]]] = [[]]
    for line in filter(None, map(str.strip, text.splitlines())):
        cells = _cells(line)
        if found[-1] and len(found[-1][0]) != len(cells):
            found.append([])
        if _is_rule(cells) and len(found[-1]) > 1:
            found.append([found[-1].pop()])
        if len(cells) > 1:
            found[-1].append(cells)
    return [table for table in found if len(table) > 1]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _is_rule(cells: Sequence[str]) -> bool:
    return all(_RULE.fullmatch(cell) for cell in cells)


def _is_head(head: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the line names the columns of the rows below it. A row without a number may head a table of its own."""
    counted = all(any(map(_DIGIT.search, row[1:])) for row in rows)
    return len(head) > FEWEST and all(head) and not any(map(_DIGIT.search, head)) and counted


def asked_of(fields: Sequence[tuple[str, str]], question: str) -> list[tuple[str, str]]:
    """The fields that a question asks for by what they are called; a price by any name for one."""
    asked = terms(question)
    wanted = [each for each in fields if terms(last_of(each[0])) <= asked and not terms(each[1]) <= asked]
    if wanted or not _PRICE_ASKED.search(question):
        return wanted
    return [each for each in fields if is_price(*each)]


def is_price(label: str, value: str) -> bool:
    """Whether a field is what something costs: its name says so, whatever currency the number is in."""
    return _PRICE.search(last_of(label)) is not None and re.search(r"\d", value) is not None


def record_answers(content: str, question: str) -> bool:
    """Whether a text is a record of the very thing of which a field is asked for, and has that field."""
    if not (fields := fields_of(content)) or not (wanted := asked_of(fields, question)):
        return False
    codes, asked = codes_asked(question), terms(question)
    named = (value for place, (label, value) in enumerate(fields) if not place or _NAME.search(label))
    if not (speaks_of(codes, "", named_by(fields)) if codes else any(terms(value) <= asked for value in named)):
        return False
    return not _PRICE_ASKED.search(question) or any(is_price(*each) for each in wanted)


def is_of_another(content: str, question: str, words: frozenset[str]) -> bool:
    """Whether a text is a record that has a field which is asked for, and nothing else of these words that ask."""
    if not (fields := fields_of(content)) or not (wanted := asked_of(fields, question)):
        return False
    rest = words - frozenset(term for label, _ in wanted for term in terms(last_of(label)))
    values = " ".join(value for _, value in fields)
    return bool(rest) and rest.isdisjoint(terms(values)) and not any(word in values for word in rest)


def last_of(label: str) -> str:
    """The end of a dotted name, as nested records have them, in words."""
    return label.rpartition(".")[2].replace("_", " ").replace("-", " ")
