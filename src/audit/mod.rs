//! What is wrong with a link.
//!
//! A URL that a grammar accepts can still be a trap: a port that belongs to another service, octets that end a line in
//! the middle of a protocol, a host that another reader finds elsewhere. Section 6 of RFC 1738 names the first of them,
//! section 5 of the specification the rest.
//!
//! | module | |
//! |---|---|
//! | [`rules`] | what is looked for, and what it says of one URL or one place |
//! | [`secret`] | passwords, and how a URL is shown without them |

pub mod rules;
pub mod secret;

pub use rules::{Rule, Severity};
