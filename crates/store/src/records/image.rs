use croft_api::scalar::{BlockSize, ByteCount, Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    KeyKind, Lookup, Meta, Order, Scope, Table, record,
    search::{Audience, Searched},
};

/// What disks are made from: an image of one project, or of a whole silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project; `None` for an image of the whole silo.
    pub project_id: Option<Uuid>,
    /// Unique among the images of its project, or among those of its silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// The operating system on it.
    pub os: String,
    /// That system's version.
    pub version: String,
    /// Size of the content.
    pub size: ByteCount,
    /// Block size.
    pub block_size: BlockSize,
    /// The volume that holds the content: that of the snapshot it was made from, which need not exist any more.
    pub volume_id: Uuid,
}

impl Image {
    fn searched(&self) -> Searched {
        let named = Searched::named(&self.name, &self.description);
        let searched = named.text("os", &self.os).text("version", &self.version);
        match self.project_id {
            Some(_) => searched,
            // Not every user of the silo may read its images.
            None => searched.found_by(&[Audience::SiloViewers(self.silo_id)]),
        }
    }
}

record! {
    Image as image {
        table: Table::named("image").by_parent(&[Order::Name, Order::Id]);
        parent: image.project_id.unwrap_or(image.silo_id);
        name: Some(image.name.as_str());
        scope: Scope { silo: Some(image.silo_id), project: image.project_id };
        search: image.searched();
        lookups: {
            /// The images that read from a volume.
            VOLUME: Lookup::new("volume_id", KeyKind::Id) = image.volume_id;
        }
    }
}
