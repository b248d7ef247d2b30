//! The audit log: one entry per changing operation, in the operation's own transaction.

mod disclosed;
mod retention;
mod subject;

use std::net::Ipv4Addr;

use croft_api::{
    Error, Result,
    audit::{self as api, AuditLogSelector},
    page::{Marker as ApiMarker, PageQuery, ResultsPage, TimeAndIdSortMode},
};
use croft_store::{
    ListBy, Marker,
    records::{AuditActor, AuditEntry, AuditResult, ResourceActivity, Transferred},
};
use uuid::Uuid;

pub(crate) use disclosed::{is_readable, to_operation};
pub use retention::{Exports, step as export_old};
pub use subject::begin;

use crate::{
    Caller, Cx, Declaration, Operation, Resource, SiloDeletion,
    authn::NewSession,
    authz::{self, Kind, ResourceScope},
    context::next_whole_microsecond,
    paging::{self, StoreSort as _},
    user_builtin,
};

crate::authz::kinds! {
    /// The audit log.
    AUDIT_LOG = Row::in_fleet().fleet(["l", "l", "l"]);
}

crate::authz::operations! {
    contract {
        AUDIT_LOG_LIST = reads(Kind::AUDIT_LOG, Permission::List);
    }
}

impl Resource for AuditEntry {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

impl Resource for ResourceActivity {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// Maximum length of a stored path with query, in bytes.
const MAX_URI: usize = 512;
/// Maximum length of a stored user agent or session, in bytes.
pub(crate) const MAX_USER_AGENT: usize = 256;
/// Maximum length of a stored error message, in bytes. Messages may quote input.
const MAX_MESSAGE: usize = 512;
/// The marker at the end of a truncated text.
const CUT: &str = "\u{2026}";

/// Writes the entry of an operation that completed now, with `error` if it failed.
pub fn record(
    cx: &mut Cx<'_, '_>,
    caller: Option<&Caller>,
    operation: &Operation,
    error: Option<&Error>,
) -> Result<()> {
    let actor = caller.map_or(AuditActor::Unauthenticated, |caller| AuditActor::SiloUser {
        silo_user_id: caller.actor(),
        silo_id: caller.silo_id,
    });
    let as_whom = caller.filter(|caller| caller.viewed_by.is_some()).map(|caller| caller.user_id);
    cx.viewed_as = cx.viewed_as.or(as_whom);
    insert(cx, actor, caller.map(|caller| caller.method.label()), operation, error.map(reason))
}

/// Writes the entry of a sign-in attempt that completed now. `tried` identifies the account. The name that was typed is
/// not stored, because people sometimes type their password there.
pub(crate) fn record_sign_in(
    cx: &mut Cx<'_, '_>,
    operation: &Operation,
    result: std::result::Result<&NewSession, &Error>,
    tried: Option<String>,
) -> Result<()> {
    let (actor, refusal) = match result {
        Ok(session) => {
            let (silo_user_id, silo_id) = (session.user_id, session.silo_id);
            (AuditActor::SiloUser { silo_user_id, silo_id }, None)
        }
        Err(error) => {
            let (error, message) = reason(error);
            let message = tried.map_or(message.clone(), |tried| format!("{message} ({tried})"));
            (AuditActor::Unauthenticated, Some((error, message)))
        }
    };
    insert(cx, actor, None, operation, refusal)
}

/// An error and its message.
fn reason(error: &Error) -> (&Error, String) {
    (error, error.message())
}

/// Writes the entry of an operation without a request: by an operator on the server's own host, or by the server
/// itself. The actor is a built-in user.
pub(crate) fn record_of_system(
    cx: &mut Cx<'_, '_>,
    operation: &Operation,
    error: Option<&Error>,
) -> Result<()> {
    let actor = AuditActor::UserBuiltin { user_builtin_id: user_builtin::INTERNAL_API };
    insert(cx, actor, None, operation, error.map(reason))
}

fn insert(
    cx: &mut Cx<'_, '_>,
    actor: AuditActor,
    method: Option<&str>,
    operation: &Operation,
    refusal: Option<(&Error, String)>,
) -> Result<()> {
    let result = match refusal {
        None => AuditResult::Success { http_status_code: operation.success },
        Some((error, message)) => AuditResult::Error {
            http_status_code: (cx.environment.status)(error),
            error_code: error.code().map(str::to_owned),
            error_message: cut(&message, MAX_MESSAGE),
        },
    };
    let (request, subjects) = (cx.request, subject::take(cx));
    let entry = AuditEntry {
        meta: cx.new_meta(),
        operation_id: operation.id.to_owned(),
        request_id: request.id,
        request_uri: cut(&request.uri, MAX_URI),
        source_ip: request.source,
        user_agent: request.user_agent.as_deref().map(|text| cut(text, MAX_USER_AGENT)),
        time_started: request.started.map_or(cx.now, |started| started.min(cx.now)),
        actor,
        auth_method: method.map(str::to_owned),
        result,
        instance_id: cx.instance_id.or_else(|| subject::instance_of(&subjects)),
        project_id: subjects.iter().find_map(|subject| subject.project_id),
        subjects,
        transferred: cx.transferred,
        viewed_as: cx.viewed_as,
    };
    Ok(cx.tx.insert_audit_entry(&entry)?)
}

/// Whether an error is temporary and independent of the request.
pub(crate) fn is_transient(error: &Error) -> bool {
    matches!(error, Error::Unavailable { .. } | Error::NotNow(_) | Error::Internal { .. })
}

/// `audit_log_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<AuditLogSelector, TimeAndIdSortMode>,
) -> Result<ResultsPage<api::AuditLogEntry>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::AUDIT_LOG), &operation::AUDIT_LOG_LIST)?;
    // Times are stored in microseconds, so a bound between two of them means the later one.
    let start = next_whole_microsecond(query.selector.start_time);
    let end = query.selector.end_time.map(next_whole_microsecond);
    // No entry has the nil id, so it sorts before all entries of the same time.
    let first = match query.sort {
        TimeAndIdSortMode::TimeAndIdAscending => Some(Marker::Time(start, Uuid::nil())),
        TimeAndIdSortMode::TimeAndIdDescending => end.map(|end| Marker::Time(end, Uuid::nil())),
    };
    let after = match &query.after {
        Some(ApiMarker::Time(time, id)) => Some(Marker::Time(*time, *id)),
        _ => first,
    };
    let mut entries: Vec<AuditEntry> =
        cx.tx.page(ListBy::All, query.sort.sort(), after, paging::limit(query))?;
    entries.retain(|entry| {
        let completed = entry.meta.time_created;
        completed >= start && end.is_none_or(|end| completed < end)
    });
    Ok(query.results(entries.into_iter().map(to_view).collect()))
}

fn to_view(entry: AuditEntry) -> api::AuditLogEntry {
    api::AuditLogEntry {
        id: entry.meta.id,
        request_id: entry.request_id.to_string(),
        request_uri: uri_view(entry.request_uri, entry.transferred, entry.viewed_as),
        operation_id: entry.operation_id,
        source_ip: entry.source_ip.unwrap_or(Ipv4Addr::UNSPECIFIED.into()),
        user_agent: entry.user_agent,
        actor: match entry.actor {
            AuditActor::SiloUser { silo_user_id, silo_id } => {
                api::AuditLogEntryActor::SiloUser { silo_user_id, silo_id }
            }
            AuditActor::UserBuiltin { user_builtin_id } => {
                api::AuditLogEntryActor::UserBuiltin { user_builtin_id }
            }
            AuditActor::Unauthenticated => api::AuditLogEntryActor::Unauthenticated,
        },
        auth_method: entry.auth_method,
        time_started: entry.time_started,
        time_completed: entry.meta.time_created,
        result: result_view(entry.result),
    }
}

/// The requested URI with what the contract has no place for. URIs of requests have no fragment, so clients cannot forge
/// one.
fn uri_view(uri: String, transferred: Option<Transferred>, viewed_as: Option<Uuid>) -> String {
    let mut notes = Vec::new();
    if let Some(Transferred { from_client, to_client }) = transferred {
        notes.push(format!("from_client={from_client}&to_client={to_client}"));
    }
    notes.extend(viewed_as.map(|user| format!("view_as={user}")));
    if notes.is_empty() { uri } else { format!("{uri}#{}", notes.join("&")) }
}

/// The result of an operation, as shown to clients.
pub(crate) fn result_view(result: AuditResult) -> api::AuditLogEntryResult {
    match result {
        AuditResult::Success { http_status_code } => api::AuditLogEntryResult::Success { http_status_code },
        AuditResult::Error { http_status_code, error_code, error_message } => {
            api::AuditLogEntryResult::Error { http_status_code, error_code, error_message }
        }
        AuditResult::Unknown => api::AuditLogEntryResult::Unknown,
    }
}

/// Truncates a text to a number of bytes and marks the truncation.
pub(crate) fn cut(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let kept = text.floor_char_boundary(max.saturating_sub(CUT.len()));
    format!("{}{CUT}", &text[..kept])
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn texts_are_truncated_at_characters_and_marked() {
        assert_eq!(cut("abc", 512), "abc");
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abc…");
        assert_eq!(cut("aäbcdef", 5), "a…");
        assert_eq!(cut("aäbcdef", 6), "aä…");
    }
}
