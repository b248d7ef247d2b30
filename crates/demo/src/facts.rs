//! Records that no operation can create, and that are written to the store directly. Nothing here counts as usage.

use croft_api::{
    Error, Result,
    scalar::{Description, Name},
};
use croft_control::Cx;
use croft_store::{
    ListBy, Sort,
    records::{
        AccessToken, Disk, Instance, PhysicalDisk, SamlIdentityProvider, Sled, Snapshot, SnapshotStage,
    },
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{people::SILO_ID, rack, stage::date};

/// The name of the demo's identity provider.
pub const PROVIDER: &str = "mock-idp";

/// A certificate whose private key has been discarded.
const CERTIFICATE: &str = "MIIBfTCCASOgAwIBAgIUONnDe0SLj5UI3Ni9CCDGBhF6VxAwCgYIKoZIzj0EAwIwEzERMA8GA1UEAwwIbW9jay1pZHAwIBcNMjYxMTIyMDIwMjQzWhgPMjEyNjEwMjkwMjAyNDNaMBMxETAPBgNVBAMMCG1vY2staWRwMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzMvk4s+rJcUhU5K0kle4oP5TOBUxAI+m+5Wlau1G1gQI20lRkYBceTrxPYX6ieRgNfnegQ5Ig3SO/DIqhmkX+aNTMFEwHQYDVR0OBBYEFMbSxRoVgjApG5FSrbGFugUbukkoMB8GA1UdIwQYMBaAFMbSxRoVgjApG5FSrbGFugUbukkoMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAO+IaKYKynZGE9CCCl8tWIM9QGuJwqVbwAaW9SdANXhXAiBFCwS3oMhud5yUzjWbR6UBQH4tqSlI3jlh3elHsZpegQ==";

/// Creates the identity provider of the demo's silo. Its URLs do not resolve, and nobody has the key of its
/// certificate, so nobody can sign in through it before it is [replaced](place_provider).
pub fn identity_provider(cx: &mut Cx<'_, '_>, silo_id: Uuid) -> Result<()> {
    let provider = SamlIdentityProvider {
        meta: cx.new_meta(),
        silo_id,
        name: Name::literal(PROVIDER),
        description: Description::from(
            "Replaces the identity provider of an organization. Anyone who can reach it can sign in as any \
             user without a password, so it is for demonstrations only",
        ),
        metadata: String::new(),
        sso_location: "https://mock-idp.invalid/".to_owned(),
        signing_certificates: vec![CERTIFICATE.to_owned()],
        idp_entity_id: String::new(),
        sp_client_id: String::new(),
        acs_url: String::new(),
        slo_url: String::new(),
        technical_contact_email: String::new(),
        group_attribute_name: Some("groups".to_owned()),
        signing_key: None,
        next_signing_key: None,
        metadata_url: None,
        old_certificates: Vec::new(),
        is_disabled: false,
        allows_unsolicited: false,
    };
    Ok(cx.tx.insert(&provider)?)
}

/// The URLs and keys of the demo's identity provider.
#[derive(Clone, Debug)]
pub struct ProviderPlace {
    /// The sign-in URL.
    pub sso_location: String,
    /// The URL for responses.
    pub acs_url: String,
    /// Its entity ID.
    pub entity_id: String,
    /// The entity ID of this server.
    pub client_id: String,
    /// Its certificate, in Base64 of DER.
    pub certificate: String,
}

/// Makes the demo's users sign in at a running identity provider, until the next call.
///
/// # Errors
/// The demo's provider has been deleted.
pub fn place_provider(cx: &mut Cx<'_, '_>, place: &ProviderPlace) -> Result<()> {
    let found: Option<SamlIdentityProvider> = cx.tx.get_by_name(SILO_ID, PROVIDER)?;
    let mut provider =
        found.ok_or_else(|| Error::internal("the identity provider of the demo was removed"))?;
    provider.sso_location.clone_from(&place.sso_location);
    provider.acs_url.clone_from(&place.acs_url);
    provider.idp_entity_id.clone_from(&place.entity_id);
    provider.sp_client_id.clone_from(&place.client_id);
    provider.signing_certificates = vec![place.certificate.clone()];
    Ok(cx.tx.update(&mut provider)?)
}

/// Creates bearer tokens of a user. Their secrets are discarded.
pub fn tokens(cx: &mut Cx<'_, '_>, user_id: Uuid, silo_id: Uuid) -> Result<()> {
    for (name, days) in [("laptop", Some(11)), ("terraform", Some(41)), ("backup", None)] {
        let mut token_hash = vec![0; 32];
        cx.random.fill_bytes(&mut token_hash);
        let token = AccessToken {
            meta: cx.new_meta(),
            token_hash,
            user_id,
            silo_id,
            client_id: Uuid::nil(),
            name: name.to_owned(),
            time_expires: days.map(|days| cx.now + SignedDuration::from_hours(24 * days)),
            time_last_used: None,
        };
        cx.tx.insert(&token)?;
    }
    Ok(())
}

/// Marks snapshots as taken, one after the other, as hosts would report.
pub fn snapshot_taken(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<()> {
    let missing = || Error::internal("a snapshot of the demo is missing");
    let mut snapshot: Snapshot = cx.tx.get(id)?.ok_or_else(missing)?;
    snapshot.stage = SnapshotStage::Ready;
    snapshot.time_due = None;
    cx.tx.update(&mut snapshot)?;
    let mut disk: Disk = cx.tx.get(snapshot.disk_id)?.ok_or_else(missing)?;
    disk.snapshotting = None;
    Ok(cx.tx.update(&mut disk)?)
}

/// Prevents the restart of a failed instance until somebody changes it.
pub fn suspend_restart(cx: &mut Cx<'_, '_>, instance: Uuid) -> Result<()> {
    let missing = || Error::internal("an instance of the demo is missing");
    let mut instance: Instance = cx.tx.get(instance)?.ok_or_else(missing)?;
    instance.time_due = None;
    Ok(cx.tx.update(&mut instance)?)
}

/// Sets when the sleds were added to the rack, one after the other.
pub fn sled_dates(cx: &mut Cx<'_, '_>) -> Result<()> {
    for (serial, came) in [
        (rack::GONE[1], "2021-03-01T12:00:00Z"),
        (rack::GONE[0], "2022-05-10T12:00:00Z"),
        (rack::BUSY, "2023-01-20T12:00:00Z"),
        (rack::RESERVED, "2024-06-03T12:00:00Z"),
    ] {
        let id = rack::sled(serial).ok_or_else(|| Error::internal("a sled of the demo is missing"))?;
        if let Some(mut sled) = cx.tx.get::<Sled>(id)? {
            sled.meta.time_created = came.parse::<Timestamp>().map_err(Error::internal)?;
            cx.tx.update(&mut sled)?;
        }
    }
    Ok(())
}

/// Expunges disks of a sled that is in service.
pub fn disks_gone(cx: &mut Cx<'_, '_>) -> Result<()> {
    let disks: Vec<PhysicalDisk> = cx.tx.page(ListBy::All, Sort::IdAsc, None, 100)?;
    for mut disk in disks.into_iter().filter(|disk| rack::GONE_DISKS.contains(&disk.serial.as_str())) {
        disk.expunged = true;
        disk.meta.time_modified = date("2024-11-05T12:00:00Z")?;
        cx.tx.update(&mut disk)?;
    }
    Ok(())
}
