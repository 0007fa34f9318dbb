//! The output for a match: templates, chosen fields, defanged URLs.

use serde_json::Value;

use super::carriers;
use super::support::Dir;

const TEXT: &str = "\
See <URL:ftp://info.cern.ch/pub-
x> and http://A.example/~joe#f,
or mailto:joe@c.example.
";

const MAIL: &str = "\
From joe@a.example Sat Jan  3 01:05:34 1996
From: Joe <joe@a.example>
Message-ID: <1@a.example>
Subject: =?utf-8?q?a=0Ab=09c?=

see http://b.example/x
";

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("t", TEXT).file("box", MAIL);
    dir
}

#[test]
fn a_template_says_what_a_match_is_written_as() {
    let dir = dir();
    dir.run(&["--format", "{host} {file}:{line}", "t"]).is(0, "info.cern.ch t:1\na.example t:2\nc.example t:3\n");
    dir.run(&["--format", r"{scheme}\t{{{kind}}}\n", "t"]).is(0, "ftp\t{wrapped}\nhttp\t{bare}\nmailto\t{bare}\n");
    dir.run(&["--format", "{error.kind}|{error.offset}", "t"]).is(0, "|\nunsafe-gateway|17\n|\n");
    dir.run(&["--format={line}", "-0", "t"]).is(0, "1\x002\x003\0");
    dir.run(&["--format={line}\n", "-0", "t"]).is(0, "1\n2\n3\n");
    dir.run(&[r"--format={line}\0", "t"]).is(0, "1\x002\x003\0");
    dir.run(&["--format={readings}", "-m1", "t"]).is(0, "ftp://info.cern.ch/pub-x ftp://info.cern.ch/pubx\n");
    dir.run(&["--format={message.id} {message.subject} {message.from}", "box"])
        .is(0, "1@a.example a b c Joe <joe@a.example>\n");
    dir.run(&["--format={message.id}{part}{count}{resolved}.", "-m1", "t"]).is(0, ".\n");
    // The prefix of text lines is not part of a template.
    dir.run(&["-Hnb", "--column", "--format={line}", "-m1", "t"]).is(0, "1\n");
    dir.run(&["--format={file}", "-u", "t", "t"]).is(0, "t\nt\nt\n");
    dir.run_with(&["--format={file}", "-q"], TEXT.as_bytes()).is(0, "");
    dir.file("p.html", "<base href=http://h.example/d/><a href=../x>y</a>\n");
    dir.run(&["--format={url} {resolved} {target} {attribute}", "p.html"]).is(
        0,
        "http://h.example/d/  http://h.example/d/ base href\n../x http://h.example/x http://h.example/x a href\n",
    );
}

#[test]
fn every_field_of_json_is_one_of_templates() {
    let dir = dir();
    for (file, code) in [("t", 0), ("box", 0)] {
        let json = dir.run(&["--json", "-m1", file]);
        let record: serde_json::Value = serde_json::from_str(json.text()).unwrap();
        let text = |value: &serde_json::Value| match value {
            serde_json::Value::Null => String::new(),
            serde_json::Value::String(text) => text.replace(['\n', '\t'], " "),
            serde_json::Value::Array(items) if items.iter().all(serde_json::Value::is_string) => {
                items.iter().map(|item| item.as_str().unwrap()).collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        };
        let object = record.as_object().unwrap();
        assert!(object.len() > 25);
        for (key, value) in object {
            if let Some(parts) = value.as_object() {
                for (part, value) in parts {
                    let shown = dir.run(&[&format!("--format={{{key}.{part}}}"), "-m1", file]);
                    if !value.is_array() {
                        shown.is(code, format!("{}\n", text(value)));
                    }
                }
            } else {
                dir.run(&[&format!("--format={{{key}}}"), "-m1", file]).is(code, format!("{}\n", text(value)));
            }
        }
    }
}

#[test]
fn a_template_that_cannot_be_read_is_an_error_with_a_remedy() {
    let dir = dir();
    for (template, words) in [
        (
            "{hots}",
            &["there is no field 'hots'; there are url, kind, ", "of message: .id .date", "did you mean 'host'?"][..],
        ),
        ("{target} {mesage.id}", &["no field 'mesage.id'", "did you mean 'message.id'?"]),
        ("{url", &["'{{'"]),
        ("url", &["such as '{url}'"]),
        (r"{url}\x", &[r"'\x' is not an escape", r"\n, \t"]),
    ] {
        dir.run(&["--format", template, "t"]).fails("", words).fails("", &["--format <TEMPLATE>"]);
    }
}

#[test]
fn only_the_fields_that_are_asked_for() {
    let dir = dir();
    dir.run(&["--json", "--fields", "url,line", "t"]).is(
        0,
        "{\"url\":\"ftp://info.cern.ch/pub-x\",\"line\":1}\n{\"url\":\"http://A.example/~joe#f\",\"line\":2}\n\
         {\"url\":\"mailto:joe@c.example\",\"line\":3}\n",
    );
    dir.run(&["--json", "--fields=error.offset,host,error.kind,host", "t"]).is(
        0,
        "{\"error\":null,\"host\":\"info.cern.ch\"}\n\
         {\"error\":{\"offset\":17,\"kind\":\"unsafe-gateway\"},\"host\":\"a.example\"}\n\
         {\"error\":null,\"host\":\"c.example\"}\n",
    );
    dir.run(&["--json", "--fields", "message.id,message.subject,url", "box"])
        .is(0, "{\"message\":{\"id\":\"1@a.example\",\"subject\":\"a b\\tc\"},\"url\":\"http://b.example/x\"}\n");
    dir.run(&["--csv", "--fields", "host,error_kind,line,message.id", "t"]).is(
        0,
        "host,error_kind,line,message.id\r\ninfo.cern.ch,,1,\r\na.example,unsafe-gateway,2,\r\nc.example,,3,\r\n",
    );
    dir.run(&["--csv", "--fields", "message.id,message.date,message.from,message.subject,url", "box"]).is(
        0,
        "message.id,message.date,message.from,message.subject,url\r\n\
         1@a.example,,Joe <joe@a.example>,a b\tc,http://b.example/x\r\n",
    );
    dir.run(&["--csv", "--fields=body", "box"]).is(0, "body\r\n\"{\"\"offset\"\":128,\"\"length\"\":23}\"\r\n");
}

#[test]
fn all_fields_by_name_are_the_record_itself() {
    let dir = dir();
    dir.file("odd", b"<URL:http://a.example/\xFFx-\ny>");
    for file in ["t", "box", "odd"] {
        let all = dir.run(&["--json", file]);
        let record: serde_json::Value = serde_json::from_str(all.text().lines().next().unwrap()).unwrap();
        let keys: Vec<_> = record.as_object().unwrap().keys().filter(|key| !key.ends_with("_bytes")).cloned().collect();
        // serde_json sorts them.
        assert_eq!(keys.len(), 33);
        let order = "url,kind,scheme,prefix,file,offset,length,line,column,rejoined,readings,level,error,host,domain,hosts,truncated,refused,parts,generic,\
                     message,part,content_type,encoding,header,quote_depth,body,text,resolved,shown_host,attribute,note,count";
        dir.run(&["--json", "--fields", order, file]).is(0, all.text());
        let columns = "url,kind,scheme,file,offset,length,line,column,rejoined,readings,level,error_kind,error_offset,\
                       error_message,host";
        let csv = dir.run(&["--csv", file]);
        dir.run(&["--csv", "--fields", columns, file]).is(0, &csv.out);
    }
}

#[test]
fn counts_stand_where_they_are_asked_for() {
    let dir = Dir::new();
    dir.file("t", "http://a.example/,\"x\" http://b.example/ http://a.example/");
    let first = |args: &[&str]| dir.run(&[&["--first-said"], args, &["t"]].concat());
    first(&["--format={count} {host}"]).is(0, "2 a.example\n1 b.example\n");
    first(&["--format={host}"]).is(0, "a.example\nb.example\n");
    first(&["-0", r"--format={host}\0{count}"]).is(0, "a.example\x002\0b.example\x001\0");
    first(&["--json", "--fields=count,host"])
        .is(0, "{\"count\":2,\"host\":\"a.example\"}\n{\"count\":1,\"host\":\"b.example\"}\n");
    first(&["--json", "--fields=host"]).is(0, "{\"host\":\"a.example\"}\n{\"host\":\"b.example\"}\n");
    first(&["--csv", "--fields=host,count,line"]).is(0, "host,count,line\r\na.example,2,1\r\nb.example,1,1\r\n");
    first(&["--csv", "--fields=count"]).is(0, "count\r\n2\r\n1\r\n");
    first(&["--csv", "--fields=host"]).is(0, "host\r\na.example\r\nb.example\r\n");
}

#[test]
fn harmless_urls() {
    let dir = Dir::new();
    dir.file(
        "t",
        "http://d.example/x.html https://1.2.3.4/?u=http://e.example/ mailto:joe@d.example gopher://d.example/",
    );
    let shown = "hxxp://d[.]example/x.html\nhxxps://1[.]2[.]3[.]4/?u=http[://]e.example/\n\
                 mailto[:]joe[@]d[.]example\ngopher[:]//d[.]example/\n";
    dir.run(&["--defang", "t"]).is(0, shown);
    dir.run(&["--defang", "--format={url}", "t"]).is(0, shown);
    dir.run(&["--defang", "-n", "-m1", "t"]).is(0, "1:hxxp://d[.]example/x.html\n");
    dir.run(&["--defang", "--format={host} {generic.path} {file}", "-m1", "t"]).is(0, "d[.]example /x.html t\n");
    let colored = "\x1b[1mhxxp://d[.]example/x.html\x1b[0m\n";
    dir.run(&["--defang", "--color=always", "-m1", "t"]).is(0, colored);
}

#[test]
fn options_that_do_not_go_together_say_what_does() {
    let dir = dir();
    for (args, words) in [
        (
            &["--format={url}", "--json"][..],
            &["'--format <TEMPLATE>' cannot be used with '--json'", "tip: ", "--fields"][..],
        ),
        (&["--csv", "--format={url}"], &["--format <TEMPLATE>'", "cannot be used with", "tip: ", "--fields"]),
        (&["--format={url}", "-c"], &["cannot be used with '--count'"]),
        (&["--format={url}", "--all-readings"], &["tip: the field '{readings}'"]),
        (&["--fields=url"], &["tip: add --json or --csv"]),
        (&["--fields=url,x", "--json"], &["there is no field 'x'; there are url, "]),
        (&["--fields=url,schema", "--json"], &["did you mean 'scheme'?"]),
        (&["--defang", "--json"], &["tip: JSON is exact"]),
        (&["--csv", "--defang"], &["tip: CSV is exact"]),
        (&["-C1", "--json"], &["'--context <NUM>'", "tip: leave one out; records have"]),
        (&["-A1", "--csv"], &["'--after-context <NUM>'", "tip: leave one out; records have"]),
        (&["-B1", "--format={url}"], &["'--before-context <NUM>'", "tip: leave one out; lines are shown as they are"]),
        (&["-C1", "--defang"], &["tip: leave one out; lines are shown as they are"]),
        (&["-C1", "--first-said"], &["tip: leave one out; -u shows"]),
        (&["-C1", "--all-readings"], &["tip: leave one out; lines hold"]),
        (&["-C", "x"], &["invalid value 'x' for '--context <NUM>'"]),
    ] {
        dir.run(&[args, &["t"]].concat()).fails("", words);
    }
}

/// Shows the escapes of links as `[link|text]`.
fn readable(shown: &str) -> String {
    shown.replace("\x1b]8;;\x1b\\", "]").replace("\x1b]8;;", "[").replace("\x1b\\", "|")
}

#[test]
fn file_names_are_links_where_there_are_colours() {
    let dir = Dir::new();
    dir.file("a b", "\n x:y http://h.example/\n");
    let folder = dir.path("").canonicalize().unwrap().to_str().unwrap().trim_end_matches('/').to_owned();
    let plain = |text: &str| {
        let mut plain = readable(text);
        for code in ["\x1b[0m", "\x1b[1m", "\x1b[35m", "\x1b[32m"] {
            plain = plain.replace(code, "");
        }
        plain
    };
    let shown = |args: &[&str]| {
        let ran = dir.run(&[&["--color=always", "-s", "http"], args, &["a b"]].concat());
        assert_eq!((ran.code, &*ran.err), (0, ""), "{args:?}");
        plain(ran.text())
    };
    let url = "[http://h.example/|http://h.example/]\n";
    let vscode = format!("vscode://file{folder}/a%20b");
    assert_eq!(shown(&["--hyperlink-format=vscode", "-H"]), format!("[{vscode}:2:6|a b]:{url}"));
    assert_eq!(shown(&["--hyperlink-format=vscode", "-Hn", "--column"]), format!("[{vscode}:2:6|a b:2:6]:{url}"));
    // Without the name of a file only the URL can be clicked.
    assert_eq!(shown(&["--hyperlink-format=vscode", "-n"]), format!("2:{url}"));
    assert_eq!(shown(&["--hyperlink-format=x:{path}", "-l"]), format!("[x:{folder}/a%20b|a b]\n"));
    assert_eq!(shown(&["--hyperlink-format=x:{path}", "-cH"]), format!("[x:{folder}/a%20b|a b]:1\n"));
    assert_eq!(shown(&["--hyperlink-format=none", "-H"]), "a b:http://h.example/\n");
    assert!(shown(&["--hyperlink-format=default", "-H"]).starts_with("[file://"));
    assert_eq!(shown(&["-H"]), "a b:http://h.example/\n");
    assert_eq!(shown(&["--hyperlink-format=x:{path}", "--defang"]), "hxxp://h[.]example/\n");
    // Neither a pipe nor a record has links.
    dir.run(&["--hyperlink-format=vscode", "-H", "-s", "http", "a b"]).is(0, "a b:http://h.example/\n");
    for record in ["--json", "--csv", "--format={url}"] {
        assert!(!shown(&["--hyperlink-format=vscode", record]).contains(['[', '\x1b']) || record == "--json");
    }
    let ran = dir.run_with(&["--color=always", "--hyperlink-format=vscode", "-H"], b"x:y http://h.example/");
    assert!(plain(ran.text()).starts_with("-:["), "{}", ran.text());
    dir.run(&["--hyperlink-format=vscod"]).fails("", &["--hyperlink-format <FORMAT>", "names are none, default, "]);
    dir.run(&["--hyperlink-format=x:{path}:{column}"]).fails("", &["without a {line}"]);
}

#[test]
fn lines_around_matches() {
    let dir = Dir::new();
    dir.file("t", "1\n2 http://a.example/\n3\n4\n5\n6 <URL:http://b.example/\n7> and http://c.example/\n8\n9");
    dir.run(&["-C1", "t"])
        .is(0, "1\n2 http://a.example/\n3\n--\n5\n6 <URL:http://b.example/\n7> and http://c.example/\n8\n");
    let numbered =
        "t-1-1\nt:2:2 http://a.example/\n--\nt-5-5\nt:6:6 <URL:http://b.example/\nt:7:7> and http://c.example/\n";
    dir.run(&["-Hn", "-B1", "t"]).is(0, numbered);
    dir.run(&["-Hn", "-C5", "-A0", "-B1", "t"]).is(0, numbered);
    dir.run(&["-n", "-A9", "-m1", "t"]).is(
        0,
        "2:2 http://a.example/\n3-3\n4-4\n5-5\n6-6 <URL:http://b.example/\n7-7> and http://c.example/\n8-8\n9-9\n",
    );
    dir.run(&["-C0", "t"]).is(0, "2 http://a.example/\n6 <URL:http://b.example/\n7> and http://c.example/\n");
    dir.run(&["-0n", "-H", "-C0", "-m1", "t"]).is(0, "t\x002:2 http://a.example/\n");
    dir.run(&["-C1", "-s", "gopher", "t"]).is(1, "");
    dir.run(&["-C1", "-c", "t"]).is(0, "3\n");
    dir.run(&["-C1", "-q", "t"]).is(0, "");
    // Context never crosses from one file to another, and -u still shows each URL once.
    dir.file("u", "http://a.example/\nx\nhttp://d.example/\n");
    dir.run(&["-C0", "-u", "t", "u"])
        .is(0, "t:2 http://a.example/\nt:6 <URL:http://b.example/\nt:7> and http://c.example/\nu:http://d.example/\n");
    dir.run(&["-A1", "-u", "-s", "http", "--host=[ad].example", "t", "u"])
        .is(0, "t:2 http://a.example/\nt-3\n--\nu:http://d.example/\n");
    let colored = dir.run(&["-C0", "--color=always", "--host=b.example", "-n", "t"]);
    assert_eq!(
        colored.text(),
        "\x1b[32m6\x1b[0m:6 \x1b[1m<URL:http://b.example/\x1b[0m\n\x1b[32m7\x1b[0m:\x1b[1m7>\x1b[0m and http://c.example/\n"
    );
    dir.run(&["--range=30:", "-C1", "t"]).is(0, "5\n6 <URL:http://b.example/\n7> and http://c.example/\n8\n");
}

#[test]
fn lines_of_mail_and_pages() {
    let dir = dir();
    dir.run(&["-n", "-C1", "box"]).is(0, "5-\n6:see http://b.example/x\n");
    // The lines around a match in encoded text are decoded lines, with their numbers in the file.
    // They never come from another part.
    let part = |text: &str| {
        let lines = text.replace('=', "=3D").replace('\n', "=0A=\n");
        format!("--x\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n{lines}\n")
    };
    let mail = format!(
        "From a@b Sat Jan  3 01:05:34 1996\nFrom: a@b\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n{}{}--x--\n",
        part("one\nhttp://c.example/?a=b\nthree\n"),
        part("http://d.example/\nfive\n")
    );
    dir.file("parts", mail);
    dir.run(&["-n", "-C1", "parts"])
        .is(0, "10-one\n11:http://c.example/?a=b\n12-three\n--\n18:http://d.example/\n19-five\n");
    // The number of a line that was broken in the file is that of its match.
    let broken = "From: a@b\nContent-Transfer-Encoding: quoted-printable\n\nsee=\n http://a.example/x ok\nmore\n";
    dir.file("broken", broken);
    dir.run(&["-n", "--column", "-C1", "broken"]).is(0, "5:2:see http://a.example/x ok\n6-more\n");
    dir.run(&["-n", "--column", "broken"]).is(0, "5:2:http://a.example/x\n");
    // Flowed text that is in the archive unencoded is shown as it is there.
    let flowed = "From a@b Sat Jan  3 01:05:34 1996\nFrom: a@b\nContent-Type: text/plain; format=flowed\n\n\
                  one \ntwo \nthree http://e.example/ \nfour\nfive\n";
    dir.file("flowed", flowed);
    dir.run(&["-n", "-C1", "flowed"]).is(0, "6-two \n7:three http://e.example/ \n8-four\n");
    dir.file("p.html", "<html>\n<p>see\n<a href=\"http://f.example/?a&amp;b\">here</a>\n</html>\n");
    dir.run(&["-n", "-C1", "p.html"]).is(0, "2-<p>see\n3:<a href=\"http://f.example/?a&amp;b\">here</a>\n4-</html>\n");
    // A message too long to be held has the same lines around its matches, wherever its parts are
    // cut.
    let filler = "some words that fill a line of a message, and more of them behind\n".repeat(300_000);
    let long =
        format!("From a@b Sat Jan  3 01:05:34 1996\nFrom: a@b\n\n{filler}one\nhttp://g.example/\nthree\n{filler}");
    dir.file("long", long);
    dir.run(&["-C1", "long"]).is(0, "one\nhttp://g.example/\nthree\n");
    dir.run(&["-C1", "-j1", "long"]).is(0, "one\nhttp://g.example/\nthree\n");
}

/// Checks that `-c` counts what a search without it prints, although the file ends too early.
#[test]
fn a_damaged_file_is_counted_up_to_the_damage() {
    let dir = Dir::new();
    let packed = carriers::packed("gzip", "http://a.example/x\n".repeat(3).as_bytes());
    let cut = carriers::packed("gzip", b"http://b.example/\n");
    dir.file("a.gz", [&packed[..], &cut[..12]].concat()).file("none.gz", &packed[..packed.len() / 2]);
    for threads in ["-j1", "-j2"] {
        dir.run(&["-z", threads, "a.gz"]).fails(&"http://a.example/x\n".repeat(3), &["a.gz", "ends too early"]);
        dir.run(&["-z", threads, "-c", "a.gz"]).fails("3\n", &["a.gz", "ends too early"]);
        dir.run(&["-z", threads, "-c", "-u", "a.gz"]).fails("1\n", &["a.gz", "ends too early"]);
        // Whether the rest has a match is not known.
        dir.run(&["-z", threads, "-c", "none.gz"]).fails("", &["none.gz", "ends too early"]);
    }
}

/// Checks that `-u` drops no line that differs from those before.
#[test]
fn unique_urls_are_told_apart_as_they_are_shown() {
    let dir = Dir::new();
    dir.file("t", "www.example.com and http://www.example.com or www.example.com\n");
    dir.run(&["--www", "-u", "t"]).is(0, "www.example.com\nhttp://www.example.com\n");
    dir.run(&["--www", "-u", "-c", "t"]).is(0, "2\n");
    let page = "<!DOCTYPE html><a href=x>1</a><a href=http://h.example/x>2</a><a href=x>3</a>";
    dir.file("p.html", page);
    let base = ["--base", "http://h.example/", "-u"];
    dir.run(&[&base[..], &["p.html"]].concat()).is(0, "http://h.example/x\n");
    for (format, lines) in [(["--format", "{url}"], "x\nhttp://h.example/x\n"), (["--fields", "url"], "")] {
        let json: &[&str] = if lines.is_empty() { &["--json"] } else { &[] };
        let lines = if lines.is_empty() { "{\"url\":\"x\"}\n{\"url\":\"http://h.example/x\"}\n" } else { lines };
        dir.run(&[&base[..], &format, json, &["p.html"]].concat()).is(0, lines);
    }
}

/// `--explain`: the decisions below the lines of a match, in JSON, and for a line without one.
#[test]
fn explains_matches_and_lines() {
    let dir = Dir::new();
    let text =
        "See http://a.example/b.\nnothing: here\nhttp://${HOST}/x and foo9://b.example/ and http://a.example/c\n\nor\n";
    let mail = "From: a@b.example\nContent-Transfer-Encoding: quoted-printable\n\nat=20\nhttp://d.example/\n";
    dir.file("mail", mail).file("t", text).file("u", "http://${HOST}/x and foo9://b.example/ and www.example.com/x\n");
    dir.file("page", "<!DOCTYPE html>\n<p itemtype=\"http://d.example/\">x\n");
    let decoded =
        "http://d.example/\n    | http://d.example/\n    | ^ form: a URL in plain text begins here [B-START]\n";
    assert!(dir.run(&["--explain", "mail:5"]).text().starts_with(decoded));
    dir.file("v", "http://.example/ aim:x\n");
    let first = "http://a.example/b\n    | See http://a.example/b.\n    |     ^ form: a URL in plain text begins here [B-START]\n    |                       ^ end: the punctuation that follows belongs to the sentence [B-END]\n    |                        ^ not joined: the next line begins with a label [B-JOIN-V-LABEL]\n";
    dir.run(&["--explain", "t:1"]).is(0, first);
    let json: Value = serde_json::from_str(dir.run(&["--explain", "--json", "--fields=url", "t:3"]).text()).unwrap();
    assert_eq!(json["url"], "http://a.example/c");
    let rules: Vec<_> = json["why"].as_array().unwrap().iter().map(|why| why["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["B-START", "B-JOIN-N-BLANK", "B-RUN-1"]);
    for (args, words) in [
        (&["t:2"][..], &["t:2: no URL begins at a colon of this line"][..]),
        (&["v:1"], &["v:1: http://.example/: RFC 1738 refuses it (byte 7: empty label", "aim:x: without `//`"]),
        (&["t:9"], &["t:9: the file has fewer lines"]),
        (&["page:2"], &["page:2: http://d.example/: found only if the line is read alone"]),
        (&["--scheme=ftp", "t:1"], &["t:1: http://a.example/b: an option excludes it"]),
        (
            &["u:1"],
            &["a placeholder, or defanged, so", "foo9://b.example/: its scheme", "www.example.com/x: it has no scheme"],
        ),
    ] {
        let ran = dir.run(&[&["--explain"], args].concat());
        assert_eq!((ran.code, ran.text()), (1, ""));
        words.iter().for_each(|words| assert!(ran.err.contains(words), "no {words:?} in {:?}", ran.err));
    }
}
