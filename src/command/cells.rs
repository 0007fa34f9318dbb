//! The text cells of an SQLite database that anybody may have made.
//!
//! The database is never opened where it lies, since that would create files beside it. It is
//! copied to a private temporary folder, with the write-ahead log that lies beside it. The pages of
//! a hostile database may refer to each other. So the size of the file limits how many cells are
//! read, and the work stays linear.

use std::env;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Statement, ffi};

use crate::command::os;

/// The maximum size of a database with its log.
const MOST_BYTES: u64 = 1 << 30;
/// The maximum size of a cell. A longer one is skipped.
const MOST_CELL: u32 = 8 << 20;
/// The maximum length of the text cells of an attached database.
const MOST_ATTACHED: usize = 32 << 20;
/// The memory that SQLite may use, in all.
const MOST_HEAP: i64 = 48 << 20;
/// The time that reading may take, and the time for each MiB beside it.
const MOST_TIME: (Duration, Duration) = (Duration::from_secs(10), Duration::from_millis(500));
/// The number of SQLite's steps between two looks at the clock.
const STEPS: i32 = 10_000;

/// The place of a cell. A table without row IDs numbers its rows from 1.
pub(crate) struct CellPlace<'c> {
    table: &'c str,
    column: &'c str,
    row: i64,
}

impl CellPlace<'_> {
    /// Returns the place as the path of a file: `table/column/row`.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}/{}", self.table, self.column, self.row)
    }
}

/// A callback for each cell that holds text.
type VisitCell<'v> = dyn FnMut(&CellPlace<'_>, &[u8]) -> ControlFlow<()> + 'v;

/// A callback for the row, the column and the text of a cell.
type VisitRow<'v> = dyn FnMut(i64, usize, &[u8]) -> ControlFlow<()> + 'v;

/// A folder that is removed at the end.
struct PrivateFolder(PathBuf);

impl PrivateFolder {
    fn new() -> io::Result<PrivateFolder> {
        /// No two folders of a process share a name, since each is removed twice.
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let mut builder = DirBuilder::new();
        os::set_private_folder(&mut builder);
        for _ in 0..1_000 {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = env::temp_dir().join(format!("urlgrep-{}-{number}", process::id()));
            match builder.create(&path) {
                Ok(()) => return Ok(PrivateFolder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(in_folder(error)),
            }
        }
        Err(in_folder(io::ErrorKind::AlreadyExists.into()))
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn in_folder(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot copy the database to {}: {error}", env::temp_dir().display()))
}

/// Returns the text cells of an attached database, each before a line with a NUL, and whether they
/// are all.
pub(crate) fn attached(mut database: &[u8]) -> (Vec<u8>, bool) {
    let mut texts = Vec::new();
    let Ok(Ok(mut cells)) = CellReader::copy(&mut database, None) else { return (texts, false) };
    let mut has_room = true;
    let unread = cells.each(&mut |_, text| {
        has_room = texts.len() + text.len() <= MOST_ATTACHED;
        if !has_room {
            return ControlFlow::Break(());
        }
        texts.extend_from_slice(text);
        texts.extend_from_slice(b"\n\0\n");
        ControlFlow::Continue(())
    });
    (texts, has_room && unread.is_none())
}

/// The copy of a database.
pub(crate) struct CellReader {
    connection: Connection,
    /// The number of bytes and cells that may still be read.
    budget: u64,
    /// The numbers of cells that were skipped: binary ones with `://`, and long ones.
    skipped: [u64; 2],
    /// The file ends within a page.
    is_cut: bool,
    /// Removed at the end, if the system does not remove open files.
    _folder: PrivateFolder,
}

impl CellReader {
    /// Copies a database. `path` is the place of its file, if it is one. Returns the reason if the
    /// database cannot be read.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or if the copy cannot be written.
    pub(crate) fn copy(input: &mut dyn Read, path: Option<&Path>) -> io::Result<Result<CellReader, String>> {
        let folder = PrivateFolder::new()?;
        let file = folder.0.join("database");
        // The log comes first: what moves to the database meanwhile is then read twice, not never.
        let log = path.map(log_of).filter(|log| log.is_file()).and_then(|log| File::open(log).ok());
        let log = match log {
            Some(log) => copy(&mut log.take(MOST_BYTES + 1), &folder.0.join("database-wal"))?,
            None => 0,
        };
        let size = log + copy(&mut input.take((MOST_BYTES + 1).saturating_sub(log)), &file)?;
        if size > MOST_BYTES {
            return Ok(Err("larger than 1 GiB; `sqlite3 FILE .dump` prints it".to_owned()));
        }
        let connection = open(&file, size);
        let page = connection
            .as_ref()
            .ok()
            .and_then(|connection| connection.query_row("PRAGMA page_size", [], |row| row.get::<_, u64>(0)).ok());
        let is_cut = page.is_some_and(|page| !(size - log).is_multiple_of(page));
        let connection = connection.map_err(|error| with_remedy(&error));
        // An interrupted process then leaves no copy behind, if the system removes open files.
        let _ = fs::remove_dir_all(&folder.0);
        let budget = 4 * size + (1 << 18);
        Ok(connection.map(|connection| CellReader { connection, budget, skipped: [0; 2], is_cut, _folder: folder }))
    }

    /// Visits the text cells of all tables. Returns the reason if some cells were not read.
    pub(crate) fn each(&mut self, visit: &mut VisitCell<'_>) -> Option<String> {
        let read = self.tables(visit);
        match (read, self.skipped) {
            (Err(error), _) => Some(with_remedy(&error)),
            (Ok(_), _) if self.budget == 0 => Some("its rows are more than a file of its size holds".to_owned()),
            (Ok(_), _) if self.is_cut => Some(with_remedy(&corrupt())),
            (Ok(_), [0, 0]) => None,
            (Ok(_), [binary, long]) => Some(format!(
                "binary cells with URLs: {binary}, cells over 8 MiB: {long}; `sqlite3 FILE .dump` prints them"
            )),
        }
    }

    fn tables(&mut self, visit: &mut VisitCell<'_>) -> rusqlite::Result<ControlFlow<()>> {
        // A virtual table has no page of its own. Its text lies in other tables.
        let names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite#_%' ESCAPE '#'";
        let names: Vec<String> =
            self.connection.prepare(names)?.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let mut damage = Ok(());
        for table in names {
            match self.table(&table, visit) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(flow) => return Ok(flow),
                // The other tables may be whole.
                Err(error) => damage = damage.and(Err(error)),
            }
        }
        damage.map(|()| ControlFlow::Continue(()))
    }

    fn table(&mut self, table: &str, visit: &mut VisitCell<'_>) -> rusqlite::Result<ControlFlow<()>> {
        // This list leaves generated columns out. Their functions could cost any time.
        let columns: Vec<String> = self
            .connection
            .prepare("SELECT name FROM pragma_table_info(?1)")?
            .query_map([table], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        if columns.is_empty() {
            return Err(corrupt());
        }
        let cells: Vec<_> = columns.iter().map(|name| cell_of(name)).collect();
        let select = |row: &str| format!("SELECT {row}, {} FROM main.{}", cells.join(", "), quoted(table));
        let has_own_row = columns.iter().any(|name| name.eq_ignore_ascii_case("_rowid_"));
        let (mut statement, has_ids) = match self.connection.prepare(&select("_rowid_")) {
            Ok(statement) if !has_own_row => (statement, true),
            _ => (self.connection.prepare(&select("0"))?, false),
        };
        let (budget, skipped) = (&mut self.budget, &mut self.skipped);
        rows(&mut statement, has_ids, budget, skipped, &mut |row, at, text| {
            visit(&CellPlace { table, column: &columns[at], row }, text)
        })
    }
}

/// Passes the row, the column and the bytes of each text cell of a table to `visit`.
fn rows(
    statement: &mut Statement<'_>,
    has_ids: bool,
    budget: &mut u64,
    [binary, long]: &mut [u64; 2],
    visit: &mut VisitRow<'_>,
) -> rusqlite::Result<ControlFlow<()>> {
    let count = statement.column_count();
    let mut rows = statement.query([])?;
    let mut number = 0;
    while let Some(row) = rows.next()? {
        number = if has_ids { row.get(0)? } else { number + 1 };
        for at in 1..count {
            let (text, is_text) = match row.get_ref(at)? {
                ValueRef::Text(text) => (text, true),
                ValueRef::Blob(blob) => (blob, std::str::from_utf8(blob).is_ok() && !blob.contains(&0)),
                // Only `cell_of` makes this number.
                ValueRef::Real(f64::INFINITY) => {
                    *long += 1;
                    continue;
                }
                _ => (&b""[..], true),
            };
            *budget = budget.saturating_sub(1 + text.len() as u64);
            if *budget == 0 {
                return Ok(ControlFlow::Break(()));
            }
            if !is_text {
                *binary += u64::from(memchr::memmem::find(text, b"://").is_some());
            } else if !text.is_empty() && visit(number, at - 1, text).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Returns the expression of a cell. A long cell is not loaded, and becomes infinity.
fn cell_of(column: &str) -> String {
    let column = quoted(column);
    format!("iif(octet_length({column}) > {MOST_CELL}, 9e999, {column})")
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn corrupt() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), None)
}

fn with_remedy(error: &rusqlite::Error) -> String {
    format!("{error}; `sqlite3 FILE .recover` may print the rest")
}

/// Returns the path of the write-ahead log beside a database.
pub(crate) fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

fn copy(from: &mut dyn Read, to: &Path) -> io::Result<u64> {
    let mut options = fs::OpenOptions::new();
    os::set_private(options.write(true).create_new(true));
    io::copy(from, &mut options.open(to).map_err(in_folder)?).map_err(in_folder)
}

/// Opens a copy of this size, so that nothing in it runs.
fn open(file: &Path, size: u64) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(file, flags)?;
    for (config, is_on) in [
        // A file that is cut off is then read as far as it goes.
        (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(config, is_on)?;
    }
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, 2 * MOST_CELL as i32)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    let (begun, most) = (Instant::now(), MOST_TIME.0 + MOST_TIME.1 * (size >> 20) as u32);
    connection.progress_handler(STEPS, Some(move || begun.elapsed() > most))?;
    connection.pragma_update(None, "hard_heap_limit", MOST_HEAP)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    // The index of the log is then in memory.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // This opens the files.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(statements: &str) -> Vec<u8> {
        let folder = PrivateFolder::new().unwrap();
        let file = folder.0.join("made");
        Connection::open(&file).unwrap().execute_batch(statements).unwrap();
        fs::read(file).unwrap()
    }

    /// Checks that reading ends whatever the damage, and that the cells before it are found.
    #[test]
    fn damaged_databases_end() {
        let rows = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO t SELECT i, 'text ' || i FROM n";
        let whole = database(&format!("PRAGMA page_size = 512; CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); {rows}"));
        let (texts, is_whole) = attached(&whole);
        assert!(is_whole && texts.starts_with(b"text 1\n\0\ntext 2\n\0\n") && texts.ends_with(b"text 300\n\0\n"));
        let (texts, is_whole) = attached(&whole[..whole.len() / 2]);
        assert!(!is_whole && texts.starts_with(b"text 1\n\0\ntext 2\n"));
        let mut rng = fastrand::Rng::with_seed(59);
        for turn in 0..200 {
            let mut bytes = whole.clone();
            for _ in 0..1 << (turn % 6) {
                let at = rng.usize(100..bytes.len());
                bytes[at] = rng.u8(..);
            }
            bytes.truncate(rng.usize(bytes.len() / 2..=bytes.len()));
            assert!(attached(&bytes).0.len() as u64 <= 3 * (4 * bytes.len() as u64 + (1 << 18)), "{turn}");
        }
    }

    /// Checks that a default value, which the file holds once, makes no long text. Generated columns
    /// do not run.
    #[test]
    fn a_small_file_makes_no_long_text() {
        let rows = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT i FROM n";
        let long = "x".repeat(100_000);
        let (texts, is_whole) = attached(&database(&format!(
            "CREATE TABLE t(a); {rows}; ALTER TABLE t ADD COLUMN b TEXT DEFAULT '{long}'"
        )));
        assert!(!is_whole && (100_000..2_000_000).contains(&texts.len()));
        let generated = "b TEXT GENERATED ALWAYS AS (printf('%.*c', 5000000, 'x')) VIRTUAL";
        let database = database(&format!("CREATE TABLE t(a, {generated}); INSERT INTO t(a) VALUES ('one'), (x'00FF')"));
        assert_eq!(attached(&database), (b"one\n\0\n".to_vec(), true));
        for header in [&b"SQLite format 3\0"[..], &database[..100], &database[..700]] {
            assert!(!attached(header).1, "{}", header.len());
        }
    }
}
