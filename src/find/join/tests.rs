//! Tests of the whole rule: decisions without the card, the sum of the card, chains and the window.
//! The facts have their own tests.

use super::*;
use crate::find::end::run;
use crate::find::end::run::RunState;
use crate::find::options::OnScreen;
use crate::find::text::left::LazyMarkers;
use crate::find::text::view::View;
use crate::find::why;

/// Three lines of 70-72 columns.
const PROSE: &str = "\
The drawings of the second bridge are kept in the cellar of the old mill\n\
and may be seen there on any Tuesday, if somebody has found the key by\n\
then; copies were made of those that the mice had not begun to like yet.\n";

/// Returns `lines` between paragraphs of prose. Each line begins with `prefix`.
fn among(prefix: &str, lines: &str) -> String {
    let all = format!("{PROSE}\n{lines}\n\n{PROSE}");
    all.lines().map(|line| format!("{prefix}{line}\n")).collect()
}

fn weighed(text: &[u8], start: usize, body: usize, end: usize) -> Result<(Strength, Joined<()>), NoJoin> {
    let (view, markers) = (View::whole(text), LazyMarkers::new());
    let weighed = weigh(&view, start, body, end, &markers, OnScreen::default()).map_err(|refused| match refused {
        NoJoin::Forbidden(_) => NoJoin::Forbidden(""),
        NoJoin::Weak => NoJoin::Weak,
    })?;
    Ok((weighed.strength, weighed.join(|head| (head.len(), ()))))
}

fn decide(text: &[u8], start: usize, body: usize, end: usize) -> Option<Joined<()>> {
    weighed(text, start, body, end).ok().map(|found| found.1)
}

/// Decides the break after the first URL of `text`.
fn run(text: &str) -> Option<(Strength, Joined<()>)> {
    verdict(text).ok()
}

fn verdict(text: &str) -> Result<(Strength, Joined<()>), NoJoin> {
    let start = text.find("http").or_else(|| text.find("ftp:")).or_else(|| text.find("mailto:")).unwrap();
    let bytes = text.as_bytes();
    let colon = start + text[start..].find(':').unwrap() + 1;
    let body = if text[colon..].starts_with("//") { colon + 2 } else { colon };
    let end = run::run_on(bytes, body, bytes.len(), RunState::default());
    weighed(bytes, start, body, end)
}

fn url(text: &str, pieces: &[Range<usize>]) -> String {
    pieces.iter().map(|piece| &text[piece.clone()]).collect()
}

/// Returns the strength and the joined text, not trimmed.
fn joins(text: &str) -> Option<(Strength, String)> {
    run(text).map(|(strength, found)| (strength, url(text, &found.pieces)))
}

fn strong(text: &str, expected: &str) {
    assert_eq!(joins(text), Some((Strength::Strong, expected.to_string())), "{text}");
}

#[test]
fn typical_breaks() {
    for (lines, expected) in [
        (
            "See http://mill.example.org/cellar/drawings/second-bridge/1911/north-pi\ner/sheet-04.gif",
            "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pier/sheet-04.gif",
        ),
        (
            "http://mill.example.org/cgi-bin/find.cgi?word=bridge&year=1911&sheet=no\nrth&page=2",
            "http://mill.example.org/cgi-bin/find.cgi?word=bridge&year=1911&sheet=north&page=2",
        ),
        (
            "the list (http://mill.example.org/cellar/drawings/second-bridge/north-\npier.html) is complete.",
            "http://mill.example.org/cellar/drawings/second-bridge/north-pier.html",
        ),
        (
            "the rest of the drawings is on one page (http://mill.example.org/cellar/\nbridge) for now.",
            "http://mill.example.org/cellar/bridge",
        ),
        (
            "that whole list is kept at http://mill.example.org/cellar/drawings/1911/\nindex.html and nowhere else.",
            "http://mill.example.org/cellar/drawings/1911/index.html",
        ),
        (
            "http://mill.example.org/cellar/find.asp?\nsheet=0672300&edition=2",
            "http://mill.example.org/cellar/find.asp?sheet=0672300&edition=2",
        ),
    ] {
        strong(&among("", lines), expected);
        strong(&among("", lines).replace('\n', "\r\n"), expected);
        strong(&among("", lines).replace('\n', "\r"), expected);
        for prefix in ["> ", "> > ", "JW> ", "| ", "# ", " * ", "// ", "! "] {
            strong(&among(prefix, lines), expected);
        }
        // blanks before the break
        strong(&among("", &lines.replace('\n', " \t\n")), expected);
    }
}

#[test]
fn no_break_of_the_url() {
    for lines in [
        "The list is at http://mill.example.org/cellar/drawings/second/bridge-list\nfor those who ask.",
        "A good place to begin with: http://mill.example.org/cellar\n/John",
        "http://mill.example.org/cellar/\nhttp://mill.example.org/cellar/list.html",
        "http://mill.example.org/cellar/\n> http://mill.example.org/cellar/list.html",
        "1. http://mill.example.org/cellar/\n2. http://mill.example.org/list.html",
        "- http://mill.example.org/cellar/drawings/second/bridge/1911/north/pier/\n- list.html",
        "Home page:   http://mill.example.org/cellar/drawings/second/bridge/1911/\nOS/Version:  any",
        "# http://mill.example.org/cellar/drawings/of/the/second-bridge/pull/1911\n# north=\"sheet\"",
        "# http://mill.example.org/cellar/drawings/of/the/second-bridge/pull/1911\n# sheets/Mill::North",
        "the people of the old mill (http://mill.example.org/cellar/drawings/1911/\njoe@mill.example.org) know more.",
        "ftp://mill.example.org/pub/drawings/bridge\n/pub/archive\n/pub/mill",
        "URL=http://mill.example.org/cellar/drawings/second/bridge/1911/sheet.html\nModified=E0824ED43364C201DE",
        "http://mill.example.org/r.asp?r_________________________________________\nMill-friends mailing list",
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pier-\n",
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pi\n\ner/sheet.gif",
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pi\n* er/sheet.gif",
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pi\n| er/sheet.gif",
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pi\n<er/sheet.gif",
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pi\n)er/sheet.gif",
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pi\n\u{e9}r/sheet.gif",
        "see http://mill.example.org/cellar/list.html for more\nx/y.html",
    ] {
        assert_eq!(run(&among("", lines)), None, "{lines}");
    }
    assert_eq!(run("http://mill.example.org/a"), None);
    assert_eq!(run("http://mill.example.org/a\n"), None);
    assert_eq!(run("http://mill.example.org/a  "), None);
}

/// The next line or a veto forbids some joins (B-JOIN-N, B-JOIN-V). Other joins are only weak.
#[test]
fn forbidden() {
    for lines in [
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pier-\n",
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pier-\n* sheet.gif",
        "http://mill.example.org/cellar/drawings/second-bridge/1911/north-pier-\n<sheet.gif",
        "let pier = north(); // http://mill.example.org/cellar/drawings/1911/\nlet south = pier.sheet.gif;",
        "// http://mill.example.org/cellar/drawings/second-bridge/north-pier-\nsheet.gif",
        "see http://mill.example.org/cellar/drawings/second-bridge/north-pier-\n.SH SHEETS",
        "deb http://mill.example.org/cellar/drawings/of/the/second-bridge/debian\nstable/main second",
        "see http://mill.example.org/cellar/drawings/second-bridge/north-pier/\n#endif",
        "see http://mill.example.org/cellar/drawings/second-bridge/north-pier/\nsheets/north.c | 6 ++--",
        "http://mill.example.org/cellar/drawings/of/the/second-bridge/1911?pier=\n10:00:00 second",
        "PIER=http://mill.example.org/cellar/find?q=second&sheet=\nNORTH=http://mill.example.org/",
        "flash==1.2 # http://mill.example.org/cellar/drawings/second-bridge/1911\ntorch==2.0.1",
        "http://mill.example.org/cellar/drawings/second-bridge/of-1911/north-pier\n[-Wpier]",
        "http://mill.example.org/cellar/drawings/second-bridge/of-1911/north.html\nof/pier/sheet.html",
        "URL:http://mill.example.org/cellar/drawings/second-bridge/1911/find?pier=\nREV:20230422T194639Z",
        "http://mill.example.org/cellar?drawings=second-bridge&of=1911&north-pier\ngit::https://mill.example.org/",
        "x:north='http://mill.example.org/cellar/drawings/second-bridge/of-1911'\nx:south='a.gif'",
        "set PIER=\"http://mill.example.org/cellar/drawings/of/the/second-bridge/\nSHEET=sheets/north.gif",
        "the people of the old mill (http://mill.example.org/cellar/drawings/1911/\njoe@mill.example.org) know more.",
        "* list.txt: http://mill.example.org/cellar/drawings/of/the/second/bridge/\n* sheets/north.gif",
    ] {
        assert_eq!(verdict(&among("", lines)), Err(NoJoin::Forbidden("")), "{lines}");
    }
    for lines in [
        "http://mill.example.org/cellar/-\n/x",
        "clone http://mill.example.org/cellar/drawings/of/the/second-bridge.git/\nf71077a4d84b",
    ] {
        assert_eq!(verdict(&among("", lines)), Err(NoJoin::Weak), "{lines}");
    }
}

/// B-JOIN-V-URL: a place in the notation of scp, but only with a valid user name.
#[test]
fn places_as_scp_has_them() {
    for (below, is_place) in [
        ("git@mill.example.org:pier.git", true),
        ("mill.example.org:pier.git", true),
        ("@mill.example.org:pier.git", false),
        ("a,b@mill.example.org:pier.git", false),
    ] {
        let lines = format!("see http://mill.example.org/cellar/drawings/second-bridge/north-\n{below}");
        assert_eq!(verdict(&among("", &lines)) == Err(NoJoin::Forbidden("")), is_place, "{below}");
    }
}

/// B-JOIN-CAP: the word after the URL is the next argument.
#[test]
fn commands() {
    let lines = "$ git clone http://mill.example.org/cellar/drawings/of/second-bridge/1911/\nsheets/north";
    let strength = |lines: &str| joins(&among("", lines)).map(|found| found.0);
    assert_eq!(strength(lines), Some(Strength::Fair));
    for line_break in ["\n", "\r\n"] {
        let above = among("", &lines.replace("clone ", "clone \\\n  ").replace(" \\", ""));
        assert_eq!(joins(&above.replace('\n', line_break)).map(|found| found.0), Some(Strength::Fair));
    }
    assert_eq!(strength(&lines.replace("clone", "whatever")), Some(Strength::Strong));
}

/// B-JOIN-V-LIST: lines with `*` are items of a list if the line above them begins no comment.
#[test]
fn stars() {
    let lines = " * see http://mill.example.org/cellar/drawings/of/the/second/bridge/1911/\n * north-pier.gif\n";
    for above in ["", " *\n", "/*\n", "pier();\n/** Piers.\n *\n", "> /* Piers\n> * of\n"] {
        assert_eq!(joins(&format!("{above}{lines}")).map(|found| found.0), Some(Strength::Strong), "{above}");
    }
    for above in ["\n", "1911:\n", "Piers:\n\n * one\n * two\n", "/* Piers */\nof\n * one\n"] {
        assert_eq!(verdict(&format!("{above}{lines}")), Err(NoJoin::Forbidden("")), "{above}");
    }
    let hyphen = lines.replace("1911/", "1911-");
    assert_eq!(joins(&format!("Piers:\n{hyphen}")).map(|found| found.0), Some(Strength::Strong));
}

/// B-JOIN-N-COMMENT: the line below a comment is code. The exception is a line that begins with an
/// extension, after a URL that ends in a dot.
#[test]
fn comments() {
    let below = |head: &str, line: &str| {
        let comment = format!("// http://mill.example.org/cellar/drawings/of/the/second/bridge/1911/north/{head}");
        verdict(&format!("{comment}\n{line}\n{line}\n")).map(|found| found.0)
    };
    assert_eq!(below("pier.", "html"), Ok(Strength::Strong));
    for (head, line) in [("pier.", "piers,"), ("pier.", "Html,"), ("pier", "html,"), ("pier-", "html,")] {
        assert_eq!(below(head, line), Err(NoJoin::Forbidden("")), "{head} {line}");
    }
    assert_eq!(below("pier-", "// html"), Ok(Strength::Strong));
}

/// B-JOIN-TYPESET: a hyphen in a host, among lines that were hyphenated by typesetting.
#[test]
fn typeset_hosts() {
    let lines = "Of this and of all that was drawn they tell (http://mill-\ndrawings.example.org/) who know.";
    let strength = |prose: &str, lines: &str| joins(&format!("{prose}{lines}\n{prose}")).map(|found| found.0);
    assert_eq!(strength(PROSE, lines), Some(Strength::Strong));
    let typeset = PROSE.replace("of the old mill", "of the old mills and draw-\nings thereof");
    assert_eq!(strength(&typeset, lines), Some(Strength::Fair));
    let in_path = lines.replace("mill-", "mill.example.org/old-");
    assert_eq!(strength(&typeset, &in_path), Some(Strength::Strong));
    let compound = typeset.replace("ings thereof", "Ings thereof");
    assert_eq!(strength(&compound, lines), Some(Strength::Strong));
}

/// B-JOIN-PARAM: parameters on lines of their own.
#[test]
fn parameters() {
    strong("GET http://h.example/a\n    ?b=1\n    &c=2 HTTP/1.1\n", "http://h.example/a?b=1&c=2");
    assert!(!matches!(verdict("GET http://h.example/a?b=1\n?c=2\n"), Ok((Strength::Strong, _))));
}

/// B-JOIN-Q, B-JOIN-Q2: the `=` of an undecoded soft line break is not part of the URL.
#[test]
fn quoted_printable_residue() {
    let lines = "The list is at http://mill.example.org/cellar/drawings/second/bridge=\n-list.html";
    let text = among("", &format!("caf=E9 and more\n{lines}"));
    assert_eq!(
        joins(&text),
        Some((Strength::Fair, "http://mill.example.org/cellar/drawings/second/bridge-list.html".to_string()))
    );
    // nothing else in the window looks like quoted-printable: the `=` stays
    let text = among("", &lines.replace("-list", "1911&list"));
    strong(&text, "http://mill.example.org/cellar/drawings/second/bridge=1911&list.html");
    // at the column of a soft break, without a query: the `=` is removed, whatever the window shows
    let lines = "The list of all is at http://mill.example.org/cellar/drawings/bridge/1911=\n/list.html";
    strong(&among("", lines), "http://mill.example.org/cellar/drawings/bridge/1911/list.html");
    let query = among("", &lines.replace("bridge/1911", "bridge?1911"));
    assert!(joins(&query).is_none_or(|(_, url)| url.contains('=')));
    assert_eq!(run(&among("", &lines.replace("/list.html", "http://h/list"))), None);
    // a URL on the next line
    assert_eq!(run(&text.replace("1911&list", "http://h/list").replace("The", "=E9")), None);
}

/// B-JOIN-S: sendmail cuts a line of 990 bytes with `!`, CRLF and a blank.
#[test]
fn cut_by_sendmail() {
    let words = "word ".repeat(190);
    let text = format!("{words}http://mill.example.org/cellar/draw!\r\n ings.html");
    strong(&text, "http://mill.example.org/cellar/drawings.html");
    // two blanks, or a shorter line: the `!` stays, if the halves are joined at all
    for other in [text.replace("\r\n ", "\r\n  "), text.replacen("word ", "", 9)] {
        assert!(joins(&other).is_none_or(|(_, url)| url.contains('!')));
    }
}

/// B-JOIN-V0A, B-JOIN-V0B: the head is only a scheme.
#[test]
fn broken_scheme() {
    strong("see http:\n//mill.example.org/a and", "http://mill.example.org/a");
    strong("see (http://\nmill.example.org/a)", "http://mill.example.org/a");
    strong("see http://\nmill.example.org", "http://mill.example.org");
    for text in [
        "see http:\nmill.example.org/a",
        "see http:\n//mill/a",
        "see http:\n//a.b/",
        "see mailto:\n//mill.example.org/",
        "see http://\nmill/a",
        "see http://\nmill.Example/a",
        "see http://\nmill.example.org, and",
        "see http://\nmill.example.org#.",
        "see http://\n.example.org/",
    ] {
        assert_eq!(run(text), None, "{text}");
    }
}

#[test]
fn reply_levels() {
    let lines = "http://mill.example.org/netacgi/find?Sect1=bridge&Sect2=north&Sect3=pier\n&u=/list.html";
    let text = among("> > ", lines);
    let url = lines.replace('\n', "");
    strong(&text, &url);
    strong(&text.replace("> > &u", "> &u"), &url);
    strong(&text.replace("> > &u", "&u"), &url);
    strong(&text.replace("> > &u", "> > > &u"), &url);
}

#[test]
fn chains() {
    let lines = "http://mill.example.org/find?hl=en&threadm=5f25b5cf.0301230204.711700217\n\
                 0b4c%40mill.example.org&rnum=1&prev=/find%3Fhl%3Den%26selm%3D5f25b5c00%2\n\
                 5cf.0301230204%2540mill.example.org";
    let text = among("", lines);
    strong(&text, &lines.replace('\n', ""));
    let (_, found) = run(&text).unwrap();
    assert_eq!((found.pieces.len(), found.longer), (3, None));
    assert!(found.pieces.windows(2).all(|pair| pair[0].end + 1 == pair[1].start));
}

#[test]
fn at_most_sixteen_breaks() {
    let line = "a%20b=x&".repeat(9);
    let lines = format!(
        "http://mill.example.org/cellar/drawings/second/bridge/find.cgi?list=all&\n{}",
        format!("{line}\n").repeat(30)
    );
    let (strength, found) = run(&lines).unwrap();
    assert_eq!((strength, found.pieces.len()), (Strength::Strong, JOIN_BREAKS + 1));
}

/// B-JOIN-CHAIN: a piece may have any length.
#[test]
fn short_pieces() {
    let lines = "http://mill.example.org/find?hl=en&threadm=5f25b5cf.0301230204.711&page=\nno=1&\nsheet=1911";
    strong(&among("", lines), &lines.replace('\n', ""));
}

/// B-JOIN-FOLD: lines of LDIF and iCalendar, also where a word or a host is cut.
#[test]
fn folded_lines() {
    let folded = format!("x: {}\n y\n", "y".repeat(73));
    let line =
        |name: &str, url: &str, length: usize| format!("{name}{url}{}", "s".repeat(length - name.len() - url.len()));
    for (before, line, next, is_joined) in [
        ("BEGIN:VEVENT\n", line("DESCRIPTION:", "http://mill.example.org/bridge", 75), " econd is there", true),
        (&folded, line("URL;VALUE=uri:see ", "http://mill.", 76), " example.org/bridge is there", true),
        ("", line("Comment: ", "http://mill.example.org/bridge", 76), " for those who ask", false),
        ("dn: cn=mill\n", line("labeledURI: ", "http://mill.example.org/", 60), " econd and more", true),
        ("", line("labeledURI: ", "http://mill.example.org/", 60), " econd and more", false),
        ("", line("", "http://mill.example.org/", 76), " econd and more", false),
        ("", line("DESCRIPTION:", "http://mill.example.org/", 75), "  second and more", false),
        ("x", line("DESCRIPTION:", "http://mill.example.org/", 75), "second and more", false),
        (&("x".repeat(90) + "\n"), line("DESCRIPTION:", "http://mill.example.org/", 75), " econd and more", false),
    ] {
        let text = format!("{before}{line}\n{next}\nx:y\n");
        assert_eq!(joins(&text).is_some_and(|(strength, _)| strength == Strength::Strong), is_joined, "{text}");
    }
}

/// B-JOIN-CHAIN: a chain that stops at a break inside the URL also has the longer text.
#[test]
fn half_a_chain() {
    let lines = "http://mill.example.org/find?hl=en&threadm=5f25b5cf.0301230204.711700217\n\
                 0b4c%40mill.example.org&rnum=1&prev=/find/drawings/of/my/bridge.\n\
                 work/shop";
    let text = among("", &format!("{lines} and"));
    let (strength, found) = run(&text).unwrap();
    assert_eq!((strength, found.pieces.len()), (Strength::Strong, 2));
    let longer = found.longer.expect("the longer text");
    assert_eq!(longer[..2], found.pieces[..]);
    assert_eq!(url(&text, &longer), lines.replace('\n', ""));
}

#[test]
fn directory_and_its_files() {
    let one = "   ftp://mill.example.org/pub/README_first/drawings/bridge/\n           sheet-0000.gif";
    strong(&among("", one), "ftp://mill.example.org/pub/README_first/drawings/bridge/sheet-0000.gif");
    let more = format!("{one}\n           sheet-0001.gif");
    assert_eq!(verdict(&among("", &more)), Err(NoJoin::Forbidden("")));
}

/// Text outside of the window has no effect.
#[test]
fn reads_a_bounded_window() {
    let lines = "See http://mill.example.org/cellar/drawings/second-bridge/1911/north-pi\ner/sheet-04.gif";
    let near = among("", lines);
    let start = near.find("http").unwrap();
    let (body, end) = (start + 7, near.find("\ner/").unwrap());
    let expected = decide(near.as_bytes(), start, body, end).unwrap();
    let far = format!("{}\n{}{near}{}", "=20".repeat(90), "\n".repeat(JOIN_BYTES), "\nx=20".repeat(JOIN_BYTES));
    let shift = far.find("The drawings").unwrap();
    let found = decide(far.as_bytes(), start + shift, body + shift, end + shift).unwrap();
    assert_eq!(url(&far, &found.pieces), url(&near, &expected.pieces));
    // the next line reaches past the window's end, so the piece ends there
    let long = format!("http://mill.example.org/a?b=\n{}", "c%20".repeat(2000));
    let (_, found) = run(&long).unwrap();
    assert_eq!(found.pieces[1], 29..28 + JOIN_BYTES);
}

/// No row joins a line that is rejected early. The heads and next lines are random, and have the
/// words of each row.
#[test]
fn rejected_lines_are_never_joined() {
    #[rustfmt::skip]
    const ENDS: [&str; 18] = [
        "pier", "pier/", "pier.", "pier,", "pier?", "p.ht", "p.h", "p.git", "pier=", "pier&", "?a=", "1911", "a%", "", "-", ":",
        ".c", "/debian",
    ];
    #[rustfmt::skip]
    const WORDS: [&str; 32] = [
        "%20", ";type", "!", "\"", "* ", "*&a=b", "// ", "# ", "> ", "-- ", "a=b", "a[b]=c", "19.a_b", "git", "ml", "html", "om/x", "com", " ", " ",
        "of", "the", "sheet.gif", "README", "#endif", ".br", "| 6", "-Da=b", "Word:", "x/y/z", "A", ")",
    ];
    let mut random = fastrand::Rng::with_seed(1808);
    let (mut rejected, mut fair, mut strong) = (0, 0, 0);
    for _ in 0..80_000 {
        let hosts = [
            "http://mill.example.org/a/",
            "http://mill.example.",
            "http://mill.example.org",
            "http://h.org/",
            "http://mill",
        ];
        let host = random.choice(hosts);
        let before = random.choice(["", "see ", "// ", "* ", "# a ", "git clone ", "("]).unwrap_or_default();
        let fill = "x".repeat(random.usize(..60));
        let head = format!("{before}{}{fill}{}", host.unwrap_or_default(), ENDS[random.usize(..ENDS.len())]);
        let next: String = (0..random.usize(1..5)).map(|_| WORDS[random.usize(..WORDS.len())]).collect();
        let text = format!("{head}\n{next}\nand more\n");
        let (start, end) = (before.len(), head.len());
        let strength = weighed(text.as_bytes(), start, start + 7, end).ok().map(|(strength, _)| strength);
        if rejects_line(text.as_bytes(), start..end, end + 1) {
            assert_eq!(strength, None, "{text:?}");
            rejected += 1;
        }
        fair += usize::from(strength == Some(Strength::Fair));
        strong += usize::from(strength == Some(Strength::Strong));
    }
    let counts = [rejected, fair, strong];
    assert!(counts.iter().all(|&count| count > 400), "{counts:?}");
}

/// No input causes a panic, or pieces outside of the text.
#[test]
fn any_bytes() {
    #[rustfmt::skip]
    const PARTS: [&str; 30] = [
        "http://", "http:", "a.example/", "\n", "\r\n", "\r", " ", "\t", "> ", "JW>", "#", "# ", "'", "\"", "(", ")",
        "[", "=", "%", "%4", "&", ".", "-", "!", "/", "//", "www.h.com", "x=y", "é", "@{",
    ];
    let mut random = fastrand::Rng::with_seed(1738);
    for _ in 0..20_000 {
        let text: String = (0..random.usize(..24)).map(|_| PARTS[random.usize(..PARTS.len())]).collect();
        let bytes = text.as_bytes();
        for (start, _) in text.match_indices("http:") {
            let body = start + if text[start..].starts_with("http://") { 7 } else { 5 };
            for end in body..=bytes.len() {
                if let Some(found) = decide(bytes, start, body, end) {
                    assert_eq!(found.pieces[0].start, start);
                    assert!(found.pieces.len() > 1);
                    assert!(found.pieces.iter().all(|piece| piece.start < piece.end && piece.end <= bytes.len()));
                    assert!(found.pieces.windows(2).all(|pair| pair[0].end < pair[1].start));
                }
            }
        }
    }
}

/// B-JOIN-SCREEN
#[test]
fn screens() {
    let full = "http://mill.example.org/abcdefghij\nklmnopqrstuvwxyzabcdefghijklmnopqr";
    for (rest, pieces) in [
        ("stu_v", Some(3)),
        ("stu_v.", Some(3)),
        // a word, a choice, more text, another indentation, a URL
        ("done", None),
        ("[y/N]", None),
        ("stu_v is", None),
        (" stu_v", None),
        ("www.example.com", None),
        // a third line that is full, and a line after it that is not part of the URL
        ("klmnopqrstuvwxyzabcdefghijklmnop_4\nstu_v", Some(4)),
        ("klmnopqrstuvwxyzabcdefghijklmnop_4\nDone.", Some(3)),
        ("klmnopqrstuvwxyzabcdefghijklmnop_4\nv2 is out", Some(3)),
    ] {
        let found = run(&format!("{full}\n{rest}\n"));
        assert_eq!(found.map(|(_, joined)| joined.pieces.len()), pieces, "{rest}");
    }
}

/// B-JOIN-SCREEN: at the columns of mailers, more text ends the URL only after two breaks at the
/// same column.
#[test]
fn screens_as_wide_as_mail() {
    for (widths, pieces) in [(&[72, 72][..], 3), (&[72, 72, 72], 3), (&[70, 72, 72], 4)] {
        let row = |(index, &width): (usize, &usize)| {
            let start = if index == 0 { "http://mill.example.org/" } else { "" };
            format!("{start}{}\n", &"klmno2pqrs_".repeat(7)[..width - start.len()])
        };
        let rows: String = widths.iter().enumerate().map(row).collect();
        let found = run(&format!("{rows}v2 is out\n")).map(|(_, joined)| joined.pieces.len());
        assert_eq!(found, Some(pieces), "{widths:?}");
    }
}

/// The tests of the rule reach every id in the source, and every fact. So no row is dead or
/// untested.
#[test]
fn every_row_is_reached() {
    let tests: [fn(); 21] = [
        facts::tests::each_fact,
        typical_breaks,
        no_break_of_the_url,
        forbidden,
        commands,
        stars,
        parameters,
        typeset_hosts,
        quoted_printable_residue,
        cut_by_sendmail,
        broken_scheme,
        reply_levels,
        chains,
        short_pieces,
        at_most_sixteen_breaks,
        folded_lines,
        half_a_chain,
        screens,
        directory_and_its_files,
        reads_a_bounded_window,
        any_bytes,
    ];
    tests.iter().for_each(|test| test());
    let ids = [include_str!("veto.rs"), include_str!("weigh.rs")]
        .into_iter()
        .flat_map(|source| source.split('"').skip(1).step_by(2).filter(|id| id.starts_with("B-JOIN")));
    let missing: Vec<&str> = table::REACHED.with_borrow(|reached| ids.filter(|id| !reached.contains(id)).collect());
    assert_eq!(missing, [""; 0], "no test reaches these rows");
    let is_silent = |id: &&str| why::words_in("reading/", id).is_empty();
    let silent: Vec<_> = table::REACHED.with_borrow(|reached| reached.iter().copied().filter(is_silent).collect());
    assert_eq!(silent, [""; 0], "an explanation needs words for these rows");
    let seen = facts::SEEN.with_borrow(|seen| *seen);
    for card in [&card::CUT, &card::MARK, &card::FILLED] {
        let unseen: Vec<_> = card.facts().filter(|&fact| !seen.has(fact)).collect();
        assert_eq!(unseen, [], "no test shows these facts");
    }
}
