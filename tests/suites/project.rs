//! Tests of the project itself: its floors, words, public names, specification and examples.

#[cfg(feature = "cli")]
#[path = "../examples.rs"]
mod examples;
#[path = "../floors.rs"]
mod floors;
#[cfg(all(feature = "archive", feature = "audit"))]
#[path = "../judged.rs"]
mod judged;
#[path = "../oracle.rs"]
mod oracle;
#[path = "../public_names.rs"]
mod public_names;
#[path = "../readme.rs"]
mod readme;
#[cfg(feature = "cli")]
#[path = "../report_html/main.rs"]
mod report_html;
#[cfg(feature = "parallel")]
#[path = "../spec.rs"]
mod spec;
#[path = "../words.rs"]
mod words;
