//! Sends requests to receivers of alerts (`docs/rules/identity-and-system.md#requests-to-receivers`).

use std::time::{Duration, Instant};

use bytes::Bytes;
use croft_control::{
    alert::{WebhookAnswer, WebhookRequest, WebhookSender},
    web_address::WebAddress,
};
use http::{Request, Response, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use rustls_pki_types::CertificateDer;
use tokio::{runtime::Handle, task::JoinSet, time::timeout};

use crate::outbound::{AllowedDestinations, Outbound, Stream};

/// Maximum size of the head of a response, in bytes.
const MAX_HEAD: usize = 16_384;
/// Maximum number of bytes of a response body to read. The body is not used.
const MAX_BODY: usize = 65_536;

/// Timeouts of a request.
#[derive(Clone, Copy, Debug)]
struct Timeouts {
    connect: Duration,
    whole: Duration,
    /// For the body, after the status.
    body: Duration,
}

/// Sends requests.
#[derive(Clone, Debug)]
pub struct Webhooks {
    outbound: Outbound,
    runtime: Handle,
    patience: Timeouts,
}

impl Webhooks {
    /// Addresses in `beyond` may be contacted in addition to public ones; `authorities` may certify receivers in
    /// addition to those that this host trusts. Requests are sent by the current runtime.
    pub fn new(beyond: AllowedDestinations, authorities: Vec<CertificateDer<'static>>) -> Self {
        let seconds = Duration::from_secs;
        Self {
            outbound: Outbound::new(beyond, "--webhook-allow").trusting(authorities),
            runtime: Handle::current(),
            patience: Timeouts { connect: seconds(10), whole: seconds(30), body: seconds(1) },
        }
    }

    async fn deliver(&self, request: WebhookRequest) -> WebhookAnswer {
        // Once the status is known, a timeout of the body is ignored.
        let mut answer = None;
        let sent = timeout(self.patience.whole, self.exchange(&request, &mut answer)).await;
        let seconds = self.patience.whole.as_secs();
        let failed = match sent {
            Ok(Ok(())) => None,
            Ok(Err(failed)) => Some(failed),
            Err(_) => Some(WebhookAnswer::timeout(format!("no answer within {seconds} seconds"))),
        };
        let Some(failed) = failed.filter(|_| answer.is_none()) else {
            return answer.unwrap_or_else(|| WebhookAnswer::unreachable("the receiver sent no status"));
        };
        tracing::warn!(
            receiver = request.endpoint.authority,
            reason = failed.reason,
            "an alert receiver could not be reached"
        );
        failed
    }

    /// Sends the request, and returns the status as soon as it is known.
    ///
    /// # Errors
    /// The result without a status: the receiver could not be reached, or timed out.
    async fn exchange(
        &self,
        request: &WebhookRequest,
        answer: &mut Option<WebhookAnswer>,
    ) -> Result<(), WebhookAnswer> {
        let begun = Instant::now();
        let seconds = self.patience.connect.as_secs();
        let connected = timeout(self.patience.connect, self.outbound.connect(&request.endpoint)).await;
        let stream = connected
            .map_err(|_| WebhookAnswer::timeout(format!("no connection within {seconds} seconds")))?
            .map_err(WebhookAnswer::unreachable)?;
        let asked = self.ask(stream, request, begun, answer).await;
        asked.map_err(|error| WebhookAnswer::unreachable(error.to_string()))
    }

    async fn ask(
        &self,
        stream: Box<dyn Stream>,
        request: &WebhookRequest,
        begun: Instant,
        answer: &mut Option<WebhookAnswer>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let (mut sender, connection) =
            http1::Builder::new().max_buf_size(MAX_HEAD).handshake(TokioIo::new(stream)).await?;
        // Aborted when this function returns.
        let mut driver = JoinSet::new();
        driver.spawn(connection);
        // Redirects are not followed: nobody has authorized their destination.
        let response = sender.send_request(to_http(request)?).await?;
        let duration = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        *answer = Some(WebhookAnswer::status(response.status().as_u16(), duration));
        // The status decides; the body does not matter.
        let _ = timeout(self.patience.body, drain_body(response)).await;
        Ok(())
    }
}

fn to_http(request: &WebhookRequest) -> Result<Request<Full<Bytes>>, http::Error> {
    let mut builder = Request::post(&request.endpoint.path)
        .header(header::HOST, &request.endpoint.authority)
        .header(header::USER_AGENT, "croft")
        .header(header::CONNECTION, "close");
    for (name, value) in &request.headers {
        builder = builder.header(name, value);
    }
    builder.body(Full::new(Bytes::from(request.body.clone())))
}

async fn drain_body(response: Response<Incoming>) {
    let mut body = Limited::new(response.into_body(), MAX_BODY);
    while let Some(Ok(_)) = body.frame().await {}
}

impl WebhookSender for Webhooks {
    fn send(&self, request: WebhookRequest, done: Box<dyn FnOnce(WebhookAnswer) + Send>) {
        let webhooks = self.clone();
        self.runtime.spawn(async move { done(webhooks.deliver(request).await) });
    }

    fn refusal(&self, endpoint: &str) -> Option<String> {
        self.outbound.refusal(&WebAddress::parse(endpoint).ok()?)
    }
}

#[cfg(test)]
mod tests;
