//! Silos (`docs/rules/identity-and-system.md#silos`).

mod built_in;

use std::collections::{BTreeMap, BTreeSet};

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    page::{NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::NameOrId,
    silo::{self as api, SiloCreate, SiloIdentityMode},
};
use croft_store::{
    ListBy, StoreError,
    records::{
        Certificate, IdentityMode, Image, IpPool, IpPoolSiloLink, Project, Role, RoleIdentity, RoleScope,
        SamlIdentityProvider, Silo, SiloGroup, SiloUser,
    },
};
use uuid::Uuid;

pub(crate) use built_in::{DEFAULT_SILO, INTERNAL_SILO, is_built_in, is_default_silo};

pub use crate::cascade::{census, is_of_projects};
use crate::{
    Authorized, Caller, Cx, Declaration, LookupResult, Operation, ReadScope, Resource, SiloDeletion,
    authz::{self, Kind, Permission, ResourceScope},
    cascade, certificate,
    deletable::{self, Deletable},
    dependents::Dependents,
    description::check_description,
    lookup, paging, role_assignment, usage,
};

crate::authz::kinds! {
    /// A silo and its policy.
    SILO = Row::in_silo().fleet(["r", "rm", "rm"]).silo(["rl", "rlc", "rlcm"]).member("r");
}

crate::authz::operations! {
    contract {
        SILO_LIST = reads(Kind::FLEET, Permission::List);
        SILO_CREATE = changes(Kind::FLEET, Permission::Create, 201);
        SILO_VIEW = reads(Kind::SILO, Permission::Read);
        SILO_DELETE = changes(Kind::SILO, Permission::Modify, 204);
    }
}

impl Resource for Silo {
    // The rule that deletes the silo deletes this record.
    const DECLARATION: Declaration = Declaration::new(ReadScope::Silo(Kind::SILO), SiloDeletion::Stays)
        .message(ResourceKind::Silo)
        .deletable(Self::DELETABLE);
}

/// Maximum length of the name of an administrators' group, in characters.
const MAX_GROUP_NAME: usize = 255;

fn to_view(silo: &Silo) -> api::Silo {
    api::Silo {
        id: silo.meta.id,
        name: silo.name.clone(),
        description: silo.description.clone(),
        time_created: silo.meta.time_created,
        time_modified: silo.meta.time_modified,
        discoverable: silo.discoverable,
        identity_mode: match silo.identity_mode {
            IdentityMode::LocalOnly => SiloIdentityMode::LocalOnly,
            IdentityMode::SamlJit => SiloIdentityMode::SamlJit,
        },
        mapped_fleet_roles: converted(&silo.mapped_fleet_roles),
    }
}

/// The mapping from silo roles to fleet roles, converted between the stored form and that of the API.
fn converted<S, F, T, G>(roles: &BTreeMap<S, BTreeSet<F>>) -> BTreeMap<T, BTreeSet<G>>
where
    S: Copy,
    F: Copy,
    T: From<S> + Ord,
    G: From<F> + Ord,
{
    let fleet = |roles: &BTreeSet<F>| roles.iter().copied().map(G::from).collect();
    roles.iter().map(|(role, mapped)| (T::from(*role), fleet(mapped))).collect()
}

/// Looks a silo up.
pub fn find(cx: &mut Cx<'_, '_>, selector: &NameOrId) -> Result<LookupResult<Silo>> {
    Ok(LookupResult::new(lookup::top_level(cx.tx, selector)?, selector))
}

/// The parent silo of a resource. The caller must be allowed to see it.
pub(crate) fn enter(cx: &mut Cx<'_, '_>, caller: &Caller, selector: &NameOrId) -> Result<Authorized<Silo>> {
    Ok(find(cx, selector)?.authorize(cx, caller, Permission::Read)?.noted_for_audit(cx))
}

/// `silo_list`: discoverable silos.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Silo>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SILO_LIST)?;
    let silos: Vec<Silo> = paging::page(cx.tx, ListBy::lookup(Silo::DISCOVERABLE, true), query)?;
    Ok(query.results(silos.iter().map(to_view).collect()))
}

/// `silo_view`: any, discoverable or not.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<api::Silo> {
    Ok(to_view(&*find(cx, silo)?.authorize(cx, caller, &operation::SILO_VIEW)?))
}

/// `silo_create`: with its quota, its certificates and its administrators' group. The creator gets no role in it.
pub fn create(cx: &mut Cx<'_, '_>, caller: &Caller, params: &SiloCreate) -> Result<api::Silo> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SILO_CREATE)?;
    let fleet = ResourceScope::fleet(Kind::FLEET);
    if !params.mapped_fleet_roles.is_empty() && !authz::permits(cx, caller, &fleet, Permission::Modify)? {
        return Err(Error::Forbidden);
    }
    check_description(&params.identity.description)?;
    let quota = usage::quota_of(&params.quotas)?;
    let silo = Silo {
        meta: cx.new_meta(),
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        discoverable: params.discoverable,
        identity_mode: match params.identity_mode {
            SiloIdentityMode::LocalOnly => IdentityMode::LocalOnly,
            SiloIdentityMode::SamlJit => IdentityMode::SamlJit,
        },
        mapped_fleet_roles: converted(&params.mapped_fleet_roles),
    };
    cx.insert_named(ResourceKind::Silo, &silo)?;
    let id = silo.meta.id;
    usage::open(cx, id, Some(id), None, Some(quota))?;
    for certificate in &params.tls_certificates {
        certificate::add(cx, id, &silo.name, certificate)?;
    }
    if let Some(name) = &params.admin_group_name {
        add_administrators(cx, id, name)?;
    }
    Ok(to_view(&silo))
}

/// Creates the group whose members are the silo's administrators.
fn add_administrators(cx: &mut Cx<'_, '_>, silo: Uuid, name: &str) -> Result<()> {
    let refused = |text: &str| Err(Error::invalid_value("admin_group_name", text));
    if name.trim().is_empty() {
        return refused("must not be empty");
    }
    if name.chars().count() > MAX_GROUP_NAME {
        return refused("must be no longer than 255 characters");
    }
    let group = SiloGroup { meta: cx.new_meta(), silo_id: silo, external_id: name.to_owned() };
    cx.insert_named(ResourceKind::SiloGroup, &group)?;
    role_assignment::assign(
        cx,
        RoleScope::Silo(silo),
        Some(silo),
        RoleIdentity::Group(group.meta.id),
        Role::Admin,
    )
}

/// `silo_delete`: refused while there is a project in it; deletes everything else in it.
///
/// # Errors
/// There is a project in it; no administrator of the fleet who can sign in would be left.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<()> {
    let mut silo = find(cx, silo)?.authorize(cx, caller, &operation::SILO_DELETE)?.into_inner();
    deletable::require(cx, caller, &silo)?;
    let had_administrator = authz::fleet::has_administrator(cx.tx)?;
    cascade::remove(cx, silo.meta.id)?;
    cx.tx.delete(&mut silo, cx.now).map_err(|error| match error {
        StoreError::Conflict => Error::invalid_request("silo deletion failed due to concurrent modification"),
        error => error.into(),
    })?;
    if had_administrator {
        authz::fleet::require_administrator(cx)?;
    }
    Ok(())
}

// The fleet keeps an administrator who can sign in: that is checked when the silo is gone.
impl Deletable for Silo {
    const DELETION: Operation = operation::SILO_DELETE;
    const PATH: &'static str = "/v1/system/silos/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id))
    }

    fn refuse(&self, cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
        if is_built_in(self.meta.id) {
            return Err(Error::invalid_request("built-in silos cannot be deleted"));
        }
        authz::fleet::require_for_mapping(cx, caller, self)
    }

    fn blockers(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let projects = Dependents::list::<Project>(DeletionEffect::Prevents, ListBy::Parent(self.meta.id));
        Ok(vec![projects.along().refused_because("silo to be deleted contains a project")])
    }

    fn effects(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (deleted, within) = (DeletionEffect::Deleted, || ListBy::Parent(self.meta.id));
        let mut pools: Vec<IpPool> = Vec::new();
        for link in paging::all::<IpPoolSiloLink>(cx.tx, &ListBy::lookup(IpPoolSiloLink::SILO, self.meta.id))?
        {
            pools.extend(cx.tx.get::<IpPool>(link.ip_pool_id)?);
        }
        Ok(vec![
            Dependents::list::<SiloUser>(deleted, within()),
            Dependents::list::<SiloGroup>(deleted, within()),
            Dependents::list::<Image>(deleted, within()),
            Dependents::list::<SamlIdentityProvider>(deleted, within()),
            Dependents::list::<Certificate>(deleted, within()),
            Dependents::found(DeletionEffect::Changed, &pools),
        ])
    }
}
