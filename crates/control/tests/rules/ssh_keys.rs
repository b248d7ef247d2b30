//! SSH keys, and instances that use them.

use croft_api::{
    Result,
    page::{Marker, NameOrIdSortMode, NoSelector, PageQuery},
    project::OptionalProjectSelector,
    scalar::NameOrId,
    ssh_key::SshKey,
};
use croft_control::{instance, operation, ssh_key, user};
use croft_store::records::{Role, RoleIdentity, RoleScope};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refused};

fn add(cloud: &mut Cloud, user: &User, name: &str, key: &str) -> Result<SshKey> {
    let params = json!({ "name": name, "description": "", "public_key": key });
    let params = serde_json::from_value(params).unwrap();
    cloud.act(user, &operation::CURRENT_USER_SSH_KEY_CREATE, move |cx, caller| {
        ssh_key::create(cx, caller, &params)
    })
}

fn view(cloud: &Cloud, user: &User, key: NameOrId) -> Result<SshKey> {
    cloud.see(user, move |cx, caller| ssh_key::view(cx, caller, &key))
}

fn delete(cloud: &mut Cloud, user: &User, key: NameOrId) -> Result<()> {
    cloud.act(user, &operation::CURRENT_USER_SSH_KEY_DELETE, move |cx, caller| {
        ssh_key::delete(cx, caller, &key)
    })
}

fn list(cloud: &Cloud, user: &User) -> Vec<String> {
    let query =
        PageQuery { selector: NoSelector {}, sort: NameOrIdSortMode::NameAscending, after: None, limit: 100 };
    let page = cloud.see(user, move |cx, caller| ssh_key::list(cx, caller, &query)).unwrap();
    page.items.iter().map(|key| key.name.to_string()).collect()
}

fn keys_of(
    cloud: &Cloud,
    user: &User,
    instance: Uuid,
    sort: NameOrIdSortMode,
    after: Option<Marker>,
    limit: u32,
) -> Result<Vec<SshKey>> {
    let selector = OptionalProjectSelector { project: None };
    let query = PageQuery { selector, sort, after, limit };
    let page = cloud.see(user, move |cx, caller| {
        instance::ssh_public_key_list(cx, caller, &NameOrId::Id(instance), &query)
    })?;
    Ok(page.items)
}

fn names_of(cloud: &Cloud, instance: Uuid) -> Vec<String> {
    let keys = keys_of(cloud, &cloud.admin, instance, NameOrIdSortMode::NameAscending, None, 100).unwrap();
    keys.iter().map(|key| key.name.to_string()).collect()
}

#[test]
fn keys_belong_to_their_user() {
    let mut cloud = Cloud::new();
    let (admin, user) = (cloud.admin.clone(), cloud.user(cloud.admin.silo, "ada"));
    let key = add(&mut cloud, &user, "laptop", "ssh-test AAAAAAAA").unwrap();
    assert_eq!((key.silo_user_id, key.public_key.as_str()), (user.id, "ssh-test AAAAAAAA"));
    assert_eq!(key.time_created, key.time_modified);
    add(&mut cloud, &admin, "laptop", "other").unwrap();
    add(&mut cloud, &user, "desk", "").unwrap();
    assert_eq!(list(&cloud, &user), ["desk", "laptop"]);
    assert_eq!(list(&cloud, &admin), ["laptop"]);
    for selector in [by_name("laptop"), NameOrId::Id(key.id)] {
        assert_eq!(view(&cloud, &user, selector).unwrap(), key);
    }
    let taken = (400, "already exists: ssh-key \"laptop\"".to_owned());
    assert_eq!(refused(add(&mut cloud, &user, "laptop", "another")), taken);
    let not_found = (404, format!("not found: ssh-key with id \"{}\"", key.id));
    assert_eq!(
        refused(view(&cloud, &admin, NameOrId::Id(key.id))),
        not_found,
        "not found, even by an administrator"
    );
    assert_eq!(refused(delete(&mut cloud, &admin, NameOrId::Id(key.id))), not_found);
    assert_eq!(
        refused(view(&cloud, &user, by_name("nothing"))),
        (404, "not found: ssh-key with name \"nothing\"".to_owned())
    );
    delete(&mut cloud, &user, by_name("laptop")).unwrap();
    assert_eq!(refused(delete(&mut cloud, &user, NameOrId::Id(key.id))), not_found);
    let again = add(&mut cloud, &user, "laptop", "the name is free").unwrap();
    assert_ne!(again.id, key.id);
}

#[test]
fn ssh_key_length_is_bounded() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    add(&mut cloud, &admin, "longest", &"\u{e4}".repeat(1023)).unwrap();
    assert_eq!(
        refused(add(&mut cloud, &admin, "longer", &"k".repeat(1024))),
        (400, "unsupported value for \"public_key\": must be no longer than 1023 characters".to_owned())
    );
}

#[test]
fn an_instance_is_given_the_keys_that_its_creator_chose() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let admin = cloud.admin.clone();
    let user = cloud.user(admin.silo, "ada");
    let theirs = add(&mut cloud, &user, "hers", "").unwrap();
    let early = cloud.instance("web", "early").id;
    let ids: Vec<_> = ["a", "b", "c"].map(|name| add(&mut cloud, &admin, name, name).unwrap().id).into();
    let mut create_with = |name: &str, keys: Value| {
        cloud.try_instance("web", name, &json!({ "ssh_public_keys": keys })).map(|instance| instance.id)
    };
    let all = create_with("all", Value::Null).unwrap();
    let none = create_with("none", json!([])).unwrap();
    let some = create_with("some", json!(["c", ids[0], "c", ids[2]])).unwrap();
    assert_eq!(
        refused(create_with("bad", json!(["a", "nothing"]))),
        (404, "not found: ssh-key with name \"nothing\"".to_owned())
    );
    assert_eq!(
        refused(create_with("bad", json!(["a", theirs.id, "nothing"]))),
        (404, format!("not found: ssh-key with id \"{}\"", theirs.id))
    );
    assert!(names_of(&cloud, early).is_empty(), "keys added later are not used");
    assert_eq!(names_of(&cloud, all), ["a", "b", "c"]);
    assert!(names_of(&cloud, none).is_empty());
    assert_eq!(names_of(&cloud, some), ["a", "c"]);
    delete(&mut cloud, &admin, by_name("a")).unwrap();
    add(&mut cloud, &admin, "a", "another of that name").unwrap();
    assert_eq!(
        names_of(&cloud, some),
        ["c"],
        "a deleted key is removed from the list, a new one is not added"
    );
}

#[test]
fn no_instance_has_more_than_a_hundred_keys() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let admin = cloud.admin.clone();
    let names: Vec<String> = (0..101).map(|number| format!("key-{number:03}")).collect();
    for name in &names {
        add(&mut cloud, &admin, name, "").unwrap();
    }
    let too_many = json!({ "ssh_public_keys": names });
    assert_eq!(
        refused(cloud.try_instance("web", "db", &too_many)),
        (400, "cannot attach more than 100 ssh keys to the instance".to_owned())
    );
    let id = cloud.instance("web", "db").id;
    assert_eq!(names_of(&cloud, id), names[..100], "the first hundred keys by default");
}

#[test]
fn instance_keys_are_listed_in_every_order() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    let admin = cloud.admin.clone();
    for name in ["b", "d", "a", "c"] {
        add(&mut cloud, &admin, name, "").unwrap();
    }
    let id = cloud.instance("web", "db").id;
    let viewer = cloud.user(admin.silo, "viewer");
    cloud.grant(RoleIdentity::User(viewer.id), RoleScope::Project(project), Role::Viewer);
    let page = |sort, after, limit| {
        let keys = keys_of(&cloud, &viewer, id, sort, after, limit).unwrap();
        keys.iter().map(|key| key.name.to_string()).collect::<Vec<_>>()
    };
    let name = |name: &str| Some(Marker::Name(name.to_owned()));
    assert_eq!(page(NameOrIdSortMode::NameAscending, None, 3), ["a", "b", "c"]);
    assert_eq!(page(NameOrIdSortMode::NameAscending, name("b"), 3), ["c", "d"]);
    assert_eq!(page(NameOrIdSortMode::NameDescending, name("c"), 1), ["b"]);
    let by_id = keys_of(&cloud, &viewer, id, NameOrIdSortMode::IdAscending, None, 100).unwrap();
    assert!(by_id.is_sorted_by_key(|key| key.id));
    let rest =
        keys_of(&cloud, &viewer, id, NameOrIdSortMode::IdAscending, Some(Marker::Id(by_id[1].id)), 100);
    assert_eq!(rest.unwrap(), by_id[2..]);
    let nobody = cloud.user(admin.silo, "nobody");
    let hidden = refused(keys_of(&cloud, &nobody, id, NameOrIdSortMode::NameAscending, None, 100));
    assert_eq!(hidden, (404, format!("not found: instance with id \"{id}\"")));
}

#[test]
fn deleted_user_loses_ssh_keys() {
    let mut cloud = Cloud::new();
    let (admin, user) = (cloud.admin.clone(), cloud.user(cloud.admin.silo, "ada"));
    cloud.grant(RoleIdentity::User(user.id), RoleScope::Silo(user.silo), Role::Collaborator);
    cloud.project("web");
    add(&mut cloud, &user, "laptop", "").unwrap();
    let params = json!({"name": "db", "description": "", "hostname": "db", "ncpus": 1, "memory": 1_u64 << 30,
                        "start": false});
    let params = serde_json::from_value(params).unwrap();
    let created = cloud.act(&user, &operation::INSTANCE_CREATE, move |cx, caller| {
        instance::create(cx, caller, &by_name("web"), &params)
    });
    let created = created.unwrap().id;
    assert_eq!(names_of(&cloud, created), ["laptop"]);
    let (silo, id) = (user.silo, user.id);
    cloud
        .act(&admin, &operation::LOCAL_IDP_USER_DELETE, move |cx, caller| {
            user::local_delete(cx, caller, &NameOrId::Id(silo), id)
        })
        .unwrap();
    assert!(names_of(&cloud, created).is_empty());
}
