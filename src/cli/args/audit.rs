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
    /// Files are read in the order given, and folders are sorted by name. Without PATH, or if PATH
    /// is '-', standard input is read.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The options that decide what is reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "The report")]
pub(crate) struct ReportArgs {
    /// Write text, json, html, urls for lychee or others
    ///
    /// The default, text, is for people. The format json is one document with the summary, the URLs
    /// and the findings. The formats jsonl and csv are the findings, one per line. The formats
    /// sarif (the worst 25,000), github and junit are for code scanning, pull requests and build
    /// servers. The format html is a page with charts, the findings, and the worst 100,000 links,
    /// to sort and filter. The page shows at most 50 places per link. The format ioc is a table of
    /// links with findings of low or worse: host, URL, first date, senders. The format urls lists
    /// URLs for link checkers: http, https and mailto, without a password, one per line.
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true, hide_possible_values = true)]
    pub(crate) format: ReportFormat,

    /// Reader: all, security, links or archive
    ///
    /// The reader decides the rules and the order of sections. For security: deception; attacks on
    /// software; secrets and tracking; hidden targets. For links: broken and redirected links (with
    /// --checked), doubtful readings and invalid URLs, by file and line. For archive: years, schemes,
    /// hosts and domains by their last year, remains of ftp and gopher, shorteners, doubtful readings.
    /// The formats json, jsonl, csv and sarif have only the findings of these rules, in this order.
    ///
    /// The options --allow and --deny choose among the rules of the reader, and --fail-on applies
    /// to the chosen ones.
    #[arg(long = "for", value_name = "READER", default_value = "all", hide_default_value = true,
          hide_possible_values = true, value_parser = one_of(READERS))]
    pub(crate) reader: ReportReader,

    /// Rows per table of --format text (20)
    ///
    /// With 0, there are no tables.
    #[arg(long, value_name = "NUM", default_value_t = 20, hide_default_value = true)]
    pub(crate) top: usize,

    /// List the rules with their reasons, and stop
    #[arg(long)]
    pub(crate) rules: bool,

    /// Only these rules: A-CRLF,A-IP-*
    ///
    /// Names are separated by commas, in any case; '*' stands for any text. May be given more than
    /// once. Names that begin with A- are warnings. Names that begin with X- are all others:
    /// grammar errors, misleading link texts, and results of a link checker.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,

    /// All rules except these
    ///
    /// Names work as with --allow. A rule that both options name is excluded. Text and HTML only
    /// count X-LATER, A-CASE and X-RELATIVE. Naming one of them here, or in --allow, lists its
    /// findings.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) deny: Vec<String>,

    /// Exit with 1 for: critical, high, medium, low, info
    ///
    /// The status is 1 if there is a finding of this severity or a worse one. Findings of excluded
    /// rules are ignored. With --baseline, only new findings apply.
    #[arg(long, value_name = "SEVERITY", hide_possible_values = true, value_parser = one_of(SEVERITIES))]
    pub(crate) fail_on: Option<Severity>,

    /// Mark findings new since an earlier report
    ///
    /// FILE is the output of 'urlgrep audit --format json'. A finding is old if FILE has its rule,
    /// URL and file, even if the URL has moved in it. With a baseline, --fail-on applies only to
    /// new findings, and reports mark them. FILE itself is not searched.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Show passwords, keys and other secrets
    ///
    /// Without it, 'ftp://joe:secret@h/' becomes 'ftp://joe:***@h/' everywhere. The secrets of
    /// A-TOKEN are masked, too.
    #[arg(long)]
    pub(crate) show_secrets: bool,

    /// Show URLs as hxxp://a[.]example/, not as links
    ///
    /// The formats text, html, csv, github, junit and ioc allow this. Other formats are exact, so
    /// they conflict with it.
    #[arg(long)]
    pub(crate) defang: bool,

    /// URLs of more bytes than this are long (2000)
    #[arg(long, value_name = "BYTES", default_value_t = 2000, hide_default_value = true)]
    pub(crate) longest: usize,

    /// Add the results of lychee: its JSON report
    ///
    /// Adds the status of every URL, its redirect, and a suggested archive copy. Each place of a
    /// link that is broken or has moved is a finding. FILE is the output of 'lychee -v --format
    /// json'. Without -v, FILE has no redirects.
    #[arg(long, value_name = "FILE")]
    pub(crate) checked: Option<PathBuf>,

    /// Read a diff: only the links of its added lines
    ///
    /// An example is 'git diff main | urlgrep audit --diff'. PATHs, or standard input, are unified
    /// diffs. A link is reported if it touches an added line, unless the old side of that file also
    /// has it. The report has its file and line on the new side, and its offset in the diff. Only
    /// the lines of hunks are read. For whole files, use 'git diff -U99999'.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Keep the audit in an SQLite database
    ///
    /// Each run reads only files that are new, or have changed since the last run. If a mailbox, a
    /// news batch or a text file has grown, only the appended part is read. FILE is created if it
    /// does not exist. Give the same PATHs each time, because the database drops files that a run
    /// does not find. Options that decide which URLs are found must also stay the same. Standard
    /// input is always read as a whole.
    ///
    /// The manual page describes the tables. FILE holds passwords as they are written, and only its
    /// owner may read it.
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
}
