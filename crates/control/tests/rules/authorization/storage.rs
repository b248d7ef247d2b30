//! Snapshots, imports, and images made from snapshots.

use croft_api::scalar::NameOrId;
use croft_control::{disk::import, image, operation, snapshot};
use serde_json::json;

use super::{Call, World, matrix, on, parse, rule};
use crate::{
    kit::{by_name, list_of},
    listing::of_project,
};

pub fn calls(world: &World) -> Vec<Call> {
    let (disk, snapshot) = (NameOrId::Id(world.disk), NameOrId::Id(world.snapshot));
    let new_snapshot = json!({"name": "new", "description": "", "disk": "data"});
    let new_image = json!({"name": "new", "description": "", "os": "debian", "version": "13",
                           "source": {"type": "snapshot", "id": world.snapshot}});
    vec![
        (&operation::SNAPSHOT_SEARCH, rule(|cx, caller| snapshot::search(cx, caller, &of_project("web")))),
        (&operation::SNAPSHOT_LIST, rule(|cx, caller| snapshot::list(cx, caller, &list_of("web")))),
        (&operation::SNAPSHOT_CREATE, {
            rule(move |cx, caller| {
                snapshot::create(cx, caller, &by_name("web"), &parse(new_snapshot.clone()))
            })
        }),
        (&operation::SNAPSHOT_VIEW, on!(snapshot, |cx, caller, it| snapshot::view(cx, caller, &it, None))),
        (
            &operation::SNAPSHOT_DELETE,
            on!(snapshot, |cx, caller, it| snapshot::delete(cx, caller, &it, None)),
        ),
        (
            &operation::DISK_BULK_WRITE_IMPORT_START,
            on!(disk, |cx, caller, it| import::start(cx, caller, &it, None)),
        ),
        (&operation::DISK_BULK_WRITE_IMPORT, {
            on!(disk, |cx, caller, it| import::bulk_write_target(cx, caller, &it, None))
        }),
        (
            &operation::DISK_BULK_WRITE_IMPORT_STOP,
            on!(disk, |cx, caller, it| import::stop(cx, caller, &it, None)),
        ),
        (&operation::DISK_FINALIZE_IMPORT, {
            on!(disk, |cx, caller, it| import::finalize(cx, caller, &it, None, &parse(json!({}))))
        }),
        // An image of the silo. Creating one in a project requires the role for creating anything there.
        (
            &operation::IMAGE_CREATE,
            rule(move |cx, caller| image::create(cx, caller, None, &parse(new_image.clone()))),
        ),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
