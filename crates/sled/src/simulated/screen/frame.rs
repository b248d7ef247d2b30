//! What a screen shows, as dots of two colors.

use super::{
    font,
    terminal::{COLUMNS, ROWS, Terminal},
};

/// Dots of a character's place.
const PLACE_WIDTH: usize = 6;
pub(super) const PLACE_HEIGHT: usize = 10;
/// The title stands over the terminal.
pub(super) const LINES: usize = ROWS + 1;

pub(super) const WIDTH: usize = COLUMNS * PLACE_WIDTH;
pub(super) const HEIGHT: usize = LINES * PLACE_HEIGHT;
/// Bytes of a row of dots.
pub(super) const STRIDE: usize = WIDTH / 8;

/// Red, green and blue of what is not lit, and of what is.
pub(super) const COLORS: [[u8; 3]; 2] = [[0x10, 0x14, 0x18], [0xe4, 0xe6, 0xe8]];

/// A picture, a bit for each dot, the leftmost in the highest bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame(Vec<u8>);

impl Frame {
    pub(super) fn draw(title: &str, terminal: &Terminal) -> Self {
        let mut frame = Self(vec![0; STRIDE * HEIGHT]);
        let mut bar = [b' '; COLUMNS];
        for (place, character) in bar.iter_mut().skip(1).zip(title.bytes()) {
            *place = character;
        }
        frame.write(0, &bar);
        frame.invert(0, 0..COLUMNS);
        for (row, characters) in terminal.rows().iter().enumerate() {
            frame.write(row + 1, characters);
        }
        let (row, column) = terminal.cursor();
        frame.invert(row + 1, column..column + 1);
        frame
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.0.chunks(STRIDE)
    }

    /// The rows of dots of a line of text.
    pub(super) fn line(&self, line: usize) -> &[u8] {
        let size = STRIDE * PLACE_HEIGHT;
        &self.0[line * size..(line + 1) * size]
    }

    fn write(&mut self, line: usize, characters: &[u8; COLUMNS]) {
        for (place, character) in characters.iter().enumerate() {
            for (column, bits) in font::dots(*character).into_iter().enumerate() {
                for row in (0..8).filter(|row| (bits >> row) & 1 == 1) {
                    self.flip(place * PLACE_WIDTH + column, line * PLACE_HEIGHT + 1 + row);
                }
            }
        }
    }

    fn invert(&mut self, line: usize, places: std::ops::Range<usize>) {
        for y in line * PLACE_HEIGHT..(line + 1) * PLACE_HEIGHT {
            for x in places.start * PLACE_WIDTH..places.end * PLACE_WIDTH {
                self.flip(x, y);
            }
        }
    }

    fn flip(&mut self, x: usize, y: usize) {
        self.0[y * STRIDE + x / 8] ^= 0x80_u8 >> (x % 8);
    }
}
