use std::collections::BTreeMap;

use croft_api::{
    Result,
    page::{IdSortMode, Marker, NameOrIdSortMode, NameSortMode, NoSelector, PageQuery},
    policy::IdentityType,
    scalar::NameOrId,
    silo::Silo,
};
use croft_control::{Cx, batch, operation, policy, project, quota, silo, user_builtin, utilization};
use croft_store::{
    ListBy, Sort,
    records::{
        AuthSettings, Certificate, ConsoleSession, FactorProof, Image, IpPool, IpPoolSiloLink, Resources,
        Role, RoleIdentity, RoleScope, SamlSignIn, SamlUse, SecondFactor, SecondFactorReserve, SiloGroup,
        SshKey,
    },
};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    kit::{Cloud, GIB, User, by_name, refused},
    kit_people::identity_provider,
    labels,
};

fn new_silo(name: &str) -> Value {
    json!({
        "name": name, "description": "a tenant", "discoverable": true, "identity_mode": "local_only",
        "quotas": { "cpus": 4, "memory": 8 * GIB, "storage": 16 * GIB }, "tls_certificates": [],
    })
}

fn create(cloud: &mut Cloud, user: &User, params: &Value) -> Result<Silo> {
    let params = serde_json::from_value(params.clone()).unwrap();
    cloud.act(user, &operation::SILO_CREATE, move |cx, caller| silo::create(cx, caller, &params))
}

fn created(cloud: &mut Cloud, params: &Value) -> Silo {
    let admin = cloud.admin.clone();
    create(cloud, &admin, params).unwrap()
}

fn delete(cloud: &mut Cloud, user: &User, silo: &str) -> Result<()> {
    let silo = by_name(silo);
    cloud.act(user, &operation::SILO_DELETE, move |cx, caller| silo::delete(cx, caller, &silo))
}

fn view(cloud: &Cloud, user: &User, silo: &str) -> Result<Silo> {
    let silo = by_name(silo);
    cloud.see(user, move |cx, caller| silo::view(cx, caller, &silo))
}

fn page<Mode>(sort: Mode, limit: u32) -> PageQuery<NoSelector, Mode> {
    PageQuery { selector: NoSelector {}, sort, after: None, limit }
}

fn listed(cloud: &Cloud, sort: NameOrIdSortMode) -> Vec<String> {
    let page = cloud.see(&cloud.admin, move |cx, caller| silo::list(cx, caller, &page(sort, 100))).unwrap();
    page.items.iter().map(|silo| silo.name.to_string()).collect()
}

/// A user with a role on the fleet, from a silo that maps no roles.
fn operator(cloud: &mut Cloud, role: Role) -> User {
    let silo = cloud.silo("operators", Resources::default());
    let user = cloud.user(silo, "operator");
    cloud.grant(RoleIdentity::User(user.id), RoleScope::Fleet, role);
    user
}

fn certificate(name: &str, host: &str) -> Value {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
    (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2040, 1, 1));
    let cert = params.self_signed(&key).unwrap().pem();
    json!({
        "name": name, "description": "", "service": "external_api",
        "cert": cert, "key": key.serialize_pem(),
    })
}

#[test]
fn silo_is_created_with_all_requested_settings() {
    let mut cloud = Cloud::new();
    let mut params = new_silo("acme");
    params["identity_mode"] = json!("saml_jit");
    params["admin_group_name"] = json!("acme admins");
    params["mapped_fleet_roles"] = json!({ "admin": ["viewer"] });
    params["tls_certificates"] = json!([certificate("main", "acme.sys.croft.internal")]);
    let silo = created(&mut cloud, &params);
    let value = serde_json::to_value(&silo).unwrap();
    for field in ["name", "description", "discoverable", "identity_mode", "mapped_fleet_roles"] {
        assert_eq!(value[field], params[field], "{field}");
    }
    assert_eq!(view(&cloud, &cloud.admin, "acme").unwrap(), silo);

    let quotas = cloud.see(&cloud.admin, |cx, caller| quota::view(cx, caller, &by_name("acme"))).unwrap();
    assert_eq!((quotas.cpus, quotas.memory.bytes(), quotas.storage.bytes()), (4, 8 * GIB, 16 * GIB));
    assert_eq!(quotas.silo_id, silo.id);

    let policy =
        cloud.see(&cloud.admin, |cx, caller| policy::silo_view(cx, caller, &by_name("acme"))).unwrap();
    assert_eq!(policy.role_assignments.len(), 1, "no role for the creator");
    assert_eq!(policy.role_assignments[0].identity_type, IdentityType::SiloGroup);
    let id = silo.id;
    let group: Option<SiloGroup> = cloud.rule(move |cx| Ok(cx.tx.get_by_name(id, "acme admins")?)).unwrap();
    assert_eq!(group.map(|group| group.meta.id), Some(policy.role_assignments[0].identity_id));
    let certificate: Option<Certificate> = cloud.rule(move |cx| Ok(cx.tx.get_by_name(id, "main")?)).unwrap();
    assert!(certificate.is_some());
}

#[test]
fn names_are_unique_until_the_silo_is_gone() {
    let mut cloud = Cloud::new();
    created(&mut cloud, &new_silo("acme"));
    let admin = cloud.admin.clone();
    let taken = (400, "already exists: silo \"acme\"".to_owned());
    assert_eq!(refused(create(&mut cloud, &admin, &new_silo("acme"))), taken);
    assert_eq!(
        refused(create(&mut cloud, &admin, &new_silo("default-silo"))).1,
        "already exists: silo \"default-silo\""
    );
    delete(&mut cloud, &admin, "acme").unwrap();
    created(&mut cloud, &new_silo("acme"));
}

#[test]
fn silo_creation_is_atomic() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let good = || certificate("main", "acme.sys.croft.internal");
    let cases = [
        (
            "tls_certificates",
            json!([good(), certificate("other", "elsewhere.example")]),
            "not valid for given",
        ),
        ("tls_certificates", json!([good(), good()]), "already exists: certificate \"main\""),
        ("admin_group_name", json!(" "), "unsupported value for \"admin_group_name\": must not be empty"),
        ("admin_group_name", json!("x".repeat(256)), "must be no longer than 255 characters"),
        ("description", json!("x".repeat(513)), "unsupported value for \"description\""),
        ("quotas", json!({ "cpus": -1, "memory": 0, "storage": 0 }), "\"cpus\": must not be negative"),
    ];
    for (field, value, text) in cases {
        let mut params = new_silo("acme");
        params[field] = value;
        let (status, message) = refused(create(&mut cloud, &admin, &params));
        assert_eq!(status, 400, "{message}");
        assert!(message.contains(text), "{message:?} does not contain {text:?}");
        let nothing = view(&cloud, &admin, "acme");
        assert_eq!(refused(nothing), (404, "not found: silo with name \"acme\"".to_owned()));
        let left: Vec<Certificate> =
            cloud.rule(|cx| Ok(cx.tx.page(ListBy::All, Sort::IdAsc, None, 9)?)).unwrap();
        assert!(left.is_empty());
    }
    cloud.check_invariants();
}

#[test]
fn mapping_fleet_roles_takes_an_administrator_of_the_fleet() {
    let mut cloud = Cloud::new();
    let collaborator = operator(&mut cloud, Role::Collaborator);
    let mut mapped = new_silo("mapped");
    mapped["mapped_fleet_roles"] = json!({ "viewer": [] });
    assert_eq!(refused(create(&mut cloud, &collaborator, &mapped)).0, 403);
    create(&mut cloud, &collaborator, &new_silo("plain")).unwrap();
    cloud.grant(RoleIdentity::User(collaborator.id), RoleScope::Fleet, Role::Admin);
    create(&mut cloud, &collaborator, &mapped).unwrap();
}

#[test]
fn mapped_roles_apply_to_the_silo_role_and_higher_ones() {
    let mut cloud = Cloud::new();
    let mut params = new_silo("mapped");
    params["mapped_fleet_roles"] = json!({ "collaborator": ["viewer"], "admin": ["collaborator"] });
    let silo = created(&mut cloud, &params).id;
    for (name, role, may_list, may_create) in [
        ("silo-viewer", Role::Viewer, false, false),
        ("silo-collaborator", Role::Collaborator, true, false),
        ("silo-admin", Role::Admin, true, true),
    ] {
        let user = cloud.user(silo, name);
        cloud.grant(RoleIdentity::User(user.id), RoleScope::Silo(silo), role);
        let query = page(NameOrIdSortMode::NameAscending, 100);
        let seen = cloud.see(&user, move |cx, caller| silo::list(cx, caller, &query));
        assert_eq!(seen.is_ok(), may_list, "{name}");
        assert_eq!(create(&mut cloud, &user, &new_silo(name)).is_ok(), may_create, "{name}");
    }
}

#[test]
fn initial_admin_group_administers_only_its_silo() {
    let mut cloud = Cloud::new();
    let mut params = new_silo("acme");
    params["admin_group_name"] = json!("admins");
    let silo = created(&mut cloud, &params).id;
    let user = cloud.user(silo, "eve");
    assert_eq!(refused(cloud.try_project(&user, "web")).0, 403);
    let group: SiloGroup = cloud.rule(move |cx| Ok(cx.tx.get_by_name(silo, "admins")?.unwrap())).unwrap();
    cloud.join(silo, group.meta.id, &user);
    cloud.try_project(&user, "web").unwrap();
    assert_eq!(refused(create(&mut cloud, &user, &new_silo("more"))).0, 403);
    let fleet_admin = cloud.admin.clone();
    let hidden = cloud.see(&fleet_admin, |cx, caller| project::view(cx, caller, &by_name("web")));
    assert_eq!(refused(hidden).0, 404, "creating a silo gives no access to its content");
}

#[test]
fn lists_show_discoverable_silos_in_every_order() {
    let mut cloud = Cloud::new();
    for name in ["beta", "alpha", "gamma"] {
        created(&mut cloud, &new_silo(name));
    }
    let mut hidden = new_silo("hidden");
    hidden["discoverable"] = json!(false);
    created(&mut cloud, &hidden);
    assert_eq!(listed(&cloud, NameOrIdSortMode::NameAscending), ["alpha", "beta", "croft", "gamma"]);
    assert_eq!(listed(&cloud, NameOrIdSortMode::NameDescending), ["gamma", "croft", "beta", "alpha"]);
    assert_eq!(listed(&cloud, NameOrIdSortMode::IdAscending).len(), 4);
    assert!(view(&cloud, &cloud.admin, "hidden").is_ok());
    assert!(view(&cloud, &cloud.admin, "default-silo").is_ok());

    let mut query = page(NameOrIdSortMode::NameAscending, 2);
    query.after = Some(Marker::Name("alpha".to_owned()));
    let rest = cloud.see(&cloud.admin, move |cx, caller| silo::list(cx, caller, &query)).unwrap();
    assert_eq!(rest.items.iter().map(|silo| silo.name.as_str()).collect::<Vec<_>>(), ["beta", "croft"]);
}

#[test]
fn other_silos_are_not_found_by_plain_users() {
    let mut cloud = Cloud::new();
    let silo = created(&mut cloud, &new_silo("acme"));
    let user = cloud.user(silo.id, "eve");
    assert!(view(&cloud, &user, "acme").is_ok());
    let other = (404, "not found: silo with name \"croft\"".to_owned());
    assert_eq!(refused(view(&cloud, &user, "croft")), other);
    assert_eq!(refused(delete(&mut cloud, &user, "croft")), other);
    assert_eq!(refused(delete(&mut cloud, &user, "acme")).0, 403);
    let id = cloud.admin.silo;
    let by_id = cloud.see(&user, move |cx, caller| silo::view(cx, caller, &NameOrId::Id(id)));
    assert_eq!(refused(by_id), (404, format!("not found: silo with id \"{id}\"")));
}

/// Adds a record of each kind that a silo can own outside of projects.
fn furnish(cloud: &mut Cloud, silo: Uuid, user: &User) {
    let user_id = user.id;
    cloud
        .rule(move |cx| {
            let session = ConsoleSession {
                meta: cx.new_meta(),
                token_hash: vec![1; 32],
                user_id,
                silo_id: silo,
                time_last_used: cx.now,
                source: None,
                user_agent: None,
                pending: None,
                provider_id: None,
                viewing: None,
            };
            cx.tx.insert(&session)?;
            let key = SshKey {
                meta: cx.new_meta(),
                user_id,
                silo_id: silo,
                name: "laptop".parse().unwrap(),
                description: "".into(),
                public_key: "ssh-ed25519 AAAA".to_owned(),
            };
            cx.tx.insert(&key)?;
            let proof = FactorProof::Passkey {
                credential_id: vec![3],
                rp_id: String::new(),
                credential: String::new(),
            };
            let (meta, name) = (cx.new_meta(), "key".to_owned());
            cx.tx.insert(&SecondFactor {
                meta,
                user_id,
                silo_id: silo,
                name,
                proof,
                time_last_used: None,
            })?;
            cx.tx.insert(&SecondFactorReserve {
                meta: croft_store::Meta::new(user_id, cx.now),
                silo_id: silo,
                recovery_codes: Vec::new(),
                time_recovery_codes: cx.now,
                wrong_codes: 0,
                time_wrong_code: None,
            })?;
            let meta = croft_store::Meta::new(silo, cx.now);
            cx.tx.insert(&AuthSettings {
                meta,
                device_token_max_ttl_seconds: Some(60),
                require_second_factor: true,
            })?;
            let pool: IpPool = cx.tx.get_by_name(Uuid::nil(), "default")?.unwrap();
            let (meta, ip_pool_id) = (cx.new_meta(), pool.meta.id);
            cx.tx.insert(&IpPoolSiloLink { meta, ip_pool_id, silo_id: silo, is_default: true })?;
            let image = Image {
                meta: cx.new_meta(),
                silo_id: silo,
                project_id: None,
                name: "debian".parse().unwrap(),
                description: "".into(),
                os: "debian".to_owned(),
                version: "13".to_owned(),
                size: GIB.try_into().unwrap(),
                block_size: 512_u64.try_into().unwrap(),
                volume_id: Uuid::nil(),
            };
            cx.tx.insert(&image)?;
            furnish_provider(cx, silo)
        })
        .unwrap();
    let params = json!({
        "idempotency_key": "key", "operation": "image_delete", "items": [{ "target_id": Uuid::nil() }],
    });
    let params = serde_json::from_value(params).unwrap();
    cloud.act(user, &operation::BATCH_CREATE, move |cx, caller| batch::create(cx, caller, &params)).unwrap();
    labels::set(cloud, ("silo_user", user_id), &[("team", "shop")]);
}

/// Adds an identity provider, and the records of sign-ins through it.
fn furnish_provider(cx: &mut Cx<'_, '_>, silo: Uuid) -> Result<()> {
    let provider = identity_provider(cx.new_meta(), silo, "idp");
    cx.tx.insert(&provider)?;
    let answer = SamlUse {
        meta: cx.new_meta(),
        silo_id: silo,
        provider_id: provider.meta.id,
        digest: vec![2; 32],
        time_expires: cx.now,
    };
    cx.tx.insert(&answer)?;
    let meta = croft_store::Meta::new(provider.meta.id, cx.now);
    Ok(cx.tx.insert(&SamlSignIn { meta, silo_id: silo, time: cx.now })?)
}

fn census(cloud: &Cloud, silo: Uuid) -> BTreeMap<&'static str, usize> {
    cloud.db.read_blocking(move |tx| silo::census(tx, silo)).unwrap()
}

#[test]
fn deleting_a_silo_removes_exactly_its_records() {
    let mut cloud = Cloud::new();
    let mut users = Vec::new();
    for name in ["acme", "rival"] {
        let mut params = new_silo(name);
        params["tls_certificates"] = json!([certificate("main", &format!("{name}.sys.croft.internal"))]);
        let silo = created(&mut cloud, &params).id;
        let user = cloud.user(silo, "eve");
        cloud.grant(RoleIdentity::User(user.id), RoleScope::Silo(silo), Role::Admin);
        cloud.group(silo, "people", &[&user]);
        // The look-up of a session's secret is unique, so only one of the two silos gets the other records.
        users.push(user);
    }
    let (acme, rival) = (users[0].clone(), users[1].clone());
    furnish(&mut cloud, acme.silo, &acme);
    for (table, count) in census(&cloud, acme.silo) {
        let inside = silo::is_of_projects(table);
        assert_eq!(count > 0, !inside, "add a record of {table} in `furnish`");
    }
    let before = census(&cloud, rival.silo);

    let web = cloud.try_project(&acme, "web").unwrap();
    let admin = cloud.admin.clone();
    let contains = (400, "silo to be deleted contains a project".to_owned());
    assert_eq!(refused(delete(&mut cloud, &admin, "acme")), contains);
    assert!(census(&cloud, acme.silo).values().any(|count| *count > 0), "nothing was deleted");
    cloud.remove_project_as(&acme, web.name.as_str());

    delete(&mut cloud, &admin, "acme").unwrap();
    for (table, count) in census(&cloud, acme.silo) {
        assert_eq!(count, 0, "{table}");
    }
    assert_eq!(census(&cloud, rival.silo), before);
    let gone = (404, "not found: silo with name \"acme\"".to_owned());
    assert_eq!(refused(view(&cloud, &admin, "acme")), gone);
    assert_eq!(refused(delete(&mut cloud, &admin, "acme")), gone);
    assert_eq!(refused(cloud.see(&acme, utilization::view)).0, 401, "its tokens are deleted");
    assert!(cloud.see(&rival, utilization::view).is_ok());
    cloud.check_invariants();
}

#[test]
fn a_silos_administrator_may_delete_it_but_not_lift_its_quotas() {
    let mut cloud = Cloud::new();
    let silo = created(&mut cloud, &new_silo("acme")).id;
    let admin = cloud.user(silo, "eve");
    cloud.grant(RoleIdentity::User(admin.id), RoleScope::Silo(silo), Role::Admin);
    let lift = cloud.act(&admin, &operation::SILO_QUOTAS_UPDATE, |cx, caller| {
        let params = serde_json::from_value(json!({ "cpus": 99 })).unwrap();
        quota::update(cx, caller, &by_name("acme"), &params)
    });
    assert_eq!(refused(lift), (403, "Forbidden".to_owned()));
    delete(&mut cloud, &admin, "acme").unwrap();
}

#[test]
fn built_in_silos_cannot_be_deleted() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    for silo in ["default-silo", "croft-internal"] {
        let refusal = refused(delete(&mut cloud, &admin, silo));
        assert_eq!(refusal, (400, "built-in silos cannot be deleted".to_owned()));
    }
}

#[test]
fn quota_updates_change_given_fields_only() {
    let mut cloud = Cloud::new();
    let silo = created(&mut cloud, &new_silo("acme")).id;
    let collaborator = operator(&mut cloud, Role::Collaborator);
    let mut update = |params: Value| {
        let params = serde_json::from_value(params).unwrap();
        cloud.act(&collaborator, &operation::SILO_QUOTAS_UPDATE, move |cx, caller| {
            quota::update(cx, caller, &NameOrId::Id(silo), &params)
        })
    };
    let quotas = update(json!({ "memory": 0 })).unwrap();
    assert_eq!((quotas.cpus, quotas.memory.bytes(), quotas.storage.bytes()), (4, 0, 16 * GIB));
    let quotas = update(json!({ "cpus": i64::MAX, "storage": i64::MAX, "memory": null })).unwrap();
    assert_eq!((quotas.cpus, quotas.memory.bytes()), (i64::MAX, 0));
    assert_eq!(quotas.storage.bytes(), i64::MAX as u64);
    let negative = (400, "unsupported value for \"cpus\": must not be negative".to_owned());
    assert_eq!(refused(update(json!({ "cpus": -1 }))), negative);
    assert_eq!(update(json!({})).unwrap(), quotas);

    let viewer = cloud.user(silo, "eve");
    let own = cloud.see(&viewer, |cx, caller| quota::view(cx, caller, &by_name("acme"))).unwrap();
    assert_eq!(own, quotas);
    let query = page(IdSortMode::IdAscending, 100);
    let all = cloud.see(&collaborator, move |cx, caller| quota::list(cx, caller, &query)).unwrap();
    assert!(all.items.is_sorted_by_key(|quotas| quotas.silo_id));
    assert!(all.items.contains(&quotas));
    assert_eq!(all.items.len(), 5, "the quotas of every silo");
}

#[test]
fn utilization_follows_machines_and_storage() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let own = |cloud: &Cloud| {
        let seen = cloud.see(&cloud.admin, utilization::view).unwrap().provisioned;
        (seen.cpus, seen.memory.bytes(), seen.storage.bytes())
    };
    assert_eq!(own(&cloud), (0, 0, 0));
    let disk = cloud.disk("web", "data");
    let instance = cloud.running("web", "db");
    assert_eq!(own(&cloud), (1, GIB, GIB));
    let seen = cloud.see(&cloud.admin, |cx, caller| utilization::silo_view(cx, caller, &by_name("croft")));
    let seen = seen.unwrap();
    let view = cloud.see(&cloud.admin, utilization::view).unwrap();
    assert_eq!((seen.provisioned, seen.allocated), (view.provisioned, view.capacity));
    assert_eq!((seen.silo_id, seen.silo_name.as_str()), (cloud.admin.silo, "croft"));
    cloud.stop_instance(instance.id).unwrap();
    cloud.pass_seconds(10);
    cloud.delete_disk(disk.id).unwrap();
    assert_eq!(own(&cloud), (0, 0, 0));
}

#[test]
fn utilization_omits_hidden_silos_without_quota() {
    let mut cloud = Cloud::new();
    let nothing = json!({ "cpus": 0, "memory": 0, "storage": 0 });
    for (name, discoverable, empty) in
        [("shown-empty", true, true), ("hidden-empty", false, true), ("hidden-used", false, false)]
    {
        let mut params = new_silo(name);
        params["discoverable"] = json!(discoverable);
        if empty {
            params["quotas"] = nothing.clone();
        }
        created(&mut cloud, &params);
    }
    let names = |query: PageQuery<NoSelector, NameOrIdSortMode>| {
        let page =
            cloud.see(&cloud.admin, move |cx, caller| utilization::silo_list(cx, caller, &query)).unwrap();
        page.items.iter().map(|item| item.silo_name.to_string()).collect::<Vec<_>>()
    };
    let all = ["croft", "hidden-used", "shown-empty"];
    assert_eq!(names(page(NameOrIdSortMode::NameAscending, 100)), all);
    assert_eq!(names(page(NameOrIdSortMode::NameAscending, 2)), all[..2]);
    let mut second = page(NameOrIdSortMode::NameDescending, 2);
    second.after = Some(Marker::Name("shown-empty".to_owned()));
    assert_eq!(names(second), ["hidden-used", "croft"]);
    let single =
        cloud.see(&cloud.admin, |cx, caller| utilization::silo_view(cx, caller, &by_name("hidden-empty")));
    assert_eq!(single.unwrap().allocated.cpus, 0);
}

#[test]
fn built_in_users_are_the_same_in_every_fleet() {
    let cloud = Cloud::new();
    let query = page(NameSortMode::NameAscending, 100);
    let users = cloud.see(&cloud.admin, move |cx, caller| user_builtin::list(cx, caller, &query)).unwrap();
    let names: Vec<&str> = users.items.iter().map(|user| user.name.as_str()).collect();
    let expected =
        ["db-init", "external-authn", "internal-api", "internal-read", "saga-recovery", "service-balancer"];
    assert_eq!(names, expected);
    let first = users.items[0].clone();
    assert_eq!(first.id, Uuid::from_u128(0x001d_e000_05e4_4000_8000_0000_0000_0001));
    for selector in [NameOrId::Id(first.id), by_name("db-init")] {
        let seen =
            cloud.see(&cloud.admin, move |cx, caller| user_builtin::view(cx, caller, &selector)).unwrap();
        assert_eq!(seen, first);
    }
    let missing = cloud.see(&cloud.admin, |cx, caller| user_builtin::view(cx, caller, &by_name("nobody")));
    assert_eq!(refused(missing), (404, "not found: user-builtin with name \"nobody\"".to_owned()));
}
