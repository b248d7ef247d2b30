use std::{collections::VecDeque, fmt, sync::Arc};

use event_listener::{Event, EventListener};
use parking_lot::Mutex;

/// How much of the beginning, and how much of the end, of a line's output is held: 1 MiB each.
const HELD: usize = 1 << 20;

/// Bytes of a line's output and where they stand in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SerialChunk {
    /// Offset of the first byte since the machine was made.
    pub start: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl SerialChunk {
    /// Offset of the byte after the last.
    pub fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

/// Why output cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SerialError {
    /// The bytes stood between the first and the most recent MiB and are no longer held.
    #[error("the bytes before offset {oldest_held} are no longer available")]
    NotHeld {
        /// The first offset after the gap.
        oldest_held: u64,
    },
}

/// Where keyboard input goes.
pub trait SerialInput: Send + Sync {
    /// Takes bytes as they were typed.
    fn receive(&self, bytes: &[u8]);

    /// Somebody begins to follow the line.
    fn attended(&self) {}
}

struct SerialHistory {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    closed: bool,
}

impl SerialHistory {
    fn tail_start(&self) -> u64 {
        self.total - self.tail.len() as u64
    }

    /// Bytes from `offset` on, as far as they stand together; `offset` must be held.
    fn copy(&self, offset: u64, max: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut position = offset;
        if let Ok(from) = usize::try_from(position)
            && from < self.head.len()
        {
            let held = &self.head[from..];
            bytes.extend_from_slice(&held[..held.len().min(max)]);
            position += bytes.len() as u64;
        }
        let tail_start = self.tail_start();
        if bytes.len() < max && position >= tail_start {
            // The tail holds at most a MiB, so the difference fits.
            let skip = usize::try_from(position - tail_start).unwrap_or(usize::MAX);
            bytes.extend(self.tail.iter().skip(skip).take(max - bytes.len()));
        }
        bytes
    }

    fn held(&self, offset: u64) -> bool {
        offset < self.head.len() as u64 || offset >= self.tail_start()
    }
}

/// The output of a serial line: the first and the most recent MiB, with absolute offsets.
pub struct SerialBuffer {
    ring: Mutex<SerialHistory>,
    grown: Event,
}

impl fmt::Debug for SerialBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SerialBuffer").field("total", &self.ring.lock().total).finish_non_exhaustive()
    }
}

impl Default for SerialBuffer {
    fn default() -> Self {
        let ring = SerialHistory { head: Vec::new(), tail: VecDeque::new(), total: 0, closed: false };
        Self { ring: Mutex::new(ring), grown: Event::new() }
    }
}

impl SerialBuffer {
    /// A buffer that goes on after `total` bytes, of which the first and the most recent ones are known.
    pub fn restored(mut head: Vec<u8>, tail: Vec<u8>, total: u64) -> Self {
        head.truncate(HELD);
        let mut tail = VecDeque::from(tail);
        tail.drain(..tail.len().saturating_sub(HELD));
        Self { ring: Mutex::new(SerialHistory { head, tail, total, closed: false }), grown: Event::new() }
    }

    /// Adds output and wakes everybody who follows.
    pub fn append(&self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        {
            let mut ring = self.ring.lock();
            let into_head = bytes.len().min(HELD - ring.head.len());
            ring.head.extend_from_slice(&bytes[..into_head]);
            let rest = &bytes[into_head..];
            ring.tail.extend(&rest[rest.len().saturating_sub(HELD)..]);
            let excess = ring.tail.len().saturating_sub(HELD);
            ring.tail.drain(..excess);
            ring.total += bytes.len() as u64;
        }
        self.grown.notify(usize::MAX);
    }

    /// Says that nothing more will come.
    pub fn close(&self) {
        self.ring.lock().closed = true;
        self.grown.notify(usize::MAX);
    }
}

/// Text without escape sequences and control characters.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' if characters.next_if_eq(&'[').is_some() => {
                // Parameters, up to the letter or sign that ends the sequence.
                let _ = characters.by_ref().find(|character| ('@'..='~').contains(character));
            }
            '\u{1b}' => drop(characters.next()),
            '\n' | '\t' => plain.push(character),
            other if other.is_control() => {}
            // They would have what follows read in another order than it is written.
            '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            other => plain.push(other),
        }
    }
    plain
}

/// A machine's serial line. Any number of clients may follow it, each at its own pace: a client that is slow misses
/// what is no longer held, and holds up nobody.
pub struct SerialLine {
    buffer: Arc<SerialBuffer>,
    input: Box<dyn SerialInput>,
}

impl fmt::Debug for SerialLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SerialLine").field("total", &self.total()).finish_non_exhaustive()
    }
}

impl SerialLine {
    /// A line whose output is `buffer` and whose input goes to `input`.
    pub fn new(buffer: Arc<SerialBuffer>, input: Box<dyn SerialInput>) -> Self {
        Self { buffer, input }
    }

    /// Bytes of output since the machine was made.
    pub fn total(&self) -> u64 {
        self.buffer.ring.lock().total
    }

    /// Whether the machine is gone, so that nothing more will come.
    pub fn is_closed(&self) -> bool {
        self.buffer.ring.lock().closed
    }

    /// At most `max` bytes from `offset` on. Beyond the end there are none, and the chunk starts at the end.
    pub fn read_from(&self, offset: u64, max: usize) -> Result<SerialChunk, SerialError> {
        let ring = self.buffer.ring.lock();
        if offset >= ring.total {
            return Ok(SerialChunk { start: ring.total, bytes: Vec::new() });
        }
        if !ring.held(offset) {
            return Err(SerialError::NotHeld { oldest_held: ring.tail_start() });
        }
        Ok(SerialChunk { start: offset, bytes: ring.copy(offset, max) })
    }

    /// At most `max` bytes from `offset` on, or from the first offset after it that is still held: for a client that
    /// follows the line and would rather miss something than stop.
    pub fn follow_from(&self, offset: u64, max: usize) -> SerialChunk {
        let ring = self.buffer.ring.lock();
        if offset >= ring.total {
            return SerialChunk { start: ring.total, bytes: Vec::new() };
        }
        let start = if ring.held(offset) { offset } else { ring.tail_start() };
        SerialChunk { start, bytes: ring.copy(start, max) }
    }

    /// The offset at which the most recent `count` bytes begin.
    pub fn start_of_most_recent(&self, count: u64) -> u64 {
        self.total().saturating_sub(count)
    }

    /// The last lines that were printed, oldest first: at most `lines`, in at most `bytes` bytes. Escape sequences and
    /// control characters other than line feeds and tabs are left out.
    pub fn last_lines(&self, lines: usize, bytes: usize) -> String {
        // Escape sequences may take most of what is printed.
        let most = bytes.saturating_mul(4);
        let chunk = self.follow_from(self.start_of_most_recent(most as u64), most);
        let text = plain(&String::from_utf8_lossy(&chunk.bytes));
        let text = text.trim_end();
        let first = text.rmatch_indices('\n').nth(lines.saturating_sub(1)).map_or(0, |(at, _)| at + 1);
        let start = first.max(text.len().saturating_sub(bytes));
        let start = (start..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        text[start..].to_owned()
    }

    /// Types bytes on the line.
    pub fn write(&self, bytes: &[u8]) {
        self.input.receive(bytes);
    }

    /// Tells the machine that somebody begins to follow the line.
    pub fn attend(&self) {
        self.input.attended();
    }

    /// Wakes at the next output, or when the line is closed. Listen first, then read, then wait.
    pub fn listen(&self) -> EventListener {
        self.buffer.grown.listen()
    }

    /// Waits until there is output after `offset`, or there will never be any.
    pub async fn grown_past(&self, offset: u64) {
        loop {
            let listener = self.listen();
            {
                let ring = self.buffer.ring.lock();
                if ring.total > offset || ring.closed {
                    return;
                }
            }
            listener.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nowhere;

    impl SerialInput for Nowhere {
        fn receive(&self, _bytes: &[u8]) {}
    }

    fn line() -> (Arc<SerialBuffer>, SerialLine) {
        let buffer = Arc::new(SerialBuffer::default());
        (Arc::clone(&buffer), SerialLine::new(buffer, Box::new(Nowhere)))
    }

    fn pattern(from: usize, length: usize) -> Vec<u8> {
        (from..from + length).map(|position| u8::try_from(position % 251).unwrap()).collect()
    }

    #[test]
    fn offsets_are_absolute() {
        let (buffer, line) = line();
        buffer.append(b"hello ");
        buffer.append(b"world");
        assert_eq!(line.read_from(0, 5).unwrap().bytes, b"hello");
        let chunk = line.read_from(6, 100).unwrap();
        assert_eq!((chunk.start, chunk.end(), chunk.bytes.as_slice()), (6, 11, b"world".as_slice()));
        assert_eq!(line.read_from(99, 5).unwrap(), SerialChunk { start: 11, bytes: Vec::new() });
        assert_eq!(line.start_of_most_recent(5), 6);
        assert_eq!(line.start_of_most_recent(500), 0);
    }

    #[test]
    fn last_lines_are_plain_text_and_bounded() {
        let (buffer, line) = line();
        assert_eq!(line.last_lines(20, 4096), "");
        buffer.append(b"\x1b[2J\x1b[1;31mGRUB\x1b[0m \xe2\x80\xaeloading\r\none\x07\r\n\ttwo \xff\r\n\r\n");
        assert_eq!(line.last_lines(20, 4096), "GRUB loading\none\n\ttwo \u{fffd}");
        assert_eq!(line.last_lines(2, 4096), "one\n\ttwo \u{fffd}");
        assert_eq!(line.last_lines(20, 2), "", "no partial character");
        for number in 0..5000 {
            buffer.append(format!("line {number}\r\n").as_bytes());
        }
        let last = line.last_lines(20, 4096);
        assert_eq!(last.lines().count(), 20);
        assert!(last.starts_with("line 4980\n") && last.ends_with("line 4999"), "{last}");
    }

    #[test]
    fn middle_of_the_history_is_discarded() {
        let (buffer, line) = line();
        let total = 3 * HELD + 1234;
        for from in (0..total).step_by(10_007) {
            buffer.append(&pattern(from, 10_007.min(total - from)));
        }
        assert_eq!(line.total(), total as u64);
        assert_eq!(line.read_from(0, HELD).unwrap().bytes, pattern(0, HELD));
        let oldest_held = (total - HELD) as u64;
        assert_eq!(line.read_from(HELD as u64, 1), Err(SerialError::NotHeld { oldest_held }));
        assert_eq!(line.read_from(oldest_held, HELD).unwrap().bytes, pattern(total - HELD, HELD));
        assert_eq!(line.follow_from(HELD as u64, 10).start, oldest_held);
    }

    #[test]
    fn read_across_the_discarded_part_is_consistent() {
        let (buffer, line) = line();
        buffer.append(&pattern(0, HELD + 100));
        let chunk = line.read_from(HELD as u64 - 10, 50).unwrap();
        assert_eq!(chunk.bytes, pattern(HELD - 10, 50));
    }

    #[test]
    fn huge_write_is_truncated_to_the_buffer() {
        let (buffer, line) = line();
        buffer.append(&pattern(0, 4 * HELD));
        let start = 3 * HELD;
        assert_eq!(line.read_from(start as u64, 64).unwrap().bytes, pattern(start, 64));
    }
}
