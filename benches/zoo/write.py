"""Runs one library of Python: write.py NAME WIDTH, with the sentences on standard input."""

import contextlib
import io
import sys

name, width = sys.argv[1], int(sys.argv[2])
text = sys.stdin.read()
paragraphs = [part for part in text.strip().split("\n\n")]
rows = [[f"note {number}", part] for number, part in enumerate(paragraphs, 1)]
room = width - 16  # what a row of a table leaves to its second column
names = ["name", "note"]


def textwrap_():
    import textwrap

    return "\n\n".join(textwrap.fill(part, width) for part in paragraphs)


def pprint_():
    import pprint

    return pprint.pformat(rows, width=width)


def argparse_():
    import argparse
    import os

    os.environ["COLUMNS"] = str(width)
    parser = argparse.ArgumentParser("notes")
    for number, part in enumerate(paragraphs, 1):
        parser.add_argument(f"--note-{number}", help=part.replace("%", "%%"))
    return parser.format_help()


def mail():
    from email import policy
    from email.message import EmailMessage

    message = EmailMessage(policy.default)
    message["Subject"] = "Notes of the harbour"
    message.set_content(text, cte="quoted-printable")
    return message.as_string()


def rich_table():
    from rich.console import Console
    from rich.table import Table

    table = Table(*names)
    for row in rows:
        table.add_row(*row)
    out = io.StringIO()
    Console(file=out, width=width).print(table)
    return out.getvalue()


def rich_print():
    from rich.console import Console

    out = io.StringIO()
    Console(file=out, width=width).print(text, markup=False)
    return out.getvalue()


def rich_panel():
    from rich.console import Console
    from rich.panel import Panel

    out = io.StringIO()
    Console(file=out, width=width).print(*(Panel(part) for part in paragraphs))
    return out.getvalue()


def tabulate_():
    from tabulate import tabulate

    return tabulate(rows, names, tablefmt="grid", maxcolwidths=[None, room])


def prettytable_():
    from prettytable import PrettyTable

    table = PrettyTable(names, align="l")
    table.max_width["note"] = room
    table.add_rows(rows)
    return table.get_string()


def texttable_():
    from texttable import Texttable

    table = Texttable(max_width=width)
    table.set_cols_dtype(["t", "t"])
    table.add_rows([names, *rows])
    return table.draw()


def beautifultable_():
    from beautifultable import BeautifulTable

    table = BeautifulTable(maxwidth=width)
    for row in rows:
        table.rows.append(row)
    return str(table)


def cli_helpers_():
    from cli_helpers.tabular_output import TabularOutputFormatter

    return "\n".join(TabularOutputFormatter("vertical").format_output(rows, names))


def click_():
    from click import wrap_text

    return wrap_text(text, width, preserve_paragraphs=True)


def html2text_():
    import html2text

    reader = html2text.HTML2Text(bodywidth=width)
    return reader.handle(text)


def inscriptis_():
    from inscriptis import get_text

    return get_text(text)


def icalendar_():
    from icalendar import Calendar, Event

    calendar = Calendar()
    for row, note in rows:
        event = Event()
        event.add("summary", row)
        event.add("description", note)
        calendar.add_component(event)
    return calendar.to_ical().decode()


def vobject_():
    import vobject

    cards = []
    for row, note in rows:
        card = vobject.vCard()
        card.add("fn").value = row
        card.add("n").value = vobject.vcard.Name(given=row)
        card.add("note").value = note
        cards.append(card.serialize())
    return "".join(cards)


def yaml_():
    import yaml

    return yaml.safe_dump([{"name": row, "note": note} for row, note in rows], width=width)


def fpdf_():
    from fpdf import FPDF

    pdf = FPDF(unit="pt", format=(width * 6 + 20, 2000))  # Courier at 10 points: 6 points a letter
    pdf.set_margin(8)
    pdf.add_page()
    pdf.set_font("Courier", size=10)
    for part in paragraphs:
        pdf.multi_cell(0, 12, part, align="L", new_x="LMARGIN", new_y="NEXT", wrapmode="CHAR")
        pdf.ln()
    sys.stdout.buffer.write(pdf.output())
    return ""


def pyte_():
    import pyte

    screen = pyte.Screen(width, 300)
    pyte.Stream(screen).feed(text.replace("\n", "\r\n"))
    return "\n".join(line.rstrip() for line in screen.display).rstrip()


with contextlib.suppress(BrokenPipeError):
    written = globals().get(name, globals().get(f"{name}_"))()
    sys.stdout.write(written if written.endswith("\n") or not written else f"{written}\n")
