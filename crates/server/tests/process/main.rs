//! Tests of the server as a process, over its socket.

mod kill;
mod lease;
#[path = "../../../store/tests/conformance/postgres_server.rs"]
#[expect(dead_code, reason = "the tests of the store use more of it")]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod postgres_server;
mod sdk;
mod support;
mod telemetry;
mod versions;
