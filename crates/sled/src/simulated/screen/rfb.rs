//! Messages of RFB 3.8 (RFC 6143), as far as a screen of text needs them.

use super::frame::{COLORS, Frame, HEIGHT, LINES, PLACE_HEIGHT, STRIDE, WIDTH};

pub(super) const VERSION: &[u8; 12] = b"RFB 003.008\n";
/// One kind of security: none. Whoever connects has been admitted.
pub(super) const SECURITY: [u8; 2] = [1, NO_SECURITY];
pub(super) const NO_SECURITY: u8 = 1;
pub(super) const ADMITTED: [u8; 4] = [0; 4];

/// Each dot of a frame is a square of so many pixels.
const SCALE: usize = 2;
/// Longest text of a clipboard that is skipped; a client that sends more is cut off.
const MAX_CUT_TEXT: usize = 64 << 10;

/// A message of a client.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    Format(PixelFormat),
    /// It asks for what has changed, or for everything.
    Update {
        is_incremental: bool,
    },
    Key {
        key: u32,
        is_down: bool,
    },
    /// Nothing that a screen of text reacts to.
    Other,
}

/// The client says what is not understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// How a client wants its pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelFormat {
    bytes: usize,
    is_big_endian: bool,
    /// The greatest value of red, green and blue, and where it stands.
    channels: [(u16, u8); 3],
}

impl PixelFormat {
    pub(super) const USUAL: Self =
        Self { bytes: 4, is_big_endian: false, channels: [(255, 16), (255, 8), (255, 0)] };

    fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let &[bits, _, big, true_color, r1, r2, g1, g2, b1, b2, red, green, blue, ..] = bytes else {
            return Err(Malformed);
        };
        if !matches!(bits, 8 | 16 | 32) || true_color == 0 || [red, green, blue].iter().any(|at| *at >= bits)
        {
            return Err(Malformed);
        }
        let most = |high, low| u16::from_be_bytes([high, low]);
        let channels = [(most(r1, r2), red), (most(g1, g2), green), (most(b1, b2), blue)];
        Ok(Self { bytes: usize::from(bits / 8), is_big_endian: big != 0, channels })
    }

    fn write(&self, into: &mut Vec<u8>) {
        let bits = u8::try_from(self.bytes * 8).unwrap_or(32);
        into.extend([bits, 24, u8::from(self.is_big_endian), 1]);
        for (most, _) in self.channels {
            into.extend(most.to_be_bytes());
        }
        into.extend(self.channels.map(|(_, at)| at));
        into.extend([0; 3]);
    }

    /// A color as the bytes of a pixel.
    fn pixel(&self, color: [u8; 3]) -> Vec<u8> {
        let parts = color.iter().zip(self.channels);
        let value = parts.fold(0, |value, (part, (most, at))| {
            value | (u32::from(*part) * u32::from(most) / 255).wrapping_shl(u32::from(at))
        });
        if self.is_big_endian {
            value.to_be_bytes()[4 - self.bytes..].to_vec()
        } else {
            value.to_le_bytes()[..self.bytes].to_vec()
        }
    }
}

/// Takes the first message out of what was received; `None` if it is not complete.
pub(super) fn take_message(received: &mut Vec<u8>) -> Result<Option<Message>, Malformed> {
    let Some(length) = length(received)? else { return Ok(None) };
    if received.len() < length {
        return Ok(None);
    }
    let message: Vec<u8> = received.drain(..length).collect();
    Ok(Some(match *message.as_slice() {
        [0, _, _, _, ref format @ ..] => Message::Format(PixelFormat::read(format)?),
        [3, incremental, ..] => Message::Update { is_incremental: incremental != 0 },
        [4, down, _, _, a, b, c, d] => {
            Message::Key { key: u32::from_be_bytes([a, b, c, d]), is_down: down != 0 }
        }
        _ => Message::Other,
    }))
}

/// The length of the first message; `None` if not even that has arrived.
fn length(received: &[u8]) -> Result<Option<usize>, Malformed> {
    Ok(match *received {
        [0, ..] => Some(20),
        [2, _, a, b, ..] => Some(4 + 4 * usize::from(u16::from_be_bytes([a, b]))),
        [3, ..] => Some(10),
        [4, ..] => Some(8),
        [5, ..] => Some(6),
        [6, _, _, _, a, b, c, d, ..] => {
            let text = usize::try_from(u32::from_be_bytes([a, b, c, d])).map_err(|_| Malformed)?;
            if text > MAX_CUT_TEXT {
                return Err(Malformed);
            }
            Some(8 + text)
        }
        [] | [2 | 6, ..] => None,
        _ => return Err(Malformed),
    })
}

/// What the server says of itself.
pub(super) fn greeting(name: &str) -> Vec<u8> {
    let mut greeting = Vec::new();
    for length in [WIDTH, HEIGHT] {
        greeting.extend(short(length * SCALE));
    }
    PixelFormat::USUAL.write(&mut greeting);
    greeting.extend(u32::try_from(name.len()).unwrap_or(0).to_be_bytes());
    greeting.extend_from_slice(name.as_bytes());
    greeting
}

/// The lines of text in which a frame differs from another one; `None` if it does not.
pub(super) fn update(frame: &Frame, shown: Option<&Frame>, format: &PixelFormat) -> Option<Vec<u8>> {
    let differs = |line: &usize| shown.is_none_or(|shown| shown.line(*line) != frame.line(*line));
    let lines: Vec<usize> = (0..LINES).filter(differs).collect();
    if lines.is_empty() {
        return None;
    }
    let colors = COLORS.map(|color| format.pixel(color));
    let mut update = vec![0, 0];
    update.extend(short(lines.len()));
    for line in lines {
        let height = PLACE_HEIGHT * SCALE;
        for number in [0, line * height, WIDTH * SCALE, height] {
            update.extend(short(number));
        }
        // As they are, without an encoding.
        update.extend([0; 4]);
        for row in frame.line(line).chunks(STRIDE) {
            let dots = (0..WIDTH).map(|x| usize::from((row[x / 8] >> (7 - x % 8)) & 1));
            let pixels: Vec<u8> =
                dots.flat_map(|dot| std::iter::repeat_n(&colors[dot], SCALE).flatten().copied()).collect();
            for _ in 0..SCALE {
                update.extend_from_slice(&pixels);
            }
        }
    }
    Some(update)
}

fn short(number: usize) -> [u8; 2] {
    u16::try_from(number).unwrap_or(u16::MAX).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_taken_when_they_are_complete() {
        let mut received = vec![2, 0, 0];
        assert_eq!(take_message(&mut received), Ok(None));
        received.extend([2, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(take_message(&mut received), Ok(None), "one of two encodings is missing");
        received.extend([1, 4, 1, 0, 0, 0, 0, 0, b'a', 6, 0, 0, 0, 0, 0, 0, 1, b'x', 3, 1]);
        assert_eq!(take_message(&mut received), Ok(Some(Message::Other)));
        let key = Message::Key { key: u32::from(b'a'), is_down: true };
        assert_eq!(take_message(&mut received), Ok(Some(key)));
        assert_eq!(take_message(&mut received), Ok(Some(Message::Other)));
        assert_eq!(take_message(&mut received), Ok(None));
        received.extend([0; 8]);
        let update = Message::Update { is_incremental: true };
        assert_eq!(take_message(&mut received), Ok(Some(update)));
        assert!(received.is_empty(), "{received:?}");
    }

    #[test]
    fn what_is_not_understood_is_malformed() {
        for received in [
            &[1_u8][..],
            &[250, 0],
            &[6, 0, 0, 0, 0xff, 0xff, 0xff, 0xff],
            // Colors out of a table, and pixels of three bytes.
            &[0, 0, 0, 0, 8, 8, 0, 0, 0, 7, 0, 7, 0, 3, 0, 3, 6, 0, 0, 0],
            &[0, 0, 0, 0, 24, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0],
        ] {
            assert_eq!(take_message(&mut received.to_vec()), Err(Malformed), "{received:?}");
        }
    }

    #[test]
    fn pixels_have_the_format_that_was_asked_for() {
        assert_eq!(PixelFormat::USUAL.pixel([1, 2, 3]), [3, 2, 1, 0]);
        let wanted = [0, 0, 0, 0, 16, 16, 1, 1, 0, 31, 0, 63, 0, 31, 11, 5, 0, 0, 0, 0];
        let Ok(Some(Message::Format(format))) = take_message(&mut wanted.to_vec()) else {
            panic!("no format")
        };
        assert_eq!(format.pixel([255, 0, 255]), [0xf8, 0x1f]);
    }
}
