//! Every operation that changes something leaves one audit log entry for each call, whether it succeeds or fails
//! (`docs/rules/identity-and-system.md#audit-log`).

use std::collections::BTreeSet;

use croft_control::operation;
use croft_store::records::AuditResult;
use uuid::Uuid;

use super::{Documented, documented, fixture::Fixture};
use crate::cloud::Answer;

/// Operations with other methods than GET that are not audited, and the reason.
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

/// Operations with GET that are audited, because they disclose or accept content of instances and of the server.
const AUDITED_READS: [&str; 5] = [
    "instance_graphical_console_stream",
    "instance_serial_console",
    "instance_serial_console_stream",
    "support_bundle_download",
    "support_bundle_download_file",
];

/// Audited operations that do not run to their end here: no caller in the table has a session to end, and no request
/// has the headers of an upgrade.
const NOT_COMPLETED: [&str; 3] =
    ["logout", "instance_serial_console_stream", "instance_graphical_console_stream"];

fn audited(id: &str) -> bool {
    operation::find(id).is_some_and(|operation| operation.audited)
}

/// The IDs of all entries.
pub fn entries(fixture: &Fixture) -> BTreeSet<Uuid> {
    fixture.audit_log().iter().map(|entry| entry.meta.id).collect()
}

/// Compares the entries added since `before` with those expected for the response. Returns a description of the
/// difference.
pub fn check(
    fixture: &Fixture,
    before: &BTreeSet<Uuid>,
    operation: &Documented,
    answer: &Answer,
) -> Option<String> {
    let mut log = fixture.audit_log();
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
    let is_left = audited(&operation.id) && !NOT_COMPLETED.contains(&operation.id.as_str());
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
    assert_eq!(looks, AUDITED_READS.map(str::to_owned).into(), "reads that are audited");
}
