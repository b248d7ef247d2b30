use axum::{body::Body, response::Response};
use bytes::BytesMut;
use croft_api::{
    Error,
    page::{IdSortMode, NoSelector, ResultsPage},
    update::{
        RepositoryPath, SetTargetReleaseParams, TargetRelease, TrustRootPath, TufRepoGetResponse,
        TufRepoInsertResponse, UpdatesPutRepository, UpdatesTrustRoot,
    },
};
use croft_control::update::{self, VerifiedUpload};
use http::StatusCode;
use http_body_util::BodyExt as _;
use serde_json::Value;

use super::paging::IdPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::{Failure, Result},
    reply,
    repositories::Verified,
    routes::{OpenApiRouter, routes},
};

/// Maximum size of an archive, in bytes.
const MAX_ARCHIVE: u64 = 4 << 30;
/// Size at which received data is written, in bytes.
const WRITTEN_AT_ONCE: usize = 1 << 20;

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(system_update_trust_root_list, system_update_trust_root_create))
        .routes(routes!(system_update_trust_root_view, system_update_trust_root_delete))
        .routes(routes!(system_update_put_repository))
        .routes(routes!(system_update_get_repository))
        .routes(routes!(target_release_view, target_release_update))
}

/// List trusted root roles
///
/// Repositories of updates are taken if one of them vouches for them.
#[utoipa::path(get, path = "/v1/system/update/trust-roots", tag = "experimental", params(IdPage),
    responses((status = 200, body = ResultsPage<UpdatesTrustRoot>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn system_update_trust_root_list(
    call: Call,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| update::trust_root_list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a trust root
///
/// A signed root role of The Update Framework. It must be signed by as many of its own keys as its threshold requires.
/// Keys are Ed25519, ECDSA on P-256, or RSA with PSS.
#[utoipa::path(post, path = "/v1/system/update/trust-roots", tag = "experimental",
    request_body = Value, responses((status = 201, body = UpdatesTrustRoot)))]
async fn system_update_trust_root_create(call: Call, Json(role): Json<Value>) -> Result<Response> {
    call.write(move |cx, caller| update::trust_root_create(cx, caller, &role)).await.map(reply::created)
}

/// View a trusted root role
#[utoipa::path(get, path = "/v1/system/update/trust-roots/{trust_root_id}", tag = "experimental",
    params(TrustRootPath), responses((status = 200, body = UpdatesTrustRoot)))]
async fn system_update_trust_root_view(call: Call, Path(path): Path<TrustRootPath>) -> Result<Response> {
    call.read(move |cx, caller| update::trust_root_view(cx, caller, path.trust_root_id)).await.map(reply::ok)
}

/// Delete a trust root
///
/// Repositories that it verified remain.
#[utoipa::path(delete, path = "/v1/system/update/trust-roots/{trust_root_id}", tag = "experimental",
    params(TrustRootPath), responses((status = 204)))]
async fn system_update_trust_root_delete(call: Call, Path(path): Path<TrustRootPath>) -> Result<Response> {
    call.write(move |cx, caller| update::trust_root_delete(cx, caller, path.trust_root_id))
        .await
        .map(reply::no_content)
}

/// Upload a repository of updates
///
/// A zip archive of at most 4 GiB with a repository of The Update Framework, at its top or in one directory: `metadata`
/// with the signed roles, and `targets` with the files, of which `artifacts.json` has the version of the system and the
/// list of artifacts. A trust root must verify it. The same archive may be uploaded again.
#[utoipa::path(put, path = "/v1/system/update/repository", tag = "experimental", params(UpdatesPutRepository),
    request_body(content = inline(Archive), content_type = "application/octet-stream"),
    responses((status = 200, body = TufRepoInsertResponse)))]
async fn system_update_put_repository(
    call: Call,
    Query(query): Query<UpdatesPutRepository>,
    body: Body,
) -> Result<Response> {
    let trusted = match call.read(update::trusted).await {
        Ok(trusted) => trusted,
        // The rule refuses, and writes the audit entry.
        Err(failure) if failure.status() == StatusCode::FORBIDDEN => {
            let refused = Err(Error::unavailable("the caller was only just given the right to do this"));
            return put(&call, query.file_name, refused).await;
        }
        Err(failure) => return Err(failure),
    };
    let (ids, roots): (Vec<_>, Vec<_>) = trusted.into_iter().unzip();
    if roots.is_empty() {
        let refused = Err(Error::invalid_request("error loading repository: no root role is trusted"));
        return put(&call, query.file_name, refused).await;
    }
    let verified = match receive(&call, body, roots).await? {
        Ok(verified) => verified,
        Err(refused) => return put(&call, query.file_name, Err(refused)).await,
    };
    let Verified { hash, repository, upload } = verified;
    let trust_root = ids[repository.root];
    let newer = repository.newer_roots.iter();
    let newer_roots = newer.map(|newer| (ids[newer.follows], newer.role.clone())).collect();
    // Stored before it is recorded, so that every recorded archive exists.
    upload.keep().await?;
    let put =
        put(&call, query.file_name, Ok(VerifiedUpload { trust_root, hash, repository, newer_roots })).await;
    // An archive that was refused is not recorded under this hash.
    if put.as_ref().is_err_and(|failure| failure.status() == StatusCode::CONFLICT) {
        call.app.parts.repositories.forget(hash).await;
    }
    put
}

/// The body of the upload, for the document.
#[derive(utoipa::ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only its description is used")]
struct Archive(Vec<u8>);

async fn put(call: &Call, file_name: String, uploaded: Result<VerifiedUpload, Error>) -> Result<Response> {
    call.write(move |cx, caller| update::repository_put(cx, caller, &file_name, &uploaded))
        .await
        .map(reply::ok)
}

/// Receives and verifies an archive. The inner result is the result of the verification.
async fn receive(
    call: &Call,
    mut body: Body,
    roots: Vec<croft_tuf::Root>,
) -> Result<Result<Verified, Error>> {
    let mut upload = call.app.parts.repositories.begin().await?;
    let (mut waiting, mut received) = (BytesMut::new(), 0_u64);
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(Failure::from_body)?.into_data() else { continue };
        received += data.len() as u64;
        if received > MAX_ARCHIVE {
            let text = format!("request body exceeded maximum size of {MAX_ARCHIVE} bytes");
            return Err(Failure::unreadable(text));
        }
        waiting.extend_from_slice(&data);
        if waiting.len() >= WRITTEN_AT_ONCE {
            upload = upload.write(waiting.split().freeze()).await?;
        }
    }
    upload = upload.write(waiting.freeze()).await?;
    match upload.verify(roots, call.app.parts.clock.now()).await {
        Err(Error::InvalidRequest(reason)) => Ok(Err(Error::InvalidRequest(reason))),
        verified => Ok(Ok(verified?)),
    }
}

/// View a repository of updates
#[utoipa::path(get, path = "/v1/system/update/repository/{system_version}", tag = "experimental",
    params(RepositoryPath), responses((status = 200, body = TufRepoGetResponse)))]
async fn system_update_get_repository(call: Call, Path(path): Path<RepositoryPath>) -> Result<Response> {
    call.read(move |cx, caller| update::repository_view(cx, caller, &path.system_version))
        .await
        .map(reply::ok)
}

/// View the release that is wanted
#[utoipa::path(get, path = "/v1/system/update/target-release", tag = "experimental",
    responses((status = 200, body = TargetRelease)))]
async fn target_release_view(call: Call) -> Result<Response> {
    call.read(update::target_release_view).await.map(reply::ok)
}

/// Set the target release
///
/// There must be a repository of this version, and it must not be lower than the current target. The setting is stored;
/// nothing is installed.
#[utoipa::path(put, path = "/v1/system/update/target-release", tag = "experimental",
    request_body = SetTargetReleaseParams, responses((status = 201, body = TargetRelease)))]
async fn target_release_update(call: Call, Json(params): Json<SetTargetReleaseParams>) -> Result<Response> {
    call.write(move |cx, caller| update::target_release_update(cx, caller, &params)).await.map(reply::created)
}
