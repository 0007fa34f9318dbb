//! The examples of the README and of the interface print the documented output.

#![cfg(all(unix, feature = "cli"))]

use std::path::Path;
use std::process::Command;

#[test]
fn the_tour_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts =
        ["README.md", "src/spec/interface.md"].map(|page| std::fs::read_to_string(root.join(page)).expect(page));
    let command = Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().expect("a folder");
    let path = format!("{}:{}", command.display(), std::env::var("PATH").expect("a PATH"));
    let mut ran = 0;
    for block in texts.iter().flat_map(|text| text.split("```console\n").skip(1)) {
        let block = block.split("```").next().expect("an end");
        for example in block.split("$ ").skip(1) {
            let (line, expected) = example.split_once('\n').expect("a command and what it prints");
            let output = Command::new("sh")
                .args(["-c", line])
                .current_dir(root)
                .env("PATH", &path)
                .env_remove("URLGREP_CONFIG_PATH")
                .output()
                .expect("sh");
            // CSV has CRLF.
            let printed = String::from_utf8(output.stdout).expect("UTF-8").replace("\r\n", "\n");
            assert_eq!(printed.trim_end(), expected.trim_end(), "$ {line}");
            assert!(output.stderr.is_empty(), "$ {line}\n{}", String::from_utf8_lossy(&output.stderr));
            ran += 1;
        }
    }
    assert_eq!(ran, 17, "examples were lost or won");
}
