//! Recovery codes, each of which replaces a second factor once.
//!
//! They have 60 random bits, which is too little for a plain hash, so they are hashed with the server's key, which is
//! not in the database.

use uuid::Uuid;

use crate::{Random, SecretKey};

/// Number of codes.
const CODES: usize = 10;
/// Digits and letters that are not easily confused: `i`, `l`, `o` and `u` are missing.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Length of a code in letters, of five bits each.
const LENGTH: usize = 12;
/// Letters between dashes.
const GROUP: usize = 4;
/// The purpose of the hashes.
const PURPOSE: &str = "recovery code";

/// Generates the codes of a user.
pub(super) fn draw(random: &mut dyn Random) -> Vec<String> {
    let mut code = || {
        let mut bytes = [0; LENGTH];
        random.fill_bytes(&mut bytes);
        // A power of two, so that all letters are equally likely.
        let letters = bytes.map(|byte| char::from(ALPHABET[usize::from(byte) % ALPHABET.len()]));
        let groups = letters.chunks(GROUP).map(|group| group.iter().collect::<String>());
        groups.collect::<Vec<_>>().join("-")
    };
    (0..CODES).map(|_| code()).collect()
}

/// The stored form of a code.
pub(super) fn hash(key: &SecretKey, user: Uuid, code: &str) -> String {
    hex::encode(key.fingerprint(PURPOSE, user, normal(code).as_bytes()))
}

/// The position of the hash that a code matches. Takes constant time.
pub(super) fn find(key: &SecretKey, user: Uuid, code: &str, hashes: &[String]) -> Option<usize> {
    let code = normal(code);
    let fits = |hash: &String| {
        let hash = hex::decode(hash).unwrap_or_default();
        key.has_fingerprint(PURPOSE, user, code.as_bytes(), &hash)
    };
    let fitting: Vec<bool> = hashes.iter().map(fits).collect();
    fitting.into_iter().position(|fits| fits)
}

/// The letters of a code, without dashes and other differences of spelling.
fn normal(text: &str) -> String {
    let letters = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-');
    let plain = letters.map(|letter| match letter.to_ascii_lowercase() {
        'i' | 'l' => '1',
        'o' => '0',
        letter => letter,
    });
    plain.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::SeededRandom;

    fn codes() -> Vec<String> {
        draw(&mut SeededRandom::new([3; 32]))
    }

    #[test]
    fn recovery_codes_have_twelve_unambiguous_letters() {
        let codes = codes();
        assert_eq!((codes.len(), codes.iter().collect::<BTreeSet<_>>().len()), (10, 10));
        for code in &codes {
            let groups: Vec<_> = code.split('-').collect();
            assert!(groups.len() == 3 && groups.iter().all(|group| group.len() == 4), "{code}");
            assert!(!code.contains(['i', 'l', 'o', 'u']), "{code}");
        }
    }

    #[test]
    fn a_code_matches_in_any_spelling_for_its_user_only() {
        let (key, user, codes) = (SecretKey::new([1; 32]), Uuid::from_u128(1), codes());
        let hashes: Vec<_> = codes.iter().map(|code| hash(&key, user, code)).collect();
        assert!(hashes.iter().zip(&codes).all(|(hash, code)| !hash.contains(&code.replace('-', ""))));
        for (place, code) in codes.iter().enumerate() {
            let typed = format!(" {} ", code.to_uppercase().replace('-', " ").replace('0', "O"));
            assert_eq!(find(&key, user, &typed, &hashes), Some(place));
            assert_eq!(find(&key, Uuid::from_u128(2), code, &hashes), None);
            assert_eq!(find(&SecretKey::new([2; 32]), user, code, &hashes), None);
        }
        for wrong in ["", "-", &codes[0][1..], &format!("{}0", codes[0])] {
            assert_eq!(find(&key, user, wrong, &hashes), None, "{wrong}");
        }
    }
}
