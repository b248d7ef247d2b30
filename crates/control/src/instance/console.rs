//! The consoles of an instance: who may use them, when, and what the audit log says of it
//! (`docs/rules/compute-and-storage.md#serial-console`, `docs/rules/compute-and-storage.md#graphical-console`).

use croft_api::{Error, Result, instance::InstanceState, scalar::NameOrId};
use croft_store::records::{Instance, Transferred};
use uuid::Uuid;

use super::find;
use crate::{AuthMethod, Caller, Cx, Operation, audit, instance::operation};

/// A console that can be used for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Console {
    /// The serial line.
    Serial,
    /// Screen, keyboard and mouse.
    Graphical,
}

impl Console {
    const fn stream(self) -> &'static Operation {
        match self {
            Self::Serial => &operation::INSTANCE_SERIAL_CONSOLE_STREAM,
            Self::Graphical => &operation::INSTANCE_GRAPHICAL_CONSOLE_STREAM,
        }
    }

    const fn stream_end(self) -> &'static Operation {
        match self {
            Self::Serial => &operation::INSTANCE_SERIAL_CONSOLE_STREAM_END,
            Self::Graphical => &operation::INSTANCE_GRAPHICAL_CONSOLE_STREAM_END,
        }
    }

    /// The machine whose console the caller may use for an operation.
    pub(super) fn machine(
        self,
        cx: &mut Cx<'_, '_>,
        caller: &Caller,
        instance: &NameOrId,
        project: Option<&NameOrId>,
        operation: &Operation,
    ) -> Result<Uuid> {
        let instance: Instance =
            find(cx, caller, instance, project)?.authorize(cx, caller, operation)?.into_inner();
        let state = instance.run_state();
        let label = state.label();
        let Some(machine) = instance.machine() else {
            return Err(Error::invalid_request(match self {
                Self::Serial => format!("instance is {label} and has no active serial console server"),
                Self::Graphical => format!("instance is {label} and has no screen"),
            }));
        };
        let name = match self {
            Self::Serial => "serial console",
            Self::Graphical => "graphical console",
        };
        match state {
            InstanceState::Running | InstanceState::Rebooting | InstanceState::Migrating => Ok(machine.id),
            _ => Err(Error::invalid_request(format!(
                "cannot connect to {name} of instance in state \"{label}\""
            ))),
        }
    }
}

/// A session at a console.
#[derive(Clone, Copy, Debug)]
pub struct StreamSession {
    /// The machine that the console belongs to.
    pub machine_id: Uuid,
    console: Console,
    instance_id: Option<Uuid>,
    user_id: Uuid,
    silo_id: Uuid,
    method: AuthMethod,
}

/// The first step of `instance_serial_console_stream` and `instance_graphical_console_stream`: starts a session, and writes
/// the audit entry of the operation.
pub fn console_stream_begin(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    console: Console,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<StreamSession> {
    let machine_id = console_stream_machine(cx, caller, console, instance, project)?;
    let Caller { user_id, silo_id, method, .. } = *caller;
    Ok(StreamSession { machine_id, console, instance_id: cx.instance_id, user_id, silo_id, method })
}

/// The last step of a stream: writes the audit entry of the session's end, even if the user has lost access since.
pub fn console_stream_end(
    cx: &mut Cx<'_, '_>,
    session: &StreamSession,
    transferred: Transferred,
) -> Result<()> {
    cx.instance_id = session.instance_id;
    cx.transferred = Some(transferred);
    let caller = Caller::new(session.user_id, session.silo_id, session.method, None);
    audit::record(cx, Some(&caller), session.console.stream_end(), None)
}

/// The machine whose console the session may currently use.
pub fn console_stream_machine(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    console: Console,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Uuid> {
    console.machine(cx, caller, instance, project, console.stream())
}

/// The rule of `instance_graphical_console_picture`: the machine whose screen is shown.
pub fn graphical_console_picture_machine(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Uuid> {
    let operation = &operation::INSTANCE_GRAPHICAL_CONSOLE_PICTURE;
    Console::Graphical.machine(cx, caller, instance, project, operation)
}
