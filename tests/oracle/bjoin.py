#!/usr/bin/env python3
"""B-JOIN a second time, independent of the crate: does the next line continue a hard-wrapped bare URL?

The specification, sections 7.5.2 to 7.5.7 (src/spec/bjoin.md), in Python and nothing but its standard library. Runs,
brackets, B-END and markers have a simpler form here than in the specification, and hosts are ASCII.

    decide(text: bytes, end_of_run: int, start: int | None = None) -> (verdict, pieces)

end_of_run  raw end of a bare or prefixed run (B-RUN-1, before B-END trims it).
verdict     "NONE"    the run stays as it is;
            "FAIR"    the joined reading is offered as an alternative, the unjoined one stays first;
            "STRONG"  the joined reading is preferred, the unjoined one is the alternative.
pieces      byte ranges [(start, end), ...]; their concatenation is the joined URL, already trimmed by B-END
            (one range when the verdict is NONE).

It is pure and bounded: it reads at most 4096 bytes and 16 lines before the line of the URL and 4096 bytes and 8 lines
after it. Several breaks in a row are decided one by one; the chain goes on while each break is at least as good as the
first one; after a STRONG one, 4 points are enough.

    bjoin.py < text                 the URLs of a text that go on, with the verdict
    bjoin.py --vectors join.jsonl   checks the vectors; exit status 1 if one disagrees
"""
import json
import re
import sys

LINES_BEFORE, LINES_AFTER, BYTES_SIDE, MAX_BREAKS = 16, 8, 4096, 16
STRONG, GOES_ON, FAIR = 6, 4, 3                                    # thresholds of the score
NARROWEST = 8                                                      # of a piece between two breaks of a strong chain
NARROW = 46                                                        # of head and line together: nobody wraps so narrowly

KNOWN = b"https?|ftp|gopher|nntp|telnet|wais|file|prospero"
SCHEME = re.compile(rb"(?i)(?:(?:" + KNOWN + rb"|[a-z][a-z0-9+.\-]{1,31})://|(?:mailto|news):)")
LIST = re.compile(rb"(?i)[,;](?:" + KNOWN + rb")://")
STOP = frozenset(b" \t\r\n\x0b\x0c<>\"`\\^|") | frozenset(range(0x20)) | {0x7F} | frozenset(range(0x80, 0x100))
PAIR = {0x29: 0x28, 0x5D: 0x5B, 0x7D: 0x7B}
OPEN = {0x28: b")", 0x5B: b"]", 0x7B: b"}", 0x22: b'"', 0x27: b"'", 0x3C: b">", 0x60: b"'`"}
EXT = frozenset((
    "html htm shtml xhtml phtml asp aspx jsp php php3 php4 cgi cfm pl py idc dll nsf dtl jhtml do txt text doc rtf pdf ps eps dvi tex faq "
    "xml rss rdf css js json svg jpg jpeg gif png bmp ico mp3 mpg mpeg avi mov wav au ram zip gz tgz z bz2 xz tar lha lzh arj rar hqx sit sea "
    "exe bin iso img rpm deb jar diff patch asc sig pgp md5 c h cc cpp java el tcl sh bat log map cfg conf md rst csv xls ppt git").split())
TLD = frozenset((
    "com org net edu gov mil int arpa info biz ac ad ae af ag ai al am an ao aq ar as at au aw az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz "
    "ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq "
    "gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc "
    "md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re "
    "ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr st su sv sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg "
    "vi vn vu wf ws ye yt za zm zw").split())
GENERIC = frozenset("com org net edu gov mil int info biz".split())
# words that begin or continue a sentence after a URL; a lone one of these is never the rest of a URL
PROSE = frozenset((
    "a about after all also an and any are as at be because been but by can could did do does for from get had has have he her here him his how i if "
    "in into is it its just like look may me more my no not now of on one only or our out over page please see she site so some such text than thanks that the "
    "their them then there these they this those through to too try under until up us use was we were what when where which who why will with "
    "would yes you your").split())


# ---- small tools ------------------------------------------------------------------------------------------------
def width(b):
    """columns: tabs to 8, one per UTF-8 character, trailing blanks not counted"""
    n = 0
    for c in b.rstrip(b" \t\r"):
        n = n + 8 - n % 8 if c == 9 else n + ((c & 0xC0) != 0x80)
    return n


def eol(t, i):
    while i < len(t) and t[i] not in b"\r\n":
        i += 1
    return i


def after_eol(t, i):
    return i + 2 if t[i:i + 2] == b"\r\n" else i + 1


def bol(t, i):
    while i > 0 and t[i - 1] not in b"\r\n":
        i -= 1
    return i


def run_end(t, i, lim, cnt):
    """end of the run of URL bytes (B-RUN-1); cnt = open brackets so far, shared by the pieces of one URL"""
    while i < lim:
        c = t[i]
        if c in STOP:
            break
        if c in PAIR:
            if not cnt.get(PAIR[c]):
                break
            cnt[PAIR[c]] -= 1
        elif c in b"([{":
            cnt[c] = cnt.get(c, 0) + 1
        elif c in b",;" and LIST.match(t, i):
            break
        i += 1
    return i


ENTITY = re.compile(rb"&(?:lt|gt|quot|apos|nbsp|#39|#34);$")


def trim(u, prev):
    """B-END: number of bytes of u that stay"""
    n = len(u)
    while n:
        c = u[n - 1]
        m = ENTITY.search(u[:n]) if c == 0x3B else None
        if m:
            n = m.start()
        elif c in b".,;:!?([{" or (c == 0x27 and (u[:n].count(b"'") % 2 or prev == 0x27)) or (c in b"*_~" and prev == c):
            n -= 1
        else:
            break
    return n


MARK = re.compile(rb"[ \t]*(?:([A-Za-z]{1,5}>)|(>)|([|:])(?=[ \t\r\n]|$)|(;+|#+|%+|/\*\*?|\*|//[/!]?|--)(?=[ \t\r\n]|$))")


def markers(t, i, end):
    """[(kind, offset after it)]: reply markers (W-PFX-1), then at most one comment marker"""
    out, first = [], True
    while True:
        m = MARK.match(t, i, end)
        if not m or (m.group(1) and not first):
            return out
        kind = m.group(1) or m.group(2) or m.group(3) or (b"*" if b"*" in m.group(4) else b"//" if m.group(4)[:2] == b"//" else m.group(4)[:1])
        i = m.end()
        out.append((kind, i))
        if m.group(4):
            return out
        first = False


def content(t, ls, le, ref=None):
    """(offset of the first content byte, reply depth, surplus): markers and blanks taken off.
    With ref (the markers of the first line) only those are taken off, and '>' of any number; surplus = another marker is left"""
    p, depth, surplus, k = ls, 0, False, 0
    for kind, q in markers(t, ls, le):
        reply = kind == b">" or kind.endswith(b">")
        if ref is not None and not reply:
            if k >= len(ref) or kind not in ref:
                surplus = True
                break
        depth += reply
        p, k = q, k + 1
    while p < le and t[p] in b" \t":
        p += 1
    return p, depth, surplus


# ---- the evidence -----------------------------------------------------------------------------------------------
def ext_of(s):
    m = re.search(rb"\.([A-Za-z][A-Za-z0-9]{0,5})$", s)
    return m.group(1).decode().lower() if m else ""


def host_like(s):
    """freshmeat.net, gopher.eff.org: dotted labels that end in a top-level domain"""
    m = re.fullmatch(rb"(?i)[a-z0-9\-]+(?:\.[a-z0-9\-]+)*\.([a-z]{2,4})", s)
    return bool(m) and m.group(1).decode().lower() in TLD and (m.group(1).decode().lower() in GENERIC or ext_of(s) not in EXT)


def shape(tok, tail):
    """how far the first token of the next line looks like the inside of a URL: 0 not at all, 1 a bare fragment, 2 likely, 3 nothing else.
    tok = the token trimmed by B-END, tail = what follows it on its line (blanks kept)"""
    alone = not tail.strip(b" \t.,;:!?)]}\"'>")
    if tok == b"/":
        return 1 if alone else 0
    if not tok or not re.search(rb"[A-Za-z0-9]", tok):
        return 0
    c = tok[:1]
    ext = ext_of(tok)
    if re.match(rb"\*&[A-Za-z0-9_.\-]+=", tok):
        return 3                                                               # state= + *&q=
    if c not in b"%" and re.match(rb"[^A-Za-z0-9]", tok):                  # a leading mark must be one that URLs have there
        ok = {b"/": rb"/[A-Za-z0-9~._%?\-]", b"?": rb"\?[A-Za-z0-9_%]", b"&": rb"&(amp;)?[A-Za-z0-9_.%\-]+=", b"=": rb"=[A-Za-z0-9%]",
              b"#": rb"#[A-Za-z_]", b"~": rb"~[A-Za-z]", b"_": rb"_[A-Za-z0-9]", b"-": rb"-[A-Za-z0-9]", b"+": rb"\+[A-Za-z]",
              b".": rb"\.[A-Za-z0-9]", b";": rb";[A-Za-z]+=", b":": rb":[0-9]+(/|$)", b",": rb",[0-9]"}.get(c)
        if not ok or not re.match(ok, tok):
            return 0
        if c in b"&=~;":
            return 3
        if c == b".":
            if re.fullmatch(rb"\.[A-Za-z0-9]+", tok):
                return 3 if ext in EXT else 0
            return 3 if ext in EXT or re.search(rb"[%=&/]", tok) else 2
        if c == b"/":
            if ext in EXT or re.search(rb"[0-9_%~?=&]|/.*/", tok[1:]):
                return 3
            if tok.count(b"/") > 1:
                return 3 if alone else 2
            return 1 if re.match(rb"/[A-Z][a-z]*$", tok) or not alone else 2
        if c in b"?#":
            return 3 if b"=" in tok else 2
        if c in b"-+,":
            return 2 if ext in EXT or re.search(rb"[/=&%_]", tok) else 0
        return 3 if ext in EXT or re.search(rb"[/=&%]", tok) else 2 if alone else 1     # '_' ':'
    if re.search(rb"%[0-9A-Fa-f]{2}", tok) or re.search(rb"[?&][A-Za-z0-9_.\-]+=", tok):
        return 3
    if c == b"%":
        return 0
    if host_like(tok):
        return 0
    stops = alone or re.match(rb"[)\]}\"'>]|[.,;:!?]+([)\]}\"'>]|[ \t]+[A-Z(\[]|$)", tail)    # something closes right after the token
    if b"/" in tok:
        if ext in EXT or re.search(rb"[_~?]", tok) or tok.count(b"/") > 1:
            return 3
        if re.search(rb"[0-9]", tok):
            return 3 if stops else 2
        return 2 if stops or re.match(rb"[a-z0-9+.\-]+/$", tok) else 1 if tok[:1].islower() else 0
    if b"=" in tok:
        if re.match(rb"[A-Za-z0-9_.\-\[\]]+=([A-Za-z0-9%]|$)", tok):
            return 3
        if ext not in EXT:
            return 1
    m = re.search(rb"\.([A-Za-z]{2,5})[?#]", tok)
    if m and m.group(1).decode().lower() in EXT:
        return 3
    if ext in EXT:
        return 3 if stops or re.match(rb"[,;:]", tail) or re.search(rb"[_0-9]", tok) else 2
    if re.fullmatch(rb"[0-9]+", tok):
        return 1 if alone else 0
    if re.fullmatch(rb"[0-9\-()+.]+", tok):                                    # telephone numbers, dates
        return 1 if alone and b"." in tok else 0
    mixed = re.search(rb"[0-9]", tok) and re.search(rb"[A-Za-z]", tok)
    if re.search(rb"[A-Za-z0-9]_[A-Za-z0-9]", tok):
        return 2
    if re.search(rb"[A-Za-z0-9]\.[A-Za-z0-9]", tok):
        return 2 if stops or tok.count(b".") > 1 and mixed else 1
    if tok in (b"README", b"INDEX", b"FAQ"):
        return 2 if alone else 1
    if mixed and not re.search(rb"[()\[\]{}]", tok):
        return 2 if alone else 0
    if tok.decode("latin-1").lower() in PROSE:
        return 0
    if alone:
        if tok.count(b"-") > 1:
            return 2
        return 1 if tok[:1].islower() or tok.isupper() or len(tok) <= 2 or re.search(rb"[a-z][A-Z]", tok) else 0
    return 0


def ask(head, a0, tok, raw):
    """how much the end of the first half asks for more.  head = scheme to raw end, a0 = where its authority starts, raw = raw token.
    None = the two halves cannot belong together"""
    last, body = head[-1:], head[a0:]
    nxt = raw[:1]
    m = re.search(rb"%([0-9A-Fa-f]?)$", head)
    if m:
        return 4 if re.match(rb"[0-9A-Fa-f]" if m.group(1) else rb"[0-9A-Fa-f]{2}", raw) else None
    if not re.search(rb"[/?#]", body):                                         # the break is inside the authority
        if nxt in b"/?:#":
            return 0
        if last in b",;:!?'*()":
            return None
        host = body.split(b"@")[-1]
        joined = re.match(rb"[A-Za-z0-9.\-]*", host + raw).group().rstrip(b".")
        top = joined.rsplit(b".", 1)[-1].decode().lower()
        if b"." not in joined or top not in TLD:
            return None
        labels = host.rstrip(b".").decode("latin-1").lower().split(".")
        had = labels[-1]
        if last in b".-" or nxt == b".":
            if not re.match(rb"\.?[a-z0-9\-]+(\.[a-z0-9\-]+)*(/|:[0-9]|$)", tok) or had in TLD and len(labels) > 1 and b"/" not in tok:
                return None
            return 3 if b"/" in tok or b"." in tok or top in GENERIC else None
        lead = re.match(rb"[a-z]*", raw).group().decode()
        if b"." in host and lead and top == had + lead and top in GENERIC:
            return 3                                                           # www.howardsbook.c + om/
        if had in TLD and len(labels) > 1 + (labels[0] == "www"):
            return None                                                        # www.leftbank.com + TCP/IP
        return 1 if nxt.isalnum() and b"." in raw else None
    if (re.search(rb"[^A-Za-z0-9]{3}$", head) or re.search(rb"([-_=*+~#])\1$", head)) and not re.match(rb"[?&][A-Za-z0-9_.\-]+=", raw):
        return -3                                                              # ...r?r_____ : a ruled line, dots
    if last == b"=":
        return 3 if re.match(rb"[A-Za-z0-9%&+/\-]|[*]&[A-Za-z0-9_.\-]+=", raw) else -3
    if last == b"&":
        return 3 if re.match(rb"[A-Za-z0-9_.%\-\[\]]+=|amp;", raw) else 1 if re.match(rb"[A-Za-z0-9_]", raw) else -3
    if last == b"?":
        return 3 if re.match(rb"[A-Za-z0-9_.%\-]+=", raw) else -3
    if last == b"-":
        return 3 if re.match(rb"[A-Za-z0-9]", raw) else -3
    if last in b"+_~":
        return 2 if re.match(rb"[A-Za-z0-9%]", raw) else 0
    if last == b".":
        m = re.match(rb"([A-Za-z0-9]+)", raw)
        return 4 if m and m.group(1).decode().lower() in EXT else 0 if re.search(rb"%[0-9A-F]{2}|[?&=]", raw) or re.match(rb"[0-9]+[._][A-Za-z0-9]", raw) and b"_" in raw else -3
    if last == b";" and re.match(rb"[a-z]+=", raw):
        return 2
    if last in b",;:!*'":
        return 0 if re.search(rb"[?&=]", raw) else -3
    if last == b"/":
        return 1
    seg = re.split(rb"[/?#&=]", head)[-1]
    part = re.search(rb"\.([A-Za-z]{0,4})$", seg)
    lead = re.match(rb"[A-Za-z0-9]*", raw).group()
    if part and lead and (part.group(1) + lead).decode().lower() in EXT:
        return 2 if part.group(1).decode().lower() in EXT else 3               # toc.h + tml; 00.tx + t
    e = ext_of(seg)
    if e in EXT and len(e) > 1 and b"?" not in head:
        if re.match(rb"\.(gz|Z|z|bz2|xz|zip|asc|sig|pgp)\b", raw):
            return 1                                                           # rfc.ps + .gz
        return 0 if nxt in b"?#&;" else -2 if nxt in b"/." else -4             # a complete file name
    return 0


def geometry(t, ls, le, nls, nle, alone, lo, hi):
    """(L, second): width of the broken line, second longest of its neighbours (one outlier is forgiven)"""
    around = list(lines_before(t, ls, lo)) + list(lines_after(t, nle, hi))
    ws = [width(t[a:e]) for a, e in around if not HEADER.match(t, a, e)]
    if not alone:
        ws.append(width(t[nls:nle]))
    ws.sort()
    return width(t[ls:le]), (ws[-2] if len(ws) > 1 else 0)


REQUEST = re.compile(rb"\.(?:[A-Z][A-Z0-9]?|br|fi|nf|sp|in|ti|ne|so)(?=[ \t\r\n]|$)")
DIRECTIVE = re.compile(rb"#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|define|undef|include|error|pragma|line|warning|import)(?=[ \t\r\n(]|$)")
COMMAND = re.compile(rb"\b(?:git (?:clone|pull|fetch|remote add \S+)|svn (?:co|checkout|export|switch)|hg clone|bzr branch)(?:[ \t]+-\S+)*\s+['\"]?$")
HEADER = re.compile(rb"[A-Za-z][A-Za-z0-9\-]*:[ \t]")
LABEL = re.compile(rb"[A-Za-z][\w/.+\-{}\[\]()#]*:$|[A-Z][A-Za-z\-]+:[^/0-9]")
BULLET = re.compile(rb"(?:\(?(?:[0-9]{1,3}|[A-Za-z]|[ivx]{2,4})[.)\]/:]|\[[^\] ]*\]|[-*+o])[ \t]+[^ \t\r\n]")
EMAIL = re.compile(rb"[\w.+\-]+@[\w\-]+(\.[\w\-]+)+$")
URLISH = re.compile(rb"(?i)<?(?:url:)?(?:[a-z][a-z0-9+.\-]*://|mailto:|news:|www\.|ftp\.)")


STARRED = re.compile(rb"[ \t>]*(/?)\*")
LINE_COMMENT = frozenset((b"//", b"#", b";", b"%"))                              # a line without it is no comment any more
TRAILING = re.compile(rb"(?:^|[ \t])(//[/!]?|#+)[ \t]")


def line_comment(t, ls, s, ref):
    """the comment that the URL stands in ends with its line: which marker the next line must have, or None"""
    if ref and ref[-1] in LINE_COMMENT:
        return ref[-1]
    m = TRAILING.search(t, ls, s)
    return None if not m else b"//" if m.group(1)[:1] == b"/" else b"#"


def lines_before(t, ls, lo):
    """the lines before the one that starts at ls, nearest first"""
    for _ in range(LINES_BEFORE):
        if ls <= lo:
            return
        e = ls - (2 if t[max(lo, ls - 2):ls] == b"\r\n" else 1)
        ls = max(bol(t, e), lo)
        yield ls, e


def lines_after(t, e, hi):
    """the lines after the one that ends at e"""
    for _ in range(LINES_AFTER):
        if e >= hi:
            return
        ls = after_eol(t, e)
        e = min(eol(t, ls), hi)
        yield ls, e


def starred_list(t, ls, lo):
    """the lines with `*` that end with the one at ls are the items of a list: the first of them does not begin with `/*`"""
    if not STARRED.match(t, ls):
        return False
    for at in [ls] + [a for a, _ in lines_before(t, ls, lo)]:
        m = STARRED.match(t, at)
        if not m or m.group(1):
            return not m
    return False


def typeset(t, ls, nle, lo, hi):
    """two lines around end in a hyphenated word"""
    lines = list(lines_before(t, ls, lo)) + list(lines_after(t, nle, hi))
    return sum(bool(re.search(rb"[a-z]-[ \t]*$", t[a:e])) and t[after_eol(t, e):hi].lstrip(b" \t")[:1].islower() for a, e in lines) > 1


def one_break(t, s, a0, heads, cnt, e, ref, comment, depth, opener, lo, hi):
    """evidence for the break at e.  Returns (score, end of the piece before, start of the next piece, its raw end, brackets) or None"""
    q = e
    while q < hi and t[q] in b" \t":
        q += 1
    if q >= hi or t[q] not in b"\r\n":
        return None
    ls = bol(t, e)
    nls = after_eol(t, q)
    if nls >= hi:
        return None
    nle = eol(t, nls)
    p, d2, surplus = content(t, nls, nle, ref)
    if p >= nle or surplus or t[p] in STOP:
        return None
    if comment and comment not in [k for k, _ in markers(t, nls, nle)]:
        return None                                                            # `// URL` and code below it
    c2 = dict(cnt)
    end = run_end(t, p, nle, c2)
    raw = t[p:end]
    head = b"".join(t[a:b] for a, b in heads)
    if head[-1:] == b"=" and b"?" not in head and 70 <= e - ls <= 76 and not SCHEME.match(raw) and re.match(rb"[A-Za-z0-9%/._\-]", raw):
        return 9, e - 1, p, end, c2                                            # no URL without a query ends in '=' just there
    # --- Q: quoted-printable that nobody decoded: '=' at the line end is a soft break, not part of the URL -----------
    if qp_residue(t, lo, hi, head, e - ls) and not SCHEME.match(raw):
        return FAIR, e - 1, p, end, c2
    # --- S: sendmail cut a line of 990 bytes and wrote '!' CR LF blank ----------------------------------------------
    if head[-1:] == b"!" and 980 <= e - ls <= 1000 and t[nls:nls + 1] == b" " and p == nls + 1:
        return 9, e - 1, p, end, c2
    # --- V0: the scheme itself is broken -------------------------------------------------------------------------
    if re.fullmatch(rb"(?i)(?:https?|ftp|gopher|telnet|nntp|wais|file|prospero):", head):
        ok = re.match(rb"//(?:[A-Za-z0-9\-]+\.)+[A-Za-z0-9\-]{2,}", raw)
        return (9 if ok else -9, e, p, end, c2)
    if re.fullmatch(rb"(?i)[a-z][a-z0-9+.\-]*://", head):
        ok = re.match(rb"(?:[A-Za-z0-9\-]+\.)+(?:[a-z]{2,})(?:[:/?#]|$)", raw) and trim(raw, 0) == len(raw)
        ok = ok or re.match(rb"(?:[A-Za-z0-9\-]+\.)+[a-z]{2,}[:/?]", raw)
        return (9 if ok else -9, e, p, end, c2)
    tok = raw[:trim(raw, 0)]
    if REQUEST.match(t, nls, nle) or DIRECTIVE.match(t, p, nle):
        return None                                                            # the next line is roff's, or the preprocessor's
    tail = t[p + len(tok):nle].rstrip(b" \t\r")
    rest = t[end:nle].rstrip(b" \t\r")
    alone = not rest.strip(b")]}\"'>.,;:!? \t")
    ra = ask(head, a0 - s, tok, raw)
    closed = bool(opener) and re.match(rb" ?[" + re.escape(OPEN[opener]) + rb"]", rest) is not None
    # --- vetoes --------------------------------------------------------------------------------------------------
    if ra is None or URLISH.match(t, p, nle) or (BULLET.match(t, p, nle) and ra < 3) or LABEL.match(raw):
        return None
    if EMAIL.match(tok.rstrip(b"/")) and ra < 3 and not (closed and b"?" in head):
        return None
    if ra < 3 and raw[-1:] == b"=" and rest[:1] in (b'"', b"'"):
        return None                                                            # name="value"
    if ra < 3 and re.search(rb"::[A-Z]", raw):
        return None                                                            # scope::name
    if opener in (0x22, 0x27, 0x60) and re.search(rb"['`]", head):
        return None                                                            # the quotation ends before the break
    if ra < 3 and re.match(rb"[ \t>]*\*[ \t]", t[nls:p]) and starred_list(t, ls, lo):
        return None                                                            # items of a list that begin with `*`
    named = re.search(rb"[\w\])]=[\"']?$", t[max(lo, s - 40):s])
    if named and re.match(rb"[A-Za-z_][\w:.\-]*=[^&]*$", raw) and ra < 3 and not (closed and raw[-1:] != b"="):
        return None                                                            # KEY=url / KEY=value; name='url' / name='...'
    if re.match(rb"[ \t]*(?:[-=:>|]+[ \t]*)?(?i:<?(?:url:)?[a-z][a-z0-9+.\-]*://)", rest) and not re.search(rb"[?&=%]", tok):
        return None                                                            # a label and its URL
    if re.match(rb"[ \t]+\|[ \t]+(?:[0-9]+|Bin)\b", rest):
        return None                                                            # diffstat
    if re.search(rb"/(?:debian|ubuntu|raspbian)(?:-security|-ports)?$", head) and raw[:1].isalnum():
        return None                                                            # apt: URL suite component
    if head[-1:] == b"/" and re.match(rb"-[A-Za-z][\w.]*=", raw):
        return None                                                            # URL/ -Dname=value
    u = shape(tok, tail)
    if u == 2 and ra == 1 and ext_of(tok) in EXT:
        u = 3                                                                  # directory/ + file.html
    again = len(heads) > 1 and alone and abs(width(t[ls:q]) - width(t[bol(t, heads[-2][1]):heads[-2][1]])) <= 1
    if again and u == 0 and re.match(rb"[A-Za-z0-9]", tok):
        u = 1                                                                  # a third line after two that are equally full
    if tok != b"/" and not re.search(rb"[A-Za-z0-9]", tok):
        return None
    if u == 0 and not (closed and re.fullmatch(rb"[A-Za-z0-9_.\-]+", tok)) and ra < 3:
        return None
    # --- score ---------------------------------------------------------------------------------------------------
    L, second = geometry(t, ls, q, nls, nle, alone, lo, hi)
    boundary = not (head[-1:].isalnum() and raw[:1].isalnum())
    score = (0, 0, 2, 4)[u] + ra
    if 60 <= L <= 100 and L >= second or 980 <= L <= 1000:
        score += 3                                                             # as long as lines get here
    elif L > 100:
        score -= 1
    elif L + len(raw) > max(min(second, 80), 55):                              # the token would not have fitted
        score += 1 if boundary or 60 <= L >= second - 3 else -2
    else:                                                                      # it would have fitted: the author broke here
        score -= 1 if ra >= 3 else 2 if u == 3 else 3
    if alone and len(tok) >= 20:
        score += 1                                                             # no word is that long
    if opener:
        score += 3 if closed else 1
        if closed and ra > 0 and u < 2 and tok[:1].islower():
            score += 1
    if alone:
        score += 1
    elif re.match(rb"(?:[ ]{3}|[ ]*\t)", rest):
        score -= 4                                                             # a table
    elif rest[:1] not in (b" ", b"\t") and not closed and rest[:1] not in b")]}\"'<>":
        score -= 1
    elif t[end - 1:end] in (b")", b"]") or rest[:1] and rest[:1] in b")]}" and rest[1:2].isalnum():
        score -= 3
    if raw[:1] == b"/":
        seg = re.match(rb"/[^/]*/", raw)
        if seg and re.match(rb"[^/]*" + re.escape(seg.group()), head[a0 - s:]):
            score -= 5                                                         # another path on the same host
    ind1, ind2 = width_at(t, ls, content(t, ls, q, ref)[0]), width_at(t, nls, p)
    if ind2 > ind1 and (u < 2 or not boundary):
        score -= 2                                                             # a hard cut never indents
    if ind2 > ind1 and second_file(t, nle, hi, ind2, ref):
        score -= 3                                                             # a directory and the files in it
    if d2 != depth:
        score -= 1 if d2 < depth else 3
    if again:
        score += 2
    before = bol(t, heads[0][0])
    if ra < 3 and COMMAND.search(t[next(lines_before(t, before, lo), [before])[0]:heads[0][0]]):
        score = min(score, STRONG - 1)                                         # git clone URL directory
    if head[-1:] == b"-" and not re.search(rb"[/?#]", head[a0 - s:]) and typeset(t, ls, nle, lo, hi):
        score = min(score, STRONG - 1)                                         # a hyphen of typeset text
    if q - ls + len(head) < NARROW:
        score = min(score, FAIR - 1)                                           # nobody wraps so narrowly
    return score, e, p, end, c2


def width_at(t, ls, p):
    return width(t[ls:p] + b"x") - 1


def second_file(t, nle, hi, ind, ref):
    """the line after next stands at the same indent and is a lone file name too"""
    if nle >= hi:
        return False
    l = after_eol(t, nle)
    e = eol(t, l)
    p, _, s = content(t, l, e, ref)
    tok = t[p:e].split()
    return bool(tok) and not s and width_at(t, l, p) == ind and ext_of(tok[0]) in EXT and not URLISH.match(tok[0])


def qp_residue(t, lo, hi, head, col):
    """the first half ends in '=' at column 64..76 and the text around shows other soft breaks or =XX of quoted-printable"""
    return head[-1:] == b"=" and 60 <= col <= 80 and bool(re.search(rb"=(?:3D|20|09|0D|E[0-9A-F]|C3)|[^=\r\n]=\r?\n[^\r\n]*[^=\r\n]=\r?\n", t[lo:hi]))


def find_start(t, e):
    """start of the run that ends at e: the leftmost scheme on its line whose run reaches e"""
    a = max(bol(t[max(0, e - BYTES_SIDE):e], min(e, BYTES_SIDE)) + max(0, e - BYTES_SIDE), 0)
    for m in SCHEME.finditer(t, a, e):
        if run_end(t, m.end(), e, {}) >= e:
            return m.start()
    m = re.compile(rb"(?i)(?:" + KNOWN + rb"):$").search(t[a:e])
    return a + m.start() if m else None


def decide(text, end_of_run, start=None):
    s = find_start(text, end_of_run) if start is None else start
    if s is None:
        return "NONE", [(end_of_run, end_of_run)]
    base = max(0, s - BYTES_SIDE)                                              # everything below sees this window only
    t = text[base:end_of_run + BYTES_SIDE]
    s, e = s - base, end_of_run - base
    lo, hi = 0, len(t)
    m = SCHEME.match(t, s, e)
    a0 = m.end() if m else e
    prev = t[s - 1] if s else 0
    cnt = {}
    run_end(t, a0, e, cnt)
    ls = bol(t, s)
    ref = [k for k, _ in markers(t, ls, s)]
    comment = line_comment(t, ls, s, ref)
    if comment and comment not in ref:
        ref.append(comment)
    depth = sum(k == b">" or k.endswith(b">") for k in ref)
    opener = prev if prev in OPEN else None
    if opener is None and prev == 0x20 and s > 1 and t[s - 2] in b"([<":
        opener = t[s - 2]
    heads, best = [(s, e)], None
    for _ in range(MAX_BREAKS):
        r = one_break(t, s, a0, heads, cnt, e, ref, comment, depth, opener, lo, hi)
        v = "NONE" if r is None or r[0] < FAIR else "FAIR" if r[0] < STRONG else "STRONG"
        narrow = len(heads) > 1 and e - heads[-1][0] < NARROWEST
        if v == "NONE" or (best == "STRONG" and (r[0] < GOES_ON or narrow)):
            break
        best = best or v
        heads[-1] = (heads[-1][0], r[1])
        heads.append((r[2], r[3]))
        e, cnt = r[3], r[4]
    u = b"".join(t[a:b] for a, b in heads)
    n = len(u) - trim(u, prev)                                                 # B-END over the joined text
    while n:
        a, b = heads[-1]
        k = min(n, b - a)
        heads[-1] = (a, b - k)
        n -= k
        if heads[-1][0] == heads[-1][1]:
            heads.pop()
    if len(heads) < 2:
        best = None
    return best or "NONE", [(a + base, b + base) for a, b in heads] or [(s + base, end_of_run)]


def disagreements(lines):
    """what is wrong with each vector that decide() does not agree with, and the number of vectors"""
    bad, ran = [], 0
    for line in lines:
        v = json.loads(line)
        text, ran = v["text"].encode(), ran + 1
        verdict, pieces = decide(text, v["end_of_run"])
        url = b"".join(text[a:b] for a, b in pieces).decode("latin-1")
        if verdict != v["verdict"] or (verdict != "NONE" and url != v["url"]):
            bad.append("%s is %s %s, not %s %s" % (v["id"], verdict, url, v["verdict"], v["url"]))
    return bad, ran


def main(arguments):
    if arguments[:1] == ["--vectors"]:
        with open(arguments[1], encoding="utf-8") as lines:
            bad, ran = disagreements(lines)
        print("\n".join(bad + ["%d of %d vectors agree" % (ran - len(bad), ran)]))
        return bool(bad)
    data = sys.stdin.buffer.read()
    for m in SCHEME.finditer(data):
        e = run_end(data, m.end(), len(data), {})
        v, p = decide(data, e, m.start())
        if v != "NONE":
            print(v, b"".join(data[a:b] for a, b in p).decode("latin-1"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
