use croft_api::{Result, scalar::NameOrId, widget::Widget};
use croft_control::{operation, project, widget};
use serde_json::json;

use crate::kit::{Cloud, by_name, list_of, refused};

fn create(cloud: &mut Cloud, name: &str, size: u32) -> Result<Widget> {
    let params = serde_json::from_value(json!({ "name": name, "description": "", "size": size })).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::WIDGET_CREATE, move |cx, caller| {
        widget::create(cx, caller, &by_name("web"), &params)
    })
}

fn names(cloud: &Cloud) -> Vec<String> {
    let page = cloud.see(&cloud.admin, |cx, caller| widget::list(cx, caller, &list_of("web"))).unwrap();
    page.items.iter().map(|widget| widget.name.to_string()).collect()
}

#[test]
fn widgets_are_created_listed_and_deleted() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let id = create(&mut cloud, "gadget", 40).unwrap().id;
    create(&mut cloud, "device", 1000).unwrap();
    assert_eq!(names(&cloud), ["device", "gadget"]);
    let seen = cloud.see(&cloud.admin, move |cx, caller| widget::view(cx, caller, &NameOrId::Id(id), None));
    assert_eq!(seen.unwrap().size, 40);
    let admin = cloud.admin.clone();
    let deleted = cloud.act(&admin, &operation::WIDGET_DELETE, |cx, caller| {
        widget::delete(cx, caller, &by_name("gadget"), Some(&by_name("web")))
    });
    deleted.unwrap();
    assert_eq!(names(&cloud), ["device"]);
}

#[test]
fn names_and_sizes_are_checked() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    create(&mut cloud, "gadget", 40).unwrap();
    let taken = refused(create(&mut cloud, "gadget", 40));
    assert_eq!(taken, (400, "already exists: widget \"gadget\"".to_owned()));
    let large = refused(create(&mut cloud, "large", 1001));
    assert_eq!(large, (400, "unsupported value for \"size\": must be no larger than 1000 mm".to_owned()));
}

#[test]
fn a_project_with_a_widget_is_not_deleted() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    create(&mut cloud, "gadget", 40).unwrap();
    let admin = cloud.admin.clone();
    let refusal = cloud
        .act(&admin, &operation::PROJECT_DELETE, |cx, caller| project::delete(cx, caller, &by_name("web")));
    assert_eq!(refused(refusal).0, 400);
}
