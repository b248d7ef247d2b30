//! Affinity and anti-affinity groups, and their members.

use croft_api::{
    page::{NameOrIdSortMode, PageQuery},
    project::OptionalProjectSelector,
    scalar::NameOrId,
};
use croft_control::affinity::{self, Affinity, AntiAffinity, Kind};
use serde::de::DeserializeOwned;
use serde_json::json;
use uuid::Uuid;

use super::{Call, World, matrix, on, parse, rule};
use crate::kit::{by_name, list_of};

pub fn calls(world: &World) -> Vec<Call> {
    let mut calls = of_kind::<Affinity>(world, world.fixtures.affinity_group);
    calls.extend(of_kind::<AntiAffinity>(world, world.fixtures.anti_affinity_group));
    calls
}

fn of_kind<K: Kind<Create: DeserializeOwned, Update: DeserializeOwned>>(
    world: &World,
    group: Uuid,
) -> Vec<Call> {
    let operations = const { &K::OPERATIONS };
    let (member, resting) = (NameOrId::Id(world.instance), NameOrId::Id(world.fixtures.resting_instance));
    let crew = by_name("crew");
    let all = || PageQuery {
        selector: OptionalProjectSelector { project: None },
        sort: NameOrIdSortMode::NameAscending,
        after: None,
        limit: 100,
    };
    let in_web =
        move || PageQuery { selector: OptionalProjectSelector { project: Some(by_name("web")) }, ..all() };
    let new = json!({"name": "new", "description": "", "policy": "allow", "failure_domain": "sled"});
    let id = NameOrId::Id(group);
    vec![
        (&operations.list, rule(|cx, caller| affinity::list::<K>(cx, caller, &list_of("web")))),
        (&operations.create, {
            rule(move |cx, caller| affinity::create::<K>(cx, caller, &by_name("web"), &parse(new.clone())))
        }),
        (&operations.view, {
            on!(crew, |cx, caller, it| affinity::view::<K>(cx, caller, &it, Some(&by_name("web"))))
        }),
        (&operations.update, {
            let (id, change) = (id.clone(), json!({"description": "new"}));
            rule(move |cx, caller| affinity::update::<K>(cx, caller, &id, None, &parse(change.clone())))
        }),
        (&operations.delete, on!(id, |cx, caller, it| affinity::delete::<K>(cx, caller, &it, None))),
        (&operations.member_list, {
            on!(crew, |cx, caller, it| affinity::member_list::<K>(cx, caller, &it, &in_web()))
        }),
        (&operations.member_view, {
            let id = id.clone();
            on!(member, |cx, caller, it| affinity::member_view::<K>(cx, caller, &id, &it, None))
        }),
        (&operations.member_add, {
            let id = id.clone();
            on!(resting, |cx, caller, it| affinity::member_add::<K>(cx, caller, &id, &it, None))
        }),
        (&operations.member_delete, {
            let id = id.clone();
            on!(member, |cx, caller, it| affinity::member_delete::<K>(cx, caller, &id, &it, None))
        }),
        (&operations.of_instance, {
            on!(member, |cx, caller, it| affinity::of_instance::<K>(cx, caller, &it, &all()))
        }),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
