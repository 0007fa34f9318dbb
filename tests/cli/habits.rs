//! Options that hands type that know ripgrep or grep.

use super::support::Dir;

#[test]
fn line_numbers_are_undone() {
    let dir = Dir::new();
    dir.file("t", "\nhttp://a.example/\n");
    dir.run(&["-n", "-N", "t"]).is(0, "http://a.example/\n");
    dir.run(&["-N", "t"]).is(0, "http://a.example/\n");
    dir.run(&["-N", "-n", "t"]).is(0, "2:http://a.example/\n");
    dir.run(&["--line-number", "--no-line-number", "--column", "t"]).is(0, "1:http://a.example/\n");
}

#[test]
fn what_is_not_there_gets_a_word() {
    let dir = Dir::new();
    dir.file("t", "http://a.example/\n");
    for (args, word) in [
        (&["-o", "t"][..], "urlgrep: -o: urlgrep prints only the URLs already: leave -o out\n"),
        (&["--only-matching", "t"], "urlgrep: --only-matching: urlgrep prints only the URLs already"),
        (&["-no", "t"], "urlgrep: -o: urlgrep prints"),
        (&["-a", "t"], "urlgrep: -a: no file is skipped as binary: leave -a out\n"),
        (&["-i", "t"], "urlgrep: -i: there is no pattern"),
        (&["-e", "http", "t"], "urlgrep: -e: every URL is found"),
        (&["-v", "t"], "urlgrep: -v: here it is --host, --scheme; '!' leaves out"),
        (&["--sort=path", "t"], "urlgrep: --sort: the output is sorted"),
        (&["--sort", "path", "t"], "urlgrep: --sort: the output is sorted"),
        (&["-f", "list", "t"], "urlgrep: -f: here it is --host-file; a list of hosts\n"),
        (&["audit", "--json", "t"], "urlgrep: --json: here it is --format json\n"),
    ] {
        let ran = dir.run(args);
        ran.fails("", &[word]);
        assert_eq!(ran.err.lines().count(), 1, "{args:?} {}", ran.err);
    }
    // What nobody has a word for, and a value that is no option.
    dir.run(&["--no-such", "t"]).fails("", &["unexpected argument '--no-such'"]);
    dir.run(&["parse", "-o", "http://a.example/"]).fails("", &["unexpected argument '-o'"]);
    dir.run(&["-I", "--", "-o", "t"]).fails("http://a.example/\n", &["urlgrep: -o: No such file"]);
}

#[test]
fn a_doubled_u_is_not_unique() {
    let dir = Dir::new();
    dir.file("t", "http://a.example/ http://a.example/\n");
    for args in [&["-uu", "t"][..], &["t", "-uuu"], &["-nuu", "t"], &["-unu", "t"]] {
        dir.run(args)
            .fails("", &["urlgrep: -uu: here it is --no-ignore --hidden; -u is --unique, and once is enough\n"]);
    }
    dir.run(&["-u", "t"]).is(0, "http://a.example/\n");
    dir.run(&["--unique", "-u", "t"]).is(0, "http://a.example/\n");
    dir.file("-uu", "http://b.example/\n");
    dir.run(&["-ug*uu", "."]).is(0, "./-uu:http://b.example/\n");
    dir.run(&["-u", "--", "-uu"]).is(0, "http://b.example/\n");
}
