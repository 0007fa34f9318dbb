"""The recipes of python/recipes for Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.spark

RECIPES = Path(__file__).parents[1] / "recipes"


@pytest.mark.filterwarnings("default")
def test_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(RECIPES)
    from pyspark.sql import SparkSession

    from with_spark import explode_urls, register

    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.addPyFile(str(RECIPES / "with_spark.py"))  # the workers unpickle its functions
    try:
        texts = [(7, "see http://a.example/ and http://b.example/"), (8, "nothing"), (9, None)]
        frame = spark.createDataFrame(texts, "id int, text string")
        found = sorted(map(tuple, explode_urls(frame, "id", "text").collect()))
        assert found == [(7, "http://a.example/"), (7, "http://b.example/")]
        register(spark)
        frame.createOrReplaceTempView("posts")
        rows = spark.sql("SELECT id, urls(text) AS urls FROM posts ORDER BY id").collect()
        assert [row.urls for row in rows] == [["http://a.example/", "http://b.example/"], [], []]
    finally:
        spark.stop()
