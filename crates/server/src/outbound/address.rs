use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is public.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Whether an IPv4 address is not in a special-purpose block (RFC 6890 and its successors).
fn is_public_v4(address: Ipv4Addr) -> bool {
    let special = match address.octets() {
        // This network; private; loopback; multicast, reserved, broadcast.
        [0 | 10 | 127 | 224..=255, ..] => true,
        // Carrier-grade NAT.
        [100, second, ..] => (64..128).contains(&second),
        // Link-local.
        [169, second, ..] => second == 254,
        // Private.
        [172, second, ..] => (16..32).contains(&second),
        // Protocol assignments and documentation; private.
        [192, second, third, _] => second == 168 || (second == 0 && matches!(third, 0 | 2)),
        // Benchmarks; documentation.
        [198, second, third, _] => matches!(second, 18 | 19) || (second, third) == (51, 100),
        [203, second, third, _] => (second, third) == (0, 113),
        _ => false,
    };
    !special
}

/// Whether an IPv6 address is global unicast, or the NAT64 form of a public IPv4 address.
fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
            is_public_v4(Ipv4Addr::new(a, b, c, d))
        }
        // Protocol assignments with Teredo; documentation; 6to4, which can contain any IPv4 address.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] | [0x2002, ..] => false,
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_and_public_addresses() {
        let internal = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.168.1.1",
            "198.18.0.1",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "100::1",
        ];
        for text in internal {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
        let public = [
            "1.1.1.1",
            "172.32.0.1",
            "100.128.0.1",
            "192.0.1.1",
            "2606:4700::1",
            "64:ff9b::101:101",
            "::ffff:1.1.1.1",
        ];
        for text in public {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }
}
