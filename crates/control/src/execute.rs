//! Runs rules: resolves the caller, applies effects, writes the audit log.

use croft_api::Result;

use crate::{
    AfterError, Caller, Credentials, Cx, Operation, audit, authn, device, instance, second_factor, view_as,
};

/// The recorded cause when a request finds that an instance's machine is lost.
const UNKNOWN_WHEN_ASKED: &str =
    "The host lost the instance's machine, for example because the host restarted.";

/// Runs a rule that only reads. `operation` is `None` if it is not an operation of the API.
pub fn read<T>(
    cx: &mut Cx<'_, '_>,
    credentials: &Credentials,
    operation: Option<&Operation>,
    rule: impl FnOnce(&mut Cx<'_, '_>, &Caller) -> Result<T>,
) -> Result<T> {
    let caller = authn::resolve_for(cx, credentials, operation)?;
    if let Some(operation) = operation {
        view_as::refuse_during_view(cx, &caller, operation)?;
    }
    rule(cx, &caller)
}

/// Runs a rule that may write, and writes the audit entry in the same transaction, whether or not the rule succeeds.
/// The inner result is that of the rule. The outer one is an error only if nothing may be committed: the caller is
/// unknown, the store failed, or the rule [must run again](Cx::runs_again) once a host has made something.
pub fn write<T>(
    cx: &mut Cx<'_, '_>,
    credentials: &Credentials,
    operation: &Operation,
    rule: impl FnOnce(&mut Cx<'_, '_>, &Caller) -> Result<T>,
) -> Result<Result<T>> {
    let caller = authn::resolve_for(cx, credentials, Some(operation))?;
    write_as(cx, &caller, operation, |cx, caller| {
        view_as::refuse_during_view(cx, caller, operation)?;
        rule(cx, caller)
    })
}

/// Like [`write()`], on behalf of a caller who is known already.
pub(crate) fn write_as<T>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    operation: &Operation,
    rule: impl FnOnce(&mut Cx<'_, '_>, &Caller) -> Result<T>,
) -> Result<Result<T>> {
    audit::begin(cx);
    let result = cx.attempt(|cx| rule(cx, caller));
    if let Err(error) = &result {
        if audit::is_transient(error) || (cx.runs_again && cx.unfinished.is_some()) {
            return Err(error.clone());
        }
        match cx.after_error.take() {
            None => {}
            Some(AfterError::MachineLost { instance_id, machine_id, wanted }) => {
                let note = instance::lost_note(UNKNOWN_WHEN_ASKED);
                instance::machine_lost(cx, instance_id, machine_id, Some(wanted), note)?;
            }
            Some(AfterError::StartRefused { instance_id, note }) => {
                instance::record_activity_for(cx, instance_id, &note)?;
            }
            Some(AfterError::WrongCode { user_id }) => second_factor::count_wrong_code(cx, user_id)?,
            Some(AfterError::DeviceRequestOver { request_id, is_denied }) => {
                device::use_up(cx, request_id, is_denied)?;
            }
        }
    }
    if operation.audited {
        audit::record(cx, Some(caller), operation, result.as_ref().err())?;
    }
    Ok(result)
}

/// Runs a rule for the operator on the server's own host, who needs no credentials, and writes the audit entry like
/// [`write()`]. The results are those of [`write()`].
pub fn on_host<T>(
    cx: &mut Cx<'_, '_>,
    operation: &Operation,
    rule: impl FnOnce(&mut Cx<'_, '_>) -> Result<T>,
) -> Result<Result<T>> {
    audit::begin(cx);
    let result = cx.attempt(rule);
    if let Err(error) = &result
        && audit::is_transient(error)
    {
        return Err(error.clone());
    }
    audit::record_of_system(cx, operation, result.as_ref().err())?;
    Ok(result)
}
