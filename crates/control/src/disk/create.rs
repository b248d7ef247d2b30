use croft_api::{
    Error, ResourceKind, Result,
    disk::{self as api, DiskCreate, DiskSource},
    scalar::{BlockSize, ByteCount, NameOrId},
};
use croft_store::records::{Disk, DiskContent, DiskStage, Project};

use super::to_view;
use crate::{Authorized, Caller, Cx, operation, project, storage, usage};

/// Smallest disk.
const MIN_SIZE: ByteCount = ByteCount::GIB;
/// Greatest disk, in GiB.
const MAX_SIZE_GIB: u64 = 1023;

/// A disk that can be made, as far as the request alone tells.
pub(crate) struct ValidDisk<'a> {
    params: &'a DiskCreate,
    block_size: BlockSize,
}

/// `disk_create`: answers the disk as it was recorded; its storage is built afterwards.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &DiskCreate,
) -> Result<api::Disk> {
    let project = project::find(cx, caller, project)?.authorize(cx, caller, &operation::DISK_CREATE)?;
    let disk = insert(cx, &project, &validate(params)?)?;
    Ok(to_view(&disk))
}

/// Checks what the request alone tells, in the contract's order.
pub(crate) fn validate(params: &DiskCreate) -> Result<ValidDisk<'_>> {
    let block_size = match params.disk_source {
        DiskSource::Blank { block_size } | DiskSource::ImportingBlocks { block_size } => block_size,
        // Neither snapshots nor images exist in this version, so that none is found is the truth.
        DiskSource::Snapshot { snapshot_id } => {
            return Err(Error::not_found(ResourceKind::Snapshot, snapshot_id));
        }
        DiskSource::Image { image_id } => return Err(Error::not_found(ResourceKind::Image, image_id)),
    };
    check_size(params.size, block_size)?;
    if matches!(params.disk_source, DiskSource::ImportingBlocks { .. }) {
        return Err(Error::invalid_value(
            "disk_source",
            "this version cannot import blocks into disks; create a blank disk instead",
        ));
    }
    project::check_description(&params.identity.description)?;
    Ok(ValidDisk { params, block_size })
}

fn check_size(size: ByteCount, block_size: BlockSize) -> Result<()> {
    let refuse = |label: &str, text: String| Err(Error::invalid_value(label, text));
    if !size.is_multiple_of(block_size.byte_count()) {
        return refuse(
            "size and block_size",
            format!("total size must be a multiple of block size {block_size}"),
        );
    }
    if size < MIN_SIZE {
        return refuse("size", format!("total size must be at least {MIN_SIZE}"));
    }
    if !size.is_multiple_of(ByteCount::GIB) {
        return refuse("size", format!("total size must be a multiple of {}", ByteCount::GIB));
    }
    if size.bytes() > MAX_SIZE_GIB * ByteCount::GIB.bytes() {
        return refuse("size", format!("total size must be less than {MAX_SIZE_GIB} GiB"));
    }
    Ok(())
}

/// Records a disk, with the space set aside and the quota charged.
pub(crate) fn insert(
    cx: &mut Cx<'_, '_>,
    project: &Authorized<Project>,
    valid: &ValidDisk<'_>,
) -> Result<Disk> {
    let ValidDisk { params, block_size } = valid;
    let mut disk = Disk {
        meta: cx.new_meta(),
        silo_id: project.silo_id,
        project_id: project.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        size: params.size,
        block_size: *block_size,
        content: DiskContent::Blank,
        stage: DiskStage::Detached,
        built: false,
        pools: Vec::new(),
        time_due: Some(cx.now),
    };
    if cx.tx.get_by_name::<Disk>(project.meta.id, disk.name.as_str())?.is_some() {
        return Err(Error::exists(ResourceKind::Disk, &disk.name));
    }
    disk.pools = storage::allocate(cx, disk.size.bytes())?;
    usage::charge(cx, disk.silo_id, disk.project_id, usage::of_disk(&disk))?;
    cx.insert_named(ResourceKind::Disk, &disk)?;
    Ok(disk)
}
