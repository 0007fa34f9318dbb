"""Reads a bare or prefixed URL with all its readings: the run, the end that a delimiter sets, the alternatives (7.4)."""
import re

import bare
import escapes
import frames
import grammar
import hosts
import lengths
import letters
import starts


class Match:
    """Holds a match: its kind, its span and its readings, the preferred one first."""

    def __init__(self, kind, start, end, urls):
        self.kind, self.start, self.end, self.urls = kind, start, end, urls


def partner(text, begin, reader):
    """Returns the offset and kind of the delimiter that closes the one before a URL, or None (B-CLOSED)."""
    before = text[max(0, begin - 4):begin]
    last = before[-1:]
    value = False
    if last in (b'"', b"'"):
        closer = last
        at = begin - 1
        if before[-2:-1] == b"\\":
            closer, at = b"\\" + last, begin - 2
        elif last == b"'" and text[begin - 2:begin - 1] == b"'" and False:
            return None
        value = bool(re.search(rb"[=:(][ \t]{0,8}$", text[max(0, at - 9):at]))
        return scan_to(text, begin, [closer], reader, value)
    if last == b"`":
        return scan_to(text, begin, [b"`"], reader, False)
    if before.endswith(b"](") or before.lower().endswith(b"url("):
        return bracket(text, begin, before.endswith(b"]("))
    if before.endswith(b":++"):
        found = scan_to(text, begin, [b"++["], reader, True)
        if found:
            return found
    if last == b"<":
        return scan_to(text, begin, [b">", b"|"], reader, False)
    if last == b"|":
        found = scan_to(text, begin, [b">"], reader, False)
        return found if found and b"|" not in text[begin:found[0]] else None
    if last == b">":
        found = scan_to(text, begin, [b"<"], reader, False)
        return found if found and text[found[0]:found[0] + 3].lower() == b"</a" else None
    return None


def scan_to(text, begin, closers, reader, value):
    """Returns the first of some delimiters, if only graphic characters stand before it."""
    at = begin
    while at < len(text) and at - begin <= 1024:
        for closer in closers:
            if text.startswith(closer, at):
                if closer == b"'" and reader.is_doubled(at + 1):
                    at += 1
                    break
                return at, value
        c, end = letters.at(text, at)
        if not letters.is_graphic(c):
            return None
        at = end
    return None


def bracket(text, begin, markdown):
    """Returns the first unmatched `)`, or the blank before a title of Markdown."""
    at, depth = begin, 0
    while at < len(text) and at - begin <= 1024:
        c, end = letters.at(text, at)
        if c == ")":
            if not depth:
                return at, True
            depth -= 1
        if c == "(":
            depth += 1
        if markdown and c and c in " \t" and text[end:end + 1] in (b'"', b"'", b"("):
            return at, True
        if not letters.is_graphic(c):
            return None
        at = end
    return None


def closed(text, reader, run, run_end):
    """Returns the reading that ends at the partner of the delimiter before the URL, or None (B-CLOSED)."""
    if len(run.units) <= run.p0 and reader.hier:
        return None
    found = partner(text, reader.begin, reader)
    if found and text[reader.begin - 3:reader.begin] == b":++" and run.units[run.p0 - 1][1] <= found[0] < run_end:
        run_end, reader.is_passed = found[0], True                  # AsciiDoc
    if not found or found[0] < run_end:
        return None
    end, value = found
    reader.partner = end
    first = run.units[run.p0][0] if reader.hier else reader.start.after
    behind = text[run_end:end]
    for place in re.finditer(rb"://", behind):
        at = run_end + place.start()
        if b"?" in text[first:at] and b"#" not in text[first:at]:
            continue
        if not re.search(rb"=[A-Za-z][A-Za-z0-9+.\-]*$", text[max(first, at - 34):at]):
            return None
    inside = reader.quoted_end
    if inside and run.units[inside - 1][1] == end:
        units = list(run.units[:inside])
    else:
        units = list(run.units[:run.p0 if reader.hier else run.a0])
        at = first
        while at < end:
            c, stop = letters.at(text, at)
            units.append((at, stop, c, "p"))
            at = stop
    whole = bare.Run(units, run.a0, run.p0, run.host, run.literal, run.start)
    whole = reader.trim(whole, only_stops=True, nothing=value)
    return whole if reader.is_url(whole) else None


def stated(text, reader, run):
    """Returns the reading that ends where the length before the URL ends, or None (B-LENGTH)."""
    go = reader.scan(run, "go")
    end = lengths.end(text, reader.begin, run.units[go - 1][1]) if go else None
    index = next((i for i, unit in enumerate(run.units) if unit[1] == end), None)
    if index is None or index < run.a0:
        return None
    part = run.less(index + 1)
    return part if reader.is_url(part) else None


def finish(reader, run, index):
    """Returns the run that ends at an index, without its bracket ends and what B-END trims, or None if it is not a URL."""
    part = run.less(index)
    part = reader.tail_marks(part)
    part = reader.unclosed(part)
    part = reader.trim(part)
    return part if len(part.units) > part.a0 and reader.is_url(part) else None


def holds_start(text, begin, end):
    """Returns whether a part of a text holds the start of a URL."""
    return any(starts.at_colon(text, begin + place.start()) for place in re.finditer(rb":", text[begin:end]))


def of_run(text, reader, run):
    """Returns the readings of a run: the first one, then its alternatives; and the index where it ends, untrimmed."""
    stop = reader.scan(run, "stop")
    first = next((i for i in range(run.p0, min(stop + 1, len(run.units))) if run.units[i][2] > "\x7f"), None)
    main, other = stop, None
    if first is not None and first == stop and (letters.is_letter(run.units[first][2]) or reader.is_sign(run, first)):
        go = reader.scan(run, "go")
        if reader.goes_on(run, first):
            main, other = go, ("shorter", stop)
        else:
            other = ("longer", go)
    best = finish(reader, run, main)
    if best is None:
        return [], main
    found = [best]
    if other:
        part = finish(reader, run, other[1])
        if part is not None and other[0] == "longer":
            more = part.text()[len(best.text()):]
            untrimmed = len(best.units) == main or best.text() == run.less(main).text() or run.less(main).text()[-1:] in ":?"
            if not untrimmed or grammar.level(part.text().encode()) > grammar.IRI or len(more.encode()) > 1024 \
                    or holds_start(text, best.end(), part.end()):
                part = None
        if part is not None:
            found.append(part)
    return found + escaped(reader, run, main), main


def escaped(reader, run, main):
    """Returns the reading that ends at the first escape, if there is one."""
    slashes = reader.start.slashes or b""
    own = reader.mode.props or reader.mode.texinfo
    kinds = "" if own or slashes.startswith((b"\\", b"&")) else "jbetudhsS"
    index = next((i for i in range(run.a0, main) if run.units[i][3] in kinds), None)
    if index is None:
        return []
    if index < run.p0 and reader.hier:                              # the authority differs
        first = run.units[index]
        again = bare.Reader(reader.text[:first[0]], reader.start, reader.begin, False)
        again.hidden = hosts.text_of(run.units[index:run.p0])
        cut = again.run()
        if cut is None or again.dead:
            return []
        part = finish(again, cut, len(cut.units))
    else:
        cut = run.less(index)
        if reader.text[run.units[index][0]:][:1] == b"$":           # a control word of mathematics (B-TEX)
            cut.units = cut.units + [(run.units[index][0], run.units[index][0] + 1, "$", "p")]
        part = finish(reader, cut, len(cut.units))
    return [part] if part is not None else []


def amp(text, begin, end, urls):
    """Adds the reading of the first URL with `&` for each `&amp;`. In markup it comes first (B-ENT)."""
    if "&amp;" in urls[0]:
        urls.insert(0 if is_in_markup(text, begin, end) else len(urls), urls[0].replace("&amp;", "&"))


def is_in_markup(text, begin, end):
    """Returns whether a URL is an attribute, stands between the tags of an element, or is a link of a chat (B-ENT)."""
    if text[begin - 1:begin] in (b'"', b"'"):
        return bool(re.search(rb"(?:href|src|action|content)=\\?.$", text[max(0, begin - 16):begin]))
    before = text[begin - 1:begin]
    return before == b">" and text[end:end + 2] == b"</" or before == b"<" and text[end:end + 1] == b"|"


def stars(text, reader, urls, end):
    """Adds the reading without every `**` (B-STARS)."""
    if not reader.hier or "**" not in urls[0].split("://", 1)[-1]:
        return
    rest = urls[0].split("://", 1)[1]
    path = re.search(r"[/?#]", rest)
    if not path or "**" not in rest[path.start():]:
        return
    plain = urls[0][:len(urls[0]) - len(rest) + path.start()] + rest[path.start():].replace("**", "")
    if grammar.level(plain.encode()) > grammar.RFC3986:
        return
    if text[end:].startswith(b"<" + plain.encode() + b">"):
        urls.insert(0, plain)
    elif all(letters.is_alnum(rest[m.end():m.end() + 1] or " ") or rest[m.end():m.end() + 1] == "%"
             for m in re.finditer(r"\*\*", rest[path.start():] and rest)):
        urls.append(plain)


def unique(urls):
    """Drops repeated readings, and those after the eighth."""
    return list(dict.fromkeys(urls))[:8]


def angle_id(text, start):
    """Returns the match of `news:<...@...>` (B-ANGLEID), or None."""
    if start.scheme not in ("news", "mailto") or start.slashes:
        return None
    found = re.compile(rb"<([\x21-\x3b=\x3f-\x7e]{1,998})>").match(text, start.colon + 1)
    if not found or not re.search(rb".@.", found.group(1)):
        return None
    url = text[start.begin:start.colon + 1] + found.group(1)
    return Match("bare", start.begin, found.end(), [url.decode()])


def begins(text, start, mode):
    """Returns whether B-START-2 allows an authority to begin after the slashes."""
    at = start.after
    while True:
        unit = escapes.unit(text, at, mode, authority=True)
        if unit is None:
            return False
        if unit[2]:
            break
        at = unit[1]
    c = unit[2]
    if c == "/":
        return start.scheme == "file"
    if c in "${":
        units = hosts.read_units(text, at, mode)
        return hosts.variable_end(units, 0) is not None
    if not (letters.is_alnum(c) or c in "[%@_:*" or letters.is_letter(c) or letters.is_symbol(c)):
        return False
    ahead = []
    while unit is not None and len(ahead) < 12:
        ahead.append(unit)
        unit = escapes.unit(text, unit[1], mode)
    return not escapes.K_AHEAD.match(hosts.text_of(ahead).encode())


def read(text, start, hyphens=True, sheet=None):
    """Returns the Match of the URL that a Start begins, or None."""
    found = angle_id(text, start)
    if found:
        return found
    begin = start.begin
    has_jar = False
    if start.slashes or start.scheme == "file":
        begin, has_jar = starts.prefixes(text, begin)
    match = attempt(text, start, begin, has_jar, hyphens, sheet)
    if match is None and begin != start.begin and has_jar:
        match = attempt(text, start, start.begin, False, hyphens, sheet)
    return match


def attempt(text, start, begin, has_jar, hyphens, sheet):
    """Returns the Match of the URL that begins at an offset, or None."""
    reader = bare.Reader(text, start, begin, sheet)
    if reader.hier and not begins(text, start, reader.mode):
        return None
    run, quoted = None, reader.before in ('"', "'")
    if quoted:
        run = reader.run(quoted=True)
        if run is None or reader.dead:
            return None
        end, main = reader.scan(run, "go"), reader.scan(run, "stop")
        if main < end and main < len(run.units) and reader.goes_on(run, main):
            main = end
        at = run.units[main - 1][1] if main else 0
        quoted = text[at:at + 1].decode("latin-1") == reader.before
        reader.quoted_end = main if quoted else None
    if not quoted:
        run = reader.run()
    if run is None or reader.dead:
        return None
    told = stated(text, reader, run)
    if told is not None:
        return Match("bare", begin, told.end(), [told.text()])
    found, main = of_run(text, reader, run)
    if not found:
        return None
    raw_end = run.units[main - 1][1]
    if reader.regular and raw_end >= reader.stop:
        return None
    if has_jar and "!/" not in run.less(main).text():
        return None
    if raw_end - begin > bare.LONGEST:
        return Match("too-long", begin, begin + bare.LONGEST, [])
    best = found
    stop = reader.scan(run, "stop")
    stop_end = run.units[stop - 1][1]
    shut = closed(text, reader, run, stop_end)
    if shut is not None:
        ends = reader.unclosed(reader.tail_marks(run.less(stop))).end() == reader.partner
        rest = [] if ends or reader.is_passed else [finish(reader, run, stop)]
        best = [shut] + [part for part in rest + escaped(reader, run, main) if part is not None]
    end = best[0].end()
    urls = [part.text() for part in best]
    last = [part.text() for part in escaped(reader, run, main)]
    urls = [url for index, url in enumerate(urls) if index == 0 or url not in last]
    amp(text, begin, max(raw_end, end), urls)
    stars(text, reader, urls, end)
    if hyphens:
        urls += hyphened(text, start, begin, raw_end, run.less(main), reader)
    urls += last
    dropped = [unit for unit in best[0].units if unit[3] == "h" and not unit[2]]
    if dropped:                                                     # the word may have had its hyphen (B-TYPESET)
        urls.append("".join("-" if unit in dropped else unit[2] for unit in best[0].units))
    crossing = next((unit for unit in best[0].units if b"\n" in text[unit[0]:unit[1]] or b"\r" in text[unit[0]:unit[1]]), None)
    if crossing and crossing[3] == "S" and last:                    # the reading that ends before the break comes first
        return Match("bare", begin, escaped(reader, run, main)[0].end(), unique(last + urls))
    return Match("bare", begin, end, unique(urls))


def hyphened(text, start, begin, raw_end, run, reader):
    """Returns the two joined readings where the raw run ends in `-` at the end of its line (B-HYPH)."""
    if not run.text().endswith("-"):
        return []
    found = re.compile(rb"[ \t]{0,256}(\r\n|\r|\n)").match(text, raw_end)
    if not found or reader.in_sheet():
        return []
    line = frames.line_start(text, begin)
    marks = frames.Marks(text, line, begin) if line is not None else frames.Marks(b"", 0, 0)
    at, _ = marks.strip(text, found.end())
    while text[at:at + 1] in (b" ", b"\t"):
        at += 1
    if not re.compile(rb"[A-Za-z0-9/?#%=&_~.+]").match(text, at) or starts.begins_url(text, at):
        return []
    urls = []
    last = [unit for unit in run.units if unit[2]][-1]
    for kept in (raw_end, last[0]):
        joined = text[:kept] + text[at:]
        again = starts.at_colon(joined, start.colon)
        match = again and attempt(joined, again, begin, False, False, reader.in_sheet())
        if match and match.urls and match.end > kept:
            url = match.urls[0].encode()
            if grammar.level(url) <= grammar.RFC3986 and grammar.plausible(url):
                urls.append(match.urls[0])
    return urls
