//! What changes of a VPC would do to who reaches whom.

use croft_api::{
    Result,
    reachability::{
        ReachabilityChange, ReachabilityChanges, ReachabilityPeer, ReachabilityPorts, ReachabilityRequest,
        ReachabilityVerdict,
    },
    scalar::NameOrId,
    trace::{Trace, TraceIcmp, TraceProtocol},
};
use croft_network::{Change, Comparison, Network, Packet, Peer, Traffic, compare, decide};

use super::{changes, operation, words};
use crate::{Caller, Cx, network::Records, vpc};

/// Changes of verdicts that are listed at most.
const MAX_LISTED: usize = 1000;

/// `vpc_reachability_changes`: requires read access to the VPC.
pub fn reachability_changes(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    vpc: &NameOrId,
    project: Option<&NameOrId>,
    request: &ReachabilityRequest,
) -> Result<ReachabilityChanges> {
    let vpc = vpc::find(cx, caller, vpc, project)?;
    let vpc = vpc.authorize(cx, caller, &operation::VPC_REACHABILITY_CHANGES)?.into_inner();
    let mut records = Records::read(cx.tx, vpc)?;
    let before = records.resolve();
    changes::apply(cx, &mut records, &request.changes)?;
    let after = records.resolve();
    let Comparison { changes, is_complete } = compare(&before, &after);
    Ok(ReachabilityChanges {
        is_complete: is_complete && changes.len() <= MAX_LISTED,
        changes: changes.iter().take(MAX_LISTED).map(|change| view(change, &before, &after)).collect(),
    })
}

fn view(change: &Change, before: &Network, after: &Network) -> ReachabilityChange {
    let (protocol, ports, icmp) = match change.traffic {
        Traffic::Tcp(first, last) => (TraceProtocol::Tcp, Some(ReachabilityPorts { first, last }), None),
        Traffic::Udp(first, last) => (TraceProtocol::Udp, Some(ReachabilityPorts { first, last }), None),
        Traffic::Icmp { icmp_type, code } => (TraceProtocol::Icmp, None, Some(TraceIcmp { icmp_type, code })),
        Traffic::Other => (TraceProtocol::Other, None, None),
    };
    ReachabilityChange {
        source: peer(change.source, after),
        destination: peer(change.destination, after),
        protocol,
        ports,
        icmp,
        before: verdict(before, &change.packet),
        after: verdict(after, &change.packet),
    }
}

fn verdict(network: &Network, packet: &Packet) -> ReachabilityVerdict {
    let Trace { verdict, summary, .. } = words::explain(packet, &decide(network, packet));
    ReachabilityVerdict { verdict, summary }
}

fn peer(peer: Peer, network: &Network) -> ReachabilityPeer {
    match peer {
        Peer::Outside { network, address } => ReachabilityPeer::Outside { network, address },
        Peer::Interface(id) => {
            let interface = network.interface(id).expect("the comparison names interfaces of the network");
            ReachabilityPeer::Interface { value: words::interface_view(interface) }
        }
    }
}
