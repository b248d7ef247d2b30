use croft_api::{Error, Result, scalar::IpNet};

/// Refuses networks that an interface cannot be sent to, or that are listed twice. Everything is a network that can: it
/// switches the check of senders off.
pub(super) fn check(nets: &[IpNet]) -> Result<()> {
    for (position, net) in nets.iter().enumerate() {
        let (what, kind) =
            if net.is_host() { ("transit IP", "address") } else { ("transit IP block", "network") };
        let refuse = |text: String| Err(Error::invalid_request(format!("{what} {net} {text}")));
        if net.addr() != net.first() {
            return refuse("has a non-zero host identifier".to_owned());
        }
        if net.first().is_multicast() {
            return refuse(format!("is a multicast {kind}"));
        }
        if net.first().is_loopback() {
            return refuse(format!("is a loopback {kind}"));
        }
        if let Some(earlier) = nets[..position].iter().find(|earlier| earlier.overlaps(*net)) {
            return refuse(format!("overlaps with {earlier}"));
        }
    }
    Ok(())
}
