use serde::{Deserialize, Serialize};

/// What a piece of hardware calls itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseboard {
    /// Its serial number.
    pub serial: String,
    /// Its model, or the number of the part.
    pub part: String,
    /// The revision of the model.
    pub revision: u32,
}
