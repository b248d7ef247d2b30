//! Instances (`docs/rules/compute-and-storage.md#instances`).

mod activity;
mod attach;
mod console;
mod create;
mod delete;
mod keys;
mod network;
mod placement;
mod power;
mod preview;
mod serial;
mod state;
mod update;

use croft_api::{
    ResourceKind, Result, instance as api,
    list::{FoundPage, ListQuery},
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::ProjectSelector,
    scalar::NameOrId,
};
use croft_store::{
    ListBy,
    records::{Instance, InstanceActivity, Machine, MachineRemoval},
};
use uuid::Uuid;

pub use activity::list as activity_list;
pub(crate) use activity::{record as record_activity, record_for as record_activity_for};
pub use attach::{disk_attach, disk_detach, disk_list};
pub use console::{
    Console, StreamSession, console_stream_begin, console_stream_end, console_stream_machine,
    graphical_console_picture_machine,
};
pub use create::create;
pub use delete::delete;
pub use keys::ssh_public_key_list;
pub(crate) use power::probe_unseen;
pub(crate) use power::restart;
pub use power::{Probe, ProbeOutcome, probe, reboot, start, stop};
pub use preview::preview;
pub use serial::{serial_history, serial_machine, serial_was_read};
pub(crate) use state::{lost_note, machine_ended, machine_lost, machine_refused, save, set_stage};
pub use update::update;

pub use crate::activity_note::ActivityNote;
use crate::{
    Caller, Cx, Declaration, LookupResult, Resource, Settings, SiloDeletion,
    authz::Kind,
    deletable::Deletable,
    listing::{self, Within},
    paging,
    project::{self, InProject},
};

crate::authz::kinds! {
    /// Resources that belong to one instance.
    INSTANCE = Row::in_project();
}

crate::authz::operations! {
    contract {
        INSTANCE_LIST = reads(Kind::PROJECT, Permission::List);
        INSTANCE_CREATE = changes(Kind::PROJECT, Permission::Create, 201);
        INSTANCE_VIEW = reads(Kind::INSTANCE, Permission::Read);
        INSTANCE_UPDATE = changes(Kind::INSTANCE, Permission::Modify, 200);
        INSTANCE_DELETE = changes(Kind::INSTANCE, Permission::Modify, 204);
        INSTANCE_START = changes(Kind::INSTANCE, Permission::Modify, 202);
        INSTANCE_STOP = changes(Kind::INSTANCE, Permission::Modify, 202);
        INSTANCE_REBOOT = changes(Kind::INSTANCE, Permission::Modify, 202);
        INSTANCE_SERIAL_CONSOLE = passes(Kind::INSTANCE, Permission::Read, 200);
        INSTANCE_SERIAL_CONSOLE_STREAM = passes(Kind::INSTANCE, Permission::Modify, 101);
        INSTANCE_SSH_PUBLIC_KEY_LIST = reads(Kind::INSTANCE, Permission::List);
        INSTANCE_DISK_LIST = reads(Kind::INSTANCE, Permission::List);
        INSTANCE_DISK_ATTACH = changes(Kind::INSTANCE, Permission::Modify, 202);
        INSTANCE_DISK_DETACH = changes(Kind::INSTANCE, Permission::Modify, 202);
    }
    extensions {
        INSTANCE_SEARCH = reads(Kind::PROJECT, Permission::List);
        INSTANCE_PREVIEW = reads(Kind::PROJECT, Permission::Create);
        INSTANCE_ACTIVITY_LIST = reads(Kind::INSTANCE, Permission::Read);
        INSTANCE_GRAPHICAL_CONSOLE_PICTURE = reads(Kind::INSTANCE, Permission::Read);
        INSTANCE_GRAPHICAL_CONSOLE_STREAM = passes(Kind::INSTANCE, Permission::Modify, 101);
    }
    internal {
        /// The end of a serial console session. The start of the session has the entry of the operation.
        INSTANCE_SERIAL_CONSOLE_STREAM_END = passes(Kind::INSTANCE, Permission::Modify, 200);
        /// The same of a graphical console.
        INSTANCE_GRAPHICAL_CONSOLE_STREAM_END = passes(Kind::INSTANCE, Permission::Modify, 200);
    }
}

impl Resource for Instance {
    const DECLARATION: Declaration = Declaration::in_project(Kind::INSTANCE)
        .message(ResourceKind::Instance)
        .blocks_project(1)
        .deletable(Self::DELETABLE);

    fn as_instance(&self) -> Option<Uuid> {
        Some(self.meta.id)
    }
}

impl InProject for Instance {
    const REFUSALS: [&'static str; 2] = [
        "when providing instance as an ID project should not be specified",
        "instance should either be UUID or project should be specified",
    ];
}

impl Resource for InstanceActivity {
    const DECLARATION: Declaration = Declaration::in_project(Kind::INSTANCE);
}

impl Resource for Machine {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::InProject);
}

impl Resource for MachineRemoval {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// Maximum number of disks of an instance, including the boot disk.
pub(crate) const MAX_DISKS: usize = 8;

pub(crate) fn to_view(instance: &Instance, settings: &Settings) -> api::Instance {
    api::Instance {
        id: instance.meta.id,
        name: instance.name.clone(),
        description: instance.description.clone(),
        time_created: instance.meta.time_created,
        time_modified: instance.meta.time_modified,
        project_id: instance.project_id,
        hostname: instance.hostname.to_string(),
        ncpus: instance.ncpus,
        memory: instance.memory,
        boot_disk_id: instance.boot_disk_id,
        run_state: instance.run_state(),
        time_run_state_updated: instance.time_run_state_updated,
        auto_restart_policy: instance.auto_restart_policy.map(Into::into),
        auto_restart_enabled: state::restarts_automatically(instance),
        time_last_auto_restarted: instance.time_last_auto_restarted,
        auto_restart_cooldown_expiration: state::cooldown_expiration(instance, settings),
    }
}

/// Looks an instance up: by id without a project, or by name within one.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<LookupResult<Instance>> {
    project::find_inside(cx, caller, instance, project)
}

/// `instance_list`: the instances of a project.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<ProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Instance>> {
    let project = project::find(cx, caller, &query.selector.project)?.authorize(
        cx,
        caller,
        &operation::INSTANCE_LIST,
    )?;
    let instances: Vec<Instance> = paging::page(cx.tx, ListBy::Parent(project.meta.id), query)?;
    let settings = cx.settings();
    Ok(query.results(instances.iter().map(|instance| to_view(instance, settings)).collect()))
}

/// `instance_search`: the instances of a project that are searched for.
pub fn search(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &ListQuery<ProjectSelector>,
) -> Result<FoundPage<api::Instance>> {
    let project = project::find(cx, caller, &query.selector.of.project)?;
    let project = project.authorize(cx, caller, &operation::INSTANCE_SEARCH)?;
    let found = listing::find::<Instance, _>(
        cx,
        Within::project(project.meta.id),
        query,
        Some(|instance| instance.run_state().label()),
    )?;
    let settings = cx.settings();
    Ok(found.page(query, |instance| to_view(instance, settings)))
}

/// `instance_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::Instance> {
    let instance = find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_VIEW)?;
    Ok(to_view(&instance, cx.settings()))
}
