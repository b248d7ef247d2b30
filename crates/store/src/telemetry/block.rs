//! A compressed block of consecutive points of one timeseries.

use croft_oxql::model::{Datum, DatumType, Points};

use super::codec::{Damaged, Reader, fold, put, put_datum, take_datum};

/// Most times are whole milliseconds, whose differences take less than nanoseconds do.
const MILLISECOND: i64 = 1_000_000;

const MISSING: u128 = 1;
const NEW_START: u128 = 2;
const WHOLE_MILLISECONDS: u128 = 4;

/// One point of a timeseries.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    /// When, in nanoseconds since the epoch.
    pub(super) timestamp: i64,
    /// Since when the value counts; 0 for gauges.
    pub(super) start: i64,
    /// The value, unless it is missing.
    pub(super) datum: Option<Datum>,
}

/// Consecutive points of one timeseries, encoded. New ones come at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    /// The first timestamp.
    pub(super) first: i64,
    /// The last timestamp.
    pub(super) last: i64,
    /// How many points.
    pub(super) count: u32,
    /// The points.
    pub(super) data: Vec<u8>,
    end: Cursor,
}

/// The previous point, which the next one is encoded against.
#[derive(Clone, Debug, Default, PartialEq)]
struct Cursor {
    timestamp: i64,
    step: i64,
    start: i64,
    datum: Option<Datum>,
    begun: bool,
}

impl Cursor {
    fn advance(&mut self, timestamp: i64) {
        self.step = if self.begun { timestamp.wrapping_sub(self.timestamp) } else { 0 };
        self.timestamp = timestamp;
        self.begun = true;
    }
}

impl Block {
    /// Adds a point later than all others.
    pub(super) fn push(&mut self, point: &Point) {
        let Point { timestamp, start, datum } = point;
        let end = &mut self.end;
        let surprise = timestamp.wrapping_sub(end.timestamp).wrapping_sub(end.step);
        let mut head = 0;
        let surprise = if surprise % MILLISECOND == 0 {
            head |= WHOLE_MILLISECONDS;
            surprise / MILLISECOND
        } else {
            surprise
        };
        if datum.is_none() {
            head |= MISSING;
        }
        if *start != end.start {
            head |= NEW_START;
        }
        put(&mut self.data, u128::from(fold(surprise)) << 3 | head);
        if *start != end.start {
            // Seen from the point itself, as it begins shortly before it.
            put(&mut self.data, fold(timestamp.wrapping_sub(*start)));
            end.start = *start;
        }
        if let Some(datum) = datum {
            put_datum(&mut self.data, datum, end.datum.as_ref());
            end.datum = Some(datum.clone());
        }
        end.advance(*timestamp);
        if self.count == 0 {
            self.first = *timestamp;
        }
        self.last = *timestamp;
        self.count += 1;
    }

    /// The points.
    pub(super) fn points(&self, datum_type: DatumType) -> impl Iterator<Item = Result<Point, Damaged>> {
        decode(&self.data, datum_type)
    }
}

/// The points that were encoded.
pub(super) fn decode(data: &[u8], datum_type: DatumType) -> impl Iterator<Item = Result<Point, Damaged>> {
    let (mut reader, mut cursor) = (Reader(data), Cursor::default());
    std::iter::from_fn(move || (!reader.is_empty()).then(|| next(&mut reader, &mut cursor, datum_type))).scan(
        false,
        |failed, point| {
            // What follows damage is anything.
            let go_on = !*failed;
            *failed |= point.is_err();
            go_on.then_some(point)
        },
    )
}

fn next(reader: &mut Reader<'_>, cursor: &mut Cursor, datum_type: DatumType) -> Result<Point, Damaged> {
    let head = reader.wide()?;
    let surprise = u64::try_from(head >> 3).map_err(|_| Damaged)?;
    let mut surprise = (surprise >> 1).cast_signed() ^ -((surprise & 1).cast_signed());
    if head & WHOLE_MILLISECONDS != 0 {
        surprise = surprise.wrapping_mul(MILLISECOND);
    }
    cursor.advance(cursor.timestamp.wrapping_add(cursor.step).wrapping_add(surprise));
    if head & NEW_START != 0 {
        cursor.start = cursor.timestamp.wrapping_sub(reader.signed()?);
    }
    let datum = if head & MISSING == 0 {
        let datum = take_datum(reader, datum_type, cursor.datum.as_ref())?;
        cursor.datum = Some(datum.clone());
        Some(datum)
    } else {
        None
    };
    Ok(Point { timestamp: cursor.timestamp, start: cursor.start, datum })
}

/// Adds a point to columns that are for points of its type.
pub(super) fn add(points: &mut Points, point: Point) -> Result<(), Damaged> {
    if !points.values.push(point.datum) {
        return Err(Damaged);
    }
    points.timestamps.push(point.timestamp);
    if let Some(start_times) = &mut points.start_times {
        start_times.push(point.start);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use croft_oxql::model::{Distribution, Quantile};
    use proptest::prelude::*;

    use super::*;

    fn roundtrip(datum_type: DatumType, points: &[Point]) -> Block {
        let mut block = Block::default();
        for point in points {
            block.push(point);
        }
        let decoded: Vec<Point> = block.points(datum_type).collect::<Result<_, _>>().unwrap();
        assert_eq!(decoded, points);
        block
    }

    fn quantile() -> impl Strategy<Value = Option<Quantile>> {
        let state = (0.01..0.99, any::<[u64; 5]>(), prop::array::uniform5(-1e9..1e9));
        prop::option::of(state.prop_map(|(p, marker_positions, marker_heights)| Quantile {
            p,
            marker_heights,
            marker_positions,
            desired_marker_positions: marker_heights,
        }))
    }

    fn distribution() -> impl Strategy<Value = Datum> {
        let counts = prop::collection::vec(prop_oneof![Just(0), any::<u64>()], 3);
        let state = (any::<bool>(), counts, any::<Option<i64>>(), any::<i64>(), -1e9..1e9, quantile());
        state.prop_map(|(wide, counts, min, sum_of_samples, squared_mean, p50)| {
            let bins = if wide { [i64::MIN, 0, i64::MAX] } else { [0, 10, 20] };
            Datum::IntegerDistribution(Arc::new(Distribution {
                bins: bins.into(),
                counts,
                min,
                max: min.map(|min| min.wrapping_add(1)),
                sum_of_samples,
                squared_mean,
                p90: None,
                p99: p50.clone(),
                p50,
            }))
        })
    }

    fn points(datum: impl Strategy<Value = Datum>) -> impl Strategy<Value = Vec<Point>> {
        let step = prop_oneof![Just(5_000_000_000_i64), 1..10_000_000_000_i64];
        let point =
            (step, prop_oneof![3 => Just(0_i64), 1 => any::<i64>()], prop::option::weighted(0.9, datum));
        prop::collection::vec(point, 0..40).prop_map(|all| {
            let mut timestamp = 1_700_000_000_000_000_000;
            let point = |(step, start, datum)| {
                timestamp += step;
                Point { timestamp, start, datum }
            };
            all.into_iter().map(point).collect()
        })
    }

    proptest! {
        #[test]
        fn encoded_points_decode_to_the_same_points(
            integers in points(any::<i64>().prop_map(Datum::Integer)),
            unsigned in points(any::<u64>().prop_map(Datum::Unsigned)),
            doubles in points((-1e300..1e300).prop_map(Datum::Double)),
            booleans in points(any::<bool>().prop_map(Datum::Boolean)),
            texts in points(".*".prop_map(Datum::String)),
            bytes in points(any::<Vec<u8>>().prop_map(Datum::Bytes)),
            distributions in points(distribution()),
        ) {
            roundtrip(DatumType::I64, &integers);
            roundtrip(DatumType::CumulativeU64, &unsigned);
            roundtrip(DatumType::F32, &doubles);
            roundtrip(DatumType::Bool, &booleans);
            roundtrip(DatumType::String, &texts);
            roundtrip(DatumType::Bytes, &bytes);
            roundtrip(DatumType::HistogramU64, &distributions);
        }

        #[test]
        fn damaged_blocks_are_reported(data: Vec<u8>) {
            for datum_type in [DatumType::U8, DatumType::F64, DatumType::String, DatumType::HistogramI8] {
                let results: Vec<_> = decode(&data, datum_type).collect();
                let damaged = results.iter().filter(|result| result.is_err()).count();
                prop_assert!(damaged == 0 || damaged == 1 && results.last().unwrap().is_err());
            }
        }
    }

    #[test]
    fn counter_takes_less_than_six_bytes_per_sample() {
        let point = |number: i64| Point {
            timestamp: 1_700_000_000_000_000_000 + number * 5_000_000_000 + number % 3 * 1_000_000,
            start: 1_700_000_000_000_000_000,
            datum: Some(Datum::Unsigned((number * 65_536 + number % 7).cast_unsigned())),
        };
        let points: Vec<Point> = (0..120).map(point).collect();
        let block = roundtrip(DatumType::CumulativeU64, &points);
        assert!(block.data.len() < 120 * 6, "{}", block.data.len());
    }
}
