//! BGP, BFD and probes: what the fleet's people decide about networks.

mod bfd;
mod bgp;
mod daemon;
mod probes;

/// A request that does not fit.
fn bad(text: &str) -> (u16, String) {
    (400, text.to_owned())
}
