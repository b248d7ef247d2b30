//! Support bundles.

use croft_api::{
    page::{NoSelector, PageQuery, TimeAndIdSortMode},
    support_bundle::{SupportBundleCreate, SupportBundleUpdate},
};
use croft_control::{operation, support_bundle};
use croft_store::records::{BundleState, SupportBundle};

use super::{Call, World, matrix, rule};
use crate::kit::Cloud;

/// The only bundle.
fn bundle(cloud: &Cloud) -> uuid::Uuid {
    use croft_store::{ListBy, Sort};
    let bundles: Vec<SupportBundle> = cloud
        .db
        .read_blocking(|tx| Ok::<_, croft_api::Error>(tx.page(ListBy::All, Sort::IdAsc, None, 1)?))
        .unwrap();
    bundles[0].meta.id
}

/// Creates the objects that the calls use.
pub fn furnish(cloud: &mut Cloud) {
    cloud
        .rule(|cx| {
            let bundle = SupportBundle {
                meta: cx.new_meta(),
                state: BundleState::Active,
                reason_for_creation: String::new(),
                reason_for_failure: None,
                user_comment: None,
                collector: None,
            };
            Ok(cx.tx.insert(&bundle)?)
        })
        .unwrap();
}

pub fn calls(world: &World) -> Vec<Call> {
    let id = bundle(&world.cloud);
    let page = || PageQuery {
        selector: NoSelector {},
        sort: TimeAndIdSortMode::TimeAndIdAscending,
        after: None,
        limit: 100,
    };
    let download = || rule(move |cx, caller| support_bundle::may_download(cx, caller, id));
    vec![
        (&operation::SUPPORT_BUNDLE_LIST, {
            rule(move |cx, caller| support_bundle::list(cx, caller, &page()))
        }),
        (&operation::SUPPORT_BUNDLE_CREATE, {
            rule(|cx, caller| support_bundle::create(cx, caller, &SupportBundleCreate::default()))
        }),
        (&operation::SUPPORT_BUNDLE_VIEW, rule(move |cx, caller| support_bundle::view(cx, caller, id))),
        (&operation::SUPPORT_BUNDLE_UPDATE, {
            rule(move |cx, caller| support_bundle::update(cx, caller, id, &SupportBundleUpdate::default()))
        }),
        (&operation::SUPPORT_BUNDLE_DELETE, {
            rule(move |cx, caller| support_bundle::delete(cx, caller, id))
        }),
        (&operation::SUPPORT_BUNDLE_INDEX, download()),
        (&operation::SUPPORT_BUNDLE_DOWNLOAD, download()),
        (&operation::SUPPORT_BUNDLE_HEAD, download()),
        (&operation::SUPPORT_BUNDLE_DOWNLOAD_FILE, download()),
        (&operation::SUPPORT_BUNDLE_HEAD_FILE, download()),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
