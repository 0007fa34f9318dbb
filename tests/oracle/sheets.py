"""Recognises lines of a CSV file, whose cells are separated by commas (B-SHEET)."""
import re


def line_around(text, at):
    """Returns the ends of the line that holds an offset."""
    start = max(text.rfind(b"\n", 0, at), text.rfind(b"\r", 0, at)) + 1
    found = re.compile(rb"[\r\n]").search(text, at)
    return start, found.start() if found else len(text)


def commas(line):
    """Returns the commas outside `"..."`, each with what follows it, and whether one stands outside every URL."""
    found, outside, quoted, at = [], False, False, 0
    urls = [(m.start(), m.end()) for m in re.finditer(rb"://[^ \t\"]*", line)]
    for at, byte in enumerate(line):
        if byte == 0x22:
            quoted = not quoted
        elif byte == 0x2C and not quoted:
            found.append(at)
            outside = outside or not any(a <= at < b for a, b in urls)
    return found, outside


def neighbours(text, start, end):
    """Returns the two lines on either side that exist and are near."""
    lines = []
    at = start
    for _ in range(2):
        if at == 0:
            break
        stop = at - (2 if text[at - 2:at] == b"\r\n" else 1)
        begin = line_around(text, stop)[0]
        lines.append((begin, stop))
        at = begin
    at = end
    for _ in range(2):
        if at >= len(text):
            break
        begin = at + (2 if text[at:at + 2] == b"\r\n" else 1)
        if begin >= len(text):
            break
        stop = line_around(text, begin)[1]
        lines.append((begin, stop))
        at = stop
    return lines


def is_sheet(text, at):
    """Returns whether a URL that begins at an offset is in a CSV file."""
    start, end = line_around(text, at)
    if end - start > 4096:
        return False
    own, outside = commas(text[start:end])
    if len(own) < 2:
        return False
    tight, all_commas, count = tightness(text, start, own), len(own), 0
    for begin, stop in neighbours(text, start, end):
        if begin < at - 4096 or stop > at + 4096:
            continue
        found, apart = commas(text[begin:stop])
        if len(found) != len(own):
            return False
        outside = outside or apart
        tight += tightness(text, begin, found)
        all_commas += len(found)
        count += 1
    if tight * 2 <= all_commas or not outside:
        return False
    return count >= 2 or text[at - 1:at] == b","


def tightness(text, begin, found):
    """Counts the commas that no blank follows."""
    return sum(text[begin + at + 1:begin + at + 2] not in (b" ", b"\t") for at in found)


def is_in_cell(text, at):
    """Returns whether an offset stands in a cell whose quotation mark is still open on its line."""
    before = text[line_around(text, at)[0]:at]
    return bool(re.search(rb'(?:^|[,;\t])"(?:[^"]|"")*$', before)) and len(before) <= 4096
