use std::net::IpAddr;

use croft_api::{
    Result,
    allow_list::{AllowList, ServiceIcmpConfig},
};
use croft_control::{Cx, allow_list, operation};
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::bad;
use crate::kit::{Cloud, refused};

/// Sets the list, as requested by a caller from 127.0.0.1.
fn put(cloud: &mut Cloud, allowed: Value) -> Result<AllowList> {
    let params = serde_json::from_value(json!({"allowed_ips": allowed})).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_ALLOW_LIST_UPDATE, move |cx, caller| {
        allow_list::update(cx, caller, &params)
    })
}

fn put_list(cloud: &mut Cloud, entries: &[&str]) -> Result<AllowList> {
    put(cloud, json!({"allow": "list", "ips": entries}))
}

fn get(cloud: &Cloud) -> AllowList {
    cloud.see(&cloud.admin, allow_list::view).unwrap()
}

fn allows(cloud: &Cloud, address: &str) -> bool {
    let address: IpAddr = address.parse().unwrap();
    cloud.db.read_blocking(allow_list::current).unwrap().allow(address)
}

#[test]
fn all_sources_are_allowed_by_default() {
    let mut cloud = Cloud::new();
    let first = get(&cloud);
    assert_eq!(serde_json::to_value(&first.allowed_ips).unwrap(), json!({"allow": "any"}));
    assert_eq!(first.time_created, first.time_modified);
    assert!(allows(&cloud, "203.0.113.1") && allows(&cloud, "2001:db8::1"));

    cloud.pass(SignedDuration::from_secs(1));
    let entries = ["192.0.2.0/24", "127.0.0.1/8", "fd00::/8", "10.1.2.3/32"];
    let stored = put_list(&mut cloud, &entries).unwrap();
    assert_eq!(serde_json::to_value(&stored.allowed_ips).unwrap(), json!({"allow": "list", "ips": entries}));
    assert!(stored.time_created == first.time_created && stored.time_modified > first.time_modified);
    assert_eq!(get(&cloud), stored, "the response equals the stored list");
    assert!(allows(&cloud, "192.0.2.9") && allows(&cloud, "fd00::1"));
    assert!(!allows(&cloud, "203.0.113.1") && !allows(&cloud, "2001:db8::1"));

    put(&mut cloud, json!({"allow": "any"})).unwrap();
    assert!(allows(&cloud, "203.0.113.1"));
}

#[test]
fn invalid_lists_are_refused() {
    let mut cloud = Cloud::new();
    let unspecified =
        bad("Source IP allowlist may not contain the unspecified address. Use \"any\" to allow any \
         source to connect to user-facing services.");
    let whole = bad("Source IP allowlist entries may not have a netmask of /0.");
    let locked_out =
        bad("The source IP allow list would prevent access from the current client! Ensure that the \
         allowlist contains an entry that continues to allow access from this peer.");
    for (entries, refusal) in [
        (&["127.0.0.1/32", "0.0.0.0/0"][..], &unspecified),
        (&["127.0.0.1/32", "0.0.0.0/32"][..], &unspecified),
        (&["127.0.0.1/32", "::/64"][..], &unspecified),
        (&["10.0.0.0/0"][..], &whole),
        (&["fd00::/0", "0.0.0.0/0"][..], &whole),
        (&["0.0.0.0/0", "fd00::/0"][..], &unspecified),
        (&["127.0.0.2/32", "::1/128", "::ffff:127.0.0.2/128"][..], &locked_out),
        (&["127.0.0.1/32", "::ffff:0.0.0.0/128"][..], &unspecified),
        (&["::ffff:10.0.0.0/96"][..], &whole),
        (&["192.0.2.0/24", "10.0.0.0/0"][..], &whole),
    ] {
        assert_eq!(&refused(put_list(&mut cloud, entries)), refusal, "{entries:?}");
    }
    put_list(&mut cloud, &["::ffff:127.0.0.0/104"]).unwrap();
    let mut many = vec!["127.0.0.1/32"; 1000];
    put_list(&mut cloud, &many).unwrap();
    many[0] = "0.0.0.0/0";
    many.push("127.0.0.1/32");
    let text = "Source IP allowlist is limited to 1000 entries, found 1001";
    assert_eq!(
        refused(put_list(&mut cloud, &many)),
        bad(text),
        "the number of entries is checked before they are parsed"
    );
    assert_eq!(serde_json::to_value(get(&cloud).allowed_ips).unwrap()["ips"][0], "127.0.0.1/32");
}

#[test]
fn an_unknown_source_cannot_set_the_allow_list() {
    let mut cloud = Cloud::new();
    let params = serde_json::from_value(json!({"allowed_ips": {"allow": "list", "ips": ["192.0.2.0/24"]}}));
    let (params, credentials) = (params.unwrap(), cloud.admin.credentials.clone());
    let refusal = cloud.rule(move |cx| {
        let request = croft_control::Request { source: None, ..cx.request.clone() };
        let mut cx = Cx::new(cx.tx, cx.now, cx.random, cx.environment, &request);
        croft_control::execute::read(&mut cx, &credentials, None, |cx, caller| {
            allow_list::update(cx, caller, &params)
        })
    });
    let (status, text) = refused(refusal);
    assert!(status == 400 && text.contains("would prevent access from the current client!"), "{text}");
    put_list(&mut cloud, &["127.0.0.1/32"]).unwrap();
    assert!(!allows(&cloud, "127.0.0.2"));
    // An operator regains access on the server's host.
    cloud.rule(allow_list::allow_any).unwrap();
    assert!(allows(&cloud, "127.0.0.2"));
}

#[test]
fn pings_are_answered_by_default() {
    let mut cloud = Cloud::new();
    let see = |cloud: &Cloud| cloud.see(&cloud.admin, allow_list::inbound_icmp_view).unwrap();
    assert_eq!(see(&cloud), ServiceIcmpConfig { enabled: true });
    for enabled in [false, true] {
        let admin = cloud.admin.clone();
        cloud
            .act(&admin, &operation::NETWORKING_INBOUND_ICMP_UPDATE, move |cx, caller| {
                allow_list::inbound_icmp_update(cx, caller, ServiceIcmpConfig { enabled })
            })
            .unwrap();
        assert_eq!(see(&cloud), ServiceIcmpConfig { enabled });
    }
}
