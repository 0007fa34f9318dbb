"""Results are checked before anything is timed, and differences are explained afterwards."""

import contextlib
import csv
import hashlib
import io
import json
import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass

from common import MIB, SCHEMES, URLGREP, check_exit, lines, wrong
from programs import urlgrep

# The matches of the peers in a generated piece, checked by hand and pinned (count, start of the SHA-256), since a peer that
# is built wrongly can be fast, too. Peers with the same expression find the same.
RE_FINDS = {"mail": "17776 1aad696f1131c805", "nourl": "217 0f86cbf6fdc3343b", "dense": "248758 871227f0e04224eb"}
LINKIFY_FINDS = {"mail": "16559 fdc8d4717c6e3007", "nourl": "0 e3b0c44298fc1c14", "dense": "231172 5eaaccbbb076ce97"}


@dataclass(frozen=True)
class Answer:
    count: int
    digest: str

    @classmethod
    def of(cls, blocks):
        count, digest = 0, hashlib.sha256()
        for block in blocks:
            count += block.count(b"\n")
            digest.update(block)
        return cls(count, digest.hexdigest())

    def __str__(self):
        return f"{self.count} {self.digest[:16]}"


def answer(command, source=subprocess.DEVNULL):
    with subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE) as child:
        found = Answer.of(blocks_of(child.stdout))
    check_exit(command, child.returncode)
    return found


def blocks_of(stream):
    return iter(lambda: stream.read(MIB), b"")


def blocks(path):
    with open(path, "rb") as file:
        yield from blocks_of(file)


def checked_urlgrep(text):
    """Returns urlgrep's matches in a piece. Checks that one thread, more threads and a pipe find the same in the whole
    text, and that the matches are the planted URLs, if these are known."""
    expected = answer(urlgrep(1).on(text.file))
    for threads in (2, 4):
        if answer(urlgrep(threads).on(text.file)) != expected:
            wrong(f"urlgrep on {text.name}: {threads} threads print something else than one")
    with piped(text.file) as source:
        if answer(urlgrep(2).on("-"), source) != expected:
            wrong(f"urlgrep on {text.name}: from a pipe it prints something else than from the file")
    if text.planted:
        if Answer.of(block for _ in range(text.times) for block in blocks(text.planted)) != expected:
            wrong(f"urlgrep on {text.name}: what it prints is not what was planted")
    return answer(urlgrep(1).on(text.piece))


def checked_peer(peer, text):
    """Returns the peer's matches in a piece. For the user's own text, only their number is checked: it must grow as often
    as the piece repeats."""
    piece = answer(peer.on(text.piece))
    if text.planted:
        expected = (LINKIFY_FINDS if peer.name == "linkify" else RE_FINDS)[text.name]
        if str(piece) != expected:
            wrong(f"{peer.version} on {text.name}: {piece}, not {expected}")
    if not peer.is_slow:
        whole = answer(peer.on(text.file))
        if whole.count != piece.count * text.times:
            wrong(f"{peer.version} on {text.name}: {text.times} pieces of {piece.count} URLs hold {whole.count}")
    return piece


@contextlib.contextmanager
def piped(file):
    """Returns a pipe from which the file can be read."""
    with subprocess.Popen(["cat", file], stdout=subprocess.PIPE) as cat:
        yield cat.stdout


@dataclass(frozen=True)
class Found:
    """A match: the bytes of the text that it covers, and its URL."""

    start: int
    end: int
    url: bytes
    rejoined: bool = False
    is_verbatim: bool = True
    level: str = ""


def found_by_urlgrep(text):
    piece = text.piece.read_bytes()
    matches = b"\n".join(lines(urlgrep(1).on(text.piece, "--csv"))).decode("latin-1")
    for match in csv.DictReader(io.StringIO(matches)):
        start, url = int(match["offset"]), match["url"].encode("latin-1")
        end = start + int(match["length"])
        yield Found(start, end, url, match["rejoined"] == "true", url in piece[start:end], match["level"])


def found_by(peer, text):
    for line in lines(peer.on(text.piece, *peer.offsets)):
        offset, url = line.split(b":", 1)
        yield Found(int(offset), int(offset) + len(url), url)


def paired(ours, theirs):
    """Yields each match of urlgrep with those of the peer at its place: `(our, [their])`, or `(None, [their])`."""
    theirs, at = list(theirs), 0
    for our in ours:
        while at < len(theirs) and theirs[at].end <= our.start:
            yield None, [theirs[at]]
            at += 1
        first = at
        while at < len(theirs) and theirs[at].start < our.end:
            at += 1
        yield our, theirs[first:at]
    for their in theirs[at:]:
        yield None, [their]


def differences(peer, text):
    """Returns the differences by reason: `{why: [example]}`."""
    groups, alone, reach = defaultdict(list), [], 0
    for our, theirs in paired(found_by_urlgrep(text), found_by(peer, text)):
        if our is None:
            alone.append(theirs[0].url)
        elif not theirs:
            groups[why_missed(our, reach)].append(code(our.url))
        elif theirs[0].url != our.url:
            groups[why_different(our, theirs[0])].append(f"{code(theirs[0].url)} for {code(our.url)}")
        for their in theirs[1:]:
            groups["only the peer: a second one inside one of urlgrep's"].append(code(their.url))
        reach = max(reach, theirs[-1].end if theirs else 0)
    for why, url in zip(why_alone(alone), alone):
        groups[why].append(code(url))
    return groups


def why_missed(our, reach):
    if our.start < reach:
        return "only urlgrep: the peer's match before runs over it"
    if our.rejoined:
        return "only urlgrep: put together from several lines"
    if our.level == "none":
        return "only urlgrep: reported with its error"
    if not our.is_verbatim:
        return "only urlgrep: blanks or brackets inside it taken out"
    scheme = our.url.partition(b":")[0].lower().decode("latin-1")
    return f"only urlgrep: `{scheme}:`" if re.fullmatch(SCHEMES, scheme) else "only urlgrep: other schemes"


def why_different(our, their):
    if our.rejoined:
        return "both: urlgrep puts it together from several lines"
    if their.url.startswith(our.url):
        is_marks = not re.search(rb"[0-9A-Za-z\x80-\xff]", their.url[len(our.url) :])
        return "both: the peer leaves marks at its end" if is_marks else "both: the peer runs on into the text"
    return "both: the peer ends it early" if our.url.startswith(their.url) else "both: read otherwise"


def why_alone(urls):
    """Returns the parser's error for each URL that only the peer reports, or nothing if the URL is prose to it."""
    given = b"".join(url + b"\n" for url in urls)
    parsed = subprocess.run([URLGREP, "parse", "--json"], input=given, stdout=subprocess.PIPE).stdout
    for verdict in map(json.loads, parsed.splitlines()):
        error = verdict["error"]
        yield "only the peer: " + (f"no URL, {error['kind']}" if error else "a URL by its form, prose by its place")


def code(url):
    """Returns a URL as a code span of Markdown, cut in the middle if it is long."""
    text = url.decode("utf-8", "backslashreplace").replace("`", "'")
    return f"`{text}`" if len(text) <= 60 else f"`{text[:36]}…{text[-23:]}`"
