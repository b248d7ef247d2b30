use std::io::{self, Read, Seek};

use uuid::Uuid;

/// A file in a bundle; a directory if its name ends in a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its path within the bundle.
    pub name: String,
    /// What is in it.
    pub content: Vec<u8>,
}

impl Member {
    /// A file with text.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), content: text.into().into_bytes() }
    }

    /// A file with indented JSON.
    pub fn json(name: impl Into<String>, value: &serde_json::Value) -> Self {
        Self::text(name, format!("{value:#}\n"))
    }

    /// An empty directory, whose name ends in a slash.
    pub fn folder(name: impl Into<String>) -> Self {
        Self { name: name.into(), content: Vec::new() }
    }
}

/// The bytes of an archive.
pub trait Content: Read + Seek + Send {}

impl<T: Read + Seek + Send> Content for T {}

/// Storage for the data of bundles: a zip file for each.
pub trait Archives: Send + Sync + 'static {
    /// Creates the archive of a bundle, replacing what was there. Returns true once it is complete and durable. Before
    /// each member asks whether the bundle is still wanted, and returns false if it is not.
    fn make(&self, bundle: Uuid, members: &[Member], is_wanted: &mut dyn FnMut() -> bool)
    -> io::Result<bool>;

    /// Removes the data of a bundle, complete or not; does nothing if there is none.
    fn remove(&self, bundle: Uuid) -> io::Result<()>;

    /// The archive of a bundle. It can be read to its end even if it is removed meanwhile.
    fn open(&self, bundle: Uuid) -> io::Result<Box<dyn Content>>;

    /// The names of the members of a bundle, in order.
    fn names(&self, bundle: Uuid) -> io::Result<Vec<String>>;

    /// What is in a member of a bundle; `None` if it has no such member.
    fn member(&self, bundle: Uuid, name: &str) -> io::Result<Option<Vec<u8>>>;
}

/// What the server knows about itself that is not in the database: configuration, versions, log. Implementations must
/// omit secrets.
pub trait Sources: Send + Sync + 'static {
    /// The members for a new bundle. A member that cannot be read contains the error instead.
    fn members(&self) -> Vec<Member>;
}
