//! Identity providers of silos, and how people sign in.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    field_change::FieldChange,
    identity::IdentityCreate,
    page::Listed,
    scalar::{Description, Name, NameOrId, RelativeUri},
    silo::SiloIdentityMode,
};

/// How an identity provider is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdentityProviderType {
    /// SAML 2.0.
    Saml,
}

/// An identity provider of a silo, in brief.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IdentityProvider {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// How it is spoken to.
    pub provider_type: IdentityProviderType,
}

impl Listed for IdentityProvider {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A SAML identity provider of a silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SamlIdentityProvider {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// The provider's entity ID: the issuer of responses.
    pub idp_entity_id: String,
    /// The entity ID of this server.
    pub sp_client_id: String,
    /// The URL that the provider sends responses to.
    pub acs_url: String,
    /// The URL for logout requests.
    pub slo_url: String,
    /// The email address of the technical contact.
    pub technical_contact_email: String,
    /// The certificate whose key signs requests, in DER as Base64.
    pub public_cert: Option<String>,
    /// The attribute whose values name a user's groups.
    pub group_attribute_name: Option<String>,
}

/// A SAML identity provider to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SamlIdentityProviderCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// Where the provider's metadata come from.
    #[schema(inline = false)]
    pub idp_metadata_source: IdpMetadataSource,
    /// The provider's entity ID: the issuer of responses.
    pub idp_entity_id: String,
    /// The entity ID of this server.
    pub sp_client_id: String,
    /// The URL that the provider sends responses to.
    pub acs_url: String,
    /// The URL for logout requests.
    pub slo_url: String,
    /// The email address of the technical contact.
    pub technical_contact_email: String,
    /// Signs requests to the provider; without it they are not signed.
    #[serde(default)]
    pub signing_keypair: Option<DerEncodedKeyPair>,
    /// The attribute whose values name a user's groups, exactly as the provider spells it. Without it users have no
    /// groups.
    #[serde(default)]
    pub group_attribute_name: Option<String>,
}

/// Where a provider's metadata come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum IdpMetadataSource {
    /// Fetched once, now.
    Url {
        /// An `https` address; one of `http` only where the server's operator allows it.
        url: String,
    },
    /// Given along.
    Base64EncodedXml {
        /// The metadata as Base64.
        data: String,
    },
}

/// A certificate and its private key.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DerEncodedKeyPair {
    /// The X.509 certificate in DER as Base64.
    pub public_cert: String,
    /// The RSA private key in PKCS#1 DER as Base64. It is never shown again.
    pub private_key: String,
}

impl std::fmt::Debug for DerEncodedKeyPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DerEncodedKeyPair").field("public_cert", &self.public_cert).finish_non_exhaustive()
    }
}

/// The settings of a SAML identity provider, and its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SamlIdentityProviderSettings {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// Whether users can sign in through it.
    pub enabled: bool,
    /// Whether unsolicited responses are accepted.
    pub allow_unsolicited: bool,
    /// The provider's entity ID: the issuer of responses.
    pub idp_entity_id: String,
    /// The entity ID of this server.
    pub sp_client_id: String,
    /// The URL that the provider sends responses to.
    pub acs_url: String,
    /// The URL for logout requests.
    pub slo_url: String,
    /// The email address of the technical contact.
    pub technical_contact_email: String,
    /// The attribute whose values name a user's groups.
    pub group_attribute_name: Option<String>,
    /// The URL of the metadata; null if the metadata were part of the request.
    pub metadata_url: Option<String>,
    /// The provider's sign-in URL, from the metadata.
    pub sso_url: String,
    /// The certificates whose keys may sign responses.
    pub signing_certificates: Vec<CertificateInfo>,
    /// The certificate whose key signs requests, in DER as Base64.
    pub public_cert: Option<String>,
    /// The certificate of the next key pair for signing requests, in DER as Base64: for the provider's operator.
    pub next_public_cert: Option<String>,
    /// When a user last signed in through it, with a precision of a minute.
    pub time_last_sign_in: Option<Timestamp>,
}

/// A certificate of an identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CertificateInfo {
    /// SHA-256 of the certificate in DER, in hexadecimal digits.
    pub sha256: String,
    /// Its subject, such as `CN=idp, O=Corp`.
    pub subject: String,
    /// The start of its validity. Its key is accepted before it.
    pub time_not_before: Timestamp,
    /// The end of its validity. Its key is accepted after it, until the provider is changed.
    pub time_not_after: Timestamp,
    /// Whether it is from the previous metadata, and kept while the provider changes its keys.
    pub from_old_metadata: bool,
}

/// The parameters of an update of a SAML identity provider. Absent fields are unchanged.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct SamlIdentityProviderUpdate {
    /// Free text.
    #[serde(default)]
    pub description: Option<Description>,
    /// Whether users can sign in through it. Disabling it ends the sessions that were opened through it.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// Whether unsolicited responses are accepted.
    #[serde(default)]
    pub allow_unsolicited: Option<bool>,
    /// The provider's entity ID: the issuer of responses.
    #[serde(default)]
    pub idp_entity_id: Option<String>,
    /// The entity ID of this server.
    #[serde(default)]
    pub sp_client_id: Option<String>,
    /// The URL that the provider sends responses to.
    #[serde(default)]
    pub acs_url: Option<String>,
    /// The URL for logout requests.
    #[serde(default)]
    pub slo_url: Option<String>,
    /// The email address of the technical contact.
    #[serde(default)]
    pub technical_contact_email: Option<String>,
    /// The attribute whose values name a user's groups; null means that users have no groups.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub group_attribute_name: FieldChange<String>,
    /// Where new metadata come from. Their certificates replace the present ones.
    #[serde(default)]
    pub idp_metadata_source: Option<IdpMetadataSource>,
    /// With new metadata: true keeps the previous certificates valid beside the new ones. Without: false ends that.
    #[serde(default)]
    pub keep_old_certificates: Option<bool>,
    /// Signs requests from now on; null leaves them unsigned.
    #[serde(default)]
    #[schema(value_type = Option<DerEncodedKeyPair>)]
    pub signing_keypair: FieldChange<DerEncodedKeyPair>,
    /// Is to sign requests next: its certificate is shown, so that the provider can be told of it first.
    #[serde(default)]
    #[schema(value_type = Option<DerEncodedKeyPair>)]
    pub next_signing_keypair: FieldChange<DerEncodedKeyPair>,
    /// Signs requests with the next key pair from now on.
    #[serde(default)]
    pub use_next_signing_keypair: bool,
}

/// The path of one SAML identity provider.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SamlProviderPath {
    /// Name or id of the provider.
    pub provider: NameOrId,
}

/// A provider as a person who signs in names it.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct LoginSamlPath {
    /// Name of the silo.
    pub silo_name: Name,
    /// Name of the provider.
    pub provider_name: Name,
}

/// The form with a provider's answer, as a browser posts it.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct PostedForm(pub Vec<u8>);

/// Where to go after signing in.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RedirectQuery {
    /// A path on this server; the front page when absent.
    #[serde(default)]
    pub redirect_uri: Option<RelativeUri>,
}

/// The silo of which somebody who wants to sign in asks.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LoginOptionsQuery {
    /// Name of the silo; every discoverable one when absent.
    #[serde(default)]
    pub silo: Option<Name>,
}

/// How users can sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum LoginOptions {
    /// To one silo.
    Silo {
        /// Its name.
        silo: Name,
        /// With a local password, or through an identity provider.
        identity_mode: SiloIdentityMode,
        /// Its providers, by name.
        providers: Vec<Name>,
    },
    /// All silos that are not hidden.
    Silos {
        /// By name.
        silos: Vec<LoginSilo>,
    },
}

/// A silo that users can sign in to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LoginSilo {
    /// Its name.
    pub name: Name,
    /// With a local password, or through an identity provider.
    pub identity_mode: SiloIdentityMode,
}
