//! What a silo decides about its users' tokens (`domain/identity-and-system.md`, section 4.5).

use croft_api::{
    Result,
    auth_settings::{SiloAuthSettings, SiloAuthSettingsUpdate},
};
use croft_store::{Meta, records::AuthSettings};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, Place},
    operation,
};

fn own(caller: &Caller) -> Place {
    Place::silo(Kind::AuthSettings, caller.silo_id)
}

/// `auth_settings_view`: of the caller's silo.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<SiloAuthSettings> {
    authz::require(cx, caller, &own(caller), &operation::AUTH_SETTINGS_VIEW)?;
    let device_token_max_ttl_seconds = max_ttl(cx, caller.silo_id)?;
    Ok(SiloAuthSettings { silo_id: caller.silo_id, device_token_max_ttl_seconds })
}

/// `auth_settings_update`: for tokens made from now on.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &SiloAuthSettingsUpdate,
) -> Result<SiloAuthSettings> {
    authz::require(cx, caller, &own(caller), &operation::AUTH_SETTINGS_UPDATE)?;
    let device_token_max_ttl_seconds = params.device_token_max_ttl_seconds.map(Into::into);
    if let Some(mut settings) = cx.tx.get::<AuthSettings>(caller.silo_id)? {
        settings.device_token_max_ttl_seconds = device_token_max_ttl_seconds;
        settings.meta.time_modified = cx.now;
        cx.tx.update(&mut settings)?;
    } else {
        let meta = Meta::new(caller.silo_id, cx.now);
        cx.tx.insert(&AuthSettings { meta, device_token_max_ttl_seconds })?;
    }
    Ok(SiloAuthSettings { silo_id: caller.silo_id, device_token_max_ttl_seconds })
}

/// The longest life of a token made by a device, in seconds; none means that there is no limit.
pub(crate) fn max_ttl(cx: &mut Cx<'_, '_>, silo: Uuid) -> Result<Option<u32>> {
    let settings: Option<AuthSettings> = cx.tx.get(silo)?;
    Ok(settings.and_then(|settings| settings.device_token_max_ttl_seconds))
}
