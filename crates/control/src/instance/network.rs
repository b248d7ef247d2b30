//! Interfaces and external addresses of a new instance.

use std::collections::BTreeSet;

use croft_api::{
    Error, Result,
    instance::{ExternalIpCreate, InstanceCreate, InstanceNetworkInterfaceAttachment},
};
use croft_store::records::Instance;

use crate::{
    Caller, Cx,
    external_ip::{self, MAX_EXTERNAL_IPS},
    floating_ip,
    network_interface::{self, MAX_INTERFACES},
};

/// Checks of addresses and interfaces that need only the request, in the contract's order.
pub(super) fn check_network(params: &InstanceCreate) -> Result<()> {
    let refuse = |text: String| Err(Error::invalid_request(text));
    if params.external_ips.len() > MAX_EXTERNAL_IPS {
        return refuse(format!(
            "An instance may not have more than {MAX_EXTERNAL_IPS} external IP addresses"
        ));
    }
    let ephemeral =
        params.external_ips.iter().filter(|ip| matches!(ip, ExternalIpCreate::Ephemeral { .. })).count();
    if ephemeral > 1 {
        return refuse("An instance may not have more than 1 ephemeral IP address".to_owned());
    }
    if let InstanceNetworkInterfaceAttachment::Create(interfaces) = &params.network_interfaces {
        if interfaces.len() > usize::from(MAX_INTERFACES) {
            return refuse(format!("An instance may not have more than {MAX_INTERFACES} network interfaces"));
        }
        let vpcs: BTreeSet<_> = interfaces.iter().map(|interface| &interface.vpc_name).collect();
        if vpcs.len() != 1 {
            return refuse("All interfaces must be in the same VPC".to_owned());
        }
    }
    Ok(())
}

/// Creates the interfaces, the SNAT address, and the requested external addresses of a new instance, in that order.
pub(super) fn build_network(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &Instance,
    params: &InstanceCreate,
) -> Result<()> {
    match &params.network_interfaces {
        InstanceNetworkInterfaceAttachment::Default => {
            network_interface::insert_default(cx, caller, instance)?;
        }
        InstanceNetworkInterfaceAttachment::None => {}
        InstanceNetworkInterfaceAttachment::Create(interfaces) => {
            for interface in interfaces {
                network_interface::insert(cx, caller, instance, interface)?;
            }
        }
    }
    external_ip::insert_source_nat(cx, instance)?;
    for address in &params.external_ips {
        match address {
            ExternalIpCreate::Ephemeral { pool } => {
                external_ip::insert_ephemeral(cx, caller, instance, pool.as_ref())?;
            }
            ExternalIpCreate::Floating { floating_ip } => {
                floating_ip::attach_to_new(cx, caller, floating_ip, instance)?;
            }
        }
    }
    Ok(())
}
