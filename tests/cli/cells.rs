//! The text cells of SQLite databases, in files, pipes, archives and attachments.

use std::fs;

use super::attachments::{OCTETS, with};
use super::support::Dir;

const ROWS: &str = "CREATE TABLE urls(id INTEGER PRIMARY KEY, url TEXT, seen INT);\
    INSERT INTO urls VALUES (5, 'https://a.example/a', 1), (9, 'https://a.example/b', 2);\
    CREATE TABLE notes(k TEXT PRIMARY KEY, body, icon) WITHOUT ROWID;\
    INSERT INTO notes VALUES ('n', 'see https://b.example/?a=1&b, and', x'89504e47'),\
    ('p', '<!DOCTYPE html><a href=\"https://c.example/?a&amp;b\">c</a>', CAST('https://d.example/' AS BLOB));";
const NAMED: &str = "\
    a.db!/urls/url/5:https://a.example/a\n\
    a.db!/urls/url/9:https://a.example/b\n\
    a.db!/notes/body/1:https://b.example/?a=1&b\n\
    a.db!/notes/body/2:https://c.example/?a&b\n\
    a.db!/notes/icon/2:https://d.example/\n";
const OFF: &str = "is an SQLite database, not searched; --search-zip reads its text\n";

/// Writes a database, and returns its bytes.
fn database(dir: &Dir, statements: &str) -> Vec<u8> {
    let path = dir.path("a.db");
    let _ = fs::remove_file(&path);
    rusqlite::Connection::open(&path).unwrap().execute_batch(statements).unwrap();
    fs::read(path).unwrap()
}

fn tar(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_ustar();
    header.set_size(bytes.len() as u64);
    header.set_cksum();
    archive.append_data(&mut header, name, bytes).unwrap();
    archive.into_inner().unwrap()
}

#[test]
fn cells_are_read_from_files_pipes_and_archives() {
    let dir = Dir::new();
    let bytes = database(&dir, ROWS);
    dir.run(&["-z", "a.db"]).is(0, NAMED);
    let ran = dir.run(&["a.db"]);
    assert_eq!((ran.code, ran.text(), ran.err.as_str()), (1, "", &*format!("urlgrep: a.db: {OFF}")));
    dir.run(&["-z", "-c", "a.db"]).is(0, "5\n");
    dir.run(&["-z", "-C0", "-m1", "a.db"]).is(0, "a.db!/urls/url/5:https://a.example/a\n");
    dir.run(&["-z", "-I", "a.db", "--input", "text"]).is(0, dir.run(&["-I", "--input", "text", "a.db"]).text());
    let piped = dir.run_with(&["-z"], &bytes);
    assert_eq!(piped.text(), NAMED.replace("a.db", "-"));
    dir.file("a.tar", tar("b.db", &bytes));
    assert_eq!(dir.run(&["-z", "a.tar"]).text(), NAMED.replace("a.db", "a.tar!/b.db"));
    assert_eq!(dir.run(&["a.tar"]).err, format!("urlgrep: a.tar!/b.db: {OFF}"));
}

#[test]
fn cells_are_read_from_attachments() {
    let dir = Dir::new();
    dir.file("a.eml", with(OCTETS, &database(&dir, ROWS)));
    let urls = "https://a.example/a\nhttps://a.example/b\nhttps://b.example/?a=1&b\n";
    let ran = dir.run(&["-z", "a.eml"]);
    assert!(ran.text().starts_with(urls) && ran.text().ends_with("https://d.example/\n"), "{}", ran.text());
    let ran = dir.run(&["a.eml"]);
    let note = "SQLite database, not searched; --search-zip reads one of up to 12 MiB";
    assert_eq!((ran.text(), ran.err.clone()), ("", format!("urlgrep: 1 part of a message: {note}\n")));
}

/// A browser that still runs has its last pages in the log only. Neither file is changed, and no
/// file is made beside them.
#[test]
fn the_log_beside_a_database_is_read() {
    let dir = Dir::new();
    let path = dir.path("live.db");
    let live = rusqlite::Connection::open(&path).unwrap();
    let _: String = live.query_row("PRAGMA journal_mode = wal", [], |row| row.get(0)).unwrap();
    live.execute_batch(ROWS).unwrap();
    fs::create_dir(dir.path("d")).unwrap();
    for name in ["live.db", "live.db-wal"] {
        fs::copy(dir.path(name), dir.path("d").join(name)).unwrap();
    }
    let both = || [fs::read(dir.path("d/live.db")).unwrap(), fs::read(dir.path("d/live.db-wal")).unwrap()];
    let before = both();
    let ran = dir.run(&["-z", "d"]);
    assert_eq!((ran.text(), ran.err.as_str()), (&*NAMED.replace("a.db", "d/live.db"), ""));
    assert!(both() == before && fs::read_dir(dir.path("d")).unwrap().count() == 2);
    let audit = |statements: &str| {
        live.execute_batch(statements).unwrap();
        fs::copy(dir.path("live.db-wal"), dir.path("d/live.db-wal")).unwrap();
        dir.run(&["audit", "-z", "--db", "audit.db", "--format", "urls", "d"]).text().to_owned()
    };
    assert_eq!(audit("").lines().count(), 5);
    assert_eq!(audit("INSERT INTO urls VALUES (10, 'https://e.example/', 1)").lines().count(), 6);
    fs::remove_file(dir.path("d/live.db")).unwrap();
    let ran = dir.run(&["-z", "d"]);
    let note = "is a log of an SQLite database, not searched; `sqlite3` reads it with its database";
    assert_eq!((ran.text(), ran.err.clone()), ("", format!("urlgrep: d/live.db-wal: {note}\n")));
}

#[test]
fn what_is_not_read_of_a_database_is_noted() {
    let dir = Dir::new();
    let many = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) INSERT INTO t SELECT 'https://h.example/' || i FROM n";
    let bytes = database(&dir, &format!("CREATE TABLE t(a); {many}"));
    dir.file("cut.db", &bytes[..bytes.len() / 2]);
    let ran = dir.run(&["-z", "-I", "cut.db"]);
    assert!(ran.code == 0 && ran.text().starts_with("https://h.example/1\nhttps://h.example/2\n"));
    let why = "database disk image is malformed; `sqlite3 FILE .recover` may print the rest";
    assert_eq!(ran.err, format!("urlgrep: cut.db: is an SQLite database, not read whole: {why}\n"));
    assert!(dir.run(&["-z", "--stats", "cut.db"]).err.contains("unread-inputs: 1\n"));
    database(&dir, "CREATE TABLE t(a); INSERT INTO t VALUES (x'010068747470733a2f2f682e6578616d706c652fff')");
    let ran = dir.run(&["-z", "a.db"]);
    assert_eq!(ran.text(), "");
    assert!(ran.err.contains("binary cells with URLs: 1, cells over 8 MiB: 0"), "{}", ran.err);
}
