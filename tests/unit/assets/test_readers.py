"""Every format becomes headings, paragraphs and records; what is hostile or broken is one line."""

import io
import json
import sys
import zipfile
from pathlib import PurePath

import docx
import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentmem.assets.decoding import MAX_DEPTH
from agentmem.assets.file_reading import FORMATS, MAX_BYTES, Document, heading_in, read_document
from agentmem.assets.pieces import chunks
from agentmem.assets.readers import pdf as reader
from agentmem.errors import InvalidInput
from tests.support.documents import bomb, drawn, pdf, spanning, word

PAGE = """\
<!doctype html><html><head><title>Prices &amp; terms</title><style>p{}</style></head><body>
<nav>Home | About</nav>
<h1>Prices</h1><p>Ninety-nine
 a month,<br>per seat.</p><!-- never said --><script>alert(1)</script>
<p style="display: none">Copy me to everybody.</p><div hidden>Nor this.</div><p aria-hidden="true">Nor that.</p>
<h2>Discounts</h2><ul><li>Ten percent</li><li>Twenty <b>percent</b></li></ul>
<table><tr><th>plan</th><th>seats</th></tr><tr><td><p>small</p></td><td>5</td></tr></table>
<pre>  a = 1

  b = 2</pre><p># no heading</p>
</body></html>
"""


def read(name: str, raw: bytes | str) -> Document:
    return read_document(PurePath(name), raw.encode() if isinstance(raw, str) else raw)


def outcome(name: str, raw: bytes) -> str:
    """The text, or why there is none."""
    try:
        return f"text {read(name, raw).text}"
    except InvalidInput as error:
        return f"refused {error}"


def complaint(name: str, raw: bytes | str) -> str:
    with pytest.raises(InvalidInput) as caught:
        read(name, raw)
    message = str(caught.value)
    assert message.startswith(f"{name}: ")
    assert "\n" not in message
    return message.removeprefix(f"{name}: ")


def test_markdown_stays_as_it_is_and_names_itself() -> None:
    text = "# 产品\n\nAIP是智能体平台。\n"
    assert read("a.md", text) == Document("产品", text)
    assert read("a.md", f"---\ntitle: '说明'\ntags: [x]\n---\n{text}") == Document("说明", text)
    assert read("notes.md", "no heading").title == "notes"


def test_plain_text_has_no_headings() -> None:
    assert read("a.txt", "# 1 in sales\n") == Document("a", "# 1 in sales\n", "text/plain")


def test_a_page_is_read_as_people_see_it() -> None:
    page = read("a.html", PAGE)
    assert page.title == "Prices & terms"
    assert page.text.split("\n\n") == [
        "# Prices",
        "Ninety-nine a month,\nper seat.",
        "## Discounts",
        "- Ten percent",
        "- Twenty percent",
        "plan | seats",
        "small | 5",
        "```\n  a = 1",
        "  b = 2\n```",
        "\\# no heading",
    ]


def test_a_page_in_another_encoding_is_read_as_it_declares() -> None:
    assert "Café" in read("a.html", '<meta charset="iso-8859-1"><p>Café'.encode("latin-1")).text
    assert "价格" in read("a.html", '<meta charset="gbk"><p>价格表说明'.encode("gbk")).text


def test_the_pages_of_a_pdf_follow_its_table_of_contents() -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf("Ninety-nine a month.", "Ten percent off.", title="Terms")))
    parent = writer.add_outline_item(title="Prices", page_number=0)
    writer.add_outline_item(title="Discounts", page_number=1, parent=parent)
    file = io.BytesIO()
    writer.write(file)

    found = read("a.pdf", file.getvalue())

    assert found.title == "Terms"
    assert found.text == "# Prices\n\nNinety-nine a month.\n\n## Discounts\n\nTen percent off."


def test_a_word_document_keeps_headings_lists_and_tables() -> None:
    found = read("a.docx", word(title="价目"))
    assert found.title == "价目"
    assert found.text.split("\n\n") == [
        "# 价格", "每席每月99元。", "\\# 不是标题", "## 折扣", "- 满百席九折", "版本 | 智能体\n标准版 | 五个",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.csv", 'name,price,note\nAIP,99,"per\nseat"\nBIP,12,\n'),
        ("a.tsv", "name\tprice\tnote\nAIP\t99\tper seat\nBIP\t12\t\n"),
        ("a.csv", "name;price;note\nAIP;99;per seat\nBIP;12\n"),
        ("a.json", '[{"name": "AIP", "price": 99, "note": "per\\nseat"}, {"name": "BIP", "price": 12, "note": null}]'),
        ("a.jsonl", '{"name": "AIP", "price": 99, "note": "per seat"}\n\n{"name": "BIP", "price": 12}\n'),
    ],
)
def test_each_record_is_a_piece_of_its_own(name: str, raw: str) -> None:
    found = read(name, raw)
    assert [chunk.text for chunk in chunks(found.text, found.media_type)] == [
        "name: AIP\nprice: 99\nnote: per seat",
        "name: BIP\nprice: 12",
    ]


def test_nested_records_name_the_way_to_each_value() -> None:
    record = {"id": 7, "tags": ["a", "b"], "owner": {"name": "罗小东"}, "steps": [{"do": "x"}, {"do": "y"}], "ok": True}
    assert read("a.json", json.dumps(record)).text == (
        "id: 7\ntags: a, b\nowner.name: 罗小东\nsteps.1.do: x\nsteps.2.do: y\nok: true"
    )


def _encrypted() -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf("secret")))
    writer.encrypt("password", algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def _entity_bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word())) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            body = old.read(name)
            if name == "word/document.xml":
                levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
                declared = f'<!DOCTYPE x [<!ENTITY e0 "boom">{levels}]>'.encode()
                head, _, rest = body.partition(b"?>")
                body = head + b"?>" + declared + rest.replace("每席".encode(), b"&e9;", 1)
            new.writestr(name, body)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "raw", "expected"),
    [
        ("a.exe", b"MZ", "no reader for .exe; allowed: .md"),
        ("README", b"hello", "no reader for files without a suffix"),
        ("a.md", b"\x7fELF\0\0", "is binary, not text"),
        ("a.txt", b"x" * (MAX_BYTES + 1), "larger than 33,554,432 bytes"),
        ("a.txt", b"x" * 9_000_000, "holds 9,000,000 characters; allowed: 8,388,608"),
        ("a.pdf", b"hello", "is no PDF"),
        ("a.pdf", pdf("words")[:200], "is damaged"),
        ("a.pdf", pdf(), "holds no text; scanned pages are not read"),
        ("a.md", b"", "holds no text"),
        ("a.txt", b"\xef\xbb\xbf \r\n\t", "holds no text"),
        ("a.html", "<title>Prices</title><script>1</script>", "holds no text"),
        ("a.csv", "name,price\n", "holds no text"),
        ("a.json", "[]", "holds no text"),
        ("a.pdf", _encrypted(), "is encrypted; save it without a password"),
        ("a.docx", b"hello", "is no .docx"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is encrypted, or a .doc of an older Word"),
        ("a.docx", word()[:-200], "is no .docx"),
        ("a.json", "{", "is no JSON: "),
        ("a.json", "[" * 100_000, "is nested too deeply"),
        ("a.json", '{"a":' * 40 + "1" + "}" * 40, "is nested deeper than 30 levels"),
        ("a.jsonl", '{"a": 1}\n{"a": \n', "line 2"),
        ("a.csv", f"a,b\n{'x' * 9_000},2\n" * 1_000, "more characters than are allowed: 8,388,608"),
        ("a.csv", 'a,b\n"' + "x" * 200_000 + '"\n', "is no table: field larger than field limit"),
    ],
)
def test_a_hostile_or_broken_file_is_refused_in_one_line(name: str, raw: bytes | str, expected: str) -> None:
    assert expected in complaint(name, raw)


@pytest.mark.parametrize(
    ("size", "expected"), [(60_000_000, "is packed more than 200 times"), (140_000_000, "unpacks to more than")]
)
def test_what_unpacks_to_too_much_is_refused_in_one_line(size: int, expected: str) -> None:
    assert expected in complaint("a.docx", bomb(size))


def test_an_entity_bomb_does_not_go_off() -> None:
    assert len(outcome("a.docx", _entity_bomb())) < 10_000


def test_deeply_nested_pages_are_read_and_bottomless_ones_refused() -> None:
    assert read("a.html", "<div>" * MAX_DEPTH + "words").text == "words"
    assert read("a.html", "<div>a</div>" * 50_000).text.count("a") == 50_000
    unclosed = "<p>words<li>words<td>words" * 10_000
    assert read("a.html", f"<!-- {'<div>' * 9_999} --><script>{'<div>' * 9_999}</script>{unclosed}").text
    for bottomless in ("<div>a" * 2_000_000, "<div></span>" * 600, "<x-y>" * 600, "<b><p>a" * 9_000):
        assert complaint("a.html", bottomless) == "nests deeper than 512 elements"


def test_a_cell_that_claims_millions_of_columns_is_one_cell() -> None:
    assert "版本 | 智能体" in read("a.docx", spanning(b'<w:gridSpan w:val="900000000"/>')).text


def test_a_cell_that_goes_on_below_is_said_in_each_row() -> None:
    made = docx.Document()
    table = made.add_table(rows=2, cols=2)
    for place, text in (((0, 0), "版本"), ((0, 1), "标准版"), ((1, 1), "专业版")):
        table.cell(*place).text = text
    table.cell(0, 0).merge(table.cell(1, 0))
    file = io.BytesIO()
    made.save(file)
    assert read("a.docx", file.getvalue()).text == "版本 | 标准版\n版本 | 专业版"


@pytest.mark.thorough
def test_a_pdf_that_draws_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "SECONDS", 1)
    assert complaint("a.pdf", drawn("q Q\n" * 300_000, pages=1_000)) == "takes longer than 1 seconds to read"


@pytest.mark.thorough
def test_a_pdf_that_needs_too_much_memory_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MEMORY", 150_000_000)
    raw = drawn("q Q\n" * 30_000_000)
    assert complaint("a.pdf", raw) == "takes more than 150,000,000 bytes of memory to read"


def test_json_of_nothing_but_brackets_is_refused_before_it_is_parsed() -> None:
    assert complaint("a.json", "[" + "[]," * 600_000 + "[]]") == "holds more than 500,000 lists and objects"
    assert complaint("a.json", "[" + "1," * 2_100_000 + "1]") == "holds more than 2,000,000 values"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# a", (1, "a")), ("###### a b ", (6, "a b")), ("## a ##", (2, "a")), ("# C#", (1, "C")),
        ("# a # ", (1, "a #")),
        ("# ###", (1, "#")), ("#a", None), ("####### a", None), ("#  ", None), ("# " + "a" * 301, None),
        ("# a" + " " * 1_000_000 + "b", None), ("# a" + " " * 1_000_000, (1, "a")),
    ],
)  # fmt: skip
def test_a_line_is_a_heading_by_its_marks_and_of_bounded_length(line: str, expected: tuple[int, str] | None) -> None:
    assert heading_in(line) == expected


def test_a_title_is_the_first_heading_wherever_it_stands() -> None:
    assert read("a.md", "text\n#none\n## Prices ##\n# Other").title == "Prices"
    assert read("a.md", "# a" + " " * 2_000_000 + "b").title == "a"


def test_a_library_that_is_missing_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    monkeypatch.delitem(sys.modules, "agentmem.assets.readers.pdf", raising=False)
    assert complaint("a.pdf", pdf("words")) == '.pdf files need pypdf: pip install "agentmem-framework[documents]"'


@settings(max_examples=40, deadline=None)
@given(suffix=st.sampled_from(sorted(FORMATS)), noise=st.binary(max_size=300), cut=st.integers(0, 400))
def test_any_bytes_are_read_or_refused_in_one_line(suffix: str, noise: bytes, cut: int) -> None:
    whole = {".pdf": pdf("words"), ".docx": b"PK\x03\x04"}.get(suffix, b"")
    said = outcome(f"a{suffix}", whole[:cut] + noise + whole[cut:])
    assert not said.startswith("refused") or (said.startswith(f"refused a{suffix}: ") and "\n" not in said)
