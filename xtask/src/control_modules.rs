//! Keeps the modules of `control` in layers: they do not depend on one another in a circle, and the layers are those that
//! `ARCHITECTURE.md` has.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::shell::root;

/// For each top-level module, those that it names.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// What `lib.rs` says.
struct Crate {
    /// The top-level modules.
    modules: BTreeSet<String>,
    /// For each name that `lib.rs` re-exports, the module that it is from.
    reexports: BTreeMap<String, String>,
    /// For each macro of `lib.rs`, the modules that it names: whoever calls it depends on them.
    lists: BTreeMap<String, BTreeSet<String>>,
}

fn tokens(text: &str) -> Vec<TokenTree> {
    let tokens: TokenStream = text.parse().unwrap();
    tokens.into_iter().collect()
}

fn ident(token: Option<&TokenTree>) -> Option<String> {
    match token {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

/// Where a path goes on after `::`; `None` if there is no `::` here.
fn after_colons(tokens: &[TokenTree], at: usize) -> Option<usize> {
    (is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')).then_some(at + 2)
}

fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// The parts of a list between its commas.
fn parts(tokens: &[TokenTree]) -> impl Iterator<Item = &[TokenTree]> {
    tokens.split(|token| is_punct(Some(token), ',')).filter(|part| !part.is_empty())
}

impl Crate {
    fn parse(lib: &str) -> Self {
        let tokens = tokens(lib);
        let mut it = Self { modules: BTreeSet::new(), reexports: BTreeMap::new(), lists: BTreeMap::new() };
        for (at, token) in tokens.iter().enumerate() {
            let Some(word) = ident(Some(token)) else { continue };
            let name = ident(tokens.get(at + 1));
            match (word.as_str(), name) {
                ("mod", Some(name)) if is_punct(tokens.get(at + 2), ';') => {
                    it.modules.insert(name);
                }
                ("use", Some(module)) => {
                    let names = match after_colons(&tokens, at + 2) {
                        Some(at) => match group(tokens.get(at), Delimiter::Brace) {
                            Some(list) => list,
                            None => tokens[at..=at].to_vec(),
                        },
                        None => continue,
                    };
                    let names = names.iter().filter_map(|token| ident(Some(token)));
                    it.reexports.extend(names.map(|name| (name, module.clone())));
                }
                ("macro_rules", None) => {
                    let Some(name) = ident(tokens.get(at + 2)) else { continue };
                    let mut named = BTreeSet::new();
                    collect_idents(&tokens[at + 3..=at + 3], &mut named);
                    it.lists.insert(name, named);
                }
                _ => {}
            }
        }
        for named in it.lists.values_mut() {
            named.retain(|name| it.modules.contains(name));
        }
        it
    }

    /// The module that a first name under the crate's root means.
    fn module(&self, name: &str) -> Option<&String> {
        self.modules.get(name).or_else(|| self.reexports.get(name))
    }

    /// Collects the modules that code names. `depth` says how many modules it is below the crate's root.
    fn collect(&self, tokens: &[TokenTree], depth: usize, found: &mut BTreeSet<String>) {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if let Some(after) = after_test(tokens, at) {
                at = after;
                continue;
            }
            if let TokenTree::Group(group) = token {
                self.collect(&group.stream().into_iter().collect::<Vec<_>>(), depth, found);
            }
            let word = ident(Some(token)).unwrap_or_default();
            if is_punct(tokens.get(at + 1), '!')
                && let Some(listed) = self.lists.get(&word)
            {
                found.extend(listed.iter().cloned());
            }
            // `$crate` in a macro is the crate, too.
            if let Some(next) = below_root(tokens, at, depth) {
                let named =
                    group(tokens.get(next), Delimiter::Brace).unwrap_or_else(|| tokens[next..=next].to_vec());
                let firsts = parts(&named).filter_map(|part| ident(part.first()));
                found.extend(firsts.filter_map(|first| self.module(&first).cloned()));
            }
            at += 1;
        }
    }
}

fn collect_idents(tokens: &[TokenTree], found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect_idents(&group.stream().into_iter().collect::<Vec<_>>(), found),
            TokenTree::Ident(ident) => {
                found.insert(ident.to_string());
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// If an item for tests alone begins here, where it ends.
fn after_test(tokens: &[TokenTree], at: usize) -> Option<usize> {
    let attribute =
        is_punct(tokens.get(at), '#').then(|| group(tokens.get(at + 1), Delimiter::Bracket))??;
    let is_test = ident(attribute.first())? == "cfg"
        && group(attribute.get(1), Delimiter::Parenthesis)
            .is_some_and(|of| ident(of.first()).as_deref() == Some("test"));
    let ends =
        |token: &TokenTree| is_punct(Some(token), ';') || group(Some(token), Delimiter::Brace).is_some();
    is_test.then(|| at + 3 + tokens[at + 2..].iter().position(ends).unwrap())
}

/// If a path from the crate's root begins here, in code that is `depth` modules below it, where its first name stands.
fn below_root(tokens: &[TokenTree], at: usize, depth: usize) -> Option<usize> {
    if at >= 2 && after_colons(tokens, at - 2).is_some() {
        return None;
    }
    let mut next = after_colons(tokens, at + 1)?;
    match ident(tokens.get(at))?.as_str() {
        "crate" => Some(next),
        "super" => {
            for _ in 1..depth {
                (ident(tokens.get(next))? == "super").then_some(())?;
                next = after_colons(tokens, next + 1)?;
            }
            Some(next)
        }
        _ => None,
    }
}

/// Every source file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The names of the modules that a file is in, from the crate's root on; `None` for the root itself.
fn place(file: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        file.with_extension("").iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    if names.last().is_some_and(|last| ["mod", "lib"].contains(&last.as_str())) {
        names.pop();
    }
    names
}

/// What the modules of `control` name of one another.
fn control() -> Graph {
    let folder = root().join("crates/control/src");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let lib = Crate::parse(&read(&folder.join("lib.rs")));
    let mut graph: Graph = lib.modules.iter().map(|module| (module.clone(), BTreeSet::new())).collect();
    for file in sources(&folder) {
        let place = place(file.strip_prefix(&folder).unwrap());
        let Some(module) = place.first().filter(|_| place.last().is_none_or(|last| last != "tests")) else {
            continue;
        };
        let named = graph.get_mut(module).unwrap();
        lib.collect(&tokens(&read(&file)), place.len(), named);
        named.remove(module);
    }
    graph
}

/// A circle, if there is one: each module names the next, and the last the first.
fn circle(graph: &Graph) -> Option<Vec<String>> {
    fn visit(
        graph: &Graph,
        module: &String,
        path: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        if let Some(start) = path.iter().position(|other| other == module) {
            return Some(path[start..].to_vec());
        }
        if done.contains(module) {
            return None;
        }
        path.push(module.clone());
        let found = graph[module].iter().find_map(|next| visit(graph, next, path, done));
        path.pop();
        done.insert(module.clone());
        found
    }
    let mut done = BTreeSet::new();
    graph.keys().find_map(|module| visit(graph, module, &mut Vec::new(), &mut done))
}

/// The modules of a layer, as `ARCHITECTURE.md` names them.
fn layer(page: &str, name: &str) -> BTreeSet<String> {
    let row = page.lines().find_map(|line| line.strip_prefix(&format!("| {name} | "))).unwrap();
    row.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_modules_of_control_do_not_depend_on_one_another_in_a_circle() {
    let graph = control();
    assert!(graph.values().map(BTreeSet::len).sum::<usize>() > 300, "the modules were not found");
    if let Some(circle) = circle(&graph) {
        panic!("a circle of modules in crates/control/src: {} -> {}", circle.join(" -> "), circle[0]);
    }
}

#[test]
fn the_layers_of_control_are_those_of_the_page() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (graph, foundation, top) = (control(), layer(&page, "foundation"), layer(&page, "top"));
    for module in foundation.union(&top) {
        assert!(
            graph.contains_key(module),
            "ARCHITECTURE.md names {module}, which is not a module of control"
        );
    }
    for (module, named) in &graph {
        let outside: Vec<_> = if foundation.contains(module) {
            named.difference(&foundation).collect()
        } else if top.contains(module) {
            Vec::new()
        } else {
            named.intersection(&top).collect()
        };
        assert!(outside.is_empty(), "{module} must not depend on {outside:?}, which stands above it");
    }
}

#[test]
fn what_a_module_names_is_found() {
    let lib = Crate::parse(
        "pub mod disk; mod context; mod project; mod operation; mod user;
         pub use context::{Cx, Request}; pub use user::Caller;
         macro_rules! for_each { ($macro:ident) => { $macro! { disk, user::local } } }",
    );
    let named = |code: &str, depth: usize| {
        let mut found = BTreeSet::new();
        lib.collect(&tokens(code), depth, &mut found);
        found.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(named("use crate::{Caller, project::{self, find}};", 1), "project user");
    assert_eq!(named("fn one() { crate::disk::find(crate::Cx::new()) }", 1), "context disk");
    assert_eq!(named("use super::disk; use super::super::user;", 1), "disk");
    assert_eq!(named("use super::disk; use super::super::user;", 2), "user");
    assert_eq!(named("for_each!(assemble);", 1), "disk user");
    assert_eq!(named("#[cfg(test)] mod tests { use crate::disk; } use crate::user;", 1), "user");
    assert_eq!(named("/// [`disk`](crate::disk)\nconst TEXT: &str = \"crate::user::find\";", 1), "");
}

#[test]
fn a_circle_is_named() {
    let graph = |edges: &[(&str, &[&str])]| -> Graph {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        edges.iter().map(|(from, to)| ((*from).to_owned(), own(to))).collect()
    };
    assert_eq!(circle(&graph(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[])])), None);
    let found = circle(&graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["d", "b"]), ("d", &[])]));
    assert_eq!(found, Some(vec!["b".to_owned(), "c".to_owned()]));
}
