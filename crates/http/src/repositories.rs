//! Where archives of updates are put while they are received, and kept afterwards.

use bytes::Bytes;
use croft_api::{Error, Result, Timestamp};
use croft_tuf::{Repository, Root};

use crate::app::Pending;

/// A place for archives, outside the database.
pub trait RepositoryStore: Send + Sync + 'static {
    /// Begins to receive an archive.
    ///
    /// # Errors
    /// `Unavailable` where there is no place for any, or for no more at the same time.
    fn begin(&self) -> Pending<Result<Box<dyn RepositoryUpload>>>;

    /// Removes an archive that was kept and is not to be, if it is there.
    fn forget(&self, hash: [u8; 32]) -> Pending<()>;
}

/// An archive that is being received. Dropped before it is kept, it leaves nothing behind.
pub trait RepositoryUpload: Send {
    /// Appends data.
    ///
    /// # Errors
    /// `Unavailable` where there is no more space.
    fn write(self: Box<Self>, part: Bytes) -> Pending<Result<Box<dyn RepositoryUpload>>>;

    /// Verifies an archive that has been received as a whole, by these root roles.
    ///
    /// # Errors
    /// `InvalidRequest` with the reason why it is refused.
    fn verify(self: Box<Self>, roots: Vec<Root>, now: Timestamp) -> Pending<Result<Verified>>;

    /// Keeps a verified archive under its hash.
    ///
    /// # Errors
    /// `Unavailable` where that cannot be done.
    fn keep(self: Box<Self>) -> Pending<Result<()>>;
}

/// An archive that was verified.
pub struct Verified {
    /// Its SHA-256.
    pub hash: [u8; 32],
    /// What it has.
    pub repository: Repository,
    /// The archive, to be kept or dropped.
    pub upload: Box<dyn RepositoryUpload>,
}

/// Takes no archives.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRepositories;

impl RepositoryStore for NoRepositories {
    fn begin(&self) -> Pending<Result<Box<dyn RepositoryUpload>>> {
        Box::pin(async { Err(Error::unavailable("this server accepts no update repositories")) })
    }

    fn forget(&self, _: [u8; 32]) -> Pending<()> {
        Box::pin(async {})
    }
}
