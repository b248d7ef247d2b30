//! Tests of the server as a process: started, talked to over its socket, killed.

mod kill;
mod sdk;
mod support;
mod telemetry;
