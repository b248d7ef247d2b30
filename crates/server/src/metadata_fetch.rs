//! Fetches metadata of identity providers (`docs/rules/identity-and-system.md#identity-providers`).
//!
//! An administrator provides the URL, and the server contacts it if that is [allowed](crate::outbound).

use std::time::Duration;

use bytes::Bytes;
use croft_control::web_address::WebAddress;
use croft_http::{MetadataSource, Pending};
use http::{Request, StatusCode, header};
use http_body_util::{BodyExt as _, Empty, LengthLimitError, Limited};
use hyper::{body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use tokio::{task::JoinSet, time::timeout};

use crate::outbound::{AllowedDestinations, Outbound, Stream};

/// Maximum size of metadata, in bytes.
const MAX_LENGTH: usize = 1_048_576;

/// Fetches metadata from the web.
#[derive(Clone, Debug)]
pub struct MetadataFetch {
    outbound: Outbound,
    allow_plain: bool,
    time: Duration,
}

impl MetadataFetch {
    /// `allow_internal`: whether addresses that are not public may be contacted. `allow_plain`: whether metadata may be
    /// fetched without encryption, by `http`.
    pub fn new(allow_internal: bool, allow_plain: bool) -> Self {
        let beyond = if allow_internal {
            AllowedDestinations::Anything
        } else {
            AllowedDestinations::Networks(Vec::new())
        };
        let outbound = Outbound::new(beyond, "--allow-internal-metadata");
        Self { outbound, allow_plain, time: Duration::from_secs(5) }
    }

    async fn get(&self, url: &str) -> Result<String, String> {
        let target = WebAddress::parse(url).map_err(unreachable)?;
        if !target.is_encrypted && !self.allow_plain {
            return Err(unreachable(
                "metadata fetched by http can be forged on the way, which would let an attacker sign in as \
                 any user: give an https address, or the metadata itself; an operator can allow http with \
                 --allow-plain-metadata",
            ));
        }
        let fetched = timeout(self.time, self.get_from(&target));
        let seconds = self.time.as_secs();
        fetched.await.unwrap_or_else(|_| Err(unreachable(format!("no answer within {seconds} seconds"))))
    }

    async fn get_from(&self, target: &WebAddress) -> Result<String, String> {
        exchange(self.outbound.connect(target).await.map_err(unreachable)?, target).await
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

async fn exchange(stream: Box<dyn Stream>, target: &WebAddress) -> Result<String, String> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(unreachable)?;
    // Aborted when this function returns.
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

    /// Serves one client with this response, and returns its request.
    async fn server(answer: Vec<u8>) -> (String, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/metadata?x=1", listener.local_addr().unwrap());
        let served = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.unwrap();
            // The client may close the connection early.
            let _ = stream.write_all(&answer).await;
            if answer.is_empty() {
                let _ = stream.read(&mut [0; 1]).await;
            }
            String::from_utf8_lossy(&request[..length]).into_owned()
        });
        (url, served)
    }

    /// Allows all addresses.
    fn allowed() -> MetadataFetch {
        MetadataFetch::new(true, true)
    }

    async fn fetched(answer: impl Into<Vec<u8>>) -> Result<String, String> {
        let (url, _served) = server(answer.into()).await;
        allowed().fetch(url).await
    }

    fn ok(body: &[u8]) -> Vec<u8> {
        [format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
    }

    #[tokio::test]
    async fn metadata_is_fetched() {
        let (url, served) = server(ok("<x>ä</x>".as_bytes())).await;
        assert_eq!(allowed().fetch(url).await.as_deref(), Ok("<x>ä</x>"));
        let request = served.await.unwrap();
        assert!(request.starts_with("GET /metadata?x=1 HTTP/1.1\r\nhost: 127.0.0.1:"), "{request}");
    }

    #[tokio::test]
    async fn answers_without_metadata_are_refused() {
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
    async fn silent_servers_time_out() {
        let (url, _served) = server(Vec::new()).await;
        let fetch = MetadataFetch { time: Duration::from_millis(20), ..allowed() };
        assert_eq!(fetch.fetch(url).await.unwrap_err(), "error querying url: no answer within 0 seconds");
    }

    #[tokio::test]
    async fn internal_addresses_are_not_contacted() {
        for host in
            ["127.0.0.1:9", "localhost:9", "[::1]:9", "169.254.169.254", "10.0.0.1", "[::ffff:127.0.0.1]"]
        {
            let fetch = MetadataFetch::new(false, true);
            let refusal = fetch.fetch(format!("http://{host}/")).await.unwrap_err();
            assert!(refusal.contains("is not on the public internet"), "{host}: {refusal}");
        }
    }

    #[tokio::test]
    async fn metadata_without_tls_requires_permission() {
        let (url, served) = server(ok(b"<x/>")).await;
        let refusal = MetadataFetch::new(true, false).fetch(url.clone()).await.unwrap_err();
        assert!(refusal.starts_with("error querying url: metadata fetched by http"), "{refusal}");
        assert!(refusal.ends_with("--allow-plain-metadata"), "{refusal}");
        assert!(!served.is_finished(), "no request was sent");
        assert_eq!(MetadataFetch::new(true, true).fetch(url).await.as_deref(), Ok("<x/>"));
        let encrypted = MetadataFetch::new(false, false).fetch("https://127.0.0.1:9/".into()).await;
        assert!(encrypted.unwrap_err().contains("is not on the public internet"));
    }

    #[tokio::test]
    async fn invalid_addresses_are_refused() {
        for url in ["", "ftp://x/", "http://user@127.0.0.1/"] {
            let refusal = allowed().fetch(url.into()).await.unwrap_err();
            assert!(refusal.starts_with("error querying url: "), "{url}: {refusal}");
        }
    }
}
