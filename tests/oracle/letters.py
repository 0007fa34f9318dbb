"""Sorts characters into the classes of the rules: non-ASCII letters, symbols, scripts, white space."""
import unicodedata

W = frozenset(b" \t\r\n\x0b\x0c")
W_PLUS = (" ", "\t", "\r", "\n", "\x0b", "\x0c", "\u00a0", "\u200b", "\ufeff")
UNSEEN = "\u200b\u2060\u00ad"
HYPHEN = "\u2010"
JOINERS = "\u200c\u200d"
# Scripts without blanks between words, by the first words of their characters' names (B-UNI-1).
RUNNING = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI", "IDEOGRAPHIC NUMBER ZERO",
           "IDEOGRAPHIC ITERATION", "HANGZHOU", "HIRAGANA", "KATAKANA LETTER", "KATAKANA ITERATION",
           "KATAKANA VOICED ITERATION", "KATAKANA DIGRAPH", "HALFWIDTH KATAKANA LETTER", "BOPOMOFO", "HANGUL",
           "HALFWIDTH HANGUL", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "VERTICAL IDEOGRAPHIC ITERATION",
           "CIRCLED KATAKANA")
# Stops, commas, brackets and quotes of Chinese and Japanese text.
STOPS = frozenset("。、，．；：？！（）［］｛｝「」『』【】《》〈〉〔〕〖〗〘〙〚〛“”‘’〝〞〟｟｠｡｢｣､")


def at(text, i):
    """Reads the character at an offset. Returns it (None if the bytes are not UTF-8), and the offset after it."""
    byte = text[i]
    if byte < 0x80:
        return chr(byte), i + 1
    size = 2 if 0xC2 <= byte < 0xE0 else 3 if 0xE0 <= byte < 0xF0 else 4 if 0xF0 <= byte < 0xF5 else 0
    try:
        return (text[i:i + size].decode(), i + size) if size and len(text) >= i + size else (None, i + 1)
    except UnicodeDecodeError:
        return None, i + 1


def before(text, i):
    """Reads the character that ends at an offset. Returns it or None, and its start."""
    if i == 0:
        return None, 0
    start = i - 1
    while start > max(0, i - 4) and 0x80 <= text[start] < 0xC0:
        start -= 1
    c, end = at(text, start)
    return (c, start) if end == i else (None, i - 1)


def is_letter(c):
    """Returns whether a character is a non-ASCII letter: of category L, M or N."""
    return c > "\x7f" and unicodedata.category(c)[0] in "LMN"


def is_symbol(c):
    """Returns whether a character is a non-ASCII symbol: of category So."""
    return c > "\x7f" and unicodedata.category(c) == "So"


def is_alnum(c):
    """Returns whether a character is an ASCII letter or digit."""
    return c < "\x80" and c.isalnum() and c != ""


def is_word(c):
    """Returns whether a character is a letter or digit, ASCII or not."""
    return bool(c) and (is_alnum(c) or is_letter(c))


def is_plain_letter(c):
    """Returns whether a character is a letter and not a digit, ASCII or not."""
    return bool(c) and is_word(c) and not unicodedata.category(c) == "Nd"


def is_running(c):
    """Returns whether a letter is of a script that puts no blanks between words."""
    return unicodedata.name(c, "").startswith(RUNNING)


def is_hiragana(c):
    """Returns whether a letter is of Hiragana."""
    return unicodedata.name(c, "").startswith("HIRAGANA")


def is_modifier(c):
    """Returns whether a character changes or joins the emoji before it."""
    return c in "\u200d\ufe0f\ufe0e" or "\U0001f3fb" <= c <= "\U0001f3ff" or "\U000e0020" <= c <= "\U000e007f" or c == "\u20e3"


def is_graphic(c):
    """Returns whether B-CLOSED lets a character stand between its delimiters."""
    if c is None or c in '<>"\\' or c in UNSEEN or c in "\ufeff":
        return False
    if c in "\u061c\u200e\u200f" or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069":
        return False
    return unicodedata.category(c) not in ("Cc", "Zs", "Zl", "Zp")


LATIN_LIKE = (("\u00c0", "\u058f"), ("\u13a0", "\u13fd"), ("\u1e00", "\u1fff"), ("\u2c60", "\u2c7f"), ("\ua640", "\ua69f"),
              ("\ua720", "\ua7ff"), ("\uab30", "\uabbf"), ("\U0001d400", "\U0001d7ff"))


def looks_like_latin(c):
    """Returns whether a character is of a script with letters that look like Latin ones (B-UNI-2)."""
    return any(a <= c <= b for a, b in LATIN_LIKE)
