"""The pages speak two languages: every word is there in both, is used, and no template says anything of its own."""

import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

from agentmem.interfaces.web.wording import LANGUAGES, chosen_language, words_of

WEB = Path(str(files("agentmem.interfaces.web")))
TEMPLATES = sorted((WEB / "templates").glob("*.html"))
_JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_BEGUN = re.compile(r"""["']([a-z_]+\.[a-z_]*)["'] ~|f["']([a-z_]+\.[a-z_]*)\{""")
"""Words that are put together of their beginning and something else."""

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
    assert parts["en"] == parts["zh"]
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
    assert [word for word in unused if not word.startswith(begun)] == []


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
