//! Selects the certificate for a client: that of the silo whose host name it asks for, or of the silo for unknown names
//! (`docs/rules/identity-and-system.md#certificates`). Follows the database's change signal.

use std::{collections::HashMap, fmt, sync::Arc, time::Duration};

use croft_api::Uuid;
use croft_control::{
    Environment, Settings,
    endpoint::{self, Endpoints, SiloCertificate},
};
use croft_store::{ChangeSignal, Database};
use parking_lot::RwLock;
use rustls::{
    InconsistentKeys, ServerConfig,
    crypto::ring::{default_provider, sign::any_supported_type},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;

use crate::failure::{ExitKind, Failure, Result};

/// Minimum interval between reads of the database: commits come in bursts, and few of them are about certificates.
const DEBOUNCE: Duration = Duration::from_secs(1);

/// The certificates in use, which change while the server runs.
pub struct Certificates {
    settings: Settings,
    /// Notified whenever it is known whether there is any certificate.
    ready: Box<dyn Fn(bool) + Send + Sync>,
    chosen: RwLock<CertificateSet>,
}

/// The certificates at one time.
#[derive(Debug, Default)]
struct CertificateSet {
    by_silo: HashMap<String, Arc<LoadedCertificate>>,
    fallback: Option<String>,
    /// Whether there was no certificate at the last notification.
    none: bool,
}

/// A certificate of the database; `None` for one that cannot be used.
#[derive(Debug)]
struct LoadedCertificate {
    id: Uuid,
    key: Option<Arc<CertifiedKey>>,
}

impl Certificates {
    /// Reads the certificates for the first time. `ready` is notified now and after each change.
    ///
    /// # Errors
    /// The database cannot be read.
    pub async fn load(
        database: &Database,
        environment: &Arc<Environment>,
        ready: impl Fn(bool) + Send + Sync + 'static,
    ) -> Result<Arc<Self>> {
        let settings = environment.settings.clone();
        let ready = Box::new(ready);
        let certificates = Arc::new(Self { settings, ready, chosen: RwLock::default() });
        let environment = environment.clone();
        let endpoints = database.read(move |tx| endpoint::all(tx, &environment)).await;
        certificates.replace(endpoints.map_err(|error| {
            let why = error.detail().map_or_else(|| error.message(), str::to_owned);
            Failure::new(ExitKind::Database, format!("cannot read the certificates: {why}"))
        })?);
        Ok(certificates)
    }

    /// Follows changes of the database for as long as it is polled.
    pub async fn follow(
        self: Arc<Self>,
        database: Database,
        environment: Arc<Environment>,
        mut changes: ChangeSignal,
    ) {
        loop {
            changes.changed().await;
            let environment = environment.clone();
            match database.read(move |tx| endpoint::all(tx, &environment)).await {
                Ok(endpoints) => self.replace(endpoints),
                Err(error) => {
                    let detail = error.detail();
                    tracing::warn!(%error, detail, "cannot read the certificates; the last known ones stay in use");
                }
            }
            sleep(DEBOUNCE).await;
        }
    }

    /// Replaces the certificates by those of the database. Unchanged ones are not parsed again.
    fn replace(&self, endpoints: Endpoints) {
        let by_silo: HashMap<_, _> = endpoints.served.into_iter().map(|served| self.show(served)).collect();
        let none = by_silo.values().all(|shown| shown.key.is_none());
        let fallback = endpoints.fallback.map(|silo| silo.to_string());
        let before = std::mem::replace(&mut *self.chosen.write(), CertificateSet { by_silo, fallback, none });
        (self.ready)(!none);
        if none && !before.none {
            tracing::warn!("no silo has a certificate: TLS handshakes are refused until one is created");
        }
    }

    fn show(&self, served: SiloCertificate) -> (String, Arc<LoadedCertificate>) {
        let (silo, id) = (served.silo.to_string(), served.certificate_id);
        let known = self.chosen.read().by_silo.get(&silo).filter(|shown| shown.id == id).cloned();
        let shown = known.unwrap_or_else(|| {
            let key = certified_key(served);
            match &key {
                Ok(_) => tracing::info!(silo, certificate = %id, "a certificate is in use for TLS"),
                Err(error) => {
                    tracing::error!(silo, certificate = %id, error, "a certificate cannot be used for TLS");
                }
            }
            Arc::new(LoadedCertificate { id, key: key.ok().map(Arc::new) })
        });
        (silo, shown)
    }

    /// The certificate for this host.
    fn choose(&self, host: Option<&str>) -> Option<Arc<CertifiedKey>> {
        let silo = host.and_then(|host| self.settings.silo_of_host(host));
        let chosen = self.chosen.read();
        let of = |silo: &str| chosen.by_silo.get(silo)?.key.clone();
        silo.and_then(|silo| of(silo.as_str())).or_else(|| of(chosen.fallback.as_deref()?))
    }
}

/// Whether a certificate can be used, or why not.
pub fn check(served: SiloCertificate) -> Result<(), String> {
    match certified_key(served)?.keys_match() {
        Err(rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch)) => {
            Err("its key belongs to another certificate".to_owned())
        }
        // Not every kind of key can be compared.
        Ok(()) | Err(rustls::Error::InconsistentKeys(_)) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

fn certified_key(served: SiloCertificate) -> Result<CertifiedKey, String> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(served.chain.as_bytes()).collect();
    let chain = chain.map_err(|error| error.to_string())?;
    let pem = served.key.map_err(|error| error.detail().map_or_else(|| error.message(), str::to_owned))?;
    let key = PrivateKeyDer::from_pem_slice(&pem).map_err(|error| error.to_string())?;
    let key = any_supported_type(&key).map_err(|error| error.to_string())?;
    Ok(CertifiedKey::new(chain, key))
}

impl fmt::Debug for Certificates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Certificates").field("chosen", &self.chosen).finish_non_exhaustive()
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let key = self.choose(hello.server_name());
        if key.is_none() {
            tracing::debug!(host = hello.server_name(), "refused a TLS handshake: there is no certificate");
        }
        key
    }
}

/// The TLS configuration with these certificates.
///
/// # Errors
/// The TLS library lacks a feature.
pub fn acceptor(certificates: Arc<Certificates>) -> Result<TlsAcceptor> {
    let versions = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Failure::new(ExitKind::Failed, format!("cannot set up TLS: {error}")))?;
    let mut config = versions.with_no_client_auth().with_cert_resolver(certificates);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
