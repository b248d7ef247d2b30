//! Batches.

use croft_api::{
    batch::{BatchCreate, BatchItemCreate, BatchOperation},
    page::{NoSelector, PageQuery, SortMode},
};
use croft_control::{batch, operation};
use uuid::Uuid;

use super::{Call, World, matrix, rule};
use crate::kit::{Cloud, User};

fn create() -> BatchCreate {
    BatchCreate {
        idempotency_key: "one".to_owned(),
        operation: BatchOperation::DiskDelete,
        items: vec![BatchItemCreate { target_id: Uuid::from_u128(1) }],
    }
}

/// Creates a batch of this user.
pub fn furnish(cloud: &mut Cloud, user: &User) -> Uuid {
    let created =
        cloud.act(user, &operation::BATCH_CREATE, |cx, caller| batch::create(cx, caller, &create()));
    created.unwrap().id
}

fn all<Mode: SortMode>() -> PageQuery<NoSelector, Mode> {
    PageQuery { selector: NoSelector {}, sort: Mode::default(), after: None, limit: 100 }
}

pub fn calls(world: &World) -> Vec<Call> {
    let id = world.batch;
    vec![
        (&operation::BATCH_LIST, rule(|cx, caller| batch::list(cx, caller, &all()))),
        (&operation::BATCH_CREATE, rule(|cx, caller| batch::create(cx, caller, &create()))),
        (&operation::BATCH_VIEW, rule(move |cx, caller| batch::view(cx, caller, id))),
        (&operation::BATCH_ITEM_LIST, rule(move |cx, caller| batch::item_list(cx, caller, id, &all()))),
        (&operation::BATCH_CANCEL, rule(move |cx, caller| batch::cancel(cx, caller, id))),
        (&operation::BATCH_RETRY, rule(move |cx, caller| batch::retry(cx, caller, id))),
    ]
}

#[test]
fn batches_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
