"""Whose address it is, and whether it is one that holds now."""

import pytest

from tests.unit.rules.support import english, read


def addresses(line: str) -> list[str]:
    reading = english(line) if line.isascii() else read(line)
    return [each.value or "" for each in reading.statements if each.attribute == "address" and each.about is None]


@pytest.mark.parametrize(
    ("line", "address"),
    [
        ("我住在西湖区文三路18号", "西湖区文三路18号"),
        ("我们又搬家了,现在住滨江区江南大道200号", "滨江区江南大道200号"),
        ("我家住翠苑小区6幢402室", "翠苑小区6幢402室"),
        ("李雷住在西湖区文三路18号,我住在滨江区江南大道200号", "滨江区江南大道200号"),
        ("收货地址是文三路18号3幢,别送错了", "文三路18号3幢"),
        ("我姐搬走了，我的地址改成解放路8号", "解放路8号"),
        ("我老公帮我搬家了，地址改成了解放路8号", "解放路8号"),
        ("We've moved, it's 7 Castle Row now.", "7 Castle Row"),
        ("We live at 12 Mill Lane, Ennis, and love it", "12 Mill Lane, Ennis"),
        ("Could you ship it to 9 Oak Street, flat 2? My office is closed.", "9 Oak Street, flat 2"),
    ],
)
def test_where_the_speaker_lives_is_his_address(line: str, address: str) -> None:
    assert addresses(line) == [address]


@pytest.mark.parametrize(
    "line",
    [
        "我妈住在西湖区文三路18号",
        "我妹妹也住文三路18号",
        "我以前住在西湖区文三路18号",
        "我打算搬到文三路18号",
        "送到我姐家吧,她住在文三路18号",
        "My mother lives at 12 Mill Lane.",
        "We used to live at 12 Mill Lane.",
        "Send it to 12 Mill Lane, my sister lives there.",
        "My dad has moved to 4 Castle Row.",
        "It's 7 Castle Row that burned down.",
    ],
)
def test_where_others_live_or_he_does_not_is_not(line: str) -> None:
    assert addresses(line) == []


@pytest.mark.parametrize(
    "line",
    [
        "My boss has moved. It's 7 Castle Row now.",
        "The shop moved, it's 7 Castle Row now.",
        "Send flowers to 12 Mill Lane.",
        "我们暂时住在解放路12号",
        "我姐搬家了，地址改成了解放路8号",
        "老板换地方了，送到解放路8号",
    ],
)
def test_neither_where_others_are_now_nor_where_he_is_for_a_while(line: str) -> None:
    assert addresses(line) == []
