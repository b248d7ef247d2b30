//! Certificates with which a silo's host names are served by TLS.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::IdentityCreate,
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// What a certificate is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServiceUsingCertificate {
    /// The API and the console.
    ExternalApi,
}

/// A certificate of a silo. Its private key is never shown.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Certificate {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// Same as `time_created`: certificates do not change.
    pub time_modified: Timestamp,
    /// What it is used for.
    pub service: ServiceUsingCertificate,
    /// The chain in PEM.
    pub cert: String,
}

impl Listed for Certificate {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A certificate to be used from now on.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct CertificateCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The chain in PEM: the server's own certificate, then each one's issuer.
    pub cert: String,
    /// The private key in PEM: PKCS#8, PKCS#1 or SEC1.
    pub key: String,
    /// What it is used for.
    pub service: ServiceUsingCertificate,
}

impl std::fmt::Debug for CertificateCreate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CertificateCreate").field("identity", &self.identity).finish_non_exhaustive()
    }
}

/// The path of one certificate.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct CertificatePathParam {
    /// Name or id of the certificate.
    pub certificate: NameOrId,
}
