"""Reads what stands between two parts of a URL that a program wrote on two lines: strings (B-STRINGS), `\\` (B-CONTINUE)."""
import re

import bjoin

K_AHEAD = re.compile(rb"(?i)(?:ftp|https?|gopher|mailto|news|nntp|telnet|wais|file|prospero)://")
OPERATOR = re.compile(rb"[ \t]{0,256}(\+\+|\.\.|<>|\|\||[+.&~^])?[ \t]{0,256}")
BREAK = re.compile(rb"\r\n|\r|\n")
OBSOLETE = b"#~ "
CONTINUES = re.compile(rb"[A-Za-z0-9/?#%=&_~.+\-@:,;!$*()]")


def line_of(text, at):
    """Returns the start of the line that holds an offset."""
    return max(text.rfind(b"\n", 0, at), text.rfind(b"\r", 0, at)) + 1


def lines_above(text, start):
    """Returns the 16 lines above a line, the nearest first."""
    lines = BREAK.split(text[max(0, start - 4096):start])[:-1]
    return lines[::-1][:16]


def lines_below(text, end):
    """Returns the 8 lines below the line that ends at an offset."""
    return BREAK.split(text[end:end + 4096])[1:9]


def has_shape(word):
    """Returns whether a word has the shape of a URL (B-STRINGS)."""
    word = word.rstrip(b".,;:!?)\"'")
    extension = re.search(rb"[^.]\.([A-Za-z][A-Za-z0-9]{0,5})$", word)
    known = extension and extension.group(1).lower() in bjoin.EXT
    return bool(re.search(rb"[0-9/?=&%_#+]", word) or word[:1] == b"." or known)


def string_end(text, start, quote):
    """Returns the end of a string on its line, or None."""
    found = re.compile(rb"[^\r\n" + quote + rb"]{0,512}").match(text, start)
    return found.end() if text[found.end():found.end() + 1] == quote else None


def strings(text, i):
    """Reads the quote at an offset: (start of the next string's text, whether the joined reading comes first), or None."""
    quote = text[i:i + 1]
    found = OPERATOR.match(text, i + 1)
    at, operator = found.end(), bool(found.group(1))
    at += text[at:at + 1] == b"\\"
    on_line = True
    crossing = BREAK.match(text, at)
    if crossing:
        on_line, line = False, crossing.end()
        line += len(OBSOLETE) if text.startswith(OBSOLETE, line) else 0
        marks = re.compile(rb"[ \t>]*").match(text, line).end()
        found = OPERATOR.match(text, marks)
        operator = operator or bool(found.group(1))
        at = re.compile(rb"[A-Za-z0-9]{0,2}").match(text, found.end()).end()
    elif operator or at == i + 1:
        return None
    if text[at:at + 1] != quote:
        return None
    begin = at + 1
    end = string_end(text, begin, quote)
    if end is None or re.compile(rb"[ \t]{0,256}[=:]").match(text, end + 1):
        return None
    if not re.compile(rb"[!-~]").match(text, begin) or text[begin:begin + 1] in b"\"'<>`{}|^\\" or K_AHEAD.match(text, begin):
        return None
    before = text[line_of(text, i):i]
    if before.count(quote) % 2 == 0 or before[:before.rfind(quote)][-1:] in (b",", b";", b"\t"):
        return None
    if on_line and not before[:before.find(quote)].rstrip().endswith(b"TXT"):
        return None
    rest = text[begin:end]
    is_cut = text[i - 1:i] in (b"/", b"-", b"?", b"&", b"=") and (
        not re.search(rb"\s", rest) or has_shape(re.split(rb"\s", rest)[0]))
    sure = on_line or operator or is_cut or is_message(text, i) or ends_expression(text, i, begin, quote)
    return begin, sure


def is_message(text, i):
    """Returns whether strings are a message of a PO file."""
    def bare(line):
        return (line[len(OBSOLETE):] if line.startswith(OBSOLETE) else line).lstrip()
    start = line_of(text, i)
    own = text[start:i]
    if bare(own).startswith(b"msg"):
        return True
    above = [bare(line) for line in lines_above(text, start)]
    first = next((line for line in above if not line.startswith(b'"')), b"")
    return bare(own).startswith(b'"') and first.startswith(b"msg")


def ends_expression(text, i, begin, quote):
    """Returns whether the end of an expression follows the last of the strings."""
    for _ in range(8):
        end = string_end(text, begin, quote)
        if end is None:
            return False
        after = re.compile(rb"[ \t]{0,256}").match(text, end + 1).end()
        crossing = BREAK.match(text, after)
        if crossing:
            begin = re.compile(rb"[ \t]{0,256}").match(text, crossing.end()).end()
            if text[begin:begin + 1] != quote:
                return False
            begin += 1
            continue
        mark, follows = text[after:after + 1], text[after + 1:after + 2]
        if mark == b";":
            return True
        if mark == b",":
            return follows in (b" ", b"\t", b"\r", b"\n")
        if mark in (b".", b"%"):
            return follows == b" " or follows.isalpha() and follows.islower()
        if mark == b")":
            start = line_of(text, i)
            lines = [text[start:i]] + lines_above(text, start)
            heads = [line.split(quote)[0].rstrip() for line in lines]
            head = next((head for head in heads if head), b"")
            return head.endswith(b"(") and not head.endswith((b"=(", b"'("))
        return False
    return False


def continued(text, i):
    """Reads the `\\` at an offset: (start of the rest, whether the joined reading comes first), or None (B-CONTINUE)."""
    crossing = BREAK.match(text, i + 1)
    if not crossing:
        return None
    line = crossing.end()
    at = re.compile(rb"[ \t]{0,256}").match(text, line).end()
    if not CONTINUES.match(text, at) or K_AHEAD.match(text, at):
        return None
    start = line_of(text, i)
    quotes = text[start:i].count(b'"')
    for above in lines_above(text, start):
        if not above.endswith(b"\\"):
            break
        quotes += above.count(b'"')
    depth, inner = indent(text[start:i]), text[start:i].count(b'"')
    for above in lines_above(text, start):
        inner += above.count(b'"')
        if indent(above) < depth:
            quotes |= inner
            break
    if quotes % 2 or re.compile(rb"[?&][A-Za-z0-9_.\-\[\]]{1,64}=").match(text, at):
        return at, True
    if at != line:
        return None
    word = re.compile(rb"[!-~]*").match(text, at).group()
    word = word[:-1] if word.endswith(b"\\") else word
    if text[i - 1:i] in (b"-", b"?", b"=", b"&", b"%") and len(word) > 1 or has_shape(word):
        return at, True
    return at, is_at_edge(text, start, i)


def indent(line):
    return len(line) - len(line.lstrip(b" \t"))


def is_at_edge(text, start, i):
    """Returns whether a `\\` stands in the last column of a window (B-CONTINUE)."""
    own = bjoin.width(text[start:i + 1])
    around = lines_above(text, start) + lines_below(text, i + 1)
    widths = [bjoin.width(line) for line in around]
    return any(line.endswith(b"\\") and width == own for line, width in zip(around, widths)) and all(w <= own for w in widths)
