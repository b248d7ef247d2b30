use serde::{Deserialize, Serialize};

use crate::search::Searched;

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

impl Baseboard {
    /// What can be found of a piece of hardware.
    pub(crate) fn searched(&self) -> Searched {
        Searched::by_id().name("serial", &self.serial).label("part", &self.part)
    }
}
