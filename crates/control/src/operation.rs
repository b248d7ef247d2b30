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

const fn reads(id: &'static str, on: Kind, permission: Permission) -> Operation {
    Operation { id, on, permission: Some(permission), success: 200, audited: false }
}

/// Changes nothing, but hands out or takes in what is worth an entry in the audit log.
const fn passes(id: &'static str, on: Kind, permission: Permission, success: u16) -> Operation {
    Operation { id, on, permission: Some(permission), success, audited: true }
}

const fn changes(id: &'static str, on: Kind, permission: Permission, success: u16) -> Operation {
    Operation { id, on, permission: Some(permission), success, audited: true }
}

/// The first half of setting a second factor up: nothing is changed before the second.
const fn begins(id: &'static str) -> Operation {
    Operation {
        id,
        on: Kind::SecondFactor,
        permission: Some(Permission::Create),
        success: 200,
        audited: false,
    }
}

macro_rules! operations {
    ($(#[$about:meta])* $all:ident: $($name:ident = $operation:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`, in lower case.")]
            pub const $name: Operation = $operation;
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
    LOGIN_LOCAL = Operation { id: "login_local", on: Kind::Silo, permission: None, success: 204, audited: true };
    LOGIN_SAML = Operation { id: "login_saml", on: Kind::Silo, permission: None, success: 303, audited: true };
    LOGOUT = Operation { id: "logout", on: Kind::Silo, permission: None, success: 204, audited: true };
    DEVICE_AUTH_REQUEST =
        Operation { id: "device_auth_request", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    DEVICE_AUTH_CONFIRM =
        Operation { id: "device_auth_confirm", on: Kind::SiloUser, permission: None, success: 204, audited: true };
    DEVICE_ACCESS_TOKEN =
        Operation { id: "device_access_token", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    CURRENT_USER_VIEW =
        Operation { id: "current_user_view", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    CURRENT_USER_GROUPS =
        Operation { id: "current_user_groups", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    CURRENT_USER_ACCESS_TOKEN_LIST = reads("current_user_access_token_list", Kind::TokenList, Permission::List);
    CURRENT_USER_ACCESS_TOKEN_DELETE =
        changes("current_user_access_token_delete", Kind::AccessToken, Permission::Modify, 204);
    CURRENT_USER_SSH_KEY_LIST = reads("current_user_ssh_key_list", Kind::SshKey, Permission::List);
    CURRENT_USER_SSH_KEY_CREATE = changes("current_user_ssh_key_create", Kind::SshKey, Permission::Create, 201);
    CURRENT_USER_SSH_KEY_VIEW = reads("current_user_ssh_key_view", Kind::SshKey, Permission::Read);
    CURRENT_USER_SSH_KEY_DELETE = changes("current_user_ssh_key_delete", Kind::SshKey, Permission::Modify, 204);
    AUTH_SETTINGS_VIEW = reads("auth_settings_view", Kind::AuthSettings, Permission::Read);
    AUTH_SETTINGS_UPDATE = changes("auth_settings_update", Kind::AuthSettings, Permission::Modify, 200);
    USER_LIST = reads("user_list", Kind::UserList, Permission::List);
    USER_VIEW = reads("user_view", Kind::SiloUser, Permission::Read);
    USER_TOKEN_LIST = reads("user_token_list", Kind::TokenList, Permission::List);
    USER_SESSION_LIST = reads("user_session_list", Kind::SessionList, Permission::List);
    USER_LOGOUT = changes("user_logout", Kind::SessionList, Permission::Modify, 204);
    GROUP_LIST = reads("group_list", Kind::UserList, Permission::List);
    GROUP_VIEW = reads("group_view", Kind::SiloGroup, Permission::Read);
    SILO_USER_LIST = reads("silo_user_list", Kind::UserList, Permission::List);
    SILO_USER_VIEW = reads("silo_user_view", Kind::SiloUser, Permission::Read);
    LOCAL_IDP_USER_CREATE = changes("local_idp_user_create", Kind::UserList, Permission::Create, 201);
    LOCAL_IDP_USER_DELETE = changes("local_idp_user_delete", Kind::SiloUser, Permission::Modify, 204);
    LOCAL_IDP_USER_SET_PASSWORD = changes("local_idp_user_set_password", Kind::SiloUser, Permission::Modify, 204);
    SYSTEM_POLICY_VIEW = reads("system_policy_view", Kind::Fleet, Permission::Read);
    SYSTEM_POLICY_UPDATE = changes("system_policy_update", Kind::Fleet, Permission::Modify, 200);
    POLICY_VIEW = reads("policy_view", Kind::Silo, Permission::Read);
    POLICY_UPDATE = changes("policy_update", Kind::Silo, Permission::Modify, 200);
    SILO_POLICY_VIEW = reads("silo_policy_view", Kind::Silo, Permission::Read);
    SILO_POLICY_UPDATE = changes("silo_policy_update", Kind::Silo, Permission::Modify, 200);
    PROJECT_POLICY_VIEW = reads("project_policy_view", Kind::Project, Permission::Read);
    PROJECT_POLICY_UPDATE = changes("project_policy_update", Kind::Project, Permission::Modify, 200);
    SILO_LIST = reads("silo_list", Kind::Fleet, Permission::List);
    SILO_CREATE = changes("silo_create", Kind::Fleet, Permission::Create, 201);
    SILO_VIEW = reads("silo_view", Kind::Silo, Permission::Read);
    SILO_DELETE = changes("silo_delete", Kind::Silo, Permission::Modify, 204);
    SILO_QUOTAS_VIEW = reads("silo_quotas_view", Kind::Quotas, Permission::Read);
    SILO_QUOTAS_UPDATE = changes("silo_quotas_update", Kind::Quotas, Permission::Modify, 200);
    SYSTEM_QUOTAS_LIST = reads("system_quotas_list", Kind::Fleet, Permission::List);
    UTILIZATION_VIEW = reads("utilization_view", Kind::Silo, Permission::Read);
    SILO_UTILIZATION_LIST = reads("silo_utilization_list", Kind::Fleet, Permission::List);
    SILO_METRIC = reads("silo_metric", Kind::Silo, Permission::Read);
    SYSTEM_METRIC = reads("system_metric", Kind::Fleet, Permission::Read);
    SILO_UTILIZATION_VIEW = reads("silo_utilization_view", Kind::Silo, Permission::Read);
    SILO_IDENTITY_PROVIDER_LIST = reads("silo_identity_provider_list", Kind::ProviderList, Permission::List);
    SAML_IDENTITY_PROVIDER_CREATE =
        changes("saml_identity_provider_create", Kind::ProviderList, Permission::Create, 201);
    SAML_IDENTITY_PROVIDER_VIEW = reads("saml_identity_provider_view", Kind::IdentityProvider, Permission::Read);
    PROJECT_IP_POOL_LIST = reads("project_ip_pool_list", Kind::LinkedIpPool, Permission::Read);
    PROJECT_IP_POOL_VIEW = reads("project_ip_pool_view", Kind::LinkedIpPool, Permission::Read);
    SILO_IP_POOL_LIST = reads("silo_ip_pool_list", Kind::IpPoolCollection, Permission::List);
    IP_POOL_LIST = reads("ip_pool_list", Kind::IpPoolCollection, Permission::List);
    IP_POOL_CREATE = changes("ip_pool_create", Kind::IpPoolCollection, Permission::Create, 201);
    IP_POOL_VIEW = reads("ip_pool_view", Kind::IpPool, Permission::Read);
    IP_POOL_UPDATE = changes("ip_pool_update", Kind::IpPool, Permission::Modify, 200);
    IP_POOL_DELETE = changes("ip_pool_delete", Kind::IpPool, Permission::Modify, 204);
    IP_POOL_RANGE_LIST = reads("ip_pool_range_list", Kind::IpPool, Permission::List);
    IP_POOL_RANGE_ADD = changes("ip_pool_range_add", Kind::IpPool, Permission::Modify, 201);
    IP_POOL_RANGE_REMOVE = changes("ip_pool_range_remove", Kind::IpPool, Permission::Modify, 204);
    IP_POOL_SERVICE_VIEW = reads("ip_pool_service_view", Kind::IpPool, Permission::Read);
    IP_POOL_SERVICE_RANGE_LIST = reads("ip_pool_service_range_list", Kind::IpPool, Permission::List);
    IP_POOL_SERVICE_RANGE_ADD = changes("ip_pool_service_range_add", Kind::IpPool, Permission::Modify, 201);
    IP_POOL_SERVICE_RANGE_REMOVE = changes("ip_pool_service_range_remove", Kind::IpPool, Permission::Modify, 204);
    IP_POOL_UTILIZATION_VIEW = reads("ip_pool_utilization_view", Kind::IpPool, Permission::Read);
    IP_POOL_SILO_LIST = reads("ip_pool_silo_list", Kind::IpPool, Permission::List);
    IP_POOL_SILO_LINK = changes("ip_pool_silo_link", Kind::IpPool, Permission::Modify, 201);
    IP_POOL_SILO_UPDATE = changes("ip_pool_silo_update", Kind::IpPool, Permission::Modify, 200);
    IP_POOL_SILO_UNLINK = changes("ip_pool_silo_unlink", Kind::IpPool, Permission::Modify, 204);
    NETWORKING_ADDRESS_LOT_LIST = reads("networking_address_lot_list", Kind::SystemNetwork, Permission::List);
    NETWORKING_ADDRESS_LOT_CREATE =
        changes("networking_address_lot_create", Kind::SystemNetwork, Permission::Create, 201);
    NETWORKING_ADDRESS_LOT_DELETE =
        changes("networking_address_lot_delete", Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_ADDRESS_LOT_BLOCK_LIST =
        reads("networking_address_lot_block_list", Kind::SystemNetwork, Permission::List);
    NETWORKING_LOOPBACK_ADDRESS_LIST =
        reads("networking_loopback_address_list", Kind::SystemNetwork, Permission::List);
    NETWORKING_LOOPBACK_ADDRESS_CREATE =
        changes("networking_loopback_address_create", Kind::SystemNetwork, Permission::Create, 201);
    NETWORKING_LOOPBACK_ADDRESS_DELETE =
        changes("networking_loopback_address_delete", Kind::SystemNetwork, Permission::Modify, 204);
    RACK_LIST = reads("rack_list", Kind::Sled, Permission::List);
    RACK_VIEW = reads("rack_view", Kind::Sled, Permission::Read);
    SLED_LIST = reads("sled_list", Kind::Sled, Permission::List);
    SLED_LIST_UNINITIALIZED = reads("sled_list_uninitialized", Kind::Sled, Permission::List);
    SLED_ADD = changes("sled_add", Kind::Sled, Permission::Modify, 201);
    SLED_VIEW = reads("sled_view", Kind::Sled, Permission::Read);
    SLED_SET_PROVISION_POLICY = changes("sled_set_provision_policy", Kind::Sled, Permission::Modify, 200);
    SLED_INSTANCE_LIST = reads("sled_instance_list", Kind::Sled, Permission::List);
    SLED_PHYSICAL_DISK_LIST = reads("sled_physical_disk_list", Kind::Sled, Permission::List);
    PHYSICAL_DISK_LIST = reads("physical_disk_list", Kind::Sled, Permission::List);
    PHYSICAL_DISK_VIEW = reads("physical_disk_view", Kind::Sled, Permission::Read);
    SUPPORT_BUNDLE_LIST = reads("support_bundle_list", Kind::SupportBundle, Permission::List);
    SUPPORT_BUNDLE_CREATE = changes("support_bundle_create", Kind::SupportBundle, Permission::Create, 201);
    SUPPORT_BUNDLE_VIEW = reads("support_bundle_view", Kind::SupportBundle, Permission::Read);
    SUPPORT_BUNDLE_UPDATE = changes("support_bundle_update", Kind::SupportBundle, Permission::Modify, 200);
    SUPPORT_BUNDLE_DELETE = changes("support_bundle_delete", Kind::SupportBundle, Permission::Modify, 204);
    SUPPORT_BUNDLE_INDEX = reads("support_bundle_index", Kind::SupportBundle, Permission::Read);
    SUPPORT_BUNDLE_DOWNLOAD = passes("support_bundle_download", Kind::SupportBundle, Permission::Read, 200);
    SUPPORT_BUNDLE_HEAD = reads("support_bundle_head", Kind::SupportBundle, Permission::Read);
    SUPPORT_BUNDLE_DOWNLOAD_FILE =
        passes("support_bundle_download_file", Kind::SupportBundle, Permission::Read, 200);
    SUPPORT_BUNDLE_HEAD_FILE = reads("support_bundle_head_file", Kind::SupportBundle, Permission::Read);
    SWITCH_LIST = reads("switch_list", Kind::Sled, Permission::List);
    SWITCH_VIEW = reads("switch_view", Kind::Sled, Permission::Read);
    NETWORKING_SWITCH_PORT_LIST =
        reads("networking_switch_port_list", Kind::SystemNetwork, Permission::List);
    NETWORKING_SWITCH_PORT_APPLY_SETTINGS =
        changes("networking_switch_port_apply_settings", Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_SWITCH_PORT_CLEAR_SETTINGS =
        changes("networking_switch_port_clear_settings", Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_SWITCH_PORT_STATUS =
        reads("networking_switch_port_status", Kind::SystemNetwork, Permission::Read);
    NETWORKING_SWITCH_PORT_LLDP_CONFIG_VIEW =
        reads("networking_switch_port_lldp_config_view", Kind::SystemNetwork, Permission::Read);
    NETWORKING_SWITCH_PORT_LLDP_CONFIG_UPDATE =
        changes("networking_switch_port_lldp_config_update", Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_SWITCH_PORT_LLDP_NEIGHBORS =
        reads("networking_switch_port_lldp_neighbors", Kind::SystemNetwork, Permission::List);
    NETWORKING_SWITCH_PORT_SETTINGS_LIST =
        reads("networking_switch_port_settings_list", Kind::SystemNetwork, Permission::List);
    NETWORKING_SWITCH_PORT_SETTINGS_CREATE =
        changes("networking_switch_port_settings_create", Kind::SystemNetwork, Permission::Create, 201);
    NETWORKING_SWITCH_PORT_SETTINGS_VIEW =
        reads("networking_switch_port_settings_view", Kind::SystemNetwork, Permission::Read);
    NETWORKING_SWITCH_PORT_SETTINGS_DELETE =
        changes("networking_switch_port_settings_delete", Kind::SystemNetwork, Permission::Modify, 204);
    USER_BUILTIN_LIST = reads("user_builtin_list", Kind::Fleet, Permission::List);
    USER_BUILTIN_VIEW = reads("user_builtin_view", Kind::BuiltinUser, Permission::Read);
    PROJECT_LIST = reads("project_list", Kind::Silo, Permission::List);
    PROJECT_CREATE = changes("project_create", Kind::Silo, Permission::Create, 201);
    PROJECT_VIEW = reads("project_view", Kind::Project, Permission::Read);
    PROJECT_UPDATE = changes("project_update", Kind::Project, Permission::Modify, 200);
    PROJECT_DELETE = changes("project_delete", Kind::Project, Permission::Modify, 204);
    INSTANCE_LIST = reads("instance_list", Kind::Project, Permission::List);
    INSTANCE_CREATE = changes("instance_create", Kind::Project, Permission::Create, 201);
    INSTANCE_VIEW = reads("instance_view", Kind::Instance, Permission::Read);
    INSTANCE_UPDATE = changes("instance_update", Kind::Instance, Permission::Modify, 200);
    INSTANCE_DELETE = changes("instance_delete", Kind::Instance, Permission::Modify, 204);
    INSTANCE_START = changes("instance_start", Kind::Instance, Permission::Modify, 202);
    INSTANCE_STOP = changes("instance_stop", Kind::Instance, Permission::Modify, 202);
    INSTANCE_REBOOT = changes("instance_reboot", Kind::Instance, Permission::Modify, 202);
    INSTANCE_SERIAL_CONSOLE = passes("instance_serial_console", Kind::Instance, Permission::Read, 200);
    INSTANCE_SERIAL_CONSOLE_STREAM =
        passes("instance_serial_console_stream", Kind::Instance, Permission::Modify, 101);
    INSTANCE_SSH_PUBLIC_KEY_LIST = reads("instance_ssh_public_key_list", Kind::Instance, Permission::List);
    INSTANCE_DISK_LIST = reads("instance_disk_list", Kind::Instance, Permission::List);
    INSTANCE_DISK_ATTACH = changes("instance_disk_attach", Kind::Instance, Permission::Modify, 202);
    INSTANCE_DISK_DETACH = changes("instance_disk_detach", Kind::Instance, Permission::Modify, 202);
    AFFINITY_GROUP_LIST = reads("affinity_group_list", Kind::Project, Permission::List);
    AFFINITY_GROUP_CREATE = changes("affinity_group_create", Kind::Project, Permission::Create, 201);
    AFFINITY_GROUP_VIEW = reads("affinity_group_view", Kind::AffinityGroup, Permission::Read);
    AFFINITY_GROUP_UPDATE = changes("affinity_group_update", Kind::AffinityGroup, Permission::Modify, 200);
    AFFINITY_GROUP_DELETE = changes("affinity_group_delete", Kind::AffinityGroup, Permission::Modify, 204);
    AFFINITY_GROUP_MEMBER_LIST = reads("affinity_group_member_list", Kind::AffinityGroup, Permission::List);
    AFFINITY_GROUP_MEMBER_INSTANCE_VIEW = reads("affinity_group_member_instance_view", Kind::AffinityGroup, Permission::Read);
    AFFINITY_GROUP_MEMBER_INSTANCE_ADD = changes("affinity_group_member_instance_add", Kind::AffinityGroup, Permission::Modify, 201);
    AFFINITY_GROUP_MEMBER_INSTANCE_DELETE = changes("affinity_group_member_instance_delete", Kind::AffinityGroup, Permission::Modify, 204);
    INSTANCE_AFFINITY_GROUP_LIST = reads("instance_affinity_group_list", Kind::Instance, Permission::List);
    ANTI_AFFINITY_GROUP_LIST = reads("anti_affinity_group_list", Kind::Project, Permission::List);
    ANTI_AFFINITY_GROUP_CREATE = changes("anti_affinity_group_create", Kind::Project, Permission::Create, 201);
    ANTI_AFFINITY_GROUP_VIEW = reads("anti_affinity_group_view", Kind::AffinityGroup, Permission::Read);
    ANTI_AFFINITY_GROUP_UPDATE = changes("anti_affinity_group_update", Kind::AffinityGroup, Permission::Modify, 200);
    ANTI_AFFINITY_GROUP_DELETE = changes("anti_affinity_group_delete", Kind::AffinityGroup, Permission::Modify, 204);
    ANTI_AFFINITY_GROUP_MEMBER_LIST = reads("anti_affinity_group_member_list", Kind::AffinityGroup, Permission::List);
    ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_VIEW = reads("anti_affinity_group_member_instance_view", Kind::AffinityGroup, Permission::Read);
    ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_ADD = changes("anti_affinity_group_member_instance_add", Kind::AffinityGroup, Permission::Modify, 201);
    ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_DELETE = changes("anti_affinity_group_member_instance_delete", Kind::AffinityGroup, Permission::Modify, 204);
    INSTANCE_ANTI_AFFINITY_GROUP_LIST = reads("instance_anti_affinity_group_list", Kind::Instance, Permission::List);
    AUDIT_LOG_LIST = reads("audit_log_list", Kind::AuditLog, Permission::List);
    CERTIFICATE_LIST = reads("certificate_list", Kind::CertificateList, Permission::List);
    CERTIFICATE_CREATE = changes("certificate_create", Kind::CertificateList, Permission::Create, 201);
    CERTIFICATE_VIEW = reads("certificate_view", Kind::Certificate, Permission::Read);
    CERTIFICATE_DELETE = changes("certificate_delete", Kind::Certificate, Permission::Modify, 204);
    NETWORKING_ALLOW_LIST_VIEW = reads("networking_allow_list_view", Kind::SystemNetwork, Permission::Read);
    NETWORKING_ALLOW_LIST_UPDATE =
        changes("networking_allow_list_update", Kind::SystemNetwork, Permission::Modify, 200);
    SYSTEM_UPDATE_TRUST_ROOT_LIST =
        reads("system_update_trust_root_list", Kind::SystemUpdate, Permission::List);
    SYSTEM_UPDATE_TRUST_ROOT_CREATE =
        changes("system_update_trust_root_create", Kind::SystemUpdate, Permission::Create, 201);
    SYSTEM_UPDATE_TRUST_ROOT_VIEW =
        reads("system_update_trust_root_view", Kind::SystemUpdate, Permission::Read);
    SYSTEM_UPDATE_TRUST_ROOT_DELETE =
        changes("system_update_trust_root_delete", Kind::SystemUpdate, Permission::Modify, 204);
    SYSTEM_UPDATE_PUT_REPOSITORY =
        changes("system_update_put_repository", Kind::SystemUpdate, Permission::Create, 200);
    SYSTEM_UPDATE_GET_REPOSITORY =
        reads("system_update_get_repository", Kind::SystemUpdate, Permission::Read);
    TARGET_RELEASE_VIEW = reads("target_release_view", Kind::SystemUpdate, Permission::Read);
    TARGET_RELEASE_UPDATE = changes("target_release_update", Kind::SystemUpdate, Permission::Modify, 201);
    NETWORKING_INBOUND_ICMP_VIEW = reads("networking_inbound_icmp_view", Kind::SystemNetwork, Permission::Read);
    NETWORKING_INBOUND_ICMP_UPDATE =
        changes("networking_inbound_icmp_update", Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_BGP_CONFIG_LIST = reads("networking_bgp_config_list", Kind::SystemNetwork, Permission::List);
    NETWORKING_BGP_CONFIG_CREATE =
        changes("networking_bgp_config_create", Kind::SystemNetwork, Permission::Create, 201);
    NETWORKING_BGP_CONFIG_DELETE =
        changes("networking_bgp_config_delete", Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_BGP_ANNOUNCE_SET_LIST =
        reads("networking_bgp_announce_set_list", Kind::SystemNetwork, Permission::List);
    NETWORKING_BGP_ANNOUNCE_SET_UPDATE =
        changes("networking_bgp_announce_set_update", Kind::SystemNetwork, Permission::Modify, 200);
    NETWORKING_BGP_ANNOUNCE_SET_DELETE =
        changes("networking_bgp_announce_set_delete", Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_BGP_ANNOUNCEMENT_LIST =
        reads("networking_bgp_announcement_list", Kind::SystemNetwork, Permission::List);
    NETWORKING_BGP_STATUS = reads("networking_bgp_status", Kind::SystemNetwork, Permission::Read);
    NETWORKING_BGP_EXPORTED = reads("networking_bgp_exported", Kind::SystemNetwork, Permission::Read);
    NETWORKING_BGP_MESSAGE_HISTORY =
        reads("networking_bgp_message_history", Kind::SystemNetwork, Permission::Read);
    NETWORKING_BGP_IMPORTED_ROUTES_IPV4 =
        reads("networking_bgp_imported_routes_ipv4", Kind::SystemNetwork, Permission::Read);
    NETWORKING_BFD_STATUS = reads("networking_bfd_status", Kind::SystemNetwork, Permission::Read);
    NETWORKING_BFD_ENABLE = changes("networking_bfd_enable", Kind::SystemNetwork, Permission::Modify, 204);
    NETWORKING_BFD_DISABLE = changes("networking_bfd_disable", Kind::SystemNetwork, Permission::Modify, 204);
    PROBE_LIST = reads("probe_list", Kind::Probe, Permission::List);
    PROBE_CREATE = changes("probe_create", Kind::Probe, Permission::Create, 201);
    PROBE_VIEW = reads("probe_view", Kind::Probe, Permission::Read);
    PROBE_DELETE = changes("probe_delete", Kind::Probe, Permission::Modify, 204);
    VPC_LIST = reads("vpc_list", Kind::Project, Permission::List);
    VPC_CREATE = changes("vpc_create", Kind::Project, Permission::Create, 201);
    VPC_VIEW = reads("vpc_view", Kind::Vpc, Permission::Read);
    VPC_UPDATE = changes("vpc_update", Kind::Vpc, Permission::Modify, 200);
    VPC_DELETE = changes("vpc_delete", Kind::Vpc, Permission::Modify, 204);
    VPC_SUBNET_LIST = reads("vpc_subnet_list", Kind::Vpc, Permission::List);
    VPC_SUBNET_CREATE = changes("vpc_subnet_create", Kind::Vpc, Permission::Create, 201);
    VPC_SUBNET_VIEW = reads("vpc_subnet_view", Kind::Vpc, Permission::Read);
    VPC_SUBNET_UPDATE = changes("vpc_subnet_update", Kind::Vpc, Permission::Modify, 200);
    VPC_SUBNET_DELETE = changes("vpc_subnet_delete", Kind::Vpc, Permission::Modify, 204);
    VPC_SUBNET_LIST_NETWORK_INTERFACES =
        reads("vpc_subnet_list_network_interfaces", Kind::Vpc, Permission::List);
    VPC_FIREWALL_RULES_VIEW = reads("vpc_firewall_rules_view", Kind::Vpc, Permission::Read);
    VPC_FIREWALL_RULES_UPDATE = changes("vpc_firewall_rules_update", Kind::Vpc, Permission::Modify, 200);
    VPC_ROUTER_LIST = reads("vpc_router_list", Kind::Vpc, Permission::List);
    VPC_ROUTER_CREATE = changes("vpc_router_create", Kind::Vpc, Permission::Create, 201);
    VPC_ROUTER_VIEW = reads("vpc_router_view", Kind::Vpc, Permission::Read);
    VPC_ROUTER_UPDATE = changes("vpc_router_update", Kind::Vpc, Permission::Modify, 200);
    VPC_ROUTER_DELETE = changes("vpc_router_delete", Kind::Vpc, Permission::Modify, 204);
    VPC_ROUTER_ROUTE_LIST = reads("vpc_router_route_list", Kind::Vpc, Permission::List);
    VPC_ROUTER_ROUTE_CREATE = changes("vpc_router_route_create", Kind::Vpc, Permission::Create, 201);
    VPC_ROUTER_ROUTE_VIEW = reads("vpc_router_route_view", Kind::Vpc, Permission::Read);
    VPC_ROUTER_ROUTE_UPDATE = changes("vpc_router_route_update", Kind::Vpc, Permission::Modify, 200);
    VPC_ROUTER_ROUTE_DELETE = changes("vpc_router_route_delete", Kind::Vpc, Permission::Modify, 204);
    INTERNET_GATEWAY_LIST = reads("internet_gateway_list", Kind::Vpc, Permission::List);
    INTERNET_GATEWAY_CREATE = changes("internet_gateway_create", Kind::Vpc, Permission::Create, 201);
    INTERNET_GATEWAY_VIEW = reads("internet_gateway_view", Kind::Vpc, Permission::Read);
    INTERNET_GATEWAY_DELETE = changes("internet_gateway_delete", Kind::Vpc, Permission::Modify, 204);
    INTERNET_GATEWAY_IP_POOL_LIST = reads("internet_gateway_ip_pool_list", Kind::Vpc, Permission::List);
    INTERNET_GATEWAY_IP_POOL_CREATE = changes("internet_gateway_ip_pool_create", Kind::Vpc, Permission::Create, 201);
    INTERNET_GATEWAY_IP_POOL_DELETE = changes("internet_gateway_ip_pool_delete", Kind::Vpc, Permission::Modify, 204);
    INTERNET_GATEWAY_IP_ADDRESS_LIST = reads("internet_gateway_ip_address_list", Kind::Vpc, Permission::List);
    INTERNET_GATEWAY_IP_ADDRESS_CREATE = changes("internet_gateway_ip_address_create", Kind::Vpc, Permission::Create, 201);
    INTERNET_GATEWAY_IP_ADDRESS_DELETE = changes("internet_gateway_ip_address_delete", Kind::Vpc, Permission::Modify, 204);
    INSTANCE_NETWORK_INTERFACE_LIST =
        reads("instance_network_interface_list", Kind::Instance, Permission::List);
    INSTANCE_NETWORK_INTERFACE_CREATE =
        changes("instance_network_interface_create", Kind::Instance, Permission::Create, 201);
    INSTANCE_NETWORK_INTERFACE_VIEW =
        reads("instance_network_interface_view", Kind::Instance, Permission::Read);
    INSTANCE_NETWORK_INTERFACE_UPDATE =
        changes("instance_network_interface_update", Kind::Instance, Permission::Modify, 200);
    INSTANCE_NETWORK_INTERFACE_DELETE =
        changes("instance_network_interface_delete", Kind::Instance, Permission::Modify, 204);
    INSTANCE_EXTERNAL_IP_LIST = reads("instance_external_ip_list", Kind::Instance, Permission::List);
    INSTANCE_EPHEMERAL_IP_ATTACH =
        changes("instance_ephemeral_ip_attach", Kind::Instance, Permission::Modify, 202);
    INSTANCE_EPHEMERAL_IP_DETACH =
        changes("instance_ephemeral_ip_detach", Kind::Instance, Permission::Modify, 204);
    FLOATING_IP_LIST = reads("floating_ip_list", Kind::Project, Permission::List);
    FLOATING_IP_CREATE = changes("floating_ip_create", Kind::Project, Permission::Create, 201);
    FLOATING_IP_VIEW = reads("floating_ip_view", Kind::FloatingIp, Permission::Read);
    FLOATING_IP_UPDATE = changes("floating_ip_update", Kind::FloatingIp, Permission::Modify, 200);
    FLOATING_IP_DELETE = changes("floating_ip_delete", Kind::FloatingIp, Permission::Modify, 204);
    FLOATING_IP_ATTACH = changes("floating_ip_attach", Kind::FloatingIp, Permission::Modify, 202);
    FLOATING_IP_DETACH = changes("floating_ip_detach", Kind::FloatingIp, Permission::Modify, 202);
    DISK_LIST = reads("disk_list", Kind::Project, Permission::List);
    DISK_CREATE = changes("disk_create", Kind::Project, Permission::Create, 201);
    DISK_VIEW = reads("disk_view", Kind::Disk, Permission::Read);
    DISK_DELETE = changes("disk_delete", Kind::Disk, Permission::Modify, 204);
    DISK_BULK_WRITE_IMPORT_START = changes("disk_bulk_write_import_start", Kind::Disk, Permission::Modify, 204);
    // Not in the audit log: its start and its stop are, and each write would cost a commit.
    DISK_BULK_WRITE_IMPORT = Operation {
        id: "disk_bulk_write_import",
        on: Kind::Disk,
        permission: Some(Permission::Modify),
        success: 204,
        audited: false,
    };
    DISK_BULK_WRITE_IMPORT_STOP = changes("disk_bulk_write_import_stop", Kind::Disk, Permission::Modify, 204);
    DISK_FINALIZE_IMPORT = changes("disk_finalize_import", Kind::Disk, Permission::Modify, 204);
    SNAPSHOT_LIST = reads("snapshot_list", Kind::Project, Permission::List);
    SNAPSHOT_CREATE = changes("snapshot_create", Kind::Project, Permission::Create, 201);
    SNAPSHOT_VIEW = reads("snapshot_view", Kind::Snapshot, Permission::Read);
    SNAPSHOT_DELETE = changes("snapshot_delete", Kind::Snapshot, Permission::Modify, 204);
    IMAGE_LIST = reads("image_list", Kind::Silo, Permission::List);
    IMAGE_CREATE = changes("image_create", Kind::Silo, Permission::Create, 201);
    IMAGE_VIEW = reads("image_view", Kind::Image, Permission::Read);
    IMAGE_DELETE = changes("image_delete", Kind::Image, Permission::Modify, 204);
    IMAGE_PROMOTE = changes("image_promote", Kind::Image, Permission::Modify, 202);
    IMAGE_DEMOTE = changes("image_demote", Kind::SiloImage, Permission::Modify, 202);
    TIMESERIES_QUERY = reads("timeseries_query", Kind::Project, Permission::Read);
    SYSTEM_TIMESERIES_QUERY = reads("system_timeseries_query", Kind::Fleet, Permission::Read);
    SYSTEM_TIMESERIES_SCHEMA_LIST = reads("system_timeseries_schema_list", Kind::Fleet, Permission::List);
    ALERT_CLASS_LIST = reads("alert_class_list", Kind::AlertClassList, Permission::List);
    ALERT_RECEIVER_LIST = reads("alert_receiver_list", Kind::AlertReceiver, Permission::List);
    ALERT_RECEIVER_VIEW = reads("alert_receiver_view", Kind::AlertReceiver, Permission::Read);
    ALERT_RECEIVER_DELETE = changes("alert_receiver_delete", Kind::AlertReceiver, Permission::Modify, 204);
    ALERT_RECEIVER_SUBSCRIPTION_ADD =
        changes("alert_receiver_subscription_add", Kind::AlertReceiver, Permission::Modify, 201);
    ALERT_RECEIVER_SUBSCRIPTION_REMOVE =
        changes("alert_receiver_subscription_remove", Kind::AlertReceiver, Permission::Modify, 204);
    WEBHOOK_RECEIVER_CREATE = changes("webhook_receiver_create", Kind::Fleet, Permission::Create, 201);
    WEBHOOK_RECEIVER_UPDATE = changes("webhook_receiver_update", Kind::AlertReceiver, Permission::Modify, 204);
    WEBHOOK_SECRETS_LIST = reads("webhook_secrets_list", Kind::AlertReceiver, Permission::List);
    WEBHOOK_SECRETS_ADD = changes("webhook_secrets_add", Kind::AlertReceiver, Permission::Create, 201);
    WEBHOOK_SECRETS_DELETE = changes("webhook_secrets_delete", Kind::WebhookSecret, Permission::Modify, 204);
    ALERT_DELIVERY_LIST = reads("alert_delivery_list", Kind::AlertReceiver, Permission::List);
    ALERT_DELIVERY_RESEND = changes("alert_delivery_resend", Kind::Alert, Permission::Modify, 201);
    ALERT_RECEIVER_PROBE = changes("alert_receiver_probe", Kind::AlertReceiver, Permission::Read, 200);
}

operations! {
    /// The operations beside the contract, which `openapi-croft.json` describes.
    EXTENSIONS:
    LOGIN_OPTIONS = Operation { id: "login_options", on: Kind::Silo, permission: None, success: 200, audited: false };
    CURRENT_USER_PROJECT_LIST =
        Operation { id: "current_user_project_list", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    CURRENT_USER_PERMISSIONS_VIEW = Operation {
        id: "current_user_permissions_view", on: Kind::SiloUser, permission: None, success: 200, audited: false,
    };
    EVENTS = Operation { id: "events", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    VPC_TRACE = reads("vpc_trace", Kind::Vpc, Permission::Read);
    SAML_IDENTITY_PROVIDER_SETTINGS_VIEW =
        reads("saml_identity_provider_settings_view", Kind::IdentityProvider, Permission::Read);
    SAML_IDENTITY_PROVIDER_UPDATE =
        changes("saml_identity_provider_update", Kind::IdentityProvider, Permission::Modify, 200);
    SAML_IDENTITY_PROVIDER_DELETE =
        changes("saml_identity_provider_delete", Kind::IdentityProvider, Permission::Modify, 204);
    ACCOUNT_VIEW = Operation { id: "account_view", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    ACCOUNT_PASSWORD_CHANGE =
        Operation { id: "account_password_change", on: Kind::SiloUser, permission: None, success: 204, audited: true };
    ACCOUNT_SESSION_LIST = reads("account_session_list", Kind::SessionList, Permission::List);
    ACCOUNT_SESSION_DELETE = changes("account_session_delete", Kind::SessionList, Permission::Modify, 204);
    ACCOUNT_SESSIONS_END_OTHERS = changes("account_sessions_end_others", Kind::SessionList, Permission::Modify, 204);
    ACCOUNT_TOKEN_LIST = reads("account_token_list", Kind::TokenList, Permission::List);
    ACCOUNT_TOKEN_UPDATE = changes("account_token_update", Kind::AccessToken, Permission::Modify, 200);
    ACCOUNT_SECOND_FACTOR_LIST = reads("account_second_factor_list", Kind::SecondFactor, Permission::List);
    ACCOUNT_TOTP_BEGIN = begins("account_totp_begin");
    ACCOUNT_TOTP_CREATE = changes("account_totp_create", Kind::SecondFactor, Permission::Create, 201);
    ACCOUNT_PASSKEY_BEGIN = begins("account_passkey_begin");
    ACCOUNT_PASSKEY_CREATE = changes("account_passkey_create", Kind::SecondFactor, Permission::Create, 201);
    ACCOUNT_SECOND_FACTOR_UPDATE = changes("account_second_factor_update", Kind::SecondFactor, Permission::Modify, 200);
    ACCOUNT_SECOND_FACTOR_DELETE = changes("account_second_factor_delete", Kind::SecondFactor, Permission::Modify, 204);
    ACCOUNT_RECOVERY_CODES_VIEW = reads("account_recovery_codes_view", Kind::SecondFactor, Permission::Read);
    ACCOUNT_RECOVERY_CODES_CREATE = changes("account_recovery_codes_create", Kind::SecondFactor, Permission::Create, 201);
    ACCOUNT_VERIFY_BEGIN =
        Operation { id: "account_verify_begin", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    ACCOUNT_VERIFY =
        Operation { id: "account_verify", on: Kind::SiloUser, permission: None, success: 204, audited: true };
    SIGN_IN_SETTINGS_VIEW = reads("sign_in_settings_view", Kind::AuthSettings, Permission::Read);
    SIGN_IN_SETTINGS_UPDATE = changes("sign_in_settings_update", Kind::AuthSettings, Permission::Modify, 200);
    LOCAL_IDP_USER_RESET_SECOND_FACTOR =
        changes("local_idp_user_reset_second_factor", Kind::SiloUser, Permission::Modify, 204);
    LOCAL_IDP_USER_REQUIRE_PASSWORD_CHANGE =
        changes("local_idp_user_require_password_change", Kind::SiloUser, Permission::Modify, 204);
    ALERT_DELIVERY_ATTEMPTS_VIEW = reads("alert_delivery_attempts_view", Kind::AlertReceiver, Permission::List);
    INSTANCE_ACTIVITY_LIST = reads("instance_activity_list", Kind::Instance, Permission::Read);
    PROJECT_SILO_IMAGE_LIST = reads("project_silo_image_list", Kind::Project, Permission::Read);
}

/// The end of a stream of a serial console, whose begin has the operation's own entry.
pub const INSTANCE_SERIAL_CONSOLE_STREAM_END: Operation =
    passes("instance_serial_console_stream_end", Kind::Instance, Permission::Modify, 200);
/// A support bundle that is old enough to go: nobody's request, but in the audit log like the others.
pub const SUPPORT_BUNDLE_EXPIRE: Operation =
    changes("support_bundle_expire", Kind::SupportBundle, Permission::Modify, 204);
/// A new password by `croft admin reset-password`: not of the contract, but in the audit log like the others.
pub const ADMIN_RESET_PASSWORD: Operation =
    changes("admin_reset_password", Kind::SiloUser, Permission::Modify, 204);
/// Second factors removed by `croft admin reset-second-factor`.
pub const ADMIN_RESET_SECOND_FACTOR: Operation =
    changes("admin_reset_second_factor", Kind::SiloUser, Permission::Modify, 204);
/// A new token by `croft admin token`.
pub const ADMIN_TOKEN_CREATE: Operation =
    changes("admin_token_create", Kind::AccessToken, Permission::Create, 201);
/// A sled taken out of the fleet by `croft admin`.
pub const ADMIN_SLED_EXPUNGE: Operation = changes("admin_sled_expunge", Kind::Sled, Permission::Modify, 204);
/// Anybody let in again by `croft admin`.
pub const ADMIN_ALLOW_ANY_SOURCE: Operation =
    changes("admin_allow_any_source", Kind::SystemNetwork, Permission::Modify, 200);
