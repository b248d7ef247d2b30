use croft_api::{Error, Result, deletion::DeletionEffect, scalar::NameOrId};
use croft_store::{
    ListBy,
    records::{
        Disk, DiskStage, FloatingIp, Instance, InstanceAddress, InstanceStage, NetworkInterface, WantedState,
    },
};
use uuid::Uuid;

use super::{activity, find};
use crate::{
    Caller, Cx, Operation, affinity,
    deletable::{self, Deletable},
    dependents::{Dependent, Dependents},
    external_ip,
    instance::operation,
    network_interface, paging, vpc,
};

/// `instance_delete`: of stopped and failed instances. Disks and floating IPs are detached; name and addresses are free
/// immediately.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let mut instance =
        find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_DELETE)?.into_inner();
    deletable::require(cx, caller, &instance)?;
    for mut disk in paging::all::<Disk>(cx.tx, &ListBy::lookup(Disk::INSTANCE, instance.meta.id))? {
        disk.stage = DiskStage::Detached;
        cx.tx.update(&mut disk)?;
    }
    affinity::remove_from_all(cx, &instance)?;
    network_interface::delete_all(cx, &instance)?;
    external_ip::release_all(cx, &instance)?;
    activity::delete_all(cx, instance.meta.id)?;
    instance.wanted = WantedState::Destroyed;
    instance.time_due = None;
    Ok(cx.tx.delete(&mut instance, cx.now)?)
}

impl Deletable for Instance {
    const DELETION: Operation = operation::INSTANCE_DELETE;
    const PATH: &'static str = "/v1/instances/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), None)
    }

    fn refuse(&self, _: &mut Cx<'_, '_>, _: &Caller) -> Result<()> {
        let text = match self.stage {
            InstanceStage::Stopped | InstanceStage::Failed => return Ok(()),
            InstanceStage::Creating => "instance cannot be deleted in state \"creating\"",
            InstanceStage::Active(_) => {
                "cannot delete instance: instance is running or has not yet fully stopped"
            }
        };
        Err(Error::invalid_request(text))
    }

    fn effects(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (deleted, changed, own) = (DeletionEffect::Deleted, DeletionEffect::Changed, self.meta.id);
        let addresses = |address: &InstanceAddress| Dependent::of(address).named(address.ip);
        let mut effects = vec![
            Dependents::list::<Disk>(changed, ListBy::lookup(Disk::INSTANCE, own)).along(),
            Dependents::list::<FloatingIp>(changed, ListBy::lookup(FloatingIp::INSTANCE, own)).along(),
            Dependents::list::<NetworkInterface>(deleted, ListBy::Parent(own)),
            Dependents::labeled(deleted, ListBy::Parent(own), addresses),
        ];
        effects.extend(affinity::groups_left_by(cx, own)?);
        Ok(effects)
    }

    fn kept(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let interfaces: Vec<NetworkInterface> = paging::all(cx.tx, &ListBy::Parent(self.meta.id))?;
        let mut vpcs: Vec<Uuid> = interfaces.iter().map(|interface| interface.vpc_id).collect();
        vpcs.sort_unstable();
        vpcs.dedup();
        vpc::references(cx.tx, &vpcs, vpc::Named::Instance(&self.name))
    }
}
