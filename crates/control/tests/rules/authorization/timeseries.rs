//! Queries of timeseries, as far as decided by the database.

use croft_control::{operation, timeseries};

use super::{Call, World, matrix, rule};
use crate::kit::by_name;

pub fn calls(_: &World) -> Vec<Call> {
    vec![
        (&operation::TIMESERIES_QUERY, {
            rule(|cx, caller| timeseries::of_project(cx, caller, &by_name("web")))
        }),
        (&operation::SYSTEM_TIMESERIES_QUERY, rule(timeseries::of_system)),
        (&operation::SYSTEM_TIMESERIES_SCHEMA_LIST, rule(timeseries::may_list_schemas)),
    ]
}

#[test]
fn authorization() {
    insta::assert_snapshot!(matrix(calls));
}
