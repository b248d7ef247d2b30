//! BGP, BFD and probes.

mod bfd;
mod bgp;
mod daemon;
mod probes;

/// An invalid request.
fn bad(text: &str) -> (u16, String) {
    (400, text.to_owned())
}
