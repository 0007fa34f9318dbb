"""Reads bare URLs: where the run ends (B-RUN-1, B-CLOSED, B-UNI-1), what is trimmed (B-END), and the other readings."""
import re

import bjoin
import escapes
import grammar
import hosts
import letters
import sheets
import starts

EXTENSIONS = bjoin.EXT
OPEN, CLOSE = "([{", ")]}"
EXPRESSION = re.compile(rb"(?<=\$)\{\{[^\r\n{}\"<>]{0,128}\}\}")
LONGEST, PARTNER = 8192, 1024
ADDRESSES = ("mailto", "news", "sip", "sips", "xmpp", "im")


class Run:
    """Holds one reading of a run: its units from the scheme on, and the start and end of its authority."""

    def __init__(self, units, a0, p0, host, literal, start):
        self.units, self.a0, self.p0, self.host, self.literal, self.start = units, a0, p0, host, literal, start

    def less(self, end):
        """Returns the run up to an index."""
        return Run(self.units[:end], self.a0, min(self.p0, end), self.host, self.literal, self.start)

    def text(self):
        """Returns the URL that the run reads."""
        return hosts.text_of(self.units)

    def end(self):
        """Returns the offset after the last unit of the reading."""
        return self.units[-1][1] if self.units else 0


class Reader:
    """Reads the URL that a Start begins in a text."""

    def __init__(self, text, start, begin, is_sheet=None):
        self.text, self.start, self.begin = text, start, begin
        self.before = text[begin - 1:begin].decode("latin-1") if begin else ""
        self.dead = False                                           # nothing is a URL here (B-NOHOST, B-JSON)
        self.regular, self.stop = False, 0
        self.hidden = ""                                            # the part of the host that an escape hides (B-UNI-2)
        slashes = start.slashes or b""
        self.is_backslashed = slashes.startswith(b"\\") and slashes.endswith(b"/")
        self.mode = escapes.Mode(
            roff=b"\\" in text and escapes.is_roff(text, begin), slashes=self.is_backslashed,
            props=text[start.colon - 1:start.colon] == b"\\", texinfo=text[:begin].endswith(escapes.LINK_COMMANDS),
            drive=start.scheme == "file" and slashes == b"//" and re.match(rb"/[A-Za-z]:", text[start.after:start.after + 3])
            and (text[start.after + 3:start.after + 4] == b"\\" and "\\" or "/"))
        self.mode.single = self.before == "'"
        self.is_passed = False                                      # a `++` inside the run closes the URL (B-CLOSED)
        self.dead = self.mode.props and self.mode.roff              # B-PROPS
        self.hier = start.slashes is not None
        self.sheet = is_sheet
        self.quoted_end = self.partner = None

    # ---- units
    def closes(self, units, index):
        """Returns whether a `'` closes one right before the URL (B-RUN-1)."""
        return self.before == "'" and not self.is_doubled(units[index][1])

    def is_doubled(self, at):
        """Returns whether the `'` before an offset is doubled, and the URL continues after both (B-RUN-1)."""
        if self.text[at:at + 1] != b"'" or re.compile(rb"[A-Za-z0-9+.\-]{1,32}:").match(self.text, at + 1):
            return False
        return bool(re.compile(rb"[!#-&(*+\-./0-9=?@A-Z\[_a-z{~]").match(self.text, at + 1))

    def in_sheet(self):
        """Returns whether the URL is in a CSV file (B-SHEET)."""
        if self.sheet is None:
            self.sheet = sheets.is_sheet(self.text, self.begin)
        return self.sheet

    def head(self):
        """Returns the units of the scheme and its slashes."""
        text, start = self.text, self.start
        units = [(at, at + 1, chr(text[at]), "p") for at in range(self.begin, start.colon + 1) if text[at] != 0x5C]
        if start.slashes is not None:
            middle = start.colon + 1
            units += [(middle, middle + len(start.slashes), "/", "p"), (start.after, start.after, "/", "p")]
        return units

    def run(self, quoted=False):
        """Reads the longest run: everything up to a byte that ends every run, or up to an authority that ends earlier."""
        self.mode.quoted = quoted
        text, units = self.text, self.head()
        a0 = len(units)
        host, literal, at = "", False, self.start.after
        p0 = a0
        if self.hier:
            authority = hosts.read_units(text, at, self.mode)
            skip = hosts.userinfo(authority, self.closes)
            end = hosts.host_end(authority, skip, self.hidden)
            literal = skip < end and authority[skip][2] == "["
            host = hosts.text_of(authority[skip:end])
            if not literal:
                host = host.split(":")[0]
            if end < len(authority) and authority[end][2] == "," and end > skip and not self.in_sheet() and \
                    self.before not in (",", "\t") and self.start.scheme.lower() in hosts.SEVERAL_HOSTS:
                end = hosts.hosts_end(authority, end)
            self.port_at = end
            units += authority[:end]
            p0 = len(units)
            at = authority[end - 1][1] if end else at
            settings = self.start.scheme.lower() == "sqlserver" and re.match(r";[A-Za-z0-9]{1,64}=", hosts.text_of(authority[end:]))
            names = self.start.scheme.lower() not in grammar.K and re.fullmatch("[A-Za-z0-9]+", hosts.text_of(authority[:end])) and \
                re.match("=[A-Za-z0-9]", hosts.text_of(authority[end:]))
            if end < len(authority) and authority[end][2] and (authority[end][2] in "/?#" or settings or names):
                at = authority[end][0]
            else:
                self.check_port(authority[skip:end], literal)
                if hosts.is_mark(text, authority[end][0] if end < len(authority) else at, hosts.text_of(authority[skip:end])):
                    self.dead = True
                if end >= len(authority):
                    self.check_stop(at)
                return Run(units, a0, p0, host, literal, self.start)
            self.check_port(authority[skip:end], literal)
        limit = self.begin + LONGEST * 2 + 64
        while at < limit:
            unit = escapes.unit(text, at, self.mode)
            if unit is None:
                break
            found = EXPRESSION.match(text, at)
            if found:
                units += [(at + i, at + i + 1, c, "p") for i, c in enumerate(found.group().decode("latin-1"))]
                at = found.end()
                continue
            units.append(unit)
            at = unit[1]
        self.check_stop(at)
        return Run(units, a0, p0, host, literal, self.start)

    def check_port(self, units, literal):
        """Finds a port that begins with a mark of a placeholder (B-NOHOST)."""
        _, colon, port = hosts.text_of(units).partition(":")
        self.dead = self.dead or bool(colon and not literal and re.match(r"%[sdSv]", port))

    def check_stop(self, at):
        """Finds a `\\` that no JSON string would hold, which makes a run of `\\/` a regular expression (B-JSON)."""
        self.stop = at
        if self.is_backslashed and self.text[at:at + 1] == b"\\":
            follows = re.compile(rb"\\+(.?)", re.DOTALL).match(self.text, at).group(1)
            self.regular = not follows or follows not in b"\"'/bfnrtux"
        else:
            self.regular = False

    # ---- the end of a run
    def scan(self, run, beyond):
        """Returns the index where the run ends by B-RUN-1, B-LIST and B-UNI-1. beyond: "stop", "go" at the first letter."""
        units, text = run.units, self.text
        depth = {"(": 0, "[": 0, "{": 0}
        seen_query = decided = False
        hier = self.hier
        for index in range(run.a0, len(units)):
            a, b, c, kind = units[index]
            if index < run.p0 and run.literal and c in "[]":
                continue
            if c == "":
                continue
            if index >= run.p0 and c > "\x7f":
                sign = self.is_sign(run, index)
                if not (letters.is_letter(c) or sign):
                    return index
                if not decided and beyond == "stop":
                    return index
                decided = True
            if decided and index >= run.p0 and self.begins_scheme(run, index, seen_query):
                while units[index - 1][2] > "\x7f" and not letters.is_letter(units[index - 1][2]):
                    index -= 1
                return index
            if c in OPEN:
                if index >= run.p0 and c == "[" and not hier and self.start.scheme in ADDRESSES and units[index - 1][2] != "@":
                    return index
                if index >= run.p0 and c == "[":
                    if re.match(r"\[/[A-Za-z0-9]{1,32}\]", hosts.text_of(units[index:index + 36])):
                        return index
                    if not seen_query and self.list_follows(units, index):
                        return index
                depth[c] += 1
            elif c in CLOSE:
                opener = OPEN[CLOSE.index(c)]
                if not depth[opener]:
                    return index
                depth[opener] -= 1
            elif index >= run.p0:
                if c in "?#":
                    seen_query = True
                elif c in ",;" and not seen_query and self.list_follows(units, index):
                    return index
                elif c == "," and (self.ends_field(index, run) or self.ends_value(units, index)):
                    return index
                elif c == ";" and self.ends_directive(units, index):
                    return index
                elif c == "@" and text[b:b + 1] == b"{":
                    return index
                elif c == "'" and kind == "p" and self.closes(units, index):
                    if not (index and units[index - 1][2] == "'" and self.is_doubled(a)):
                        return index
                elif kind == "d" and not self.mode.quoted:
                    return index
        return len(units)

    def list_follows(self, units, index):
        """Returns whether a K scheme and `://`, or `mailto:`, follows a separator, as the run reads it (B-LIST)."""
        ahead = hosts.text_of(units[index + 1:index + 40])[:16].encode("utf-8", "replace")
        return bool(escapes.K_AHEAD.match(ahead)) or ahead[:7].lower() == b"mailto:"

    def ends_directive(self, units, index):
        """Returns whether the next directive of a content security policy follows a `;` (B-LIST)."""
        found = re.match(r"(?i)[a-z][a-z\-]*-(?:src|src-elem|src-attr|uri|to|action|ancestors)\Z", hosts.text_of(units[index + 1:]))
        return bool(found) and self.text[units[-1][1]:units[-1][1] + 1] == b" " and len(found.group()) <= 32

    def ends_field(self, index, run):
        """Returns whether commas end the URL: it is in a CSV file (B-SHEET)."""
        if self.before in ('"', "'") or sheets.is_in_cell(self.text, self.begin):
            return False
        return self.in_sheet()

    def ends_value(self, units, index):
        """Returns whether a name and `=` precede the URL and follow the comma (B-SHEET)."""
        name = rb"[A-Za-z][A-Za-z0-9_\-.]{0,31}="
        if self.before != "=":
            return False
        ahead = re.match(name, hosts.text_of(units[index + 1:index + 80]).encode("utf-8", "replace"))
        back = re.search(rb"[A-Za-z][A-Za-z0-9_\-.]{0,31}=$", self.text[max(0, self.begin - 40):self.begin])
        return bool(ahead and back)

    def is_sign(self, run, index):
        """Returns whether a character continues the run as letters do (B-UNI-3)."""
        units, c = run.units, run.units[index][2]
        text = hosts.text_of(units[max(run.p0, index - 40):index])
        behind = hosts.text_of(units[index + 1:index + 4])[:1]
        last = text[-1:]
        if c in letters.JOINERS + "·・\u0f0b" and letters.is_plain_letter(last) and letters.is_plain_letter(behind):
            return True
        if c == "–" and letters.is_word(last) and letters.is_word(behind):
            return True
        if c == "‾" and last == "/":
            return True
        if letters.is_symbol(c) or letters.is_modifier(c):
            first = last_index = index
            own = lambda i: letters.is_symbol(units[i][2]) or letters.is_modifier(units[i][2])
            while first > run.p0 and own(first - 1):
                first -= 1
            while first < index and not letters.is_symbol(units[first][2]):
                first += 1
            while last_index + 1 < len(units) and own(last_index + 1):
                last_index += 1
            front = units[first - 1][2] if first else ""
            ahead = hosts.text_of(units[last_index + 1:last_index + 3])
            if front == "/" and first - 1 == run.p0 and any(letters.is_symbol(x) for x in run.host) and letters.is_symbol(units[first][2]):
                return True
            word = lambda x: bool(x) and (letters.is_word(x) or letters.is_symbol(x))
            if letters.is_symbol(units[first][2]) and (word(front) or front and front in "/_-.") and ahead[:1] and \
                    ahead[:1] in "/_-.?#=&" and (word(ahead[1:]) or ahead[1:] and ahead[1:] in "_-%"):
                return True
        tail = text
        while tail and (letters.is_symbol(tail[-1]) or letters.is_modifier(tail[-1])):
            tail = tail[:-1]
        if letters.is_symbol(c):
            return tail[-1:] == "="
        return letters.is_modifier(c) and tail != text and tail[-1:] == "="

    def begins_scheme(self, run, index, seen_query):
        """Returns whether a known scheme with `://` begins here, where no run goes on beyond a letter (B-UNI-1)."""
        units = run.units
        c = units[index][2]
        if not letters.is_alnum(c):
            return False
        last = units[index - 1][2]
        after_letter = last > "\x7f"
        if not after_letter and (seen_query or last == "="):
            return False
        text = hosts.text_of(units[index:])
        found = re.match(r"(?i)((?:blob:|view-source:|jar:){0,4})([A-Za-z0-9+.\-]{1,32})://", text)
        if not found:
            return False
        outer, scheme = found.groups()
        if "jar:" in outer.lower() and "!/" not in text:
            return False
        begin = starts.scheme_at(self.text, units[index + len(outer) + len(scheme)][0])
        return bool(begin) and begin[0] == units[index + len(outer)][0]

    def goes_on(self, run, index):
        """Decides at the first non-ASCII character whether the run continues (B-UNI-1)."""
        units, c = run.units, run.units[index][2]
        rest = hosts.text_of(units[index:])
        letter = c if letters.is_letter(c) else next((x for x in rest if letters.is_word(x)), "a")
        if letters.is_symbol(c) or not letters.is_running(letter):
            return True
        size = 0
        while size < len(rest) and rest[size] > "\x7f" and (letters.is_letter(rest[size]) or self.is_sign(run, index + size)):
            size += 1
        word = rest[:size]
        tail = rest[size:]
        ascii_part = re.match(r"[A-Za-z0-9]*", tail).group()
        tail = tail[len(ascii_part):]
        if len((word + ascii_part).encode()) <= 1024:
            if re.match(r"[/_\-#?=&%]", tail) and not tail.startswith("//") and \
                    (letters.is_word(tail[1:2]) or tail[1:2] and tail[1:2] in "/_-#?=&%~+$@"):
                return True
            if re.match(r"\.[A-Za-z0-9]{2,5}(?![A-Za-z0-9:])", tail):
                return True
        last = units[index - 1][2]
        if last in "/=_-:#?&" and not letters.is_hiragana(letter) and not (last == "/" and index - 1 == run.p0):
            follows = rest[size:size + 1]
            if size == len(rest):
                c, _ = letters.at(self.text, units[-1][1]) if units[-1][1] < len(self.text) else ("", 0)
                follows = c or ""
            return not (follows and follows in letters.STOPS)
        return False

    def unclosed(self, run):
        """Ends the run at brackets that it does not close (B-RUN-1)."""
        units, end = run.units, len(run.units)
        while True:
            cut = None
            stacks = {"(": [], "[": [], "{": []}
            for index in range(run.a0, end):
                c = units[index][2]
                if index < run.p0 and run.literal:
                    continue
                if c and c in OPEN:
                    stacks[c].append(index)
                elif c and c in CLOSE:
                    stack = stacks[OPEN[CLOSE.index(c)]]
                    if stack and units[index][0] - units[stack[-1]][0] <= 1024:
                        stack.pop()
                    elif stack:
                        pass
            for c in OPEN:
                for index in stacks[c]:
                    if index < run.p0:
                        continue
                    if c == "(" and not self.after_extension(units, index, run.p0):
                        continue
                    cut = index if cut is None else min(cut, index)
            if cut is None:
                return run.less(end)
            end = cut

    def after_extension(self, units, index, p0):
        """Returns whether a known file extension stands right before an index."""
        found = re.search(r"\.([A-Za-z0-9]{1,5})$", hosts.text_of(units[max(p0, index - 7):index]))
        return bool(found) and found.group(1).lower() in EXTENSIONS

    def tail_marks(self, run):
        """Removes the `E` of `E<gt>` and the `--` of `-->` (B-RUN-1)."""
        at, said = run.end(), run.text()
        if said.endswith("E") and re.compile(rb"<(?:gt|lt|sol|verbar)>").match(self.text, at):
            return run.less(len(run.units) - 1)
        if said.endswith("--") and self.text[at:at + 1] == b">":
            size = len(said) - len(said.rstrip("-"))
            if len(run.units) - size >= run.p0:
                return run.less(len(run.units) - size)
        return run

    # ---- trimming
    def trim(self, run, only_stops=False, nothing=False):
        """Trims a run by B-END. only_stops, nothing: the parts of it that B-CLOSED allows."""
        units = list(run.units)
        if self.start.scheme == "news" and not self.hier and hosts.text_of(units[run.a0:]).rstrip(".,;:!?)'") == "*":
            return run.less(run.a0 + 1)

        def drop_nothing():
            while len(units) > run.a0 and units[-1][2] == "":
                units.pop()

        drop_nothing()
        while len(units) > run.a0 and not nothing:
            c, kind = units[-1][2], units[-1][3]
            said = hosts.text_of(units)
            rest = hosts.text_of(units[run.a0:])
            if c in ".,;:!?" or kind == "d":
                units.pop()
            elif only_stops:
                break
            elif said.endswith("&&"):
                while units and units[-1][2] in ("&", ""):
                    units.pop()
            elif c in OPEN:
                units.pop()
            elif c == "]" and self.hier and self.drop_label(run, units):
                pass
            elif c == "'" and (rest.count("'") % 2 or self.before in ("'", "`")):
                units.pop()
            elif c == "*":
                size = len(said) - len(said.rstrip("*"))
                left = rest[:len(rest) - size]
                path = hosts.text_of(units[run.p0:])[:-size] if len(units) > run.p0 else ""
                keeps = left.endswith("/") or self.hier and "*" in path
                if keeps and self.before != "*":
                    break
                while units and units[-1][2] in ("*", ""):
                    units.pop()
            elif c in "_~" and self.before == c:
                units.pop()
            elif c == "-" and self.hier and len(units) <= run.p0:
                units.pop()
            else:
                break
            drop_nothing()
        kept = len(units)
        if run.p0 < kept < len(run.units) and run.units[run.p0][2] == ";" and run.units[kept][2] == "!" and \
                self.start.scheme.lower() == "sqlserver":
            return run.less(kept + 1)                               # a password among settings (B-HOSTS)
        return run.less(len(units))

    def drop_label(self, run, units):
        """Drops a final `[...]` if it is the label of a link in AsciiDoc."""
        depth, index = 0, len(units) - 1
        while index >= run.p0:
            c = units[index][2]
            depth += (c == "]") - (c == "[")
            if depth == 0:
                break
            index -= 1
        if index < run.p0 or depth:
            return False
        inside, left = hosts.text_of(units[index:]), hosts.text_of(units[run.p0:index])
        last = left[-1:] or hosts.text_of(units[:index])[-1:]
        if not (letters.is_alnum(last) or last and last in "/_") or "?" in left or index <= run.p0:
            return False
        if inside.count("(") != inside.count(")"):
            return False
        del units[index:]
        return True

    # ---- validation
    def is_url(self, run):
        """Returns whether the trimmed run is a URL (B-HOST, B-MAIL, B-NEWS, B-OPAQUE)."""
        rest = hosts.text_of(run.units[run.a0:])
        scheme = self.start.scheme
        if self.hier:
            if scheme == "file" and rest.startswith("/"):
                return True
            if run.literal:
                authority = hosts.text_of(run.units[run.a0:run.p0])
                return re.fullmatch(r"(?::.*)?", authority[authority.rindex("]") + 1:]) is not None if "]" in authority else False
            if len(run.units) <= run.p0:                            # trimmed into the authority
                return hosts.is_host(rest.split("@")[-1].split(":")[0], False)
            return hosts.is_host(run.host, False)
        if scheme == "mailto":
            return bool(re.search(r".@.", rest, re.DOTALL))
        if scheme == "news":
            return rest == "*" or "@" in rest[1:] or bool(re.match(r"[A-Za-z][^.]*\.", rest))
        if scheme in ("sip", "sips", "xmpp", "im"):
            return bool(re.match(r"[A-Za-z0-9+_%]", rest)) and bool(re.search(r".@.", rest, re.DOTALL))
        if scheme == "magnet":
            return bool(re.match(r"\?xt[=.].", rest))
        if scheme in ("tel", "sms"):
            found = starts.PHONE.match(rest[:32].encode("utf-8", "replace"))
            return bool(found) and len(re.findall(rb"[0-9]", found.group())) >= 5 and not letters.is_alnum(rest[found.end():found.end() + 1] or " ")
        if scheme == "geo":
            return bool(starts.GEO.match(rest.encode()))
        return len(rest) > 1
