//! The screen of a simulated machine: its name and state, and under them a terminal with what its serial line prints. The
//! keyboard types on that line.

mod font;
mod frame;
mod keys;
mod png;
mod rfb;
mod terminal;

use std::{fmt, mem, sync::Arc};

use self::{
    frame::Frame,
    keys::{Keys, Pressed},
    rfb::{Malformed, Message, PixelFormat},
    terminal::Terminal,
};
use super::console::Guest;
use crate::SerialLine;

/// How much of a line's output a screen begins with, and how much it reads at a time.
const BACKLOG: u64 = 16 << 10;
const CHUNK: usize = 64 << 10;

/// What a screen shows, brought up to date when it is looked at.
struct View {
    guest: Arc<Guest>,
    line: Arc<SerialLine>,
    terminal: Terminal,
    /// Where the output that has been printed ends.
    seen: u64,
}

impl View {
    fn new(guest: Arc<Guest>, line: Arc<SerialLine>) -> Self {
        let seen = line.start_of_most_recent(BACKLOG);
        Self { guest, line, terminal: Terminal::new(), seen }
    }

    fn frame(&mut self) -> Frame {
        loop {
            let chunk = self.line.follow_from(self.seen, CHUNK);
            if chunk.bytes.is_empty() {
                return Frame::draw(&self.guest.title(), &self.terminal);
            }
            self.terminal.print(&chunk.bytes);
            self.seen = chunk.end();
        }
    }
}

/// A picture of a screen in PNG.
pub(super) fn picture(guest: Arc<Guest>, line: Arc<SerialLine>) -> Vec<u8> {
    png::encode(&View::new(guest, line).frame())
}

/// How far a connection has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Version,
    Security,
    Beginning,
    Open,
    Ended,
}

/// A connection to the screen of a simulated machine.
pub struct SimulatedScreen {
    view: View,
    stage: Stage,
    received: Vec<u8>,
    output: Vec<u8>,
    keys: Keys,
    format: PixelFormat,
    /// What the client has.
    shown: Option<Frame>,
    /// Whether the client waits for what changes.
    is_asked: bool,
}

impl fmt::Debug for SimulatedScreen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SimulatedScreen").field("stage", &self.stage).finish_non_exhaustive()
    }
}

impl SimulatedScreen {
    pub(super) fn new(guest: Arc<Guest>, line: Arc<SerialLine>) -> Self {
        Self {
            view: View::new(guest, line),
            stage: Stage::Version,
            received: Vec::new(),
            output: rfb::VERSION.to_vec(),
            keys: Keys::default(),
            format: PixelFormat::USUAL,
            shown: None,
            is_asked: false,
        }
    }

    /// Takes what the client sends. What is not understood ends the connection.
    pub fn receive(&mut self, bytes: &[u8]) {
        self.received.extend_from_slice(bytes);
        loop {
            match self.take_step() {
                Ok(true) => {}
                Ok(false) => return,
                Err(Malformed) => {
                    self.stage = Stage::Ended;
                    return;
                }
            }
        }
    }

    /// What the client is to be sent next; `None` once the connection has ended. May be given up at any time, and nothing
    /// is lost.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if !self.output.is_empty() {
                return Some(mem::take(&mut self.output));
            }
            if self.stage == Stage::Ended {
                return None;
            }
            let line = Arc::clone(&self.view.line);
            // Before the frame is drawn, so that it has all that was printed.
            let is_closed = line.is_closed();
            if self.is_asked {
                let frame = self.view.frame();
                if let Some(update) = rfb::update(&frame, self.shown.as_ref(), &self.format) {
                    self.output = update;
                    (self.shown, self.is_asked) = (Some(frame), false);
                    continue;
                }
            }
            if is_closed {
                return None;
            }
            line.grown_past(if self.is_asked { self.view.seen } else { u64::MAX }).await;
        }
    }

    /// Takes the next part of what was received; false if it is not complete.
    fn take_step(&mut self) -> Result<bool, Malformed> {
        match self.stage {
            Stage::Version => {
                let Some(version) = self.take(rfb::VERSION.len()) else { return Ok(false) };
                self.go(version == rfb::VERSION, &rfb::SECURITY, Stage::Security)
            }
            Stage::Security => {
                let Some(chosen) = self.take(1) else { return Ok(false) };
                self.go(chosen == [rfb::NO_SECURITY], &rfb::ADMITTED, Stage::Beginning)
            }
            Stage::Beginning => {
                if self.take(1).is_none() {
                    return Ok(false);
                }
                self.view.line.attend();
                let greeting = rfb::greeting(self.view.guest.name());
                self.go(true, &greeting, Stage::Open)
            }
            Stage::Open => match rfb::take_message(&mut self.received)? {
                None => Ok(false),
                Some(message) => {
                    self.obey(&message);
                    Ok(true)
                }
            },
            Stage::Ended => {
                self.received.clear();
                Ok(false)
            }
        }
    }

    fn take(&mut self, length: usize) -> Option<Vec<u8>> {
        (self.received.len() >= length).then(|| self.received.drain(..length).collect())
    }

    fn go(&mut self, is_good: bool, answer: &[u8], next: Stage) -> Result<bool, Malformed> {
        if !is_good {
            return Err(Malformed);
        }
        self.output.extend_from_slice(answer);
        self.stage = next;
        Ok(true)
    }

    fn obey(&mut self, message: &Message) {
        match *message {
            Message::Format(format) => {
                self.format = format;
                self.shown = None;
            }
            Message::Update { is_incremental } => {
                self.is_asked = true;
                if !is_incremental {
                    self.shown = None;
                }
            }
            Message::Key { key, is_down } => match self.keys.change(key, is_down) {
                Pressed::Types(bytes) if bytes.is_empty() => {}
                Pressed::Types(bytes) => self.view.line.write(&bytes),
                Pressed::Restarts => self.view.guest.restart(),
            },
            Message::Other => {}
        }
    }
}
