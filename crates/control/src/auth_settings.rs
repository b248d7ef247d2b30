//! Settings of a silo for the tokens of its users (`docs/rules/identity-and-system.md#tokens-of-a-silo`), and for their
//! sign-in, which is an extension of the contract.

use croft_api::{
    Error, Result,
    auth_settings::{SignInSettings, SiloAuthSettings, SiloAuthSettingsUpdate},
};
use croft_store::{
    Meta,
    records::{AuthSettings, IdentityMode, Silo},
};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, ReadScope, Resource, SiloDeletion,
    authz::{self, Kind, ResourceScope},
    cascade,
};

crate::authz::kinds! {
    /// The settings for tokens.
    AUTH_SETTINGS = Row::in_silo().fleet(["r", "rm", "rm"]).silo(["r", "r", "rm"]).member("r");
}

crate::authz::operations! {
    contract {
        AUTH_SETTINGS_VIEW = reads(Kind::AUTH_SETTINGS, Permission::Read);
        AUTH_SETTINGS_UPDATE = changes(Kind::AUTH_SETTINGS, Permission::Modify, 200);
    }
}

/// The settings for signing in. Declared separately because the order of operations in answers is fixed.
pub(crate) mod sign_in {
    crate::authz::operations! {
        extensions {
            SIGN_IN_SETTINGS_VIEW = reads(Kind::AUTH_SETTINGS, Permission::Read);
            SIGN_IN_SETTINGS_UPDATE = changes(Kind::AUTH_SETTINGS, Permission::Modify, 200);
        }
    }
}

impl Resource for AuthSettings {
    const DECLARATION: Declaration = Declaration::new(
        ReadScope::Silo(Kind::AUTH_SETTINGS),
        SiloDeletion::Goes(cascade::with_silo_id::<Self>),
    );
}

fn own(caller: &Caller) -> ResourceScope {
    ResourceScope::silo(Kind::AUTH_SETTINGS, caller.silo_id)
}

/// `auth_settings_view`: the settings of the caller's silo.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<SiloAuthSettings> {
    authz::require(cx, caller, &own(caller), &operation::AUTH_SETTINGS_VIEW)?;
    let device_token_max_ttl_seconds = max_ttl(cx, caller.silo_id)?;
    Ok(SiloAuthSettings { silo_id: caller.silo_id, device_token_max_ttl_seconds })
}

/// `auth_settings_update`: applies to tokens created from now on.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &SiloAuthSettingsUpdate,
) -> Result<SiloAuthSettings> {
    authz::require(cx, caller, &own(caller), &operation::AUTH_SETTINGS_UPDATE)?;
    let device_token_max_ttl_seconds = params.device_token_max_ttl_seconds.map(Into::into);
    store(cx, caller.silo_id, |settings| {
        settings.device_token_max_ttl_seconds = device_token_max_ttl_seconds;
    })?;
    Ok(SiloAuthSettings { silo_id: caller.silo_id, device_token_max_ttl_seconds })
}

/// `sign_in_settings_view`: the settings of the caller's silo.
pub fn sign_in_view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<SignInSettings> {
    authz::require(cx, caller, &own(caller), &sign_in::operation::SIGN_IN_SETTINGS_VIEW)?;
    Ok(SignInSettings { require_second_factor: requires_second_factor(cx, caller.silo_id)? })
}

/// `sign_in_settings_update`: applies to sign-ins from now on.
///
/// # Errors
/// `InvalidRequest` for a silo whose users sign in at an identity provider.
pub fn sign_in_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    params: &SignInSettings,
) -> Result<SignInSettings> {
    authz::require(cx, caller, &own(caller), &sign_in::operation::SIGN_IN_SETTINGS_UPDATE)?;
    let silo: Option<Silo> = cx.tx.get(caller.silo_id)?;
    let has_passwords = silo.is_some_and(|silo| silo.identity_mode == IdentityMode::LocalOnly);
    if params.require_second_factor && !has_passwords {
        return Err(Error::invalid_request(
            "The users of this silo sign in at their identity provider. Require a second factor there.",
        ));
    }
    store(cx, caller.silo_id, |settings| settings.require_second_factor = params.require_second_factor)?;
    Ok(params.clone())
}

fn store(cx: &mut Cx<'_, '_>, silo: Uuid, change: impl FnOnce(&mut AuthSettings)) -> Result<()> {
    if let Some(mut settings) = cx.tx.get::<AuthSettings>(silo)? {
        change(&mut settings);
        settings.meta.time_modified = cx.now;
        return Ok(cx.tx.update(&mut settings)?);
    }
    let meta = Meta::new(silo, cx.now);
    let mut settings =
        AuthSettings { meta, device_token_max_ttl_seconds: None, require_second_factor: false };
    change(&mut settings);
    Ok(cx.tx.insert(&settings)?)
}

/// Whether the users of a silo must have a second factor.
pub(crate) fn requires_second_factor(cx: &mut Cx<'_, '_>, silo: Uuid) -> Result<bool> {
    let settings: Option<AuthSettings> = cx.tx.get(silo)?;
    Ok(settings.is_some_and(|settings| settings.require_second_factor))
}

/// The maximum lifetime of tokens created by devices, in seconds; `None` means unlimited.
pub(crate) fn max_ttl(cx: &mut Cx<'_, '_>, silo: Uuid) -> Result<Option<u32>> {
    let settings: Option<AuthSettings> = cx.tx.get(silo)?;
    Ok(settings.and_then(|settings| settings.device_token_max_ttl_seconds))
}
