//! Sample timeseries, with all times in seconds since the epoch, and query results as text.

use std::{num::NonZeroU8, sync::Arc};

use croft_oxql::{
    Context, Memory, QueryError, Source,
    language::Query,
    model::{
        Datum, DatumType, Description, Distribution, FieldSchema, FieldSource, FieldType, FieldValue, Sample,
        Schema, Scope, Units,
    },
    parse, run,
    table::{Table, TablePoints, Values},
};
use jiff::Timestamp;

/// The time of every query.
pub fn now() -> Timestamp {
    Timestamp::from_second(60).unwrap()
}

pub const SECOND: i64 = 1_000_000_000;

type Fields = &'static [(&'static str, FieldType)];

const THING: Fields = &[("name", FieldType::String), ("slot", FieldType::U32)];
const OWNED: Fields =
    &[("instance_id", FieldType::Uuid), ("project_id", FieldType::Uuid), ("silo_id", FieldType::Uuid)];
const RICH: Fields = &[
    ("address", FieldType::IpAddr),
    ("big", FieldType::U64),
    ("id", FieldType::Uuid),
    ("small", FieldType::I8),
    ("text", FieldType::String),
    ("yes", FieldType::Bool),
];

/// The schema of every timeseries.
const SCHEMAS: &[(&str, DatumType, Fields)] = &[
    ("thing:state", DatumType::I64, THING),
    ("thing:size", DatumType::U64, THING),
    ("thing:level", DatumType::F64, THING),
    ("thing:count", DatumType::CumulativeU64, THING),
    ("thing:balance", DatumType::CumulativeI64, THING),
    ("thing:total", DatumType::CumulativeF64, THING),
    ("thing:sizes", DatumType::HistogramU64, THING),
    ("thing:ratios", DatumType::HistogramF64, THING),
    ("thing:label", DatumType::String, THING),
    ("thing:on", DatumType::Bool, THING),
    ("thing:raw", DatumType::Bytes, THING),
    ("other:level", DatumType::F64, &[("slot", FieldType::U32), ("name", FieldType::String)]),
    ("nameless:level", DatumType::F64, &[("slot", FieldType::U32)]),
    ("rich:state", DatumType::I64, RICH),
    ("owned:count", DatumType::CumulativeU64, OWNED),
];

pub fn schema(name: &str, datum_type: DatumType, fields: &[(&str, FieldType)]) -> Schema {
    Schema {
        name: name.parse().unwrap(),
        version: NonZeroU8::MIN,
        description: Description::default(),
        fields: fields
            .iter()
            .map(|(name, field_type)| FieldSchema {
                name: (*name).into(),
                field_type: *field_type,
                source: FieldSource::Target,
                description: String::new(),
            })
            .collect(),
        datum_type,
        units: Units::Count,
        scope: Scope::Fleet,
        created: Timestamp::UNIX_EPOCH,
    }
}

/// The fields of a thing.
pub fn thing(name: &str, slot: u32) -> Vec<FieldValue> {
    vec![name.into(), slot.into()]
}

pub struct Samples(pub Memory);

impl Samples {
    pub fn new() -> Self {
        let mut memory = Memory::default();
        for (name, datum_type, fields) in SCHEMAS {
            memory.define(schema(name, *datum_type, fields));
        }
        Self(memory)
    }

    /// Adds points of a gauge: times and values.
    pub fn gauge(mut self, name: &str, fields: &[FieldValue], points: &[(i64, Option<Datum>)]) -> Self {
        for (time, datum) in points {
            let (fields, timestamp) = (fields.to_vec(), time * SECOND);
            let sample = Sample { fields, timestamp, start_time: None, datum: datum.clone() };
            self.0.insert(&name.parse().unwrap(), sample).unwrap();
        }
        self
    }

    /// Adds points of a gauge of floating-point numbers.
    pub fn level(self, fields: &[FieldValue], points: &[(i64, Option<f64>)]) -> Self {
        let points: Vec<_> = points.iter().map(|(time, value)| (*time, value.map(Datum::Double))).collect();
        self.gauge("thing:level", fields, &points)
    }

    /// Adds points of a gauge of integers.
    pub fn state(self, fields: &[FieldValue], points: &[(i64, Option<i64>)]) -> Self {
        let points: Vec<_> = points.iter().map(|(time, value)| (*time, value.map(Datum::Integer))).collect();
        self.gauge("thing:state", fields, &points)
    }

    /// Adds cumulative points: start times, times and values.
    pub fn cumulative(
        mut self,
        name: &str,
        fields: &[FieldValue],
        points: &[(i64, i64, Option<Datum>)],
    ) -> Self {
        for (start, time, datum) in points {
            let sample = Sample {
                fields: fields.to_vec(),
                timestamp: time * SECOND,
                start_time: Some(start * SECOND),
                datum: datum.clone(),
            };
            self.0.insert(&name.parse().unwrap(), sample).unwrap();
        }
        self
    }

    /// Adds points of a counter.
    pub fn count(self, fields: &[FieldValue], points: &[(i64, i64, Option<u64>)]) -> Self {
        let datum = |value: &Option<u64>| value.map(Datum::Unsigned);
        let points: Vec<_> =
            points.iter().map(|(start, time, value)| (*start, *time, datum(value))).collect();
        self.cumulative("thing:count", fields, &points)
    }

    /// The result of a query.
    pub fn tables(&self, text: &str) -> Result<Vec<Table>, QueryError> {
        self.answer(&parse(text, now())?)
    }

    /// The result of a parsed query.
    pub fn answer(&self, query: &Query) -> Result<Vec<Table>, QueryError> {
        answer(query, &self.0)
    }

    /// The result as text, one line for each timeseries.
    pub fn ask(&self, text: &str) -> String {
        match self.tables(text) {
            Ok(tables) => show(&tables),
            Err(error) => panic!("{text}: {error}"),
        }
    }

    /// The text of the error.
    pub fn error(&self, text: &str) -> String {
        match self.tables(text) {
            Ok(tables) => panic!("{text}: {}", show(&tables)),
            Err(error) => error.to_string(),
        }
    }
}

pub fn answer(query: &Query, source: &dyn Source) -> Result<Vec<Table>, QueryError> {
    run(query, source, &Context { now: now(), memory: 1 << 30, overdue: &|| false })
}

/// Tables as text: `name{field=value}: start..time=value`.
pub fn show(tables: &[Table]) -> String {
    let mut lines = Vec::new();
    for table in tables {
        if table.series.is_empty() {
            lines.push(format!("{}: nothing", table.name));
        }
        for series in &table.series {
            let fields: Vec<_> = table
                .fields
                .iter()
                .zip(&series.fields)
                .map(|(field, value)| format!("{}={value}", field.name))
                .collect();
            lines.push(format!("{}{{{}}}: {}", table.name, fields.join(","), points(&series.points)));
        }
    }
    lines.join("\n")
}

fn points(points: &TablePoints) -> String {
    let one = |position: usize| {
        let start =
            points.start_times.as_ref().map(|start_times| format!("{}..", seconds(start_times[position])));
        let values: Vec<_> =
            points.dimensions.iter().map(|dimension| value(&dimension.values, position)).collect();
        format!("{}{}={}", start.unwrap_or_default(), seconds(points.timestamps[position]), values.join("|"))
    };
    (0..points.len()).map(one).collect::<Vec<_>>().join(" ")
}

fn seconds(nanoseconds: i64) -> String {
    if nanoseconds % SECOND == 0 { (nanoseconds / SECOND).to_string() } else { format!("{nanoseconds}ns") }
}

fn value(values: &Values, position: usize) -> String {
    fn text<T: ToString>(value: Option<&T>) -> String {
        value.map_or_else(|| "-".into(), ToString::to_string)
    }
    match values {
        Values::Integer(values) => text(values[position].as_ref()),
        Values::Double(values) => text(values[position].as_ref()),
        Values::Boolean(values) => text(values[position].as_ref()),
        Values::String(values) => text(values[position].as_ref()),
        Values::IntegerDistribution(values) => {
            text(values[position].as_ref().map(|value| format!("{:?}", value.counts)).as_ref())
        }
        Values::DoubleDistribution(values) => {
            text(values[position].as_ref().map(|value| format!("{:?}", value.counts)).as_ref())
        }
    }
}

/// A histogram with bins from 0, 10 and 100.
#[allow(clippy::unnecessary_wraps, reason = "`None` is a missing value in the same position")]
pub fn sizes(counts: [u64; 3], sum: i64) -> Option<Datum> {
    Some(Datum::IntegerDistribution(Arc::new(Distribution {
        bins: Arc::from([0, 10, 100]),
        counts: counts.to_vec(),
        min: Some(1),
        max: Some(200),
        sum_of_samples: sum,
        squared_mean: 4.0,
        p50: None,
        p90: None,
        p99: None,
    })))
}
