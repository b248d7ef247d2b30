//! The audit log: one entry per changing operation, in the operation's own transaction.

use croft_api::{Error, Result};
use croft_store::records::{AuditActor, AuditEntry, AuditResult};

use crate::{Caller, Cx, Operation, user_builtin};

/// Most bytes of a request's path and query that an entry keeps.
const MAX_URI: usize = 512;
/// Most bytes of a client's name for itself that an entry keeps.
const MAX_USER_AGENT: usize = 256;

/// Writes the entry of an operation that ended now, with `error` or well. Sign-ins have no caller.
pub fn record(
    cx: &mut Cx<'_, '_>,
    caller: Option<&Caller>,
    operation: &Operation,
    error: Option<&Error>,
) -> Result<()> {
    let actor = caller.map_or(AuditActor::Unauthenticated, |caller| AuditActor::SiloUser {
        silo_user_id: caller.user_id,
        silo_id: caller.silo_id,
    });
    insert(cx, actor, caller.map(|caller| caller.method.label()), operation, error)
}

/// Writes the entry of something done on the server's own host. Who has that host needs no credentials; the built-in
/// user that stands for the system's own components stands for them too.
pub(crate) fn record_on_host(
    cx: &mut Cx<'_, '_>,
    operation: &Operation,
    error: Option<&Error>,
) -> Result<()> {
    let actor = AuditActor::UserBuiltin { user_builtin_id: user_builtin::INTERNAL_API };
    insert(cx, actor, None, operation, error)
}

fn insert(
    cx: &mut Cx<'_, '_>,
    actor: AuditActor,
    method: Option<&str>,
    operation: &Operation,
    error: Option<&Error>,
) -> Result<()> {
    let result = match error {
        None => AuditResult::Success { http_status_code: operation.success },
        Some(error) => AuditResult::Error {
            http_status_code: (cx.environment.status)(error),
            error_code: error.code().map(str::to_owned),
            error_message: error.message(),
        },
    };
    let request = cx.request;
    let entry = AuditEntry {
        meta: cx.new_meta(),
        operation_id: operation.id.to_owned(),
        request_id: request.id,
        request_uri: cut(&request.uri, MAX_URI),
        source_ip: request.source,
        user_agent: request.user_agent.as_deref().map(|text| cut(text, MAX_USER_AGENT)),
        time_started: cx.now,
        actor,
        auth_method: method.map(str::to_owned),
        result,
    };
    Ok(cx.tx.insert(&entry)?)
}

/// Whether an error says nothing about the request, only about the moment: the store will tell, or try again.
pub(crate) fn is_transient(error: &Error) -> bool {
    matches!(error, Error::Unavailable { .. } | Error::Internal { .. })
}

fn cut(text: &str, max: usize) -> String {
    text[..text.floor_char_boundary(max)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(cut("abc", 512), "abc");
        assert_eq!(cut("aäb", 2), "a");
        assert_eq!(cut("aäb", 3), "aä");
    }
}
