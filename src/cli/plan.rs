//! The plan of the work, from the command line: the second of three stages.
//!
//! This stage reads the environment: the terminal, the number of cores, folders, globs. It rejects
//! contradictory options with a remedy.

use std::fmt;
use std::fs::File;
use std::fs::Metadata;
use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::overrides::{Override, OverrideBuilder};
use urlgrep::archive::{OpenOptions, ReadAs};
use urlgrep::audit::{Rule, RuleOptions, mask};
use urlgrep::report::{TemplateFormat, TextFormat};
use urlgrep::{Backend, Extractor, ExtractorBuilder, HyphenOrder, Kind, Rejoin};

use super::args::values::{HYPHENS, INPUTS, KINDS, KindItem, LEVELS, REJOINS, SchemeItem, UrlKey, Values};
use super::args::{
    AuditArgs, Cli, Command, CommonArgs, FilesArgs, FindArgs, Generated, OutputArgs, ParseArgs, ReportArgs,
    ReportFormat, SearchArgs, SelectArgs, When,
};
use super::filter::Filter;
use super::hosts::HostChoice;
use super::hyperlinks::Hyperlinks;
use super::match_format::{MatchFormat, key_format};
use super::near::nearest;
use super::out::Out;
use super::progress::Progress;
use super::project::Project;
use super::rewrite::RewritePlan;
use super::search::SearchPlan;
use super::types;
use super::unfound;
use super::walk::{WalkOptions, path_bytes};
use crate::command::cells;
use crate::command::explain::Explain;
use crate::command::{Baseline, Checked, ReportOptions, ReportReader, is_figure};

/// More threads than this only cost memory.
const MOST_THREADS: usize = 256;

/// The size of chunks for text. A chunk has margins of 41 KiB, which are read twice. Two threads
/// are 3 to 10% faster than with 1 MiB. With 4 MiB, which no cache holds, they are slower again
/// (2026-11).
const TEXT_CHUNK: usize = 2 << 20;
/// The size of chunks for text on one thread, which reads no margins twice. The system copies each
/// chunk into memory that stays in the second-level cache of a core. Prose took 8% less CPU time
/// than with chunks of 2 MiB, and dense text 2% less (AMD EPYC, 2026-11).
const ALONE_CHUNK: usize = 512 << 10;
/// The size of chunks for JSON, CSV, templates and lines. This output is up to 60 times as long as
/// its input (`mailto:a@b` repeated). Memory holds a few more chunks than threads: 42 MiB with four
/// threads. Chunks of 128 KiB needed up to 72 MiB, and were 4% faster (2026-11).
const DENSE_CHUNK: usize = 80 << 10;

/// A report in a format other than text lists at least this many hosts.
const REPORTED_HOSTS: usize = 1000;

/// The work to do.
#[derive(Debug)]
pub(crate) enum Plan {
    Find(Box<FindPlan>),
    Rewrite(Box<RewritePlan>),
    Parse(Box<ParsePlan>),
    Audit(Box<AuditPlan>),
    Rules,
    Files(Box<FilesPlan>),
    Types,
    Generate(Generated),
}

/// A list of files.
#[derive(Debug)]
pub(crate) struct FilesPlan {
    /// Without a path, the files of the current folder are listed.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) walk: WalkOptions,
    pub(crate) text: TextFormat,
    pub(crate) quiet: bool,
}

/// The output for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The matches.
    Matches,
    /// The number of matches.
    Count,
    /// The file's name, if it has a match.
    FilesWith,
    /// The file's name, if it has no match.
    FilesWithout,
    /// Nothing.
    Quiet,
}

impl Shape {
    /// Returns whether the first match of a file decides its output.
    pub(crate) fn stops_at_first(self) -> bool {
        matches!(self, Self::FilesWith | Self::FilesWithout | Self::Quiet)
    }
}

/// When two URLs are the same.
#[derive(Debug)]
pub(crate) enum Sameness {
    /// The output shows the same for both.
    Shown,
    /// They are equivalent ([`equality_key`](urlgrep::url::equality_key)).
    Equivalent,
    /// A part of them is the same.
    Key(TemplateFormat),
}

/// A search, ready to run.
#[derive(Debug)]
pub(crate) struct FindPlan {
    pub(crate) search: SearchPlan,
    pub(crate) output: OutputArgs,
    pub(crate) shape: Shape,
    pub(crate) format: MatchFormat,
    /// The format of text lines, counts and file names.
    pub(crate) text: TextFormat,
    /// The hyperlinks of file names.
    pub(crate) hyperlinks: Option<Hyperlinks>,
    /// The numbers of lines to show before and after the lines of a match.
    pub(crate) context: Option<(usize, usize)>,
    /// Text lines begin with the file's name.
    pub(crate) with_name: bool,
    /// When two URLs are the same, for `--unique`, `--unique-by`, `--count-by` and `--first-said`.
    pub(crate) sameness: Option<Sameness>,
    /// A URL that is the same as an earlier one is not printed.
    pub(crate) unique: bool,
}

/// A run of `urlgrep parse`.
#[derive(Debug)]
pub(crate) struct ParsePlan {
    pub(crate) args: ParseArgs,
    /// `None` stands for standard input.
    pub(crate) urls: Vec<Option<Vec<u8>>>,
    /// The explanation of each URL, beyond its line.
    pub(crate) explain: Option<Explain>,
    pub(crate) color: bool,
    pub(crate) escape: bool,
}

/// An audit.
#[derive(Debug)]
pub(crate) struct AuditPlan {
    pub(crate) search: SearchPlan,
    pub(crate) args: ReportArgs,
    pub(crate) report: ReportOptions,
    pub(crate) checked: Option<Arc<Checked>>,
    pub(crate) db: Option<Db>,
    /// The settings of the repository.
    pub(crate) project: Project,
    pub(crate) color: bool,
    /// The width of the terminal in columns, if the output is a terminal.
    pub(crate) width: Option<usize>,
}

impl AuditPlan {
    /// Returns whether a path is the file of `--baseline`.
    pub(crate) fn is_baseline(&self, path: &Path) -> bool {
        let Some(baseline) = &self.args.baseline else { return false };
        let is_named_so = path.file_name() == baseline.file_name();
        is_named_so && matches!((path.canonicalize(), baseline.canonicalize()), (Ok(one), Ok(other)) if one == other)
    }
}

/// `--db`.
#[derive(Debug)]
pub(crate) struct Db {
    pub(crate) path: PathBuf,
    /// The path without symbolic links.
    canonical: PathBuf,
    /// Options that decide what is found, as the database stores them.
    pub(crate) options: String,
}

impl Db {
    fn new(path: &Path, options: String) -> Self {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().unwrap_or_default();
        let canonical = path.file_name().map_or_else(PathBuf::new, |name| folder.join(name));
        Self { path: path.to_owned(), canonical, options }
    }

    /// Returns whether a path is the database itself or its journal.
    pub(crate) fn is(&self, path: &Path) -> bool {
        let own_name = self.canonical.file_name().unwrap_or_default().as_encoded_bytes();
        let has_name = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(own_name));
        // `canonicalize` costs a system call per parent folder, so most paths must not reach it.
        if !has_name && !path.is_symlink() {
            return false;
        }
        let name = self.canonical.as_os_str().as_encoded_bytes();
        path.canonicalize().is_ok_and(|path| {
            let rest = path.as_os_str().as_encoded_bytes().strip_prefix(name);
            rest.is_some_and(|rest| [&b""[..], b"-journal"].contains(&rest))
        })
    }
}

/// The reason why there is no plan: options that contradict each other or the environment.
#[derive(Debug)]
pub(crate) struct PlanError {
    /// The option or file.
    pub(crate) what: Vec<u8>,
    pub(crate) why: String,
}

impl PlanError {
    fn new(what: impl Into<Vec<u8>>, why: impl fmt::Display) -> Self {
        Self { what: what.into(), why: why.to_string() }
    }
}

/// Makes the plan.
pub(crate) fn plan(cli: Cli, project: Project, backend: Backend, out: &mut Out) -> Result<Plan, PlanError> {
    match cli.command {
        Some(Command::Parse(args)) => Ok(Plan::Parse(Box::new(plan_parse(args, out)))),
        Some(Command::Audit(args)) if args.report.rules => Ok(Plan::Rules),
        Some(Command::Audit(args)) if args.common.files.type_list => Ok(Plan::Types),
        Some(Command::Audit(args)) if args.common.files.files => {
            let AuditArgs { paths, report, common } = *args;
            let text = TextFormat::new().color(is_colored(report.shown.color.when(), out)).escape(out.is_terminal());
            plan_files(paths, common.files, text, false, out)
        }
        Some(Command::Audit(args)) => plan_audit(*args, project, backend, out).map(|plan| Plan::Audit(Box::new(plan))),
        None => match cli.find.generate {
            Some(what) => Ok(Plan::Generate(what)),
            None if cli.find.common.files.type_list => Ok(Plan::Types),
            None if cli.find.common.files.files => {
                let FindArgs { paths, output, common, .. } = cli.find;
                if output.json || output.csv {
                    return Err(PlanError::new("--files", "lists only the names of files; leave out --json and --csv"));
                }
                let text = text_format(&output, out);
                plan_files(paths, common.files, text, output.quiet, out)
            }
            None if cli.find.output.heal || cli.find.output.replace.is_some() => {
                plan_rewrite(cli.find, backend, out).map(|plan| Plan::Rewrite(Box::new(plan)))
            }
            None => plan_find(cli.find, backend, out).map(|plan| Plan::Find(Box::new(plan))),
        },
    }
}

fn plan_rewrite(args: FindArgs, backend: Backend, out: &mut Out) -> Result<RewritePlan, PlanError> {
    let FindArgs { paths, output, common, .. } = args;
    let template = output.replace.map(|template| template.unended().defang(output.format.defang));
    let shown = Shown {
        is_record: false,
        counts_lines: template.as_ref().is_some_and(TemplateFormat::needs_lines),
        chunk: TEXT_CHUNK,
        line_ends_after: 0,
        backend,
        progress: output.shown.progress,
    };
    if output.line_buffered {
        out.set_line_buffered();
    }
    Ok(RewritePlan { search: plan_search(paths, common, shown, out)?, template })
}

fn plan_find(args: FindArgs, backend: Backend, out: &mut Out) -> Result<FindPlan, PlanError> {
    let FindArgs { mut paths, output, common, .. } = args;
    let line = if output.explain { unfound::line_of(&mut paths) } else { None };
    let shape = match &output {
        output if output.quiet => Shape::Quiet,
        output if output.count => Shape::Count,
        output if output.files_with_matches => Shape::FilesWith,
        output if output.files_without_match => Shape::FilesWithout,
        _ => Shape::Matches,
    };
    let hyperlinks =
        is_colored(output.shown.color.when(), out).then(|| Hyperlinks::new(&output.format.hyperlink_format)).flatten();
    let text = text_format(&output, out).links(hyperlinks.is_some());
    let format = MatchFormat::new(&output, text, out.is_terminal());
    let sameness = match output.count_by.or(output.unique_key()) {
        _ if output.first_said => Some(Sameness::Equivalent),
        Some(UrlKey::Url) if output.count_by.is_none() => Some(Sameness::Shown),
        key => key.map(|key| Sameness::Key(key_format(key))),
    };
    let context = output.format.context_lines().filter(|_| shape == Shape::Matches);
    let is_dense = shape == Shape::Matches && (context.is_some() || !matches!(format, MatchFormat::Text(_)));
    let links_lines = matches!(format, MatchFormat::Text(_))
        && hyperlinks.as_ref().is_some_and(|hyperlinks| hyperlinks.format.needs_lines());
    let shown = Shown {
        // Keys are counted alike in every format.
        is_record: shape == Shape::Matches && format.is_record() && output.count_by.is_none(),
        counts_lines: shape == Shape::Matches && (format.needs_lines(&output) || links_lines || line.is_some()),
        chunk: if is_dense { DENSE_CHUNK } else { TEXT_CHUNK },
        line_ends_after: context.map_or(0, |(_, after)| after.saturating_add(1)),
        backend,
        progress: output.shown.progress,
    };
    let mut search = plan_search(paths, common, shown, out)?;
    search.filter = search.filter.with_line(line);
    if output.line_buffered {
        out.set_line_buffered();
    }
    Ok(FindPlan {
        with_name: output.with_filename || (search.many && !output.no_filename),
        search,
        shape,
        format,
        text,
        hyperlinks,
        context,
        sameness: sameness.filter(|_| !shape.stops_at_first()),
        unique: output.unique_key().is_some() && !shape.stops_at_first(),
        output,
    })
}

/// Returns the format of lines of text.
fn text_format(output: &OutputArgs, out: &Out) -> TextFormat {
    TextFormat::new()
        .line_number(output.line_number)
        .column(output.column)
        .byte_offset(output.byte_offset)
        .message(output.message)
        .all_readings(output.all_readings)
        .explain(output.explain)
        .null(output.null)
        .defang(output.format.defang)
        .color(is_colored(output.shown.color.when(), out))
        .escape(out.is_terminal())
}

fn plan_files(
    paths: Vec<PathBuf>,
    files: FilesArgs,
    text: TextFormat,
    quiet: bool,
    out: &mut Out,
) -> Result<Plan, PlanError> {
    Ok(Plan::Files(Box::new(FilesPlan { paths, walk: plan_walk(files, out)?, text, quiet })))
}

fn plan_audit(args: AuditArgs, project: Project, backend: Backend, out: &mut Out) -> Result<AuditPlan, PlanError> {
    let AuditArgs { paths, report, common } = args;
    let (disabled, listed) = disabled_and_listed(&report)?;
    refuse_conflicts(&report, &common.search)?;
    let (is_text, reader) = (report.format == ReportFormat::Text, report.reader);
    let options = ReportOptions {
        rules: RuleOptions::new().longest(report.longest).other_literal(common.search.otherurl.is_literal()),
        disabled,
        listed,
        show_secrets: report.show_secrets,
        defang: report.defang,
        top: if is_text { report.top } else { REPORTED_HOSTS.max(report.top) },
        reader,
        history: report.format == ReportFormat::Html || is_text && reader.needs_history(),
        baseline: read_report(report.baseline.as_deref(), Baseline::read)?,
        // Names relative to a single folder stay the same if that folder moves.
        root: match &paths[..] {
            [path] if path.is_dir() => path_bytes(path),
            _ => Vec::new(),
        },
        ignored: project.ignored.clone(),
        configuration: project.configuration.clone(),
    };
    let checked = read_report(report.checked.as_deref(), Checked::read)?;
    let color = is_text && is_colored(report.shown.color.when(), out);
    let shown = Shown {
        is_record: true,
        counts_lines: true,
        chunk: TEXT_CHUNK,
        line_ends_after: usize::MAX, // an audit shows the text around a match, at the end
        backend,
        progress: report.shown.progress,
    };
    let read = common.search.clone();
    let search = plan_search(paths, common, shown, out)?;
    let db = report.db.as_ref().map(|path| Db::new(path, deciding_options(&search.filter, &read)));
    Ok(AuditPlan { search, args: report, report: options, checked, db, project, color, width: out.width() })
}

/// Returns the rules that are not examined, and the figures that are listed anyway.
///
/// A figure is a rule whose findings describe the archive, not faulty links. Reports for people
/// list these findings only if an option names the rule. In other formats, `--deny` excludes a
/// figure like any other rule.
fn disabled_and_listed(report: &ReportArgs) -> Result<(Vec<Rule>, Vec<Rule>), PlanError> {
    let (allow, deny) = (rule_globs("--allow", &report.allow)?, rule_globs("--deny", &report.deny)?);
    let is_left = |rule: &Rule| report.reader.has(*rule) && (report.allow.is_empty() || allow.is_match(rule.id()));
    if report.reader != ReportReader::All && !Rule::ALL.iter().any(is_left) {
        return Err(PlanError::new("--allow", "names no rule that --for reports; leave out one of the two"));
    }
    let is_for_people = matches!(report.format, ReportFormat::Text | ReportFormat::Html);
    let is_named =
        |rule: &Rule| report.allow.iter().chain(&report.deny).any(|name| name.eq_ignore_ascii_case(rule.id()));
    let is_listed = |rule: &Rule| report.reader.has(*rule) && is_for_people && is_figure(*rule) && is_named(rule);
    let is_disabled = |rule: &Rule| !is_listed(rule) && (!is_left(rule) || deny.is_match(rule.id()));
    let chosen = |choose: &dyn Fn(&Rule) -> bool| Rule::ALL.iter().copied().filter(choose).collect();
    Ok((chosen(&is_disabled), chosen(&is_listed)))
}

/// Refuses options of a report that exclude one another.
fn refuse_conflicts(report: &ReportArgs, search: &SearchArgs) -> Result<(), PlanError> {
    let is_exact =
        matches!(report.format, ReportFormat::Json | ReportFormat::Jsonl | ReportFormat::Sarif | ReportFormat::Urls);
    let has_range = search.range.is_some();
    let (option, why) = if report.defang && is_exact {
        ("--defang", "does not go with this --format, which is exact; use text, csv or ioc")
    } else if report.db.is_some() && has_range {
        ("--range", "does not go with --db, which keeps whole files; leave out one of the two")
    } else if report.diff && (report.db.is_some() || has_range) {
        ("--diff", "reads a diff, and does not go with --db or --range; leave them out")
    } else {
        return Ok(());
    };
    Err(PlanError::new(option, why))
}

/// Reads the report of an earlier run or of a link checker, if there is one.
fn read_report<T>(path: Option<&Path>, read: impl FnOnce(File) -> io::Result<T>) -> Result<Option<Arc<T>>, PlanError> {
    let Some(path) = path else { return Ok(None) };
    let report = File::open(path).and_then(read).map_err(|error| PlanError::new(path_bytes(path), error))?;
    Ok(Some(Arc::new(report)))
}

/// Returns the options that decide what is found, as databases store them. The form of this text
/// must never change. It is empty if all options have their defaults.
fn deciding_options(filter: &Filter, search: &SearchArgs) -> String {
    let select = &filter.select;
    let list = |name: &str, values: &[String]| (!values.is_empty()).then(|| format!("{name} {}", values.join(",")));
    let flag = |name: &str, yes: bool| yes.then(|| name.to_owned());
    let given = [
        list("--scheme", &select.scheme.iter().map(ToString::to_string).collect::<Vec<_>>()),
        list("--host", &select.host),
        (!select.kind.is_empty()).then(|| {
            let item = |item: &KindItem| format!("{}{}", item.mark(), stored(KINDS, item.kind));
            format!("--kind [{}]", select.kind.iter().map(item).collect::<Vec<_>>().join(", "))
        }),
        select.level.map(|level| format!("--level {}", stored(LEVELS, level))),
        flag("--strict", select.strict),
        flag("--rejoined", select.rejoined),
        flag("--candidates", select.candidates),
        flag("--any-scheme", search.any_scheme),
        flag("--www", search.www),
        flag("--names", search.names),
        flag("--refang", search.refang),
        search.base.as_ref().map(|base| format!("--base {}", mask(base.as_bytes()))), // it may have a password
        (search.rejoin != Rejoin::Auto).then(|| format!("--rejoin {}", stored(REJOINS, search.rejoin))),
        (search.hyphen != HyphenOrder::Keep).then(|| format!("--hyphen {}", stored(HYPHENS, search.hyphen))),
        flag("--otherurl literal", search.otherurl.is_literal()),
        flag("--iri", search.iri),
        search.columns.map(|columns| format!("--columns {columns}")),
        (search.input != ReadAs::Auto).then(|| format!("--input {}", stored(INPUTS, search.input))),
        flag("--search-zip", search.search_zip),
        filter.hosts.as_ref().and_then(HostChoice::digest).map(|digest| format!("--host-file {digest}")),
    ];
    given.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns the name of an option's value, without hyphens.
fn stored<T: PartialEq>(values: Values<T>, value: T) -> String {
    values.iter().find(|(_, other, _)| *other == value).map_or_else(String::new, |(name, ..)| name.replace('-', ""))
}

/// Compiles the names of rules, in which `*` stands for any text. A name that matches no rule is an
/// error.
fn rule_globs(option: &str, names: &[String]) -> Result<GlobSet, PlanError> {
    let mut set = GlobSetBuilder::new();
    for name in names {
        let refused = |error: &dyn fmt::Display| PlanError::new(option, format_args!("{name}: {error}"));
        let glob = GlobBuilder::new(name).case_insensitive(true).build().map_err(|error| refused(&error))?;
        let matcher = glob.compile_matcher();
        if !Rule::ALL.iter().any(|rule| matcher.is_match(rule.id())) {
            return Err(refused(&"there is no such rule; urlgrep audit --rules lists them"));
        }
        set.add(glob);
    }
    set.build().map_err(|error| PlanError::new(option, error))
}

/// The output that a search is for.
struct Shown {
    /// Matches are shown as records.
    is_record: bool,
    counts_lines: bool,
    /// Size of a chunk.
    chunk: usize,
    /// The number of line ends that must follow a match at a pause before the match is final.
    line_ends_after: usize,
    backend: Backend,
    progress: When,
}

/// Compiles the choice of hosts. A list of standard input cannot be searched, too.
fn plan_hosts(select: &SelectArgs, paths: &[PathBuf]) -> Result<Option<HostChoice>, PlanError> {
    let reads_stdin = |paths: &[PathBuf]| paths.iter().any(|path| path.as_os_str() == "-");
    if reads_stdin(&select.host_file) && (paths.is_empty() || reads_stdin(paths)) {
        return Err(PlanError::new("--host-file", "reads standard input, which is searched already; give a PATH"));
    }
    HostChoice::new(&select.host, &select.host_file).map_err(|error| PlanError::new(error.place, error.why))
}

/// Plans the parts that every search needs.
fn plan_search(
    mut paths: Vec<PathBuf>,
    common: CommonArgs,
    shown: Shown,
    out: &mut Out,
) -> Result<SearchPlan, PlanError> {
    let CommonArgs { select, search, files, threads, .. } = common;
    if files.recursive && paths.is_empty() {
        paths.push(PathBuf::from("."));
    }
    let range = search.range.clone().map(|range| one_regular_file(&paths).map(|()| range)).transpose()?;
    let hosts = plan_hosts(&select, &paths)?;
    if !search.any_scheme {
        warn_of_schemes(&select.scheme, out);
    }
    let walk = plan_walk(files, out)?;
    let many = paths.len() > 1 || paths.iter().any(|path| path.is_dir());
    let lacks_path = paths.is_empty() && !io::stdin().is_terminal();
    if paths.is_empty() {
        paths.push(PathBuf::from("-"));
        if !lacks_path {
            out.note("reading standard input (end it with Ctrl-D); give a PATH to search files, --help for help");
        }
    }
    if shows_progress(shown.progress, out) {
        out.set_progress(Progress::shown());
        if !many && range.is_none() {
            let file = std::fs::metadata(&paths[0]).ok().filter(Metadata::is_file);
            out.progress().expect(file.map_or(0, |file| file.len()));
        }
    }
    let names = |kind: Kind| select.kind.iter().any(|item| item.is_wanted && item.kind == kind);
    let unresolved = shown.is_record || names(Kind::Attribute) || names(Kind::Navigation);
    let threads = self::threads(threads.threads);
    let chunk = if threads == 1 { shown.chunk.min(ALONE_CHUNK) } else { shown.chunk };
    let extractor = plan_extractor(&search, &shown)
        .chunk_size(chunk)
        .navigation(names(Kind::Navigation))
        // Only a record can show that a candidate is refused.
        .candidates(select.candidates && shown.is_record);
    Ok(SearchPlan {
        paths,
        lacks_path,
        walk,
        many,
        extractor: extractor.clone().line_ends_after(usize::MAX).build(),
        live: extractor.line_ends_after(shown.line_ends_after).build(),
        filter: Filter::new(select, hosts, unresolved),
        has_base: search.base.is_some(),
        range,
        open: OpenOptions::new().unpack(search.search_zip).read_as(search.input),
        unpack: search.search_zip,
        threads,
    })
}

fn plan_extractor(search: &SearchArgs, shown: &Shown) -> ExtractorBuilder {
    let extractor = Extractor::builder()
        .any_scheme(search.any_scheme)
        .rejoin(search.rejoin)
        .hyphen(search.hyphen)
        .iri(search.iri)
        .columns(search.columns.map(NonZero::get))
        .refang(search.refang)
        .www(search.www)
        .names(search.names)
        .base(search.base.as_deref().map(str::as_bytes))
        .other_literal(search.otherurl.is_literal())
        .line_numbers(shown.counts_lines)
        .unpack_attachments(search.search_zip)
        .backend(shown.backend);
    if search.search_zip { extractor.read_databases(cells::attached) } else { extractor }
}

/// Warns about schemes that are not known.
fn warn_of_schemes(schemes: &[SchemeItem], out: &mut Out) {
    for SchemeItem { name, .. } in schemes.iter().filter(|item| !urlgrep::is_known_scheme(item.name.as_bytes())) {
        let remedy = match nearest(name, urlgrep::known_schemes()) {
            Some(near) => format!("did you mean {near}?"),
            None => "add --any-scheme to find it outside wrappers such as <URL:...>".to_owned(),
        };
        out.note(&format!("--scheme: {name} is not a known scheme; {remedy}"));
    }
}

fn plan_parse(args: ParseArgs, out: &mut Out) -> ParsePlan {
    let mut urls: Vec<_> = args.urls.iter().map(|url| (url != "-").then(|| url.as_encoded_bytes().to_vec())).collect();
    if urls.is_empty() {
        urls.push(None);
        if io::stdin().is_terminal() {
            out.note("reading URLs from standard input, one per line (end it with Ctrl-D); --help for help");
        }
    }
    // A user who gives a single URL on a terminal probably needs the explanation.
    let is_asked = args.explain || (out.is_terminal() && !args.json && matches!(urls[..], [Some(_)]));
    let color = !args.json && is_colored(args.color.when(), out);
    let explain = Explain { other_literal: args.otherurl.is_literal(), color, show_secrets: args.show_secrets };
    ParsePlan { urls, explain: is_asked.then_some(explain), color, escape: out.is_terminal(), args }
}

/// Checks that `--range` has one regular file, whose bytes have offsets.
fn one_regular_file(paths: &[PathBuf]) -> Result<(), PlanError> {
    let [path] = paths else {
        return Err(PlanError::new(
            "--range",
            format_args!("needs exactly one file as PATH; there are {}", paths.len()),
        ));
    };
    if path.as_os_str() == "-" {
        return Err(PlanError::new("--range", "needs a file as PATH; standard input has no ranges"));
    }
    let name = path_bytes(path);
    let metadata = std::fs::metadata(path).map_err(|error| PlanError::new(name.clone(), error))?;
    if metadata.is_dir() {
        return Err(PlanError::new(name, "is a folder; --range needs one regular file"));
    }
    if !metadata.is_file() {
        return Err(PlanError::new(name, "is not a regular file; --range needs one, so save it to a file first"));
    }
    Ok(())
}

/// Plans the walk through folders.
fn plan_walk(files: FilesArgs, out: &mut Out) -> Result<WalkOptions, PlanError> {
    if files.no_messages {
        out.silence_on_files();
    }
    let types = types::types(&files).map_err(|(option, why)| PlanError::new(option, why))?;
    Ok(WalkOptions { globs: globs(&files)?, types, files })
}

/// Compiles the globs, as ripgrep does: relative to the current folder, and later globs override
/// earlier ones. The globs of `--iglob` come last.
fn globs(FilesArgs { glob, iglob, .. }: &FilesArgs) -> Result<Override, PlanError> {
    if glob.is_empty() && iglob.is_empty() {
        return Ok(Override::empty());
    }
    let mut builder = OverrideBuilder::new(std::env::current_dir().unwrap_or_else(|_| Path::new(".").into()));
    for (option, globs, is_case_free) in [("--glob", glob, false), ("--iglob", iglob, true)] {
        let refused = |error: ignore::Error| PlanError::new(option, error);
        builder.case_insensitive(is_case_free).map_err(refused)?;
        for glob in globs {
            builder.add(glob).map_err(refused)?;
        }
    }
    builder.build().map_err(|error| PlanError::new("--glob", error))
}

fn threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        asked => asked,
    }
    .min(MOST_THREADS)
}

/// Returns whether the output is coloured. <https://no-color.org> defines NO_COLOR. A dumb terminal
/// would show colour codes as text.
pub(crate) fn is_colored(when: When, out: &Out) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            out.is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

fn shows_progress(when: When, out: &Out) -> bool {
    match when {
        When::Never => false,
        When::Always => out.is_stderr_terminal(),
        // If both outputs are terminals, the matches themselves show progress.
        When::Auto => out.is_stderr_terminal() && !out.is_terminal(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run is refused if its options differ from the options that the database stores.
    #[test]
    fn options_in_databases_never_change() {
        fn names<T: Copy + PartialEq>(values: Values<T>) -> String {
            values.iter().map(|&(_, value, _)| stored(values, value)).collect::<Vec<_>>().join(" ")
        }
        assert_eq!(names(KINDS), "wrapped angle prefixed bare attribute www navigation name");
        assert_eq!(names(LEVELS), "rfc1738 rfc1738ref rfc3986 iri none");
        assert_eq!(names(REJOINS), "auto delimited none");
        assert_eq!(names(HYPHENS), "keep drop");
        assert_eq!(names(INPUTS), "auto text mail html csv");
    }
}
