//! Checks whether the external addresses of an instance can change
//! (`docs/rules/networking.md#attaching-and-detaching-external-ips`).

use croft_api::{Error, Result};
use croft_store::{
    ListBy,
    records::{FloatingIp, Instance, InstanceAddress, InstanceStage, MachineState},
};

use crate::Cx;

/// Maximum number of external addresses of an instance, besides its SNAT address.
pub(crate) const MAX_EXTERNAL_IPS: usize = 32;

/// A change of an external address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Attach it to the instance.
    Attach,
    /// Detach it.
    Detach,
}

/// Refuses a change that the state of the instance, or its present addresses, do not allow. `kind` names the kind of
/// address in messages.
pub(crate) fn allow(cx: &mut Cx<'_, '_>, instance: &Instance, change: Change, kind: &str) -> Result<()> {
    let state = instance.machine().map(|machine| machine.state);
    if state == Some(MachineState::Migrating) {
        return Err(Error::unavailable("the instance is migrating to another sled"));
    }
    let label = instance.run_state().label();
    let being_created = instance.stage == InstanceStage::Creating;
    if being_created || instance.stage == InstanceStage::Failed {
        return Err(Error::invalid_request(match change {
            Change::Attach => format!("cannot attach {kind} IP to instance in {label} state"),
            Change::Detach => format!("cannot detach {kind} IP from instance in {label} state"),
        }));
    }
    if change == Change::Attach && count(cx, instance)? >= MAX_EXTERNAL_IPS {
        return Err(Error::invalid_request(format!(
            "an instance may not have more than {MAX_EXTERNAL_IPS} external IP addresses"
        )));
    }
    match state {
        None | Some(MachineState::Running | MachineState::Rebooting) => Ok(()),
        Some(_) => Err(Error::unavailable(format!("the instance is {label}"))),
    }
}

fn count(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<usize> {
    let floating = cx.tx.count::<FloatingIp>(ListBy::lookup(FloatingIp::INSTANCE, instance.meta.id))?;
    let ephemeral: Option<InstanceAddress> = cx.tx.find(InstanceAddress::EPHEMERAL, instance.meta.id)?;
    Ok(usize::try_from(floating).unwrap_or(usize::MAX).saturating_add(usize::from(ephemeral.is_some())))
}
