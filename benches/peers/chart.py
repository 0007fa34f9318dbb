"""Draws a bar chart of the speeds for the README, once for light pages and once for dark ones."""

from html import escape

# Light and dark: text, faint text, urlgrep's bar, the others'.
COLOURS = {"light": ("#1f2328", "#59636e", "#0969da", "#d1d9e0"), "dark": ("#f0f6fc", "#9198a1", "#4493f8", "#3d444d")}
NAMES = {
    "urlgrep": "urlgrep",
    "ripgrep": "ripgrep",
    "grep": "GNU grep",
    "linkify": "linkify",
    "regex": "regex crate",
    "hyperscan": "Hyperscan",
}
TITLES = {"archive": "archives of mail and news", "mail": "prose with a few links", "nourl": "prose without a URL", "dense": "a list of links"}

WIDTH, BAR, GAP = 800, 16, 6
LABELS, FIGURES = 110, 90


def write(rows, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in COLOURS:
        (folder / f"speed-{scheme}.svg").write_text(drawing(rows, scheme), encoding="utf-8")


def drawing(rows, scheme):
    text, faint, own, other = COLOURS[scheme]
    parts, y = [], 18
    for row in rows:
        programs = sorted(row.programs.items(), key=lambda item: -item[1].speed)
        fastest = programs[0][1].speed
        parts.append(label(0, y, TITLES[row.text.name], text, weight="600"))
        y += 12
        for name, measured in programs:
            length = (WIDTH - LABELS - FIGURES) * measured.speed / fastest
            is_own = name == "urlgrep"
            middle = y + BAR - 4
            parts.append(label(LABELS - 8, middle, NAMES[name], text if is_own else faint, anchor="end"))
            parts.append(
                f'<rect x="{LABELS}" y="{y}" width="{max(length, 1):.1f}" height="{BAR}" rx="3"'
                f' fill="{own if is_own else other}"/>'
            )
            parts.append(label(LABELS + length + 8, middle, figure(measured.speed), text if is_own else faint))
            y += BAR + GAP
        y += 20
    title = "Text searched in a second of CPU time, by urlgrep and others"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y - 14}" width="{WIDTH}" height="{y - 14}"'
        f' role="img" font-family="system-ui, sans-serif" font-size="13">\n<title>{escape(title)}</title>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def figure(speed):
    return f"{speed:.1f} GB" if speed >= 0.95 else f"{speed * 1000:.0f} MB"


def label(x, y, words, fill, anchor="start", weight="400"):
    return (
        f'<text x="{x:.1f}" y="{y}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}">{escape(words)}</text>'
    )
