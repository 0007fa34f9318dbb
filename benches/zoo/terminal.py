#!/usr/bin/env python3
"""Draws the first picture of the README from a real run: terminal.py URLGREP FILE.

tmux shows a sign-in link in a narrow pane, which breaks it. urlgrep reads the captured pane.
"""

import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

LINK = "https://login.example.com/oauth/authorize?client=ferry-cli&scope=tides+berths&state=8c41f0e2d7b95a36"
SAID = f"Open this link to sign in:\n\n{LINK}\n\nWaiting for the browser."
COLUMNS, ROWS = 48, 9

# The terminal is dark on light and on dark pages.
GROUND, BAR, EDGE, TEXT, FAINT, BROKEN, WHOLE = "#161b22", "#21262d", "#3d444d", "#e6edf3", "#9198a1", "#ffa657", "#7ee787"
LETTER, LINE, SIZE, MARGIN = 7.8, 20, 13, 16


def main():
    urlgrep, file = sys.argv[1:]
    pane = captured()
    found = subprocess.run([urlgrep, "--no-config"], input=pane, capture_output=True, text=True, check=True).stdout
    if found != f"{LINK}\n" or LINK in pane:
        sys.exit(f"the picture would lie: {pane}{found}")
    Path(file).write_text(drawing(pane.rstrip("\n").split("\n"), found.rstrip("\n")), encoding="utf-8")


def captured():
    """Returns what a pane shows of a program that prints the link."""
    with tempfile.TemporaryDirectory() as folder:
        tmux = ["tmux", "-f", "/dev/null", "-S", f"{folder}/socket"]
        Path(folder, "said").write_text(SAID)
        size = ["-x", str(COLUMNS), "-y", str(ROWS)]
        show = f"printf '$ ferry login\\n'; cat {folder}/said; tmux wait-for -S shown; sleep 60"
        subprocess.run([*tmux, "new-session", "-d", *size, show], check=True)
        subprocess.run([*tmux, "wait-for", "shown"], check=True)
        pane = subprocess.run([*tmux, "capture-pane", "-p"], capture_output=True, text=True, check=True).stdout
        subprocess.run([*tmux, "kill-server"], check=True)
        return pane


def drawing(pane, found):
    width = round(len(found) * LETTER + 4 * MARGIN)
    inner = round(COLUMNS * LETTER + 2 * MARGIN)
    parts = [f'<rect width="{width}" height="HEIGHT" rx="8" fill="{GROUND}" stroke="{EDGE}"/>']
    y = MARGIN
    parts.append(
        f'<rect x="{MARGIN}" y="{y}" width="{inner}" height="{(len(pane) + 1) * LINE}" rx="4" fill="{BAR}" stroke="{EDGE}"/>'
    )
    parts.append(text(inner + 2 * MARGIN, y + LINE, "a pane of tmux, 48 columns", FAINT))
    for line in pane:
        y += LINE
        # A piece of the link fills a line without a blank.
        is_piece = line and line in LINK
        parts.append(text(2 * MARGIN, y, line, BROKEN if is_piece else TEXT))
    y += 3 * LINE
    parts.append(text(2 * MARGIN, y, "$ tmux capture-pane -p | urlgrep", TEXT))
    parts.append(text(2 * MARGIN, y + LINE, found, WHOLE))
    height = y + LINE + MARGIN
    title = "A tmux pane breaks a sign-in link over three lines, and urlgrep prints it whole"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" height="{height + 2}"'
        f' role="img" font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="{SIZE}">\n'
        f"<title>{escape(title)}</title>\n" + "\n".join(parts).replace("HEIGHT", str(height)) + "\n</svg>\n"
    )


def text(x, y, words, fill):
    if not words:
        return ""
    length = f"{len(words) * LETTER:.1f}"
    return f'<text x="{x}" y="{y}" fill="{fill}" textLength="{length}" xml:space="preserve">{escape(words)}</text>'


if __name__ == "__main__":
    main()
