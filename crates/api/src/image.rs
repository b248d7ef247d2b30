//! Images: what disks are made from, kept in a project or shared by a whole silo.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::IdentityCreate,
    page::Listed,
    scalar::{ByteCount, Description, Name, NameOrId},
};

/// A checksum of an image's content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum Digest {
    /// SHA-256, in hex.
    Sha256(String),
}

/// An image.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Image {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique among the images of its project, or among those of its silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed by a person.
    pub time_modified: Timestamp,
    /// The project it belongs to; none for an image of the whole silo.
    pub project_id: Option<Uuid>,
    /// The operating system on it, such as "Debian".
    pub os: String,
    /// The operating system's version, such as "13".
    pub version: String,
    /// Checksum of the content, where one was given.
    pub digest: Option<Digest>,
    /// Block size in bytes.
    pub block_size: ByteCount,
    /// Size in bytes.
    pub size: ByteCount,
}

impl Listed for Image {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// What the content of a new image is taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ImageSource {
    /// A snapshot.
    Snapshot {
        /// That snapshot.
        id: Uuid,
    },
}

/// An image to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ImageCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The operating system on it, such as "Debian"; at most 64 characters.
    pub os: String,
    /// The operating system's version, such as "13"; at most 64 characters.
    pub version: String,
    /// Where its content comes from.
    pub source: ImageSource,
}

/// The path of one image.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ImagePath {
    /// Name or id of the image.
    pub image: NameOrId,
}
