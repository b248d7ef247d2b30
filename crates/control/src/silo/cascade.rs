//! What becomes of the rows of each table when their silo is deleted. A new table says it here.

use std::collections::BTreeMap;

use croft_api::Result;
use croft_store::{
    ListBy, Lookup, Record, Tx,
    records::{
        AccessToken, AddressLot, AddressLotBlock, AddressReservation, AffinityGroup, AffinityGroupMembership,
        Alert, AlertDelivery, AlertQueue, AlertReceiver, AllowList, AntiAffinityGroup,
        AntiAffinityGroupMembership, AuditEntry, AuthSettings, BfdSession, BgpAnnounceSet, BgpConfig,
        Certificate, ConsoleSession, DeviceRequest, Disk, DiskRemoval, FloatingIp, FreeRun, Image,
        InboundIcmp, Instance, InstanceActivity, InstanceAddress, InternetGateway, InternetGatewayIpAddress,
        InternetGatewayIpPool, IpPool, IpPoolRange, IpPoolSiloLink, IpPoolUsage, KeyCheck, LoopbackAddress,
        Machine, MachineRemoval, NetworkInterface, PhysicalDisk, Probe, Project, ProvisioningChange, Rack,
        ReceiverSubscription, RoleAssignment, RoleScope, RouterRoute, SamlIdentityProvider, SamlSignIn,
        SamlUse, SecondFactor, SecondFactorReserve, SharedAddress, Silo, SiloGroup, SiloGroupMembership,
        SiloUser, Sled, Snapshot, SnapshotVolume, SshKey, StoragePools, SupportBundle, Switch, SwitchPort,
        SwitchPortBgpConfig, SwitchPortSettings, TufArtifact, TufRepository, TufTrustRoot, UninitializedSled,
        Usage, UserBuiltin, Vpc, VpcFirewall, VpcRouter, VpcSubnet, WantedRelease, WebhookSecret,
    },
};
use uuid::Uuid;

use crate::{Cx, image, paging, policy};

/// What becomes of a table's rows when their silo is deleted.
#[derive(Clone, Copy)]
enum Fate {
    /// They go too.
    Goes(fn(&mut Cx<'_, '_>, &Owners) -> Result<()>),
    /// There are none left: they are in projects, and a silo with projects is not deleted.
    InProject,
    /// They stay: they belong to the fleet, or tell of what was.
    Stays,
}

/// A silo that is being deleted, and who was in it.
struct Owners {
    silo: Uuid,
    users: Vec<Uuid>,
    groups: Vec<Uuid>,
}

struct Entry {
    table: &'static str,
    fate: Fate,
    count: fn(&mut Tx<'_>, Uuid) -> Result<usize>,
}

macro_rules! fates {
    ($($record:ident: $fate:expr;)*) => {
        static FATES: &[Entry] =
            &[$(Entry { table: $record::TABLE.name, fate: $fate, count: count::<$record> }),*];
    };
}

use Fate::{Goes, InProject, Stays};

fates! {
    SiloUser: Goes(of_silo::<SiloUser>);
    SiloGroup: Goes(of_silo::<SiloGroup>);
    SiloGroupMembership: Goes(|cx, owners| of_each::<SiloGroupMembership>(cx, &owners.groups));
    ConsoleSession: Goes(|cx, owners| of_each::<ConsoleSession>(cx, &owners.users));
    AccessToken: Goes(|cx, owners| of_each::<AccessToken>(cx, &owners.users));
    SshKey: Goes(|cx, owners| of_each::<SshKey>(cx, &owners.users));
    SecondFactor: Goes(|cx, owners| of_each::<SecondFactor>(cx, &owners.users));
    SecondFactorReserve: Goes(|cx, owners| of_each::<SecondFactorReserve>(cx, &owners.users));
    AuthSettings: Goes(same_id::<AuthSettings>);
    Certificate: Goes(of_silo::<Certificate>);
    // Those of projects went with their projects.
    Image: Goes(|cx, owners| image::remove_of_silo(cx, owners.silo));
    SamlIdentityProvider: Goes(of_silo::<SamlIdentityProvider>);
    SamlUse: Goes(of_silo::<SamlUse>);
    SamlSignIn: Goes(of_silo::<SamlSignIn>);
    RoleAssignment: Goes(|cx, owners| policy::forget(cx, RoleScope::Silo(owners.silo)));
    IpPoolSiloLink: Goes(|cx, owners| found_by::<IpPoolSiloLink>(cx, IpPoolSiloLink::SILO, owners.silo));
    Usage: Goes(same_id::<Usage>);
    // Deleted by whoever asked for all this.
    Silo: Stays;
    Project: InProject;
    Instance: InProject;
    InstanceActivity: InProject;
    Machine: InProject;
    AffinityGroup: InProject;
    AffinityGroupMembership: InProject;
    AntiAffinityGroup: InProject;
    AntiAffinityGroupMembership: InProject;
    Disk: InProject;
    Snapshot: InProject;
    Vpc: InProject;
    VpcSubnet: InProject;
    VpcRouter: InProject;
    RouterRoute: InProject;
    VpcFirewall: InProject;
    InternetGateway: InProject;
    InternetGatewayIpPool: InProject;
    InternetGatewayIpAddress: InProject;
    NetworkInterface: InProject;
    Probe: InProject;
    FloatingIp: InProject;
    InstanceAddress: InProject;
    // Those of VPCs and subnets went with them; those of pools are the fleet's.
    FreeRun: Stays;
    // Hosts free the space of deleted disks and snapshots when they can.
    DiskRemoval: Stays;
    MachineRemoval: Stays;
    SnapshotVolume: Stays;
    // Whose it is, is not known before somebody confirms it; then it is worth what the token is worth.
    DeviceRequest: Stays;
    Alert: Stays;
    AlertReceiver: Stays;
    ReceiverSubscription: Stays;
    WebhookSecret: Stays;
    AlertDelivery: Stays;
    AlertQueue: Stays;
    AuditEntry: Stays;
    // Telemetry takes it over, whatever becomes of the silo.
    ProvisioningChange: Stays;
    UserBuiltin: Stays;
    Sled: Stays;
    UninitializedSled: Stays;
    PhysicalDisk: Stays;
    Switch: Stays;
    SupportBundle: Stays;
    StoragePools: Stays;
    IpPool: Stays;
    IpPoolRange: Stays;
    IpPoolUsage: Stays;
    SharedAddress: Stays;
    AddressLot: Stays;
    AddressLotBlock: Stays;
    AddressReservation: Stays;
    Rack: Stays;
    LoopbackAddress: Stays;
    SwitchPort: Stays;
    SwitchPortSettings: Stays;
    SwitchPortBgpConfig: Stays;
    BgpConfig: Stays;
    BgpAnnounceSet: Stays;
    BfdSession: Stays;
    AllowList: Stays;
    InboundIcmp: Stays;
    TufTrustRoot: Stays;
    TufRepository: Stays;
    TufArtifact: Stays;
    WantedRelease: Stays;
    KeyCheck: Stays;
}

/// Removes everything that goes with a silo.
pub(super) fn remove(cx: &mut Cx<'_, '_>, silo: Uuid) -> Result<()> {
    let users: Vec<SiloUser> = paging::all(cx.tx, &ListBy::Parent(silo))?;
    let groups: Vec<SiloGroup> = paging::all(cx.tx, &ListBy::Parent(silo))?;
    let owners = Owners {
        silo,
        users: users.iter().map(|user| user.meta.id).collect(),
        groups: groups.iter().map(|group| group.meta.id).collect(),
    };
    for entry in FATES {
        if let Goes(remove) = entry.fate {
            remove(cx, &owners)?;
        }
    }
    Ok(())
}

/// How many live rows of a silo there are in each table whose rows must not outlive it. Takes time in proportion to
/// the whole database: for tests.
pub fn census(tx: &mut Tx<'_>, silo: Uuid) -> Result<BTreeMap<&'static str, usize>> {
    let mortal = FATES.iter().filter(|entry| !matches!(entry.fate, Stays));
    mortal.map(|entry| Ok((entry.table, (entry.count)(tx, silo)?))).collect()
}

/// Whether the rows of a table are all inside projects: for tests.
pub fn is_of_projects(table: &str) -> bool {
    FATES.iter().any(|entry| entry.table == table && matches!(entry.fate, InProject))
}

fn count<R: Record>(tx: &mut Tx<'_>, silo: Uuid) -> Result<usize> {
    let records: Vec<R> = paging::all(tx, &ListBy::All)?;
    Ok(records.iter().filter(|record| record.scope().silo == Some(silo)).count())
}

/// Rows whose parent is the silo.
fn of_silo<R: Record>(cx: &mut Cx<'_, '_>, owners: &Owners) -> Result<()> {
    of_each::<R>(cx, &[owners.silo])
}

/// Rows whose parent is one of these.
fn of_each<R: Record>(cx: &mut Cx<'_, '_>, parents: &[Uuid]) -> Result<()> {
    for parent in parents {
        remove_list::<R>(cx, &ListBy::Parent(*parent))?;
    }
    Ok(())
}

/// Rows that a lookup finds by the silo.
fn found_by<R: Record>(cx: &mut Cx<'_, '_>, lookup: &'static Lookup, silo: Uuid) -> Result<()> {
    remove_list::<R>(cx, &ListBy::lookup(lookup, silo))
}

/// The row that has the silo's id.
fn same_id<R: Record>(cx: &mut Cx<'_, '_>, owners: &Owners) -> Result<()> {
    cx.tx.remove::<R>(owners.silo, cx.now)?;
    Ok(())
}

fn remove_list<R: Record>(cx: &mut Cx<'_, '_>, by: &ListBy) -> Result<()> {
    for record in paging::all::<R>(cx.tx, by)? {
        cx.tx.remove::<R>(record.meta().id, cx.now)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use croft_store::schema;

    use super::FATES;

    #[test]
    fn every_table_says_what_becomes_of_it_when_its_silo_is_deleted() {
        let declared: BTreeSet<&str> = schema::TABLES.iter().map(|table| table.name).collect();
        let decided: BTreeSet<&str> = FATES.iter().map(|entry| entry.table).collect();
        assert_eq!(decided, declared, "declare the fate of a new table in silo/cascade.rs");
        assert_eq!(FATES.len(), decided.len(), "each once");
    }
}
