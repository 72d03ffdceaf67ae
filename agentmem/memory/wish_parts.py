"""The parts of a wish: what is to be forgotten and what is to be kept of it, and each of several things that it names."""

# ruff: noqa: E501 - patterns read best unbroken

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.domain.attributes import VOCABULARY, slot_of
from agentmem.language.details import details_named

_BUT = re.compile(
    r"[,，;；]?\s*\b(?:but|and)?\s*(?:please\s+)?(?:keep|remember|don'?t forget|not|except(?: for)?|apart from|leave)\b"
    r"|[,，;；]?(?:但是?|不过|而)?(?:请)?(?:保留|留下|留着|记住|记得|别忘|不要忘|不要删|除了)",
    re.IGNORECASE,
)
_ALL_BUT = re.compile(r"(?<=\w)\s+but\s+(?=(?:my|our|his|her|their|its|the|what|where|how|that)\b)", re.IGNORECASE)
_ALL = re.compile(
    r"\s*(?:(?:please|forget|delete|erase|remove)\s+)*(?:everything|all|anything|whatever)\b", re.IGNORECASE
)
"""A plain "but" keeps something only where all is meant."""
AND = re.compile(r"\s*(?:,? and |,|，|、|和|跟|以及|还有)\s*", re.IGNORECASE)
OWN = re.compile(r"^(?:forget\s+)?(?:(?:my|our|the)\s+|我们?的?)?", re.IGNORECASE)
ASKING = re.compile(
    r"^\s*(?:please\s+)?(?:forget|delete|erase|remove)\s+|^\s*请?(?:忘掉|忘记|忘了|删除|删掉|清除)", re.IGNORECASE
)
"""The word that asks."""


ONE = re.compile(
    r"^\s*(?:(?:my|our|the) )?(?P<en>[\w' -]{2,30}?) ones?\W*$|^\s*(?P<zh>[^的我们]{1,6})的(?:那个)?$", re.IGNORECASE
)
"""What stays of several that are called the same: "the work one", 工作的."""


def qualifier(kept: str, gone: str) -> str | None:
    """The word by which what is to be kept differs from what goes, where both are called the same: "work" in "forget my
    private email, keep the work one"."""
    one = ONE.match(kept)
    return (one["en"] or one["zh"]) if one is not None and details_named(gone) else None


_KEPT_BEHIND = re.compile(
    r"[,，;；]\s*(?:but |and |但是?|不过|而)?(?:"
    r"(?P<en>(?:my|the|our) [\w' ]{1,40}?) (?:(?:can|should|may|must|has to|is to) )?"
    r"(?:(?P<stays>stays?|remains?)|be kept)"
    r"|(?P<zh>[^,，;；。]{1,12}?)(?:请|要|就|还是?|都|得|可以)*(?:保留|留着|留下|留|别删|不要删|别忘|不要忘)(?:着|吧|了|哦)*"
    r")[\s.。!！]*$",
    re.IGNORECASE,
)
"""What is to be kept, named before the word for it: "my address stays"."""
_DENIED = re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b|[不别没勿]", re.IGNORECASE)
"""What says that it is not: "my address must not be kept"."""


def parted(text: str) -> tuple[str, str]:
    """What of a wish is to be forgotten, and what is to be kept; empty where nothing is."""
    gone, kept = kept_behind(text)
    if kept:
        return gone, kept
    text = keeping(text)
    parting = _BUT.search(text)
    return (text[: parting.start()], text[parting.end() :]) if parting else (text, "")


def keeping(text: str) -> str:
    """A wish for everything "but her allergy" as one for everything "but keep her allergy"."""
    but = _ALL_BUT.search(text) if _ALL.match(text) else None
    return text if but is None else f"{text[: but.start()]} but keep {text[but.end() :]}"


def kept_behind(text: str) -> tuple[str, str]:
    """The same where what is to be kept comes last and is named before the word for it."""
    found = _KEPT_BEHIND.search(text)
    kept = (found["en"] or found["zh"]) if found else ""
    is_kept = found and not _DENIED.search(kept) and (not found["stays"] or is_slot(kept))
    return (text[: found.start()], kept) if found and is_kept else (text, "")


def is_slot(part: str) -> bool:
    return slot_of(OWN.sub("", part.strip())) in VOCABULARY


_POSSESSIVE = re.compile(r"^(?:his|her|their|its)\b|^[他她它]们?的?", re.IGNORECASE)


def parts_of(text: str) -> list[str]:
    """A wish for several things as one wish each, whatever they are; none for a wish for one. His and her mean whom the
    part before names."""
    gone, kept = parted(text)
    parts = [part.strip() for part in AND.split(ASKING.sub("", gone)) if part.strip()]
    whose = "的" if has_han(gone) else "'s "
    named = [
        part if place == 0 else _POSSESSIVE.sub(f"{parts[0]}{whose}", part).replace(f"{whose} ", whose)
        for place, part in enumerate(parts)
    ]
    keeping = f" but keep {kept}" if kept.strip() else ""
    return [f"forget {part}{keeping}" for part in named] if len(parts) > 1 else []


def points_back(text: str) -> bool:
    """Whether a thing of a wish is somebody's whom another of its things names: "Sam and his debts"."""
    return any(_POSSESSIVE.match(part.strip()) for part in AND.split(parted(text)[0])[1:])
