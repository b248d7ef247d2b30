use croft_api::scalar::{Description, Name};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    Key, KeyKind, Lookup, Meta, Order, Scope, Table, record,
    search::{Audience, Searched},
};

/// A SAML identity provider through which the users of a silo sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamlIdentityProvider {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// Unique in the silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// The provider's metadata as they were when it was created, or when they were replaced.
    pub metadata: String,
    /// Where browsers are sent to, from the metadata.
    pub sso_location: String,
    /// The certificates whose keys may sign answers, from the metadata, in DER as Base64.
    pub signing_certificates: Vec<String>,
    /// Who answers must come from.
    pub idp_entity_id: String,
    /// What the provider knows us as.
    pub sp_client_id: String,
    /// Where answers are sent.
    pub acs_url: String,
    /// Where sign-outs would be sent; kept for the provider's operator only.
    pub slo_url: String,
    /// Whom the provider's operator may write to.
    pub technical_contact_email: String,
    /// The attribute whose values name a user's groups; none means that users have no groups.
    pub group_attribute_name: Option<String>,
    /// What requests are signed with.
    pub signing_key: Option<SigningKey>,
    /// What requests are to be signed with next: the provider learns of its certificate before it is used.
    #[serde(default)]
    pub next_signing_key: Option<SigningKey>,
    /// Where the metadata were fetched; `None` if they were given along.
    #[serde(default)]
    pub metadata_url: Option<String>,
    /// The certificates of the metadata before the present ones, as far as their keys may still sign answers.
    #[serde(default)]
    pub old_certificates: Vec<String>,
    /// Whether nobody can sign in through it.
    #[serde(default)]
    pub is_disabled: bool,
    /// Whether answers are accepted that answer no request.
    #[serde(default)]
    pub allows_unsolicited: bool,
}

/// The key pair with which requests to a provider are signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SigningKey {
    /// The certificate, in DER as Base64.
    pub public_cert: String,
    /// The private key in PKCS#1 DER, sealed with the server's secret key.
    pub sealed_key: String,
}

record! {
    SamlIdentityProvider as provider {
        table: Table::named("saml_identity_provider").by_parent(&[Order::Name, Order::Id]);
        parent: provider.silo_id;
        name: Some(provider.name.as_str());
        scope: Scope::silo(provider.silo_id);
        search: Searched::named(&provider.name, &provider.description)
            .found_by(&[Audience::SiloViewers(provider.silo_id), Audience::Fleet]);
    }
}

/// When somebody last signed in through a provider, whose id it has. A row of its own, so that signing in does not change
/// the provider, which is much larger and which answers are checked against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamlSignIn {
    /// Bookkeeping; the id is the provider's.
    pub meta: Meta,
    /// The provider's silo.
    pub silo_id: Uuid,
    /// The time, to within a minute.
    pub time: Timestamp,
}

record! {
    SamlSignIn as sign_in {
        table: Table::new("saml_sign_in").by_parent(&[Order::Id]).unlogged().since(2);
        parent: sign_in.silo_id;
        scope: Scope::silo(sign_in.silo_id);
    }
}

/// Something in an answer of a provider that must not be accepted a second time: an assertion, or the request that it
/// answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamlUse {
    /// Bookkeeping.
    pub meta: Meta,
    /// The provider's silo.
    pub silo_id: Uuid,
    /// The provider.
    pub provider_id: Uuid,
    /// SHA-256 of what was used.
    pub digest: Vec<u8>,
    /// After this time it would not be accepted anyway.
    pub time_expires: Timestamp,
}

impl SamlUse {
    /// The key of [`SamlUse::USED`].
    pub fn used(provider_id: Uuid, digest: &[u8]) -> Key {
        Key::combined([provider_id.into(), digest.into()])
    }
}

record! {
    SamlUse as used {
        table: Table::new("saml_use").by_parent(&[Order::Id]).by_all(&[Order::Time]).unlogged();
        parent: used.silo_id;
        scope: Scope::silo(used.silo_id);
        lookups: {
            /// Whether something of a provider was used before.
            USED: Lookup::unique("used", KeyKind::Bytes) = SamlUse::used(used.provider_id, &used.digest);
        }
    }
}
