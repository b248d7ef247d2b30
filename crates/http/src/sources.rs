use std::{net::IpAddr, sync::Arc};

use croft_api::allow_list::AllowedSourceIps;
use parking_lot::RwLock;

/// The allow-list in force. Cheap to clone: all clones share the list.
#[derive(Clone, Debug, Default)]
pub struct Sources(Arc<RwLock<AllowedSourceIps>>);

impl Sources {
    /// Whether connections from an address are allowed.
    pub fn allow(&self, address: IpAddr) -> bool {
        self.0.read().allow(address)
    }

    /// The same for an unknown address.
    pub fn allow_from(&self, source: Option<IpAddr>) -> bool {
        self.0.read().allow_from(source)
    }

    /// Replaces the list. Returns whether it has changed.
    pub fn replace(&self, allowed: AllowedSourceIps) -> bool {
        let mut current = self.0.write();
        let differs = *current != allowed;
        *current = allowed;
        differs
    }
}
