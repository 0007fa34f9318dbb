//! The command as a user meets it: exit statuses, every option, formats, hostile input.
//!
//! All of these are one binary, like ripgrep's own tests. A [`Dir`] is a fresh folder, and
//! [`Dir::run`] runs the command in it. Other tests cover the finder, so the texts here are plain.

#[path = "common/carriers.rs"]
mod carriers;
#[path = "common/mod.rs"]
mod common;
#[path = "common/forms.rs"]
mod forms;
#[path = "cli/mod.rs"]
mod support;

#[path = "cli/archiver.rs"]
mod archiver;
#[path = "cli/attachments.rs"]
mod attachments;
#[path = "cli/audit.rs"]
mod audit;
#[path = "cli/builds.rs"]
mod builds;
#[path = "cli/cells.rs"]
mod cells;
#[path = "cli/choice.rs"]
mod choice;
#[path = "cli/config.rs"]
mod config;
#[path = "cli/database.rs"]
mod database;
#[path = "cli/docs.rs"]
mod docs;
#[path = "cli/documents.rs"]
mod documents;
#[path = "cli/errors.rs"]
mod errors;
#[path = "cli/folders.rs"]
mod folders;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/forms.rs"]
mod forms_read;
#[path = "cli/habits.rs"]
mod habits;
#[path = "cli/histories.rs"]
mod histories;
#[cfg(unix)]
#[path = "cli/hostile.rs"]
mod hostile;
#[path = "cli/inputs.rs"]
mod inputs;
#[path = "cli/live.rs"]
mod live;
#[path = "cli/mail.rs"]
mod mail;
#[path = "cli/options.rs"]
mod options;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/pages.rs"]
mod pages;
#[path = "cli/parse.rs"]
mod parse;
#[path = "cli/same.rs"]
mod same;
#[path = "cli/secrets.rs"]
mod secrets;
#[path = "cli/shells.rs"]
mod shells;
#[path = "cli/silence.rs"]
mod silence;
#[cfg(unix)]
#[path = "cli/terminal.rs"]
mod terminal;
#[path = "cli/utf16.rs"]
mod utf16;
#[path = "cli/vectors.rs"]
mod vectors;
