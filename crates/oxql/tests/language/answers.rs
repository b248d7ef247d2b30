//! Results of queries that match little or nothing, and the keys of series.

use crate::kit::{Samples, thing};

fn samples() -> Samples {
    Samples::new()
        .count(&thing("a", 1), &[(0, 10, Some(1)), (0, 20, Some(2))])
        .level(&thing("a", 1), &[(10, Some(1.0))])
        .level(&thing("a", 2), &[(10, Some(2.0))])
}

#[test]
fn table_without_matching_series_is_empty() {
    let samples = samples();
    for operations in [
        "",
        " | align mean_within(10s)",
        " | align mean_within(10s) | group_by [name], sum",
        " | first 1 | filter datum > 1",
    ] {
        assert_eq!(
            samples.ask(&format!("get thing:count | filter slot == 9{operations}")),
            "thing:count: nothing"
        );
    }
    assert_eq!(
        samples.ask("{ get thing:count | filter slot == 9; get thing:level | filter slot == 2 } | align mean_within(50s)"),
        "thing:count: nothing\nthing:level{name=a,slot=2}: 10=2 60=-"
    );
    let neither = "{ get thing:level | filter slot == 9; get other:level | filter slot == 9 } | align mean_within(5s) | join";
    assert_eq!(samples.ask(neither), "thing:level: nothing\nother:level: nothing");
    // The same applies to a schema without stored samples.
    assert_eq!(samples.ask("get thing:state | last 1"), "thing:state: nothing");
}

#[test]
fn series_without_samples_in_the_window_cannot_be_grouped() {
    let samples = samples();
    let late = "get thing:count | filter slot == 1 && timestamp > @00:00:30";
    assert_eq!(samples.ask(late), "thing:count: nothing");
    assert_eq!(samples.ask(&format!("{late} | align mean_within(10s)")), "thing:count: nothing");
    // Clients interpret exactly this text as "no data".
    assert_eq!(
        samples.error(&format!("{late} | align mean_within(10s) | group_by [name], sum")),
        "Input tables to a `group_by` must be aligned"
    );
    assert_eq!(
        samples.error("{ get thing:level; get other:level } | filter timestamp > @00:00:30 | align mean_within(5s) | join"),
        "Input tables for a join operation must be aligned"
    );
}

#[test]
fn unknown_timeseries_name_is_an_error() {
    assert_eq!(samples().error("get thing:unknown | last 1"), "Timeseries not found for: thing:unknown");
    assert_eq!(
        samples().error("{ get thing:count | last 1; get no:thing } | last 1"),
        "Timeseries not found for: no:thing"
    );
}

#[test]
fn subqueries_return_one_table_per_get_in_order() {
    let samples = samples();
    assert_eq!(
        samples.ask("{ { get thing:level | filter slot == 2; get thing:count | last 1 } | last 1; get thing:level | filter slot == 1 }"),
        "thing:level{name=a,slot=2}: 10=2\nthing:count{name=a,slot=1}: 0..20=2\nthing:level{name=a,slot=1}: 10=1"
    );
}

#[test]
fn limits_apply_to_each_series() {
    let points: Vec<_> = (1..=6).map(|value| (value * 10, Some(value))).collect();
    let samples = Samples::new().state(&thing("a", 1), &points).state(&thing("b", 2), &points[4..]);
    let ask = |operations: &str| samples.ask(&format!("get thing:state | {operations}"));
    assert_eq!(
        ask("first 2"),
        "thing:state{name=a,slot=1}: 10=1 20=2\nthing:state{name=b,slot=2}: 50=5 60=6"
    );
    assert_eq!(ask("last 1"), "thing:state{name=a,slot=1}: 60=6\nthing:state{name=b,slot=2}: 60=6");
    assert_eq!(ask("first 4 | last 2 | filter slot == 1"), "thing:state{name=a,slot=1}: 30=3 40=4");
    assert_eq!(ask("last 4 | first 2 | filter slot == 1"), "thing:state{name=a,slot=1}: 30=3 40=4");
    assert_eq!(ask("first 5 | first 2 | filter slot == 1"), "thing:state{name=a,slot=1}: 10=1 20=2");
    assert_eq!(ask("filter datum > 2 | first 2 | filter slot == 1"), "thing:state{name=a,slot=1}: 30=3 40=4");
    assert_eq!(
        ask("filter timestamp < @00:00:40 | last 2 | filter slot == 1"),
        "thing:state{name=a,slot=1}: 20=2 30=3"
    );
    assert_eq!(ask("last 2 | filter timestamp < @00:00:40"), "thing:state: nothing");
    assert_eq!(
        ask("first 99999999999 | last 18446744073709551615 | filter slot == 2"),
        "thing:state{name=b,slot=2}: 50=5 60=6"
    );
}

#[test]
fn series_key_depends_on_fields_only() {
    let samples = samples();
    let keys = |text: &str| -> Vec<u64> {
        samples.tables(text).unwrap().into_iter().flat_map(|table| table.keyed().into_keys()).collect()
    };
    let all = keys("get thing:level | last 1");
    assert_eq!(all.len(), 2);
    assert!(all.contains(&keys("get thing:level | filter slot == 2")[0]));
    let grouped = |fields: &str| {
        keys(&format!("get thing:level | last 1 | align mean_within(10s) | group_by [{fields}]"))
    };
    let (mut forth, mut back) = (grouped("name, slot"), grouped("slot, name"));
    forth.sort_unstable();
    back.sort_unstable();
    assert_eq!(forth, back);
    assert_eq!(grouped("name").len(), 1);
}
