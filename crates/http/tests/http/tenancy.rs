//! Isolation of silos: responses to one silo do not depend on the requests of another, even with the same names at the
//! same time.

use std::collections::HashMap;

use croft_control::token;
use croft_store::{
    Meta,
    records::{
        IdentityMode, IpPool, IpPoolSiloLink, Resources, Role, RoleAssignment, RoleIdentity, RoleScope, Silo,
        SiloUser, Usage,
    },
};
use http::Method;
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::cloud::{Answer, Cloud};

/// The silos under test. Neither is the one of the first start.
const SILOS: [&str; 2] = ["north", "south"];
/// The names that both silos use.
const NAMES: [&str; 3] = ["web", "db", "shop"];
const ADMIN: &str = "grace";

/// A request: method, path and body. Both silos send the same requests with different tokens.
type Ask = (Method, String, Option<Value>);

fn named(name: &str) -> Value {
    json!({ "name": name, "description": "" })
}

fn disk(name: &str) -> Value {
    let source = json!({ "type": "blank", "block_size": 512 });
    json!({ "name": name, "description": "", "size": 1_u64 << 30, "disk_source": source })
}

fn instance(name: &str) -> Value {
    json!({
        "name": name, "description": "", "hostname": name, "ncpus": 2, "memory": 1_u64 << 30,
        "network_interfaces": { "type": "none" },
    })
}

fn name() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(&NAMES)
}

fn asks() -> impl Strategy<Value = Ask> {
    let get = |path: String| (Method::GET, path, None);
    let lists = proptest::sample::select(&[
        "/v1/projects",
        "/v1/users",
        "/v1/groups",
        "/v1/policy",
        "/v1/utilization",
        "/v1/me",
        "/v1/me/groups",
        "/v1/me/ssh-keys",
        "/v1/me/access-tokens",
        "/v1/auth-settings",
        "/v1/certificates",
        "/v1/ip-pools",
        "/v1/system/silos",
        "/v1/system/audit-log?start_time=1970-01-01T00:00:00Z",
    ]);
    prop_oneof![
        lists.prop_map(move |path| get(path.to_owned())),
        name().prop_map(|name| (Method::POST, "/v1/projects".into(), Some(named(name)))),
        name().prop_map(move |name| get(format!("/v1/projects/{name}"))),
        (name(), name()).prop_map(|(old, new)| (
            Method::PUT,
            format!("/v1/projects/{old}"),
            Some(named(new))
        )),
        name().prop_map(|name| (Method::DELETE, format!("/v1/projects/{name}"), None)),
        name().prop_map(|name| {
            (Method::DELETE, format!("/v1/vpc-subnets/default?vpc=default&project={name}"), None)
        }),
        name().prop_map(|name| (Method::DELETE, format!("/v1/vpcs/default?project={name}"), None)),
        (name(), name()).prop_map(|(project, name)| {
            (Method::POST, format!("/v1/disks?project={project}"), Some(disk(name)))
        }),
        (name(), name()).prop_map(|(project, name)| {
            (Method::POST, format!("/v1/instances?project={project}"), Some(instance(name)))
        }),
        (name(), prop_oneof![Just("disks"), Just("instances")])
            .prop_map(move |(project, kind)| get(format!("/v1/{kind}?project={project}"))),
        (name(), name(), prop_oneof![Just("disks"), Just("instances")]).prop_map(|(project, name, kind)| {
            (Method::DELETE, format!("/v1/{kind}/{name}?project={project}"), None)
        }),
        (name(), name(), prop_oneof![Just("start"), Just("stop")]).prop_map(|(project, name, what)| {
            (Method::POST, format!("/v1/instances/{name}/{what}?project={project}"), None)
        }),
        name().prop_map(|name| {
            let key = json!({ "name": name, "description": "", "public_key": "ssh-ed25519 AAAA" });
            (Method::POST, "/v1/me/ssh-keys".into(), Some(key))
        }),
        name().prop_map(|name| (Method::DELETE, format!("/v1/me/ssh-keys/{name}"), None)),
    ]
}

/// Requests, each with the index of the silo that sends it.
fn conversation() -> impl Strategy<Value = Vec<(usize, Ask)>> {
    proptest::collection::vec((0..SILOS.len(), asks()), 1..40)
}

fn add_silo(cloud: &Cloud, name: &'static str) -> String {
    let add = move |cx: &mut croft_control::Cx<'_, '_>| {
        let silo = Silo {
            meta: cx.new_meta(),
            name: name.parse().unwrap(),
            description: "".into(),
            discoverable: true,
            identity_mode: IdentityMode::LocalOnly,
            mapped_fleet_roles: std::collections::BTreeMap::default(),
        };
        cx.tx.insert(&silo)?;
        let silo_id = silo.meta.id;
        let quota = Resources { cpus: 10, memory: 8 << 30, storage: 4 << 30 };
        let usage = Usage::none(Meta::new(silo_id, cx.now), Some(silo_id), None, Some(quota));
        cx.tx.insert(&usage)?;
        let pool: IpPool = cx.tx.get_by_name(Uuid::nil(), "default")?.unwrap();
        let (meta, ip_pool_id) = (cx.new_meta(), pool.meta.id);
        cx.tx.insert(&IpPoolSiloLink { meta, ip_pool_id, silo_id, is_default: true })?;
        let user = SiloUser {
            meta: cx.new_meta(),
            silo_id,
            external_id: ADMIN.to_owned(),
            password_hash: None,
            must_change_password: false,
        };
        cx.tx.insert(&user)?;
        let (scope, identity) = (RoleScope::Silo(silo_id), RoleIdentity::User(user.meta.id));
        let (meta, role) = (cx.new_meta(), Role::Admin);
        cx.tx.insert(&RoleAssignment { meta, scope, silo_id: Some(silo_id), identity, role })?;
        Ok(token::create(cx, &silo.name, &ADMIN.parse().unwrap(), &"test".parse().unwrap(), None)?.text)
    };
    format!("Bearer {}", cloud.rule(add).unwrap())
}

/// Sends the requests of the silos that take part. Returns the responses to the first silo, with normalized IDs.
async fn answers(conversation: &[(usize, Ask)], active: [bool; 2]) -> Vec<(u16, String)> {
    let cloud = Cloud::new();
    let credentials = SILOS.map(|silo| add_silo(&cloud, silo));
    let mut ids = Ids::default();
    let mut received = Vec::new();
    for (who, (method, path, body)) in conversation {
        if !active[*who] {
            continue;
        }
        let client = cloud.anonymous().with("authorization", &credentials[*who]);
        let body = body.as_ref().map(Value::to_string).unwrap_or_default();
        let answer = client.send(method.clone(), path, body).await;
        cloud.settle();
        if *who == 0 {
            received.push((answer.status, ids.without(&answer)));
        }
    }
    received
}

/// Replaces IDs by the order of their first appearance, because they differ between runs.
#[derive(Default)]
struct Ids(HashMap<Uuid, usize>);

impl Ids {
    fn without(&mut self, answer: &Answer) -> String {
        let Ok(mut body) = serde_json::from_slice(&answer.body) else { return answer.text() };
        self.replace(&mut body);
        body.to_string()
    }

    fn replace(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Ok(id) = text.parse::<Uuid>() {
                    let next = self.0.len();
                    *text = format!("id-{}", self.0.entry(id).or_insert(next));
                } else if let Some(kept) = text.rsplit_once("with id ").map(|(kept, _)| kept.to_owned()) {
                    *text = kept;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.replace(item)),
            Value::Object(fields) => {
                // A page token contains the last ID.
                fields.remove("request_id");
                fields.remove("next_page");
                fields.values_mut().for_each(|field| self.replace(field));
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn answers_of_a_silo_do_not_depend_on_other_silos(conversation in conversation()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let alone = answers(&conversation, [true, false]).await;
            let together = answers(&conversation, [true, true]).await;
            prop_assert_eq!(alone, together);
            Ok(())
        })?;
    }
}
