//! Disks and snapshots as layers.
//!
//! A layer is a file in `layers/`: a raw file that a blank disk begins with, or a qcow2 file over another layer. A disk
//! or a snapshot is a small record that lists its layers, the topmost first. A disk writes into its topmost layer,
//! which no other record has; all others never change again. A layer is removed when no record has it any more.
//!
//! Every change is one record that is replaced or removed as a whole, after the files that it names are durable. What a
//! crash leaves behind is a layer that no record has, which the next start removes.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, File, OpenOptions, Permissions},
    io,
    os::unix::fs::{FileExt as _, OpenOptionsExt as _, PermissionsExt as _, chown},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use parking_lot::{Mutex, RwLock};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    files::{self, Accounts},
    qcow2, readers, record,
};
use crate::{DiskSpec, HypervisorError, SnapshotSpec};

/// The format of a layer's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Format {
    /// Byte for byte.
    Raw,
    /// The differences from the layer below.
    Qcow2,
}

impl Format {
    /// QEMU's name for it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Qcow2 => "qcow2",
        }
    }
}

/// A layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Layer {
    pub(super) id: Uuid,
    pub(super) format: Format,
}

/// Maximum number of layers of a disk: QEMU opens each of them when a machine starts, and uses memory for it.
const DEEPEST: usize = 64;

/// A disk or a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    size: u64,
    block_size: u32,
    /// The topmost first.
    layers: Vec<Layer>,
    /// For a snapshot that was deleted: the layer that is being merged into its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    merging: Option<Layer>,
}

/// What a machine needs to know of a disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attached {
    /// The topmost first; at least one.
    pub(super) layers: Vec<Layer>,
    pub(super) block_size: u32,
}

/// A snapshot of a running machine's disk in progress.
#[derive(Debug)]
pub(super) struct PendingSnapshot {
    /// The layer that the machine writes to from now on.
    pub(super) overlay: Layer,
    /// The record that becomes the snapshot once it does.
    record: Record,
}

/// Which kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Disk,
    Snapshot,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Disk, Self::Snapshot];

    const fn folder(self) -> &'static str {
        match self {
            Self::Disk => "disks",
            Self::Snapshot => "snapshots",
        }
    }
}

#[derive(Debug, Default)]
struct Index {
    records: HashMap<(Kind, Uuid), Record>,
    /// Held while a disk is written to by an import, so that its layer is not frozen meanwhile.
    writers: HashMap<Uuid, Arc<RwLock<()>>>,
    /// The users that use disks, who may read the disks' layers.
    users: HashMap<Uuid, u32>,
}

/// All disks and snapshots of a data directory.
#[derive(Debug)]
pub(super) struct Volumes {
    root: PathBuf,
    accounts: Option<Accounts>,
    /// Whether the file system has access control lists. Otherwise all machines may read frozen layers.
    names_readers: bool,
    index: Mutex<Index>,
}

pub(super) fn failed(doing: &str, error: impl std::fmt::Display) -> HypervisorError {
    HypervisorError::Failed(format!("{doing}: {error}"))
}

impl Volumes {
    /// Reads the state in a folder, and removes what an interrupted change left there.
    pub(super) fn open(root: &Path, accounts: Option<Accounts>) -> io::Result<Self> {
        files::passable_folder(&root.join("layers"), accounts)?;
        let mut index = Index::default();
        for kind in Kind::ALL {
            let folder = root.join(kind.folder());
            files::private_folder(&folder, None)?;
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let id = path.file_stem().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
                match (id, path.extension().and_then(|extension| extension.to_str())) {
                    (Some(id), Some("json")) => {
                        let record = record::read(&fs::read(&path)?).map_err(|error| {
                            io::Error::other(format!("cannot read {}: {error}", path.display()))
                        })?;
                        index.records.insert((kind, id), record);
                    }
                    _ => fs::remove_file(&path)?,
                }
            }
        }
        let kept: HashSet<Uuid> = index.layers().collect();
        for entry in fs::read_dir(root.join("layers"))? {
            let entry = entry?;
            let id = entry.file_name().to_str().and_then(|name| name.parse().ok());
            if !id.is_some_and(|id| kept.contains(&id)) {
                files::remove(&entry.path())?;
            }
        }
        let names_readers = accounts.is_some() && readers::are_kept_in(&root.join("layers"))?;
        if accounts.is_some() && !names_readers {
            tracing::warn!(
                folder = %root.display(),
                "the file system has no access control lists, so a guest that breaks out of QEMU could read \
                 the images and snapshots of others: keep the data directory on a file system with them, \
                 such as ext4 or XFS"
            );
        }
        let volumes = Self { root: root.to_owned(), accounts, names_readers, index: Mutex::new(index) };
        volumes.close_all()?;
        Ok(volumes)
    }

    /// Revokes read access to frozen layers until machines are adopted. Running machines have opened them already.
    fn close_all(&self) -> io::Result<()> {
        if !self.names_readers {
            return Ok(());
        }
        let index = self.index.lock();
        let layers: HashSet<Layer> =
            index.records.values().flat_map(|record| &record.layers).copied().collect();
        layers
            .into_iter()
            .filter(|layer| self.is_frozen(*layer))
            .try_for_each(|layer| self.freeze(&index, layer))
    }

    /// Whether a layer is read-only.
    fn is_frozen(&self, layer: Layer) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = fs::metadata(self.layer_path(layer));
        metadata.is_ok_and(|metadata| metadata.uid() == 0 && metadata.mode() & 0o222 == 0)
    }

    fn layer_path(&self, layer: Layer) -> PathBuf {
        self.root.join("layers").join(layer.id.to_string())
    }

    fn record_path(&self, kind: Kind, id: Uuid) -> PathBuf {
        self.root.join(kind.folder()).join(format!("{id}.json"))
    }

    /// Bytes of the host's storage that all layers take.
    pub(super) fn allocated(&self) -> u64 {
        use std::os::unix::fs::MetadataExt as _;
        let entries = fs::read_dir(self.root.join("layers")).into_iter().flatten().filter_map(Result::ok);
        entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.blocks() * 512).sum()
    }

    /// Writes a record; the files that it names must be durable.
    fn store(&self, index: &mut Index, kind: Kind, id: Uuid, record: Record) -> io::Result<()> {
        let content = record::write(&record)?;
        files::replace(&self.record_path(kind, id), &content)?;
        index.records.insert((kind, id), record);
        Ok(())
    }

    /// Makes an empty file for a disk, over `below` if there is anything.
    fn new_layer(&self, size: u64, below: Option<&Layer>) -> io::Result<Layer> {
        let format = if below.is_some() { Format::Qcow2 } else { Format::Raw };
        let layer = Layer { id: Uuid::new_v4(), format };
        let path = self.layer_path(layer);
        let file = if let Some(below) = below {
            qcow2::create_overlay(&path, size, &below.id.to_string(), below.format.name())?
        } else {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
            file.set_len(size)?;
            file
        };
        file.sync_all()?;
        files::sync_folder_of(&path)?;
        Ok(layer)
    }

    /// Freezes a layer: the machines whose disks are based on it may read it, and nobody may write to it.
    fn freeze(&self, index: &Index, layer: Layer) -> io::Result<()> {
        let path = self.layer_path(layer);
        match self.accounts {
            Some(_) if self.names_readers => {
                chown(&path, Some(0), Some(0))?;
                readers::allow(&path, &index.users_of(layer))
            }
            Some(accounts) => {
                chown(&path, Some(0), Some(accounts.group))?;
                fs::set_permissions(&path, Permissions::from_mode(0o440))
            }
            None => fs::set_permissions(&path, Permissions::from_mode(0o400)),
        }
    }

    /// Gives a layer to a user who writes into it, or back to the server.
    fn give(&self, layer: Layer, user: Option<u32>) -> io::Result<()> {
        let path = self.layer_path(layer);
        if self.accounts.is_some() {
            let owner = Some(user.unwrap_or(0));
            readers::forget(&path)?;
            chown(&path, owner, owner)?;
        }
        fs::set_permissions(&path, Permissions::from_mode(0o600))
    }

    /// Creates a disk; does nothing if it exists.
    pub(super) fn ensure_disk(&self, spec: &DiskSpec) -> Result<(), HypervisorError> {
        let mut index = self.index.lock();
        if index.records.contains_key(&(Kind::Disk, spec.id)) {
            return Ok(());
        }
        let below = match spec.snapshot {
            None => Vec::new(),
            Some(snapshot) => {
                let found = index.records.get(&(Kind::Snapshot, snapshot));
                let found = found.filter(|record| record.merging.is_none());
                let missing = || HypervisorError::Refused(format!("there is no snapshot {snapshot}"));
                found.ok_or_else(missing)?.layers.clone()
            }
        };
        let built = self.new_layer(spec.size, below.first()).and_then(|top| {
            let layers = std::iter::once(top).chain(below).collect();
            let record = Record { size: spec.size, block_size: spec.block_size, layers, merging: None };
            self.store(&mut index, Kind::Disk, spec.id, record)
        });
        built.map_err(|error| failed("cannot create a disk", error))
    }

    /// Frees the storage of a disk; does nothing if there is none.
    pub(super) fn delete_disk(&self, id: Uuid) -> Result<(), HypervisorError> {
        self.index.lock().writers.remove(&id);
        self.delete(Kind::Disk, id)
    }

    /// Frees the storage of a snapshot without dependents; does nothing if there is none.
    pub(super) fn delete_snapshot(&self, id: Uuid) -> Result<(), HypervisorError> {
        self.delete(Kind::Snapshot, id)
    }

    fn delete(&self, kind: Kind, id: Uuid) -> Result<(), HypervisorError> {
        let mut index = self.index.lock();
        files::remove(&self.record_path(kind, id))
            .map_err(|error| failed("cannot remove a record", error))?;
        let Some(record) = index.records.remove(&(kind, id)) else { return Ok(()) };
        if kind == Kind::Disk {
            index.users.remove(&id);
        }
        let kept: HashSet<Uuid> = index.layers().collect();
        drop(index);
        let unused: Vec<PathBuf> = record
            .layers
            .into_iter()
            .filter(|layer| !kept.contains(&layer.id))
            .map(|layer| self.layer_path(layer))
            .collect();
        // A large file takes the kernel seconds; one that is not gone at a crash is removed at the next start.
        let remover = move || {
            for path in unused {
                if let Err(error) = files::remove(&path) {
                    tracing::warn!(path = %path.display(), %error, "cannot remove an unused layer");
                }
            }
        };
        let spawned = thread::Builder::new().name("croft-remove".into()).spawn(remover);
        spawned.map(drop).map_err(|error| failed("cannot remove layers", error))
    }

    /// The file of a disk with a single layer for writing to it from outside, and the lock that prevents freezing.
    fn open_for_writing(&self, id: Uuid) -> Result<(u64, PathBuf, Arc<RwLock<()>>), HypervisorError> {
        let mut index = self.index.lock();
        let record = index.records.get(&(Kind::Disk, id));
        let record = record.ok_or_else(|| HypervisorError::Refused(format!("there is no disk {id}")))?;
        let [layer @ Layer { format: Format::Raw, .. }] = record.layers.as_slice() else {
            return Err(HypervisorError::Refused(format!(
                "disk {id} was not created blank, or has a snapshot"
            )));
        };
        let (size, path) = (record.size, self.layer_path(*layer));
        Ok((size, path, Arc::clone(index.writers.entry(id).or_default())))
    }

    /// Writes bytes at an offset.
    pub(super) fn write(&self, id: Uuid, offset: u64, bytes: &[u8]) -> Result<(), HypervisorError> {
        let (size, path, writers) = self.open_for_writing(id)?;
        let end = u64::try_from(bytes.len()).ok().and_then(|length| offset.checked_add(length));
        if end.is_none_or(|end| end > size) {
            return Err(HypervisorError::Refused(format!("disk {id} ends before the bytes at {offset}")));
        }
        let _writing = writers.read();
        let written =
            OpenOptions::new().write(true).open(path).and_then(|file| file.write_all_at(bytes, offset));
        written.map_err(|error| failed("cannot write into a disk", error))
    }

    /// Makes durable what was written.
    pub(super) fn sync(&self, id: Uuid) -> Result<(), HypervisorError> {
        let (top, _) = self.attached(id)?;
        let synced = File::open(self.layer_path(top)).and_then(|file| file.sync_data());
        synced.map_err(|error| failed("cannot flush a disk to storage", error))
    }

    /// Whether a snapshot has been taken.
    pub(super) fn has_snapshot(&self, id: Uuid) -> bool {
        self.index.lock().records.contains_key(&(Kind::Snapshot, id))
    }

    /// Takes a snapshot of a disk that no machine has.
    pub(super) fn take_snapshot(&self, spec: &SnapshotSpec) -> Result<(), HypervisorError> {
        if self.has_snapshot(spec.id) {
            return Ok(());
        }
        let writers = Arc::clone(self.index.lock().writers.entry(spec.disk_id).or_default());
        let _nobody_writes = writers.write();
        let growth = self.grow(spec.disk_id, None)?;
        let (overlay, before) = (growth.overlay, growth.record.clone());
        self.settle(spec, growth).inspect_err(|_| {
            // Nobody has used the new layer, and an import can only continue without it.
            if let Err(error) = self.shrink(spec.disk_id, before, overlay) {
                tracing::warn!(disk = %spec.disk_id, %error, "cannot remove the layer of a failed snapshot");
            }
        })
    }

    /// Removes an empty layer from a detached disk.
    fn shrink(&self, disk: Uuid, before: Record, overlay: Layer) -> io::Result<()> {
        if let Some(top) = before.layers.first() {
            self.give(*top, None)?;
        }
        self.store(&mut self.index.lock(), Kind::Disk, disk, before)?;
        files::remove(&self.layer_path(overlay))
    }

    /// Adds an empty top layer to a disk. As long as nothing has been written to it, it makes no difference whether a
    /// machine already uses it or still writes to the one below, so this is crash-safe.
    pub(super) fn grow(&self, disk: Uuid, owner: Option<u32>) -> Result<PendingSnapshot, HypervisorError> {
        let mut index = self.index.lock();
        let record = index.records.get(&(Kind::Disk, disk));
        let record =
            record.ok_or_else(|| HypervisorError::Refused(format!("there is no disk {disk}")))?.clone();
        if record.layers.len() >= DEEPEST {
            return Err(HypervisorError::Refused(format!(
                "disk {disk} already has {DEEPEST} layers, which is the maximum; create a new disk from a \
                 snapshot of it to have fewer"
            )));
        }
        let grown = self.new_layer(record.size, record.layers.first()).and_then(|overlay| {
            if owner.is_some() {
                chown(self.layer_path(overlay), owner, owner)?;
            }
            let layers = std::iter::once(overlay).chain(record.layers.iter().copied()).collect();
            self.store(&mut index, Kind::Disk, disk, Record { layers, ..record.clone() })?;
            Ok(overlay)
        });
        let overlay = grown.map_err(|error| failed("cannot start a snapshot", error))?;
        Ok(PendingSnapshot { overlay, record })
    }

    /// Stores the layers below the new one as a snapshot. Nothing may write to them any more.
    pub(super) fn settle(&self, spec: &SnapshotSpec, growth: PendingSnapshot) -> Result<(), HypervisorError> {
        let synced = growth
            .record
            .layers
            .first()
            .map_or(Ok(()), |top| File::open(self.layer_path(*top)).and_then(|file| file.sync_all()));
        // All of them: an interrupted attempt may have left more than one layer writable.
        let mut index = self.index.lock();
        let settled = synced
            .and_then(|()| growth.record.layers.iter().try_for_each(|layer| self.freeze(&index, *layer)));
        settled
            .and_then(|()| self.store(&mut index, Kind::Snapshot, spec.id, growth.record))
            .map_err(|error| failed("cannot store a snapshot", error))
    }

    fn attached(&self, id: Uuid) -> Result<(Layer, Attached), HypervisorError> {
        self.index.lock().attached(id)
    }

    /// Makes the user that a machine runs as the owner of a disk; `None` makes it the server's again. Layers below the
    /// top one that an interrupted snapshot left writable are frozen.
    pub(super) fn set_owner(&self, id: Uuid, user: Option<u32>) -> Result<Attached, HypervisorError> {
        let mut index = self.index.lock();
        let (top, attached) = index.attached(id)?;
        if self.accounts.is_some() {
            index.set_user(id, user);
            let below = attached.layers.iter().skip(1);
            let given = below
                .copied()
                .try_for_each(|layer| self.freeze(&index, layer))
                .and_then(|()| self.give(top, user));
            given.map_err(|error| failed("cannot give a machine access to its disk", error))?;
        }
        Ok(attached)
    }

    /// Records the user of a running machine with a disk. The layer that it writes to is left as it is.
    pub(super) fn take_over(&self, id: Uuid, user: Option<u32>) -> Result<(), HypervisorError> {
        let mut index = self.index.lock();
        let (_, attached) = index.attached(id)?;
        if self.names_readers {
            index.set_user(id, user);
            let mut below = attached.layers.iter().skip(1).copied();
            below
                .try_for_each(|layer| if self.is_frozen(layer) { self.freeze(&index, layer) } else { Ok(()) })
                .map_err(|error| failed("cannot give a machine read access to its disk", error))?;
        }
        Ok(())
    }
}

impl Index {
    /// Records the user of a disk, if there is one.
    fn set_user(&mut self, disk: Uuid, user: Option<u32>) {
        match user {
            Some(user) => drop(self.users.insert(disk, user)),
            None => drop(self.users.remove(&disk)),
        }
    }

    fn attached(&self, id: Uuid) -> Result<(Layer, Attached), HypervisorError> {
        let record = self.records.get(&(Kind::Disk, id));
        let found = record.and_then(|record| {
            let attached = Attached { layers: record.layers.clone(), block_size: record.block_size };
            Some((*record.layers.first()?, attached))
        });
        found.ok_or_else(|| HypervisorError::Refused(format!("there is no disk {id}")))
    }

    /// The users whose disks are based on a layer.
    fn users_of(&self, layer: Layer) -> Vec<u32> {
        let stands = |disk: &Uuid| {
            self.records.get(&(Kind::Disk, *disk)).is_some_and(|record| record.layers.contains(&layer))
        };
        self.users.iter().filter(|(disk, _)| stands(disk)).map(|(_, user)| *user).collect()
    }

    /// Whether a volume other than this snapshot uses the snapshot's own layer.
    fn has_dependents(&self, snapshot: Uuid) -> bool {
        let key = (Kind::Snapshot, snapshot);
        let Some(own) = self.records.get(&key).and_then(|record| record.layers.first()) else { return false };
        self.records.iter().any(|(other, record)| *other != key && record.layers.contains(own))
    }

    /// The layers that records have, some of them several times.
    fn layers(&self) -> impl Iterator<Item = Uuid> {
        self.records.values().flat_map(|record| &record.layers).map(|layer| layer.id)
    }
}

pub(super) mod merge;
#[cfg(test)]
mod tests;
