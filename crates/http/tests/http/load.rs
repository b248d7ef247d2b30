use std::{
    future::Future as _,
    task::{Context, Waker},
};

use croft_http::Settings;
use http::StatusCode;

use crate::cloud::Cloud;

#[tokio::test]
async fn a_full_server_says_so_at_once_and_stays_reachable() {
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
async fn a_client_that_sends_slowly_takes_no_place() {
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
async fn a_defect_is_one_failed_request() {
    async fn defect() {
        panic!("the detail is for the log");
    }
    let mut cloud = Cloud::new();
    let pages = axum::Router::new().route("/defect", axum::routing::get(defect));
    cloud.edge = croft_http::serve(cloud.app.clone(), pages);
    let answer = cloud.anonymous().get("/defect").await;
    answer.assert_error(StatusCode::INTERNAL_SERVER_ERROR, "Internal", "Internal Server Error");
    assert_eq!(cloud.anonymous().get("/v1/ping").await.status, 200);
}
