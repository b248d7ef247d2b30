//! What migrations change of what is stored. Each works on what its version stored, and is never changed.

use serde_json::json;
use uuid::Uuid;

use crate::{Documents, StoreError, StoredRow, records::FLEET};

/// Migration 2. Lets sessions be found by how they were opened: by their provider, those of no provider by their silo.
pub(crate) fn find_sessions_by_provider(documents: &mut Documents<'_, '_>) -> Result<(), StoreError> {
    documents.rewrite("console_session", |_, session| {
        let opened_by = match session.id_in("provider_id")? {
            Some(provider) => Some(provider),
            None => session.id_in("silo_id")?,
        };
        session.set("opened_by", opened_by);
        Ok(())
    })
}

/// Migration 3. Volumes of snapshots count against the quota of their silo until they are freed. Before, snapshots did,
/// so those of which only images, disks and layers were left counted for nobody.
pub(crate) fn count_volumes(documents: &mut Documents<'_, '_>) -> Result<(), StoreError> {
    documents.rewrite("snapshot_volume", |documents, volume| {
        if !volume.is_live {
            return Ok(());
        }
        let snapshot = documents.get("snapshot", volume.id)?;
        let silo_id = silo_of(documents, volume.id, snapshot.as_ref())?;
        volume.document["silo_id"] = json!(silo_id);
        if snapshot.is_some_and(|snapshot| snapshot.is_live) {
            return Ok(());
        }
        let size = volume.document["size"].as_u64().unwrap_or_default();
        for id in silo_id.into_iter().chain([FLEET]) {
            if let Some(mut usage) = documents.get("usage", id)?.filter(|usage| usage.is_live) {
                let storage = &mut usage.document["used"]["storage"];
                *storage = json!(storage.as_u64().unwrap_or_default().saturating_add(size));
                documents.put("usage", &usage)?;
            }
        }
        Ok(())
    })
}

/// Whose a volume is: known from its snapshot, deleted or not, or from what reads from it.
fn silo_of(
    documents: &mut Documents<'_, '_>,
    volume: Uuid,
    snapshot: Option<&StoredRow>,
) -> Result<Option<Uuid>, StoreError> {
    if let Some(snapshot) = snapshot {
        return snapshot.id_in("silo_id");
    }
    if let Some(image) = documents.find("image", "volume_id", volume)? {
        return image.id_in("silo_id");
    }
    let disk = documents.find("disk", "begins_with", volume)?;
    disk.map_or(Ok(None), |disk| disk.id_in("silo_id"))
}
