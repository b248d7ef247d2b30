//! Fetches metadata of identity providers (`domain/identity-and-system.md`, section 3.1).
//!
//! An administrator names the address, and the server goes there: an address of the server's own network would let
//! the administrator of a silo see what only the server may. So only public addresses are contacted, unless the
//! operator allows others; names are resolved here, and the connection goes to the address that was looked at.

mod address;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use croft_http::{MetadataSource, Pending};
use http::{Request, StatusCode, Uri, header, uri::Scheme};
use http_body_util::{BodyExt as _, Empty, LengthLimitError, Limited};
use hyper::{body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::ServerName;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, lookup_host},
    task::{JoinSet, spawn_blocking},
    time::timeout,
};
use tokio_rustls::TlsConnector;

use address::is_public;

/// Largest metadata, in bytes.
const MAX_LENGTH: usize = 1_048_576;

/// Fetches metadata from the web.
#[derive(Clone, Debug)]
pub struct MetadataFetch {
    allow_internal: bool,
    time: Duration,
}

impl MetadataFetch {
    /// `allow_internal`: whether addresses that are not public may be contacted too.
    pub fn new(allow_internal: bool) -> Self {
        Self { allow_internal, time: Duration::from_secs(5) }
    }

    async fn get(&self, url: &str) -> Result<String, String> {
        let target = Target::parse(url).map_err(unreachable)?;
        let fetched = timeout(self.time, self.get_from(&target));
        let seconds = self.time.as_secs();
        fetched.await.unwrap_or_else(|_| Err(unreachable(format!("no answer within {seconds} seconds"))))
    }

    async fn get_from(&self, target: &Target) -> Result<String, String> {
        let stream = self.connect(target).await.map_err(unreachable)?;
        if !target.is_encrypted {
            return exchange(stream, target).await;
        }
        let stream = encrypt(stream, target).await.map_err(unreachable)?;
        exchange(stream, target).await
    }

    async fn connect(&self, target: &Target) -> Result<TcpStream, String> {
        let name = (target.host.as_str(), target.port);
        let addresses = lookup_host(name).await.map_err(|error| format!("{}: {error}", target.host))?;
        let allowed: Vec<SocketAddr> =
            addresses.filter(|address| self.allow_internal || is_public(address.ip())).collect();
        if allowed.is_empty() {
            return Err(format!(
                "{} is not on the public internet, and the server does not look elsewhere unless it is started with \
                 --allow-internal-metadata",
                target.host
            ));
        }
        TcpStream::connect(&allowed[..]).await.map_err(|error| format!("{}: {error}", target.host))
    }
}

impl MetadataSource for MetadataFetch {
    fn fetch(&self, url: String) -> Pending<Result<String, String>> {
        let fetch = self.clone();
        Box::pin(async move { fetch.get(&url).await })
    }
}

fn unreachable(reason: impl std::fmt::Display) -> String {
    format!("error querying url: {reason}")
}

fn unreadable(reason: impl std::fmt::Display) -> String {
    format!("error getting text from url: {reason}")
}

/// Where to ask, and for what.
struct Target {
    is_encrypted: bool,
    /// A name, or an address without brackets.
    host: String,
    port: u16,
    authority: String,
    path: String,
}

impl Target {
    fn parse(url: &str) -> Result<Self, String> {
        let uri: Uri = url.trim().parse().map_err(|error| format!("{error}"))?;
        let is_encrypted = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err("not an http or https address".to_owned()),
        };
        let authority = uri.authority().ok_or("not an http or https address")?;
        if authority.as_str().contains('@') {
            return Err("an address with a user's name".to_owned());
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self {
            is_encrypted,
            port: authority.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 }),
            host,
            authority: authority.to_string(),
            path: uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string),
        })
    }
}

/// TLS as this host trusts it: with the operating system's authorities, to which an organisation can add its own.
async fn encrypt(
    stream: TcpStream,
    target: &Target,
) -> Result<tokio_rustls::client::TlsStream<TcpStream>, String> {
    let name = ServerName::try_from(target.host.clone()).map_err(|error| error.to_string())?;
    let roots = spawn_blocking(roots).await.map_err(|error| error.to_string())??;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await.map_err(|error| error.to_string())
}

fn roots() -> Result<RootCertStore, String> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        return Err("this host trusts no certificate authority".to_owned());
    }
    Ok(roots)
}

async fn exchange<S>(stream: S, target: &Target) -> Result<String, String>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(unreachable)?;
    // Ends with this function, however it ends.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let request = Request::get(&target.path)
        .header(header::HOST, &target.authority)
        .header(header::ACCEPT, "application/samlmetadata+xml, application/xml, text/xml")
        .header(header::USER_AGENT, "croft")
        .header(header::CONNECTION, "close")
        .body(Empty::<Bytes>::new())
        .map_err(unreachable)?;
    let response = sender.send_request(request).await.map_err(unreachable)?;
    if response.status() != StatusCode::OK {
        return Err(format!("querying url returned: {}", response.status()));
    }
    text(response.into_body()).await
}

async fn text(body: Incoming) -> Result<String, String> {
    let body = Limited::new(body, MAX_LENGTH).collect().await.map_err(|error| {
        if error.is::<LengthLimitError>() {
            return unreadable(format!("more than {MAX_LENGTH} bytes"));
        }
        unreadable(error)
    })?;
    String::from_utf8(body.to_bytes().into()).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };

    use super::*;

    /// A server that gives one client this answer, and the request that it got.
    async fn server(answer: Vec<u8>) -> (String, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/metadata?x=1", listener.local_addr().unwrap());
        let served = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.unwrap();
            // The client may have heard enough.
            let _ = stream.write_all(&answer).await;
            if answer.is_empty() {
                let _ = stream.read(&mut [0; 1]).await;
            }
            String::from_utf8_lossy(&request[..length]).into_owned()
        });
        (url, served)
    }

    async fn fetched(answer: impl Into<Vec<u8>>) -> Result<String, String> {
        let (url, _served) = server(answer.into()).await;
        MetadataFetch::new(true).fetch(url).await
    }

    fn ok(body: &[u8]) -> Vec<u8> {
        [format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
    }

    #[tokio::test]
    async fn the_text_at_an_address() {
        let (url, served) = server(ok("<x>ä</x>".as_bytes())).await;
        assert_eq!(MetadataFetch::new(true).fetch(url).await.as_deref(), Ok("<x>ä</x>"));
        let request = served.await.unwrap();
        assert!(request.starts_with("GET /metadata?x=1 HTTP/1.1\r\nhost: 127.0.0.1:"), "{request}");
    }

    #[tokio::test]
    async fn answers_that_are_no_metadata() {
        let moved = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(fetched(moved).await.unwrap_err(), "querying url returned: 302 Found");
        let gone = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(fetched(gone).await.unwrap_err(), "querying url returned: 404 Not Found");
        let large = fetched(ok(&vec![b' '; MAX_LENGTH + 1])).await.unwrap_err();
        assert_eq!(large, "error getting text from url: more than 1048576 bytes");
        assert!(fetched(ok(b"\xff")).await.unwrap_err().starts_with("error getting text from url: "));
        assert!(fetched("nonsense\r\n\r\n").await.unwrap_err().starts_with("error querying url: "));
        let cut = fetched("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx").await.unwrap_err();
        assert!(cut.starts_with("error getting text from url: "), "{cut}");
    }

    #[tokio::test]
    async fn a_server_that_says_nothing_is_given_up() {
        let (url, _served) = server(Vec::new()).await;
        let fetch = MetadataFetch { allow_internal: true, time: Duration::from_millis(20) };
        assert_eq!(fetch.fetch(url).await.unwrap_err(), "error querying url: no answer within 0 seconds");
    }

    #[tokio::test]
    async fn internal_addresses_are_not_contacted() {
        for host in
            ["127.0.0.1:9", "localhost:9", "[::1]:9", "169.254.169.254", "10.0.0.1", "[::ffff:127.0.0.1]"]
        {
            let refusal = MetadataFetch::new(false).fetch(format!("http://{host}/")).await.unwrap_err();
            assert!(refusal.contains("is not on the public internet"), "{host}: {refusal}");
        }
    }

    #[tokio::test]
    async fn what_is_no_address() {
        for url in ["", "x", "/x", "file:///etc/passwd", "ftp://x/", "http://user@127.0.0.1/", "http://"] {
            let refusal = MetadataFetch::new(true).fetch(url.into()).await.unwrap_err();
            assert!(refusal.starts_with("error querying url: "), "{url}: {refusal}");
        }
    }
}
