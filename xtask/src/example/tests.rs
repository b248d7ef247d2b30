use super::*;

fn file(path: &str, added_lines: usize) -> ChangedFile {
    ChangedFile { path: path.to_owned(), added_lines }
}

#[test]
fn tests_are_not_counted() {
    let touched = [
        file("crates/api/src/widget.rs", 50),
        file("crates/control/tests/rules/widgets.rs", 60),
        file("console/src/resource/widget-actions.tsx", 20),
        file("console/src/resource/widget-form.test.ts", 70),
        file("docs/glossary.md", 1),
    ];
    assert_eq!(count(&touched), (1, 1, 20));
}

#[test]
fn what_takes_more_than_a_resource_may_is_refused() {
    let rust =
        |count| (0..count).map(|number| file(&format!("crates/api/src/{number}.rs"), 1)).collect::<Vec<_>>();
    assert!(check(&rust(MAX_RUST_FILES)).is_ok());
    assert!(check(&rust(MAX_RUST_FILES + 1)).is_err());
    let console =
        |count| (0..count).map(|number| file(&format!("console/src/{number}.ts"), 1)).collect::<Vec<_>>();
    assert!(check(&console(MAX_CONSOLE_FILES)).is_ok());
    assert!(check(&console(MAX_CONSOLE_FILES + 1)).is_err());
    assert!(check(&[file("console/src/widget.ts", MAX_CONSOLE_LINES)]).is_ok());
    assert!(check(&[file("console/src/widget.ts", MAX_CONSOLE_LINES + 1)]).is_err());
}

#[test]
fn lines_and_paths_of_a_patch_are_read() {
    let numstat = "2\t0\tcrates/api/src/lib.rs\n3\t1\tconsole/src/app/project-layout.tsx\n";
    let expected = [file("crates/api/src/lib.rs", 2), file("console/src/app/project-layout.tsx", 3)];
    assert_eq!(changed(numstat).unwrap(), expected);
    assert!(changed("-\t-\tlogo.png").is_err());
}

#[test]
fn the_example_applies_to_this_tree() {
    let check = capture(command("git").args(["apply", "--check"]).arg(patch()));
    assert!(check.is_ok(), "CONTRIBUTING.md says how to renew xtask/example/changes.patch: {check:?}");
    for path in new_files().unwrap() {
        assert!(!root().join(&path).exists(), "{} is there already", path.display());
    }
}

#[test]
fn the_example_is_what_contributing_tells_and_no_more() {
    let touched = touched(&new_files().unwrap()).unwrap();
    check(&touched).unwrap();
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    for file in touched.iter().filter(|file| file.is_rust()) {
        assert!(
            text.contains(&format!("| `{}` |", file.path)),
            "CONTRIBUTING.md does not tell of {}",
            file.path
        );
    }
    for file in touched.iter().filter(|file| file.is_console()) {
        let path = file.path.strip_prefix("console/src/").expect("the console's code is in src");
        let path = path.replace("routes/_authenticated/projects/$project/", "routes/…/");
        assert!(text.contains(&format!("`{path}`")), "CONTRIBUTING.md does not tell of {path}");
    }
}
