//! Every operation that changes something leaves one entry in the audit log for each caller who asked for it, whatever
//! became of it (`docs/rules/identity-and-system.md#audit-log`).

use std::collections::BTreeSet;

use croft_control::operation;
use croft_store::records::AuditResult;
use uuid::Uuid;

use super::{Documented, documented, world::World};
use crate::cloud::Answer;

/// Operations with another method than GET that are not in the log, and why.
const UNAUDITED: [(&str, &str); 12] = [
    ("device_auth_request", "anybody may ask for a code, and could fill the log with them"),
    ("device_access_token", "polled by devices; that the token was granted is in the log"),
    ("disk_bulk_write_import", "its start and its end are in the log"),
    ("login_saml_begin", "leads to the identity provider"),
    ("vpc_trace", "changes nothing"),
    ("vpc_reachability_changes", "changes nothing"),
    ("instance_preview", "changes nothing"),
    ("account_totp_begin", "changes nothing"),
    ("account_passkey_begin", "changes nothing"),
    ("account_verify_begin", "changes nothing"),
    ("system_timeseries_query", "changes nothing"),
    ("timeseries_query", "changes nothing"),
];

/// Operations with GET that are in the log, because they hand out or take in what is worth knowing of.
const AUDITED_LOOKS: [&str; 4] = [
    "instance_serial_console",
    "instance_serial_console_stream",
    "support_bundle_download",
    "support_bundle_download_file",
];

/// Audited operations that are not carried out here: nobody in the table has a session to be ended, and none of them asks
/// for an upgrade.
const NOT_CARRIED_OUT: [&str; 2] = ["logout", "instance_serial_console_stream"];

fn audited(id: &str) -> bool {
    operation::find(id).is_some_and(|operation| operation.audited)
}

/// The entries there are.
pub fn entries(world: &World) -> BTreeSet<Uuid> {
    world.audit_log().iter().map(|entry| entry.meta.id).collect()
}

/// What is wrong with the entries that an answer left, beside those that were there before.
pub fn check(
    world: &World,
    before: &BTreeSet<Uuid>,
    operation: &Documented,
    answer: &Answer,
) -> Option<String> {
    let mut log = world.audit_log();
    log.retain(|entry| !before.contains(&entry.meta.id));
    let left: Vec<_> =
        log.iter()
            .map(|entry| {
                let status = match &entry.result {
                    AuditResult::Success { http_status_code }
                    | AuditResult::Error { http_status_code, .. } => *http_status_code,
                    AuditResult::Unknown => 0,
                };
                let failed = matches!(entry.result, AuditResult::Error { .. });
                (entry.operation_id.clone(), entry.request_id.to_string(), status, failed)
            })
            .collect();
    let status = answer.status;
    let expected = (operation.id.clone(), answer.header("x-request-id").to_owned(), status, status >= 400);
    let is_left = audited(&operation.id) && !NOT_CARRIED_OUT.contains(&operation.id.as_str());
    let fits = if is_left { left == [expected] } else { left.is_empty() };
    (!fits).then(|| format!("{}: {status} left {left:?} in the audit log", operation.id))
}

#[test]
fn changing_operations_are_audited() {
    let unaudited: BTreeSet<String> = documented()
        .into_iter()
        .filter(|operation| !operation.method.is_safe() && !audited(&operation.id))
        .map(|operation| operation.id)
        .collect();
    let unexplained: Vec<_> =
        unaudited.iter().filter(|id| UNAUDITED.iter().all(|(known, _)| known != id)).collect();
    assert!(unexplained.is_empty(), "neither audited nor explained: {unexplained:?}");
    let looks: BTreeSet<_> = documented()
        .into_iter()
        .filter(|operation| operation.method.is_safe() && audited(&operation.id))
        .map(|operation| operation.id)
        .collect();
    assert_eq!(looks, AUDITED_LOOKS.map(str::to_owned).into(), "audited, though they change nothing");
}
