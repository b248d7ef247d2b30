//! View, update and deletion of providers.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_api::{
    Error, ResourceKind, Result, Timestamp,
    field_change::FieldChange,
    identity_provider::{
        CertificateInfo, DerEncodedKeyPair, IdpMetadataSource, SamlIdentityProviderSettings,
        SamlIdentityProviderUpdate,
    },
    scalar::NameOrId,
};
use croft_saml::MAX_SIGNING_CERTIFICATES;
use croft_store::{
    Tx,
    records::{SamlIdentityProvider, SamlSignIn, SigningKey, Silo},
};
use jiff::SignedDuration;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{
    key_pair,
    provider::{find, read_metadata, url_of},
};
use crate::{
    Caller, Cx, Operation, authz, description::check_description, saml::operation, session, x509::Certificate,
};

/// Minimum interval between updates of the time of the last sign-in.
const SIGN_IN_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// `saml_identity_provider_settings_view`: selects the provider like `saml_identity_provider_view`.
pub fn settings(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    provider: &NameOrId,
    silo: Option<&NameOrId>,
) -> Result<SamlIdentityProviderSettings> {
    let found = find(cx, caller, provider, silo)?;
    let provider = found.authorize(cx, caller, &operation::SAML_IDENTITY_PROVIDER_SETTINGS_VIEW)?;
    to_view(cx.tx, &provider)
}

fn to_view(tx: &mut Tx<'_>, provider: &SamlIdentityProvider) -> Result<SamlIdentityProviderSettings> {
    let certificate = |key: &Option<SigningKey>| key.as_ref().map(|key| key.public_cert.clone());
    let present = provider.signing_certificates.iter().map(|text| certificate_info(text, false));
    let old = provider.old_certificates.iter().map(|text| certificate_info(text, true));
    Ok(SamlIdentityProviderSettings {
        id: provider.meta.id,
        name: provider.name.clone(),
        description: provider.description.clone(),
        time_created: provider.meta.time_created,
        time_modified: provider.meta.time_modified,
        enabled: !provider.is_disabled,
        allow_unsolicited: provider.allows_unsolicited,
        idp_entity_id: provider.idp_entity_id.clone(),
        sp_client_id: provider.sp_client_id.clone(),
        acs_url: provider.acs_url.clone(),
        slo_url: provider.slo_url.clone(),
        technical_contact_email: provider.technical_contact_email.clone(),
        group_attribute_name: provider.group_attribute_name.clone(),
        metadata_url: provider.metadata_url.clone(),
        sso_url: provider.sso_location.clone(),
        signing_certificates: present.chain(old).collect::<Result<_>>()?,
        public_cert: certificate(&provider.signing_key),
        next_public_cert: certificate(&provider.next_signing_key),
        time_last_sign_in: tx.get::<SamlSignIn>(provider.meta.id)?.map(|last| last.time),
    })
}

fn certificate_info(text: &str, from_old_metadata: bool) -> Result<CertificateInfo> {
    let unreadable = || Error::internal("a stored certificate of an identity provider cannot be read");
    let der = BASE64_STANDARD.decode(text).map_err(|_| unreadable())?;
    let certificate = Certificate::from_der(&der).map_err(|_| unreadable())?;
    // Times that cannot be represented count as never.
    let time = |seconds: u64| {
        i64::try_from(seconds)
            .ok()
            .and_then(|seconds| Timestamp::from_second(seconds).ok())
            .unwrap_or(Timestamp::MAX)
    };
    Ok(CertificateInfo {
        sha256: hex::encode(Sha256::digest(&der)),
        subject: certificate.subject(),
        time_not_before: time(certificate.begins()),
        time_not_after: time(certificate.expires()),
        from_old_metadata,
    })
}

/// A provider that the caller may change. The same rights as for its creation are required, because the provider
/// determines who the users of its silo are.
fn changeable(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    provider: &NameOrId,
    silo: Option<&NameOrId>,
    operation: &Operation,
) -> Result<SamlIdentityProvider> {
    let provider = find(cx, caller, provider, silo)?.authorize(cx, caller, operation)?.into_inner();
    let silo: Option<Silo> = cx.tx.get(provider.silo_id)?;
    let silo = silo.ok_or_else(|| Error::not_found(ResourceKind::Silo, provider.silo_id))?;
    authz::fleet::require_as_strong_as_all(cx, caller, &silo)?;
    Ok(provider)
}

/// Checks whether [`update`] would be allowed, before keys are checked and metadata fetched.
///
/// # Errors
/// The reason for the refusal.
pub fn may_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    provider: &NameOrId,
    silo: Option<&NameOrId>,
) -> Result<()> {
    changeable(cx, caller, provider, silo, &operation::SAML_IDENTITY_PROVIDER_UPDATE).map(|_| ())
}

/// `saml_identity_provider_update`: with new metadata, if given. Absent fields are unchanged. Responses whose check is
/// in progress are refused.
///
/// # Errors
/// Those of [`may_update`]; the error of fetching `metadata`; invalid metadata; too many certificates; no next key pair
/// to use; no administrator of the fleet who can sign in would be left.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    provider: &NameOrId,
    silo: Option<&NameOrId>,
    params: &SamlIdentityProviderUpdate,
    metadata: &Result<Option<String>>,
) -> Result<SamlIdentityProviderSettings> {
    let operation = &operation::SAML_IDENTITY_PROVIDER_UPDATE;
    let mut provider = changeable(cx, caller, provider, silo, operation)?;
    let metadata = metadata.clone()?;
    change_texts(&mut provider, params)?;
    let keep = params.keep_old_certificates;
    match (&params.idp_metadata_source, metadata) {
        (Some(source), Some(metadata)) => replace_metadata(&mut provider, source, metadata, keep)?,
        _ if keep == Some(false) => provider.old_certificates.clear(),
        _ => {}
    }
    change_keys(cx, &mut provider, params)?;
    let was_disabled = provider.is_disabled;
    provider.is_disabled = !params.enabled.unwrap_or(!was_disabled);
    provider.allows_unsolicited = params.allow_unsolicited.unwrap_or(provider.allows_unsolicited);
    provider.meta.time_modified = cx.now;
    if provider.is_disabled && !was_disabled {
        shut(cx, provider.meta.id, provider.silo_id, |cx| Ok(cx.tx.update(&mut provider)?))?;
    } else {
        cx.tx.update(&mut provider)?;
    }
    to_view(cx.tx, &provider)
}

/// `saml_identity_provider_delete`: the users of its silo remain.
///
/// # Errors
/// The caller may not change it; no administrator of the fleet who can sign in would be left.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    provider: &NameOrId,
    silo: Option<&NameOrId>,
) -> Result<()> {
    let operation = &operation::SAML_IDENTITY_PROVIDER_DELETE;
    let mut provider = changeable(cx, caller, provider, silo, operation)?;
    let (id, silo) = (provider.meta.id, provider.silo_id);
    shut(cx, id, silo, |cx| {
        // Deleted records are kept for a while, so the keys are removed now.
        (provider.signing_key, provider.next_signing_key) = (None, None);
        cx.tx.update(&mut provider)?;
        cx.tx.delete(&mut provider, cx.now)?;
        cx.tx.remove::<SamlSignIn>(id, cx.now)?;
        Ok(())
    })
}

/// Applies a change after which nobody can sign in through a provider, and ends the sessions that were opened through
/// it.
fn shut(
    cx: &mut Cx<'_, '_>,
    provider: Uuid,
    silo: Uuid,
    shutting: impl FnOnce(&mut Cx<'_, '_>) -> Result<()>,
) -> Result<()> {
    let was_administered = authz::fleet::has_administrator(cx.tx)?;
    shutting(cx)?;
    if was_administered {
        authz::fleet::require_administrator(cx)?;
    }
    session::end_all_through(cx.tx, provider, silo, cx.now)
}

fn change_texts(provider: &mut SamlIdentityProvider, params: &SamlIdentityProviderUpdate) -> Result<()> {
    if let Some(description) = &params.description {
        check_description(description)?;
        provider.description = description.clone();
    }
    for (text, new) in [
        (&mut provider.idp_entity_id, &params.idp_entity_id),
        (&mut provider.sp_client_id, &params.sp_client_id),
        (&mut provider.acs_url, &params.acs_url),
        (&mut provider.slo_url, &params.slo_url),
        (&mut provider.technical_contact_email, &params.technical_contact_email),
    ] {
        if let Some(new) = new {
            text.clone_from(new);
        }
    }
    match &params.group_attribute_name {
        FieldChange::Keep => {}
        FieldChange::Clear => provider.group_attribute_name = None,
        FieldChange::Set(name) => provider.group_attribute_name = Some(name.clone()),
    }
    Ok(())
}

/// Replaces the metadata. The old certificates remain valid on request.
fn replace_metadata(
    provider: &mut SamlIdentityProvider,
    source: &IdpMetadataSource,
    metadata: String,
    keep_old: Option<bool>,
) -> Result<()> {
    let (sso_location, certificates) = read_metadata(&metadata)?;
    let mut old = std::mem::replace(&mut provider.signing_certificates, certificates);
    old.retain(|certificate| !provider.signing_certificates.contains(certificate));
    provider.old_certificates = if keep_old == Some(true) { old } else { Vec::new() };
    // Each response is checked with each certificate.
    if provider.signing_certificates.len() + provider.old_certificates.len() > MAX_SIGNING_CERTIFICATES {
        return Err(Error::invalid_request(format!(
            "the old and the new metadata have more than {MAX_SIGNING_CERTIFICATES} signing certificates \
             together: provide metadata with fewer, or do not keep the old ones"
        )));
    }
    provider.metadata_url = url_of(source);
    (provider.sso_location, provider.metadata) = (sso_location, metadata);
    Ok(())
}

/// Changes the current and the next key pair for signing requests.
fn change_keys(
    cx: &mut Cx<'_, '_>,
    provider: &mut SamlIdentityProvider,
    params: &SamlIdentityProviderUpdate,
) -> Result<()> {
    if params.use_next_signing_keypair {
        if params.signing_keypair != FieldChange::Keep {
            return Err(Error::invalid_request(
                "signing_keypair and use_next_signing_keypair exclude each other: give one of them",
            ));
        }
        let next = provider.next_signing_key.take();
        let missing = "there is no next key pair: set next_signing_keypair first";
        provider.signing_key = Some(next.ok_or_else(|| Error::invalid_request(missing))?);
    }
    let id = provider.meta.id;
    change_key(cx, id, &mut provider.signing_key, &params.signing_keypair)?;
    change_key(cx, id, &mut provider.next_signing_key, &params.next_signing_keypair)
}

fn change_key(
    cx: &mut Cx<'_, '_>,
    provider: Uuid,
    key: &mut Option<SigningKey>,
    change: &FieldChange<DerEncodedKeyPair>,
) -> Result<()> {
    match change {
        FieldChange::Keep => {}
        FieldChange::Clear => *key = None,
        FieldChange::Set(pair) => *key = Some(key_pair::seal(cx, provider, pair)?),
    }
    Ok(())
}

/// Records the time of a sign-in through a provider.
pub(super) fn note_sign_in(cx: &mut Cx<'_, '_>, provider: &SamlIdentityProvider) -> Result<()> {
    match cx.tx.get::<SamlSignIn>(provider.meta.id)? {
        None => {
            let meta = croft_store::Meta::new(provider.meta.id, cx.now);
            cx.tx.insert(&SamlSignIn { meta, silo_id: provider.silo_id, time: cx.now })?;
        }
        Some(mut last) if cx.now.duration_since(last.time) >= SIGN_IN_INTERVAL => {
            last.time = cx.now;
            cx.tx.update(&mut last)?;
        }
        Some(_) => {}
    }
    Ok(())
}
