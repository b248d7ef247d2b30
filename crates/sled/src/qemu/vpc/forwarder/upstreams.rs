//! The resolvers to query.

use std::{
    fs,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
};

/// A list of resolvers, tried in order like the host's own library does.
const MOST: usize = 3;
const PORT: u16 = 53;

/// The source of the list.
#[derive(Debug)]
pub(super) enum Upstreams {
    /// A fixed list.
    Fixed(Vec<SocketAddr>),
    /// A file in the format of `resolv.conf`, read for each query because the host may change networks.
    Named(PathBuf),
}

impl Upstreams {
    /// A fixed list, or, if it is empty, the host's own resolvers.
    pub(super) fn of(resolvers: &[SocketAddr]) -> Self {
        if resolvers.is_empty() {
            return Self::Named(Path::new("/etc/resolv.conf").to_owned());
        }
        Self::Fixed(resolvers.to_vec())
    }

    /// The current list.
    pub(super) fn now(&self) -> Vec<SocketAddr> {
        match self {
            Self::Fixed(resolvers) => resolvers.iter().copied().take(MOST).collect(),
            Self::Named(file) => named(&fs::read_to_string(file).unwrap_or_default()),
        }
    }
}

fn named(text: &str) -> Vec<SocketAddr> {
    let resolver = |line: &str| {
        let address: IpAddr = line.strip_prefix("nameserver")?.trim().parse().ok()?;
        Some(SocketAddr::new(address, PORT))
    };
    text.lines().filter_map(resolver).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolvers_are_read_from_the_host_file() {
        let text = "# nameserver 192.0.2.9\nsearch example.org\nnameserver 192.0.2.1\nnameserver\t2001:db8::1 \n\
                    nameserver fe80::1%eth0\nnameserver other\nnameserver 192.0.2.3\nnameserver 192.0.2.4\n";
        let expected = ["192.0.2.1:53", "[2001:db8::1]:53", "192.0.2.3:53"];
        assert_eq!(named(text), expected.map(|address| address.parse().unwrap()));
        assert_eq!(Upstreams::Named("/nowhere/resolv.conf".into()).now(), []);
    }

    #[test]
    fn configured_resolvers_replace_those_of_the_host() {
        let resolvers = ["192.0.2.1:5353".parse().unwrap()];
        assert_eq!(Upstreams::of(&resolvers).now(), resolvers);
        assert!(matches!(Upstreams::of(&[]), Upstreams::Named(_)));
    }
}
