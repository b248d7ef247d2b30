//! Policies, silos, quotas, utilization, IP pools, built-in users.

use croft_api::{
    Timestamp,
    audit::AuditLogSelector,
    page::{IdSortMode, NameOrIdSortMode, NameSortMode, NoSelector, PageQuery, SortMode, TimeAndIdSortMode},
    policy::{FleetRolePolicy, ProjectRolePolicy, SiloRolePolicy},
    scalar::NameOrId,
};
use croft_control::{audit, ip_pool, metric, operation, policy, quota, silo, user_builtin, utilization};
use serde_json::json;

use super::{Call, World, matrix, parse, rule};
use crate::kit::by_name;

fn page<Mode: SortMode>(sort: Mode) -> PageQuery<NoSelector, Mode> {
    PageQuery { selector: NoSelector {}, sort, after: None, limit: 100 }
}

fn whole_log() -> PageQuery<AuditLogSelector, TimeAndIdSortMode> {
    let selector = AuditLogSelector { start_time: Timestamp::UNIX_EPOCH, end_time: None };
    PageQuery { selector, sort: TimeAndIdSortMode::default(), after: None, limit: 100 }
}

fn by_names() -> PageQuery<NoSelector, NameOrIdSortMode> {
    page(NameOrIdSortMode::NameAscending)
}

fn by_ids() -> PageQuery<NoSelector, IdSortMode> {
    page(IdSortMode::IdAscending)
}

pub fn calls(_: &World) -> Vec<Call> {
    [policies(), silos(), audit_log(), quotas(), pools()].into_iter().flatten().collect()
}

/// The silo of all callers except the stranger.
fn own() -> NameOrId {
    by_name("croft")
}

fn pool() -> NameOrId {
    by_name("default")
}

fn policies() -> Vec<Call> {
    let empty = || json!({ "role_assignments": [] });
    let (fleet, silo): (FleetRolePolicy, SiloRolePolicy) = (parse(empty()), parse(empty()));
    let (any_silo, project): (SiloRolePolicy, ProjectRolePolicy) = (parse(empty()), parse(empty()));
    let web = || by_name("web");
    vec![
        (&operation::SYSTEM_POLICY_VIEW, rule(policy::fleet_view)),
        (&operation::SYSTEM_POLICY_UPDATE, rule(move |cx, caller| policy::fleet_update(cx, caller, &fleet))),
        (&operation::POLICY_VIEW, rule(policy::own_silo_view)),
        (&operation::POLICY_UPDATE, rule(move |cx, caller| policy::own_silo_update(cx, caller, &silo))),
        (&operation::SILO_POLICY_VIEW, rule(|cx, caller| policy::silo_view(cx, caller, &own()))),
        (
            &operation::SILO_POLICY_UPDATE,
            rule(move |cx, caller| policy::silo_update(cx, caller, &own(), &any_silo)),
        ),
        (&operation::PROJECT_POLICY_VIEW, rule(move |cx, caller| policy::project_view(cx, caller, &web()))),
        (
            &operation::PROJECT_POLICY_UPDATE,
            rule(move |cx, caller| policy::project_update(cx, caller, &web(), &project)),
        ),
    ]
}

fn silos() -> Vec<Call> {
    let new = json!({
        "name": "new", "description": "", "discoverable": true, "identity_mode": "local_only",
        "quotas": { "cpus": 0, "memory": 0, "storage": 0 }, "tls_certificates": [],
    });
    vec![
        (&operation::SILO_LIST, rule(|cx, caller| silo::list(cx, caller, &by_names()))),
        (&operation::SILO_CREATE, rule(move |cx, caller| silo::create(cx, caller, &parse(new.clone())))),
        (&operation::SILO_VIEW, rule(|cx, caller| silo::view(cx, caller, &own()))),
        (&operation::SILO_DELETE, rule(|cx, caller| silo::delete(cx, caller, &own()))),
        (
            &operation::USER_BUILTIN_LIST,
            rule(|cx, caller| user_builtin::list(cx, caller, &page(NameSortMode::NameAscending))),
        ),
        (
            &operation::USER_BUILTIN_VIEW,
            rule(|cx, caller| user_builtin::view(cx, caller, &by_name("db-init"))),
        ),
    ]
}

fn audit_log() -> Vec<Call> {
    vec![(&operation::AUDIT_LOG_LIST, rule(|cx, caller| audit::list(cx, caller, &whole_log())))]
}

fn quotas() -> Vec<Call> {
    vec![
        (&operation::SILO_QUOTAS_VIEW, rule(|cx, caller| quota::view(cx, caller, &own()))),
        (
            &operation::SILO_QUOTAS_UPDATE,
            rule(|cx, caller| quota::update(cx, caller, &own(), &parse(json!({ "cpus": 7 })))),
        ),
        (&operation::SYSTEM_QUOTAS_LIST, rule(|cx, caller| quota::list(cx, caller, &by_ids()))),
        (&operation::UTILIZATION_VIEW, rule(utilization::view)),
        (&operation::SILO_METRIC, rule(|cx, caller| metric::of_silo(cx, caller, None))),
        (&operation::SYSTEM_METRIC, rule(|cx, caller| metric::of_system(cx, caller, None))),
        (
            &operation::SILO_UTILIZATION_LIST,
            rule(|cx, caller| utilization::silo_list(cx, caller, &by_names())),
        ),
        (&operation::SILO_UTILIZATION_VIEW, rule(|cx, caller| utilization::silo_view(cx, caller, &own()))),
    ]
}

fn pools() -> Vec<Call> {
    let new = json!({ "name": "new", "description": "" });
    let link = json!({ "silo": "other", "is_default": false });
    let range = json!({ "first": "192.0.2.1", "last": "192.0.2.9" });
    let (same_range, for_service, of_service) = (range.clone(), range.clone(), range.clone());
    vec![
        (&operation::PROJECT_IP_POOL_LIST, rule(|cx, caller| ip_pool::own_list(cx, caller, &by_names()))),
        (&operation::PROJECT_IP_POOL_VIEW, rule(|cx, caller| ip_pool::own_view(cx, caller, &pool()))),
        (&operation::SILO_IP_POOL_LIST, rule(|cx, caller| ip_pool::of_silo(cx, caller, &own(), &by_names()))),
        (&operation::IP_POOL_LIST, rule(|cx, caller| ip_pool::list(cx, caller, &by_names()))),
        (
            &operation::IP_POOL_CREATE,
            rule(move |cx, caller| ip_pool::create(cx, caller, &parse(new.clone()))),
        ),
        (&operation::IP_POOL_VIEW, rule(|cx, caller| ip_pool::view(cx, caller, &pool()))),
        (
            &operation::IP_POOL_UPDATE,
            rule(|cx, caller| ip_pool::update(cx, caller, &pool(), &parse(json!({ "description": "new" })))),
        ),
        (&operation::IP_POOL_DELETE, rule(|cx, caller| ip_pool::delete(cx, caller, &pool()))),
        (
            &operation::IP_POOL_RANGE_LIST,
            rule(|cx, caller| ip_pool::range_list(cx, caller, &pool(), &page(NameSortMode::NameAscending))),
        ),
        (
            &operation::IP_POOL_RANGE_ADD,
            rule(move |cx, caller| ip_pool::range_add(cx, caller, &pool(), parse(range.clone()))),
        ),
        (
            &operation::IP_POOL_RANGE_REMOVE,
            rule(move |cx, caller| ip_pool::range_remove(cx, caller, &pool(), parse(same_range.clone()))),
        ),
        (&operation::IP_POOL_SERVICE_VIEW, rule(ip_pool::service_view)),
        (
            &operation::IP_POOL_SERVICE_RANGE_LIST,
            rule(|cx, caller| ip_pool::service_range_list(cx, caller, &page(NameSortMode::NameAscending))),
        ),
        (
            &operation::IP_POOL_SERVICE_RANGE_ADD,
            rule(move |cx, caller| ip_pool::service_range_add(cx, caller, parse(for_service.clone()))),
        ),
        (
            &operation::IP_POOL_SERVICE_RANGE_REMOVE,
            rule(move |cx, caller| ip_pool::service_range_remove(cx, caller, parse(of_service.clone()))),
        ),
        (
            &operation::IP_POOL_UTILIZATION_VIEW,
            rule(|cx, caller| ip_pool::utilization_view(cx, caller, &pool())),
        ),
        (
            &operation::IP_POOL_SILO_LIST,
            rule(|cx, caller| ip_pool::silo_list(cx, caller, &pool(), &by_ids())),
        ),
        (
            &operation::IP_POOL_SILO_LINK,
            rule(move |cx, caller| ip_pool::silo_link(cx, caller, &pool(), &parse(link.clone()))),
        ),
        (
            &operation::IP_POOL_SILO_UPDATE,
            rule(|cx, caller| {
                ip_pool::silo_update(cx, caller, &pool(), &own(), &parse(json!({ "is_default": false })))
            }),
        ),
        (
            &operation::IP_POOL_SILO_UNLINK,
            rule(|cx, caller| ip_pool::silo_unlink(cx, caller, &pool(), &own())),
        ),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
