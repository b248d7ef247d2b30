//! What can be given on the command line, in the environment and in the file.

#![allow(
    rustdoc::invalid_html_tags,
    reason = "these comments are the help of the command line, which is plain text"
)]

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};
use serde::Deserialize;

/// Where the state of a server is.
#[derive(Args, Clone, Debug, Default)]
pub struct DataSource {
    /// Folder for all data of the server; created if it does not exist, and readable by its owner only [default:
    /// croft-data]
    #[arg(long, env = "CROFT_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database to use instead of the embedded SQLite, as
    /// postgresql://user:password@host/database. Other users of this host can read the password of a URL
    /// on the command line; give it in the environment
    #[arg(long, env = "CROFT_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Permit a connection without encryption to a PostgreSQL server on another host; use this only where nobody else
    /// can read or change the traffic, as in a tunnel [default: false]
    ///
    /// Without it such a server needs TLS: set `sslmode` in the URL to require, verify-ca or verify-full. The last
    /// two also need `sslrootcert`, which is a PEM file with the certificate authority, or the word system.
    #[arg(long, env = "CROFT_ALLOW_PLAIN_DATABASE", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub allow_plain_database: Option<bool>,
}

/// What runs the machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum HypervisorKind {
    /// QEMU if this host can run it, otherwise simulated machines; the log says which
    Auto,
    /// QEMU virtual machines
    Qemu,
    /// Simulated machines, for trying Croft out
    Simulated,
}

/// What carries out the instructions of QEMU's guests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum AccelerationKind {
    /// KVM if a test guest runs with it at the start, otherwise translation; the log says which, and why
    Auto,
    /// KVM; the server does not start if a test guest does not run with it
    Kvm,
    /// Translation, which works everywhere and is many times slower; /dev/kvm is not opened
    Tcg,
}

/// What the guests of QEMU can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum GuestNetworkKind {
    /// Their VPCs if this host can set them up, otherwise nothing; the log says which
    Auto,
    /// Each other and outside networks, as the rules and routes of their VPCs say; needs root, and the programs ip,
    /// nft and dnsmasq
    Vpc,
    /// Nothing: guests get their addresses, but no packet leaves their machine
    Isolated,
    /// Whatever this host can reach, including its own services on loopback addresses
    Outbound,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// For people
    Text,
    /// One JSON object per line
    Json,
}

/// The options of `croft serve`, as the command line, the environment and the file each give them.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// TOML file with more options
    #[arg(long, env = "CROFT_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Folder for all data of the server; created if it does not exist, and readable by its owner only [default:
    /// croft-data]
    #[arg(long, env = "CROFT_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database to use instead of the embedded SQLite, as
    /// postgresql://user:password@host/database. Other users of this host can read the password of a URL
    /// on the command line; give it in the environment, or in a file with --config
    #[arg(long, env = "CROFT_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Permit a connection without encryption to a PostgreSQL server on another host; use this only where nobody else
    /// can read or change the traffic, as in a tunnel [default: false]
    ///
    /// Without it such a server needs TLS: set `sslmode` in the URL to require, verify-ca or verify-full. The last
    /// two also need `sslrootcert`, which is a PEM file with the certificate authority, or the word system.
    #[arg(long, env = "CROFT_ALLOW_PLAIN_DATABASE", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub allow_plain_database: Option<bool>,
    /// Address and port to listen on; port 0 takes any free one [default: 127.0.0.1:12220]
    #[arg(long, env = "CROFT_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// Address and port to listen on for TLS as well, with the silos' certificates; port 0 takes any free
    /// one [default: no TLS]
    #[arg(long, env = "CROFT_TLS_LISTEN", value_name = "ADDRESS")]
    pub tls_listen: Option<SocketAddr>,
    /// Redirect browsers that connect without TLS to TLS, and refuse other requests without TLS, as soon as there is
    /// a certificate; only with --tls-listen. Requests from this host and through trusted proxies are always served
    /// [default: true]
    #[arg(long, env = "CROFT_REDIRECT_TO_TLS", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub redirect_to_tls: Option<bool>,
    /// DNS name below which each silo has the host name <silo>.sys.<suffix>, for signing in and for its certificates;
    /// may be repeated, or given as a comma-separated list [default: croft.internal]
    #[arg(long, env = "CROFT_EXTERNAL_SUFFIX", value_name = "NAME", value_delimiter = ',')]
    pub external_suffix: Option<Vec<String>>,
    /// File to write the server's URL to once it accepts requests, for scripts that start it; the TLS URL follows on
    /// a second line
    #[arg(long, env = "CROFT_READY_FILE", value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
    /// Fill an empty database with example data for a demonstration, on simulated machines [default: false]
    ///
    /// Users sign in at a built-in identity provider, without a password: anyone who can reach the server can sign in
    /// as any user. The identity provider works only while the server runs with this option.
    #[arg(long, env = "CROFT_DEMO", value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    pub demo: Option<bool>,
    /// Hypervisor that runs the machines [default: auto]
    #[arg(long, env = "CROFT_HYPERVISOR", value_name = "KIND")]
    pub hypervisor: Option<HypervisorKind>,
    /// How QEMU runs the guests' instructions [default: auto]
    ///
    /// With auto, a machine that fails with an internal error of KVM within its first five minutes is restarted once
    /// with translation. Machines that start after that also use translation, until the server restarts.
    #[arg(long, env = "CROFT_ACCELERATION", value_name = "KIND")]
    pub acceleration: Option<AccelerationKind>,
    /// What QEMU guests can reach through their network interfaces [default: auto]
    #[arg(long, env = "CROFT_GUEST_NETWORK", value_name = "KIND")]
    pub guest_network: Option<GuestNetworkKind>,
    /// Interface of this host, such as eth0, that connects guests in VPCs with outside networks and makes their
    /// external addresses reachable; needs --guest-network vpc, or auto if that selects VPCs [default: none, guests
    /// reach only each other]
    ///
    /// This host answers ARP and neighbor discovery for external addresses in the interface's own subnets, and such
    /// addresses are visible outside unchanged: give them to an IP pool only if nothing else on that network uses
    /// them. Packets with any other external address leave with the interface's own address; to reach such an address
    /// from outside, other routers need a route to it through this host. Guests reach neither this host's services
    /// nor its other networks.
    ///
    /// IPv6 is forwarded if the interface has an IPv6 address and the kernel can forward IPv6 for guests only (Linux
    /// 6.17, or this host is already an IPv6 router for all its interfaces); otherwise the log gives the reason.
    #[arg(long, env = "CROFT_EXTERNAL_INTERFACE", value_name = "NAME")]
    pub external_interface: Option<String>,
    /// DNS resolver for guests' queries for names outside their VPCs, as an IP address with an optional port; up to
    /// three, tried in this order; needs --external-interface [default: the resolvers in this host's
    /// /etc/resolv.conf]
    ///
    /// The server sends the queries, so guests can resolve every name that these resolvers know, whatever the rules
    /// of their VPC. Without --external-interface guests can only resolve the names of their VPC.
    #[arg(long, env = "CROFT_DNS_UPSTREAM", value_name = "ADDRESS", value_delimiter = ',')]
    pub dns_upstream: Option<Vec<String>>,
    /// Whether IP pools may have IPv6 ranges, of any size [default: true]
    ///
    /// External IPv6 addresses are allocated, and the trace of a VPC takes them into account. Such an address leads
    /// to an instance only if the instance's primary interface has an IPv6 address.
    #[arg(long, env = "CROFT_IPV6_POOLS", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub ipv6_pools: Option<bool>,
    /// Prefix length of the largest IPv4 block that a subnet may have, 1 to 29 [default: 8]
    #[arg(long, env = "CROFT_SHORTEST_SUBNET_PREFIX", value_name = "BITS")]
    pub shortest_subnet_prefix: Option<u8>,
    /// Prefix length of the smallest IPv4 block that a subnet may have, up to 29, which has two addresses for
    /// interfaces [default: 26]
    #[arg(long, env = "CROFT_LONGEST_SUBNET_PREFIX", value_name = "BITS")]
    pub longest_subnet_prefix: Option<u8>,
    /// Drop ICMP to the addresses that the server listens on while the setting forbids inbound ICMP; needs root and
    /// the program nft [default: false, the setting is only stored]
    ///
    /// The rules apply to the addresses of this host, not only to the server's port: other services on these
    /// addresses do not answer pings either. The server keeps the rules in an nftables table of its own and removes
    /// it when it ends. IPv6 neighbor discovery and errors of established connections always pass.
    #[arg(long, env = "CROFT_ENFORCE_ICMP", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub enforce_icmp: Option<bool>,
    /// Speed of simulated machines and disks relative to real time, 0.01 to 1000000 [default: 1]
    #[arg(long, env = "CROFT_SIMULATED_SPEED", value_name = "FACTOR")]
    pub simulated_speed: Option<f64>,
    /// Size of each data disk of the simulated sleds, in TiB, 1 to 1000000 [default: 3]
    #[arg(long, env = "CROFT_SIMULATED_DISK_SIZE", value_name = "TIB")]
    pub simulated_disk_size: Option<u64>,
    /// Simulated sleds that are part of the fleet from the start, 1 to 32 [default: 3]
    #[arg(long, env = "CROFT_SIMULATED_SLEDS", value_name = "COUNT")]
    pub simulated_sleds: Option<u16>,
    /// Simulated sleds that are in the rack but not yet in the fleet; an operator can add them, 0 to 32 [default: 1]
    #[arg(long, env = "CROFT_SIMULATED_SPARE_SLEDS", value_name = "COUNT")]
    pub simulated_spare_sleds: Option<u16>,
    /// Hardware threads of each simulated sled, 1 to 1024 [default: 64]
    #[arg(long, env = "CROFT_SIMULATED_THREADS", value_name = "COUNT")]
    pub simulated_threads: Option<u64>,
    /// Memory for guests of each simulated sled, in GiB, 1 to 65536 [default: 256]
    #[arg(long, env = "CROFT_SIMULATED_MEMORY", value_name = "GIB")]
    pub simulated_memory: Option<u64>,
    /// Data disks of each simulated sled, 1 to 32. A disk of an instance takes space on three of them: a rack with
    /// fewer than three cannot have any [default: 3]
    #[arg(long, env = "CROFT_SIMULATED_DISKS", value_name = "COUNT")]
    pub simulated_disks: Option<u16>,
    /// Threads that serve requests, 1 to 64 [default: the number of CPUs, at most 4]
    #[arg(long, env = "CROFT_WORKERS", value_name = "COUNT")]
    pub workers: Option<usize>,
    /// Threads that read the database, 1 to 64; each uses some memory [default: 2]
    #[arg(long, env = "CROFT_DATABASE_READERS", value_name = "COUNT")]
    pub database_readers: Option<usize>,
    /// Passwords checked at the same time, 1 to 64; each uses one CPU and 64 MiB for a quarter of a second [default:
    /// half the number of CPUs, at least 1, at most 4]
    #[arg(long, env = "CROFT_PASSWORD_WORKERS", value_name = "COUNT")]
    pub password_workers: Option<usize>,
    /// Requests processed at the same time, 1 to 100000; further ones get status 503 immediately [default: 256]
    #[arg(long, env = "CROFT_MAX_IN_FLIGHT", value_name = "COUNT")]
    pub max_in_flight: Option<usize>,
    /// Minutes without a request after which a browser's session ends, 1 to 525600 [default: 480]
    #[arg(long, env = "CROFT_SESSION_IDLE", value_name = "MINUTES")]
    pub session_idle: Option<u32>,
    /// Minutes after which a browser's session ends even if it is active, 1 to 525600 [default: 1440]
    #[arg(long, env = "CROFT_SESSION_ABSOLUTE", value_name = "MINUTES")]
    pub session_absolute: Option<u32>,
    /// Mark cookies as Secure, so that browsers send them over HTTPS only; set this if a proxy in front of the server
    /// terminates TLS [default: false]
    #[arg(long, env = "CROFT_SECURE_COOKIES", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub secure_cookies: Option<bool>,
    /// Proxy whose X-Forwarded-For, X-Forwarded-Proto and Forwarded headers are trusted, as an address or a network
    /// such as 10.0.0.0/8; may be repeated, or given as a comma-separated list [default: none]
    ///
    /// The client is then the right-most address that is not a trusted proxy's, in the audit log and for the limits
    /// on password guessing. Cookies of clients that use HTTPS to the proxy are marked as Secure.
    #[arg(long, env = "CROFT_TRUSTED_PROXY", value_name = "NETWORK", value_delimiter = ',')]
    pub trusted_proxy: Option<Vec<String>>,
    /// Permit administrators to have the metadata of identity providers fetched from internal networks; set this only
    /// if all of them may see what this host can reach [default: false]
    #[arg(long, env = "CROFT_ALLOW_INTERNAL_METADATA", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub allow_internal_metadata: Option<bool>,
    /// Permit metadata of identity providers to be fetched by http, where an attacker on the way can replace the keys
    /// in it [default: false]
    #[arg(long, env = "CROFT_ALLOW_PLAIN_METADATA", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub allow_plain_metadata: Option<bool>,
    /// Address or network, such as 10.0.0.0/8, that alerts may be delivered to although it is not on the public
    /// internet or is this host's own; may be repeated, or given as a comma-separated list [default: none]
    #[arg(long, env = "CROFT_WEBHOOK_ALLOW", value_name = "NETWORK", value_delimiter = ',')]
    pub webhook_allow: Option<Vec<String>>,
    /// PEM file with certificate authorities that are trusted for alert receivers, in addition to those of this host;
    /// read at the start [default: none]
    #[arg(long, env = "CROFT_WEBHOOK_CA", value_name = "FILE")]
    pub webhook_ca: Option<PathBuf>,
    /// Days after which alerts and their deliveries are erased, 0 to 36500; 0 keeps them. Alerts that are still being
    /// delivered, or were delivered recently, are kept [default: 30]
    #[arg(long, env = "CROFT_ALERT_RETENTION", value_name = "DAYS")]
    pub alert_retention: Option<u32>,
    /// How long entries of the audit log stay in the database, such as 90d or 12h, at least 1h; older ones are first
    /// written to files in the folder audit of the data directory, and then deleted [default: for ever]
    #[arg(long, env = "CROFT_AUDIT_RETENTION", value_name = "DURATION")]
    pub audit_retention: Option<String>,
    /// Days after which deleted resources are erased from the database, 0 to 36500 [default: 30]
    #[arg(long, env = "CROFT_DELETED_RETENTION", value_name = "DAYS")]
    pub deleted_retention: Option<u32>,
    /// Days after which measurements are erased, 1 to 3650 [default: 30]
    #[arg(long, env = "CROFT_TELEMETRY_RETENTION", value_name = "DAYS")]
    pub telemetry_retention: Option<u32>,
    /// Maximum space for measurements, in MiB, 16 to 10000000; the oldest are erased early to stay below it [default:
    /// 8192]
    #[arg(long, env = "CROFT_TELEMETRY_SIZE", value_name = "MIB")]
    pub telemetry_size: Option<u64>,
    /// Begin lists of provisioned amounts with the value in force at the start of the period [default: false]
    #[arg(long, env = "CROFT_METRICS_BEGIN_WITH_VALUE", value_name = "BOOL", num_args = 0..=1,
          require_equals = true, default_missing_value = "true")]
    pub metrics_begin_with_value: Option<bool>,
    /// Maximum number of support bundles; each uses a few megabytes, 0 to 1000 [default: 10]
    #[arg(long, env = "CROFT_SUPPORT_BUNDLES", value_name = "COUNT")]
    pub support_bundles: Option<u32>,
    /// Days after which support bundles are removed, 0 to 36500; 0 keeps them [default: 30]
    #[arg(long, env = "CROFT_SUPPORT_BUNDLE_RETENTION", value_name = "DAYS")]
    pub support_bundle_retention: Option<u32>,
    /// File whose first line is a bearer token that may read /metrics; users who may view the fleet can always read
    /// it with their own tokens
    #[arg(long, env = "CROFT_METRICS_TOKEN_FILE", value_name = "FILE")]
    pub metrics_token_file: Option<PathBuf>,
    /// Folder to serve the console from, instead of the console built into the program
    #[arg(long, env = "CROFT_CONSOLE_DIR", value_name = "FOLDER")]
    pub console_dir: Option<PathBuf>,
    /// Format of the log, which goes to standard error [default: text]
    #[arg(long, env = "CROFT_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
    /// Log filter: error, warn, info, debug or trace, also for single parts of the program, as in
    /// info,croft::request=warn [default: info]
    #[arg(long, env = "CROFT_LOG_LEVEL", value_name = "FILTER")]
    pub log_level: Option<String>,
}
