//! B-JOIN, written a second time in Python: `tests/oracle/bjoin.py` agrees with every join vector.
//!
//! It needs Python 3, and fails where there is none; so it is left out of a plain `cargo test`, and `.ci/run` runs it.

use std::path::PathBuf;
use std::process::Command;

#[test]
#[ignore = "needs python3; .ci/run runs it"]
fn the_oracle_agrees_with_the_join_vectors() {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    let ran = Command::new("python3")
        .arg("-B") // leaves no compiled file behind
        .arg(tests.join("oracle/bjoin.py"))
        .arg("--vectors")
        .arg(tests.join("vectors/join.jsonl"))
        .output()
        .expect("python3 is needed for this test, and must be on the PATH");
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{out}{err}");
    let ran = include_str!("vectors/join.jsonl").lines().count();
    assert_eq!(out.lines().last(), Some(format!("{ran} of {ran} vectors agree").as_str()), "{out}{err}");
}
