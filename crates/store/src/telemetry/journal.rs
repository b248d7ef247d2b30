//! The journal: what came since blocks were last complete, a compressed segment for each flush.

use std::{
    collections::HashMap,
    io::{Read as _, Write as _},
};

use croft_oxql::model::DatumType;
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

use super::{
    block::{Block, decode},
    codec::{Damaged, Reader, put},
    state::Entry,
};

/// Encodes the entries of one flush.
pub(super) fn encode(mut entries: Vec<Entry>) -> Vec<u8> {
    // Stable: points of one timeseries stay in their order.
    entries.sort_by_key(|entry| entry.series);
    let mut plain = Vec::new();
    let mut before = 0;
    for group in entries.chunk_by(|a, b| a.series == b.series) {
        let mut block = Block::default();
        for entry in group {
            block.push(&entry.point);
        }
        let series = group[0].series;
        put(&mut plain, series - before);
        before = series;
        put(&mut plain, block.data.len() as u64);
        plain.extend_from_slice(&block.data);
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&plain).and_then(|()| encoder.finish()).expect("writing into memory cannot fail")
}

/// The entries of a segment. What belongs to no known timeseries is left out.
pub(super) fn entries(segment: &[u8], types: &HashMap<u64, DatumType>) -> Result<Vec<Entry>, Damaged> {
    let mut plain = Vec::new();
    DeflateDecoder::new(segment).read_to_end(&mut plain).map_err(|_| Damaged)?;
    let mut reader = Reader(&plain);
    let (mut entries, mut series) = (Vec::new(), 0_u64);
    while !reader.is_empty() {
        series = series.checked_add(reader.unsigned()?).ok_or(Damaged)?;
        let data = reader.bytes()?;
        let Some(datum_type) = types.get(&series) else { continue };
        for point in decode(data, *datum_type) {
            entries.push(Entry { series, point: point? });
        }
    }
    Ok(entries)
}
