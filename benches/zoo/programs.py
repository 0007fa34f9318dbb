"""The programs: what each is called, what brings it, the form that it reads, and its command.

A command is one of a shell. `$W` is the width, and standard input is the form. `py` and `js` run a library by
`write.py` and `write.mjs`. `screen` shows a program in a terminal of tmux that is `$W` columns wide.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    name: str
    kind: str
    package: str  # apt:NAME, pip:NAME, npm:NAME, or with:NAME for a part of Python, Perl or Node.js
    form: str
    command: str
    is_fixed: bool = False  # its output has no width of ours


def apt(kind, name, package, form, command, is_fixed=False):
    return Program(name, kind, f"apt:{package}", form, command, is_fixed)


def py(kind, function, package, form="plain", name=None, is_fixed=False, after=""):
    source = f"pip:{package}" if package else "with:python3"
    return Program(name or package, kind, source, form, f"$PYTHON $HERE/write.py {function} $W {after}", is_fixed)


def js(kind, name, package=None, form="plain", is_fixed=False, source="npm"):
    return Program(name, kind, f"{source}:{package or name}", form, f"node $HERE/write.mjs {name} $W", is_fixed)


def screen(name, package, command, form="plain", keys=""):
    """Shows a file in a pane, and prints the pane once it stands still."""
    return Program(name, "terminal", f"apt:{package}", form, f"$HERE/pane $W {form} '{keys}' {command}")


FORMATTERS = [
    apt("text", "fmt", "coreutils", "plain", "fmt -w $W"),
    apt("text", "fold", "coreutils", "plain", "fold -w $W"),
    apt("text", "fold -s", "coreutils", "plain", "fold -s -w $W"),
    apt("text", "par", "par", "plain", "PARINIT= par ${W}"),
    apt("text", "boxes", "boxes", "plain", "fold -s -w $((W - 4)) | boxes -d stone"),
    apt("text", "cowsay", "cowsay", "plain", "/usr/games/cowsay -W $((W - 4))"),
    apt("text", "Text::Wrap", "perl", "plain", "perl -MText::Wrap -00 -ne '$Text::Wrap::columns = $ENV{W}; chomp; print wrap(\"\", \"\", $_), \"\\n\\n\"'"),
    apt("text", "Text::Autoformat", "libtext-autoformat-perl", "plain", "perl -MText::Autoformat -e 'undef $/; print autoformat <STDIN>, {right => $ENV{W}, all => 1}'"),
    apt("text", "textutil::adjust", "tcllib", "plain", "echo 'package require textutil::adjust; foreach part [split [read stdin] \\n] {puts [::textutil::adjust::adjust $part -length $env(W) -strictlength true]}' > adjust.tcl; tclsh adjust.tcl"),
    apt("text", "vim gq", "vim", "plain", "cat > gq.txt; vim -u NONE -es -c \"set tw=$W\" -c 'normal! gggqG' -c 'w! gq.out' -c 'q!' gq.txt; cat gq.out"),
    py("text", "textwrap", None, name="textwrap"),
    py("text", "argparse", None, name="argparse"),
    py("text", "click", "click"),
    py("text", "rich_print", "rich", name="rich print"),
    js("text", "wrap-ansi"),
    js("text", "word-wrap"),
    js("text", "wordwrapjs"),
    js("text", "smartwrap"),
]

MARKUP = [
    apt("pages", "w3m", "w3m", "html", "w3m -T text/html -dump -cols $W"),
    apt("pages", "lynx", "lynx", "html", "lynx -stdin -dump -width=$W"),
    apt("pages", "elinks", "elinks", "html", "cat > p.html; elinks -no-home 1 -dump -dump-width $W p.html"),
    apt("pages", "links2", "links2", "html", "cat > l.html; links2 -width $W -dump l.html"),
    apt("pages", "html2text (C++)", "html2text", "html", "html2text -width $W"),
    py("pages", "html2text", "html2text", "html", name="html2text (Python)"),
    py("pages", "inscriptis", "inscriptis", "html", is_fixed=True),
    js("pages", "html-to-text", form="html"),
    js("pages", "turndown", form="html", is_fixed=True),
    apt("pages", "tidy", "tidy", "html", "tidy -q -wrap $W --tidy-mark no; true"),
    apt("pages", "pandoc plain", "pandoc", "html", "pandoc -f html -t plain --columns=$W"),
    apt("markup", "pandoc rst", "pandoc", "md", "pandoc -f markdown -t rst --columns=$W"),
    apt("markup", "pandoc latex", "pandoc", "md", "pandoc -f markdown -t latex --columns=$W"),
    apt("markup", "cmark", "cmark", "md", "cmark -t commonmark --width $W"),
    apt("markup", "lowdown", "lowdown", "md", "lowdown -tterm --term-columns=$W --term-width=$W --term-no-ansi"),
    js("markup", "marked-terminal", form="md"),
    js("markup", "prettier", form="md"),
    Program("mdformat", "markup", "pip:mdformat", "md", "$BIN/mdformat --wrap $W -"),
    Program("rich.markdown", "markup", "pip:rich", "md", "COLUMNS=$W $PYTHON -m rich.markdown -w $W -"),
    Program("rst2man", "manuals", "pip:docutils", "rst", "$BIN/rst2man > r.7; MANWIDTH=$W man -l r.7"),
    apt("manuals", "man", "man-db", "man", "cat > m.7; MANWIDTH=$W man -l m.7"),
    apt("manuals", "mandoc", "mandoc", "mdoc", "mandoc -Tascii -O width=$W | col -b"),
    apt("manuals", "groff -ms", "groff", "ms", "(echo .ll ${W}n; echo .nr LL ${W}n; cat) | groff -ms -Tascii -P-cbou"),
    apt("manuals", "pod2text", "perl", "pod", "pod2text --width $W"),
    apt("manuals", "pod2man", "perl", "pod", "pod2man --name NOTES > p.7; MANWIDTH=$W man -l p.7"),
    apt("manuals", "txt2man", "txt2man", "plain", "txt2man -t notes -s 7 > t.7; MANWIDTH=$W man -l t.7"),
    apt("manuals", "makeinfo", "texinfo", "texi", "cat > n.texi; makeinfo --plaintext --fill-column=$W n.texi"),
    apt("manuals", "asciidoctor", "asciidoctor", "adoc", "asciidoctor -b manpage -o a.7 -; MANWIDTH=$W man -l a.7"),
    apt("manuals", "cmark man", "cmark", "md", "cmark -t man > c.7; MANWIDTH=$W man -l c.7"),
]

TABLES = [
    py("tables", "rich_table", "rich", name="rich table"),
    py("tables", "rich_panel", "rich", name="rich panel"),
    py("tables", "tabulate", "tabulate"),
    py("tables", "prettytable", "prettytable"),
    py("tables", "texttable", "texttable"),
    py("tables", "beautifultable", "beautifultable"),
    py("tables", "cli_helpers", "cli-helpers", is_fixed=True),
    js("tables", "cli-table3"),
    js("tables", "table"),
    js("tables", "columnify"),
    js("tables", "cliui"),
    js("tables", "boxen"),
    apt("tables", "column", "bsdextrautils", "tsv", "column -t -s '|' -c $W -N name,note -W note"),
    apt("tables", "sqlite3 box", "sqlite3", "csv", "cat > t.csv; sqlite3 :memory: '.import --csv t.csv t' \".mode box --wrap $((W - 16))\" 'select * from t'"),
    apt("tables", "sqlite3 column", "sqlite3", "csv", "cat > t.csv; sqlite3 :memory: '.import --csv t.csv t' \".mode column --wrap $((W - 12))\" 'select * from t'"),
    apt("tables", "mlr", "miller", "csv", "mlr --icsv --oxtab cat", True),
    apt("tables", "tbl", "groff", "tbl", "(echo .ll ${W}n; echo .pl 9999; sed s/WIDTH/$((W - 16))/) | tbl | groff -Tascii -P-cbou"),
    apt("tables", "Text::ASCIITable", "libtext-asciitable-perl", "tsv", "perl -MText::ASCIITable -ne 'BEGIN { $t = Text::ASCIITable->new; $t->setCols(\"name\", \"note\"); $t->setColWidth(\"note\", $ENV{W} - 16) } chomp; ($n, $x) = split /\\|/, $_, 2; $t->addRow($n, $x) if $. > 1; END { print $t }'"),
    apt("tables", "task", "taskwarrior", "lines", "rm -rf tw; mkdir tw; export TASKRC=$PWD/tw/rc TASKDATA=$PWD/tw; echo news.version=9 > tw/rc; while read -r line; do task rc.verbose=nothing add -- \"$line\"; done > /dev/null; task rc.verbose=nothing rc.defaultwidth=$W rc.detection=off rc.report.z.columns=id,description rc.report.z.labels=ID,Note rc.report.z.sort=id z"),
]

TERMINALS = [
    apt("terminal", "tmux", "tmux", "plain", "$HERE/pane $W plain '' cat"),
    screen("less", "less", "less -X"),
    screen("more", "util-linux", "more"),
    screen("vim", "vim", "vim -u NONE -N -R -n"),
    screen("nano", "nano", "nano --ignorercfiles --softwrap --view"),
    apt("terminal", "screen", "screen", "plain", "$HERE/hardcopy $W"),
    apt("terminal", "bat", "bat", "plain", "batcat --no-config --color=never --decorations=always --style=grid,numbers --terminal-width=$W --wrap=character"),
    py("terminal", "pyte", "pyte"),
    js("terminal", "xterm", "@xterm/headless"),
]

CODE = [
    py("code and data", "pprint", None, name="pprint"),
    js("code and data", "util.inspect", "node", source="with"),
    py("code and data", "yaml", "PyYAML"),
    js("code and data", "js-yaml"),
    js("code and data", "yaml"),
    py("code and data", "icalendar", "icalendar", is_fixed=True),
    py("code and data", "vobject", "vobject", is_fixed=True),
    py("code and data", "mail", None, name="email", is_fixed=True),
    js("code and data", "nodemailer", is_fixed=True),
    apt("code and data", "qprint", "qprint", "plain", "qprint -e", True),
    apt("code and data", "msgcat", "gettext", "po", "msgcat --width=$W -"),
    apt("code and data", "xmllint", "libxml2-utils", "xml", "xmllint --format -", True),
    apt("code and data", "jq", "jq", "json", "jq .", True),
    apt("code and data", "perltidy", "perltidy", "pl", "perltidy -npro -l=$W -st -se"),
    Program("docformatter", "code and data", "pip:docformatter", "py", "$BIN/docformatter --wrap-summaries $W --wrap-descriptions $W -"),
    Program("black", "code and data", "pip:black", "py", "sed 's/\"\"\"\\(.*\\)\"\"\"/x = \"\\1\"/' | $BIN/black -q --preview --enable-unstable-feature string_processing -l $W -"),
    apt("code and data", "git log", "git", "plain", "rm -rf g; git init -q g; git -C g -c user.name=Ines -c user.email=ines@berths.example commit -q --allow-empty -F -; git -C g log \"--format=%w($W,4,4)%B\""),
    py("code and data", "fpdf", "fpdf2", name="fpdf2, pdftotext", after="> f.pdf; pdftotext -layout f.pdf -"),
    apt("code and data", "groff, pdftotext", "poppler-utils", "ms", "(echo .fp 1 R CR; echo .nr LL $((W * 6))p; cat) | groff -ms -Tpdf -fC > g.pdf; pdftotext -layout g.pdf -"),
]

ALL = [*FORMATTERS, *MARKUP, *TABLES, *TERMINALS, *CODE]
