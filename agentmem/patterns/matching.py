"""One pattern over one text: where it matches, and what its groups say.

The many matches of a long text are read off in a window of it. Its end is a border at which every node may stay: what
leads there is taken as if it led to a match. A match that was read off without reaching the border rests on nothing
beyond it; one that reaches it is read off in the whole text.
"""

from agentmem.patterns.positions import Beyond, Node, Places, Seen, Spans
from agentmem.patterns.text import TextPart, read

WINDOW = 2_000
"""Characters of a window."""
_NEAR = 8_000
"""Places among which the next match is looked for at once."""


class Matching(Places):
    """One pattern over one text, of which windows of so many characters are read."""

    def __init__(self, root: Node, text: str, *, whole: bool = False, window: int = WINDOW) -> None:
        self.whole = read(text)
        super().__init__(self.whole, 1 if whole else (2 << len(text)) - 1)
        self._seen: dict[int, int] = {}
        self._root, self._size = root, window
        self._window: _Window | None = None
        self._starts = root.before(self, self.after)
        self._near = (0, 0, 0)
        """Two places, and where between them the pattern matches."""

    def first(self, at: int) -> int | None:
        """The first place from `at` on where the pattern matches."""
        while at <= self.length:
            begin, end, starts = self._near
            if begin <= at < end:
                if starts := starts & ((1 << (end - at)) - 1):
                    return end - starts.bit_length()
                at = end
            else:
                end = min(at + _NEAR, self.length + 1)
                self._near = at, end, (self._starts >> (self.length - end + 1)) & ((1 << (end - at)) - 1)
        return None

    def spans(self, at: int, groups: int) -> Spans:
        """Begin and end of the match at a place and of its groups, (-1, -1) for a group that took no part."""
        window = self._around(at)
        spans = None if window is None else self._read_off(window, at - window.begin, groups)
        if window is None or spans is None:
            return self._read_off(self, at, groups) or []
        return [(begin + window.begin, end + window.begin) if begin >= 0 else (-1, -1) for begin, end in spans]

    def seen(self, look: Seen) -> int:
        """See `Places`."""
        if id(look) not in self._seen:
            self._seen[id(look)] = look.holds(self)
        return self._seen[id(look)]

    def _around(self, at: int) -> "_Window | None":
        """The window in which a match that begins here is read off; None in a short text, which is one itself."""
        if self.length <= 2 * self._size:
            return None
        window = self._window
        if window is None or not window.begin <= at <= window.begin + self._size // 2:
            window = self._window = _Window(self, at, min(self._size, self.length - at))
        return window

    def _read_off(self, places: Places, at: int, groups: int) -> Spans | None:
        """The match at a place; None where that depends on what is beyond the border."""
        spans: Spans = [(-1, -1)] * (groups + 1)
        try:
            end = self._root.take(places, places.length - at, places.after, spans)
        except Beyond:
            return None
        if places.border and not end:
            return None
        spans[0] = (at, places.length - end)
        return spans


class _Window(Places):
    """The same over a part of the text."""

    is_part = True

    def __init__(self, whole: Matching, begin: int, size: int) -> None:
        self.begin = begin
        self._whole = whole
        self._left = whole.length - begin - size
        self.border = 1 if self._left else 0
        part = TextPart(whole.whole, begin, size)
        super().__init__(part, part.cut(whole.after) | self.border)
        self._part = part
        self._looks: dict[int, int] = {}

    def seen(self, look: Seen) -> int:
        """See `Places`."""
        if id(look) not in self._looks:
            self._looks[id(look)] = self._part.cut(self._whole.seen(look))
        return self._looks[id(look)]
