//! Pieces of work, which rayon's threads do with the results in order.
//!
//! The calling thread gives pieces to the pool and receives the results. Threads wait for each
//! other only at the end.

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

/// Pieces of work in flight beyond one for each thread. One waits for the next free thread, and one
/// for delivery while another is read.
#[cfg(feature = "parallel")]
pub(crate) const AHEAD: usize = 2;

/// A source of work, piece by piece.
pub trait WorkSource {
    /// A piece.
    type Work: Send;

    /// Returns whether there is no more work.
    fn is_done(&self) -> bool;

    /// Returns the next piece, if there is one yet.
    fn advance(&mut self) -> Option<Self::Work>;

    /// Returns whether the next piece may be long in coming. If so, all pieces in flight are
    /// finished first, and it is done on this thread.
    #[cfg(feature = "parallel")]
    fn is_paused(&self) -> bool {
        false
    }

    /// Returns whether the pieces in flight use so much memory that no other may begin.
    #[cfg(feature = "parallel")]
    fn must_wait(&self) -> bool {
        false
    }
}

/// Runs pieces of work on rayon's current threads. Meanwhile it passes the results to `take` on
/// this thread, in the order of the pieces, until `take` stops it.
///
/// # Errors
///
/// Those of `take`, and a worker's panic.
#[cfg(feature = "parallel")]
pub fn in_order<S: WorkSource, T: Send, R>(
    source: &mut S,
    work: impl Fn(S::Work) -> T + Sync,
    mut take: impl FnMut(&mut S, T) -> io::Result<ControlFlow<R>>,
) -> io::Result<ControlFlow<R>> {
    let work = &work;
    // In place: neither `source` nor `take` need leave this thread. First in, first out: a chunk
    // that waits for its line number waits for one that some thread is at.
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
                    // The only piece, as most files of an archive are one. To wake a thread for it
                    // costs four times as much.
                    let result = work(piece);
                    let flow = take(source, result)?;
                    if flow.is_break() {
                        return Ok(flow);
                    }
                    continue;
                }
                let (done, result) = mpsc::channel();
                flight.push_back(result);
                // It fails if the search has been broken off.
                scope.spawn_fifo(move |_| drop(done.send(work(piece))));
            }
        }
    })
}

/// Takes what the thread that has the chunk sends. A thread of the pool does its share of the work
/// meanwhile: it may be the only one.
#[cfg(feature = "parallel")]
fn wait_for<T>(result: &Receiver<T>) -> io::Result<T> {
    loop {
        match result.try_recv() {
            Err(TryRecvError::Empty) if rayon::yield_now() == Some(Yield::Executed) => {}
            // Now others have all the work there is.
            Err(TryRecvError::Empty) => return result.recv().map_err(|_| io::Error::other("a worker panicked")),
            done => return done.map_err(|_| io::Error::other("a worker panicked")),
        }
    }
}
