//! The serial console (`docs/rules/compute-and-storage.md#serial-console`).

use croft_api::{
    Error, Result,
    scalar::NameOrId,
    serial::{DEFAULT_MAX_BYTES, InstanceSerialConsoleData, InstanceSerialConsoleQuery},
};
use croft_sled::{SerialError, SerialLine};
use croft_store::records::Transferred;
use uuid::Uuid;

use super::{Console, find};
use crate::{Caller, Cx, instance::operation};

/// Maximum number of bytes of history in one answer: everything that a line keeps.
const MAX_BYTES: u64 = 2 << 20;

/// The first step of `instance_serial_console`: the machine whose history is read.
pub fn serial_machine(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Uuid> {
    Console::Serial.machine(cx, caller, instance, project, &operation::INSTANCE_SERIAL_CONSOLE)
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
