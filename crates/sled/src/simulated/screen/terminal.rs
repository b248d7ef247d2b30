//! A terminal, as far as simulated guests use one: lines, backspaces, and sequences that clear.

pub(super) const COLUMNS: usize = 80;
pub(super) const ROWS: usize = 24;

/// Where the reader of output stands within an escape sequence.
#[derive(Debug, PartialEq, Eq)]
enum Escape {
    None,
    Begun,
    Sequence,
}

#[derive(Debug)]
pub(super) struct Terminal {
    rows: [[u8; COLUMNS]; ROWS],
    row: usize,
    column: usize,
    escape: Escape,
}

impl Terminal {
    pub(super) const fn new() -> Self {
        Self { rows: [[b' '; COLUMNS]; ROWS], row: 0, column: 0, escape: Escape::None }
    }

    pub(super) const fn rows(&self) -> &[[u8; COLUMNS]; ROWS] {
        &self.rows
    }

    /// The row and the column of the next character.
    pub(super) fn cursor(&self) -> (usize, usize) {
        (self.row, self.column.min(COLUMNS - 1))
    }

    pub(super) fn print(&mut self, output: &[u8]) {
        for byte in output {
            self.byte(*byte);
        }
    }

    fn byte(&mut self, byte: u8) {
        match (&self.escape, byte) {
            (Escape::Begun, b'[') => self.escape = Escape::Sequence,
            (Escape::Begun, _) => self.escape = Escape::None,
            (Escape::Sequence, 0x40..=0x7e) => {
                self.escape = Escape::None;
                self.end_sequence(byte);
            }
            (Escape::None, 0x1b) => self.escape = Escape::Begun,
            (Escape::None, b'\r') => self.column = 0,
            (Escape::None, b'\n') => self.feed(),
            (Escape::None, 0x08) => self.column = self.column.saturating_sub(1),
            (Escape::None, b'\t') => self.column = (self.column / 8 + 1) * 8,
            // A character beyond ASCII has one byte of these, which is shown in its place.
            (Escape::None, b' '..=b'~' | 0xc0..=0xff) => self.put(byte),
            (Escape::Sequence | Escape::None, _) => {}
        }
    }

    fn end_sequence(&mut self, letter: u8) {
        match letter {
            b'H' => (self.row, self.column) = (0, 0),
            b'J' => self.rows = [[b' '; COLUMNS]; ROWS],
            b'K' => self.rows[self.row][self.column.min(COLUMNS)..].fill(b' '),
            _ => {}
        }
    }

    fn put(&mut self, byte: u8) {
        if self.column >= COLUMNS {
            self.column = 0;
            self.feed();
        }
        self.rows[self.row][self.column] = byte;
        self.column += 1;
    }

    fn feed(&mut self) {
        if self.row + 1 < ROWS {
            self.row += 1;
        } else {
            self.rows.rotate_left(1);
            self.rows[ROWS - 1] = [b' '; COLUMNS];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(terminal: &Terminal, row: usize) -> String {
        String::from_utf8_lossy(&terminal.rows()[row]).trim_end().to_owned()
    }

    #[test]
    fn lines_wrap_scroll_and_are_erased() {
        let mut terminal = Terminal::new();
        terminal.print(b"one\r\ntwx\x08o\x1b[1;31m!\x1b[0m");
        assert_eq!((text(&terminal, 0), text(&terminal, 1)), ("one".into(), "two!".into()));
        terminal.print(b"\x1b[2J\x1b[H");
        terminal.print(&[b'a'; COLUMNS + 1]);
        assert_eq!((text(&terminal, 0).len(), text(&terminal, 1)), (COLUMNS, "a".into()));
        for number in 0..100 {
            terminal.print(format!("\r\nline {number}").as_bytes());
        }
        assert_eq!(text(&terminal, 0), "line 76");
        assert_eq!(text(&terminal, ROWS - 1), "line 99");
        assert_eq!(terminal.cursor(), (ROWS - 1, 7));
    }
}
