//! Checks which [secret key](SecretKey) a database was created with.

use croft_api::Result;
use croft_store::{
    Tx,
    records::{FLEET, KeyCheck},
};
use jiff::Timestamp;

use crate::{Declaration, Random, Resource, SecretKey, SiloDeletion};

impl Resource for KeyCheck {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// The purpose and the content of the key check.
const CHECK: &str = "key check";

/// Whether the database has a key check.
pub fn is_established(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(tx.get::<KeyCheck>(FLEET)?.is_some())
}

/// Whether the database belongs to this key, or to none yet.
pub fn fits(tx: &mut Tx<'_>, key: &SecretKey) -> Result<bool> {
    let check = tx.get::<KeyCheck>(FLEET)?;
    Ok(check.is_none_or(|check| opens(key, &check)))
}

fn opens(key: &SecretKey, check: &KeyCheck) -> bool {
    key.open(CHECK, FLEET, &check.sealed).is_ok()
}

/// Stores a key check for this key if the database has none. Returns whether the database belongs to this key.
/// Otherwise, secrets sealed in the database cannot be opened.
pub fn establish(tx: &mut Tx<'_>, key: &SecretKey, random: &mut dyn Random, now: Timestamp) -> Result<bool> {
    if let Some(check) = tx.get::<KeyCheck>(FLEET)? {
        return Ok(opens(key, &check));
    }
    let sealed = key.seal(random, CHECK, FLEET, CHECK.as_bytes())?;
    tx.insert(&KeyCheck { meta: croft_store::Meta::new(FLEET, now), sealed })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SeededRandom;

    fn random() -> SeededRandom {
        SeededRandom::new([7; 32])
    }

    #[test]
    fn a_database_belongs_to_one_key() {
        let database = croft_store::Database::in_memory(&croft_store::schema::CROFT).unwrap();
        let establish_with = |byte: u8| {
            let establish = move |tx: &mut Tx<'_>| {
                establish(tx, &SecretKey::new([byte; 32]), &mut random(), Timestamp::UNIX_EPOCH)
            };
            database.write_blocking(establish).unwrap()
        };
        let fits_with =
            |byte: u8| database.read_blocking(move |tx| fits(tx, &SecretKey::new([byte; 32]))).unwrap();
        assert!(!database.read_blocking(is_established).unwrap() && fits_with(2));
        assert!(establish_with(1) && establish_with(1));
        assert!(!establish_with(2));
        assert!(fits_with(1) && !fits_with(2));
        assert!(database.read_blocking(is_established).unwrap());
    }
}
