#!/usr/bin/env bash
# A formatter of C++ breaks string literals inside a URL. Those of other languages do not.
#
# Guess, written before the first run: a formatter breaks a literal only at a blank.
#   A URL has none, so it stays whole, and only its line grows too long.
# Seen: black breaks at blanks alone, and puts the blank at the start of the next literal.
#   clang-format breaks a URL in C++ after `/`, `-`, `?`, `&` or `.` to keep the width.
#   It does so in macros and in wide literals too. It breaks no URL in a comment.
#   With the same style, it breaks no literal of Java or JavaScript.
# Use: a URL in C++ ends where its literals end, not where its first one does.
#   Between two parts stand a quote, perhaps a `\` of a macro, a line break, and perhaps an `L`.
#   A blank at the end of one literal, or at the start of the next, ends the URL.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv > /dev/null
venv/bin/pip --quiet --disable-pip-version-check install clang-format==14.0.6 black==24.10.0

url=https://harbour.example.org/tides/archive/2026/november/constituents/harmonic-notes
style='{BasedOnStyle: LLVM, ColumnLimit: 60}'
formatted() { venv/bin/clang-format --style="$style" --assume-filename="$1"; }
{
  echo "clang-format 14.0.6, black 24.10.0"
  printf 'auto k = "see %s";\n' "$url" | formatted a.cc
  printf '#define K L"%s"\n' "$url" | formatted a.cc
  printf '// see %s\n' "$url" | formatted a.cc
  printf 'const k = "see %s";\n' "$url" | formatted a.js
  printf 'class A { String k = "see %s"; }\n' "$url" | formatted a.java
  printf 'k = "see %s and so on"\n' "$url" |
    venv/bin/black --quiet --preview --enable-unstable-feature string_processing --line-length 60 -
} | tee seen.txt
diff - seen.txt <<'SEEN'
clang-format 14.0.6, black 24.10.0
auto k = "see "
         "https://harbour.example.org/tides/archive/2026/"
         "november/constituents/harmonic-notes";
#define K                                                  \
  L"https://harbour.example.org/tides/archive/2026/"       \
  L"november/constituents/harmonic-notes"
// see
// https://harbour.example.org/tides/archive/2026/november/constituents/harmonic-notes
const k =
    "see https://harbour.example.org/tides/archive/2026/november/constituents/harmonic-notes";
class A {
  String k =
      "see https://harbour.example.org/tides/archive/2026/november/constituents/harmonic-notes";
}
k = (
    "see https://harbour.example.org/tides/archive/2026/november/constituents/harmonic-notes"
    " and so on"
)
SEEN
echo "ok: clang-format breaks a URL of a C++ literal, and of no other"
