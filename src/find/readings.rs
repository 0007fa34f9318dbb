//! The readings of a doubtful text (W-HYPH-2, W-HYPH-3).

use std::cmp::Reverse;

use crate::Level;
use crate::find::judge::Judge;
use crate::find::matches::{Pieces, UrlPiece};
use crate::find::options::HyphenOrder;

/// A text with hyphens before line breaks, each of which may belong to the URL or to the break.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubtful {
    pieces: Vec<UrlPiece>,
    /// Indices of the pieces whose last byte is a doubtful hyphen.
    hyphens: Vec<usize>,
}

impl Doubtful {
    /// More than this many doubtful hyphens give two readings, not 2^n (W-HYPH-2).
    const MOST: usize = 3;

    pub(crate) fn push(&mut self, piece: impl Into<UrlPiece>) {
        self.pieces.push(piece.into());
    }

    /// The last byte pushed is a doubtful hyphen.
    pub(crate) fn mark_hyphen(&mut self) {
        if let Some(last) = self.pieces.len().checked_sub(1) {
            self.hyphens.push(last);
        }
    }

    /// The readings in the order of W-HYPH-3: the result, then its alternatives.
    pub(crate) fn readings(&self, text: &[u8], judge: &Judge) -> Vec<Pieces> {
        let n = self.hyphens.len();
        if n == 0 {
            return vec![self.with_dropped(0)];
        }
        // Bit by bit, the last hyphen's lowest: which are dropped.
        let patterns = if n <= Self::MOST { 1 << n } else { 2 };
        let length: usize = self.pieces.iter().map(|piece| piece.bytes(text).len()).sum();
        let mut urls = Vec::with_capacity(length * patterns as usize);
        let mut ranked = Vec::with_capacity(1 << Self::MOST);
        for pattern in 0_u32..patterns {
            let start = urls.len();
            self.pieces(pattern).for_each(|piece| urls.extend_from_slice(piece.bytes(text)));
            let rank = judge.rank(&urls[start..]);
            let order = (pattern.count_ones(), pattern);
            let order = match judge.options.hyphen {
                HyphenOrder::Keep => (order, Reverse((0, 0))),
                HyphenOrder::Drop => ((0, 0), Reverse(order)),
            };
            ranked.push((rank, order, pattern, start..urls.len()));
        }
        ranked.sort_by_key(|&(rank, order, ..)| (rank, order));
        let best = ranked[0].0.level;
        if best == Level::None {
            return vec![self.with_dropped(0)];
        }
        let (mut readings, mut known) = (Vec::with_capacity(ranked.len()), Vec::with_capacity(ranked.len()));
        for (rank, _, pattern, url) in ranked {
            let counts = known.is_empty() || rank.level == best && !rank.odd_host;
            let url = &urls[url];
            if counts && !known.contains(&url) {
                known.push(url);
                readings.push(self.with_dropped(pattern));
            }
        }
        readings
    }

    fn with_dropped(&self, pattern: u32) -> Pieces {
        Pieces::new(self.pieces(pattern))
    }

    /// The pieces without the hyphens that a pattern drops.
    fn pieces(&self, pattern: u32) -> impl Iterator<Item = UrlPiece> {
        let n = self.hyphens.len();
        let is_dropped = move |i: usize| if n <= Self::MOST { pattern >> (n - 1 - i) & 1 == 1 } else { pattern == 1 };
        let mut next = 0;
        self.pieces.iter().enumerate().map(move |(at, piece)| {
            let mut piece = piece.clone();
            while self.hyphens.get(next) == Some(&at) {
                piece.source.end -= usize::from(is_dropped(next));
                next += 1;
            }
            piece
        })
    }
}
