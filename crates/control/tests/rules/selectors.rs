use croft_api::{Error, scalar::NameOrId};
use croft_control::{disk, instance};
use uuid::Uuid;

use crate::kit::{Cloud, by_name, list_of, refused};

const SOME: Uuid = Uuid::from_u128(0xdead_beef);

fn instance_message(cloud: &Cloud, selector: NameOrId, project: Option<NameOrId>) -> (u16, String) {
    refused(
        cloud.see(&cloud.admin, move |cx, caller| instance::view(cx, caller, &selector, project.as_ref())),
    )
}

fn disk_message(cloud: &Cloud, selector: NameOrId, project: Option<NameOrId>) -> (u16, String) {
    refused(cloud.see(&cloud.admin, move |cx, caller| disk::view(cx, caller, &selector, project.as_ref())))
}

fn bad(text: &str) -> (u16, String) {
    (400, text.to_owned())
}

fn missing(text: &str) -> (u16, String) {
    (404, format!("not found: {text}"))
}

#[test]
fn id_excludes_the_project_and_name_requires_it() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let project = || Some(by_name("web"));
    assert_eq!(
        instance_message(&cloud, SOME.into(), project()),
        bad("when providing instance as an ID project should not be specified")
    );
    assert_eq!(
        instance_message(&cloud, by_name("db"), None),
        bad("instance should either be UUID or project should be specified")
    );
    assert_eq!(
        disk_message(&cloud, SOME.into(), project()),
        bad("when providing disk as an ID project should not be specified")
    );
    assert_eq!(
        disk_message(&cloud, by_name("db"), None),
        bad("disk should either be UUID or project should be specified")
    );
}

#[test]
fn errors_name_objects_as_requested() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    assert_eq!(instance_message(&cloud, SOME.into(), None), missing(&format!("instance with id \"{SOME}\"")));
    assert_eq!(
        instance_message(&cloud, by_name("db"), Some(by_name("web"))),
        missing("instance with name \"db\"")
    );
    assert_eq!(
        instance_message(&cloud, by_name("db"), Some(by_name("nonexistent"))),
        missing("project with name \"nonexistent\"")
    );
    assert_eq!(
        disk_message(&cloud, by_name("db"), Some(SOME.into())),
        missing(&format!("project with id \"{SOME}\""))
    );
    let list = cloud.see(&cloud.admin, |cx, caller| instance::list(cx, caller, &list_of("nonexistent")));
    assert_eq!(refused(list), missing("project with name \"nonexistent\""));
}

#[test]
fn objects_are_found_by_name_and_id() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web");
    let instance = cloud.instance("web", "db");
    for selector in [by_name("web"), project.id.into()] {
        let found = cloud
            .see(&cloud.admin, move |cx, caller| instance::view(cx, caller, &by_name("db"), Some(&selector)));
        assert_eq!(found.unwrap().id, instance.id);
    }
}

#[test]
fn disks_in_bodies_are_named_in_the_project_or_by_id() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.project("other");
    let instance = cloud.instance("web", "db");
    cloud.disk("web", "near");
    let far = cloud.disk("other", "far");
    cloud.attach(instance.id, by_name("near")).unwrap();
    assert_eq!(refused(cloud.attach(instance.id, by_name("far"))), missing("disk with name \"far\""));
    assert_eq!(
        refused(cloud.attach(instance.id, far.id.into())),
        bad("disk must be in the same project as the instance")
    );
    assert_eq!(cloud.disks_of(instance.id), ["near"]);
    let error = Error::not_found(croft_api::ResourceKind::Disk, SOME);
    assert_eq!(refused(cloud.detach(instance.id, SOME.into())), (404, error.message()));
}
