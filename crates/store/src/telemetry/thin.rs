//! Downsampling of old points.
//!
//! Counters keep the last point of each minute and the number of points. When read, the points in between are
//! interpolated on a straight line, so that means over samples stay the same. Histograms keep the last point of each
//! minute. Floating-point gauges are replaced by the mean of each minute. Other gauges are step functions in which each
//! point matters: they are not thinned out.

use croft_oxql::model::{Datum, DatumType};

use super::{
    block::{Block, Point, decode},
    codec::{Damaged, Reader, put},
    file::Stored,
};

/// The interval that is reduced to one point, in nanoseconds.
const SPAN: i64 = 60_000_000_000;
/// The interval that a block of reduced points covers, in nanoseconds.
const DAY: i64 = 86_400_000_000_000;

/// Whether points of a type are thinned out.
pub(super) fn applies(datum_type: DatumType) -> bool {
    datum_type.is_cumulative() || matches!(datum_type, DatumType::F32 | DatumType::F64)
}

/// Whether removed points are interpolated when read.
fn fills(datum_type: DatumType) -> bool {
    datum_type.is_cumulative() && !datum_type.is_histogram()
}

/// Replaces blocks by thinned-out ones: one for each day.
pub(super) fn thin_by_day(blocks: &[Stored], datum_type: DatumType) -> Result<Vec<Stored>, Damaged> {
    let same_day = |a: &Stored, b: &Stored| a.first.div_euclid(DAY) == b.first.div_euclid(DAY);
    blocks.chunk_by(same_day).filter_map(|day| thin(day, datum_type).transpose()).collect()
}

impl Stored {
    /// A block that needs no thinning.
    pub(super) fn as_thinned(&self) -> Self {
        let data = with_counts(&self.data, &vec![1; self.count as usize]);
        Self { tier: 1, data, ..self.clone() }
    }

    /// A block of points each of which stands for as many as its encoded count says, `total` altogether.
    pub(super) fn thinned(kept: &Block, counts: &[u8], total: u32) -> Self {
        let data = with_counts(&kept.data, counts);
        Self { tier: 1, first: kept.first, last: kept.last, count: total, data }
    }
}

fn with_counts(points: &[u8], counts: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(points.len() + counts.len() + 4);
    put(&mut data, points.len() as u64);
    data.extend_from_slice(points);
    data.extend_from_slice(counts);
    data
}

/// Replaces several blocks by one thinned-out block.
fn thin(blocks: &[Stored], datum_type: DatumType) -> Result<Option<Stored>, Damaged> {
    let (mut kept, mut counts) = (Block::default(), Vec::new());
    let mut group: Vec<Point> = Vec::new();
    let mut end_group = |group: &mut Vec<Point>| {
        if let Some(point) = merged(group) {
            put(&mut counts, group.len() as u64);
            kept.push(&point);
        }
        group.clear();
    };
    let (mut total, mut alone) = (0, true);
    for point in blocks.iter().flat_map(|block| decode(&block.data, datum_type)) {
        let point = point?;
        total += 1;
        if let Some(last) = group.last() {
            let same_minute = last.timestamp.div_euclid(SPAN) == point.timestamp.div_euclid(SPAN);
            let same_kind = last.start == point.start && last.datum.is_some() == point.datum.is_some();
            if alone || !same_minute || !same_kind {
                end_group(&mut group);
            }
            // The first point is kept, because there is nothing before it to interpolate from.
            alone = !same_kind;
        }
        group.push(point);
    }
    end_group(&mut group);
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return Ok(None) };
    let data = with_counts(&kept.data, &counts);
    Ok(Some(Stored { tier: 1, first: first.first, last: last.last, count: total, data }))
}

/// The points that a minute is reduced to.
fn merged(group: &[Point]) -> Option<Point> {
    let last = group.last()?;
    let doubles: Vec<f64> = group
        .iter()
        .filter_map(|point| if let Some(Datum::Double(value)) = point.datum { Some(value) } else { None })
        .collect();
    let is_gauge = last.start == 0;
    let datum = if is_gauge && !doubles.is_empty() {
        #[expect(clippy::cast_precision_loss, reason = "a minute has few points")]
        let count = doubles.len() as f64;
        Some(Datum::Double(doubles.iter().sum::<f64>() / count))
    } else {
        last.datum.clone()
    };
    Some(Point { datum, ..*last })
}

/// The points of a stored block, whatever its tier.
pub(super) fn points(block: &Stored, datum_type: DatumType) -> Result<Vec<Point>, Damaged> {
    if block.tier == 0 {
        return decode(&block.data, datum_type).collect();
    }
    let mut reader = Reader(&block.data);
    let kept: Vec<Point> = decode(reader.bytes()?, datum_type).collect::<Result<_, _>>()?;
    let mut points: Vec<Point> = Vec::with_capacity(block.count as usize);
    for point in kept {
        let count = reader.unsigned()?.min(u64::from(block.count));
        if fills(datum_type) {
            fill(&mut points, &point, count);
        }
        points.push(point);
    }
    Ok(points)
}

/// Interpolates the removed points before a kept one.
fn fill(points: &mut Vec<Point>, point: &Point, count: u64) {
    let Some(before) = points.last().filter(|before| before.start == point.start).cloned() else { return };
    for step in 1..count {
        let timestamp = before.timestamp + between(point.timestamp - before.timestamp, step, count);
        let datum = match (&before.datum, &point.datum) {
            (Some(old), Some(new)) => Some(part_of_the_way(old, new, step, count)),
            _ => None,
        };
        points.push(Point { timestamp, start: point.start, datum });
    }
}

fn between(length: i64, step: u64, steps: u64) -> i64 {
    let share = i128::from(length) * i128::from(step) / i128::from(steps.max(1));
    i64::try_from(share).unwrap_or(length)
}

#[expect(clippy::cast_precision_loss, reason = "a sum of floating-point numbers is not exact anyway")]
fn part_of_the_way(old: &Datum, new: &Datum, step: u64, steps: u64) -> Datum {
    match (old, new) {
        (Datum::Unsigned(old), Datum::Unsigned(new)) => {
            let way = i128::from(*new) - i128::from(*old);
            let value = i128::from(*old) + way * i128::from(step) / i128::from(steps.max(1));
            Datum::Unsigned(u64::try_from(value).unwrap_or(*new))
        }
        (Datum::Integer(old), Datum::Integer(new)) => {
            let way = i128::from(*new) - i128::from(*old);
            let value = i128::from(*old) + way * i128::from(step) / i128::from(steps.max(1));
            Datum::Integer(i64::try_from(value).unwrap_or(*new))
        }
        (Datum::Double(old), Datum::Double(new)) => {
            Datum::Double(old + (new - old) * step as f64 / steps.max(1) as f64)
        }
        _ => new.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn block(points: &[Point]) -> Stored {
        let mut block = Block::default();
        for point in points {
            block.push(point);
        }
        let Block { first, last, count, data, .. } = block;
        Stored { tier: 0, first, last, count, data }
    }

    fn point(timestamp: i64, start: i64, datum: Option<Datum>) -> Point {
        Point { timestamp: timestamp * SECOND, start: start * SECOND, datum }
    }

    fn thinned(points: &[Point], datum_type: DatumType) -> (Stored, Vec<Point>) {
        let stored = thin(&[block(points)], datum_type).unwrap().unwrap();
        let read = super::points(&stored, datum_type).unwrap();
        (stored, read)
    }

    #[test]
    fn steady_counter_is_restored_exactly() {
        let points: Vec<Point> =
            (1..2000).map(|n| point(n * 5, 1, Some(Datum::Unsigned(n.cast_unsigned() * 1000)))).collect();
        let (stored, read) = thinned(&points, DatumType::CumulativeU64);
        assert_eq!(read, points);
        assert!(stored.data.len() * 5 < block(&points).data.len(), "{}", stored.data.len());
    }

    #[test]
    fn counter_keeps_resets_and_gaps() {
        let unsigned = |value| Some(Datum::Unsigned(value));
        let mut points = Vec::new();
        for n in 0..30 {
            points.push(point(n * 5 + 1, 1, unsigned(n.cast_unsigned().pow(2))));
        }
        for n in 30..40 {
            points.push(point(n * 5 + 1, 1, None));
        }
        for n in 40..80 {
            points.push(point(n * 5 + 1, 190, unsigned(n.cast_unsigned() - 40)));
        }
        let (_, read) = thinned(&points, DatumType::CumulativeU64);
        let times =
            |points: &[Point]| points.iter().map(|point| (point.timestamp, point.start)).collect::<Vec<_>>();
        assert_eq!(times(&read), times(&points));
        for (read, point) in read.iter().zip(&points) {
            assert_eq!(read.datum.is_some(), point.datum.is_some());
        }
        // The last point before the break and the first and last ones after it are unchanged.
        for place in [0, 29, 40, 79] {
            assert_eq!(read[place], points[place], "{place}");
        }
    }

    #[test]
    fn gauge_is_averaged() {
        let points: Vec<Point> = (0..24)
            .map(|n| point(n * 5, 0, Some(Datum::Double(if n % 2 == 0 { 1.0 } else { 2.0 }))))
            .collect();
        let (_, read) = thinned(&points, DatumType::F64);
        let values: Vec<_> =
            read.iter().map(|point| (point.timestamp / SECOND, point.datum.clone())).collect();
        assert_eq!(values[2], (115, Some(Datum::Double(1.5))));
        assert_eq!(values.len(), 3);
        assert!(!applies(DatumType::I64) && !applies(DatumType::Bool) && applies(DatumType::HistogramU64));
    }
}
