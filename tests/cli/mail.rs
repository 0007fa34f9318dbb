//! Mail and news, compressed and in tars, as files and through pipes. The options for them, and
//! archives that are broken or hostile.

use std::time::{Duration, Instant};

use super::carriers::{
    Case, File, Found, LONG, NINE, PACKERS, cases, check, check_case, maildir, mbox, packed, rnews, spool, tar,
    to_base64,
};
use super::support::{Dir, Ran};

fn found(ran: &Ran) -> Vec<Found> {
    ran.text().lines().map(Found::from_json).collect()
}

fn messages(cases: &[Case]) -> impl Iterator<Item = &[u8]> {
    cases.iter().map(|case| &case.message[..])
}

/// Sorts all matches by message, whatever contains them.
fn essence(found: &[Found]) -> Vec<Found> {
    let mut all: Vec<Found> = found.iter().map(Found::essence).collect();
    // The matches of one message come in order.
    all.sort_by_key(|found| found.id.clone());
    all
}

fn write(dir: &Dir, files: &[File]) {
    for (path, bytes) in files {
        dir.file(path, bytes);
    }
}

/// Returns a short message that every heuristic accepts as mail.
fn letter(id: &str, body: &str) -> String {
    format!("From: joe@a.example\nDate: Sat, 21 Sep 1996 12:00:00 +0000\nMessage-ID: <{id}@a.example>\n\n{body}\n")
}

/// Returns a mailbox of such messages.
fn letters(letters: &[(&str, &str)]) -> Vec<u8> {
    let letters: Vec<String> = letters.iter().map(|(id, body)| letter(id, body)).collect();
    mbox(letters.iter().map(|letter| letter.as_bytes()))
}

/// Fails if `run` is unreasonably slow. Quadratic time would be minutes here.
#[track_caller]
fn in_time<T>(run: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = run();
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    result
}

#[test]
fn statistics_name_the_parts_that_could_not_be_decoded() {
    let dir = Dir::new();
    let broken =
        "From: joe@a.example\nDate: Sat, 21 Sep 1996 12:00:00 +0000\nContent-Transfer-Encoding: x-odd\n\nno URL\n";
    dir.file("a.mbox", mbox([letter("1", "http://a.example/").as_bytes(), broken.as_bytes()]));
    let second = std::fs::read_to_string(dir.path("a.mbox")).unwrap().rfind("From ").unwrap();
    let expected = format!("undecoded: a.mbox: message 2 at {second}, part 1: unknown transfer encoding\n");
    for args in [&["--stats"][..], &["--stats", "-j", "1"], &["audit", "--stats"]] {
        let ran = dir.run(&[args, &["a.mbox"]].concat());
        assert!(ran.err.contains(&expected) && ran.err.contains("undecoded-parts: 1\n"), "{args:?}: {}", ran.err);
    }
    // In a batch of small files too.
    dir.file("b.txt", "http://b.example/");
    assert!(dir.run(&["--stats", "-j", "2", "a.mbox", "b.txt"]).err.contains(&expected));
    assert!(!dir.run(&["--stats", "b.txt"]).err.contains("undecoded: "));
}

// -------------------------------------------------------------------------------------- containers

#[test]
fn every_container_gives_the_same_for_every_number_of_threads_and_through_a_pipe() {
    let dir = Dir::new();
    let cases = cases();
    let (as_mbox, as_batch) = (mbox(messages(&cases)), rnews(messages(&cases)));
    let folders = [maildir(&cases), spool("inbox", &cases), spool("comp/infosystems", &cases)];
    let all: Vec<File> = folders
        .concat()
        .into_iter()
        .chain([("box".into(), as_mbox.clone()), ("batch".into(), as_batch.clone())])
        .collect();
    write(&dir, &all);
    let (of_folder, of_all) = (tar(&folders[0]), tar(&all));
    dir.file("folder.tar", &of_folder).file("all.tar", &of_all);

    let run = |name: &str| {
        let alone = dir.run(&["--json", "-j1", name]);
        assert_eq!((alone.code, alone.err.as_str()), (0, ""), "{name}");
        for threads in ["-j2", "-j4"] {
            let ran = dir.run(&["--json", threads, name]);
            assert!(ran.out == alone.out && ran.err.is_empty() && ran.code == 0, "{name} {threads}: {}", ran.err);
        }
        alone
    };
    let expected = {
        let found = found(&run("box"));
        check(&as_mbox, &cases, &found);
        assert_eq!(found.iter().filter(|found| found.url == LONG).count(), NINE);
        essence(&found)
    };
    let batch = found(&run("batch"));
    check(&as_batch, &cases, &batch);
    assert_eq!(essence(&batch), expected);
    for folder in ["mail", "inbox", "comp/infosystems", "folder.tar"] {
        assert_eq!(essence(&found(&run(folder))), expected, "{folder}");
    }
    assert_eq!(found(&run("all.tar")).len(), 5 * expected.len());
    // Each file by itself.
    for (case, (path, bytes)) in cases.iter().zip(&folders[0]) {
        check_case(bytes, case, &found(&dir.run(&["--json", "-j1", path])));
    }

    for (name, bytes) in [("box", &as_mbox), ("batch", &as_batch), ("folder.tar", &of_folder), ("all.tar", &of_all)] {
        let expected = run(name).text().replace(&format!("\"file\":\"{name}"), "\"file\":\"-");
        for threads in ["-j1", "-j2", "-j4"] {
            dir.run_with(&["--json", threads], bytes).is(0, &expected);
        }
        for packer in PACKERS {
            let packed = packed(packer, bytes);
            dir.file("packed", &packed);
            let of_file = run(name).text().replace(&format!("\"file\":\"{name}"), "\"file\":\"packed");
            for threads in ["-j1", "-j2", "-j4"] {
                dir.run(&["--json", "-z", threads, "packed"]).is(0, &of_file);
                dir.run_with(&["--json", "-z", threads], &packed).is(0, &expected);
            }
        }
    }
}

#[test]
fn the_places_of_files_in_a_tar_are_those_in_the_file() {
    let dir = Dir::new();
    dir.file(
        "a.tar",
        tar(&[
            ("cur/1".into(), letter("1", "http://a.example/").into()),
            ("notes".into(), b"x http://b.example/".to_vec()),
        ]),
    );
    let at = letter("1", "").len() - 1;
    dir.run(&["-bn", "a.tar"])
        .is(0, format!("a.tar!/cur/1:5:{at}:http://a.example/\na.tar!/notes:1:2:http://b.example/\n"));
    dir.run(&["-I", "a.tar"]).is(0, "http://a.example/\nhttp://b.example/\n");
}

#[test]
fn ranges_that_tile_a_mailbox_give_each_match_once() {
    let dir = Dir::new();
    let cases = cases();
    let mut random = fastrand::Rng::with_seed(4155);
    for (name, needle, archive) in
        [("box", &b"From joe@"[..], mbox(messages(&cases))), ("batch", b"#! rnews ", rnews(messages(&cases)))]
    {
        dir.file(name, &archive);
        let separators =
            archive.windows(needle.len()).enumerate().filter(|(_, text)| *text == needle).map(|(at, _)| at);
        let mut around: Vec<usize> =
            separators.step_by(3).flat_map(|at| [at.saturating_sub(1), at, at + 1, at + 7]).collect();
        around.dedup();
        let mut anywhere: Vec<usize> = (0..40).map(|_| random.usize(..archive.len())).collect();
        anywhere.sort_unstable();
        for shape in [&["--json"][..], &["-nbH", "--column", "--message", "--all-readings"]] {
            let whole = dir.run(&[shape, &[name]].concat()).out;
            for (cuts, threads) in [(&around, "-j1"), (&anywhere, "-j1"), (&anywhere, "-j2")] {
                let mut tiles = Vec::new();
                for (at, &start) in [0].iter().chain(cuts).enumerate() {
                    let end = cuts.get(at).map_or(String::new(), usize::to_string);
                    let range = format!("{start}:{end}");
                    let ran = dir.run(&[shape, &[threads, "--range", &range, name]].concat());
                    assert!(ran.code < 2 && ran.err.is_empty(), "{range}: {}", ran.err);
                    tiles.extend(ran.out);
                }
                assert!(tiles == whole, "{name} {shape:?} {threads}: {} and {} bytes", tiles.len(), whole.len());
            }
        }
    }
}

// ----------------------------------------------------------------------------------------- options

#[test]
fn input_says_how_to_read() {
    let dir = Dir::new();
    let mail =
        "Subject: x\nFrom: joe@a.example\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.exam=\nple/=7Ejoe\n";
    dir.file("mail", mail);
    dir.run(&["mail"]).is(0, "http://a.example/~joe\n");
    dir.run(&["--input", "auto", "mail"]).is(0, "http://a.example/~joe\n");
    dir.run(&["--input", "text", "mail"]).is(0, "http://a.exam\n");
    dir.run_with(&["--input", "text"], mail.as_bytes()).is(0, "http://a.exam\n");
    // A single field could be in any text.
    let any = "Content-Transfer-Encoding: quoted-printable\n\nhttp://a.exam=\nple/=7Ejoe\n";
    dir.file("any", any);
    dir.run(&["any"]).is(0, "http://a.exam\n");
    dir.run(&["--input", "mail", "any"]).is(0, "http://a.example/~joe\n");
    dir.run_with(&["--input", "mail"], any.as_bytes()).is(0, "http://a.example/~joe\n");
    // A mailbox is recognised, forced or not.
    dir.file("box", letters(&[("1", "http://a.example/1"), ("2", "http://a.example/2")]));
    let ran = dir.run(&["--json", "--input", "mail", "box"]);
    assert_eq!(ran.out, dir.run(&["--json", "box"]).out);
    assert_eq!(found(&ran).iter().map(|found| found.number).collect::<Vec<_>>(), [Some(1), Some(2)]);
    // As text it has no messages.
    let text = dir.run(&["--json", "--input", "text", "box"]);
    assert!(
        text.text()
            .lines()
            .all(|line| line.contains(r#""message":null,"part":null,"content_type":null,"encoding":null"#))
    );
    // Then a tar is text, too.
    dir.file("t.tar", tar(&[("mail".into(), mail.into())]));
    dir.run(&["--input", "text", "-I", "t.tar"]).is(0, "http://a.exam\n");
    dir.run(&["--input", "no"]).fails("", &["--input", "auto, text, mail"]);
}

#[test]
fn what_is_compressed_is_bytes_without_search_zip_and_that_is_said() {
    let dir = Dir::new();
    let archive = letters(&[("1", "http://a.example/1")]);
    dir.file("text", "http://t.example/\n");
    for (packer, format) in PACKERS.iter().zip(["gzip", "gzip", "zstd", "bzip2", "xz", "lz4"]) {
        dir.file("d/packed", packed(packer, &archive)).file("d/other", packed(packer, &archive));
        for threads in ["-j1", "-j4"] {
            let ran = dir.run(&["-I", threads, "d/packed", "d/other", "text"]);
            assert_eq!(ran.code, 0, "{packer}");
            assert!(ran.text().ends_with("http://t.example/\n"), "{packer}");
            for name in ["d/packed", "d/other"] {
                let note = format!("{name}: is {format}, searched as bytes; --search-zip unpacks it");
                assert!(ran.err.contains(&note) && ran.err.lines().count() == 2, "{}", ran.err);
            }
            dir.run(&["-z", threads, "d/packed", "text"])
                .is(0, "d/packed:http://a.example/1\ntext:http://t.example/\n");
        }
    }
    // Two layers of compression are unpacked, also around plain text.
    dir.file("twice", packed("gzip", &packed("xz", b"x http://a.example/")));
    dir.run(&["-zb", "twice"]).is(0, "2:http://a.example/\n");
    dir.file("thrice", packed("gzip", &packed("gzip", &packed("gzip", b"x http://a.example/"))));
    let ran = dir.run(&["-z", "thrice"]);
    let note = "urlgrep: thrice: is gzip nested too deep, searched as bytes\n";
    assert_eq!((ran.code, ran.text(), &*ran.err), (1, "", note));
}

#[test]
fn message_ids_are_printed_on_demand() {
    let dir = Dir::new();
    dir.file("box", letters(&[("1", "http://a.example/1"), ("2", "http://a.example/2")]))
        .file("text", "http://t.example/");
    dir.run(&["--message", "box"]).is(0, "<1@a.example>:http://a.example/1\n<2@a.example>:http://a.example/2\n");
    dir.run(&["--message", "-n", "-H", "-m1", "box"]).is(0, "box:6:<1@a.example>:http://a.example/1\n");
    dir.run(&["--message", "text"]).is(0, "<>:http://t.example/\n");
    dir.run_with(&["--message"], b"From: joe@a.example\nMessage-ID:\n <folded@a.example>\n\nhttp://a.example/")
        .is(0, "<folded@a.example>:http://a.example/\n");
    // Each match stays one line, whatever a message claims as its id.
    let ran = dir.run_with(
        &["--message"],
        b"From: joe@a.example\nMessage-ID: <=?utf-8?Q?a=0Ab?=@x>\nTo: x\n\nhttp://a.example/",
    );
    assert_eq!(ran.text().lines().count(), 1, "{}", ran.text());
}

#[test]
fn first_said() {
    let dir = Dir::new();
    dir.file(
        "box",
        letters(&[
            ("1", "Jane wrote:\n> see http://a.example/x\n> and http://b.example/\n"),
            ("2", "see http://a.example/x and http://c.example/"),
            ("3", "see HTTP://A.example:80/%78 and http://c.example/"),
        ]),
    );
    // The first unquoted copy is printed, wherever it is. For a URL that is only quoted, it is the
    // first copy.
    let (one, two, three) = ("http://b.example/\n", "http://a.example/x\n", "http://c.example/\n");
    dir.run(&["--first-said", "box"]).is(0, format!("      1 {one}      3 {two}      2 {three}"));
    dir.run(&["--first-said", "--message", "box"])
        .is(0, format!("      1 <1@a.example>:{one}      3 <2@a.example>:{two}      2 <2@a.example>:{three}"));
    let json = dir.run(&["--first-said", "--json", "box"]);
    let counts: Vec<_> =
        json.text().lines().map(|line| line.rsplit_once("\"count\":").unwrap().1.to_string()).collect();
    assert_eq!(counts, ["1}", "3}", "2}"]);
    assert_eq!(found(&json).iter().map(|found| found.number).collect::<Vec<_>>(), [Some(1), Some(2), Some(2)]);
    let csv = dir.run(&["--first-said", "--csv", "box"]);
    let columns: Vec<_> = csv.text().split_terminator("\r\n").map(|row| row.rsplit_once(',').unwrap().1).collect();
    assert_eq!(columns, ["count", "1", "3", "2"]);
    // Without the option neither format has a count.
    assert!(dir.run(&["--json", "box"]).text().lines().all(|line| line.ends_with("\"count\":null}")));
    assert!(!dir.run(&["--csv", "box"]).text().contains("count"));
    // Over all files, for every number of threads.
    dir.file("d/1", letter("d1", "> http://b.example/"))
        .file("d/2", letter("d2", "http://b.example/ http://a.example/x"));
    for threads in ["-j1", "-j2", "-j4"] {
        dir.run(&["--first-said", threads, "-H", "box", "d"])
            .is(0, "      4 box:http://a.example/x\n      2 box:http://c.example/\n      3 d/2:http://b.example/\n");
    }
    dir.run(&["--first-said", "--host", "none.example", "box"]).is(1, "");
    dir.run(&["--first-said", "--host", "c.example", "box"]).is(0, format!("      2 {three}"));
}

#[test]
fn first_said_counts_both_forms_of_a_message() {
    let dir = Dir::new();
    let both = "From: joe@a.example\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n\
        --b\n\nat http://a.example/\n--b\nContent-Type: text/html\n\n<a href=\"http://a.example/\">here</a>\n--b--\n";
    dir.file("mail", both);
    dir.run(&["--first-said", "mail"]).is(0, "      2 http://a.example/\n");
}

#[test]
fn options_that_contradict_one_another_are_refused() {
    let dir = Dir::new();
    dir.file("t", "http://a.example/");
    for option in ["-u", "-m1", "-c", "-l", "-L", "-q"] {
        dir.run(&["--first-said", option, "t"]).fails("", &["--first-said", "cannot be used with"]);
    }
    dir.run(&["--json", "--csv", "t"]).fails("", &["--csv"]);
}

#[test]
fn counts_and_names_in_mail() {
    let dir = Dir::new();
    dir.file(
        "box",
        letters(&[("1", "http://a.example/1 http://a.example/2"), ("2", "http://a.example/1"), ("3", "none")]),
    );
    dir.file("none", letters(&[("4", "none")]));
    for threads in ["-j1", "-j2"] {
        dir.run(&["-c", threads, "box"]).is(0, "3\n");
        dir.run(&["-c", "-u", threads, "box", "none"]).is(0, "box:2\nnone:0\n");
        dir.run(&["-l", threads, "box", "none"]).is(0, "box\n");
        dir.run(&["-L", threads, "box", "none"]).is(0, "none\n");
        dir.run(&["-L", threads, "none"]).is(1, "none\n");
        dir.run(&["-q", threads, "none", "box"]).is(0, "");
        dir.run(&["-q", threads, "none"]).is(1, "");
        dir.run(&["-m", "2", threads, "box"]).is(0, "http://a.example/1\nhttp://a.example/2\n");
        dir.run(&["-u", threads, "box"]).is(0, "http://a.example/1\nhttp://a.example/2\n");
        dir.run(&["-c", "-m", "1", threads, "box"]).is(0, "1\n");
    }
}

#[test]
fn counts_and_names_in_a_tar() {
    let dir = Dir::new();
    let page = "From: joe@a.example\nMIME-Version: 1.0\nContent-Type: text/html\n\n<a href='http://a.example/a'>http://b.example/b</a>\n";
    dir.file(
        "t.tar",
        tar(&[
            ("1".into(), letter("1", "http://a.example/1 http://b.example/1").into()),
            ("2".into(), letter("2", "none").into()),
            ("3".into(), page.into()),
            ("4".into(), Vec::new()),
        ]),
    );
    let mut gzip = packed("gzip", &std::fs::read(dir.path("t.tar")).unwrap());
    dir.file("t.tgz", &gzip);
    for threads in ["-j1", "-j2"] {
        for (name, zip) in [("t.tar", "--"), ("t.tgz", "-z")] {
            let run = |args: &[&str], code: i32, out: &str| {
                let expected = out.replace("t.tar", name);
                let zip: &[&str] = if zip == "-z" { &["-z"] } else { &[] };
                dir.run(&[args, &[threads], zip, &[name]].concat()).is(code, expected);
            };
            run(&["-c"], 0, "t.tar!/1:2\nt.tar!/2:0\nt.tar!/3:2\nt.tar!/4:0\n");
            run(&["-l"], 0, "t.tar!/1\nt.tar!/3\n");
            run(&["-L"], 0, "t.tar!/2\nt.tar!/4\n");
            run(&["-q"], 0, "");
            run(&["-m1"], 0, "t.tar!/1:http://a.example/1\nt.tar!/3:http://a.example/a\n");
            run(&["-u", "-I"], 0, "http://a.example/1\nhttp://b.example/1\nhttp://a.example/a\nhttp://b.example/b\n");
            run(&["--kind", "attribute"], 0, "t.tar!/3:http://a.example/a\n");
            run(&["--host", "b.example"], 0, "t.tar!/1:http://b.example/1\nt.tar!/3:http://b.example/b\n");
            run(&["-c", "-0", "--kind", "wrapped"], 1, "t.tar!/1\x000\nt.tar!/2\x000\nt.tar!/3\x000\nt.tar!/4\x000\n");
        }
    }
    // The checksum of gzip follows the last file.
    gzip.truncate(gzip.len() - 12);
    dir.file("cut.tgz", &gzip);
    let ran = dir.run(&["-L", "-z", "cut.tgz"]);
    assert_eq!((ran.code, ran.text()), (2, "cut.tgz!/2\ncut.tgz!/4\n"), "{}", ran.err);
}

#[test]
fn relative_links_are_told_apart_by_where_they_lead() {
    let dir = Dir::new();
    dir.file(
        "mail",
        "From: joe@a.example\nMIME-Version: 1.0\nContent-Type: text/html\n\n<base href='http://a.example/dir/'>\
         <a href='x'>x</a> <a href='//b.example/y'>y</a> http://c.example/\n",
    );
    dir.run(&["--host", "b.example", "mail"]).is(0, "http://b.example/y\n");
    dir.run(&["--kind", "attribute", "mail"])
        .is(0, "http://a.example/dir/\nhttp://a.example/dir/x\nhttp://b.example/y\n");
    dir.run(&["-s", "http", "-c", "mail"]).is(0, "4\n");
    dir.run(&["-s", "ftp", "mail"]).is(1, "");
    dir.run(&["--kind", "bare", "mail"]).is(0, "http://c.example/\n");
    // Two relative links with the same text are two URLs if their bases differ.
    let other = std::fs::read_to_string(dir.path("mail")).unwrap().replace("a.example", "d.example");
    dir.file("other", other);
    dir.run(&["-u", "-I", "-s", "http", "--host", "[ad].example", "mail", "other"])
        .is(0, "http://a.example/dir/\nhttp://a.example/dir/x\nhttp://d.example/dir/\nhttp://d.example/dir/x\n");
}

#[test]
fn what_could_not_be_decoded_and_where_a_link_stands_is_told() {
    let dir = Dir::new();
    let fields = |name: &str, fields: &str, body: &str| -> Vec<String> {
        dir.file("mail", format!("From: joe@a.example\nMIME-Version: 1.0\n{fields}\n{body}"));
        let ran = dir.run(&["--json", "mail"]);
        let field = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()[name].to_string();
        ran.text().lines().map(field).collect()
    };
    let plain = |fields: &str| format!("Content-Type: text/plain{fields}\n");
    let url = "http://a.example/ \u{E9}\n";
    assert_eq!(fields("note", &plain(""), url), ["null"]);
    assert_eq!(fields("note", &plain("; charset=x-none"), url), ["\"unknown charset\""]);
    let encoding = plain("\nContent-Transfer-Encoding: x-none");
    assert_eq!(fields("note", &encoding, url), ["\"unknown transfer encoding\""]);
    let encoding = plain("\nContent-Transfer-Encoding: base64");
    assert_eq!(fields("note", &encoding, url), ["\"lines that are not base64\""]);
    let mixed = "Content-Type: multipart/mixed; boundary=none\n";
    assert_eq!(fields("note", mixed, url), ["\"multipart without its boundary\""]);
    let page = "<A HREF='http://a.example/'>www.b.com</A> <img src='http://a.example/x'> http://a.example/";
    let html = "Content-Type: text/html\n";
    assert_eq!(fields("attribute", html, page), ["\"a href\"", "\"img src\"", "null"]);
    assert_eq!(fields("shown_host", html, page), ["\"www.b.com\"", "null", "null"]);
    let text = "Log in at www.b.com <http://a.example/>\n\nhttp://b.com/\n<http://a.example/>, <http://b.com/>\n";
    assert_eq!(fields("shown_host", &plain(""), text), ["\"www.b.com\"", "null", "\"b.com\"", "null"]);
}

#[test]
fn a_range_is_for_one_plain_file() {
    let dir = Dir::new();
    let archive = letters(&[("1", "http://a.example/1"), ("2", "http://a.example/2")]);
    dir.file("box", &archive).file("t.tar", tar(&[("box".into(), archive.clone())]));
    dir.run(&["--range", "1:", "box"]).is(0, "http://a.example/2\n");
    dir.run(&["-z", "--range", "1:", "box"]).is(0, "http://a.example/2\n");
    dir.run(&["--range", ":1", "box"]).is(0, "http://a.example/1\n");
    for packer in PACKERS {
        dir.file("packed", packed(packer, &archive));
        dir.run(&["-z", "--range", "0:10", "packed"])
            .fails("", &["packed", "--range", "compressed", "needs a plain file"]);
    }
    dir.run(&["--range", "0:10", "t.tar"]).fails("", &["t.tar", "--range", "needs a plain file"]);
}

#[test]
fn statistics_count_messages_and_what_could_not_be_decoded() {
    let dir = Dir::new();
    let bad =
        "From: joe@a.example\nDate: today\nContent-Type: text/plain; charset=x-none\n\nh\u{E9} http://a.example/2\n";
    let bad: Vec<u8> = bad.chars().map(|letter| letter as u8).collect();
    let archive = mbox([letter("1", "http://a.example/1").as_bytes(), &bad]);
    dir.file("box", &archive).file("t.tar", tar(&[("a".into(), archive.clone()), ("b".into(), archive.clone())]));
    for threads in ["-j1", "-j2"] {
        let ran = dir.run(&["--stats", threads, "box"]);
        assert_eq!(ran.code, 0);
        let bytes = format!("bytes: {}\n", archive.len());
        for line in ["files: 1\n", "matches: 2\n", "messages: 2\n", "undecoded-parts: 1\n", "errors: 0\n", &bytes] {
            assert!(ran.err.contains(line), "no {line:?} in {}", ran.err);
        }
        let ran = dir.run(&["--stats", threads, "t.tar"]);
        for line in ["files: 2\n", "matches: 4\n", "messages: 4\n", "undecoded-parts: 2\n", "errors: 0\n"] {
            assert!(ran.err.contains(line), "no {line:?} in {}", ran.err);
        }
    }
}

// ------------------------------------------------------------------------------------------ damage

#[test]
fn a_truncated_file_gives_what_stands_before_and_an_error() {
    let dir = Dir::new();
    // There are URLs throughout the text, so that some stand before every cut.
    let text: String =
        (0..20_000).map(|number| format!("http://a.example/{number}/{:x}\n", number * 7_919 % 65_521)).collect();
    let lines: std::collections::HashSet<&str> = text.lines().collect();
    for (packer, archive) in
        PACKERS.into_iter().flat_map(|packer| [(packer, letters(&[("1", &text)])), (packer, text.clone().into_bytes())])
    {
        let whole = packed(packer, &archive);
        dir.file("cut", &whole[..whole.len() * 2 / 3]);
        for threads in ["-j1", "-j4"] {
            let ran = dir.run(&["-z", threads, "cut"]);
            assert_eq!(ran.code, 2, "{packer}");
            assert!(ran.text().lines().all(|line| lines.contains(line)), "{packer}: a URL is cut");
            assert!(ran.err.ends_with("a URL that this truncates is skipped\n"), "{}", ran.err);
            assert!(ran.text().starts_with("http://a.example/0/0\nhttp://a.example/1/"), "{packer}");
            assert!(
                ran.err.contains("cut: ") && ran.err.contains("at byte ") && ran.err.lines().count() == 1,
                "{}",
                ran.err
            );
        }
        // The count is that of the matches before the cut. With -q a match is enough.
        let shown = dir.run(&["-z", "cut"]).text().lines().count();
        let ran = dir.run(&["-zc", "cut"]);
        assert_eq!((ran.code, ran.text()), (2, &*format!("{shown}\n")));
        assert_eq!(dir.run(&["-zq", "cut"]).code, 0);
    }
}

#[test]
fn what_is_broken_does_not_keep_the_next_from_being_read() {
    let dir = Dir::new();
    let archive = letters(&[("1", "http://a.example/1")]);
    let mut broken = packed("gzip", &archive);
    let middle = broken.len() - 6;
    broken[middle] ^= 0xFF;
    dir.file("d/1.gz", &broken).file("d/2.gz", packed("gzip", &archive));
    dir.file("t.tar", tar(&[("1.gz".into(), broken.clone()), ("2".into(), archive.clone())]));
    for threads in ["-j1", "-j2"] {
        dir.run(&["-z", threads, "d"])
            .fails("d/1.gz:http://a.example/1\nd/2.gz:http://a.example/1\n", &["d/1.gz", "at byte "]);
        dir.run(&["-z", threads, "t.tar"])
            .fails("t.tar!/1.gz:http://a.example/1\nt.tar!/2:http://a.example/1\n", &["t.tar!/1.gz", "at byte "]);
    }
    // The bytes after the first member are not a gzip member.
    dir.file("tail.gz", [packed("gzip", &archive), b"garbage".to_vec()].concat());
    dir.run(&["-z", "tail.gz"]).fails("http://a.example/1\n", &["tail.gz", "the rest is not compressed"]);
}

#[test]
fn a_bomb_costs_time_only() {
    let dir = Dir::new();
    let text = [vec![0; 100 << 20], b" http://a.example/".to_vec()].concat();
    dir.file("bomb.gz", packed("gzip", &text)).file("bomb.zst", packed("zstd", &text));
    for name in ["bomb.gz", "bomb.zst"] {
        in_time(|| dir.run(&["-z", "-j2", name])).is(0, "http://a.example/\n");
    }
    let in_tar = tar(&[("zeros".into(), text)]);
    dir.file("bomb.tgz", packed("gzip", &in_tar));
    in_time(|| dir.run(&["-z", "-I", "bomb.tgz"])).is(0, "http://a.example/\n");
}

#[test]
fn parts_within_parts_without_end() {
    let dir = Dir::new();
    let nested: String = (0..10_000)
        .map(|number| format!("Content-Type: multipart/mixed; boundary=b{number}\n\n--b{number}\n"))
        .collect();
    let start = "From: joe@a.example\nMIME-Version: 1.0\n";
    dir.file("multipart", format!("{start}{nested}\nhttp://a.example/\n"));
    in_time(|| dir.run(&["multipart"])).is(0, "http://a.example/\n");
    let nested = "Content-Type: message/rfc822\n\n".repeat(10_000);
    dir.file("messages", format!("{start}{nested}\nhttp://a.example/\n"));
    in_time(|| dir.run(&["messages"])).is(0, "http://a.example/\n");
    let same = "--b\nContent-Type: multipart/mixed; boundary=b\n\n".repeat(10_000);
    dir.file("same", format!("{start}Content-Type: multipart/mixed; boundary=b\n\n{same}\nhttp://a.example/\n"));
    in_time(|| dir.run(&["same"])).is(0, "http://a.example/\n");
    let mut encoded = format!("{start}\nhttp://a.example/\n");
    for _ in 0..12 {
        encoded = format!(
            "{start}Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}",
            to_base64(encoded.as_bytes())
        );
    }
    dir.file("encoded", encoded);
    in_time(|| assert!(dir.run(&["encoded"]).code < 2));
}

#[test]
fn boundaries_that_never_come() {
    let dir = Dir::new();
    let almost = "--b0undary\n--b x\n--bb\n".repeat(50_000);
    let head = "From: joe@a.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n";
    dir.file("never", format!("{head}{almost}http://a.example/\n"));
    in_time(|| dir.run(&["never"])).is(0, "http://a.example/\n");
    dir.file("open", format!("{head}--b\n\n{almost}http://a.example/\n"));
    in_time(|| dir.run(&["open"])).is(0, "http://a.example/\n");
    // This message is forwarded many times.
    let forwarded = "-----Original Message-----\nFrom: x\nDate: y\n\n".repeat(20_000);
    dir.file("forwarded", letter("1", &format!("{forwarded}http://a.example/")));
    in_time(|| dir.run(&["--message", "forwarded"])).is(0, "<>:http://a.example/\n");
}

#[test]
fn bodies_that_are_not_what_they_claim() {
    let dir = Dir::new();
    let head = "From: joe@a.example\nMIME-Version: 1.0\n";
    let base64 = "Content-Transfer-Encoding: base64\n";
    for (name, fields, body, out) in [
        ("text as base64", base64, "so see http://a.example/ here\n", "http://a.example/\n"),
        ("long junk", base64, &*"!?".repeat(500_000), ""),
        ("long base64", base64, &*"QUFB".repeat(500_000), ""),
        ("long word", "Content-Transfer-Encoding: quoted-printable\n", &*"=".repeat(1_000_000), ""),
        ("soft breaks", "Content-Transfer-Encoding: quoted-printable\n", &*"=\n".repeat(500_000), ""),
        ("nothing", "Content-Transfer-Encoding: base64\n", "", ""),
        ("a charset", "Content-Type: text/plain; charset=no-such\n", "http://a.example/\n", "http://a.example/\n"),
        ("nul bytes", "X: \0\n", "\0http://a.example/\0\0", "http://a.example/\n"),
        ("flowed", "Content-Type: text/plain; format=flowed\n", &*"a \n".repeat(300_000), ""),
        ("tags", "Content-Type: text/html\n", &*"<a href=".repeat(100_000), ""),
        ("words", &*format!("Subject: {}\n", "=?utf-8?Q?a?= ".repeat(50_000)), "", ""),
        (
            "parameters",
            &*format!("Content-Type: text/plain{}\n", "; a=b".repeat(50_000)),
            "http://a.example/\n",
            "http://a.example/\n",
        ),
    ] {
        dir.file("mail", format!("{head}{fields}\n{body}"));
        in_time(|| {
            let ran = dir.run(&["mail"]);
            assert_eq!((ran.text(), ran.code, ran.err.as_str()), (out, i32::from(out.is_empty()), ""), "{name}");
        });
    }
}

#[test]
fn a_message_that_is_too_long_to_be_held_is_decoded() {
    let dir = Dir::new();
    let filler = format!("{}\n", "x".repeat(99)).repeat(200_000);
    let long = format!("see http://a.exam=\nple/ and\n{filler}http://a.example/long\n{filler}");
    let head = "From: joe@a.example\nDate: today\nContent-Transfer-Encoding: quoted-printable\n\n";
    let archive = mbox([
        letter("1", "http://a.example/1").as_bytes(),
        format!("{head}{long}").as_bytes(),
        format!("{head}http://a.exam=\nple/3\n").as_bytes(),
    ]);
    dir.file("box", &archive);
    let expected = "http://a.example/1\nhttp://a.example/\nhttp://a.example/long\nhttp://a.example/3\n";
    let lines = |ran: &Ran| found(ran).iter().map(|found| (found.line, found.number)).collect::<Vec<_>>();
    let alone = dir.run(&["--json", "-j1", "box"]);
    for threads in ["-j1", "-j2", "-j4"] {
        in_time(|| dir.run(&[threads, "box"])).is(0, expected);
        assert!(dir.run(&["--json", threads, "box"]).out == alone.out);
    }
    in_time(|| dir.run_with::<&str>(&[], &archive)).is(0, expected);
    let count = |at: usize| archive[..at].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
    let last = archive.len() - b"http://a.exam=\nple/3\n\n".len();
    let at = |text: &str| archive.windows(text.len()).position(|window| window == text.as_bytes()).unwrap();
    let long_at = at("http://a.example/long");
    // Decoded text has the line numbers of the file.
    let start = count(at("see http://a.exam=\nple/ "));
    assert_eq!(
        lines(&alone).iter().map(|&(line, _)| line.unwrap()).collect::<Vec<_>>(),
        [6, start, count(long_at), count(last)]
    );
    assert_eq!(lines(&alone).last().unwrap().1, Some(3));
    assert!(last > long_at);
    // The ranges begin before the long message, in it and after it. Line numbers are those of the
    // file.
    for cut in [1, letter("1", "").len() + 80, long_at, last] {
        let tile = |range: String| dir.run(&["--json", "--range", &range, "box"]).out;
        assert!([tile(format!(":{cut}")), tile(format!("{cut}:"))].concat() == alone.out, "{cut}");
    }
    // The file is a single message.
    dir.file("mail", format!("{head}{long}"));
    in_time(|| dir.run(&["mail"])).is(0, "http://a.example/\nhttp://a.example/long\n");
}

/// Excludes relative links from output that lists URLs.
#[test]
fn relative_links_without_a_base_are_for_records() {
    let dir = Dir::new();
    dir.file("page", "From: joe@a.example\nDate: x\nContent-Type: text/html\n\n<a href='/x'>x</a><a href='http://a.example/'>a</a>\n");
    dir.run(&["--no-messages", "page"]).is(0, "http://a.example/\n");
    dir.run(&["--kind", "attribute", "page"]).is(0, "/x\nhttp://a.example/\n");
    let records = dir.run(&["--json", "page"]);
    assert!(
        records.text().contains(r#""url":"/x","#) && records.text().contains(r#""resolved":null"#),
        "{}",
        records.text()
    );
}

#[test]
fn lengths_that_lie_are_ignored() {
    let dir = Dir::new();
    let one = letter("1", "http://a.example/1");
    let two = letter("2", "http://a.example/2");
    let says = |length: &str, letter: &str| format!("Content-Length: {length}\n{letter}");
    for length in ["0", "1", "5", "99999999", "18446744073709551615", "99999999999999999999999", "-1", "x", ""] {
        let archive = mbox([says(length, &one).as_bytes(), says(length, &two).as_bytes()]);
        dir.file("box", &archive);
        dir.run(&["--message", "box"]).is(0, "<1@a.example>:http://a.example/1\n<2@a.example>:http://a.example/2\n");
        let batch = format!("#! rnews {length}\n{one}#! rnews {length}\n{two}");
        dir.file("batch", &batch);
        let ran = dir.run(&["-I", "batch"]);
        assert_eq!((ran.code, ran.text()), (0, "http://a.example/1\nhttp://a.example/2\n"), "{length}");
        if length.parse::<u32>().is_ok() {
            dir.run(&["--message", "batch"])
                .is(0, "<1@a.example>:http://a.example/1\n<2@a.example>:http://a.example/2\n");
        }
    }
    // A correct length hides the separators of the mailbox inside the message.
    let inner = String::from_utf8(letters(&[("in", "http://a.example/in")])).unwrap();
    let body = format!("here it is\n\n{inner}");
    let outer = format!("From: joe@a.example\nMessage-ID: <out@a.example>\nContent-Length: {}\n\n{body}", body.len());
    dir.file(
        "box",
        format!(
            "From joe@a.example Sat Sep 21 12:00:00 1996\n{outer}\nFrom joe@a.example Sat Sep 21 12:00:00 1996\n{two}"
        ),
    );
    let ids: Vec<_> = found(&dir.run(&["--json", "box"])).into_iter().map(|found| (found.id, found.number)).collect();
    assert_eq!(ids, [(Some("out@a.example".into()), Some(1)), (Some("2@a.example".into()), Some(2))]);
}

#[test]
fn a_tar_that_breaks_off_and_tars_in_tars() {
    let dir = Dir::new();
    let file = letter("1", &"http://a.example/\n".repeat(100));
    let whole = tar(&[("1".into(), file.clone().into()), ("2".into(), file.clone().into())]);
    let count = |text: &str| text.lines().filter(|line| line.ends_with("http://a.example/")).count();
    for (cut, least) in [(300, 0), (513, 0), (1024, 20), (2600, 100), (3500, 110)] {
        dir.file("cut.tar", &whole[..cut]);
        for threads in ["-j1", "-j2"] {
            let ran = dir.run(&[threads, "cut.tar"]);
            assert!(count(ran.text()) >= least, "{cut}: {}", count(ran.text()));
            if cut >= 512 {
                assert_eq!(ran.code, 2, "{cut}");
                assert!(ran.err.contains("cut.tar") && ran.err.contains(&format!("at byte {cut}")), "{}", ran.err);
            }
        }
    }
    let mut nested = tar(&[(
        "mail".into(),
        b"From: joe@a.example\nDate: today\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.exam=\nple/\n"
            .to_vec(),
    )]);
    dir.file("1.tar", &nested);
    dir.run(&["1.tar"]).is(0, "1.tar!/mail:http://a.example/\n");
    for level in ["2", "3", "4", "5"] {
        nested = tar(&[("t".into(), nested)]);
        dir.file(format!("{level}.tar"), &nested);
    }
    dir.run(&["2.tar"]).is(0, "2.tar!/t!/mail:http://a.example/\n");
    dir.run(&["3.tar"]).is(0, "3.tar!/t!/t!/mail:http://a.example/\n");
    // The fourth level and its contents are searched as bytes.
    for name in ["4.tar", "5.tar"] {
        let ran = dir.run(&[name]);
        let note = format!("urlgrep: {name}!/t!/t!/t: is a tar nested too deep, searched as bytes\n");
        assert_eq!((ran.code, ran.text(), &ran.err), (0, &*format!("{name}!/t!/t!/t:http://a.exam\n"), &note));
    }
}

#[test]
fn messages_of_one_line_by_the_hundred_thousand() {
    let dir = Dir::new();
    let one = "From a@b Sat Sep 21 12:00:00 1996\nFrom: a@b\n\n";
    dir.file("box", one.repeat(100_000));
    let ran = in_time(|| dir.run(&["--stats", "box"]));
    assert!(ran.code == 1 && ran.err.contains("messages: 100000\n"), "{}", ran.err);
    let one = "#! rnews 29\nFrom: a@b\n\nhttp://a.example/\n";
    dir.file("batch", one.repeat(100_000));
    let ran = in_time(|| dir.run(&["--stats", "-c", "batch"]));
    assert!(ran.text() == "100000\n" && ran.err.contains("messages: 100000\n"), "{} {}", ran.text(), ran.err);
    let body = "From: a@b\nDate: today\n\nhttp://a.example/\n";
    dir.file("t.tar", tar(&(0..20_000).map(|number| (format!("{number}"), body.into())).collect::<Vec<File>>()));
    let ran = in_time(|| dir.run(&["-I", "t.tar"]));
    assert_eq!(ran.text().lines().count(), 20_000, "{}", ran.err);
}

/// Joins a message that was sent in three pieces, with a URL across two of them.
#[test]
fn a_message_that_was_sent_in_pieces_is_one() {
    let piece = |number: usize, body: &str| {
        let kind = format!("message/partial; id=\"q@h\"; number={number}; total=3");
        format!(
            "From a@b.example Mon Jan  1 10:00:01 2024\nFrom: a@b.example\nSubject: part\nContent-Type: {kind}\n\n{body}\n"
        )
    };
    let bodies =
        ["Message-ID: <whole@h>\n\nsee <URL:http://a.example/\n", "one/\ntwo>, <http://b.\n", "example/three>\n"];
    let pieces: Vec<String> = bodies.iter().enumerate().map(|(at, body)| piece(at + 1, body)).collect();
    let dir = Dir::new();
    let urls = |name: &str, text: String| {
        dir.file(name, text);
        let ran = super::forms_read::run_all_ways(&dir, &[], name);
        found(&ran).into_iter().map(|found| (found.id, found.url)).collect::<Vec<_>>()
    };
    let whole = |url: &str| (Some("whole@h".to_string()), url.to_string());
    let all = urls("all.mbox", pieces.concat());
    assert_eq!(all, [whole("http://a.example/one/two"), whole("http://b.example/three")]);
    dir.file("some.mbox", [&*pieces[0], &pieces[2]].concat());
    let ran = dir.run(&["some.mbox"]);
    assert!(ran.err.contains("one piece of a message that was sent in several pieces"), "{}", ran.err);
}
