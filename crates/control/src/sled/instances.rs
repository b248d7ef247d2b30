use std::collections::BTreeMap;

use croft_api::{
    Error, Result,
    hardware::SledInstance,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
};
use croft_store::{
    ListBy,
    records::{Instance, Machine, Project, Silo},
};
use uuid::Uuid;

use super::find;
use crate::{Caller, Cx, paging, sled::operation};

/// `sled_instance_list`: of all silos.
pub fn instance_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    sled: Uuid,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<SledInstance>> {
    let sled = find(cx, sled)?.authorize(cx, caller, &operation::SLED_INSTANCE_LIST)?;
    // Machines have their own ids here, not those of their instances. All machines of a sled are read, because their
    // number is limited.
    let machines: Vec<Machine> = paging::all(cx.tx, &ListBy::Parent(sled.meta.id))?;
    let mut machines: BTreeMap<Uuid, Machine> =
        machines.into_iter().map(|machine| (machine.instance_id, machine)).collect();
    let ids = paging::cut(machines.keys().copied().collect(), query);
    let page = ids.iter().filter_map(|id| machines.remove(id));
    let views: Result<Vec<SledInstance>> = page.map(|machine| to_view(cx, &machine)).collect();
    Ok(query.results(views?))
}

fn to_view(cx: &mut Cx<'_, '_>, machine: &Machine) -> Result<SledInstance> {
    let missing = || Error::internal(format!("machine {} has no instance", machine.meta.id));
    let instance: Instance = cx.tx.get(machine.instance_id)?.ok_or_else(missing)?;
    let project: Project = cx.tx.get(machine.project_id)?.ok_or_else(missing)?;
    let silo: Silo = cx.tx.get(machine.silo_id)?.ok_or_else(missing)?;
    Ok(SledInstance {
        id: instance.meta.id,
        time_created: instance.meta.time_created,
        time_modified: instance.meta.time_modified,
        active_sled_id: machine.sled_id,
        migration_id: None,
        state: instance.run_state(),
        name: instance.name,
        silo_name: silo.name,
        project_name: project.name,
        ncpus: i64::try_from(machine.cpus).unwrap_or(i64::MAX),
        memory: i64::try_from(machine.memory).unwrap_or(i64::MAX),
    })
}
