//! The tables of Croft, from which the migrations are made.

use crate::{
    Dialect, Migration, Record, StoreError, Table, ddl,
    records::{
        AccessToken, AddressLot, AddressLotBlock, AddressReservation, AffinityGroup, AffinityGroupMembership,
        Alert, AlertDelivery, AlertQueue, AlertReceiver, AllowList, AntiAffinityGroup,
        AntiAffinityGroupMembership, AuditEntry, AuthSettings, BfdSession, BgpAnnounceSet, BgpConfig,
        Certificate, ConsoleSession, DeviceRequest, Disk, DiskRemoval, FloatingIp, FreeRun, Image,
        InboundIcmp, Instance, InstanceActivity, InstanceAddress, InternetGateway, InternetGatewayIpAddress,
        InternetGatewayIpPool, IpPool, IpPoolRange, IpPoolSiloLink, IpPoolUsage, KeyCheck, LoopbackAddress,
        Machine, MachineRemoval, NetworkInterface, PhysicalDisk, Probe, Project, ProvisioningChange, Rack,
        ReceiverSubscription, RoleAssignment, RouterRoute, SamlIdentityProvider, SamlSignIn, SamlUse,
        SecondFactor, SecondFactorReserve, SharedAddress, Silo, SiloGroup, SiloGroupMembership, SiloUser,
        Sled, Snapshot, SnapshotVolume, SshKey, StoragePools, SupportBundle, Switch, SwitchPort,
        SwitchPortBgpConfig, SwitchPortSettings, TufArtifact, TufRepository, TufTrustRoot, UninitializedSled,
        Usage, UserBuiltin, Vpc, VpcFirewall, VpcRouter, VpcSubnet, WantedRelease, WebhookSecret,
    },
    steps,
};

/// A set of tables and the migrations that bring a database to them.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Every table, in the order of creation.
    pub tables: &'static [&'static Table],
    /// In ascending order of their numbers, from 1, without gaps.
    pub migrations: &'static [Migration],
    /// Tables that are no more, each with the migration that drops it.
    pub dropped: &'static [(u32, &'static Table)],
    /// Sees each statement of a migration before it runs.
    pub(crate) observer: Option<Observer>,
}

/// Sees a statement of a migration before it runs, and fails the migration there if it returns an error.
pub type Observer = fn(&str) -> Result<(), StoreError>;

impl Schema {
    /// Tables and the migrations that bring a database to them.
    pub const fn new(tables: &'static [&'static Table], migrations: &'static [Migration]) -> Self {
        Self { tables, migrations, dropped: &[], observer: None }
    }

    /// Names the tables that are no more, each with the migration that drops it.
    #[must_use]
    pub const fn dropped(mut self, tables: &'static [(u32, &'static Table)]) -> Self {
        self.dropped = tables;
        self
    }

    /// Has each statement of a migration observed before it runs: for tests that interrupt migrations.
    #[must_use]
    pub const fn observed(mut self, observer: Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// What all migrations do to the tables of an empty database, for review.
    pub fn statements(&self, dialect: Dialect) -> Vec<String> {
        let tables = self.migrations.iter().flat_map(|step| {
            let steps = ddl::table_steps(self, dialect, step.number);
            steps.before_data.into_iter().chain(steps.after_data)
        });
        ddl::base_steps(dialect).into_iter().chain(tables).collect()
    }

    /// The newest migration.
    pub(crate) fn version(&self) -> u32 {
        self.migrations.last().map_or(0, |migration| migration.number)
    }
}

/// Croft's own schema.
pub static CROFT: Schema = Schema::new(TABLES, MIGRATIONS);

/// Croft's tables. A new record's table is added here. A table or lookup that is added later says
/// [`since`](Table::since) which migration it exists; other changes stand in the table's [history](Table::history), and a
/// table that goes moves to [`Schema::dropped`].
pub static TABLES: &[&Table] = &[
    UserBuiltin::TABLE,
    Silo::TABLE,
    SiloUser::TABLE,
    SiloGroup::TABLE,
    SiloGroupMembership::TABLE,
    ConsoleSession::TABLE,
    AccessToken::TABLE,
    DeviceRequest::TABLE,
    AuthSettings::TABLE,
    SshKey::TABLE,
    RoleAssignment::TABLE,
    SamlIdentityProvider::TABLE,
    SamlUse::TABLE,
    SamlSignIn::TABLE,
    Project::TABLE,
    Usage::TABLE,
    ProvisioningChange::TABLE,
    Sled::TABLE,
    UninitializedSled::TABLE,
    PhysicalDisk::TABLE,
    Switch::TABLE,
    SupportBundle::TABLE,
    StoragePools::TABLE,
    Machine::TABLE,
    MachineRemoval::TABLE,
    Instance::TABLE,
    InstanceActivity::TABLE,
    AffinityGroup::TABLE,
    AffinityGroupMembership::TABLE,
    AntiAffinityGroup::TABLE,
    AntiAffinityGroupMembership::TABLE,
    Disk::TABLE,
    DiskRemoval::TABLE,
    Snapshot::TABLE,
    SnapshotVolume::TABLE,
    Image::TABLE,
    IpPool::TABLE,
    IpPoolRange::TABLE,
    IpPoolSiloLink::TABLE,
    IpPoolUsage::TABLE,
    FreeRun::TABLE,
    SharedAddress::TABLE,
    Vpc::TABLE,
    VpcSubnet::TABLE,
    VpcRouter::TABLE,
    RouterRoute::TABLE,
    VpcFirewall::TABLE,
    InternetGateway::TABLE,
    InternetGatewayIpPool::TABLE,
    InternetGatewayIpAddress::TABLE,
    NetworkInterface::TABLE,
    Probe::TABLE,
    FloatingIp::TABLE,
    InstanceAddress::TABLE,
    AddressLot::TABLE,
    AddressLotBlock::TABLE,
    AddressReservation::TABLE,
    Rack::TABLE,
    LoopbackAddress::TABLE,
    SwitchPort::TABLE,
    SwitchPortSettings::TABLE,
    SwitchPortBgpConfig::TABLE,
    BgpConfig::TABLE,
    BgpAnnounceSet::TABLE,
    BfdSession::TABLE,
    AllowList::TABLE,
    InboundIcmp::TABLE,
    Alert::TABLE,
    AlertReceiver::TABLE,
    ReceiverSubscription::TABLE,
    WebhookSecret::TABLE,
    AlertDelivery::TABLE,
    AlertQueue::TABLE,
    TufTrustRoot::TABLE,
    TufRepository::TABLE,
    TufArtifact::TABLE,
    WantedRelease::TABLE,
    AuditEntry::TABLE,
    Certificate::TABLE,
    KeyCheck::TABLE,
    SecondFactor::TABLE,
    SecondFactorReserve::TABLE,
];

/// Croft's migrations. What the declarations say of a number is done by that number's migration.
static MIGRATIONS: &[Migration] = &[
    Migration::tables(1, "first tables"),
    Migration::with_data(2, "sessions by identity provider", steps::find_sessions_by_provider),
    Migration::with_data(3, "quotas count what snapshots leave behind", steps::count_volumes),
    Migration::tables(4, "second factors of users"),
];
