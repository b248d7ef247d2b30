use croft_api::{Error, Result, second_factor::ShownCode};
use croft_store::records::{
    ConsoleSession, FactorProof, PendingStep, SecondFactor, SecondFactorReserve, Silo, SiloUser,
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{
    passkey::{self, StoredPasskey, UsedPasskey},
    recovery,
    set_up::{factors_of, totp_secret},
    totp,
};
use crate::{
    AfterError, Caller, Cx,
    authn::{self, NewSession},
};

/// Number of consecutive wrong codes without a delay. There are a million codes, of which three are valid at a time.
const FREE_WRONG_CODES: u32 = 5;
/// The delay after the next wrong code. Each further one doubles it.
const FIRST_WAIT: SignedDuration = SignedDuration::from_secs(15);
/// Maximum number of doublings, up to a quarter of an hour. So about a hundred codes can be tried in a day, from
/// however many places.
const DOUBLED: u32 = 6;

/// A second factor that was presented.
#[derive(Clone, Debug)]
pub enum PresentedFactor {
    /// The code of an app.
    Totp(ShownCode),
    /// A recovery code.
    RecoveryCode(ShownCode),
    /// A passkey, whose signature was checked.
    Passkey(UsedPasskey),
}

/// The factors that the caller can use.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether there is an app.
    pub totp: bool,
    /// The number of unused recovery codes.
    pub recovery_codes_left: usize,
    /// The passkeys, for all host names.
    pub passkeys: Vec<StoredPasskey>,
}

/// The session of a caller who has given a password, and its user.
pub(super) fn half_open(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<(ConsoleSession, SiloUser)> {
    let session: Option<ConsoleSession> = cx.tx.get(caller.session()?)?;
    let user: Option<SiloUser> = cx.tx.get(caller.user_id)?;
    let (Some(session), Some(user)) = (session, user) else {
        return Err(Error::unauthenticated("the session or the user is gone"));
    };
    if session.pending != Some(PendingStep::VerifySecondFactor) {
        return Err(Error::invalid_request("This session is not waiting for a second factor."));
    }
    Ok((session, user))
}

/// Identifies silo and user for counting failed attempts. Refuses callers without second factors.
pub fn account(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<String> {
    let (_, user) = half_open(cx, caller)?;
    let silo: Option<Silo> = cx.tx.get(user.silo_id)?;
    let silo = silo.ok_or_else(|| Error::unauthenticated("the silo is gone"))?;
    Ok(format!("{}/{}", silo.name, user.external_id))
}

/// `account_verify_begin`: the factors that the caller can use. The options for passkeys are created outside, and
/// [sealed](super::passkey_use_begin) afterwards.
pub fn options(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<Options> {
    let (_, user) = half_open(cx, caller)?;
    let factors = factors_of(cx, user.meta.id)?;
    let reserve: Option<SecondFactorReserve> = cx.tx.get(user.meta.id)?;
    Ok(Options {
        totp: factors.iter().any(|factor| matches!(factor.proof, FactorProof::Totp { .. })),
        recovery_codes_left: reserve.map_or(0, |reserve| reserve.recovery_codes.len()),
        passkeys: passkey::stored(&factors),
    })
}

/// `account_verify`: completes the step. Replaces the session's secret, so that somebody who stole it before cannot use
/// the session.
pub fn verify(cx: &mut Cx<'_, '_>, caller: &Caller, shown: &PresentedFactor) -> Result<NewSession> {
    let (mut session, user) = half_open(cx, caller)?;
    match shown {
        PresentedFactor::Totp(code) => use_totp(cx, &user, code)?,
        PresentedFactor::RecoveryCode(code) => use_recovery_code(cx, &user, code)?,
        PresentedFactor::Passkey(shown) => passkey::record_use(cx, &user, shown)?,
    }
    let (token, token_hash) = authn::new_secret(cx);
    session.token_hash = token_hash;
    session.pending = super::next_step(cx, &user, session.pending)?;
    cx.tx.update(&mut session)?;
    let max_age = cx.settings().session.absolute.as_secs();
    let (user_id, silo_id) = (session.user_id, session.silo_id);
    Ok(NewSession { token, max_age, user_id, silo_id, pending: session.pending })
}

fn use_totp(cx: &mut Cx<'_, '_>, user: &SiloUser, code: &ShownCode) -> Result<()> {
    let reserve: Option<SecondFactorReserve> = cx.tx.get(user.meta.id)?;
    let wait = reserve.as_ref().map_or(SignedDuration::ZERO, |reserve| wait(reserve, cx.now));
    if wait > SignedDuration::ZERO {
        // The code is not checked, so it does not count as wrong.
        let text = format!(
            "too many wrong codes; wait for {} seconds, or use another second factor",
            wait.as_secs() + 1
        );
        return Err(Error::invalid_value("code", text));
    }
    let shown = totp::parse(code.reveal());
    let accepted = match shown {
        Some(shown) => accepting(cx, user, shown)?,
        None => None,
    };
    let Some((mut factor, sealed_secret, last_step)) = accepted else {
        cx.after_error = Some(AfterError::WrongCode { user_id: user.meta.id });
        let text = "this is not the app's current code, or it was already used; wait for the next one";
        return Err(Error::invalid_value("code", text));
    };
    factor.proof = FactorProof::Totp { sealed_secret, last_step };
    factor.time_last_used = Some(cx.now);
    cx.tx.update(&mut factor)?;
    if let Some(mut reserve) = reserve.filter(|reserve| reserve.wrong_codes > 0) {
        (reserve.wrong_codes, reserve.time_wrong_code) = (0, None);
        cx.tx.update(&mut reserve)?;
    }
    Ok(())
}

/// The user's app that shows this code now, and the step that is used up.
fn accepting(
    cx: &mut Cx<'_, '_>,
    user: &SiloUser,
    shown: u32,
) -> Result<Option<(SecondFactor, String, u64)>> {
    for factor in factors_of(cx, user.meta.id)? {
        let FactorProof::Totp { sealed_secret, last_step } = &factor.proof else { continue };
        let secret = totp_secret(cx, factor.meta.id, sealed_secret)?;
        if let Some(step) = totp::accepted_step(&secret, cx.now, shown, Some(*last_step)) {
            let sealed_secret = sealed_secret.clone();
            return Ok(Some((factor, sealed_secret, step)));
        }
    }
    Ok(None)
}

fn use_recovery_code(cx: &mut Cx<'_, '_>, user: &SiloUser, code: &ShownCode) -> Result<()> {
    let wrong = || {
        Error::invalid_value(
            "code",
            "this is not one of your recovery codes, or it was already used; try another one",
        )
    };
    let reserve: Option<SecondFactorReserve> = cx.tx.get(user.meta.id)?;
    let mut reserve = reserve.ok_or_else(wrong)?;
    let key = &cx.environment.secret_key;
    let place =
        recovery::find(key, user.meta.id, code.reveal(), &reserve.recovery_codes).ok_or_else(wrong)?;
    reserve.recovery_codes.remove(place);
    Ok(cx.tx.update(&mut reserve)?)
}

/// The delay before the next code of an app.
fn wait(reserve: &SecondFactorReserve, now: Timestamp) -> SignedDuration {
    let (Some(last), Some(beyond)) =
        (reserve.time_wrong_code, reserve.wrong_codes.checked_sub(FREE_WRONG_CODES))
    else {
        return SignedDuration::ZERO;
    };
    let pause = FIRST_WAIT * 2_i32.pow(beyond.min(DOUBLED));
    // A clock that was set back must not extend the delay.
    (pause - now.duration_since(last)).clamp(SignedDuration::ZERO, pause)
}

/// Counts a wrong code, after the effects of the rule have been rolled back.
pub(crate) fn count_wrong_code(cx: &mut Cx<'_, '_>, user: Uuid) -> Result<()> {
    let Some(mut reserve) = cx.tx.get::<SecondFactorReserve>(user)? else { return Ok(()) };
    reserve.wrong_codes = reserve.wrong_codes.saturating_add(1);
    reserve.time_wrong_code = Some(cx.now);
    Ok(cx.tx.update(&mut reserve)?)
}
