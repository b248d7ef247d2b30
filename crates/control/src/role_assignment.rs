//! Role assignments.

use croft_api::Result;
use croft_store::{
    ListBy,
    records::{Role, RoleAssignment, RoleIdentity, RoleScope},
};
use uuid::Uuid;

use crate::{Cx, Declaration, ReadScope, Resource, SiloDeletion, paging};

impl Resource for RoleAssignment {
    const DECLARATION: Declaration = Declaration::new(
        ReadScope::Policy,
        SiloDeletion::Goes(|cx, owners| forget(cx, RoleScope::Silo(owners.silo))),
    )
    .deleted_with_project(|cx, project| forget(cx, RoleScope::Project(project.meta.id)));
}

/// Assigns a role. `silo` is the silo of the scope.
pub(crate) fn assign(
    cx: &mut Cx<'_, '_>,
    scope: RoleScope,
    silo: Option<Uuid>,
    identity: RoleIdentity,
    role: Role,
) -> Result<()> {
    let meta = cx.new_meta();
    Ok(cx.tx.insert(&RoleAssignment { meta, scope, silo_id: silo, identity, role })?)
}

/// Removes every assignment on a scope that is being deleted.
fn forget(cx: &mut Cx<'_, '_>, scope: RoleScope) -> Result<()> {
    for mut assignment in stored(cx, scope)? {
        cx.tx.delete(&mut assignment, cx.now)?;
    }
    Ok(())
}

/// Every assignment on a scope.
pub(crate) fn stored(cx: &mut Cx<'_, '_>, scope: RoleScope) -> Result<Vec<RoleAssignment>> {
    paging::all(cx.tx, &ListBy::Parent(scope.id()))
}
