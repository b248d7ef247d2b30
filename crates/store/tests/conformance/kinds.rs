//! Examples of every kind of record that Croft stores.

use std::collections::BTreeSet;

use croft_store::{
    ListBy, Marker, Meta, Record, Sort, StoreError, Table, Tx,
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
};
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::maker;

/// One kind of record, whatever its type.
pub struct Kind {
    pub table: &'static Table,
    /// Examples as they are stored: one for each variant of each enumeration in the record.
    pub documents: fn() -> Vec<Value>,
    /// Stores the examples.
    pub insert: fn(&mut Tx<'_>) -> Result<(), StoreError>,
    /// Reads every live record through its type, in the order of ids, and tells how each would be stored again.
    pub read: fn(&mut Tx<'_>) -> Result<Vec<Value>, StoreError>,
}

macro_rules! kinds {
    ($($record:ident)*) => {
        pub static ALL: &[Kind] = &[$(Kind {
            table: <$record as Record>::TABLE,
            documents: documents::<$record>,
            insert: insert::<$record>,
            read: read::<$record>,
        }),*];
    };
}

kinds! {
    AccessToken AddressLot AddressLotBlock AddressReservation AffinityGroup AffinityGroupMembership Alert AlertDelivery
    AlertQueue AlertReceiver AllowList AntiAffinityGroup AntiAffinityGroupMembership AuditEntry AuthSettings BfdSession
    BgpAnnounceSet BgpConfig Certificate ConsoleSession DeviceRequest Disk DiskRemoval FloatingIp FreeRun Image
    InboundIcmp Instance InstanceActivity InstanceAddress InternetGateway InternetGatewayIpAddress
    InternetGatewayIpPool IpPool IpPoolRange IpPoolSiloLink IpPoolUsage KeyCheck LoopbackAddress Machine
    MachineRemoval NetworkInterface PhysicalDisk Probe Project ProvisioningChange Rack ReceiverSubscription
    RoleAssignment RouterRoute SamlIdentityProvider SamlSignIn SamlUse SecondFactor SecondFactorReserve SharedAddress
    Silo SiloGroup SiloGroupMembership SiloUser Sled Snapshot SnapshotVolume SshKey StoragePools SupportBundle Switch
    SwitchPort SwitchPortBgpConfig SwitchPortSettings TufArtifact TufRepository TufTrustRoot UninitializedSled Usage
    UserBuiltin Vpc VpcFirewall VpcRouter VpcSubnet WantedRelease WebhookSecret
}

/// Examples that can be stored side by side. They are the same at each call.
fn examples<R: Record>() -> Vec<R> {
    let time = Timestamp::from_second(1_790_000_000).unwrap();
    let numbered = (1_u128..).zip(maker::examples::<R>(0));
    let with_meta = numbered.map(|(number, mut record)| {
        *record.meta_mut() = Meta::new(Uuid::from_u128((number << 64) | 0x4000_8000_0000_0000), time);
        record
    });
    with_meta.collect()
}

fn documents<R: Record>() -> Vec<Value> {
    examples::<R>().iter().map(document).collect()
}

fn document<R: Record>(record: &R) -> Value {
    serde_json::from_str(&serde_json::to_string(record).unwrap()).unwrap()
}

fn insert<R: Record>(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    examples::<R>().iter().try_for_each(|record| tx.insert(record))
}

fn read<R: Record>(tx: &mut Tx<'_>) -> Result<Vec<Value>, StoreError> {
    const PAGE: usize = 100;
    let (mut documents, mut after) = (Vec::new(), None);
    loop {
        let page: Vec<R> = tx.page(ListBy::All, Sort::IdAsc, after, PAGE)?;
        documents.extend(page.iter().map(document));
        match page.last() {
            Some(last) if page.len() == PAGE => after = Some(Marker::after(last, Sort::IdAsc)),
            _ => return Ok(documents),
        }
    }
}

#[test]
fn every_table_has_its_kind() {
    let known: BTreeSet<&str> = ALL.iter().map(|kind| kind.table.name).collect();
    let declared: BTreeSet<&str> = croft_store::schema::TABLES.iter().map(|table| table.name).collect();
    let unknown: Vec<_> = declared.difference(&known).collect();
    assert!(
        unknown.is_empty(),
        "add the records of {unknown:?} to `kinds!` in crates/store/tests/conformance/kinds.rs"
    );
    assert_eq!(known, declared);
}

/// Databases hold documents like these. A difference means that a stored form changed: an old database has the old form.
/// A field that may be absent says `#[serde(default)]`, a new variant or field only adds lines here; anything else needs
/// a migration that rewrites what is stored (CONTRIBUTING.md, "Add a migration"). Then accept the new snapshot.
#[test]
fn documents_are_stored_as_released() {
    for kind in ALL {
        let lines: Vec<String> = (kind.documents)().iter().map(|document| format!("{document:#}")).collect();
        insta::with_settings!({
            snapshot_path => "snapshots/documents",
            prepend_module_to_snapshot => false,
            description => "If this differs, databases hold another form: see documents_are_stored_as_released",
        }, {
            insta::assert_snapshot!(kind.table.name, lines.join("\n"));
        });
    }
}
