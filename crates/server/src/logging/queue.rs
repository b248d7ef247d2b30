//! A queue of lines for a slow writer, so that logging never blocks.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use tracing_subscriber::fmt::MakeWriter;

/// Maximum number of queued lines. Further lines are dropped, and the log says so.
const MOST_WAITING: usize = 16 * 1024;
/// How long the end of the program waits for pending lines.
const GOODBYE: Duration = Duration::from_secs(3);
/// How often it checks for room meanwhile.
const AGAIN: Duration = Duration::from_millis(10);
/// Lines are collected for this long and written together. Otherwise, on a busy server, the thread would wake up and
/// call the system for each of them.
const COLLECT: Duration = Duration::from_millis(2);
/// Maximum size of one write in bytes, except for the rest of a line.
const MOST_AT_ONCE: usize = 64 * 1024;

enum Message {
    Line(Box<[u8]>),
    /// Everything before this must be written, then this is notified.
    Flush(SyncSender<()>),
}

/// A queue of lines for a writer thread. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Queue {
    messages: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
}

impl Queue {
    /// Starts the thread. `dropped` creates the line that reports the number of missing lines.
    ///
    /// # Errors
    /// The thread cannot be created.
    pub fn start(
        sink: impl Write + Send + 'static,
        dropped: impl Fn(u64) -> String + Send + 'static,
    ) -> io::Result<Self> {
        let (messages, waiting) = sync_channel(MOST_WAITING);
        let queue = Self { messages, dropped: Arc::default() };
        let missing = Arc::clone(&queue.dropped);
        let work = move || write_all(sink, &waiting, &missing, dropped);
        thread::Builder::new().name("croft-log".into()).spawn(work)?;
        Ok(queue)
    }

    /// Waits until everything logged before is written, with a time limit, because the writer may be blocked.
    pub fn flush(&self) {
        let (done, written) = sync_channel(1);
        let give_up = Instant::now() + GOODBYE;
        let mut message = Message::Flush(done);
        // If the queue is full, this waits as well.
        while let Err(TrySendError::Full(refused)) = self.messages.try_send(message) {
            if Instant::now() >= give_up {
                return;
            }
            message = refused;
            thread::sleep(AGAIN);
        }
        let _ = written.recv_timeout(give_up.saturating_duration_since(Instant::now()));
    }
}

fn write_all(
    mut sink: impl Write,
    waiting: &Receiver<Message>,
    missing: &AtomicU64,
    dropped: impl Fn(u64) -> String,
) {
    let mut lines = Vec::with_capacity(MOST_AT_ONCE);
    for message in waiting {
        if matches!(message, Message::Line(_)) {
            thread::sleep(COLLECT);
        }
        let (mut next, mut done) = (Some(message), None);
        while let Some(message) = next {
            match message {
                Message::Line(line) => lines.extend_from_slice(&line),
                Message::Flush(answer) => done = Some(answer),
            }
            let is_enough = done.is_some() || lines.len() >= MOST_AT_ONCE;
            next = if is_enough { None } else { waiting.try_recv().ok() };
        }
        // After an error, such as a closed pipe, the other writer may still work.
        let _ = sink.write_all(&lines);
        lines.clear();
        let count = missing.swap(0, Relaxed);
        if count > 0 {
            let _ = sink.write_all(dropped(count).as_bytes());
        }
        if let Some(done) = done {
            let _ = sink.flush();
            let _ = done.try_send(());
        }
    }
}

/// Takes whole lines: the formatter writes each event in one call.
impl Write for &Queue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.messages.try_send(Message::Line(line.into())).is_err() {
            self.dropped.fetch_add(1, Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Queue {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use parking_lot::Mutex;

    use super::*;

    /// A writer that blocks until it is released.
    struct BlockedWriter {
        begun: mpsc::Sender<()>,
        go_on: mpsc::Receiver<()>,
        written: Arc<Mutex<String>>,
    }

    impl Write for BlockedWriter {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            let mut written = self.written.lock();
            if written.is_empty() {
                self.begun.send(()).unwrap();
                self.go_on.recv().unwrap();
            }
            written.push_str(str::from_utf8(line).unwrap());
            Ok(line.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn logging_never_blocks_and_reports_dropped_lines() {
        let (begun, stuck) = mpsc::channel();
        let (open, go_on) = mpsc::channel();
        let written = Arc::<Mutex<String>>::default();
        let sink = BlockedWriter { begun, go_on, written: Arc::clone(&written) };
        let queue = Queue::start(sink, |count| format!("{count} missing\n")).unwrap();
        let log = |text: &str| (&queue).write_all(format!("{text}\n").as_bytes()).unwrap();
        log("first");
        stuck.recv().unwrap();
        // Returns although nothing can be written.
        for number in 0..MOST_WAITING + 7 {
            log(&number.to_string());
        }
        open.send(()).unwrap();
        queue.flush();
        log("last");
        queue.flush();
        let written = written.lock();
        let lines: Vec<_> = written.lines().collect();
        assert_eq!(lines[..3], ["first", "7 missing", "0"]);
        assert_eq!(lines.len(), 1 + 1 + MOST_WAITING + 1);
        assert_eq!(lines.last(), Some(&"last"));
    }
}
