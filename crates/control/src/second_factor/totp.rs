//! Time-based one-time passwords (RFC 6238) with the usual parameters: HMAC-SHA-1, six digits, steps of 30 seconds.

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha1::Sha1;

/// Length of a secret in bytes: that of the hash.
pub(super) const SECRET_LENGTH: usize = 20;
/// Length of a step in seconds.
const STEP: u64 = 30;
/// Number of steps before and after the current one whose codes are accepted, for differences of clocks and the time to
/// type.
const TOLERANCE: u64 = 1;
/// Number of digits of a code.
const DIGITS: usize = 6;

/// The step of a time.
fn step_at(time: Timestamp) -> u64 {
    u64::try_from(time.as_second()).unwrap_or_default() / STEP
}

/// The code of a step.
fn code(secret: &[u8], step: u64) -> u32 {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret).expect("HMAC takes keys of any length");
    mac.update(&step.to_be_bytes());
    let hash = mac.finalize().into_bytes();
    let offset = usize::from(hash[hash.len() - 1] & 0xf);
    let word = hash[offset..offset + 4].iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    (word & 0x7fff_ffff) % 10_u32.pow(u32::try_from(DIGITS).unwrap_or_default())
}

/// Parses a typed code. Spaces are ignored, because some apps show them.
pub(super) fn parse(text: &str) -> Option<u32> {
    let digits: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let is_code = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_code)
}

/// The step of a code, if it is acceptable now and later than the `last` accepted step. If several steps have the same
/// code, the last one, so that no code is accepted twice.
pub(super) fn accepted_step(secret: &[u8], now: Timestamp, shown: u32, last: Option<u64>) -> Option<u64> {
    let present = step_at(now);
    let steps = present.saturating_sub(TOLERANCE)..=present.saturating_add(TOLERANCE);
    let fitting = steps.rev().find(|step| code(secret, *step) == shown);
    fitting.filter(|step| last.is_none_or(|last| *step > last))
}

/// The code at a given time: for tests, which have no app.
pub fn shown_at(secret: &[u8], time: Timestamp) -> String {
    format!("{:0DIGITS$}", code(secret, step_at(time)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"12345678901234567890";

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn codes_match_the_rfc_test_vectors() {
        let vectors = [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ];
        for (second, code) in vectors {
            assert_eq!(shown_at(SECRET, at(second)), code, "{second}");
        }
    }

    #[test]
    fn code_is_valid_in_adjacent_time_steps() {
        let shown = parse(&shown_at(SECRET, at(900))).unwrap();
        let accepted = |second| accepted_step(SECRET, at(second), shown, None);
        for second in [870, 899, 900, 929, 930, 959] {
            assert_eq!(accepted(second), Some(30), "{second}");
        }
        for second in [0, 869, 960, 9_000] {
            assert_eq!(accepted(second), None, "{second}");
        }
    }

    #[test]
    fn accepted_steps_increase() {
        let shown = |second| parse(&shown_at(SECRET, at(second))).unwrap();
        assert_eq!(accepted_step(SECRET, at(900), shown(900), Some(29)), Some(30));
        assert_eq!(accepted_step(SECRET, at(900), shown(900), Some(30)), None);
        assert_eq!(accepted_step(SECRET, at(900), shown(870), Some(30)), None);
        assert_eq!(accepted_step(SECRET, at(900), shown(930), Some(30)), Some(31));
    }

    #[test]
    fn codes_are_parsed() {
        assert_eq!(parse("012345"), Some(12_345));
        assert_eq!(parse(" 012 345 "), Some(12_345));
        for text in ["", "12345", "1234567", "12345a", "+12345", "-12345", "１２３４５６"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
