use croft_api::{instance::InstanceState, scalar::NameOrId};
use croft_control::{instance, operation};
use croft_store::records::{DiskStage, InstanceStage};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, GIB, by_name, list_of, refused};

fn new_disk(name: &str) -> Value {
    let source = json!({"type": "blank", "block_size": 512});
    json!({"type": "create", "name": name, "description": "", "size": GIB, "disk_source": source})
}

fn old_disk(name: &str) -> Value {
    json!({"type": "attach", "name": name})
}

fn bad(text: &str) -> (u16, String) {
    (400, text.to_owned())
}

fn missing(text: &str) -> (u16, String) {
    (404, format!("not found: {text}"))
}

/// The refusal of a creation, which must leave nothing behind.
fn refused_create(extra: Value) -> (u16, String) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let refusal = refused(cloud.try_instance("web", "db", &extra));
    cloud.remove_project("web");
    cloud.check_invariants();
    refusal
}

#[test]
fn limits_are_checked_in_contract_order() {
    let size = |text: &str| (400, format!("unsupported value for \"size\": {text}"));
    let nine: Vec<Value> = (0..9).map(|number| new_disk(&format!("d{number}"))).collect();
    let tiny = json!({"type": "create", "name": "d", "description": "", "size": 512,
                      "disk_source": {"type": "blank", "block_size": 512}});
    let floating = json!({"type": "floating", "floating_ip": "ip"});
    let ephemeral = json!({"type": "ephemeral"});
    let interface =
        |vpc: &str| json!({"name": "net0", "description": "", "vpc_name": vpc, "subnet_name": "default"});
    let create = |interfaces: Value| json!({"type": "create", "params": interfaces});
    let key = json!(["my-key"]);

    let cases = [
        (json!({"ncpus": 65, "memory": 1}), bad("cannot have more than 64 vCPUs per instance")),
        (json!({"ncpus": 0, "memory": 1}), bad("cannot have fewer than 1 vCPU per instance")),
        (json!({"memory": GIB - 1, "disks": nine}), size("memory must be at least 1 GiB")),
        (json!({"memory": GIB + 1}), size("memory must be divisible by 1 GiB")),
        (json!({"memory": 1537 * GIB}), size("memory must be less than or equal to 1536 GiB")),
        (json!({"boot_disk": tiny, "disks": nine[..8]}), bad("cannot attach more than 8 disks to instance")),
        (
            json!({"boot_disk": tiny, "external_ips": vec![floating.clone(); 33]}),
            size("total size must be at least 1 GiB"),
        ),
        (
            json!({"external_ips": vec![floating.clone(); 33], "network_interfaces": create(json!([]))}),
            bad("An instance may not have more than 32 external IP addresses"),
        ),
        (
            json!({"external_ips": [ephemeral, ephemeral], "network_interfaces": create(json!([]))}),
            bad("An instance may not have more than 1 ephemeral IP address"),
        ),
        (
            json!({"network_interfaces": create(json!(vec![interface("default"); 9])), "ssh_public_keys": key}),
            bad("An instance may not have more than 8 network interfaces"),
        ),
        (
            json!({"network_interfaces": create(json!([])), "ssh_public_keys": key}),
            bad("All interfaces must be in the same VPC"),
        ),
        (
            json!({"network_interfaces": create(json!([interface("a"), interface("b")])), "ssh_public_keys": key}),
            bad("All interfaces must be in the same VPC"),
        ),
        (
            json!({"ssh_public_keys": key, "anti_affinity_groups": ["g"]}),
            missing("ssh-key with name \"my-key\""),
        ),
        (
            json!({"anti_affinity_groups": [Uuid::nil(), "g"], "external_ips": [floating]}),
            missing("anti-affinity-group with name \"g\""),
        ),
        (json!({"external_ips": [floating]}), missing("floating-ip with name \"ip\"")),
        (
            json!({"external_ips": [{"type": "ephemeral", "pool": "outside"}]}),
            missing("ip-pool with name \"outside\""),
        ),
        (
            json!({"external_ips": [{"type": "ephemeral", "pool": Uuid::nil()}]}),
            missing("ip-pool with id \"00000000-0000-0000-0000-000000000000\""),
        ),
        (
            json!({"hostname": "h".repeat(64)}),
            (400, "unsupported value for \"hostname\": must be no longer than 63 characters".to_owned()),
        ),
        (json!({"disks": [old_disk("nothing")]}), missing("disk with name \"nothing\"")),
    ];
    for (extra, expected) in cases {
        assert_eq!(refused_create(extra.clone()), expected, "{extra}");
    }
}

#[test]
fn instance_is_created_with_disks_and_started() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.disk("web", "old");
    cloud.pass_seconds(2);
    let extra = json!({
        "start": true, "boot_disk": new_disk("boot"), "disks": [old_disk("old"), new_disk("new")],
        "hostname": "DB-1", "ssh_public_keys": []
    });
    let instance = cloud.try_instance("web", "db", &extra).unwrap();
    assert_eq!(instance.run_state, InstanceState::Starting);
    assert_eq!(instance.hostname, "DB-1");
    assert!(instance.auto_restart_enabled);
    assert_eq!(cloud.disks_of(instance.id), ["boot", "new", "old"]);
    assert_eq!(cloud.disk_view(instance.boot_disk_id.unwrap()).name.as_str(), "boot");
    cloud.pass_seconds(10);
    assert_eq!(cloud.state(instance.id), InstanceState::Running);
    let list = cloud.see(&cloud.admin, |cx, caller| instance::list(cx, caller, &list_of("web"))).unwrap();
    assert_eq!(list.items.len(), 1);
    cloud.check_invariants();
}

#[test]
fn request_may_name_the_same_disk_twice() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.disk("web", "boot");
    let extra = json!({"boot_disk": old_disk("boot"), "disks": [old_disk("boot")]});
    let instance = cloud.try_instance("web", "db", &extra).unwrap();
    assert_eq!(instance.boot_disk_id, Some(disk.id));
    assert_eq!(cloud.disks_of(instance.id), ["boot"]);
}

#[test]
fn a_failed_create_has_no_effect() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web");
    let names: Vec<String> = (0..7).map(|number| format!("disk-{number}")).collect();
    for name in &names {
        cloud.disk("web", name);
    }
    let faulted = cloud.disk("web", "faulted");
    cloud.pass_seconds(2);
    cloud.modify_disk_record(faulted.id, |disk| disk.stage = DiskStage::Faulted);
    let used = cloud.used(project.id);

    let mut disks: Vec<Value> = names.iter().map(|name| old_disk(name)).collect();
    disks.push(old_disk("faulted"));
    let failed = cloud.try_instance("web", "db", &json!({"disks": disks}));
    assert_eq!(refused(failed), bad("cannot attach disk \"faulted\": invalid state faulted"));
    let taken = json!({"disks": [new_disk("fresh"), new_disk("disk-0")]});
    assert_eq!(refused(cloud.try_instance("web", "db", &taken)), bad("already exists: disk \"disk-0\""));
    assert_eq!(cloud.used(project.id), used);
    let free = cloud.instance("web", "db");
    for name in &names {
        cloud.attach(free.id, by_name(name)).unwrap();
    }
    assert_eq!(
        refused(cloud.try_instance("web", "db", &json!({"disks": [new_disk("fresh")]}))),
        bad("already exists: instance \"db\"")
    );
    assert_eq!(
        refused(cloud.try_instance("web", "two", &json!({"disks": [old_disk("disk-0")]}))),
        bad("cannot attach disk \"disk-0\": disk is attached to another instance")
    );
    cloud.check_invariants();
}

#[test]
fn deleted_instance_releases_disks_and_name() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let extra = json!({"boot_disk": new_disk("boot"), "disks": [new_disk("data")]});
    let instance = cloud.try_instance("web", "db", &extra).unwrap();
    cloud.pass_seconds(2);
    cloud.delete_instance(instance.id).unwrap();
    assert_eq!(cloud.disk_state(instance.boot_disk_id.unwrap()), "detached");
    let gone = missing(&format!("instance with id \"{}\"", instance.id));
    assert_eq!(refused(cloud.delete_instance(instance.id)), gone);
    assert_eq!(refused(cloud.try_view(instance.id)), gone);
    cloud.instance("web", "db");
}

fn update(cloud: &mut Cloud, id: Uuid, params: Value) -> croft_api::Result<croft_api::instance::Instance> {
    let admin = cloud.admin.clone();
    let params = serde_json::from_value(params).unwrap();
    cloud.act(&admin, &operation::INSTANCE_UPDATE, move |cx, caller| {
        instance::update(cx, caller, &NameOrId::Id(id), None, &params)
    })
}

#[test]
fn an_update_unsets_absent_fields() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let extra =
        json!({"boot_disk": new_disk("boot"), "disks": [new_disk("data")], "auto_restart_policy": "never"});
    let before = cloud.try_instance("web", "db", &extra).unwrap();
    assert!(!before.auto_restart_enabled);
    cloud.pass_seconds(2);
    let after =
        update(&mut cloud, before.id, json!({"ncpus": 4, "memory": 8 * GIB, "boot_disk": "data"})).unwrap();
    assert_eq!((after.ncpus.0, after.memory.bytes()), (4, 8 * GIB));
    assert_eq!(cloud.disk_view(after.boot_disk_id.unwrap()).name.as_str(), "data");
    assert_eq!(after.auto_restart_policy, None);
    assert!(after.auto_restart_enabled && after.time_modified > before.time_modified);
    assert_eq!(
        refused(cloud.detach(before.id, by_name("data"))),
        (409, "boot disk cannot be detached".to_owned())
    );
    let unset = update(&mut cloud, before.id, json!({"ncpus": 4, "memory": 8 * GIB})).unwrap();
    assert_eq!(unset.boot_disk_id, None);
    cloud.detach(before.id, by_name("data")).unwrap();
}

#[test]
fn size_and_boot_disk_change_only_when_stopped() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let loose = cloud.disk("web", "loose");
    let extra = json!({"boot_disk": new_disk("boot"), "start": true});
    let instance = cloud.try_instance("web", "db", &extra).unwrap();
    cloud.pass_seconds(10);
    let conflict = |text: &str| (409, text.to_owned());
    let resized = update(&mut cloud, instance.id, json!({"ncpus": 2, "memory": GIB, "boot_disk": "boot"}));
    assert_eq!(refused(resized), conflict("instance must be stopped to be resized"));
    let unset = update(&mut cloud, instance.id, json!({"ncpus": 1, "memory": GIB}));
    assert_eq!(refused(unset), conflict("instance must be stopped to set boot disk"));
    let loose = update(&mut cloud, instance.id, json!({"ncpus": 1, "memory": GIB, "boot_disk": loose.id}));
    assert_eq!(refused(loose), conflict("boot disk must be attached"));
    let unknown = update(&mut cloud, instance.id, json!({"ncpus": 1, "memory": GIB, "boot_disk": "nothing"}));
    assert_eq!(refused(unknown), missing("disk with name \"nothing\""));
    let policy = json!({"ncpus": 1, "memory": GIB, "boot_disk": "boot", "auto_restart_policy": "never"});
    let updated = update(&mut cloud, instance.id, policy).unwrap();
    assert!(!updated.auto_restart_enabled);
    assert_eq!(updated.run_state, InstanceState::Running);
    let nobody = update(&mut cloud, Uuid::nil(), json!({"ncpus": 100, "memory": 1}));
    assert_eq!(refused(nobody).0, 404, "the instance is looked up before sizes are checked");
}

#[test]
fn disks_cannot_be_detached_from_running_or_failed_instances() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.disk("web", "loose");
    let extra = json!({"boot_disk": new_disk("boot"), "disks": [new_disk("data")], "start": true,
                       "auto_restart_policy": "never"});
    let instance = cloud.try_instance("web", "db", &extra).unwrap();
    cloud.pass_seconds(10);
    assert_eq!(
        refused(cloud.attach(instance.id, by_name("loose"))),
        bad("cannot attach disk: instance is not fully stopped")
    );
    assert_eq!(
        refused(cloud.detach(instance.id, by_name("data"))),
        bad("cannot detach disk: instance is not fully stopped")
    );
    let machine = cloud.hypervisor.machines()[0];
    cloud.hypervisor.forget_machine(machine);
    cloud.pass_seconds(1);
    assert_eq!(cloud.state(instance.id), InstanceState::Failed);
    assert_eq!(
        refused(cloud.attach(instance.id, by_name("loose"))),
        bad("cannot attach disk to instance in failed state")
    );
    assert_eq!(
        refused(cloud.detach(instance.id, by_name("boot"))),
        bad("cannot detach disk from instance in failed state")
    );
    cloud.detach(instance.id, by_name("data")).unwrap();
}

#[test]
fn an_instance_that_is_being_created_cannot_be_changed() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let id = cloud.instance("web", "db").id;
    cloud.modify_instance_record(id, |instance| instance.stage = InstanceStage::Creating);
    assert_eq!(cloud.state(id), InstanceState::Creating);
    let still = bad("cannot change instance state while it is still being created");
    assert_eq!(refused(cloud.stop_instance(id)), still);
    assert_eq!(refused(cloud.reboot_instance(id)), still);
    assert_eq!(
        refused(cloud.start_instance(id)),
        (409, "instance is in state creating but it must be stopped to be started".to_owned())
    );
    assert_eq!(refused(cloud.delete_instance(id)), bad("instance cannot be deleted in state \"creating\""));
}
