//! Sources of random bytes.

use rand::{Rng, SeedableRng as _, rngs::ChaCha20Rng};
use uuid::Uuid;

/// A source of random bytes: the operating system in the server, a seeded generator in tests.
pub trait Random {
    /// Fills the whole slice.
    fn fill_bytes(&mut self, bytes: &mut [u8]);

    /// A random (version 4) id.
    fn id(&mut self) -> Uuid {
        let mut bytes = [0; 16];
        self.fill_bytes(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }
}

/// A generator with a seed: ChaCha with 20 rounds. The same seed gives the same bytes. With a seed of 32 unpredictable
/// bytes, the output is unpredictable.
#[derive(Debug)]
pub struct SeededRandom(ChaCha20Rng);

impl SeededRandom {
    /// Starts from a seed.
    pub fn new(seed: [u8; 32]) -> Self {
        Self(ChaCha20Rng::from_seed(seed))
    }

    /// Takes a seed from another source, for use where the source is not available.
    pub fn from_random(source: &mut dyn Random) -> Self {
        let mut seed = [0; 32];
        source.fill_bytes(&mut seed);
        Self::new(seed)
    }
}

/// The copy continues where the original stands: a rule that runs again gets the same ids and secrets.
impl Clone for SeededRandom {
    fn clone(&self) -> Self {
        // The library does not implement `Clone`, to prevent accidental reuse of random bytes.
        Self(ChaCha20Rng::deserialize_state(&self.0.serialize_state()))
    }
}

impl Random for SeededRandom {
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        Rng::fill_bytes(&mut self.0, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(random: &mut SeededRandom, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        random.fill_bytes(&mut bytes);
        bytes
    }

    #[test]
    fn key_stream_matches_chacha20() {
        // RFC 8439, appendix A.1, test vectors 1 and 2.
        let drawn = hex::encode(draw(&mut SeededRandom::new([0; 32]), 128));
        assert!(
            drawn.starts_with("76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"),
            "{drawn}"
        );
        assert!(drawn[128..].starts_with("9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"));
    }

    #[test]
    fn copy_of_generator_draws_the_same_values() {
        // Ids, secrets, and more than the generator produces at a time, with odd lengths.
        for lengths in [&[][..], &[16], &[16, 32], &[5, 16, 1], &[64], &[256], &[255, 1], &[300, 16]] {
            let mut random = SeededRandom::new([7; 32]);
            for length in lengths {
                draw(&mut random, *length);
            }
            let mut copy = random.clone();
            assert_eq!(draw(&mut copy, 700), draw(&mut random, 700), "after {lengths:?}");
        }
        let mut other = SeededRandom::new([8; 32]);
        assert_ne!(draw(&mut other, 16), draw(&mut SeededRandom::new([7; 32]), 16));
    }
}
