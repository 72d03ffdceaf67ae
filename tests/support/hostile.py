"""Texts that people do not write and programs send: long runs, near misses, openers without an end.

The words come from the patterns of the library itself (`tests.support.pumps`), so a new pattern brings its own texts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

SHORTEST: Final = 100
LONGEST: Final = 50_000

KNOWN: Final[Mapping[str, str]] = {
    "a polite opener again and again": "can you please " * 40 + "zzz",
    "one adverb a hundred times": "刚" * 100,
    "an owner and an adverb a hundred times": "本人" + "刚" * 100,
    "blanks between two words": "Hello" + " " * 400 + "there",
    "commas": ", " * 400,
    "dots": "." * 1_600,
    "line breaks": "\n" * 1_600,
    "dots after a word": "Hello" + "." * 1_600 + "there",
    "line breaks after a word": "Hello" + "\n" * 1_600 + "there",
    "an owner of an owner": "的" * 1_600,
    "words of one letter": "a " * 1_600,
    "letters that stand for eighteen": "\ufdfa" * 1_600,
}
"""What once took seconds to years, and its nearest kin."""

PUNCTUATION: Final = ".,;:!?'\"-_/\\|~`^*+=#@&%$()[]{}<>。,、;:!?…—·「」『』《》“”‘’()【】"
BLANKS: Final = " \t\u00a0\u3000\u2003\u200b\ufeff"
BREAKS: Final = "\n\r\x0b\x0c\x1c\x85\u2028\u2029"
EXOTIC: Final = (
    *"ﷺ\ufdfa㌖Ⅷ①½ǅŉßİıſK℃𝔄𝟙𐐀🅰あアㄅ한글กำدער",
    "e\u0301",
    "a\u0300\u0301\u0302\u0303",
    "👨\u200d👩\u200d👧",
    "\u202eabc\u202c",
    "\u2067x\u2069",
    "\U00020000",
    "\U0010fffd",
    "\ue000",
    "\x00",
    "\x7f",
    "\x9b",
)
NEAR_MISSES: Final = (
    *(
        "2026-13-",
        "2026-02-30 ",
        "31/",
        "2026年",
        "2026年13月",
        "下下",
        "上个",
        "周",
        "最后一个",
        "农历",
        "25:61 ",
        "3点",
    ),
    *("from 9 to ", "between ", "every other ", "next ", "twenty-", "one hundred and ", "Q", "mid-", "in the ", "ago "),
    *("1,000,", "1.2.", "十百千", "一二三", "3万5", "$1", "1e9", "12-", "0", "99999", "-1", "½", "第", "3点"),
    *(
        "1380013800",
        "138 0013 ",
        "(010)",
        "+86 ",
        "555-",
        "a@",
        "a@b.",
        "@b.c",
        "a.b.",
        "x_y-",
        "http://",
        "www.",
        "//",
    ),
    *("v1.", "A-1-", "#", "```", "~~~", "---", "| ", "- ", "> ", "* ", "<a ", "<!--", "</", "&#", '{"a":', "[[", "\\u"),
    *("SYSTEM: ", "USER:", "Dr. ", "e.g. ", "a.m.", "I'm ", "don't ", "it's", "'s ", "’s ", "of the ", "the one who "),
    *(
        "我的同事",
        "他的妈妈的",
        "不是",
        "不对,",
        "而是",
        "以前",
        "忘掉我的",
        "别记",
        "谁的",
        "哪个",
        "如果",
        "听说",
        "的的",
    ),
    *("(", "「", "“", '"', "《", "[", "{", "')", "」", "forget my ", "but keep ", "please ", "no wait, ", "actually "),
)

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
DISTINCT: Final = (
    *(
        "N{letters}",
        "N{letters} R{letters}",
        "{letters}",
        "{han}",
        "王{han}",
        "《{han}》",
        "小{han}的妈妈",
        "{han}公司",
    ),
    *("{number}", "{number}万", "{number}元", "第{number}", "{number} people", "${number}", "V{number}.{number}"),
    *("{month}月{day}日", "2026-{month}-{day}", "{day}:{month}", "May {day}", "Monday", "every {day} days", "明天"),
    *("{letters}@{letters}.cn", "1380013{number}", "http://{letters}.cn", "{letters}: {number}", "{han}:{letters}"),
    *("I like {letters}", "我喜欢{han}", "my {letters} is {han}", "{han}是{han}", "N{letters} works at N{letters}"),
    *("forget my {letters}", "N{letters}'s", "{han}的", "- {letters}", "# {letters}", "<{letters}>", "{letters}-"),
    "小{han}的妈妈",
)

Dice = Random
Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class Hostile:
    """A text and what kind it is."""

    kind: str
    text: str


def hostile(dice: Dice, words: Words, longest: int = LONGEST) -> Hostile:
    """A text of 100 to `longest` characters; most of them short."""
    kind = dice.choice(sorted(_KINDS))
    length = round(SHORTEST * (longest / SHORTEST) ** (dice.random() ** 2))
    return Hostile(kind, _KINDS[kind](dice, words, length)[:length])


def _character(dice: Dice, words: Words, length: int) -> str:
    return dice.choice([*PUNCTUATION, *BLANKS, *BREAKS, *dice.choice(words), *EXOTIC]) * length


def _word(dice: Dice, words: Words, length: int) -> str:
    return _repeated(dice.choice(words) + dice.choice(("", " ", ",", ", ", "\n")), length)


def _opened(dice: Dice, words: Words, length: int) -> str:
    """Something that opens a clause, a run, and what ends it as no pattern expects."""
    run = dice.choice((*BLANKS, *BREAKS, *PUNCTUATION, dice.choice(words), dice.choice(words) + " "))
    return dice.choice(words) + _repeated(run, length - 20) + dice.choice(("zzz", "!", "\x00", dice.choice(words)))


def _alternating(dice: Dice, words: Words, length: int) -> str:
    few = [dice.choice((dice.choice(words), dice.choice(NEAR_MISSES), dice.choice(PUNCTUATION))) for _ in range(3)]
    return _repeated(dice.choice(("", " ", ",")).join(few), length)


def _runs(dice: Dice, words: Words, length: int) -> str:
    """Runs of a few hundred of one thing, one after the other."""
    made: list[str] = []
    while sum(map(len, made)) < length:
        unit = dice.choice((dice.choice(words), dice.choice(PUNCTUATION), dice.choice(BLANKS + BREAKS), "1", "的"))
        made.append(unit * dice.randint(2, 300))
    return "".join(made)


def _punctuation(dice: Dice, words: Words, length: int) -> str:
    return "".join(dice.choices(PUNCTUATION, k=length))


def _blank(dice: Dice, words: Words, length: int) -> str:
    return dice.choice(words) + "".join(dice.choices(BLANKS + BREAKS, k=length)) + dice.choice(words)


def _digits(dice: Dice, words: Words, length: int) -> str:
    return "".join(dice.choices(dice.choice(("0123456789", "01-./:, ", "一二三十百千万零两半", "１２٣४")), k=length))


def _near_miss(dice: Dice, words: Words, length: int) -> str:
    return _repeated(dice.choice(NEAR_MISSES), length)


def _near_misses(dice: Dice, words: Words, length: int) -> str:
    return _heap(dice, NEAR_MISSES, length)


def _familiar(dice: Dice, words: Words, length: int) -> str:
    return _heap(dice, words, length)


def _mixed(dice: Dice, words: Words, length: int) -> str:
    return _heap(dice, (*dice.choices(words, k=20), *NEAR_MISSES, *EXOTIC, *PUNCTUATION, *BREAKS), length)


def _exotic(dice: Dice, words: Words, length: int) -> str:
    return _heap(dice, EXOTIC, length)


def _nested(dice: Dice, words: Words, length: int) -> str:
    """Brackets and quotes that open and never close, or close and never opened."""
    marks = dice.choice(("(", "「", '"', "'", "“", "[", "{", ")", "」", "“”", "(「", "<b>", "```\n", "《"))
    return _repeated(marks + dice.choice(("", dice.choice(words))), length)


def _distinct(dice: Dice, words: Words, length: int) -> str:
    """Ever new things of one kind, so that whatever is remembered of each grows with the text."""
    form, glue = dice.choice(DISTINCT), dice.choice((" ", ", ", ". ", ",", "。", "\n", " and ", "、"))
    made = "".join(_filled(form, number, dice) + glue for number in range(length // (len(form) // 2 + len(glue)) + 1))
    return made + _repeated("a ", length - len(made))


def _filled(form: str, number: int, dice: Dice) -> str:
    letters = "".join(dice.choices(LETTERS, k=dice.randint(1, 5)))
    han = chr(0x4E00 + dice.randrange(20_000)) + chr(0x4E00 + dice.randrange(20_000))
    return form.format(number=number, day=number % 28 + 1, month=number % 12 + 1, letters=letters, han=han)


def _heap(dice: Dice, bits: Sequence[str], length: int) -> str:
    glue = dice.choice(("", " ", ""))
    return glue.join(dice.choices(bits, k=length // (2 + len(glue)) + 1))


def _repeated(unit: str, length: int) -> str:
    return unit * (max(length, 0) // len(unit) + 1)


_KINDS: Final[Mapping[str, Callable[[Dice, Words, int], str]]] = {
    made.__name__.strip("_"): made
    for made in (
        *(_character, _word, _opened, _alternating, _runs, _punctuation, _blank, _digits),
        *(_near_miss, _near_misses, _distinct, _familiar, _mixed, _exotic, _nested),
    )
}
