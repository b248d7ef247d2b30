//! What the creation of an instance would do. An extension of the contract.

use std::net::IpAddr;

use croft_api::{
    Error, Result,
    firewall::VpcFirewallRuleDirection,
    instance::{InstanceCreate, InstanceDiskAttachment},
    instance_preview::{
        InstancePreview, InstancePreviewAmount, InstancePreviewInterface, InstancePreviewQuota,
        InstancePreviewRefusal, InstancePreviewRule,
    },
    scalar::NameOrId,
};
use croft_network::{Interface, Network};
use croft_store::{
    ListBy,
    records::{Instance, NetworkInterface, Vpc},
};
use uuid::Uuid;

use super::{
    create::{all_disks, create},
    power,
};
use crate::{AfterError, Caller, Cx, audit, instance::operation, network, paging, project, usage};

/// How many rules of an interface are listed.
const MAX_RULES: usize = 50;

/// `instance_preview`: creates and starts the instance, reads what has come of it, and rolls everything back. So the
/// answer follows from the rules of creation themselves.
pub fn preview(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &InstanceCreate,
) -> Result<InstancePreview> {
    let found = project::find(cx, caller, project)?.authorize(cx, caller, &operation::INSTANCE_PREVIEW)?;
    let quota = quota(cx, found.silo_id, params)?;
    let stopped = InstanceCreate { start: false, ..params.clone() };
    let tried = cx.dry_run(|cx| {
        let id = create(cx, caller, project, &stopped)?.id;
        let instance: Option<Instance> = cx.tx.get(id)?;
        let instance = instance.ok_or_else(|| Error::internal("a new instance is not there"))?;
        let (interfaces, external_ips) = network_of(cx, id)?;
        let start_refusal = start(cx, &instance)?;
        Ok(InstancePreview { refusal: None, quota, start_refusal, interfaces, external_ips })
    });
    match tried {
        Err(error) if !audit::is_transient(&error) => {
            let refusal = InstancePreviewRefusal { message: error.message(), advice: None, constraint: None };
            let (interfaces, external_ips) = (Vec::new(), Vec::new());
            Ok(InstancePreview {
                refusal: Some(refusal),
                quota,
                start_refusal: None,
                interfaces,
                external_ips,
            })
        }
        tried => tried,
    }
}

fn quota(cx: &mut Cx<'_, '_>, silo: Uuid, params: &InstanceCreate) -> Result<InstancePreviewQuota> {
    let (used, limit) = usage::of_silo(cx.tx, silo)?;
    let disks = all_disks(params).map(|disk| match disk {
        InstanceDiskAttachment::Create(disk) => disk.size.bytes(),
        InstanceDiskAttachment::Attach { .. } => 0,
    });
    let amount = |needed, used, limit| InstancePreviewAmount { needed, used, limit };
    Ok(InstancePreviewQuota {
        cpus: amount(u64::from(params.ncpus.0), used.cpus, limit.cpus),
        memory: amount(params.memory.bytes(), used.memory, limit.memory),
        storage: amount(disks.fold(0, u64::saturating_add), used.storage, limit.storage),
    })
}

/// Why the instance cannot be started.
fn start(cx: &mut Cx<'_, '_>, instance: &Instance) -> Result<Option<InstancePreviewRefusal>> {
    let started = cx.attempt(|cx| power::begin(cx, &mut instance.clone()));
    let Err(error) = started else { return Ok(None) };
    if audit::is_transient(&error) {
        return Err(error);
    }
    let (advice, constraint) = match cx.after_error.take() {
        Some(AfterError::StartRefused { note, .. }) => (note.advice, note.constraint),
        _ => (None, None),
    };
    let constraint = constraint.filter(|one| !one.kind.is_hardware()).map(Into::into);
    Ok(Some(InstancePreviewRefusal { message: error.message(), advice, constraint }))
}

/// The interfaces and the external addresses of the instance.
fn network_of(cx: &mut Cx<'_, '_>, instance: Uuid) -> Result<(Vec<InstancePreviewInterface>, Vec<IpAddr>)> {
    let own: Vec<NetworkInterface> = paging::all(cx.tx, &ListBy::Parent(instance))?;
    let Some(vpc) = own.first().map(|interface| interface.vpc_id) else { return Ok(Default::default()) };
    let vpc: Option<Vpc> = cx.tx.get(vpc)?;
    let vpc = vpc.ok_or_else(|| Error::internal("the VPC of an interface is not there"))?;
    let (vpc_id, vpc_name) = (vpc.meta.id, vpc.name.clone());
    let network = network::of(cx.tx, vpc)?;
    let mut own: Vec<&Interface> =
        network.interfaces.iter().filter(|interface| interface.parent_id == instance).collect();
    own.sort_by_key(|interface| !interface.primary);
    let external = own.first().map(|interface| &interface.external);
    let external = external.into_iter().flat_map(|own| own.ephemeral.iter().chain(&own.floating)).copied();
    let external = external.collect();
    let interfaces = own.into_iter().map(|interface| InstancePreviewInterface {
        name: interface.name.clone(),
        vpc_id,
        vpc_name: vpc_name.clone(),
        subnet_name: network
            .subnet(interface.subnet_id)
            .map_or_else(|| interface.name.clone(), |subnet| subnet.name.clone()),
        ip: interface.ip,
        inbound_rules: inbound_rules(&network, interface.id),
    });
    Ok((interfaces.collect(), external))
}

fn inbound_rules(network: &Network, interface: Uuid) -> Vec<InstancePreviewRule> {
    let rules = network.rules.iter().filter(|rule| {
        rule.direction == VpcFirewallRuleDirection::Inbound && rule.targets.binary_search(&interface).is_ok()
    });
    let rules = rules.take(MAX_RULES).map(|rule| InstancePreviewRule {
        name: rule.name.clone(),
        action: rule.action,
        hosts: rule.hosts.clone(),
        protocols: rule.protocols.clone(),
        ports: rule.ports.clone(),
    });
    rules.collect()
}
