//! The records of Croft, one file per resource; the list of them all, and the migrations that make their tables.

mod access_token;
mod address_lot;
mod affinity;
mod alert;
mod allow_list;
mod audit_entry;
mod auth_settings;
mod baseboard;
mod batch;
mod bfd_session;
mod bgp;
mod bgp_announce_set;
mod certificate;
mod console_session;
mod device_request;
mod disk;
mod disk_removal;
mod external_ip;
mod free_run;
mod image;
mod instance;
mod instance_activity;
mod internet_gateway;
mod ip_pool;
mod key_check;
mod label;
mod loopback_address;
mod machine;
mod machine_removal;
mod network_interface;
mod physical_disk;
mod probe;
mod project;
mod provisioning_change;
mod rack;
mod resource_activity;
mod role_assignment;
mod saml_identity_provider;
mod second_factor;
mod silo;
mod silo_group;
mod silo_user;
mod sled;
mod snapshot;
mod snapshot_volume;
mod ssh_key;
mod storage_pools;
mod support_bundle;
mod switch;
mod switch_port;
mod switch_port_settings;
mod update;
mod usage;
mod user_builtin;
mod vpc;
mod vpc_firewall;
mod vpc_router;
mod vpc_subnet;

pub use access_token::AccessToken;
pub use address_lot::{AddressLot, AddressLotBlock, AddressLotKind, AddressReservation};
pub use affinity::{
    Affinity, AffinityGroup, AffinityGroupMembership, AffinityPolicy, AntiAffinity, AntiAffinityGroup,
    AntiAffinityGroupMembership, FailureDomain, Group, GroupKind, GroupMembership,
};
pub use alert::{
    Alert, AlertDelivery, AlertDeliveryState, AlertDeliveryTrigger, AlertQueue, AlertReceiver,
    DeliveryAttempt, ReceiverSubscription, WebhookDeliveryAttemptResult, WebhookDeliveryResponse,
    WebhookSecret,
};
pub use allow_list::{AllowList, AllowedSourceIps, InboundIcmp};
pub use audit_entry::{AuditActor, AuditEntry, AuditResult, AuditSubject, Transferred};
pub use auth_settings::AuthSettings;
pub use baseboard::Baseboard;
pub use batch::{
    Batch, BatchItem, BatchItemError, BatchItemState, BatchItemWait, BatchOperation, BatchRequest,
};
pub use bfd_session::{BfdMode, BfdSession};
pub use bgp::BgpConfig;
pub use bgp_announce_set::{BgpAnnounceSet, BgpAnnouncement};
pub use certificate::Certificate;
pub use console_session::{ConsoleSession, PendingStep, Viewing};
pub use device_request::{ConfirmedRequest, DeviceRequest};
pub use disk::{Disk, DiskContent, DiskStage, ImportStage};
pub use disk_removal::DiskRemoval;
pub use external_ip::{FloatingIp, InstanceAddress, InstanceAddressKind, PortBlock};
pub use free_run::{FreeRun, Number, NumberKind};
pub use image::Image;
pub use instance::{
    Instance, InstanceAutoRestartPolicy, InstanceStage, MachineLink, MachineState, PendingRequest,
    WantedState,
};
pub use instance_activity::{ActivityConstraint, ActivityConstraintKind, ActivityKind, InstanceActivity};
pub use internet_gateway::{InternetGateway, InternetGatewayIpAddress, InternetGatewayIpPool};
pub use ip_pool::{IpPool, IpPoolRange, IpPoolSiloLink, IpPoolUsage, SharedAddress};
pub use key_check::KeyCheck;
pub use label::{Label, LabelSet, LabelUse};
pub use loopback_address::LoopbackAddress;
pub use machine::Machine;
pub use machine_removal::MachineRemoval;
pub use network_interface::{InterfaceParent, NetworkInterface};
pub use physical_disk::{PhysicalDisk, PhysicalDiskKind};
pub use probe::Probe;
pub use project::Project;
pub use provisioning_change::{ProvisioningChange, ProvisioningSample};
pub use rack::Rack;
pub use resource_activity::ResourceActivity;
pub use role_assignment::{Role, RoleAssignment, RoleIdentity, RoleScope};
pub use saml_identity_provider::{SamlIdentityProvider, SamlSignIn, SamlUse, SigningKey};
pub use second_factor::{FactorProof, SecondFactor, SecondFactorReserve};
pub use silo::{FleetRole, IdentityMode, Silo, SiloRole};
pub use silo_group::{SiloGroup, SiloGroupMembership};
pub use silo_user::SiloUser;
pub use sled::{Sled, UninitializedSled};
pub use snapshot::{Snapshot, SnapshotStage};
pub use snapshot_volume::SnapshotVolume;
pub use ssh_key::SshKey;
pub use storage_pools::{StoragePool, StoragePools};
pub use support_bundle::{BundleState, SupportBundle};
pub use switch::Switch;
pub use switch_port::SwitchPort;
pub use switch_port_settings::{
    BgpSession, ImportExportPolicy, LinkFec, LinkSpeed, LldpLinkConfig, LldpLinkContent, StaticRoute,
    SwitchInterfaceKind, SwitchPortAddress, SwitchPortBgpConfig, SwitchPortBgpPeer, SwitchPortGeometry,
    SwitchPortInterface, SwitchPortLink, SwitchPortRoute, SwitchPortSettings, TxEqConfig,
};
pub use update::{ArtifactId, TargetReleaseSource, TufArtifact, TufRepository, TufTrustRoot, WantedRelease};
pub use usage::{Quota, Resources, Usage};
pub use user_builtin::UserBuiltin;
pub use vpc::Vpc;
pub use vpc_firewall::{
    FirewallRule, FirewallRuleContent, VpcFirewall, VpcFirewallIcmpFilter, VpcFirewallRuleAction,
    VpcFirewallRuleDirection, VpcFirewallRuleFilter, VpcFirewallRuleHostFilter, VpcFirewallRuleProtocol,
    VpcFirewallRuleStatus, VpcFirewallRuleTarget,
};
pub use vpc_router::{RouteDestination, RouteTarget, RouterRoute, RouterRouteKind, VpcRouter, VpcRouterKind};
pub use vpc_subnet::VpcSubnet;

use uuid::Uuid;

use crate::{Migration, Record as _, Table, steps};

/// The one fleet: the id under which its usage, role assignments and storage pools are found.
pub const FLEET: Uuid = Uuid::from_u128(0x001d_e000_1334_4000_8000_0000_0000_0000);

/// Calls a macro with the names of all records, in the order in which their tables are created. A new record is added here.
/// A table or lookup that is added later says [`since`](Table::since) which migration it exists; other changes stand in the
/// table's [history](Table::history), and a table that goes moves to [`Schema::dropped`](crate::Schema::dropped).
#[macro_export]
macro_rules! for_each_record {
    ($call:ident) => {
        $call! {
            UserBuiltin
            Silo
            SiloUser
            SiloGroup
            SiloGroupMembership
            ConsoleSession
            AccessToken
            DeviceRequest
            AuthSettings
            SshKey
            RoleAssignment
            SamlIdentityProvider
            SamlUse
            SamlSignIn
            Project
            Usage
            ProvisioningChange
            Sled
            UninitializedSled
            PhysicalDisk
            Switch
            SupportBundle
            StoragePools
            Machine
            MachineRemoval
            Instance
            InstanceActivity
            AffinityGroup
            AffinityGroupMembership
            AntiAffinityGroup
            AntiAffinityGroupMembership
            Disk
            DiskRemoval
            Snapshot
            SnapshotVolume
            Image
            IpPool
            IpPoolRange
            IpPoolSiloLink
            IpPoolUsage
            FreeRun
            SharedAddress
            Vpc
            VpcSubnet
            VpcRouter
            RouterRoute
            VpcFirewall
            InternetGateway
            InternetGatewayIpPool
            InternetGatewayIpAddress
            NetworkInterface
            Probe
            FloatingIp
            InstanceAddress
            AddressLot
            AddressLotBlock
            AddressReservation
            Rack
            LoopbackAddress
            SwitchPort
            SwitchPortSettings
            SwitchPortBgpConfig
            BgpConfig
            BgpAnnounceSet
            BfdSession
            AllowList
            InboundIcmp
            Alert
            AlertReceiver
            ReceiverSubscription
            WebhookSecret
            AlertDelivery
            AlertQueue
            TufTrustRoot
            TufRepository
            TufArtifact
            WantedRelease
            AuditEntry
            Certificate
            KeyCheck
            SecondFactor
            SecondFactorReserve
            Batch
            BatchItem
            LabelSet
            Label
            LabelUse
            ResourceActivity
        }
    };
}

macro_rules! tables {
    ($($record:ident)*) => { &[$($record::TABLE),*] };
}

/// The tables of all records.
pub static TABLES: &[&Table] = for_each_record!(tables);

/// Croft's migrations. What the declarations say of a number is done by that number's migration.
pub(crate) static MIGRATIONS: &[Migration] = &[
    Migration::tables(1, "first tables"),
    Migration::with_data(2, "sessions by identity provider", steps::find_sessions_by_provider),
    Migration::with_data(3, "quotas count what snapshots leave behind", steps::count_volumes),
    Migration::tables(4, "second factors of users"),
    Migration::search(5, "search of all records"),
    Migration::tables(6, "batches"),
    Migration::lists(7, "lists in natural order"),
    Migration::tables(8, "labels"),
    Migration::tables(9, "activity of resources"),
];
