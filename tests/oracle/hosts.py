"""Reads the authority of a bare URL (B-AUTH) with its non-ASCII letters (B-UNI-2). Judges its host (B-HOST, B-NOHOST)."""
import re

import bjoin
import escapes
import grammar
import letters

STRETCH = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%!$&'()*+,;=:@")
HOST = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%:")
ELEMENTS = frozenset(
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button "
    "canvas caption center cite code col colgroup command data datalist dd del details dfn dialog dir div dl dt em embed "
    "fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe "
    "img input ins isindex kbd keygen label legend li link listing main map mark marquee menu menuitem meta meter nav "
    "nobr noframes noscript object ol optgroup option output p param picture plaintext pre progress q rp rt ruby s samp "
    "script search section select slot small source span strike strong style sub summary sup svg table tbody td template "
    "textarea tfoot th thead time title tr track tt u ul var video wbr xmp math".split())


VARIABLE = re.compile(r"(?:\$?)(?:\{[A-Za-z_][A-Za-z0-9_.\-]{0,63}\}|\{\{[A-Za-z_][A-Za-z0-9_.\-]{0,63}\}\})")
SEVERAL_HOSTS = "postgresql postgres mongodb amqp amqps redis rediss kafka mysql".split()


def latin_like(c):
    """Returns whether a letter is of a script that looks like Latin (B-UNI-2)."""
    return letters.looks_like_latin(c)


def is_of_spaced_word(c):
    """Returns whether a character is a non-ASCII letter of a script that puts blanks between words (B-AUTH)."""
    return c > "\x7f" and letters.is_letter(c) and not letters.is_running(c)


def read_units(text, at, mode, limit=9000):
    """Reads the units of an authority, up to the byte that no host may hold."""
    units = []
    while at - (units[0][0] if units else at) < limit:
        unit = escapes.unit(text, at, mode, authority=True)
        if unit is None:
            break
        units.append(unit)
        at = unit[1]
        if unit[2] and unit[2] in "/?#":
            break
    return units


def variable_end(units, index):
    """Returns the index after the variable that begins at an index, or None (B-AUTH)."""
    found = VARIABLE.match(text_of(units[index:index + 80]))
    return index + found.end() if found else None


def hosts_end(units, end):
    """Returns the index after the further hosts that follow the comma at an index (B-HOSTS)."""
    rest = text_of(units[end:])
    found = re.match(r"(?:,(?:\[[^\]]*\]|[A-Za-z0-9][A-Za-z0-9\-._]*)(?::[0-9]+)?)+", rest)
    if not found or not all(literal(item) for item in re.findall(r"\[([^\]]*)\]", found.group())):
        return end
    tail = rest[found.end():]
    if tail[:1] == "," and not re.match(r"[A-Za-z0-9\-._:\[]", tail[1:]) and not tail[1:2]:
        return end + found.end()
    return end + found.end() if not tail or re.match(r"[/?#;)\]'<>\"`^|]|[^\x00-\x7f]", tail) else end


def literal(item):
    """Returns whether the text between brackets is an IP literal."""
    return grammar.literal(item.partition("%")[0])


def userinfo(units, closes):
    """Returns the index after the last `@` of the stretch (B-AUTH), or 0."""
    depth, last = 0, 0
    skip = 0
    for index, (_, _, c, kind) in enumerate(units):
        if c == "" or index < skip:
            continue
        if c in "${" and variable_end(units, index):
            skip = variable_end(units, index)
            continue
        if not (c in STRETCH or is_of_spaced_word(c)) or kind == "d" or c == "'" and closes(units, index):
            break
        if c == "@" and units[index + 1:] and units[index + 1][2] == "{":
            break                                                   # AmigaGuide markup
        if c == "(":
            depth += 1
        if c == ")":
            if not depth:
                break
            depth -= 1
        if c == "@":
            last = index + 1
    return last


def text_of(units):
    """Returns the text that units read."""
    return "".join(unit[2] for unit in units)


def literal_end(units, begin):
    """Returns the index after an IP literal in brackets, or None."""
    close = begin
    while close < len(units) and units[close][2] != "]":
        close += 1
    if close == len(units):
        return None
    inside, _, zone = text_of(units[begin + 1:close]).partition("%")
    if "%" in text_of(units[begin + 1:close]) and not re.fullmatch(r"(?:25)?[A-Za-z0-9\-._~%]+", zone):
        return None
    return close + 1 if grammar.literal(inside) else None


def continues(rest, before, hidden=""):
    """Returns whether a non-ASCII letter continues a label that began with an ASCII letter or digit (B-UNI-2).

    `hidden` is the text after an escape that ends this reading.
    """
    whole = rest + hidden
    label = re.match(r"[^.:/?#@\[\]\s]*", whole).group()
    others = [c for c in label if c > "\x7f"]
    tail = whole[len(label):]
    is_like = all(letters.is_alnum(c) or c in "-_~%" or latin_like(c) and letters.is_letter(c) for c in label)
    begins = tail[:1] == "." and (re.match(r"[A-Za-z]", tail[1:]) or latin_like(tail[1:2]) and letters.is_letter(tail[1:2]))
    if latin_like(label[0]) and "." in before and not begins:
        # The last label of several ends at the first character that is none of its own.
        size = next((i for i, c in enumerate(whole) if not (letters.is_alnum(c) or c in "-_~%" or latin_like(c) and letters.is_letter(c))), len(whole))
        stop = whole[size:size + 1]
        after = whole[size + 1:size + 2]
        if stop == ".":
            return not (letters.is_word(after) or after == "%")
        return not (stop > "\x7f" and letters.is_letter(stop))
    if is_like and latin_like(label[0]) and begins:
        return True
    plain = all(letters.is_alnum(c) or c in "-_~%" or letters.is_letter(c) for c in label)
    if plain and latin_like(label[0]) and all(latin_like(c) for c in others) and re.match(r"\.[A-Za-z]", tail):
        return True
    if "." in before or before.lower() == "localhost":
        return False
    word = re.match(r"(?:[A-Za-z0-9\-]|[^\x00-\x7f])*", whole).group()
    for index, c in enumerate(word):
        if c > "\x7f" and not letters.is_letter(c):
            word = word[:index]
            break
    tail = whole[len(word):]
    return tail[:1] == "/" or tail[:1] == "." and letters.is_word(tail[1:2])


WIDE_DOTS = "。．｡"


def completes(name, rest):
    """Returns whether a dot of IDNA after an ASCII name belongs to the host (B-UNI-2)."""
    if "." in name or name.lower() == "localhost":
        return False
    found = re.match(r"[A-Za-z0-9\-]+(?:[.。．｡][A-Za-z0-9\-]+)*(?=[/: \t\r\n]|\Z)", rest)
    return bool(found) and len(found.group().encode()) < 256 and \
        re.split("[.。．｡]", found.group())[-1].lower() in bjoin.TLD


def host_end(units, begin, hidden=""):
    """Returns the index after the host and port that begin at an index; `hidden` as in `continues`."""
    index = begin
    if index < len(units) and units[index][2] == "[":
        end = literal_end(units, index)
        if end is None:
            return index
        index = end
    label, port = "]" if index > begin else "", False
    while index < len(units):
        c, kind = units[index][2], units[index][3]
        if c == "":
            index += 1
            continue
        if kind == "d":
            break
        if c in HOST:
            if c == ".":
                label = ""
            else:
                label = label or c
            port = port or c == ":"
            index += 1
            continue
        if c <= "\x7f" or port:
            break
        if label and letters.is_symbol(label):
            if not (letters.is_letter(c) or letters.is_symbol(c) or letters.is_modifier(c)):
                break
        elif label and letters.is_alnum(label) and c in WIDE_DOTS and completes(
                text_of(units[begin:index]), text_of(units[index + 1:])):
            label = ""
        elif letters.is_symbol(c):
            if label:
                break
            label = c
        elif letters.is_letter(c):
            if not label:
                label = c
            elif not ("\u00c0" <= c <= "\u024f" or label > "\x7f"
                      or continues(text_of(units[index:]), text_of(units[begin:index]), hidden)):
                break
        else:
            break
        index += 1
    return index


def is_host(host, literal):
    """Returns whether a text without a port is a host (B-HOST)."""
    if literal:
        return True
    if not host:
        return False
    first = host[0]
    if not (letters.is_alnum(first) or first in "%_" or first > "\x7f"):
        return False
    if re.search(r"%(?![0-9A-Fa-f]{2})", host):
        return False
    return any(letters.is_word(c) for c in host)


MARK = re.compile(rb"\$[A-Za-z0-9{(]|%[sdSv]|\{|<(?P<name>[A-Za-z0-9_\-]{1,64})>(?=[/:.A-Za-z])|"
                  rb"(?i:\[\.\]|\(\.\)|\{\.\}|\[dot\]|\(dot\)|\[:\])(?=[A-Za-z0-9])")


AFTER_HOST = re.compile(rb"\$(?:[A-Za-z0-9_]{1,64}|\{[A-Za-z0-9_]{1,64}\})(?![A-Za-z0-9_.\-:$@{%\[(])")


def is_mark(text, at, host=""):
    """Returns whether the mark of a placeholder or defanged host is here (B-NOHOST)."""
    if AFTER_HOST.match(text, at) and re.search(r"\.[A-Za-z]{2,}$", host):
        return False
    found = MARK.match(text, at)
    if not found:
        return False
    name = found.group("name")
    return not (name and name.decode().lower() in ELEMENTS)
