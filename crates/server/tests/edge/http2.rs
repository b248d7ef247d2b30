//! HTTP/2: by ALPN with TLS, and by prior knowledge without.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use futures_util::future::join_all;
use hyper::{Request, StatusCode, client::conn::http2, header};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::{
    program::Server,
    tls::{HOST, TLS, TestCertificate, create, eventually, self_signed, trusting},
};

type Client = http2::SendRequest<Body>;

async fn client(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Client {
    let (client, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn encrypted(server: &Server, trusted: &TestCertificate, protocols: &[&str]) -> TlsStream<TcpStream> {
    let mut config = trusting(trusted);
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(server.tls_address()).await.unwrap();
    TlsConnector::from(Arc::new(config)).connect(HOST.try_into().unwrap(), stream).await.unwrap()
}

async fn send(mut client: Client, request: Request<Body>) -> (StatusCode, Value) {
    let answer = client.send_request(request).await.unwrap();
    let status = answer.status();
    let body = to_bytes(Body::new(answer.into_body()), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

fn get(target: &str) -> Request<Body> {
    Request::get(target).body(Body::empty()).unwrap()
}

#[tokio::test]
async fn requests_of_one_connection_are_concurrent() {
    let server = Server::start(&[]);
    let address = server.address();
    let cookie = server.sign_in(&server.password());
    let client = client(TcpStream::connect(address).await.unwrap()).await;

    let ping = format!("http://{address}/v1/ping");
    for (status, body) in join_all((0..50).map(|_| send(client.clone(), get(&ping)))).await {
        assert_eq!((status, &body["status"]), (StatusCode::OK, &Value::from("ok")));
    }
    let (status, _) = send(client.clone(), get(&format!("http://{address}/v1/me"))).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let mut me = get(&format!("http://{address}/v1/me"));
    me.headers_mut().insert(header::COOKIE, cookie.parse().unwrap());
    let (status, body) = send(client, me).await;
    assert_eq!(status, StatusCode::OK, "{body}");
}

#[tokio::test]
async fn cross_site_check_uses_the_host_of_the_target() {
    let server = Server::start(&[]);
    let address = server.address();
    let cookie = server.sign_in(&server.password());
    let client = client(TcpStream::connect(address).await.unwrap()).await;
    for (origin, host, expected) in [
        (format!("http://{address}"), address, StatusCode::CREATED),
        ("http://elsewhere.test".to_owned(), address, StatusCode::FORBIDDEN),
        // The authority of the target takes precedence over the `host` field.
        ("http://elsewhere.test".to_owned(), "elsewhere.test", StatusCode::FORBIDDEN),
    ] {
        let request = Request::post(format!("http://{address}/v1/projects"))
            .header(header::COOKIE, &cookie)
            .header(header::ORIGIN, origin)
            .header(header::HOST, host)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(r#"{"name": "web", "description": ""}"#));
        let (status, body) = send(client.clone(), request.unwrap()).await;
        assert_eq!(status, expected, "{body}");
    }
}

#[tokio::test]
async fn clients_choose_the_version_during_the_tls_handshake() {
    let server = Server::start(&TLS);
    let cookie = server.sign_in(&server.password());
    let certificate = self_signed("web", HOST, 2100);
    create(&server, &cookie, &certificate);
    drop(eventually(&server, HOST, &certificate));

    let old = encrypted(&server, &certificate, &["http/1.1"]).await;
    assert_eq!(old.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
    let new = encrypted(&server, &certificate, &["h2", "http/1.1"]).await;
    assert_eq!(new.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let target = format!("https://{HOST}/v1/ping");
    let (status, _) = send(client(new).await, get(&target)).await;
    assert_eq!(status, StatusCode::OK);
}
