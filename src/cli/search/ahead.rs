//! Unpacking ahead of the search, on a thread of its own.
//!
//! A compressed file can only be unpacked from its start, which mostly takes longer than the
//! search. So one thread only unpacks, and never stops to search.

use std::io::{self, ErrorKind, Read};
use std::mem;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;

/// The size of a piece. It stays in the second-level cache of a core.
const PIECE: usize = 256 << 10;
/// The most pieces that wait for the search. One more is being filled, and one is being read.
const WAITING: usize = 4;

/// A part of the input, in reusable storage.
#[derive(Default)]
struct UnpackedPiece {
    storage: Vec<u8>,
    filled: usize,
}

/// Calls `search` with a reader of the bytes of `reader`, which another thread reads in advance.
///
/// A failure of `reader` follows the bytes before it. If `search` drops its reader, the other
/// thread ends.
///
/// # Errors
///
/// Returns an error if the thread cannot start.
pub(super) fn read_ahead<T>(reader: impl Read + Send, search: impl FnOnce(AheadReader) -> T) -> io::Result<T> {
    let (pieces, filled) = mpsc::sync_channel(WAITING);
    let (used, spare) = mpsc::channel();
    thread::scope(|scope| {
        let unpacking = thread::Builder::new().name("urlgrep-unpack".to_owned());
        unpacking.spawn_scoped(scope, move || fill(reader, &pieces, &spare))?;
        Ok(search(AheadReader { filled, used, piece: UnpackedPiece::default(), at: 0, failure: None }))
    })
}

/// Reads pieces until the input ends or fails, or nobody needs more.
fn fill(mut reader: impl Read, pieces: &SyncSender<io::Result<UnpackedPiece>>, spare: &Receiver<Vec<u8>>) {
    loop {
        let mut storage = spare.try_recv().unwrap_or_default();
        storage.resize(PIECE, 0);
        let piece = match reader.read(&mut storage) {
            Ok(0) => return,
            Ok(filled) => Ok(UnpackedPiece { storage, filled }),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let has_failed = piece.is_err();
        if pieces.send(piece).is_err() || has_failed {
            return;
        }
    }
}

/// The reader of a search. A read returns less than requested only at the end or before a failure.
pub(super) struct AheadReader {
    filled: Receiver<io::Result<UnpackedPiece>>,
    used: Sender<Vec<u8>>,
    piece: UnpackedPiece,
    /// The number of bytes of the piece that were read.
    at: usize,
    /// The failure that follows the piece.
    failure: Option<io::Error>,
}

impl AheadReader {
    /// Moves to the next piece, and returns the storage of the last. Returns false if there is none.
    fn advance(&mut self) -> bool {
        match self.filled.recv() {
            Ok(Ok(piece)) => {
                let last = mem::replace(&mut self.piece, piece);
                self.at = 0;
                // At the end of the input, the other thread needs no storage.
                let _ = self.used.send(last.storage);
                true
            }
            Ok(Err(error)) => {
                self.failure = Some(error);
                false
            }
            Err(_) => false,
        }
    }
}

impl Read for AheadReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut got = 0;
        while got < out.len() && (self.at < self.piece.filled || self.failure.is_none() && self.advance()) {
            let count = (&self.piece.storage[self.at..self.piece.filled]).read(&mut out[got..])?;
            self.at += count;
            got += count;
        }
        match self.failure.take_if(|_| got == 0 && !out.is_empty()) {
            Some(error) => Err(error),
            None => Ok(got),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Returns bytes without an end, in short reads, and counts them.
    struct Endless<'c>(&'c AtomicUsize);

    impl Read for Endless<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = out.len().min(10_000);
            out[..count].fill(b'x');
            self.0.fetch_add(count, Ordering::Relaxed);
            Ok(count)
        }
    }

    #[test]
    fn the_same_bytes_come_and_then_the_failure() {
        let text: Vec<u8> = (0..3 * PIECE as u32 + 7).map(|number| (number % 251) as u8).collect();
        let fails = io::Cursor::new(&text).chain(Failing);
        let read = read_ahead(fails, |mut reader| {
            let mut all = vec![0; text.len() + 1];
            let got = reader.read(&mut all).unwrap();
            assert!(all[..got] == text[..] && got == text.len());
            assert_eq!(reader.read(&mut []).unwrap(), 0);
            let error = reader.read(&mut all).unwrap_err();
            assert_eq!((error.kind(), reader.read(&mut all).unwrap()), (ErrorKind::ConnectionReset, 0));
        });
        read.unwrap();
    }

    #[test]
    fn a_reader_that_is_dropped_ends_the_thread_which_holds_few_pieces() {
        let read = AtomicUsize::new(0);
        read_ahead(Endless(&read), |mut reader| reader.read_exact(&mut [0; 100]).unwrap()).unwrap();
        assert!(read.load(Ordering::Relaxed) <= (WAITING + 3) * PIECE);
    }

    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(ErrorKind::ConnectionReset.into())
        }
    }
}
