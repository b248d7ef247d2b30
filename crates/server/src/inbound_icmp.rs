//! Makes the host drop ICMP to the server's addresses if the setting says so and the operator has enabled it.

use std::{net::IpAddr, path::Path, sync::Arc, time::Duration};

use croft_control::allow_list;
use croft_sled::qemu::InboundIcmp;
use croft_store::{ChangeSignal, Database};
use tokio::{
    task::block_in_place,
    time::{sleep, timeout},
};

use crate::failure::{ExitKind, Failure, Result};

/// Minimum interval between reads of the database: commits come in bursts, and few of them change the setting.
const DEBOUNCE: Duration = Duration::from_millis(200);
/// Maximum interval: other programs that write to the database do not wake this one.
const LONGEST: Duration = Duration::from_secs(5);

/// The enforcement of the setting on the host.
#[derive(Clone)]
pub enum Enforcement {
    /// Enabled.
    Enforced(Arc<InboundIcmp>),
    /// Disabled.
    LeftAlone,
}

/// The failure of a server that is to drop ICMP on a host that cannot, for this reason.
pub fn unsupported(reason: &str) -> Failure {
    Failure::new(ExitKind::Configuration, format!("cannot set up firewall rules that drop ICMP: {reason}"))
        .hint("run as root with nft installed, or leave out --enforce-icmp")
}

impl Enforcement {
    /// Prepares enforcement, and removes what a crashed server has left.
    ///
    /// # Errors
    /// Enforcement is enabled, and this host does not support it.
    pub fn open(asked: bool, data_directory: &Path, addresses: Vec<IpAddr>) -> Result<Self> {
        if !asked {
            if let Err(reason) = InboundIcmp::clear(data_directory) {
                tracing::warn!(
                    reason,
                    "cannot remove the firewall rules of an earlier server, so this host still drops ICMP"
                );
            }
            return Ok(Self::LeftAlone);
        }
        let guard = InboundIcmp::open(data_directory, addresses).map_err(|reason| unsupported(&reason))?;
        Ok(Self::Enforced(Arc::new(guard)))
    }

    /// Applies the setting to the host.
    fn apply(&self, allowed: bool) -> std::result::Result<(), String> {
        match self {
            Self::LeftAlone if allowed => Ok(()),
            Self::LeftAlone => {
                tracing::warn!(
                    "the setting forbids inbound ICMP, but this host still answers it; start croft serve \
                     with --enforce-icmp to drop it"
                );
                Ok(())
            }
            Self::Enforced(guard) => {
                // Not cancelable, so that nothing is applied after the end.
                let applied = block_in_place(|| if allowed { guard.allow() } else { guard.forbid() });
                applied.map_err(|error| error.to_string())?;
                tracing::info!(allowed, "the setting for inbound ICMP is in force");
                Ok(())
            }
        }
    }

    /// Follows changes of the database for as long as it is polled.
    pub async fn follow(self, database: Database, mut changes: ChangeSignal) {
        let mut in_force = None;
        loop {
            match database.read(allow_list::is_icmp_allowed).await {
                Ok(allowed) if in_force == Some(allowed) => {}
                Ok(allowed) => match self.apply(allowed) {
                    Ok(()) => in_force = Some(allowed),
                    Err(error) => tracing::warn!(error, "cannot enforce the setting for inbound ICMP"),
                },
                Err(error) => {
                    let detail = error.detail();
                    tracing::warn!(%error, detail, "cannot read the setting for inbound ICMP");
                }
            }
            sleep(DEBOUNCE).await;
            // It checks after a timeout as well.
            let _ = timeout(LONGEST, changes.changed()).await;
        }
    }

    /// Removes the rules from the host.
    pub fn end(&self) {
        if let Self::Enforced(guard) = self
            && let Err(error) = guard.allow()
        {
            tracing::warn!(%error, "cannot remove the firewall rules; this host drops ICMP until the next \
                                    start of the server");
        }
    }
}
