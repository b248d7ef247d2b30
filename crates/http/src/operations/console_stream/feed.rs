//! What a viewer of a console is sent, and where its input goes.

use std::{pin::pin, sync::Arc};

use croft_api::Uuid;
use croft_control::instance::Console;
use croft_sled::{Screen, SerialLine, simulated::SimulatedScreen};
use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::{
    StreamExt as _,
    future::{Either, select},
};
#[cfg(unix)]
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::UnixStream,
};

use super::{CHUNK, Followed};
use crate::{call::Call, failure::Result};

enum Source {
    /// A serial line, from an offset on.
    Line(Arc<SerialLine>, u64),
    Simulated(Box<SimulatedScreen>),
    #[cfg(unix)]
    Socket(UnixStream),
}

impl Source {
    /// The next output; `None` once there will be none. May be given up at any time, and nothing is lost.
    async fn next(&mut self) -> Option<Vec<u8>> {
        match self {
            Self::Line(line, offset) => {
                line.grown_past(*offset).await;
                let chunk = line.follow_from(*offset, CHUNK);
                *offset = chunk.end();
                Some(chunk.bytes).filter(|bytes| !bytes.is_empty())
            }
            Self::Simulated(screen) => screen.next().await,
            #[cfg(unix)]
            Self::Socket(stream) => {
                let mut bytes = Vec::with_capacity(CHUNK);
                let count = stream.read_buf(&mut bytes).await.unwrap_or(0);
                (count > 0).then_some(bytes)
            }
        }
    }

    /// Takes input. Only a machine that hangs makes it wait.
    async fn write(&mut self, bytes: &[u8]) {
        match self {
            Self::Line(line, _) => line.write(bytes),
            Self::Simulated(screen) => screen.receive(bytes),
            #[cfg(unix)]
            // A machine that is gone is seen when its output ends.
            Self::Socket(stream) => drop(stream.write_all(bytes).await),
        }
    }
}

/// Input of somebody who does not hold the feed.
#[derive(Clone)]
pub(super) struct Input(UnboundedSender<Vec<u8>>);

impl Input {
    pub(super) fn write(&self, bytes: &[u8]) {
        // Once the stream has ended, nobody takes it.
        let _ = self.0.unbounded_send(bytes.to_vec());
    }
}

/// A console that is followed.
pub(super) struct Feed {
    source: Source,
    input: Input,
    typed: UnboundedReceiver<Vec<u8>>,
}

impl Feed {
    /// Opens the console of a machine.
    pub(super) async fn open(call: &Call, followed: &Followed, machine: Uuid) -> Result<Self> {
        let source = match followed.console {
            Console::Serial => {
                let line = call.serial_line(machine)?;
                line.attend();
                let offset = followed.most_recent.map_or(0, |count| line.start_of_most_recent(count));
                Source::Line(line, offset)
            }
            Console::Graphical => match call.screen(machine).await? {
                Screen::Simulated(screen) => Source::Simulated(screen),
                #[cfg(unix)]
                Screen::Socket(stream) => {
                    let stream = UnixStream::from_std(stream).map_err(croft_api::Error::unavailable)?;
                    Source::Socket(stream)
                }
            },
        };
        let (input, typed) = unbounded();
        Ok(Self { source, input: Input(input), typed })
    }

    /// Where others write input, which is taken while [`Feed::next_handed`] waits.
    pub(super) fn input(&self) -> Input {
        self.input.clone()
    }

    /// The next output; `None` once there will be none. May be given up at any time, and nothing is lost.
    #[cfg(not(target_family = "wasm"))]
    pub(super) async fn next(&mut self) -> Option<Vec<u8>> {
        self.source.next().await
    }

    /// Takes input. Only a machine that hangs makes it wait.
    #[cfg(not(target_family = "wasm"))]
    pub(super) async fn write(&mut self, bytes: &[u8]) {
        self.source.write(bytes).await;
    }

    /// Like [`Feed::next`], for a stream whose [input](Feed::input) comes from elsewhere.
    pub(super) async fn next_handed(&mut self) -> Option<Vec<u8>> {
        loop {
            let typed = match select(pin!(self.source.next()), self.typed.next()).await {
                Either::Left((output, _)) => return output,
                Either::Right((typed, _)) => typed,
            };
            self.source.write(&typed.unwrap_or_default()).await;
        }
    }
}
