//! The addresses that the server listens on.

use std::{
    io,
    net::{SocketAddr, TcpListener},
};

use super::Finding;
use crate::listener;

/// Listens for a moment. The port of a server that runs is taken by that server.
pub(super) fn check(check: &'static str, address: SocketAddr, option: &str, is_running: bool) -> Finding {
    match TcpListener::bind(address) {
        Ok(_) if address.port() == 0 => Finding::ok(check, format!("{address}: the system chooses a port")),
        Ok(_) => Finding::ok(check, format!("{address} is free")),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_running => {
            Finding::ok(check, format!("{address} is in use while the server runs"))
        }
        Err(error) => Finding::problem(check, &listener::refusal(address, option, &error)),
    }
}
