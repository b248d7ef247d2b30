use std::sync::Arc;

use axum::{
    Router,
    extract::{FromRequestParts as _, Request, State},
    response::{IntoResponse as _, Response},
    routing::get,
};
use croft_api::{Error, scalar::RelativeUri};
use croft_control::endpoint::SignIn;
use croft_http::{App, Failure, Query, RequestedUri, Result, attribute};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, request::Parts, uri::Authority};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::{Source, preloads};

/// Pages that require a session; others are redirected to sign in.
const PRIVATE: [&str; 20] = [
    "/",
    "/projects",
    "/projects/{*rest}",
    "/projects-new",
    "/settings",
    "/settings/{*rest}",
    "/system",
    "/system/{*rest}",
    "/lookup/{*rest}",
    "/images",
    "/images/{*rest}",
    "/images-new",
    "/overview",
    "/search",
    "/utilization",
    "/access",
    "/access/{*rest}",
    "/explorer",
    "/device/verify",
    "/device/success",
];
/// The page for selecting a silo or provider, if the host does not determine it.
const CHOICE: &str = "/login";
/// Sign-in pages: with a password, or through an identity provider.
// The parameters are named like those of the operation with the second path.
const LOGIN: [&str; 2] = ["/login/{silo_name}/local", "/login/{silo_name}/saml/{provider_name}"];

/// Characters that are not escaped in a query value: RFC 3986's unreserved characters.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Data for the login page that it needs before any code has run.
const DEFAULT_SILO: &str = "<meta name=\"croft-default-silo\" content=\"";

/// Data for all other pages that the API does not provide: the kind of hypervisor.
const MACHINES: &str = "<meta name=\"croft-machines\" content=\"";

const HEAD_END: &str = "</head>";

/// The HTML files, and the data that is inserted into them.
struct Pages {
    source: Arc<Source>,
    /// The kind of hypervisor, escaped for an attribute.
    machines: String,
}

/// The handler of pages. It returns one of two files; the browser's code evaluates the path.
pub fn router(source: Arc<Source>, machines: &str) -> Router<App> {
    let source = Arc::new(Pages { source, machines: attribute(machines) });
    let mut router = Router::new();
    for path in PRIVATE {
        let source = source.clone();
        let page = move |State(app): State<App>, request: Request| private(app, source, request);
        router = router.route(path, get(page));
    }
    for path in LOGIN {
        let source = source.clone();
        let page = move |State(app): State<App>, request: Request| login(app, source, request);
        router = router.route(path, get(page));
    }
    let unknown = source.clone();
    let page = move |State(app): State<App>, request: Request| choice(app, source, request);
    router
        .route(CHOICE, get(page))
        .fallback(move |request: Request| std::future::ready(not_found(&unknown, &request)))
}

/// The response to an unknown path: the console's own page for a browser
/// (`docs/rules/console/shell-and-account.md#unknown-paths`), the error of the catalog for everything else.
fn not_found(pages: &Pages, request: &Request) -> Result<Response> {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads || !wants_page(request.headers()) || is_api(request.uri().path()) || !pages.source.is_built() {
        return Err(Failure::route_not_found());
    }
    let mut page = index(pages, "")?;
    *page.status_mut() = StatusCode::NOT_FOUND;
    Ok(page)
}

/// Whether a browser will display the response; programs do not ask for HTML.
fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|kind| kind.trim().starts_with("text/html"))
}

/// Whether a path is for programs: there a browser gets the same response as a program.
fn is_api(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    matches!(first, "v1" | "experimental" | "assets")
}

async fn private(app: App, pages: Arc<Pages>, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let asked = parts.extensions.get::<RequestedUri>().map_or(&parts.uri, |requested| &requested.0);
    if app.signed_in(app.credentials(&parts)).await? {
        return index(&pages, &preloads::links(&pages.source, asked));
    }
    let host = host(&parts).ok_or_else(|| Error::invalid_request("request missing \"host\" header"))?;
    let sign_in = app.sign_in_of_any(host).await?;
    redirect(&sign_in, Some(&page_of(asked)))
}

/// The requested page, as a path on this server.
fn page_of(asked: &Uri) -> String {
    let asked = asked.path_and_query().map_or("/", |asked| asked.as_str());
    // A path that starts with an empty segment would be the address of another host in a redirect.
    format!("/{}", asked.trim_start_matches('/'))
}

/// The host in the request, as the client wrote it.
fn host(parts: &Parts) -> Option<String> {
    let asked = parts.extensions.get::<RequestedUri>().map_or(&parts.uri, |requested| &requested.0);
    let named = asked.authority().map(Authority::as_str);
    let host = named.or_else(|| parts.headers.get(header::HOST)?.to_str().ok())?;
    (!host.is_empty()).then(|| host.to_owned())
}

/// Redirects to the sign-in page, and from there to a page.
fn redirect(sign_in: &SignIn, page: Option<&str>) -> Result<Response> {
    let target = match page {
        Some(page) => format!("{sign_in}?redirect_uri={}", utf8_percent_encode(page, ENCODED)),
        None => sign_in.to_string(),
    };
    let location = HeaderValue::try_from(target).map_err(Error::internal)?;
    Ok((StatusCode::FOUND, [(header::LOCATION, location), (header::CACHE_CONTROL, NO_STORE)]).into_response())
}

async fn choice(app: App, pages: Arc<Pages>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let Query(query) = Query::<Redirect>::from_request_parts(&mut parts, &()).await?;
    if let Some(host) = host(&parts)
        && let Some(sign_in) = app.sign_in_of(host).await?
    {
        return redirect(&sign_in, query.redirect_uri.as_ref().map(RelativeUri::as_str));
    }
    login_page(&app, &pages, &parts).await
}

async fn login(app: App, pages: Arc<Pages>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    Query::<Redirect>::from_request_parts(&mut parts, &()).await?;
    login_page(&app, &pages, &parts).await
}

async fn login_page(app: &App, pages: &Pages, parts: &Parts) -> Result<Response> {
    // A console without a separate login page uses the other one.
    let Some(page) = pages.source.read("login.html") else { return index(pages, "") };
    let page = String::from_utf8(page.into()).map_err(Error::internal)?;
    let silo = app.offered_silo(host(parts)).await?.map_or_else(String::new, |silo| silo.to_string());
    let page = page.replacen(DEFAULT_SILO, &format!("{DEFAULT_SILO}{silo}"), 1);
    Ok(([(header::CONTENT_TYPE, HTML), (header::CACHE_CONTROL, NO_STORE)], page).into_response())
}

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Shown if the program was built without a console; says what to do.
const NOT_BUILT: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Croft</title>\n\
    <h1>The console was not built</h1>\n<p>This server was built without the console. Run \
    <code>cargo xtask run</code>, which builds both, or point <code>--console-dir</code> at a built console. \
    The API works.</p></html>\n";

/// The page, with `preloads` at the end of its head. It is small, so it is not compressed; its assets are.
fn index(pages: &Pages, preloads: &str) -> Result<Response> {
    let kinds = [(header::CONTENT_TYPE, HTML), (header::CACHE_CONTROL, NO_STORE)];
    if let Some(page) = pages.source.read("index.html") {
        let page = String::from_utf8(page.into()).map_err(Error::internal)?;
        let page = page.replacen(MACHINES, &format!("{MACHINES}{}", pages.machines), 1);
        let page = page.replacen(HEAD_END, &format!("{preloads}{HEAD_END}"), 1);
        return Ok((kinds, page).into_response());
    }
    if pages.source.is_built() {
        return Err(Failure::route_not_found());
    }
    Ok((StatusCode::NOT_FOUND, kinds, NOT_BUILT).into_response())
}

/// Where to go after signing in.
#[derive(Deserialize)]
struct Redirect {
    #[serde(default)]
    redirect_uri: Option<RelativeUri>,
}

#[cfg(test)]
mod tests {
    use croft_api::scalar::Name;
    use http::Request;

    use super::*;

    #[test]
    fn requests_of_browsers_for_pages_are_detected() {
        let asks = |accept: &'static str| {
            wants_page(&HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]))
        };
        assert!(asks("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"));
        assert!(!asks("*/*"));
        assert!(!asks("application/json"));
        assert!(!wants_page(&HeaderMap::new()));
        assert!(is_api("/v1/nothing") && is_api("//experimental/v1") && !is_api("/nothing"));
    }

    #[test]
    fn login_page_address_keeps_the_target() {
        let location = |page: Option<&str>| {
            let sign_in = SignIn::Local { silo: Name::literal("main") };
            redirect(&sign_in, page).unwrap().headers()[header::LOCATION].to_str().unwrap().to_owned()
        };
        assert_eq!(
            location(Some(&page_of(&Uri::from_static("/projects/web?sort=a+b&x=%2F")))),
            "/login/main/local?redirect_uri=%2Fprojects%2Fweb%3Fsort%3Da%2Bb%26x%3D%252F"
        );
        assert_eq!(location(None), "/login/main/local");
        assert_eq!(page_of(&Uri::from_static("//evil/x")), "/evil/x");
        assert_eq!(page_of(&Uri::from_static("http://here/x?y")), "/x?y");
    }

    #[test]
    fn host_of_a_request_is_parsed() {
        let host_of = |uri: &'static str, sent: Option<&'static str>| {
            let mut request = Request::builder().uri(uri);
            if let Some(sent) = sent {
                request = request.header(header::HOST, sent);
            }
            let (parts, ()) = request.body(()).unwrap().into_parts();
            host(&parts)
        };
        assert_eq!(host_of("/", Some("a:1")).as_deref(), Some("a:1"));
        assert_eq!(host_of("http://b/x", Some("a")).as_deref(), Some("b"), "an absolute address counts more");
        assert_eq!((host_of("/", None), host_of("/", Some(""))), (None, None));
    }
}
