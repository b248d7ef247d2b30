//! Checks that documents and comments lead somewhere: each relative link of a Markdown file, and each `docs/` page that a
//! comment in Rust or TypeScript cites, must name a file that exists and, after `#`, a heading in it. Nothing is fetched.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::failure::{Context, Outcome};
use crate::shell::{capture, command, root};

/// Prints each link and citation that leads nowhere; true if there is none.
pub fn check() -> Outcome<bool> {
    let files = files()?;
    let broken = broken(&files, |path| root().join(path).exists());
    for line in &broken {
        println!("{line}");
    }
    println!("links: {} files read, {} links lead nowhere", files.len(), broken.len());
    Ok(broken.is_empty() && !files.is_empty())
}

/// A file of the repository, by its path from the root.
type Files = BTreeMap<PathBuf, String>;

/// The documents and sources that git knows or would add.
fn files() -> Outcome<Files> {
    let mut list = command("git");
    list.args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let mut files = Files::new();
    for path in capture(&mut list)?.lines().map(PathBuf::from) {
        let full = root().join(&path);
        if (is_document(&path) || is_source(&path)) && full.is_file() {
            let text = std::fs::read_to_string(&full).context(format!("cannot read {}", path.display()))?;
            files.insert(path, text);
        }
    }
    Ok(files)
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known))
}

fn is_document(path: &Path) -> bool {
    has_extension(path, &["md"])
}

fn is_source(path: &Path) -> bool {
    has_extension(path, &["rs", "ts", "tsx"])
}

/// A line for each link or citation that leads nowhere.
fn broken(files: &Files, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let documents = files.iter().filter(|(path, _)| is_document(path));
    let anchors: BTreeMap<&Path, BTreeSet<String>> =
        documents.map(|(path, text)| (path.as_path(), anchors(text))).collect();
    let mut broken = Vec::new();
    for (path, text) in files {
        let (from, targets) =
            if is_document(path) { (path.as_path(), links(text)) } else { (Path::new(""), citations(text)) };
        for target in targets {
            if let Err(reason) = follow(from, &target, &anchors, &exists) {
                broken.push(format!("{}: {target}: {reason}", path.display()));
            }
        }
    }
    broken
}

/// Follows a link from a document, or from the root of the repository if `from` is empty.
fn follow(
    from: &Path,
    target: &str,
    anchors: &BTreeMap<&Path, BTreeSet<String>>,
    exists: impl Fn(&Path) -> bool,
) -> Result<(), &'static str> {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        from.to_owned()
    } else {
        let folder = from.parent().unwrap_or(Path::new(""));
        normal(&folder.join(file)).ok_or("outside of the repository")?
    };
    if !exists(&path) {
        return Err("no such file");
    }
    match anchors.get(path.as_path()) {
        Some(headings) if !anchor.is_empty() && !headings.contains(anchor) => Err("no such heading"),
        _ => Ok(()),
    }
}

/// The path without `.` and `..`; `None` if it leads out of the repository.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normal)
}

/// The text of a document without its blocks of code.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    prose
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in prose(text).lines() {
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        if !(1..=6).contains(&level) || !heading.starts_with(' ') {
            continue;
        }
        let anchor = anchor(heading.trim());
        // Headings of the same words are numbered from the second on.
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|name| !anchors.contains(name));
        anchors.extend(free);
    }
    anchors
}

/// The anchor of one heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The relative targets of a document's links and pictures.
fn links(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for paragraph in prose(text).split("\n\n") {
        let text = without_code(paragraph);
        // `[text](target "title")` and, for pictures in two themes, `src="target"`.
        for (begin, end) in [("](", ')'), ("src=\"", '"'), ("srcset=\"", '"'), ("href=\"", '"')] {
            let found = text.split(begin).skip(1).filter_map(|rest| rest.split(end).next());
            targets.extend(found.filter_map(|target| target.split_whitespace().next()).map(str::to_owned));
        }
        let definitions = text.lines().filter(|line| line.starts_with('['));
        let defined = definitions.filter_map(|line| line.split_once("]: ")).map(|(_, target)| target.trim());
        targets.extend(defined.map(str::to_owned));
    }
    targets.retain(|target| !target.contains("://") && !target.starts_with("mailto:"));
    targets
}

/// A paragraph without what stands between backticks.
fn without_code(paragraph: &str) -> String {
    let mut kept = String::new();
    let mut rest = paragraph;
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        let inside = from.trim_start_matches('`');
        let mark = &from[..from.len() - inside.len()];
        kept.push_str(before);
        match inside.find(mark) {
            Some(end) => rest = &inside[end + mark.len()..],
            None => rest = inside,
        }
    }
    kept.push_str(rest);
    kept
}

/// The folder whose pages comments cite.
const CITED: &str = "docs/";

/// The pages that the comments of a source cite, with their anchors.
fn citations(text: &str) -> Vec<String> {
    let mut citations = Vec::new();
    for comment in text.lines().filter_map(comment) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '#');
        for word in comment.split(|c| !is_part(c)).filter(|word| word.starts_with(CITED)) {
            let word = word.trim_end_matches('.');
            let file = word.split('#').next().unwrap_or(word);
            if is_document(Path::new(file)) {
                citations.push(word.to_owned());
            }
        }
    }
    citations
}

/// The part of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if line.starts_with('*') || line.starts_with("/*") {
        return Some(line);
    }
    line.find("//").map(|start| &line[start..])
}
