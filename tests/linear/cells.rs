//! Databases that refer to the same pages again and again. The time to read one grows with its
//! size.

use rusqlite::Connection;

use super::*;

/// The numbers of rows, columns or tables of two databases, and the quotient of the numbers.
const FEW: usize = 250;
const TIMES: usize = 8;

/// Returns a database with these statements, after a change of its bytes.
fn made(statements: &str, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cells-{}-{number}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let connection = Connection::open(&path).expect("a new database");
    connection.execute_batch(&format!("PRAGMA page_size = 512; {statements}")).expect("valid statements");
    drop(connection);
    let mut bytes = std::fs::read(&path).expect("a database of ours");
    std::fs::remove_file(path).expect("a database of ours");
    change(&mut bytes);
    bytes
}

/// Returns a table with this many rows.
fn rows(count: usize) -> String {
    format!("CREATE TABLE t(a); {} INSERT INTO t SELECT 'https://h.example/' || i FROM n;", numbers(count))
}

fn numbers(count: usize) -> String {
    format!("WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})")
}

/// A construct: its name, and a database of it with this many parts.
type Database = (&'static str, fn(usize) -> Vec<u8>);

const DATABASES: &[Database] = &[
    ("rows", |count| made(&rows(8 * count), |_| {})),
    // The last child of the root is the root.
    ("a tree in itself", |count| made(&rows(8 * count), |bytes| bytes[520..524].copy_from_slice(&[0, 0, 0, 2]))),
    ("tables of one page", |count| {
        let names = "SELECT 'table', 't' || i, 't' || i, 2, 'CREATE TABLE t' || i || '(a)'";
        let schema = format!("INSERT INTO sqlite_schema {names} FROM n;");
        made(&format!("{} PRAGMA writable_schema = 1; {} {schema}", rows(count), numbers(count)), |_| {})
    }),
    // SQLite reads the header of a long row again for each of its columns.
    ("columns", |count| {
        let columns: Vec<String> = (0..FEW).map(|number| format!("c{number}")).collect();
        let insert = format!("{} INSERT INTO t(c0) SELECT i FROM n;", numbers(count));
        made(&format!("CREATE TABLE t({}); {insert}", columns.join(",")), |_| {})
    }),
    ("long chains", |count| {
        made(&format!("CREATE TABLE t(a); INSERT INTO t VALUES (printf('%.*c', {}, 'x'));", count * 2_000), |_| {})
    }),
];

#[test]
fn time_of_databases_grows_with_their_size() {
    let time = |bytes: &[u8]| command(&["-z", "-c", "--no-messages", "-j", "1", "-"], bytes);
    let mut complaints = Vec::new();
    for (name, make) in DATABASES {
        let (short, long) = (make(FEW), make(FEW * TIMES));
        let growth = (long.len() / short.len()).max(TIMES) as u32;
        let (few, many) = (time(&short), time(&long));
        // A growth with the square takes eight times as long as this growth.
        if many > few * growth * 3 + Duration::from_millis(200) {
            complaints.push(format!("{name}: {few:?} for {} bytes, {many:?} for {}", short.len(), long.len()));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
