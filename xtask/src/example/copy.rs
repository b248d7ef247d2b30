//! The copy of the tree that the example is added to.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::{example, new_files, patch};
use crate::failure::{Context, Outcome};
use crate::shell::{announce, capture, command, root, run, target_directory};

/// Makes `tree` the tree as it is now, with the example in it. Files that are the same stay untouched, so that cargo compiles
/// only what changed since the last time.
pub fn tree(folder: &Path, tree: &Path) -> Outcome {
    let changed = changed_files(&folder.join("changed"))?;
    let listed =
        capture(command("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
    let mut files = BTreeSet::new();
    for path in listed.split_terminator('\0').map(Path::new).filter(|path| root().join(path).is_file()) {
        let is_changed = changed.join(path).is_file();
        write(&if is_changed { changed.join(path) } else { root().join(path) }, &tree.join(path))?;
        files.insert(path.to_owned());
    }
    for path in new_files()? {
        write(&example().join("new").join(&path), &tree.join(&path))?;
        files.insert(path);
    }
    remove_what_is_gone(&folder.join("files.txt"), tree, &files)?;
    // The copy is below target/, which git ignores, and so do linters unless the copy is a repository of its own.
    run(command("git").current_dir(tree).args(["init", "--quiet"]))?;
    let packages = tree.join("console/node_modules");
    if !packages.exists() {
        symlink(root().join("console/node_modules"), packages)
            .context("cannot link the console's packages")?;
    }
    Ok(())
}

/// The files that the patch changes, changed, in a folder of their own.
fn changed_files(folder: &Path) -> Outcome<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let numstat = capture(command("git").args(["apply", "--numstat"]).arg(patch()))?;
    for file in super::changed(&numstat)? {
        write(&root().join(&file.path), &folder.join(&file.path))?;
    }
    // Within a repository git would take the paths for those of the repository.
    let above = folder.parent().expect("the folder lies in another");
    run(command("git").current_dir(folder).env("GIT_CEILING_DIRECTORIES", above).arg("apply").arg(patch()))?;
    Ok(folder.to_owned())
}

/// Copies a file unless it is the same already.
fn write(from: &Path, to: &Path) -> Outcome {
    let content = fs::read(from).context(format!("cannot read {}", from.display()))?;
    if fs::read(to).is_ok_and(|present| present == content) {
        return Ok(());
    }
    fs::create_dir_all(to.parent().expect("a file lies in a folder"))?;
    fs::write(to, content).context(format!("cannot write {}", to.display()))
}

/// Removes from the tree what was copied the last time and is not there any more.
fn remove_what_is_gone(list: &Path, tree: &Path, files: &BTreeSet<PathBuf>) -> Outcome {
    let before = fs::read_to_string(list).unwrap_or_default();
    for path in before.lines().map(Path::new).filter(|path| !files.contains(*path)) {
        if tree.join(path).is_file() {
            fs::remove_file(tree.join(path))?;
            // Cargo takes each folder of `crates` for a crate. A folder that still has something in it stays.
            let folders = path.ancestors().skip(1).take_while(|folder| !folder.as_os_str().is_empty());
            let _ = folders.map(|folder| fs::remove_dir(tree.join(folder))).take_while(Result::is_ok).count();
        }
    }
    let lines: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
    Ok(fs::write(list, lines.join("\n"))?)
}

/// Begins a target directory with what was compiled of other people's crates, which are the same in the copy. Croft's own are
/// not: cargo tells two trees apart by the times of their files, so they cannot share a directory.
pub fn share_compiled_dependencies(target: &Path) -> Outcome {
    let compiled = target_directory().join("debug");
    if target.exists() || !compiled.exists() {
        return Ok(());
    }
    announce("Taking over the dependencies that are compiled already.");
    for part in [".fingerprint", "build", "deps"] {
        copy_compiled(&compiled.join(part), &target.join("debug").join(part))?;
    }
    Ok(())
}

fn copy_compiled(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).context(format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        let own = ["croft", "libcroft", "xtask"];
        if own.iter().any(|own| name.as_encoded_bytes().starts_with(own.as_bytes())) {
            continue;
        }
        let (path, to) = (entry.path(), to.join(&name));
        if path.is_dir() {
            copy_compiled(&path, &to)?;
        } else {
            fs::copy(&path, &to)?;
            // Cargo compares times.
            fs::File::options().write(true).open(&to)?.set_modified(entry.metadata()?.modified()?)?;
        }
    }
    Ok(())
}
