mod alerts;
mod hardware;
mod networking;
mod support_bundles;

use croft_store::records::{TufRepository, TufTrustRoot};
use http::Method;
use serde_json::{Value, json};

pub use alerts::furnish as furnish_receiver;
pub use networking::settings;
use networking::{address, route};

use super::Row;
use crate::cloud::{Client, Cloud};

const GIB: u64 = 1 << 30;
/// A range that includes every entry.
const ALWAYS: &str = "start_time=2000-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z";
/// The ID of the trusted root role.
const TRUST_ROOT: &str = "3d1c9f6e-58a1-4a53-9a0e-6a8d3d2b7c01";

/// Returns the default value of a path parameter.
pub fn usual(parameter: &str) -> &'static str {
    match parameter {
        "project" => "web",
        "metric_name" => "cpus_provisioned",
        "instance" => "db",
        "disk" => "data",
        "affinity_group" | "anti_affinity_group" => "crew",
        "silo" | "silo_name" => "tenant",
        "user_id" => "<no-role-id>",
        "group_id" => "<group-id>",
        "token_id" => "<own-token>",
        "ssh_key" => "laptop",
        "certificate" => "cert",
        "provider" | "provider_name" => "corp",
        "pool" | "vpc" | "subnet" | "gateway" => "default",
        "address_lot" => "initial-infra",
        "rack_id" => "<rack-id>",
        "bundle_id" => support_bundles::BUNDLE,
        "file" => "bundle_id.txt",
        "sled_id" => hardware::SLED,
        "disk_id" => hardware::DISK,
        "switch_id" => hardware::SWITCH,
        "switch_location" => "switch0",
        "port" => "qsfp0",
        "subnet_mask" => "24",
        "user" => "db-init",
        "image" => "debian",
        "snapshot" => "before",
        "interface" => "net0",
        "floating_ip" | "address" => "fixed",
        "router" => "mine",
        "route" => "out",
        "announce_set" => "ours",
        "probe" => "eye",
        "receiver" => "ops",
        "subscription" => "disk.*",
        "secret_id" => "<secret-id>",
        "alert_id" => "<alert-id>",
        "delivery_id" => alerts::DELIVERY,
        "factor_id" => "11111111-2222-4333-8444-555555555555",
        "trust_root_id" => TRUST_ROOT,
        "batch" => "<batch-id>",
        "kind" => "project",
        "id" => "<project-id>",
        "system_version" => "1.0.0",
        _ => panic!(
            "add the value of the path's parameter {{{parameter}}} to `usual`, and what it names to `furnish`"
        ),
    }
}

/// Adds a trusted root role and a repository.
fn furnish_updates(cloud: &Cloud) {
    cloud
        .rule(|cx| {
            let root_role = croft_tuf::testing::Signer::new(1).root(1);
            let meta = croft_store::Meta::new(TRUST_ROOT.parse().unwrap(), cx.now);
            cx.tx.insert(&TufTrustRoot { meta, root_role, newest: None })?;
            let repository = TufRepository {
                meta: cx.new_meta(),
                system_version: "1.0.0".parse().unwrap(),
                hash: croft_api::update::ArtifactHash([0; 32]),
                file_name: "update.zip".to_owned(),
                targets_role_version: 1,
                valid_until: cx.now,
                artifacts: Vec::new(),
            };
            Ok(cx.tx.insert(&repository)?)
        })
        .unwrap();
}

/// Creates a batch of this caller.
pub async fn furnish_batch(client: &Client<'_>) -> croft_api::Uuid {
    let answer = client.post("/experimental/v1/batches", batch("furnished")).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["id"].as_str().unwrap().parse().unwrap()
}

fn batch(key: &str) -> Value {
    let items = json!([{ "target_id": "11111111-2222-4333-8444-555555555555" }]);
    json!({ "idempotency_key": key, "operation": "disk_delete", "items": items })
}

/// Creates the objects that the requests name, as the silo's admin. Returns the user code of a device that waits for
/// confirmation.
pub async fn furnish(cloud: &Cloud, admin: &Client<'_>) -> String {
    support_bundles::furnish(cloud);
    let fleet = cloud.with_token();
    furnish_updates(cloud);
    let link = json!({ "silo": "tenant", "is_default": true });
    let answer = fleet.post("/v1/system/ip-pools/default/silos", link).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let set = json!({ "name": "ours", "description": "", "announcement": [] });
    let answer = fleet.put("/v1/system/networking/bgp-announce-set", set).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let config = json!({ "name": "main", "description": "", "asn": 1, "bgp_announce_set_id": "ours" });
    let answer = fleet.post("/v1/system/networking/bgp", config).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let subnet = json!({ "name": "spare", "description": "", "ipv4_block": "10.0.0.0/24" });
    let named = |name: &str| json!({ "name": name, "description": "", "dns_name": name });
    for (path, body) in [
        ("/v1/vpcs?project=web", named("default")),
        ("/v1/vpc-subnets?project=web&vpc=default", subnet),
        ("/v1/internet-gateway-ip-addresses?project=web&vpc=default&gateway=default", address("fixed")),
        ("/v1/vpc-routers?project=web&vpc=default", named("mine")),
        ("/v1/vpc-router-routes?project=web&vpc=default&router=mine", route("out")),
        ("/v1/floating-ips?project=web", named("fixed")),
        ("/v1/instances?project=web", instance("db", false)),
        ("/v1/instances?project=web", instance("up", false)),
        ("/v1/instances/db/external-ips/ephemeral?project=web", json!({})),
        ("/v1/affinity-groups?project=web", group("crew")),
        ("/v1/anti-affinity-groups?project=web", group("crew")),
        ("/v1/affinity-groups/crew/members/instance/up?project=web", json!({})),
        ("/v1/anti-affinity-groups/crew/members/instance/up?project=web", json!({})),
        ("/v1/instances/up/start?project=web", json!({})),
        ("/v1/disks?project=web", disk("data")),
        ("/v1/disks?project=web", import("fresh")),
        ("/v1/disks?project=web", import("open")),
    ] {
        let answer = admin.post(path, body).await;
        assert!((201..=202).contains(&answer.status), "{answer:?}");
    }
    cloud.settle();
    let answer = admin.post("/v1/snapshots?project=web", snapshot("before")).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let answer = admin.post("/v1/disks/open/bulk-write-start?project=web", Value::Null).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    cloud.settle();
    let anonymous = cloud.anonymous().with("content-type", "application/x-www-form-urlencoded");
    let form = "client_id=7a1d3c86-2f0b-4f43-9a0e-6d1c1d1c7c11";
    let answer = anonymous.with("host", "croft.test").send(Method::POST, "/device/auth", form).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["user_code"].as_str().unwrap().to_owned()
}

fn disk(name: &str) -> Value {
    let source = json!({ "type": "blank", "block_size": 512 });
    json!({ "name": name, "description": "", "size": GIB, "disk_source": source })
}

fn snapshot(name: &str) -> Value {
    json!({ "name": name, "description": "", "disk": "data" })
}

/// A disk in state `import_ready`.
fn import(name: &str) -> Value {
    let mut import = disk(name);
    import["disk_source"]["type"] = json!("importing_blocks");
    import
}

fn instance(name: &str, start: bool) -> Value {
    let mut boot = disk(&format!("{name}-boot"));
    boot["type"] = json!("create");
    let mut extra = disk(&format!("{name}-extra"));
    extra["type"] = json!("create");
    json!({
        "name": name, "description": "", "hostname": name, "ncpus": 2, "memory": GIB, "start": start,
        "boot_disk": boot, "disks": [extra],
    })
}

fn group(name: &str) -> Value {
    json!({ "name": name, "description": "", "policy": "allow", "failure_domain": "sled" })
}

/// All rows.
pub fn all() -> Vec<Row> {
    [
        signing_in(),
        me(),
        silo(),
        policies(),
        users(),
        fleet(),
        providers(),
        networking::all(),
        alerts::all(),
        hardware::all(),
        support_bundles::all(),
        updates(),
        projects(),
        instances(),
        groups(),
        disks(),
        imports(),
        snapshots(),
        images(),
        timeseries(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn updates() -> Vec<Row> {
    let wanted = json!({ "system_version": "1.0.0" });
    let role = croft_tuf::testing::Signer::new(1).root(1);
    vec![
        Row::new("system_update_trust_root_list", "F F FFF FFF +++"),
        Row::new("system_update_trust_root_create", "F F FFF FFF FF+").body(role),
        Row::new("system_update_trust_root_view", "N N NNN NNN +++"),
        Row::new("system_update_trust_root_delete", "N N NNN NNN FF+"),
        // The body is not an archive, which is checked last.
        Row::new("system_update_put_repository", "F F FFF FFF FF~")
            .query("file_name=update.zip")
            .body(json!({})),
        Row::new("system_update_get_repository", "N N NNN NNN +++"),
        Row::new("target_release_view", "F F FFF FFF +++"),
        Row::new("target_release_update", "F F FFF FFF FF+").body(wanted),
    ]
}

fn signing_in() -> Vec<Row> {
    let password = json!({ "username": "ada", "password": "correct horse" });
    vec![
        Row::open("ping", '+'),
        Row::open("login_options", '+'),
        Row::open("logout", '+'),
        Row::open("login_local", '+').at("silo_name", "acme").body(password),
        Row::open("login_saml", '~').form("SAMLResponse=x"),
        Row::open("device_auth_request", '+').form("client_id=7a1d3c86-2f0b-4f43-9a0e-6d1c1d1c7c11"),
        Row::open("device_access_token", '~').form("grant_type=x&client_id=x&device_code=x"),
        // Requires a session.
        Row::new("device_auth_confirm", "F F FFF FFF FFF").body(json!({ "user_code": "<user-code>" })),
    ]
}

fn me() -> Vec<Row> {
    let labels = json!({ "revision": 0, "labels": [{ "key": "env", "value": "prod" }] });
    let key = json!({ "name": "new", "description": "", "public_key": "ssh-ed25519 AAAA" });
    vec![
        Row::new("current_user_view", "+ + +++ +++ +++"),
        Row::new("current_user_groups", "+ + +++ +++ +++"),
        Row::new("current_user_project_list", "+ + +++ +++ +++"),
        Row::new("current_user_permissions_view", "N N +++ +++ NNN").query("on=project&project=web"),
        Row::new("search_list", "+ + +++ +++ +++").query("q=data"),
        Row::new("activity_list", "N N +++ +++ NNN").at("kind", "project").at("id", "<project-id>"),
        Row::new("labels_list", "N N +++ +++ NNN").query("kind=instance&project=web&selector=env"),
        Row::new("labels_in_use", "N N +++ +++ NNN").query("project=web"),
        Row::new("labels_view", "N N +++ +++ NNN").at("kind", "project").at("id", "<project-id>"),
        Row::new("labels_update", "N N FF+ F++ NNN")
            .at("kind", "project")
            .at("id", "<project-id>")
            .body(labels),
        Row::new("batch_list", "+ + +++ +++ +++"),
        Row::new("batch_create", "+ + +++ +++ +++").body(batch("new")),
        Row::new("batch_view", "N + NNN NNN NNN"),
        Row::new("batch_item_list", "N + NNN NNN NNN"),
        Row::new("batch_cancel", "N + NNN NNN NNN"),
        Row::new("batch_retry", "N + NNN NNN NNN"),
        Row::new("deletion_view", "N N +++ +++ NNN"),
        Row::new("deletion_create", "N N FF~ F~~ NNN").body(json!({ "revision": "of something else" })),
        // The stream of events would not end, so the request is one that fails.
        Row::new("events", "N N NNN NNN NNN").query("project=nowhere"),
        Row::new("account_view", "+ + +++ +++ +++"),
        // Requires a session.
        Row::new("account_password_change", "F F FFF FFF FFF")
            .body(json!({ "current_password": "x", "new_password": "y" })),
        Row::new("account_session_list", "+ + +++ +++ +++"),
        Row::new("account_sessions_end_others", "+ + +++ +++ +++"),
        Row::new("account_session_delete", "N N NNN NNN NNN")
            .at("session_id", "11111111-2222-4333-8444-555555555555"),
        Row::new("account_token_list", "+ + +++ +++ +++"),
        Row::new("account_token_update", "+ + +++ +++ +++").body(json!({ "name": "laptop" })),
        Row::new("account_second_factor_list", "+ + +++ +++ +++"),
        // Changing second factors requires a session, and verifying one requires a session with that step pending.
        Row::new("account_totp_begin", "F F FFF FFF FFF"),
        Row::new("account_totp_create", "F F FFF FFF FFF")
            .body(json!({ "name": "phone", "set_up": "x", "code": "000000" })),
        Row::new("account_passkey_begin", "F F FFF FFF FFF"),
        Row::new("account_passkey_create", "F F FFF FFF FFF")
            .body(json!({ "name": "key", "set_up": "x", "credential": {} })),
        Row::new("account_second_factor_update", "F F FFF FFF FFF").body(json!({ "name": "phone" })),
        Row::new("account_second_factor_delete", "F F FFF FFF FFF"),
        Row::new("account_recovery_codes_view", "+ + +++ +++ +++"),
        Row::new("account_recovery_codes_create", "F F FFF FFF FFF"),
        Row::new("account_verify_begin", "F F FFF FFF FFF"),
        Row::new("account_verify", "F F FFF FFF FFF").body(json!({ "type": "totp", "code": "000000" })),
        Row::new("current_user_access_token_list", "+ + +++ +++ +++"),
        Row::new("current_user_access_token_delete", "+ + +++ +++ +++"),
        Row::new("current_user_ssh_key_list", "+ + +++ +++ +++"),
        Row::new("current_user_ssh_key_create", "+ + +++ +++ +++").body(key),
        Row::new("current_user_ssh_key_view", "+ + +++ +++ +++"),
        Row::new("current_user_ssh_key_delete", "+ + +++ +++ +++"),
    ]
}

/// Operations on the caller's own silo.
fn silo() -> Vec<Row> {
    vec![
        Row::new("auth_settings_view", "+ + +++ +++ +++"),
        Row::new("auth_settings_update", "+ F FFF FF+ F++")
            .body(json!({ "device_token_max_ttl_seconds": null })),
        Row::new("sign_in_settings_view", "+ + +++ +++ +++"),
        Row::new("sign_in_settings_update", "+ F FFF FF+ F++").body(json!({ "require_second_factor": true })),
        Row::new("certificate_list", "+ F FFF FF+ FF+"),
        // The text is not a certificate, which is checked last.
        Row::new("certificate_create", "~ F FFF FF~ FF~").body(json!({
            "name": "new", "description": "", "cert": "x", "key": "x", "service": "external_api",
        })),
        Row::new("certificate_view", "N N NNN NN+ NNN"),
        Row::new("certificate_delete", "N N NNN NN+ NNN"),
        Row::new("utilization_view", "+ + +++ +++ +++"),
        Row::new("silo_metric", "+ + +++ +++ +++").query(ALWAYS),
        Row::new("project_ip_pool_list", "+ + +++ +++ +++"),
        Row::new("project_ip_pool_view", "N + +++ +++ NNN"),
    ]
}

fn policies() -> Vec<Row> {
    let nobody = json!({ "role_assignments": [] });
    vec![
        Row::new("system_policy_view", "F F FFF FFF +++"),
        Row::new("system_policy_update", "F F FFF FFF FF+").body(nobody.clone()),
        Row::new("policy_view", "+ + +++ +++ +++"),
        Row::new("policy_update", "+ F FFF FF+ F++").body(nobody.clone()),
        Row::new("silo_policy_view", "N + +++ +++ +++"),
        Row::new("silo_policy_update", "N F FFF FF+ F++").body(nobody.clone()),
        Row::new("project_policy_view", "N N +++ +++ NNN"),
        Row::new("project_policy_update", "N N FF+ F++ NNN").body(nobody),
    ]
}

fn users() -> Vec<Row> {
    let user = json!({ "external_id": "new", "password": { "mode": "login_disallowed" } });
    let password = json!({ "mode": "login_disallowed" });
    vec![
        Row::new("user_list", "+ + +++ +++ +++"),
        Row::new("user_view", "N + +++ +++ NNN"),
        Row::new("group_list", "+ + +++ +++ +++"),
        Row::new("group_view", "N + +++ +++ NNN"),
        Row::new("user_token_list", "N + FFF FF+ NNN"),
        Row::new("user_session_list", "N + FFF FF+ NNN"),
        Row::new("user_logout", "N + FFF FF+ NNN"),
        // Requires a session.
        Row::new("view_as_begin", "N F FFF FFF NNN"),
        Row::new("view_as_end", "F F FFF FFF FFF"),
        Row::new("view_as_view", "+ + +++ +++ +++"),
        Row::new("silo_user_list", "N + +++ +++ +++").query("silo=tenant"),
        Row::new("silo_user_view", "N + +++ +++ +++").query("silo=tenant"),
        Row::new("local_idp_user_create", "N F FFF FF+ FF+").query("silo=tenant").body(user),
        Row::new("local_idp_user_delete", "N + FFF FF+ FF+").query("silo=tenant"),
        // Setting one's own password requires a session.
        Row::new("local_idp_user_set_password", "N F FFF FF+ FF+").query("silo=tenant").body(password),
        // The user has no password.
        Row::new("local_idp_user_require_password_change", "N ~ FFF FF~ FF~").query("silo=tenant"),
        // Not possible for oneself.
        Row::new("local_idp_user_reset_second_factor", "N F FFF FF+ FF+").query("silo=tenant"),
        Row::new("audit_log_list", "F F FFF FFF +++").query("start_time=2026-01-01T00:00:00Z"),
        Row::new("user_builtin_list", "F F FFF FFF +++"),
        Row::new("user_builtin_view", "N N NNN NNN +++"),
    ]
}

/// Operations on silos that belong to the fleet.
fn fleet() -> Vec<Row> {
    let create = json!({
        "name": "new", "description": "", "discoverable": true, "identity_mode": "saml_jit",
        "quotas": { "cpus": 1, "memory": 1, "storage": 1 }, "tls_certificates": [],
    });
    vec![
        Row::new("silo_list", "F F FFF FFF +++"),
        Row::new("silo_create", "F F FFF FFF F++").body(create),
        Row::new("silo_view", "N + +++ +++ +++"),
        // The silo still has a project, which is checked last.
        Row::new("silo_delete", "N F FFF FF~ F~~"),
        Row::new("silo_quotas_view", "N + +++ +++ +++"),
        Row::new("silo_quotas_update", "N F FFF FFF F++").body(json!({ "cpus": 5 })),
        Row::new("system_quotas_list", "F F FFF FFF +++"),
        Row::new("system_metric", "F F FFF FFF +++").query(ALWAYS),
        Row::new("silo_utilization_list", "F F FFF FFF +++"),
        Row::new("silo_utilization_view", "N + +++ +++ +++"),
    ]
}

fn providers() -> Vec<Row> {
    let create = json!({
        "name": "new", "description": "", "acs_url": "https://a/", "slo_url": "https://a/",
        "idp_entity_id": "idp", "sp_client_id": "sp", "technical_contact_email": "a@b",
        "idp_metadata_source": { "type": "base64_encoded_xml", "data": "PGEvPg==" },
    });
    vec![
        Row::new("silo_identity_provider_list", "N + +++ +++ +++").query("silo=tenant"),
        // The silo uses passwords instead, which is checked last.
        Row::new("saml_identity_provider_create", "N F FFF FF~ FF~").query("silo=tenant").body(create),
        Row::new("saml_identity_provider_view", "N N NNN +++ +++").query("silo=tenant"),
        Row::new("saml_identity_provider_settings_view", "N N NNN +++ +++").query("silo=tenant"),
        Row::new("saml_identity_provider_update", "N N NNN FF+ FF+")
            .query("silo=tenant")
            .body(json!({ "description": "new" })),
        Row::new("saml_identity_provider_delete", "N N NNN FF+ FF+").query("silo=tenant"),
    ]
}

fn projects() -> Vec<Row> {
    let named = |name: &str| json!({ "name": name, "description": "" });
    vec![
        Row::new("project_list", "+ F FFF +++ FFF"),
        Row::new("project_create", "+ F FFF F++ FFF").body(named("new")),
        Row::new("project_view", "N N +++ +++ NNN"),
        Row::new("project_update", "N N FF+ F++ NNN").body(named("renamed")),
        Row::new("project_delete", "N N FF~ F~~ NNN"),
    ]
}

fn instances() -> Vec<Row> {
    let attach = json!({ "disk": "data" });
    let detach = json!({ "disk": "db-extra" });
    vec![
        Row::inside("instance_list", "N N +++ +++ NNN"),
        Row::inside("instance_search", "N N +++ +++ NNN"),
        Row::inside("instance_create", "N N F++ F++ NNN").body(instance("new", false)),
        Row::inside("instance_preview", "N N F++ F++ NNN").body(instance("new", false)),
        Row::inside("instance_view", "N N +++ +++ NNN"),
        Row::inside("instance_activity_list", "N N +++ +++ NNN"),
        Row::inside("instance_update", "N N F++ F++ NNN").body(json!({
            "ncpus": 4, "memory": GIB, "boot_disk": "db-boot", "auto_restart_policy": null,
        })),
        Row::inside("instance_delete", "N N F++ F++ NNN"),
        Row::inside("instance_start", "N N F++ F++ NNN"),
        Row::inside("instance_stop", "N N F++ F++ NNN").at("instance", "up"),
        Row::inside("instance_reboot", "N N F++ F++ NNN").at("instance", "up"),
        Row::new("instance_serial_console", "N N +++ +++ NNN")
            .at("instance", "up")
            .query("project=web&from_start=0"),
        Row::inside("instance_ssh_public_key_list", "N N +++ +++ NNN"),
        // Without the headers of an upgrade, the request fails before authentication.
        Row::open("instance_serial_console_stream", '~').query("project=web").at("instance", "up"),
        Row::open("instance_graphical_console_stream", '~').query("project=web").at("instance", "up"),
        Row::inside("instance_graphical_console_picture", "N N +++ +++ NNN").at("instance", "up"),
        Row::inside("instance_disk_list", "N N +++ +++ NNN"),
        Row::inside("instance_disk_attach", "N N F++ F++ NNN").body(attach),
        Row::inside("instance_disk_detach", "N N F++ F++ NNN").body(detach),
    ]
}

fn groups() -> Vec<Row> {
    vec![
        Row::inside("affinity_group_list", "N N +++ +++ NNN"),
        Row::inside("affinity_group_create", "N N F++ F++ NNN").body(group("new")),
        Row::inside("affinity_group_view", "N N +++ +++ NNN"),
        Row::inside("affinity_group_update", "N N F++ F++ NNN").body(json!({ "description": "new" })),
        Row::inside("affinity_group_delete", "N N F++ F++ NNN"),
        Row::inside("affinity_group_member_list", "N N +++ +++ NNN"),
        Row::inside("affinity_group_member_instance_view", "N N +++ +++ NNN").at("instance", "up"),
        Row::inside("affinity_group_member_instance_add", "N N F++ F++ NNN"),
        Row::inside("affinity_group_member_instance_delete", "N N F++ F++ NNN").at("instance", "up"),
        Row::inside("instance_affinity_group_list", "N N +++ +++ NNN"),
        Row::inside("anti_affinity_group_list", "N N +++ +++ NNN"),
        Row::inside("anti_affinity_group_create", "N N F++ F++ NNN").body(group("new")),
        Row::inside("anti_affinity_group_view", "N N +++ +++ NNN"),
        Row::inside("anti_affinity_group_update", "N N F++ F++ NNN").body(json!({ "description": "new" })),
        Row::inside("anti_affinity_group_delete", "N N F++ F++ NNN"),
        Row::inside("anti_affinity_group_member_list", "N N +++ +++ NNN"),
        Row::inside("anti_affinity_group_member_instance_view", "N N +++ +++ NNN").at("instance", "up"),
        Row::inside("anti_affinity_group_member_instance_add", "N N F++ F++ NNN"),
        Row::inside("anti_affinity_group_member_instance_delete", "N N F++ F++ NNN").at("instance", "up"),
        Row::inside("instance_anti_affinity_group_list", "N N +++ +++ NNN"),
    ]
}

fn disks() -> Vec<Row> {
    vec![
        Row::inside("disk_list", "N N +++ +++ NNN"),
        Row::inside("disk_search", "N N +++ +++ NNN"),
        Row::inside("disk_create", "N N F++ F++ NNN").body(disk("new")),
        Row::inside("disk_view", "N N +++ +++ NNN"),
        Row::inside("disk_delete", "N N F++ F++ NNN"),
    ]
}

fn imports() -> Vec<Row> {
    let blocks = json!({ "offset": 0, "base64_encoded_data": "" });
    vec![
        Row::inside("disk_bulk_write_import_start", "N N F++ F++ NNN").at("disk", "fresh"),
        Row::inside("disk_bulk_write_import", "N N F++ F++ NNN").at("disk", "open").body(blocks),
        Row::inside("disk_bulk_write_import_stop", "N N F++ F++ NNN").at("disk", "open"),
        Row::inside("disk_finalize_import", "N N F++ F++ NNN").at("disk", "fresh").body(json!({})),
    ]
}

fn snapshots() -> Vec<Row> {
    vec![
        Row::inside("snapshot_list", "N N +++ +++ NNN"),
        Row::inside("snapshot_search", "N N +++ +++ NNN"),
        Row::inside("snapshot_create", "N N F++ F++ NNN").body(snapshot("new")),
        Row::inside("snapshot_view", "N N +++ +++ NNN"),
        Row::inside("snapshot_delete", "N N F++ F++ NNN"),
    ]
}

fn images() -> Vec<Row> {
    let create = json!({
        "name": "new", "description": "", "os": "Debian", "version": "13",
        "source": { "type": "snapshot", "id": "<snapshot-id>" },
    });
    vec![
        Row::new("image_list", "+ F FFF +++ FFF"),
        Row::new("image_search", "+ F FFF +++ FFF"),
        Row::new("image_create", "N F FFF F++ FFF").body(create),
        Row::new("image_view", "N N NNN +++ NNN"),
        Row::new("image_delete", "N N NNN F++ NNN"),
        Row::inside("image_promote", "N N FFF F++ NNN").at("image", "mine"),
        Row::inside("image_demote", "N N NNN F++ NNN"),
        Row::inside("project_silo_image_list", "N N +++ +++ NNN"),
    ]
}

fn timeseries() -> Vec<Row> {
    let query = json!({ "query": "get virtual_machine:vcpu_usage | last 1" });
    vec![
        Row::inside("timeseries_query", "N N +++ +++ NNN").body(query.clone()),
        Row::new("system_timeseries_query", "F F FFF FFF +++").body(query),
        Row::new("system_timeseries_schema_list", "F F FFF FFF +++"),
    ]
}
