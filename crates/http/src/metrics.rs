//! The server's own numbers, in Prometheus' text format.

use std::{fmt::Write as _, sync::atomic::Ordering::Relaxed};

use axum::{
    Router,
    extract::State,
    response::{IntoResponse as _, Response},
    routing::get,
};
use croft_control::{
    authz::{self, Kind, Place},
    operation,
};
use http::{HeaderMap, HeaderValue, header};
use sha2::{Digest as _, Sha256};

use crate::{
    app::App,
    call::Call,
    credentials::bearer,
    endpoint::{BUCKETS, Endpoint},
    failure::Result,
};

/// The route at which the numbers stand.
pub(crate) fn router() -> Router<App> {
    Router::new().route("/metrics", get(metrics))
}

/// Answers to the configured token, and to whoever may view the fleet.
async fn metrics(State(app): State<App>, headers: HeaderMap, call: Call) -> Result<Response> {
    if !holds_token(&headers, app.parts.settings.metrics_token.as_deref()) {
        call.read(|cx, caller| {
            authz::require(cx, caller, &Place::fleet(Kind::Fleet), &operation::SYSTEM_POLICY_VIEW)
        })
        .await?;
    }
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind)], text(&app)).into_response())
}

/// Compares hashes, so that the time taken tells nothing about the token.
fn holds_token(headers: &HeaderMap, token: Option<&str>) -> bool {
    match (bearer(headers), token) {
        (Some(shown), Some(token)) => Sha256::digest(shown) == Sha256::digest(token),
        _ => false,
    }
}

fn text(app: &App) -> String {
    let mut out = String::with_capacity(16 * 1024);
    requests(&mut out, &app.endpoints.all());
    let gauges = [
        ("croft_requests_in_flight", "Requests being worked on.", app.load.in_flight() as u64),
        ("croft_serial_streams", "Serial console streams that are open.", app.closing.streams() as u64),
    ];
    for (name, help, value) in gauges {
        number(&mut out, name, help, "gauge", value);
    }
    number(
        &mut out,
        "croft_requests_refused_total",
        "Requests refused at once.",
        "counter",
        app.load.refused(),
    );
    store(&mut out, &app.parts.database.statistics());
    out
}

/// Operations that were never asked for are left out: most scrapes would be zeros otherwise.
fn requests(out: &mut String, endpoints: &[&Endpoint]) {
    let used = |endpoint: &&&Endpoint| endpoint.by_latency.iter().any(|count| count.load(Relaxed) > 0);
    head(out, "croft_requests_total", "Answers, by operation and class of status.", "counter");
    for endpoint in endpoints.iter().filter(used) {
        for (class, count) in endpoint.by_class.iter().enumerate() {
            let count = count.load(Relaxed);
            if count > 0 {
                let labels = format!("operation=\"{}\",status=\"{}xx\"", endpoint.id, class + 1);
                line(out, "croft_requests_total", &labels, count);
            }
        }
    }
    head(out, "croft_request_duration_seconds", "Time until the answer, by operation.", "histogram");
    for endpoint in endpoints.iter().filter(used) {
        latencies(out, endpoint);
    }
}

fn latencies(out: &mut String, endpoint: &Endpoint) {
    let operation = format!("operation=\"{}\"", endpoint.id);
    let mut total = 0;
    for (place, count) in endpoint.by_latency.iter().enumerate() {
        total += count.load(Relaxed);
        let bound = BUCKETS.get(place).map_or_else(|| "+Inf".to_owned(), |bound| seconds(*bound));
        line(out, "croft_request_duration_seconds_bucket", &format!("{operation},le=\"{bound}\""), total);
    }
    let sum = seconds(endpoint.microseconds.load(Relaxed));
    line(out, "croft_request_duration_seconds_sum", &operation, sum);
    line(out, "croft_request_duration_seconds_count", &operation, total);
}

/// Microseconds as decimal seconds, without the rounding of floating point.
fn seconds(microseconds: u64) -> String {
    let text = format!("{}.{:06}", microseconds / 1_000_000, microseconds % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn store(out: &mut String, statistics: &croft_store::Statistics) {
    let gauges = [
        ("reads_waiting", "Operations that run or wait to read.", statistics.reads_waiting),
        ("writes_waiting", "Operations that run or wait to write.", statistics.writes_waiting),
        ("largest_batch", "The most operations committed together.", statistics.largest_batch),
        ("log_bytes", "Bytes in the write-ahead log.", statistics.log_bytes),
    ];
    for (name, help, value) in gauges {
        number(out, &format!("croft_store_{name}"), help, "gauge", value);
    }
    let counters = [
        ("reads", "Operations that read.", statistics.reads),
        ("writes", "Operations that wrote.", statistics.writes),
        ("commits", "Transactions committed.", statistics.commits),
        ("overloads", "Operations refused because the queue was full.", statistics.overloads),
        ("retries", "Transactions run again after a collision.", statistics.retries),
        ("failures", "Transactions that failed as a whole.", statistics.failures),
        ("checkpoints", "Checkpoints of the write-ahead log.", statistics.checkpoints),
    ];
    for (name, help, value) in counters {
        number(out, &format!("croft_store_{name}_total"), help, "counter", value);
    }
}

fn number(out: &mut String, name: &str, help: &str, kind: &str, value: u64) {
    head(out, name, help, kind);
    writeln!(out, "{name} {value}").expect("writing to a text cannot fail");
}

fn head(out: &mut String, name: &str, help: &str, kind: &str) {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}").expect("writing to a text cannot fail");
}

fn line(out: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    writeln!(out, "{name}{{{labels}}} {value}").expect("writing to a text cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact() {
        assert_eq!(seconds(0), "0");
        assert_eq!(seconds(100), "0.0001");
        assert_eq!(seconds(2_500_000), "2.5");
        assert_eq!(seconds(10_000_000), "10");
    }

    #[test]
    fn a_token_must_be_configured_and_shown() {
        let headers =
            [(header::AUTHORIZATION, HeaderValue::from_static("Bearer secret"))].into_iter().collect();
        assert!(holds_token(&headers, Some("secret")));
        assert!(!holds_token(&headers, Some("secrets")));
        assert!(!holds_token(&headers, None));
        assert!(!holds_token(&HeaderMap::new(), Some("")));
    }
}
