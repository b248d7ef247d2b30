//! Silos, users, groups and roles of the [control plane](Cloud) under test.

use std::collections::BTreeMap;

use croft_api::{Result, scalar::Name};
use croft_control::{Credentials, login, token};
use croft_store::{
    Meta, Tx,
    records::{
        IdentityMode, Project, Resources, Role, RoleAssignment, RoleIdentity, RoleScope,
        SamlIdentityProvider, Silo, SiloGroup, SiloGroupMembership, SiloUser, Usage,
    },
};
use uuid::Uuid;

use crate::kit::{Cloud, User};

impl Cloud {
    pub fn silo(&mut self, name: &'static str, quota: Resources) -> Uuid {
        self.rule(move |cx| {
            let silo = Silo {
                meta: cx.new_meta(),
                name: Name::literal(name),
                description: "".into(),
                discoverable: true,
                identity_mode: IdentityMode::LocalOnly,
                mapped_fleet_roles: BTreeMap::default(),
            };
            cx.tx.insert(&silo)?;
            let id = silo.meta.id;
            let meta = Meta::new(id, cx.now);
            let usage = Usage::none(meta, Some(id), None, Some(quota));
            cx.tx.insert(&usage)?;
            Ok(id)
        })
        .unwrap()
    }

    pub fn user(&mut self, silo: Uuid, name: &'static str) -> User {
        let (id, silo_name) = self
            .rule(move |cx| {
                let user = SiloUser {
                    meta: cx.new_meta(),
                    silo_id: silo,
                    external_id: name.to_owned(),
                    password_hash: Some(format!("hash of {name}")),
                    must_change_password: false,
                };
                cx.tx.insert(&user)?;
                let silo: Silo = cx.tx.get(silo)?.unwrap();
                Ok((user.meta.id, silo.name))
            })
            .unwrap();
        self.with_token(id, silo, silo_name.as_str(), name)
    }

    /// A user with a token, given the ID of the silo only.
    pub fn token_of(&mut self, id: Uuid, silo: Uuid, name: &str) -> User {
        let found = self.rule(move |cx| Ok(cx.tx.get::<Silo>(silo)?.unwrap().name)).unwrap();
        self.with_token(id, silo, found.as_str(), name)
    }

    pub fn with_token(&mut self, id: Uuid, silo: Uuid, silo_name: &str, name: &str) -> User {
        let (silo_name, name): (Name, croft_api::scalar::UserId) =
            (silo_name.parse().unwrap(), name.parse().unwrap());
        let token = self
            .rule(move |cx| token::create(cx, &silo_name, &name, &"test".parse().unwrap(), None))
            .unwrap();
        let authorization = Some(format!("Bearer {}", token.text));
        User { id, silo, credentials: Credentials { session_cookie: None, authorization } }
    }

    /// The same user, signed in with a browser.
    pub fn browser(&mut self, user: &User) -> User {
        let id = user.id;
        let session = self.rule(move |cx| login::without_proof(cx, id)).unwrap();
        let credentials = Credentials { session_cookie: Some(session.token), authorization: None };
        User { credentials, ..user.clone() }
    }

    pub fn grant(&mut self, identity: RoleIdentity, scope: RoleScope, role: Role) {
        self.rule(move |cx| {
            let (meta, silo_id) = (cx.new_meta(), silo_of(cx.tx, scope)?);
            Ok(cx.tx.insert(&RoleAssignment { meta, scope, silo_id, identity, role })?)
        })
        .unwrap();
    }

    pub fn join(&mut self, silo_id: Uuid, group_id: Uuid, user: &User) {
        let user_id = user.id;
        self.rule(move |cx| {
            let meta = cx.new_meta();
            Ok(cx.tx.insert(&SiloGroupMembership { meta, silo_id, group_id, user_id })?)
        })
        .unwrap();
    }

    pub fn group(&mut self, silo_id: Uuid, name: &'static str, members: &[&User]) -> Uuid {
        let members: Vec<Uuid> = members.iter().map(|user| user.id).collect();
        self.rule(move |cx| {
            let group = SiloGroup { meta: cx.new_meta(), silo_id, external_id: name.to_owned() };
            cx.tx.insert(&group)?;
            for user_id in &members {
                let membership = SiloGroupMembership {
                    meta: cx.new_meta(),
                    silo_id,
                    group_id: group.meta.id,
                    user_id: *user_id,
                };
                cx.tx.insert(&membership)?;
            }
            Ok(group.meta.id)
        })
        .unwrap()
    }
}

fn silo_of(tx: &mut Tx<'_>, scope: RoleScope) -> Result<Option<Uuid>> {
    Ok(match scope {
        RoleScope::Fleet => None,
        RoleScope::Silo(silo) => Some(silo),
        RoleScope::Project(project) => tx.get::<Project>(project)?.map(|project| project.silo_id),
    })
}

/// An identity provider that is not usable for signing in.
pub fn identity_provider(meta: Meta, silo_id: Uuid, name: &str) -> SamlIdentityProvider {
    SamlIdentityProvider {
        meta,
        silo_id,
        name: name.parse().unwrap(),
        description: "".into(),
        metadata: String::new(),
        sso_location: String::new(),
        signing_certificates: Vec::new(),
        idp_entity_id: String::new(),
        sp_client_id: String::new(),
        acs_url: String::new(),
        slo_url: String::new(),
        technical_contact_email: String::new(),
        group_attribute_name: None,
        signing_key: None,
        next_signing_key: None,
        metadata_url: None,
        old_certificates: Vec::new(),
        is_disabled: false,
        allows_unsolicited: false,
    }
}
