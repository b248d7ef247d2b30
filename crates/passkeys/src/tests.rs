use ciborium::Value as Cbor;
use ed25519_dalek::Signer as _;

use crate::{
    answer::{AuthenticatorData, data_of},
    key::PublicKey,
};

fn map(pairs: &[(i64, Cbor)]) -> Cbor {
    Cbor::Map(pairs.iter().map(|(label, value)| (Cbor::from(*label), value.clone())).collect())
}

fn number(number: i64) -> Cbor {
    Cbor::from(number)
}

#[test]
fn keys_of_ed25519_sign() {
    let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
    let point = Cbor::Bytes(key.verifying_key().to_bytes().to_vec());
    let cose = [(1, number(1)), (3, number(-8)), (-1, number(6)), (-2, point)];
    let public = PublicKey::from_cose(&map(&cose)).unwrap();
    let signature = key.sign(b"text").to_bytes();
    assert!(public.signed(b"text", &signature));
    assert!(!public.signed(b"test", &signature) && !public.signed(b"text", &signature[1..]));
    let kept: PublicKey = serde_json::from_str(&serde_json::to_string(&public).unwrap()).unwrap();
    assert_eq!(kept, public);
}

#[test]
fn keys_of_rsa_sign_unless_they_are_weak() {
    use rsa::{Pkcs1v15Sign, RsaPrivateKey, pkcs1::DecodeRsaPrivateKey as _, traits::PublicKeyParts as _};
    use sha2::{Digest as _, Sha256};
    let private = croft_saml::testing::TestKey::Rsa.private_key();
    let key = RsaPrivateKey::from_pkcs1_der(private).unwrap();
    let modulus = key.n_bytes().to_vec();
    let exponent = key.e_bytes().to_vec();
    let cose = |modulus: &[u8]| {
        let (modulus, exponent) = (Cbor::Bytes(modulus.to_vec()), Cbor::Bytes(exponent.clone()));
        map(&[(1, number(3)), (3, number(-257)), (-1, modulus), (-2, exponent)])
    };
    let public = PublicKey::from_cose(&cose(&modulus)).unwrap();
    let signature = key.sign(Pkcs1v15Sign::new::<Sha256>(), &Sha256::digest(b"text")).unwrap();
    assert!(public.signed(b"text", &signature) && !public.signed(b"test", &signature));
    assert_eq!(PublicKey::from_cose(&cose(&modulus[..128])), None, "too short");
    assert_eq!(PublicKey::from_cose(&cose(&[255; 1024])), None, "too long");
}

#[test]
fn other_keys_are_not_taken() {
    let bytes = |length| Cbor::Bytes(vec![1; length]);
    let p256 = |x, y| [(1, number(2)), (3, number(-7)), (-1, number(1)), (-2, x), (-3, y)];
    for key in [
        map(&[]),
        number(1),
        // Not on the curve, too short, another curve, another algorithm, the same label twice.
        map(&p256(bytes(32), bytes(32))),
        map(&p256(bytes(31), bytes(32))),
        map(&[(1, number(2)), (3, number(-7)), (-1, number(2)), (-2, bytes(32)), (-3, bytes(32))]),
        map(&[(1, number(2)), (3, number(-35)), (-1, number(1)), (-2, bytes(32)), (-3, bytes(32))]),
        map(&[(1, number(1)), (1, number(1)), (3, number(-8)), (-1, number(6)), (-2, bytes(32))]),
        // A point of small order.
        map(&[
            (1, number(1)),
            (3, number(-8)),
            (-1, number(6)),
            (-2, Cbor::Bytes([&[1][..], &[0; 31]].concat())),
        ]),
    ] {
        assert_eq!(PublicKey::from_cose(&key), None, "{key:?}");
    }
}

#[test]
fn what_is_cut_or_nested_is_not_read() {
    for length in 0..37 {
        assert!(AuthenticatorData::read(&vec![0; length]).is_none(), "{length}");
    }
    assert!(AuthenticatorData::read(&[0; 37]).is_some());
    let with_key = [&[0; 32][..], &[64, 0, 0, 0, 0]].concat();
    for rest in [0, 16, 18, 40] {
        assert!(AuthenticatorData::read(&[&with_key[..], &vec![0; rest]].concat()).is_none(), "{rest}");
    }
    assert!(data_of(&vec![0x81; 100_000]).is_none(), "nested lists");
    // A map that declares more entries than it has.
    assert!(data_of(&[0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).is_none());
    assert!(data_of(&[0x5b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).is_none());
}
