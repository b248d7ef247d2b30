//! The wire of Croft: every value that crosses the HTTP boundary.
//!
//! Views (what the server answers), params (what it is asked), scalars with their rules and messages, the error
//! catalogue and pagination. This crate knows no storage, no rule and no transport.

pub mod account;
pub mod activity;
pub mod address_lot;
pub mod affinity;
pub mod alert;
pub mod allow_list;
pub mod audit;
pub mod auth_settings;
pub mod batch;
pub mod bfd;
pub mod bgp;
pub mod certificate;
pub mod deletion;
pub mod device;
pub mod disk;
pub mod error;
pub mod event;
pub mod external_ip;
pub mod field_change;
pub mod firewall;
pub mod floating_ip;
pub mod hardware;
pub mod identity;
pub mod identity_provider;
pub mod image;
pub mod instance;
pub mod instance_preview;
pub mod internet_gateway;
pub mod ip_pool;
pub mod label;
pub mod list;
pub mod lldp;
pub mod loopback_address;
pub mod metric;
pub mod network_interface;
pub mod page;
pub mod permission;
pub mod policy;
pub mod probe;
pub mod project;
pub mod quota;
pub mod reachability;
pub mod router;
pub mod scalar;
pub mod search;
pub mod second_factor;
pub mod serial;
pub mod session;
pub mod silo;
pub mod snapshot;
pub mod ssh_key;
pub mod status;
pub mod subnet;
pub mod support_bundle;
pub mod switch_port;
pub mod switch_port_settings;
pub mod timeseries;
pub mod token;
pub mod trace;
pub mod update;
pub mod user;
pub mod user_builtin;
pub mod utilization;
pub mod view_as;
pub mod vpc;

pub use error::{Error, ErrorBody, Lookup, Result};
pub use jiff::Timestamp;
pub use uuid::Uuid;

macro_rules! resource_kinds {
    ($($kind:ident = $text:literal;)*) => {
        /// Kinds of resources.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum ResourceKind {
            $($kind,)*
        }

        impl ResourceKind {
            /// The kind in messages and logs.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $text,)*
                }
            }
        }
    };
}

resource_kinds! {
    AddressLot = "address-lot";
    AffinityGroup = "affinity-group";
    AffinityGroupMember = "affinity-group-member";
    Alert = "alert";
    AlertReceiver = "alert-receiver";
    AntiAffinityGroup = "anti-affinity-group";
    AntiAffinityGroupMember = "anti-affinity-group-member";
    Batch = "batch";
    BfdSession = "bfd-session";
    BgpAnnounceSet = "bgp-announce-set";
    BgpConfig = "bgp-config";
    Certificate = "certificate";
    ConsoleSession = "console-session";
    DeviceAccessToken = "device-access-token";
    DeviceAuthRequest = "device-auth-request";
    Disk = "disk";
    FloatingIp = "floating-ip";
    IdentityProvider = "identity-provider";
    Image = "image";
    Instance = "instance";
    InstanceNetworkInterface = "instance-network-interface";
    InternetGateway = "internet-gateway";
    InternetGatewayIpAddress = "internet-gateway-ip-address";
    InternetGatewayIpPool = "internet-gateway-ip-pool";
    IpPool = "ip-pool";
    IpPoolRange = "ip-pool-range";
    IpPoolResource = "ip-pool-resource";
    Probe = "probe";
    LoopbackAddress = "loopback-address";
    PhysicalDisk = "physical-disk";
    Project = "project";
    ProjectImage = "project-image";
    Rack = "rack";
    RouterRoute = "router-route";
    SamlIdentityProvider = "saml-identity-provider";
    SecondFactor = "second-factor";
    Silo = "silo";
    SiloGroup = "silo-group";
    SiloImage = "silo-image";
    SiloUser = "silo-user";
    Sled = "sled";
    Snapshot = "snapshot";
    SshKey = "ssh-key";
    SupportBundle = "support-bundle";
    Switch = "switch";
    SwitchPort = "switch-port";
    SwitchPortSettings = "switch-port-settings";
    TufRepo = "tuf-repo";
    TufTrustRoot = "tuf-trust-root";
    UserBuiltin = "user-builtin";
    Vpc = "vpc";
    VpcRouter = "vpc-router";
    VpcSubnet = "vpc-subnet";
    WebhookSecret = "webhook-secret";
}

impl std::fmt::Display for ResourceKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
