//! Pictures of a frame in PNG, without compression: they are small enough.

use super::frame::{COLORS, Frame, HEIGHT, STRIDE, WIDTH};

/// The content of a PNG file.
pub(super) fn encode(frame: &Frame) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    for length in [WIDTH, HEIGHT] {
        header.extend(u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
    }
    // One bit for each dot, which stands for a color of the palette.
    header.extend([1, 3, 0, 0, 0]);
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"PLTE", COLORS.as_flattened());
    chunk(&mut file, *b"IDAT", &stored(&rows(frame)));
    chunk(&mut file, *b"IEND", &[]);
    file
}

/// The rows of dots, each after the number of its filter: none.
fn rows(frame: &Frame) -> Vec<u8> {
    let mut rows = Vec::with_capacity((STRIDE + 1) * HEIGHT);
    for row in frame.rows() {
        rows.push(0);
        rows.extend_from_slice(row);
    }
    rows
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], content: &[u8]) {
    let checked = [&kind[..], content].concat();
    file.extend(u32::try_from(content.len()).unwrap_or(u32::MAX).to_be_bytes());
    file.extend_from_slice(&checked);
    file.extend(crc(&checked).to_be_bytes());
}

/// Bytes as a stream of zlib's that is not compressed.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let blocks = bytes.chunks(usize::from(u16::MAX));
    let last = blocks.len().saturating_sub(1);
    for (number, block) in blocks.enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        stream.push(u8::from(number == last));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend(adler(bytes).to_be_bytes());
    stream
}

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

fn adler(bytes: &[u8]) -> u32 {
    let step = |(low, high): (u32, u32), byte: &u8| {
        let low = (low + u32::from(*byte)) % 65521;
        (low, (high + low) % 65521)
    };
    let (low, high) = bytes.iter().fold((1, 0), step);
    (high << 16) | low
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::simulated::screen::terminal::Terminal;

    #[test]
    fn pictures_hold_the_frame() {
        let mut terminal = Terminal::new();
        terminal.print(b"login: ");
        let frame = Frame::draw("db: running", &terminal);
        let file = encode(&frame);
        let start = file.windows(4).position(|kind| kind == b"IDAT").unwrap() + 4;
        let mut content = Vec::new();
        flate2::read::ZlibDecoder::new(&file[start..]).read_to_end(&mut content).unwrap();
        assert_eq!(content, rows(&frame));
        assert!(content.iter().any(|byte| *byte != 0));
    }

    #[test]
    fn checksums_are_those_of_their_definitions() {
        assert_eq!(crc(b"IEND"), 0xae42_6082);
        assert_eq!(adler(b"Wikipedia"), 0x11e6_0398);
        assert_eq!(stored(b"a"), [0x78, 0x01, 1, 1, 0, 0xfe, 0xff, b'a', 0, 0x62, 0, 0x62]);
    }
}
