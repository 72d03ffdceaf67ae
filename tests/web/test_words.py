"""The pages speak two languages: every word is there in both, is used, and no template says anything of its own."""

import ast
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

from agentmem.errors import AgentMemError
from agentmem.interfaces.web.wording import ENGINE, LANGUAGES, chosen_language, words_of
from agentmem.retrieval.second_look import WEIGHTS
from agentmem.retrieval.signals import SIGNALS
from agentmem_workers import WORKERS

WEB = Path(str(files("agentmem.interfaces.web")))
ENGINE_CODE = [
    each
    for each in Path(str(files("agentmem"))).rglob("*.py")
    if WEB not in each.parents and "adapters" not in each.parts[:-2]
]
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_BEGUN = re.compile(r"""["']([a-z_]+\.[a-z_]*)["'] ~|f["']([a-z_]+\.[a-z_]*)\{""")
"""Words that are put together of their beginning and something else."""

_REFUSAL = re.compile(r"""RefusedRequest\(\s*\d{3}, "(\w+)\"""")
_SHOWN = ("title", "alt", "placeholder", "aria-label")
NAMES = {"agentmem"}
"""What is called the same everywhere."""


class Texts(HTMLParser):
    """What a template says by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in _SHOWN]


def test_every_language_has_the_same_words_with_the_same_parts() -> None:
    parts = {
        language: {key: sorted(filter(None, _parts(text))) for key, text in words_of(language).texts.items()}
        for language in LANGUAGES
    }
    lines = {key for key in parts["en"] if key.startswith(ENGINE)}
    assert {key: parts["en"][key] for key in parts["en"].keys() - lines} == {
        key: parts["zh"][key] for key in parts["zh"].keys() - lines
    }
    for key in lines:
        told = words_of("en").texts[key]
        words_of("zh").texts[key].format(*("x" for _ in range(told.count("{}"))))
    assert all(text.strip() for language in LANGUAGES for text in words_of(language).texts.values())


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_says_anything_that_is_in_no_word_file(template: Path) -> None:
    texts = Texts()
    texts.feed(_JINJA.sub("", template.read_text(encoding="utf-8")))
    said = {word for text in texts.found for word in re.findall(r"[^\W\d_]{2,}", text)}
    assert said - NAMES == set()


def test_every_word_is_used() -> None:
    sources = [*TEMPLATES, *WEB.rglob("*.py")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    begun = tuple(found[0] or found[1] for found in _BEGUN.findall(code))
    unused = [word for word in words_of("en").texts if f'"{word}"' not in code and f"'{word}'" not in code]
    assert [word for word in unused if not word.startswith((*begun, ENGINE))] == []


def test_every_reason_that_the_engine_tells_is_there_in_both_languages() -> None:
    told = {line for file in ENGINE_CODE for line in reasons_in(file.read_text(encoding="utf-8"))}
    assert len(told) > 30
    english, chinese = words_of("en"), words_of("zh")
    assert {line for line in told if english.of_engine(line) != line} == set()
    assert {line for line in told if chinese.of_engine(line) == line} == set()


def test_every_kind_of_error_and_of_refusal_has_words() -> None:
    kinds = {AgentMemError, *AgentMemError.__subclasses__()}
    while more := {each for kind in kinds for each in kind.__subclasses__()} - kinds:
        kinds |= more
    told = {kind.__name__ for kind in kinds - {AgentMemError} if kind.__module__ == AgentMemError.__module__}
    code = "\n".join(path.read_text(encoding="utf-8") for path in [*ENGINE_CODE, *WEB.rglob("*.py")])
    told |= set(_REFUSAL.findall(code))
    assert len(told) > 20
    assert {name for name in told for language in LANGUAGES if f"error.{name}" not in words_of(language).texts} == set()


def reasons_in(code: str) -> set[str]:
    """What a program gives as the reason of a change, word for word. Only one that writes a change is read in full."""
    found: set[str] = set()
    if not any(f"{name}(" in code for name in ("Change", "put", "touch")):
        return found
    for call in (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        given = [each.value for each in call.keywords if each.arg == "reason"] if name == "Change" else []
        given += call.args[2:3] if name in ("put", "touch") else []
        for value in given:
            both = (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,)
            found |= {each.value for each in both if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    return found


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("takes back r1", "撤销 r1"),
        ("takes back ", "撤销 "),
        ("about: nobody is known as 'x'", "没有叫 'x' 的人"),
        ("limit: 'x' is no whole number", "'x' 不是整数"),
        ("holds on what is left", "凭剩余依据仍成立"),
        ("what it rests on ended or changed meanwhile", "所依据的内容其间已结束或改变"),
        (
            "chat.api_key_env: the environment variable KEY is not set",
            "没有设置环境变量 KEY（chat.api_key_env 指定的密钥）",
        ),
        ("what somebody's model wrote", "what somebody's model wrote"),
        ("newer", "newer"),
    ],
)
def test_a_line_of_the_engine_is_told_with_what_it_fills_in_and_so_is_one_of_an_earlier_version(
    told: str, shown: str
) -> None:
    assert words_of("zh").of_engine(told) == shown
    assert words_of("en").of_engine(told) == told
    assert words_of("zh").of_engine("no such line", "?") == "?"


@pytest.mark.parametrize(
    ("cookie", "accepted", "chosen"),
    [
        (None, "", "en"),
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        (None, "de, en;q=0.3, zh;q=0.7", "zh"),
        (None, "fr;q=x,*", "en"),
        ("zh", "en", "zh"),
        ("de", "zh", "zh"),
    ],
)
def test_the_language_is_what_the_reader_chose_or_his_browser_asks_for(
    cookie: str | None, accepted: str, chosen: str
) -> None:
    assert chosen_language(cookie, accepted) == chosen


def _parts(text: str) -> list[str]:
    return [name or "" for _, name, _, _ in Formatter().parse(text)]


def test_the_work_of_every_worker_has_a_word() -> None:
    assert [worker.name for worker in WORKERS if f"cause.{worker.name}" not in words_of("en").texts] == []


def test_everything_that_a_score_is_made_of_has_a_word() -> None:
    names = (*SIGNALS, *WEIGHTS, "expansion", "rerank")
    assert [name for name in names if f"recall.signal_{name.replace(' ', '_')}" not in words_of("en").texts] == []
