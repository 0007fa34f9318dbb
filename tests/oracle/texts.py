"""Makes random texts from fragments that concern the rules, and from the vectors' texts with changes."""
import json
import random

FRAGMENTS = """http://h/x|http://a.example/c|https://h.example/a?b=c&d|ftp://u:p@h.example/|mailto:joe@h.example|news:comp.lang.c
news:1@h.example|news://n.example/a.b|file:///etc/x|file:/a/b|_FILE:/a/b|A_MAILTO:|file:///C:\\d\\e|gopher://h/0a|telnet://h:23/|s3://b/k|svn+ssh://h/r
irc://h/c|foo://h/x|hxxp://h/|magnet:?xt=urn:x|tel:+1-201-555-0123|sip:a@h.example|geo:1.5,2|blob:http://h/y|jar:file:/a.jar!/b
view-source:https://h/|URL:|url: |<URL:|<url:|<|>|<http://|<mailto:|<news:|<ftp://h/a|http:|http://|https:\\/\\/h\\/a|http:\\\\/\\\\/h\\\\/b
https:\\u002F\\u002Fh|http:&#x2F;&#x2F;h&#x2F;a|:|//|://|/|?|#|&|=|%|%41|%2|@|.|,|;|!|...|…|-|--|---|_|__|~|*|**|+|$|$x|${x}|{x}|{|}|[|]|[x]
[1]|[/b]|[.]|(.)|[dot]|(|)|(y)|'|''|"|`|``|^|\\|\\|n|\\"|\\'|\\_|\\-|\\.|\\(|\\)|\\/|\\:8|\\@|\\&|\\~{}|\\n|\\\\|\\fB|\\fP|\\(ti|\\u0026|\\u003d
\\u00e9|\\u201d|\\u200b|\\x3d|\\x22|\\ud83d\\ude00|&amp;|&lt;|&gt;|&quot;|&#39;|&#x2F;|&#47;|&#64;|&nbsp;|&shy;|&hellip;|&amp;gt;|&sol;|&copy;
&eacute;|&ndash;|&mdash;|&#8203;|é|ü|а|ж|中|北京|の|カ|한|ไ|☃|😀|–|—|·|・|‾|’|“|”|«|»|。|，|（|）|、|」|<br>|</a>|<b>|E<lt>|E<gt>|-->|<!--
|x|h|a|b|1|80|:80|:x|www.h.example|example.com|localhost|h.example|.com|.html|.html(|.pdf|or|and|at| or | and | at |see|joe|joe@h.example
joe at h.example|,http://b/y|;http://b/y|[http://b/y]|,mailto:a@b|/http://b/y|?u=http://b/y|=http://b/y|'http://b/y'|"http://b/y"|(http://b/y)
](http://b/y)|url(http://b/y)|<http://b/y>|<http://b/y|t>|`http://b/y`|*http://b/y*|a,b,c|,1,2|x=1,y=2|u=http://h/a,s=2|@{b}|[::1]|[fe80::1%25e]
user@|u:p@|*/|/*|* |# |#|// |; |> |>> |>|| |: |JW> |+ |- |< |dnl |C |│ | │|┃ |║|[Page 3]|.SH X|.\\" |.B x|</ref>|%s|%d|<region>|<n>/""".replace("\n", "|").split("|")
ODD = ["\x1b[1m", "\x1b[0m", "\x1b[K", "\x1b]8;;http://h/l\x07", "\x1b]8;;\x07", "\x1b]8;;\x1b\\", "\x1b[2J", "\u200b", "\u2060", "\u00ad",
       "\u200d", "\u200c", "\u00a0", "\ufeff", "\x00", "\x0b", "\f", "\x07", "|", "||", "\u202e", "\u3000", "\u2010"]
GAPS = ["", "", "", "", "", "", " ", " ", "\n", "\n", "\n  ", "-\n", "\r\n", "\t", "  ", "\n> ", "\n# ", "\n * ", "\n\n", "- ", " \n", "\r", "\n// ", "\u2010\n  "]
BROKEN = [b"\xff", b"\xc3", b"\xe4\xb8", b"\xed\xa0\x80", b"\x80"]


def vectors(path):
    """Reads the texts of the vectors, except the longest ones."""
    with open(path, encoding="utf-8") as lines:
        return [text for text in (json.loads(line)["text"] for line in lines) if len(text) <= 400]


def of_fragments(some):
    """Makes a text from fragments."""
    text = []
    for _ in range(some.randrange(2, 14)):
        text.append(some.choice(ODD) if some.random() < 0.06 else some.choice(FRAGMENTS))
        text.append(some.choice(GAPS))
    return "".join(text)


def changed(some, texts):
    """Makes a text from a vector's text by a few changes."""
    text = some.choice(texts)
    for _ in range(some.randrange(1, 5)):
        at = some.randrange(len(text) + 1)
        how = some.randrange(9)
        if how == 0:
            text = text[:at] + text[at + some.randrange(1, 4):]
        elif how in (1, 2, 3):
            text = text[:at] + some.choice(ODD if some.random() < 0.1 else FRAGMENTS) + text[at:]
        elif how == 4:
            text = text[:at] + some.choice(GAPS) + text[at:]
        elif how == 5:
            text = text[:at] + some.choice(FRAGMENTS) + text[at + 1:]
        elif how == 6:
            other = some.choice(texts)
            text = text[:at] + other[some.randrange(len(other) + 1):][:200]
        elif how == 7:
            to = some.randrange(len(text) + 1)
            text = text[:to] + text[at:at + 20] + text[to:]
        else:
            text = text.replace("\n", "\r\n") if some.random() < 0.3 else text[:at] + some.choice(GAPS) + text[at:]
    return text[:600]


def make(path, count, seed):
    """Makes a number of texts. A seed always gives the same texts."""
    some, texts = random.Random(seed), vectors(path)
    for _ in range(count):
        text = (of_fragments(some) if some.random() < 0.5 else changed(some, texts)).encode()
        if some.random() < 0.03:
            at = some.randrange(len(text) + 1)
            text = text[:at] + some.choice(BROKEN) + text[at:]
        yield text
