use croft_api::{
    Error, ResourceKind, Result,
    disk::{self as api, DiskCreate, DiskSource},
    scalar::{BlockSize, ByteCount, NameOrId},
};
use croft_store::records::{Disk, DiskContent, DiskStage, ImportStage, Project};
use uuid::Uuid;

use super::to_view;
use crate::{
    Authorized, Caller, Cx, description::check_description, disk::operation, image, project, snapshot,
    storage, usage,
};

/// Minimum size of a disk.
const MIN_SIZE: ByteCount = ByteCount::GIB;
/// Maximum size of a disk, in GiB.
const MAX_SIZE_GIB: u64 = 1023;

/// A disk whose parameters and source have been checked.
pub(crate) struct ValidDisk<'a> {
    params: &'a DiskCreate,
    source: Source,
}

/// The source of a disk.
struct Source {
    content: DiskContent,
    block_size: BlockSize,
    /// The volume that its content is copied from.
    volume: Option<Uuid>,
}

/// `disk_create`: returns the disk as recorded. Its storage is built afterwards ([`progress`](super::progress)).
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &DiskCreate,
) -> Result<api::Disk> {
    let project = project::find(cx, caller, project)?.authorize(cx, caller, &operation::DISK_CREATE)?;
    let valid = validate(cx, caller, &project, params)?;
    Ok(to_view(&insert(cx, &project, &valid)?))
}

/// Checks the parameters and the source, in the contract's order.
pub(crate) fn validate<'a>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &Authorized<Project>,
    params: &'a DiskCreate,
) -> Result<ValidDisk<'a>> {
    let source = match params.disk_source {
        DiskSource::Blank { block_size } => Source { content: DiskContent::Blank, block_size, volume: None },
        DiskSource::ImportingBlocks { block_size } => {
            Source { content: DiskContent::Imported, block_size, volume: None }
        }
        DiskSource::Snapshot { snapshot_id } => of_snapshot(cx, caller, project, params.size, snapshot_id)?,
        DiskSource::Image { image_id } => of_image(cx, caller, project, params.size, image_id)?,
    };
    check_size(params.size, source.block_size)?;
    check_description(&params.identity.description)?;
    Ok(ValidDisk { params, source })
}

fn of_snapshot(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &Authorized<Project>,
    size: ByteCount,
    id: Uuid,
) -> Result<Source> {
    let snapshot = snapshot::source(cx, caller, id)?;
    if snapshot.project_id != project.meta.id {
        return Err(Error::invalid_request("snapshot does not belong to this project"));
    }
    check_room(size, "snapshot", snapshot.size)?;
    Ok(Source { content: DiskContent::Snapshot(id), block_size: snapshot.block_size, volume: Some(id) })
}

fn of_image(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &Authorized<Project>,
    size: ByteCount,
    id: Uuid,
) -> Result<Source> {
    let image = image::source(cx, caller, project, id)?;
    check_room(size, "image", image.size)?;
    let (block_size, volume) = (image.block_size, Some(image.volume_id));
    Ok(Source { content: DiskContent::Image(id), block_size, volume })
}

/// Refuses a disk that is smaller than its source.
fn check_room(size: ByteCount, kind: &str, needed: ByteCount) -> Result<()> {
    if size >= needed {
        return Ok(());
    }
    let (size, needed) = (size.bytes(), needed.bytes());
    Err(Error::invalid_request(format!(
        "disk size {size} must be greater than or equal to {kind} size {needed}"
    )))
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

/// Records a disk, reserves its space and charges the quota.
pub(crate) fn insert(
    cx: &mut Cx<'_, '_>,
    project: &Authorized<Project>,
    valid: &ValidDisk<'_>,
) -> Result<Disk> {
    let ValidDisk { params, source } = valid;
    let stage = match source.content {
        DiskContent::Imported => DiskStage::Importing(ImportStage::Ready),
        DiskContent::Blank | DiskContent::Image(_) | DiskContent::Snapshot(_) => DiskStage::Detached,
    };
    let mut disk = Disk {
        meta: cx.new_meta(),
        silo_id: project.silo_id,
        project_id: project.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        size: params.size,
        block_size: source.block_size,
        content: source.content.clone(),
        stage,
        built: false,
        begins_with: source.volume,
        snapshotting: None,
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
