//! Time and randomness, as the operating system gives them.

use std::time::{Duration, Instant};

use croft_api::Timestamp;
use croft_http::{Clock, Random};

/// The time of day.
pub fn now() -> Timestamp {
    let now = Timestamp::now();
    // Stored times have microseconds; a view made before storing must not show more.
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}

/// The host's clock.
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// A clock whose monotonic time begins now.
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

/// The operating system's generator.
pub struct SystemRandom;

impl SystemRandom {
    /// # Panics
    /// When the operating system has no randomness to give: nothing secret could be made then.
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
