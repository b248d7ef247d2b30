use croft_api::{
    Result,
    instance::InstanceState,
    page::{Listed as _, NameOrIdSortMode, PageQuery},
    project::OptionalProjectSelector,
    scalar::NameOrId,
};
use croft_control::affinity::{self, Affinity, AntiAffinity, Kind};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, by_name, list_of, refusal, refused};

/// A kind of group whose parameters can be read from JSON.
pub trait TestKind:
    Kind<Create: DeserializeOwned + Send, Update: DeserializeOwned + Send, View: Send, Member: Send>
{
}

impl<K: Kind<Create: DeserializeOwned + Send, Update: DeserializeOwned + Send, View: Send, Member: Send>>
    TestKind for K
{
}

pub fn try_group<K: TestKind>(cloud: &mut Cloud, project: &str, name: &str, policy: &str) -> Result<Uuid> {
    let params = json!({"name": name, "description": "", "policy": policy, "failure_domain": "sled"});
    let params = serde_json::from_value::<K::Create>(params).unwrap();
    let (admin, project) = (cloud.admin.clone(), by_name(project));
    let view = cloud.act(&admin, const { &K::OPERATIONS.create }, move |cx, caller| {
        affinity::create::<K>(cx, caller, &project, &params)
    });
    view.map(|view| view.id())
}

pub fn group<K: TestKind>(cloud: &mut Cloud, name: &str, policy: &str) -> Uuid {
    try_group::<K>(cloud, "web", name, policy).unwrap()
}

pub fn try_add<K: TestKind>(cloud: &mut Cloud, group: Uuid, instance: Uuid) -> Result<Value> {
    let admin = cloud.admin.clone();
    let member = cloud.act(&admin, const { &K::OPERATIONS.member_add }, move |cx, caller| {
        affinity::member_add::<K>(cx, caller, &group.into(), &instance.into(), None)
    });
    member.map(|member| json!({"id": member.id(), "name": member.name()}))
}

pub fn add<K: TestKind>(cloud: &mut Cloud, group: Uuid, members: &[Uuid]) {
    for member in members {
        try_add::<K>(cloud, group, *member).unwrap();
    }
}

fn remove<K: TestKind>(cloud: &mut Cloud, group: Uuid, instance: Uuid) -> Result<()> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, const { &K::OPERATIONS.member_delete }, move |cx, caller| {
        affinity::member_delete::<K>(cx, caller, &group.into(), &instance.into(), None)
    })
}

fn view_member<K: TestKind>(cloud: &Cloud, group: Uuid, instance: Uuid) -> Result<String> {
    cloud.see(&cloud.admin, move |cx, caller| {
        let member = affinity::member_view::<K>(cx, caller, &group.into(), &instance.into(), None)?;
        Ok(member.name().to_owned())
    })
}

fn all() -> PageQuery<OptionalProjectSelector, NameOrIdSortMode> {
    let selector = OptionalProjectSelector { project: None };
    PageQuery { selector, sort: NameOrIdSortMode::NameAscending, after: None, limit: 100 }
}

fn members<K: TestKind>(cloud: &Cloud, group: Uuid, sort: NameOrIdSortMode) -> Vec<String> {
    let query = PageQuery { sort, ..all() };
    let page = cloud
        .see(&cloud.admin, move |cx, caller| affinity::member_list::<K>(cx, caller, &group.into(), &query));
    page.unwrap().items.iter().map(|member| member.name().to_owned()).collect()
}

fn groups_of<K: TestKind>(cloud: &Cloud, instance: Uuid) -> Vec<String> {
    let page = cloud.see(&cloud.admin, move |cx, caller| {
        affinity::of_instance::<K>(cx, caller, &instance.into(), &all())
    });
    page.unwrap().items.iter().map(|group| group.name().to_owned()).collect()
}

fn delete<K: TestKind>(cloud: &mut Cloud, group: Uuid) -> Result<()> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, const { &K::OPERATIONS.delete }, move |cx, caller| {
        affinity::delete::<K>(cx, caller, &group.into(), None)
    })
}

fn cloud() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud
}

fn bad(text: impl Into<String>) -> (u16, String) {
    (400, text.into())
}

#[test]
fn names_are_unique_per_kind_of_group() {
    let mut cloud = cloud();
    group::<Affinity>(&mut cloud, "crew", "allow");
    group::<AntiAffinity>(&mut cloud, "crew", "fail");
    let taken = try_group::<Affinity>(&mut cloud, "web", "crew", "allow");
    assert_eq!(refused(taken), bad("already exists: affinity-group \"crew\""));
    let taken = try_group::<AntiAffinity>(&mut cloud, "web", "crew", "allow");
    assert_eq!(refused(taken), bad("already exists: anti-affinity-group \"crew\""));
    let list =
        cloud.see(&cloud.admin, |cx, caller| affinity::list::<AntiAffinity>(cx, caller, &list_of("web")));
    let list = list.unwrap().items;
    assert_eq!(serde_json::to_value(&list[0]).unwrap()["policy"], "fail");
    assert_eq!(list.len(), 1);
}

fn update(cloud: &mut Cloud, id: Uuid, params: Value) -> Result<croft_api::affinity::AntiAffinityGroup> {
    let (admin, params) = (cloud.admin.clone(), serde_json::from_value(params).unwrap());
    cloud.act(&admin, &AntiAffinity::OPERATIONS.update, move |cx, caller| {
        affinity::update::<AntiAffinity>(cx, caller, &id.into(), None, &params)
    })
}

#[test]
fn group_updates_change_name_and_description_only() {
    let mut cloud = cloud();
    let id = group::<AntiAffinity>(&mut cloud, "crew", "fail");
    group::<AntiAffinity>(&mut cloud, "other", "fail");
    cloud.pass_seconds(1);
    let described = update(&mut cloud, id, json!({"description": "ours", "policy": "allow"})).unwrap();
    assert_eq!((described.name.as_str(), described.description.as_str()), ("crew", "ours"));
    assert_eq!(serde_json::to_value(described.policy).unwrap(), "fail");
    assert!(described.time_modified > described.time_created);
    let renamed = update(&mut cloud, id, json!({"name": "band"})).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.description.as_str()), ("band", "ours"));
    let taken = update(&mut cloud, id, json!({"name": "other"}));
    assert_eq!(refusal(taken), "already exists: anti-affinity-group \"other\"");
    let long = update(&mut cloud, id, json!({"description": "x".repeat(513)}));
    assert_eq!(refusal(long), "unsupported value for \"description\": must be no longer than 512 characters");
}

fn selector_texts<K: TestKind>(parameter: &str, kind: &str) {
    let mut cloud = cloud();
    let id = NameOrId::Id(group::<K>(&mut cloud, "crew", "allow"));
    let instance = NameOrId::Id(cloud.instance("web", "db").id);
    let view = |group: NameOrId, project: Option<NameOrId>| {
        let result = cloud.see(&cloud.admin, move |cx, caller| {
            affinity::view::<K>(cx, caller, &group, project.as_ref()).map(|view| view.id())
        });
        refused(result)
    };
    let with_project = format!("when providing {parameter} as an ID, project should not be specified");
    assert_eq!(view(id.clone(), Some(by_name("web"))), bad(with_project.clone()));
    let without = format!("{parameter} should either be UUID or project should be specified");
    assert_eq!(view(by_name("crew"), None), bad(without.clone()));
    assert_eq!(
        view(by_name("none"), Some(by_name("web"))),
        (404, format!("not found: {kind} with name \"none\""))
    );
    let nobody = Uuid::from_u128(9);
    assert_eq!(view(nobody.into(), None), (404, format!("not found: {kind} with id \"{nobody}\"")));

    let member = |group: NameOrId, instance: NameOrId, project: Option<NameOrId>| {
        let result = cloud.see(&cloud.admin, move |cx, caller| {
            affinity::member_view::<K>(cx, caller, &group, &instance, project.as_ref()).map(|_| ())
        });
        refused(result)
    };
    assert_eq!(member(id.clone(), by_name("db"), Some(by_name("web"))), bad(with_project));
    assert_eq!(member(by_name("crew"), instance.clone(), None), bad(without));
    assert_eq!(
        member(id, by_name("db"), None),
        bad("instance should either be UUID or project should be specified")
    );
    assert_eq!(
        member(by_name("crew"), instance, Some(by_name("web"))),
        bad("when providing instance as an ID project should not be specified")
    );
}

#[test]
fn group_and_instance_share_one_selector() {
    selector_texts::<Affinity>("affinity_group", "affinity-group");
    selector_texts::<AntiAffinity>("anti_affinity_group", "anti-affinity-group");
}

fn membership_rules<K: TestKind>(kind: &str) {
    let mut cloud = cloud();
    let crew = group::<K>(&mut cloud, "crew", "allow");
    let names = ["c", "a", "b"];
    let ids = names.map(|name| cloud.instance("web", name).id);
    add::<K>(&mut cloud, crew, &ids);
    assert_eq!(members::<K>(&cloud, crew, NameOrIdSortMode::NameAscending), ["a", "b", "c"]);
    assert_eq!(members::<K>(&cloud, crew, NameOrIdSortMode::NameDescending), ["c", "b", "a"]);
    let mut by_id = names.iter().zip(ids).map(|(name, id)| (id, *name)).collect::<Vec<_>>();
    by_id.sort_unstable();
    let by_id: Vec<_> = by_id.into_iter().map(|(_, name)| name).collect();
    assert_eq!(members::<K>(&cloud, crew, NameOrIdSortMode::IdAscending), by_id);
    assert_eq!(groups_of::<K>(&cloud, ids[0]), ["crew"]);

    let twice = try_add::<K>(&mut cloud, crew, ids[0]);
    assert_eq!(refused(twice), bad(format!("already exists: {kind}-group-member \"{}\"", ids[0])));
    remove::<K>(&mut cloud, crew, ids[0]).unwrap();
    let missing = (404, format!("not found: {kind}-group-member with id \"{}\"", ids[0]));
    assert_eq!(refused(remove::<K>(&mut cloud, crew, ids[0])), missing);
    assert_eq!(refused(view_member::<K>(&cloud, crew, ids[0])), missing);
    assert_eq!(view_member::<K>(&cloud, crew, ids[1]).unwrap(), "a");

    cloud.start_instance(ids[0]).unwrap();
    let reserved = bad(format!("Instance cannot be added to {kind} group with reservation"));
    assert_eq!(refused(try_add::<K>(&mut cloud, crew, ids[0])), reserved);
    cloud.start_instance(ids[1]).unwrap();
    cloud.pass_seconds(10);
    assert_eq!(refused(try_add::<K>(&mut cloud, crew, ids[0])), reserved);
    remove::<K>(&mut cloud, crew, ids[1]).unwrap();
    assert_eq!(cloud.state(ids[1]), InstanceState::Running, "leaving a group does not move the instance");

    cloud.project("other");
    let stranger = cloud.instance("other", "stranger").id;
    let refusal = refused(try_add::<K>(&mut cloud, crew, stranger));
    assert_eq!(refusal, bad(format!("{kind} group must be in the same project as the instance")));

    cloud.delete_instance(ids[2]).unwrap();
    assert_eq!(members::<K>(&cloud, crew, NameOrIdSortMode::NameAscending), Vec::<String>::new());
}

#[test]
fn members_are_added_and_removed() {
    membership_rules::<Affinity>("affinity");
    membership_rules::<AntiAffinity>("anti-affinity");
}

fn limits<K: TestKind>(first_word: &str, word: &str) {
    let mut cloud = cloud();
    let crew = group::<K>(&mut cloud, "crew", "allow");
    let ids: Vec<Uuid> = (0..33).map(|number| cloud.instance("web", &format!("i-{number}")).id).collect();
    add::<K>(&mut cloud, crew, &ids[..32]);
    let full = bad(format!("{first_word} group already has maximum allowed members (32)"));
    assert_eq!(refused(try_add::<K>(&mut cloud, crew, ids[32])), full);
    assert_eq!(refused(try_add::<K>(&mut cloud, crew, ids[0])), full, "checked before duplicates");
    assert_eq!(
        refused(try_add::<K>(&mut cloud, crew, Uuid::nil())),
        full,
        "checked before the instance is looked up"
    );
    let groups: Vec<Uuid> =
        (0..16).map(|number| group::<K>(&mut cloud, &format!("g-{number}"), "allow")).collect();
    for group in &groups[..15] {
        add::<K>(&mut cloud, *group, &[ids[0]]);
    }
    let many = bad(format!("Instance already belongs to maximum allowed {word} groups (16)"));
    assert_eq!(refused(try_add::<K>(&mut cloud, groups[15], ids[0])), many);
    assert_eq!(refused(try_add::<K>(&mut cloud, groups[0], ids[0])), many, "checked before duplicates");
    let nobody = refused(try_add::<K>(&mut cloud, groups[0], Uuid::nil()));
    assert_eq!(nobody, (404, format!("not found: instance with id \"{}\"", Uuid::nil())));
}

#[test]
fn group_and_membership_limits_are_enforced() {
    limits::<Affinity>("Affinity", "affinity");
    limits::<AntiAffinity>("Anti-affinity", "anti-affinity");
}

#[test]
fn group_with_members_can_be_deleted_and_blocks_its_project() {
    let mut cloud = cloud();
    let near = group::<Affinity>(&mut cloud, "near", "allow");
    let far = group::<AntiAffinity>(&mut cloud, "far", "allow");
    let id = cloud.instance("web", "db").id;
    add::<Affinity>(&mut cloud, near, &[id]);
    add::<AntiAffinity>(&mut cloud, far, &[id]);
    delete::<AntiAffinity>(&mut cloud, far).unwrap();
    assert_eq!(refused(delete::<AntiAffinity>(&mut cloud, far)).0, 404);
    assert_eq!(groups_of::<AntiAffinity>(&cloud, id), Vec::<String>::new());
    assert_eq!(groups_of::<Affinity>(&cloud, id), ["near"]);
    let far = group::<AntiAffinity>(&mut cloud, "far", "allow");
    cloud.delete_instance(id).unwrap();
    cloud.remove_network(&cloud.admin.clone(), "web");
    let contains = |cloud: &mut Cloud| refusal(cloud.delete_project("web"));
    assert_eq!(contains(&mut cloud), "project to be deleted contains an affinity group: near");
    delete::<Affinity>(&mut cloud, near).unwrap();
    assert_eq!(contains(&mut cloud), "project to be deleted contains an anti affinity group: far");
    delete::<AntiAffinity>(&mut cloud, far).unwrap();
    cloud.delete_project("web").unwrap();
    cloud.check_invariants();
}

#[test]
fn a_new_instance_joins_the_groups_it_names() {
    let mut cloud = cloud();
    let far = group::<AntiAffinity>(&mut cloud, "far", "allow");
    group::<AntiAffinity>(&mut cloud, "apart", "allow");
    let create = |cloud: &mut Cloud, name: &str, groups: Value| {
        cloud.try_instance("web", name, &json!({"anti_affinity_groups": groups}))
    };
    let id = create(&mut cloud, "db", json!(["far", far, "apart", "far"])).unwrap().id;
    assert_eq!(groups_of::<AntiAffinity>(&cloud, id), ["apart", "far"]);
    let nobody = Uuid::from_u128(9);
    let unknown = create(&mut cloud, "no", json!([nobody, "none", "far"]));
    assert_eq!(refused(unknown), (404, "not found: anti-affinity-group with name \"none\"".to_owned()));
    let unknown = create(&mut cloud, "no", json!([nobody, "far"]));
    assert_eq!(refused(unknown), (404, format!("not found: anti-affinity-group with id \"{nobody}\"")));
    cloud.project("other");
    let elsewhere = try_group::<AntiAffinity>(&mut cloud, "other", "elsewhere", "allow").unwrap();
    let foreign = create(&mut cloud, "no", json!([elsewhere]));
    assert_eq!(refused(foreign), (404, format!("not found: anti-affinity-group with id \"{elsewhere}\"")));
    for number in 0..31 {
        create(&mut cloud, &format!("i-{number}"), json!(["far"])).unwrap();
    }
    let full = create(&mut cloud, "no", json!(["apart", "far"]));
    assert_eq!(refusal(full), "Anti-affinity group already has maximum allowed members (32)");
    assert_eq!(groups_of::<AntiAffinity>(&cloud, id), ["apart", "far"]);
    let missing = cloud.see(&cloud.admin, |cx, caller| {
        croft_control::instance::view(cx, caller, &by_name("no"), Some(&by_name("web")))
    });
    assert_eq!(refused(missing).0, 404, "the refused creation leaves nothing behind");
}
