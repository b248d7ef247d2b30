use std::sync::Arc;

use croft_oxql::{
    model::{Datum, Distribution, Quantile},
    table::{MetricType, Values},
};

use crate::kit::{Samples, sizes, thing};

fn count(points: &[(i64, i64, Option<u64>)]) -> Samples {
    Samples::new().count(&thing("a", 1), points)
}

const ALL: &str = "get thing:count | filter slot == 1";

#[test]
fn the_first_point_is_raw_and_others_are_differences() {
    let samples = count(&[(0, 10, Some(5)), (0, 20, Some(7)), (0, 30, Some(7)), (0, 40, Some(20))]);
    assert_eq!(samples.ask(ALL), "thing:count{name=a,slot=1}: 0..10=5 10..20=2 20..30=0 30..40=13");
    let tables = samples.tables(ALL).unwrap();
    assert_eq!(tables[0].series[0].points.dimensions[0].metric_type, MetricType::Delta);
}

#[test]
fn new_start_time_resets_the_counter() {
    let samples = count(&[(0, 10, Some(5)), (10, 20, Some(3)), (25, 30, Some(1)), (25, 40, Some(4))]);
    assert_eq!(samples.ask(ALL), "thing:count{name=a,slot=1}: 0..10=5 10..20=3 25..30=1 30..40=3");
}

#[test]
fn overlapping_start_times_are_refused() {
    let text = "Cannot compute a delta, the timestamp of the next sample has a new start time, or overlaps with the \
                last processed sample.";
    assert!(count(&[(0, 10, Some(5)), (5, 20, Some(3))]).error(ALL).contains(text));
    assert!(count(&[(5, 10, Some(5)), (0, 20, Some(3))]).error(ALL).contains(text));
    assert!(count(&[(0, 10, Some(5)), (5, 20, None)]).error(ALL).contains(text));
}

#[test]
fn missing_values_are_included_in_the_next_difference() {
    let samples = count(&[(0, 10, Some(5)), (0, 20, None), (0, 30, Some(9))]);
    assert_eq!(samples.ask(ALL), "thing:count{name=a,slot=1}: 0..10=5 10..20=- 20..30=4");
    let first = count(&[(0, 10, None), (0, 20, Some(5)), (0, 30, Some(6))]);
    assert_eq!(first.ask(ALL), "thing:count{name=a,slot=1}: 0..10=- 0..20=5 20..30=1");
    let anew = count(&[(0, 10, Some(5)), (15, 20, None), (15, 30, Some(2))]);
    assert_eq!(anew.ask(ALL), "thing:count{name=a,slot=1}: 0..10=5 15..20=- 15..30=2");
    let nothing = count(&[(0, 10, None), (0, 20, None)]);
    assert_eq!(nothing.ask(ALL), "thing:count{name=a,slot=1}: 0..10=- 10..20=-");
}

#[test]
fn time_and_count_limits_determine_the_first_point() {
    let samples = count(&[(0, 10, Some(5)), (0, 20, Some(7)), (0, 30, Some(10)), (0, 40, Some(20))]);
    let ask = |operations: &str| samples.ask(&format!("{ALL} | {operations}"));
    assert_eq!(ask("filter timestamp > @00:00:10"), "thing:count{name=a,slot=1}: 0..20=7 20..30=3 30..40=10");
    assert_eq!(ask("last 2"), "thing:count{name=a,slot=1}: 0..30=10 30..40=10");
    assert_eq!(ask("first 2"), "thing:count{name=a,slot=1}: 0..10=5 10..20=2");
    assert_eq!(ask("filter datum > 4 | last 3"), "thing:count{name=a,slot=1}: 0..10=5 30..40=10");
}

#[test]
fn numbers_beyond_64_bits_are_refused() {
    let great = i64::MAX as u64 + 1;
    assert_eq!(count(&[(0, 10, Some(great))]).error(ALL), "Failed to convert u64 datum to i64");
    let gauge = Samples::new().gauge("thing:size", &thing("a", 1), &[(10, Some(Datum::Unsigned(great)))]);
    assert_eq!(gauge.error("get thing:size | last 1"), "Failed to convert u64 datum to i64");
    let balance = Samples::new().cumulative(
        "thing:balance",
        &thing("a", 1),
        &[(0, 10, Some(Datum::Integer(i64::MIN))), (0, 20, Some(Datum::Integer(i64::MAX)))],
    );
    assert!(balance.error("get thing:balance | last 5").contains("is not a 64-bit integer"));
    let down = Samples::new().cumulative(
        "thing:balance",
        &thing("a", 1),
        &[(0, 10, Some(Datum::Integer(5))), (0, 20, Some(Datum::Integer(-5)))],
    );
    assert_eq!(down.ask("get thing:balance | last 5"), "thing:balance{name=a,slot=1}: 0..10=5 10..20=-10");
}

#[test]
fn floating_point_counters_are_subtracted() {
    let datum = |value| Some(Datum::Double(value));
    let points = [(0, 10, datum(0.5)), (0, 20, datum(2.0)), (0, 30, datum(f64::NAN)), (0, 40, datum(2.5))];
    let samples = Samples::new().cumulative("thing:total", &thing("a", 1), &points);
    assert_eq!(
        samples.ask("get thing:total | last 9"),
        "thing:total{name=a,slot=1}: 0..10=0.5 10..20=1.5 20..30=- 30..40=0.5"
    );
}

#[test]
fn histograms_are_subtracted_bin_by_bin() {
    let points =
        [(0, 10, sizes([1, 2, 0], 30)), (0, 20, sizes([1, 4, 1], 150)), (20, 30, sizes([1, 0, 0], 3))];
    let samples = Samples::new().cumulative("thing:sizes", &thing("a", 1), &points);
    let query = "get thing:sizes | filter name == 'a'";
    assert_eq!(
        samples.ask(query),
        "thing:sizes{name=a,slot=1}: 0..10=[1, 2, 0] 10..20=[0, 2, 1] 20..30=[1, 0, 0]"
    );
    let tables = samples.tables(query).unwrap();
    let Values::IntegerDistribution(values) = &tables[0].series[0].points.dimensions[0].values else {
        panic!()
    };
    let [raw, difference, anew] = [0, 1, 2].map(|place: usize| values[place].clone().unwrap());
    assert_eq!((raw.min, raw.max, raw.sum_of_samples, raw.squared_mean), (Some(1), Some(200), 30, 4.0));
    assert_eq!((difference.min, difference.max, difference.sum_of_samples), (None, None, 120));
    assert_eq!(difference.squared_mean, (150.0_f64 / 6.0 - 30.0 / 3.0).powi(2));
    assert_eq!(anew.min, Some(1));
}

#[test]
fn inconsistent_histograms_are_refused() {
    let error = |points: &[(i64, i64, Option<Datum>)]| {
        Samples::new().cumulative("thing:sizes", &thing("a", 1), points).error("get thing:sizes | last 9")
    };
    let fewer = [(0, 10, sizes([1, 2, 0], 30)), (0, 20, sizes([1, 1, 1], 150))];
    assert_eq!(error(&fewer), "Underflow subtracting distributions values");
    let Some(Datum::IntegerDistribution(other)) = sizes([1, 2, 0], 30) else { panic!() };
    let other = Distribution { bins: Arc::from([0, 10, 101]), ..(*other).clone() };
    let others = [(0, 10, sizes([1, 2, 0], 30)), (0, 20, Some(Datum::IntegerDistribution(Arc::new(other))))];
    assert_eq!(error(&others), "Cannot subtract distributions with different bins");
    let sums = [(0, 10, sizes([1, 2, 0], i64::MIN)), (0, 20, sizes([1, 2, 1], i64::MAX))];
    assert!(error(&sums).contains("is not a 64-bit integer"));
}

#[test]
fn differences_of_floating_point_histograms_have_no_quantiles() {
    let quantile = Quantile {
        p: 0.5,
        marker_heights: [0.0; 5],
        marker_positions: [1; 5],
        desired_marker_positions: [1.0; 5],
    };
    let ratio = |counts: [u64; 2], sum| {
        Some(Datum::DoubleDistribution(Arc::new(Distribution {
            bins: Arc::from([0.0, 0.5]),
            counts: counts.to_vec(),
            min: Some(0.1),
            max: Some(0.9),
            sum_of_samples: sum,
            squared_mean: 0.0,
            p50: Some(quantile.clone()),
            p90: None,
            p99: None,
        })))
    };
    let points = [(0, 10, ratio([0, 0], 0.0)), (0, 20, ratio([2, 1], 1.5)), (0, 30, None)];
    let samples = Samples::new().cumulative("thing:ratios", &thing("a", 1), &points);
    let tables = samples.tables("get thing:ratios | last 9").unwrap();
    let Values::DoubleDistribution(values) = &tables[0].series[0].points.dimensions[0].values else {
        panic!()
    };
    assert!(values[0].as_ref().unwrap().p50.is_some());
    let difference = values[1].as_ref().unwrap();
    assert_eq!(
        (difference.p50.is_some(), difference.sum_of_samples, difference.squared_mean),
        (false, 1.5, 0.25)
    );
    assert!(values[2].is_none());
}
