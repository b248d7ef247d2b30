//! Sign-in through SAML identity providers: the redirect to the provider, and its response.

mod browser;
mod relayed;

use axum::{
    response::{AppendHeaders, IntoResponse as _, Response},
    routing::get,
};
use croft_api::{
    Error,
    identity_provider::{LoginSamlPath, PostedForm, RedirectQuery},
};
use croft_control::{
    saml::{self, Checked},
    throttle::Admission,
};
use http::{HeaderValue, StatusCode, header};
use percent_encoding::{CONTROLS, utf8_percent_encode};

use browser::Browser;

use super::login;
use crate::{
    call::Call,
    extract::{Path, Query, Raw},
    failure::Result,
    pools::Work,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(login_saml))
        // Not an operation of the contract, so it is not in the document.
        .route("/login/{silo_name}/saml/{provider_name}/redirect", get(redirect))
}

/// Redirects the browser to the identity provider.
async fn redirect(
    call: Call,
    Path(path): Path<LoginSamlPath>,
    browser: Browser,
    Query(query): Query<RedirectQuery>,
) -> Result<Response> {
    let LoginSamlPath { silo_name, provider_name } = path;
    let begun = call
        .look_up(move |cx| saml::begin(cx, &silo_name, &provider_name, query.redirect_uri.as_ref()))
        .await?;
    let environment = call.app.parts.environment.clone();
    let cookies = browser.cookies_for(&call, begun.secret());
    let location = call.compute(move || begun.location(&environment)).await??;
    Ok((AppendHeaders(cookies), go_to(StatusCode::FOUND, &location)?).into_response())
}

/// Sign in with the response of an identity provider
///
/// The browser posts the form from the provider. The response sets the session cookie. It must be the browser that made
/// the request, unless the provider may send unsolicited responses.
#[utoipa::path(post, path = "/login/{silo_name}/saml/{provider_name}", tag = "login", params(LoginSamlPath),
    request_body(content = inline(PostedForm), content_type = "application/octet-stream"),
    responses((status = 303, headers(("location" = String, description = "The page to go to")))))]
async fn login_saml(
    call: Call,
    Path(path): Path<LoginSamlPath>,
    browser: Browser,
    Raw(body): Raw,
) -> Result<Response> {
    let checked = check(&call, path, body.clone()).await?;
    if checked.answers_request() && browser.may_have_kept_back(&call) && !relayed::is_relayed(&body) {
        return relayed::page(&body);
    }
    let (used, shown) = (checked.clone(), browser.secrets());
    let signed_in = login::open(&call, move |cx| saml::complete(cx, &used, &shown)).await?;
    let target = checked.redirect_uri().map_or("/", |uri| uri.as_str());
    let session = (header::SET_COOKIE, call.session_cookie().begin(&signed_in.session.token));
    let used = signed_in.secret.as_deref().and_then(|secret| browser.forget(&call, secret));
    let cookies: Vec<_> = [session].into_iter().chain(used).collect();
    Ok((AppendHeaders(cookies), go_to(StatusCode::SEE_OTHER, target)?).into_response())
}

async fn check(call: &Call, path: LoginSamlPath, body: bytes::Bytes) -> Result<Checked> {
    let LoginSamlPath { silo_name, provider_name } = path;
    let verified = match call.look_up(move |cx| saml::verifier(cx, &silo_name, &provider_name)).await {
        Ok(verifier) => {
            // Neither on a thread that serves requests nor on one that reads the database, and with a limit, because
            // anybody can post this.
            let turn = call.app.saml_checks.take().await?;
            let check = move || {
                // Held until the check has finished, even if the client disconnects.
                let _turn = turn;
                verifier.check(&body)
            };
            call.block(Work::Answers, check).await?
        }
        Err(error) => Err(error),
    };
    match verified {
        Ok(checked) => Ok(checked),
        Err(error @ (Error::Unavailable { .. } | Error::Internal { .. })) => Err(error.into()),
        Err(error) => {
            note_refusal(call, &error).await?;
            Err(error.into())
        }
    }
}

/// Writes the audit entry of a refused response. Anybody can post one, so the number of entries from one address is
/// limited; otherwise anybody could fill the disk.
async fn note_refusal(call: &Call, error: &Error) -> Result<()> {
    let (now, source) = (call.app.parts.clock.now(), call.source());
    let admission = call.app.saml_throttle.lock().admit_address(now, source);
    if let Admission::After(wait) = admission
        && wait.is_zero()
    {
        let refusal = error.clone();
        call.change(move |cx| saml::refused(cx, &refusal)).await?;
    }
    Ok(())
}

fn go_to(status: StatusCode, target: &str) -> Result<Response> {
    let target = utf8_percent_encode(target, CONTROLS).to_string();
    let location = HeaderValue::try_from(target).map_err(Error::internal)?;
    let no_store = HeaderValue::from_static("no-store");
    Ok((status, [(header::LOCATION, location), (header::CACHE_CONTROL, no_store)]).into_response())
}
