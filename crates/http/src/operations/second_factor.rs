//! Second factors of the caller. All operations are extensions of the contract.

use axum::response::{IntoResponse as _, Response};
use croft_api::{
    Error,
    page::{IdSortMode, NoSelector, ResultsPage},
    second_factor::{
        PasskeyCreate, PasskeyRequest, PasskeySetUp, RecoveryCodes, RecoveryCodesLeft, SecondFactor,
        SecondFactorCreated, SecondFactorPath, SecondFactorUpdate, TotpCreate, TotpSetUp, Verification,
        VerifyOptions,
    },
};
use croft_control::{
    second_factor::{self, PasskeyRefusal, PresentedFactor, StoredPasskey, UsedPasskey},
    throttle::Admission,
};
use http::{StatusCode, header};
use serde_json::Value;

use super::paging::IdPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    passkeys::ClientOrigin,
    pools::Work,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .extensions(routes!(account_second_factor_list))
        .extensions(routes!(account_totp_begin))
        .extensions(routes!(account_totp_create))
        .extensions(routes!(account_passkey_begin))
        .extensions(routes!(account_passkey_create))
        .extensions(routes!(account_second_factor_update, account_second_factor_delete))
        .extensions(routes!(account_recovery_codes_view, account_recovery_codes_create))
        .extensions(routes!(account_verify_begin))
        .extensions(routes!(account_verify))
}

/// List the caller's second factors
#[utoipa::path(get, path = "/experimental/v1/me/second-factors", tag = "current-user", params(IdPage),
    responses((status = 200, body = ResultsPage<SecondFactor>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn account_second_factor_list(
    call: Call,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| second_factor::list(cx, caller, &page)).await.map(reply::ok)
}

/// Begin to set up an authenticator app
///
/// Nothing is stored until the app has shown a valid code. Like all changes of second factors, it requires a session
/// that began within the last ten minutes.
#[utoipa::path(post, path = "/experimental/v1/me/second-factors/totp/begin", tag = "current-user",
    responses((status = 200, body = TotpSetUp)))]
async fn account_totp_begin(call: Call) -> Result<Response> {
    call.read(second_factor::totp_begin).await.map(reply::ok)
}

/// Set up an authenticator app
///
/// The first second factor also creates recovery codes, and ends all other sessions of the caller.
#[utoipa::path(post, path = "/experimental/v1/me/second-factors/totp", tag = "current-user",
    request_body = TotpCreate, responses((status = 201, body = SecondFactorCreated)))]
async fn account_totp_create(call: Call, Json(params): Json<TotpCreate>) -> Result<Response> {
    call.write(move |cx, caller| second_factor::totp_create(cx, caller, &params)).await.map(reply::created)
}

/// Begin to set up a passkey
///
/// A passkey is bound to the host name by which the console was reached, and requires TLS.
#[utoipa::path(post, path = "/experimental/v1/me/second-factors/passkeys/begin", tag = "current-user",
    responses((status = 200, body = PasskeySetUp)))]
async fn account_passkey_begin(call: Call, origin: ClientOrigin) -> Result<Response> {
    let owner = call.read(second_factor::passkey_owner).await?;
    let (checker, site) = origin.passkeys(&call.app)?;
    let question = call.block(Work::Passkeys, move || checker.ask_for_new(&site, &owner)).await??;
    let sealed =
        call.read(move |cx, caller| second_factor::passkey_begin(cx, caller, &question.state)).await?;
    Ok(reply::ok(PasskeySetUp { options: question.options, set_up: sealed }))
}

/// Set up a passkey
///
/// The first second factor also creates recovery codes, and ends all other sessions of the caller.
#[utoipa::path(post, path = "/experimental/v1/me/second-factors/passkeys", tag = "current-user",
    request_body = PasskeyCreate, responses((status = 201, body = SecondFactorCreated)))]
async fn account_passkey_create(
    call: Call,
    origin: ClientOrigin,
    Json(params): Json<PasskeyCreate>,
) -> Result<Response> {
    let PasskeyCreate { name, set_up, credential } = params;
    let sealed = set_up.clone();
    let prepared = call.prepare(move |cx, caller| second_factor::passkey_registration(cx, caller, &sealed));
    let state = prepared.await?;
    let made = match origin.passkeys(&call.app) {
        Ok((checker, site)) => {
            let check = move || checker.check_new(&site, &state, &credential);
            call.block(Work::Passkeys, check).await?.map_err(|refusal| told(&refusal))
        }
        Err(error) => Err(error),
    };
    let create = call.write(move |cx, caller| match &made {
        Ok(made) => second_factor::passkey_create(cx, caller, &name, &set_up, made),
        Err(refusal) => Err(refusal.clone()),
    });
    create.await.map(reply::created)
}

/// Converts a refusal to an error for the client. Its details are logged.
fn told(refusal: &PasskeyRefusal) -> Error {
    match refusal {
        PasskeyRefusal::Wrong(why) => tracing::info!(why, "a passkey's response was refused"),
        PasskeyRefusal::Copied => {
            tracing::warn!("a passkey's use counter went backwards: the passkey may have been copied");
        }
    }
    refusal.clone().into()
}

/// Rename one of the caller's second factors
#[utoipa::path(put, path = "/experimental/v1/me/second-factors/{factor_id}", tag = "current-user",
    params(SecondFactorPath), request_body = SecondFactorUpdate, responses((status = 200, body = SecondFactor)))]
async fn account_second_factor_update(
    call: Call,
    Path(path): Path<SecondFactorPath>,
    Json(params): Json<SecondFactorUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| second_factor::rename(cx, caller, path.factor_id, &params))
        .await
        .map(reply::ok)
}

/// Remove one of the caller's second factors
///
/// Ends all other sessions of the caller. Removing the last one also removes the recovery codes; it is refused while
/// the silo requires a second factor.
#[utoipa::path(delete, path = "/experimental/v1/me/second-factors/{factor_id}", tag = "current-user",
    params(SecondFactorPath), responses((status = 204)))]
async fn account_second_factor_delete(call: Call, Path(path): Path<SecondFactorPath>) -> Result<Response> {
    call.write(move |cx, caller| second_factor::delete(cx, caller, path.factor_id))
        .await
        .map(reply::no_content)
}

/// View the number of unused recovery codes of the caller
#[utoipa::path(get, path = "/experimental/v1/me/recovery-codes", tag = "current-user",
    responses((status = 200, body = RecoveryCodesLeft)))]
async fn account_recovery_codes_view(call: Call) -> Result<Response> {
    call.read(second_factor::recovery_codes_view).await.map(reply::ok)
}

/// Replace the caller's recovery codes
///
/// The codes are shown only in this response. The previous codes become invalid.
#[utoipa::path(post, path = "/experimental/v1/me/recovery-codes", tag = "current-user",
    responses((status = 201, body = RecoveryCodes)))]
async fn account_recovery_codes_create(call: Call) -> Result<Response> {
    call.write(second_factor::recovery_codes_create).await.map(reply::created)
}

/// Begin to verify a second factor
///
/// Returns the second factors that the caller can use, for a session with this step pending.
#[utoipa::path(post, path = "/experimental/v1/me/verify/begin", tag = "current-user",
    responses((status = 200, body = VerifyOptions)))]
async fn account_verify_begin(call: Call, origin: ClientOrigin) -> Result<Response> {
    let options = call.read(second_factor::options).await?;
    let (totp, recovery_codes_left) = (options.totp, options.recovery_codes_left);
    let passkey = ask_for_use(&call, &origin, options.passkeys).await?;
    Ok(reply::ok(VerifyOptions { totp, recovery_codes_left, passkey }))
}

/// Creates the options for those passkeys that belong to the client's host name, if there are any.
async fn ask_for_use(
    call: &Call,
    origin: &ClientOrigin,
    mut passkeys: Vec<StoredPasskey>,
) -> Result<Option<PasskeyRequest>> {
    let Ok((checker, site)) = origin.passkeys(&call.app) else { return Ok(None) };
    passkeys.retain(|passkey| passkey.rp_id == site.rp_id);
    if passkeys.is_empty() {
        return Ok(None);
    }
    let question = call.block(Work::Passkeys, move || checker.ask_for_use(&site, &passkeys)).await??;
    let state =
        call.read(move |cx, caller| second_factor::passkey_use_begin(cx, caller, &question.state)).await?;
    Ok(Some(PasskeyRequest { options: question.options, state }))
}

/// Verify a second factor
///
/// Completes signing in. The response sets a new session cookie; the previous one becomes invalid.
#[utoipa::path(post, path = "/experimental/v1/me/verify", tag = "current-user", request_body = Verification,
    responses((status = 204)))]
async fn account_verify(
    call: Call,
    origin: ClientOrigin,
    Json(shown): Json<Verification>,
) -> Result<Response> {
    let account = call.prepare(second_factor::account).await?;
    let source = call.source();
    let admission = call.app.throttle.lock().admit(call.app.parts.clock.now(), &account, source);
    let Admission::After(wait) = admission else {
        let text = "too many sign-in attempts from one address; try again in half a minute";
        return Err(Error::NotNow(text.to_owned()).into());
    };
    call.pause(wait).await;
    let shown = match shown {
        Verification::Totp { code } => Ok(PresentedFactor::Totp(code)),
        Verification::RecoveryCode { code } => Ok(PresentedFactor::RecoveryCode(code)),
        Verification::Passkey { state, credential } => {
            check_use(&call, &origin, state, credential).await?.map(PresentedFactor::Passkey)
        }
    };
    let verify = call.write(move |cx, caller| match &shown {
        Ok(shown) => second_factor::verify(cx, caller, shown),
        Err(refusal) => Err(refusal.clone()),
    });
    let session = verify.await?;
    call.app.throttle.lock().succeeded(&account, source);
    let cookie = call.session_cookie().begin(&session.token);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// Checks the response of a passkey. The inner result is the result of the check.
async fn check_use(
    call: &Call,
    origin: &ClientOrigin,
    state: String,
    credential: Value,
) -> Result<Result<UsedPasskey, Error>> {
    let prepared = call.prepare(move |cx, caller| second_factor::passkey_check(cx, caller, &state));
    let mut asked = prepared.await?;
    let (checker, site) = match origin.passkeys(&call.app) {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    asked.passkeys.retain(|passkey| passkey.rp_id == site.rp_id);
    let outcome = call.block(Work::Passkeys, move || checker.check_use(&site, &asked, &credential)).await?;
    Ok(outcome.map_err(|refusal| told(&refusal)))
}
