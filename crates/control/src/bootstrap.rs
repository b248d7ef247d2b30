//! The initial records of a new database, and what an operator can do on the server's own host
//! (`docs/rules/identity-and-system.md#first-start`).

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
};

use croft_api::{
    Error, ResourceKind, Result,
    address_lot::{AddressLotBlockCreate, AddressLotCreate, AddressLotKind},
    identity::IdentityCreate,
    scalar::{Description, Name, UserId},
};
use croft_store::{
    Meta,
    records::{
        FLEET, FleetRole, IdentityMode, IpPool, IpPoolSiloLink, Quota, Role, RoleIdentity, RoleScope, Silo,
        SiloRole, SiloUser, Usage,
    },
};
use uuid::Uuid;

use crate::{
    Cx, address_lot, allow_list, ip_pool, rack, role_assignment,
    silo::{DEFAULT_SILO, INTERNAL_SILO},
    switch_port, token, update, usage,
    user::{self, PasswordState},
    user_builtin,
};

/// The operator's choices for a new database.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    /// The first silo.
    pub silo_name: Name,
    /// Its first user, who is administrator of the silo and of the fleet.
    pub admin_name: UserId,
    /// The hash of that user's password, in PHC form.
    pub password_hash: String,
    /// Whether that user must choose another password at the first sign-in.
    pub must_change_password: bool,
    /// The first silo's quota.
    pub quota: Quota,
    /// The first IP pool: the default pool of the first silo.
    pub pool: PoolBootstrap,
}

/// The IP pool of a new database.
#[derive(Clone, Debug)]
pub struct PoolBootstrap {
    /// Its name.
    pub name: Name,
    /// The first address.
    pub first: IpAddr,
    /// The last address.
    pub last: IpAddr,
}

impl Default for PoolBootstrap {
    /// A part of 10.0.0.0/8 that home and office networks seldom use.
    fn default() -> Self {
        Self {
            name: Name::literal("default"),
            first: IpAddr::from([10, 128, 0, 10]),
            last: IpAddr::from([10, 128, 255, 250]),
        }
    }
}

/// The result of [`run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The database was new and has been set up.
    Created {
        /// The first silo.
        silo_id: Uuid,
        /// Its first user.
        user_id: Uuid,
    },
    /// The database had already been set up and was not changed.
    Present,
}

/// Whether the database needs to be set up. This check avoids hashing a password unnecessarily.
pub fn is_needed(cx: &mut Cx<'_, '_>) -> Result<bool> {
    Ok(cx.tx.get::<Usage>(FLEET)?.is_none())
}

/// Sets up a new database: the fleet, the built-in silos, the service pool, the first silo with its administrator, one
/// IP pool, one address lot, the rack. Does nothing if the database has been set up.
pub fn run(cx: &mut Cx<'_, '_>, bootstrap: &Bootstrap) -> Result<Outcome> {
    if !is_needed(cx)? {
        return Ok(Outcome::Present);
    }
    usage::open(cx, FLEET, None, None, None)?;
    user_builtin::load(cx)?;
    built_in_silos(cx)?;
    allow_list::open(cx)?;
    update::open(cx)?;
    ip_pool::open_service(cx, INTERNAL_SILO)?;
    let silo_id = first_silo(cx, bootstrap)?;
    let user = SiloUser {
        meta: cx.new_meta(),
        silo_id,
        external_id: bootstrap.admin_name.to_string(),
        password_hash: Some(bootstrap.password_hash.clone()),
        must_change_password: bootstrap.must_change_password,
    };
    cx.insert_named(ResourceKind::SiloUser, &user)?;
    let first_user = RoleIdentity::User(user.meta.id);
    role_assignment::assign(cx, RoleScope::Silo(silo_id), Some(silo_id), first_user, Role::Admin)?;
    first_pool(cx, &bootstrap.pool, silo_id)?;
    first_lot(cx)?;
    let rack = rack::ensure(cx)?;
    switch_port::first(cx, &rack)?;
    Ok(Outcome::Created { silo_id, user_id: user.meta.id })
}

fn built_in_silos(cx: &mut Cx<'_, '_>) -> Result<()> {
    let plenty =
        Quota { cpus: 9_999_999_999, memory: 999_999_999_999_999_999, storage: 999_999_999_999_999_999 };
    let silos = [
        (DEFAULT_SILO, "default-silo", "built-in silo for resources that belong to no other silo", plenty),
        (
            INTERNAL_SILO,
            "croft-internal",
            "built-in silo for the system's internal networking",
            Quota::default(),
        ),
    ];
    for (id, name, description, quota) in silos {
        let silo = Silo {
            meta: Meta::new(id, cx.now),
            name: Name::literal(name),
            description: Description::from(description),
            discoverable: false,
            identity_mode: IdentityMode::LocalOnly,
            mapped_fleet_roles: BTreeMap::new(),
        };
        cx.tx.insert(&silo)?;
        usage::open(cx, id, Some(id), None, Some(quota))?;
    }
    Ok(())
}

fn first_silo(cx: &mut Cx<'_, '_>, bootstrap: &Bootstrap) -> Result<Uuid> {
    let silo = Silo {
        meta: cx.new_meta(),
        name: bootstrap.silo_name.clone(),
        description: Description::from("built-in recovery Silo"),
        discoverable: true,
        identity_mode: IdentityMode::LocalOnly,
        mapped_fleet_roles: BTreeMap::from([(SiloRole::Admin, BTreeSet::from([FleetRole::Admin]))]),
    };
    cx.insert_named(ResourceKind::Silo, &silo)?;
    let id = silo.meta.id;
    usage::open(cx, id, Some(id), None, Some(bootstrap.quota))?;
    Ok(id)
}

fn first_pool(cx: &mut Cx<'_, '_>, params: &PoolBootstrap, silo_id: Uuid) -> Result<()> {
    if params.first.is_ipv4() != params.last.is_ipv4() || params.first > params.last {
        return Err(Error::invalid_value(
            "pool",
            "the last address must follow the first, in one address family",
        ));
    }
    let pool = IpPool {
        meta: cx.new_meta(),
        name: params.name.clone(),
        description: Description::from("external addresses for instances"),
    };
    ip_pool::open(cx, &pool)?;
    let ip_pool_id = pool.meta.id;
    ip_pool::insert_range(cx, ip_pool_id, params.first, params.last)?;
    let link = IpPoolSiloLink { meta: cx.new_meta(), ip_pool_id, silo_id, is_default: true };
    Ok(cx.tx.insert(&link)?)
}

/// The addresses of the rack's infrastructure: a part of 10.0.0.0/8 beside that of the first pool.
fn first_lot(cx: &mut Cx<'_, '_>) -> Result<()> {
    let block = AddressLotBlockCreate {
        first_address: IpAddr::from([10, 127, 0, 1]),
        last_address: IpAddr::from([10, 127, 0, 254]),
    };
    let lot = AddressLotCreate {
        identity: IdentityCreate {
            name: Name::literal("initial-infra"),
            description: Description::from("addresses of the rack's infrastructure"),
        },
        kind: AddressLotKind::Infra,
        blocks: vec![block],
    };
    address_lot::open(cx, &lot).map(|_| ())
}

/// Whether the initial password of a user is no longer needed: the user has chosen another one, or has been deleted. A
/// sign-in with it does not suffice: it is needed again if that session ends before another password was chosen.
pub fn first_password_has_served(cx: &mut Cx<'_, '_>, silo: &Name, user: &UserId) -> Result<bool> {
    let user = match token::user(cx, silo, user) {
        Ok(user) => user,
        Err(Error::NotFound { .. } | Error::NotFoundText(_)) => return Ok(true),
        Err(error) => return Err(error),
    };
    Ok(!user.must_change_password && user.meta.time_modified > user.meta.time_created)
}

/// Sets a user's password, given its hash in PHC form, and ends the user's sessions and tokens. With `must_change` the
/// user must choose another one at the next sign-in.
pub fn reset_password(
    cx: &mut Cx<'_, '_>,
    silo: &Name,
    user: &UserId,
    password_hash: &str,
    must_change: bool,
) -> Result<()> {
    let user = token::user(cx, silo, user)?;
    let change = PasswordState { hash: Some(password_hash.to_owned()), must_change };
    user::store_password(cx, user, change, None)
}
