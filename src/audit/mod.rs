//! Floor 4: what is wrong with the links of an archive, or worth a look.
//!
//! A URL that a grammar accepts can still be a trap: a port that belongs to another service, octets that end a line in
//! the middle of a protocol, a host that another reader finds elsewhere. Section 6 of RFC 1738 names the first of them,
//! spec.md section 5 the rest.
//!
//! | module | |
//! |---|---|
//! | [`model`] | what a report holds, as the [formats](crate::report::audit) show it |
//! | [`rules`] | what is looked for, and what it says of one URL or one place |
//! | [`secret`] | passwords, which no report shows unless it is told to |
//! | [`checked`] | what a link checker said |

pub mod checked;
pub mod model;
pub mod rules;
pub mod secret;
