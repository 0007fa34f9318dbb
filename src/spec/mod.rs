//! The specification: which parts of a text are URLs, and which URLs are valid.
//!
//! Its sources are RFC 1738, RFC 1808, present-day URLs, and archives of mail and news. Each rule
//! has a stable name, such as *W-HYPH-1*. Error messages, reports, code and tests cite it. The
//! modules are the sections of the specification. They hold only documentation.
//!
//! | id | subject | in |
//! |---|---|---|
//! | `P-1` … | the interpretation of the RFCs | [section 0](reading) |
//! | `G-BNF-…` | the grammar's own notation | [section 0](reading) |
//! | `G-LEX-…`, `G-FRAG-…` | characters, escapes, the fragment | [section 1](characters) |
//! | `empty` … `base-not-absolute` | the kinds of errors | [section 2](errors) |
//! | `G-…` | the grammar of RFC 1738 and RFC 1808 | [section 3](grammar) |
//! | `S-…` | the meaning of the components | [section 4](semantics) |
//! | `A-…`, `X-…` | the rules of an audit | [section 5](audit) |
//! | `R-1808-…` | resolution of references | [section 6](resolution) |
//! | | terms: K, W, blank, reading … | [section 7](extraction) |
//! | `W-…` except `W-HYPH-…` | `<URL:…>` and `<scheme:…>` | [section 7.1](wrapped) |
//! | `W-HYPH-…` | a hyphen before a line break | [section 7.2](hyphens) |
//! | `P-FORM-…` | `URL:` without brackets | [section 7.3](prefixed) |
//! | `B-…` except `B-JOIN` | bare URLs | [section 7.4](bare) |
//! | `B-JOIN` | bare URLs that continue on the next line | [section 7.5](bjoin) |
//! | `ST-…` | guarantees for every way of reading a text | [section 7.6](streaming) |
//! | `rfc1738` … `none` | the levels | [section 8](levels) |
//! | | the vectors, tests for every rule | [section 9](vectors) |
//! | `L` | the known schemes | [section 10](schemes) |
//! | | the command, its input, records and reports; limits | [section 11](interface) |
//! | | the structure of the crate: its floors, and the laws P1 to P6 | [design] |
//!
//! A rule's name is its anchor: [W-HYPH-1](hyphens#W-HYPH-1) is `urlgrep::spec::hyphens#W-HYPH-1`.

#[doc = include_str!("audit.md")]
pub mod audit {}
#[doc = include_str!("bare.md")]
pub mod bare {}
#[doc = include_str!("bjoin.md")]
pub mod bjoin {}
#[doc = include_str!("characters.md")]
pub mod characters {}
#[doc = include_str!("design.md")]
pub mod design {}
#[doc = include_str!("errors.md")]
pub mod errors {}
#[doc = include_str!("extraction.md")]
pub mod extraction {}
#[doc = include_str!("grammar.md")]
pub mod grammar {}
#[doc = include_str!("hyphens.md")]
pub mod hyphens {}
#[doc = include_str!("interface.md")]
pub mod interface {}
#[doc = include_str!("levels.md")]
pub mod levels {}
#[doc = include_str!("prefixed.md")]
pub mod prefixed {}
#[doc = include_str!("reading.md")]
pub mod reading {}
#[doc = include_str!("resolution.md")]
pub mod resolution {}
#[doc = include_str!("schemes.md")]
pub mod schemes {}
#[doc = include_str!("semantics.md")]
pub mod semantics {}
#[doc = include_str!("streaming.md")]
pub mod streaming {}
#[doc = include_str!("vectors.md")]
pub mod vectors {}
#[doc = include_str!("wrapped.md")]
pub mod wrapped {}
