//! The options of `urlgrep audit`.

use std::path::PathBuf;

use clap::Args;
use urlgrep::audit::Severity;

use super::shared::{CommonArgs, ShownArgs};
use super::values::{READERS, ReportFormat, SEVERITIES, one_of};
use crate::command::ReportReader;

/// The options of `urlgrep audit`.
#[derive(Debug, Args)]
#[command(args_override_self = true, help_expected = true, max_term_width = 79)]
pub(crate) struct AuditArgs {
    /// Files and folders to read; '-' is standard input
    ///
    /// As with 'urlgrep': files in the order given, folders sorted by name. Without PATH, or where PATH is '-', standard
    /// input is read.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What is reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "The report")]
pub(crate) struct ReportArgs {
    /// Write text, json, csv, html, sarif, urls or others
    ///
    /// text, the default, is for people. json is one document with the summary, the URLs and the findings; jsonl and csv are
    /// the findings, one a line; sarif is for code scanning (the worst 25,000), github for annotations of a pull request,
    /// junit for build servers. html is one page that needs nothing else: charts, the findings, and links in a table to
    /// sort and filter, with their places; it holds the worst 100,000. ioc is a table of the links with a finding that is low
    /// or worse: host, URL, when seen first, senders. urls is what a link checker can ask: the http, https and mailto URLs, one
    /// a line, without those that hold a password.
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true, hide_possible_values = true)]
    pub(crate) format: ReportFormat,

    /// For all, security, links or archive
    ///
    /// Chooses rules and the order of sections. security: deception first, then attacks on software, secrets and tracking,
    /// hidden targets. links: broken and redirected links (with --checked), doubtful readings and invalid URLs, by file and
    /// line. archive: years, schemes, hosts and registrable domains by their last year, what is left over of ftp and gopher,
    /// shorteners, doubtful readings. In json, jsonl, csv and sarif the findings of these rules alone come, in this order.
    ///
    /// --allow and --deny choose among the rules of the reader, and --fail-on looks at what is left.
    #[arg(long = "for", value_name = "READER", default_value = "all", hide_default_value = true,
          hide_possible_values = true, value_parser = one_of(READERS))]
    pub(crate) reader: ReportReader,

    /// Rows of the tables of --format text (20)
    ///
    /// 0 leaves the tables out.
    #[arg(long, value_name = "NUM", default_value_t = 20, hide_default_value = true)]
    pub(crate) top: usize,

    /// List the rules with their reasons, and stop
    #[arg(long)]
    pub(crate) rules: bool,

    /// Only these rules: A-CRLF,A-IP-*
    ///
    /// Names separated by commas, in any case; '*' stands for any text. May be given more than once. Names that begin
    /// with A- are warnings, with X- all else: grammar errors, links that go elsewhere than their text says, and what a
    /// link checker found.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,

    /// All rules but these
    ///
    /// As with --allow. A rule that both name is left out. X-LATER, A-CASE and X-RELATIVE are figures in the
    /// tables of text and HTML; there to name one here lists its findings.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) deny: Vec<String>,

    /// Exit with 1 for: critical, high, medium, low, info
    ///
    /// If there is a finding as bad as that, or worse. Those of rules that are left out do not count; with
    /// --baseline only new ones do.
    #[arg(long, value_name = "SEVERITY", hide_possible_values = true, value_parser = one_of(SEVERITIES))]
    pub(crate) fail_on: Option<Severity>,

    /// Tell what is new since a former JSON report
    ///
    /// FILE is what 'urlgrep audit --format json' wrote. A finding is known if FILE has its rule, URL and file, wherever in the
    /// file the URL stands now. --fail-on then looks at new findings alone, and reports mark them. FILE itself is not searched.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Show passwords, keys and other secrets
    ///
    /// Without it 'ftp://joe:secret@h/' is shown as 'ftp://joe:***@h/' everywhere, and what A-TOKEN finds likewise.
    #[arg(long)]
    pub(crate) show_secrets: bool,

    /// Show URLs as hxxp://a[.]example/: no links
    ///
    /// In text, html, csv, github, junit and ioc: other formats are exact, and are refused with it.
    #[arg(long)]
    pub(crate) defang: bool,

    /// URLs of more bytes than this are long (2000)
    #[arg(long, value_name = "BYTES", default_value_t = 2000, hide_default_value = true)]
    pub(crate) longest: usize,

    /// Join what lychee found: its JSON report
    ///
    /// Status, redirect and archive suggestion of every URL, and a finding for each place of a link that is broken or has
    /// moved. FILE is what 'lychee -v --format json' writes; without -v that tells nothing of redirects.
    #[arg(long, value_name = "FILE")]
    pub(crate) checked: Option<PathBuf>,

    /// Read a diff: only the links of its added lines
    ///
    /// As in 'git diff main | urlgrep audit --diff'. PATHs, or standard input, are unified diffs. A link is reported if it
    /// touches an added line, with the file and the line of the new side, unless the old side of that file shows it as
    /// well; its offset is that in the diff. The lines of a hunk are all that is read: 'git diff -U9999' shows more of the text around it.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Keep the audit in an SQLite database
    ///
    /// What was read before is taken from there: of a mailbox, a news batch or a text file that has grown only what was
    /// appended is read, of a file that has not changed nothing. FILE is made if it is not there, and must be used with
    /// the options that it was made with, as far as they decide what is found. Files that a run does not meet are
    /// forgotten, so give the same PATHs each time. Standard input is always read as a whole.
    ///
    /// The manual page describes the tables. FILE holds passwords as they are written, and only its owner may read it.
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
}
