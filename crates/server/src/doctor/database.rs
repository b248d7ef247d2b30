//! The database, the key that seals its secrets, and the certificates in it.

use croft_api::{Error, Result as RuleResult};
use croft_control::{
    Environment, SecretKey, Settings,
    endpoint::{self, Endpoints, SiloCertificate},
    key_check,
};
use croft_store::{Inspection, Tx, schema::CROFT};
use jiff::{SignedDuration, Timestamp};

use super::Finding;
use crate::{
    config::Config,
    data_directory::{DATABASE, DataDirectory},
    database_url,
    failure::{ExitKind, Failure, Result},
    lease, secret_key, tls,
};

/// What is read from a database.
struct Content {
    /// Whether the database belongs to a key.
    has_key: bool,
    /// Whether the key that was given is that key.
    fits: bool,
    /// The certificates, if there is a key to open theirs.
    endpoints: Option<Endpoints>,
}

/// Checks the database and what depends on it. `is_running` says whether a server uses the data directory.
pub(super) fn check(config: &Config, is_running: bool, now: Timestamp) -> Vec<Finding> {
    let path = DataDirectory::at(&config.data_dir).secret_key();
    let key = secret_key::look(&path);
    let known = key.as_ref().ok().and_then(Option::as_ref).map(|(key, _)| key.clone());
    let found = look(config, known.as_ref());
    let mut findings = vec![match &found {
        Ok(found) => of_database(config, found.as_ref(), is_running),
        Err(failure) => Finding::problem("database", failure),
    }];
    let content = found.ok().flatten().and_then(|found| found.content);
    let (content, unreadable) = match content.transpose() {
        Ok(content) => (content, None),
        Err(error) => (None, Some(error)),
    };
    if let Some(error) = unreadable {
        let why = error.detail().map_or_else(|| error.message(), str::to_owned);
        findings.push(Finding::problem("database", &Failure::new(ExitKind::Database, why)));
    }
    findings.push(match key {
        Err(failure) => Finding::problem("secret-key", &failure),
        Ok(None) if content.as_ref().is_some_and(|content| content.has_key) => {
            Finding::problem("secret-key", &secret_key::lost(&path))
        }
        Ok(None) => Finding::ok("secret-key", format!("{} is created by the first start", path.display())),
        Ok(Some(_)) if content.as_ref().is_some_and(|content| !content.fits) => {
            Finding::problem("secret-key", &secret_key::foreign(&path))
        }
        Ok(Some((_, mode))) if mode & 0o077 != 0 => Finding::warning(
            "secret-key",
            format!("others may read {} (mode {mode:04o})", path.display()),
            format!("run `chmod 0600 {}`; the next start does so", path.display()),
        ),
        Ok(Some(_)) => Finding::ok("secret-key", format!("{}, for its owner only", path.display())),
    });
    if config.tls_listen.is_some()
        && let Some(endpoints) = content.and_then(|content| content.endpoints)
    {
        findings.extend(certificates(endpoints, now));
    }
    findings
}

/// What is in the database; `None` if there is none yet.
fn look(config: &Config, key: Option<&SecretKey>) -> Result<Option<Inspection<RuleResult<Content>>>> {
    let read = |tx: &mut Tx<'_>| content(tx, key);
    match database_url::postgres(config.database_url.as_deref(), config.allow_plain_database)? {
        None => Ok(Inspection::of_sqlite(&config.data_dir.join(DATABASE), &CROFT, read)?),
        Some(options) => Ok(Some(Inspection::of_postgres(&options, &CROFT, read)?)),
    }
}

fn content(tx: &mut Tx<'_>, key: Option<&SecretKey>) -> Result<Content, Error> {
    let has_key = key_check::is_established(tx)?;
    let Some(key) = key else { return Ok(Content { has_key, fits: true, endpoints: None }) };
    let status = |error: &Error| croft_http::status(error).as_u16();
    let environment = Environment::new(Settings::default(), key.clone(), status);
    let endpoints = endpoint::all(tx, &environment)?;
    Ok(Content { has_key, fits: key_check::fits(tx, key)?, endpoints: Some(endpoints) })
}

fn of_database<T>(config: &Config, found: Option<&Inspection<T>>, is_running: bool) -> Finding {
    const CHECK: &str = "database";
    let kind = if config.database_url.is_some() { "PostgreSQL" } else { "SQLite" };
    let Some(Inspection { version, known, holder, .. }) = found else {
        return Finding::ok(CHECK, format!("{kind}; it is created by the first start"));
    };
    match holder {
        // The server of this data directory holds it.
        Some(_) if is_running => {}
        Some(_) => return Finding::problem(CHECK, &lease::refused(holder.as_ref())),
        None => {}
    }
    match version {
        0 => Finding::ok(CHECK, format!("{kind}, empty; the first start creates the tables")),
        version if version < known => Finding::warning(
            CHECK,
            format!("{kind} with schema version {version}, which the next start migrates to {known}"),
            "make a backup first: an earlier program cannot use a migrated database",
        ),
        version => {
            Finding::ok(CHECK, format!("{kind} with schema version {version}, as this program has it"))
        }
    }
}

/// The certificates that a TLS listener serves.
fn certificates(endpoints: Endpoints, now: Timestamp) -> Vec<Finding> {
    if endpoints.served.is_empty() {
        return vec![Finding::warning(
            "certificate",
            "no silo has one: TLS handshakes are refused",
            "upload one on the silo's page in the console, or with POST /v1/certificates",
        )];
    }
    endpoints.served.into_iter().map(|served| certificate(served, now)).collect()
}

fn certificate(served: SiloCertificate, now: Timestamp) -> Finding {
    const CHECK: &str = "certificate";
    /// How long before its end a certificate is warned of.
    const SOON: SignedDuration = SignedDuration::from_hours(30 * 24);
    const MEND: &str = "upload a new one on the silo's page in the console, or with POST /v1/certificates";
    let (silo, expires) = (served.silo.clone(), served.expires);
    let until = format!("silo {silo}: valid until {expires:.0}");
    if let Err(reason) = tls::check(served) {
        return Finding::warning(CHECK, format!("silo {silo}: it cannot be used: {reason}"), MEND);
    }
    if expires <= now {
        Finding::warning(CHECK, format!("silo {silo}: expired at {expires:.0}"), MEND)
    } else if expires.duration_since(now) < SOON {
        Finding::warning(CHECK, until, MEND)
    } else {
        Finding::ok(CHECK, until + ", and matches its key")
    }
}

#[cfg(test)]
mod tests {
    use croft_control::SecretKey;
    use jiff::ToSpan as _;

    use super::*;
    use crate::doctor::Level;

    const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

    fn served(days: i64, other_key: bool) -> SiloCertificate {
        let pair = rcgen::generate_simple_self_signed(["cloud.example".to_owned()]).unwrap();
        let key = if other_key { rcgen::KeyPair::generate().unwrap() } else { pair.signing_key };
        SiloCertificate {
            silo: "croft".parse().unwrap(),
            certificate_id: croft_api::Uuid::nil(),
            expires: NOW.checked_add((days * 24).hours()).unwrap(),
            chain: pair.cert.pem(),
            key: Ok(key.serialize_pem().into_bytes().into()),
        }
    }

    #[test]
    fn certificates_are_judged_by_their_end_and_their_key() {
        let judge = |days, other_key| certificate(served(days, other_key), NOW);
        assert_eq!(judge(60, false).level, Level::Ok);
        assert_eq!(judge(20, false).level, Level::Warning);
        assert!(judge(-1, false).text.contains("expired at"));
        let mismatch = judge(60, true);
        assert!(mismatch.text.contains("its key belongs to another certificate"), "{mismatch:?}");
        assert!(!format!("{mismatch:?}").contains("PRIVATE"));
        assert_eq!(certificates(Endpoints::default(), NOW)[0].level, Level::Warning);
    }

    #[test]
    fn versions_and_holders_of_a_database_are_judged() {
        let config = crate::config::Options::default().resolve().unwrap();
        let found = |version| Inspection { version, known: 9, content: None::<()>, holder: None };
        let judge = |version| of_database(&config, Some(&found(version)), false);
        assert_eq!(of_database::<()>(&config, None, false).level, Level::Ok);
        assert_eq!(judge(0).level, Level::Ok);
        assert!(judge(5).text.contains("migrates to 9") && judge(5).level == Level::Warning);
        assert_eq!(judge(9).level, Level::Ok);
        let holder = croft_store::LeaseHolder {
            holder: croft_store::Holder { name: "alpha".into(), address: "http://alpha".into(), process: 7 },
            since: NOW,
            backend: 1,
        };
        let held = Inspection { holder: Some(holder), ..found(9) };
        let beside = of_database(&config, Some(&held), false);
        assert!(beside.level == Level::Problem && beside.text.contains("on the host alpha"), "{beside:?}");
        assert_eq!(of_database(&config, Some(&held), true).level, Level::Ok);
    }

    #[test]
    fn a_key_that_does_not_fit_is_a_problem() {
        let folder = tempfile::tempdir().unwrap();
        let options = crate::config::Options {
            data_dir: Some(folder.path().to_owned()),
            ..crate::config::Options::default()
        };
        let config = options.resolve().unwrap();
        let judge = || {
            let all = check(&config, false, NOW);
            all.into_iter().find(|finding| finding.check == "secret-key").unwrap()
        };
        assert_eq!(judge().level, Level::Ok);
        let directory = DataDirectory::open(folder.path()).unwrap();
        let database = crate::storage::open(&directory, None, 1, 1).unwrap();
        secret_key::obtain(&directory, &database).unwrap();
        drop(database);
        assert_eq!(judge().level, Level::Ok);
        let path = directory.secret_key();
        let set = |mode| {
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        };
        set(0o644);
        assert!(judge().level == Level::Warning && judge().text.contains("(mode 0644)"));
        set(0o600);
        let other = SecretKey::new([7; 32]);
        std::fs::write(&path, other.reveal()).unwrap();
        assert!(judge().text.contains("encrypted with another key"));
        std::fs::remove_file(&path).unwrap();
        assert!(judge().text.contains("is missing"));
    }
}
