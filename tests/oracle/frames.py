"""Removes the marks of lines in a text: reply markers, comment markers and diffs (W-PFX-1 to W-PFX-5), frames (W-PFX-6)."""
import re

BLANK = b" \t"
TOKEN = re.compile(rb";+|#+|%+|/\*\*|/\*|\*|///|//!|//|--|!|'\\\"|\.\\\"|\\\"|'|\"|dnl|REM|rem|@comment|@c")
TRAILING = re.compile(rb"(?<=[ \t])(///|//!|//|#+|;+|--|/\*\*|/\*)(?=[ \t])")
INITIALS = re.compile(rb"[A-Za-z]{1,5}>")


def line_start(text, at):
    """Returns the start of the line that holds an offset, or None if it is more than 4096 bytes before (ST-3)."""
    start = at
    while start > 0 and text[start - 1] not in b"\r\n":
        start -= 1
        if at - start > 4096:
            return None
    return start


def line_end(text, at):
    """Returns the end of the line that holds an offset."""
    found = re.compile(rb"[\r\n]").search(text, at)
    return found.start() if found else len(text)


def behind_break(text, at):
    """Returns the offset after the line break at an offset."""
    return at + 2 if text[at:at + 2] == b"\r\n" else at + 1


def skip(text, at, end):
    """Skips blanks."""
    while at < end and text[at] in BLANK:
        at += 1
    return at


def kind_of(token):
    """Returns the normal form of a comment marker: runs as one, `/*` as `*`, `///` as `//`."""
    if token[:1] in (b";", b"#", b"%"):
        return token[:1]
    if token in (b"/*", b"/**"):
        return b"*"
    return b"//" if token.startswith(b"//") else token


def replies(text, at, end):
    """Reads reply markers. Returns [(kind, offset after it)], and the offset after all of them."""
    found = []
    place = skip(text, at, end)
    first = INITIALS.match(text, place, end)
    if first:
        found.append((first.group(), first.end()))
        at = first.end()
    while True:
        place = skip(text, at, end)
        c = text[place:place + 1] if place < end else b""
        if c == b">":
            pass
        elif c in (b"|", b":") and c and (place + 1 >= len(text) or text[place + 1:place + 2] in (b" ", b"\t", b"\r", b"\n", b"<")):
            pass
        else:
            return found, at
        at = place + 1
        found.append((c, at))


def markers(text, start, end):
    """Reads the markers of a line: reply markers, the mark of a diff, at most one comment marker. Returns [(kind, end)],
    the number of reply markers, and the offset where the first token would begin."""
    found, at = replies(text, start, end)
    count = len(found)
    place = skip(text, at, end)
    token_at = place

    def blank_at(i):
        return i >= len(text) or text[i] in b" \t\r\n"

    c = text[place:place + 1] if place < end else b""
    in_column = place == start
    behind = count and place - at <= 1
    if c and (c in b"+-" and (in_column or behind) or c == b"<" and in_column and place + 1 < end) and blank_at(place + 1):
        found.append((b"d" + c, place + 1))
        place = skip(text, place + 1, end)
    token = TOKEN.match(text, place, end)
    word = token.group() if token else None
    if word is None and place == start and text[place:place + 1] in (b"C", b"c") and place < end:
        word = text[place:place + 1]
    if word and blank_at(place + len(word)) and place + len(word) <= end:
        found.append((kind_of(word), place + len(word)))
    return found, count, token_at


class Marks:
    """Holds the markers of an opener's or a URL's line, M, and strips them from the lines below it."""

    def __init__(self, text, start, opener):
        found, count, token_at = markers(text, start, opener)
        self.kinds = [kind for kind, _ in found]
        self.count = count
        self.text_at = found[-1][1] if found else start
        self.glued = None
        if len(found) == count:
            self.glued = self.glue(text, start, token_at, opener, found[-1][1] if found else start)
        if all(kind.startswith(b"d") for kind in self.kinds[count:]):
            at = found[-1][1] if found else start
            trailing = TRAILING.search(text, max(start, at - 0), opener)
            if trailing:
                self.kinds.append(kind_of(trailing.group()))

    def glue(self, text, start, at, opener, behind):
        """Returns the token at the start of the line, if no blank follows it (W-PFX-5)."""
        if at >= opener:
            return None
        token = TOKEN.match(text, at, opener)
        if token and token.group()[-1:].isalpha():                  # a word is not a token
            return None
        c = text[at:at + 1]
        if token:
            return b"*" if kind_of(token.group()) == b"*" else token.group()
        if c in (b"+", b"-") and (at == start or self.count and at - behind <= 1) and text[at + 1:at + 2] != c:
            return b"d" + c
        if at == start and c in (b"C", b"c"):
            return None
        return None

    @property
    def has_quote(self):
        """Returns whether M holds a `>`."""
        return any(kind.endswith(b">") for kind in self.kinds[:self.count])

    def strip(self, text, start):
        """Returns the offset after the markers that a line shares with M, and how many `>` it lost."""
        end = line_end(text, start)
        found, count, _ = markers(text, start, end)
        same, at, lost = 0, start, 0
        for (kind, behind), wanted in zip(found, self.kinds):
            if kind != wanted:
                break
            same, at = same + 1, behind
            lost += kind.endswith(b">")
        place = skip(text, at, end)
        if self.glued and same == self.count and len(found[:same]) == same:
            token = self.glued[1:] if self.glued.startswith(b"d") else self.glued
            if self.glued.startswith(b"d"):
                fits = text[place:place + 1] == token and (place == start or self.count and place - at <= 1)
                size = 1
            elif token == b"*":
                star = re.compile(rb"/\*\*|/\*|\*").match(text, place, end)
                fits, size = bool(star), star and len(star.group())
            else:
                fits, size = text.startswith(token, place), len(token)
            if fits:
                place = skip(text, place + size, end)
        return (place, lost) if place > at or same else (skip(text, start, end), lost)


FRAME = "│┃║⎿▌"


def frame_marks(text, start):
    """Returns the left mark of a line with its offset, and the start and end of its content; or None (W-PFX-6)."""
    end = line_end(text, start)
    at = skip(text, start, end)
    left = next((mark for mark in FRAME if text.startswith(mark.encode(), at)), None)
    tail = text[at:end].rstrip(BLANK)
    if left is None and text[at:at + 1] == b"|" and tail.endswith(b"|") and len(tail) > 1:
        left = "|"
    if left is None:
        return None
    begin = at + len(left.encode())
    stop = at + len(tail)
    right = next((mark for mark in FRAME[:3] if tail.endswith(mark.encode()) and len(tail) > len(left.encode())), None)
    if left == "|":
        right = "|"
    if right:
        stop -= len(right.encode())
    inside = text[begin:max(begin, stop)]
    if any(mark.encode() in inside for mark in ((left, right) if right else (left,))):
        return None
    if left == "|" and re.fullmatch(rb"[ \t]*:?-+:?[ \t]*", inside):
        return None
    return left, right, len(text[start:at].decode("utf-8", "replace")), begin, max(begin, stop)


def framed(text, at, begin, read_body):
    """Reads a wrapper in the lines of its frame, or returns None (W-PFX-6)."""
    if not any(mark.encode() in text for mark in FRAME) and b"|" not in text:
        return None
    start = line_start(text, at)
    own = frame_marks(text, start) if start is not None else None
    if not own or not own[3] <= at < own[4]:
        return None
    lines = [(own[3], own[4])]
    next_start = start
    while len(lines) < 33:
        end = line_end(text, next_start)
        if end >= len(text):
            break
        next_start = behind_break(text, end)
        marks = frame_marks(text, next_start) if next_start < len(text) else None
        if not marks or marks[:3] != own[:3]:
            break
        lines.append((marks[3], marks[4]))
    if len(lines) < 2:
        return None
    where, parts = [], []
    for order, (a, b) in enumerate(lines):
        content = text[a:b]
        if own[1]:
            content = content.rstrip(BLANK)
        parts.append(content + b"\n")
        where += [a + i for i in range(len(content))] + [b]
    inside = b"".join(parts)
    shift = at - lines[0][0]
    body = read_body(inside, shift, shift + (begin - at), Marks(inside, 0, shift))
    if body is None:
        return None
    where.append(len(text))
    body.items = [(where[a], where[b - 1] + 1, c, kind, said) for a, b, c, kind, said in body.items]
    body.end = where[body.end - 1] + 1
    body.more = False
    return body
