//! Compares an OpenAPI document with the wire contract in `contract/api.json`.
//!
//! Only structure counts: the names of components, descriptions, patterns and bounds are ignored.

mod document;
mod operation;
mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::contract::document::{Document, Operation};
use crate::failure::{Context, Failure, Outcome};
use crate::shell::root;

#[derive(clap::Args)]
pub struct Arguments {
    /// Document to compare; openapi.json in the repository's root by default
    document: Option<PathBuf>,
    /// Consider only the contract's operations with this tag
    #[arg(long)]
    tag: Option<String>,
    /// List the contract's operations instead of comparing
    #[arg(long)]
    list: bool,
    /// Print at most this many differences
    #[arg(long, default_value_t = 200)]
    limit: usize,
}

/// Compares or lists, as `arguments` ask.
pub fn run(arguments: &Arguments) -> Outcome {
    let contract = contract()?;
    let operations = contract.operations(arguments.tag.as_deref());
    if arguments.list {
        list(&operations);
        return Ok(());
    }
    let compared = match &arguments.document {
        Some(path) => read(path)?,
        None => read(&root().join("openapi.json"))?,
    };
    let verdict = compare(&contract, &operations, &compared);
    verdict.print(arguments.limit);
    if verdict.agrees() { Ok(()) } else { Err(Failure::new("the document differs from the wire contract")) }
}

/// Compares `openapi.json` with the whole contract, and prints every difference.
pub fn check() -> Outcome<bool> {
    let contract = contract()?;
    let verdict = compare(&contract, &contract.operations(None), &read(&root().join("openapi.json"))?);
    verdict.print(usize::MAX);
    Ok(verdict.agrees())
}

fn contract() -> Outcome<Document> {
    read(&root().join("contract/api.json"))
}

fn read(path: &Path) -> Outcome<Document> {
    let text = std::fs::read(path).context(format!("cannot read {}", path.display()))?;
    let value = serde_json::from_slice(&text).context(format!("{} is not JSON", path.display()))?;
    Ok(Document::new(value))
}

/// The contract's operations by method and path. Names of path parameters are no part of the path.
type Operations<'a> = BTreeMap<String, Operation<'a>>;

fn list(operations: &Operations<'_>) {
    let mut rows: Vec<_> = operations.values().collect();
    rows.sort_by_key(|operation| (operation.tag(), operation.path, operation.place()));
    for operation in rows {
        println!(
            "{:22} {:48} {:6} {}",
            operation.tag(),
            operation.id(),
            operation.method.to_uppercase(),
            operation.path
        );
    }
}

/// The result of a comparison.
#[derive(Debug)]
struct Verdict {
    wanted: usize,
    differing: usize,
    missing: usize,
    extra: usize,
    /// One line for each difference, those of missing operations last.
    differences: Vec<String>,
}

impl Verdict {
    fn agrees(&self) -> bool {
        self.differing == 0 && self.missing == 0 && self.wanted > 0
    }

    fn print(&self, limit: usize) {
        for difference in self.differences.iter().take(limit) {
            println!("{difference}");
        }
        println!("{}", self.summary());
    }

    fn summary(&self) -> String {
        let Self { wanted, differing, missing, extra, .. } = self;
        let matching = wanted - differing - missing;
        format!(
            "contract: {matching} of {wanted} operations match, {differing} differ, {missing} missing, {extra} extra"
        )
    }
}

/// Compares the `wanted` operations of `contract` with those of `compared`.
fn compare(contract: &Document, wanted: &Operations<'_>, compared: &Document) -> Verdict {
    let found = compared.operations(None);
    let all = contract.operations(None);
    let mut verdict = Verdict {
        wanted: wanted.len(),
        differing: 0,
        missing: 0,
        extra: found.keys().filter(|key| !all.contains_key(*key)).count(),
        differences: Vec::new(),
    };
    let mut missing = Vec::new();
    for (key, operation) in wanted {
        let Some(other) = found.get(key) else {
            missing.push(format!(
                "missing: {} {} ({})",
                operation.method.to_uppercase(),
                operation.path,
                operation.id()
            ));
            continue;
        };
        let differences = operation::differences((contract, operation), (compared, other));
        verdict.differing += usize::from(!differences.is_empty());
        verdict
            .differences
            .extend(differences.into_iter().map(|difference| format!("{}: {difference}", operation.id())));
    }
    verdict.missing = missing.len();
    verdict.differences.extend(missing);
    verdict
}
