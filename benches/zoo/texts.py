"""The sentences that the programs get, each form of input that they read, and the URLs to be found."""

import csv
import html
import io
import json
import re

# Each paragraph has at most one URL, in double braces. The hosts differ in their first four letters, so that a piece
# of a URL shows which URL it is from.
PARAGRAPHS = """
The night ferry is moved to berth seven; the plan is at {{https://berths.example.org/plans/2026/november}} for now.

Your account waits for you. Sign in with {{https://login.example.com/session/verify?user=ines&token=8c41f0e2d7b95a36&next=%2Fferries%2Fbooking}} before noon, or ask for another link.

Pilots read the notices (see {{https://notices.example.net/channel/outer-buoys_(north)/light-list.html}}) before each trip.

{{https://weather.example.org/forecast/coast/daily?station=lighthouse-3&lang=en}} has the wind of the last six hours.

The crew list moved to <{{https://crew.example.com/~bosun/lists/winter}}>, and the old page is gone.

Ask Marta why the build of the tide tables failed: {{https://build.example.dev/harbour/tide-tables/jobs/4471902/steps/compile/log?full=true#line-218}}

Charts of the bay are sold in the office and at "{{https://charts.example.org/shop/bay-of-whales/sheet-12}}" until spring.

A longer report, with the soundings of the whole summer, lies under {{https://soundings.example.edu/reports/hydrography/2026/summer/harbour-basin/appendix-c/depth-profiles-east-quay.pdf}} and will stay there.

Both cranes are back in service. Details: {{https://cranes.example.net/status/7f3b2c1d-90aa-4e55-b7e1-6a0c2d9f8e41}}.

The talk about ropes is on {{http://museum.example.org:8080/talks/ropes-and-knots/recording?start=00-41-07}} and lasts an hour; bring a pencil.

Do not mail the form. Upload it to {{https://upload.example.com/customs/forms/import/2026/Q4/ref=88-2210-XK?signature=Zk9wQ2xhc3NpYw&expires=1798761600}} by Friday, please.

Members vote on {{https://vote.example.org/m/291}} tonight.

The map server answers under {{https://maps.example.dev/tiles/v3/nautical/11/1087/678.png?style=night,contrast&scale=2}}, even without a key.

If the pump alarms again, open {{https://pumps.example.net/alarms/basin-2/acknowledge/now?by=watch;reason=test}} and wait.

Old logbooks were scanned by volunteers: {{https://archive.example.edu/collections/logbooks/1887/steamer-aurora/pages/0042-0043/view}} is the best one.

Our minutes are short this time, since nobody but the treasurer spoke. {{https://minutes.example.org/2026/11/27/board}}

Dive teams book the chamber at {{https://diving.example.com/chamber/calendar/week/48?team=blue%20squid&confirm=yes}}; each slot is forty minutes long.

The grain ship's papers (three of them) are in {{https://papers.example.net/ships/IMO9319466/documents/bill-of-lading/scan-0001.tif}}, signed and stamped.

Lost keys? Write down the number and see {{https://keys.example.org/found/2026?sort=date&place=ferry-terminal}} or the desk.

Engineers keep the drawing of the lock gates in {{https://drawings.example.dev/r/locks/blob/9e107d9d372bb6826bd81d3542a419d6/gates/upper/hinge.dwg}} since May.

The radio plan for the regatta is final, see {{https://radio.example.com/regatta/channels#vhf-marine-72}}.

Students may use the simulator on weekends; {{https://simulator.example.edu/enrol/course/bridge-watch-2/group/evening?invite=b3JjYQ}} needs a password.

Every invoice of the quay is kept for ten years. The newest is {{https://invoices.example.org/customer/004417/invoice/2026-11-0093/print}}, paid.

Questions about the ice go to the warden, or to {{https://icewatch.example.net/ask?about=thickness&lake=upper&reply=text}} as usual.
""".split("\n\n")

# Nothing here is a URL. They show what a finder makes up.
WITHOUT = """
Write http: in lower case, and keep the two slashes, as in https://, even on a poster.

The option takes host:port (say, localhost:8080), and std::fmt is not a place on the web.

Give and/or take: 11/27 is a date, ratio 3:4 is not a port, and C:/tides/new is a folder.

Call the desk at 555-0142, or note: news are read aloud, file: the paper ones by month.
""".split("\n\n")

LIST = [re.sub(r"\s+", " ", paragraph.strip()) for paragraph in [*PARAGRAPHS, *WITHOUT]]
URLS = [match[1] for paragraph in LIST if (match := re.search(r"\{\{(.*?)\}\}", paragraph))]
PLAIN = [re.sub(r"\{\{|\}\}", "", paragraph) for paragraph in LIST]


def linked(template, quote=lambda text: text):
    """Returns the paragraphs of a markup: text by `quote`, URLs by `template`."""
    parts = (re.split(r"\{\{|\}\}", paragraph) for paragraph in LIST)
    return ["".join(template(part) if at % 2 else quote(part) for at, part in enumerate(some)) for some in parts]


def pod(text):
    return re.sub("[<>]", lambda sign: "E<lt>" if sign[0] == "<" else "E<gt>", text)


def markdown(text):
    return text.replace("<", "").replace(">", "")


def rows():
    return [(f"note {number}", text) for number, text in enumerate(PLAIN, 1)]


def code(text):
    return re.sub("[\"'\\\\]", "", text)


def table(delimiter):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([("name", "note"), *rows()])
    return out.getvalue()


def forms():
    """Returns each form of the sentences by its name."""
    paragraphs = [f"<p>{text}</p>" for text in linked(html.escape, html.escape)]
    page = "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Notes</title></head><body>\n{}\n</body></html>\n"
    roff = [text.replace("\\", "\\e").replace("-", "\\-") for text in PLAIN]
    return {
        "plain": "\n\n".join(PLAIN) + "\n",
        "lines": "\n".join(PLAIN) + "\n",
        "html": page.format("\n".join(paragraphs)),
        "md": "# Notes\n\n" + "\n\n".join(linked(lambda url: f"<{url}>", markdown)) + "\n",
        "rst": "Notes\n=====\n\n" + "\n\n".join(PLAIN) + "\n",
        "adoc": "= notes(7)\nInes Brandt\n:doctype: manpage\n\n== Name\n\nnotes - of the harbour\n\n== Notes\n\n"
        + "\n\n".join(linked(lambda url: f"{url}[]")) + "\n",
        "pod": "=head1 NOTES\n\n" + "\n\n".join(linked(lambda url: f"L<{url}>", pod)) + "\n\n=cut\n",
        "man": ".TH NOTES 7\n.SH NOTES\n" + "\n.PP\n".join(roff) + "\n",
        "mdoc": ".Dd November 28, 2026\n.Dt NOTES 7\n.Os\n.Sh NOTES\n" + "\n.Pp\n".join(roff) + "\n",
        "ms": ".nr PO 0\n" + "".join(f".LP\n{text}\n" for text in roff),
        "tbl": ".TS\nbox tab(|);\nl lw(WIDTHn).\n" + "".join(f"{name}|T{{\n{text}\nT}}\n" for name, text in rows()) + ".TE\n",
        "texi": "\\input texinfo\n@node Top\n@top Notes\n\n" + "\n\n".join(linked(lambda url: f"@url{{{url.replace(',', '@comma{}')}}}")) + "\n@bye\n",
        "csv": table(","),
        "tsv": table("|"),
        "json": json.dumps([{"name": name, "note": text} for name, text in rows()]) + "\n",
        "xml": "<notes>" + "".join(f"<note>{html.escape(text)}</note>" for text in PLAIN) + "</notes>\n",
        "po": 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        + "".join(f"msgid {json.dumps(text)}\nmsgstr \"\"\n\n" for text in PLAIN),
        "py": "".join(f"def note_{number}():\n    \"\"\"{code(text)}\"\"\"\n\n" for number, text in enumerate(PLAIN, 1)),
        "pl": "".join(f"# {text}\nmy $n{number} = '{code(text)}' . lookup('harbour', {number});\n" for number, text in enumerate(PLAIN, 1)),
    }
