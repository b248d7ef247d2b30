//! What runs machines and their networks, judged from what was found on the host.

use croft_sled::qemu::{Acceleration, Examination, FoundProgram};

use super::{Finding, Level};
use crate::{
    config::{AccelerationKind, Config, GuestNetworkKind},
    failure::Failure,
    hypervisor::{self, KVM_ADVICE},
    inbound_icmp,
};

/// The checks of a server that uses QEMU, or would if it could. `required` says whether it does not start without.
pub(super) fn check(config: &Config, required: bool, found: &Examination) -> Vec<Finding> {
    let wants_vpcs = matches!(config.guest_network, GuestNetworkKind::Auto | GuestNetworkKind::Vpc);
    let mut findings: Vec<Finding> = found.programs.iter().map(|found| program(found, wants_vpcs)).collect();
    findings.extend(kvm(config, found));
    findings.push(machines(config, required, found));
    if wants_vpcs {
        findings.push(link_device(found));
    }
    findings.push(guest_networks(config, found));
    findings
}

/// Whether the host can drop ICMP, if it is to.
pub(super) fn inbound_icmp(config: &Config, is_root: bool) -> Option<Finding> {
    let failure = |reason| Finding::problem("inbound-icmp", &inbound_icmp::unsupported(reason));
    config.enforce_icmp.then(|| {
        if is_root {
            Finding::ok("inbound-icmp", "is dropped by nft while the setting says so")
        } else {
            failure("that needs root")
        }
    })
}

/// A program, with Debian's package of it.
fn program(found: &FoundProgram, wants_vpcs: bool) -> Finding {
    let FoundProgram { name, path, version } = found;
    let name = *name;
    if let Some(path) = path {
        let version = version.as_deref().unwrap_or("of an unknown version");
        return Finding::ok(name, format!("{version}, {}", path.display()));
    }
    let (package, needed_for) = match name {
        "qemu-system-x86_64" => ("qemu-system-x86", Some("to run machines")),
        "nft" => ("nftables", wants_vpcs.then_some("for networks of guests")),
        "ip" => ("iproute2", wants_vpcs.then_some("for networks of guests")),
        "dnsmasq" => ("dnsmasq-base", wants_vpcs.then_some("for networks of guests")),
        _ => ("qemu-utils", None),
    };
    match needed_for {
        Some(needed_for) => Finding::warning(
            name,
            format!("is not installed, and needed {needed_for}"),
            format!("run `apt install {package}`"),
        ),
        None => Finding::ok(name, format!("is not installed, and not needed (package {package})")),
    }
}

fn kvm(config: &Config, found: &Examination) -> Option<Finding> {
    const CHECK: &str = "kvm";
    Some(match found.machines.as_ref().ok()? {
        (Acceleration::Kvm, _) => Finding::ok(CHECK, "a test guest ran with it"),
        (Acceleration::Tcg, _) if config.acceleration == AccelerationKind::Tcg => {
            Finding::ok(CHECK, "is not used, as configured: guests run by translation, which is slow")
        }
        (Acceleration::Tcg, reason) => Finding::warning(
            CHECK,
            format!("{reason}: guests run by translation, which is many times slower"),
            KVM_ADVICE,
        ),
    })
}

/// Why QEMU cannot be used as the configuration wants it, if it cannot.
fn obstacle(config: &Config, found: &Examination) -> Option<String> {
    let needs_vpcs = config.guest_network == GuestNetworkKind::Vpc || config.external_interface.is_some();
    match (&found.machines, &found.vpcs) {
        (Err(reason), _) => Some(reason.clone()),
        (_, Err(reason)) if needs_vpcs => Some(format!("VPCs cannot be set up on this host: {reason}")),
        _ => None,
    }
}

fn machines(config: &Config, required: bool, found: &Examination) -> Finding {
    const CHECK: &str = "machines";
    let Some(reason) = obstacle(config, found) else {
        let user = if found.is_root { ", each as a user of its own" } else { "" };
        return Finding::ok(CHECK, format!("QEMU runs them{user}"));
    };
    let failure: Failure = hypervisor::unusable(config, &reason);
    if required {
        return Finding::problem(CHECK, &failure);
    }
    Finding {
        level: Level::Warning,
        text: format!("would be simulated, because {reason}: no real guests would run"),
        ..Finding::problem(CHECK, &failure)
    }
}

/// The device that machines open their links with.
fn link_device(found: &Examination) -> Finding {
    const CHECK: &str = "tun-device";
    match &found.link_device {
        Ok(()) => Finding::ok(CHECK, "can be opened by the users of machines"),
        Err(reason) => Finding::warning(
            CHECK,
            reason.clone(),
            "run `modprobe tun` if it does not exist, and `chmod 0666 /dev/net/tun` if it is closed",
        ),
    }
}

fn guest_networks(config: &Config, found: &Examination) -> Finding {
    const CHECK: &str = "guest-networks";
    match (config.guest_network, &found.vpcs) {
        (GuestNetworkKind::Isolated, _) => Finding::ok(CHECK, "guests reach nothing, as configured"),
        (GuestNetworkKind::Outbound, _) => {
            Finding::ok(CHECK, "guests reach everything that this host reaches, as configured")
        }
        (_, Ok(())) => {
            let out = match &config.external_interface {
                Some(name) => format!(", and reach outside networks through {name}"),
                None => "; --external-interface lets them reach outside networks".to_owned(),
            };
            Finding::ok(CHECK, format!("guests are in their VPCs{out}"))
        }
        (_, Err(reason)) => Finding::warning(
            CHECK,
            format!("guests cannot be in VPCs: {reason}"),
            "run the server as root with nft, ip and dnsmasq installed",
        ),
    }
}
