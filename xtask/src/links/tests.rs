use super::*;

fn files(files: &[(&str, &str)]) -> Files {
    files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect()
}

fn broken_in(list: &[(&str, &str)]) -> Vec<String> {
    let files = files(list);
    broken(&files, |path| files.contains_key(path) || path == Path::new("docs"))
}

#[test]
fn the_documents_and_comments_of_the_repository_lead_somewhere() {
    let files = super::files().unwrap();
    let broken = broken(&files, |path| root().join(path).exists());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    let cited: usize =
        files.iter().filter(|(path, _)| is_source(path)).map(|(_, text)| citations(text).len()).sum();
    assert!(cited > 100, "only {cited} citations were found");
}

#[test]
fn links_are_followed_from_the_folder_of_their_document() {
    let guide = "# Guide\n\n## One step\n";
    assert!(
        broken_in(&[
            ("README.md", "[guide](docs/guide.md#one-step), [folder](docs), ![a picture](docs/a.png \"A\")"),
            (
                "docs/guide.md",
                &format!("{guide}[up](../README.md) [here](#guide) [web](https://example.com/x)")
            ),
            ("docs/a.png", ""),
        ])
        .is_empty()
    );
    for (link, reason) in [
        ("[x](docs/none.md)", "docs/none.md: no such file"),
        ("[x](docs/guide.md#two)", "docs/guide.md#two: no such heading"),
        ("[x](#two)", "#two: no such heading"),
        ("[x](../out.md)", "../out.md: outside of the repository"),
        ("[x](/docs/guide.md)", "/docs/guide.md: outside of the repository"),
        ("<img src=\"docs/none.png\">", "docs/none.png: no such file"),
        ("[x]: docs/none.md", "docs/none.md: no such file"),
    ] {
        let broken = broken_in(&[("README.md", link), ("docs/guide.md", guide)]);
        assert_eq!(broken, [format!("README.md: {reason}")]);
    }
}

#[test]
fn code_holds_no_links() {
    let text = "A `[x](none.md)` and ``a ` [y](none.md)``\n\n```text\n[z](none.md)\n# Not a heading\n```\n";
    assert!(broken_in(&[("README.md", text)]).is_empty());
    assert!(anchors(text).is_empty());
    assert_eq!(broken_in(&[("README.md", "`a` [x](none.md) `b`")]).len(), 1);
    assert_eq!(broken_in(&[("README.md", "a\n`b\nc` [x](none.md)")]).len(), 1);
    assert_eq!(broken_in(&[("README.md", "[`x`](none.md)")]).len(), 1);
}

#[test]
fn anchors_are_those_of_github() {
    let text = "# A `code` heading, with words\n## Same\n## Same\n### What's 1.2?\n#No heading\n";
    let expected = ["a-code-heading-with-words", "same", "same-1", "whats-12"];
    assert_eq!(anchors(text), expected.into_iter().map(str::to_owned).collect());
}

#[test]
fn comments_cite_pages_of_the_folder() {
    let page = ("docs/rules/a.md", "## Limits\n");
    let source = format!(
        "//! See `{CITED}rules/a.md#limits`.\nlet x = 1; // ({CITED}rules/a.md)\n/** {CITED}rules/a.md#limits. */\n * {CITED}a.png\n"
    );
    assert_eq!(citations(&source).len(), 3);
    assert!(broken_in(&[page, ("src/lib.rs", &source)]).is_empty());
    let wrong = format!("/// `{CITED}rules/a.md#none`, `{CITED}rules/b.md`\nlet text = \"{CITED}c.md\";\n");
    assert_eq!(
        broken_in(&[page, ("src/lib.ts", &wrong)]),
        [
            format!("src/lib.ts: {CITED}rules/a.md#none: no such heading"),
            format!("src/lib.ts: {CITED}rules/b.md: no such file"),
        ]
    );
}
