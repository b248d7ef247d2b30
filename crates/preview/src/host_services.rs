//! Services that a page lacks: passwords, receivers and archives. Nothing leaves the page.

use std::{sync::Arc, time::Duration};

use croft_api::{Result, scalar::Password};
use croft_control::SeededRandom;
use croft_http::{Clock, MetadataSource, Passwords, Pending, Random, Tasks};
use sha2::{Digest as _, Sha256};

/// The services that the embedding program must provide.
#[derive(Clone)]
pub struct HostServices {
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub random: Arc<dyn Random>,
    /// Tasks besides requests.
    pub tasks: Arc<dyn Tasks>,
}

impl HostServices {
    /// A random source for rules.
    pub(crate) fn seeded_random(&self) -> SeededRandom {
        let mut seed = [0; 32];
        self.random.fill(&mut seed);
        SeededRandom::new(seed)
    }
}

/// Hashes passwords with salted SHA-256. This does not protect against guessing, but the database is only in the memory
/// of the user who chose the passwords.
pub(crate) struct PlainPasswords(pub(crate) Arc<dyn Random>);

impl PlainPasswords {
    fn digest(salt: &str, password: &Password) -> String {
        let digest = Sha256::new().chain_update(salt).chain_update(password.reveal()).finalize();
        format!("$preview${salt}${}", hex::encode(digest))
    }
}

impl Passwords for PlainPasswords {
    fn verify(&self, password: Password, hash: Option<String>) -> Pending<Result<bool>> {
        let fits = hash.is_some_and(|hash| {
            let salt = hash.split('$').nth(2).unwrap_or_default();
            hash == Self::digest(salt, &password)
        });
        Box::pin(std::future::ready(Ok(fits)))
    }

    fn hash(&self, password: Password, _: String) -> Pending<Result<String>> {
        let mut salt = [0; 16];
        self.0.fill(&mut salt);
        Box::pin(std::future::ready(Ok(Self::digest(&hex::encode(salt), &password))))
    }

    fn pause(&self, _: Duration) -> Pending<()> {
        // Only the user of the page can guess passwords, so there is no delay.
        Box::pin(std::future::ready(()))
    }
}

/// Fetches nothing.
pub(crate) struct NoMetadata;

impl MetadataSource for NoMetadata {
    fn fetch(&self, _: String) -> Pending<Result<String, String>> {
        let why = "querying url returned: the technical preview sends no requests to other hosts";
        Box::pin(std::future::ready(Err(why.to_owned())))
    }
}
