//! The configuration: command line over environment over file over default.

pub mod file;
mod options;
mod parse;

use std::{net::SocketAddr, path::PathBuf};

use croft_control::{NetworkSettings, endpoint::ExternalSuffix};
use croft_http::TrustedProxy;
use jiff::SignedDuration;
use rustls_pki_types::CertificateDer;

pub use options::{AccelerationKind, DataSource, GuestNetworkKind, HypervisorKind, LogFormat, Options};

use crate::{failure::Result, outbound::AllowedNetwork};
use parse::{
    audit_retention, invalid, networks, proxies, read_authorities, read_file, read_token, resolvers,
    suffixes, within,
};

/// What a simulated rack consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedRack {
    /// Sleds of the fleet.
    pub sleds: u16,
    /// Sleds that wait to be added to it.
    pub spare_sleds: u16,
    /// Hardware threads of each sled.
    pub threads: u64,
    /// Memory of each sled for guests, in GiB.
    pub memory: u64,
    /// Data disks of each sled.
    pub disks: u16,
    /// Size of each data disk, in TiB.
    pub disk_size: u64,
}

/// The configuration in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Folder for everything that the server keeps.
    pub data_dir: PathBuf,
    /// The PostgreSQL database, if one is used.
    pub database_url: Option<String>,
    /// Whether the connection to a PostgreSQL server on another host may be unencrypted.
    pub allow_plain_database: bool,
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// Address and port to listen on for TLS.
    pub tls_listen: Option<SocketAddr>,
    /// Whether unencrypted requests are redirected to TLS, if TLS is served.
    pub redirect_to_tls: bool,
    /// The DNS names below which silos have host names; at least one.
    pub external_suffixes: Vec<ExternalSuffix>,
    /// File that the server's URL is written to.
    pub ready_file: Option<PathBuf>,
    /// Whether an empty database is filled with the demo, and its people can sign in.
    pub demo: bool,
    /// What runs the machines.
    pub hypervisor: HypervisorKind,
    /// What carries out the instructions of QEMU's guests.
    pub acceleration: AccelerationKind,
    /// What the guests of QEMU can reach.
    pub guest_network: GuestNetworkKind,
    /// The interface of the host by which guests and what is beyond the host reach each other.
    pub external_interface: Option<String>,
    /// The resolvers that names beyond VPCs are asked of; if empty, the host's own.
    pub dns_upstream: Vec<SocketAddr>,
    /// Networks of VPCs and external addresses.
    pub network: NetworkSettings,
    /// Whether the host drops ICMP to the server's addresses when the setting says so.
    pub enforce_icmp: bool,
    /// Speed of the simulation.
    pub simulated_speed: f64,
    /// What the simulated rack consists of.
    pub simulated_rack: SimulatedRack,
    /// Threads that serve requests.
    pub workers: usize,
    /// Threads that read the database.
    pub database_readers: usize,
    /// Passwords checked at the same time.
    pub password_workers: usize,
    /// Requests worked on at the same time.
    pub max_in_flight: usize,
    /// Minutes without a request after which a session ends.
    pub session_idle: u32,
    /// Minutes after which a session ends.
    pub session_absolute: u32,
    /// Whether cookies are for HTTPS only.
    pub secure_cookies: bool,
    /// Proxies whose headers about the client are trusted.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// Whether metadata of identity providers may be fetched from internal networks.
    pub allow_internal_metadata: bool,
    /// Whether metadata of identity providers may be fetched by http.
    pub allow_plain_metadata: bool,
    /// Where alerts may be delivered beside the public internet.
    pub webhook_allow: Vec<AllowedNetwork>,
    /// Authorities that receivers of alerts may be certified by, beside those that this host trusts.
    pub webhook_ca: Vec<CertificateDer<'static>>,
    /// Days after which alerts are erased with their deliveries; 0 keeps them.
    pub alert_retention: u32,
    /// How long entries of the audit log stay in the database; `None` for ever.
    pub audit_retention: Option<SignedDuration>,
    /// Days after which what was deleted is erased.
    pub deleted_retention: u32,
    /// Days after which measurements are erased.
    pub telemetry_retention: u32,
    /// Most space for measurements, in MiB.
    pub telemetry_size: u64,
    /// Whether lists of what was provisioned begin with the value in force at their start.
    pub metrics_begin_with_value: bool,
    /// Most support bundles that are kept.
    pub support_bundles: u32,
    /// Days after which support bundles are removed; 0 keeps them.
    pub support_bundle_retention: u32,
    /// The token that may read the metrics.
    pub metrics_token: Option<String>,
    /// Folder to serve the console from.
    pub console_dir: Option<PathBuf>,
    /// How the log is written.
    pub log_format: LogFormat,
    /// What is logged.
    pub log_level: String,
}

/// The folder used when none is named.
pub const DEFAULT_DATA_DIR: &str = "croft-data";

macro_rules! or {
    ($upper:ident, $lower:ident, $($field:ident),*) => {
        Options { config: $upper.config, $($field: $upper.$field.or($lower.$field)),* }
    };
}

impl Options {
    /// Adds the file, checks everything and fills in defaults.
    pub fn resolve(self) -> Result<Config> {
        let file = match &self.config {
            Some(path) => read_file(path)?,
            None => Self::default(),
        };
        let options = or!(
            self,
            file,
            data_dir,
            database_url,
            allow_plain_database,
            listen,
            tls_listen,
            redirect_to_tls,
            external_suffix,
            ready_file,
            demo,
            hypervisor,
            acceleration,
            guest_network,
            external_interface,
            dns_upstream,
            ipv6_pools,
            shortest_subnet_prefix,
            longest_subnet_prefix,
            enforce_icmp,
            simulated_speed,
            simulated_disk_size,
            simulated_sleds,
            simulated_spare_sleds,
            simulated_threads,
            simulated_memory,
            simulated_disks,
            workers,
            database_readers,
            password_workers,
            max_in_flight,
            session_idle,
            session_absolute,
            secure_cookies,
            trusted_proxy,
            allow_internal_metadata,
            allow_plain_metadata,
            webhook_allow,
            webhook_ca,
            alert_retention,
            audit_retention,
            deleted_retention,
            telemetry_retention,
            telemetry_size,
            metrics_begin_with_value,
            support_bundles,
            support_bundle_retention,
            metrics_token_file,
            console_dir,
            log_format,
            log_level
        );
        options.checked()
    }

    fn checked(self) -> Result<Config> {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = 1..=64;
        let minutes = 1..=525_600;
        let days = 0..=36_500;
        let speed = self.simulated_speed.unwrap_or(1.0);
        if !(0.01..=1_000_000.0).contains(&speed) {
            return Err(invalid("simulated-speed must be from 0.01 to 1000000"));
        }
        let simulated_rack = self.simulated_rack()?;
        self.check_external_interface()?;
        self.check_acceleration()?;
        self.check_demo()?;
        let network = self.network()?;
        Ok(Config {
            data_dir: self.data_dir.unwrap_or_else(|| DEFAULT_DATA_DIR.into()),
            database_url: self.database_url,
            allow_plain_database: self.allow_plain_database.unwrap_or(false),
            listen: self.listen.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 12220))),
            tls_listen: self.tls_listen,
            redirect_to_tls: self.redirect_to_tls.unwrap_or(true),
            external_suffixes: suffixes(self.external_suffix)?,
            ready_file: self.ready_file,
            demo: self.demo.unwrap_or(false),
            hypervisor: self.hypervisor.unwrap_or(HypervisorKind::Auto),
            acceleration: self.acceleration.unwrap_or(AccelerationKind::Auto),
            guest_network: self.guest_network.unwrap_or(GuestNetworkKind::Auto),
            network,
            enforce_icmp: self.enforce_icmp.unwrap_or(false),
            dns_upstream: resolvers(self.dns_upstream.as_deref().unwrap_or_default())?,
            external_interface: self.external_interface,
            simulated_speed: speed,
            simulated_rack,
            workers: within("workers", self.workers.unwrap_or(cpus.min(4)), &threads)?,
            database_readers: within("database-readers", self.database_readers.unwrap_or(2), &threads)?,
            password_workers: within(
                "password-workers",
                self.password_workers.unwrap_or((cpus / 2).clamp(1, 4)),
                &threads,
            )?,
            max_in_flight: within("max-in-flight", self.max_in_flight.unwrap_or(256), &(1..=100_000))?,
            session_idle: within("session-idle", self.session_idle.unwrap_or(480), &minutes)?,
            session_absolute: within("session-absolute", self.session_absolute.unwrap_or(1440), &minutes)?,
            secure_cookies: self.secure_cookies.unwrap_or(false),
            trusted_proxies: proxies(self.trusted_proxy.as_deref().unwrap_or_default())?,
            allow_internal_metadata: self.allow_internal_metadata.unwrap_or(false),
            allow_plain_metadata: self.allow_plain_metadata.unwrap_or(false),
            webhook_allow: networks(self.webhook_allow.as_deref().unwrap_or_default())?,
            webhook_ca: self.webhook_ca.as_deref().map(read_authorities).transpose()?.unwrap_or_default(),
            alert_retention: within("alert-retention", self.alert_retention.unwrap_or(30), &days)?,
            audit_retention: self.audit_retention.as_deref().map(audit_retention).transpose()?,
            deleted_retention: within("deleted-retention", self.deleted_retention.unwrap_or(30), &days)?,
            telemetry_retention: within(
                "telemetry-retention",
                self.telemetry_retention.unwrap_or(30),
                &(1..=3650),
            )?,
            telemetry_size: within(
                "telemetry-size",
                self.telemetry_size.unwrap_or(8192),
                &(16..=10_000_000),
            )?,
            metrics_begin_with_value: self.metrics_begin_with_value.unwrap_or(false),
            support_bundles: within("support-bundles", self.support_bundles.unwrap_or(10), &(0..=1000))?,
            support_bundle_retention: within(
                "support-bundle-retention",
                self.support_bundle_retention.unwrap_or(30),
                &days,
            )?,
            metrics_token: self.metrics_token_file.as_deref().map(read_token).transpose()?,
            console_dir: self.console_dir,
            log_format: self.log_format.unwrap_or(LogFormat::Text),
            log_level: self.log_level.unwrap_or_else(|| "info".into()),
        })
    }

    fn network(&self) -> Result<NetworkSettings> {
        let defaults = NetworkSettings::default();
        let shortest = self.shortest_subnet_prefix.unwrap_or(defaults.shortest_subnet_prefix);
        let longest = self.longest_subnet_prefix.unwrap_or(defaults.longest_subnet_prefix);
        let bits = 1..=NetworkSettings::LONGEST_PREFIX;
        let shortest_subnet_prefix = within("shortest-subnet-prefix", shortest, &bits)?;
        let longest_subnet_prefix = within("longest-subnet-prefix", longest, &(shortest..=*bits.end()))?;
        let ipv6_pools = self.ipv6_pools.unwrap_or(defaults.ipv6_pools);
        Ok(NetworkSettings { ipv6_pools, shortest_subnet_prefix, longest_subnet_prefix })
    }

    fn simulated_rack(&self) -> Result<SimulatedRack> {
        let spare_sleds = self.simulated_spare_sleds.unwrap_or(1);
        let disk_size = self.simulated_disk_size.unwrap_or(3);
        Ok(SimulatedRack {
            sleds: within("simulated-sleds", self.simulated_sleds.unwrap_or(3), &(1..=32))?,
            spare_sleds: within("simulated-spare-sleds", spare_sleds, &(0..=32))?,
            threads: within("simulated-threads", self.simulated_threads.unwrap_or(64), &(1..=1024))?,
            memory: within("simulated-memory", self.simulated_memory.unwrap_or(256), &(1..=65_536))?,
            disks: within("simulated-disks", self.simulated_disks.unwrap_or(3), &(1..=32))?,
            disk_size: within("simulated-disk-size", disk_size, &(1..=1_000_000))?,
        })
    }

    /// Whether there are guests to be accelerated, if they must be.
    fn check_acceleration(&self) -> Result<()> {
        let is_simulated = self.hypervisor == Some(HypervisorKind::Simulated) || self.demo.unwrap_or(false);
        if self.acceleration == Some(AccelerationKind::Kvm) && is_simulated {
            return Err(invalid("acceleration = kvm needs QEMU, but hypervisor is simulated"));
        }
        Ok(())
    }

    /// Whether the demo can have what it needs.
    fn check_demo(&self) -> Result<()> {
        if !self.demo.unwrap_or(false) {
            return Ok(());
        }
        if self.hypervisor == Some(HypervisorKind::Qemu) || self.external_interface.is_some() {
            return Err(invalid(
                "demo needs simulated machines: leave hypervisor out, or set it to simulated",
            ));
        }
        if self.ipv6_pools == Some(false) {
            return Err(invalid("demo has pools with IPv6 ranges, but ipv6-pools is false"));
        }
        Ok(())
    }

    /// Whether guests can be in VPCs at all, if they are to reach what is beyond the host.
    fn check_external_interface(&self) -> Result<()> {
        if self.external_interface.is_none() {
            let resolvers = self.dns_upstream.as_deref().unwrap_or_default();
            let text = "dns-upstream needs external-interface: set it, too";
            return if resolvers.is_empty() { Ok(()) } else { Err(invalid(text)) };
        }
        if self.hypervisor == Some(HypervisorKind::Simulated) {
            return Err(invalid("external-interface needs QEMU, but hypervisor is simulated"));
        }
        match self.guest_network {
            None | Some(GuestNetworkKind::Auto | GuestNetworkKind::Vpc) => Ok(()),
            Some(GuestNetworkKind::Isolated | GuestNetworkKind::Outbound) => {
                Err(invalid("external-interface needs guests in VPCs: set guest-network to vpc or auto"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
