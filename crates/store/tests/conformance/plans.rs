//! How statements run.

use croft_store::{Database, Schema, schema};

use crate::records::SCHEMA;

fn slow(schema: &'static Schema) -> Vec<String> {
    Database::query_plans(schema)
        .unwrap()
        .into_iter()
        .filter(croft_store::QueryPlan::is_slow)
        .map(|plan| format!("{} {}: {:?}", plan.table, plan.purpose, plan.steps))
        .collect()
}

#[test]
fn every_statement_uses_an_index() {
    assert_eq!(slow(&schema::CROFT), Vec::<String>::new());
    assert_eq!(slow(&SCHEMA), Vec::<String>::new());
}

#[test]
fn plans_are_as_reviewed() {
    let plans: Vec<String> = Database::query_plans(&SCHEMA)
        .unwrap()
        .into_iter()
        .map(|plan| format!("{} {}: {}", plan.table, plan.purpose, plan.steps.join("; ")))
        .collect();
    insta::assert_snapshot!(plans.join("\n"));
}
