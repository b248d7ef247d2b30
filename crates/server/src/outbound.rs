//! Connections to addresses that administrators name.
//!
//! The server connects to addresses that others provide. With an address of an internal network, the administrator of a
//! silo could reach what only the server can (SSRF). So only public addresses are contacted, unless the operator allows
//! others. Names are resolved here, and the connection uses the address that was checked, so that DNS rebinding has no
//! effect.

mod address;
mod authority;

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs as _, UdpSocket},
    str::FromStr,
    sync::Arc,
};

use croft_api::scalar::IpNet;
use croft_control::web_address::WebAddress;
use rustls::ClientConfig;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    sync::{OnceCell, Semaphore},
    task::spawn_blocking,
};
use tokio_rustls::TlsConnector;

use address::is_public;
pub use authority::{read_authorities, system_authorities};

/// Maximum number of concurrent name resolutions of one [`Outbound`]. A name server that does not respond blocks a
/// thread for long.
const LOOK_UPS: usize = 2;
/// The number of instances in the server: for metadata, and for receivers of alerts.
const OUTBOUNDS: usize = 2;
/// Maximum number of threads used by all of them, including one each for reading the authorities.
pub const THREADS: usize = OUTBOUNDS * (LOOK_UPS + 1);

/// Addresses that may be contacted although they are not public: one address, or a network as in `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowedNetwork(IpNet);

impl FromStr for AllowedNetwork {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let net = if text.contains('/') {
            text.parse::<IpNet>().ok().map(IpNet::to_canonical)
        } else {
            text.parse::<IpAddr>().ok().map(|address| IpNet::from(address.to_canonical()))
        };
        net.map(Self)
            .ok_or_else(|| format!("{text:?} is neither an IP address nor a network such as 10.0.0.0/8"))
    }
}

/// Addresses that may be contacted in addition to public ones of other hosts.
#[derive(Clone, Debug)]
pub enum AllowedDestinations {
    /// All addresses.
    Anything,
    /// Addresses in these networks.
    Networks(Vec<AllowedNetwork>),
}

/// The connector.
#[derive(Clone)]
pub struct Outbound {
    beyond: AllowedDestinations,
    /// The option that allows more, for messages.
    option: &'static str,
    look_ups: Arc<Semaphore>,
    /// Authorities trusted in addition to those of this host.
    authorities: Arc<[CertificateDer<'static>]>,
    /// Created when first needed.
    tls: Arc<OnceCell<TlsConnector>>,
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbound").field("beyond", &self.beyond).finish_non_exhaustive()
    }
}

/// A connection with or without TLS.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin + 'static> Stream for S {}

impl fmt::Debug for dyn Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}

impl Outbound {
    /// `option` is the option that allows more addresses.
    pub fn new(beyond: AllowedDestinations, option: &'static str) -> Self {
        let look_ups = Arc::new(Semaphore::new(LOOK_UPS));
        Self { beyond, option, look_ups, authorities: Arc::default(), tls: Arc::default() }
    }

    /// Trusts these authorities in addition to those of this host. They must come from [`read_authorities`].
    #[must_use]
    pub fn trusting(mut self, authorities: Vec<CertificateDer<'static>>) -> Self {
        self.authorities = authorities.into();
        self
    }

    /// Connects, with TLS if the scheme requires it. The caller must limit the time.
    ///
    /// # Errors
    /// The reason, as text.
    pub async fn connect(&self, target: &WebAddress) -> Result<Box<dyn Stream>, String> {
        let addresses = self.resolve(target).await?;
        let stream =
            TcpStream::connect(&addresses[..]).await.map_err(|error| format!("{}: {error}", target.host))?;
        if !target.is_encrypted {
            return Ok(Box::new(stream));
        }
        let name = ServerName::try_from(target.host.clone()).map_err(|error| error.to_string())?;
        let connector = self.tls.get_or_try_init(|| connector(self.authorities.clone())).await?;
        Ok(Box::new(connector.connect(name, stream).await.map_err(|error| error.to_string())?))
    }

    /// The allowed addresses of a host: at least one.
    async fn resolve(&self, target: &WebAddress) -> Result<Vec<SocketAddr>, String> {
        let (host, port) = (target.host.clone(), target.port);
        let permit = Arc::clone(&self.look_ups).acquire_owned().await.map_err(|error| error.to_string())?;
        let outbound = self.clone();
        // The permit moves to the thread, because a look-up cannot be canceled.
        let found = spawn_blocking(move || {
            let _permit = permit;
            let found = (host.as_str(), port).to_socket_addrs()?;
            Ok(found.filter(|address| outbound.allows(address.ip())).collect::<Vec<_>>())
        });
        let found: std::io::Result<_> = found.await.map_err(|error| error.to_string())?;
        let allowed = found.map_err(|error| format!("{}: {error}", target.host))?;
        if allowed.is_empty() {
            return Err(self.not_public(&target.host));
        }
        Ok(allowed)
    }

    /// Why a host is not allowed, if this is known without resolving a name.
    pub fn refusal(&self, target: &WebAddress) -> Option<String> {
        let address = if target.host.eq_ignore_ascii_case("localhost") {
            IpAddr::V4(Ipv4Addr::LOCALHOST)
        } else {
            target.host.parse().ok()?
        };
        (!self.allows(address)).then(|| self.not_public(&target.host))
    }

    fn not_public(&self, host: &str) -> String {
        let option = self.option;
        format!(
            "{host} is not on the public internet; an operator can allow it by starting the server with {option}"
        )
    }

    fn allows(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        match &self.beyond {
            AllowedDestinations::Anything => true,
            AllowedDestinations::Networks(networks) => {
                networks.iter().any(|AllowedNetwork(network)| network.contains(address))
                    || (is_public(address) && !is_own(address))
            }
        }
    }
}

/// Whether an address belongs to this host.
fn is_own(address: IpAddr) -> bool {
    UdpSocket::bind((address, 0)).is_ok()
}

/// The TLS configuration: the operating system's authorities, and the operator's own.
async fn connector(own: Arc<[CertificateDer<'static>]>) -> Result<TlsConnector, String> {
    let roots = spawn_blocking(move || authority::roots(&own)).await.map_err(|error| error.to_string())??;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restricted(networks: &[&str]) -> Outbound {
        let networks = networks.iter().map(|text| text.parse().unwrap()).collect();
        Outbound::new(AllowedDestinations::Networks(networks), "--an-option")
    }

    #[tokio::test]
    async fn internal_addresses_are_not_contacted() {
        for host in [
            "127.0.0.1:9",
            "localhost:9",
            "[::1]:9",
            "169.254.169.254",
            "10.0.0.1",
            "[::ffff:127.0.0.1]",
            "0.0.0.0",
        ] {
            let target = WebAddress::parse(&format!("http://{host}/")).unwrap();
            let outbound = restricted(&["192.0.2.0/24"]);
            let refusal = outbound.connect(&target).await.unwrap_err();
            assert_eq!(
                outbound.refusal(&target).as_deref(),
                Some(refusal.as_str()),
                "the target is also refused before a connection"
            );
            assert!(refusal.contains("is not on the public internet"), "{host}: {refusal}");
            assert!(refusal.ends_with("--an-option"), "{host}: {refusal}");
        }
    }

    #[test]
    fn allowed_networks_are_parsed() {
        let outbound = restricted(&["10.1.0.0/16", "::1", "127.0.0.2"]);
        let allows = |text: &str| outbound.allows(text.parse().unwrap());
        assert!(allows("10.1.2.3") && allows("::ffff:10.1.2.3") && allows("::1") && allows("127.0.0.2"));
        assert!(!allows("10.2.0.1") && !allows("127.0.0.1") && !allows("fe80::1"));
        assert!(allows("192.88.99.1") && allows("2606:4700::1"), "public addresses are always allowed");
        assert!("x".parse::<AllowedNetwork>().unwrap_err().contains("neither an IP address"));
        assert!("10.0.0.0/33".parse::<AllowedNetwork>().is_err());
    }

    #[test]
    fn addresses_of_this_host_are_detected() {
        assert!(is_own("127.0.0.1".parse().unwrap()));
        assert!(!is_own("192.0.2.1".parse().unwrap()));
    }
}
