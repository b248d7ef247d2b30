//! What the fleet's people decide about networks.

use croft_control::{allow_list, operation};
use serde_json::json;

use super::{Call, World, matrix, parse, rule};

pub fn calls(_: &World) -> Vec<Call> {
    services()
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
