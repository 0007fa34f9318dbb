//! The layers of the crate: a file uses only the floors below its own (`src/spec/design.md`). No
//! files use each other in a circle, also in the Python module. The name of a type has one meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The modules of the crate by floor, and the names that the root re-exports from them.
const FLOORS: [&[&str]; 10] = [
    &["bytes", "DamagedEnd", "ReadAt"],
    &["archive"], // does not depend on URLs
    &["url", "Level", "ParseError", "ParseErrorKind", "SplitUrl", "Url", "UrlBuf"],
    &["find", "HyphenOrder", "Kind", "ReasonKind", "RefusedHost", "Rejoin", "is_known_scheme", "known_schemes"],
    &[
        "drive",
        "Brief",
        "Checkpoint",
        "Excerpt",
        "Extractor",
        "ExtractorBuilder",
        "FileMatch",
        "FileMatches",
        "Feeder",
        "FindIter",
        "Match",
        "Place",
        "Reason",
        "RangeCounts",
        "Section",
        "Segment",
        "Segments",
        "Sink",
        "Stats",
        "Stream",
        "Undecoded",
        "WorkSource",
        "in_order",
    ],
    &["audit"],
    &["record"],
    &["report"],
    // These are the modules of the binary.
    &["command"],
    &["cli"],
];

/// The rooms of the folders that have floors of their own, from below to above. A room is a file or
/// a folder. It uses no other room of its floor, and none above.
const INNER: [(&[&str], &[&[&str]]); 4] = [
    (
        &["find"],
        &[&["matches", "options", "schemes", "why"], &["text"], &["start"], &["end"], &["join"], &["forms"], &["lane"]],
    ),
    (
        &["archive"],
        &[
            &["cms", "compress", "encoding", "pruned", "quote", "support", "tar", "wire"],
            &["members", "stream_places", "transfer", "zip"],
            &["inline"],
            &["text_source"],
            &["message"],
            &["charset"],
            &["armor", "calendar", "flowed", "foreign", "header", "office", "pdf", "reply", "sylk", "wide"],
            &["container", "html"],
            &["rtf", "split"],
            &["recognise"],
            &["input", "restored"],
            &["attachment", "partial"],
            &["mime"],
            &["warc"],
        ],
    ),
    (
        &["drive"],
        &[
            &["section", "why", "work"],
            &["lines", "stats"],
            &["extractor", "place"],
            &["matches", "sync"],
            &["convert", "excerpt", "heal", "order", "sink"],
            &["match_loop"],
            &["slice", "stream"],
            &["chunks", "feeder", "mail", "segments"],
            &["parallel", "range"],
            &["files"],
        ],
    ),
    (
        &["main", "command"],
        &[
            &["baseline", "client", "excerpts", "ignored", "os", "readers", "readings", "recent", "veil"],
            &["cells", "checked"],
            &["model"],
            &["sheet", "sources"],
            &["ledger"],
            &["settled"],
            &["examine"],
            &["broken", "history", "spellings"],
            &["format", "report"],
            &["explain", "store"],
        ],
    ),
];

/// The files that must not use others, although the floors would allow it.
const NEVER: [(&str, &str, &str); 2] = [
    ("find/end/", "find/text/layers/", "the end of a URL need not know how its text is written"),
    ("find/start.rs", "find/text/layers/", "the start of a URL need not know how its text is written"),
];

/// The names that still have two meanings. Each should be kept for only one of them.
const DOUBLE: &[&str] = &[];

/// A file of the crate, as a module, without its tests.
struct Source {
    /// `["find", "join"]` for `src/find/join/mod.rs`; the binary's begin with `main`.
    module: Vec<String>,
    file: String,
    /// Words and marks. A mark is one character, except for `::`.
    tokens: Vec<String>,
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
}

/// Reads the sources of the crate in `folder`, without its tests.
fn sources(folder: &str) -> Vec<Source> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut all = Vec::new();
    files(&root, &mut all);
    all.sort();
    let mut sources = Vec::new();
    for path in all {
        let file = path.strip_prefix(&root).expect("a file in the folder").to_str().expect("UTF-8").replace('\\', "/");
        if file.starts_with("spec/") || file.ends_with("tests.rs") || file.contains("/tests/") {
            continue;
        }
        let module = file.trim_end_matches(".rs").trim_end_matches("/mod").split('/');
        let mut module: Vec<String> = module.filter(|&part| part != "lib").map(str::to_owned).collect();
        if ["cli/", "command/"].iter().any(|own| file.starts_with(own)) {
            module.insert(0, "main".to_owned());
        }
        let text = fs::read_to_string(&path).expect("a source");
        let stream: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut tokens = Vec::new();
        flatten(stream, &mut tokens);
        sources.push(Source { module, file, tokens });
    }
    sources
}

/// Appends the tokens in order, without literals, lifetimes, attributes and code that is compiled
/// for tests only.
fn flatten(stream: TokenStream, tokens: &mut Vec<String>) {
    let mut trees = stream.into_iter().peekable();
    let mut for_tests = false;
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                trees.next_if(|tree| tree.to_string() == "!");
                if let Some(TokenTree::Group(attribute)) = trees.next() {
                    let text = attribute.stream().to_string().replace(' ', "");
                    for_tests |= text.starts_with("cfg(test") || text.starts_with("cfg(all(test");
                }
            }
            TokenTree::Punct(mark) if for_tests => for_tests = mark.as_char() != ';',
            TokenTree::Group(group) if for_tests => for_tests = group.delimiter() != Delimiter::Brace,
            _ if for_tests => {}
            TokenTree::Punct(mark) if mark.as_char() == '\'' => drop(trees.next()),
            TokenTree::Punct(mark) if mark.as_char() == ':' => {
                let double = trees.next_if(|tree| tree.to_string() == ":").is_some();
                tokens.push(if double { "::" } else { ":" }.to_owned());
            }
            TokenTree::Punct(mark) => tokens.push(mark.to_string()),
            TokenTree::Ident(word) => tokens.push(word.to_string()),
            TokenTree::Literal(_) => {}
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    _ => ("(", ")"),
                };
                tokens.push(open.to_owned());
                flatten(group.stream(), tokens);
                tokens.push(close.to_owned());
            }
        }
    }
}

/// The names that a source uses by paths.
#[derive(Default)]
struct Paths {
    /// All paths of `use` and of other code, except those in `handed`.
    used: Vec<Vec<String>>,
    /// The targets of `pub use`, by their name here.
    handed: BTreeMap<String, Vec<String>>,
    /// The targets of a private `use`, by their name here.
    imported: BTreeMap<String, Vec<String>>,
}

fn paths(tokens: &[String]) -> Paths {
    let is_word = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut paths = Paths::default();
    let mut i = 0;
    while i < tokens.len() {
        if tokens[i] == "use" && tokens[i + 1] != "<" {
            let hands_on = match i.checked_sub(1).map(|before| tokens[before].as_str()) {
                Some("pub") => true,
                Some(")") => {
                    tokens[..i].iter().rposition(|token| token == "(").is_some_and(|at| tokens[at - 1] == "pub")
                }
                _ => false,
            };
            let mut leaves = Vec::new();
            i = leaf_paths(tokens, i + 1, &[], &mut leaves);
            for (path, name) in leaves {
                if hands_on {
                    paths.handed.insert(name, path);
                } else {
                    paths.imported.insert(name, path.clone());
                    paths.used.push(path);
                }
            }
        } else if is_word(&tokens[i]) && (i == 0 || tokens[i - 1] != "::") {
            let mut path = vec![tokens[i].clone()];
            while i + 2 < tokens.len() && tokens[i + 1] == "::" && is_word(&tokens[i + 2]) {
                path.push(tokens[i + 2].clone());
                i += 2;
            }
            if path.len() > 1 {
                paths.used.push(path);
            }
            i += 1;
        } else {
            i += 1;
        }
    }
    paths
}

/// Collects the paths of a `use` tree that begins at `i`, each with its name. Returns the end of
/// the tree.
fn leaf_paths(tokens: &[String], mut i: usize, prefix: &[String], leaves: &mut Vec<(Vec<String>, String)>) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens[i].as_str() {
            "::" => i += 1,
            "{" => {
                i += 1;
                while tokens[i] != "}" {
                    i = leaf_paths(tokens, i, &path, leaves);
                    i += usize::from(tokens[i] == ",");
                }
                return i + 1;
            }
            "as" => {
                leaves.push((path, tokens[i + 1].clone()));
                return i + 2;
            }
            "," | ";" | "}" => {
                if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                    path.pop();
                }
                let name = path.last().expect("a path").clone();
                leaves.push((path, name));
                return i;
            }
            word => {
                path.push(word.to_owned());
                i += 1;
            }
        }
    }
}

/// The crate's files, and the names that each uses.
struct House {
    sources: Vec<Source>,
    paths: Vec<Paths>,
    by_module: BTreeMap<Vec<String>, usize>,
}

impl House {
    fn new(folder: &str) -> House {
        let sources = sources(folder);
        let paths = sources.iter().map(|source| paths(&source.tokens)).collect();
        let by_module = sources.iter().enumerate().map(|(i, source)| (source.module.clone(), i)).collect();
        House { sources, paths, by_module }
    }

    /// Returns the file that defines the target of a path in the file `from`, if it is in this
    /// crate.
    fn defining(&self, from: usize, path: &[String]) -> Option<usize> {
        let own = &self.sources[from].module;
        let root: &[String] = if own.first().is_some_and(|first| first == "main") { &own[..1] } else { &[] };
        let mut module = match path[0].as_str() {
            "crate" => root.to_vec(),
            "self" => own.clone(),
            "super" => own[..own.len() - 1].to_vec(),
            child if self.by_module.contains_key(&[own.as_slice(), &[child.to_owned()]].concat()) => {
                [own.as_slice(), &[child.to_owned()]].concat()
            }
            name => {
                // For a module imported by name, its uses are counted, but not the line that
                // imports it.
                let imported = self.paths[from].imported.get(name)?;
                let module = [imported.as_slice(), &path[1..]].concat();
                return if imported[0] == *name { None } else { self.defining(from, &module) };
            }
        };
        for (i, part) in path.iter().enumerate().skip(1) {
            if part == "super" {
                module.pop();
                continue;
            }
            module.push(part.clone());
            if self.by_module.contains_key(&module) {
                continue;
            }
            module.pop();
            let at = *self.by_module.get(&module)?;
            // A re-exported name belongs to another file.
            return match self.paths[at].handed.get(part) {
                Some(handed) if i + 1 < path.len() => self.defining(at, &[handed.as_slice(), &path[i + 1..]].concat()),
                Some(handed) => self.defining(at, handed),
                None => Some(at),
            };
        }
        None // a module, not something in it
    }

    /// Returns the files that each file uses.
    fn uses(&self) -> Vec<BTreeSet<usize>> {
        let uses = |from: usize| {
            let used = self.paths[from].used.iter().filter_map(|path| self.defining(from, path));
            used.filter(|&to| to != from).collect()
        };
        (0..self.sources.len()).map(uses).collect()
    }
}

/// Returns all files that each file uses, directly or through others.
fn reached(uses: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    let reach = |from: usize| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(at) = next.pop() {
            next.extend(uses[at].iter().filter(|&&to| seen.insert(to)));
        }
        seen
    };
    (0..uses.len()).map(reach).collect()
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

#[test]
fn a_file_knows_only_the_floors_below_it() {
    let house = House::new("src");
    let mut seen = 0;
    for (source, paths) in house.sources.iter().zip(&house.paths) {
        let module = source.module.iter().find(|&module| module != "main");
        let Some(own) = module.and_then(|module| floor(module)) else { continue };
        for path in paths.used.iter().chain(paths.handed.values()).filter(|path| path[0] == "crate") {
            let other = floor(&path[1]).unwrap_or_else(|| panic!("{}: what is {path:?}?", source.file));
            assert!(other <= own, "{} is on floor {own} and uses floor {other}: {path:?}", source.file);
            seen += 1;
        }
    }
    assert!(seen > 50, "the test looked at next to nothing: {seen}");
}

/// Returns the room of a file in a folder of modules.
fn room<'s>(source: &'s Source, folder: &[&str]) -> Option<&'s str> {
    let inside =
        source.module.strip_prefix(folder.iter().map(|&part| part.to_owned()).collect::<Vec<_>>().as_slice())?;
    inside.first().map(String::as_str)
}

#[test]
fn a_room_knows_only_the_rooms_below_it() {
    let house = House::new("src");
    let uses = house.uses();
    let mut upwards = String::new();
    for (folder, floors) in INNER {
        let floor_of = |room: &str| {
            floors
                .iter()
                .position(|floor| floor.contains(&room))
                .unwrap_or_else(|| panic!("{folder:?}: what is {room}?"))
        };
        let mut seen = 0;
        for (from, used) in house.sources.iter().zip(&uses) {
            let Some(own) = room(from, folder) else { continue };
            let others = used.iter().filter_map(|&to| Some((room(&house.sources[to], folder)?, &house.sources[to])));
            for (other, to) in others.filter(|(other, _)| *other != own) {
                seen += 1;
                if floor_of(other) >= floor_of(own) {
                    upwards += &format!("{} uses {}\n", from.file, to.file);
                }
            }
        }
        assert!(seen > 20, "{folder:?}: the test looked at next to nothing: {seen}");
    }
    assert!(upwards.is_empty(), "upwards or sideways:\n{upwards}");
}

#[test]
fn what_a_file_must_never_know() {
    let house = House::new("src");
    for ((from, used), (users, target, reason)) in
        house.sources.iter().zip(house.uses()).flat_map(|pair| NEVER.map(|never| (pair.clone(), never)))
    {
        assert!(house.sources.iter().any(|source| source.file.starts_with(target)), "no {target}");
        if from.file.starts_with(users) {
            let known = used.iter().map(|&to| &house.sources[to].file).find(|file| file.starts_with(target));
            assert!(known.is_none(), "{} uses {known:?}: {reason}", from.file);
        }
    }
}

#[test]
fn one_file_of_each_crate_depends_on_the_system() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&root, &mut all);
    let asks = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("a source");
        ["(unix)", "(windows)", "(unix,", "std::os::"].iter().any(|word| text.contains(word))
    };
    all.retain(asks);
    all.sort();
    assert_eq!(all, [root.join("bytes/os.rs"), root.join("command/os.rs")]);
}

/// Checks that no files of one crate use each other in a circle, directly or through others. A name
/// that a `mod.rs` re-exports belongs to the file that defines it.
#[test]
fn files_use_each_other_in_no_circle() {
    // Each crate has a least number of uses, which shows that its files were read.
    for (folder, least) in [("src", 300), ("python/src", 20)] {
        let house = House::new(folder);
        let uses = house.uses();
        let reached = reached(&uses);
        let mut circles = String::new();
        for (from, used) in uses.iter().enumerate() {
            let back = used.iter().filter(|&&to| reached[to].contains(&from));
            for &to in back {
                circles += &format!("{} uses {}\n", house.sources[from].file, house.sources[to].file);
            }
        }
        assert!(circles.is_empty(), "files of {folder} use each other in a circle:\n{circles}");
        let count: usize = uses.iter().map(BTreeSet::len).sum();
        assert!(count > least, "{folder}: the test looked at next to nothing: {count}");
    }
}

/// Checks that types of different files have different names, except for associated types.
#[test]
fn the_name_of_a_type_means_one_thing() {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources("src") {
        let mut depth = 0;
        for pair in source.tokens.windows(2) {
            match pair[0].as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                "struct" | "enum" | "union" | "trait" if pair[1].starts_with(char::is_uppercase) => {
                    types.entry(pair[1].clone()).or_default().push(source.file.clone());
                }
                "type" if depth == 0 => types.entry(pair[1].clone()).or_default().push(source.file.clone()),
                _ => {}
            }
        }
    }
    assert!(types.len() > 300, "the test looked at next to nothing: {}", types.len());
    types.retain(|_, files| files.len() > 1);
    let double: Vec<&str> = types.keys().map(String::as_str).collect();
    assert_eq!(double, DOUBLE, "{types:#?}");
}

/// Checks that the binary, a crate of its own, uses the public interface only and includes no
/// module by path.
#[test]
fn the_binary_uses_the_public_interface() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let main = fs::read_to_string(root.join("main.rs")).expect("a source");
    let modules: Vec<&str> = main.lines().filter_map(|line| line.trim().strip_prefix("mod ")).collect();
    assert_eq!(modules, ["cli;", "command;"]);
    assert!(!main.contains("#[path"));
}
