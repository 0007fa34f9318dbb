r"""Finds every URL in free text, mail and archives, with its exact bounds.

URLs that were broken over lines are joined again. Each URL is validated by RFC 1738, RFC 3986 and RFC 3987.

>>> import urlgrep
>>> [match.url for match in urlgrep.find("see <URL:ftp://ds.in\n  ternic.net/rfc> or http://a.example/.")]
['ftp://ds.internic.net/rfc', 'http://a.example/']
"""

from urlgrep._error import ContainerError, DecodeError, UrlError
from urlgrep._first import first_said
from urlgrep._urlgrep import (
    Batches,
    Finding,
    Kind,
    Match,
    Matches,
    RangeCounts,
    Reason,
    RecordBatch,
    Schema,
    Url,
    __version__,
    defang,
    find,
    find_column,
    find_file,
    findings,
    has_record_members,
    heal,
    key,
    kind,
    parse,
    refang,
    replace_all,
    resolve,
    schema,
)

__all__ = [
    "Batches",
    "ContainerError",
    "DecodeError",
    "Finding",
    "Kind",
    "Match",
    "Matches",
    "RangeCounts",
    "Reason",
    "RecordBatch",
    "Schema",
    "Url",
    "UrlError",
    "__version__",
    "defang",
    "find",
    "find_column",
    "find_file",
    "findings",
    "first_said",
    "has_record_members",
    "heal",
    "key",
    "kind",
    "parse",
    "refang",
    "replace_all",
    "resolve",
    "schema",
]
