//! The journal of points that are not in complete blocks yet: one compressed segment per flush.

use std::collections::HashMap;

use croft_oxql::model::DatumType;

#[cfg(not(target_family = "wasm"))]
use self::deflate::{packed, unpacked};
#[cfg(target_family = "wasm")]
use self::plain::{packed, unpacked};
use super::{
    block::{Block, decode},
    codec::{Damaged, Reader, put},
    state::Entry,
};

/// Segments are compressed if they are written to a disk.
#[cfg(not(target_family = "wasm"))]
mod deflate {
    use std::io::{Read as _, Write as _};

    use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

    use super::Damaged;

    pub(super) fn packed(plain: Vec<u8>) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&plain).and_then(|()| encoder.finish()).expect("writing into memory cannot fail")
    }

    pub(super) fn unpacked(segment: &[u8]) -> Result<Vec<u8>, Damaged> {
        let mut plain = Vec::new();
        DeflateDecoder::new(segment).read_to_end(&mut plain).map_err(|_| Damaged)?;
        Ok(plain)
    }
}

/// In a browser they are in memory and short-lived: the code for compression would be larger than the memory it saves.
#[cfg(target_family = "wasm")]
mod plain {
    use super::Damaged;

    pub(super) fn packed(plain: Vec<u8>) -> Vec<u8> {
        plain
    }

    pub(super) fn unpacked(segment: &[u8]) -> Result<&[u8], Damaged> {
        Ok(segment)
    }
}

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
    packed(plain)
}

/// The entries of a segment. Entries of unknown timeseries are skipped.
pub(super) fn entries(segment: &[u8], types: &HashMap<u64, DatumType>) -> Result<Vec<Entry>, Damaged> {
    let plain = unpacked(segment)?;
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
