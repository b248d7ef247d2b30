//! Projects, instances and disks.

use croft_api::{
    activity::{InstanceActivitySelector, NewestFirstSortMode},
    page::{NameOrIdSortMode, NoSelector, PageQuery},
    project::OptionalProjectSelector,
    scalar::NameOrId,
};
use croft_control::{
    disk,
    instance::{self, Console, ProbeOutcome},
    operation, project,
};
use serde_json::json;

use super::{Call, World, matrix, on, parse, rule};
use crate::{
    kit::{GIB, by_name, list_of},
    listing::of_project,
};

pub fn calls(world: &World) -> Vec<Call> {
    let (instance, disk) = (NameOrId::Id(world.instance), NameOrId::Id(world.disk));
    let web = || by_name("web");
    let all = || PageQuery {
        selector: NoSelector {},
        sort: NameOrIdSortMode::NameAscending,
        after: None,
        limit: 100,
    };
    let of_instance = || PageQuery {
        selector: OptionalProjectSelector { project: None },
        sort: NameOrIdSortMode::NameAscending,
        after: None,
        limit: 100,
    };
    let new_disk = json!({"name": "new", "description": "", "size": GIB,
                          "disk_source": {"type": "blank", "block_size": 512}});
    let new_instance =
        json!({"name": "new", "description": "", "hostname": "new", "ncpus": 1, "memory": GIB});
    vec![
        (&operation::PROJECT_LIST, rule(move |cx, caller| project::list(cx, caller, &all()))),
        (&operation::PROJECT_CREATE, {
            rule(|cx, caller| project::create(cx, caller, &parse(json!({"name": "new", "description": ""}))))
        }),
        (&operation::PROJECT_VIEW, rule(move |cx, caller| project::view(cx, caller, &web()))),
        (&operation::PROJECT_UPDATE, {
            rule(move |cx, caller| project::update(cx, caller, &web(), &parse(json!({"description": "new"}))))
        }),
        (&operation::PROJECT_DELETE, rule(move |cx, caller| project::delete(cx, caller, &web()))),
        (&operation::INSTANCE_SEARCH, rule(|cx, caller| instance::search(cx, caller, &of_project("web")))),
        (&operation::INSTANCE_LIST, rule(|cx, caller| instance::list(cx, caller, &list_of("web")))),
        (&operation::INSTANCE_PREVIEW, {
            let params = new_instance.clone();
            rule(move |cx, caller| instance::preview(cx, caller, &web(), &parse(params.clone())))
        }),
        (&operation::INSTANCE_CREATE, {
            rule(move |cx, caller| instance::create(cx, caller, &web(), &parse(new_instance.clone())))
        }),
        (&operation::INSTANCE_VIEW, on!(instance, |cx, caller, it| instance::view(cx, caller, &it, None))),
        (&operation::INSTANCE_ACTIVITY_LIST, {
            let query = PageQuery {
                selector: InstanceActivitySelector::default(),
                sort: NewestFirstSortMode::default(),
                after: None,
                limit: 100,
            };
            on!(instance, |cx, caller, it| instance::activity_list(cx, caller, &it, &query))
        }),
        (&operation::INSTANCE_UPDATE, {
            let params = json!({"ncpus": 1, "memory": GIB});
            on!(instance, |cx, caller, it| instance::update(cx, caller, &it, None, &parse(params.clone())))
        }),
        (
            &operation::INSTANCE_DELETE,
            on!(instance, |cx, caller, it| instance::delete(cx, caller, &it, None)),
        ),
        (&operation::INSTANCE_START, on!(instance, |cx, caller, it| instance::start(cx, caller, &it, None))),
        (&operation::INSTANCE_STOP, {
            on!(instance, |cx, caller, it| instance::stop(cx, caller, &it, None, &ProbeOutcome::Present))
        }),
        (&operation::INSTANCE_REBOOT, {
            on!(instance, |cx, caller, it| instance::reboot(cx, caller, &it, None, &ProbeOutcome::Present))
        }),
        (&operation::INSTANCE_SERIAL_CONSOLE, {
            on!(instance, |cx, caller, it| instance::serial_machine(cx, caller, &it, None))
        }),
        (&operation::INSTANCE_SERIAL_CONSOLE_STREAM, {
            on!(instance, |cx, caller, it| {
                instance::console_stream_machine(cx, caller, Console::Serial, &it, None)
            })
        }),
        (&operation::INSTANCE_GRAPHICAL_CONSOLE_STREAM, {
            on!(instance, |cx, caller, it| {
                instance::console_stream_machine(cx, caller, Console::Graphical, &it, None)
            })
        }),
        (&operation::INSTANCE_GRAPHICAL_CONSOLE_PICTURE, {
            on!(instance, |cx, caller, it| {
                instance::graphical_console_picture_machine(cx, caller, &it, None)
            })
        }),
        (&operation::INSTANCE_DISK_LIST, {
            on!(instance, |cx, caller, it| instance::disk_list(cx, caller, &it, &of_instance()))
        }),
        (&operation::INSTANCE_DISK_ATTACH, {
            let disk = disk.clone();
            on!(instance, |cx, caller, it| instance::disk_attach(cx, caller, &it, None, &disk))
        }),
        (&operation::INSTANCE_DISK_DETACH, {
            let disk = disk.clone();
            on!(instance, |cx, caller, it| instance::disk_detach(cx, caller, &it, None, &disk))
        }),
        (&operation::DISK_SEARCH, rule(|cx, caller| disk::search(cx, caller, &of_project("web")))),
        (&operation::DISK_LIST, rule(|cx, caller| disk::list(cx, caller, &list_of("web")))),
        (&operation::DISK_CREATE, {
            rule(move |cx, caller| disk::create(cx, caller, &web(), &parse(new_disk.clone())))
        }),
        (&operation::DISK_VIEW, on!(disk, |cx, caller, it| disk::view(cx, caller, &it, None))),
        (&operation::DISK_DELETE, on!(disk, |cx, caller, it| disk::delete(cx, caller, &it, None))),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
