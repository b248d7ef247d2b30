use croft_oxql::model::{Datum, FieldValue};

use crate::kit::{Samples, thing};

fn levels() -> Samples {
    Samples::new()
        .level(&thing("a", 1), &[(10, Some(1.0)), (20, Some(2.0)), (30, None), (40, Some(4.0))])
        .level(&thing("b", 2), &[(10, Some(10.0)), (20, None), (30, Some(-3.5))])
}

/// The names and times of the points that match a condition.
fn matching_points(samples: &Samples, filter: &str) -> String {
    let tables = samples.tables(&format!("get thing:level | last 9 | filter {filter}")).unwrap();
    let one = |series: &croft_oxql::table::TableSeries| {
        let times: Vec<_> =
            series.points.timestamps.iter().map(|time| (time / 1_000_000_000).to_string()).collect();
        format!("{}:{}", series.fields[0], times.join(","))
    };
    tables[0].series.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn comparisons_with_values_and_times() {
    let samples = levels();
    for (filter, expected) in [
        ("datum > 1.0", "a:20,40 b:10"),
        ("datum >= 1.0", "a:10,20,40 b:10"),
        ("datum < 2.0", "a:10 b:30"),
        ("datum <= 2.0", "a:10,20 b:30"),
        ("datum == 2.0", "a:20"),
        ("datum != 2.0", "a:10,40 b:10,30"),
        ("timestamp >= @00:00:30", "a:30,40 b:30"),
        ("timestamp < @00:00:20", "a:10 b:10"),
        ("timestamp != @00:00:20", "a:10,30,40 b:10,30"),
        ("name == 'a'", "a:10,20,30,40"),
        ("slot > 1", "b:10,20,30"),
    ] {
        assert_eq!(matching_points(&samples, filter), expected, "{filter}");
    }
}

#[test]
fn missing_values_match_neither_a_comparison_nor_its_negation() {
    let samples = levels();
    for (filter, expected) in [
        ("!(datum > 1.0)", "a:10 b:30"),
        ("!!(datum > 1.0)", "a:20,40 b:10"),
        ("datum > 1.0 || !(datum > 1.0)", "a:10,20,40 b:10,30"),
        ("datum > 1.0 ^ slot == 1", "a:10 b:10"),
        ("datum > 1.0 || slot == 1", "a:10,20,30,40 b:10"),
        ("!(datum > 1.0 && slot == 1)", "a:10 b:10,20,30"),
        ("!(datum > 1.0 || slot == 1)", "b:30"),
    ] {
        assert_eq!(matching_points(&samples, filter), expected, "{filter}");
    }
}

#[test]
fn conditions_on_fields_and_values_can_be_combined() {
    let samples = levels();
    for (filter, expected) in [
        ("slot == 1 && datum > 1.0 || slot == 2 && timestamp < @00:00:20", "a:20,40 b:10"),
        ("slot == 1 ^ timestamp > @00:00:20", "a:10,20 b:30"),
        ("slot == 1 ^ slot == 2 ^ timestamp > @00:00:20", "a:10,20 b:10,20"),
        ("!(slot == 1 ^ timestamp > @00:00:20)", "a:30,40 b:10,20"),
        ("(slot == 1 || datum == 10.0) && timestamp <= @00:00:10", "a:10 b:10"),
    ] {
        assert_eq!(matching_points(&samples, filter), expected, "{filter}");
    }
}

fn rich(address: &str, big: u64, id: &str, small: i8, text: &str, yes: bool) -> Vec<FieldValue> {
    vec![
        FieldValue::IpAddr(address.parse().unwrap()),
        big.into(),
        FieldValue::Uuid(id.parse().unwrap()),
        small.into(),
        text.into(),
        yes.into(),
    ]
}

#[test]
fn fields_of_every_type_can_be_compared() {
    let (low, high) = ("00000000-0000-4000-8000-000000000001", "f0000000-0000-4000-8000-000000000001");
    let point = |value| [(10, Some(Datum::Integer(value)))];
    let samples = Samples::new()
        .gauge("rich:state", &rich("10.0.0.9", 5, low, -3, "Zebra", false), &point(1))
        .gauge("rich:state", &rich("10.0.0.10", u64::MAX, high, 100, "ant", true), &point(2))
        .gauge("rich:state", &rich("fd00::1", 0, low, 0, "bee", true), &point(3));
    let ask = |filter: &str| -> String {
        let tables = samples.tables(&format!("get rich:state | last 1 | filter {filter}")).unwrap();
        let pushed = samples.tables(&format!("get rich:state | filter {filter} | last 1")).unwrap();
        assert_eq!(tables[0].series, pushed[0].series, "{filter}");
        tables[0].series.iter().map(|series| series.fields[4].to_string() + " ").collect()
    };
    for (filter, expected) in [
        ("address < \"10.0.0.10\"", "Zebra "),
        ("address > \"10.0.0.9\"", "ant bee "),
        ("address >= \"fd00::1\"", "bee "),
        ("address == \"10.0.0.9\"", "Zebra "),
        ("address != \"10.0.0.9\"", "ant bee "),
        ("big == 18446744073709551615", "ant "),
        ("big < 6", "Zebra bee "),
        ("big == -1", ""),
        ("id > \"80000000-0000-4000-8000-000000000001\"", "ant "),
        ("id <= \"80000000-0000-4000-8000-000000000001\"", "Zebra bee "),
        ("small < 0", "Zebra "),
        ("small == 1000", ""),
        ("small != 1000", "Zebra ant bee "),
        ("text < 'a'", "Zebra "),
        ("text ~= 'e'", "Zebra bee "),
        ("text ~= '^.e'", "Zebra bee "),
        ("!(text ~= '^.e')", "ant "),
        ("text ~= '(?i)ANT$'", "ant "),
        ("yes == true", "ant bee "),
        ("yes != true", "Zebra "),
        ("!(yes == true)", "Zebra "),
    ] {
        assert_eq!(ask(filter), expected, "{filter}");
    }
}

#[test]
fn values_of_every_scalar_type_can_be_filtered() {
    let text = |value: &str| Some(Datum::String(value.into()));
    let samples = Samples::new()
        .gauge("thing:label", &thing("a", 1), &[(10, text("one")), (20, text("two")), (30, None)])
        .gauge(
            "thing:on",
            &thing("a", 1),
            &[(10, Some(Datum::Boolean(true))), (20, Some(Datum::Boolean(false)))],
        )
        .state(&thing("a", 1), &[(10, Some(5)), (20, Some(-5))])
        .level(&thing("a", 1), &[(10, Some(0.0)), (20, Some(f64::INFINITY))]);
    assert_eq!(samples.ask("get thing:label | filter datum ~= 'o$'"), "thing:label{name=a,slot=1}: 20=two");
    assert_eq!(samples.ask("get thing:label | filter datum != 'one'"), "thing:label{name=a,slot=1}: 20=two");
    assert_eq!(samples.ask("get thing:on | filter datum == false"), "thing:on{name=a,slot=1}: 20=false");
    assert_eq!(samples.ask("get thing:state | filter datum < 0"), "thing:state{name=a,slot=1}: 20=-5");
    assert_eq!(samples.ask("get thing:level | filter datum == -0.0"), "thing:level{name=a,slot=1}: 10=0");
    assert_eq!(samples.ask("get thing:level | last 1"), "thing:level{name=a,slot=1}: 20=-");
}

#[test]
fn start_time_filter_applies_before_and_after_computing_deltas() {
    let samples = Samples::new()
        .count(&thing("a", 1), &[(0, 10, Some(1)), (0, 20, Some(3)), (25, 30, Some(1)), (25, 40, Some(2))]);
    // The filter applies to the stored start times first, so it determines which point is raw.
    assert_eq!(
        samples.ask("get thing:count | filter start_time >= @00:00:20"),
        "thing:count{name=a,slot=1}: 25..30=1 30..40=1"
    );
    assert_eq!(
        samples.ask("get thing:count | last 4 | filter start_time >= @00:00:10"),
        "thing:count{name=a,slot=1}: 10..20=2 25..30=1 30..40=1"
    );
}

#[test]
fn filter_drops_empty_series_and_keeps_alignment() {
    let samples = levels();
    assert_eq!(matching_points(&samples, "datum > 5.0"), "b:10");
    assert_eq!(
        samples
            .ask("get thing:level | last 9 | align mean_within(10s) | filter datum > 3.0 | group_by [], sum"),
        "thing:level{}: 10=10 40=4"
    );
}
