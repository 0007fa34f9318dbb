"""Draws what each finder made of the broken and of the whole URLs, once for light pages and once for dark ones."""

from html import escape

from finders import NAMES
from report import breaking, packages_of, total

# Light and dark: text, faint text, found whole, among the readings, wrong, nothing.
COLOURS = {
    "light": ("#1f2328", "#59636e", "#0969da", "#80b3f0", "#d1d9e0", "#f0f2f5"),
    "dark": ("#f0f6fc", "#9198a1", "#4493f8", "#2b5a96", "#3d444d", "#212830"),
}
PARTS = {"whole": "found whole", "among": "among its readings", "wrong": "a shorter or wrong URL", "nothing": "nothing"}
WIDTH, BAR, GAP, LABELS, FIGURES = 800, 16, 6, 110, 60


def write(rows, folder):
    for scheme in COLOURS:
        (folder / f"zoo-{scheme}.svg").write_text(drawing(rows, COLOURS[scheme]), encoding="utf-8")


def drawing(rows, colours):
    text, faint, *fills = colours
    fills = dict(zip(PARTS, fills))
    parts, y = [], 18
    whole = [row for row in rows if row.scores["urlgrep"]["printed"].count]
    count = f"{total(rows, 'urlgrep', 'broken').count:,} URLs that programs of {packages_of(breaking(rows))} packages broke"
    for state, title in [("broken", count), ("printed", f"{total(rows, 'urlgrep', 'printed').count:,} URLs that programs of {packages_of(whole)} packages printed whole")]:
        parts.append(label(0, y, title, text, weight="600"))
        y += 12
        for name in NAMES:
            score = total(rows, name, state)
            x, colour = LABELS, text if name == "urlgrep" else faint
            parts.append(label(LABELS - 8, y + BAR - 4, name, colour, anchor="end"))
            for key, fill in fills.items():
                length = (WIDTH - LABELS - FIGURES) * score.percent(key) / 100
                parts.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{fill}"/>')
                x += length
            parts.append(label(x + 8, y + BAR - 4, f"{score.percent('whole'):.1f}%", colour))
            y += BAR + GAP
        y += 20
    x = LABELS
    for key, words in PARTS.items():
        parts.append(f'<rect x="{x}" y="{y - 14}" width="12" height="12" fill="{fills[key]}"/>')
        parts.append(label(x + 18, y - 4, words, faint))
        x += 40 + 7 * len(words)
    title = "URLs found in what real programs print, by urlgrep and others"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 4}" width="{WIDTH}" height="{y + 4}"'
        f' role="img" font-family="system-ui, sans-serif" font-size="13">\n<title>{escape(title)}</title>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def label(x, y, words, fill, anchor="start", weight="400"):
    return (
        f'<text x="{x:.1f}" y="{y}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'
    )
