//! The text cells of SQLite databases, in files, pipes, archives and attachments.

use std::fs;
use std::time::{Duration, Instant};

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

/// Returns a database of a table with 900 rows, in pages of 512 bytes. Its second page is the root
/// of the table, an interior page.
fn pages(dir: &Dir) -> Vec<u8> {
    let many = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) INSERT INTO t SELECT 'https://h.example/' || i FROM n";
    let bytes = database(dir, &format!("PRAGMA page_size = 512; CREATE TABLE t(a); {many}"));
    assert_eq!(bytes[512], 5);
    bytes
}

/// Checks that a hostile database ends soon with a note, and that its rows before the damage are
/// found.
#[test]
fn hostile_databases_end_with_a_note() {
    /// The offsets in an interior page: the last child, and the offset of the first cell.
    const LAST_CHILD: usize = 512 + 8;
    const FIRST_CELL: usize = 512 + 12;
    let dir = Dir::new();
    let bytes = pages(&dir);
    let with = |at: usize, by: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + by.len()].copy_from_slice(by);
        bytes
    };
    let second = usize::from(bytes[FIRST_CELL + 2]) << 8 | usize::from(bytes[FIRST_CELL + 3]);
    let page = bytes[512 + second + 3];
    let many = usize::from(page - 1) * 512 + 3;
    for (name, bytes) in [
        ("the root is its own child", with(LAST_CHILD, &[0, 0, 0, 2])),
        ("a child is the root", with(512 + second, &[0, 0, 0, 2])),
        ("a page beyond the file", with(LAST_CHILD, &[0x7F, 0xFF, 0xFF, 0xFF])),
        ("a page of 65,535 cells", with(many, &[0xFF, 0xFF])),
        ("a root of 65,535 cells", with(512 + 3, &[0xFF, 0xFF])),
        ("a page of another type", with(many - 3, &[0x0A])),
    ] {
        dir.file("b.db", &bytes);
        let begun = Instant::now();
        let ran = dir.run(&["-z", "-I", "b.db"]);
        assert!(begun.elapsed() < Duration::from_secs(20), "{name}");
        assert!(ran.err.contains("is an SQLite database, not read whole"), "{name}: {}", ran.err);
        // SQLite follows 20 pages down, so a root that is its own child is read 20 times.
        assert!(ran.text().lines().count() <= 20 * 900, "{name}");
        let is_found = name.starts_with("a root") || ran.text().starts_with("https://h.example/1\n");
        assert!(is_found, "{name}: {}", ran.text());
    }
}

/// A schema may name code to run, or one page many times.
#[test]
fn hostile_schemas_run_nothing() {
    let dir = Dir::new();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
    database(
        &dir,
        &format!(
            "CREATE TABLE t(a); INSERT INTO t VALUES ('https://a.example/'); CREATE VIEW v AS {endless} SELECT i FROM n;\
            CREATE TRIGGER w AFTER INSERT ON t BEGIN DELETE FROM t; END; PRAGMA writable_schema = 1;\
            INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'CREATE VIRTUAL TABLE x USING evil(a)')"
        ),
    );
    dir.run(&["-z", "-I", "a.db"]).is(0, "https://a.example/\n");
    // A thousand tables have the same page.
    pages(&dir);
    let names = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)";
    let live = rusqlite::Connection::open(dir.path("a.db")).unwrap();
    live.execute_batch(&format!(
        "PRAGMA writable_schema = 1; {names} INSERT INTO sqlite_schema SELECT 'table', 't' || i, 't' || i, 2, \
        'CREATE TABLE t' || i || '(a)' FROM n"
    ))
    .unwrap();
    drop(live);
    let ran = dir.run(&["-z", "-I", "a.db"]);
    assert!(ran.err.contains("not read whole"), "{}", ran.err);
    assert!(ran.text().starts_with("https://h.example/1\n") && ran.text().lines().count() < 30_000, "{}", ran.err);
}

/// A damaged log hides no row of the database beside it.
#[test]
fn a_malformed_log_hides_nothing() {
    let dir = Dir::new();
    let live = rusqlite::Connection::open(dir.path("live.db")).unwrap();
    live.execute_batch("PRAGMA page_size = 512; CREATE TABLE t(a); INSERT INTO t VALUES ('https://a.example/')")
        .unwrap();
    let _: String = live.query_row("PRAGMA journal_mode = wal", [], |row| row.get(0)).unwrap();
    live.execute_batch("INSERT INTO t VALUES ('https://b.example/')").unwrap();
    let (bytes, log) = (fs::read(dir.path("live.db")).unwrap(), fs::read(dir.path("live.db-wal")).unwrap());
    let damaged = |at: usize| {
        let mut log = log.clone();
        log[at] ^= 0x55;
        log
    };
    let logs = [
        damaged(0),
        damaged(4),
        damaged(9),
        damaged(17),
        damaged(40),
        log[..log.len() / 2].to_vec(),
        vec![b'x'; 1 << 20],
    ];
    for (number, log) in logs.iter().enumerate() {
        dir.file("a.db", &bytes).file("a.db-wal", log);
        let ran = dir.run(&["-z", "-I", "a.db"]);
        assert!(ran.text().starts_with("https://a.example/\n"), "{number}: {}", ran.err);
    }
}
