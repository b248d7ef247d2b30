//! Storage of update archives, during the upload and afterwards.

use bytes::Bytes;
use croft_api::{Error, Result, Timestamp};
use croft_tuf::{Repository, Root};

use crate::app::Pending;

/// Storage of archives, outside the database.
pub trait RepositoryStore: Send + Sync + 'static {
    /// Starts an upload.
    ///
    /// # Errors
    /// `Unavailable` if there is no storage, or there are too many uploads.
    fn begin(&self) -> Pending<Result<Box<dyn RepositoryUpload>>>;

    /// Removes a stored archive, if it exists.
    fn forget(&self, hash: [u8; 32]) -> Pending<()>;
}

/// An upload. Dropping it before it is stored removes its data.
pub trait RepositoryUpload: Send {
    /// Appends data.
    ///
    /// # Errors
    /// `Unavailable` where there is no more space.
    fn write(self: Box<Self>, part: Bytes) -> Pending<Result<Box<dyn RepositoryUpload>>>;

    /// Verifies a complete upload with these root roles.
    ///
    /// # Errors
    /// `InvalidRequest` with the reason why it is refused.
    fn verify(self: Box<Self>, roots: Vec<Root>, now: Timestamp) -> Pending<Result<Verified>>;

    /// Stores a verified archive under its hash.
    ///
    /// # Errors
    /// `Unavailable` if that fails.
    fn keep(self: Box<Self>) -> Pending<Result<()>>;
}

/// An archive that was verified.
pub struct Verified {
    /// Its SHA-256.
    pub hash: [u8; 32],
    /// Its content.
    pub repository: Repository,
    /// The archive, to be stored or dropped.
    pub upload: Box<dyn RepositoryUpload>,
}

/// Accepts no archives.
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
