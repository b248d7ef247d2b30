//! Which labels are in use, for completion.

use std::collections::BTreeSet;

use croft_api::{
    Error, Result,
    label::{LabelsInUse, LabelsInUseSelector, check_key},
};
use croft_store::{ListBy, Marker, Sort, Tx, records::LabelUse};
use uuid::Uuid;

use super::{Place, kind_named, kinds, permits};
use crate::{Caller, Cx, ReadScope, authz::Permission, resource::AddressedKind};

/// Texts of an answer if the request says nothing of it.
const LIMIT: usize = 20;
/// Most texts of an answer.
const MAX_LIMIT: usize = 100;
/// Longest beginning of a text, in bytes.
const MAX_PREFIX: usize = 320;

/// `labels_in_use`: the keys of labels, or the values of one key, of the resources in a place that the caller may read.
pub fn in_use(cx: &mut Cx<'_, '_>, caller: &Caller, query: &LabelsInUseSelector) -> Result<LabelsInUse> {
    let LabelsInUseSelector { project, silo, kind, key, prefix, limit } = query;
    if let Some(key) = key {
        check_key(key).map_err(|text| Error::invalid_value("key", text))?;
    }
    let prefix = prefix.as_deref().unwrap_or_default();
    if prefix.len() > MAX_PREFIX || prefix.contains('\0') {
        let text = format!("must be no longer than {MAX_PREFIX} bytes, without control characters");
        return Err(Error::invalid_value("prefix", text));
    }
    let limit = limit.map_or(LIMIT, |limit| (limit as usize).clamp(1, MAX_LIMIT));
    let (place, wanted) = match (kind, project, silo) {
        (Some(kind), ..) => {
            let kind = kind_named(kind)?;
            (Place::of(cx, caller, kind, project.as_ref(), silo.as_ref())?, vec![kind])
        }
        (None, Some(_), Some(_)) => {
            return Err(Error::invalid_request("name a project or a silo, not both"));
        }
        (None, Some(project), None) => {
            let is_in_project = |kind: &AddressedKind| {
                matches!(kind.read_scope, ReadScope::Project(_) | ReadScope::Image | ReadScope::Probe)
            };
            (Place::project(cx, caller, project)?, kinds().filter(is_in_project).collect())
        }
        (None, None, silo) => {
            let is_in_silo = |kind: &AddressedKind| {
                matches!(
                    kind.read_scope,
                    ReadScope::Silo(_) | ReadScope::User(_) | ReadScope::Image | ReadScope::Project(_)
                )
            };
            (Place::silo(cx, caller, silo.as_ref())?, kinds().filter(is_in_silo).collect())
        }
    };
    let mut texts = BTreeSet::new();
    let mut is_complete = true;
    for kind in wanted {
        if !permits(cx, caller, place.needs(kind), Permission::Read)? {
            continue;
        }
        let found = match key {
            None => keys(cx.tx, place.id, kind.name, prefix, limit)?,
            Some(key) => values(cx.tx, place.id, kind.name, key, prefix, limit)?,
        };
        is_complete &= found.len() <= limit;
        texts.extend(found);
    }
    is_complete &= texts.len() <= limit;
    Ok(LabelsInUse { items: texts.into_iter().take(limit).collect(), is_complete })
}

/// One more than `limit` of the keys, if there are as many. Each costs one look into the index.
fn keys(tx: &mut Tx<'_>, place: Uuid, kind: &str, prefix: &str, limit: usize) -> Result<Vec<String>> {
    let mut keys: Vec<String> = Vec::new();
    let mut after = format!("{kind} {prefix}");
    while keys.len() <= limit {
        let next = uses(tx, place, after, 1)?.pop();
        let Some((key, _)) = next.as_ref().and_then(|in_use| in_use.label_of(kind)) else { break };
        if !key.starts_with(prefix) {
            break;
        }
        after = format!("{kind} {key}={}", char::MAX);
        keys.push(key.to_owned());
    }
    Ok(keys)
}

/// One more than `limit` of the values of a key, if there are as many.
fn values(
    tx: &mut Tx<'_>,
    place: Uuid,
    kind: &str,
    wanted: &str,
    prefix: &str,
    limit: usize,
) -> Result<Vec<String>> {
    // The page begins after the text, which may be a value itself.
    let found = uses(tx, place, LabelUse::text(kind, wanted, prefix), limit + 1)?;
    let exact = tx.get_by_name::<LabelUse>(place, &LabelUse::text(kind, wanted, prefix))?;
    let fits = |in_use: LabelUse| {
        let (key, value) = in_use.label_of(kind)?;
        (key == wanted && value.starts_with(prefix)).then(|| value.to_owned())
    };
    Ok(exact.into_iter().chain(found).map_while(fits).collect())
}

/// The uses whose texts come after one.
fn uses(tx: &mut Tx<'_>, place: Uuid, after: String, limit: usize) -> Result<Vec<LabelUse>> {
    let after = Marker::Name(after, Uuid::max());
    Ok(tx.page(ListBy::Parent(place), Sort::NameAsc, Some(after), limit)?)
}
