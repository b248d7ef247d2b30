use croft_api::{
    Result,
    ip_pool::IpRange,
    network_interface::OptionalInstanceSelector,
    page::{NameOrIdSortMode, PageQuery},
    probe::{Probe, ProbeInfo},
    project::ProjectSelector,
    scalar::NameOrId,
    vpc::OptionalVpcSelector,
};
use croft_control::{ip_pool, network_interface, operation, probe, sled, subnet};
use croft_store::records::{NetworkInterface, Role, RoleIdentity, RoleScope, Vpc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::bad;
use crate::kit::{Cloud, User, by_name, list_of, refused};

/// A cloud with a project, and the ID of a sled.
fn web() -> (Cloud, Uuid) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let sled = croft_sled::Hypervisor::sleds(&*cloud.hypervisor)[0].id;
    (cloud, sled)
}

fn create_as(cloud: &mut Cloud, user: &User, params: Value) -> Result<Probe> {
    let params = serde_json::from_value(params).unwrap();
    cloud.act(user, &operation::PROBE_CREATE, move |cx, caller| {
        probe::create(cx, caller, &by_name("web"), &params)
    })
}

fn try_probe(cloud: &mut Cloud, name: &str, sled: Uuid, pool: Option<&str>) -> Result<Probe> {
    let admin = cloud.admin.clone();
    let params = json!({"name": name, "description": "watches", "sled": sled, "ip_pool": pool});
    create_as(cloud, &admin, params)
}

fn view(cloud: &Cloud, selector: NameOrId) -> Result<ProbeInfo> {
    cloud.see(&cloud.admin, move |cx, caller| probe::view(cx, caller, &by_name("web"), &selector))
}

fn listed(cloud: &Cloud) -> Vec<ProbeInfo> {
    cloud.see(&cloud.admin, |cx, caller| probe::list(cx, caller, &list_of("web"))).unwrap().items
}

fn delete(cloud: &mut Cloud, name: &str) -> Result<()> {
    let (admin, name) = (cloud.admin.clone(), by_name(name));
    cloud.act(&admin, &operation::PROBE_DELETE, move |cx, caller| {
        probe::delete(cx, caller, &by_name("web"), &name)
    })
}

fn allocated(cloud: &Cloud, pool: &str) -> u32 {
    let pool = by_name(pool);
    let used = cloud.see(&cloud.admin, move |cx, caller| ip_pool::utilization_view(cx, caller, &pool));
    used.unwrap().ipv4.allocated
}

fn within() -> OptionalVpcSelector {
    OptionalVpcSelector { vpc: Some(by_name("default")), project: Some(by_name("web")) }
}

fn delete_default_subnet(cloud: &mut Cloud) -> Result<()> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::VPC_SUBNET_DELETE, |cx, caller| {
        subnet::delete(cx, caller, &by_name("default"), &within())
    })
}

/// A pool with one address, linked to the silo.
fn tiny_pool(cloud: &mut Cloud) -> IpRange {
    let range: IpRange = serde_json::from_value(json!({"first": "192.0.2.1", "last": "192.0.2.1"})).unwrap();
    let admin = cloud.admin.clone();
    let (create, link) =
        (json!({"name": "tiny", "description": ""}), json!({"silo": "croft", "is_default": false}));
    let (create, link) = (serde_json::from_value(create).unwrap(), serde_json::from_value(link).unwrap());
    cloud
        .act(&admin, &operation::IP_POOL_CREATE, move |cx, caller| {
            ip_pool::create(cx, caller, &create)?;
            ip_pool::range_add(cx, caller, &by_name("tiny"), range)?;
            ip_pool::silo_link(cx, caller, &by_name("tiny"), &link)
        })
        .unwrap();
    range
}

fn remove_range(cloud: &mut Cloud, range: IpRange) -> Result<()> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::IP_POOL_RANGE_REMOVE, move |cx, caller| {
        ip_pool::range_remove(cx, caller, &by_name("tiny"), range)
    })
}

#[test]
fn probe_has_an_interface_and_an_external_address() {
    let (mut cloud, sled) = web();
    cloud.instance("web", "db");
    let before = allocated(&cloud, "default");
    let created = try_probe(&mut cloud, "eye", sled, None).unwrap();
    assert_eq!((created.sled, created.description.as_str()), (sled, "watches"));
    assert_eq!(allocated(&cloud, "default"), before + 1);
    cloud.check_invariants();

    let vni = cloud
        .rule(|cx| Ok(cx.tx.page::<Vpc>(croft_store::ListBy::All, croft_store::Sort::IdAsc, None, 9)?));
    let vni = vni.unwrap()[0].vni;
    let seen = view(&cloud, by_name("eye")).unwrap();
    let expected = json!({
        "id": created.id, "name": "eye", "sled": sled,
        "external_ips": [{"ip": "10.128.0.11", "first_port": 0, "last_port": 65535, "kind": "ephemeral"}],
        "interface": {
            "id": seen.interface.id, "kind": {"type": "probe", "id": created.id}, "name": "eye",
            "ip": "172.30.0.6", "mac": "A8:40:25:F0:00:01", "subnet": "172.30.0.0/22", "vni": vni,
            "primary": true, "slot": 0, "transit_ips": [],
        },
    });
    assert_eq!(serde_json::to_value(&seen).unwrap(), expected);
    assert_eq!(view(&cloud, NameOrId::Id(created.id)).unwrap(), seen);
    try_probe(&mut cloud, "ear", sled, None).unwrap();
    let names: Vec<_> = listed(&cloud).iter().map(|probe| probe.name.to_string()).collect();
    assert_eq!(names, ["ear", "eye"]);
    assert_eq!(listed(&cloud)[1], seen);
    let query = PageQuery {
        selector: ProjectSelector { project: by_name("web") },
        sort: NameOrIdSortMode::NameDescending,
        after: None,
        limit: 1,
    };
    let page = cloud.see(&cloud.admin, move |cx, caller| probe::list(cx, caller, &query)).unwrap();
    assert_eq!(page.items, [seen]);

    let interfaces = cloud.see(&cloud.admin, |cx, caller| {
        let query =
            PageQuery { selector: within(), sort: NameOrIdSortMode::NameAscending, after: None, limit: 100 };
        subnet::network_interface_list(cx, caller, &by_name("default"), &query)
    });
    assert_eq!(interfaces.unwrap().items.len(), 1, "only interfaces of instances");
    cloud.check_invariants();
}

#[test]
fn a_deleted_probe_leaves_nothing_behind() {
    let (mut cloud, sled) = web();
    let first = try_probe(&mut cloud, "eye", sled, None).unwrap();
    let addresses = view(&cloud, by_name("eye")).unwrap();
    delete(&mut cloud, "eye").unwrap();
    assert_eq!(allocated(&cloud, "default"), 0);
    let by_id = (404, format!("not found: probe with id \"{}\"", first.id));
    assert_eq!(refused(view(&cloud, NameOrId::Id(first.id))), by_id);
    let by_name_missing = (404, "not found: probe with name \"eye\"".to_owned());
    assert_eq!(refused(view(&cloud, by_name("eye"))), by_name_missing);
    assert_eq!(refused(delete(&mut cloud, "eye")), by_name_missing);
    assert!(listed(&cloud).is_empty());
    let interface = addresses.interface.id;
    assert!(cloud.rule(move |cx| Ok(cx.tx.get::<NetworkInterface>(interface)?)).unwrap().is_none());
    cloud.check_invariants();
    try_probe(&mut cloud, "eye", sled, None).unwrap();
    let again = view(&cloud, by_name("eye")).unwrap();
    assert_eq!((again.interface.ip, again.external_ips), (addresses.interface.ip, addresses.external_ips));
    assert_eq!(again.interface.mac, addresses.interface.mac);
    cloud.check_invariants();
}

#[test]
fn a_refused_probe_allocates_nothing() {
    let (mut cloud, sled) = web();
    let range = tiny_pool(&mut cloud);
    let nowhere = Uuid::from_u128(9);
    let missing = (404, format!("not found: sled with id \"{nowhere}\""));
    // The sled is looked up first, and the name is checked before anything is allocated.
    assert_eq!(refused(try_probe(&mut cloud, "eye", nowhere, Some("nothing"))), missing);
    let missing = (404, "not found: ip-pool with name \"nothing\"".to_owned());
    assert_eq!(refused(try_probe(&mut cloud, "eye", sled, Some("nothing"))), missing);
    try_probe(&mut cloud, "eye", sled, Some("tiny")).unwrap();
    let taken = bad("already exists: probe \"eye\"");
    assert_eq!(refused(try_probe(&mut cloud, "eye", sled, Some("nothing"))), taken);
    let exhausted = (507, "Insufficient capacity: No external IP addresses available".to_owned());
    assert_eq!(refused(try_probe(&mut cloud, "ear", sled, Some("tiny"))), exhausted);
    let held = bad("IP pool ranges cannot be deleted while external IP addresses are allocated from them");
    assert_eq!(refused(remove_range(&mut cloud, range)), held);
    let admin = cloud.admin.clone();
    let unlink = |cloud: &mut Cloud| {
        cloud.act(&admin, &operation::IP_POOL_SILO_UNLINK, |cx, caller| {
            ip_pool::silo_unlink(cx, caller, &by_name("tiny"), &by_name("croft"))
        })
    };
    let in_use = bad("IP addresses from this pool are in use in the linked silo");
    assert_eq!(refused(unlink(&mut cloud)), in_use);
    assert_eq!(listed(&cloud).len(), 1);
    cloud.check_invariants();
    delete(&mut cloud, "eye").unwrap();
    unlink(&mut cloud).unwrap();
    remove_range(&mut cloud, range).unwrap();

    let serial = croft_sled::Hypervisor::sleds(&*cloud.hypervisor)[0].baseboard.serial.clone();
    cloud.rule(move |cx| sled::expunge(cx, &serial)).unwrap();
    let missing = (404, format!("not found: sled with id \"{sled}\""));
    assert_eq!(refused(try_probe(&mut cloud, "eye", sled, None)), missing, "an expunged sled");
    cloud.check_invariants();
}

#[test]
fn a_network_with_a_probe_cannot_be_deleted() {
    let (mut cloud, sled) = web();
    try_probe(&mut cloud, "eye", sled, None).unwrap();
    let held = bad("VPC Subnet cannot be deleted while network interfaces in the subnet exist");
    assert_eq!(refused(delete_default_subnet(&mut cloud)), held);
    let contains = |what: &str| bad(&format!("project to be deleted contains a {what}"));
    assert_eq!(refused(cloud.delete_project("web")), contains("probe: eye"));
    delete(&mut cloud, "eye").unwrap();
    assert_eq!(refused(cloud.delete_project("web")), contains("vpc: default"));
    delete_default_subnet(&mut cloud).unwrap();
    let missing = (404, "not found: vpc-subnet with name \"default\"".to_owned());
    assert_eq!(refused(try_probe(&mut cloud, "eye", sled, None)), missing);
    assert_eq!(allocated(&cloud, "default"), 0, "a refused probe allocates nothing");
    cloud.check_invariants();
}

#[test]
fn probe_interface_is_not_listed_as_an_instance_interface() {
    let (mut cloud, sled) = web();
    try_probe(&mut cloud, "eye", sled, None).unwrap();
    let interface = NameOrId::Id(view(&cloud, by_name("eye")).unwrap().interface.id);
    let admin = cloud.admin.clone();
    let deleted = cloud.act(&admin, &operation::INSTANCE_NETWORK_INTERFACE_DELETE, move |cx, caller| {
        network_interface::delete(cx, caller, &interface, &OptionalInstanceSelector::default())
    });
    assert_eq!(refused(deleted).0, 404);
}

#[test]
fn probe_requires_roles_on_fleet_and_project() {
    let (mut cloud, sled) = web();
    let (silo, project) = (cloud.admin.silo, listed(&cloud).len());
    assert_eq!(project, 0);
    let web = cloud.see(&cloud.admin, |cx, caller| croft_control::project::view(cx, caller, &by_name("web")));
    let web = web.unwrap().id;
    let params = |name: &str| json!({"name": name, "description": "", "sled": sled});
    let mut person = |name: &'static str, fleet: Option<Role>, project: Option<Role>| {
        let user = cloud.user(silo, name);
        for (scope, role) in [(RoleScope::Fleet, fleet), (RoleScope::Project(web), project)] {
            if let Some(role) = role {
                cloud.grant(RoleIdentity::User(user.id), scope, role);
            }
        }
        user
    };
    let fleet_only = person("fleet-only", Some(Role::Admin), None);
    let project_only = person("project-only", None, Some(Role::Admin));
    let looks_on = person("looks-on", Some(Role::Admin), Some(Role::Viewer));
    let may_not = person("may-not", Some(Role::Viewer), Some(Role::Admin));
    let both = person("both", Some(Role::Admin), Some(Role::Collaborator));
    let hidden = (404, "not found: project with name \"web\"".to_owned());
    assert_eq!(refused(create_as(&mut cloud, &fleet_only, params("a"))), hidden);
    for user in [&project_only, &looks_on, &may_not] {
        assert_eq!(refused(create_as(&mut cloud, user, params("a"))).0, 403);
    }
    create_as(&mut cloud, &both, params("eye")).unwrap();
    let see = |cloud: &Cloud, user: &User| {
        cloud.see(user, |cx, caller| probe::view(cx, caller, &by_name("web"), &by_name("eye")))
    };
    assert_eq!(refused(see(&cloud, &fleet_only)), hidden);
    let missing = (404, "not found: probe with name \"eye\"".to_owned());
    assert_eq!(refused(see(&cloud, &project_only)), missing);
    for user in [&looks_on, &may_not, &both] {
        see(&cloud, user).unwrap();
    }
    let delete = |cloud: &mut Cloud, user: &User| {
        cloud.act(user, &operation::PROBE_DELETE, |cx, caller| {
            probe::delete(cx, caller, &by_name("web"), &by_name("eye"))
        })
    };
    assert_eq!(refused(delete(&mut cloud, &project_only)), missing);
    for user in [&looks_on, &may_not] {
        assert_eq!(refused(delete(&mut cloud, user)).0, 403);
    }
    delete(&mut cloud, &both).unwrap();
}

/// Two concurrent requests on a database with a writer thread: exactly one of them succeeds.
#[test]
fn races_have_one_winner() {
    let folder = tempfile::tempdir().unwrap();
    let options = croft_sled::simulated::SimulatedOptions::default();
    let mut cloud = Cloud::with(options, crate::kit::file(folder.path()));
    cloud.project("web");
    let sled = croft_sled::Hypervisor::sleds(&*cloud.hypervisor)[0].id;
    let range = tiny_pool(&mut cloud);
    let (mut probes, mut removals) = (0, 0);
    for round in 0..10 {
        let params = json!({"name": "eye", "description": "", "sled": sled, "ip_pool": "tiny"});
        let params = serde_json::from_value(params).unwrap();
        let run = |seed: u8, rule: Rule| {
            let (db, environment, now) = (cloud.db.clone(), cloud.environment.clone(), cloud.now);
            let credentials = cloud.admin.credentials.clone();
            move || {
                db.write_blocking(move |tx| {
                    let mut random = croft_control::SeededRandom::new([seed; 32]);
                    let request = Cloud::request();
                    let mut cx = croft_control::Cx::new(tx, now, &mut random, &environment, &request);
                    croft_control::execute::read(&mut cx, &credentials, None, |cx, caller| rule(cx, caller))
                })
            }
        };
        let create = run(
            100 + round,
            Box::new(move |cx, caller| probe::create(cx, caller, &by_name("web"), &params).map(drop)),
        );
        let remove = run(
            200 + round,
            Box::new(move |cx, caller| {
                ip_pool::range_remove(cx, caller, &by_name("tiny"), range)?;
                subnet::delete(cx, caller, &by_name("default"), &within())
            }),
        );
        let (created, removed) = std::thread::scope(|scope| {
            let (create, remove) = (scope.spawn(create), scope.spawn(remove));
            (create.join().unwrap(), remove.join().unwrap())
        });
        assert_ne!(created.is_ok(), removed.is_ok(), "{created:?} {removed:?}");
        cloud.check_invariants();
        if created.is_ok() {
            probes += 1;
            delete(&mut cloud, "eye").unwrap();
        } else {
            removals += 1;
            assert_eq!(refused(created).0, 507, "the pool is empty");
            let admin = cloud.admin.clone();
            let subnet = json!({"name": "default", "description": "", "ipv4_block": "172.30.0.0/22"});
            let subnet = serde_json::from_value(subnet).unwrap();
            cloud
                .act(&admin, &operation::VPC_SUBNET_CREATE, move |cx, caller| {
                    ip_pool::range_add(cx, caller, &by_name("tiny"), range)?;
                    let within = croft_api::vpc::VpcSelector {
                        vpc: by_name("default"),
                        project: Some(by_name("web")),
                    };
                    subnet::create(cx, caller, &within, &subnet)
                })
                .unwrap();
        }
        cloud.check_invariants();
    }
    assert_eq!(probes + removals, 10);
}

type Rule = Box<dyn Fn(&mut croft_control::Cx<'_, '_>, &croft_control::Caller) -> Result<()> + Send>;
