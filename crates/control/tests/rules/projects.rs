use croft_api::page::{NameOrIdSortMode, NoSelector, PageQuery};
use croft_control::{operation, project};
use serde_json::json;

use crate::kit::{Cloud, by_name, refusal, refused};

fn query(limit: u32, sort: NameOrIdSortMode) -> PageQuery<NoSelector, NameOrIdSortMode> {
    PageQuery { selector: NoSelector {}, sort, after: None, limit }
}

/// Returns the names of all pages.
fn names(cloud: &Cloud, sort: NameOrIdSortMode) -> Vec<String> {
    let mut names = Vec::new();
    let mut token: Option<String> = None;
    loop {
        let mut pairs = vec![("limit".to_owned(), "3".to_owned())];
        if let Some(token) = &token {
            pairs.push(("page_token".to_owned(), token.clone()));
        } else {
            let sort = serde_json::to_value(sort).unwrap().as_str().unwrap().to_owned();
            pairs.push(("sort_by".to_owned(), sort));
        }
        let query: PageQuery<NoSelector, NameOrIdSortMode> = PageQuery::parse(&pairs).unwrap();
        let page = cloud.see(&cloud.admin, move |cx, caller| project::list(cx, caller, &query)).unwrap();
        names.extend(page.items.iter().map(|project| project.name.to_string()));
        match page.next_page {
            Some(next) => token = Some(next),
            None => return names,
        }
    }
}

#[test]
fn a_project_is_created_renamed_and_deleted() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let created = cloud.project("web");
    assert_eq!((created.time_created, created.time_modified), (cloud.now, cloud.now));
    assert_eq!(
        refused(cloud.try_project(&admin, "web")),
        (400, "already exists: project \"web\"".to_owned())
    );

    cloud.pass_seconds(1);
    let params = serde_json::from_value(json!({"name": "site", "description": "ours"})).unwrap();
    let updated = cloud
        .act(&admin, &operation::PROJECT_UPDATE, move |cx, caller| {
            project::update(cx, caller, &by_name("web"), &params)
        })
        .unwrap();
    assert_eq!(
        (updated.id, updated.name.as_str(), updated.description.as_str()),
        (created.id, "site", "ours")
    );
    assert!(updated.time_modified > created.time_modified);

    let gone = cloud.see(&admin, |cx, caller| project::view(cx, caller, &by_name("web")));
    assert_eq!(refused(gone), (404, "not found: project with name \"web\"".to_owned()));
    cloud.remove_project("site");
    assert_eq!(refusal(cloud.delete_project("site")), "not found: project with name \"site\"");
    cloud.project("site");
    cloud.check_invariants();
}

#[test]
fn an_update_keeps_what_is_absent_and_refuses_a_taken_name() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("one");
    cloud.project("two");
    let params = serde_json::from_value(json!({"description": "second"})).unwrap();
    let update = move |cx: &mut croft_control::Cx<'_, '_>, caller: &croft_control::Caller| {
        project::update(cx, caller, &by_name("two"), &params)
    };
    let updated = cloud.act(&admin, &operation::PROJECT_UPDATE, update).unwrap();
    assert_eq!((updated.name.as_str(), updated.description.as_str()), ("two", "second"));
    let params = serde_json::from_value(json!({"name": "one"})).unwrap();
    let taken = cloud.act(&admin, &operation::PROJECT_UPDATE, move |cx, caller| {
        project::update(cx, caller, &by_name("two"), &params)
    });
    assert_eq!(refused(taken), (400, "already exists: project \"one\"".to_owned()));
}

#[test]
fn too_long_description_is_refused() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let params = serde_json::from_value(json!({"name": "web", "description": "x".repeat(513)})).unwrap();
    let refusal =
        cloud.act(&admin, &operation::PROJECT_CREATE, move |cx, caller| project::create(cx, caller, &params));
    assert_eq!(
        refused(refusal),
        (400, "unsupported value for \"description\": must be no longer than 512 characters".to_owned())
    );
}

#[test]
fn lists_are_complete_and_sorted_across_pages() {
    let mut cloud = Cloud::new();
    let mut expected: Vec<String> = (0..10).map(|number| format!("project-{number}")).collect();
    for name in expected.iter().rev() {
        cloud.project(name);
    }
    assert_eq!(names(&cloud, NameOrIdSortMode::NameAscending), expected);
    expected.reverse();
    assert_eq!(names(&cloud, NameOrIdSortMode::NameDescending), expected);
    let mut by_id = names(&cloud, NameOrIdSortMode::IdAscending);
    by_id.sort();
    by_id.reverse();
    assert_eq!(by_id, expected);
}

#[test]
fn a_page_has_a_token_whenever_it_has_an_item() {
    let mut cloud = Cloud::new();
    let list = |cloud: &Cloud| {
        let query = query(100, NameOrIdSortMode::NameAscending);
        cloud.see(&cloud.admin, move |cx, caller| project::list(cx, caller, &query)).unwrap().next_page
    };
    assert_eq!(list(&cloud), None);
    cloud.project("only");
    assert!(list(&cloud).is_some());
}

#[test]
fn a_project_with_children_is_not_deleted() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let instance = cloud.instance("web", "my-instance");
    let disk = cloud.disk("web", "my-disk");
    assert_eq!(
        refused(cloud.delete_project("web")),
        (400, "project to be deleted contains an instance: my-instance".to_owned())
    );
    cloud.delete_instance(instance.id).unwrap();
    assert_eq!(refusal(cloud.delete_project("web")), "project to be deleted contains a disk: my-disk");
    cloud.pass_seconds(2);
    cloud.delete_disk(disk.id).unwrap();
    cloud.remove_project("web");
    cloud.check_invariants();
}
