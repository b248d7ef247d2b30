#[cfg(unix)]
use std::os::unix::net::UnixStream;

use crate::simulated::SimulatedScreen;

/// A connection to a machine's screen, keyboard and mouse. It speaks RFB (RFC 6143), which the client of the console
/// understands; whoever passes it on does not have to.
#[derive(Debug)]
pub enum Screen {
    /// A socket of the machine's own, which does not block.
    #[cfg(unix)]
    Socket(UnixStream),
    /// Of a machine that is simulated.
    Simulated(Box<SimulatedScreen>),
}
