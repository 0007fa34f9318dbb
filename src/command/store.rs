//! An audit in an SQLite database, so that the next run reads only what is new.
//!
//! # Tables
//!
//! | table | a row is | columns |
//! |---|---|---|
//! | `file` | a file of the last run, or a file in a tar | `id`, `name`, `parent` (the tar), `content` (its recognised form), `size`, `modified`, `changed` (the times of its last write and change), `inode`, `head` and `tail` (hashes of its first and last 64 KiB, or of the whole file), `searched` (false for a tar), `bytes` (unpacked), `messages`, `checkpoint`, `checkpoint_lines`, `checkpoint_messages` (text before it stays final as the file grows) |
//! | `refused` | a count of undecoded parts or refused candidates | `file`, `name`, `count`, `settled` (before the checkpoint) |
//! | `message` | a message with a URL | `id`, `file`, `offset`, `inner` (offset of its header in the text that encloses it), `number`, `message_id`, `date` (UTC, if the message names a known zone), `local_date` (with the sender's offset), `sender`, `subject`, `newsgroups`, `url` (of a record of a web archive); secrets in them are masked |
//! | `place` | a place where a URL stands | `id`, `file`, `message`, `anchor` (offset of the message; without one, of the place), `url` (of a doubtful URL its readings, one per line), `offset`, `length`, `line`, `column`, `kind`, `is_whole` (it stands on one line), `rules`, `shown_host` and `unseen` (of the place), `part`, `encoding`, `before`, `source`, `after` (the text around, with masked passwords) |
//! | `link` | a distinct URL, as the last run reported it | `id`, `url`, `count`, `messages`, `scheme`, `host`, `level`, `error`, `first_date`, `last_date`, `file`, `offset`, `line` |
//! | `finding` | a finding of the last run | `link`, `rule`, `severity`, `url`, `count`, `message`, `file`, `offset`, `line` |
//! | `meta` | `schema`, `options` | `key`, `value` |
//!
//! `place.url` shows passwords, so only the owner may read the file. `link` and `finding` show what
//! the report shows.
//!
//! # What is read again
//!
//! - A file with the same [stamp](Stamp) is not read.
//! - A text or a mailbox may have grown after the same head and tail. If it still has its inode,
//!   only the part after the checkpoint is read.
//! - Any other file is read from its start. So is a file of packed text, or one with members.
//!
//! Systems without inodes have no time of change either. There, the head is the whole file.
//! Elsewhere, an edit in the middle of a file that has also grown since is not detected.
//!
//! # Crashes, and two runs at once
//!
//! A transaction covers one file with its places, or several files. If a run stops, the database is
//! as it was after one of its transactions. The next run reads the missing files. A run has
//! exclusive access to the database; another run gets an error.

mod files;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use bstr::{BStr, ByteSlice};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, params};

pub(crate) use self::files::{KnownFile, Stamp, UnreadPart, container_name};
use super::ledger::Ledger;
use super::model::{Day, InMessage};
use super::os::{self, Change};
use super::readings::Readings;
use super::report::{ReadCounts, Report};
use super::sheet::{Sheet, SightedMessage, SightedUrl, Spot};
use urlgrep::audit::PlaceRules;
use urlgrep::{Checkpoint, Kind};

/// The version of the tables, and of the search. A database of another version is rejected.
const SCHEMA: &str = concat!("7 of urlgrep ", env!("CARGO_PKG_VERSION"));
/// The interval between commits. Each commit takes some milliseconds, so not every file has one.
const COMMIT: Duration = Duration::from_secs(1);

const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE file (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent INTEGER REFERENCES file ON DELETE CASCADE,
        content TEXT NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL,
        inode INTEGER NOT NULL, head INTEGER NOT NULL, tail INTEGER NOT NULL,
        searched INTEGER NOT NULL, bytes INTEGER NOT NULL, messages INTEGER NOT NULL, checkpoint INTEGER NOT NULL, checkpoint_lines INTEGER NOT NULL,
        checkpoint_messages INTEGER NOT NULL);
    CREATE INDEX file_name ON file (name) WHERE parent IS NULL;
    CREATE INDEX file_parent ON file (parent);
    CREATE TABLE refused (
        file INTEGER NOT NULL REFERENCES file ON DELETE CASCADE, name TEXT NOT NULL, count INTEGER NOT NULL,
        settled INTEGER NOT NULL, PRIMARY KEY (file, name)) WITHOUT ROWID;
    CREATE TABLE message (
        id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES file ON DELETE CASCADE, offset INTEGER NOT NULL,
        inner INTEGER, number INTEGER, message_id TEXT, date TEXT, local_date TEXT, sender TEXT, subject TEXT, newsgroups TEXT,
        url TEXT);
    CREATE INDEX message_file ON message (file);
    CREATE TABLE place (
        id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES file ON DELETE CASCADE,
        message INTEGER REFERENCES message ON DELETE CASCADE, anchor INTEGER NOT NULL, url TEXT NOT NULL,
        offset INTEGER NOT NULL, length INTEGER NOT NULL, line INTEGER NOT NULL, column INTEGER NOT NULL, kind TEXT NOT NULL,
        is_whole INTEGER NOT NULL, rules INTEGER NOT NULL, shown_host TEXT NOT NULL, unseen TEXT NOT NULL, part TEXT, encoding TEXT,
        before TEXT NOT NULL, source TEXT NOT NULL, after TEXT NOT NULL);
    CREATE INDEX place_file ON place (file);
    CREATE INDEX place_message ON place (message);
    CREATE TABLE link (
        id INTEGER PRIMARY KEY, url TEXT NOT NULL, count INTEGER NOT NULL, messages INTEGER NOT NULL, scheme TEXT, host TEXT,
        level TEXT NOT NULL, error TEXT, first_date TEXT, last_date TEXT, file TEXT NOT NULL, offset INTEGER NOT NULL,
        line INTEGER NOT NULL);
    CREATE TABLE finding (
        link INTEGER NOT NULL REFERENCES link, rule TEXT NOT NULL, severity TEXT NOT NULL, url TEXT NOT NULL,
        count INTEGER NOT NULL, message TEXT NOT NULL, file TEXT NOT NULL, offset INTEGER NOT NULL, line INTEGER NOT NULL);
";

/// An open database of an audit.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Connection,
    /// The files of this run, in order. A file that was given twice is in the list twice.
    met: Vec<i64>,
    /// The files in `met` as a set, without members that this run added.
    seen: HashSet<i64>,
    committed: Instant,
    /// The file that is being written, if any.
    open: Option<OpenFile>,
}

/// A file that is being written.
#[derive(Debug)]
struct OpenFile {
    file: i64,
    name: Vec<u8>,
    /// The member that is being written. The next member may have the same name.
    member: Option<i64>,
    /// The last message with a place: its row, its offset, and its offset in the enclosing text.
    message: Option<(i64, u64, Option<usize>)>,
}

/// The reasons why a database cannot be used.
#[derive(Debug)]
pub(crate) enum StoreError {
    /// An error of SQLite.
    Database(rusqlite::Error),
    /// An audited file could not be inspected again.
    File(io::Error),
    /// Another run has the database open.
    Busy,
    /// The path is a pipe, a folder or a device.
    NoFile,
    /// The file is not a database of an audit.
    Foreign,
    /// Another version made the database, with this schema.
    OtherVersion(String),
    /// The database was made with these other options.
    OtherOptions(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Database(error) => error.fmt(f),
            StoreError::File(error) => error.fmt(f),
            StoreError::Busy => f.write_str("another program has it open; wait until that program ends"),
            StoreError::NoFile => {
                f.write_str("is not a regular file; name a regular file, or a path that does not exist yet")
            }
            StoreError::Foreign => f.write_str("is not a database of an audit; name another file, or remove this one"),
            StoreError::OtherVersion(schema) => {
                write!(
                    f,
                    "was made by another version (schema {schema}); remove it to make a new one, or name another file"
                )
            }
            StoreError::OtherOptions(options) => {
                let options = if options.is_empty() { "the default ones" } else { options };
                write!(f, "was made with other options ({options}); use these, name another file, or remove this one")
            }
        }
    }
}

impl std::error::Error for StoreError {}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        StoreError::File(error)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked) => StoreError::Busy,
            Some(rusqlite::ErrorCode::NotADatabase) => StoreError::Foreign,
            _ => StoreError::Database(error),
        }
    }
}

/// The result of searching a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// The counts of this run.
    pub(crate) read: ReadCounts,
    /// The part of these counts that is after the new checkpoint.
    pub(crate) unsettled: ReadCounts,
    /// The position from which the next run may continue.
    pub(crate) checkpoint: Checkpoint,
}

impl Store {
    /// Opens a database, or creates one. `options` are the options that affect the findings. An
    /// existing database must have been made with the same options.
    pub(crate) fn open(path: &Path, options: &str) -> Result<Store, StoreError> {
        // Opening a pipe would block until it has a reader.
        if path.metadata().is_ok_and(|known| !known.is_file()) {
            return Err(StoreError::NoFile);
        }
        make_private(path)?;
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_millis(200))?;
        // Without this setting, SQLite prepares a statement again whenever a bound value could
        // change its plan. That was four fifths of the instructions of a run over 100,000 unchanged
        // files (2026-11).
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        // The lock lasts from the first statement to the end, so no other run can write between two
        // transactions.
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.execute_batch("BEGIN EXCLUSIVE")?;
        let is_new = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))? == 0;
        if is_new {
            connection.execute_batch(TABLES)?;
            let meta = "INSERT INTO meta VALUES ('schema', ?), ('options', ?)";
            connection.execute(meta, params![SCHEMA, options])?;
        }
        let meta = |key: &str| {
            connection
                .query_row("SELECT value FROM meta WHERE key = ?", [key], |row| row.get::<_, String>(0))
                .optional()
        };
        if is_new {
            connection.execute_batch("COMMIT; BEGIN EXCLUSIVE")?;
        } else {
            match meta("schema").ok().flatten() {
                None => return Err(StoreError::Foreign),
                Some(schema) if schema != SCHEMA => return Err(StoreError::OtherVersion(schema)),
                Some(_) => {}
            }
        }
        match meta("options")? {
            Some(made_with) if made_with != options => Err(StoreError::OtherOptions(made_with)),
            _ => Ok(Store { connection, met: Vec::new(), seen: HashSet::new(), committed: Instant::now(), open: None }),
        }
    }

    /// Returns the records of all files, by name. Members of archives, and files that were not read to
    /// the end, are excluded.
    pub(crate) fn known(&self) -> Result<HashMap<Vec<u8>, KnownFile>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT name, content, size, modified, changed, inode, head, tail, checkpoint, checkpoint_lines,
             checkpoint_messages FROM file WHERE parent IS NULL AND size >= 0",
        )?;
        let known = statement.query_map([], |row| {
            let stamp = Stamp {
                size: row.get(2)?,
                modified: row.get(3)?,
                change: Change { time: row.get(4)?, inode: row.get(5)? },
                head: row.get(6)?,
                tail: row.get(7)?,
            };
            let checkpoint = Checkpoint::new(row.get(8)?, row.get(9)?, row.get(10)?);
            Ok((row.get_ref(0)?.as_bytes()?.to_vec(), KnownFile { content: row.get(1)?, stamp, checkpoint }))
        })?;
        Ok(known.collect::<Result<_, _>>()?)
    }

    /// Keeps the records of an unchanged file and of its members.
    pub(crate) fn keep(&mut self, name: &[u8]) -> Result<(), StoreError> {
        let Some(file) = self.file(name)? else { return Ok(()) };
        let query = "SELECT id FROM file WHERE parent = ? ORDER BY id";
        let mut statement = self.connection.prepare_cached(query)?;
        let members = statement.query_map([file], |row| row.get(0))?;
        let ids: Vec<i64> = std::iter::once(Ok(file)).chain(members).collect::<Result<_, _>>()?;
        self.seen.extend(&ids);
        self.met.extend(ids);
        Ok(())
    }

    /// Begins a file of type `content`, and deletes the records of its unread part. `is_regular` is
    /// false for a pipe, which has other bytes each time.
    pub(crate) fn begin(
        &mut self,
        name: &[u8],
        content: &str,
        unread: UnreadPart,
        is_regular: bool,
    ) -> Result<(), StoreError> {
        self.open = None;
        let known = if is_regular { self.file(name)? } else { None };
        if known.is_some_and(|file| self.seen.contains(&file)) {
            // The file was given twice. Its second search would give the same records.
            return self.keep(name);
        }
        let file = match (known, unread) {
            (Some(file), UnreadPart::After(checkpoint)) => {
                let from = checkpoint.offset;
                self.run("DELETE FROM place WHERE file = ? AND anchor >= ?", params![file, from])?;
                self.run("DELETE FROM message WHERE file = ? AND offset >= ?", params![file, from])?;
                // A negative size marks the file as incomplete until it is read again.
                self.run("UPDATE file SET size = -1 WHERE id = ?", params![file])?;
                file
            }
            (known, _) => {
                self.run("DELETE FROM file WHERE id = ?", params![known])?;
                self.insert_file(name, None, content)?
            }
        };
        self.met.push(file);
        self.seen.insert(file);
        self.open = Some(OpenFile { file, name: name.to_vec(), member: None, message: None });
        Ok(())
    }

    /// Returns the row of a file that is not a member of another.
    fn file(&self, name: &[u8]) -> Result<Option<i64>, StoreError> {
        let query = "SELECT id FROM file WHERE name = ? AND parent IS NULL";
        let mut statement = self.connection.prepare_cached(query)?;
        Ok(statement.query_row([SqlText(name)], |row| row.get(0)).optional()?)
    }

    /// Inserts a row for a file that has not been read to its end. Its size is -1, which no file
    /// has.
    fn insert_file(&mut self, name: &[u8], parent: Option<i64>, content: &str) -> Result<i64, StoreError> {
        self.run(
            "INSERT INTO file (name, parent, content, size, modified, changed, inode, head, tail, searched, bytes, messages,
             checkpoint, checkpoint_lines, checkpoint_messages) VALUES (?, ?, ?, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
            params![SqlText(name), parent, content],
        )?;
        Ok(self.connection.last_insert_rowid())
    }

    fn run(&self, sql: &str, values: &[&dyn ToSql]) -> Result<(), StoreError> {
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    /// Returns the row of the open file, or of its current member.
    fn row_of(&mut self, name: &[u8]) -> Result<Option<i64>, StoreError> {
        let Some(open) = &self.open else { return Ok(None) };
        if open.name == name {
            return Ok(Some(open.file));
        }
        if open.member.is_some() {
            return Ok(open.member);
        }
        let member = self.insert_file(name, Some(open.file), "")?;
        self.met.push(member);
        if let Some(open) = &mut self.open {
            open.member = Some(member);
        }
        Ok(Some(member))
    }

    /// Writes the places found in the open file, or in a member of it.
    pub(crate) fn write(&mut self, name: &[u8], sheet: &Sheet) -> Result<(), StoreError> {
        let Some(file) = self.row_of(name)? else { return Ok(()) };
        for sighting in sheet.sightings() {
            let message = sighting.in_message.map(|message| self.message(file, &message)).transpose()?;
            let SightedUrl { readings, spot, shown_host, unseen, context: [before, source, after], in_message } =
                sighting;
            let info = in_message.map(|message| message.info);
            // An offset in an unpacked text is not one in the file, so the message's offset is used.
            let anchor = info.map_or(spot.offset, |info| info.offset);
            self.run(
                "INSERT INTO place (file, message, anchor, url, offset, length, line, column, kind, is_whole, rules,
                 shown_host, unseen, part, encoding, before, source, after)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    file,
                    message,
                    anchor,
                    SqlText(readings.text()),
                    spot.offset,
                    spot.length,
                    spot.line,
                    spot.column,
                    spot.kind.as_str(),
                    spot.is_whole,
                    spot.rules.bits(),
                    SqlText(shown_host),
                    SqlText(unseen),
                    info.and_then(|info| info.part),
                    info.and_then(|info| info.encoding),
                    SqlText(before),
                    SqlText(source),
                    SqlText(after),
                ],
            )?;
        }
        Ok(())
    }

    /// Returns the row of a message: the row of the last place's message, or a new row.
    fn message(&mut self, file: i64, message: &SightedMessage<'_>) -> Result<i64, StoreError> {
        let SightedMessage {
            inner,
            info: InMessage { id, date, from, subject, newsgroups, url, number, offset, .. },
            ..
        } = *message;
        let last = self.open.as_ref().and_then(|open| open.message);
        if let Some((row, ..)) = last.filter(|&(_, at, within)| (at, within) == (offset, inner)) {
            return Ok(row);
        }
        // Only a numeric zone can be converted to UTC. Any other date stays as it is.
        self.run(
            "INSERT INTO message (file, offset, inner, number, message_id, local_date, sender, subject, newsgroups, url, date)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
             iif(?6 GLOB '*T*[+-]??:??', coalesce(strftime('%FT%TZ', ?6), ?6), ?6))",
            params![file, offset, inner, number, id, date, from, subject, newsgroups, url],
        )?;
        let row = self.connection.last_insert_rowid();
        if let Some(open) = &mut self.open {
            open.message = Some((row, offset, inner));
        }
        Ok(row)
    }

    /// Adds the result of searching the open file, or its current member, which then ends.
    pub(crate) fn add(&mut self, name: &[u8], outcome: &Outcome) -> Result<(), StoreError> {
        let Some(file) = self.row_of(name)? else { return Ok(()) };
        if let Some(open) = &mut self.open {
            (open.member, open.message) = (None, None);
        }
        let Outcome { read, unsettled, checkpoint } = outcome;
        // The part after the old checkpoint was read again, so its earlier counts are dropped.
        self.run("UPDATE refused SET count = settled WHERE file = ?", params![file])?;
        for (name, count) in &read.refused {
            let again = unsettled.refused.iter().find(|(other, _)| other == name).map_or(0, |(_, count)| *count);
            self.run(
                "INSERT INTO refused VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET count = count + excluded.count, settled = settled + excluded.settled",
                params![file, name, *count, count.saturating_sub(again)],
            )?;
        }
        self.run(
            "UPDATE file SET searched = 1, bytes = checkpoint + ?2, messages = checkpoint_messages + ?3, checkpoint = ?4,
             checkpoint_lines = ?5, checkpoint_messages = ?6 WHERE id = ?1",
            params![
                file,
                read.bytes,
                read.messages,
                checkpoint.offset,
                checkpoint.lines,
                checkpoint.messages
            ],
        )
    }

    /// Ends the open file. Without a stamp, the next run reads the file again. The file's records are
    /// committed within about a second, while the run writes further files.
    pub(crate) fn end(&mut self, stamp: Option<Stamp>) -> Result<(), StoreError> {
        let Some(open) = self.open.take() else { return Ok(()) };
        if let Some(stamp) = stamp {
            self.run(
                "UPDATE file SET size = ?2, modified = ?3, changed = ?4, inode = ?5, head = ?6, tail = ?7 WHERE id = ?1",
                params![
                    open.file,
                    stamp.size,
                    stamp.modified,
                    stamp.change.time,
                    stamp.change.inode,
                    stamp.head,
                    stamp.tail
                ],
            )?;
        }
        if self.committed.elapsed() >= COMMIT {
            self.connection.execute_batch("COMMIT; BEGIN EXCLUSIVE")?;
            self.committed = Instant::now();
        }
        Ok(())
    }

    /// Deletes the files that this run did not find, and enters all places of the others, in order.
    pub(crate) fn replay(&mut self, ledger: &mut Ledger) -> Result<ReadCounts, StoreError> {
        self.connection.execute_batch("CREATE TEMP TABLE met (at INTEGER PRIMARY KEY, file INTEGER NOT NULL)")?;
        for (at, file) in (0i64..).zip(&self.met) {
            self.run("INSERT INTO met VALUES (?, ?)", params![at, file])?;
        }
        self.connection.execute_batch("DELETE FROM file WHERE id NOT IN (SELECT file FROM met)")?;
        let mut totals = self.connection.query_row(
            "SELECT coalesce(sum(bytes), 0), coalesce(sum(messages), 0), coalesce(sum(searched), 0)
             FROM met JOIN file ON file.id = met.file",
            [],
            |row| {
                let (bytes, messages, files) = (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok(ReadCounts { bytes, messages, files, ..ReadCounts::default() })
            },
        )?;
        let mut refused = self
            .connection
            .prepare("SELECT r.name, sum(r.count) FROM met JOIN refused r ON r.file = met.file GROUP BY r.name")?;
        totals.refused = refused.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        // One statement reads all places. One statement per file took most of the time of a run over many
        // small files. The rows of a file are in the order of its text. Offsets in decoded parts
        // need not ascend.
        let mut places = self.connection.prepare(
            "SELECT p.url, p.offset, p.length, p.line, p.column, p.kind, p.is_whole, p.rules, p.shown_host, p.before,
             p.source, p.after, p.part, p.encoding, p.message, m.offset, m.number, m.message_id, m.local_date, m.sender,
             m.subject, m.inner, m.newsgroups, m.url, f.name, p.unseen, met.at
             FROM met CROSS JOIN file f ON f.id = met.file CROSS JOIN place p ON p.file = met.file
             LEFT JOIN message m ON p.message = m.id ORDER BY met.at, p.id",
        )?;
        let mut rows = places.query([])?;
        let mut last = None;
        while let Some(row) = rows.next()? {
            let at: i64 = row.get(26)?;
            if last.replace(at).is_some_and(|last| last != at) {
                ledger.end_file();
            }
            let name = row.get_ref(24)?.as_bytes().map_err(rusqlite::Error::from)?;
            ledger.add(name, &sighting(row)?);
        }
        Ok(totals)
    }

    /// Rewrites the tables of links and findings, and commits everything.
    pub(crate) fn finish(self, report: &Report) -> Result<(), StoreError> {
        // Findings refer to links, so they are deleted first.
        self.connection.execute_batch("DELETE FROM finding; DELETE FROM link")?;
        // A statement is looked up by its text, which costs a tenth of a row.
        let mut links = self.connection.prepare("INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
        for (id, link) in (0i64..).zip(report.links()) {
            let spot = &link.first;
            links.execute(params![
                id,
                SqlText(&link.url),
                link.count,
                link.messages,
                link.scheme,
                link.host.as_deref().map(|host| SqlText(host)),
                link.level.as_str(),
                link.error.map(|error| error.kind().as_str()),
                link.dates.map(|dates| dates.0.to_string()),
                link.dates.map(|dates| dates.1.to_string()),
                SqlText(spot.file),
                spot.offset,
                spot.line,
            ])?;
        }
        let mut findings = self.connection.prepare("INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
        for finding in report.findings() {
            findings.execute(params![
                finding.link,
                finding.rule.id(),
                finding.severity.as_str(),
                SqlText(&finding.url),
                finding.count,
                finding.message,
                SqlText(finding.first.file),
                finding.first.offset,
                finding.first.line,
            ])?;
        }
        self.connection.execute_batch("COMMIT")?;
        Ok(())
    }
}

fn sighting<'r>(row: &'r Row<'_>) -> rusqlite::Result<SightedUrl<'r>> {
    let bytes = |index| Ok::<_, rusqlite::Error>(row.get_ref(index)?.as_bytes()?.as_bstr());
    let text = |index| Ok::<_, rusqlite::Error>(row.get_ref(index)?.as_str_or_null()?);
    let kind: &BStr = bytes(5)?;
    let in_message = match row.get::<_, Option<i64>>(14)? {
        None => None,
        Some(_) => Some(SightedMessage {
            inner: row.get(21)?,
            // A day is in the sender's time zone, so it comes from the local date.
            day: text(18)?.and_then(Day::of),
            info: InMessage {
                id: text(17)?,
                date: text(18)?,
                from: text(19)?,
                subject: text(20)?,
                newsgroups: text(22)?,
                url: text(23)?,
                number: row.get(16)?,
                offset: row.get(15)?,
                part: text(12)?,
                encoding: text(13)?,
            },
        }),
    };
    Ok(SightedUrl {
        readings: Readings::of_text(bytes(0)?),
        spot: Spot {
            offset: row.get(1)?,
            length: row.get(2)?,
            line: row.get(3)?,
            column: row.get(4)?,
            kind: Kind::ALL.iter().copied().find(|known| kind == known.as_str()).unwrap_or(Kind::Bare),
            is_whole: row.get(6)?,
            rules: PlaceRules::from_bits(row.get(7)?),
        },
        shown_host: bytes(8)?,
        unseen: bytes(25)?,
        context: [bytes(9)?, bytes(10)?, bytes(11)?],
        in_message,
    })
}

/// Bytes to store as text, so that people can read them, UTF-8 or not.
struct SqlText<'t>(&'t [u8]);

impl ToSql for SqlText<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Text(self.0)))
    }
}

/// Creates a file that only its owner may read, if it does not exist.
fn make_private(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.append(true).create(true);
    os::set_private(&mut options);
    options.open(path).map(drop)
}
