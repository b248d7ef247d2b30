//! TLS to a PostgreSQL server.

use std::{
    convert::Infallible,
    future::Future,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use postgres::{
    Socket,
    config::{Config, Host, SslMode},
    tls::{self, ChannelBinding, MakeTlsConnect, TlsConnect},
};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error as TlsError, RootCertStore, SignatureScheme,
    client::{
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        verify_server_cert_signed_by_trust_anchor, verify_server_name,
    },
    crypto::{
        CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
    },
    pki_types::{CertificateDer, ServerName, UnixTime},
    server::ParsedCertificate,
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::StoreError;

/// What PostgreSQL's own clients announce.
const PROTOCOL: &[u8] = b"postgresql";

/// Whether connections over a network are encrypted and who the server must be: what `sslmode` of the libpq library
/// says. Connections through a socket file never are.
#[derive(Clone, Debug, Default)]
pub enum Encryption {
    /// `disable`: never.
    Disable,
    /// `prefer`: if the server offers it, whoever it is.
    #[default]
    Prefer,
    /// `require`: always, whoever the server is.
    Require,
    /// `verify-ca`: always, and one of these authorities has certified the server, under whatever name.
    VerifyCa(Vec<CertificateDer<'static>>),
    /// `verify-full`: always, and one of these authorities has certified the server under the name or the address in
    /// the connection string.
    VerifyFull(Vec<CertificateDer<'static>>),
}

impl Encryption {
    /// Whether nothing is ever sent unencrypted.
    pub fn is_certain(&self) -> bool {
        !matches!(self, Self::Disable | Self::Prefer)
    }

    /// What a connection is made with.
    pub(super) fn apply(&self, config: &mut Config) -> Result<Connector, StoreError> {
        let by_file = config.get_hostaddrs().is_empty()
            && config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_)));
        config.ssl_mode(match self {
            Self::Disable => SslMode::Disable,
            _ if by_file => SslMode::Disable,
            Self::Prefer => SslMode::Prefer,
            Self::Require | Self::VerifyCa(_) | Self::VerifyFull(_) => SslMode::Require,
        });
        let (authorities, checks_name) = match self {
            Self::Disable | Self::Prefer | Self::Require => (None, false),
            Self::VerifyCa(authorities) => (Some(authorities), false),
            Self::VerifyFull(authorities) => (Some(authorities), true),
        };
        let authorities = authorities.map(|found| {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(found.iter().cloned());
            roots
        });
        if authorities.as_ref().is_some_and(RootCertStore::is_empty) {
            return Err(StoreError::Unavailable(
                "none of the certificate authorities for PostgreSQL's certificate can be used".into(),
            ));
        }
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier::new(&provider, authorities, checks_name);
        let mut tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(StoreError::internal)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        tls.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(Connector(TlsConnector::from(Arc::new(tls))))
    }
}

/// Verifies certificates as an [`Encryption`] says.
#[derive(Debug)]
struct Verifier {
    /// Without any, the certificate is not verified.
    authorities: Option<RootCertStore>,
    checks_name: bool,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Verifier {
    fn new(provider: &CryptoProvider, authorities: Option<RootCertStore>, checks_name: bool) -> Self {
        Self { authorities, checks_name, algorithms: provider.signature_verification_algorithms }
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let Some(authorities) = &self.authorities else { return Ok(ServerCertVerified::assertion()) };
        let certificate = ParsedCertificate::try_from(certificate)?;
        let algorithms = self.algorithms.all;
        verify_server_cert_signed_by_trust_anchor(&certificate, authorities, between, now, algorithms)?;
        if self.checks_name {
            verify_server_name(&certificate, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// Encrypts connections.
#[derive(Clone)]
pub(super) struct Connector(TlsConnector);

impl MakeTlsConnect<Socket> for Connector {
    type Stream = Encrypted;
    type TlsConnect = Handshake;
    type Error = Infallible;

    /// The host is empty for a socket file, which is never encrypted.
    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, Infallible> {
        Ok(Handshake { connector: self.0.clone(), host: host.to_owned() })
    }
}

/// One connection that is to be encrypted.
pub(super) struct Handshake {
    connector: TlsConnector,
    host: String,
}

impl TlsConnect<Socket> for Handshake {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let not_a_name = |_| TlsError::InvalidCertificate(CertificateError::NotValidForName);
            let name = ServerName::try_from(self.host).map_err(not_a_name).map_err(io::Error::other)?;
            self.connector.connect(name, socket).await.map(|stream| Encrypted(Box::new(stream)))
        })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted(Box<TlsStream<Socket>>);

impl tls::TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Encrypted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
