use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_api::{
    Error, ResourceKind, Result,
    identity_provider::{self as api, IdpMetadataSource, SamlIdentityProviderCreate},
    scalar::{Name, NameOrId},
};
use croft_saml::Metadata;
use croft_store::records::{IdentityMode, SamlIdentityProvider, Silo};
use uuid::Uuid;

use super::key_pair;
use crate::{
    Authorized, Caller, Cx, LookupResult,
    authz::{self, Kind, ResourceScope},
    description::check_description,
    saml::operation,
    silo,
};

fn to_view(provider: &SamlIdentityProvider) -> api::SamlIdentityProvider {
    api::SamlIdentityProvider {
        id: provider.meta.id,
        name: provider.name.clone(),
        description: provider.description.clone(),
        time_created: provider.meta.time_created,
        time_modified: provider.meta.time_modified,
        idp_entity_id: provider.idp_entity_id.clone(),
        sp_client_id: provider.sp_client_id.clone(),
        acs_url: provider.acs_url.clone(),
        slo_url: provider.slo_url.clone(),
        technical_contact_email: provider.technical_contact_email.clone(),
        public_cert: provider.signing_key.as_ref().map(|key| key.public_cert.clone()),
        group_attribute_name: provider.group_attribute_name.clone(),
    }
}

/// The parts of the metadata that are stored: the URL of the provider, and the certificates.
pub(super) fn read_metadata(metadata: &str) -> Result<(String, Vec<String>)> {
    let parsed = Metadata::parse(metadata).map_err(|error| Error::invalid_request(error.to_string()))?;
    let certificates = parsed.signing_certificates.iter().map(|der| BASE64_STANDARD.encode(der));
    Ok((parsed.sso_location, certificates.collect()))
}

/// The URL of the metadata; `None` if they were part of the request.
pub(super) fn url_of(source: &IdpMetadataSource) -> Option<String> {
    match source {
        IdpMetadataSource::Url { url } => Some(url.clone()),
        IdpMetadataSource::Base64EncodedXml { .. } => None,
    }
}

/// Checks whether [`create`] would be allowed, before metadata are fetched. Returns the silo.
pub fn may_create(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<Authorized<Silo>> {
    let silo = silo::enter(cx, caller, silo)?;
    let place = ResourceScope::silo(Kind::PROVIDER_LIST, silo.meta.id);
    authz::require(cx, caller, &place, &operation::SAML_IDENTITY_PROVIDER_CREATE)?;
    authz::fleet::require_as_strong_as_all(cx, caller, &silo)?;
    if silo.identity_mode != IdentityMode::SamlJit {
        return Err(Error::invalid_request("cannot create identity providers in this kind of Silo"));
    }
    Ok(silo)
}

/// `saml_identity_provider_create`: with the provider's metadata.
///
/// # Errors
/// Those of [`may_create`]; the error of fetching `metadata`; invalid metadata; a name that is taken.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    params: &SamlIdentityProviderCreate,
    metadata: &Result<String>,
) -> Result<api::SamlIdentityProvider> {
    let silo = may_create(cx, caller, silo)?;
    check_description(&params.identity.description)?;
    let metadata = metadata.clone()?;
    let (sso_location, signing_certificates) = read_metadata(&metadata)?;
    let meta = cx.new_meta();
    let signing_key =
        params.signing_keypair.as_ref().map(|pair| key_pair::seal(cx, meta.id, pair)).transpose()?;
    let provider = SamlIdentityProvider {
        meta,
        silo_id: silo.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        metadata,
        sso_location,
        signing_certificates,
        idp_entity_id: params.idp_entity_id.clone(),
        sp_client_id: params.sp_client_id.clone(),
        acs_url: params.acs_url.clone(),
        slo_url: params.slo_url.clone(),
        technical_contact_email: params.technical_contact_email.clone(),
        group_attribute_name: params.group_attribute_name.clone(),
        signing_key,
        next_signing_key: None,
        metadata_url: url_of(&params.idp_metadata_source),
        old_certificates: Vec::new(),
        is_disabled: false,
        allows_unsolicited: false,
    };
    cx.insert_named(ResourceKind::SamlIdentityProvider, &provider)?;
    Ok(to_view(&provider))
}

/// `saml_identity_provider_view`: by name with a silo, or by id without.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    provider: &NameOrId,
    silo: Option<&NameOrId>,
) -> Result<api::SamlIdentityProvider> {
    let found = find(cx, caller, provider, silo)?;
    Ok(to_view(&*found.authorize(cx, caller, &operation::SAML_IDENTITY_PROVIDER_VIEW)?))
}

/// Looks a provider up: by name with a silo, or by id without.
pub(super) fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    provider: &NameOrId,
    silo: Option<&NameOrId>,
) -> Result<LookupResult<SamlIdentityProvider>> {
    let record = match (provider, silo) {
        (NameOrId::Id(id), None) => cx.tx.get(*id)?,
        (NameOrId::Name(name), Some(silo)) => {
            let silo = silo::enter(cx, caller, silo)?;
            cx.tx.get_by_name(silo.meta.id, name.as_str())?
        }
        (NameOrId::Id(_), Some(_)) => {
            let text = "when providing provider as an ID, silo should not be specified";
            return Err(Error::invalid_request(text));
        }
        (NameOrId::Name(_), None) => {
            let text = "provider should either be a UUID or silo should be specified";
            return Err(Error::invalid_request(text));
        }
    };
    Ok(LookupResult::new(record, provider))
}

/// The provider of a sign-in.
pub(super) fn for_login(cx: &mut Cx<'_, '_>, silo: &Name, provider: &Name) -> Result<SamlIdentityProvider> {
    let found: Option<Silo> = cx.tx.get_by_name(Uuid::nil(), silo.as_str())?;
    let silo = found.ok_or_else(|| Error::not_found(ResourceKind::Silo, silo))?;
    let record: Option<SamlIdentityProvider> = cx.tx.get_by_name(silo.meta.id, provider.as_str())?;
    let record = record.ok_or_else(|| Error::not_found(ResourceKind::IdentityProvider, provider))?;
    if record.is_disabled {
        return Err(disabled(&record));
    }
    Ok(record)
}

/// The error for a sign-in through a disabled provider.
pub(super) fn disabled(provider: &SamlIdentityProvider) -> Error {
    Error::invalid_request(format!(
        "the identity provider \"{}\" is disabled; choose another one, or ask an administrator of the silo",
        provider.name
    ))
}
