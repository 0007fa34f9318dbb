"""The totals of an archive, compared with those of the command."""

from __future__ import annotations

import datetime
import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

import urlgrep
from urlgrep import audit, parquet
from urlgrep.jobs import Plan

import archive
from conftest import ROOT, Command

BY_EVIDENCE = {"A-HYPHEN", "A-SPACE-JOIN"}
"""Rules that need the whole archive to say which reading is meant."""
OF_ARCHIVE = {"A-HTTP"}
"""Rules that compare links with each other."""


def of_duckdb(output: Path) -> dict[str, list[dict[str, Any]]]:
    connection = duckdb.connect()
    audit.tables(connection, str(output))
    names = ["urls", "hosts", "schemes", "years", "findings", "rules"]
    return {name: connection.sql(f"FROM {name}").to_arrow_table().to_pylist() for name in names}


def of_command(command: Command, folder: Path) -> dict[str, Any]:
    words = [
        command.program,
        "audit",
        "--no-config",
        "--format",
        "json",
        "--show-secrets",
        "--hidden",
        "--no-ignore",
        "-z",
    ]
    return json.loads(subprocess.run([*words, folder], capture_output=True, check=False).stdout)  # type: ignore[no-any-return]


def check(tables: dict[str, list[dict[str, Any]]], report: dict[str, Any], doubtful: set[str], odd: set[str]) -> None:
    """Compare with a report. ``doubtful`` are keys of URLs with two readings, ``odd`` keys of URLs that it cuts."""
    summary = report["summary"]
    urls = {row["key"]: row for row in tables["urls"] if row["key"] not in doubtful | odd}
    theirs = {urlgrep.key(row["url"]): row for row in report["urls"]}
    assert sum(row["count"] for row in tables["urls"]) == summary["occurrences"]
    assert len(urls) > 500
    for key, row in urls.items():
        want = theirs[key]
        place = (row["url"], row["count"], row["messages"], row["file"], row["offset"], row["line"])
        first = want["first"]
        assert place == (
            want["url"],
            want["count"],
            want["messages"],
            first["file"],
            first["offset"],
            first["line"],
        )
        assert row["scheme"] == (want["scheme"] or "")
        assert row["host"] == (want["host"] or "").lower()
        for name in ("first_date", "last_date"):
            # The command uses the sender's day, which differs from the day in UTC near midnight.
            assert (row[name] is None) == (want[name] is None)
            assert row[name] is None or abs(row[name] - datetime.date.fromisoformat(want[name])).days <= 1
    if doubtful:
        return
    assert len(tables["urls"]) == summary["urls"]
    for name, label in (("hosts", "host"), ("schemes", "scheme")):
        ours = {row[label]: (row["urls"], row["occurrences"]) for row in tables[name]}
        assert ours == {row[label]: (row["urls"], row["occurrences"]) for row in summary[f"by_{label}"]}
    years = {str(row["year"]): row["occurrences"] for row in tables["years"] if row["year"]}
    assert years == summary["by_year"]


def check_rules(tables: dict[str, list[dict[str, Any]]], report: dict[str, Any]) -> None:
    rules = {row["rule"]: row["findings"] for row in tables["rules"]}
    by_rule = report["summary"]["by_rule"]
    want = {rule: count for rule, count in by_rule.items() if rule not in OF_ARCHIVE}
    assert {rule for rule in rules | want if rules.get(rule) != want.get(rule)} <= BY_EVIDENCE
    assert rules.keys() == want.keys()
    ours = {(row["rule"], row["url"]): row for row in tables["findings"]}
    compared: Counter[str] = Counter()
    for finding in report["findings"]:
        row = ours.get((finding["rule"], finding["url"]))
        if finding["rule"] not in BY_EVIDENCE and row:
            compared[finding["rule"]] += 1
            assert (row["severity"], row["message"], row["offset"]) == (
                finding["severity"],
                finding["message"],
                finding["offset"],
            )
    assert len(compared) > 20


def searched(folder: Path, output: Path) -> tuple[set[str], set[str]]:
    """Search, and return the keys of doubtful URLs."""
    parquet.run([folder], output, plan=Plan([*audit.COLUMNS, "readings"]), range_size=64 << 10)
    connection = duckdb.connect()
    rows = connection.sql(f"SELECT key, readings FROM '{output}/matches/*.parquet'").fetchall()
    doubtful = {urlgrep.key(reading) for key, readings in rows if len(readings) > 1 for reading in [key, *readings]}
    return doubtful, {key for key, _ in rows if key.startswith("data:")}


def test_the_totals_are_those_of_the_command(command: Command, tmp_path: Path) -> None:
    folder, output = ROOT / "corpora", tmp_path / "out"
    searched(folder, output)
    tables, report = of_duckdb(output), of_command(command, folder)
    check(tables, report, set(), {row["key"] for row in tables["urls"] if row["key"].startswith("data:")})
    check_rules(tables, report)


def test_totals_of_generated_mail(command: Command, tmp_path: Path) -> None:
    folder, output = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    archive.write(folder / "a.mbox", 700_000)
    (folder / "a-b.txt").write_text("http://a.example/~joe HTTP://www.H1.example:80/%7e http://www.h1.example/~\n" * 50)
    doubtful, odd = searched(folder, output)
    check(of_duckdb(output), of_command(command, folder), doubtful, odd)


@pytest.mark.spark
def test_spark_and_duckdb_agree(tmp_path: Path) -> None:
    from pyspark.sql import SparkSession

    folder = tmp_path / "in"
    folder.mkdir()
    archive.write(folder / "a.mbox", 700_000)
    (folder / "corpora").symlink_to(ROOT / "corpora")
    output = tmp_path / "out"
    parquet.run([folder, ROOT / "corpora"], output, plan=Plan(audit.COLUMNS), partition_by=["scheme"])
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.session.timeZone": "Asia/Tokyo",
        "spark.sql.shuffle.partitions": 2,
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, str(value))
    session = builder.getOrCreate()
    try:
        for name, want in of_duckdb(output).items():
            found = [row.asDict(recursive=True) for row in audit.frames(session, str(output))[name].collect()]
            ours, theirs = (
                Counter(str(sorted((key, value) for key, value in row.items() if key != "place")) for row in rows)
                for rows in (found, want)
            )
            assert ours == theirs, name
    finally:
        session.stop()
