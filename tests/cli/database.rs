//! `urlgrep audit --db`: what is read again, two runs at once, other versions, and the queries of
//! the documentation.

use std::io::Write;
use std::process::Stdio;

use super::audit::mailbox;
use super::support::Dir;
use super::{carriers, forms};

/// Asserts that a run with a database gives the same report as a run without one.
#[track_caller]
pub(crate) fn agrees(dir: &Dir, args: &[&str]) {
    let with = dir.run(&[&["audit", "--format", "json", "--db", "a.db"], args].concat());
    let without = dir.run(&[&["audit", "--format", "json"], args].concat());
    assert_eq!(with.err, without.err);
    assert_eq!(with.code, without.code);
    let (with, without) = (with.text(), without.text());
    let differs = with.lines().zip(without.lines()).find(|(one, other)| one != other);
    assert!(with == without, "{differs:?}");
}

#[test]
fn a_database_and_a_fresh_run_agree_whatever_happens_to_the_files() {
    let dir = Dir::new();
    let bodies: Vec<String> = (0..200)
        .map(|n| {
            format!(
                "http://h{}.example/{n} <URL:http://a.example/x-\ny{}> ftp://u:p@h/\nhttp://a.example/x-y0",
                n % 7,
                n % 3
            )
        })
        .collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let mbox = mailbox(&bodies);
    let text = bodies.join("\n").repeat(40);
    let tar = dir.path("c.tar");
    let pack = |names: &[&str]| {
        let mut command = std::process::Command::new("tar");
        assert!(command.current_dir(dir.path("")).arg("cf").arg(&tar).args(names).status().unwrap().success());
    };
    let paths = ["a.mbox", "b.txt", "c.tar", "d"];
    dir.file("a.mbox", &mbox[..mbox.len() / 3])
        .file("b.txt", &text[..text.len() / 2])
        .file("d/1", "http://d1.example/");
    dir.file("m1", "http://m1.example/").file("m2", "http://m2.example/ http://m1.example");
    pack(&["m1", "m2"]);
    agrees(&dir, &paths);
    // Nothing has changed.
    agrees(&dir, &paths);
    // The files have grown. One ends inside a message, the other inside a URL.
    dir.file("a.mbox", &mbox[..mbox.len() / 2]).file("b.txt", &text[..text.len() * 2 / 3]);
    agrees(&dir, &paths);
    // The files have grown again. The tar has one member fewer, and the folder one file more.
    dir.file("a.mbox", &mbox).file("b.txt", &text).file("d/0", "http://d0.example/");
    pack(&["m2"]);
    agrees(&dir, &paths);
    // One file is changed in place, one is shortened, and one is removed.
    dir.file("a.mbox", mbox.replace("h3.example", "h4.example")).file("b.txt", &text[..text.len() / 4]);
    std::fs::remove_file(dir.path("d/1")).unwrap();
    agrees(&dir, &paths);
    // There are fewer paths, one of them twice.
    agrees(&dir, &["b.txt", "a.mbox", "b.txt"]);
    // One path cannot be read.
    agrees(&dir, &["a.mbox", "nowhere"]);
}

#[test]
fn only_what_is_new_is_read() {
    let dir = Dir::new();
    let bodies: Vec<String> = (0..20_000).map(|n| format!("http://h.example/{}", n % 100)).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let mbox = mailbox(&bodies);
    let grown = mbox.len() - 10_000;
    let bytes = |dir: &Dir| {
        let ran = dir.run(&["audit", "--db", "a.db", "--stats", "--format", "urls", "a.mbox"]);
        let line = ran.err.lines().find_map(|line| line.strip_prefix("bytes: ")).unwrap().to_owned();
        line.parse::<usize>().unwrap()
    };
    dir.file("a.mbox", &mbox[..grown]);
    assert_eq!(bytes(&dir), grown);
    assert_eq!(bytes(&dir), 0);
    dir.file("a.mbox", &mbox);
    let read = bytes(&dir);
    assert!((10_000..20_000).contains(&read), "{read}");
}

#[test]
fn a_run_that_is_killed_leaves_what_the_next_can_go_on_with() {
    let dir = Dir::new();
    let bodies: Vec<String> = (0..2_000).map(|n| format!("http://h{}.example/{n} ftp://u:p@h/", n % 7)).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    for n in 0..30 {
        dir.file(format!("d/{n:02}.mbox"), mailbox(&bodies[n * 50..]));
    }
    for wait in [5, 60, 250, 600, 1200] {
        let mut command = dir.command(&["audit", "--db", "a.db", "d"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        let _ = child.kill();
        child.wait().unwrap();
    }
    agrees(&dir, &["d"]);
    agrees(&dir, &["d"]);
}

#[test]
fn two_runs_at_once_and_other_options_are_refused_with_the_remedy() {
    let dir = Dir::new();
    dir.file("a.txt", "http://a.example/\n");
    // A run that waits for its input holds the database.
    let mut command = dir.command(&["audit", "--db", "a.db", "-"]);
    let mut first = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    while std::fs::metadata(dir.path("a.db-journal")).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    dir.run(&["audit", "--db", "a.db", "a.txt"]).fails("", &["a.db", "another program has it open"]);
    drop(first.stdin.take());
    assert!(first.wait().unwrap().success());
    agrees(&dir, &["a.txt"]);
    dir.run(&["audit", "--db", "a.db", "--rejoin", "none", "a.txt"]).fails("", &["a.db", "other options"]);
    dir.file("no.db", "this is no database, and long enough that nobody would take it for one");
    dir.run(&["audit", "--db", "no.db", "a.txt"]).fails("", &["no.db", "is not a database"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(dir.path("a.db")).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_database_of_another_version_is_refused_with_the_remedy() {
    let dir = Dir::new();
    dir.file("a.txt", "http://a.example/\n");
    dir.run(&["audit", "--db", "a.db", "a.txt"]);
    let execute = |sql: &str| rusqlite::Connection::open(dir.path("a.db")).unwrap().execute_batch(sql).unwrap();
    execute("UPDATE meta SET value = '1 of urlgrep 0.0.9' WHERE key = 'schema'");
    dir.run(&["audit", "--db", "a.db", "a.txt"])
        .fails("", &["a.db", "another version (schema 1 of urlgrep 0.0.9)", "remove it"]);
    execute("DROP TABLE meta");
    dir.run(&["audit", "--db", "a.db", "a.txt"]).fails("", &["a.db", "is not a database of an audit"]);
}

/// Checks that a file written, replaced or renamed during the read costs no URL, and that no run
/// fails.
#[test]
fn files_that_change_while_they_are_read() {
    let dir = Dir::new();
    let bodies: Vec<String> = (0..4_000).map(|n| format!("http://h{}.example/{n}\n", n % 9)).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let mbox = mailbox(&bodies);
    let padding = "x\n".repeat(1 << 20);
    dir.file("a.mbox", &mbox)
        .file("b.txt", mbox.replace("From ", "> "))
        .file("c.txt", format!("http://c.example/\n{padding}"));
    for n in 0..200 {
        dir.file(format!("d/{n}"), format!("http://d{n}.example/\n"));
    }
    let paths = ["a.mbox", "b.txt", "c.txt", "d"];
    for round in 0..3 {
        let mut command = dir.command(&[&["audit", "--db", "a.db"], &paths[..]].concat());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut turn = 0;
        while child.try_wait().unwrap().is_none() {
            turn += 1;
            let append = |name: &str, text: String| {
                let mut file = std::fs::OpenOptions::new().append(true).open(dir.path(name)).unwrap();
                file.write_all(text.as_bytes()).unwrap();
            };
            append("a.mbox", mailbox(&[&format!("http://new.example/{round}/{turn}")]));
            append("b.txt", format!("http://new.example/b/{round}/{turn}\n"));
            // A file is replaced by another of the same size, and one is renamed as a mail program
            // does.
            dir.file("c.new", format!("http://{}.example/\n{padding}", ["c", "e"][turn % 2]));
            std::fs::rename(dir.path("c.new"), dir.path("c.txt")).unwrap();
            if turn < 200 {
                let [name, flagged] = ["", ":2,S"].map(|flags| dir.path(format!("d/{turn}{flags}")));
                std::fs::rename(&name, &flagged).unwrap();
                std::fs::rename(flagged, name).unwrap();
            }
            std::thread::sleep(std::time::Duration::from_millis(3));
        }
        let errors = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        assert!(!errors.contains("a.db"), "{errors}");
        assert!(turn > 1, "it ended before anything was changed");
        agrees(&dir, &paths);
    }
}

/// Runs the queries in the documentation of the interface. Local times of three zones must sort
/// chronologically.
#[test]
fn the_queries_of_the_interface_answer_and_dates_sort() {
    let dir = Dir::new();
    let message = |date: &str| {
        format!(
            "From a@a.example Sat Oct  5 23:56:00 2002\nFrom: a@a.example\nDate: {date}\n\n\
             ftp://ftp.harbour.example.org/x http://old.example/ go\n\n"
        )
    };
    // In chronological order.
    let dates = [
        ("6 Feb 1995 05:00:00 +0900", "1995-02-05T20:00:00Z", "1995-02-06T05:00:00+09:00"),
        ("5 Feb 1995 23:00:00 GMT", "1995-02-05T23:00:00Z", "1995-02-05T23:00:00Z"),
        ("5 Feb 1995 20:00:00 -0800", "1995-02-06T04:00:00Z", "1995-02-05T20:00:00-08:00"),
        ("7 Feb 1995", "1995-02-07", "1995-02-07"),
        ("7 Feb 1995 01:00:00", "1995-02-07T01:00:00", "1995-02-07T01:00:00"),
        ("29 Feb 1996 23:30:00 -0100", "1996-03-01T00:30:00Z", "1996-02-29T23:30:00-01:00"),
    ];
    let order = [3, 5, 0, 2, 4, 1];
    dir.file("a.mbox", order.map(|at| message(dates[at].0)).concat());
    dir.run(&["audit", "--db", "a.db", "a.mbox"]);
    let database = rusqlite::Connection::open(dir.path("a.db")).unwrap();
    let page = include_str!("../../src/spec/interface.md");
    let queries: Vec<&str> = page.split("```sql\n").skip(1).flat_map(|sql| sql.split("```").next()).collect();
    let mut queries = queries.iter().flat_map(|sql| sql.split_inclusive(';')).filter(|sql| !sql.trim().is_empty());
    let rows = |sql: &str| -> Vec<(String, String)> {
        let mut statement = database.prepare(sql).unwrap();
        let text =
            |row: &rusqlite::Row<'_>, at| row.get::<_, rusqlite::types::Value>(at).map(|value| format!("{value:?}"));
        statement.query_map([], |row| Ok((text(row, 0)?, text(row, 1)?))).unwrap().map(Result::unwrap).collect()
    };
    let said = rows(queries.next().unwrap());
    let dated: Vec<_> = said.into_iter().map(|(date, _)| date).collect();
    assert_eq!(dated, dates.map(|(_, utc, _)| format!("Text({utc:?})")));
    assert_eq!(rows(queries.next().unwrap()).len(), 2);
    assert!(queries.next().is_none());
    let local = rows("SELECT local_date, '' FROM message ORDER BY date");
    let local: Vec<_> = local.into_iter().map(|(date, _)| date).collect();
    assert_eq!(local, dates.map(|(.., local)| format!("Text({local:?})")));
    agrees(&dir, &["a.mbox"]);
}

/// Checks every packed form of a mailbox that grows by a member, and a web archive of members.
#[test]
fn a_packed_file_that_grows_by_a_member_is_read_anew() {
    let part = |number: u32| {
        let body = |n: u32| format!("http://h{n}.example/ and http://a.example/{n}");
        let bodies: Vec<String> = (3 * number..3 * number + 3).map(body).collect();
        mailbox(&bodies.iter().map(String::as_str).collect::<Vec<_>>()).into_bytes()
    };
    let record = |number: u32| {
        let text = format!("http://h{number}.example/ and more\n");
        let head =
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://w.example/\r\nContent-Type: text/plain\r\n";
        format!("{head}Content-Length: {}\r\n\r\n{text}\r\n\r\n", text.len()).into_bytes()
    };
    for (name, packer, part) in carriers::PACKERS
        .iter()
        .map(|&packer| ("a.packed", packer, &part as &dyn Fn(u32) -> Vec<u8>))
        .chain([("a.warc.gz", "gzip", &record as _)])
    {
        let dir = Dir::new();
        let mut packed = carriers::packed(packer, &part(0));
        dir.file(name, &packed);
        agrees(&dir, &["-z", name]);
        packed.extend(carriers::packed(packer, &part(1)));
        // It grows in place, as a program appends to it.
        let mut file = std::fs::OpenOptions::new().append(true).open(dir.path(name)).unwrap();
        file.write_all(&carriers::packed(packer, &part(1))).unwrap();
        assert_eq!(std::fs::read(dir.path(name)).unwrap(), packed);
        agrees(&dir, &["-z", name]);
    }
}

/// Checks edits that neither the size nor the time of change shows, far from both ends.
#[test]
fn an_edit_is_seen_although_size_and_time_stay() {
    let text = "http://a.example/xxxxx and prose\n".repeat(8_000);
    let edited = [&text[..132_000], "http://evil.example/", &text[132_020..]].concat();
    for is_replaced in [false, true] {
        let dir = Dir::new();
        dir.file("a.txt", &text);
        agrees(&dir, &["a.txt"]);
        let modified = std::fs::metadata(dir.path("a.txt")).unwrap().modified().unwrap();
        let name = if is_replaced { "new" } else { "a.txt" };
        dir.file(name, &edited);
        let file = std::fs::OpenOptions::new().append(true).open(dir.path(name)).unwrap();
        file.set_times(std::fs::FileTimes::new().set_modified(modified)).unwrap();
        std::fs::rename(dir.path(name), dir.path("a.txt")).unwrap();
        assert_eq!(std::fs::metadata(dir.path("a.txt")).unwrap().modified().unwrap(), modified);
        agrees(&dir, &["a.txt"]);
        // A grown file of another inode is another file.
        dir.file("new", format!("{}{}", edited.replace("evil", "good"), "more\n".repeat(20_000)));
        std::fs::rename(dir.path("new"), dir.path("a.txt")).unwrap();
        agrees(&dir, &["a.txt"]);
    }
}

/// Checks that files with equal names in an archive are counted one by one. Each place has its own
/// message.
#[test]
fn files_in_an_archive_may_have_equal_names() {
    let message = |number: u32| {
        format!(
            "From: a@a.example\nMessage-ID: <{number}@a.example>\nSubject: no {number}\n\nftp://u:p@h{number}.example/ http://h.example/\n"
        )
    };
    let members: Vec<_> = (0..3).map(|number| ("m".to_owned(), message(number).into_bytes())).collect();
    let dir = Dir::new();
    dir.file("a.tar", carriers::tar(&members)).file("a.zip", forms::zip(&members, false));
    // This name is also that of a member.
    dir.file("a.tar!/m", "http://file.example/");
    for name in ["a.tar", "a.zip"] {
        for _ in 0..2 {
            agrees(&dir, &["-z", name]);
        }
        for extra in [&[][..], &["--db", "b.db"]] {
            let args = [&["audit", "-z", "--format", "csv", "--allow", "A-PASSWORD"], extra, &[name]].concat();
            let rows = dir.run(&args).text().to_owned();
            let has =
                |n: u32| rows.lines().any(|row| row.contains(&format!("@h{n}.")) && row.contains(&format!("{n}@a.")));
            assert!((0..3).all(has), "{rows}");
        }
        std::fs::remove_file(dir.path("b.db")).unwrap();
    }
    agrees(&dir, &["-z", "a.tar", "a.tar!/m"]);
    agrees(&dir, &["-z", "a.tar!/m", "a.tar", "a.tar"]);
}

/// Checks that places keep the order of the text, and not of their offsets. An offset in a part
/// that was decoded counts from the start of that part.
#[test]
fn places_come_in_the_order_of_the_text() {
    let deflated = |text: &str| {
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(text.as_bytes()).unwrap();
        let stream = zlib.finish().unwrap();
        let head = format!("<</Filter/FlateDecode/Length {}>>stream\n", stream.len());
        [head.as_bytes(), &stream, b"\nendstream\n"].concat()
    };
    let link = |host: &str| format!("{} <</A<</URI(http://u:p@{host}/)>>>>", " ".repeat(200));
    let pdf = [b"%PDF-1.5\n", &deflated(&link("late.example"))[..], &deflated(&link("first.example")[150..])].concat();
    let dir = Dir::new();
    dir.file("a.pdf", pdf);
    for format in ["csv", "sarif", "text", "json"] {
        for reader in ["all", "security"] {
            let args = ["audit", "--format", format, "--for", reader, "a.pdf"];
            let without = dir.run(&args);
            let with = dir.run(&[&args[..], &["--db", "b.db"]].concat());
            assert_eq!(with.text(), without.text());
        }
    }
}

/// Checks that a finding about the whole archive names the mail of its place in every format. So
/// does a finding that only some places of a URL have.
#[test]
fn a_finding_has_the_message_of_its_place_in_every_format() {
    let dir = Dir::new();
    let mail = |number: u32, fields: &str, body: &str| {
        format!(
            "From a@a.example Sat Jan  3 01:05:34 1996\nFrom: a@a.example\nMessage-ID: <{number}@x>\n{fields}\n{body}\n\n"
        )
    };
    // Only to its reader, the URL shows an address that A-RECIPIENT reports.
    let named = "<a href='http://h.example/d/joe%40a.example/x'>2</a>";
    let page = "MIME-Version: 1.0\nContent-Type: text/html\n";
    let mails = [
        mail(1, "", "http://a.example/x https://a.example/y http://a.example/z"),
        mail(2, "", "http://h.example/d/joe%40a.example/x"),
        mail(3, &format!("{page}To: joe@a.example\n"), named),
    ];
    dir.file("a.mbox", mails.concat());
    for format in ["jsonl", "csv", "sarif", "json"] {
        for database in [&[][..], &["--db", "a.db"]] {
            let run = |rule: &str, id: &str| {
                let args = [&["audit", "--allow", rule, "--format", format], database, &["a.mbox"]].concat();
                let text = dir.run(&args).text().to_owned();
                let findings = text.rsplit("\"findings\"").next().unwrap();
                assert!(findings.contains(rule) && findings.contains(id), "{rule} {format}: {text}");
            };
            run("A-HTTP", "1@x");
            run("A-RECIPIENT", "3@x");
        }
    }
}
