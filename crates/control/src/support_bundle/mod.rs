//! Support bundles (`docs/rules/identity-and-system.md#support-bundles`).
//!
//! Rules only record the wanted state. A [`Collector`] on its own thread creates or removes archives, outside of any
//! transaction. [`Archives`] stores the data.

mod archive;
mod collect;
mod facts;

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    page::{NoSelector, PageQuery, ResultsPage, TimeAndIdSortMode},
    support_bundle::{self as api, SupportBundleCreate, SupportBundleState, SupportBundleUpdate},
};
use croft_store::{
    ListBy,
    records::{BundleState, SupportBundle, Transferred},
};
use jiff::Timestamp;
use uuid::Uuid;

pub use archive::{Archives, Content, Member, Sources};
pub use collect::Collector;

use crate::{
    Caller, Cx, Declaration, LookupResult, Request, Resource, audit,
    authz::{self, Kind, Permission, ResourceScope},
    paging,
};

crate::authz::kinds! {
    /// A support bundle.
    SUPPORT_BUNDLE = Row::in_fleet().fleet(["rl", "rl", "rlcm"]);
}

crate::authz::operations! {
    contract {
        SUPPORT_BUNDLE_LIST = reads(Kind::SUPPORT_BUNDLE, Permission::List);
        SUPPORT_BUNDLE_CREATE = changes(Kind::SUPPORT_BUNDLE, Permission::Create, 201);
        SUPPORT_BUNDLE_VIEW = reads(Kind::SUPPORT_BUNDLE, Permission::Read);
        SUPPORT_BUNDLE_UPDATE = changes(Kind::SUPPORT_BUNDLE, Permission::Modify, 200);
        SUPPORT_BUNDLE_DELETE = changes(Kind::SUPPORT_BUNDLE, Permission::Modify, 204);
        SUPPORT_BUNDLE_INDEX = reads(Kind::SUPPORT_BUNDLE, Permission::Read);
        SUPPORT_BUNDLE_DOWNLOAD = passes(Kind::SUPPORT_BUNDLE, Permission::Read, 200);
        SUPPORT_BUNDLE_HEAD = reads(Kind::SUPPORT_BUNDLE, Permission::Read);
        SUPPORT_BUNDLE_DOWNLOAD_FILE = passes(Kind::SUPPORT_BUNDLE, Permission::Read, 200);
        SUPPORT_BUNDLE_HEAD_FILE = reads(Kind::SUPPORT_BUNDLE, Permission::Read);
    }
    internal {
        /// The automatic deletion of an old support bundle, which is in the audit log like other deletions.
        SUPPORT_BUNDLE_EXPIRE = changes(Kind::SUPPORT_BUNDLE, Permission::Modify, 204);
    }
}

impl Resource for SupportBundle {
    const DECLARATION: Declaration =
        Declaration::in_fleet(Kind::SUPPORT_BUNDLE).message(ResourceKind::SupportBundle);
}

/// Maximum length of a comment, in bytes.
const MAX_COMMENT: usize = 4096;
const NO_SLOT: &str = "Current policy limits support bundle creation to 'one per external disk', and no disks are \
    available. You must delete old support bundles before new ones can be created";

fn to_view(bundle: &SupportBundle) -> api::SupportBundleInfo {
    api::SupportBundleInfo {
        id: bundle.meta.id,
        time_created: bundle.meta.time_created,
        reason_for_creation: bundle.reason_for_creation.clone(),
        reason_for_failure: bundle.reason_for_failure.clone(),
        user_comment: bundle.user_comment.clone(),
        state: match bundle.state {
            BundleState::Collecting => SupportBundleState::Collecting,
            BundleState::Active => SupportBundleState::Active,
            BundleState::Destroying => SupportBundleState::Destroying,
            BundleState::Failing | BundleState::Failed => SupportBundleState::Failed,
        },
    }
}

fn find(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<LookupResult<SupportBundle>> {
    Ok(LookupResult::new(cx.tx.get(id)?, id))
}

fn check_comment(comment: Option<&String>) -> Result<()> {
    if comment.is_some_and(|comment| comment.len() > MAX_COMMENT) {
        return Err(Error::invalid_request("User comment cannot exceed 4096 bytes"));
    }
    Ok(())
}

/// `support_bundle_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, TimeAndIdSortMode>,
) -> Result<ResultsPage<api::SupportBundleInfo>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::SUPPORT_BUNDLE), &operation::SUPPORT_BUNDLE_LIST)?;
    let bundles: Vec<SupportBundle> = paging::page(cx.tx, ListBy::All, query)?;
    Ok(query.results(bundles.iter().map(to_view).collect()))
}

/// `support_bundle_create`: the bundle is collected in the background.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &SupportBundleCreate,
) -> Result<api::SupportBundleInfo> {
    authz::require(
        cx,
        caller,
        &ResourceScope::fleet(Kind::SUPPORT_BUNDLE),
        &operation::SUPPORT_BUNDLE_CREATE,
    )?;
    check_comment(params.user_comment.as_ref())?;
    let all = cx.tx.count::<SupportBundle>(ListBy::All)?;
    let failed = ListBy::lookup(SupportBundle::STATE, BundleState::Failed.as_str());
    let without_data = cx.tx.count::<SupportBundle>(failed)?;
    if all - without_data >= u64::from(cx.settings().support_bundles) {
        return Err(Error::InsufficientCapacity(NO_SLOT.to_owned()));
    }
    let bundle = SupportBundle {
        meta: cx.new_meta(),
        state: BundleState::Collecting,
        reason_for_creation: "Created by external API".to_owned(),
        reason_for_failure: None,
        user_comment: params.user_comment.clone(),
        collector: None,
    };
    cx.tx.insert(&bundle)?;
    Ok(to_view(&bundle))
}

/// `support_bundle_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<api::SupportBundleInfo> {
    Ok(to_view(&*find(cx, id)?.authorize(cx, caller, &operation::SUPPORT_BUNDLE_VIEW)?))
}

/// `support_bundle_update`: changes the comment, in any state.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    id: Uuid,
    params: &SupportBundleUpdate,
) -> Result<api::SupportBundleInfo> {
    let found = find(cx, id)?.authorize(cx, caller, &operation::SUPPORT_BUNDLE_UPDATE)?;
    check_comment(params.user_comment.as_ref())?;
    let mut bundle = found.into_inner();
    bundle.user_comment.clone_from(&params.user_comment);
    bundle.meta.time_modified = cx.now;
    cx.tx.update(&mut bundle)?;
    Ok(to_view(&bundle))
}

/// `support_bundle_delete`: stops a collection in progress, then removes the data. A bundle without data is deleted
/// immediately.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
    let found = find(cx, id)?.authorize(cx, caller, &operation::SUPPORT_BUNDLE_DELETE)?;
    discard(cx, found.into_inner())
}

fn discard(cx: &mut Cx<'_, '_>, mut bundle: SupportBundle) -> Result<()> {
    match bundle.state {
        BundleState::Failed => {
            cx.tx.remove::<SupportBundle>(bundle.meta.id, cx.now)?;
        }
        BundleState::Destroying => {
            let text = "Cannot update support bundle state from Destroying to Destroying";
            return Err(Error::invalid_request(text));
        }
        BundleState::Collecting | BundleState::Active | BundleState::Failing => {
            bundle.state = BundleState::Destroying;
            bundle.meta.time_modified = cx.now;
            cx.tx.update(&mut bundle)?;
        }
    }
    Ok(())
}

/// Deletes bundles older than the configured retention, each with an entry in the audit log. Returns their ids.
pub(crate) fn expire(cx: &mut Cx<'_, '_>) -> Result<Vec<Uuid>> {
    let Some(retention) = cx.settings().support_bundle_retention else { return Ok(Vec::new()) };
    let before = cx.now.checked_sub(retention).unwrap_or(Timestamp::MIN);
    let mut old: Vec<SupportBundle> = paging::all(cx.tx, &ListBy::All)?;
    old.retain(|bundle| bundle.meta.time_created < before && bundle.state != BundleState::Destroying);
    let mut expired = Vec::with_capacity(old.len());
    for bundle in old {
        let id = bundle.meta.id;
        expired.push(id);
        discard(cx, bundle)?;
        // Identifies the bundle like the path in the entry of a deletion.
        let uri = format!("/experimental/v1/system/support-bundles/{id}");
        let request = Request { id: cx.new_id(), uri, ..Request::default() };
        let mut cx = Cx::new(cx.tx, cx.now, cx.random, cx.environment, &request);
        audit::record_of_system(&mut cx, &operation::SUPPORT_BUNDLE_EXPIRE, None)?;
    }
    Ok(expired)
}

/// Checks whether the data of a bundle can be read: for `support_bundle_index`, `_download`, `_download_file` and their
/// heads.
pub fn may_download(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
    let bundle = find(cx, id)?.authorize(cx, caller, Permission::Read)?.noted_for_audit(cx);
    if bundle.state == BundleState::Active {
        return Ok(());
    }
    Err(Error::invalid_request("Cannot download bundle in non-active state"))
}

/// The last step of `support_bundle_download` and `support_bundle_download_file`: writes an audit entry about the
/// `sent` bytes before the first is returned.
pub fn download(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid, sent: &Result<u64>) -> Result<()> {
    may_download(cx, caller, id)?;
    cx.transferred = Some(Transferred { from_client: 0, to_client: sent.clone()? });
    Ok(())
}

/// The error for an unknown file of a bundle.
pub fn no_such_file(id: Uuid, file: &str) -> Error {
    let text = format!("file \"{file}\" of support bundle \"{id}\"");
    Error::not_found(ResourceKind::SupportBundle, Lookup::Other(text))
}
