use crate::kit::{Samples, thing};

fn counter_samples(points: &[(i64, i64)]) -> Samples {
    // The differences between these cumulative values are the given ones.
    let mut total = 0;
    let mut add = |time: i64, value: i64| {
        total += value as u64;
        (0, time, Some(total))
    };
    let points: Vec<_> = points.iter().map(|(time, value)| add(*time, *value)).collect();
    Samples::new().count(&thing("a", 1), &points)
}

/// The aligned points up to a time.
fn align(samples: &Samples, name: &str, period: &str, end: &str) -> String {
    let query = format!("get {name} | filter slot == 1 && timestamp <= @{end} | align mean_within({period})");
    let answer = samples.ask(&query);
    answer.rsplit("}: ").next().unwrap().to_owned()
}

#[test]
fn gauge_is_averaged_per_window() {
    let points: Vec<_> = (1..=5).map(|value| (value * 10, Some(value))).collect();
    let samples = Samples::new().state(&thing("a", 1), &points);
    assert_eq!(align(&samples, "thing:state", "20s", "00:01:00"), "20=1.5 40=3.5 60=5");
}

#[test]
fn counter_is_averaged_per_window() {
    let samples = counter_samples(&[(10, 10), (20, 20), (30, 30)]);
    assert_eq!(align(&samples, "thing:count", "20s", "00:00:30"), "10=10 30=25");
}

#[test]
fn interval_is_weighted_by_its_overlap_with_the_window() {
    // The filter would exclude the point at 30, so the end is that of another subquery.
    let samples = counter_samples(&[(10, 10), (20, 20), (30, 30)]);
    let query = "{ get thing:count | filter slot == 1 | align mean_within(20s); \
                 get thing:count | filter slot == 2 && timestamp <= @00:00:25 }";
    assert_eq!(samples.ask(query), "thing:count{name=a,slot=1}: 25=20\nthing:count: nothing");
}

#[test]
fn missing_gauge_values_are_counted_in_the_mean() {
    let samples = Samples::new()
        .level(&thing("a", 1), &[(10, Some(4.0)), (20, None), (30, None), (40, None), (60, Some(1.0))]);
    assert_eq!(align(&samples, "thing:level", "20s", "00:01:00"), "20=2 40=- 60=1");
    let sparse = Samples::new().level(&thing("a", 1), &[(10, Some(4.0)), (55, Some(1.0))]);
    assert_eq!(align(&sparse, "thing:level", "10s", "00:01:00"), "10=4 20=- 30=- 40=- 50=- 60=1");
}

#[test]
fn missing_counter_values_are_ignored() {
    let samples = Samples::new().count(
        &thing("a", 1),
        &[(0, 10, Some(10)), (0, 20, None), (0, 30, Some(40)), (0, 40, None), (0, 50, None)],
    );
    assert_eq!(align(&samples, "thing:count", "10s", "00:00:50"), "10=10 20=- 30=30 40=- 50=-");
}

#[test]
fn empty_interval_belongs_to_the_window_of_its_timestamp() {
    let samples = Samples::new().count(&thing("a", 1), &[(10, 10, Some(7)), (10, 20, Some(8))]);
    assert_eq!(align(&samples, "thing:count", "10s", "00:00:20"), "10=7 20=1");
}

#[test]
fn interval_is_spread_over_several_windows() {
    let samples = counter_samples(&[(10, 10), (50, 40)]);
    assert_eq!(align(&samples, "thing:count", "10s", "00:00:50"), "10=10 20=10 30=10 40=10 50=10");
}

#[test]
fn mean_does_not_depend_on_window_length() {
    let points: Vec<_> = (1..=6).map(|step| (step * 10, 5)).collect();
    let samples = counter_samples(&points);
    assert_eq!(align(&samples, "thing:count", "10s", "00:01:00"), "10=5 20=5 30=5 40=5 50=5 60=5");
    assert_eq!(align(&samples, "thing:count", "20s", "00:01:00"), "20=5 40=5 60=5");
    assert_eq!(align(&samples, "thing:count", "30s", "00:01:00"), "30=5 60=5");
}

#[test]
fn the_grid_ends_at_the_latest_time_of_the_query_or_now() {
    let samples = Samples::new().level(&thing("a", 1), &[(35, Some(1.0)), (45, Some(3.0))]);
    let ask =
        |filter: &str| samples.ask(&format!("get thing:level | filter {filter} | align mean_within(20s)"));
    assert_eq!(ask("slot == 1"), "thing:level{name=a,slot=1}: 40=1 60=3");
    assert_eq!(ask("timestamp < @00:00:50"), "thing:level{name=a,slot=1}: 50=2");
    assert_eq!(ask("timestamp > @00:00:10"), "thing:level{name=a,slot=1}: 40=1 60=3");
    assert_eq!(
        ask("timestamp < @00:00:10 || timestamp <= @00:00:50 && slot == 1"),
        "thing:level{name=a,slot=1}: 50=2"
    );
    assert_eq!(ask("timestamp == @00:00:35"), "thing:level{name=a,slot=1}: 35=1");
    assert_eq!(ask("timestamp < @00:01:30"), "thing:level{name=a,slot=1}: 50=2 70=- 90=-");
}

#[test]
fn timestamp_in_the_far_future_is_refused() {
    let samples = Samples::new().level(&thing("a", 1), &[(35, Some(1.0)), (45, Some(3.0))]);
    for filter in ["timestamp < @9999-01-01", "timestamp < @2026-01-01"] {
        let error = samples.error(&format!("get thing:level | filter {filter} | align mean_within(1s)"));
        assert!(error.contains("more than the current limit of 1000000 data points"), "{error}");
    }
}

#[test]
fn gaps_of_more_than_a_hundred_periods_are_refused() {
    let text = "A table alignment operation may not upsample data by more than a factor of 100";
    let samples = Samples::new().level(&thing("a", 1), &[(0, Some(1.0)), (50, Some(3.0))]);
    let query = |period: &str| format!("get thing:level | last 9 | align mean_within({period})");
    assert_eq!(samples.error(&query("499ms")), text);
    assert!(samples.tables(&query("500ms")).is_ok());
}

#[test]
fn points_after_the_end_are_dropped() {
    let samples = Samples::new().level(&thing("a", 1), &[(70, Some(1.0))]);
    assert_eq!(samples.ask("get thing:level | last 9 | align mean_within(1s)"), "thing:level: nothing");
}

#[test]
fn aligned_points_can_be_aligned_again() {
    let points: Vec<_> = (1..=6).map(|value| (value * 10, Some(value as f64))).collect();
    let samples = Samples::new().level(&thing("a", 1), &points);
    assert_eq!(
        samples.ask("get thing:level | filter slot == 1 | align mean_within(10s) | align mean_within(30s)"),
        "thing:level{name=a,slot=1}: 30=2 60=5"
    );
}
