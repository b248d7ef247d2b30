use std::{net::IpAddr, sync::Arc};

use croft_api::allow_list::AllowedSourceIps;
use parking_lot::RwLock;

/// Who may connect at the moment. Cheap to clone: all clones are the same list.
#[derive(Clone, Debug, Default)]
pub struct Sources(Arc<RwLock<AllowedSourceIps>>);

impl Sources {
    /// Whether connections may come from an address.
    pub fn allow(&self, address: IpAddr) -> bool {
        self.0.read().allow(address)
    }

    /// The same for what may come from an unknown address.
    pub fn allow_from(&self, source: Option<IpAddr>) -> bool {
        self.0.read().allow_from(source)
    }

    /// Takes over another list. Tells whether it differs from the one there was.
    pub fn replace(&self, allowed: AllowedSourceIps) -> bool {
        let mut current = self.0.write();
        let differs = *current != allowed;
        *current = allowed;
        differs
    }
}
