//! What those may know of an entry who do not read the audit log.

use croft_api::{
    Result,
    activity::{ActivityActor, ActivityOperation},
};
use croft_store::records::{AuditActor, AuditEntry, SiloUser};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, Permission, ResourceScope},
};

/// Whether the caller may read the whole audit log.
pub(crate) fn is_readable(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<bool> {
    authz::permits(cx, caller, &ResourceScope::fleet(Kind::AUDIT_LOG), Permission::List)
}

/// The operation of an entry. Who asked for it is told within the same silo, and to readers of the whole audit log.
pub(crate) fn to_operation(
    cx: &mut Cx<'_, '_>,
    silo: Uuid,
    reads_audit_log: bool,
    entry: &AuditEntry,
) -> Result<ActivityOperation> {
    let actor = match entry.actor {
        AuditActor::SiloUser { silo_user_id, silo_id } if silo_id == silo || reads_audit_log => {
            let user: Option<SiloUser> = cx.tx.get_any(silo_user_id)?;
            user.map(|user| ActivityActor { id: user.meta.id, display_name: user.external_id })
        }
        AuditActor::SiloUser { .. } | AuditActor::UserBuiltin { .. } | AuditActor::Unauthenticated => None,
    };
    let result = super::result_view(entry.result.clone());
    Ok(ActivityOperation { operation_id: entry.operation_id.clone(), actor, result })
}
