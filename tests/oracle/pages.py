"""The links of pages by Python's own HTML parser: pages.py FOLDER prints a line of JSON for each file in it: its name, and
each reference or URL in an attribute as [element and attribute, reference, the resolved URL of a relative reference]."""

import json
import os
import re
import sys
from html.parser import HTMLParser
from urllib.parse import urljoin

# The attributes of type %URI; in HTML 4.01, those of the HTML standard, and those of old browsers and gateways of mail.
REFERENCES = {
    "action", "background", "cite", "classid", "codebase", "data", "dynsrc", "formaction", "href", "longdesc",
    "lowsrc", "manifest", "o:href", "originalsrc", "poster", "src", "usemap", "xlink:href",
}
LISTS = {"archive", "ping", "profile"}
CANDIDATES = {"srcset", "imagesrcset"}
ONLY_OF = {
    "archive": {"applet", "object"},
    "classid": {"object"},
    "codebase": {"applet", "object"},
    "content": {"meta"},
    "data": {"object"},
    "profile": {"head"},
}
# Attributes that name a term of a vocabulary, and those whose URLs are of no kind attribute, or are not compared.
VOCABULARIES = {
    "about", "itemid", "itemtype", "prefix", "profile", "property", "rel", "resource", "type", "typeof", "vocab", "xmlns",
}
NOT_COMPARED = {"alt", "srcdoc", "style"}
IN_TEXT = re.compile(r"""(?:https?|ftp)://[^\s"'<>]*[^\s"'<>.,;:!?)]""", re.IGNORECASE)
REFRESH = re.compile(r"""\s*[0-9.]+[\s;,]+(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))""", re.IGNORECASE | re.DOTALL)
# A scheme has two letters or more, since one letter is a drive, as in `C:`.
SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]+:")
# Characters that a browser drops around a reference, and inside it.
AROUND = "".join(map(chr, range(33)))
INSIDE = re.compile("[\t\n\r]")


def candidates(value):
    while found := re.match(r"[\s,]*(\S+)", value):
        yield found[1].rstrip(",")
        value = value[found.end() :]
        if not found[1].endswith(","):
            value = re.sub("^[^,]*", "", value)


def others(name, value):
    """Returns the URLs in an attribute that is no reference."""
    is_name = name.startswith("xmlns:") or name.split(":")[-1] in VOCABULARIES
    return [] if is_name or name in NOT_COMPARED else IN_TEXT.findall(value)


def references(tag, name, value, attributes):
    if tag not in ONLY_OF.get(name, {tag}):
        return others(name, value)
    if name == "content":
        if attributes.get("http-equiv", "").strip().lower() == "refresh":
            found = REFRESH.match(value)
            return [found[found.lastindex]] if found else others(name, value)
        return [value] if re.fullmatch(r"\s*https?://\S*\s*", value, re.IGNORECASE) else others(name, value)
    if name in LISTS:
        return re.split(r"[\s,]+", value)
    if name in CANDIDATES:
        return candidates(value)
    is_program = name == "classid" and value.lower().startswith("clsid:")
    if name not in REFERENCES:
        return others(name, value)
    return [] if is_program else [value]


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.links, self.base = [], None

    def handle_starttag(self, tag, attributes):
        first = {}
        for name, value in attributes:
            first.setdefault(name, value or "")
        for name, value in first.items():
            for reference in references(tag, name, value, first):
                reference = INSIDE.sub("", reference.strip(AROUND))
                # `#top` is a place in the page itself.
                if reference and not reference.startswith("#"):
                    self.links.append([f"{tag} {name}", reference])
                if reference and (tag, name) == ("base", "href"):
                    self.base = self.base or reference

    def resolved(self, reference):
        is_known = self.base and SCHEME.match(self.base) and not SCHEME.match(reference)
        return urljoin(self.base, reference) if is_known else None


def main(folder):
    paths = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]
    for path in sorted(paths):
        page = Page()
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            page.feed(file.read())
        page.close()
        links = [[*link, page.resolved(link[1])] for link in page.links]
        print(json.dumps([os.path.relpath(path, folder), links]))


if __name__ == "__main__":
    main(sys.argv[1])
