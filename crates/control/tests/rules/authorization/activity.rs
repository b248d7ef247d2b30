//! Activity of every kind of resource, with every role.

use croft_api::{
    activity::{ActivityPath, NewestFirstSortMode},
    page::{NoSelector, PageQuery},
};
use croft_control::{activity, label};

use super::{labels::resources, outcome, world};
use crate::labels::path;

#[test]
fn activity_is_read_by_whoever_reads_the_resource() {
    let world = world();
    for change in resources(&world) {
        for (name, user) in &world.users {
            let of_labels = path(&change.kind, change.id);
            let read = world.cloud.see(user, move |cx, caller| label::view(cx, caller, &of_labels).map(drop));
            let path = ActivityPath { kind: change.kind.clone(), id: change.id };
            let query = PageQuery {
                selector: NoSelector {},
                sort: NewestFirstSortMode::TimeAndIdDescending,
                after: None,
                limit: 10,
            };
            let listed =
                world.cloud.see(user, move |cx, caller| activity::list(cx, caller, &path, &query).map(drop));
            assert_eq!(outcome(&listed), outcome(&read), "{} of {name}", change.kind);
        }
    }
}
