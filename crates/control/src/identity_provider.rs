//! The identity providers of a silo, and how its users can sign in.

use croft_api::{
    Error, ResourceKind, Result,
    identity_provider::{IdentityProvider, IdentityProviderType, LoginOptions, LoginSilo},
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    scalar::Name,
    silo::{SiloIdentityMode, SiloSelector},
};
use croft_store::{
    ListBy, Sort,
    records::{IdentityMode, SamlIdentityProvider, Silo},
};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, ResourceScope},
    paging, silo,
};

crate::authz::kinds! {
    /// The identity providers of a silo, as a list.
    PROVIDER_LIST = Row::in_silo().fleet(["l", "l", "lc"]).silo(["l", "l", "lc"]).member("l");
    /// An identity provider of a silo.
    IDENTITY_PROVIDER = Row::in_silo().fleet(["r", "r", "rm"]).silo(["r", "r", "rm"]);
}

crate::authz::operations! {
    contract {
        SILO_IDENTITY_PROVIDER_LIST = reads(Kind::PROVIDER_LIST, Permission::List);
    }
    extensions {
        LOGIN_OPTIONS = open_reads(Kind::SILO, 200);
    }
}

/// Maximum number of silos or providers listed on a sign-in page.
const MAX_SHOWN: usize = 1000;

fn to_view(provider: &SamlIdentityProvider) -> IdentityProvider {
    IdentityProvider {
        id: provider.meta.id,
        name: provider.name.clone(),
        description: provider.description.clone(),
        time_created: provider.meta.time_created,
        time_modified: provider.meta.time_modified,
        provider_type: IdentityProviderType::Saml,
    }
}

/// `silo_identity_provider_list`: of any silo that the caller may see; `None` if its users have passwords.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<SiloSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<IdentityProvider>> {
    let silo = silo::enter(cx, caller, &query.selector.silo)?;
    let place = ResourceScope::silo(Kind::PROVIDER_LIST, silo.meta.id);
    authz::require(cx, caller, &place, &operation::SILO_IDENTITY_PROVIDER_LIST)?;
    let providers: Vec<SamlIdentityProvider> = paging::page(cx.tx, ListBy::Parent(silo.meta.id), query)?;
    Ok(query.results(providers.iter().map(to_view).collect()))
}

/// How users can sign in to a silo, or, without a silo, which silos there are. Needs no caller. Hidden silos are shown
/// only to callers who know their names, as in signing in itself.
pub fn login_options(cx: &mut Cx<'_, '_>, silo: Option<&Name>) -> Result<LoginOptions> {
    let Some(name) = silo else { return discoverable(cx) };
    let silo: Option<Silo> = cx.tx.get_by_name(Uuid::nil(), name.as_str())?;
    let silo = silo.ok_or_else(|| Error::not_found(ResourceKind::Silo, name))?;
    let providers: Vec<SamlIdentityProvider> =
        cx.tx.page(ListBy::Parent(silo.meta.id), Sort::NameAsc, None, MAX_SHOWN)?;
    Ok(LoginOptions::Silo {
        identity_mode: mode(&silo),
        silo: silo.name,
        providers: providers
            .into_iter()
            .filter(|provider| !provider.is_disabled)
            .map(|provider| provider.name)
            .collect(),
    })
}

fn discoverable(cx: &mut Cx<'_, '_>) -> Result<LoginOptions> {
    let listed: Vec<Silo> =
        cx.tx.page(ListBy::lookup(Silo::DISCOVERABLE, true), Sort::NameAsc, None, MAX_SHOWN)?;
    let silos = listed.iter().filter(|silo| !silo::is_built_in(silo.meta.id));
    let silos = silos.map(|silo| LoginSilo { name: silo.name.clone(), identity_mode: mode(silo) });
    Ok(LoginOptions::Silos { silos: silos.collect() })
}

fn mode(silo: &Silo) -> SiloIdentityMode {
    match silo.identity_mode {
        IdentityMode::LocalOnly => SiloIdentityMode::LocalOnly,
        IdentityMode::SamlJit => SiloIdentityMode::SamlJit,
    }
}
