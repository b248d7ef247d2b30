//! A resource that is only an example: what CONTRIBUTING.md says under "Add a resource" and "Add a screen" is done to a copy of
//! the tree, counted, built and tested.
//!
//! `xtask/example/new` has the files that it adds, at their paths, and `xtask/example/changes.patch` what it changes of files that
//! are there.

mod copy;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Context, Failure, Outcome};
use crate::shell::{
    CORE, announce, capture, cargo, command, npm, root, run as run_command, target_directory,
};
use crate::{console, requirements};

/// Most Rust files that a new resource may touch, beside its tests.
const MAX_RUST_FILES: usize = 8;
/// Most files of the console that it may touch, beside tests.
const MAX_CONSOLE_FILES: usize = 10;
/// Most lines that it may add to the console.
const MAX_CONSOLE_LINES: usize = 200;

/// What the tests of the example are called, and those that compare every operation with a table.
const TESTS: &str = "package(croft-control) & (test(widget) | test(authz) | test(every_operation_is_in_a_matrix)) \
                     | package(croft-http) & (test(document) | test(callers)) \
                     | package(croft-store) & test(kinds)";

/// Copies the tree, adds the example to the copy, counts what it touches, and builds and tests it.
pub fn run() -> Outcome {
    let touched = touched(&new_files()?)?;
    println!("{}", report(&touched));
    check(&touched)?;
    requirements::node()?;
    requirements::nextest()?;
    console::install_packages("console")?;
    let folder = target_directory().join("example");
    let tree = folder.join("tree");
    announce("Copying the tree, with the example in it, to target/example/tree.");
    copy::tree(&folder, &tree)?;
    copy::share_compiled_dependencies(&folder.join("target"))?;
    test(&tree, &folder.join("target"))
}

fn test(tree: &Path, target: &Path) -> Outcome {
    let inside = |command: &mut Command| {
        let folder = command.get_current_dir().and_then(|folder| folder.strip_prefix(root()).ok());
        let folder = tree.join(folder.unwrap_or(Path::new("")));
        run_command(command.current_dir(folder).env("CARGO_TARGET_DIR", target))
    };
    announce("Generating the documents and the console's client.");
    inside(cargo().arg("build").args(CORE).args(["--example", "openapi"]))?;
    inside(command(target.join("debug/examples/openapi")).arg(tree))?;
    inside(command("node").current_dir(root().join("console")).arg("scripts/generate-client.mjs"))?;
    announce("Checking the format.");
    inside(cargo().args(["fmt", "--all", "--check"]))?;
    announce("Testing the rules and the routes. Snapshots that change are accepted in the copy.");
    let mut nextest = cargo();
    nextest.args(["nextest", "run", "--no-tests", "fail"]).args(CORE).args(["-E", TESTS]);
    inside(nextest.env("INSTA_UPDATE", "always"))?;
    announce("Checking the types of the console, building it and checking its format.");
    inside(npm("console").args(["run", "--silent", "check"]))?;
    inside(npm("console").args(["run", "--silent", "build"]))?;
    inside(npm("console").args(["run", "--silent", "lint"]))
}

/// One file that the example adds or changes.
#[derive(Debug, PartialEq, Eq)]
struct ChangedFile {
    path: String,
    added_lines: usize,
}

impl ChangedFile {
    /// Whether it is Rust code; tests are not counted.
    fn is_rust(&self) -> bool {
        has_extension(&self.path, "rs") && !self.path.contains("/tests/")
    }

    /// Whether it is a file of the console; tests are not counted.
    fn is_console(&self) -> bool {
        self.path.starts_with("console/") && !self.path.contains(".test.")
    }
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

/// Where the example is.
fn example() -> PathBuf {
    root().join("xtask/example")
}

fn patch() -> PathBuf {
    example().join("changes.patch")
}

/// The files that the example adds, by their paths in the tree.
fn new_files() -> Outcome<Vec<PathBuf>> {
    let folder = example().join("new");
    let mut files = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next).context(format!("cannot read {}", next.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(&folder).expect("it lies in the folder").to_owned());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Everything that the example adds or changes.
fn touched(new_files: &[PathBuf]) -> Outcome<Vec<ChangedFile>> {
    let mut touched = changed(&capture(command("git").args(["apply", "--numstat"]).arg(patch()))?)?;
    for path in new_files {
        let file = example().join("new").join(path);
        let text = fs::read_to_string(&file).context(format!("cannot read {}", file.display()))?;
        touched.push(ChangedFile { path: path.display().to_string(), added_lines: text.lines().count() });
    }
    touched.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(touched)
}

/// Reads what `git apply --numstat` prints of a patch: lines added, lines removed, path.
fn changed(numstat: &str) -> Outcome<Vec<ChangedFile>> {
    let read = |line: &str| {
        let (added, rest) = line.split_once('\t')?;
        let (_, path) = rest.split_once('\t')?;
        Some(ChangedFile { path: path.to_owned(), added_lines: added.parse().ok()? })
    };
    let unreadable = |line: &str| Failure::new(format!("cannot parse the output of git: {line}"));
    numstat.lines().map(|line| read(line).ok_or_else(|| unreadable(line))).collect()
}

/// What the example takes, for the person at the terminal.
fn report(touched: &[ChangedFile]) -> String {
    let mut text = String::from("The example touches, apart from tests and generated files:\n");
    for ChangedFile { path, added_lines } in touched.iter().filter(|file| file.is_rust() || file.is_console())
    {
        let _ = writeln!(text, "{added_lines:>6} lines  {path}");
    }
    let (rust, console, lines) = count(touched);
    let _ = write!(
        text,
        "{rust} Rust files (at most {MAX_RUST_FILES}), {console} files of the console (at most {MAX_CONSOLE_FILES}) \
         with {lines} lines (at most {MAX_CONSOLE_LINES})."
    );
    text
}

/// The number of Rust files, of files of the console, and of lines in the latter.
fn count(touched: &[ChangedFile]) -> (usize, usize, usize) {
    let console: Vec<_> = touched.iter().filter(|file| file.is_console()).collect();
    let lines = console.iter().map(|file| file.added_lines).sum();
    (touched.iter().filter(|file| file.is_rust()).count(), console.len(), lines)
}

/// Refuses an example that takes more than a resource may.
fn check(touched: &[ChangedFile]) -> Outcome {
    let (rust, console, lines) = count(touched);
    if rust > MAX_RUST_FILES || console > MAX_CONSOLE_FILES || lines > MAX_CONSOLE_LINES {
        return Err(Failure::new(
            "a new resource takes too much: derive what it says twice from its declaration, or move what screens share",
        ));
    }
    Ok(())
}
