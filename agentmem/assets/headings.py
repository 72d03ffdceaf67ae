"""What line of Markdown is a heading. No end is tried after another: a line may have millions of blanks."""

from agentmem import patterns as re

LONGEST = 300
"""Characters a heading may have. It stands before every piece below it, so a longer line is a paragraph."""

_MARKED = re.compile(r"(#{1,6})[ \t]+(?=\S)")


def heading_in(line: str) -> tuple[int, str] | None:
    """Level and words of the heading that a line is, without the marks that close it; None where it is none."""
    marked = _MARKED.match(line)
    if marked is None:
        return None
    rest = line[marked.end() :]
    bare = rest.rstrip(" \t")
    words = bare.rstrip("#").rstrip(" \t") if bare == rest else bare
    return (len(marked[1]), words or "#") if len(words) <= LONGEST else None


def first_heading(text: str) -> str | None:
    """The words of the first line that is a heading."""
    begin = 0
    while begin >= 0:
        if text.startswith("#", begin):
            end = text.find("\n", begin)
            found = heading_in(text[begin : end if end >= 0 else len(text)])
            if found is not None:
                return found[1]
        begin = text.find("\n#", begin)
        begin += begin >= 0
    return None
