//! The trace of a packet in a VPC, as text. An extension of the contract.

mod changes;
mod reachability;
mod words;

use std::net::IpAddr;

use croft_api::{
    Error, ResourceKind, Result,
    scalar::NameOrId,
    trace::{Trace, TraceDestination, TraceIcmp, TraceProtocol, TraceRequest, TraceSource},
};
use croft_network::{Interface, Network, Origin, Packet, Protocol, decide};
use croft_store::records::Vpc;
use uuid::Uuid;

use crate::{Caller, Cx, authz::Permission, instance, network::Records, vpc};

pub use reachability::reachability_changes;

crate::authz::operations! {
    extensions {
        VPC_TRACE = reads(Kind::VPC, Permission::Read);
        VPC_REACHABILITY_CHANGES = reads(Kind::VPC, Permission::Read);
    }
}

/// An echo request, the default for ICMP.
const ECHO: TraceIcmp = TraceIcmp { icmp_type: 8, code: 0 };

/// `vpc_trace`: requires read access to the VPC.
pub fn trace(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    vpc: &NameOrId,
    project: Option<&NameOrId>,
    request: &TraceRequest,
) -> Result<Trace> {
    let vpc = vpc::find(cx, caller, vpc, project)?;
    let vpc = vpc.authorize(cx, caller, &operation::VPC_TRACE)?.into_inner();
    let protocol = protocol(request)?;
    let sender = match &request.source {
        TraceSource::Instance { value } => Some(instance_id(cx, caller, &vpc, value)?),
        TraceSource::Interface { .. } | TraceSource::Ip { .. } => None,
    };
    let receiver = match &request.destination {
        TraceDestination::Instance { value } => Some(instance_id(cx, caller, &vpc, value)?),
        TraceDestination::Ip { .. } => None,
    };
    let mut records = Records::read(cx.tx, vpc)?;
    if let Some(changes) = &request.changes {
        changes::apply(cx, &mut records, changes)?;
    }
    let network = records.resolve();
    let (origin, source) = source(&network, request, sender)?;
    let destination = match &request.destination {
        TraceDestination::Ip { value } => *value,
        TraceDestination::Instance { .. } => {
            let receiver = primary(&network, receiver)?;
            match origin {
                Origin::Interface(_) => receiver.ip,
                Origin::Outside => reached_from_outside(receiver, source),
            }
        }
    };
    let packet = Packet::new(origin, source, destination, protocol)
        .map_err(|error| Error::invalid_request(error.to_string()))?;
    Ok(words::explain(&packet, &decide(&network, &packet)))
}

fn protocol(request: &TraceRequest) -> Result<Protocol> {
    let refuse = |text| Err(Error::invalid_request(text));
    let TraceRequest { protocol, port, icmp, .. } = request;
    if icmp.is_some() && *protocol != TraceProtocol::Icmp {
        return refuse("icmp is only valid with the protocol icmp");
    }
    match (protocol, port) {
        (TraceProtocol::Tcp, Some(port)) => Ok(Protocol::Tcp { port: port.get() }),
        (TraceProtocol::Udp, Some(port)) => Ok(Protocol::Udp { port: port.get() }),
        (TraceProtocol::Tcp | TraceProtocol::Udp, None) => refuse("port is required with tcp and udp"),
        (TraceProtocol::Icmp | TraceProtocol::Other, Some(_)) => {
            refuse("port is only valid with tcp and udp")
        }
        (TraceProtocol::Icmp, None) => {
            let TraceIcmp { icmp_type, code } = icmp.unwrap_or(ECHO);
            Ok(Protocol::Icmp { icmp_type, code })
        }
        (TraceProtocol::Other, None) => Ok(Protocol::Other),
    }
}

fn instance_id(cx: &mut Cx<'_, '_>, caller: &Caller, vpc: &Vpc, selector: &NameOrId) -> Result<Uuid> {
    let project = NameOrId::Id(vpc.project_id);
    let within = matches!(selector, NameOrId::Name(_)).then_some(&project);
    let instance = instance::find(cx, caller, selector, within)?;
    Ok(instance.authorize(cx, caller, Permission::Read)?.meta.id)
}

fn primary(network: &Network, instance: Option<Uuid>) -> Result<&Interface> {
    let own = |interface: &&Interface| {
        interface.primary && !interface.is_probe && Some(interface.parent_id) == instance
    };
    let primary = network.interfaces.iter().find(own);
    primary.ok_or_else(|| Error::invalid_request("the instance has no network interface in this VPC"))
}

/// The origin of the packet, and its source address.
fn source(network: &Network, request: &TraceRequest, instance: Option<Uuid>) -> Result<(Origin, IpAddr)> {
    let interface = match &request.source {
        TraceSource::Instance { .. } => primary(network, instance)?,
        TraceSource::Interface { value } => network
            .interface(*value)
            .ok_or_else(|| Error::not_found(ResourceKind::InstanceNetworkInterface, *value))?,
        TraceSource::Ip { .. } if request.source_ip.is_some() => {
            return Err(Error::invalid_request("source_ip is only valid with an instance or an interface"));
        }
        TraceSource::Ip { value } => match network.interface_at(*value) {
            Some(interface) => interface,
            None => return Ok((Origin::Outside, *value)),
        },
    };
    Ok((Origin::Interface(interface.id), request.source_ip.unwrap_or(interface.ip)))
}

/// The external address of an interface for incoming packets, or its own if there is none.
fn reached_from_outside(interface: &Interface, from: IpAddr) -> IpAddr {
    interface.external.reached_from(from).unwrap_or(interface.ip)
}
