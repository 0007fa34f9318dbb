"""The totals of ``urlgrep audit`` over results of `urlgrep.parquet.run`: as SQL for DuckDB, and as DataFrames of Spark.

Both give the same tables:

- ``urls``: each distinct URL (by `urlgrep.key`), with ``count``, ``messages``, first place, first and last day;
- ``hosts``, ``schemes``: with ``urls`` and ``occurrences``;
- ``years``: the occurrences in the messages of a year, null without a date;
- ``findings``: the findings of each rule for each spelling of a URL, with ``count``;
- ``rules``: the number of findings of each rule.

The search must have written the columns of `COLUMNS`. The tables differ from the command in three points:

- Days are those of UTC. The command uses the day on the sender's clock.
- A URL with a doubtful hyphen is counted under its first reading. The command weighs the evidence of the whole archive,
  which also decides some findings of A-HYPHEN and A-SPACE-JOIN.
- Passwords are shown, as with ``--show-secrets``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlgrep._files import Folder

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

__all__ = ["COLUMNS", "SQL", "frames", "tables"]

COLUMNS = [
    *["url", "kind", "scheme", "file", "offset", "line", "host", "message", "resolved"],
    *["key", "target", "findings"],
]
"""The columns that the search must have written. It may write others, too."""

_HOST = r"^[^:/?#]+://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)"
"""The host of a resolved link. The column ``host`` is the host as it is written."""
_SCHEME = r"^([A-Za-z][A-Za-z0-9+.-]*):"
_EXCUSED = ["A-MAIL-HDR", "A-SCHEME-RESERVED", "X-INVALID"]
"""Rules without a finding on a URL if one of its places excuses it."""

SQL = f"""\
-- A relative link of a page without a base is a link of the archive only if it names a host.
CREATE OR REPLACE TEMP VIEW links AS
SELECT *,
    nullif(lower(CASE WHEN resolved IS NULL THEN host ELSE regexp_extract(key, '{_HOST}', 1) END), '') AS link_host,
    coalesce(scheme, lower(regexp_extract(key, '{_SCHEME}', 1))) AS link_scheme,
    CAST(message.date AT TIME ZONE 'UTC' AS DATE) AS day,
    CASE WHEN message IS NULL THEN NULL ELSE row(file, message.offset) END AS in_message,
    row(replace(input, '/', chr(1)), ordinal) AS place -- sorts as the command goes through folders
FROM matches
WHERE kind <> 'attribute' OR scheme IS NOT NULL OR resolved IS NOT NULL OR starts_with(target, '//');

CREATE OR REPLACE TEMP VIEW urls AS
SELECT key, arg_min(target, place) AS url, count(*) AS count, count(DISTINCT in_message) AS messages,
    arg_min(file, place) AS file, arg_min("offset", place) AS "offset", arg_min(line, place) AS line,
    arg_min(coalesce(link_host, ''), place) AS host, arg_min(link_scheme, place) AS scheme,
    min(day) AS first_date, max(day) AS last_date, min(place) AS place
FROM links GROUP BY key;

CREATE OR REPLACE TEMP VIEW hosts AS
SELECT host, coalesce(urls, 0) AS urls, occurrences -- a URL counts for the host of its first place
FROM (SELECT link_host AS host, count(*) AS occurrences FROM links WHERE link_host IS NOT NULL GROUP BY link_host)
LEFT JOIN (SELECT host, count(*) AS urls FROM urls GROUP BY host) USING (host);

CREATE OR REPLACE TEMP VIEW schemes AS
SELECT scheme, count(*) AS urls, CAST(sum(count) AS BIGINT) AS occurrences FROM urls GROUP BY scheme;

CREATE OR REPLACE TEMP VIEW years AS
SELECT year(day) AS year, count(*) AS occurrences FROM links GROUP BY year(day);

CREATE OR REPLACE TEMP VIEW findings AS
WITH told AS (
    SELECT finding.rule AS rule, target AS url, arg_min(finding.severity, place) AS severity,
        arg_min(finding.message, place) AS message, arg_min(file, place) AS file, arg_min("offset", place) AS "offset",
        count(*) AS count
    FROM (SELECT unnest(findings) AS finding, target, file, "offset", place FROM links)
    GROUP BY ALL
)
SELECT told.* FROM told
JOIN (SELECT target, count(*) AS places FROM links GROUP BY target) AS all_of ON told.url = all_of.target
-- If these rules are silent on one place of the URL, they are silent on all.
WHERE rule NOT IN ({", ".join(f"'{rule}'" for rule in _EXCUSED)}) OR count = places;

CREATE OR REPLACE TEMP VIEW rules AS
SELECT rule, count(*) AS findings FROM findings GROUP BY rule;
"""
"""Makes the tables from a table ``matches`` in DuckDB. `tables` runs it."""


def tables(connection: Any, output: str) -> None:
    """Make the tables in a connection to DuckDB, from a folder of results that DuckDB can read."""
    pattern = f"{Folder(output).path}/matches/**/*.parquet".replace("'", "''")
    source = f"read_parquet('{pattern}', hive_partitioning = true)"
    connection.execute(f"CREATE OR REPLACE TEMP VIEW matches AS SELECT * FROM {source};\n{SQL}")


def frames(session: SparkSession, output: str) -> dict[str, DataFrame]:
    """Return the tables by name, as DataFrames of Spark."""
    links = _links(session.read.parquet(f"{Folder(output).path}/matches"))
    urls = _urls(links)
    findings = _findings(links)
    import pyspark.sql.functions as f

    occurrences = links.where("link_host IS NOT NULL").groupBy(f.col("link_host").alias("host"))
    hosts = occurrences.agg(f.count("*").alias("occurrences")).join(urls.groupBy("host").count(), "host", "left")
    return {
        "urls": urls,
        "hosts": hosts.select("host", f.coalesce("count", f.lit(0)).alias("urls"), "occurrences"),
        "schemes": urls.groupBy("scheme").agg(f.count("*").alias("urls"), f.sum("count").alias("occurrences")),
        "years": links.groupBy(f.year("day").alias("year")).agg(f.count("*").alias("occurrences")),
        "findings": findings,
        "rules": findings.groupBy("rule").agg(f.count("*").alias("findings")),
    }


def _links(matches: DataFrame) -> DataFrame:
    import pyspark.sql.functions as f

    key, message = f.col("key"), f.col("message")
    host = f.when(f.col("resolved").isNull(), f.col("host")).otherwise(f.regexp_extract(key, _HOST, 1))
    is_link = "kind <> 'attribute' OR scheme IS NOT NULL OR resolved IS NOT NULL OR startswith(target, '//')"
    # This is the day in UTC, in any time zone of the session.
    day = f.date_from_unix_date(f.floor(f.unix_seconds("message.date") / 86400).cast("int"))
    return matches.where(is_link).select(
        "key",
        "target",
        "file",
        "offset",
        "line",
        "findings",
        f.nullif(f.lower(host), f.lit("")).alias("link_host"),
        f.coalesce("scheme", f.lower(f.regexp_extract(key, _SCHEME, 1))).alias("link_scheme"),
        day.alias("day"),
        f.when(message.isNotNull(), f.struct("file", "message.offset")).alias("in_message"),
        f.struct(f.translate("input", "/", "\x01"), "ordinal").alias("place"),
    )


def _first(column: str | Column) -> Column:
    import pyspark.sql.functions as f

    return f.min_by(column, "place")


def _urls(links: DataFrame) -> DataFrame:
    import pyspark.sql.functions as f

    return links.groupBy("key").agg(
        _first("target").alias("url"),
        f.count("*").alias("count"),
        f.count_distinct("in_message").alias("messages"),
        _first("file").alias("file"),
        _first("offset").alias("offset"),
        _first("line").alias("line"),
        _first(f.coalesce("link_host", f.lit(""))).alias("host"),
        _first("link_scheme").alias("scheme"),
        f.min("day").alias("first_date"),
        f.max("day").alias("last_date"),
        f.min("place").alias("place"),
    )


def _findings(links: DataFrame) -> DataFrame:
    import pyspark.sql.functions as f

    each = links.select(f.explode("findings").alias("finding"), "target", "file", "offset", "place")
    told = each.groupBy(f.col("finding.rule").alias("rule"), f.col("target").alias("url")).agg(
        _first("finding.severity").alias("severity"),
        _first("finding.message").alias("message"),
        _first("file").alias("file"),
        _first("offset").alias("offset"),
        f.count("*").alias("count"),
    )
    places = links.groupBy(f.col("target").alias("url")).agg(f.count("*").alias("places"))
    # If one place of the URL has no finding of these rules, the findings of all other places are dropped.
    is_kept = ~f.col("rule").isin(_EXCUSED) | (f.col("count") == f.col("places"))
    return told.join(places, "url").where(is_kept).drop("places")
