"""The search, the parser and the rules: the extension, which is written in Rust."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypedDict, TypeVar, final

from typing_extensions import Buffer, CapsuleType, Never, Self, TypeAlias

__all__ = [
    "Batches",
    "Finding",
    "Kind",
    "Match",
    "Matches",
    "RangeCounts",
    "Reason",
    "RecordBatch",
    "Schema",
    "Url",
    "__version__",
    "_copied",
    "_finding",
    "_reason",
    "defang",
    "find",
    "find_column",
    "find_file",
    "findings",
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

__version__: str

_AnyUrl = TypeVar("_AnyUrl", str, bytes)
_Level: TypeAlias = Literal["rfc1738", "rfc1738-ref", "rfc3986", "iri", "none"]
_Rejoin: TypeAlias = Literal["auto", "delimited", "none"]
_Hyphen: TypeAlias = Literal["keep", "drop"]

_KindName: TypeAlias = Literal[
    "text", "html", "csv", "pdf", "xml", "utf-16", "calendar", "warc",
    "message", "mbox", "rnews", "mmdf", "babyl", "emlx", "dbox",
    "tar", "zip", "gzip", "zstd", "bzip2", "xz", "lz4", "compress",
    "7z", "rar", "cab", "lha", "ole", "pst", "dbx", "mbx", "git-pack", "cnfs", "sqlite",
]  # fmt: skip

class _Reader(Protocol):
    def read(self, size: int, /) -> bytes: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

class _Error(TypedDict):
    kind: str
    offset: int
    message: str

class _Generic(TypedDict):
    scheme: str
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None

_Message = TypedDict(
    "_Message",
    {
        "id": str | None,
        "date": str | None,
        "from": str | None,
        "subject": str | None,
        "newsgroups": str | None,
        "url": str | None,
        "language": str | None,
        "number": int | None,
        "offset": int,
    },
)

class _Part(TypedDict):
    number: str | None
    offset: int | None
    length: int | None
    member: str | None

class _Body(TypedDict):
    offset: int
    length: int

@final
class Match:
    """A URL and its place.

    Its attributes are the fields of a line of ``urlgrep --json``, computed on access. ``offset`` and ``length`` are
    always in bytes (of a ``str``, in bytes of its UTF-8). ``start``, ``end`` and ``span`` are in units of the searched
    text. So ``text[match.start:match.end]`` is the place, both in ``str`` and in ``bytes``.
    """

    @property
    def url(self) -> str:
        """The URL without the white space and line prefixes inside it. Lossy if it is not UTF-8."""
    @property
    def url_bytes(self) -> bytes:
        """The exact bytes of the URL."""
    @property
    def kind(self) -> Literal["wrapped", "angle", "prefixed", "bare", "attribute", "www", "name"]:
        """The delimiters: ``<URL:…>``, ``<scheme:…>``, ``URL:…``, none, or an HTML attribute; two kinds are names."""
    @property
    def scheme(self) -> str | None:
        """The scheme in lower case."""
    @property
    def file(self) -> str | None:
        """The name of the file, or ``a.tar!/member`` in an archive. ``None`` if there is no name."""
    @property
    def file_bytes(self) -> bytes | None:
        """The exact bytes of the name."""
    @property
    def offset(self) -> int:
        """The offset of the span in the source, or in an unpacked text (see ``encoding``)."""
    @property
    def length(self) -> int:
        """The length of the span in bytes."""
    @property
    def line(self) -> int | None:
        """The line of the span's first byte, from 1."""
    @property
    def column(self) -> int | None:
        """The column of that byte, in bytes, from 1."""
    @property
    def rejoined(self) -> bool:
        """Whether the URL was joined from more than one line."""
    @property
    def readings(self) -> list[str]:
        """Every URL that the text may mean. The first is ``url``."""
    @property
    def readings_bytes(self) -> list[bytes]:
        """The exact bytes of the readings."""
    @property
    def level(self) -> _Level:
        """The strictest grammar that the URL satisfies."""
    @property
    def error(self) -> _Error | None:
        """The reason why the URL does not satisfy RFC 1738."""
    @property
    def host(self) -> str | None:
        """The host in lower case, without port. For mailto URLs and news articles it is the domain."""
    @property
    def prefix(self) -> str | None:
        """The word before a bare URL, if a colon joins them: ``jdbc`` of ``jdbc:mysql://h/d``."""
    @property
    def hosts(self) -> list[str] | None:
        """Every host, if the authority holds several (``postgresql://h1,h2/db``)."""
    @property
    def domain(self) -> str | None:
        """The registrable domain of the host, in punycode."""
    @property
    def truncated(self) -> bool:
        """Whether ``…`` or ``...`` shortens the URL for display, or the URL continues beyond the joined lines."""
    @property
    def refused(self) -> str | None:
        """With ``candidates``: ``placeholder`` or ``defanged``, if the host is not a real one."""
    @property
    def parts(self) -> dict[str, Any] | None:
        """The components by RFC 1738, at levels rfc1738 and rfc1738-ref. Their names depend on the scheme."""
    @property
    def generic(self) -> _Generic | None:
        """The components by RFC 3986, if the URL satisfies it or RFC 3987."""
    @property
    def message(self) -> _Message | None:
        """The message, or the record of a web archive, that holds the URL; otherwise ``None``."""
    @property
    def part(self) -> _Part | None:
        """The MIME part as IMAP numbers it, and the place in its decoded text."""
    @property
    def content_type(self) -> str | None:
        """The content type of the part."""
    @property
    def encoding(self) -> str | None:
        """The encoding of the part."""
    @property
    def header(self) -> str | None:
        """The header field that holds the URL."""
    @property
    def quote_depth(self) -> int | None:
        """The depth of the quotation that holds the line."""
    @property
    def body(self) -> _Body | None:
        """The place of the part's encoded body in the source."""
    @property
    def text(self) -> str | None:
        """The text of an HTML anchor."""
    @property
    def resolved(self) -> str | None:
        """The resolved URL of a relative link in HTML."""
    @property
    def shown_host(self) -> str | None:
        """The host that an anchor's text shows, if the link leads to another."""
    @property
    def attribute(self) -> str | None:
        """The HTML element and its attribute: ``a href``."""
    @property
    def note(self) -> str | None:
        """The reason why the part could not be decoded, or only partly."""
    @property
    def target(self) -> str:
        """The URL that a click opens: ``resolved``, or ``url``."""
    @property
    def key(self) -> str:
        """The equality key of ``target``, as `urlgrep.key` gives it."""
    @property
    def source(self) -> bytes:
        """The bytes of the span, unchanged, with brackets and line breaks."""
    @property
    def start(self) -> int:
        """The start of the span, in characters if a ``str`` was searched, otherwise in bytes."""
    @property
    def end(self) -> int:
        """The end of the span, in the same units."""
    @property
    def span(self) -> tuple[int, int]:
        """The start and the end."""
    def explain(self) -> list[Reason]:
        r"""Return the decisions that led to the match, in the order of the text, as ``urlgrep --explain`` shows them.

        These are the form of the URL, the escapes and prefixes that were read through, each line break that was
        looked at, the end of the URL, and the rule of each other reading.

        Raises:
            RuntimeError: If the search kept no reasons. It keeps them with ``explain=True``.

        Example:
            >>> import urlgrep
            >>> [match] = urlgrep.find("see http://a.example/b\n\nand more", explain=True)
            >>> print(*match.explain(), sep="\n")
            form: a URL in plain text begins here [B-START]
            not joined: the next line is empty [B-JOIN-N-BLANK]
            end: the line ends [B-RUN-1]
        """
    def to_dict(self) -> dict[str, Any]:
        """Return the line of ``urlgrep --json``, as ``json.loads`` parses it."""
    def __reduce__(self) -> tuple[Callable[..., Match], tuple[Any, ...]]:
        """Pickle all values, findings and reasons, without the text around the match."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Matches:
    """The matches of a search: an iterator, or columns.

    The search is lazy, and runs without the GIL. A file is searched on its own thread, which waits for the caller.
    ``pyarrow.table``, ``polars.DataFrame``, DuckDB and pandas accept it by ``__arrow_c_stream__``.
    """

    @property
    def counts(self) -> RangeCounts | None:
        """The counts of the range, after its last match; ``None`` without a range."""
    @property
    def bytes_read(self) -> int:
        """The number of bytes of the file read so far. Bytes that were read twice are counted twice."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Match: ...
    def batches(self, rows: int = 4096, *, columns: Sequence[str] | None = None) -> Batches:
        """Return the matches as columns, in batches of ``rows`` rows, or fewer if their texts reach 8 MiB.

        4,096 rows fit into the processor's cache. With 65,536 rows, the search takes a quarter longer.

        ``columns`` names the columns of `schema` to return, in this order. A part of a column is named like
        ``message.id``. Lines are counted only for the columns ``line`` and ``column``.

        Raises `ValueError` if there is no such column, and `RuntimeError` if the iteration has begun.

        Example:
            >>> import pyarrow, urlgrep
            >>> batches = urlgrep.find("http://a.example/ http://b.example/").batches(columns=["host"])
            >>> pyarrow.table(batches).to_pydict()
            {'host': ['a.example', 'b.example']}
        """
    def __array__(self, dtype: object = None, copy: object = None) -> Never:
        """Raise `TypeError`: to make a pandas frame, use ``pandas.DataFrame.from_arrow``."""
    def __arrow_c_stream__(self, requested_schema: CapsuleType | None = None) -> CapsuleType:
        """Return all columns to a library with Arrow's C interface."""

@final
class Kind:
    """The kind of a file, by its first bytes."""

    @property
    def name(self) -> _KindName:
        """The name of the kind.

        Kinds of text are ``text``, ``html``, ``csv``, ``xml``, ``utf-16`` and ``calendar``. Documents are ``pdf``, and
        web archives are ``warc``. Mail and news are ``message``, ``mbox``, ``rnews``, ``mmdf``, ``babyl``, ``emlx`` and
        ``dbox``. Archives and compressed files are unpacked: ``tar``, ``zip``, ``gzip``, ``zstd``, ``bzip2``, ``xz``,
        ``lz4``, ``compress``. All others are searched as bytes, with few results: ``7z``, ``rar``,
        ``cab``, ``lha``, ``ole``, ``pst``, ``dbx``, ``mbx``, ``git-pack``, ``cnfs``, ``sqlite``.
        """
    @property
    def divisible(self) -> bool:
        """True if ranges of the file can be searched separately. If not, the first range has all matches."""
    def __new__(cls, name: _KindName) -> Self: ...
    def __getnewargs__(self) -> tuple[_KindName]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class RangeCounts:
    r"""The counts of a range of a file, which later ranges need.

    Add up the counts of all ranges before a range. In the file, its line numbers are greater by ``lines``, and its
    message numbers by ``messages``. Offsets are bytes of the file. The counts can be pickled, and made from `to_dict`.

    Example:
        >>> import io, urlgrep
        >>> text = io.BytesIO(b"one\ntwo\nhttp://a.example/\n")
        >>> first, second = urlgrep.find_file(text, 0, 5), urlgrep.find_file(io.BytesIO(text.getvalue()), 5)
        >>> [match.line for match in first], [match.line for match in second]
        ([], [2])
        >>> 2 + first.counts.lines
        3
    """

    @property
    def lines(self) -> int:
        """The number of line ends in the range, if lines are counted."""
    @property
    def last_line(self) -> int | None:
        """The offset in the file of the byte after the last line end."""
    @property
    def messages(self) -> int:
        """The number of messages of a mailbox whose separator begins in the range."""
    @property
    def first_message(self) -> int | None:
        """The offset of the first separator in the range, even if a message before the range hides it."""
    @property
    def hidden_until(self) -> int:
        """The offset before which there are no separators, because a message of the range states its length."""
    @property
    def unpacked(self) -> int:
        """The unpacked size of a range of a compressed web archive. Offsets of later ranges are greater by this."""
    def __new__(
        cls,
        *,
        lines: int = 0,
        last_line: int | None = None,
        messages: int = 0,
        first_message: int | None = None,
        hidden_until: int = 0,
        unpacked: int = 0,
    ) -> Self: ...
    def __add__(self, next: RangeCounts, /) -> RangeCounts:
        """Add the counts of the next range."""
    def __radd__(self, before: RangeCounts, /) -> RangeCounts:
        """Add the counts of the ranges before."""
    def hides_in(self, next: RangeCounts) -> bool:
        """Return whether these counts hide separators in the next range. If so, search it again with ``before``."""
    def to_dict(self) -> dict[str, int | None]:
        """Return the counts as plain numbers, for ``RangeCounts(**numbers)``."""
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int | None]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Batches:
    """Matches as columns: an iterator over `RecordBatch`, or a stream for a library with Arrow's C interface."""

    @property
    def schema(self) -> Schema:
        """The columns."""
    @property
    def counts(self) -> RangeCounts | None:
        """The counts of the range, after its last batch; ``None`` without a range."""
    @property
    def bytes_read(self) -> int:
        """The number of bytes of the file read so far, as in `Matches.bytes_read`."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> RecordBatch: ...
    def __array__(self, dtype: object = None, copy: object = None) -> Never:
        """Raise `TypeError`: to make a pandas frame, use ``pandas.DataFrame.from_arrow``."""
    def __arrow_c_schema__(self) -> CapsuleType:
        """Return the columns to a library with Arrow's C interface."""
    def __arrow_c_stream__(self, requested_schema: CapsuleType | None = None) -> CapsuleType:
        """Return the remaining batches to a library with Arrow's C interface, which then owns them."""

@final
class RecordBatch:
    """Some rows, for ``pyarrow.record_batch``."""

    @property
    def num_rows(self) -> int:
        """The number of rows."""
    @property
    def schema(self) -> Schema:
        """The columns."""
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> CapsuleType:
        """Return the columns to a library with Arrow's C interface."""
    def __arrow_c_array__(self, requested_schema: CapsuleType | None = None) -> tuple[CapsuleType, CapsuleType]:
        """Return the rows to a library with Arrow's C interface, without a copy."""

@final
class Schema:
    """Columns by name and type, for ``pyarrow.schema``."""

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __arrow_c_schema__(self) -> CapsuleType:
        """Return the columns to a library with Arrow's C interface."""

@final
class Url:
    """A parsed URL, with the fields of ``urlgrep parse --json``."""

    @property
    def url(self) -> str:
        """The URL as it was given."""
    @property
    def level(self) -> _Level:
        """The strictest grammar that the URL satisfies."""
    @property
    def scheme(self) -> str | None:
        """The scheme in lower case."""
    @property
    def host(self) -> str | None:
        """The host in lower case, without port. For mailto URLs and news articles it is the domain."""
    @property
    def parts(self) -> dict[str, Any] | None:
        """The components by RFC 1738, if the URL satisfies it."""
    @property
    def generic(self) -> _Generic | None:
        """The components by RFC 3986, if the URL satisfies it or RFC 3987."""
    @property
    def error(self) -> _Error | None:
        """The reason why the URL does not satisfy RFC 1738, if a looser level was allowed."""
    @property
    def key(self) -> str:
        """The equality key of the URL, as `urlgrep.key` returns it."""
    def to_dict(self) -> dict[str, Any]:
        """Return the line of ``urlgrep parse --json``, as ``json.loads`` parses it."""
    def __reduce__(self) -> tuple[Callable[[Any], Url], tuple[str | bytes]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Finding:
    """A finding of an audit rule in a URL."""

    @property
    def rule(self) -> str:
        """The rule's id: ``A-CRLF``."""
    @property
    def severity(self) -> Literal["critical", "high", "medium", "low", "info"]:
        """The severity at this place."""
    @property
    def start(self) -> int:
        """The offset in the target of the first byte that the finding is about."""
    @property
    def end(self) -> int:
        """The offset after the last byte that the finding is about."""
    @property
    def message(self) -> str:
        """The defect, with names and numbers. It never holds a secret."""
    @property
    def why(self) -> str:
        """The reason why the defect matters."""
    @property
    def remedy(self) -> str:
        """The remedy."""
    def __reduce__(self) -> tuple[Callable[..., Finding], tuple[Any, ...]]:
        """Pickle all values."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Reason:
    """A decision that led to a match, from `Match.explain`. ``str`` returns it as a line, with each fact below it."""

    @property
    def what(self) -> Literal["form", "layer", "joined", "offered", "kept", "end", "reading"]:
        """The kind of the decision.

        ``form`` is the form of the URL, and ``end`` its end. A ``layer`` was read through. At a line break, the lines
        were ``joined``, or joined only in another reading (``offered``), or ``kept`` apart. A ``reading`` is another
        URL that the text may mean.
        """
    @property
    def rule(self) -> str:
        """The id of the rule in the specification: ``B-JOIN-CARD``."""
    @property
    def words(self) -> str:
        """What the rule says, in plain words."""
    @property
    def at(self) -> tuple[int, int]:
        """The place in the searched text, in the units of `Match.span`."""
    @property
    def facts(self) -> list[tuple[str, int]]:
        """The facts that were weighed, with their weights, the greatest first. Lines are joined at a sum of 5."""
    @property
    def reading(self) -> str | None:
        """The URL of a ``reading``."""
    def __reduce__(self) -> tuple[Callable[..., Reason], tuple[Any, ...]]:
        """Pickle all values."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def _reason(
    what: str,
    rule: str,
    words: str,
    at: tuple[int, int],
    facts: list[tuple[str, int]],
    reading: str | None,
    line: str,
) -> Reason: ...
def _finding(rule: str, severity: str, start: int, end: int, message: str, why: str, remedy: str) -> Finding: ...
def _copied(
    line: bytes,
    url: bytes,
    target: bytes,
    readings: list[bytes],
    source: bytes,
    file: bytes,
    span: tuple[int, int],
    findings: list[Finding],
    reasons: list[Reason] | None,
) -> Match: ...
def find(
    data: str | Buffer,
    *,
    any_scheme: bool = False,
    rejoin: _Rejoin = "auto",
    hyphen: _Hyphen = "keep",
    otherurl: Literal["literal"] | None = None,
    iri: bool = False,
    www: bool = False,
    names: bool = False,
    refang: bool = False,
    candidates: bool = False,
    line_numbers: bool = True,
    explain: bool = False,
) -> Matches:
    r"""Find the URLs of a text, lazily. The options are the command's.

    ``data`` is always searched as text. For mail, HTML and compressed data use `find_file`, which also accepts an
    ``io.BytesIO``. The search runs without the GIL.

    Args:
        data: The text. ``bytes`` are searched in place. Other buffers are copied first.
        any_scheme: Accept any word before ``://`` as a scheme, not only registered ones.
        rejoin: Which URLs broken over lines are joined again: ``"auto"`` (wrapped and angle ones, and bare ones if
            the evidence is strong), ``"delimited"`` (only wrapped and angle ones), or ``"none"``.
        hyphen: The first reading of a hyphen before a line break: ``"keep"`` suits text that software wrapped, and
            ``"drop"`` suits typeset text.
        otherurl: ``"literal"`` applies RFC 1738's rule for other schemes by the letter.
        iri: Let bare URLs continue with non-ASCII letters.
        www: Also find names without a scheme: ``www.example.com``.
        names: Also find other names without a scheme that have a path: ``bit.ly/x``.
        refang: Read defanged URLs as the URLs that they hide: ``hxxps://a[.]example/``.
        candidates: Also return ``<URL:…>`` without a URL, and candidates with a placeholder or defanged host.
        line_numbers: Count lines. If false, ``line`` and ``column`` are ``None``.
        explain: Keep the decisions that lead to each match, for `Match.explain`. This takes twice the time or more.

    Returns:
        The matches, one by one or as columns. In a ``str``, ``start``, ``end`` and ``span`` count characters.
        ``offset`` and ``length`` are always bytes, in a ``str`` those of its UTF-8.

    Raises:
        TypeError: If ``data`` is not a text.
        ValueError: If an option has no such value.

    Example:
        >>> import urlgrep
        >>> text = "see <URL:ftp://ds.in\n  ternic.net/rfc> or http://a.example/."
        >>> [(match.url, text[match.start : match.end]) for match in urlgrep.find(text)][1]
        ('http://a.example/', 'http://a.example/')
    """

def find_file(
    path: str | bytes | PathLike[str] | PathLike[bytes] | _Reader,
    start: int = 0,
    end: int | None = None,
    *,
    before: RangeCounts | None = None,
    kind: Kind | None = None,
    file: str | bytes | PathLike[str] | PathLike[bytes] | None = None,
    input: Literal["auto", "text", "mail", "html", "csv"] = "auto",
    base: str | bytes | None = None,
    search_zip: bool = True,
    any_scheme: bool = False,
    rejoin: _Rejoin = "auto",
    hyphen: _Hyphen = "keep",
    otherurl: Literal["literal"] | None = None,
    iri: bool = False,
    www: bool = False,
    names: bool = False,
    refang: bool = False,
    candidates: bool = False,
    line_numbers: bool = True,
    explain: bool = False,
    onerror: Callable[[OSError], object] | None = None,
) -> Matches:
    r"""Find the URLs of a file, lazily. It reads all formats that the command reads, recognised by content.

    Files may be text, HTML, or mail and news, which are decoded. Tars are also read. So are zips and compressed files,
    unless ``search_zip`` is false. The search runs on its own thread, without the GIL.

    ``start`` and ``end`` choose a range: the matches that start in these bytes. Little more than the range is read. In
    a mailbox a message belongs to the range that holds the first byte of its separator. A file that cannot be cut (see
    `kind`) belongs to the range that holds its first byte. Ranges that tile a file return each match once.

    Args:
        path: A path, or an object whose ``read`` returns bytes, such as that of fsspec's ``open``. An object is read
            from its current position. A range needs an object that can ``seek``. Do not use it before the last match.
        start: The first byte of the range.
        end: The byte after the range. Without it the range extends to the end of the file.
        before: The sum of the `RangeCounts` of the ranges before this one. Lines and message numbers continue from it.
            Without it, they begin at the start of the range.
        kind: The result of `kind` for the file. Without it, a range also reads the first 64 KiB of the file.
        file: The value of ``match.file``, and the name by which a file may be recognised. The default is the path, or
            the attribute ``name`` of an object.
        input: ``"text"`` reads any file as text. The others apply to files that are not recognised: ``"mail"``,
            ``"html"`` and ``"csv"``.
        base: The absolute URL against which relative links of HTML and XML are resolved. A base in the page or its mail
            overrides it, and may be relative to it.
        search_zip: Unpack zips and compressed files.
        any_scheme: Accept any word before ``://`` as a scheme, not only registered ones.
        rejoin: Which URLs broken over lines are joined again: ``"auto"`` (wrapped and angle ones, and bare ones if
            the evidence is strong), ``"delimited"`` (only wrapped and angle ones), or ``"none"``.
        hyphen: The first reading of a hyphen before a line break: ``"keep"`` suits text that software wrapped, and
            ``"drop"`` suits typeset text.
        otherurl: ``"literal"`` applies RFC 1738's rule for other schemes by the letter.
        iri: Let bare URLs continue with non-ASCII letters.
        www: Also find names without a scheme: ``www.example.com``.
        names: Also find other names without a scheme that have a path: ``bit.ly/x``.
        refang: Read defanged URLs as the URLs that they hide: ``hxxps://a[.]example/``.
        candidates: Also return ``<URL:…>`` without a URL, and candidates with a placeholder or defanged host.
        line_numbers: Count lines. If false, ``line`` and ``column`` are ``None``.
        explain: Keep the decisions that lead to each match, for `Match.explain`. This takes twice the time or more.
        onerror: Called with each `OSError`, which is then not raised.

    Returns:
        The matches, one by one or as columns. Offsets are bytes.

    Raises:
        urlgrep.UrlError: If ``base`` is not an absolute URL.
        OSError: If a path cannot be opened. A later failure to read is raised in place of the next match, and so are
            errors of an object. The iteration can continue with the next file in the archive.
        urlgrep.DecodeError: If a file is damaged, with its ``path`` and ``offset``. It is an `OSError`, and for a tar
            or a zip an `urlgrep.ContainerError`.
        ValueError: If an option has no such value, or an object with a range cannot seek.

    Example:
        >>> import io, urlgrep
        >>> mail = b"From: joe@a.example\nTo: jane@a.example\nSubject: Look\n\n> http://a.example/\n"
        >>> [(match.url, match.message["subject"]) for match in urlgrep.find_file(io.BytesIO(mail))]
        [('http://a.example/', 'Look')]
    """

def has_record_members(head: bytes, /) -> bool:
    r"""Return whether a file begins like a web archive whose records are members of gzip.

    Examples are ``.warc.gz`` and ``.wet.gz``. `find_file` can search ranges of such a file. A range has the records
    whose members begin in it. The first 64 KiB of a longer file are enough.

    Example:
        >>> import gzip, urlgrep
        >>> record = gzip.compress(b"WARC/1.0\r\n")
        >>> urlgrep.has_record_members(record), urlgrep.has_record_members(record + record)
        (False, True)
    """

def find_column(
    array: _ArrowStream | _ArrowArray | Iterable[str | bytes | None],
    *,
    columns: Sequence[str] | None = None,
    rows: int = 4096,
    any_scheme: bool = False,
    rejoin: _Rejoin = "auto",
    hyphen: _Hyphen = "keep",
    otherurl: Literal["literal"] | None = None,
    iri: bool = False,
    www: bool = False,
    names: bool = False,
    refang: bool = False,
    candidates: bool = False,
    line_numbers: bool = True,
) -> Batches:
    """Find the URLs of each string in a column, lazily.

    The batches are those of `Matches.batches`, with a column ``row`` before the others: the index of the string.
    Offsets are bytes within the string, and lines are counted from its start. Each string is searched as by `find`,
    without the GIL.

    Args:
        array: A column of strings or of bytes. Columns with Arrow's C interface, such as those of pyarrow and polars,
            are not copied, in any layout. The strings of any other iterable are copied. Nulls are
            skipped, and so are ``None``, NaN and ``pandas.NA``.
        columns: As in `Matches.batches`.
        rows: As in `Matches.batches`.
        any_scheme: As in `find`, like all options below.
        rejoin: Which broken URLs are joined again.
        hyphen: The first reading of a hyphen before a line break.
        otherurl: How RFC 1738's rule for other schemes is applied.
        iri: Whether bare URLs continue with non-ASCII letters.
        www: Whether names without a scheme are found.
        names: Whether other names without a scheme are found, if they have a path.
        refang: Whether defanged URLs are read.
        candidates: Whether ``<URL:…>`` without a URL is also returned.
        line_numbers: Whether lines are counted.

    Returns:
        The matches as columns.

    Raises:
        TypeError: If ``array`` is not a column of strings.
        ValueError: If an option has no such value, or there is no such column.

    Example:
        >>> import pyarrow, urlgrep
        >>> strings = pyarrow.array(["see http://a.example/", None, "http://b.example/ http://c.example/"])
        >>> pyarrow.table(urlgrep.find_column(strings, columns=["host", "offset"])).to_pydict()
        {'row': [0, 2, 2], 'host': ['a.example', 'b.example', 'c.example'], 'offset': [4, 0, 18]}
    """

def kind(
    path: str | bytes | PathLike[str] | PathLike[bytes] | _Reader,
    *,
    file: str | bytes | PathLike[str] | PathLike[bytes] | None = None,
    input: Literal["auto", "text", "mail", "html", "csv"] = "auto",
) -> Kind:
    """Recognise the kind of a file by its first 64 KiB and its name, as `find_file` and the command do.

    Args:
        path: A path, or a file object. An object is read from its position, which is restored if it can ``seek``.
        file: The name of an object, if it has one. Text with a name that ends in ``.html`` is HTML.
        input: As in `find_file`.

    Returns:
        The kind, which also states whether ranges can be searched separately. The first bytes of a compressed file
        do not show whether it has several members.

    Raises:
        OSError: If the file cannot be read.

    Example:
        >>> import io, urlgrep
        >>> kind = urlgrep.kind(io.BytesIO(b"words"))
        >>> kind.name, kind.divisible
        ('text', True)
    """

def parse(url: str | bytes, *, level: _Level = "iri", otherurl: Literal["literal"] | None = None) -> Url:
    """Parse a URL by RFC 1738, else by RFC 3986, else by RFC 3987. `Url.level` is the level that fits.

    Args:
        url: The URL, and nothing else.
        level: The loosest level that is accepted: ``"rfc1738"``, ``"rfc1738-ref"`` (with a fragment), ``"rfc3986"``,
            ``"iri"``, or ``"none"``, which accepts anything.
        otherurl: ``"literal"`` applies RFC 1738's rule for other schemes by the letter.

    Raises:
        urlgrep.UrlError: If the URL does not satisfy the level. It is a `ValueError`, with the first byte that the
            level refuses.

    Example:
        >>> import urlgrep
        >>> url = urlgrep.parse("ftp://a.example/pub/read.me")
        >>> url.level, url.host, url.parts["cwd"], url.parts["name"]
        ('rfc1738', 'a.example', ['pub'], 'read.me')
        >>> urlgrep.parse("http://a.example/~joe").level
        'rfc3986'
    """

def resolve(base: str | bytes, reference: _AnyUrl, *, rfc: Literal[1808, 3986] = 1808) -> _AnyUrl:
    """Resolve a reference against a base.

    Args:
        base: An absolute URL.
        reference: The reference; ``str`` gives ``str``, ``bytes`` gives ``bytes``.
        rfc: The RFC whose algorithm is used: 1808 or 3986.

    Raises:
        urlgrep.UrlError: If the base is not absolute, or the reference cannot be resolved.

    Example:
        >>> import urlgrep
        >>> urlgrep.resolve("http://a.example/b/c", "../d")
        'http://a.example/d'
    """

def key(url: _AnyUrl) -> _AnyUrl:
    """Return a key that is equal for URLs with the same meaning, so that they can be counted.

    Do not show the key to users, since it may not be a usable URL. ``str`` gives ``str``, ``bytes`` gives ``bytes``. A
    text that is not a URL is its own key.

    Example:
        >>> import urlgrep
        >>> urlgrep.key("HTTP://A.example:80") == urlgrep.key("http://a.example/")
        True
    """

def replace_all(
    text: _AnyUrl,
    replacement: Callable[[Match], _AnyUrl],
    *,
    any_scheme: bool = False,
    rejoin: _Rejoin = "auto",
    hyphen: _Hyphen = "keep",
    otherurl: Literal["literal"] | None = None,
    iri: bool = False,
    www: bool = False,
    names: bool = False,
    refang: bool = False,
) -> _AnyUrl:
    """Replace each match in a text, with its brackets, by the result of a function.

    Args:
        text: The text; ``str`` gives ``str``, ``bytes`` gives ``bytes``.
        replacement: Called with each match, in order. It must return the type of ``text``: ``str`` or ``bytes``.
        any_scheme: As in `find`, like all options below.
        rejoin: Which broken URLs are joined again.
        hyphen: The first reading of a hyphen before a line break.
        otherurl: How RFC 1738's rule for other schemes is applied.
        iri: Whether bare URLs continue with non-ASCII letters.
        www: Whether names without a scheme are found.
        names: Whether other names without a scheme are found, if they have a path.
        refang: Whether defanged URLs are read.

    Raises:
        TypeError: If ``text`` is not a text, or the function returns another type. The function's own exceptions pass
            through.
        ValueError: If an option has no such value.

    Example:
        >>> import urlgrep
        >>> urlgrep.replace_all("See <URL:http://a.example/x>.", lambda match: f"[{match.host}]({match.url})")
        'See [a.example](http://a.example/x).'
    """

def heal(text: _AnyUrl, *, hyphen: _Hyphen = "keep") -> _AnyUrl:
    r"""Join each URL that was broken over lines into one line. No other byte changes, and brackets stay.

    Args:
        text: The text; ``str`` gives ``str``, ``bytes`` gives ``bytes``.
        hyphen: As in `find`.

    Raises:
        TypeError: If ``text`` is not a text.
        ValueError: If an option has no such value.

    Example:
        >>> import urlgrep
        >>> urlgrep.heal("> see <URL:http://a.example/long/\n> path>, or\n> call\n")
        '> see <URL:http://a.example/long/path>, or\n> call\n'
    """

def defang(url: _AnyUrl) -> _AnyUrl:
    """Write a URL so that it cannot be clicked.

    To defang all URLs of a text, use `replace_all`: ``replace_all(text, lambda match: defang(match.url))``.

    Example:
        >>> import urlgrep
        >>> urlgrep.defang("http://a.example/x")
        'hxxp://a[.]example/x'
    """

def refang(text: _AnyUrl) -> _AnyUrl:
    """Replace the defanged URLs of a text by the URLs that they hide. All other text is unchanged.

    Raises:
        TypeError: If ``text`` is not a text.

    Example:
        >>> import urlgrep
        >>> urlgrep.refang("seen at hxxps://a[.]example/x and <URL:http://b.example/>")
        'seen at https://a.example/x and <URL:http://b.example/>'
    """

def findings(found: Match, /) -> list[Finding]:
    """Run the rules of ``urlgrep audit`` that concern one match.

    Args:
        found: A match, with its place.

    Returns:
        The findings: first those about bytes of the URL, then those about its place. ``start`` and ``end`` are byte
        offsets in ``found.target``.

    Example:
        >>> import urlgrep
        >>> [match] = urlgrep.find("see http://a.example:25/")
        >>> [(finding.rule, finding.severity) for finding in urlgrep.findings(match)][1]
        ('A-PORT-RESERVED', 'medium')
    """

def schema(columns: Sequence[str] | None = None) -> Schema:
    """Return the default columns of a batch, or the columns of these names.

    They are the fields of a match with their types: texts, 64-bit numbers, booleans, lists for ``readings``, structs
    for ``error``, ``parts``, ``generic``, ``message`` and ``body``. ``parts`` has the components of all schemes, with
    null for components that a URL's scheme lacks. ``message.date`` is a time in UTC. A date without a zone is read as
    UTC, and a date without a time as midnight. ``url_bytes``, ``file_bytes`` and ``readings_bytes`` are null unless a
    text is not UTF-8.

    Five more columns can be named. ``target`` is the URL that a click opens, and ``key`` its equality key (`key`).
    ``findings`` is a list of structs with the findings, without ``why`` and ``remedy``. ``from_domain`` and
    ``to_domain`` are the registrable domains of the page in a web archive and of the URL.

    Raises:
        ValueError: If there is no such column.

    Example:
        >>> import urlgrep
        >>> urlgrep.schema(["url", "message.date"])
        <urlgrep.Schema url: Utf8, message.date: Timestamp(µs, "UTC")>
    """
