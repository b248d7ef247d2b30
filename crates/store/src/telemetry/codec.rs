//! Encoding of numbers and values: each as the difference from the previous one, in a variable number of bytes.

use std::sync::Arc;

use croft_oxql::model::{Datum, DatumType, Distribution, Quantile};

/// Bytes that were not written by this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stored samples are damaged")]
pub(super) struct Damaged;

/// Appends a number, seven bits to a byte.
pub(super) fn put(out: &mut Vec<u8>, number: impl Into<u128>) {
    let mut rest = number.into();
    loop {
        let seven = (rest & 0x7f) as u8;
        rest >>= 7;
        if rest == 0 {
            out.push(seven);
            return;
        }
        out.push(seven | 0x80);
    }
}

/// Small for numbers near zero, whatever their sign.
pub(super) const fn fold(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

const fn unfold(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Takes bytes from the front.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn wide(&mut self) -> Result<u128, Damaged> {
        let mut number = 0;
        for shift in (0..126).step_by(7) {
            let (byte, rest) = self.0.split_first().ok_or(Damaged)?;
            self.0 = rest;
            number |= u128::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    pub(super) fn unsigned(&mut self) -> Result<u64, Damaged> {
        self.wide()?.try_into().map_err(|_| Damaged)
    }

    pub(super) fn length(&mut self) -> Result<usize, Damaged> {
        self.unsigned()?.try_into().map_err(|_| Damaged)
    }

    pub(super) fn signed(&mut self) -> Result<i64, Damaged> {
        Ok(unfold(self.unsigned()?))
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Damaged> {
        let length = self.length()?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }
}

/// A number that distributions are made of.
trait Scalar: Copy + Default + PartialEq {
    fn put(self, before: Self, out: &mut Vec<u8>);
    fn take(before: Self, reader: &mut Reader<'_>) -> Result<Self, Damaged>;
}

impl Scalar for i64 {
    fn put(self, before: Self, out: &mut Vec<u8>) {
        put(out, fold(self.wrapping_sub(before)));
    }

    fn take(before: Self, reader: &mut Reader<'_>) -> Result<Self, Damaged> {
        Ok(before.wrapping_add(reader.signed()?))
    }
}

impl Scalar for u64 {
    fn put(self, before: Self, out: &mut Vec<u8>) {
        put(out, fold(self.wrapping_sub(before).cast_signed()));
    }

    fn take(before: Self, reader: &mut Reader<'_>) -> Result<Self, Damaged> {
        Ok(before.wrapping_add(reader.signed()?.cast_unsigned()))
    }
}

impl Scalar for f64 {
    fn put(self, before: Self, out: &mut Vec<u8>) {
        // Numbers that are near each other share their first bits, round ones have zeros at their end.
        put(out, (self.to_bits() ^ before.to_bits()).swap_bytes());
    }

    fn take(before: Self, reader: &mut Reader<'_>) -> Result<Self, Damaged> {
        Ok(Self::from_bits(before.to_bits() ^ reader.unsigned()?.swap_bytes()))
    }
}

/// Appends a value, given the one before it in the same timeseries.
pub(super) fn put_datum(out: &mut Vec<u8>, datum: &Datum, before: Option<&Datum>) {
    match (datum, before) {
        (Datum::Boolean(value), _) => out.push(u8::from(*value)),
        (Datum::Integer(value), Some(Datum::Integer(before))) => value.put(*before, out),
        (Datum::Integer(value), _) => value.put(0, out),
        (Datum::Unsigned(value), Some(Datum::Unsigned(before))) => value.put(*before, out),
        (Datum::Unsigned(value), _) => value.put(0, out),
        (Datum::Double(value), Some(Datum::Double(before))) => value.put(*before, out),
        (Datum::Double(value), _) => value.put(0.0, out),
        (Datum::String(value), _) => put_bytes(out, value.as_bytes()),
        (Datum::Bytes(value), _) => put_bytes(out, value),
        (Datum::IntegerDistribution(value), Some(Datum::IntegerDistribution(before))) => {
            put_distribution(out, value, Some(before));
        }
        (Datum::IntegerDistribution(value), _) => put_distribution(out, value, None),
        (Datum::DoubleDistribution(value), Some(Datum::DoubleDistribution(before))) => {
            put_distribution(out, value, Some(before));
        }
        (Datum::DoubleDistribution(value), _) => put_distribution(out, value, None),
    }
}

/// Takes a value of a timeseries, given the one before it.
pub(super) fn take_datum(
    reader: &mut Reader<'_>,
    datum_type: DatumType,
    before: Option<&Datum>,
) -> Result<Datum, Damaged> {
    use DatumType as Type;
    Ok(match datum_type {
        Type::Bool => {
            let (byte, rest) = reader.0.split_first().ok_or(Damaged)?;
            reader.0 = rest;
            Datum::Boolean(*byte == 1)
        }
        Type::String => {
            let bytes = reader.bytes()?.to_vec();
            Datum::String(String::from_utf8(bytes).map_err(|_| Damaged)?)
        }
        Type::Bytes => Datum::Bytes(reader.bytes()?.to_vec()),
        Type::U64 | Type::CumulativeU64 => {
            let before = if let Some(Datum::Unsigned(before)) = before { *before } else { 0 };
            Datum::Unsigned(u64::take(before, reader)?)
        }
        Type::F32 | Type::F64 | Type::CumulativeF32 | Type::CumulativeF64 => {
            let before = if let Some(Datum::Double(before)) = before { *before } else { 0.0 };
            Datum::Double(f64::take(before, reader)?)
        }
        Type::HistogramF32 | Type::HistogramF64 => {
            let before =
                if let Some(Datum::DoubleDistribution(before)) = before { Some(before) } else { None };
            Datum::DoubleDistribution(take_distribution(reader, before)?)
        }
        histogram if histogram.is_histogram() => {
            let before =
                if let Some(Datum::IntegerDistribution(before)) = before { Some(before) } else { None };
            Datum::IntegerDistribution(take_distribution(reader, before)?)
        }
        _ => {
            let before = if let Some(Datum::Integer(before)) = before { *before } else { 0 };
            Datum::Integer(i64::take(before, reader)?)
        }
    })
}

/// What the byte before a distribution says.
mod part {
    pub(super) const SAME: u8 = 1;
    pub(super) const BINS: u8 = 2;
    pub(super) const MIN: u8 = 4;
    pub(super) const MAX: u8 = 8;
    pub(super) const P50: u8 = 16;
    pub(super) const P90: u8 = 32;
    pub(super) const P99: u8 = 64;
}

const NO_QUANTILE: Quantile = Quantile {
    p: 0.0,
    marker_heights: [0.0; 5],
    marker_positions: [0; 5],
    desired_marker_positions: [0.0; 5],
};

fn put_distribution<T: Scalar>(
    out: &mut Vec<u8>,
    value: &Distribution<T>,
    before: Option<&Arc<Distribution<T>>>,
) {
    if before.is_some_and(|before| **before == *value) {
        out.push(part::SAME);
        return;
    }
    let before =
        before.filter(|before| before.bins == value.bins && before.counts.len() == value.counts.len());
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    out.push(
        flag(before.is_none(), part::BINS)
            | flag(value.min.is_some(), part::MIN)
            | flag(value.max.is_some(), part::MAX)
            | flag(value.p50.is_some(), part::P50)
            | flag(value.p90.is_some(), part::P90)
            | flag(value.p99.is_some(), part::P99),
    );
    if before.is_none() {
        put(out, value.bins.len() as u64);
        value.bins.iter().fold(T::default(), |before, bin| {
            bin.put(before, out);
            *bin
        });
        put(out, value.counts.len() as u64);
    }
    put_counts(out, &value.counts, before.map(|before| before.counts.as_slice()));
    for bound in [value.min, value.max].into_iter().flatten() {
        bound.put(T::default(), out);
    }
    value.sum_of_samples.put(before.map_or(T::default(), |before| before.sum_of_samples), out);
    value.squared_mean.put(before.map_or(0.0, |before| before.squared_mean), out);
    let quantiles = |of: &Distribution<T>| [of.p50.clone(), of.p90.clone(), of.p99.clone()];
    let befores = before.map_or([None, None, None], |before| quantiles(before));
    for (quantile, before) in quantiles(value).into_iter().zip(befores) {
        if let Some(quantile) = quantile {
            put_quantile(out, &quantile, &before.unwrap_or(NO_QUANTILE));
        }
    }
}

/// The counts that differ, each with how many before it do not.
fn put_counts(out: &mut Vec<u8>, counts: &[u64], before: Option<&[u64]>) {
    let changed = |place: usize| counts[place] != before.map_or(0, |before| before[place]);
    let places: Vec<usize> = (0..counts.len()).filter(|place| changed(*place)).collect();
    put(out, places.len() as u64);
    let mut next = 0;
    for place in places {
        put(out, (place - next) as u64);
        counts[place].put(before.map_or(0, |before| before[place]), out);
        next = place + 1;
    }
}

fn put_quantile(out: &mut Vec<u8>, quantile: &Quantile, before: &Quantile) {
    quantile.p.put(before.p, out);
    for place in 0..5 {
        quantile.marker_heights[place].put(before.marker_heights[place], out);
        quantile.marker_positions[place].put(before.marker_positions[place], out);
        quantile.desired_marker_positions[place].put(before.desired_marker_positions[place], out);
    }
}

fn take_distribution<T: Scalar>(
    reader: &mut Reader<'_>,
    before: Option<&Arc<Distribution<T>>>,
) -> Result<Arc<Distribution<T>>, Damaged> {
    let (flags, rest) = reader.0.split_first().ok_or(Damaged)?;
    reader.0 = rest;
    if flags & part::SAME != 0 {
        return before.cloned().ok_or(Damaged);
    }
    let before = if flags & part::BINS == 0 { Some(before.ok_or(Damaged)?) } else { None };
    let (bins, mut counts) = match before {
        Some(before) => (Arc::clone(&before.bins), before.counts.clone()),
        None => take_bins(reader)?,
    };
    let mut next = 0;
    for _ in 0..reader.length()? {
        let place = reader.length()?.checked_add(next).ok_or(Damaged)?;
        let count = counts.get_mut(place).ok_or(Damaged)?;
        *count = u64::take(*count, reader)?;
        next = place + 1;
    }
    let mut bound = |flag: u8| (flags & flag != 0).then(|| T::take(T::default(), reader)).transpose();
    let (min, max) = (bound(part::MIN)?, bound(part::MAX)?);
    let sum_of_samples = T::take(before.map_or(T::default(), |before| before.sum_of_samples), reader)?;
    let squared_mean = f64::take(before.map_or(0.0, |before| before.squared_mean), reader)?;
    let mut quantile = |flag: u8, before: Option<&Quantile>| {
        (flags & flag != 0).then(|| take_quantile(reader, before.unwrap_or(&NO_QUANTILE))).transpose()
    };
    Ok(Arc::new(Distribution {
        bins,
        counts,
        min,
        max,
        sum_of_samples,
        squared_mean,
        p50: quantile(part::P50, before.and_then(|before| before.p50.as_ref()))?,
        p90: quantile(part::P90, before.and_then(|before| before.p90.as_ref()))?,
        p99: quantile(part::P99, before.and_then(|before| before.p99.as_ref()))?,
    }))
}

fn take_bins<T: Scalar>(reader: &mut Reader<'_>) -> Result<(Arc<[T]>, Vec<u64>), Damaged> {
    // Each bin takes a byte at least, so a length beyond what is left was not written here.
    let plausible = |length: usize, left: usize| if length <= left { Ok(length) } else { Err(Damaged) };
    let length = reader.length()?;
    let length = plausible(length, reader.0.len())?;
    let mut bins = Vec::with_capacity(length);
    for _ in 0..length {
        bins.push(T::take(bins.last().copied().unwrap_or_default(), reader)?);
    }
    let count = plausible(reader.length()?, length + 1)?;
    Ok((bins.into(), vec![0; count]))
}

fn take_quantile(reader: &mut Reader<'_>, before: &Quantile) -> Result<Quantile, Damaged> {
    let mut quantile = NO_QUANTILE;
    quantile.p = f64::take(before.p, reader)?;
    for place in 0..5 {
        quantile.marker_heights[place] = f64::take(before.marker_heights[place], reader)?;
        quantile.marker_positions[place] = u64::take(before.marker_positions[place], reader)?;
        quantile.desired_marker_positions[place] = f64::take(before.desired_marker_positions[place], reader)?;
    }
    Ok(quantile)
}
