//! The operations: their names, what each needs the caller to be allowed, and the status of success.

use croft_store::records::PendingStep;

use crate::authz::{Kind, Permission};

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its id in the document that describes it, and in the audit log.
    pub id: &'static str,
    /// What it is done to.
    pub on: Kind,
    /// What the caller must be allowed to do there; none where being signed in is enough.
    pub permission: Option<Permission>,
    /// The status of a successful answer.
    pub success: u16,
    /// Whether it changes something, or passes on what is worth knowing of, and so is written to the audit log.
    pub audited: bool,
}

impl Operation {
    /// Whether it is done to what belongs to whoever asks, and never to what is somebody else's.
    pub fn is_about_caller(&self) -> bool {
        ["current_user_", "account_"].iter().any(|prefix| self.id.starts_with(prefix))
    }

    /// Whether its permission is one for changing something, or beginning to.
    pub(crate) fn is_change(&self) -> bool {
        matches!(self.permission, Some(Permission::Create | Permission::Modify))
    }

    /// Whether it is one of the few that a session is good for while this stands between signing in and the rest.
    pub(crate) fn is_part_of(&self, step: PendingStep) -> bool {
        let parts: &[Self] = match step {
            PendingStep::VerifySecondFactor => &[ACCOUNT_VERIFY_BEGIN, ACCOUNT_VERIFY],
            PendingStep::ChoosePassword => &[ACCOUNT_PASSWORD_CHANGE],
            PendingStep::SetUpSecondFactor => {
                &[ACCOUNT_TOTP_BEGIN, ACCOUNT_TOTP_CREATE, ACCOUNT_PASSKEY_BEGIN, ACCOUNT_PASSKEY_CREATE]
            }
        };
        *self == ACCOUNT_VIEW || parts.contains(self)
    }

    /// What is said to whoever loses a race for what the operation deletes (`docs/rules/networking.md#races`); none
    /// where trying again is all there is to say.
    pub fn lost_race(&self) -> Option<&'static str> {
        match *self {
            VPC_DELETE | VPC_SUBNET_DELETE | INTERNET_GATEWAY_DELETE | IP_POOL_DELETE => {
                Some("deletion failed due to concurrent modification")
            }
            IP_POOL_RANGE_REMOVE | IP_POOL_SERVICE_RANGE_REMOVE => {
                Some("IP range deletion failed due to concurrent modification")
            }
            _ => None,
        }
    }
}

/// Reads something.
const fn reads(on: Kind, permission: Permission) -> Operation {
    Operation { id: "", on, permission: Some(permission), success: 200, audited: false }
}

/// Changes nothing, but hands out or takes in what is worth an entry in the audit log.
const fn passes(on: Kind, permission: Permission, success: u16) -> Operation {
    changes(on, permission, success)
}

/// Changes something.
const fn changes(on: Kind, permission: Permission, success: u16) -> Operation {
    Operation { id: "", on, permission: Some(permission), success, audited: true }
}

/// The first half of setting a second factor up: nothing is changed before the second.
const fn begins() -> Operation {
    Operation { audited: false, ..changes(Kind::SecondFactor, Permission::Create, 200) }
}

/// Reads something for which no permission is needed.
const fn open_reads(on: Kind, success: u16) -> Operation {
    Operation { id: "", on, permission: None, success, audited: false }
}

/// Changes something for which no permission is needed.
const fn open_changes(on: Kind, success: u16) -> Operation {
    Operation { id: "", on, permission: None, success, audited: true }
}

/// The id of the operation that a constant declares: its name in lower case.
macro_rules! id {
    ($name:ident) => {{
        const ID: [u8; stringify!($name).len()] = {
            let mut id = [0; stringify!($name).len()];
            id.copy_from_slice(stringify!($name).as_bytes());
            id.make_ascii_lowercase();
            id
        };
        match std::str::from_utf8(&ID) {
            Ok(id) => id,
            Err(_) => panic!("an identifier is text"),
        }
    }};
}

macro_rules! operations {
    ($(#[$about:meta])* $all:ident: $($(#[$doc:meta])* $name:ident = $operation:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`, in lower case.")]
            $(#[$doc])*
            pub const $name: Operation = Operation { id: id!($name), ..$operation };
        )*

        $(#[$about])*
        pub const $all: &[Operation] = &[$($name),*];
    };
}

/// The operation with an id, of the contract or an extension.
pub fn find(id: &str) -> Option<&'static Operation> {
    ALL.iter().chain(EXTENSIONS).find(|operation| operation.id == id)
}

operations! {
    /// Every operation of the contract, in the order of their resources.
    ALL:
    LOGIN_LOCAL = open_changes(Kind::Silo, 204);
    LOGIN_SAML = open_changes(Kind::Silo, 303);
    LOGOUT = open_changes(Kind::Silo, 204);
    DEVICE_AUTH_REQUEST = open_reads(Kind::SiloUser, 200);
    DEVICE_AUTH_CONFIRM = open_changes(Kind::SiloUser, 204);
    DEVICE_ACCESS_TOKEN = open_reads(Kind::SiloUser, 200);
    CURRENT_USER_VIEW = open_reads(Kind::SiloUser, 200);
    CURRENT_USER_GROUPS = open_reads(Kind::SiloUser, 200);
    CURRENT_USER_ACCESS_TOKEN_LIST = reads(Kind::TokenList, Permission::List);
    CURRENT_USER_ACCESS_TOKEN_DELETE = changes(Kind::AccessToken, Permission::Modify, 204);
    CURRENT_USER_SSH_KEY_LIST = reads(Kind::SshKey, Permission::List);
    CURRENT_USER_SSH_KEY_CREATE = changes(Kind::SshKey, Permission::Create, 201);
    CURRENT_USER_SSH_KEY_VIEW = reads(Kind::SshKey, Permission::Read);
    CURRENT_USER_SSH_KEY_DELETE = changes(Kind::SshKey, Permission::Modify, 204);
    AUTH_SETTINGS_VIEW = reads(Kind::AuthSettings, Permission::Read);
    AUTH_SETTINGS_UPDATE = changes(Kind::AuthSettings, Permission::Modify, 200);
    USER_LIST = reads(Kind::UserList, Permission::List);
    USER_VIEW = reads(Kind::SiloUser, Permission::Read);
    USER_TOKEN_LIST = reads(Kind::TokenList, Permission::List);
    USER_SESSION_LIST = reads(Kind::SessionList, Permission::List);
    USER_LOGOUT = changes(Kind::SessionList, Permission::Modify, 204);
    GROUP_LIST = reads(Kind::UserList, Permission::List);
    GROUP_VIEW = reads(Kind::SiloGroup, Permission::Read);
    SILO_USER_LIST = reads(Kind::UserList, Permission::List);
    SILO_USER_VIEW = reads(Kind::SiloUser, Permission::Read);
    LOCAL_IDP_USER_CREATE = changes(Kind::UserList, Permission::Create, 201);
    LOCAL_IDP_USER_DELETE = changes(Kind::SiloUser, Permission::Modify, 204);
    LOCAL_IDP_USER_SET_PASSWORD = changes(Kind::SiloUser, Permission::Modify, 204);
    SYSTEM_POLICY_VIEW = reads(Kind::Fleet, Permission::Read);
    SYSTEM_POLICY_UPDATE = changes(Kind::Fleet, Permission::Modify, 200);
    POLICY_VIEW = reads(Kind::Silo, Permission::Read);
    POLICY_UPDATE = changes(Kind::Silo, Permission::Modify, 200);
    SILO_POLICY_VIEW = reads(Kind::Silo, Permission::Read);
    SILO_POLICY_UPDATE = changes(Kind::Silo, Permission::Modify, 200);
    PROJECT_POLICY_VIEW = reads(Kind::Project, Permission::Read);
    PROJECT_POLICY_UPDATE = changes(Kind::Project, Permission::Modify, 200);
    SILO_LIST = reads(Kind::Fleet, Permission::List);
    SILO_CREATE = changes(Kind::Fleet, Permission::Create, 201);
    SILO_VIEW = reads(Kind::Silo, Permission::Read);
    SILO_DELETE = changes(Kind::Silo, Permission::Modify, 204);
    SILO_QUOTAS_VIEW = reads(Kind::Quotas, Permission::Read);
    SILO_QUOTAS_UPDATE = changes(Kind::Quotas, Permission::Modify, 200);
    SYSTEM_QUOTAS_LIST = reads(Kind::Fleet, Permission::List);
    UTILIZATION_VIEW = reads(Kind::Silo, Permission::Read);
    SILO_UTILIZATION_LIST = reads(Kind::Fleet, Permission::List);
    SILO_METRIC = reads(Kind::Silo, Permission::Read);
    SYSTEM_METRIC = reads(Kind::Fleet, Permission::Read);
    SILO_UTILIZATION_VIEW = reads(Kind::Silo, Permission::Read);
    SILO_IDENTITY_PROVIDER_LIST = reads(Kind::ProviderList, Permission::List);
    SAML_IDENTITY_PROVIDER_CREATE = changes(Kind::ProviderList, Permission::Create, 201);
    SAML_IDENTITY_PROVIDER_VIEW = reads(Kind::IdentityProvider, Permission::Read);
    PROJECT_IP_POOL_LIST = reads(Kind::LinkedIpPool, Permission::Read);
    PROJECT_IP_POOL_VIEW = reads(Kind::LinkedIpPool, Permission::Read);
    SILO_IP_POOL_LIST = reads(Kind::IpPoolCollection, Permission::List);
    IP_POOL_LIST = reads(Kind::IpPoolCollection, Permission::List);
    IP_POOL_CREATE = changes(Kind::IpPoolCollection, Permission::Create, 201);
    IP_POOL_VIEW = reads(Kind::IpPool, Permission::Read);
    IP_POOL_UPDATE = changes(Kind::IpPool, Permission::Modify, 200);
    IP_POOL_DELETE = changes(Kind::IpPool, Permission::Modify, 204);
    IP_POOL_RANGE_LIST = reads(Kind::IpPool, Permission::List);
    IP_POOL_RANGE_ADD = changes(Kind::IpPool, Permission::Modify, 201);
    IP_POOL_RANGE_REMOVE = changes(Kind::IpPool, Permission::Modify, 204);
    IP_POOL_SERVICE_VIEW = reads(Kind::IpPool, Permission::Read);
    IP_POOL_SERVICE_RANGE_LIST = reads(Kind::IpPool, Permission::List);
    IP_POOL_SERVICE_RANGE_ADD = changes(Kind::IpPool, Permission::Modify, 201);
    IP_POOL_SERVICE_RANGE_REMOVE = changes(Kind::IpPool, Permission::Modify, 204);
    IP_POOL_UTILIZATION_VIEW = reads(Kind::IpPool, Permission::Read);
    IP_POOL_SILO_LIST = reads(Kind::IpPool, Permission::List);
    IP_POOL_SILO_LINK = changes(Kind::IpPool, Permission::Modify, 201);
    IP_POOL_SILO_UPDATE = changes(Kind::IpPool, Permission::Modify, 200);
    IP_POOL_SILO_UNLINK = changes(Kind::IpPool, Permission::Modify, 204);
    NETWORKING_ADDRESS_LOT_LIST = reads(Kind::SystemNetwork, Permission::List);
    NETWORKING_ADDRESS_LOT_CREATE = changes(Kind::SystemNetwork, Permission::Create, 201);
    NETWORKING_ADDRESS_LOT_DELETE = changes(Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_ADDRESS_LOT_BLOCK_LIST = reads(Kind::SystemNetwork, Permission::List);
    NETWORKING_LOOPBACK_ADDRESS_LIST = reads(Kind::SystemNetwork, Permission::List);
    NETWORKING_LOOPBACK_ADDRESS_CREATE = changes(Kind::SystemNetwork, Permission::Create, 201);
    NETWORKING_LOOPBACK_ADDRESS_DELETE = changes(Kind::SystemNetwork, Permission::Modify, 204);
    RACK_LIST = reads(Kind::Sled, Permission::List);
    RACK_VIEW = reads(Kind::Sled, Permission::Read);
    SLED_LIST = reads(Kind::Sled, Permission::List);
    SLED_LIST_UNINITIALIZED = reads(Kind::Sled, Permission::List);
    SLED_ADD = changes(Kind::Sled, Permission::Modify, 201);
    SLED_VIEW = reads(Kind::Sled, Permission::Read);
    SLED_SET_PROVISION_POLICY = changes(Kind::Sled, Permission::Modify, 200);
    SLED_INSTANCE_LIST = reads(Kind::Sled, Permission::List);
    SLED_PHYSICAL_DISK_LIST = reads(Kind::Sled, Permission::List);
    PHYSICAL_DISK_LIST = reads(Kind::Sled, Permission::List);
    PHYSICAL_DISK_VIEW = reads(Kind::Sled, Permission::Read);
    SUPPORT_BUNDLE_LIST = reads(Kind::SupportBundle, Permission::List);
    SUPPORT_BUNDLE_CREATE = changes(Kind::SupportBundle, Permission::Create, 201);
    SUPPORT_BUNDLE_VIEW = reads(Kind::SupportBundle, Permission::Read);
    SUPPORT_BUNDLE_UPDATE = changes(Kind::SupportBundle, Permission::Modify, 200);
    SUPPORT_BUNDLE_DELETE = changes(Kind::SupportBundle, Permission::Modify, 204);
    SUPPORT_BUNDLE_INDEX = reads(Kind::SupportBundle, Permission::Read);
    SUPPORT_BUNDLE_DOWNLOAD = passes(Kind::SupportBundle, Permission::Read, 200);
    SUPPORT_BUNDLE_HEAD = reads(Kind::SupportBundle, Permission::Read);
    SUPPORT_BUNDLE_DOWNLOAD_FILE = passes(Kind::SupportBundle, Permission::Read, 200);
    SUPPORT_BUNDLE_HEAD_FILE = reads(Kind::SupportBundle, Permission::Read);
    SWITCH_LIST = reads(Kind::Sled, Permission::List);
    SWITCH_VIEW = reads(Kind::Sled, Permission::Read);
    NETWORKING_SWITCH_PORT_LIST = reads(Kind::SystemNetwork, Permission::List);
    NETWORKING_SWITCH_PORT_APPLY_SETTINGS = changes(Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_SWITCH_PORT_CLEAR_SETTINGS = changes(Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_SWITCH_PORT_STATUS = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_SWITCH_PORT_LLDP_CONFIG_VIEW = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_SWITCH_PORT_LLDP_CONFIG_UPDATE = changes(Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_SWITCH_PORT_LLDP_NEIGHBORS = reads(Kind::SystemNetwork, Permission::List);
    NETWORKING_SWITCH_PORT_SETTINGS_LIST = reads(Kind::SystemNetwork, Permission::List);
    NETWORKING_SWITCH_PORT_SETTINGS_CREATE = changes(Kind::SystemNetwork, Permission::Create, 201);
    NETWORKING_SWITCH_PORT_SETTINGS_VIEW = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_SWITCH_PORT_SETTINGS_DELETE = changes(Kind::SystemNetwork, Permission::Modify, 204);
    USER_BUILTIN_LIST = reads(Kind::Fleet, Permission::List);
    USER_BUILTIN_VIEW = reads(Kind::BuiltinUser, Permission::Read);
    PROJECT_LIST = reads(Kind::Silo, Permission::List);
    PROJECT_CREATE = changes(Kind::Silo, Permission::Create, 201);
    PROJECT_VIEW = reads(Kind::Project, Permission::Read);
    PROJECT_UPDATE = changes(Kind::Project, Permission::Modify, 200);
    PROJECT_DELETE = changes(Kind::Project, Permission::Modify, 204);
    INSTANCE_LIST = reads(Kind::Project, Permission::List);
    INSTANCE_CREATE = changes(Kind::Project, Permission::Create, 201);
    INSTANCE_VIEW = reads(Kind::Instance, Permission::Read);
    INSTANCE_UPDATE = changes(Kind::Instance, Permission::Modify, 200);
    INSTANCE_DELETE = changes(Kind::Instance, Permission::Modify, 204);
    INSTANCE_START = changes(Kind::Instance, Permission::Modify, 202);
    INSTANCE_STOP = changes(Kind::Instance, Permission::Modify, 202);
    INSTANCE_REBOOT = changes(Kind::Instance, Permission::Modify, 202);
    INSTANCE_SERIAL_CONSOLE = passes(Kind::Instance, Permission::Read, 200);
    INSTANCE_SERIAL_CONSOLE_STREAM = passes(Kind::Instance, Permission::Modify, 101);
    INSTANCE_SSH_PUBLIC_KEY_LIST = reads(Kind::Instance, Permission::List);
    INSTANCE_DISK_LIST = reads(Kind::Instance, Permission::List);
    INSTANCE_DISK_ATTACH = changes(Kind::Instance, Permission::Modify, 202);
    INSTANCE_DISK_DETACH = changes(Kind::Instance, Permission::Modify, 202);
    AFFINITY_GROUP_LIST = reads(Kind::Project, Permission::List);
    AFFINITY_GROUP_CREATE = changes(Kind::Project, Permission::Create, 201);
    AFFINITY_GROUP_VIEW = reads(Kind::AffinityGroup, Permission::Read);
    AFFINITY_GROUP_UPDATE = changes(Kind::AffinityGroup, Permission::Modify, 200);
    AFFINITY_GROUP_DELETE = changes(Kind::AffinityGroup, Permission::Modify, 204);
    AFFINITY_GROUP_MEMBER_LIST = reads(Kind::AffinityGroup, Permission::List);
    AFFINITY_GROUP_MEMBER_INSTANCE_VIEW = reads(Kind::AffinityGroup, Permission::Read);
    AFFINITY_GROUP_MEMBER_INSTANCE_ADD = changes(Kind::AffinityGroup, Permission::Modify, 201);
    AFFINITY_GROUP_MEMBER_INSTANCE_DELETE = changes(Kind::AffinityGroup, Permission::Modify, 204);
    INSTANCE_AFFINITY_GROUP_LIST = reads(Kind::Instance, Permission::List);
    ANTI_AFFINITY_GROUP_LIST = reads(Kind::Project, Permission::List);
    ANTI_AFFINITY_GROUP_CREATE = changes(Kind::Project, Permission::Create, 201);
    ANTI_AFFINITY_GROUP_VIEW = reads(Kind::AffinityGroup, Permission::Read);
    ANTI_AFFINITY_GROUP_UPDATE = changes(Kind::AffinityGroup, Permission::Modify, 200);
    ANTI_AFFINITY_GROUP_DELETE = changes(Kind::AffinityGroup, Permission::Modify, 204);
    ANTI_AFFINITY_GROUP_MEMBER_LIST = reads(Kind::AffinityGroup, Permission::List);
    ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_VIEW = reads(Kind::AffinityGroup, Permission::Read);
    ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_ADD = changes(Kind::AffinityGroup, Permission::Modify, 201);
    ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_DELETE = changes(Kind::AffinityGroup, Permission::Modify, 204);
    INSTANCE_ANTI_AFFINITY_GROUP_LIST = reads(Kind::Instance, Permission::List);
    AUDIT_LOG_LIST = reads(Kind::AuditLog, Permission::List);
    CERTIFICATE_LIST = reads(Kind::CertificateList, Permission::List);
    CERTIFICATE_CREATE = changes(Kind::CertificateList, Permission::Create, 201);
    CERTIFICATE_VIEW = reads(Kind::Certificate, Permission::Read);
    CERTIFICATE_DELETE = changes(Kind::Certificate, Permission::Modify, 204);
    NETWORKING_ALLOW_LIST_VIEW = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_ALLOW_LIST_UPDATE = changes(Kind::SystemNetwork, Permission::Modify, 200);
    SYSTEM_UPDATE_TRUST_ROOT_LIST = reads(Kind::SystemUpdate, Permission::List);
    SYSTEM_UPDATE_TRUST_ROOT_CREATE = changes(Kind::SystemUpdate, Permission::Create, 201);
    SYSTEM_UPDATE_TRUST_ROOT_VIEW = reads(Kind::SystemUpdate, Permission::Read);
    SYSTEM_UPDATE_TRUST_ROOT_DELETE = changes(Kind::SystemUpdate, Permission::Modify, 204);
    SYSTEM_UPDATE_PUT_REPOSITORY = changes(Kind::SystemUpdate, Permission::Create, 200);
    SYSTEM_UPDATE_GET_REPOSITORY = reads(Kind::SystemUpdate, Permission::Read);
    TARGET_RELEASE_VIEW = reads(Kind::SystemUpdate, Permission::Read);
    TARGET_RELEASE_UPDATE = changes(Kind::SystemUpdate, Permission::Modify, 201);
    NETWORKING_INBOUND_ICMP_VIEW = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_INBOUND_ICMP_UPDATE = changes(Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_BGP_CONFIG_LIST = reads(Kind::SystemNetwork, Permission::List);
    NETWORKING_BGP_CONFIG_CREATE = changes(Kind::SystemNetwork, Permission::Create, 201);
    NETWORKING_BGP_CONFIG_DELETE = changes(Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_BGP_ANNOUNCE_SET_LIST = reads(Kind::SystemNetwork, Permission::List);
    NETWORKING_BGP_ANNOUNCE_SET_UPDATE = changes(Kind::SystemNetwork, Permission::Modify, 200);
    NETWORKING_BGP_ANNOUNCE_SET_DELETE = changes(Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_BGP_ANNOUNCEMENT_LIST = reads(Kind::SystemNetwork, Permission::List);
    NETWORKING_BGP_STATUS = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_BGP_EXPORTED = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_BGP_MESSAGE_HISTORY = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_BGP_IMPORTED_ROUTES_IPV4 = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_BFD_STATUS = reads(Kind::SystemNetwork, Permission::Read);
    NETWORKING_BFD_ENABLE = changes(Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_BFD_DISABLE = changes(Kind::SystemNetwork, Permission::Modify, 204);
    PROBE_LIST = reads(Kind::Probe, Permission::List);
    PROBE_CREATE = changes(Kind::Probe, Permission::Create, 201);
    PROBE_VIEW = reads(Kind::Probe, Permission::Read);
    PROBE_DELETE = changes(Kind::Probe, Permission::Modify, 204);
    VPC_LIST = reads(Kind::Project, Permission::List);
    VPC_CREATE = changes(Kind::Project, Permission::Create, 201);
    VPC_VIEW = reads(Kind::Vpc, Permission::Read);
    VPC_UPDATE = changes(Kind::Vpc, Permission::Modify, 200);
    VPC_DELETE = changes(Kind::Vpc, Permission::Modify, 204);
    VPC_SUBNET_LIST = reads(Kind::Vpc, Permission::List);
    VPC_SUBNET_CREATE = changes(Kind::Vpc, Permission::Create, 201);
    VPC_SUBNET_VIEW = reads(Kind::Vpc, Permission::Read);
    VPC_SUBNET_UPDATE = changes(Kind::Vpc, Permission::Modify, 200);
    VPC_SUBNET_DELETE = changes(Kind::Vpc, Permission::Modify, 204);
    VPC_SUBNET_LIST_NETWORK_INTERFACES = reads(Kind::Vpc, Permission::List);
    VPC_FIREWALL_RULES_VIEW = reads(Kind::Vpc, Permission::Read);
    VPC_FIREWALL_RULES_UPDATE = changes(Kind::Vpc, Permission::Modify, 200);
    VPC_ROUTER_LIST = reads(Kind::Vpc, Permission::List);
    VPC_ROUTER_CREATE = changes(Kind::Vpc, Permission::Create, 201);
    VPC_ROUTER_VIEW = reads(Kind::Vpc, Permission::Read);
    VPC_ROUTER_UPDATE = changes(Kind::Vpc, Permission::Modify, 200);
    VPC_ROUTER_DELETE = changes(Kind::Vpc, Permission::Modify, 204);
    VPC_ROUTER_ROUTE_LIST = reads(Kind::Vpc, Permission::List);
    VPC_ROUTER_ROUTE_CREATE = changes(Kind::Vpc, Permission::Create, 201);
    VPC_ROUTER_ROUTE_VIEW = reads(Kind::Vpc, Permission::Read);
    VPC_ROUTER_ROUTE_UPDATE = changes(Kind::Vpc, Permission::Modify, 200);
    VPC_ROUTER_ROUTE_DELETE = changes(Kind::Vpc, Permission::Modify, 204);
    INTERNET_GATEWAY_LIST = reads(Kind::Vpc, Permission::List);
    INTERNET_GATEWAY_CREATE = changes(Kind::Vpc, Permission::Create, 201);
    INTERNET_GATEWAY_VIEW = reads(Kind::Vpc, Permission::Read);
    INTERNET_GATEWAY_DELETE = changes(Kind::Vpc, Permission::Modify, 204);
    INTERNET_GATEWAY_IP_POOL_LIST = reads(Kind::Vpc, Permission::List);
    INTERNET_GATEWAY_IP_POOL_CREATE = changes(Kind::Vpc, Permission::Create, 201);
    INTERNET_GATEWAY_IP_POOL_DELETE = changes(Kind::Vpc, Permission::Modify, 204);
    INTERNET_GATEWAY_IP_ADDRESS_LIST = reads(Kind::Vpc, Permission::List);
    INTERNET_GATEWAY_IP_ADDRESS_CREATE = changes(Kind::Vpc, Permission::Create, 201);
    INTERNET_GATEWAY_IP_ADDRESS_DELETE = changes(Kind::Vpc, Permission::Modify, 204);
    INSTANCE_NETWORK_INTERFACE_LIST = reads(Kind::Instance, Permission::List);
    INSTANCE_NETWORK_INTERFACE_CREATE = changes(Kind::Instance, Permission::Create, 201);
    INSTANCE_NETWORK_INTERFACE_VIEW = reads(Kind::Instance, Permission::Read);
    INSTANCE_NETWORK_INTERFACE_UPDATE = changes(Kind::Instance, Permission::Modify, 200);
    INSTANCE_NETWORK_INTERFACE_DELETE = changes(Kind::Instance, Permission::Modify, 204);
    INSTANCE_EXTERNAL_IP_LIST = reads(Kind::Instance, Permission::List);
    INSTANCE_EPHEMERAL_IP_ATTACH = changes(Kind::Instance, Permission::Modify, 202);
    INSTANCE_EPHEMERAL_IP_DETACH = changes(Kind::Instance, Permission::Modify, 204);
    FLOATING_IP_LIST = reads(Kind::Project, Permission::List);
    FLOATING_IP_CREATE = changes(Kind::Project, Permission::Create, 201);
    FLOATING_IP_VIEW = reads(Kind::FloatingIp, Permission::Read);
    FLOATING_IP_UPDATE = changes(Kind::FloatingIp, Permission::Modify, 200);
    FLOATING_IP_DELETE = changes(Kind::FloatingIp, Permission::Modify, 204);
    FLOATING_IP_ATTACH = changes(Kind::FloatingIp, Permission::Modify, 202);
    FLOATING_IP_DETACH = changes(Kind::FloatingIp, Permission::Modify, 202);
    DISK_LIST = reads(Kind::Project, Permission::List);
    DISK_CREATE = changes(Kind::Project, Permission::Create, 201);
    DISK_VIEW = reads(Kind::Disk, Permission::Read);
    DISK_DELETE = changes(Kind::Disk, Permission::Modify, 204);
    DISK_BULK_WRITE_IMPORT_START = changes(Kind::Disk, Permission::Modify, 204);
    // Not in the audit log: its start and its stop are, and each write would cost a commit.
    DISK_BULK_WRITE_IMPORT = Operation { audited: false, ..changes(Kind::Disk, Permission::Modify, 204) };
    DISK_BULK_WRITE_IMPORT_STOP = changes(Kind::Disk, Permission::Modify, 204);
    DISK_FINALIZE_IMPORT = changes(Kind::Disk, Permission::Modify, 204);
    SNAPSHOT_LIST = reads(Kind::Project, Permission::List);
    SNAPSHOT_CREATE = changes(Kind::Project, Permission::Create, 201);
    SNAPSHOT_VIEW = reads(Kind::Snapshot, Permission::Read);
    SNAPSHOT_DELETE = changes(Kind::Snapshot, Permission::Modify, 204);
    IMAGE_LIST = reads(Kind::Silo, Permission::List);
    IMAGE_CREATE = changes(Kind::Silo, Permission::Create, 201);
    IMAGE_VIEW = reads(Kind::Image, Permission::Read);
    IMAGE_DELETE = changes(Kind::Image, Permission::Modify, 204);
    IMAGE_PROMOTE = changes(Kind::Image, Permission::Modify, 202);
    IMAGE_DEMOTE = changes(Kind::SiloImage, Permission::Modify, 202);
    TIMESERIES_QUERY = reads(Kind::Project, Permission::Read);
    SYSTEM_TIMESERIES_QUERY = reads(Kind::Fleet, Permission::Read);
    SYSTEM_TIMESERIES_SCHEMA_LIST = reads(Kind::Fleet, Permission::List);
    ALERT_CLASS_LIST = reads(Kind::AlertClassList, Permission::List);
    ALERT_RECEIVER_LIST = reads(Kind::AlertReceiver, Permission::List);
    ALERT_RECEIVER_VIEW = reads(Kind::AlertReceiver, Permission::Read);
    ALERT_RECEIVER_DELETE = changes(Kind::AlertReceiver, Permission::Modify, 204);
    ALERT_RECEIVER_SUBSCRIPTION_ADD = changes(Kind::AlertReceiver, Permission::Modify, 201);
    ALERT_RECEIVER_SUBSCRIPTION_REMOVE = changes(Kind::AlertReceiver, Permission::Modify, 204);
    WEBHOOK_RECEIVER_CREATE = changes(Kind::Fleet, Permission::Create, 201);
    WEBHOOK_RECEIVER_UPDATE = changes(Kind::AlertReceiver, Permission::Modify, 204);
    WEBHOOK_SECRETS_LIST = reads(Kind::AlertReceiver, Permission::List);
    WEBHOOK_SECRETS_ADD = changes(Kind::AlertReceiver, Permission::Create, 201);
    WEBHOOK_SECRETS_DELETE = changes(Kind::WebhookSecret, Permission::Modify, 204);
    ALERT_DELIVERY_LIST = reads(Kind::AlertReceiver, Permission::List);
    ALERT_DELIVERY_RESEND = changes(Kind::Alert, Permission::Modify, 201);
    ALERT_RECEIVER_PROBE = changes(Kind::AlertReceiver, Permission::Read, 200);
}

operations! {
    /// The operations beside the contract, which `openapi-croft.json` describes.
    EXTENSIONS:
    LOGIN_OPTIONS = open_reads(Kind::Silo, 200);
    CURRENT_USER_PROJECT_LIST = open_reads(Kind::SiloUser, 200);
    CURRENT_USER_PERMISSIONS_VIEW = open_reads(Kind::SiloUser, 200);
    EVENTS = open_reads(Kind::SiloUser, 200);
    VPC_TRACE = reads(Kind::Vpc, Permission::Read);
    SAML_IDENTITY_PROVIDER_SETTINGS_VIEW = reads(Kind::IdentityProvider, Permission::Read);
    SAML_IDENTITY_PROVIDER_UPDATE = changes(Kind::IdentityProvider, Permission::Modify, 200);
    SAML_IDENTITY_PROVIDER_DELETE = changes(Kind::IdentityProvider, Permission::Modify, 204);
    ACCOUNT_VIEW = open_reads(Kind::SiloUser, 200);
    ACCOUNT_PASSWORD_CHANGE = open_changes(Kind::SiloUser, 204);
    ACCOUNT_SESSION_LIST = reads(Kind::SessionList, Permission::List);
    ACCOUNT_SESSION_DELETE = changes(Kind::SessionList, Permission::Modify, 204);
    ACCOUNT_SESSIONS_END_OTHERS = changes(Kind::SessionList, Permission::Modify, 204);
    ACCOUNT_TOKEN_LIST = reads(Kind::TokenList, Permission::List);
    ACCOUNT_TOKEN_UPDATE = changes(Kind::AccessToken, Permission::Modify, 200);
    ACCOUNT_SECOND_FACTOR_LIST = reads(Kind::SecondFactor, Permission::List);
    ACCOUNT_TOTP_BEGIN = begins();
    ACCOUNT_TOTP_CREATE = changes(Kind::SecondFactor, Permission::Create, 201);
    ACCOUNT_PASSKEY_BEGIN = begins();
    ACCOUNT_PASSKEY_CREATE = changes(Kind::SecondFactor, Permission::Create, 201);
    ACCOUNT_SECOND_FACTOR_UPDATE = changes(Kind::SecondFactor, Permission::Modify, 200);
    ACCOUNT_SECOND_FACTOR_DELETE = changes(Kind::SecondFactor, Permission::Modify, 204);
    ACCOUNT_RECOVERY_CODES_VIEW = reads(Kind::SecondFactor, Permission::Read);
    ACCOUNT_RECOVERY_CODES_CREATE = changes(Kind::SecondFactor, Permission::Create, 201);
    ACCOUNT_VERIFY_BEGIN = open_reads(Kind::SiloUser, 200);
    ACCOUNT_VERIFY = open_changes(Kind::SiloUser, 204);
    SIGN_IN_SETTINGS_VIEW = reads(Kind::AuthSettings, Permission::Read);
    SIGN_IN_SETTINGS_UPDATE = changes(Kind::AuthSettings, Permission::Modify, 200);
    LOCAL_IDP_USER_RESET_SECOND_FACTOR = changes(Kind::SiloUser, Permission::Modify, 204);
    LOCAL_IDP_USER_REQUIRE_PASSWORD_CHANGE = changes(Kind::SiloUser, Permission::Modify, 204);
    ALERT_DELIVERY_ATTEMPTS_VIEW = reads(Kind::AlertReceiver, Permission::List);
    INSTANCE_ACTIVITY_LIST = reads(Kind::Instance, Permission::Read);
    PROJECT_SILO_IMAGE_LIST = reads(Kind::Project, Permission::Read);
}

operations! {
    /// What nobody asks for by a request, but is in the audit log like the others.
    INTERNAL:
    /// The end of a stream of a serial console, whose begin has the operation's own entry.
    INSTANCE_SERIAL_CONSOLE_STREAM_END = passes(Kind::Instance, Permission::Modify, 200);
    /// A support bundle that is old enough to go: nobody's request, but in the audit log like the others.
    SUPPORT_BUNDLE_EXPIRE = changes(Kind::SupportBundle, Permission::Modify, 204);
    /// A new password by `croft admin reset-password`: not of the contract, but in the audit log like the others.
    ADMIN_RESET_PASSWORD = changes(Kind::SiloUser, Permission::Modify, 204);
    /// Second factors removed by `croft admin reset-second-factor`.
    ADMIN_RESET_SECOND_FACTOR = changes(Kind::SiloUser, Permission::Modify, 204);
    /// A new token by `croft admin token`.
    ADMIN_TOKEN_CREATE = changes(Kind::AccessToken, Permission::Create, 201);
    /// A sled taken out of the fleet by `croft admin`.
    ADMIN_SLED_EXPUNGE = changes(Kind::Sled, Permission::Modify, 204);
    /// Anybody let in again by `croft admin`.
    ADMIN_ALLOW_ANY_SOURCE = changes(Kind::SystemNetwork, Permission::Modify, 200);
}
