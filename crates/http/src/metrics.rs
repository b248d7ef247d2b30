//! The server's own metrics, in Prometheus' text format.

use std::{fmt::Write as _, sync::Arc};

use axum::{
    Router,
    response::{IntoResponse as _, Response},
    routing::get,
};
use croft_control::{
    authz::{self, Kind, ResourceScope},
    operation,
};
use croft_sled::HypervisorInfo;
use croft_store::telemetry::TelemetryStatistics;
use http::{HeaderMap, HeaderValue, header};
use sha2::{Digest as _, Sha256};

use crate::{
    app::App, call::Call, credentials::bearer, endpoint::Endpoint, failure::Result, latency::Latencies,
};

/// The path of the metrics.
pub(crate) fn router() -> Router<App> {
    Router::new().route("/metrics", get(metrics))
}

/// Requires the configured token, or a viewer of the fleet.
async fn metrics(call: Call, headers: HeaderMap) -> Result<Response> {
    if !holds_token(&headers, call.app.parts.settings.metrics_token.as_deref()) {
        call.read(|cx, caller| {
            authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SYSTEM_POLICY_VIEW)
        })
        .await?;
    }
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind)], text(&call.app)).into_response())
}

/// Compares hashes, so that timing reveals nothing about the token.
fn holds_token(headers: &HeaderMap, token: Option<&str>) -> bool {
    match (bearer(headers), token) {
        (Some(shown), Some(token)) => Sha256::digest(shown) == Sha256::digest(token),
        _ => false,
    }
}

fn text(app: &App) -> String {
    let mut out = String::with_capacity(16 * 1024);
    requests(&mut out, &app.endpoints.all());
    hypervisor(&mut out, &app.parts.hypervisor.info());
    let gauges = [
        ("croft_requests_in_flight", "Requests in progress.", app.load.in_flight() as u64),
        (
            "croft_serial_streams",
            "Open streams of serial and graphical consoles.",
            app.closing.streams() as u64,
        ),
    ];
    for (name, help, value) in gauges {
        number(&mut out, name, help, "gauge", value);
    }
    number(
        &mut out,
        "croft_requests_refused_total",
        "Requests rejected because the server was overloaded.",
        "counter",
        app.load.refused(),
    );
    store(&mut out, &app.parts.database.statistics());
    telemetry(&mut out, app.parts.telemetry.statistics());
    out
}

/// The hypervisor: always 1, with the details in the labels.
fn hypervisor(out: &mut String, info: &HypervisorInfo) {
    let name = "croft_hypervisor_info";
    head(out, name, "The hypervisor, its acceleration, and why it is not faster.", "gauge");
    let HypervisorInfo { kind, acceleration, reason } = info;
    let labels = format!("kind=\"{kind}\",acceleration=\"{acceleration}\",reason=\"{}\"", escaped(reason));
    line(out, name, &labels, 1);
}

/// Escapes a label value.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Upper bounds of the latency histogram, in nanoseconds: a subset of the recorded bins.
const BOUNDS: [i64; 12] = [
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    500_000_000,
    2_000_000_000,
];

/// Operations without requests are omitted, because they would be most of the output.
fn requests(out: &mut String, endpoints: &[&Endpoint]) {
    let all: Vec<_> = endpoints.iter().map(|endpoint| (endpoint.id, endpoint.latencies.all())).collect();
    let used = || all.iter().filter(|(_, statuses)| !statuses.is_empty());
    head(out, "croft_requests_total", "Responses, by operation and status class.", "counter");
    for (id, statuses) in used() {
        for class in 1..=5 {
            let in_class = statuses.iter().filter(|(status, _)| status / 100 == class);
            let count: u64 = in_class.map(|(_, latencies)| latencies.count()).sum();
            if count > 0 {
                let labels = format!("operation=\"{id}\",status=\"{class}xx\"");
                line(out, "croft_requests_total", &labels, count);
            }
        }
    }
    head(out, "croft_request_duration_seconds", "Time until the response, by operation.", "histogram");
    for (id, statuses) in used() {
        latencies(out, id, statuses);
    }
}

fn latencies(out: &mut String, id: &str, statuses: &[(u16, Arc<Latencies>)]) {
    let operation = format!("operation=\"{id}\"");
    let sum =
        |of: &dyn Fn(&Latencies) -> u64| statuses.iter().map(|(_, latencies)| of(latencies)).sum::<u64>();
    for bound in BOUNDS {
        let labels = format!("{operation},le=\"{}\"", seconds(bound.cast_unsigned() / 1000));
        line(out, "croft_request_duration_seconds_bucket", &labels, sum(&|latencies| latencies.below(bound)));
    }
    let count = sum(&Latencies::count);
    line(out, "croft_request_duration_seconds_bucket", &format!("{operation},le=\"+Inf\""), count);
    let total = seconds(sum(&Latencies::sum) / 1000);
    line(out, "croft_request_duration_seconds_sum", &operation, total);
    line(out, "croft_request_duration_seconds_count", &operation, count);
}

/// Microseconds as decimal seconds, without the rounding of floating point.
fn seconds(microseconds: u64) -> String {
    let text = format!("{}.{:06}", microseconds / 1_000_000, microseconds % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn store(out: &mut String, statistics: &croft_store::Statistics) {
    let gauges = [
        ("reads_waiting", "Read operations running or waiting.", statistics.reads_waiting),
        ("writes_waiting", "Write operations running or waiting.", statistics.writes_waiting),
        ("largest_batch", "Largest number of operations in one commit.", statistics.largest_batch),
        ("log_bytes", "Size of the write-ahead log in bytes.", statistics.log_bytes),
    ];
    for (name, help, value) in gauges {
        number(out, &format!("croft_store_{name}"), help, "gauge", value);
    }
    let counters = [
        ("reads", "Read operations.", statistics.reads),
        ("writes", "Write operations.", statistics.writes),
        ("commits", "Committed transactions.", statistics.commits),
        ("overloads", "Operations rejected because the queue was full.", statistics.overloads),
        ("retries", "Transactions retried after a conflict.", statistics.retries),
        ("failures", "Failed transactions.", statistics.failures),
        ("checkpoints", "Checkpoints of the write-ahead log.", statistics.checkpoints),
    ];
    for (name, help, value) in counters {
        number(out, &format!("croft_store_{name}_total"), help, "counter", value);
    }
    let name = "croft_store_commit_seconds";
    head(out, name, "Time from the first write of an operation to the commit of its transaction.", "summary");
    let total = u64::try_from(statistics.commit_time.as_micros()).unwrap_or(u64::MAX);
    writeln!(out, "{name}_sum {}\n{name}_count {}", seconds(total), statistics.committed)
        .expect("writing to a text cannot fail");
}

fn telemetry(out: &mut String, statistics: TelemetryStatistics) {
    let TelemetryStatistics { samples, dropped, timeseries, bytes } = statistics;
    number(out, "croft_telemetry_timeseries", "Number of timeseries.", "gauge", timeseries);
    number(
        out,
        "croft_telemetry_bytes",
        "Size of the stored samples in bytes, when last measured.",
        "gauge",
        bytes,
    );
    number(out, "croft_telemetry_samples_total", "Samples received.", "counter", samples);
    number(out, "croft_telemetry_dropped_total", "Samples dropped.", "counter", dropped);
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
    fn hypervisor_labels_are_escaped() {
        let mut out = String::new();
        let reason = "it said \"no\"\\\n".to_owned();
        hypervisor(&mut out, &HypervisorInfo { kind: "qemu", acceleration: "tcg", reason });
        let expected =
            r#"croft_hypervisor_info{kind="qemu",acceleration="tcg",reason="it said \"no\"\\\n"} 1"#;
        assert_eq!(out.lines().last(), Some(expected));
    }

    #[test]
    fn metrics_require_a_configured_and_sent_token() {
        let headers =
            [(header::AUTHORIZATION, HeaderValue::from_static("Bearer secret"))].into_iter().collect();
        assert!(holds_token(&headers, Some("secret")));
        assert!(!holds_token(&headers, Some("secrets")));
        assert!(!holds_token(&headers, None));
        assert!(!holds_token(&HeaderMap::new(), Some("")));
    }
}
