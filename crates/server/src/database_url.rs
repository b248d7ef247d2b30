//! URLs of PostgreSQL databases. `sslmode` and `sslrootcert` have the same meaning as in the libpq library.

use std::path::Path;

use croft_store::{Encryption, PostgresOptions};
use percent_encoding::percent_decode_str;
use rustls_pki_types::CertificateDer;

use crate::{
    failure::{ExitKind, Failure, Result},
    outbound,
};

/// The hint for a server on another host without TLS.
const WITH_TLS: &str = "add sslmode=verify-full and sslrootcert=<PEM file of its certificate authority, or \
                        system> to the URL, or sslmode=require to encrypt without authenticating the \
                        server; --allow-plain-database permits a connection without encryption";

/// The options for a PostgreSQL URL, if one is given.
///
/// # Errors
/// The URL is invalid, or allows an unencrypted connection to another host, which only `allow_plain` permits.
pub fn postgres(url: Option<&str>, allow_plain: bool) -> Result<Option<PostgresOptions>> {
    let Some(url) = url else { return Ok(None) };
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        return Err(wrong("is not a PostgreSQL URL")
            .hint("write postgresql://user:password@host/database, or leave it out to use SQLite"));
    }
    let (url, tls) = split(url)?;
    let encryption = tls.encryption()?;
    let options = PostgresOptions { encryption, ..PostgresOptions::new(url) };
    if !allow_plain && !options.encryption.is_certain() && !options.is_local()? {
        let message =
            "names a server on another host, and its sslmode permits a connection without encryption";
        return Err(wrong(message).hint(WITH_TLS));
    }
    Ok(Some(options))
}

fn wrong(what: &str) -> Failure {
    Failure::new(ExitKind::Configuration, format!("database-url {what}"))
}

/// The TLS options of a URL.
#[derive(Debug, Default, PartialEq)]
struct Tls {
    mode: Option<String>,
    authorities: Option<String>,
}

/// Extracts the TLS options from a URL.
fn split(url: &str) -> Result<(String, Tls)> {
    let mut tls = Tls::default();
    let Some((place, query)) = url.split_once('?') else { return Ok((url.to_owned(), tls)) };
    let mut rest = Vec::new();
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let field = match name {
            "sslmode" => &mut tls.mode,
            "sslrootcert" => &mut tls.authorities,
            _ => {
                rest.push(pair);
                continue;
            }
        };
        let value = percent_decode_str(value).decode_utf8();
        *field =
            Some(value.map_err(|_| wrong(&format!("has a {name} that is not valid text")))?.into_owned());
    }
    let url = if rest.is_empty() { place.to_owned() } else { format!("{place}?{}", rest.join("&")) };
    Ok((url, tls))
}

impl Tls {
    fn encryption(&self) -> Result<Encryption> {
        let by_system = self.authorities.as_deref() == Some("system");
        // As in libpq: with the system's authorities, the host name must be verified.
        let mode = self.mode.as_deref().unwrap_or(if by_system { "verify-full" } else { "prefer" });
        if by_system && mode != "verify-full" {
            return Err(wrong(&format!(
                "has sslrootcert=system, which needs sslmode=verify-full, not {mode}"
            )));
        }
        Ok(match (mode, &self.authorities) {
            ("disable", _) => Encryption::Disable,
            ("prefer", _) => Encryption::Prefer,
            ("require", None) => Encryption::Require,
            // As in libpq: a given authority is always used.
            ("require" | "verify-ca", Some(file)) => Encryption::VerifyCa(read(file)?),
            ("verify-full", Some(_)) if by_system => Encryption::VerifyFull(outbound::system_authorities()),
            ("verify-full", Some(file)) => Encryption::VerifyFull(read(file)?),
            ("verify-ca" | "verify-full", None) => {
                return Err(wrong(&format!("has sslmode={mode}, which needs sslrootcert")).hint(
                    "set it to a PEM file with the authority of the server's certificate, or to the \
                           word system",
                ));
            }
            _ => {
                return Err(wrong(&format!("has the unknown sslmode {mode:?}"))
                    .hint("use disable, prefer, require, verify-ca or verify-full"));
            }
        })
    }
}

fn read(file: &str) -> Result<Vec<CertificateDer<'static>>> {
    outbound::read_authorities(Path::new(file)).map_err(|reason| wrong(&format!("has sslrootcert: {reason}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> Result<PostgresOptions> {
        postgres(Some(url), false).map(Option::unwrap)
    }

    fn refusal(url: &str) -> String {
        let failure = parsed(url).unwrap_err();
        assert_eq!(failure.kind, ExitKind::Configuration);
        failure.to_string()
    }

    #[test]
    fn tls_options_are_removed_from_the_url() {
        let (url, tls) =
            split("postgresql://a@h/d?connect_timeout=3&sslmode=verify-ca&sslrootcert=%2Ftmp%2Fca").unwrap();
        assert_eq!(url, "postgresql://a@h/d?connect_timeout=3");
        assert_eq!(tls, Tls { mode: Some("verify-ca".into()), authorities: Some("/tmp/ca".into()) });
        assert_eq!(split("postgresql://h/d?sslmode=disable").unwrap().0, "postgresql://h/d");
    }

    #[test]
    fn a_server_on_another_host_needs_tls() {
        for url in [
            "postgresql://db.example/croft",
            "postgresql://10.0.0.7/croft?sslmode=disable",
            "postgresql://db.example/croft?sslmode=prefer",
            "postgresql://localhost,db.example/croft",
            "postgresql://localhost/croft?hostaddr=10.0.0.7",
        ] {
            let text = refusal(url);
            assert!(text.contains("on another host") && text.contains("--allow-plain-database"), "{text}");
            assert!(postgres(Some(url), true).is_ok());
        }
        assert!(parsed("postgresql://db.example/croft?sslmode=require").is_ok());
    }

    #[test]
    fn a_server_on_this_host_needs_none() {
        for url in [
            "postgresql://localhost/croft",
            "postgresql://127.0.0.1:5432/croft?sslmode=disable",
            "postgresql://[::1]/croft",
            "postgresql://croft@%2Frun%2Fpostgresql/croft",
        ] {
            assert!(parsed(url).is_ok(), "{url}");
        }
    }

    #[test]
    fn libpq_encryption_options_are_supported() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let key = rcgen::generate_simple_self_signed(["db.example".to_owned()]).unwrap();
        std::fs::write(file.path(), key.cert.pem()).unwrap();
        let encryption = |query: &str| {
            let query = query.replace("FILE", file.path().to_str().unwrap());
            parsed(&format!("postgresql://localhost/croft?{query}")).unwrap().encryption
        };
        assert!(matches!(encryption(""), Encryption::Prefer));
        assert!(matches!(encryption("sslmode=disable&sslrootcert=FILE"), Encryption::Disable));
        assert!(matches!(encryption("sslmode=require"), Encryption::Require));
        assert!(
            matches!(encryption("sslmode=require&sslrootcert=FILE"), Encryption::VerifyCa(found) if found.len() == 1)
        );
        assert!(matches!(encryption("sslmode=verify-ca&sslrootcert=FILE"), Encryption::VerifyCa(_)));
        assert!(
            matches!(encryption("sslmode=verify-full&sslrootcert=FILE"), Encryption::VerifyFull(found) if found.len() == 1)
        );
        assert!(matches!(encryption("sslrootcert=system"), Encryption::VerifyFull(_)));
        assert!(refusal("postgresql://h/d?sslmode=verify-full").contains("needs sslrootcert"));
        assert!(
            refusal("postgresql://h/d?sslmode=verify-ca&sslrootcert=system")
                .contains("needs sslmode=verify-full")
        );
        assert!(refusal("postgresql://h/d?sslmode=allow").contains("unknown sslmode \"allow\""));
        assert!(
            refusal("postgresql://h/d?sslmode=verify-ca&sslrootcert=/nonexistent").contains("cannot read")
        );
        assert!(refusal("mysql://somewhere").contains("not a PostgreSQL URL"));
    }
}
