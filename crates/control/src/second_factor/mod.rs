//! Second factors of users who sign in with a local password. All operations are extensions of the contract.
//!
//! After the password, a session of a user with a second factor can be used only to present that: an app's code, a
//! recovery code or a passkey. The contents of passkeys are opaque here: the implementation of [`PasskeyCheck`] reads
//! and writes them.

mod ceremony;
mod passkey;
mod recovery;
mod set_up;
mod totp;
mod verify;

use croft_api::{
    Error, Result,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::{Name, NameOrId, UserId},
    second_factor as api,
};
use croft_store::{
    ListBy, Tx,
    records::{AccessToken, PendingStep, SecondFactor, SecondFactorReserve, SiloUser},
};
use uuid::Uuid;

pub use passkey::{
    PasskeyCheck, PasskeyOwner, PasskeyRefusal, StoredPasskey, UsedPasskey, passkey_begin, passkey_check,
    passkey_create, passkey_owner, passkey_registration, passkey_use_begin,
};
pub use set_up::{delete, recovery_codes_create, recovery_codes_view, rename, totp_begin, totp_create};
pub use totp::shown_at as totp_code;
pub(crate) use verify::count_wrong_code;
pub use verify::{Options, PresentedFactor, account, options, verify};

use crate::{
    Caller, Cx, Declaration, Resource, SiloDeletion, auth_settings,
    authz::{self, Kind, ResourceScope},
    cascade, paging, session, token, user,
};

crate::authz::kinds! {
    /// A user's second factors and recovery codes.
    SECOND_FACTOR = Row::of_user().owner("rlcm");
}

crate::authz::operations! {
    extensions {
        ACCOUNT_SECOND_FACTOR_LIST = reads(Kind::SECOND_FACTOR, Permission::List).personal();
        // The first half of setting up a second factor changes nothing.
        ACCOUNT_TOTP_BEGIN = changes(Kind::SECOND_FACTOR, Permission::Create, 200).not_audited().part_of(&[
            PendingStep::SetUpSecondFactor,
        ]);
        ACCOUNT_TOTP_CREATE =
            changes(Kind::SECOND_FACTOR, Permission::Create, 201).part_of(&[PendingStep::SetUpSecondFactor]);
        ACCOUNT_PASSKEY_BEGIN = changes(Kind::SECOND_FACTOR, Permission::Create, 200).not_audited().part_of(&[
            PendingStep::SetUpSecondFactor,
        ]);
        ACCOUNT_PASSKEY_CREATE =
            changes(Kind::SECOND_FACTOR, Permission::Create, 201).part_of(&[PendingStep::SetUpSecondFactor]);
        ACCOUNT_SECOND_FACTOR_UPDATE = changes(Kind::SECOND_FACTOR, Permission::Modify, 200);
        ACCOUNT_SECOND_FACTOR_DELETE = changes(Kind::SECOND_FACTOR, Permission::Modify, 204);
        ACCOUNT_RECOVERY_CODES_VIEW = reads(Kind::SECOND_FACTOR, Permission::Read).personal();
        ACCOUNT_RECOVERY_CODES_CREATE = changes(Kind::SECOND_FACTOR, Permission::Create, 201);
        ACCOUNT_VERIFY_BEGIN = open_reads(Kind::SILO_USER, 200).part_of(&[PendingStep::VerifySecondFactor]);
        ACCOUNT_VERIFY = open_changes(Kind::SILO_USER, 204).part_of(&[PendingStep::VerifySecondFactor]);
    }
    internal {
        /// The removal of second factors by `croft admin reset-second-factor`.
        ADMIN_RESET_SECOND_FACTOR = changes(Kind::SILO_USER, Permission::Modify, 204);
    }
}

impl Resource for SecondFactor {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(cascade::with_users::<Self>));
}

impl Resource for SecondFactorReserve {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(cascade::with_users::<Self>));
}

fn own(caller: &Caller) -> ResourceScope {
    ResourceScope::user(Kind::SECOND_FACTOR, caller.silo_id, caller.user_id)
}

fn to_view(factor: &SecondFactor) -> api::SecondFactor {
    api::SecondFactor {
        id: factor.meta.id,
        name: factor.name.clone(),
        kind: factor.kind(),
        time_created: factor.meta.time_created,
        time_last_used: factor.time_last_used,
    }
}

/// `account_second_factor_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<api::SecondFactor>> {
    authz::require(cx, caller, &own(caller), &operation::ACCOUNT_SECOND_FACTOR_LIST)?;
    let factors: Vec<SecondFactor> = paging::page(cx.tx, ListBy::Parent(caller.user_id), query)?;
    Ok(query.results(factors.iter().map(to_view).collect()))
}

/// Whether a user has a second factor.
pub(crate) fn has_any(tx: &mut Tx<'_>, user: Uuid) -> Result<bool> {
    Ok(tx.exists::<SecondFactor>(ListBy::Parent(user))?)
}

/// Whether a user must have a second factor. Users who sign in at an identity provider have none here.
pub(crate) fn is_required(cx: &mut Cx<'_, '_>, user: &SiloUser) -> Result<bool> {
    Ok(user.password_hash.is_some() && auth_settings::requires_second_factor(cx, user.silo_id)?)
}

/// The next sign-in step of a user who has given the password, after the step that is `done`, if any.
pub(crate) fn next_step(
    cx: &mut Cx<'_, '_>,
    user: &SiloUser,
    done: Option<PendingStep>,
) -> Result<Option<PendingStep>> {
    let has_any = has_any(cx.tx, user.meta.id)?;
    let lacks_one = !has_any && is_required(cx, user)?;
    let steps = [
        (PendingStep::VerifySecondFactor, has_any),
        (PendingStep::ChoosePassword, user.must_change_password),
        (PendingStep::SetUpSecondFactor, lacks_one),
    ];
    let next = steps.into_iter().find(|(step, is_open)| *is_open && done.is_none_or(|done| *step > done));
    Ok(next.map(|(step, _)| step))
}

/// Removes a user's second factors and recovery codes, and ends the user's sessions and tokens.
fn reset_of(cx: &mut Cx<'_, '_>, user: Uuid) -> Result<()> {
    user::remove_second_factors(cx.tx, user, cx.now)?;
    session::end_all(cx.tx, user, None, cx.now)?;
    cascade::remove_all::<AccessToken>(cx.tx, &ListBy::Parent(user), cx.now)
}

/// `local_idp_user_reset_second_factor`: for a user who has lost all factors. Removes the user's second factors and
/// recovery codes, and ends the user's sessions and tokens. Only for other users, by administrators with at least the
/// user's role on the fleet, because afterwards the password suffices to sign in as the user.
pub fn reset(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId, id: Uuid) -> Result<()> {
    let operation = &user::local::operation::LOCAL_IDP_USER_RESET_SECOND_FACTOR;
    let user = user::find_local(cx, caller, silo, id)?.authorize(cx, caller, operation)?;
    require_may_reset(cx, caller, &user)?;
    reset_of(cx, user.meta.id)
}

/// The requirements in addition to the permission.
pub(crate) fn require_may_reset(cx: &mut Cx<'_, '_>, caller: &Caller, user: &SiloUser) -> Result<()> {
    if user.meta.id == caller.user_id {
        return Err(Error::forbidden(
            "Remove your own second factors in the settings of the console, after signing in with one of them.",
        ));
    }
    authz::fleet::require_as_strong_as(cx, caller, user)
}

/// The same for an operator on the server's own host. Returns whether there was anything to remove.
pub fn reset_on_host(cx: &mut Cx<'_, '_>, silo: &Name, user: &UserId) -> Result<bool> {
    let user = token::user(cx, silo, user)?;
    let had_any = has_any(cx.tx, user.meta.id)?;
    reset_of(cx, user.meta.id)?;
    Ok(had_any)
}

/// Whether a user, given by the names of silo and user, has a second factor, for a hint when an operator changes their
/// password.
pub fn user_has_any(cx: &mut Cx<'_, '_>, silo: &Name, user: &UserId) -> Result<bool> {
    let user = token::user(cx, silo, user)?;
    has_any(cx.tx, user.meta.id)
}
