//! Query plans.

use croft_store::{Database, Dialect, Schema, schema};

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
fn query_plans_match_snapshot() {
    let plans: Vec<String> = Database::query_plans(&SCHEMA)
        .unwrap()
        .into_iter()
        .map(|plan| format!("{} {}: {}", plan.table, plan.purpose, plan.steps.join("; ")))
        .collect();
    insta::assert_snapshot!(plans.join("\n"));
}

#[test]
fn query_plans_of_search_match_snapshot() {
    let plans: Vec<String> = Database::query_plans(&schema::CROFT)
        .unwrap()
        .into_iter()
        .filter(|plan| plan.table == "search")
        .map(|mut plan| {
            // The parts of a compound query have the same plan.
            plan.steps.truncate(8);
            format!("{}: {}", plan.purpose, plan.steps.join("; "))
        })
        .collect();
    insta::assert_snapshot!(plans.join("\n"));
}

/// Existing databases were created by these statements. After a release, a difference means that a new table or look-up
/// lacks `since`, or that a released declaration was changed without a migration.
#[test]
fn the_schema_is_as_released() {
    insta::assert_snapshot!("schema_sqlite", schema::CROFT.statements(Dialect::Sqlite).join(";\n"));
    insta::assert_snapshot!("schema_postgres", schema::CROFT.statements(Dialect::Postgres).join(";\n"));
}
