//! Operations on the caller's own account that concern signing in. All of them are extensions of the contract.
//!
//! Checking and hashing passwords is slow and happens outside of the rules: [`password_challenge`] returns what the
//! current password is checked against, and [`change_password`] stores the new one.

use croft_api::{Error, Result, account::Account};
use croft_store::records::{ConsoleSession, PendingStep, Silo, SiloUser};
use uuid::Uuid;

use crate::{
    Caller, Cx, second_factor,
    user::{self, NewPassword, PasswordState},
};

crate::authz::operations! {
    extensions {
        ACCOUNT_VIEW = open_reads(Kind::SILO_USER, 200).part_of(&[
            PendingStep::VerifySecondFactor,
            PendingStep::ChoosePassword,
            PendingStep::SetUpSecondFactor,
        ]);
        ACCOUNT_PASSWORD_CHANGE = open_changes(Kind::SILO_USER, 204).part_of(&[PendingStep::ChoosePassword]);
    }
}

/// `account_view`. Also allowed while sign-in steps are pending.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<Account> {
    let user = user_of(cx, caller)?;
    let pending_step = caller.pending.map(|step| match step {
        PendingStep::VerifySecondFactor => croft_api::account::PendingStep::VerifySecondFactor,
        PendingStep::ChoosePassword => croft_api::account::PendingStep::ChoosePassword,
        PendingStep::SetUpSecondFactor => croft_api::account::PendingStep::SetUpSecondFactor,
    });
    Ok(Account {
        id: user.meta.id,
        has_password: user.password_hash.is_some(),
        pending_step,
        has_second_factor: second_factor::has_any(cx.tx, user.meta.id)?,
        second_factor_required: second_factor::is_required(cx, &user)?,
    })
}

fn user_of(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<SiloUser> {
    cx.tx.get(caller.user_id)?.ok_or_else(|| Error::unauthenticated("the user is gone"))
}

/// What the current password is checked against before it is changed.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordChallenge {
    user_id: Uuid,
    hash: String,
    /// Identifies silo and user for counting failed attempts.
    pub account: String,
    /// The user's name, which is not accepted as a password.
    pub user_name: String,
}

impl PasswordChallenge {
    /// The hash of the current password, in PHC form.
    pub fn password_hash(&self) -> &str {
        &self.hash
    }
}

impl std::fmt::Debug for PasswordChallenge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PasswordChallenge").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

/// The first step of `account_password_change`.
///
/// # Errors
/// `ForbiddenText` for a token, `InvalidRequest` for a user who has no local password.
pub fn password_challenge(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<PasswordChallenge> {
    caller.session()?;
    let user = user_of(cx, caller)?;
    let silo: Option<Silo> = cx.tx.get(user.silo_id)?;
    let silo = silo.ok_or_else(|| Error::unauthenticated("the silo is gone"))?;
    let hash = user.password_hash.ok_or_else(|| {
        Error::invalid_request(
            "You have no password in Croft, because you sign in at your identity provider. Change it there.",
        )
    })?;
    let account = format!("{}/{}", silo.name, user.external_id);
    Ok(PasswordChallenge { user_id: user.meta.id, hash, account, user_name: user.external_id })
}

/// The last step of `account_password_change`: stores the new password if the current one was `verified`, and ends the
/// user's tokens and all other sessions. The calling session continues; if a password change was pending for it, that
/// step is done.
pub fn change_password(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    challenge: &PasswordChallenge,
    verified: bool,
    password: &NewPassword,
) -> Result<()> {
    let session = caller.session()?;
    if !verified {
        return Err(Error::invalid_value("current_password", "this is not your current password; try again"));
    }
    let user = user_of(cx, caller)?;
    if user.password_hash.as_ref() != Some(&challenge.hash) {
        return Err(Error::conflict("The password was changed in the meantime. Sign in with the new one."));
    }
    let change = PasswordState { hash: password.hash()?, must_change: false };
    user::store_password(cx, user, change, Some(session))?;
    if let Some(mut session) = cx.tx.get::<ConsoleSession>(session)?
        && session.pending.is_some()
    {
        let user = user_of(cx, caller)?;
        session.pending = second_factor::next_step(cx, &user, session.pending)?;
        cx.tx.update(&mut session)?;
    }
    Ok(())
}
