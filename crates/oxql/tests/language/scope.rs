//! The scope of a query applies to every `get` in it.

use croft_oxql::{
    language::{Filter, Literal},
    model::{Datum, FieldValue},
    parse,
};
use proptest::prelude::*;
use uuid::Uuid;

use crate::kit::{Samples, now, show};

const OWN: Uuid = Uuid::from_u128(1);
const OTHER: Uuid = Uuid::from_u128(2);

fn samples() -> Samples {
    let mut samples = Samples::new();
    for (instance, project) in [(10, OWN), (11, OWN), (20, OTHER), (21, OTHER)] {
        let fields = [Uuid::from_u128(instance), project, Uuid::from_u128(7)].map(FieldValue::from);
        let points: Vec<_> = (1..6).map(|step| (0, step * 10, Some(Datum::Unsigned(step as u64)))).collect();
        samples = samples.cumulative("owned:count", &fields, &points);
    }
    samples
}

/// The result of a query that is restricted to the project `OWN`, or its error.
fn answer_restricted_to_own_project(samples: &Samples, text: &str) -> Result<String, String> {
    let mut query = parse(text, now()).map_err(|error| error.to_string())?;
    query.restrict(&[
        Filter::equal("silo_id", Literal::Uuid(Uuid::from_u128(7))),
        Filter::equal("project_id", Literal::Uuid(OWN)),
    ]);
    samples.answer(&query).map(|tables| show(&tables)).map_err(|error| error.to_string())
}

#[test]
fn queries_see_only_their_scope() {
    let samples = samples();
    // Whether a result contains instances of another project.
    let foreign = |answer: &str| {
        answer.contains(&Uuid::from_u128(20).to_string())
            || answer.contains(&Uuid::from_u128(21).to_string())
            || answer.contains(&OTHER.to_string())
    };
    for text in [
        "get owned:count",
        "get owned:count | last 1",
        "get owned:count | filter timestamp > @00:00:00",
        &format!("get owned:count | filter project_id == \"{OTHER}\""),
        &format!("get owned:count | filter project_id == \"{OTHER}\" || project_id == \"{OWN}\""),
        &format!("get owned:count | filter project_id != \"{OWN}\""),
        &format!("get owned:count | filter !(project_id == \"{OWN}\")"),
        &format!("get owned:count | filter !(project_id == \"{OWN}\" ^ project_id == \"{OWN}\")"),
        "get owned:count | filter project_id > \"00000000-0000-0000-0000-000000000000\"",
        "get owned:count | align mean_within(10s) | group_by [project_id], sum",
        "get owned:count | align mean_within(10s) | group_by [], sum",
        "{ get owned:count; get owned:count | last 2 }",
        &format!(
            "{{ {{ get owned:count; {{ get owned:count | filter project_id == \"{OTHER}\" }} }} | first 1; get owned:count }}"
        ),
        "{ get owned:count; get owned:count } | align mean_within(10s) | join",
    ] {
        let answer = answer_restricted_to_own_project(&samples, text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(!foreign(&answer), "{text}: {answer}");
    }
    let all = answer_restricted_to_own_project(&samples, "get owned:count | last 1").unwrap();
    assert_eq!(all.lines().count(), 2, "{all}");
    let other = answer_restricted_to_own_project(
        &samples,
        &format!("get owned:count | filter project_id == \"{OTHER}\""),
    )
    .unwrap();
    assert_eq!(other, "owned:count: nothing");
    let sums = answer_restricted_to_own_project(
        &samples,
        "get owned:count | align mean_within(60s) | group_by [], sum",
    )
    .unwrap();
    assert!(sums.ends_with("60=2"), "two instances, not four: {sums}");
}

#[test]
fn schema_without_the_scope_fields_is_refused() {
    let samples = samples();
    for text in ["get thing:level | last 1", "{ get owned:count; get thing:level | filter slot == 1 }"] {
        let error = answer_restricted_to_own_project(&samples, text).unwrap_err();
        assert!(error.contains("Invalid identifiers: [\"silo_id\"]"), "{error}");
    }
}

fn any_operation() -> impl Strategy<Value = String> {
    let ids = prop_oneof![Just(OWN), Just(OTHER)];
    let comparison = (ids, proptest::sample::select(vec!["==", "!=", "<", ">=", "<=", ">"]))
        .prop_map(|(id, operator)| format!("project_id {operator} \"{id}\""));
    let filter = comparison.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|filter| format!("!({filter})")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left}) || ({right})")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left}) ^ ({right})")),
            (inner.clone(), inner).prop_map(|(left, right)| format!("({left}) && ({right})")),
        ]
    });
    prop_oneof![
        filter.prop_map(|filter| format!("filter {filter}")),
        (1..4).prop_map(|count| format!("last {count}")),
        Just("align mean_within(10s)".to_owned()),
    ]
}

fn any_query() -> impl Strategy<Value = String> {
    let one = proptest::collection::vec(any_operation(), 0..4).prop_map(|operations| {
        std::iter::once("get owned:count".to_owned()).chain(operations).collect::<Vec<_>>().join(" | ")
    });
    one.prop_recursive(3, 6, 3, |inner| {
        (proptest::collection::vec(inner, 1..3), proptest::collection::vec(any_operation(), 0..2)).prop_map(
            |(members, operations)| {
                let group = format!("{{ {} }}", members.join("; "));
                std::iter::once(group).chain(operations).collect::<Vec<_>>().join(" | ")
            },
        )
    })
}

proptest! {
    #[test]
    fn restriction_holds_for_any_query(text in any_query()) {
        let samples = samples();
        let mut query = parse(&text, now()).unwrap();
        query.restrict(&[Filter::equal("project_id", Literal::Uuid(OWN))]);
        if let Ok(tables) = samples.answer(&query) {
            for series in tables.iter().flat_map(|table| &table.series) {
                prop_assert_eq!(&series.fields[1], &FieldValue::Uuid(OWN), "{}", text);
            }
        }
    }
}
