//! The guide: what to type for a task, and how the command works with other programs.
//!
//! Like [`spec`](super::spec), it holds only documentation: the modules are its pages. Each example
//! is tested (`tests/readme.rs`).
//!
//! | task | page |
//! |---|---|
//! | install it: C compiler, static binary, `.deb`, image, completions | [install] |
//! | choose files, URLs and the output format | [find] |
//! | read mail, news and mailing lists | [mail] |
//! | read documents, pages and source code | [source] |
//! | read screens and logs, and follow a pipe | [terminals] |
//! | fail a build because of its links | [ci] |
//! | report on an archive | [audits] |
//! | query matches in DuckDB, pandas and Spark | [data] |
//! | use the library | [library] |
//! | combine it with fzf, mutt, tmux, lychee, curl, pdftotext, git and cron | [recipes] |
//! | look up the input forms | [forms] |

// Rustdoc resolves each label to the module, because that definition comes first. The page's own
// definition is for readers of the file.
#![allow(rustdoc::redundant_explicit_links, reason = "a label is the name of a file")]

/// Defines the link labels that the pages use.
macro_rules! links {
    () => {
        "[audit.md]: super::spec::audit
[bjoin.md]: super::spec::bjoin
[interface.md]: super::spec::interface
[crate]: crate
[forms.md]: forms
[recipes.md]: recipes
[recipes.md#cron]: recipes#cron
[recipes.md#lychee]: recipes#lychee
[recipes.md#mutt]: recipes#mutt
[recipes.md#pdftotext]: recipes#pdftotext
[spec]: super::spec
[python/README.md]: ../../../../../python/README.md
[python/SPARK.md]: ../../../../../python/SPARK.md
[python/recipes]: ../../../../../python/recipes

"
    };
}

#[doc = links!()]
#[doc = include_str!("audits.md")]
pub mod audits {}
#[doc = links!()]
#[doc = include_str!("ci.md")]
pub mod ci {}
#[doc = links!()]
#[doc = include_str!("data.md")]
pub mod data {}
#[doc = links!()]
#[doc = include_str!("find.md")]
pub mod find {}
#[doc = links!()]
#[doc = include_str!("forms.md")]
pub mod forms {}
#[doc = links!()]
#[doc = include_str!("install.md")]
pub mod install {}
#[doc = links!()]
#[doc = include_str!("library.md")]
pub mod library {}
#[doc = links!()]
#[doc = include_str!("mail.md")]
pub mod mail {}
#[doc = links!()]
#[doc = include_str!("recipes.md")]
pub mod recipes {}
#[doc = links!()]
#[doc = include_str!("source.md")]
pub mod source {}
#[doc = links!()]
#[doc = include_str!("terminals.md")]
pub mod terminals {}
