//! Damaged databases of SQLite. Reading their text cells ends, and gives no more text than a few
//! times the size of the file.
#![no_main]

use std::sync::OnceLock;
use std::{env, fs, process};

use libfuzzer_sys::fuzz_target;
use rusqlite::Connection;
use urlgrep_fuzz::audited::cells;

/// Tables with and without row IDs, an index, a view, a trigger, long texts, and interior pages.
const STATEMENTS: &str = "PRAGMA page_size = 512; CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO t SELECT i, 'http://a.example/' || i, x'00' FROM n;
    CREATE INDEX i ON t(b); CREATE TABLE u(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    INSERT INTO u VALUES ('k', printf('%.*c', 2000, 'v')), ('l', NULL); CREATE VIEW v AS SELECT b FROM t;
    CREATE TRIGGER w AFTER INSERT ON t BEGIN DELETE FROM u; END;";

fn whole() -> &'static [u8] {
    static WHOLE: OnceLock<Vec<u8>> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let path = env::temp_dir().join(format!("urlgrep-fuzz-{}.db", process::id()));
        let _ = fs::remove_file(&path);
        Connection::open(&path).and_then(|made| made.execute_batch(STATEMENTS)).expect("valid statements");
        let bytes = fs::read(&path).expect("a file of ours");
        let _ = fs::remove_file(path);
        bytes
    })
}

fuzz_target!(|input: (Vec<(u16, u8)>, u16, &[u8])| {
    let (damage, end, more) = input;
    let mut file = whole().to_vec();
    for (at, by) in damage {
        let at = usize::from(at) % file.len();
        file[at] ^= by;
    }
    file.truncate(file.len() - usize::from(end) % file.len());
    file.extend_from_slice(more);
    let (texts, _) = cells(&file);
    // Each cell has three bytes after it, and the smallest files may give more.
    assert!(texts.len() <= 3 * (4 * file.len() + (1 << 18)), "{} of {}", texts.len(), file.len());
});
