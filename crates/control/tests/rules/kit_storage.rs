//! Snapshots, images and imports of the [control plane](Cloud) under test, as the administrator.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use croft_api::{
    Error, Result,
    disk::{Disk, FinalizeDisk, ImportBlocksBulkWrite},
    image::Image,
    scalar::NameOrId,
    snapshot::Snapshot,
};
use croft_control::{disk::import, image, operation, snapshot, usage};
use croft_store::{
    ListBy, Sort,
    records::{Resources, SnapshotVolume},
};
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, GIB, by_name};

impl Cloud {
    pub fn used(&self, id: Uuid) -> Resources {
        let usage =
            self.db.read_blocking(move |tx| Ok::<_, Error>(tx.get::<croft_store::records::Usage>(id)?));
        usage.unwrap().unwrap().used
    }

    pub fn set_quota(&mut self, quota: Resources) {
        let silo = self.admin.silo;
        self.rule(move |cx| usage::set_quota(cx.tx, silo, quota, cx.now)).unwrap();
    }

    pub fn try_snapshot(&mut self, project: &str, name: &str, disk: NameOrId) -> Result<Snapshot> {
        let params = serde_json::from_value(json!({"name": name, "description": "", "disk": disk})).unwrap();
        let (admin, project) = (self.admin.clone(), by_name(project));
        self.act(&admin, &operation::SNAPSHOT_CREATE, move |cx, caller| {
            snapshot::create(cx, caller, &project, &params)
        })
    }

    pub fn snapshot(&mut self, project: &str, name: &str, disk: &str) -> Snapshot {
        self.try_snapshot(project, name, by_name(disk)).unwrap()
    }

    pub fn snapshot_view(&self, id: Uuid) -> Result<Snapshot> {
        self.see(&self.admin, move |cx, caller| snapshot::view(cx, caller, &id.into(), None))
    }

    pub fn snapshot_state(&self, id: Uuid) -> String {
        serde_json::to_value(self.snapshot_view(id).unwrap().state).unwrap().as_str().unwrap().to_owned()
    }

    pub fn delete_snapshot(&mut self, id: Uuid) -> Result<()> {
        let admin = self.admin.clone();
        self.act(&admin, &operation::SNAPSHOT_DELETE, move |cx, caller| {
            snapshot::delete(cx, caller, &id.into(), None).map(|_| ())
        })
    }

    /// Creates an image of a project, or of the silo.
    pub fn try_image(&mut self, project: Option<&str>, name: &str, snapshot: Uuid) -> Result<Image> {
        let source = json!({"type": "snapshot", "id": snapshot});
        let params =
            json!({"name": name, "description": "", "os": "debian", "version": "13", "source": source});
        let params = serde_json::from_value(params).unwrap();
        let (admin, project) = (self.admin.clone(), project.map(by_name));
        self.act(&admin, &operation::IMAGE_CREATE, move |cx, caller| {
            image::create(cx, caller, project.as_ref(), &params)
        })
    }

    pub fn delete_image(&mut self, id: Uuid) -> Result<()> {
        let admin = self.admin.clone();
        self.act(&admin, &operation::IMAGE_DELETE, move |cx, caller| {
            image::delete(cx, caller, &id.into(), None).map(|_| ())
        })
    }

    pub fn try_disk_of_snapshot(&mut self, project: &str, name: &str, snapshot: Uuid) -> Result<Disk> {
        let source = json!({"type": "snapshot", "snapshot_id": snapshot});
        self.try_disk_with(project, json!({"name": name, "size": GIB, "disk_source": source}))
    }

    pub fn try_disk_of_image(&mut self, project: &str, name: &str, image: Uuid) -> Result<Disk> {
        let source = json!({"type": "image", "image_id": image});
        self.try_disk_with(project, json!({"name": name, "size": GIB, "disk_source": source}))
    }

    /// Creates a disk of 1 GiB with blocks of 4096 bytes for an import.
    pub fn try_import(&mut self, project: &str, name: &str) -> Result<Disk> {
        let source = json!({"type": "importing_blocks", "block_size": 4096});
        self.try_disk_with(project, json!({"name": name, "size": GIB, "disk_source": source}))
    }

    pub fn start_import(&mut self, id: Uuid) -> Result<()> {
        let admin = self.admin.clone();
        self.act(&admin, &operation::DISK_BULK_WRITE_IMPORT_START, move |cx, caller| {
            import::start(cx, caller, &id.into(), None)
        })
    }

    pub fn write_blocks(&mut self, id: Uuid, offset: u64, bytes: &[u8]) -> Result<()> {
        self.write_base64(id, offset, &STANDARD.encode(bytes))
    }

    pub fn write_base64(&mut self, id: Uuid, offset: u64, text: &str) -> Result<()> {
        let target =
            self.see(&self.admin, move |cx, caller| import::bulk_write_target(cx, caller, &id.into(), None))?;
        let params = ImportBlocksBulkWrite { offset, base64_encoded_data: text.into() };
        target.write(&*self.hypervisor, &params)
    }

    pub fn stop_import(&mut self, id: Uuid) -> Result<()> {
        let target =
            self.see(&self.admin, move |cx, caller| import::stop_target(cx, caller, &id.into(), None))?;
        target.sync(&*self.hypervisor)?;
        let admin = self.admin.clone();
        self.act(&admin, &operation::DISK_BULK_WRITE_IMPORT_STOP, move |cx, caller| {
            import::stop(cx, caller, &id.into(), None)
        })
    }

    pub fn finalize_import(&mut self, id: Uuid, snapshot: Option<&str>) -> Result<()> {
        let target =
            self.see(&self.admin, move |cx, caller| import::finalize_target(cx, caller, &id.into(), None))?;
        target.sync(&*self.hypervisor)?;
        let params = FinalizeDisk { snapshot_name: snapshot.map(|name| name.parse().unwrap()) };
        let admin = self.admin.clone();
        self.act(&admin, &operation::DISK_FINALIZE_IMPORT, move |cx, caller| {
            import::finalize(cx, caller, &id.into(), None, &params)
        })
    }

    /// Sets the quota of storage in GiB, and high quotas of vCPUs and memory.
    pub fn set_storage_quota(&mut self, gib: u64) {
        self.set_quota(Resources { cpus: 100, memory: 100 * GIB, storage: gib * GIB });
    }

    /// The volumes of snapshots that use storage.
    pub fn volumes(&self) -> Vec<Uuid> {
        let volumes: Result<Vec<SnapshotVolume>> =
            self.db.read_blocking(|tx| Ok(tx.page(ListBy::All, Sort::IdAsc, None, 10_000)?));
        volumes.unwrap().iter().map(|volume| volume.meta.id).collect()
    }
}
