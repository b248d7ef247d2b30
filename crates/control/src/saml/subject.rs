//! Maps assertions to users and groups (`docs/rules/identity-and-system.md#users-from-assertions`).

use std::collections::BTreeSet;

use croft_api::{Error, Result};
use croft_saml::Assertion;
use croft_store::{
    ListBy,
    records::{SamlIdentityProvider, SiloGroup, SiloGroupMembership, SiloUser},
};
use uuid::Uuid;

use crate::{Cx, paging};

/// Maximum length of the name of a user or a group, in characters. SAML limits names to 256.
const MAX_NAME: usize = 512;
/// Maximum number of groups of a user.
const MAX_GROUPS: usize = 1000;

/// The subject of an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    name: String,
    groups: BTreeSet<String>,
}

impl Subject {
    /// Reads an assertion. Each value of the group attribute may contain several groups, separated by commas.
    pub(super) fn read(assertion: &Assertion, group_attribute: Option<&str>) -> Result<Self> {
        let groups: BTreeSet<String> = group_attribute
            .into_iter()
            .flat_map(|attribute| assertion.values(attribute))
            .flat_map(|value| value.split(','))
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect();
        if groups.len() > MAX_GROUPS {
            return Err(Error::Parse(format!("SAMLResponse names more than {MAX_GROUPS} groups")));
        }
        for name in groups.iter().chain([&assertion.name_id]) {
            if name.chars().count() > MAX_NAME || name.contains(char::is_control) {
                let text = format!(
                    "SAMLResponse contains a name that is not a single line of at most {MAX_NAME} characters"
                );
                return Err(Error::Parse(text));
            }
        }
        Ok(Self { name: assertion.name_id.clone(), groups })
    }

    /// Returns the user. Creates the user at the first sign-in, and synchronizes the user's groups, creating missing
    /// ones.
    pub(super) fn bring_up_to_date(
        &self,
        cx: &mut Cx<'_, '_>,
        provider: &SamlIdentityProvider,
    ) -> Result<SiloUser> {
        self.enter(cx, provider.silo_id)
    }

    fn enter(&self, cx: &mut Cx<'_, '_>, silo: Uuid) -> Result<SiloUser> {
        let user = match cx.tx.get_by_name::<SiloUser>(silo, &self.name)? {
            Some(user) => user,
            None => add_user(cx, silo, &self.name)?,
        };
        let mut wanted = BTreeSet::new();
        for name in &self.groups {
            wanted.insert(group(cx, silo, name)?);
        }
        replace_memberships(cx, &user, wanted)?;
        Ok(user)
    }
}

/// Creates the user and groups of a sign-in without a response from a provider, for example data.
pub fn introduce(cx: &mut Cx<'_, '_>, silo: Uuid, name: &str, groups: &[&str]) -> Result<SiloUser> {
    let groups = groups.iter().map(|group| (*group).to_owned()).collect();
    Subject { name: name.to_owned(), groups }.enter(cx, silo)
}

fn add_user(cx: &mut Cx<'_, '_>, silo_id: Uuid, name: &str) -> Result<SiloUser> {
    let user = SiloUser {
        meta: cx.new_meta(),
        silo_id,
        external_id: name.to_owned(),
        password_hash: None,
        must_change_password: false,
    };
    cx.tx.insert(&user)?;
    Ok(user)
}

fn group(cx: &mut Cx<'_, '_>, silo_id: Uuid, name: &str) -> Result<Uuid> {
    if let Some(group) = cx.tx.get_by_name::<SiloGroup>(silo_id, name)? {
        return Ok(group.meta.id);
    }
    let group = SiloGroup { meta: cx.new_meta(), silo_id, external_id: name.to_owned() };
    cx.tx.insert(&group)?;
    Ok(group.meta.id)
}

fn replace_memberships(cx: &mut Cx<'_, '_>, user: &SiloUser, mut wanted: BTreeSet<Uuid>) -> Result<()> {
    let by = ListBy::lookup(SiloGroupMembership::USER, user.meta.id);
    for mut membership in paging::all::<SiloGroupMembership>(cx.tx, &by)? {
        if !wanted.remove(&membership.group_id) {
            // Soft deletion, because live events need the former member.
            cx.tx.delete(&mut membership, cx.now)?;
        }
    }
    for group_id in wanted {
        let membership = SiloGroupMembership {
            meta: cx.new_meta(),
            silo_id: user.silo_id,
            group_id,
            user_id: user.meta.id,
        };
        cx.tx.insert(&membership)?;
    }
    Ok(())
}
