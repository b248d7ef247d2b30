use std::{net::SocketAddr, sync::Arc};

use croft_api::alert::WebhookDeliveryAttemptResult as Ended;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls_pki_types::PrivateKeyDer;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    sync::{Semaphore, oneshot},
    task::JoinHandle,
};
use tokio_rustls::TlsAcceptor;

use super::*;
use crate::outbound;

/// What a receiver does after it has read a request.
#[derive(Clone, Copy)]
enum ReceiverAction {
    /// Sends this text and closes the connection.
    Send(&'static str),
    /// Sends this text, and then nothing.
    SendAndHang(&'static str),
    /// Sends this text, and then data without end.
    SendForever(&'static str),
}

struct Receiver {
    address: SocketAddr,
    requests: Arc<Semaphore>,
    served: JoinHandle<()>,
    first: oneshot::Receiver<String>,
}

/// Starts a receiver that does the same for each connection.
async fn receiver(act: ReceiverAction) -> Receiver {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let requests = Arc::new(Semaphore::new(0));
    let (sender, first) = oneshot::channel();
    let counter = Arc::clone(&requests);
    let served = tokio::spawn(async move {
        let mut sender = Some(sender);
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            counter.add_permits(1);
            let mut request = Vec::new();
            while !request.ends_with(b"{}") {
                let mut part = [0; 4096];
                let length = stream.read(&mut part).await.unwrap();
                assert!(length > 0, "the request ended early");
                request.extend_from_slice(&part[..length]);
            }
            if let Some(sender) = sender.take() {
                let _ = sender.send(String::from_utf8(request).unwrap());
            }
            let (ReceiverAction::Send(text)
            | ReceiverAction::SendAndHang(text)
            | ReceiverAction::SendForever(text)) = act;
            // The sender may close the connection early.
            let _ = stream.write_all(text.as_bytes()).await;
            if let ReceiverAction::SendForever(_) = act {
                while stream.write_all(&[b'x'; 8192]).await.is_ok() {}
            }
            if let ReceiverAction::SendAndHang(_) = act {
                let _ = stream.read(&mut [0; 1]).await;
            }
        }
    });
    Receiver { address, requests, served, first }
}

fn webhooks(allow: &[&str]) -> Webhooks {
    let networks = allow.iter().map(|text| text.parse().unwrap()).collect();
    let patience = Timeouts {
        connect: Duration::from_secs(10),
        whole: Duration::from_secs(30),
        body: Duration::from_millis(50),
    };
    Webhooks { patience, ..Webhooks::new(AllowedDestinations::Networks(networks), Vec::new()) }
}

fn request(endpoint: &str) -> WebhookRequest {
    WebhookRequest {
        endpoint: WebAddress::parse(endpoint).unwrap(),
        headers: vec![
            ("content-type".into(), "application/json".into()),
            ("x-croft-signature".into(), "one".into()),
            ("x-croft-signature".into(), "two".into()),
        ],
        body: b"{}".to_vec(),
    }
}

async fn sent(webhooks: &Webhooks, request: WebhookRequest) -> WebhookAnswer {
    let (done, answer) = oneshot::channel();
    webhooks.send(
        request,
        Box::new(move |answer| {
            let _ = done.send(answer);
        }),
    );
    answer.await.unwrap()
}

/// The result of a request to such a receiver.
async fn ended(act: ReceiverAction) -> (Ended, Option<u16>) {
    ended_with(&webhooks(&["127.0.0.1"]), act).await
}

async fn ended_with(webhooks: &Webhooks, act: ReceiverAction) -> (Ended, Option<u16>) {
    let receiver = receiver(act).await;
    let answer = sent(webhooks, request(&format!("http://{}/", receiver.address))).await;
    assert_eq!(receiver.requests.available_permits(), 1, "one request and no more");
    assert!(!receiver.served.is_finished());
    (answer.result, answer.response.map(|response| response.status))
}

#[tokio::test]
async fn requests_are_sent_unchanged() {
    let receiver = receiver(ReceiverAction::Send("HTTP/1.1 204 No Content\r\n\r\n")).await;
    let answer =
        sent(&webhooks(&["127.0.0.1"]), request(&format!("http://{}/a?b=c", receiver.address))).await;
    assert_eq!(answer.result, Ended::Succeeded);
    let text = receiver.first.await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines();
    assert_eq!(lines.next(), Some("POST /a?b=c HTTP/1.1"));
    let lines: Vec<_> = lines.collect();
    for line in [
        &format!("host: {}", receiver.address),
        "content-type: application/json",
        "content-length: 2",
        "x-croft-signature: one",
        "x-croft-signature: two",
    ] {
        assert!(lines.contains(&line), "{line} in {head}");
    }
    assert_eq!(body, "{}");
}

#[tokio::test]
async fn status_determines_the_outcome() {
    let whole = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    assert_eq!(ended(ReceiverAction::Send(whole)).await, (Ended::Succeeded, Some(200)));
    let broken = "HTTP/1.1 500 Broken\r\ncontent-length: 0\r\n\r\n";
    assert_eq!(ended(ReceiverAction::Send(broken)).await, (Ended::FailedHttpError, Some(500)));
    let moved = "HTTP/1.1 307 Elsewhere\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n";
    assert_eq!(ended(ReceiverAction::Send(moved)).await, (Ended::FailedHttpError, Some(307)));
}

#[tokio::test]
async fn body_of_the_answer_is_ignored() {
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx";
    assert_eq!(ended(ReceiverAction::Send(cut)).await, (Ended::Succeeded, Some(200)));
    assert_eq!(ended(ReceiverAction::SendAndHang(cut)).await, (Ended::Succeeded, Some(200)));
    let endless = "HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n";
    assert_eq!(ended(ReceiverAction::SendForever(endless)).await, (Ended::Succeeded, Some(200)));
}

#[tokio::test]
async fn answer_without_a_status_is_unreachable() {
    assert_eq!(ended(ReceiverAction::Send("")).await, (Ended::FailedUnreachable, None));
    assert_eq!(ended(ReceiverAction::Send("HTTP/1.1 20")).await, (Ended::FailedUnreachable, None));
    assert_eq!(
        ended(ReceiverAction::Send("HTTP/1.1 200 OK\r\nx: y")).await,
        (Ended::FailedUnreachable, None)
    );
    assert_eq!(ended(ReceiverAction::Send("nonsense\r\n\r\n")).await, (Ended::FailedUnreachable, None));
    assert_eq!(
        ended(ReceiverAction::SendForever("HTTP/1.1 200 OK\r\nx: ")).await,
        (Ended::FailedUnreachable, None)
    );
}

#[tokio::test]
async fn silent_receivers_time_out() {
    let webhooks = webhooks(&["127.0.0.1"]);
    let patience = Timeouts { whole: Duration::from_millis(100), ..webhooks.patience };
    let webhooks = Webhooks { patience, ..webhooks };
    for text in ["", "HTTP/1.1 200 OK\r\n"] {
        let (result, status) = ended_with(&webhooks, ReceiverAction::SendAndHang(text)).await;
        assert_eq!((result, status), (Ended::FailedTimeout, None));
    }
}

#[tokio::test]
async fn unreachable_receivers_are_reported() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let answer = sent(&webhooks(&["127.0.0.1"]), request(&format!("http://{address}/"))).await;
    assert_eq!(answer.result, Ended::FailedUnreachable);
}

#[tokio::test]
async fn connection_errors_are_reported() {
    let refused = sent(&webhooks(&["127.0.0.2"]), request("http://127.0.0.1:9/")).await;
    let reason = refused.reason.unwrap();
    assert!(reason.contains("127.0.0.1") && reason.contains("--webhook-allow"), "{reason}");
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let patience = Timeouts { whole: Duration::from_millis(50), ..webhooks(&[]).patience };
    let impatient = Webhooks { patience, ..webhooks(&["127.0.0.1"]) };
    let silent = sent(&impatient, request(&format!("http://{address}/"))).await;
    assert_eq!(silent, WebhookAnswer::timeout("no answer within 0 seconds"));
    drop(listener);
    let gone = sent(&webhooks(&["127.0.0.1"]), request(&format!("http://{address}/"))).await;
    assert!(!gone.reason.unwrap().is_empty());
}

#[tokio::test]
async fn addresses_that_are_not_allowed_are_not_contacted() {
    let receiver = receiver(ReceiverAction::Send("HTTP/1.1 200 OK\r\n\r\n")).await;
    let port = receiver.address.port();
    for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0"] {
        let answer = sent(&webhooks(&["127.0.0.2"]), request(&format!("http://{host}:{port}/"))).await;
        assert_eq!(answer.result, Ended::FailedUnreachable, "{host}");
    }
    assert_eq!(receiver.requests.available_permits(), 0);
    let answer = sent(&webhooks(&["127.0.0.0/8"]), request(&format!("http://localhost:{port}/"))).await;
    assert_eq!(answer.result, Ended::Succeeded);
}

#[tokio::test]
async fn status_just_before_the_timeout_is_accepted() {
    let webhooks = webhooks(&["127.0.0.1"]);
    let patience =
        Timeouts { whole: Duration::from_secs(3), body: Duration::from_mins(1), ..webhooks.patience };
    let webhooks = Webhooks { patience, ..webhooks };
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx";
    assert_eq!(ended_with(&webhooks, ReceiverAction::SendAndHang(cut)).await, (Ended::Succeeded, Some(200)));
}

#[test]
fn headers_and_tokens_have_the_same_prefix() {
    assert_eq!(croft_control::authn::TOKEN_PREFIX, format!("{}-token-", croft_control::VENDOR));
}

/// A private certificate authority and its certificate.
fn authority() -> (Issuer<'static, KeyPair>, String) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let pem = params.self_signed(&key).unwrap().pem();
    (Issuer::new(params, key), pem)
}

/// Starts a TLS receiver whose certificate for 127.0.0.1 is signed by this authority. It accepts every request.
async fn encrypted_receiver(issuer: &Issuer<'static, KeyPair>) -> SocketAddr {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, issuer).unwrap().der().clone();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            // A client that does not trust the certificate closes the connection.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = Vec::new();
            while !request.ends_with(b"{}") {
                let length = stream.read_buf(&mut request).await.unwrap();
                assert!(length > 0, "the request ended early");
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.unwrap();
            stream.shutdown().await.unwrap();
        }
    });
    address
}

#[tokio::test]
async fn trusted_authorities_are_accepted() {
    let ((issuer, pem), (_, other)) = (authority(), authority());
    let address = encrypted_receiver(&issuer).await;
    let ended = async |content: &str| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        let authorities = outbound::read_authorities(file.path()).unwrap();
        let networks = vec!["127.0.0.1".parse().unwrap()];
        let webhooks = Webhooks::new(AllowedDestinations::Networks(networks), authorities);
        sent(&webhooks, request(&format!("https://{address}/"))).await
    };
    assert_eq!(ended(&other).await.result, Ended::FailedUnreachable);
    assert_eq!(ended(&pem).await.result, Ended::Succeeded);
    assert_eq!(
        ended(&format!("{other}{pem}")).await.result,
        Ended::Succeeded,
        "the authority is one of several"
    );
    let none = sent(&webhooks(&["127.0.0.1"]), request(&format!("https://{address}/"))).await;
    assert_eq!(none.result, Ended::FailedUnreachable);
}
