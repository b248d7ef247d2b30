//! Certificates of silos (`docs/rules/identity-and-system.md#certificates`).

mod check;
mod names;
mod private_key;

use croft_api::{
    Error, ResourceKind, Result,
    certificate::{self as api, CertificateCreate, ServiceUsingCertificate},
    page::{NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::{Name, NameOrId},
};
use croft_store::{
    ListBy,
    records::{Certificate, Silo},
};
use uuid::Uuid;
use zeroize::Zeroizing;

pub use check::{Checked, check};

use crate::{
    Caller, Cx, Declaration, Environment, LookupResult, ReadScope, Resource, SiloDeletion,
    authz::{self, Kind, ResourceScope},
    cascade,
    description::check_description,
    paging,
};

crate::authz::kinds! {
    /// The certificates of a silo, as a list.
    CERTIFICATE_LIST = Row::in_silo().fleet(["-", "-", "lc"]).silo(["-", "-", "lc"]);
    /// A certificate of a silo.
    CERTIFICATE = Row::in_silo().fleet(["-", "-", "rm"]).silo(["-", "-", "rm"]);
}

crate::authz::operations! {
    contract {
        CERTIFICATE_LIST = reads(Kind::CERTIFICATE_LIST, Permission::List);
        CERTIFICATE_CREATE = changes(Kind::CERTIFICATE_LIST, Permission::Create, 201);
        CERTIFICATE_VIEW = reads(Kind::CERTIFICATE, Permission::Read);
        CERTIFICATE_DELETE = changes(Kind::CERTIFICATE, Permission::Modify, 204);
    }
}

impl Resource for Certificate {
    const DECLARATION: Declaration =
        Declaration::new(ReadScope::Silo(Kind::CERTIFICATE), SiloDeletion::Goes(cascade::with_silo::<Self>))
            .message(ResourceKind::Certificate);
}

/// The purpose of sealed private keys.
const KEY: &str = "private key of the certificate";

fn to_view(certificate: &Certificate) -> api::Certificate {
    api::Certificate {
        id: certificate.meta.id,
        name: certificate.name.clone(),
        description: certificate.description.clone(),
        time_created: certificate.meta.time_created,
        time_modified: certificate.meta.time_modified,
        service: ServiceUsingCertificate::ExternalApi,
        cert: certificate.chain.clone(),
    }
}

/// Looks up a certificate of the caller's silo. Certificates of other silos are not found, whatever the caller's roles.
fn find(cx: &mut Cx<'_, '_>, caller: &Caller, selector: &NameOrId) -> Result<LookupResult<Certificate>> {
    let record = match selector {
        NameOrId::Id(id) => cx.tx.get(*id)?,
        NameOrId::Name(name) => cx.tx.get_by_name(caller.silo_id, name.as_str())?,
    };
    let own = record.filter(|certificate: &Certificate| certificate.silo_id == caller.silo_id);
    Ok(LookupResult::new(own, selector))
}

fn own_list(caller: &Caller) -> ResourceScope {
    ResourceScope::silo(Kind::CERTIFICATE_LIST, caller.silo_id)
}

/// `certificate_list`: the certificates of the caller's silo.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Certificate>> {
    authz::require(cx, caller, &own_list(caller), &operation::CERTIFICATE_LIST)?;
    let certificates: Vec<Certificate> = paging::page(cx.tx, ListBy::Parent(caller.silo_id), query)?;
    Ok(query.results(certificates.iter().map(to_view).collect()))
}

/// `certificate_create`: for the host names of the caller's silo.
pub fn create(cx: &mut Cx<'_, '_>, caller: &Caller, params: &CertificateCreate) -> Result<api::Certificate> {
    authz::require(cx, caller, &own_list(caller), &operation::CERTIFICATE_CREATE)?;
    let silo: Option<Silo> = cx.tx.get(caller.silo_id)?;
    let silo = silo.ok_or_else(|| Error::unauthenticated("the caller's silo is gone"))?;
    let certificate = add(cx, silo.meta.id, &silo.name, params)?;
    Ok(to_view(&certificate))
}

/// Checks and stores a certificate of a silo; also used while a silo is being created.
///
/// # Errors
/// The first check that fails, in the order of `docs/rules/identity-and-system.md#certificates`; a name that is taken.
pub(crate) fn add(
    cx: &mut Cx<'_, '_>,
    silo_id: Uuid,
    silo_name: &Name,
    params: &CertificateCreate,
) -> Result<Certificate> {
    check_description(&params.identity.description)?;
    let hosts = cx.settings().host_names(silo_name);
    let checked = check(cx.now, &hosts, &params.cert, &params.key)?;
    let meta = cx.new_meta();
    let key = params.key.as_bytes();
    let certificate = Certificate {
        silo_id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        chain: params.cert.clone(),
        sealed_key: cx.environment.secret_key.seal(cx.random, KEY, meta.id, key)?,
        time_expires: checked.time_expires,
        meta,
    };
    cx.insert_named(ResourceKind::Certificate, &certificate)?;
    Ok(certificate)
}

/// The private key of a certificate, in PEM.
pub(crate) fn open_key(environment: &Environment, certificate: &Certificate) -> Result<Zeroizing<Vec<u8>>> {
    environment.secret_key.open(KEY, certificate.meta.id, &certificate.sealed_key)
}

/// `certificate_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, certificate: &NameOrId) -> Result<api::Certificate> {
    let certificate = find(cx, caller, certificate)?.authorize(cx, caller, &operation::CERTIFICATE_VIEW)?;
    Ok(to_view(&certificate))
}

/// `certificate_delete`: allowed for the last one, too. The record is removed at once, with its key.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, certificate: &NameOrId) -> Result<()> {
    let certificate = find(cx, caller, certificate)?.authorize(cx, caller, &operation::CERTIFICATE_DELETE)?;
    cx.tx.remove::<Certificate>(certificate.meta.id, cx.now)?;
    Ok(())
}
