"""The finders that are compared, and their scores."""

import collections
import html
import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

RE = r'''https?://[^\s<>"]+'''
NAMES = ["urlgrep", "ripgrep", "linkify", "URI::Find"]

LINKIFY = """
import json, sys
from linkify_it import LinkifyIt
linkify = LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False})
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8", errors="replace").read()
    found = [match.url for match in linkify.match(text) or () if match.schema in ("http:", "https:")]
    print(json.dumps([path, found]))
"""

URI_FIND = """
use URI::Find; use JSON::PP;
for my $path (@ARGV) {
    open my $file, "<:encoding(UTF-8)", $path or die; local $/; my $text = <$file>; my @found;
    URI::Find->new(sub { push @found, $_[1] if $_[1] =~ /^https?:/i; $_[1] })->find(\\$text);
    print JSON::PP->new->ascii->encode([$path, \\@found]), "\\n";
}
"""


@dataclass
class Match:
    url: str
    readings: list = field(default_factory=list)


def search(urlgrep, python, paths):
    """Returns the matches of each finder by its name and the file."""
    paths = [str(path) for path in paths]
    found = {name: collections.defaultdict(list) for name in NAMES}
    for line in run([urlgrep, "--no-config", "--json", "--fields", "file,url,readings", *paths]):
        record = json.loads(line)
        found["urlgrep"][record["file"]].append(Match(record["url"], record["readings"] or []))
    for line in run(["rg", "--no-config", "-aoN", "--no-heading", "--with-filename", "--null", "-e", RE, *paths]):
        path, url = line.split("\0", 1)
        found["ripgrep"][path].append(Match(url))
    for name, command in [("linkify", [python, "-c", LINKIFY]), ("URI::Find", ["perl", "-e", URI_FIND])]:
        for path, urls in map(json.loads, run([*command, *paths])):
            found[name][path] = [Match(url) for url in urls]
    return found


def run(command):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if ran.returncode not in (0, 1):
        sys.exit(f"{command[0]} failed with status {ran.returncode}")
    return [line for line in ran.stdout.decode("utf-8", "replace").split("\n") if line]


@dataclass
class Score:
    """What a finder made of some URLs."""

    whole: int = 0
    among: int = 0  # another reading of a match is the URL
    wrong: int = 0  # a part of the URL, or more than it
    nothing: int = 0
    made_up: int = 0  # matches that stand for none of the URLs

    def add(self, other):
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def count(self):
        return self.whole + self.among + self.wrong + self.nothing

    def percent(self, name):
        return 100 * getattr(self, name) / self.count if self.count else 0.0


def states(output, urls):
    """Returns for each URL how the output has it: `printed`, `broken`, or `cut` if its end is lost."""
    bare = only_letters(output)

    def state(url):
        if url in output:
            return "printed"
        # Frames, breaks and hyphens may stand between any two letters, and escapes for some signs.
        spelled = (url, html.escape(url), url.replace("=", "=3D"))
        return "broken" if any(only_letters(form)[-14:] in bare for form in spelled) else "cut"

    return [state(url) for url in urls]


def only_letters(text):
    return re.sub(r"[^A-Za-z0-9]", "", text)


def score(matches, urls, states):
    """Returns the scores of the printed and of the broken URLs. Each match stands for the URL that begins most alike."""
    of_url = collections.defaultdict(list)
    scores = {"printed": Score(), "broken": Score()}
    for match in matches:
        lengths = [common(match.url.lower(), url.lower()) for url in urls]
        longest = max(lengths)
        # `https://` and two letters.
        if longest < 10:
            scores["printed"].made_up += 1
        else:
            of_url[lengths.index(longest)].append(match)
    for at, (url, state) in enumerate(zip(urls, states)):
        if state == "cut":
            continue
        of = of_url[at]
        into = scores[state]
        if any(match.url == url for match in of):
            into.whole += 1
        elif any(url in match.readings for match in of):
            into.among += 1
        elif of:
            into.wrong += 1
        else:
            into.nothing += 1
    return scores


def common(one, other):
    length = 0
    for a, b in zip(one, other):
        if a != b:
            break
        length += 1
    return length


def versions(urlgrep, python):
    """Returns the finders and their versions, as a sentence has them."""
    first = lambda command: run(command)[0]
    linkify = first([python, "-c", "from importlib.metadata import version; print(version('linkify-it-py'))"])
    uri_find = first(["perl", "-MURI::Find", "-e", "print URI::Find->VERSION"])
    return [first([urlgrep, "--version"]), first(["rg", "--version"]), f"linkify-it-py {linkify}", f"URI::Find {uri_find}"]


def missing(urlgrep):
    """Returns the finders that are not here, and where they come from."""
    absent = [f"{name} (apt-get install {package})" for name, package in [("rg", "ripgrep"), ("perl", "perl")] if not shutil.which(name)]
    if subprocess.run(["perl", "-MURI::Find", "-e1"], stderr=subprocess.DEVNULL).returncode:
        absent.append("URI::Find (apt-get install liburi-find-perl)")
    return absent if Path(urlgrep).exists() else [*absent, f"{urlgrep} (cargo build --release)"]
