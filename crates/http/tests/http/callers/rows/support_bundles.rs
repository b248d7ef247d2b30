//! Rows of support bundles.

use croft_store::{
    Meta,
    records::{BundleState, SupportBundle},
};
use serde_json::json;

use super::Row;
use crate::cloud::Cloud;

/// A bundle that is still being collected.
pub const BUNDLE: &str = "00000000-0000-4000-8000-0000000000bb";

pub fn furnish(cloud: &Cloud) {
    cloud
        .rule(|cx| {
            let bundle = SupportBundle {
                meta: Meta::new(BUNDLE.parse().unwrap(), cx.now),
                state: BundleState::Collecting,
                reason_for_creation: String::new(),
                reason_for_failure: None,
                user_comment: None,
                collector: None,
            };
            Ok(cx.tx.insert(&bundle)?)
        })
        .unwrap();
}

pub fn all() -> Vec<Row> {
    // The bundle is not complete, which is checked last.
    let download = |id| Row::new(id, "N N NNN NNN ~~~");
    vec![
        Row::new("support_bundle_list", "F F FFF FFF +++"),
        Row::new("support_bundle_create", "F F FFF FFF FF+").body(json!({})),
        Row::new("support_bundle_view", "N N NNN NNN +++"),
        Row::new("support_bundle_update", "N N NNN NNN FF+").body(json!({ "user_comment": "ours" })),
        Row::new("support_bundle_delete", "N N NNN NNN FF+"),
        download("support_bundle_index"),
        download("support_bundle_download"),
        download("support_bundle_head"),
        download("support_bundle_download_file"),
        download("support_bundle_head_file"),
    ]
}
