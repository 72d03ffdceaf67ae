"""Files of every format that has a reader, made here and now."""

import zipfile
import zlib
from io import BytesIO

import docx

FONTS = b"<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"


def drawn(drawing: str, pages: int = 1) -> bytes:
    """A PDF of some kilobytes whose pages all show one packed drawing."""
    packed = zlib.compress(drawing.encode(), 9)
    kids = b" ".join(b"%d 0 R" % number for number in range(4, 4 + pages))
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (pages, kids),
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed),
        *[b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 3 0 R /Resources %s >>" % FONTS] * pages,
    ]
    return _numbered(bodies, b"")


def spanning(span: bytes) -> bytes:
    """The Word document, the first cell of its table with this among its properties."""
    file = BytesIO()
    with zipfile.ZipFile(BytesIO(word())) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"<w:tcPr>", b"<w:tcPr>" + span, 1))
    return file.getvalue()


def pdf(*pages: str, title: str = "") -> bytes:
    """A PDF with a line of text on each page; without any, one empty page."""
    bodies = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids: list[int] = []
    for text in pages or ("",):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode() if text else b""
        bodies.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources %s /Contents %d 0 R >>"
        bodies.append(page % (FONTS, len(bodies)))
        kids.append(len(bodies))
    bodies[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    bodies.append(f"<< /Title ({title}) >>".encode())
    return _numbered(bodies, b"/Info %d 0 R" % len(bodies))


def _numbered(bodies: list[bytes], more: bytes) -> bytes:
    """The objects as a file, with the table that tells where each begins."""
    whole = b"%PDF-1.4\n"
    offsets: list[int] = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(whole))
        whole += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(bodies) + 1, table)
    tail = b"trailer << /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n"
    return whole + head + tail % (len(bodies) + 1, more, len(whole))


def word(*, title: str = "") -> bytes:
    """A Word document with headings, a list and a table."""
    made = docx.Document()
    made.core_properties.title = title
    made.add_heading("价格", level=1)
    made.add_paragraph("每席每月99元。")
    made.add_paragraph("# 不是标题")
    made.add_heading("折扣", level=2)
    made.add_paragraph("满百席九折", style="List Bullet")
    table = made.add_table(rows=2, cols=2)
    for cell, text in zip(table.columns[0].cells, ("版本", "标准版"), strict=True):
        cell.text = text
    for cell, text in zip(table.columns[1].cells, ("智能体", "五个"), strict=True):
        cell.text = text
    file = BytesIO()
    made.save(file)
    return file.getvalue()


def bomb(size: int) -> bytes:
    """A Word document of some kilobytes that unpacks to `size` bytes."""
    file = BytesIO(word())
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/image1.png", b"\0" * size)
    return file.getvalue()
