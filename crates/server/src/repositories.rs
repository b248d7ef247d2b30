//! Storage of update archives on this host, in the directory `updates` of the data directory.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use croft_api::{Error, Result, Timestamp, update::ArtifactHash};
use croft_http::{Pending, RepositoryStore, RepositoryUpload, Verified};
use croft_tuf::Root;
use sha2::{Digest as _, Sha256};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
};

use crate::failure::{ExitKind, Failure, Result as Started};

/// The folder in the data directory.
const FOLDER: &str = "updates";
/// The suffix of archives that are being received.
const PART: &str = "part";
/// Maximum number of concurrent uploads.
const AT_ONCE: usize = 2;
/// Maximum number of threads used by all of them, and one that removes refused archives.
pub const THREADS: usize = AT_ONCE + 1;

/// The folder.
pub struct Repositories {
    folder: PathBuf,
    begun: AtomicU64,
    permits: Arc<Semaphore>,
}

impl Repositories {
    /// Opens the directory, and removes incomplete archives.
    ///
    /// # Errors
    /// The directory cannot be used.
    pub fn open(data_directory: &Path) -> Started<Self> {
        let folder = data_directory.join(FOLDER);
        let opened = fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).and_then(|()| {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == PART) {
                    fs::remove_file(path)?;
                }
            }
            Ok(())
        });
        let failed = |error: io::Error| {
            let message = format!("cannot use the folder {}: {error}", folder.display());
            Failure::new(ExitKind::DataDirectory, message)
        };
        opened.map_err(failed)?;
        Ok(Self { folder, begun: AtomicU64::new(0), permits: Arc::new(Semaphore::new(AT_ONCE)) })
    }
}

/// The path of an archive with this hash.
fn place(folder: &Path, hash: [u8; 32]) -> PathBuf {
    folder.join(format!("{}.zip", ArtifactHash(hash)))
}

impl RepositoryStore for Repositories {
    fn forget(&self, hash: [u8; 32]) -> Pending<()> {
        let path = place(&self.folder, hash);
        Box::pin(async move {
            let removed = blocking(move || match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            });
            if let Err(error) = removed.await {
                tracing::warn!(detail = error.detail(), "cannot delete a rejected archive");
            }
        })
    }

    fn begin(&self) -> Pending<Result<Box<dyn RepositoryUpload>>> {
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!("{number}.{PART}"));
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        Box::pin(async move {
            let permit = permit.map_err(|_| {
                Error::unavailable(format!("{AT_ONCE} update repositories are already being uploaded"))
            })?;
            blocking(move || {
                let file =
                    OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
                Ok(Box::new(Upload { file, path, hasher: Sha256::new(), hash: None, _permit: permit })
                    as Box<dyn RepositoryUpload>)
            })
            .await
        })
    }
}

/// Runs file operations off the threads that serve requests.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T> {
    let done = spawn_blocking(work).await.map_err(Error::internal)?;
    done.map_err(|error| Error::unavailable(format!("cannot store the update repository: {error}")))
}

/// An archive in a temporary file, which is removed when it is dropped.
struct Upload {
    file: File,
    path: PathBuf,
    /// The hash of the data received so far.
    hasher: Sha256,
    /// The hash of the complete archive.
    hash: Option<[u8; 32]>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Upload {
    fn drop(&mut self) {
        // A stored archive has been renamed.
        let _ = fs::remove_file(&self.path);
    }
}

impl RepositoryUpload for Upload {
    fn write(mut self: Box<Self>, part: Bytes) -> Pending<Result<Box<dyn RepositoryUpload>>> {
        Box::pin(blocking(move || {
            self.file.write_all(&part)?;
            self.hasher.update(&part);
            Ok(self as Box<dyn RepositoryUpload>)
        }))
    }

    fn verify(mut self: Box<Self>, roots: Vec<Root>, now: Timestamp) -> Pending<Result<Verified>> {
        Box::pin(async move {
            let read = blocking(move || {
                let hash = self.hasher.clone().finalize().into();
                self.hash = Some(hash);
                let repository = croft_tuf::load(BufReader::new(&self.file), &roots, now);
                Ok((self, hash, repository))
            });
            let (upload, hash, repository) = read.await?;
            let repository = repository.map_err(|error| Error::invalid_request(error.to_string()))?;
            Ok(Verified { hash, repository, upload })
        })
    }

    fn keep(self: Box<Self>) -> Pending<Result<()>> {
        Box::pin(blocking(move || {
            let hash = self.hash.ok_or_else(|| io::Error::other("it has not been verified"))?;
            let folder = self.path.parent().unwrap_or(Path::new("."));
            self.file.sync_all()?;
            fs::rename(&self.path, place(folder, hash))?;
            File::open(folder)?.sync_all()
        }))
    }
}

#[cfg(test)]
mod tests {
    use croft_tuf::testing::{Draft, Signer};

    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder.join(FOLDER)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[tokio::test]
    async fn only_stored_archives_remain() {
        let folder = tempfile::tempdir().unwrap();
        let signer = Signer::new(1);
        let roots = || vec![Root::trust(&signer.root(1)).unwrap()];
        let store = Repositories::open(folder.path()).unwrap();
        let archive = Draft::new(&signer, "1.2.3").archive();
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let mut upload = store.begin().await.unwrap();
        for part in archive.chunks(100) {
            upload = upload.write(Bytes::copy_from_slice(part)).await.unwrap();
        }
        let Verified { hash, repository, upload } = upload.verify(roots(), now).await.unwrap();
        assert_eq!(hash, <[u8; 32]>::from(Sha256::digest(&archive)));
        assert_eq!(repository.system_version.to_string(), "1.2.3");
        upload.keep().await.unwrap();
        let kept = place(&folder.path().join(FOLDER), hash);
        assert_eq!(fs::read(&kept).unwrap(), archive);

        // Refused and aborted uploads are removed, and so are those of a server that crashed.
        let upload = store.begin().await.unwrap().write(Bytes::from_static(b"no archive")).await.unwrap();
        let Err(Error::InvalidRequest(reason)) = upload.verify(roots(), now).await else {
            panic!("the upload was accepted")
        };
        assert!(reason.starts_with("error opening archive: "), "{reason}");
        drop(store.begin().await.unwrap());
        assert_eq!(files(folder.path()).len(), 1);
        fs::write(folder.path().join(FOLDER).join("7.part"), "half").unwrap();
        let store = Repositories::open(folder.path()).unwrap();
        assert_eq!(files(folder.path()).len(), 1);

        let both = [store.begin().await.unwrap(), store.begin().await.unwrap()];
        assert!(
            matches!(store.begin().await, Err(Error::Unavailable { .. })),
            "the number of uploads is limited"
        );
        drop(both);
        store.forget(hash).await;
        store.forget(hash).await;
        assert_eq!(files(folder.path()), [""; 0]);
    }
}
