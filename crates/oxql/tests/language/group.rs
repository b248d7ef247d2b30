//! `group_by` and `join`.

use crate::kit::{Samples, thing};

fn levels() -> Samples {
    Samples::new()
        .level(&thing("a", 1), &[(10, Some(1.0)), (20, Some(2.0)), (30, Some(3.0))])
        .level(&thing("a", 2), &[(20, Some(20.0)), (30, None), (40, Some(40.0))])
        .level(&thing("b", 3), &[(10, Some(100.0))])
}

/// The result of a query that aligns to ten seconds and continues with `operations`.
fn group(samples: &Samples, operations: &str) -> String {
    samples.ask(&format!(
        "get thing:level | filter timestamp <= @00:00:40 | align mean_within(10s) | {operations}"
    ))
}

#[test]
fn series_with_equal_fields_are_merged() {
    let samples = levels();
    assert_eq!(
        group(&samples, "group_by [name], sum"),
        "thing:level{name=a}: 10=1 20=22 30=3 40=40\nthing:level{name=b}: 10=100 20=- 30=- 40=-"
    );
    assert_eq!(
        group(&samples, "group_by [name] | filter name == 'a'"),
        "thing:level{name=a}: 10=1 20=11 30=3 40=40"
    );
    assert_eq!(group(&samples, "group_by [], sum"), "thing:level{}: 10=101 20=22 30=3 40=40");
    assert_eq!(group(&samples, "group_by [name, name], mean"), group(&samples, "group_by [name]"));
    assert_eq!(
        group(&samples, "group_by [slot, name], sum | first 1"),
        "thing:level{slot=1,name=a}: 10=1\nthing:level{slot=2,name=a}: 20=20\nthing:level{slot=3,name=b}: 10=100"
    );
    assert_eq!(
        group(&samples, "group_by [name], sum | group_by [], mean"),
        "thing:level{}: 10=50.5 20=22 30=3 40=40"
    );
}

#[test]
fn group_has_the_timestamps_of_all_members() {
    let samples = Samples::new()
        .level(&thing("a", 1), &[(10, Some(1.0)), (20, None)])
        .level(&thing("a", 2), &[(20, None), (40, Some(4.0))]);
    assert_eq!(group(&samples, "group_by [name], sum"), "thing:level{name=a}: 10=1 20=- 30=- 40=4");
    assert_eq!(group(&samples, "group_by [name], mean"), "thing:level{name=a}: 10=1 20=- 30=- 40=4");
}

#[test]
fn group_by_requires_exactly_one_table() {
    let samples = levels();
    let two =
        "{ get thing:level | last 1; get thing:level | last 1 } | align mean_within(10s) | group_by [name]";
    assert_eq!(
        samples.error(two),
        "`group_by` table operations require exactly one input table, but found 2"
    );
    let one = "{ get thing:level | filter slot == 3 } | align mean_within(50s) | group_by [name], sum";
    assert_eq!(samples.ask(one), "thing:level{name=b}: 10=100 60=-");
}

fn joinable_samples() -> Samples {
    let fields = |slot: u32, name: &str| vec![slot.into(), name.into()];
    let value = |value: f64| Some(croft_oxql::model::Datum::Double(value));
    levels()
        .gauge("other:level", &fields(1, "a"), &[(20, value(0.2)), (30, value(0.3)), (40, value(0.4))])
        .gauge("other:level", &fields(2, "a"), &[(30, value(1.3))])
        .gauge("other:level", &fields(9, "z"), &[(30, value(9.0))])
}

#[test]
fn join_combines_tables_at_shared_timestamps() {
    let samples = joinable_samples();
    let ask = |filter: &str, operations: &str| {
        samples.ask(&format!(
            "{{ get thing:level; get other:level }} | filter timestamp <= @00:00:40 && {filter} \
             | align mean_within(10s) | join{operations}"
        ))
    };
    let joined = "thing:level,other:level{name=a,slot=1}: 20=2|0.2 30=3|0.3 40=-|0.4\n\
                  thing:level,other:level{name=a,slot=2}: 30=-|1.3 40=40|-";
    assert_eq!(ask("name == 'a'", ""), joined);
    assert_eq!(
        ask("name == 'a'", " | filter slot == 2 && timestamp > @00:00:30"),
        "thing:level,other:level{name=a,slot=2}: 40=40|-"
    );
    assert_eq!(ask("slot == 1", " | last 1"), "thing:level,other:level{name=a,slot=1}: 40=-|0.4");
    let mixed = samples.ask(
        "{ { get thing:level | filter slot == 1; get other:level | filter slot == 1 } | align mean_within(30s) | join; \
         get thing:level | filter slot == 3 }",
    );
    assert_eq!(
        mixed,
        "thing:level,other:level{name=a,slot=1}: 30=2|0.25 60=-|0.4\nthing:level{name=b,slot=3}: 10=100"
    );
}

#[test]
fn joined_tables_cannot_be_aligned_grouped_or_filtered_by_value() {
    let samples = joinable_samples();
    let joined = "{ get thing:level; get other:level } | filter slot == 1 | align mean_within(10s) | join";
    assert_eq!(
        samples.error(&format!("{joined} | align mean_within(20s)")),
        "Aligning multidimensional timeseries is not yet supported"
    );
    assert!(samples.error(&format!("{joined} | group_by [name]")).contains("has 2 dimensions"));
    assert!(samples.error(&format!("{joined} | filter datum > 1.0")).contains(
        "The special identifier \"datum\" may only be used for 1-dimensional tables, but table \
         \"thing:level,other:level\" has 2 dimensions"
    ));
    let again = format!("{{ {joined}; get thing:level | last 1 | align mean_within(10s) }} | join");
    assert!(samples.error(&again).contains("All input tables to a `join` operation must have one dimension"));
}

#[test]
fn join_fails_if_a_series_is_missing_on_either_side() {
    let samples = joinable_samples();
    let error = |filter: &str| {
        samples.error(&format!(
            "{{ get thing:level; get other:level }} | filter {filter} | align mean_within(10s) | join"
        ))
    };
    assert!(
        error("slot == 1 || slot == 3")
            .starts_with("Join failed, input table 1 does not contain a timeseries with key ")
    );
    assert!(
        error("slot == 1 || slot == 9")
            .starts_with("Join failed, input table 0 does not contain a timeseries with key ")
    );
    assert!(
        error("slot == 9").starts_with("Join failed, input table 0 does not contain a timeseries with key ")
    );
}

#[test]
fn invalid_joins_are_refused_before_reading() {
    let samples = Samples::new();
    let error = |text: &str| samples.error(text);
    assert_eq!(
        error("get thing:level | last 1 | align mean_within(1s) | join"),
        "`join` table operations require at least 2 tables"
    );
    assert_eq!(
        error("{ get thing:level | last 1 | align mean_within(1s); get other:level | last 1 } | join"),
        "All input tables to a `join` operation must be aligned, but table 'other:level' is not aligned"
    );
    assert!(
        error("{ get thing:level | last 1 | align mean_within(1s); get other:level | last 1 | align mean_within(2s) } | join")
            .starts_with("All input tables to a `join` operation must have the same alignment period, ")
    );
    assert!(
        error("{ get thing:level; get nameless:level } | filter slot == 1 | align mean_within(1s) | join")
            .contains("must have the same fields")
    );
}
