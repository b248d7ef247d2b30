//! Records have their own types, so that changes of the API do not affect databases. Of `croft_api` they contain only
//! scalars (`docs/decisions/0041-stored-types.md`).

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use croft_api::{allow_list, firewall, router, switch_port_settings, update};
use croft_store::records;

/// Types of `croft_api` that records may contain: single texts and numbers whose form is fixed by a standard or by the
/// contract, and that have no parts that could be added or removed.
const SCALARS: &[&str] = &[
    "scalar::AlertSubscription",
    "scalar::BlockSize",
    "scalar::ByteCount",
    "scalar::Description",
    "scalar::Hostname",
    "scalar::IcmpParamRange",
    "scalar::InstanceCpuCount",
    "scalar::IpNet",
    "scalar::Ipv4Net",
    "scalar::Ipv6Net",
    "scalar::L4PortRange",
    "scalar::MacAddr",
    "scalar::Name",
    "scalar::SwitchLocation",
    "scalar::UserData",
    "scalar::Vni",
    // Semantic Versioning 2.0.0, and a SHA-256 in hexadecimal digits.
    "update::ArtifactHash",
    "update::SystemVersion",
];

/// Results of the search. They are computed from records and never stored.
const ANSWERS: &[&str] = &["search::SearchMatch", "search::SearchRank"];

/// Sources that convert records or errors to types of the API and store nothing.
const CONVERSIONS: &[&str] =
    &["error.rs", "wire.rs", "wire/compute.rs", "wire/networking.rs", "wire/system.rs"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file of the crate, by its path relative to `src`.
fn sources() -> Vec<(String, String)> {
    let (mut folders, mut sources) = (vec![folder()], Vec::new());
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder()).unwrap().to_str().unwrap().to_owned();
                sources.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    sources.sort();
    sources
}

/// The items of `croft_api` in `use` declarations and paths of a source, ignoring comments.
fn named(source: &str) -> BTreeSet<String> {
    let lines = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code: String = lines.flat_map(|line| [line, "\n"]).collect();
    let mut items = BTreeSet::new();
    for (start, name) in code.match_indices("croft_api") {
        read_tree(&mut &code[start + name.len()..], "", &mut items);
    }
    items
}

/// Parses the rest of a path: further segments, a group of paths, or its end.
fn read_tree(rest: &mut &str, path: &str, items: &mut BTreeSet<String>) {
    *rest = rest.trim_start();
    let Some(after) = rest.strip_prefix("::") else {
        items.insert(path.to_owned());
        return;
    };
    *rest = after.trim_start();
    if let Some(group) = rest.strip_prefix('{') {
        *rest = group;
        read_group(rest, path, items);
    } else {
        read_segment(rest, path, items);
    }
}

fn read_group(rest: &mut &str, path: &str, items: &mut BTreeSet<String>) {
    loop {
        *rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('}') {
            *rest = after;
            return;
        }
        read_segment(rest, path, items);
        // An alias does not change the item.
        let end = rest.find([',', '}']).unwrap();
        *rest = &rest[end..];
        *rest = rest.strip_prefix(',').unwrap_or(rest);
    }
}

fn read_segment(rest: &mut &str, path: &str, items: &mut BTreeSet<String>) {
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '*').unwrap_or(rest.len());
    let (segment, after) = rest.split_at(end);
    *rest = after;
    let path = if path.is_empty() { segment.to_owned() } else { format!("{path}::{segment}") };
    read_tree(rest, &path, items);
}

#[test]
fn records_contain_only_scalars_of_the_api() {
    let mut used = BTreeSet::new();
    let mut wrong = Vec::new();
    for (name, source) in sources() {
        let items = named(&source);
        if CONVERSIONS.contains(&name.as_str()) {
            assert!(!source.contains("Serialize"), "{name} converts what is stored and stores nothing");
            continue;
        }
        let foreign = items
            .iter()
            .filter(|item| !SCALARS.contains(&item.as_str()) && !ANSWERS.contains(&item.as_str()));
        wrong.extend(foreign.map(|item| format!("{name}: croft_api::{item}")));
        used.extend(items);
    }
    assert!(
        wrong.is_empty(),
        "stored types must differ from those of the API; declare one in `records` and its conversions in `wire`:\n{}",
        wrong.join("\n")
    );
    let stale: Vec<_> = SCALARS.iter().chain(ANSWERS).filter(|scalar| !used.contains(**scalar)).collect();
    assert!(stale.is_empty(), "nothing contains these: {stale:?}");
}

#[test]
fn listed_sources_exist() {
    let sources: BTreeSet<String> = sources().into_iter().map(|(name, _)| name).collect();
    let gone: Vec<_> = CONVERSIONS.iter().filter(|name| !sources.contains(**name)).collect();
    assert!(gone.is_empty(), "these sources do not exist: {gone:?}");
}

#[test]
fn named_items_of_the_api_are_found() {
    let source = "
        use croft_api::{
            alert::{self as api, AlertDeliveryState},
            scalar::{Name, IpNet as Net},
        };
        use croft_api::disk::*;
        /// See [`croft_api::snapshot::Snapshot`].
        struct Record { state: Option<croft_api::instance::InstanceState>, of: croft_api::Error }
        use croft_api as hidden;
    ";
    let expected = [
        "",
        "Error",
        "alert::AlertDeliveryState",
        "alert::self",
        "disk::*",
        "instance::InstanceState",
        "scalar::IpNet",
        "scalar::Name",
    ];
    assert_eq!(named(source), expected.map(str::to_owned).into());
}

/// Checks that a type deserializes each document, serializes it unchanged, and survives a conversion to the API's type
/// and back.
macro_rules! keeps {
    ($($stored:ident <-> $wire:ty: $($document:literal)+;)+) => {
        $($(
            let stored: records::$stored = serde_json::from_str($document).unwrap();
            assert_eq!(serde_json::to_string(&stored).unwrap(), $document);
            let wire = <$wire>::from(stored.clone());
            assert_eq!(records::$stored::from(wire), stored);
        )+)+
    };
}

/// Snapshots of documents contain only one variant of each internally tagged enumeration. Here are all variants.
#[test]
fn every_tagged_variant_is_stored_as_released() {
    keeps! {
        RouteDestination <-> router::RouteDestination:
            r#"{"type":"ip","value":"10.1.2.3"}"#
            r#"{"type":"ip_net","value":"10.1.0.0/16"}"#
            r#"{"type":"vpc","value":"inner"}"#
            r#"{"type":"subnet","value":"inner"}"#;
        RouteTarget <-> router::RouteTarget:
            r#"{"type":"ip","value":"fd00::1"}"#
            r#"{"type":"vpc","value":"inner"}"#
            r#"{"type":"subnet","value":"inner"}"#
            r#"{"type":"instance","value":"web"}"#
            r#"{"type":"internet_gateway","value":"default"}"#
            r#"{"type":"drop"}"#;
        VpcFirewallRuleTarget <-> firewall::VpcFirewallRuleTarget:
            r#"{"type":"vpc","value":"inner"}"#
            r#"{"type":"subnet","value":"inner"}"#
            r#"{"type":"instance","value":"web"}"#
            r#"{"type":"ip","value":"10.1.2.3"}"#
            r#"{"type":"ip_net","value":"10.1.0.0/16"}"#;
        VpcFirewallRuleHostFilter <-> firewall::VpcFirewallRuleHostFilter:
            r#"{"type":"vpc","value":"inner"}"#
            r#"{"type":"subnet","value":"inner"}"#
            r#"{"type":"instance","value":"web"}"#
            r#"{"type":"ip","value":"10.1.2.3"}"#
            r#"{"type":"ip_net","value":"10.1.0.0/16"}"#;
        VpcFirewallRuleProtocol <-> firewall::VpcFirewallRuleProtocol:
            r#"{"type":"tcp"}"#
            r#"{"type":"udp"}"#
            r#"{"type":"icmp","value":null}"#
            r#"{"type":"icmp","value":{"icmp_type":8,"code":null}}"#
            r#"{"type":"icmp","value":{"icmp_type":3,"code":"0-4"}}"#;
        VpcFirewallRuleFilter <-> firewall::VpcFirewallRuleFilter:
            r#"{"hosts":null,"protocols":null,"ports":null}"#
            r#"{"hosts":[],"protocols":[{"type":"tcp"}],"ports":["22","80-90"]}"#;
        SwitchInterfaceKind <-> switch_port_settings::SwitchInterfaceKind:
            r#"{"type":"primary"}"#
            r#"{"type":"vlan","vid":7}"#
            r#"{"type":"loopback"}"#;
        ImportExportPolicy <-> switch_port_settings::ImportExportPolicy:
            r#"{"type":"no_filtering"}"#
            r#"{"type":"allow","value":["10.0.0.0/8"]}"#;
        TargetReleaseSource <-> update::TargetReleaseSource:
            r#"{"type":"unspecified"}"#
            r#"{"type":"system_version","version":"1.2.3-rc.1"}"#;
    }
}

#[test]
fn allowed_sources_are_stored_as_released() {
    for document in [r#"{"allow":"any"}"#, r#"{"allow":"list","ips":["10.0.0.1/8","fd00::/8","10.0.0.1/8"]}"#]
    {
        let stored: records::AllowedSourceIps = serde_json::from_str(document).unwrap();
        assert_eq!(serde_json::to_string(&stored).unwrap(), document);
        let wire = allow_list::AllowedSourceIps::try_from(stored.clone()).unwrap();
        assert_eq!(records::AllowedSourceIps::from(wire), stored);
    }
    let stored: records::AllowedSourceIps = serde_json::from_str(r#"{"allow":"list","ips":[]}"#).unwrap();
    let error = allow_list::AllowedSourceIps::try_from(stored).unwrap_err();
    assert!(matches!(error, croft_api::Error::Internal { .. }), "{error:?}");
}
