//! The serial console (`docs/rules/compute-and-storage.md#serial-console`).

use croft_api::{
    Error, Result,
    instance::InstanceState,
    scalar::NameOrId,
    serial::{DEFAULT_MAX_BYTES, InstanceSerialConsoleData, InstanceSerialConsoleQuery},
};
use croft_sled::{SerialError, SerialLine};
use croft_store::records::{Instance, Transferred};
use uuid::Uuid;

use super::find;
use crate::{AuthMethod, Caller, Cx, Operation, audit, instance::operation};

/// Maximum number of bytes of history in one answer: everything that a line keeps.
const MAX_BYTES: u64 = 2 << 20;

/// The first step of `instance_serial_console`: the machine whose history is read.
pub fn serial_machine(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Uuid> {
    machine(cx, caller, instance, project, &operation::INSTANCE_SERIAL_CONSOLE)
}

/// The last step of `instance_serial_console`: writes an audit entry for the data that was `read`, before it is
/// returned.
pub fn serial_was_read(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
    read: &Result<usize>,
) -> Result<()> {
    find(cx, caller, instance, project)?.authorize(cx, caller, &operation::INSTANCE_SERIAL_CONSOLE)?;
    let to_client = read.clone()? as u64;
    cx.transferred = Some(Transferred { from_client: 0, to_client });
    Ok(())
}

/// A session of a serial console.
#[derive(Clone, Copy, Debug)]
pub struct SerialSession {
    /// The machine that the line belongs to.
    pub machine_id: Uuid,
    instance_id: Option<Uuid>,
    user_id: Uuid,
    silo_id: Uuid,
    method: AuthMethod,
}

/// The first step of `instance_serial_console_stream`: starts a session, and writes the audit entry of this operation.
pub fn serial_stream_begin(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<SerialSession> {
    let machine_id = serial_stream_machine(cx, caller, instance, project)?;
    let (instance_id, method) = (cx.instance_id, caller.method);
    Ok(SerialSession { machine_id, instance_id, user_id: caller.user_id, silo_id: caller.silo_id, method })
}

/// The last step of `instance_serial_console_stream`: writes the audit entry of the session's end, even if the user has
/// lost access since.
pub fn serial_stream_end(
    cx: &mut Cx<'_, '_>,
    session: &SerialSession,
    transferred: Transferred,
) -> Result<()> {
    cx.instance_id = session.instance_id;
    cx.transferred = Some(transferred);
    let caller = Caller::new(session.user_id, session.silo_id, session.method, None);
    audit::record(cx, Some(&caller), &operation::INSTANCE_SERIAL_CONSOLE_STREAM_END, None)
}

/// The machine whose line the session may currently read and write.
pub fn serial_stream_machine(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Uuid> {
    machine(cx, caller, instance, project, &operation::INSTANCE_SERIAL_CONSOLE_STREAM)
}

fn machine(
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
        return Err(Error::invalid_request(format!(
            "instance is {label} and has no active serial console server"
        )));
    };
    match state {
        InstanceState::Running | InstanceState::Rebooting | InstanceState::Migrating => Ok(machine.id),
        _ => Err(Error::invalid_request(format!(
            "cannot connect to serial console of instance in state \"{label}\""
        ))),
    }
}

/// The second step of `instance_serial_console`: the part of the line's history that was requested.
pub fn serial_history(
    line: &SerialLine,
    query: &InstanceSerialConsoleQuery,
) -> Result<InstanceSerialConsoleData> {
    let start = match (query.from_start, query.most_recent) {
        (Some(start), None) => start,
        (None, Some(count)) => line.start_of_most_recent(count),
        _ => {
            return Err(Error::invalid_request(
                "Exactly one of 'from_start' or 'most_recent' must be specified.",
            ));
        }
    };
    let max = query.max_bytes.unwrap_or(DEFAULT_MAX_BYTES).min(MAX_BYTES);
    let chunk =
        line.read_from(start, usize::try_from(max).unwrap_or(usize::MAX)).map_err(|error| match error {
            SerialError::NotHeld { .. } => Error::invalid_request(error.to_string()),
        })?;
    let last_byte_offset = chunk.end();
    Ok(InstanceSerialConsoleData { data: chunk.bytes, last_byte_offset })
}
