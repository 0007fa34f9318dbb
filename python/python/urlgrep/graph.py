"""The web graph of a crawl over results of `urlgrep.parquet.run`: as SQL for DuckDB, and as DataFrames of Spark.

Both give the same tables:

- ``links``: each link of a page once: ``page``, ``language``, ``target``, ``kind``, ``count``;
- ``hosts``: the graph by registrable domain: ``from``, ``to``, linking ``pages``, total ``links``;
- ``ranks``: the domains, ordered by how many others link to them: ``host``, ``domains``, ``links``.

The search must have written the columns of `urlgrep.jobs.CRAWL`. Only ``links`` has
relative links and links within a domain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlgrep._files import Folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["SQL", "frames", "tables"]

SQL = """\
CREATE OR REPLACE TEMP VIEW links AS
SELECT "message.url" AS page, max("message.language") AS language, target, min(kind) AS kind, count(*) AS count
FROM matches WHERE "message.url" IS NOT NULL GROUP BY "message.url", target;

CREATE OR REPLACE TEMP VIEW hosts AS
SELECT from_domain AS "from", to_domain AS "to", count(DISTINCT "message.url") AS pages, count(*) AS links
FROM matches WHERE from_domain <> to_domain GROUP BY from_domain, to_domain;

CREATE OR REPLACE TEMP VIEW ranks AS
SELECT "to" AS host, count(*) AS domains, CAST(sum(links) AS BIGINT) AS links FROM hosts GROUP BY "to";
"""
"""Makes the tables from a table ``matches`` in DuckDB. `tables` runs it."""


def tables(connection: Any, output: str) -> None:
    """Make the tables in a connection to DuckDB, from a folder of results that DuckDB can read."""
    pattern = f"{Folder(output).path}/matches/**/*.parquet".replace("'", "''")
    source = f"read_parquet('{pattern}', hive_partitioning = true)"
    connection.execute(f"CREATE OR REPLACE TEMP VIEW matches AS SELECT * FROM {source};\n{SQL}")


def frames(session: SparkSession, output: str) -> dict[str, DataFrame]:
    """Return the tables by name, as DataFrames of Spark."""
    import pyspark.sql.functions as f

    matches = session.read.parquet(f"{Folder(output).path}/matches")
    page, language = f.col("`message.url`"), f.col("`message.language`")
    links = matches.where(page.isNotNull()).groupBy(page.alias("page"), "target")
    hosts = (
        matches.where("from_domain <> to_domain")
        .groupBy(f.col("from_domain").alias("from"), f.col("to_domain").alias("to"))
        .agg(f.count_distinct(page).alias("pages"), f.count("*").alias("links"))
    )
    return {
        "links": links.agg(
            f.max(language).alias("language"),
            f.min("kind").alias("kind"),
            f.count("*").alias("count"),
        ).select("page", "language", "target", "kind", "count"),
        "hosts": hosts,
        "ranks": hosts.groupBy(f.col("to").alias("host")).agg(
            f.count("*").alias("domains"), f.sum("links").alias("links")
        ),
    }
