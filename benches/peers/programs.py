"""The programs that are compared: urlgrep, and programs that one would use instead, built at pinned versions."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

from common import FOLDER, HERE, RE, ROOT, SCHEMES, TARGET, URLGREP, lines, say

RIPGREP = "15.1.0"
HYPERSCAN = "5.4"


def pinned(name):
    return re.search(rf'^{name} = "=(.*)"', (HERE / "Cargo.toml").read_text(), re.M)[1]


@dataclass(frozen=True)
class Program:
    """A command that prints the URLs of a file, one per line."""

    name: str
    title: str
    version: str
    command: tuple = ()
    # the option to print OFFSET:URL
    offsets: tuple = ()
    # the reason why it cannot be run
    missing: str = ""
    # it gets a shorter text
    is_slow: bool = False

    def on(self, file, *options):
        return [*map(str, self.command), *options, str(file)]


def urlgrep(threads, *options):
    return Program("urlgrep", "", "", (URLGREP, "-I", "--input", "text", "-j", threads, *options))


def build_own():
    """Builds urlgrep, and the programs of this folder that need only Rust. The comparison always needs them."""
    say("building urlgrep and the programs beside this script")
    cargo = ["cargo", "build", "--release", "--locked", "--target-dir"]
    if not (builds([*cargo, TARGET], ROOT) and builds([*cargo, FOLDER], HERE)):
        sys.exit("cargo build failed")


def builds(command, folder=HERE):
    """Runs a compiler. Its output goes to standard error, since standard output is the report."""
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode == 0


def all_peers():
    return [ripgrep(), grep(), linkify(), regex(), hyperscan()]


def ripgrep():
    """Installs ripgrep, built like its own releases, so that its build is no disadvantage."""
    title = "ripgrep, `rg -a -o --no-filename -N -e RE`"
    program = FOLDER / "bin/rg"
    if not (program.exists() and version_of(program) == f"ripgrep {RIPGREP}"):
        say(f"installing ripgrep {RIPGREP}")
        install = ["cargo", "install", "ripgrep", "--version", f"={RIPGREP}", "--locked", "--profile", "release-lto"]
        folders = ["--root", FOLDER, "--target-dir", FOLDER / "ripgrep"]
        if not builds([*install, *folders]):
            return Program("ripgrep", title, f"ripgrep {RIPGREP}", missing="`cargo install` failed, see above")
    command = (program, "--no-config", "-j1", "-a", "-o", "--no-filename", "-N", "-e", RE)
    return Program("ripgrep", title, version_of(program), command, ("-b",))


def ripgrep_on_all_cores(ripgrep):
    return tuple(part for part in ripgrep.command if part != "-j1")


def grep():
    """Returns the system's grep, with the same expression in its own syntax and in the current locale."""
    title = "GNU grep, `grep -aohiE RE`"
    if not shutil.which("grep"):
        return Program("grep", title, "grep", missing="not installed")
    words = rf'\b({SCHEMES}):[^[:space:]<>"]+'
    command = ("grep", "-aohiE", "-e", words)
    return Program("grep", title, version_of("grep"), command, ("-b",), is_slow=True)


def linkify():
    title = "linkify crate, `LinkKind::Url`, find and print"
    version = f"linkify {pinned('linkify')}"
    return Program("linkify", title, version, (FOLDER / "release/linkify",), ("--offsets",))


def regex():
    title = "regex crate, `bytes` with RE, find and print"
    return Program("regex", title, f"regex {pinned('regex')}", (FOLDER / "release/regex",), ("--offsets",))


def hyperscan():
    title = "Hyperscan, the prefixes of RE and an end of its own"
    program = FOLDER / "hyperscan"
    if not (shutil.which("cc") and shutil.which("pkg-config") and builds(["pkg-config", "--exists", "libhs"])):
        missing = "not installed (on Debian: apt-get install gcc pkg-config libhyperscan-dev)"
        return Program("hyperscan", title, f"hyperscan {HYPERSCAN}", missing=missing)
    library = lines(["pkg-config", "--cflags", "--libs", "libhs"])[0].decode().split()
    if not builds(["cc", "-std=gnu11", "-O3", "-Wall", "-Wextra", "hyperscan.c", "-o", program, *library]):
        return Program("hyperscan", title, f"hyperscan {HYPERSCAN}", missing="hyperscan.c does not compile, see above")
    version = version_of(program)
    if not version.startswith(f"{HYPERSCAN}."):
        version += f" (not the {HYPERSCAN} that the goals speak of)"
    return Program("hyperscan", title, f"hyperscan {version}", (program,), ("--offsets",))


def version_of(program):
    return lines([program, "--version"])[0].decode()
