//! Widgets.

use croft_control::{operation, widget};
use serde_json::json;

use super::{Call, World, matrix, parse, rule};
use crate::kit::{Cloud, by_name, list_of};

pub fn furnish(cloud: &mut Cloud) {
    let admin = cloud.admin.clone();
    let params = parse(json!({ "name": "gadget", "description": "", "size": 1 }));
    let created = cloud.act(&admin, &operation::WIDGET_CREATE, move |cx, caller| {
        widget::create(cx, caller, &by_name("web"), &params)
    });
    created.unwrap();
}

pub fn calls(_: &World) -> Vec<Call> {
    let new = json!({ "name": "new", "description": "", "size": 1 });
    vec![
        (&operation::WIDGET_LIST, rule(|cx, caller| widget::list(cx, caller, &list_of("web")))),
        (&operation::WIDGET_CREATE, {
            rule(move |cx, caller| widget::create(cx, caller, &by_name("web"), &parse(new.clone())))
        }),
        (&operation::WIDGET_VIEW, {
            rule(|cx, caller| widget::view(cx, caller, &by_name("gadget"), Some(&by_name("web"))))
        }),
        (&operation::WIDGET_DELETE, {
            rule(|cx, caller| widget::delete(cx, caller, &by_name("gadget"), Some(&by_name("web"))))
        }),
    ]
}

#[test]
fn widgets_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
