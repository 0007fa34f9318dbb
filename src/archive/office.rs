//! The links of Office documents (ECMA-376): Word and Excel store the fragment of a link apart.
//!
//! A relationship holds the URL: `<Relationship Id="r1" Target="u"/>` in `word/_rels/x.xml.rels`.
//! The part `word/x.xml` holds the fragment: `<w:hyperlink r:id="r1" w:anchor="frag"/>`, and Excel
//! writes `location`. A binary workbook (MS-XLSB) has a record for this. Here the relationships of
//! a part are returned after the part, with `u#frag` as the target.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::{iter, mem};

use bstr::ByteSlice;
use memchr::{memchr, memmem};

use crate::archive::zip::ZipFiles;

/// The maximum number of bytes that are held: relationships, fragments, and names of parts.
const ROOM: usize = 24 << 20;
/// The maximum length of a tag or a record that is read.
const TAG: usize = 16 << 10;

/// The memory of an entry of a map, besides its bytes.
const ENTRY: usize = 100;

/// Walks over a zip like [`ZipFiles`], and joins the links of Office documents.
pub(crate) struct OfficeFiles<'r> {
    files: ZipFiles<'r>,
    /// The part that is being read.
    part: Option<(Vec<u8>, Tags)>,
    /// The relationships that are being read.
    own: Option<Relationships>,
    /// The parts that were read.
    read: BTreeMap<Vec<u8>, Tags>,
    /// The relationships whose part was not read yet, by the name of the part, with their own name.
    held: BTreeMap<Vec<u8>, (Vec<u8>, Relationships)>,
    /// The end of the zip, or the damage.
    end: Option<io::Result<()>>,
    room: usize,
}

/// The relationships of a part.
#[derive(Default)]
struct Relationships {
    text: Cursor<Vec<u8>>,
    /// Whether the rest of the file follows the text, because it is too long.
    has_rest: bool,
    /// The error at the end.
    error: Option<io::Error>,
}

impl Relationships {
    /// Adds the fragments of the part.
    fn join(&mut self, part: &Tags) {
        let (text, is_whole) = part.joined(self.text.get_ref());
        if self.has_rest || part.is_over || !is_whole {
            self.error.get_or_insert(io::Error::other("too many links: not all have their fragment"));
        }
        self.text = Cursor::new(text);
    }
}

impl<'r> OfficeFiles<'r> {
    pub(crate) fn new(files: ZipFiles<'r>) -> Self {
        let (read, held) = (BTreeMap::new(), BTreeMap::new());
        OfficeFiles { files, part: None, own: None, read, held, end: None, room: ROOM }
    }

    /// Returns the name of the next file, like [`ZipFiles::next`].
    pub(crate) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.own = None;
        if let Some((part, mut tags)) = self.part.take() {
            self.room = mem::take(&mut tags.room);
            let held = self.held.remove(&part);
            if let Some((name, mut links)) = held {
                links.join(&tags);
                self.own = Some(links);
                return Ok(Some(name));
            }
            self.read.insert(part, tags);
        }
        while self.end.is_none() {
            let name = match self.files.next() {
                Ok(Some(name)) => name,
                end => {
                    self.end = Some(end.map(drop));
                    break;
                }
            };
            let Some(part) = part_of(&name) else {
                self.begin_part(&name);
                return Ok(Some(name));
            };
            if self.begin_relationships(&name, part) {
                return Ok(Some(name));
            }
        }
        // No part followed the relationships that are still held.
        if let Some((_, (name, links))) = self.held.pop_first() {
            self.own = Some(links);
            return Ok(Some(name));
        }
        self.end.replace(Ok(())).unwrap_or(Ok(())).map(|()| None)
    }

    fn begin_part(&mut self, name: &[u8]) {
        let is_binary = name.ends_with(b".bin");
        let is_part = (is_binary || name.ends_with(b".xml")) && is_of_office(name);
        if let Some(room) = self.room.checked_sub(name.len() + ENTRY).filter(|_| is_part) {
            self.part = Some((name.to_vec(), Tags { room, is_binary, ..Tags::default() }));
        }
    }

    /// Reads the relationships of a part. Returns false if they wait for the part.
    fn begin_relationships(&mut self, name: &[u8], part: Vec<u8>) -> bool {
        let mut text = Vec::new();
        let most = self.room.saturating_sub(name.len() * 2 + ENTRY);
        let read = self.files.by_ref().take(most as u64).read_to_end(&mut text);
        let has_rest = text.len() == most;
        let mut links = Relationships { has_rest, error: read.err(), text: Cursor::new(text) };
        let tags = self.read.get(&part);
        if tags.is_none() && !links.has_rest && links.error.is_none() {
            self.room = most - links.text.get_ref().len();
            self.held.insert(part, (name.to_vec(), links));
            return false;
        }
        links.join(tags.unwrap_or(&Tags::default()));
        self.own = Some(links);
        true
    }
}

impl Read for OfficeFiles<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Some(links) = &mut self.own {
            let count = links.text.read(out)?;
            if count > 0 || out.is_empty() {
                return Ok(count);
            }
            let rest = if links.has_rest { self.files.read(out)? } else { 0 };
            return match links.error.take_if(|_| rest == 0) {
                Some(error) => Err(error),
                None => Ok(rest),
            };
        }
        let count = self.files.read(out)?;
        if let Some((_, tags)) = &mut self.part {
            tags.push(&out[..count]);
        }
        Ok(count)
    }
}

fn is_of_office(name: &[u8]) -> bool {
    [&b"word/"[..], b"xl/"].iter().any(|folder| memmem::find(name, folder).is_some())
}

/// Returns the name of the part to which relationships belong.
fn part_of(name: &[u8]) -> Option<Vec<u8>> {
    const FOLDER: &[u8] = b"/_rels/";
    let is_part = |name: &&[u8]| (name.ends_with(b".xml") || name.ends_with(b".bin")) && is_of_office(name);
    let name = name.strip_suffix(b".rels").filter(is_part)?;
    let at = memmem::rfind(name, FOLDER)?;
    Some([&name[..=at], &name[at + FOLDER.len()..]].concat())
}

/// The links in the tags of a part.
#[derive(Default)]
struct Tags {
    /// The beginning of a tag or a record.
    open: Vec<u8>,
    /// Whether the part has records instead of tags.
    is_binary: bool,
    /// The number of bytes of a record that are still to be skipped.
    skip: usize,
    /// The fragments, by the identifier of a relationship. An empty fragment is a link without one.
    fragments: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>>,
    room: usize,
    is_over: bool,
}

impl Tags {
    fn push(&mut self, mut bytes: &[u8]) {
        if self.is_binary {
            return self.push_records(bytes);
        }
        loop {
            if self.open.is_empty() {
                let Some(start) = memchr(b'<', bytes) else { return };
                bytes = &bytes[start..];
            }
            let end = memchr(b'>', bytes);
            let more = &bytes[..end.unwrap_or(bytes.len())];
            // A longer tag is no link.
            let more = if self.open.len() + more.len() <= TAG { more } else { b"<" };
            self.open.extend_from_slice(more);
            let Some(end) = end else { return };
            let tag = mem::take(&mut self.open);
            self.add(&tag);
            self.open = tag;
            self.open.clear();
            bytes = &bytes[end + 1..];
        }
    }

    fn add(&mut self, tag: &[u8]) {
        if local_name(tag) != b"hyperlink" {
            return;
        }
        let is_id = |name: &[u8]| name.ends_with(b":id");
        let Some(id) = attributes(tag).find(|(name, _)| is_id(name)).map(|(_, value)| &tag[value]) else { return };
        let fragment = attributes(tag)
            .find(|(name, _)| matches!(local(name), b"anchor" | b"location" | b"docLocation"))
            .map_or(&b""[..], |(_, value)| &tag[value]);
        self.insert(id, fragment);
    }

    fn push_records(&mut self, mut bytes: &[u8]) {
        /// The number of the record of a link.
        const LINK: usize = 494;
        loop {
            let skipped = self.skip.min(bytes.len());
            self.skip -= skipped;
            let Some((&byte, rest)) = bytes[skipped..].split_first() else { return };
            self.open.push(byte);
            bytes = rest;
            let Some((number, data, length)) = record_header(&self.open) else { continue };
            if number != LINK || length > TAG {
                self.skip = length;
                self.open.clear();
            } else if self.open.len() == data + length {
                let record = mem::take(&mut self.open);
                self.add_link(&record[data..]);
            }
        }
    }

    /// Adds a link: its cells, the identifier of a relationship, and the fragment.
    fn add_link(&mut self, record: &[u8]) {
        const CELLS: usize = 16;
        let Some((id, rest)) = record.get(CELLS..).and_then(string) else { return };
        let Some((fragment, _)) = string(rest) else { return };
        // The fragment becomes a part of an attribute.
        self.insert(id.as_bytes(), fragment.replace('&', "&amp;").replace('<', "&lt;").as_bytes());
    }

    fn insert(&mut self, id: &[u8], fragment: &[u8]) {
        let fragment = fragment.strip_prefix(b"#").unwrap_or(fragment);
        match self.room.checked_sub(id.len() + fragment.len() + ENTRY * 2) {
            Some(room) => self.room = room,
            None => return self.is_over = true,
        }
        self.fragments.entry(id.to_vec()).or_default().insert(fragment.to_vec());
    }

    /// Returns relationships with the fragments in their targets, and whether they are all.
    fn joined(&self, text: &[u8]) -> (Vec<u8>, bool) {
        let (mut joined, mut at, most) = (Vec::with_capacity(text.len()), 0, text.len() + ROOM / 2);
        while let Some(start) = memchr(b'<', &text[at..]).map(|found| at + found) {
            let Some(end) = memchr(b'>', &text[start..]).map(|found| start + found + 1) else { break };
            joined.extend_from_slice(&text[at..start]);
            at = end;
            let tag = &text[start..end];
            let value = |wanted: &[u8]| attributes(tag).find(|(name, _)| *name == wanted).map(|(_, value)| value);
            let fragments = value(b"Id").and_then(|id| self.fragments.get(&tag[id]));
            let (Some(fragments), Some(target)) = (fragments, value(b"Target")) else {
                joined.extend_from_slice(tag);
                continue;
            };
            let has_fragment = memchr(b'#', &tag[target.clone()]).is_some();
            for fragment in fragments {
                if joined.len() > most {
                    joined.extend_from_slice(&text[start..]);
                    return (joined, false);
                }
                joined.extend_from_slice(&tag[..target.end]);
                if !has_fragment && !fragment.is_empty() {
                    joined.push(b'#');
                    joined.extend_from_slice(&fragment.replace(" ", "%20").replace("\"", "%22").replace("'", "%27"));
                }
                joined.extend_from_slice(&tag[target.end..]);
                if has_fragment {
                    break;
                }
            }
        }
        joined.extend_from_slice(&text[at..]);
        (joined, true)
    }
}

/// Returns the number of a record, the offset of its data and their length. Each byte of a number
/// has seven bits, and a mark if another follows.
fn record_header(bytes: &[u8]) -> Option<(usize, usize, usize)> {
    let number_size = 1 + usize::from(*bytes.first()? >= 0x80);
    let rest = bytes.get(number_size..)?;
    let more = rest.iter().take(3).take_while(|&&byte| byte >= 0x80).count();
    let length = rest.get(..=more)?.iter().rev().fold(0, |length, &byte| length << 7 | usize::from(byte & 0x7F));
    let number = bytes[..number_size].iter().rev().fold(0, |number, &byte| number << 7 | usize::from(byte & 0x7F));
    Some((number, number_size + more + 1, length))
}

/// Returns the UTF-16 string at the start of a record's data, and the rest.
fn string(data: &[u8]) -> Option<(String, &[u8])> {
    let (count, rest) = data.split_first_chunk()?;
    let (string, rest) = rest.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(2)?)?;
    let units: Vec<u16> = string.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    Some((String::from_utf16_lossy(&units), rest))
}

fn local(name: &[u8]) -> &[u8] {
    name.rsplit(|&byte| byte == b':').next().unwrap_or_default()
}

fn local_name(tag: &[u8]) -> &[u8] {
    let name = tag.get(1..).unwrap_or_default();
    local(name.split(|byte| byte.is_ascii_whitespace() || *byte == b'/').next().unwrap_or_default())
}

/// Returns the names and the places of the values of a tag's attributes.
fn attributes(tag: &[u8]) -> impl Iterator<Item = (&[u8], Range<usize>)> {
    let mut at = 0;
    iter::from_fn(move || {
        let equals = at + memchr(b'=', &tag[at..])?;
        let name = tag[at..equals].trim_ascii_end();
        let name = name.rsplit(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
        let open = equals + 1 + tag[equals + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let quote = *tag.get(open).filter(|&byte| matches!(byte, b'"' | b'\''))?;
        let end = open + 1 + memchr(quote, &tag[open + 1..])?;
        at = end + 1;
        Some((name, open + 1..end))
    })
}
