use axum::response::{IntoResponse as _, Response};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_api::{
    Error,
    identity_provider::{
        IdentityProvider, IdpMetadataSource, LoginOptions, LoginOptionsQuery, SamlIdentityProvider,
        SamlIdentityProviderCreate, SamlProviderPath,
    },
    page::{NameOrIdSortMode, ResultsPage},
    scalar::NameOrId,
    silo::{OptionalSiloSelector, SiloSelector},
};
use croft_control::{identity_provider, saml};
use http::header;

use super::paging::NamedPage;
use crate::{
    call::{Bytes, Call},
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(silo_identity_provider_list))
        .routes(routes!(saml_identity_provider_create))
        .routes(routes!(saml_identity_provider_view))
        .extensions(routes!(login_options))
}

/// List the identity providers of a silo
#[utoipa::path(get, path = "/v1/system/identity-providers", tag = "system/silos",
    params(NamedPage, OptionalSiloSelector), responses((status = 200, body = ResultsPage<IdentityProvider>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["silo"] }))))]
async fn silo_identity_provider_list(
    call: Call,
    Page(page): Page<SiloSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| identity_provider::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a SAML identity provider
///
/// Only for silos whose users sign in through one. Metadata at an address are fetched once, now; a provider that
/// changes its keys needs a new identity provider here.
#[utoipa::path(post, path = "/v1/system/identity-providers/saml", tag = "system/silos", params(SiloSelector),
    request_body = SamlIdentityProviderCreate, responses((status = 201, body = SamlIdentityProvider)))]
async fn saml_identity_provider_create(
    call: Call,
    Query(selector): Query<SiloSelector>,
    Json(params): Json<SamlIdentityProviderCreate>,
) -> Result<Response> {
    let metadata = prepare(&call, &selector.silo, &params).await?;
    call.write(move |cx, caller| saml::create(cx, caller, &selector.silo, &params, &metadata))
        .await
        .map(reply::created)
}

/// The provider's metadata. Keys are checked and metadata fetched only for somebody who may create a provider: both are
/// work that nobody else may cause. Others are refused by the rule, before it looks at what is put here.
async fn prepare(
    call: &Call,
    silo: &NameOrId,
    params: &SamlIdentityProviderCreate,
) -> Result<Result<String, Error>> {
    let silo = silo.clone();
    let allowed = call.read(move |cx, caller| Ok(saml::may_create(cx, caller, &silo).is_ok())).await?;
    if !allowed {
        return Ok(Err(Error::unavailable("the caller was only just given the right to do this")));
    }
    if let Some(pair) = params.signing_keypair.clone() {
        let app = call.app.clone();
        call.compute(move || saml::check_key_pair(&pair, &mut Bytes(&*app.parts.random))).await??;
    }
    let url = match &params.idp_metadata_source {
        IdpMetadataSource::Base64EncodedXml { data } => return Ok(decoded(data)),
        IdpMetadataSource::Url { url } => url.clone(),
    };
    let fetched = call.app.parts.metadata.fetch(url).await;
    Ok(fetched.map_err(|reason| Error::invalid_value("url", reason)))
}

fn decoded(data: &str) -> Result<String, Error> {
    let failed = |reason: String| {
        Error::invalid_value("data", format!("error getting decoding base64 data: {reason}"))
    };
    let bytes = BASE64_STANDARD.decode(data).map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

/// View a SAML identity provider
///
/// By name within a silo, or by id alone.
#[utoipa::path(get, path = "/v1/system/identity-providers/saml/{provider}", tag = "system/silos",
    params(SamlProviderPath, OptionalSiloSelector), responses((status = 200, body = SamlIdentityProvider)))]
async fn saml_identity_provider_view(
    call: Call,
    Path(path): Path<SamlProviderPath>,
    Query(selector): Query<OptionalSiloSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| saml::view(cx, caller, &path.provider, selector.silo.as_ref()))
        .await
        .map(reply::ok)
}

/// Tell how people can sign in
///
/// To one silo, or to which silos that are not hidden. Nobody has to be signed in: the login page asks this.
#[utoipa::path(get, path = "/experimental/v1/login-options", tag = "login", params(LoginOptionsQuery),
    responses((status = 200, body = LoginOptions)))]
async fn login_options(call: Call, Query(query): Query<LoginOptionsQuery>) -> Result<Response> {
    let options = call.look_up(move |cx| identity_provider::login_options(cx, query.silo.as_ref())).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], reply::ok(options)).into_response())
}
