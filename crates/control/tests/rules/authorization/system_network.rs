//! The fleet's networking.

use croft_api::{
    page::{IdSortMode, NameOrIdSortMode, NoSelector, PageQuery},
    probe::ProbeCreate,
    update::ArtifactHash,
};
use croft_control::{allow_list, bfd, bgp, operation, probe, update};
use croft_sled::Hypervisor as _;
use croft_store::{
    Meta,
    records::{TufRepository, TufTrustRoot},
};
use croft_tuf::testing::Signer;
use serde_json::json;
use uuid::Uuid;

use super::{Call, World, matrix, parse, rule};
use crate::kit::{Cloud, by_name, list_of};

pub fn calls(world: &World) -> Vec<Call> {
    let sled = world.cloud.hypervisor.sleds()[0].id;
    let probe = parse(json!({ "name": "new", "description": "", "sled": sled }));
    [updates(), services(), configurations(), announcements(), runtime(), peers(), probes(probe)]
        .into_iter()
        .flatten()
        .collect()
}

/// The ID of the trusted root role.
const TRUST_ROOT: Uuid = Uuid::from_u128(0x3d1c_9f6e_58a1_4a53_9a0e_6a8d_3d2b_7c01);

fn updates() -> Vec<Call> {
    let wanted = json!({ "system_version": "1.0.0" });
    let query =
        || PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after: None, limit: 100 };
    let version = || "1.0.0".parse().unwrap();
    vec![
        (
            &operation::SYSTEM_UPDATE_TRUST_ROOT_LIST,
            rule(move |cx, caller| update::trust_root_list(cx, caller, &query())),
        ),
        (
            &operation::SYSTEM_UPDATE_TRUST_ROOT_CREATE,
            rule(|cx, caller| update::trust_root_create(cx, caller, &Signer::new(1).root(1))),
        ),
        (
            &operation::SYSTEM_UPDATE_TRUST_ROOT_VIEW,
            rule(|cx, caller| update::trust_root_view(cx, caller, TRUST_ROOT)),
        ),
        (
            &operation::SYSTEM_UPDATE_TRUST_ROOT_DELETE,
            rule(|cx, caller| update::trust_root_delete(cx, caller, TRUST_ROOT)),
        ),
        (
            &operation::SYSTEM_UPDATE_PUT_REPOSITORY,
            rule(|cx, caller| update::trusted(cx, caller).map(|roots| roots.len())),
        ),
        (
            &operation::SYSTEM_UPDATE_GET_REPOSITORY,
            rule(move |cx, caller| update::repository_view(cx, caller, &version())),
        ),
        (&operation::TARGET_RELEASE_VIEW, rule(update::target_release_view)),
        (
            &operation::TARGET_RELEASE_UPDATE,
            rule(move |cx, caller| update::target_release_update(cx, caller, &parse(wanted.clone()))),
        ),
    ]
}

/// Creates the objects that the calls use.
pub fn furnish(cloud: &mut Cloud) {
    cloud
        .rule(|cx| {
            let meta = Meta::new(TRUST_ROOT, cx.now);
            cx.tx.insert(&TufTrustRoot { meta, root_role: Signer::new(1).root(1), newest: None })?;
            let repository = TufRepository {
                meta: cx.new_meta(),
                system_version: "1.0.0".parse().unwrap(),
                hash: ArtifactHash([0; 32]),
                file_name: "update.zip".to_owned(),
                targets_role_version: 1,
                valid_until: cx.now,
                artifacts: Vec::new(),
            };
            Ok(cx.tx.insert(&repository)?)
        })
        .unwrap();
    let sled = cloud.hypervisor.sleds()[0].id;
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::PROBE_CREATE, move |cx, caller| {
            let set = parse(json!({ "name": "ours", "description": "", "announcement": [] }));
            bgp::announce_set_update(cx, caller, &set)?;
            let config =
                json!({ "name": "main", "description": "", "asn": 1, "bgp_announce_set_id": "ours" });
            bgp::config_create(cx, caller, &parse(config))?;
            let eye = parse(json!({ "name": "eye", "description": "", "sled": sled }));
            probe::create(cx, caller, &by_name("web"), &eye)
        })
        .unwrap();
}

fn page() -> PageQuery<NoSelector, NameOrIdSortMode> {
    PageQuery { selector: NoSelector {}, sort: NameOrIdSortMode::NameAscending, after: None, limit: 100 }
}

fn configurations() -> Vec<Call> {
    let config = json!({ "name": "new", "description": "", "asn": 2, "bgp_announce_set_id": "ours" });
    vec![
        (&operation::NETWORKING_BGP_CONFIG_LIST, rule(|cx, caller| bgp::config_list(cx, caller, &page()))),
        (
            &operation::NETWORKING_BGP_CONFIG_CREATE,
            rule(move |cx, caller| bgp::config_create(cx, caller, &parse(config.clone()))),
        ),
        (
            &operation::NETWORKING_BGP_CONFIG_DELETE,
            rule(|cx, caller| bgp::config_delete(cx, caller, &by_name("main"))),
        ),
    ]
}

fn announcements() -> Vec<Call> {
    let set = json!({ "name": "new", "description": "", "announcement": [] });
    let ours = || by_name("ours");
    vec![
        (
            &operation::NETWORKING_BGP_ANNOUNCE_SET_LIST,
            rule(|cx, caller| bgp::announce_set_list(cx, caller, &page())),
        ),
        (
            &operation::NETWORKING_BGP_ANNOUNCE_SET_UPDATE,
            rule(move |cx, caller| bgp::announce_set_update(cx, caller, &parse(set.clone()))),
        ),
        (
            &operation::NETWORKING_BGP_ANNOUNCE_SET_DELETE,
            rule(move |cx, caller| bgp::announce_set_delete(cx, caller, &ours())),
        ),
        (
            &operation::NETWORKING_BGP_ANNOUNCEMENT_LIST,
            rule(move |cx, caller| bgp::announcement_list(cx, caller, &ours())),
        ),
    ]
}

fn runtime() -> Vec<Call> {
    vec![
        (&operation::NETWORKING_BGP_STATUS, rule(bgp::may_see_status)),
        (&operation::NETWORKING_BGP_EXPORTED, rule(bgp::may_see_exported)),
        (&operation::NETWORKING_BGP_MESSAGE_HISTORY, rule(bgp::may_see_message_history)),
        (&operation::NETWORKING_BGP_IMPORTED_ROUTES_IPV4, rule(bgp::may_see_imported_routes_ipv4)),
    ]
}

fn peers() -> Vec<Call> {
    let session = json!({
        "switch": "switch0", "remote": "192.0.2.1", "detection_threshold": 3, "required_rx": 1,
        "mode": "single_hop",
    });
    let peer = session.clone();
    vec![
        (&operation::NETWORKING_BFD_STATUS, rule(bfd::sessions)),
        (
            &operation::NETWORKING_BFD_ENABLE,
            rule(move |cx, caller| bfd::enable(cx, caller, &parse(session.clone()))),
        ),
        (
            &operation::NETWORKING_BFD_DISABLE,
            rule(move |cx, caller| bfd::disable(cx, caller, &parse(peer.clone()))),
        ),
    ]
}

fn probes(new: ProbeCreate) -> Vec<Call> {
    let (web, eye) = (|| by_name("web"), || by_name("eye"));
    vec![
        (&operation::PROBE_LIST, rule(|cx, caller| probe::list(cx, caller, &list_of("web")))),
        (&operation::PROBE_CREATE, rule(move |cx, caller| probe::create(cx, caller, &web(), &new))),
        (&operation::PROBE_VIEW, rule(move |cx, caller| probe::view(cx, caller, &web(), &eye()))),
        (&operation::PROBE_DELETE, rule(move |cx, caller| probe::delete(cx, caller, &web(), &eye()))),
    ]
}

fn services() -> Vec<Call> {
    vec![
        (&operation::NETWORKING_ALLOW_LIST_VIEW, rule(allow_list::view)),
        (
            &operation::NETWORKING_ALLOW_LIST_UPDATE,
            rule(|cx, caller| {
                allow_list::update(cx, caller, &parse(json!({ "allowed_ips": { "allow": "any" } })))
            }),
        ),
        (&operation::NETWORKING_INBOUND_ICMP_VIEW, rule(allow_list::inbound_icmp_view)),
        (
            &operation::NETWORKING_INBOUND_ICMP_UPDATE,
            rule(|cx, caller| {
                allow_list::inbound_icmp_update(cx, caller, parse(json!({ "enabled": false })))
            }),
        ),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
