use std::{fmt::Debug, str::FromStr};

use proptest::prelude::*;

use super::*;

/// Checks that parsing the printed value returns it, as text and as JSON.
fn round_trip<T>(value: &T)
where
    T: FromStr + ToString + PartialEq + Debug + serde::Serialize + serde::de::DeserializeOwned,
    T::Err: Debug,
{
    assert_eq!(&value.to_string().parse::<T>().unwrap(), value);
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value);
}

fn message<T: FromStr<Err = ScalarError> + Debug>(text: &str) -> String {
    text.parse::<T>().unwrap_err().to_string()
}

#[test]
fn name_messages() {
    assert_eq!(message::<Name>(&"a".repeat(64)), "name may contain at most 63 characters");
    assert_eq!(message::<Name>(""), "name requires at least one character");
    assert_eq!(message::<Name>("Web"), "name must begin with an ASCII lowercase character");
    assert_eq!(
        message::<Name>("a_b"),
        "name contains invalid character: \"_\" (allowed characters are lowercase ASCII, digits, and \"-\")"
    );
    assert_eq!(message::<Name>("web-"), "name cannot end with \"-\"");
    for id in ["a0000000-0000-4000-8000-000000000000", "a0000000000040008000000000000000"] {
        assert_eq!(message::<Name>(id), "name cannot be a UUID to avoid ambiguity with IDs");
    }
    assert!("project-a0000000-0000-4000-8000-000000000000".parse::<Name>().is_ok());
}

#[test]
fn hostname_messages() {
    assert_eq!(message::<Hostname>(&"a".repeat(254)), "Max hostname length is 253");
    for bad in ["", ".", "a.", "-a", "a-", "a..b", "a_b", "é"] {
        assert_eq!(message::<Hostname>(bad), "Hostnames must comply with RFC 1035", "{bad}");
    }
    assert!("DB-1.example".parse::<Hostname>().is_ok());
}

#[test]
fn byte_counts_print_in_the_largest_even_unit() {
    let print = |bytes: u64| ByteCount::try_from(bytes).unwrap().to_string();
    assert_eq!(print(1 << 30), "1 GiB");
    assert_eq!(print(1536 << 30), "1536 GiB");
    assert_eq!(print(2 << 40), "2 TiB");
    assert_eq!(print(512), "512 B");
    assert_eq!(print(4096), "4 KiB");
    assert_eq!(print(0), "0 B");
}

#[test]
fn byte_count_messages() {
    let parse = |json: &str| serde_json::from_str::<ByteCount>(json).unwrap_err().to_string();
    assert!(parse("9223372036854775808").starts_with("value is too large for a byte count"));
    assert!(parse("-1").starts_with("invalid value: integer `-1`, expected u64"));
}

#[test]
fn block_sizes() {
    assert_eq!(serde_json::from_str::<BlockSize>("4096").unwrap().to_string(), "4096");
    let error = serde_json::from_str::<BlockSize>("1024").unwrap_err().to_string();
    assert!(error.starts_with("invalid block size 1024"), "{error}");
}

#[test]
fn user_data_messages() {
    let error = serde_json::from_str::<UserData>("\"?\"").unwrap_err().to_string();
    assert!(
        error.starts_with("invalid value: invalid base64 string, expected a valid base64 string"),
        "{error}"
    );
    let long = serde_json::to_string(&UserData(vec![0; 32 * 1024 + 1])).unwrap();
    let error = serde_json::from_str::<UserData>(&long).unwrap_err().to_string();
    assert!(error.starts_with("invalid length 32769, expected less than 32 KiB"), "{error}");
}

#[test]
fn ip_net_messages() {
    let separator = "Must contain an IP address and a width, separated by a /";
    for bad in ["", "10.0.0.0", "10.0.0.0/8/8"] {
        assert_eq!(message::<IpNet>(bad), separator);
    }
    assert_eq!(message::<IpNet>("10.0.0/8"), "Not a valid IP address");
    assert_eq!(message::<IpNet>("10.0.0.0/+8"), "Width must be an integer");
    assert_eq!(message::<IpNet>("10.0.0.0/33"), "Max width for IPv4 is 32");
    assert_eq!(message::<IpNet>("fd00::/129"), "Max width for IPv6 is 128");
    assert_eq!(message::<IpNet>("fd00::/99999999999999999999"), "Max width for IPv6 is 128");
}

#[test]
fn networks_contain_their_addresses() {
    let net: Ipv4Net = "172.30.0.0/22".parse().unwrap();
    assert!(net.contains("172.30.3.255".parse().unwrap()));
    assert!(!net.contains("172.30.4.0".parse().unwrap()));
    assert!("0.0.0.0/0".parse::<Ipv4Net>().unwrap().contains("9.9.9.9".parse().unwrap()));
    assert!("::/0".parse::<Ipv6Net>().unwrap().contains("fd00::1".parse().unwrap()));
}

#[test]
fn ports() {
    assert_eq!("22".parse::<L4PortRange>().unwrap().to_string(), "22");
    assert_eq!("1-65535".parse::<L4PortRange>().unwrap().to_string(), "1-65535");
    assert!("80-443".parse::<L4PortRange>().unwrap().contains(443));
    let backwards: L4PortRange = "30-20".parse().unwrap();
    assert_eq!(backwards.to_string(), "30-20");
    assert!((0..=u16::MAX).all(|port| !backwards.contains(port)));
    let refusal = |text: &str| text.parse::<L4PortRange>().unwrap_err().to_string();
    for (bad, text) in [
        ("", "range has no start value"),
        ("-", "range has no start value"),
        ("-22", "range has no start value"),
        ("22-", "range has no end value"),
        ("0", "\"0\" unparsable for type: number would be zero for non-zero type"),
        ("0-5", "\"0\" unparsable for type: number would be zero for non-zero type"),
        ("65536", "\"65536\" unparsable for type: number too large to fit in target type"),
        ("1-65536", "\"65536\" unparsable for type: number too large to fit in target type"),
        ("+22", "\"+22\" unparsable for type: invalid digit found in string"),
        (" 22", "\" 22\" unparsable for type: invalid digit found in string"),
        ("1-2-3", "\"2-3\" unparsable for type: invalid digit found in string"),
        ("ssh", "\"ssh\" unparsable for type: invalid digit found in string"),
    ] {
        assert_eq!(refusal(bad), text, "{bad}");
    }
}

#[test]
fn numbers_of_icmp() {
    let range: IcmpParamRange = "0-15".parse().unwrap();
    assert_eq!((range.first, range.last), (0, 15));
    for (text, printed) in [("8", "8"), ("3-3", "3"), ("255-0", "255-0")] {
        assert_eq!(text.parse::<IcmpParamRange>().unwrap().to_string(), printed);
    }
    let refusal = |text: &str| text.parse::<IcmpParamRange>().unwrap_err().to_string();
    assert_eq!(refusal("1-"), "range has no end value");
    assert_eq!(refusal("256"), "\"256\" unparsable for type: number too large to fit in target type");
}

#[test]
fn mac_addresses() {
    assert_eq!("a8:40:25:f:0:1".parse::<MacAddr>().unwrap().to_string(), "A8:40:25:0F:00:01");
    for bad in ["", "a8:40:25:f0:0", "a8:40:25:f0:0:1:2", "a8:40:25:f0:0:+1", "a8:40:25:f0:0:123"] {
        assert!(bad.parse::<MacAddr>().is_err(), "{bad}");
    }
}

#[test]
fn passwords() {
    assert!("".parse::<Password>().is_ok());
    assert!("é".repeat(256).parse::<Password>().is_ok());
    let error = "é".repeat(257).parse::<Password>().unwrap_err().to_string();
    assert!(error.contains("unsupported password: the password provided was too long"), "{error}");
    assert_eq!(format!("{:?}", "secret".parse::<Password>().unwrap()), "Password(..)");
}

proptest! {
    #[test]
    fn names(text in "[a-z]([a-z0-9-]{0,61}[a-z0-9])?") {
        if let Ok(name) = text.parse::<Name>() {
            round_trip(&name);
            round_trip(&NameOrId::Name(name));
            round_trip(&text.parse::<UserId>().unwrap());
        } else {
            prop_assert!(uuid::Uuid::parse_str(&text).is_ok());
        }
    }

    #[test]
    fn ids(id in any::<u128>()) {
        round_trip(&NameOrId::Id(uuid::Uuid::from_u128(id)));
    }

    #[test]
    fn hostnames(text in "[A-Za-z0-9]([A-Za-z0-9-]{0,20}[A-Za-z0-9])?(\\.[a-z0-9]{1,10}){0,4}") {
        round_trip(&text.parse::<Hostname>().unwrap());
    }

    #[test]
    fn networks(v4 in any::<u32>(), w4 in 0u8..=32, v6 in any::<u128>(), w6 in 0u8..=128) {
        let v4 = Ipv4Net::new(v4.into(), w4).unwrap();
        let v6 = Ipv6Net::new(v6.into(), w6).unwrap();
        round_trip(&v4);
        round_trip(&v6);
        round_trip(&IpNet::V4(v4));
        round_trip(&IpNet::V6(v6));
    }

    #[test]
    fn port_ranges(a in 1u16.., b in 1u16..) {
        let range: L4PortRange = format!("{}-{}", a.min(b), a.max(b)).parse().unwrap();
        round_trip(&range);
    }

    #[test]
    fn macs(bytes in any::<[u8; 6]>()) {
        round_trip(&MacAddr(bytes));
    }

    #[test]
    fn counts(bytes in 0..=ByteCount::MAX.bytes(), cpus in any::<u16>(), vni in 0..=Vni::MAX) {
        let bytes = ByteCount::try_from(bytes).unwrap();
        let json = serde_json::to_string(&bytes).unwrap();
        prop_assert_eq!(serde_json::from_str::<ByteCount>(&json).unwrap(), bytes);
        let json = serde_json::to_string(&InstanceCpuCount(cpus)).unwrap();
        prop_assert_eq!(serde_json::from_str::<InstanceCpuCount>(&json).unwrap(), InstanceCpuCount(cpus));
        let json = vni.to_string();
        prop_assert_eq!(u32::from(serde_json::from_str::<Vni>(&json).unwrap()), vni);
    }

    #[test]
    fn user_data(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let data = UserData(bytes);
        let json = serde_json::to_string(&data).unwrap();
        prop_assert_eq!(serde_json::from_str::<UserData>(&json).unwrap(), data);
    }

    #[test]
    fn descriptions(text in ".{0,520}") {
        let description = Description(text.clone());
        let json = serde_json::to_string(&description).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Description>(&json).unwrap(), &description);
        prop_assert_eq!(description.check().is_ok(), text.chars().count() <= 512);
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,80}") {
        let json = serde_json::to_string(&text).unwrap();
        let _ = (text.parse::<Name>(), text.parse::<NameOrId>(), text.parse::<Hostname>());
        let _ = (text.parse::<IpNet>(), text.parse::<Ipv4Net>(), text.parse::<Ipv6Net>());
        let _ = (text.parse::<L4PortRange>(), text.parse::<MacAddr>());
        let _ = (serde_json::from_str::<ByteCount>(&text), serde_json::from_str::<BlockSize>(&text));
        let _ = (serde_json::from_str::<Vni>(&text), serde_json::from_str::<InstanceCpuCount>(&text));
        let _ = serde_json::from_str::<UserData>(&json);
        let _ = serde_json::from_str::<Password>(&json).map(|password| password.reveal().len());
    }
}
