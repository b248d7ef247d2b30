use croft_api::{
    Result,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::OptionalProjectSelector,
    scalar::NameOrId,
    ssh_key::SshKey as SshKeyView,
};
use croft_store::records::SshKey;

use super::find;
use crate::{Caller, Cx, instance::operation, paging, ssh_key};

/// `instance_ssh_public_key_list`: the keys selected when the instance was created, without those deleted since.
pub fn ssh_public_key_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    query: &PageQuery<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<SshKeyView>> {
    let instance = find(cx, caller, instance, query.selector.project.as_ref())?.authorize(
        cx,
        caller,
        &operation::INSTANCE_SSH_PUBLIC_KEY_LIST,
    )?;
    let mut keys = Vec::new();
    for id in &instance.ssh_key_ids {
        keys.extend(cx.tx.get::<SshKey>(*id)?.as_ref().map(ssh_key::to_view));
    }
    // An instance has at most a hundred keys, so one read returns all of them.
    Ok(paging::page_of(keys, query))
}
