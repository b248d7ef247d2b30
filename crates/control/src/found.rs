use std::ops::{Deref, DerefMut};

use croft_api::{Error, Lookup, ResourceKind, Result, scalar::NameOrId};
use croft_store::{
    Record, Tx,
    records::{
        AccessToken, Certificate, Disk, FloatingIp, Instance, InternetGateway, InternetGatewayIpAddress,
        InternetGatewayIpPool, IpPool, NetworkInterface, Project, RouterRoute, SamlIdentityProvider, Silo,
        SiloGroup, SiloUser, SshKey, UserBuiltin, Vpc, VpcRouter, VpcSubnet,
    },
};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, Permission, Place},
};

/// The record that is selected among those that are part of nothing else.
pub(crate) fn top_level<R: Record>(tx: &mut Tx<'_>, selector: &NameOrId) -> Result<Option<R>> {
    Ok(match selector {
        NameOrId::Id(id) => tx.get(*id)?,
        NameOrId::Name(name) => tx.get_by_name(Uuid::nil(), name.as_str())?,
    })
}

/// A stored object that permissions protect.
pub trait Protected {
    /// The kind in messages.
    const RESOURCE: ResourceKind;

    /// Where it stands.
    fn place(&self) -> Place;

    /// Its id, if it is an instance: the audit log keeps what was done to each instance.
    fn as_instance(&self) -> Option<Uuid> {
        None
    }
}

impl Protected for Silo {
    const RESOURCE: ResourceKind = ResourceKind::Silo;

    fn place(&self) -> Place {
        Place::silo(Kind::Silo, self.meta.id)
    }
}

impl Protected for IpPool {
    const RESOURCE: ResourceKind = ResourceKind::IpPool;

    fn place(&self) -> Place {
        Place::fleet(Kind::IpPool)
    }
}

impl Protected for UserBuiltin {
    const RESOURCE: ResourceKind = ResourceKind::UserBuiltin;

    fn place(&self) -> Place {
        Place::fleet(Kind::BuiltinUser)
    }
}

impl Protected for Project {
    const RESOURCE: ResourceKind = ResourceKind::Project;

    fn place(&self) -> Place {
        Place::project(Kind::Project, self.silo_id, self.meta.id)
    }
}

impl Protected for Instance {
    const RESOURCE: ResourceKind = ResourceKind::Instance;

    fn place(&self) -> Place {
        Place::project(Kind::Instance, self.silo_id, self.project_id)
    }

    fn as_instance(&self) -> Option<Uuid> {
        Some(self.meta.id)
    }
}

impl Protected for Disk {
    const RESOURCE: ResourceKind = ResourceKind::Disk;

    fn place(&self) -> Place {
        Place::project(Kind::Disk, self.silo_id, self.project_id)
    }
}

impl Protected for Vpc {
    const RESOURCE: ResourceKind = ResourceKind::Vpc;

    fn place(&self) -> Place {
        Place::project(Kind::Vpc, self.silo_id, self.project_id)
    }
}

impl Protected for VpcSubnet {
    const RESOURCE: ResourceKind = ResourceKind::VpcSubnet;

    fn place(&self) -> Place {
        Place::project(Kind::Vpc, self.silo_id, self.project_id)
    }
}

impl Protected for VpcRouter {
    const RESOURCE: ResourceKind = ResourceKind::VpcRouter;

    fn place(&self) -> Place {
        Place::project(Kind::Vpc, self.silo_id, self.project_id)
    }
}

impl Protected for RouterRoute {
    const RESOURCE: ResourceKind = ResourceKind::RouterRoute;

    fn place(&self) -> Place {
        Place::project(Kind::Vpc, self.silo_id, self.project_id)
    }
}

impl Protected for InternetGateway {
    const RESOURCE: ResourceKind = ResourceKind::InternetGateway;

    fn place(&self) -> Place {
        Place::project(Kind::Vpc, self.silo_id, self.project_id)
    }
}

impl Protected for InternetGatewayIpPool {
    const RESOURCE: ResourceKind = ResourceKind::InternetGatewayIpPool;

    fn place(&self) -> Place {
        Place::project(Kind::Vpc, self.silo_id, self.project_id)
    }
}

impl Protected for InternetGatewayIpAddress {
    const RESOURCE: ResourceKind = ResourceKind::InternetGatewayIpAddress;

    fn place(&self) -> Place {
        Place::project(Kind::Vpc, self.silo_id, self.project_id)
    }
}

impl Protected for NetworkInterface {
    const RESOURCE: ResourceKind = ResourceKind::InstanceNetworkInterface;

    fn place(&self) -> Place {
        Place::project(Kind::Instance, self.silo_id, self.project_id)
    }
}

impl Protected for FloatingIp {
    const RESOURCE: ResourceKind = ResourceKind::FloatingIp;

    fn place(&self) -> Place {
        Place::project(Kind::FloatingIp, self.silo_id, self.project_id)
    }
}

impl Protected for Certificate {
    const RESOURCE: ResourceKind = ResourceKind::Certificate;

    fn place(&self) -> Place {
        Place::silo(Kind::Certificate, self.silo_id)
    }
}

impl Protected for SamlIdentityProvider {
    const RESOURCE: ResourceKind = ResourceKind::SamlIdentityProvider;

    fn place(&self) -> Place {
        Place::silo(Kind::IdentityProvider, self.silo_id)
    }
}

impl Protected for SiloUser {
    const RESOURCE: ResourceKind = ResourceKind::SiloUser;

    fn place(&self) -> Place {
        Place::user(Kind::SiloUser, self.silo_id, self.meta.id)
    }
}

impl Protected for SiloGroup {
    const RESOURCE: ResourceKind = ResourceKind::SiloGroup;

    fn place(&self) -> Place {
        Place::silo(Kind::SiloGroup, self.silo_id)
    }
}

impl Protected for SshKey {
    const RESOURCE: ResourceKind = ResourceKind::SshKey;

    fn place(&self) -> Place {
        Place::user(Kind::SshKey, self.silo_id, self.user_id)
    }
}

impl Protected for AccessToken {
    const RESOURCE: ResourceKind = ResourceKind::DeviceAccessToken;

    fn place(&self) -> Place {
        Place::user(Kind::AccessToken, self.silo_id, self.user_id)
    }
}

/// An object that was looked up, and of which nothing is known yet: it may be missing, and the caller may not be
/// allowed to know of it. Only [`Found::authorize`] gives the object out.
#[must_use]
pub struct Found<T> {
    record: Option<T>,
    lookup: Lookup,
}

/// An object that the caller was allowed to do something with.
#[derive(Clone, Debug)]
pub struct Authorized<T>(T);

impl<T: Protected> Found<T> {
    /// The outcome of looking something up.
    pub(crate) fn new(record: Option<T>, lookup: impl Into<Lookup>) -> Self {
        Self { record, lookup: lookup.into() }
    }

    /// The object, if it is there and the caller may do this with it. An object that the caller may not read is not
    /// found; one that the caller may read, but not do this with, is forbidden.
    pub fn authorize(
        self,
        cx: &mut Cx<'_, '_>,
        caller: &Caller,
        permission: impl Into<Permission>,
    ) -> Result<Authorized<T>> {
        let Self { record, lookup } = self;
        let permission = permission.into();
        let Some(record) = record else { return Err(Error::not_found(T::RESOURCE, lookup)) };
        let place = record.place();
        if authz::permits(cx, caller, &place, permission)? {
            cx.instance_id = record.as_instance().or(cx.instance_id);
            return Ok(Authorized(record));
        }
        if permission != Permission::Read && authz::permits(cx, caller, &place, Permission::Read)? {
            cx.instance_id = record.as_instance().or(cx.instance_id);
            return Err(Error::Forbidden);
        }
        Err(Error::not_found(T::RESOURCE, lookup))
    }
}

impl<T> Authorized<T> {
    /// The object itself.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Authorized<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Authorized<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
