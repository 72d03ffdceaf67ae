"""What a contact looks like, and whether the words around it call it one that is out of use: a new one is often told
together with the old one.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from agentmem import patterns as re

_I = re.IGNORECASE
CONTACT = re.compile(
    r"(?P<email>(?<![A-Za-z0-9_.+-])[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4})"
    r"|(?P<wechat>(?:微信|wechat|weixin|WX|wx|vx|VX|V信|加v|加V)(?:号|id|ID)?(?:\s*(?:is now|is|'s|(?:现在)?就?是|:|为|的|(?:已经|已)?(?:换|改|变)(?:成|为|到)了?)\s*|\s*)(?P<wechat_id>[A-Za-z][A-Za-z0-9_-]{4,24}|\d{6,12}))"
    r"|(?P<qq>(?:qq|QQ|扣扣)(?:号)?(?:\s*(?:is|就?是|:|为)\s*|\s*)(?P<qq_id>\d{5,11}))"
    r"|(?P<phone>(?<![A-Za-z0-9_.@-])(?:\+[0-9]{1,3}[ -]?)?(?:\([0-9]{2,5}\)[ -]?)?[0-9]{2,15}(?:[ -][0-9]{2,15}){0,5}(?:\s?(?:转|ext\.?|extension|x)\s?[0-9]{1,5})?(?![A-Za-z0-9_@]|\.\d))",
    _I,
)
_OUT_OF_USE = r"不再?用|停[用机了]|作废|注销|不再|打不通|[没无]用|失效|别再?[打用]了|换掉|no longer|not in use|out of (?:use|service)|disconnected|\bdead\b|cancell?ed|(?:don't|doesn't|isn't|won't|stopped) (?:use|work|be|working|in use|valid|active)|\bgone\b|deactivated|closed"
_OLD = re.compile(rf"以前|之前|旧号|原来|\bold\b|used to|previous|former|{_OUT_OF_USE}", _I)
_SAYS_WHICH = re.compile(r"\S.*\S|[打拨发加用]")
_PIECE = re.compile(r"[,，;；。!?]")


def is_outdated(head: str, tail: str) -> bool:
    """Whether the words about the contact, in its own piece of the sentence or right behind it, call it an old one."""
    pieces = _PIECE.split(CONTACT.sub("", head))
    piece = next((part for part in reversed(pieces) if _SAYS_WHICH.search(part)), "")
    if _IN_USE.search(piece) or (piece != pieces[-1] and _OF_ANOTHER.match(piece)):
        return False
    if _IN_PLACE_OF.search(head):
        return True
    behind = _said_behind(_PIECE.split(tail.lstrip(",， "))[0])
    if _IN_USE.search(behind):
        behind = ""
    old = _OLD.search(piece) or (_NEW.search(piece) is None and _OLD.search(behind))
    return bool(old) and not re.search("新|换[成为到]|new|now", piece[-8:], _I)


def _said_behind(words: str) -> str:
    """What the words behind a contact say of it, and not of another that they name."""
    following = CONTACT.search(words)
    if following is None:
        return "" if _OF_ANOTHER.match(words) else words
    before = words[: following.start()]
    return "" if _ANOTHER.match(before) or _IN_PLACE_OF.search(before) else before


_ANOTHER = re.compile(
    r"[ (]*(?:(?:and|but|而|但是?|那)[ ,]*)?(?:(?:我们?的?|那个)?(?:旧|老(?!师|板|婆|公)|[以之]前|原[来先]|另[一外]|[\u4e00-\u9fff]{1,4}那个)"
    r"|(?:(?:my|our|his|her|their|the|that) )?(?:(?:old|previous|former|other|last)\b|\w+ one\b)|(?:formerly|previously)\b)",
    _I,
)
_IN_PLACE_OF = re.compile(
    r"\b(?:(?:instead|in place) of|rather than|(?:chang|switch|mov)\w+ (?:[\w-]+ ){0,4}from)\s*$|(?:[从由]|代替|而不是|不再[打用])\s*$",
    _I,
)
"""What a contact that another takes the place of stands behind."""
_OF_ANOTHER = re.compile(rf"{_ANOTHER.pattern}.{{0,24}}?(?:{_OUT_OF_USE})", _I)
"""What tells of another contact than the one it stands beside: the old one is out of use."""
_NEW = re.compile(r"\bnew\b|新[的手电号邮地]", _I)
_IN_USE = re.compile(
    r"还是(?:[打用发]|原来|以前|之前|老|旧)|改回|换回|用回|继续[打用]|\b(?:back to|go back|keep using|still use)\b", _I
)
"""What says that an old one is used again, or on."""
