use std::{
    future::Future,
    task::{Context, Waker},
};

use croft_http::{Settings, TooSlow};
use croft_store::{Database, SqliteOptions, StoreError, Tx, schema::CROFT};
use http::StatusCode;
use serde_json::json;

use crate::cloud::Cloud;

#[tokio::test]
async fn full_server_refuses_immediately_and_stays_reachable() {
    let cloud = Cloud::with(Settings { max_in_flight: 0, ..Settings::default() });
    let answer = cloud.anonymous().get("/v1/me").await;
    answer.assert_error(StatusCode::SERVICE_UNAVAILABLE, "ServiceNotAvailable", "Service Unavailable");
    assert_eq!(answer.header("retry-after"), "1");
    assert_eq!(cloud.app.load.refused(), 1);
    for uri in ["/v1/ping", "/openapi.json"] {
        assert_eq!(cloud.anonymous().get(uri).await.status, 200, "{uri}");
    }
    cloud.signed_in().await;
}

#[tokio::test]
async fn slow_client_occupies_no_slot() {
    let cloud = Cloud::with(Settings { max_in_flight: 1, ..Settings::default() });
    let client = cloud.anonymous();
    {
        let never = futures_util::stream::pending::<Result<bytes::Bytes, std::io::Error>>();
        let body = axum::body::Body::from_stream(never);
        let mut request = std::pin::pin!(client.send(http::Method::POST, "/v1/projects", body));
        let mut context = Context::from_waker(Waker::noop());
        assert!(request.as_mut().poll(&mut context).is_pending());
        assert_eq!(cloud.app.load.in_flight(), 0);
        client.get("/v1/me").await.assert_unauthorized();
    }
    assert_eq!(cloud.app.load.in_flight(), 0);
}

#[tokio::test]
async fn panic_fails_one_request() {
    async fn defect() {
        panic!("this detail belongs in the log only");
    }
    let mut cloud = Cloud::new();
    let pages = axum::Router::new().route("/defect", axum::routing::get(defect));
    cloud.edge = croft_http::serve(cloud.app.clone(), pages);
    let answer = cloud.anonymous().get("/defect").await;
    answer.assert_error(StatusCode::INTERNAL_SERVER_ERROR, "Internal", "Internal Server Error");
    assert_eq!(cloud.anonymous().get("/v1/ping").await.status, 200);
}

#[tokio::test]
async fn body_timeout_is_answered_with_408_and_close() {
    let cloud = Cloud::new();
    let parts = [Ok(bytes::Bytes::from_static(b"{")), Err(TooSlow)];
    let body = axum::body::Body::from_stream(futures_util::stream::iter(parts));
    let answer = cloud.anonymous().send(http::Method::POST, "/v1/projects", body).await;
    assert_eq!(answer.error(), (408, None, "the request body took too long to arrive".to_owned()));
    assert_eq!(answer.header("connection"), "close");
}

#[tokio::test]
async fn unhealthy_database_makes_the_host_unhealthy() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions {
        readers: 1,
        direct_readers: 0,
        queue_length: 1,
        ..SqliteOptions::new(folder.path().join("croft.db"))
    };
    let cloud = Cloud::on(Database::sqlite(&options, &CROFT).unwrap(), Settings::default());
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;

    // One operation blocks the only reader thread, and one fills its queue.
    let (release, released) = std::sync::mpsc::channel::<()>();
    let mut read = vec![Box::pin(cloud.database.read(move |_: &mut Tx<'_>| -> Result<(), StoreError> {
        // Returns when the sender is dropped.
        let _ = released.recv();
        Ok(())
    })) as std::pin::Pin<Box<dyn Future<Output = Result<(), StoreError>>>>];
    read.push(Box::pin(cloud.database.read(|_: &mut Tx<'_>| Ok(()))));
    let mut context = Context::from_waker(Waker::noop());
    assert!(read[0].as_mut().poll(&mut context).is_pending());
    // The second read is refused until the reader has taken the first one out of the queue.
    while cloud.database.statistics().reads_waiting < 2 {
        if read[1].as_mut().poll(&mut context).is_ready() {
            read[1] = Box::pin(cloud.database.read(|_: &mut Tx<'_>| Ok(())));
        }
        std::thread::yield_now();
    }

    let answer = client.post("/v1/instances/db/stop?project=web", json!(null)).await;
    answer.assert_error(StatusCode::SERVICE_UNAVAILABLE, "ServiceNotAvailable", "Service Unavailable");
    drop(release);
    for waiting in read {
        waiting.await.unwrap();
    }
    assert_eq!(client.post("/v1/instances/db/stop?project=web", json!(null)).await.status, 202);
}
