//! Previews of the creation of an instance.

use croft_api::activity::ActivityConstraintKind;
use croft_api::instance::InstanceState;
use croft_api::instance_preview::InstancePreviewAmount;
use croft_store::records::Resources;
use serde_json::{Value, json};

use crate::kit::{Cloud, GIB, refused};

fn web() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.set_quota(Resources { cpus: 4, memory: 8 * GIB, storage: 4 * GIB });
    cloud
}

fn with_disk(size: u64) -> Value {
    let source = json!({"type": "blank", "block_size": 512});
    let disk =
        json!({"type": "create", "name": "data", "description": "", "size": size, "disk_source": source});
    json!({"ncpus": 2, "memory": 3 * GIB, "boot_disk": disk, "external_ips": [{"type": "ephemeral"}], "start": true})
}

#[test]
fn preview_shows_the_result_and_changes_nothing() {
    let mut cloud = web();
    let before = cloud.rule(|cx| Ok(cx.tx.last_change()?)).unwrap();
    let preview = cloud.preview_instance("web", "db", &with_disk(GIB)).unwrap();
    let after = cloud.rule(|cx| Ok(cx.tx.last_change()?)).unwrap();
    assert_eq!(before, after, "the preview changes nothing");
    assert_eq!(cloud.used(cloud.admin.silo), Resources { cpus: 0, memory: 0, storage: 0 });

    assert_eq!((&preview.refusal, &preview.start_refusal), (&None, &None));
    let amount = |needed, limit| InstancePreviewAmount { needed, used: 0, limit };
    assert_eq!(preview.quota.cpus, amount(2, 4));
    assert_eq!(preview.quota.memory, amount(3 * GIB, 8 * GIB));
    assert_eq!(preview.quota.storage, amount(GIB, 4 * GIB));
    let [interface] = &preview.interfaces[..] else { panic!("{:?}", preview.interfaces) };
    assert_eq!((interface.vpc_name.as_str(), interface.subnet_name.as_str()), ("default", "default"));
    let rules: Vec<_> = interface.inbound_rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(rules, ["allow-icmp", "allow-internal-inbound", "allow-ssh"]);
    assert_eq!(preview.external_ips.len(), 1);

    let created = cloud.try_instance("web", "db", &with_disk(GIB)).unwrap();
    assert_eq!(created.run_state, InstanceState::Starting, "as previewed");
    cloud.check_invariants();
}

#[test]
fn preview_names_reasons_against_creation_and_start() {
    let mut cloud = web();
    let preview = cloud.preview_instance("web", "db", &with_disk(5 * GIB)).unwrap();
    let refusal = preview.refusal.unwrap().message;
    let (_, created) = refused(cloud.try_instance("web", "db", &with_disk(5 * GIB)));
    assert_eq!(refusal, created);
    assert_eq!(preview.quota.storage.needed, 5 * GIB, "the missing resources are stated");
    assert_eq!(preview.interfaces, []);

    cloud.instance("web", "db");
    let preview = cloud.preview_instance("web", "db", &json!({})).unwrap();
    assert_eq!(preview.refusal.unwrap().message, "already exists: instance \"db\"");

    let preview = cloud.preview_instance("web", "many", &json!({"ncpus": 5})).unwrap();
    assert_eq!(preview.refusal, None);
    let refusal = preview.start_refusal.unwrap();
    let many = cloud.try_instance("web", "many", &json!({"ncpus": 5})).unwrap();
    assert_eq!(refusal.message, refused(cloud.start_instance(many.id)).1);
    assert_eq!(refusal.constraint.unwrap().kind, ActivityConstraintKind::Quota);
    cloud.check_invariants();
}

#[test]
fn a_preview_needs_a_project_that_the_caller_sees() {
    let mut cloud = web();
    let missing = (404, "not found: project with name \"shop\"".to_owned());
    assert_eq!(refused(cloud.preview_instance("shop", "db", &json!({}))), missing);
}
