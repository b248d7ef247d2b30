//! TLS to a real server, with a certificate signed by the test's own authority.

use croft_store::{Database, Encryption, PostgresOptions, StoreError};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::pki_types::CertificateDer;

use crate::{postgres_faults::Case, postgres_server::PostgresServer, records::SCHEMA};

// Must be the last case, because it leaves TLS enabled.
pub static ALL: &[(&str, Case)] = &[
    ("server_without_tls_is_refused_if_tls_is_required", server_without_tls_is_refused_if_tls_is_required),
    ("server_certificate_is_verified", server_certificate_is_verified),
];

struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: CertificateDer<'static>,
}

fn authority(name: &str) -> Authority {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let certificate = params.self_signed(&key).unwrap().der().clone();
    Authority { issuer: Issuer::new(params, key), certificate }
}

fn server_without_tls_is_refused_if_tls_is_required(server: &mut PostgresServer) {
    // The server does not listen on addresses, so a proxy without TLS stands in for it.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgresql://croft@{}/croft", listener.local_addr().unwrap());
    let plain = std::thread::spawn(move || {
        use std::io::{Read as _, Write as _};
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 8]).unwrap();
        stream.write_all(b"N").unwrap();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
        rest
    });
    let options = PostgresOptions { encryption: Encryption::Require, ..PostgresOptions::new(url) };
    let error = Database::postgres(&options, &SCHEMA).err().unwrap();
    assert!(error.to_string().contains("does not support TLS"), "{error}");
    assert_eq!(plain.join().unwrap(), b"", "nothing was sent without TLS");
    // A Unix socket needs no TLS, whatever the URL requires.
    let url = server.uri(&server.create_database());
    let options = PostgresOptions { encryption: Encryption::Require, ..PostgresOptions::new(url) };
    Database::postgres(&options, &SCHEMA).unwrap();
}

fn server_certificate_is_verified(server: &mut PostgresServer) {
    let (own, other) = (authority("own"), authority("other"));
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &own.issuer).unwrap();
    let port = server.serve_tls(&certificate.pem(), &key.serialize_pem());
    let database = server.create_database();

    let open = |host: &str, encryption: Encryption| -> Result<bool, StoreError> {
        let url = format!("postgresql://croft@{host}:{port}/{database}?application_name=croft");
        let options = PostgresOptions { encryption, connections: 1, ..PostgresOptions::new(url) };
        let opened = Database::postgres(&options, &SCHEMA)?;
        opened.read_blocking(|tx| tx.last_change())?;
        let sql = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                   WHERE application_name = 'croft'";
        Ok(server.client(&database).query_one(sql, &[]).unwrap().get(0))
    };
    let (own, other) = (vec![own.certificate], vec![other.certificate]);
    let refused = |result: Result<bool, StoreError>, why: &str| {
        let error = result.unwrap_err();
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    };
    assert_eq!(open("localhost", Encryption::Disable), Ok(false));
    assert_eq!(open("localhost", Encryption::Prefer), Ok(true));
    assert_eq!(open("127.0.0.1", Encryption::Require), Ok(true));
    assert_eq!(open("127.0.0.1", Encryption::VerifyCa(own.clone())), Ok(true));
    assert_eq!(open("localhost", Encryption::VerifyFull(own.clone())), Ok(true));
    refused(open("127.0.0.1", Encryption::VerifyFull(own)), "not valid for name");
    refused(open("localhost", Encryption::VerifyCa(other.clone())), "UnknownIssuer");
    refused(open("localhost", Encryption::VerifyFull(other)), "UnknownIssuer");
}
