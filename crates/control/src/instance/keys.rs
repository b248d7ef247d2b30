use croft_api::{
    Result,
    page::{Listed as _, Marker, NameOrIdSortMode, PageQuery, ResultsPage},
    project::OptionalProjectSelector,
    scalar::NameOrId,
    ssh_key::SshKey as SshKeyView,
};
use croft_store::records::SshKey;

use super::find;
use crate::{Caller, Cx, operation, ssh_key};

/// `instance_ssh_public_key_list`: the keys chosen when the instance was created, without those deleted since.
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
    match query.sort {
        NameOrIdSortMode::NameAscending => keys.sort_by(|one, other| one.name.cmp(&other.name)),
        NameOrIdSortMode::NameDescending => keys.sort_by(|one, other| other.name.cmp(&one.name)),
        NameOrIdSortMode::IdAscending => keys.sort_by_key(SshKeyView::id),
    }
    // An instance has at most a hundred keys, so all of them were read.
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let rest = keys.into_iter().filter(|key| match &query.after {
        None => true,
        Some(Marker::Name(name)) if query.sort == NameOrIdSortMode::NameDescending => {
            key.name() < name.as_str()
        }
        Some(Marker::Name(name)) => key.name() > name.as_str(),
        Some(Marker::Id(id)) => key.id > *id,
        Some(Marker::Time(..)) => false,
    });
    Ok(query.results(rest.take(limit).collect()))
}
