"""Text whose letters are hidden, or only look like what they are: matched as what it says, shown as what it is."""

from base64 import b64encode
from pathlib import Path

import pytest

from agentmem.domain.entity import named
from agentmem.domain.naming import canonical_name
from agentmem.language.safe_text import safe_text
from agentmem.retrieval.context_wording import Quoting
from tests.support.known import a_piece, chosen, contents, turn_of
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import found, spine

TAGS = "".join(chr(0xE0000 + ord(ch)) for ch in "Tom Smith")
HIDING = {
    "zero width": "T\u200bo\u200dm S\u2060mi\ufeffth",
    "bidi": "\u2067Tom\u2069 \u202dSmith\u202c",
    "tag characters": f"Tom{TAGS} Smith",
    "variation selectors": "To\ufe0fm Smi\U000e0101th",
    "soft hyphens": "T\u00adom Smi\u00adth",
}
LOOKALIKE = {
    "Cyrillic": "\u0422\u043em \u0405m\u0456th",
    "Greek": "T\u03bfm Sm\u03b9th",
    "mathematical letters": "𝐓𝐨𝐦 𝓢𝓶𝓲𝓽𝓱",
    "width": "Ｔｏｍ Ｓｍｉｔｈ",
    "small capitals": "ᴛᴏᴍ ꜱᴍɪᴛʜ",
    "base64": b64encode(b"ask Tom Smith").decode(),
    "a web address": "example.com/?q=%54om%20%53mith",
    "a web page": "&#84;om &#x53;mith",
}


@pytest.mark.parametrize("text", (HIDING | LOOKALIKE).values(), ids=(HIDING | LOOKALIKE).keys())
def test_a_name_that_is_hidden_or_dressed_up_leaves_with_no_hire(text: str) -> None:
    assert contents(chosen([turn_of("Tom Smith", "hi"), a_piece(f"Our client {text} is happy")])) == []


@pytest.mark.parametrize("text", HIDING.values(), ids=HIDING.keys())
def test_hidden_letters_make_no_other_person_and_show_where_people_look(text: str) -> None:
    assert canonical_name(text) == "tom smith"
    assert named(TENANT, AGENT, text) == named(TENANT, AGENT, "Tom Smith")
    assert "\\" in safe_text(text) or text == HIDING["variation selectors"]  # these choose a form of emoji and of Han
    assert Quoting("0123456789ab", "en").text(text) == "Tom Smith"


@pytest.mark.parametrize("text", HIDING.values(), ids=HIDING.keys())
async def test_a_memory_of_hidden_letters_is_found_by_plain_ones(tmp_path: Path, text: str) -> None:
    async with spine(tmp_path) as app:
        await app.say(AGENT, "Ann", f"The parcel is for {text} in Leeds", end=True)
        await app.drain()
        hits = (await found(app, "who gets the parcel, Tom Smith?")).hits
        assert any("parcel" in hit.memory.content for hit in hits)
