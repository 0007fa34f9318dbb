//! Pieces of work for rayon's threads, with the results in order.
//!
//! The calling thread gives pieces to the pool and receives the results. While it waits for a
//! result, it works on other pieces.

#![cfg_attr(not(feature = "parallel"), allow(unreachable_pub, reason = "public with the threads alone"))]

#[cfg(feature = "parallel")]
use std::{
    collections::VecDeque,
    io,
    ops::ControlFlow,
    sync::mpsc::{self, Receiver, TryRecvError},
};

#[cfg(feature = "parallel")]
use rayon::Yield;

/// The number of pieces in flight in addition to one per thread. One waits for the next free
/// thread, and the other for delivery while a further piece is read.
pub(crate) const AHEAD: usize = 2;

/// A source of work, piece by piece.
pub trait WorkSource {
    /// The type of a piece.
    type Work: Send;

    /// Returns whether there is no more work.
    fn is_done(&self) -> bool;

    /// Returns the next piece if it is ready.
    fn advance(&mut self) -> Option<Self::Work>;

    /// Returns whether the next piece may take long to arrive. If so, all pieces in flight are
    /// finished first, and the next piece is done on the calling thread.
    fn is_paused(&self) -> bool {
        false
    }

    /// Returns whether the pieces in flight use so much memory that no other may begin.
    fn must_wait(&self) -> bool {
        false
    }
}

/// Runs pieces of work on rayon's current threads. Meanwhile it passes the results to `take` on
/// this thread, in the order of the pieces, until `take` stops it.
///
/// # Errors
///
/// Returns any error of `take`. A panic of `work` continues on this thread.
#[cfg(feature = "parallel")]
pub fn in_order<S: WorkSource, T: Send, R>(
    source: &mut S,
    work: impl Fn(S::Work) -> T + Sync,
    mut take: impl FnMut(&mut S, T) -> io::Result<ControlFlow<R>>,
) -> io::Result<ControlFlow<R>> {
    let work = &work;
    // The scope runs in place, so `source` and `take` stay on this thread. It is first in, first
    // out. So a chunk that waits for its line number waits for a chunk that has begun.
    rayon::in_place_scope_fifo(|scope| {
        let most = rayon::current_num_threads() + AHEAD;
        let mut flight: VecDeque<Receiver<T>> = VecDeque::with_capacity(most);
        loop {
            let is_paused = source.is_paused();
            let is_full = flight.len() == most || source.is_done() || source.must_wait() || is_paused;
            if let Some(head) = flight.front()
                && let Some(result) = if is_full { Some(wait_for(head)?) } else { head.try_recv().ok() }
            {
                flight.pop_front();
                let flow = take(source, result)?;
                if flow.is_break() {
                    return Ok(flow);
                }
            } else if source.is_done() {
                return Ok(ControlFlow::Continue(()));
            } else if let Some(piece) = source.advance() {
                if flight.is_empty() && (is_paused || source.is_done()) {
                    // This is the only piece, as in most files of an archive. Waking a thread for
                    // it costs four times as much.
                    let result = work(piece);
                    let flow = take(source, result)?;
                    if flow.is_break() {
                        return Ok(flow);
                    }
                    continue;
                }
                let (done, result) = mpsc::channel();
                flight.push_back(result);
                // Sending fails if the search was stopped.
                scope.spawn_fifo(move |_| drop(done.send(work(piece))));
            }
        }
    })
}

/// Waits for the result of the thread that has the piece. If this thread belongs to the pool, it
/// does other work meanwhile, because it may be the only thread.
#[cfg(feature = "parallel")]
fn wait_for<T>(result: &Receiver<T>) -> io::Result<T> {
    loop {
        match result.try_recv() {
            Err(TryRecvError::Empty) if rayon::yield_now() == Some(Yield::Executed) => {}
            // Other threads now have all the remaining work.
            Err(TryRecvError::Empty) => return result.recv().map_err(|_| io::Error::other("a worker panicked")),
            done => return done.map_err(|_| io::Error::other("a worker panicked")),
        }
    }
}
