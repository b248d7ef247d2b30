//! Racks, sleds, switches and physical disks.

use croft_api::{
    hardware::{SledProvisionPolicy, SledProvisionPolicyParams},
    page::{IdSortMode, NoSelector, PageQuery},
};
use croft_control::{operation, physical_disk, rack, sled, switch};
use croft_sled::Hypervisor as _;
use serde_json::json;

use super::{Call, World, matrix, parse, rule};

fn page() -> PageQuery<NoSelector, IdSortMode> {
    PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after: None, limit: 100 }
}

pub fn calls(world: &World) -> Vec<Call> {
    let inventory = world.cloud.hypervisor.inventory();
    let (first, switch_id) = (&inventory.sleds[0], inventory.switches[0].id);
    let (sled_id, disk_id, rack_id) = (first.id, first.disks[0].id, crate::switches::rack(&world.cloud));
    // The sled is already part of the fleet, which is checked last.
    let known = json!({ "serial": first.baseboard.serial, "part": first.baseboard.part });
    let policy = SledProvisionPolicyParams { state: SledProvisionPolicy::NonProvisionable };
    vec![
        (&operation::RACK_LIST, rule(|cx, caller| rack::list(cx, caller, &page()))),
        (&operation::RACK_VIEW, rule(move |cx, caller| rack::view(cx, caller, rack_id))),
        (&operation::SLED_LIST, rule(|cx, caller| sled::list(cx, caller, &page()))),
        (&operation::SLED_LIST_UNINITIALIZED, {
            rule(|cx, caller| sled::list_uninitialized(cx, caller, &page()))
        }),
        (&operation::SLED_ADD, rule(move |cx, caller| sled::add(cx, caller, &parse(known.clone())))),
        (&operation::SLED_VIEW, rule(move |cx, caller| sled::view(cx, caller, sled_id))),
        (&operation::SLED_SET_PROVISION_POLICY, {
            rule(move |cx, caller| sled::set_provision_policy(cx, caller, sled_id, policy))
        }),
        (&operation::SLED_INSTANCE_LIST, {
            rule(move |cx, caller| sled::instance_list(cx, caller, sled_id, &page()))
        }),
        (&operation::SLED_PHYSICAL_DISK_LIST, {
            rule(move |cx, caller| sled::physical_disk_list(cx, caller, sled_id, &page()))
        }),
        (&operation::PHYSICAL_DISK_LIST, rule(|cx, caller| physical_disk::list(cx, caller, &page()))),
        (&operation::PHYSICAL_DISK_VIEW, {
            rule(move |cx, caller| physical_disk::view(cx, caller, disk_id))
        }),
        (&operation::SWITCH_LIST, rule(|cx, caller| switch::list(cx, caller, &page()))),
        (&operation::SWITCH_VIEW, rule(move |cx, caller| switch::view(cx, caller, switch_id))),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
