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
    /// As with 'urlgrep': files in the order given, folders sorted by name. Without PATH, or where
    /// PATH is '-', standard input is read.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The choice of what is reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "The report")]
pub(crate) struct ReportArgs {
    /// Write text, json, csv, html, sarif, urls or others
    ///
    /// The default, text, is for people. With json it is one document with the summary, the URLs
    /// and the findings. With jsonl and csv it is the findings, one a line. The formats sarif (the
    /// worst 25,000), github and junit are for code scanning, pull requests and build servers. A
    /// page of html has charts, the findings, and the worst 100,000 links, to sort and filter, with
    /// their places. A table of ioc has the links with a finding that is low or worse: host, URL,
    /// first date, senders. A list of urls is for link checkers: the http, https and mailto URLs
    /// without a password, one a line.
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true, hide_possible_values = true)]
    pub(crate) format: ReportFormat,

    /// For all, security, links or archive
    ///
    /// Chooses rules and the order of sections. For security: deception first, then attacks on
    /// software, secrets and tracking, hidden targets. For links: broken and redirected links (with
    /// --checked), doubtful readings and invalid URLs, by file and line. For archive: years,
    /// schemes, hosts and domains by their last year, remains of ftp and gopher, shorteners,
    /// doubtful readings. In json, jsonl, csv and sarif only the findings of these rules come, in
    /// this order.
    ///
    /// --allow and --deny choose among the rules of the reader, and --fail-on counts the findings
    /// of the rest.
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
    /// Names separated by commas, in any case; '*' stands for any text. May be given more than
    /// once. Names that begin with A- are warnings. Names with X- are all else: grammar errors,
    /// misleading texts of links, and results of a link checker.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,

    /// All rules but these
    ///
    /// As with --allow. A rule that both name is left out. X-LATER, A-CASE and X-RELATIVE are
    /// figures in the tables of text and HTML. To name one here lists its findings there.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) deny: Vec<String>,

    /// Exit with 1 for: critical, high, medium, low, info
    ///
    /// If there is a finding as bad as that, or worse. Those of rules that are left out do not
    /// count; with --baseline only new ones do.
    #[arg(long, value_name = "SEVERITY", hide_possible_values = true, value_parser = one_of(SEVERITIES))]
    pub(crate) fail_on: Option<Severity>,

    /// Mark findings new since an earlier report
    ///
    /// FILE is the output of 'urlgrep audit --format json'. A finding is old if FILE has its rule,
    /// URL and file, wherever in the file the URL stands now. Then --fail-on counts only new
    /// findings, and reports mark them. FILE itself is not searched.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Show passwords, keys and other secrets
    ///
    /// Without it 'ftp://joe:secret@h/' is shown as 'ftp://joe:***@h/' everywhere, and what A-TOKEN
    /// finds likewise.
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

    /// Add the results of lychee: its JSON report
    ///
    /// Adds status, redirect and archive suggestion of every URL. Each place of a link that is
    /// broken or has moved is a finding. FILE is the output of 'lychee -v --format json'; without
    /// -v it has no redirects.
    #[arg(long, value_name = "FILE")]
    pub(crate) checked: Option<PathBuf>,

    /// Read a diff: only the links of its added lines
    ///
    /// As in 'git diff main | urlgrep audit --diff'. PATHs, or standard input, are unified diffs. A
    /// link is reported if it touches an added line, unless the old side of that file has it too.
    /// It has the file and the line of the new side, and its offset in the diff. Only the lines of
    /// hunks are read: 'git diff -U99999' shows more of the text around.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Keep the audit in an SQLite database
    ///
    /// A run reads only files that are new or changed since the last one. It reads the appended
    /// part of a mailbox, a news batch or a text file that has grown. FILE is made if it does not
    /// exist. Give the same PATHs each time, for the database drops files that a run does not meet.
    /// The options that decide which URLs are found must be the same too. Standard input is always
    /// read as a whole.
    ///
    /// The manual page describes the tables. FILE holds passwords as they are written, and only its
    /// owner may read it.
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
}
