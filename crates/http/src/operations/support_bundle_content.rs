//! The data of support bundles (`docs/rules/identity-and-system.md#downloads-of-bundles`).

use std::{
    io::{self, Cursor, Read as _, Seek as _, SeekFrom},
    ops::Range,
};

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
    routing::get,
};
use croft_api::{
    Error, Uuid,
    support_bundle::{SupportBundleFilePath, SupportBundlePath},
};
use croft_control::{
    Caller, Cx,
    support_bundle::{self, Archives, Content},
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use utoipa::IntoParams;

use crate::{
    call::Call,
    extract::Path,
    failure::Result,
    pools::{Pools, Work},
    range,
    routes::{OpenApiRouter, routes},
};

/// Size of a read, in bytes.
const CHUNK: u64 = 256 << 10;
const FILE: &str = "/experimental/v1/system/support-bundles/{bundle_id}/download/{*file}";

pub(super) fn router() -> OpenApiRouter {
    // The document has no syntax for a parameter that contains slashes; the routes have.
    OpenApiRouter::new()
        .routes(routes!(support_bundle_download_file, support_bundle_head_file))
        .described_alone()
        .route(FILE, get(support_bundle_download_file).head(support_bundle_head_file))
        .routes(routes!(support_bundle_download, support_bundle_head))
        .routes(routes!(support_bundle_index))
}

/// The requested range of the content.
#[derive(serde::Deserialize, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only its description is used")]
struct RangeHeader {
    /// A single range of bytes.
    #[param(required = false)]
    range: String,
}

/// List the files of a support bundle
///
/// Their names, one on each line.
#[utoipa::path(get, path = "/experimental/v1/system/support-bundles/{bundle_id}/index", tag = "experimental",
    params(RangeHeader, SupportBundlePath), responses((status = "default", content_type = "*/*")))]
async fn support_bundle_index(
    call: Call,
    method: Method,
    Path(path): Path<SupportBundlePath>,
    headers: HeaderMap,
) -> Result<Response> {
    let names = from_archives(&call, path.bundle_id, Archives::names).await?;
    let content = Cursor::new(names.join("\n").into_bytes());
    Ok(part(&call.app.pools, &method, &headers, "text/plain", Box::new(content)).await?.0)
}

/// Download a support bundle
///
/// As a zip file.
#[utoipa::path(get, path = "/experimental/v1/system/support-bundles/{bundle_id}/download", tag = "experimental",
    params(RangeHeader, SupportBundlePath), responses((status = "default", content_type = "*/*")))]
async fn support_bundle_download(
    call: Call,
    method: Method,
    Path(path): Path<SupportBundlePath>,
    headers: HeaderMap,
) -> Result<Response> {
    let content = from_archives(&call, path.bundle_id, Archives::open).await?;
    let (answer, sent) = part(&call.app.pools, &method, &headers, "application/zip", content).await?;
    note(&call, path.bundle_id, Ok(sent)).await?;
    Ok(answer)
}

/// Get the headers of a download of a support bundle
#[utoipa::path(head, path = "/experimental/v1/system/support-bundles/{bundle_id}/download", tag = "experimental",
    params(RangeHeader, SupportBundlePath), responses((status = "default", content_type = "*/*")))]
async fn support_bundle_head(
    call: Call,
    method: Method,
    path: Path<SupportBundlePath>,
    headers: HeaderMap,
) -> Result<Response> {
    support_bundle_download(call, method, path, headers).await
}

/// Download a file of a support bundle
#[utoipa::path(get, path = "/experimental/v1/system/support-bundles/{bundle_id}/download/{file}",
    tag = "experimental", params(RangeHeader, SupportBundleFilePath),
    responses((status = "default", content_type = "*/*")))]
async fn support_bundle_download_file(
    call: Call,
    method: Method,
    Path(path): Path<SupportBundleFilePath>,
    headers: HeaderMap,
) -> Result<Response> {
    let SupportBundleFilePath { bundle_id, file } = path;
    let name = file.clone();
    let found = from_archives(&call, bundle_id, move |archives, id| archives.member(id, &name)).await?;
    let Some(content) = found else {
        let missing = support_bundle::no_such_file(bundle_id, &file);
        note(&call, bundle_id, Err(missing.clone())).await?;
        return Err(missing.into());
    };
    let content = Box::new(Cursor::new(content));
    let (answer, sent) =
        part(&call.app.pools, &method, &headers, "application/octet-stream", content).await?;
    note(&call, bundle_id, Ok(sent)).await?;
    Ok(answer)
}

/// Get the headers of a download of a file of a support bundle
#[utoipa::path(head, path = "/experimental/v1/system/support-bundles/{bundle_id}/download/{file}",
    tag = "experimental", params(RangeHeader, SupportBundleFilePath),
    responses((status = "default", content_type = "*/*")))]
async fn support_bundle_head_file(
    call: Call,
    method: Method,
    path: Path<SupportBundleFilePath>,
    headers: HeaderMap,
) -> Result<Response> {
    support_bundle_download_file(call, method, path, headers).await
}

/// Opens the data of a bundle that the caller may download.
async fn from_archives<T: Send + 'static>(
    call: &Call,
    id: Uuid,
    ask: impl FnOnce(&dyn Archives, Uuid) -> io::Result<T> + Send + 'static,
) -> Result<T> {
    let may_download =
        move |cx: &mut Cx<'_, '_>, caller: &Caller| support_bundle::may_download(cx, caller, id);
    if call.operation()?.audited {
        call.prepare(may_download).await?;
    } else {
        call.read(may_download).await?;
    }
    let archives = call.app.parts.archives.clone();
    // It was deleted meanwhile, or was stored by the previous server of this database.
    let missing =
        |error: io::Error| Error::unavailable(format!("the content of support bundle {id}: {error}"));
    Ok(call.block(Work::Downloads, move || ask(&*archives, id)).await?.map_err(missing)?)
}

/// Writes the audit entry of a download before the first byte is sent. A request for the headers has none.
async fn note(call: &Call, id: Uuid, sent: std::result::Result<u64, Error>) -> Result<()> {
    if call.operation()?.audited {
        call.write(move |cx, caller| support_bundle::download(cx, caller, id, &sent)).await?;
    }
    Ok(())
}

/// The response with a content, or with a range of it; and its number of bytes.
async fn part(
    pools: &Pools,
    method: &Method,
    headers: &HeaderMap,
    content_type: &'static str,
    mut content: Box<dyn Content>,
) -> Result<(Response, u64)> {
    let measure = move || content.seek(SeekFrom::End(0)).map(|length| (content, length));
    let (content, length) = pools.run(Work::Downloads, measure).await?.map_err(Error::unavailable)?;
    let asked = range::requested(headers, length)?;
    let range = asked.clone().unwrap_or(0..length);
    let size = range.end - range.start;
    let body =
        if method == Method::HEAD { Body::empty() } else { stream(pools.clone(), content, range.clone()) };
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    // The log may contain anything that clients sent, so browsers must save it and not display it.
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(size));
    if asked.is_some() {
        let text = format!("bytes {}-{}/{length}", range.start, range.end - 1);
        headers.insert(header::CONTENT_RANGE, HeaderValue::try_from(text).map_err(Error::internal)?);
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    Ok((response, size))
}

/// Reads a content in pieces, off the threads that serve requests.
fn stream(pools: Pools, content: Box<dyn Content>, range: Range<u64>) -> Body {
    let pieces =
        futures_util::stream::try_unfold((pools, content, range), |(pools, mut content, range)| async move {
            if range.is_empty() {
                return Ok(None);
            }
            let length = (range.end - range.start).min(CHUNK);
            let read = pools.run(Work::Downloads, move || {
                content.seek(SeekFrom::Start(range.start))?;
                let mut piece = Vec::new();
                content.by_ref().take(length).read_to_end(&mut piece)?;
                io::Result::Ok((content, piece))
            });
            let (content, piece) =
                read.await.map_err(|failure| io::Error::other(failure.message().to_owned()))??;
            if piece.is_empty() {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
            }
            let next = range.start + piece.len() as u64..range.end;
            Ok(Some((piece, (pools, content, next))))
        });
    Body::from_stream(pieces)
}
