"""Which ids are no names, and what is said in their place."""

import pytest

from agentmem.domain.naming import begun, is_unnamed, unnamed

NAMES = (
    "Tom",
    "王芳",
    "P2",
    "罗小东",
    "Ann-2",
    "Jean-Luc",
    "Adadeface",
    "tom_h",
    "Mohammed-Al-Rashid",
    "R2D2",
    "Tom 2",
)
IDS = (
    *("8f14e45f-ceea-467f-9c1d-aa1b2c3d4e5f", "8F14E45FCEEA467F9C1DAA1B2C3D4E5F", "a@b.cn", "t.h+x@mail.example.org"),
    *("12345", "+49-30-12345", "deadbeef01", "user_123", "user-7", "User42", "u7", "customer:9", "cust_0001", "uid#55"),
    *("用户12", "客户-3", "cus_NffrFeUfNV2Hib", "auth0|5f7c87ec", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "session_8", "user"),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_kept(name: str) -> None:
    assert not is_unnamed(name)


@pytest.mark.parametrize("given", IDS)
def test_an_id_is_no_name(given: str) -> None:
    assert is_unnamed(given)


def test_a_sentence_begins_with_a_capital() -> None:
    assert begun(f"{unnamed('en')} lives in Oslo") == "The user lives in Oslo"
    assert begun("users live in Oslo") == "users live in Oslo"
    assert unnamed("zh") == "用户"
