use axum::response::{IntoResponse as _, Response};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_api::{
    Error,
    identity_provider::{
        DerEncodedKeyPair, IdentityProvider, IdpMetadataSource, LoginOptions, LoginOptionsQuery,
        SamlIdentityProvider, SamlIdentityProviderCreate, SamlIdentityProviderSettings,
        SamlIdentityProviderUpdate, SamlProviderPath,
    },
    page::{NameOrIdSortMode, ResultsPage},
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
        .extensions(routes!(saml_identity_provider_settings_view))
        .extensions(routes!(saml_identity_provider_update))
        .extensions(routes!(saml_identity_provider_delete))
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
/// Only for silos whose users sign in through one. Metadata at an address are fetched once, now.
#[utoipa::path(post, path = "/v1/system/identity-providers/saml", tag = "system/silos", params(SiloSelector),
    request_body = SamlIdentityProviderCreate, responses((status = 201, body = SamlIdentityProvider)))]
async fn saml_identity_provider_create(
    call: Call,
    Query(selector): Query<SiloSelector>,
    Json(params): Json<SamlIdentityProviderCreate>,
) -> Result<Response> {
    let silo = selector.silo.clone();
    let allowed = call.read(move |cx, caller| Ok(saml::may_create(cx, caller, &silo).is_ok())).await?;
    let pairs = params.signing_keypair.clone().map(|pair| ("signing_keypair", pair));
    let metadata = if allowed {
        check_key_pairs(&call, pairs.into_iter().collect()).await?;
        metadata_of(&call, &params.idp_metadata_source).await
    } else {
        Err(not_allowed_before())
    };
    call.write(move |cx, caller| saml::create(cx, caller, &selector.silo, &params, &metadata))
        .await
        .map(reply::created)
}

/// Keys are checked and metadata fetched only for callers who may configure a provider, because both are expensive. For
/// other callers this error takes the place of the metadata; the rule refuses before it uses it.
fn not_allowed_before() -> Error {
    Error::unavailable("the caller was only just given the right to do this")
}

/// Checks the key pairs in the fields of the body.
async fn check_key_pairs(call: &Call, pairs: Vec<(&'static str, DerEncodedKeyPair)>) -> Result<()> {
    for (field, pair) in pairs {
        let app = call.app.clone();
        call.compute(move || saml::check_key_pair(field, &pair, &mut Bytes(&*app.parts.random))).await??;
    }
    Ok(())
}

/// Reads or fetches the metadata of a provider.
async fn metadata_of(call: &Call, source: &IdpMetadataSource) -> Result<String, Error> {
    let url = match source {
        IdpMetadataSource::Base64EncodedXml { data } => return decoded(data),
        IdpMetadataSource::Url { url } => url.clone(),
    };
    let fetched = call.app.parts.metadata.fetch(url).await;
    fetched.map_err(|reason| Error::invalid_value("url", reason))
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

/// View the settings of a SAML identity provider
///
/// Includes the endpoints, the certificates, and whether the provider is enabled.
#[utoipa::path(get, path = "/experimental/v1/system/identity-providers/saml/{provider}", tag = "system/silos",
    params(SamlProviderPath, OptionalSiloSelector),
    responses((status = 200, body = SamlIdentityProviderSettings)))]
async fn saml_identity_provider_settings_view(
    call: Call,
    Path(path): Path<SamlProviderPath>,
    Query(selector): Query<OptionalSiloSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| saml::settings(cx, caller, &path.provider, selector.silo.as_ref()))
        .await
        .map(reply::ok)
}

/// Update a SAML identity provider
///
/// Absent fields are unchanged. Disabling a provider ends the sessions that were opened through it. While a provider
/// changes its keys, old certificates can be kept beside the new ones, and the next key pair can be published before it
/// signs requests.
#[utoipa::path(put, path = "/experimental/v1/system/identity-providers/saml/{provider}", tag = "system/silos",
    params(SamlProviderPath, OptionalSiloSelector), request_body = SamlIdentityProviderUpdate,
    responses((status = 200, body = SamlIdentityProviderSettings)))]
async fn saml_identity_provider_update(
    call: Call,
    Path(path): Path<SamlProviderPath>,
    Query(selector): Query<OptionalSiloSelector>,
    Json(params): Json<SamlIdentityProviderUpdate>,
) -> Result<Response> {
    let (provider, silo) = (path.provider.clone(), selector.silo.clone());
    let allowed = call
        .read(move |cx, caller| Ok(saml::may_update(cx, caller, &provider, silo.as_ref()).is_ok()))
        .await?;
    let metadata = if allowed {
        let (now, next) = (params.signing_keypair.as_set(), params.next_signing_keypair.as_set());
        let pairs = [("signing_keypair", now), ("next_signing_keypair", next)];
        let pairs = pairs.into_iter().filter_map(|(field, pair)| Some((field, pair?.clone())));
        check_key_pairs(&call, pairs.collect()).await?;
        match &params.idp_metadata_source {
            Some(source) => metadata_of(&call, source).await.map(Some),
            None => Ok(None),
        }
    } else {
        Err(not_allowed_before())
    };
    call.write(move |cx, caller| {
        saml::update(cx, caller, &path.provider, selector.silo.as_ref(), &params, &metadata)
    })
    .await
    .map(reply::ok)
}

/// Delete a SAML identity provider
///
/// Ends the sessions that were opened through it. Users that were created through it remain in the silo.
#[utoipa::path(delete, path = "/experimental/v1/system/identity-providers/saml/{provider}", tag = "system/silos",
    params(SamlProviderPath, OptionalSiloSelector), responses((status = 204)))]
async fn saml_identity_provider_delete(
    call: Call,
    Path(path): Path<SamlProviderPath>,
    Query(selector): Query<OptionalSiloSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| saml::delete(cx, caller, &path.provider, selector.silo.as_ref()))
        .await
        .map(reply::no_content)
}

/// List the ways to sign in
///
/// Returns how users can sign in to one silo, or lists the silos that are not hidden. Requires no authentication: the
/// login page uses it.
#[utoipa::path(get, path = "/experimental/v1/login-options", tag = "login", params(LoginOptionsQuery),
    responses((status = 200, body = LoginOptions)))]
async fn login_options(call: Call, Query(query): Query<LoginOptionsQuery>) -> Result<Response> {
    let options = call.look_up(move |cx| identity_provider::login_options(cx, query.silo.as_ref())).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], reply::ok(options)).into_response())
}
