//! Parsing of certificates.

use proptest::prelude::*;
use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, KeyPair, SanType, date_time_ymd,
};
use x509_cert::ext::pkix::name::GeneralName;

use super::*;

fn signed(change: impl FnOnce(&mut CertificateParams)) -> Vec<u8> {
    let mut params = CertificateParams::new(["a.example".to_owned(), "*.b.example".to_owned()]).unwrap();
    params.not_after = date_time_ymd(2030, 1, 1);
    params.not_before = date_time_ymd(2000, 1, 1);
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CustomDnType(vec![2, 5, 4, 12]), "Boss");
    params.distinguished_name.push(DnType::CountryName, "DE");
    params.distinguished_name.push(DnType::OrganizationName, "Corp");
    params.distinguished_name.push(DnType::CommonName, "Ä common name");
    change(&mut params);
    params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().to_vec()
}

fn full() -> Vec<u8> {
    signed(|params| {
        params.subject_alt_names.push(SanType::IpAddress([10, 0, 0, 1].into()));
        params.subject_alt_names.push(SanType::Rfc822Name("ada@a.example".try_into().unwrap()));
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ClientAuth, ExtendedKeyUsagePurpose::ServerAuth];
    })
}

/// An element of DER.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).unwrap();
    let mut element = vec![tag];
    if length >= 0x80 {
        element.push(0x81);
    }
    element.push(length);
    element.extend(content);
    element
}

/// A certificate of version 1 with an unknown kind of public key, followed by `more`.
fn plain(serial: &[u8], validity: &[u8], more: &[u8]) -> Vec<u8> {
    named(&[0x30, 0], serial, validity, more)
}

/// The same with a subject.
fn named(subject: &[u8], serial: &[u8], validity: &[u8], more: &[u8]) -> Vec<u8> {
    const ALGORITHM: &[u8] = &[0x30, 0x04, 0x06, 0x02, 0x2a, 0x03];
    const BITS: &[u8] = &[0x03, 0x01, 0x00];
    let key = element(0x30, &[ALGORITHM, BITS].concat());
    let signed = [serial, ALGORITHM, &[0x30, 0], validity, subject, &key, more].concat();
    element(0x30, &[&element(0x30, &signed)[..], ALGORITHM, BITS].concat())
}

const SERIAL: &[u8] = &[0x02, 0x01, 0x01];

fn validity() -> Vec<u8> {
    let times = [element(0x17, b"700101000000Z"), element(0x18, b"20700101000000Z")];
    element(0x30, &times.concat())
}

#[test]
fn certificate_fields_are_read() {
    let der = full();
    let certificate = Certificate::from_der(&der).unwrap();
    assert_eq!(certificate.expires(), 1_893_456_000);
    assert_eq!(certificate.begins(), 946_684_800);
    assert_eq!(certificate.common_names().last(), Some(&"Ä common name"));
    assert_eq!(certificate.subject(), "CN=Ä common name, O=Corp, C=DE, 2.5.4.12=Boss");
    assert_eq!(certificate.dns_names().unwrap(), ["a.example", "*.b.example"]);
    assert!(certificate.may_serve().unwrap());
}

#[test]
fn certificates_without_extended_key_usage_are_accepted() {
    let may_serve = |usages: &[ExtendedKeyUsagePurpose]| {
        let der = signed(|params| params.extended_key_usages = usages.to_vec());
        Certificate::from_der(&der).unwrap().may_serve().unwrap()
    };
    assert!(may_serve(&[]));
    assert!(!may_serve(&[ExtendedKeyUsagePurpose::ClientAuth]));
}

#[test]
fn alternative_names_of_other_kinds_are_ignored() {
    // Truncated names: an X.400 address, a directory name and an address.
    let names = element(0x30, &[&[0xa3, 1, 0][..], &[0xa4, 0], &[0x87, 1, 9], &[0x82, 1, b'a']].concat());
    let extension =
        element(0x30, &[&element(0x06, &[0x55, 0x1d, 0x11])[..], &element(0x04, &names)].concat());
    let der = plain(SERIAL, &validity(), &element(0xa3, &element(0x30, &extension)));
    assert_eq!(Certificate::from_der(&der).unwrap().dns_names().unwrap(), ["a"]);
}

#[test]
fn order_within_a_name_component_is_ignored() {
    let attribute = |kind: u8, text: &[u8]| {
        element(0x30, &[&element(0x06, &[0x55, 4, kind])[..], &element(0x0c, text)].concat())
    };
    for parts in [[attribute(3, b"a"), attribute(10, b"b")], [attribute(10, b"b"), attribute(3, b"a")]] {
        let name = element(0x30, &element(0x31, &parts.concat()));
        let der = named(&name, SERIAL, &validity(), &[]);
        assert_eq!(Certificate::from_der(&der).unwrap().subject(), "O=b, CN=a");
    }
}

#[test]
fn a_certificate_needs_no_extensions() {
    let der = plain(SERIAL, &validity(), &[]);
    let certificate = Certificate::from_der(&der).unwrap();
    assert_eq!(certificate.expires(), 3_155_760_000);
    assert!(certificate.dns_names().unwrap().is_empty());
    assert!(certificate.may_serve().unwrap());
}

#[test]
fn truncated_certificates_and_trailing_data_are_refused() {
    let der = full();
    for length in 0..der.len() {
        assert!(Certificate::from_der(&der[..length]).is_err(), "{length} bytes");
    }
    assert!(Certificate::from_der(&[&der[..], &[0]].concat()).is_err());
}

#[test]
fn lengths_must_be_minimal() {
    let der = plain(SERIAL, &validity(), &[]);
    assert!(Certificate::from_der(&der).is_ok());
    let content = &der[2..];
    assert_eq!(usize::from(der[1]), content.len(), "a short length");
    let long = |length: &[u8]| [&[0x30][..], length, content].concat();
    for length in [
        &[0x81, der[1]][..],
        &[0x82, 0, der[1]],
        &[0x84, 0, 0, 0, der[1]],
        &[0x80],
        &[0x84, 0xff, 0xff, 0xff, 0xff],
    ] {
        assert!(Certificate::from_der(&long(length)).is_err(), "{length:x?}");
    }
}

#[test]
fn malformed_fields_are_refused() {
    let malformed = |der: Vec<u8>| assert!(Certificate::from_der(&der).is_err(), "{der:x?}");
    for serial in [&[0x04, 1, 1][..], &[0x02, 0], &[0x02, 2, 0, 1], &element(0x02, &[1; 22])] {
        malformed(plain(serial, &validity(), &[]));
    }
    let times = |times: &[Vec<u8>]| plain(SERIAL, &element(0x30, &times.concat()), &[]);
    let utc = |text: &str| element(0x17, text.as_bytes());
    let general = |text: &str| element(0x18, text.as_bytes());
    let good = utc("300101000000Z");
    assert!(Certificate::from_der(&times(&[good.clone(), general("20300101000000Z")])).is_ok());
    malformed(times(std::slice::from_ref(&good)));
    malformed(times(&[good.clone(), good.clone(), good.clone()]));
    for wrong in [
        utc("3001010000Z"),
        utc("300101000000+0100"),
        general("20301301000000Z"),
        element(0x0c, b"300101000000Z"),
    ] {
        malformed(times(&[good.clone(), wrong.clone()]));
        malformed(times(&[wrong, good.clone()]));
    }
    for more in [
        &element(0xa3, &[])[..],
        &element(0xa3, &[0x30, 0, 0x30, 0]),
        &element(0xa3, &element(0x30, &[0x30, 0])),
        &element(0x81, &[]),
        &element(0x81, &[9]),
        &element(0xa4, &[]),
        &[0x30, 0],
    ] {
        malformed(plain(SERIAL, &validity(), more));
    }
}

#[test]
fn extensions_must_be_unique_lists() {
    let with = |extensions: &[(&[u8], &[u8])]| {
        let extensions: Vec<u8> = extensions
            .iter()
            .flat_map(|(kind, value)| element(0x30, &[element(0x06, kind), element(0x04, value)].concat()))
            .collect();
        plain(SERIAL, &validity(), &element(0xa3, &element(0x30, &extensions)))
    };
    let names: (&[u8], _) = (&[0x55, 0x1d, 0x11], [0x30, 3, 0x82, 1, b'a']);
    let uses: (&[u8], _) = (&[0x55, 0x1d, 0x25], [0x30, 4, 0x06, 2, 0x2a, 0x03]);
    let der = with(&[(names.0, &names.1), (uses.0, &uses.1)]);
    let certificate = Certificate::from_der(&der).unwrap();
    assert_eq!(certificate.dns_names().unwrap(), ["a"]);
    assert!(!certificate.may_serve().unwrap());
    for value in [
        &[][..],
        &[0x31, 0],
        &[0x30, 1],
        &[0x30, 0, 0],
        &[0x30, 2, 0x82, 9],
        &[0x30, 2, 0x05, 0],
        &[0x30, 3, 0x82, 1, 0xff],
    ] {
        let der = with(&[(names.0, value), (uses.0, value)]);
        let certificate = Certificate::from_der(&der).unwrap();
        assert!(certificate.dns_names().is_err(), "{value:x?}");
        assert!(certificate.may_serve().is_err(), "{value:x?}");
    }
    let twice = with(&[(names.0, &names.1), (uses.0, &uses.1), (names.0, &names.1), (uses.0, &uses.1)]);
    let certificate = Certificate::from_der(&twice).unwrap();
    assert!(certificate.dns_names().is_err() && certificate.may_serve().is_err());
}

/// The alternative names as parsed by the library, for comparison with the simpler parser here.
fn compare(certificate: &Certificate) -> Result<(), TestCaseError> {
    if let Ok(names) = certificate.0.tbs_certificate().get_extension::<SubjectAltName>() {
        let names = names.map(|(_, names)| names.0).unwrap_or_default();
        let names: Vec<String> = names
            .iter()
            .filter_map(
                |name| if let GeneralName::DnsName(name) = name { Some(name.to_string()) } else { None },
            )
            .collect();
        prop_assert_eq!(certificate.dns_names().unwrap(), names);
    }
    Ok(())
}

proptest! {
    #[test]
    fn damaged_certificates_are_read_as_by_reference_parser(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..3)) {
        let mut der = full();
        for (at, with) in changes {
            let place = at % der.len();
            der[place] = with;
        }
        if let Ok(certificate) = Certificate::from_der(&der) {
            compare(&certificate)?;
            let _ = (certificate.dns_names(), certificate.may_serve(), certificate.subject());
            // The key consists of the raw bytes.
            let key = certificate.public_key().unwrap();
            prop_assert!(der.windows(key.len()).any(|part| part == key));
        }
    }

    #[test]
    fn reader_handles_any_bytes(bytes: Vec<u8>) {
        let _ = Certificate::from_der(&bytes);
    }
}
