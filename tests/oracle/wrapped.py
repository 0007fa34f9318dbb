"""Reads `<URL:...>` and `<scheme:...>` (section 7.1) with a hyphen at a line break (7.2)."""
import re

import escapes
import frames
import grammar
import letters
import starts
from readings import Match, unique

LONGEST, LINES = 8192, 32
K_COLON = re.compile(rb"(?i)(?:ftp|https?|gopher|mailto|news|nntp|telnet|wais|file|prospero):")
WORD_SLASHES = re.compile(rb"([A-Za-z0-9+.\-]{1,64})://")


def opener(text, at, any_scheme=False):
    """Returns the kind that a `<` opens and where its body begins, or None (W-FORM-1, W-FORM-2)."""
    if text[at + 1:at + 5].lower() == b"url:":
        return "wrapped", at + 5
    if K_COLON.match(text, at + 1):
        return "angle", at + 1
    found = WORD_SLASHES.match(text, at + 1)
    if found and starts.known(found.group(1).decode(), any_scheme):
        return "angle", at + 1
    return None


class Body:
    """Holds the bytes of a body, without the markers of its lines: items (offset, character, kind). The kind is `c` for
    content, `w` for white space, `n` for a line break."""

    def __init__(self):
        self.items, self.end, self.closer_first, self.more = [], None, False, False
        self.lines = 1

    def add(self, text, begin, end):
        """Appends a part of a line."""
        at = begin
        while at < end:
            c, stop = letters.at(text, at)
            self.items.append((at, stop, c, "w" if c in letters.W_PLUS else "c", text[at:stop]))
            at = stop


def is_blank(text, begin, end):
    """Returns whether a line without its markers holds only W+, and no form feed."""
    part = text[begin:end]
    for c in letters.W_PLUS:
        if c != "\f":
            part = part.replace(c.encode(), b"")
    return not part


def lone_quote(text, start, end):
    """Returns whether a line is a single `>`, apart from blanks."""
    return text[start:end].strip(b" \t") == b">"


def page_break(text, marks, at):
    """Returns the offset of the first line after a page break that begins with the line at an offset, and the break's
    lines; None without a page break (W-PAGE)."""
    lines = 0

    def line(i):
        begin = marks.strip(text, i)[0] if i < len(text) else i
        return begin, frames.line_end(text, i)

    def next_line(end):
        return frames.behind_break(text, end) if end < len(text) else None

    def blanks(i, count):
        while i is not None and i < len(text):
            begin, end = line(i)
            if not is_blank(text, begin, end):
                break
            count += 1
            i = next_line(end)
        return i, count

    at, lines = blanks(at, lines)
    if at is None or at >= len(text):
        return None
    begin, end = line(at)
    footer = text[begin:end]
    has_footer = False
    if re.search(rb"\[Page [0-9]+\][ \t\r\n\x0b\x0c]*$", footer) and b"<" not in footer and b">" not in footer and b"\f" not in footer:
        has_footer = True
        at = next_line(end)
        lines += 1
        at, lines = blanks(at, lines)
        if at is None or at >= len(text):
            return None
        begin, end = line(at)
    begin = frames.skip(text, begin, end)
    if not has_footer or text[begin:begin + 1] != b"\f":
        return None
    header = text[begin + 1:end]
    lines += 1

    def fits(i, part):
        if b"<" in part or b">" in part or is_blank(part, 0, len(part)):
            return False
        if i is None or i >= len(text):
            return False
        a, z = line(i)
        return is_blank(text, a, z)

    after = next_line(end)
    if header.strip(b" \t"):
        if not fits(after, header):
            return begin + 1, lines, True                           # the text after the form feed is content
    elif after is not None and after < len(text):
        a, z = line(after)
        if fits(next_line(z), text[a:z]) and b"\f" not in text[a:z]:
            after = next_line(z)
            lines += 1
    after, lines = blanks(after, lines)
    return (after, lines, False) if after is not None and after < len(text) else None


def read_body(text, at, begin, marks):
    """Reads a body up to the `>` that closes it, or returns None if the wrapper fails (W-QUOTE, W-FAIL)."""
    body = Body()
    place, start = begin, None
    had_quote = marks.has_quote
    while True:
        end = frames.line_end(text, place)
        stop = re.compile(rb"[<>]").search(text, place, end)
        if stop:
            if text[stop.start():stop.start() + 1] == b"<" or stop.end() - at > LONGEST:
                return None
            body.add(text, place, stop.start())
            body.end = stop.end()
            if start is not None and not text[start:stop.start()].strip(b" \t\x0b\x0c") and not marks.has_quote:
                tail = re.compile(rb"[<>]").search(text, stop.end(), end)
                body.more = bool(tail) and tail.group() == b">"
                body.closer = stop.start()
                body.closer_line = end
            return body
        if end >= len(text) or end - at > LONGEST:
            return None
        body.add(text, place, end)
        after = frames.behind_break(text, end)
        body.items.append((end, after, "\n", "n", b"\n"))
        start = after
        if after >= len(text):
            return None
        content, lost = marks.strip(text, after)
        stop_at = frames.line_end(text, after)
        body.lines += 1
        if marks.has_quote and not had_quote and lone_quote(text, after, stop_at):
            content = text.index(b">", after)
        elif is_blank(text, content, stop_at) or text[content:stop_at].lstrip(b" \t").startswith(b"\f") \
                or b"[Page " in text[content:stop_at]:
            page = page_break(text, marks, after)
            if page:
                start = after = page[0]
                body.lines += page[1] - (1 if not page[2] else 1)
                if page[2]:
                    content, lost = after, 1
                else:
                    content, lost = marks.strip(text, after)
                    body.lines += 1
            elif is_blank(text, content, stop_at):
                return None
        if marks.has_quote:
            had_quote = lost > 0
        if body.lines > LINES:
            return None
        place = content


def drop_soft_hyphens(items):
    """Removes soft hyphens right before a line break, which is then certain (W-WS-1)."""
    kept, certain = [], set()
    for index, item in enumerate(items):
        if item[2] == "\u00ad":
            ahead = index + 1
            while ahead < len(items) and (items[ahead][3] == "w" or items[ahead][2] == "\u00ad"):
                ahead += 1
            if ahead < len(items) and items[ahead][3] == "n":
                certain.add(items[ahead][0])
                continue
        kept.append(item)
    return kept, certain


def typeset(items, certain):
    """Reads the hyphens of typesetters: nothing or `-` at a line break, `-` within a word (W-TYPESET)."""
    read = []
    for index, item in enumerate(items):
        if item[2] != letters.HYPHEN or not index or items[index - 1][3] != "c":
            read.append(item)
            continue
        ahead = index + 1
        while ahead < len(items) and items[ahead][3] != "c":
            ahead += 1
        breaks = [other[0] for other in items[index + 1:ahead] if other[3] == "n"]
        before = said(items[index - 1])
        after = said(items[ahead]) if ahead < len(items) else b""
        if breaks:
            certain.add(breaks[0])
            reads = escapes.at_break(before, after)
        else:
            reads = b"-" if ahead == index + 1 and before < b"\x80" and re.match(rb"[A-Za-z0-9/?#%=&_~.+-]", after) else None
        if reads is None:
            read.append(item)
        elif reads:
            read.append((item[0], item[1], "-", "c", reads))
    return read


class Piece:
    """Holds a part of a body: its content, and the gaps where white space was removed."""

    def __init__(self, items, certain):
        self.bytes, self.gaps = [], []                              # gaps: (index in bytes, touches a break, is ambiguous)
        index = 0
        while index < len(items):
            if items[index][3] == "c":
                self.bytes.append(items[index])
                index += 1
                continue
            begin = index
            while index < len(items) and items[index][3] != "c":
                index += 1
            breaks = [item for item in items[begin:index] if item[3] == "n"]
            sure = any(item[0] in certain for item in breaks)
            self.gaps.append((len(self.bytes), bool(breaks), bool(breaks) and not sure))

    def text(self):
        """Returns the content."""
        return b"".join(said(item) for item in self.bytes)


def said(item):
    """Returns the bytes of an item."""
    return item[4]


def hyphens(piece, drop_first=False):
    """Returns the readings of the hyphens before line breaks (W-HYPH-2, W-HYPH-3)."""
    content = [said(item) for item in piece.bytes]
    doubtful = [at - 1 for at, breaks, unsure in piece.gaps if unsure and at and content[at - 1] == b"-"]
    count = len(doubtful)
    patterns = range(1 << count) if count <= 3 else (0, (1 << count) - 1)
    found = []
    for pattern in patterns:
        dropped = {at for index, at in enumerate(doubtful) if pattern >> (count - 1 - index) & 1}
        url = b"".join(part for index, part in enumerate(content) if index not in dropped)
        scheme = url.split(b":")[0].decode("latin-1").lower()
        level, odd = grammar.level(url), not grammar.plausible(url)
        found.append(((level, odd, scheme not in grammar.K, bin(pattern).count("1"), pattern), url))
    found.sort(key=lambda reading: reading[0])
    best = found[0][0][0]
    if best == grammar.NONE:
        return [b"".join(content)]
    return [found[0][1]] + [url for key, url in found[1:] if key[0] == best and not key[1]]


def inner(piece, urls):
    """Adds the part before the first white space that touches no line break (W-INNER)."""
    size = len(piece.bytes)
    for order, (at, breaks, _) in enumerate(piece.gaps):
        if breaks or at == 0 or at == size:
            continue
        part = Piece([], set())
        part.bytes, part.gaps = piece.bytes[:at], piece.gaps[:order]
        url = hyphens(part)[0]
        if grammar.level(url) > grammar.RFC3986 or re.fullmatch(rb"[A-Za-z0-9+.\-]+:(?://)?", url):
            return urls
        word = piece.gaps[order + 1] if order + 1 < len(piece.gaps) else None
        between = b"".join(said(item) for item in piece.bytes[at:word[0]]).lower() if word else b""
        if word and between in (b"or", b"and") and word[0] < size:
            rest = [other for other in urls if other != url and grammar.level(other) <= grammar.IRI]
            return [url] + rest
        return urls if url in urls else urls + [url]
    return urls


def flat(items):
    """Returns the text of items without white space that touches a line break. Other white space becomes one blank."""
    parts, index = [], 0
    while index < len(items):
        end = index
        while end < len(items) and items[end][3] != "c":
            end += 1
        if end == index:
            parts.append(said(items[index]))
            end += 1
        elif not any(item[3] == "n" for item in items[index:end]):
            parts.append(b" ")
        index = end
    return b"".join(parts).lstrip(b" ")


def masked(items):
    """Reads `at` between white space as `@` in a body of `mailto:` (W-MASK)."""
    plain = b"".join(said(item) for item in items if item[3] == "c")
    if plain[:7].lower() != b"mailto:":
        return items
    index, local, result = 0, None, []
    seen_question = False
    text = [said(item) if item[3] == "c" else b" " for item in items]
    joined_len = 0
    while index < len(items):
        found = None
        if items[index][3] != "c" and local is not None:
            gap_end = index
            while gap_end < len(items) and items[gap_end][3] != "c":
                gap_end += 1
            if b"".join(text[gap_end:gap_end + 2]).lower() == b"at" and gap_end + 2 < len(items) and items[gap_end + 2][3] != "c":
                host = flat(items[gap_end + 2:])
                name = local.strip()
                if name and b"@" not in name and b"%40" not in name and not seen_question and \
                        re.match(rb"[A-Za-z0-9\-\x80-\xff]{1,255}\.[A-Za-z0-9\-\x80-\xff]", host):
                    found = gap_end + 2
        if found:
            result.append((items[index][0], items[found][0], "@", "c", b"@"))
            local += b"@"
            while found < len(items) and items[found][3] != "c":
                found += 1
            index = found
            continue
        result.append(items[index])
        if items[index][3] == "c":
            c = text[index]
            joined_len += len(c)
            if joined_len == 7:
                local = b""
            elif local is not None:
                local = b"" if c == b"," else local + c
                seen_question = seen_question or c == b"?"
        index += 1
    return result


def is_prose(items):
    """Returns whether a body is prose that holds another URL (W-PROSE)."""
    tokens = b"".join(said(item) if item[3] == "c" else b" " for item in items).split(b" ")
    tokens = [token for token in tokens if token]
    return bool(tokens) and b":" not in tokens[0] and any(K_COLON.match(token) for token in tokens[1:])


def parts(items, certain):
    """Cuts a body at each continuation line that begins with another URL (W-TWO)."""
    cuts, last = [], 0
    for index, item in enumerate(items):
        if item[3] != "n":
            continue
        at = index + 1
        while at < len(items) and items[at][3] == "w":
            at += 1
        ahead = b"".join(said(other) if other[3] == "c" else b" " for other in items[at:at + 16])
        if not re.match(rb"(?i)(?:ftp|https?|gopher|mailto|news|nntp|telnet|wais|file|prospero)://", ahead):
            continue
        url = hyphens(Piece(items[last:index], certain))[0]
        scheme = url.split(b":")[0].decode("latin-1").lower()
        if b":" not in url or scheme not in grammar.K or grammar.level(url) > grammar.RFC3986:
            break
        cuts.append(at)
        last = at
    return [items[a:b] for a, b in zip([0] + cuts, cuts + [len(items)])]


def is_angle(url):
    """Returns whether an angle body is reported, by its first reading (W-ANGLE-1, W-MASK)."""
    if grammar.level(url) > grammar.IRI or re.fullmatch(rb"[A-Za-z0-9+.\-]+:(?://)?", url):
        return False
    scheme = url.split(b":")[0].lower()
    if scheme == b"mailto" and b"@" not in url and b"%40" not in url:
        return False
    found = re.match(rb"[A-Za-z0-9+.\-]+://([^/?#]*)", url)
    if found:
        host = found.group(1).split(b"@")[-1]
        if host.startswith(b"["):
            return True
        if scheme == b"file" and not host:
            return True
        name = host.split(b":")[0].decode("utf-8", "replace")
        return any(letters.is_alnum(c) or letters.is_letter(c) for c in name)
    return True


def read(text, at, any_scheme=False):
    """Returns the matches of the wrapper that a `<` opens, or None."""
    found = opener(text, at, any_scheme)
    if not found:
        return None
    kind, begin = found
    line = frames.line_start(text, at)
    marks = frames.Marks(text, line, at) if line is not None else frames.Marks(b"", 0, 0)
    body = frames.framed(text, at, begin, read_body) or read_body(text, at, begin, marks)
    if body is None:
        return None
    items, certain = drop_soft_hyphens(body.items)
    items = typeset(items, certain)
    plain = b"".join(said(item) for item in items if item[3] == "c")
    is_doubled = kind == "wrapped" and plain.startswith(b"//") and K_COLON.match(plain, 2)
    if kind == "wrapped" and not is_doubled and is_prose(items):
        return None
    if not plain:
        return None if kind == "angle" else [Match("empty-wrapper", at, body.end, [])]
    if is_doubled:
        drop = 2
        kept = []
        for item in items:
            if drop and item[3] == "c":
                drop -= 1
                continue
            kept.append(item)
        items = kept
    matches = []
    pieces = parts(items, certain)
    for order, part in enumerate(pieces):
        part = masked(part)
        piece = Piece(part, certain)
        urls = hyphens(piece)
        if kind == "angle" and not is_angle(inner(piece, urls)[0]):
            return None
        urls = inner(piece, urls)
        if body.more and order == len(pieces) - 1:
            urls = urls + quoted_reading(text, at, body, part, urls, certain)
        urls = urls + as_written(text, piece)
        first = at if order == 0 else part[0][0]
        last = body.end if order == len(pieces) - 1 else [item for item in part if item[3] == "c"][-1][1]
        matches.append(Match(kind, first, last, [url.decode("utf-8", "surrogateescape") for url in dict.fromkeys(urls)][:8]))
    return matches


def as_written(text, piece):
    """Returns the reading that keeps the hyphens of typesetters, if no white space stands in the piece (W-TYPESET)."""
    raw = b"".join(text[item[0]:item[1]] for item in piece.bytes)
    is_whole = all(place in (0, len(piece.bytes)) for place, _, _ in piece.gaps)
    is_other = letters.HYPHEN.encode() in raw and raw != piece.text()
    return [raw] if is_whole and is_other and grammar.level(raw) <= grammar.IRI else []


def quoted_reading(text, at, body, part, urls, certain):
    """Returns the reading with the first `>` as a reply marker, if it is strictly valid and differs (W-QUOTE-3)."""
    more = Body()
    stop = text.index(b">", body.closer + 1)
    more.add(text, frames.skip(text, body.closer + 1, stop), stop)
    piece = Piece(part + more.items, certain)
    url = inner(piece, hyphens(piece))[0]
    return [url] if grammar.level(url) == grammar.RFC1738 and url not in urls else []
