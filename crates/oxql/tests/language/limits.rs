//! Bounds on what a query may use.

use std::{cell::Cell, sync::Arc};

use croft_oxql::{
    Context, QueryError, Series, Source, SourceError, Window,
    model::{Column, DatumType, FieldType, FieldValue, Points, Schema, TimeseriesName},
    parse, run,
};

use crate::kit::{Samples, now, schema, thing};

/// A source that generates series of a gauge when they are read.
struct GeneratedSource {
    schema: Arc<Schema>,
    series: u32,
    points: usize,
    broken: bool,
}

impl GeneratedSource {
    fn new(series: u32, points: usize) -> Self {
        let fields = [("name", FieldType::String), ("slot", FieldType::U32)];
        let schema = Arc::new(schema("thing:level", DatumType::F64, &fields));
        Self { schema, series, points, broken: false }
    }

    fn ask(&self, text: &str) -> Result<usize, QueryError> {
        let query = parse(text, now()).unwrap();
        let tables = run(&query, self, &Context { now: now(), memory: 64 << 20, overdue: &|| false })?;
        Ok(tables.iter().flat_map(|table| &table.series).map(|series| series.points.len()).sum())
    }
}

impl Source for GeneratedSource {
    fn schema(&self, _: &TimeseriesName) -> Result<Option<Arc<Schema>>, SourceError> {
        Ok(Some(Arc::clone(&self.schema)))
    }

    fn stored_schemas(&self, _: Option<&TimeseriesName>, _: usize) -> Result<Vec<Arc<Schema>>, SourceError> {
        Ok(vec![Arc::clone(&self.schema)])
    }

    fn series(&self, _: &Schema, _: &[(usize, FieldValue)]) -> Result<Vec<Series>, SourceError> {
        Ok((0..self.series).map(|slot| Series { id: slot.into(), fields: thing("a", slot) }).collect())
    }

    fn points(&self, _: &Schema, _: &Series, _: &Window, most: usize) -> Result<Points, SourceError> {
        if self.points > most {
            return Err(SourceError::TooManyPoints);
        }
        let mut timestamps: Vec<i64> = (0..self.points as i64).collect();
        if self.broken {
            timestamps.reverse();
        }
        Ok(Points { timestamps, start_times: None, values: Column::Double(vec![Some(1.0); self.points]) })
    }
}

#[test]
fn query_may_fetch_at_most_a_million_points() {
    assert_eq!(
        GeneratedSource::new(10, 100_000).ask("get thing:level | filter timestamp >= @1970-01-01"),
        Ok(1_000_000)
    );
    let error = GeneratedSource::new(10, 100_001)
        .ask("get thing:level | filter timestamp >= @1970-01-01")
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "Query requires fetching more than the current limit of 1000000 data points from the timeseries database"
    );
    let all = "get thing:level | filter timestamp >= @1970-01-01";
    assert!(GeneratedSource::new(6, 100_000).ask(&format!("{{ {all}; {all} }}")).is_err());
}

#[test]
fn memory_is_bounded() {
    let source = GeneratedSource::new(1, 10_000);
    let query = parse("get thing:level | last 10000", now()).unwrap();
    let run = |memory| run(&query, &source, &Context { now: now(), memory, overdue: &|| false });
    assert!(run(1 << 20).is_ok());
    assert!(run(100_000).unwrap_err().to_string().contains("MiB of memory"));
}

#[test]
fn overdue_query_is_ended() {
    let (source, query) = (GeneratedSource::new(5, 10), parse("get thing:level | last 10", now()).unwrap());
    let calls = Cell::new(0);
    let overdue = || {
        calls.set(calls.get() + 1);
        calls.get() > 3
    };
    let context = Context { now: now(), memory: 1 << 20, overdue: &overdue };
    assert_eq!(run(&query, &source, &context), Err(QueryError::TimedOut));
    assert_eq!(calls.get(), 4);
}

#[test]
fn source_with_unsorted_points_is_refused() {
    let source = GeneratedSource { broken: true, ..GeneratedSource::new(1, 10) };
    assert!(matches!(source.ask("get thing:level | last 10"), Err(QueryError::Unavailable(_))));
}

/// Returns at most twenty points for each series.
struct SmallPages(Samples);
impl Source for SmallPages {
    fn schema(&self, name: &TimeseriesName) -> Result<Option<Arc<Schema>>, SourceError> {
        self.0.0.schema(name)
    }
    fn stored_schemas(&self, _: Option<&TimeseriesName>, _: usize) -> Result<Vec<Arc<Schema>>, SourceError> {
        Ok(Vec::new())
    }
    fn series(&self, schema: &Schema, equal: &[(usize, FieldValue)]) -> Result<Vec<Series>, SourceError> {
        self.0.0.series(schema, equal)
    }
    fn points(
        &self,
        schema: &Schema,
        series: &Series,
        window: &Window,
        _: usize,
    ) -> Result<Points, SourceError> {
        self.0.0.points(schema, series, window, 20)
    }
}

#[test]
fn limits_are_pushed_to_the_source_where_possible() {
    // The source refuses more than twenty points, so these queries only succeed if their limit was pushed down.
    let points: Vec<_> = (0..1000).map(|time| (time, Some(time))).collect();
    let samples = Samples::new().state(&thing("a", 1), &points);
    let source = SmallPages(samples);
    let ask = |operations: &str| {
        let query = parse(&format!("get thing:state | {operations}"), now()).unwrap();
        run(&query, &source, &Context { now: now(), memory: 1 << 20, overdue: &|| false }).is_ok()
    };
    for pushed in [
        "last 5",
        "filter slot == 1 | first 5",
        "first 5 | filter name == 'a'",
        "filter timestamp > @00:00:10 | last 5",
        "filter timestamp < @00:10:00 | first 5",
        "last 5 | filter timestamp > @00:00:10 | last 20",
        "filter timestamp >= @00:00:10 && timestamp < @00:00:30",
        "filter timestamp == @00:00:10 || timestamp == @00:00:11",
        "last 20 | first 1000",
        "last 5 | align mean_within(1h)",
    ] {
        assert!(ask(pushed), "{pushed}");
    }
    for not_pushed in [
        "filter datum > 5 | last 5",
        "filter timestamp < @00:10:00 | last 5",
        "filter timestamp > @00:00:10 | first 5",
        "filter timestamp != @00:00:10 | first 5",
        "filter slot == 1 | align mean_within(1h) | last 5",
        "last 21",
    ] {
        assert!(!ask(not_pushed), "{not_pushed}");
    }
}
