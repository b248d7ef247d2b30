use croft_api::{
    Result,
    disk::DiskCreate,
    image::Image as View,
    page::{NameOrIdSortMode, PageQuery},
    project::{OptionalProjectSelector, ProjectSelector},
};
use croft_control::{disk, image, operation};
use croft_store::records::{Image, Resources, Role, RoleIdentity, RoleScope};
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refused};

/// Adds an image of a project or of the administrator's silo.
fn image(cloud: &mut Cloud, name: &'static str, project_id: Option<Uuid>) -> Uuid {
    let silo_id = cloud.admin.silo;
    cloud
        .rule(move |cx| {
            let image = Image {
                meta: cx.new_meta(),
                silo_id,
                project_id,
                name: name.parse().unwrap(),
                description: "".into(),
                os: "debian".to_owned(),
                version: "13".to_owned(),
                size: serde_json::from_str("1073741824").unwrap(),
                block_size: serde_json::from_str("512").unwrap(),
                volume_id: Uuid::nil(),
            };
            cx.tx.insert(&image)?;
            Ok(image.meta.id)
        })
        .unwrap()
}

fn names(cloud: &Cloud, user: &User, project: Option<&str>) -> Result<Vec<String>> {
    let selector = OptionalProjectSelector { project: project.map(by_name) };
    let query = PageQuery { selector, sort: NameOrIdSortMode::NameAscending, after: None, limit: 10 };
    let page = cloud.see(user, move |cx, caller| image::list(cx, caller, &query))?;
    Ok(page.items.iter().map(|image| image.name.to_string()).collect())
}

fn view(cloud: &Cloud, user: &User, name: &str, project: Option<&str>) -> Result<View> {
    let (name, project) = (by_name(name), project.map(by_name));
    cloud.see(user, move |cx, caller| image::view(cx, caller, &name, project.as_ref()))
}

fn promote(cloud: &mut Cloud, user: &User, id: Uuid) -> Result<View> {
    cloud.act(user, &operation::IMAGE_PROMOTE, move |cx, caller| image::promote(cx, caller, &id.into(), None))
}

fn demote(cloud: &mut Cloud, user: &User, name: &str, project: &str) -> Result<View> {
    let (name, project) = (by_name(name), by_name(project));
    cloud.act(user, &operation::IMAGE_DEMOTE, move |cx, caller| image::demote(cx, caller, &name, &project))
}

fn delete(cloud: &mut Cloud, user: &User, name: &str, project: Option<&str>) -> Result<()> {
    let (name, project) = (by_name(name), project.map(by_name));
    cloud.act(user, &operation::IMAGE_DELETE, move |cx, caller| {
        image::delete(cx, caller, &name, project.as_ref()).map(|_| ())
    })
}

#[test]
fn project_and_silo_images_are_separate() {
    let mut cloud = Cloud::new();
    let (admin, web) = (cloud.admin.clone(), cloud.project("web").id);
    cloud.project("other");
    let of_project = image(&mut cloud, "debian", Some(web));
    let of_silo = image(&mut cloud, "debian", None);
    image(&mut cloud, "alpine", Some(web));
    assert_eq!(names(&cloud, &admin, Some("web")).unwrap(), ["alpine", "debian"]);
    assert_eq!(names(&cloud, &admin, None).unwrap(), ["debian"]);
    assert_eq!(names(&cloud, &admin, Some("other")).unwrap(), [""; 0]);
    let seen = view(&cloud, &admin, "debian", Some("web")).unwrap();
    assert_eq!((seen.id, seen.project_id), (of_project, Some(web)));
    let seen = view(&cloud, &admin, "debian", None).unwrap();
    assert_eq!((seen.id, seen.project_id), (of_silo, None));

    let missing = refused(view(&cloud, &admin, "debian", Some("other")));
    assert_eq!(missing, (404, "not found: project-image with name \"debian\"".to_owned()));
    let missing = refused(view(&cloud, &admin, "alpine", None));
    assert_eq!(missing, (404, "not found: silo-image with name \"alpine\"".to_owned()));
    let both = cloud
        .see(&admin, move |cx, caller| image::view(cx, caller, &of_project.into(), Some(&by_name("web"))));
    let text = "when providing image as an ID, project should not be specified";
    assert_eq!(refused(both), (400, text.to_owned()));
    let nil = cloud.see(&admin, |cx, caller| image::view(cx, caller, &Uuid::nil().into(), None));
    assert_eq!(refused(nil).1, format!("not found: image with id \"{}\"", Uuid::nil()));
}

#[test]
fn image_is_promoted_and_demoted() {
    let mut cloud = Cloud::new();
    let (admin, web) = (cloud.admin.clone(), cloud.project("web").id);
    cloud.project("other");
    let id = image(&mut cloud, "debian", Some(web));
    let promoted = promote(&mut cloud, &admin, id).unwrap();
    assert_eq!((promoted.id, promoted.project_id), (id, None));
    assert_eq!(names(&cloud, &admin, Some("web")).unwrap(), [""; 0]);
    assert_eq!(refused(promote(&mut cloud, &admin, id)), (400, "Cannot promote a silo image".to_owned()));

    let second = image(&mut cloud, "debian", Some(web));
    let taken = refused(promote(&mut cloud, &admin, second));
    assert_eq!(taken, (400, "already exists: silo-image \"debian\"".to_owned()));
    let taken = refused(demote(&mut cloud, &admin, "debian", "web"));
    assert_eq!(taken, (400, "already exists: project-image \"debian\"".to_owned()));
    let demoted = demote(&mut cloud, &admin, "debian", "other").unwrap();
    assert_eq!((demoted.id, demoted.project_id.is_some()), (id, true));
    assert_eq!(names(&cloud, &admin, Some("other")).unwrap(), ["debian"]);
    let again = cloud.act(&admin, &operation::IMAGE_DEMOTE, move |cx, caller| {
        image::demote(cx, caller, &id.into(), &by_name("web"))
    });
    assert_eq!(refused(again), (400, "Cannot demote a project image".to_owned()));

    let held = refused(cloud.delete_project("other"));
    let text = "project to be deleted contains a project image: debian";
    assert_eq!(held, (400, text.to_owned()));
    delete(&mut cloud, &admin, "debian", Some("other")).unwrap();
    cloud.remove_project("other");
}

#[test]
fn a_role_on_a_project_is_enough_to_use_the_images_of_the_silo() {
    let mut cloud = Cloud::new();
    let (silo, web) = (cloud.admin.silo, cloud.project("web").id);
    let other = cloud.project("other").id;
    let shared = image(&mut cloud, "shared", None);
    let of_other = image(&mut cloud, "secret", Some(other));
    let mut member = |name: &'static str, role: Role| {
        let user = cloud.user(silo, name);
        cloud.grant(RoleIdentity::User(user.id), RoleScope::Project(web), role);
        user
    };
    let (collaborator, viewer) = (member("collaborator", Role::Collaborator), member("viewer", Role::Viewer));
    let nobody = cloud.user(silo, "nobody");
    let listed = |cloud: &Cloud, user: &User| {
        let selector = ProjectSelector { project: by_name("web") };
        let query = PageQuery { selector, sort: NameOrIdSortMode::NameAscending, after: None, limit: 10 };
        let page = cloud.see(user, move |cx, caller| image::list_for_project(cx, caller, &query))?;
        Ok(page.items.iter().map(|image| image.name.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(listed(&cloud, &collaborator).unwrap(), ["shared"]);
    assert_eq!(listed(&cloud, &viewer).unwrap(), ["shared"]);
    assert_eq!(refused(listed(&cloud, &nobody)).0, 404);

    let make = |cloud: &mut Cloud, user: &User, id: Uuid| {
        let params = json!({"name": "boot", "description": "", "size": 1_u64 << 30,
            "disk_source": {"type": "image", "image_id": id}});
        let params: DiskCreate = serde_json::from_value(params).unwrap();
        cloud.act(user, &operation::DISK_CREATE, move |cx, caller| {
            disk::create(cx, caller, &by_name("web"), &params).map(drop)
        })
    };
    let hidden = (404, format!("not found: image with id \"{of_other}\""));
    assert_eq!(refused(make(&mut cloud, &collaborator, of_other)), hidden);
    assert_eq!(refused(make(&mut cloud, &viewer, shared)).0, 403);
    make(&mut cloud, &collaborator, shared).unwrap();
}

#[test]
fn permissions_on_images() {
    let mut cloud = Cloud::new();
    let (silo, web) = (cloud.admin.silo, cloud.project("web").id);
    let id = image(&mut cloud, "debian", Some(web));
    image(&mut cloud, "shared", None);
    let mut with = |name: &'static str, scope: RoleScope, role: Role| {
        let user = cloud.user(silo, name);
        cloud.grant(RoleIdentity::User(user.id), scope, role);
        user
    };
    let viewer = with("viewer", RoleScope::Silo(silo), Role::Viewer);
    let owner = with("owner", RoleScope::Project(web), Role::Admin);
    let nobody = cloud.user(silo, "nobody");

    assert_eq!(refused(names(&cloud, &nobody, None)).0, 403);
    assert_eq!(refused(view(&cloud, &nobody, "shared", None)).0, 404);
    assert_eq!(names(&cloud, &viewer, None).unwrap(), ["shared"]);
    assert_eq!(refused(delete(&mut cloud, &viewer, "shared", None)).0, 403);
    assert_eq!(refused(demote(&mut cloud, &viewer, "shared", "web")).0, 403);
    // Promoting an image requires a role on the silo; one on the project is not enough.
    assert_eq!(refused(promote(&mut cloud, &owner, id)).0, 403);
    assert_eq!(names(&cloud, &owner, Some("web")).unwrap(), ["debian"]);
    delete(&mut cloud, &owner, "debian", Some("web")).unwrap();

    let elsewhere = cloud.silo("elsewhere", Resources::default());
    let stranger = cloud.user(elsewhere, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(elsewhere), Role::Admin);
    assert_eq!(names(&cloud, &stranger, None).unwrap(), [""; 0]);
    assert_eq!(refused(view(&cloud, &stranger, "shared", None)).0, 404);
}
