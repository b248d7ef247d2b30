use croft_api::{Result, external_ip::ExternalIp, floating_ip::FloatingIp};
use croft_control::{floating_ip, operation};
use croft_store::records::{InstanceStage, Resources, Role, RoleIdentity, RoleScope};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    addresses_of, allocated, attach_ephemeral, attach_floating, bad, detach_ephemeral, ephemeral, link,
    linked_pool, try_pool, unlink,
};
use crate::kit::{Cloud, User, by_name, refused};

/// A cloud with a project and a default pool with a known first address.
fn web() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud
}

fn detach(cloud: &mut Cloud, name: &str) -> Result<FloatingIp> {
    let (admin, name) = (cloud.admin.clone(), by_name(name));
    cloud.act(&admin, &operation::FLOATING_IP_DETACH, move |cx, caller| {
        floating_ip::detach(cx, caller, &name, Some(&by_name("web")))
    })
}

fn delete(cloud: &mut Cloud, name: &str) -> Result<()> {
    let (admin, name) = (cloud.admin.clone(), by_name(name));
    cloud.act(&admin, &operation::FLOATING_IP_DELETE, move |cx, caller| {
        floating_ip::delete(cx, caller, &name, Some(&by_name("web")))
    })
}

fn ports(ip: &ExternalIp) -> (String, u16, u16) {
    match ip {
        ExternalIp::Snat { ip, first_port, last_port, .. } => (ip.to_string(), *first_port, *last_port),
        other => panic!("{other:?}"),
    }
}

#[test]
fn four_instances_send_from_one_address() {
    let mut cloud = web();
    let ids: Vec<Uuid> = (0..5).map(|number| cloud.instance("web", &format!("i-{number}")).id).collect();
    let seen: Vec<_> = ids.iter().map(|id| ports(&addresses_of(&cloud, *id)[0])).collect();
    let block = |last: u8, number: u16| (format!("10.128.0.{last}"), number * 16384, number * 16384 + 16383);
    assert_eq!(seen, [block(10, 0), block(10, 1), block(10, 2), block(10, 3), block(11, 0)]);
    assert_eq!(allocated(&cloud, "default"), 2);
    cloud.delete_instance(ids[1]).unwrap();
    let again = cloud.instance("web", "again");
    assert_eq!(ports(&addresses_of(&cloud, again.id)[0]), block(10, 1));
    let floating = cloud.floating_ip("web", "fixed");
    assert_eq!(
        floating.ip.to_string(),
        "10.128.0.12",
        "the address of a SNAT IP is not used for a floating IP"
    );
    cloud.check_invariants();
}

#[test]
fn addresses_are_given_out_in_order() {
    let mut cloud = web();
    for number in 0_u8..7 {
        let floating = cloud.floating_ip("web", &format!("fixed-{number}"));
        assert_eq!(floating.ip.to_string(), format!("10.128.0.{}", 10 + number));
    }
    let instance = cloud.try_instance("web", "db", &ephemeral("default")).unwrap();
    let seen = addresses_of(&cloud, instance.id);
    assert_eq!(ports(&seen[0]).0, "10.128.0.17");
    let ExternalIp::Ephemeral { ip, .. } = seen[1] else { panic!("{seen:?}") };
    assert_eq!(ip.to_string(), "10.128.0.18");
    assert_eq!(allocated(&cloud, "default"), 9);
    delete(&mut cloud, "fixed-0").unwrap();
    assert_eq!(cloud.floating_ip("web", "again").ip.to_string(), "10.128.0.10");
    cloud.delete_instance(instance.id).unwrap();
    assert_eq!(allocated(&cloud, "default"), 7);
    cloud.check_invariants();
}

#[test]
fn floating_ip_address_can_be_chosen() {
    let mut cloud = web();
    let with = |name: &str, ip: &str| json!({"name": name, "description": "", "ip": ip});
    let first = cloud.try_floating_ip("web", with("one", "10.128.7.7")).unwrap();
    assert_eq!(first.ip.to_string(), "10.128.7.7");
    let unavailable = bad("Requested external IP address not available");
    for ip in ["10.128.7.7", "10.127.0.1", "fd00::1"] {
        assert_eq!(refused(cloud.try_floating_ip("web", with("two", ip))), unavailable, "{ip}");
    }
    let taken = bad("already exists: floating-ip \"one\"");
    assert_eq!(refused(cloud.try_floating_ip("web", with("one", "10.128.7.8"))), taken);
    assert_eq!(allocated(&cloud, "default"), 1, "a refused request allocates nothing");

    linked_pool(&mut cloud, "public", "192.0.2.0", "192.0.2.1");
    let from = |name: &str| json!({"name": name, "description": "", "pool": "public"});
    for (name, ip) in [("a", "192.0.2.0"), ("b", "192.0.2.1")] {
        assert_eq!(cloud.try_floating_ip("web", from(name)).unwrap().ip.to_string(), ip);
    }
    let exhausted = (507, "Insufficient capacity: No external IP addresses available".to_owned());
    assert_eq!(refused(cloud.try_floating_ip("web", from("c"))), exhausted);
    assert_eq!(refused(cloud.try_instance("web", "db", &ephemeral("public"))), exhausted);
    cloud.check_invariants();
}

#[test]
fn unlinked_pool_is_not_found() {
    let mut cloud = web();
    try_pool(&mut cloud, "hidden").unwrap();
    super::add_range(&mut cloud, "hidden", "192.0.2.1", "192.0.2.9").unwrap();
    let missing = |name: &str| (404, format!("not found: ip-pool with name \"{name}\""));
    for name in ["hidden", "nothing"] {
        let params = json!({"name": "x", "description": "", "pool": name});
        assert_eq!(refused(cloud.try_floating_ip("web", params)), missing(name));
        assert_eq!(refused(cloud.try_instance("web", "db", &ephemeral(name))), missing(name));
    }
    link(&mut cloud, "hidden", "croft", false);
    cloud.try_instance("web", "db", &ephemeral("hidden")).unwrap();
    let held = bad("IP addresses from this pool are in use in the linked silo");
    assert_eq!(refused(unlink(&mut cloud, "hidden", "croft")), held);
    assert_eq!(refused(unlink(&mut cloud, "default", "croft")), held, "SNAT IPs count, too");
    cloud.check_invariants();
}

#[test]
fn a_silo_without_a_default_pool_has_no_instances() {
    let mut cloud = web();
    let plenty = Resources { cpus: 9, memory: 1 << 40, storage: 1 << 40 };
    let other = cloud.silo("other", plenty);
    let user: User = cloud.user(other, "eve");
    cloud.grant(RoleIdentity::User(user.id), RoleScope::Silo(other), Role::Admin);
    cloud.try_project(&user, "web").unwrap();
    let create = |cloud: &mut Cloud, extra: Value| {
        let mut params = json!({
            "name": "db", "description": "", "hostname": "db", "ncpus": 1, "memory": 1_u64 << 30, "start": false,
        });
        for (key, value) in extra.as_object().unwrap() {
            params[key] = value.clone();
        }
        let params = serde_json::from_value(params).unwrap();
        cloud.act(&user, &operation::INSTANCE_CREATE, move |cx, caller| {
            croft_control::instance::create(cx, caller, &by_name("web"), &params)
        })
    };
    let missing = (404, "not found: default IP pool for current silo".to_owned());
    for extra in [json!({}), json!({"network_interfaces": {"type": "none"}}), ephemeral("nothing")] {
        assert_eq!(refused(create(&mut cloud, extra)), missing);
    }
    link(&mut cloud, "default", "other", true);
    create(&mut cloud, json!({})).unwrap();
    cloud.check_invariants();
}

#[test]
fn floating_ip_is_attached_to_one_instance() {
    let mut cloud = web();
    cloud.project("site");
    let (db, other) = (cloud.instance("web", "db"), cloud.instance("web", "other"));
    let stranger = cloud.instance("site", "stranger");
    let before = cloud.floating_ip("web", "fixed");
    assert_eq!(before.instance_id, None);
    let place = bad("floating IP must be in the same project as the instance");
    assert_eq!(refused(attach_floating(&mut cloud, "fixed", stranger.id.into())), place);
    let missing = (404, "not found: instance with name \"stranger\"".to_owned());
    assert_eq!(refused(attach_floating(&mut cloud, "fixed", by_name("stranger"))), missing);
    assert_eq!(attach_floating(&mut cloud, "fixed", by_name("db")).unwrap().instance_id, Some(db.id));
    assert_eq!(
        attach_floating(&mut cloud, "fixed", db.id.into()).unwrap().instance_id,
        Some(db.id),
        "attaching again changes nothing"
    );
    let busy = bad("floating IP cannot be attached to one instance while still attached to another");
    assert_eq!(refused(attach_floating(&mut cloud, "fixed", other.id.into())), busy);
    let extra = json!({"external_ips": [{"type": "floating", "floating_ip": "fixed"}]});
    assert_eq!(refused(cloud.try_instance("web", "third", &extra)), busy);
    let held = bad("Floating IP cannot be deleted while attached to an instance");
    assert_eq!(refused(delete(&mut cloud, "fixed")), held);
    assert!(matches!(&addresses_of(&cloud, db.id)[1], ExternalIp::Floating(seen) if seen.id == before.id));
    assert_eq!(detach(&mut cloud, "fixed").unwrap().instance_id, None);
    assert_eq!(detach(&mut cloud, "fixed").unwrap().instance_id, None, "detaching again changes nothing");
    let third = cloud.try_instance("web", "third", &extra).unwrap();
    cloud.delete_instance(third.id).unwrap();
    delete(&mut cloud, "fixed").unwrap();
    cloud.check_invariants();
}

#[test]
fn instance_state_determines_allowed_changes() {
    let mut cloud = web();
    cloud.floating_ip("web", "fixed");
    let instance = cloud.try_instance("web", "db", &json!({"start": true})).unwrap();
    let busy = (503, "Service Unavailable".to_owned());
    assert_eq!(refused(attach_floating(&mut cloud, "fixed", by_name("db"))), busy, "starting");
    assert_eq!(refused(attach_ephemeral(&mut cloud, instance.id, json!({}))), busy);
    assert_eq!(allocated(&cloud, "default"), 2, "a refused request allocates nothing");
    cloud.pass_seconds(10);
    attach_floating(&mut cloud, "fixed", by_name("db")).unwrap();
    attach_ephemeral(&mut cloud, instance.id, json!({})).unwrap();
    cloud.stop_instance(instance.id).unwrap();
    assert_eq!(refused(detach(&mut cloud, "fixed")), busy, "stopping");
    assert_eq!(refused(detach_ephemeral(&mut cloud, instance.id)), busy);
    attach_floating(&mut cloud, "fixed", by_name("db")).unwrap();
    for (stage, label) in [(InstanceStage::Failed, "failed"), (InstanceStage::Creating, "creating")] {
        cloud.pass_seconds(10);
        cloud.modify_instance_record(instance.id, move |instance| instance.stage = stage.clone());
        let text = format!("cannot detach floating IP from instance in {label} state");
        assert_eq!(refused(detach(&mut cloud, "fixed")), bad(&text));
        let text = format!("cannot detach ephemeral IP from instance in {label} state");
        assert_eq!(refused(detach_ephemeral(&mut cloud, instance.id)), bad(&text));
        cloud.floating_ip("web", label);
        let text = format!("cannot attach floating IP to instance in {label} state");
        assert_eq!(refused(attach_floating(&mut cloud, label, by_name("db"))), bad(&text));
    }
    cloud.check_invariants();
}

#[test]
fn an_instance_has_one_ephemeral_address() {
    let mut cloud = web();
    linked_pool(&mut cloud, "tiny", "192.0.2.1", "192.0.2.1");
    let instance = cloud.instance("web", "db");
    let none = bad("instance does not have an ephemeral IP attached");
    assert_eq!(refused(detach_ephemeral(&mut cloud, instance.id)), none);
    let first = attach_ephemeral(&mut cloud, instance.id, json!({"pool": "tiny"})).unwrap();
    let again = attach_ephemeral(&mut cloud, instance.id, json!({"pool": "tiny"})).unwrap();
    assert_eq!(again, first, "the pool is exhausted, but no other address is needed");
    assert_eq!(attach_ephemeral(&mut cloud, instance.id, json!({})).unwrap(), first);
    let other = cloud.instance("web", "other");
    let exhausted = refused(attach_ephemeral(&mut cloud, other.id, json!({"pool": "tiny"})));
    assert_eq!(exhausted.0, 507);
    detach_ephemeral(&mut cloud, instance.id).unwrap();
    assert_eq!(allocated(&cloud, "tiny"), 0);
    attach_ephemeral(&mut cloud, other.id, json!({"pool": "tiny"})).unwrap();
    cloud.check_invariants();
}

#[test]
fn instance_has_at_most_32_external_addresses_besides_snat() {
    let mut cloud = web();
    let instance = cloud.instance("web", "db");
    for number in 0..32 {
        let name = format!("fixed-{number}");
        cloud.floating_ip("web", &name);
        attach_floating(&mut cloud, &name, by_name("db")).unwrap();
    }
    cloud.floating_ip("web", "more");
    let full = bad("an instance may not have more than 32 external IP addresses");
    assert_eq!(refused(attach_floating(&mut cloud, "more", by_name("db"))), full);
    assert_eq!(refused(attach_ephemeral(&mut cloud, instance.id, json!({}))), full);
    assert_eq!(addresses_of(&cloud, instance.id).len(), 33);
    detach(&mut cloud, "fixed-0").unwrap();
    attach_ephemeral(&mut cloud, instance.id, json!({})).unwrap();
    assert_eq!(refused(attach_floating(&mut cloud, "more", by_name("db"))), full);
    cloud.check_invariants();
}
