"""Draws the domains that most other domains of a crawl link to: ``python draw_hosts.py RESULTS > hosts.svg``."""

import sys
from collections.abc import Iterable
from html import escape

import duckdb

from urlgrep import graph

STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #1f2328 } .few { fill: #59636e } rect { fill: #0969da }
@media (prefers-color-scheme: dark) { text { fill: #f0f6fc } .few { fill: #9198a1 } rect { fill: #4493f8 } }"""


def svg(ranks: Iterable[tuple[str, int, int]]) -> str:
    """Draw one bar per domain, with its name, the number of domains that link to it, and their links."""
    bars = list(ranks)
    most = max((domains for _, domains, _ in bars), default=1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {34 + 22 * len(bars)}" role="img">',
        f"<title>Domains by the number of others that link to them</title><style>{STYLE}</style>",
        '<text x="150" y="18" class="few">domains that link here, and their links</text>',
    ]
    for number, (host, domains, links) in enumerate(bars):
        top, width = 30 + 22 * number, 480 * domains / most
        lines.append(f'<text x="142" y="{top + 12}" text-anchor="end">{escape(host)}</text>')
        lines.append(f'<rect x="150" y="{top}" width="{width:.1f}" height="16" rx="3"/>')
        counts = f'{domains:,} <tspan class="few">{links:,}</tspan>'
        lines.append(f'<text x="{158 + width:.1f}" y="{top + 12}">{counts}</text>')
    return "\n".join([*lines, "</svg>\n"])


def top(results: str, count: int = 20) -> list[tuple[str, int, int]]:
    """Read the domains that most other domains link to."""
    connection = duckdb.connect()
    graph.tables(connection, results)
    return connection.sql(f"FROM ranks ORDER BY domains DESC, host LIMIT {count}").fetchall()


if __name__ == "__main__":
    sys.stdout.write(svg(top(sys.argv[1])))
