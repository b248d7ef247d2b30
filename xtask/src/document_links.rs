//! Keeps the documents' links whole: every file and every heading that a Markdown file of the repository links to must
//! exist.

use std::path::{Component, Path, PathBuf};

use crate::shell::{capture, command, root};

/// The targets of the links and pictures in `text`, those to other sites left out.
fn targets(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ', '\n']).next());
    let pictures = ["src=\"", "srcset=\""]
        .into_iter()
        .flat_map(|attribute| text.split(attribute).skip(1))
        .filter_map(|rest| rest.split('"').next());
    links.chain(pictures).filter(|target| !target.contains("://") && !target.is_empty()).collect()
}

/// `text` without its blocks of code, in which brackets mean something else.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The names by which the headings of `text` can be linked to, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    prose(text)
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|heading| {
            let title = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
            kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
        })
        .collect()
}

/// `target` as seen from the folder of `page`, without `..`.
fn resolve(page: &Path, target: &str) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in page.parent().unwrap_or(Path::new("")).join(target).components() {
        match part {
            Component::ParentDir => drop(resolved.pop()),
            part => resolved.push(part),
        }
    }
    resolved
}

/// The links of `page` that lead nowhere; `read` gives the text of a file, none if there is no such file or folder.
fn broken(page: &Path, text: &str, read: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let leads_nowhere = |target: &&str| {
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        let linked = if file.is_empty() { Some(text.to_owned()) } else { read(&resolve(page, file)) };
        linked.is_none_or(|linked| {
            !heading.is_empty() && !anchors(&linked).iter().any(|anchor| anchor == heading)
        })
    };
    let text = prose(text);
    targets(&text)
        .into_iter()
        .filter(leads_nowhere)
        .map(|target| format!("{}: {target}", page.display()))
        .collect()
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
    let pages = capture(command("git").args(list)).unwrap();
    assert!(pages.lines().count() > 40, "the documents were not found");
    // Pictures and folders need to be there, and have no headings.
    let read = |path: &Path| {
        let path = root().join(path);
        path.exists().then(|| std::fs::read_to_string(path).unwrap_or_default())
    };
    let broken: Vec<String> = pages
        .lines()
        .map(Path::new)
        .filter_map(|page| Some(broken(page, &std::fs::read_to_string(root().join(page)).ok()?, read)))
        .flatten()
        .collect();
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn a_link_to_a_missing_file_or_heading_is_found() {
    let read = |path: &Path| (path == Path::new("docs/a.md")).then(|| "# A title, with `code`\n".to_owned());
    let text = "# Here\n[a](../docs/a.md#a-title-with-code) [b](a.md#no) [c](c.md) [d](#here) [e](#there)\n\
                [f](https://example.com)\n```\n[g](g.md)\n```\n<img src=\"h.png\">\n";
    let broken = broken(Path::new("docs/page.md"), text, read);
    assert_eq!(
        broken,
        ["docs/page.md: a.md#no", "docs/page.md: c.md", "docs/page.md: #there", "docs/page.md: h.png"]
    );
}
