//! Imports (`docs/rules/compute-and-storage.md#imports`).
//!
//! Blocks are sent to the hypervisor outside of any transaction. The caller of these rules must not let writes of a
//! disk overlap with its [`stop`] or [`finalize`], from before the [target](bulk_write_target) is looked up until the
//! work is done, so that no write happens after either of them.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use croft_api::{
    Error, Result,
    disk::{DiskState, FinalizeDisk, ImportBlocksBulkWrite},
    scalar::NameOrId,
};
use croft_sled::{Hypervisor, HypervisorError};
use croft_store::records::{Disk, DiskStage, ImportStage};
use uuid::Uuid;

use super::find;
use crate::{Caller, Cx, Operation, disk::operation, snapshot};

/// The storage of a disk that is being imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportTarget {
    /// The disk.
    pub id: Uuid,
    size: u64,
    block_size: u64,
}

impl ImportTarget {
    fn of(disk: &Disk) -> Self {
        Self { id: disk.meta.id, size: disk.size.bytes(), block_size: disk.block_size.byte_count().bytes() }
    }

    /// Writes blocks. Runs outside of any transaction, and may block.
    pub fn write(&self, hypervisor: &dyn Hypervisor, params: &ImportBlocksBulkWrite<'_>) -> Result<()> {
        let bytes = STANDARD
            .decode(params.base64_encoded_data.as_bytes())
            .map_err(|error| Error::invalid_request(format!("error base64 decoding data: {error}")))?;
        self.check_range(params.offset, bytes.len() as u64)?;
        hypervisor.write_disk(self.id, params.offset, &bytes).map_err(|error| self.failed("written", error))
    }

    fn check_range(&self, offset: u64, length: u64) -> Result<()> {
        let text = if !offset.is_multiple_of(self.block_size) {
            "Offset not block aligned"
        } else if !length.is_multiple_of(self.block_size) {
            "Data length not block size multiple"
        } else if offset.checked_add(length).is_none_or(|end| end > self.size) {
            "offset + data length off end of region!"
        } else {
            return Ok(());
        };
        Err(Error::invalid_request(text))
    }

    /// Makes all written blocks durable. Runs outside of any transaction, and may block.
    pub fn sync(&self, hypervisor: &dyn Hypervisor) -> Result<()> {
        hypervisor.sync_disk(self.id).map_err(|error| self.failed("synced", error))
    }

    /// The import stays as it is, so that the caller can try again.
    fn failed(&self, what: &str, error: HypervisorError) -> Error {
        let detail = format!("disk {} could not be {what}: {error}", self.id);
        match error {
            HypervisorError::Unreachable(_) | HypervisorError::Pending => Error::unavailable(detail),
            _ => Error::internal(detail),
        }
    }
}

fn find_for(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
    operation: &Operation,
) -> Result<Disk> {
    Ok(find(cx, caller, disk, project)?.authorize(cx, caller, operation)?.into_inner())
}

fn require(
    cx: &mut Cx<'_, '_>,
    disk: &Disk,
    state: &DiskState,
    refusal: impl FnOnce(String) -> String,
) -> Result<()> {
    let current = disk.state();
    if current == *state {
        return Ok(());
    }
    // Built disks of this kind become `import_ready`. All other states are set by requests.
    if current == DiskState::Creating && *state == DiskState::ImportReady {
        cx.note_unfinished(disk);
    }
    Err(Error::invalid_request(refusal(current.debug_label())))
}

fn require_move(cx: &mut Cx<'_, '_>, disk: &Disk, from: &DiskState, to: &DiskState) -> Result<()> {
    require(cx, disk, from, |state| format!("cannot set disk in state {state} to \"{}\"", to.label()))
}

/// `disk_bulk_write_import_start`.
pub fn start(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let mut disk = find_for(cx, caller, disk, project, &operation::DISK_BULK_WRITE_IMPORT_START)?;
    require_move(cx, &disk, &DiskState::ImportReady, &DiskState::ImportingFromBulkWrites)?;
    disk.stage = DiskStage::Importing(ImportStage::BulkWrites);
    Ok(cx.tx.update(&mut disk)?)
}

/// The first step of `disk_bulk_write_import`: returns where the blocks are [written](ImportTarget::write).
pub fn bulk_write_target(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<ImportTarget> {
    let disk = find_for(cx, caller, disk, project, &operation::DISK_BULK_WRITE_IMPORT)?;
    require(cx, &disk, &DiskState::ImportingFromBulkWrites, |state| {
        format!("cannot import blocks with a bulk write for disk in state {state}")
    })?;
    Ok(ImportTarget::of(&disk))
}

/// The first step of `disk_bulk_write_import_stop`: returns what must be [synced](ImportTarget::sync).
pub fn stop_target(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<ImportTarget> {
    stoppable(cx, caller, disk, project).map(|disk| ImportTarget::of(&disk))
}

/// The last step of `disk_bulk_write_import_stop`, after the sync.
pub fn stop(cx: &mut Cx<'_, '_>, caller: &Caller, disk: &NameOrId, project: Option<&NameOrId>) -> Result<()> {
    let mut disk = stoppable(cx, caller, disk, project)?;
    disk.stage = DiskStage::Importing(ImportStage::Ready);
    Ok(cx.tx.update(&mut disk)?)
}

fn stoppable(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Disk> {
    let disk = find_for(cx, caller, disk, project, &operation::DISK_BULK_WRITE_IMPORT_STOP)?;
    require_move(cx, &disk, &DiskState::ImportingFromBulkWrites, &DiskState::ImportReady)?;
    Ok(disk)
}

/// The first step of `disk_finalize_import`: returns what must be [synced](ImportTarget::sync).
pub fn finalize_target(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<ImportTarget> {
    finalizable(cx, caller, disk, project).map(|disk| ImportTarget::of(&disk))
}

/// The last step of `disk_finalize_import`, after the sync. With a snapshot the disk is `finalizing` until that has
/// been taken; without one it is ready immediately.
pub fn finalize(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
    params: &FinalizeDisk,
) -> Result<()> {
    let mut disk = finalizable(cx, caller, disk, project)?;
    let Some(name) = &params.snapshot_name else {
        disk.stage = DiskStage::Detached;
        return Ok(cx.tx.update(&mut disk)?);
    };
    disk.stage = DiskStage::Importing(ImportStage::Finalizing);
    let description = format!("snapshot of finalized disk {}", disk.meta.id);
    snapshot::begin(cx, &mut disk, name.clone(), description.into())?;
    Ok(())
}

fn finalizable(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    disk: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Disk> {
    let disk = find_for(cx, caller, disk, project, &operation::DISK_FINALIZE_IMPORT)?;
    require(cx, &disk, &DiskState::ImportReady, |state| {
        format!("cannot finalize disk in state DiskState({state})")
    })?;
    Ok(disk)
}
