//! Where random bytes come from.

use sha2::{Digest, Sha256};

/// Where random bytes come from: the operating system at the edge, a seeded generator in tests.
pub trait Random {
    /// Fills the whole slice.
    fn fill_bytes(&mut self, bytes: &mut [u8]);
}

/// Random bytes drawn from one seed: the same seed gives the same bytes. A seed of 32 unpredictable bytes makes them
/// as unpredictable.
#[derive(Clone, Debug)]
pub struct SeededRandom {
    seed: [u8; 32],
    counter: u64,
    block: Vec<u8>,
}

impl SeededRandom {
    /// Starts from a seed.
    pub const fn new(seed: [u8; 32]) -> Self {
        Self { seed, counter: 0, block: Vec::new() }
    }

    /// Takes a seed from another source, to be carried where the source cannot go.
    pub fn drawn(source: &mut dyn Random) -> Self {
        let mut seed = [0; 32];
        source.fill_bytes(&mut seed);
        Self::new(seed)
    }
}

impl Random for SeededRandom {
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            if self.block.is_empty() {
                let block = Sha256::new().chain_update(self.seed).chain_update(self.counter.to_be_bytes());
                self.block = block.finalize().to_vec();
                self.counter += 1;
            }
            *byte = self.block.pop().unwrap_or_default();
        }
    }
}
