//! Time and randomness from the operating system.

use std::time::{Duration, Instant};

use croft_api::Timestamp;
use croft_http::{Clock, Random};

/// The current time.
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    // Stored times have microseconds; a view created before storing must not show more.
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}

/// The host's clock.
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// Creates a clock whose monotonic time starts now.
    pub fn new() -> Self {
        Self { started: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        now()
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The operating system's random generator.
pub struct SystemRandom;

impl SystemRandom {
    /// # Panics
    /// The operating system provides no random bytes: no secret could be created then.
    fn fill(bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    }
}

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        Self::fill(bytes);
    }
}

impl croft_control::Random for SystemRandom {
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        Self::fill(bytes);
    }
}
