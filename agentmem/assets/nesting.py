"""How deeply a page of HTML nests, told before it is parsed: the time a parser takes grows with depth times length."""

from collections import Counter

from agentmem import patterns as re
from agentmem.errors import InvalidInput


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


MAX_DEPTH = 512
"""Elements within one another that are not closed; a browser goes no deeper either."""

MAX_REPEATED = 5_000_000
"""Elements that a parser would make once more because a `b` or `font` was left open before a paragraph."""

_TAG = re.compile(r"<(?:(!--)|(/?)([a-zA-Z][^\s/>]{0,60}))")
_OVER = {"!--": "-->", "script": "</script", "style": "</style"}
"""What ends a stretch in which nothing is a tag."""
_EMPTY = _tags("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
_CLOSED_BY_THE_NEXT = _tags(
    "html head body p li dt dd tr td th thead tbody tfoot caption colgroup option optgroup rb rp rt rtc"
)
_FORMATTING = _tags("a b big code em font i nobr s small strike strong tt u")


def check_nesting(text: str) -> None:
    """Raises `InvalidInput` for a page that nests deeper than any that people write."""
    opened = Counter[str]()
    depth = formatting = repeated = place = 0
    while (tag := _TAG.search(text, place)) is not None:
        place = tag.end()
        name = (tag[1] or tag[3]).casefold()
        if not tag[2] and name in _OVER:
            place = text.find(_OVER[name], place)
            if place < 0:
                return
        elif name not in _EMPTY and name not in _CLOSED_BY_THE_NEXT:
            step = 1 if not tag[2] else -1 if opened[name] else 0
            opened[name] += step
            depth += step
            formatting += step * (name in _FORMATTING)
        repeated += formatting
        if depth > MAX_DEPTH or repeated > MAX_REPEATED:
            raise InvalidInput(f"nests deeper than {MAX_DEPTH} elements")
