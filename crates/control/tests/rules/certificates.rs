use croft_api::{
    Result,
    certificate::CertificateCreate,
    page::{NameOrIdSortMode, NoSelector, PageQuery},
};
use croft_control::{certificate, endpoint, operation};
use croft_store::{
    ListBy, Sort,
    records::{Certificate, Role, RoleIdentity, RoleScope},
};
use jiff::Timestamp;
use proptest::prelude::*;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    PKCS_ECDSA_P384_SHA384, PKCS_ED25519, date_time_ymd,
};
use serde_json::json;

use crate::kit::{Cloud, User, by_name, refused};

const HOST: &str = "croft.sys.croft.internal";
const LAST_DAY: &str = "2030-01-01T00:00:00Z";

fn now() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

fn hosts() -> Vec<String> {
    vec![HOST.to_owned(), "croft.sys.example.com".to_owned()]
}

fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2030, 1, 1);
    params
}

/// A self-signed certificate and its key.
fn self_signed(params: CertificateParams, key: &KeyPair) -> (String, String) {
    (params.self_signed(key).unwrap().pem(), key.serialize_pem())
}

fn good() -> (String, String) {
    self_signed(params(&[HOST]), &KeyPair::generate().unwrap())
}

fn check(chain: &str, key: &str) -> Result<certificate::Checked> {
    certificate::check(now(), &hosts(), chain, key)
}

fn refusal(chain: &str, key: &str) -> String {
    check(chain, key).unwrap_err().message()
}

/// Keys created by other programs: that of the certificate in PKCS#8, and others in further formats.
const FORMS: [(&str, &str); 6] = [
    (include_str!("keys/rsa-2048.pkcs8.pem"), include_str!("keys/rsa-2048.pkcs8.pem")),
    (include_str!("keys/rsa-2048.pkcs8.pem"), include_str!("keys/rsa-2048.pkcs1.pem")),
    (include_str!("keys/p256.pkcs8.pem"), include_str!("keys/p256.sec1.pem")),
    (include_str!("keys/p384.pkcs8.pem"), include_str!("keys/p384.sec1.pem")),
    (include_str!("keys/p384.pkcs8.pem"), include_str!("keys/p384.pkcs8.pem")),
    (include_str!("keys/ed25519.pkcs8.pem"), include_str!("keys/ed25519.pkcs8.pem")),
];

/// Changes a certificate before it is signed.
type Edit = fn(&mut CertificateParams);

#[test]
fn every_supported_key_format_is_accepted() {
    for (pkcs8, form) in FORMS {
        let (chain, _) = self_signed(params(&[HOST]), &KeyPair::from_pem(pkcs8).unwrap());
        let checked = check(&chain, form).unwrap();
        assert_eq!(checked.time_expires.to_string(), LAST_DAY);
        let (other, _) = good();
        assert!(refusal(&other, form).ends_with("Certificate and private key do not match"));
    }
    for algorithm in [&PKCS_ED25519, &PKCS_ECDSA_P384_SHA384] {
        let (chain, key) = self_signed(params(&[HOST]), &KeyPair::generate_for(algorithm).unwrap());
        check(&chain, &key).unwrap();
    }
}

#[test]
fn unreadable_and_empty_chains() {
    let (_, key) = good();
    let bad = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let parse = "unsupported value for \"certificate\": Failed to parse certificate: ";
    for chain in [
        bad,
        "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nAA",
    ] {
        assert!(refusal(chain, &key).starts_with(parse), "{}", refusal(chain, &key));
    }
    for chain in ["", "no certificate at all", key.as_str()] {
        let empty = "unsupported value for \"certificate\": Certificate exists, but is empty";
        assert_eq!(refusal(chain, &key), empty);
    }
}

#[test]
fn chain_with_an_expired_certificate_is_refused() {
    let mut root = params(&[]);
    root.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    root.not_after = date_time_ymd(2025, 12, 31);
    let root = CertifiedIssuer::self_signed(root, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let leaf = params(&[HOST]).signed_by(&key, &root).unwrap().pem();
    let chain = format!("{leaf}{}", root.pem());
    let text = "unsupported value for \"certificate\": Certificate exists, but is expired";
    assert_eq!(refusal(&chain, &key.serialize_pem()), text);
    check(&leaf, &key.serialize_pem()).unwrap();

    let at =
        |time: &str| certificate::check(time.parse().unwrap(), &hosts(), &leaf, &key.serialize_pem()).is_ok();
    assert!(at(LAST_DAY), "valid up to and including the last moment");
    assert!(!at("2030-01-01T00:00:01Z"));
}

#[test]
fn names() {
    let key = KeyPair::generate().unwrap();
    let with = |params: CertificateParams| {
        let (chain, key) = self_signed(params, &key);
        check(&chain, &key)
    };
    for names in
        [&["croft.sys.example.com"][..], &["*.sys.croft.internal"], &["a.b", "CROFT.sys.croft.internal"]]
    {
        with(params(names)).unwrap();
    }
    let refused = with(params(&["a.example.com", "*.croft.internal"])).unwrap_err();
    assert_eq!(
        refused.message(),
        "unsupported value for \"certificate\": Certificate not valid for given hostnames \
         \"croft.sys.croft.internal, croft.sys.example.com\": \
         Certificate contained hostnames \"a.example.com, *.croft.internal\""
    );
    let common = |names: &[&str]| {
        let mut params = params(names);
        params.distinguished_name.push(DnType::CommonName, HOST);
        with(params)
    };
    common(&[]).unwrap();
    assert!(common(&["a.example.com"]).is_err(), "the common name is ignored if there are DNS names");
    assert!(with(params(&["10.0.0.1"])).is_err(), "addresses are not host names");
}

#[test]
fn certificate_must_allow_server_authentication() {
    let key = KeyPair::generate().unwrap();
    let with = |usages: &[ExtendedKeyUsagePurpose]| {
        let mut params = params(&[HOST]);
        params.extended_key_usages = usages.to_vec();
        let (chain, key) = self_signed(params, &key);
        check(&chain, &key)
    };
    let (server, client) = (ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth);
    with(&[]).unwrap();
    with(&[client.clone(), server]).unwrap();
    assert_eq!(
        with(&[client]).unwrap_err().message(),
        "unsupported value for \"certificate\": Unsupported certificate purpose (not usable for server auth)"
    );
}

#[test]
fn unreadable_keys() {
    let (chain, _) = good();
    let broken = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
    let keys = [
        ("", "no PKCS#8, PKCS#1 or SEC1 key"),
        (chain.as_str(), "no PKCS#8, PKCS#1 or SEC1 key"),
        (include_str!("keys/rsa-2048.encrypted.pem"), "encrypted keys are not supported"),
        (broken, ""),
        (include_str!("keys/p521.pkcs8.pem"), "the curve 1.3.132.0.35 is not supported"),
        (include_str!("keys/rsa-1024.pkcs8.pem"), "RSA keys of 1024 bits are not supported"),
    ];
    for (key, why) in keys {
        let text = refusal(&chain, key);
        let start = "unsupported value for \"private-key\": Failed to parse private key: ";
        assert!(text.starts_with(start) && text.contains(why), "{text}");
    }
}

#[test]
fn first_failure_is_reported() {
    let key = KeyPair::generate().unwrap();
    let mut all_wrong = params(&["elsewhere.example.com"]);
    all_wrong.not_after = date_time_ymd(2021, 1, 1);
    all_wrong.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let order: [(&str, Edit); 4] = [
        ("but is expired", |params| params.not_after = date_time_ymd(2030, 1, 1)),
        ("not valid for given hostnames", |params| {
            params.subject_alt_names = own_names();
        }),
        ("not usable for server auth", |params| params.extended_key_usages.clear()),
        ("Failed to parse private key", |_| ()),
    ];
    for (text, mend) in order {
        let (chain, _) = self_signed(all_wrong.clone(), &key);
        assert!(refusal(&chain, "nonsense").contains(text), "{text}");
        mend(&mut all_wrong);
    }
}

fn own_names() -> Vec<rcgen::SanType> {
    params(&[HOST]).subject_alt_names
}

fn create(
    cloud: &mut Cloud,
    user: &User,
    name: &str,
    host: &str,
) -> Result<croft_api::certificate::Certificate> {
    let (chain, key) = self_signed(params(&[host]), &KeyPair::generate().unwrap());
    let params =
        json!({"name": name, "description": "d", "cert": chain, "key": key, "service": "external_api"});
    let params: CertificateCreate = serde_json::from_value(params).unwrap();
    cloud
        .act(user, &operation::CERTIFICATE_CREATE, move |cx, caller| certificate::create(cx, caller, &params))
}

fn list(cloud: &Cloud, user: &User) -> Result<Vec<String>> {
    let query =
        PageQuery { selector: NoSelector {}, sort: NameOrIdSortMode::NameAscending, after: None, limit: 10 };
    let page = cloud.see(user, move |cx, caller| certificate::list(cx, caller, &query))?;
    Ok(page.items.iter().map(|certificate| certificate.name.to_string()).collect())
}

fn delete(cloud: &mut Cloud, user: &User, name: &str) -> Result<()> {
    let name = by_name(name);
    cloud.act(user, &operation::CERTIFICATE_DELETE, move |cx, caller| certificate::delete(cx, caller, &name))
}

#[test]
fn a_certificate_is_created_shown_and_deleted() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let created = create(&mut cloud, &admin, "web", HOST).unwrap();
    assert!(created.cert.starts_with("-----BEGIN CERTIFICATE-----") && !created.cert.contains("KEY"));
    assert_eq!(list(&cloud, &admin).unwrap(), ["web"]);
    let shown = cloud.see(&admin, |cx, caller| certificate::view(cx, caller, &by_name("web"))).unwrap();
    assert_eq!(serde_json::to_value(&shown).unwrap(), serde_json::to_value(&created).unwrap());
    let taken = refused(create(&mut cloud, &admin, "web", HOST));
    assert_eq!(taken, (400, "already exists: certificate \"web\"".to_owned()));
    let foreign = refused(create(&mut cloud, &admin, "other", "acme.sys.croft.internal"));
    assert!(foreign.0 == 400 && foreign.1.contains("not valid for given hostnames"), "{foreign:?}");
    assert_eq!(list(&cloud, &admin).unwrap(), ["web"]);
    delete(&mut cloud, &admin, "web").unwrap();
    let again = refused(delete(&mut cloud, &admin, "web"));
    assert_eq!(again, (404, "not found: certificate with name \"web\"".to_owned()));
    let gone = cloud.rule(move |cx| Ok(cx.tx.get_any::<Certificate>(created.id)?)).unwrap();
    assert!(gone.is_none(), "the record and its key are deleted");
}

#[test]
fn stored_keys_are_sealed() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let created = create(&mut cloud, &admin, "web", HOST).unwrap();
    let stored: Certificate = cloud.rule(move |cx| Ok(cx.tx.get(created.id)?)).unwrap().unwrap();
    let text = serde_json::to_string(&stored).unwrap();
    assert!(!text.contains("PRIVATE"), "{text}");
    let environment = cloud.environment.clone();
    let endpoints = cloud.rule(move |cx| endpoint::all(cx.tx, &environment)).unwrap();
    let [served] = endpoints.served.as_slice() else { panic!("one silo is served") };
    assert!(served.key.as_ref().unwrap().starts_with(b"-----BEGIN PRIVATE KEY-----"));
    assert_eq!((served.silo.as_str(), endpoints.fallback.unwrap().as_str()), ("croft", "croft"));
}

#[test]
fn the_latest_expiry_is_served() {
    let mut cloud = Cloud::new();
    let silo_id = cloud.admin.silo;
    let mut add = |name: &'static str, expires: &'static str| {
        let added = cloud.rule(move |cx| {
            let certificate = Certificate {
                meta: cx.new_meta(),
                silo_id,
                name: name.parse().unwrap(),
                description: "".into(),
                chain: name.to_owned(),
                sealed_key: "unreadable".to_owned(),
                time_expires: expires.parse().unwrap(),
            };
            Ok(cx.tx.insert(&certificate)?)
        });
        added.unwrap();
        let environment = cloud.environment.clone();
        let endpoints = cloud.rule(move |cx| endpoint::all(cx.tx, &environment)).unwrap();
        assert!(endpoints.served[0].key.is_err());
        endpoints.served[0].chain.clone()
    };
    assert_eq!(add("first", "2027-01-01T00:00:00Z"), "first");
    assert_eq!(add("second", "2028-01-01T00:00:00Z"), "second");
    assert_eq!(add("third", "2026-01-01T00:00:00Z"), "second");
}

#[test]
fn only_administrators_see_certificates() {
    let mut cloud = Cloud::new();
    let (admin, silo) = (cloud.admin.clone(), cloud.admin.silo);
    create(&mut cloud, &admin, "web", HOST).unwrap();
    let (plain, collaborator) = (cloud.user(silo, "plain"), cloud.user(silo, "collaborator"));
    cloud.grant(RoleIdentity::User(collaborator.id), RoleScope::Silo(silo), Role::Collaborator);
    for user in [&plain, &collaborator] {
        assert_eq!(refused(list(&cloud, user)).0, 403);
        assert_eq!(refused(create(&mut cloud, user, "mine", HOST)).0, 403);
        let view = cloud.see(user, |cx, caller| certificate::view(cx, caller, &by_name("web")));
        assert_eq!(refused(view), (404, "not found: certificate with name \"web\"".to_owned()));
        assert_eq!(refused(delete(&mut cloud, user, "web")).0, 404);
    }
    let fleet = cloud.user(silo, "fleet");
    cloud.grant(RoleIdentity::User(fleet.id), RoleScope::Fleet, Role::Admin);
    assert_eq!(list(&cloud, &fleet).unwrap(), ["web"]);
    let certificates: Vec<Certificate> =
        cloud.rule(move |cx| Ok(cx.tx.page(ListBy::Parent(silo), Sort::IdAsc, None, 2)?)).unwrap();
    let id = certificates[0].meta.id.into();

    let acme = cloud.silo("acme", croft_store::records::Resources::default());
    let other = cloud.user(acme, "other");
    cloud.grant(RoleIdentity::User(other.id), RoleScope::Silo(acme), Role::Admin);
    cloud.grant(RoleIdentity::User(other.id), RoleScope::Fleet, Role::Admin);
    assert_eq!(list(&cloud, &other).unwrap(), [""; 0]);
    let foreign = cloud.see(&other, move |cx, caller| certificate::view(cx, caller, &id));
    assert_eq!(
        refused(foreign).0,
        404,
        "certificates of other silos are not found, even by the fleet's administrators"
    );
}

proptest! {
    #[test]
    fn check_handles_any_bundle(bytes: Vec<u8>, at: usize, with: u8, label in 0..3_usize) {
        let (chain, key) = (include_str!("keys/rsa-2048.pkcs8.pem"), include_str!("keys/p384.sec1.pem"));
        let labels = ["CERTIFICATE", "PRIVATE KEY", "RSA PRIVATE KEY"];
        let body = base64_of(&bytes);
        let random_pem = format!("-----BEGIN {0}-----\n{body}\n-----END {0}-----\n", labels[label]);
        let mut changed = good().0.into_bytes();
        let position = at % changed.len();
        changed[position] = with;
        let changed = String::from_utf8_lossy(&changed).into_owned();
        for chain in [chain, &random_pem, &changed] {
            for key in [key, &random_pem, &changed] {
                let _ = check(chain, key);
            }
        }
    }

    #[test]
    fn check_handles_damaged_certificates(at: usize, with: u8) {
        let key = KeyPair::generate().unwrap();
        let certificate = params(&[HOST]).self_signed(&key).unwrap();
        let (mut der, mut secret) = (certificate.der().to_vec(), key.serialize_der());
        let position = at % der.len();
        der[position] = with;
        let position = at % secret.len();
        secret[position] = with;
        let pem = |label: &str, der: &[u8]| {
            format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", base64_of(der))
        };
        let _ = check(&pem("CERTIFICATE", &der), &key.serialize_pem());
        let _ = check(&certificate.pem(), &pem("PRIVATE KEY", &secret));
    }
}

fn base64_of(bytes: &[u8]) -> String {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    BASE64_STANDARD.encode(bytes)
}
