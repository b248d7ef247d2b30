//! What can be given on the command line, in the environment and in the file.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};
use serde::Deserialize;

/// Where the state of a server is.
#[derive(Args, Clone, Debug, Default)]
pub struct DataSource {
    /// Folder for everything that the server keeps; made if need be, and closed to other users
    /// [default: croft-data]
    #[arg(long, env = "CROFT_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database to use instead of the embedded SQLite, as
    /// postgresql://user:password@host/database. Other users of this host can read the password of a URL
    /// on the command line; give it in the environment
    #[arg(long, env = "CROFT_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Let the connection to a PostgreSQL server on another host be in clear; set this only where nobody else can
    /// read or change what passes, as in a tunnel [default: false]
    ///
    /// Without it such a server must be reached by TLS: `sslmode` in the URL is then require, verify-ca or
    /// verify-full, the latter two with `sslrootcert`, a PEM file of its authority or the word system.
    #[arg(long, env = "CROFT_ALLOW_PLAIN_DATABASE", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub allow_plain_database: Option<bool>,
}

/// What runs the machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum HypervisorKind {
    /// The best that this host has; says which
    Auto,
    /// Virtual machines of QEMU
    Qemu,
    /// Pretended machines, for trying things out
    Simulated,
}

/// What carries out the instructions of QEMU's guests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum AccelerationKind {
    /// The processor, through KVM, where a trial guest shows at the start that it works; elsewhere translation. The
    /// first lines of the log say which, and why
    Auto,
    /// The processor, through KVM; where a trial guest does not run with it, the server does not start
    Kvm,
    /// Translation, which works everywhere and is many times slower; /dev/kvm is not opened
    Tcg,
}

/// What the guests of QEMU can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum GuestNetworkKind {
    /// Their VPCs where this host can set them up, otherwise nothing; says which
    Auto,
    /// Each other and the world as the rules and routes of their VPCs say; needs root, and the programs ip, nft
    /// and dnsmasq
    Vpc,
    /// Nothing: guests get their addresses, and no packet of theirs leaves their machine
    Isolated,
    /// Whatever this host reaches, its own services on loopback addresses included
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
    /// TOML file with further options
    #[arg(long, env = "CROFT_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Folder for everything that the server keeps; made if need be, and closed to other users
    /// [default: croft-data]
    #[arg(long, env = "CROFT_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database to use instead of the embedded SQLite, as
    /// postgresql://user:password@host/database. Other users of this host can read the password of a URL
    /// on the command line; give it in the environment, or in a file with --config
    #[arg(long, env = "CROFT_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Let the connection to a PostgreSQL server on another host be in clear; set this only where nobody else can
    /// read or change what passes, as in a tunnel [default: false]
    ///
    /// Without it such a server must be reached by TLS: `sslmode` in the URL is then require, verify-ca or
    /// verify-full, the latter two with `sslrootcert`, a PEM file of its authority or the word system.
    #[arg(long, env = "CROFT_ALLOW_PLAIN_DATABASE", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub allow_plain_database: Option<bool>,
    /// Address and port to listen on; port 0 takes any free one [default: 127.0.0.1:12220]
    #[arg(long, env = "CROFT_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// Address and port to listen on for TLS as well, with the silos' certificates; port 0 takes any free
    /// one [default: no TLS]
    #[arg(long, env = "CROFT_TLS_LISTEN", value_name = "ADDRESS")]
    pub tls_listen: Option<SocketAddr>,
    /// Send browsers that come in clear to TLS, and refuse other requests in clear, once there is a certificate; only
    /// with --tls-listen. Requests from this host and by trusted proxies are served all the same [default: true]
    #[arg(long, env = "CROFT_REDIRECT_TO_TLS", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub redirect_to_tls: Option<bool>,
    /// DNS name below which each silo has the host name <silo>.sys.<suffix>, for signing in and for its
    /// certificates; may be given several times, or as a list with commas [default: croft.internal]
    #[arg(long, env = "CROFT_EXTERNAL_SUFFIX", value_name = "NAME", value_delimiter = ',')]
    pub external_suffix: Option<Vec<String>>,
    /// File that the server's URL is written to once it answers, for scripts that start it; the URL for TLS
    /// follows on a second line
    #[arg(long, env = "CROFT_READY_FILE", value_name = "FILE")]
    pub ready_file: Option<PathBuf>,
    /// Fill an empty database with a cloud in which everything can be seen, on simulated machines [default: false]
    ///
    /// Its people sign in at an identity provider of the server's own, without a password: whoever reaches such a
    /// server can sign in as anyone. A server that is started without this on the same data has no such provider.
    #[arg(long, env = "CROFT_DEMO", value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    pub demo: Option<bool>,
    /// What runs the machines [default: auto]
    #[arg(long, env = "CROFT_HYPERVISOR", value_name = "KIND")]
    pub hypervisor: Option<HypervisorKind>,
    /// What carries out the instructions of QEMU's guests [default: auto]
    ///
    /// With auto, a machine that QEMU stops with an internal error of KVM within its first five minutes is started
    /// again with translation, once; machines that start after it have translation, too, until the server starts
    /// again.
    #[arg(long, env = "CROFT_ACCELERATION", value_name = "KIND")]
    pub acceleration: Option<AccelerationKind>,
    /// What the guests of QEMU can reach through their interfaces [default: auto]
    #[arg(long, env = "CROFT_GUEST_NETWORK", value_name = "KIND")]
    pub guest_network: Option<GuestNetworkKind>,
    /// Interface of this host by which guests in VPCs reach what is beyond the host, and are reached by their
    /// external addresses, such as eth0; needs --guest-network vpc, or auto where that is VPCs
    /// [default: none, guests reach each other and nothing beyond the host]
    ///
    /// External addresses in the interface's own subnets are answered for there, and are seen as they are:
    /// give such addresses to an IP pool that nobody else on that network uses. What leaves with any other
    /// external address is seen with the interface's own; to reach that address from outside, other routers
    /// need a route to it by this host. Guests reach neither this host's services nor its other networks.
    ///
    /// IPv6 passes if the interface has an address of it, and the kernel can pass it on for guests alone (Linux
    /// 6.17, or this host is a router of IPv6 for all its interfaces); if not, the log says why.
    #[arg(long, env = "CROFT_EXTERNAL_INTERFACE", value_name = "NAME")]
    pub external_interface: Option<String>,
    /// Resolver that guests' questions for names beyond their VPCs go to, an IP address, or one with a port; up to three,
    /// asked in this order; needs --external-interface [default: those that this host's /etc/resolv.conf names]
    ///
    /// The server asks them itself, so guests learn every name that these resolvers tell this host, whatever the rules of
    /// their VPC. Without --external-interface guests resolve the names of their VPC alone.
    #[arg(long, env = "CROFT_DNS_UPSTREAM", value_name = "ADDRESS", value_delimiter = ',')]
    pub dns_upstream: Option<Vec<String>>,
    /// Whether IP pools may have IPv6 ranges, up to all of IPv6 in one [default: true]
    ///
    /// What is drawn from them is counted, and answered for by the trace of a VPC: an external IPv6 address leads to
    /// an instance whose primary interface has an IPv6 address, and nowhere otherwise.
    #[arg(long, env = "CROFT_IPV6_POOLS", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub ipv6_pools: Option<bool>,
    /// Prefix length of the largest IPv4 block that a subnet may have, 1 to 29 [default: 8]
    #[arg(long, env = "CROFT_SHORTEST_SUBNET_PREFIX", value_name = "BITS")]
    pub shortest_subnet_prefix: Option<u8>,
    /// Prefix length of the smallest IPv4 block that a subnet may have, up to 29, which has two addresses for
    /// interfaces [default: 26]
    #[arg(long, env = "CROFT_LONGEST_SUBNET_PREFIX", value_name = "BITS")]
    pub longest_subnet_prefix: Option<u8>,
    /// Have this host drop ICMP to the addresses that the server listens on while the setting for inbound ICMP
    /// forbids it; needs root and the program nft [default: false, the setting is stored and nothing more]
    ///
    /// That is for the whole host, not for the server's port alone: an address that others use for other things
    /// does not answer pings either. A table of nftables of the server's own holds the rules and goes when the
    /// server ends. IPv6 neighbour discovery and errors of connections under way always pass.
    #[arg(long, env = "CROFT_ENFORCE_ICMP", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub enforce_icmp: Option<bool>,
    /// How many times faster than life simulated machines and disks change, 0.01 to 1000000 [default: 1]
    #[arg(long, env = "CROFT_SIMULATED_SPEED", value_name = "FACTOR")]
    pub simulated_speed: Option<f64>,
    /// Size of each data disk of the simulated sleds, in TiB, 1 to 1000000 [default: 3]
    #[arg(long, env = "CROFT_SIMULATED_DISK_SIZE", value_name = "TIB")]
    pub simulated_disk_size: Option<u64>,
    /// Simulated sleds that are part of the fleet from the start, 1 to 32 [default: 3]
    #[arg(long, env = "CROFT_SIMULATED_SLEDS", value_name = "COUNT")]
    pub simulated_sleds: Option<u16>,
    /// Further simulated sleds that stand in the rack and wait for an operator to add them, 0 to 32 [default: 1]
    #[arg(long, env = "CROFT_SIMULATED_SPARE_SLEDS", value_name = "COUNT")]
    pub simulated_spare_sleds: Option<u16>,
    /// Hardware threads of each simulated sled, 1 to 1024 [default: 64]
    #[arg(long, env = "CROFT_SIMULATED_THREADS", value_name = "COUNT")]
    pub simulated_threads: Option<u64>,
    /// Memory for guests of each simulated sled, in GiB, 1 to 65536 [default: 256]
    #[arg(long, env = "CROFT_SIMULATED_MEMORY", value_name = "GIB")]
    pub simulated_memory: Option<u64>,
    /// Data disks of each simulated sled, 1 to 32. A disk of an instance takes space on three of them: with fewer in
    /// the whole rack there can be none [default: 3]
    #[arg(long, env = "CROFT_SIMULATED_DISKS", value_name = "COUNT")]
    pub simulated_disks: Option<u16>,
    /// Threads that serve requests, 1 to 64 [default: the number of CPUs, at most 4]
    #[arg(long, env = "CROFT_WORKERS", value_name = "COUNT")]
    pub workers: Option<usize>,
    /// Threads that read the database, 1 to 64; each takes some memory [default: 2]
    #[arg(long, env = "CROFT_DATABASE_READERS", value_name = "COUNT")]
    pub database_readers: Option<usize>,
    /// Passwords checked at the same time, 1 to 64; each takes a CPU and 64 MiB for a quarter of a second
    /// [default: half the number of CPUs, at least 1, at most 4]
    #[arg(long, env = "CROFT_PASSWORD_WORKERS", value_name = "COUNT")]
    pub password_workers: Option<usize>,
    /// Requests worked on at the same time, 1 to 100000; more are answered 503 at once [default: 256]
    #[arg(long, env = "CROFT_MAX_IN_FLIGHT", value_name = "COUNT")]
    pub max_in_flight: Option<usize>,
    /// Minutes without a request after which a browser's session ends, 1 to 525600 [default: 480]
    #[arg(long, env = "CROFT_SESSION_IDLE", value_name = "MINUTES")]
    pub session_idle: Option<u32>,
    /// Minutes after which a browser's session ends however busy it is, 1 to 525600 [default: 1440]
    #[arg(long, env = "CROFT_SESSION_ABSOLUTE", value_name = "MINUTES")]
    pub session_absolute: Option<u32>,
    /// Mark cookies as fit for HTTPS only; set this when a proxy in front speaks HTTPS to people
    /// [default: false]
    #[arg(long, env = "CROFT_SECURE_COOKIES", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub secure_cookies: Option<bool>,
    /// Proxy whose X-Forwarded-For, X-Forwarded-Proto and Forwarded headers are believed, as an address or a
    /// network such as 10.0.0.0/8; may be given several times, or as a list with commas [default: none]
    ///
    /// The client is then the right-most address that is not a trusted proxy's: in the audit log, and where
    /// guessing of passwords is slowed. Cookies of clients that speak HTTPS to the proxy are for HTTPS only.
    #[arg(long, env = "CROFT_TRUSTED_PROXY", value_name = "NETWORK", value_delimiter = ',')]
    pub trusted_proxy: Option<Vec<String>>,
    /// Let administrators name addresses of internal networks when they have the metadata of identity
    /// providers fetched; set this only if all of them may see what this host sees [default: false]
    #[arg(long, env = "CROFT_ALLOW_INTERNAL_METADATA", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub allow_internal_metadata: Option<bool>,
    /// Let the metadata of identity providers be fetched by http, where whoever stands between can put their own keys
    /// into them [default: false]
    #[arg(long, env = "CROFT_ALLOW_PLAIN_METADATA", value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub allow_plain_metadata: Option<bool>,
    /// Address or network such as 10.0.0.0/8 that alerts may be delivered to although it is not on the public
    /// internet, or is this host's own; may be given several times, or as a list with commas [default: none]
    #[arg(long, env = "CROFT_WEBHOOK_ALLOW", value_name = "NETWORK", value_delimiter = ',')]
    pub webhook_allow: Option<Vec<String>>,
    /// File with certificates (PEM) of authorities that receivers of alerts may be certified by, beside those that this
    /// host trusts; read at the start [default: none]
    #[arg(long, env = "CROFT_WEBHOOK_CA", value_name = "FILE")]
    pub webhook_ca: Option<PathBuf>,
    /// Days after which alerts are erased with their deliveries, 0 to 36500; 0 keeps them. One that is still to be
    /// delivered, or was lately, stays [default: 30]
    #[arg(long, env = "CROFT_ALERT_RETENTION", value_name = "DAYS")]
    pub alert_retention: Option<u32>,
    /// How long entries of the audit log stay in the database, such as 90d or 12h, at least 1h; older ones are written to
    /// files in the folder audit of the data directory first, and are deleted then [default: for ever]
    #[arg(long, env = "CROFT_AUDIT_RETENTION", value_name = "DURATION")]
    pub audit_retention: Option<String>,
    /// Days after which what was deleted is erased from the database, 0 to 36500 [default: 30]
    #[arg(long, env = "CROFT_DELETED_RETENTION", value_name = "DAYS")]
    pub deleted_retention: Option<u32>,
    /// Days after which measurements are erased, 1 to 3650 [default: 30]
    #[arg(long, env = "CROFT_TELEMETRY_RETENTION", value_name = "DAYS")]
    pub telemetry_retention: Option<u32>,
    /// Most space for measurements, in MiB, 16 to 10000000; the oldest are erased sooner to keep to it [default: 8192]
    #[arg(long, env = "CROFT_TELEMETRY_SIZE", value_name = "MIB")]
    pub telemetry_size: Option<u64>,
    /// Let lists of what was provisioned begin with the value in force at their start [default: false]
    #[arg(long, env = "CROFT_METRICS_BEGIN_WITH_VALUE", value_name = "BOOL", num_args = 0..=1,
          require_equals = true, default_missing_value = "true")]
    pub metrics_begin_with_value: Option<bool>,
    /// Most support bundles that are kept; each takes some megabytes, 0 to 1000 [default: 10]
    #[arg(long, env = "CROFT_SUPPORT_BUNDLES", value_name = "COUNT")]
    pub support_bundles: Option<u32>,
    /// Days after which support bundles are removed, 0 to 36500; 0 keeps them [default: 30]
    #[arg(long, env = "CROFT_SUPPORT_BUNDLE_RETENTION", value_name = "DAYS")]
    pub support_bundle_retention: Option<u32>,
    /// File whose first line is a bearer token that may read /metrics; users who may view the fleet can
    /// always do so with tokens of their own
    #[arg(long, env = "CROFT_METRICS_TOKEN_FILE", value_name = "FILE")]
    pub metrics_token_file: Option<PathBuf>,
    /// Folder to serve the console from, instead of the console within the program
    #[arg(long, env = "CROFT_CONSOLE_DIR", value_name = "FOLDER")]
    pub console_dir: Option<PathBuf>,
    /// How the log is written, to standard error [default: text]
    #[arg(long, env = "CROFT_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
    /// What is logged: error, warn, info, debug or trace, also per part of the program as in
    /// info,croft::request=warn [default: info]
    #[arg(long, env = "CROFT_LOG_LEVEL", value_name = "FILTER")]
    pub log_level: Option<String>,
}
