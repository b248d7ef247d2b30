use std::net::IpAddr;

use axum::response::{AppendHeaders, IntoResponse as _, Response};
use croft_api::{
    Error,
    session::{LoginPath, UsernamePasswordCredentials},
};
use croft_control::{
    Cx,
    login::{self, Challenge},
    session,
    throttle::Admission,
};
use croft_store::records::PendingStep;
use http::{StatusCode, header};

use crate::{
    call::Call,
    extract::{Json, Path},
    failure::Result,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(login_local)).routes(routes!(logout))
}

/// Sign in with a name and a password
///
/// The response sets the session cookie.
#[utoipa::path(post, path = "/v1/login/{silo_name}/local", tag = "login", params(LoginPath),
    request_body = UsernamePasswordCredentials, responses((status = 204)))]
async fn login_local(
    call: Call,
    Path(path): Path<LoginPath>,
    Json(shown): Json<UsernamePasswordCredentials>,
) -> Result<Response> {
    let account = format!("{}/{}", path.silo_name, shown.username);
    let source = call.source();
    wait_for_turn(&call, &account, source).await?;
    let challenge = prepare(&call, path, &shown).await?;
    let verified = verify(&call, &challenge, shown).await?;
    let session = open(&call, move |cx| login::complete(cx, &challenge, verified)).await?;
    // A user with only the password of two factors has not been authenticated, so the address does not become known.
    if session.pending != Some(PendingStep::VerifySecondFactor) {
        call.app.throttle.lock().succeeded(&account, source);
    }
    let cookie = call.session_cookie().begin(&session.token);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// Replaces the session that the browser had.
pub(super) async fn open<T: Send + 'static>(
    call: &Call,
    mut complete: impl FnMut(&mut Cx<'_, '_>) -> croft_api::Result<croft_api::Result<T>> + Send + 'static,
) -> Result<T> {
    let credentials = call.credentials.clone();
    let opened = call.change(move |cx| {
        let opened = complete(cx)?;
        if opened.is_ok() {
            session::end_replaced(cx, &credentials)?;
        }
        Ok(opened)
    });
    Ok(opened.await??)
}

async fn prepare(call: &Call, path: LoginPath, shown: &UsernamePasswordCredentials) -> Result<Challenge> {
    let username = shown.username.clone();
    match call.look_up(move |cx| login::prepare(cx, &path.silo_name, &username)).await {
        Ok(challenge) => Ok(challenge),
        Err(error @ (Error::Unavailable { .. } | Error::Internal { .. })) => Err(error.into()),
        Err(error) => {
            let refusal = error.clone();
            call.change(move |cx| login::refused(cx, &refusal)).await?;
            Err(error.into())
        }
    }
}

/// Applies the delay of the throttle. An attempt that it refuses ends here, without the database: otherwise anybody
/// could fill the disk with audit entries.
async fn wait_for_turn(call: &Call, account: &str, source: IpAddr) -> Result<()> {
    let now = call.app.parts.clock.now();
    let admission = call.app.throttle.lock().admit(now, account, source);
    let Admission::After(wait) = admission else {
        return Err(Error::unauthenticated("too many sign-in attempts from one address").into());
    };
    call.pause(wait).await;
    Ok(())
}

async fn verify(call: &Call, challenge: &Challenge, shown: UsernamePasswordCredentials) -> Result<bool> {
    let hash = challenge.password_hash().map(str::to_owned);
    Ok(call.app.parts.passwords.verify(shown.password, hash).await?)
}

/// Sign out
///
/// Always succeeds, whatever the cookie. Bearer tokens are not affected.
#[utoipa::path(post, path = "/v1/logout", tag = "console-auth", responses((status = 204)))]
async fn logout(call: Call) -> Result<Response> {
    let credentials = call.credentials.clone();
    if credentials.session_cookie.is_some() {
        call.change(move |cx| session::logout(cx, &credentials)).await?;
    }
    let ended = AppendHeaders(call.session_cookie().end());
    Ok((StatusCode::NO_CONTENT, ended).into_response())
}
