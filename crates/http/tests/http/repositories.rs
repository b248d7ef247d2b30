//! A store of update archives in memory.

use std::{collections::BTreeSet, io::Cursor, sync::Arc};

use bytes::Bytes;
use croft_api::{Error, Result, Timestamp};
use croft_http::{Pending, RepositoryStore, RepositoryUpload, Verified};
use croft_tuf::Root;
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

/// The hashes of the archives that are kept.
#[derive(Clone, Default)]
pub struct TestRepositories(Arc<Mutex<BTreeSet<[u8; 32]>>>);

impl TestRepositories {
    pub fn kept(&self) -> usize {
        self.0.lock().len()
    }
}

impl RepositoryStore for TestRepositories {
    fn forget(&self, hash: [u8; 32]) -> Pending<()> {
        self.0.lock().remove(&hash);
        Box::pin(async {})
    }

    fn begin(&self) -> Pending<Result<Box<dyn RepositoryUpload>>> {
        let upload: Box<dyn RepositoryUpload> = Box::new(Upload { bytes: Vec::new(), kept: self.clone() });
        Box::pin(async { Ok(upload) })
    }
}

struct Upload {
    bytes: Vec<u8>,
    kept: TestRepositories,
}

impl RepositoryUpload for Upload {
    fn write(mut self: Box<Self>, part: Bytes) -> Pending<Result<Box<dyn RepositoryUpload>>> {
        self.bytes.extend_from_slice(&part);
        Box::pin(async { Ok(self as Box<dyn RepositoryUpload>) })
    }

    fn verify(self: Box<Self>, roots: Vec<Root>, now: Timestamp) -> Pending<Result<Verified>> {
        let hash = Sha256::digest(&self.bytes).into();
        let repository = croft_tuf::load(Cursor::new(&self.bytes), &roots, now);
        Box::pin(async move {
            let repository = repository.map_err(|error| Error::invalid_request(error.to_string()))?;
            Ok(Verified { hash, repository, upload: self })
        })
    }

    fn keep(self: Box<Self>) -> Pending<Result<()>> {
        self.kept.0.lock().insert(Sha256::digest(&self.bytes).into());
        Box::pin(async { Ok(()) })
    }
}
