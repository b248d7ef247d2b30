//! Deletion of the rows that belong to a silo. Each table says in its [declaration](crate::Declaration) what happens to
//! its rows.

use std::collections::BTreeMap;

use croft_api::Result;
use croft_store::{
    ListBy, Record, Tx,
    records::{SiloGroup, SiloUser},
};
use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    Cx, SiloDeletion, paging,
    resource::{RESOURCES, SiloOwners},
};

/// Removes everything that belongs to a silo, in the reverse order in which the tables were created.
pub(crate) fn remove(cx: &mut Cx<'_, '_>, silo: Uuid) -> Result<()> {
    let users: Vec<SiloUser> = paging::all(cx.tx, &ListBy::Parent(silo))?;
    let groups: Vec<SiloGroup> = paging::all(cx.tx, &ListBy::Parent(silo))?;
    let owners = SiloOwners {
        silo,
        users: users.iter().map(|user| user.meta.id).collect(),
        groups: groups.iter().map(|group| group.meta.id).collect(),
    };
    for entry in RESOURCES.iter().rev() {
        if let SiloDeletion::Goes(remove) = entry.declaration.silo_deletion {
            remove(cx, &owners)?;
        }
    }
    Ok(())
}

/// The number of live rows of a silo in each table whose rows must not outlive it. Scans the whole database: for tests.
pub fn census(tx: &mut Tx<'_>, silo: Uuid) -> Result<BTreeMap<&'static str, usize>> {
    let mortal =
        RESOURCES.iter().filter(|entry| !matches!(entry.declaration.silo_deletion, SiloDeletion::Stays));
    mortal.map(|entry| Ok((entry.table.name, (entry.count_of_silo)(tx, silo)?))).collect()
}

/// Whether the rows of a table are all inside projects: for tests.
pub fn is_of_projects(table: &str) -> bool {
    let in_project = |deletion| matches!(deletion, SiloDeletion::InProject);
    RESOURCES.iter().any(|entry| entry.table.name == table && in_project(entry.declaration.silo_deletion))
}

/// Removes the rows whose parent is the silo.
pub(crate) fn with_silo<R: Record>(cx: &mut Cx<'_, '_>, owners: &SiloOwners) -> Result<()> {
    remove_all::<R>(cx.tx, &ListBy::Parent(owners.silo), cx.now)
}

/// Removes the rows whose parent is a user of the silo.
pub(crate) fn with_users<R: Record>(cx: &mut Cx<'_, '_>, owners: &SiloOwners) -> Result<()> {
    owners.users.iter().try_for_each(|user| remove_all::<R>(cx.tx, &ListBy::Parent(*user), cx.now))
}

/// Removes the rows whose parent is a group of the silo.
pub(crate) fn with_groups<R: Record>(cx: &mut Cx<'_, '_>, owners: &SiloOwners) -> Result<()> {
    owners.groups.iter().try_for_each(|group| remove_all::<R>(cx.tx, &ListBy::Parent(*group), cx.now))
}

/// Removes the row that has the silo's id.
pub(crate) fn with_silo_id<R: Record>(cx: &mut Cx<'_, '_>, owners: &SiloOwners) -> Result<()> {
    cx.tx.remove::<R>(owners.silo, cx.now)?;
    Ok(())
}

/// Removes the rows of a list.
pub(crate) fn remove_all<R: Record>(tx: &mut Tx<'_>, by: &ListBy, now: Timestamp) -> Result<()> {
    for record in paging::all::<R>(tx, by)? {
        tx.remove::<R>(record.meta().id, now)?;
    }
    Ok(())
}
