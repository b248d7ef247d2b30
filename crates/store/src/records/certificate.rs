use croft_api::scalar::{Description, Name};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    Meta, Order, Scope, Table, record,
    search::{Audience, Searched},
};

/// A certificate with which the API and the console are served under the host names of a silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// Unique in the silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// The chain in PEM, the server's own certificate first.
    pub chain: String,
    /// The private key in PEM, sealed with the server's secret key.
    pub sealed_key: String,
    /// After this time the server's own certificate is not needed.
    pub time_expires: Timestamp,
}

record! {
    Certificate as certificate {
        table: Table::named("certificate").by_parent(&[Order::Name, Order::Id]);
        parent: certificate.silo_id;
        name: Some(certificate.name.as_str());
        scope: Scope::silo(certificate.silo_id);
        search: Searched::named(&certificate.name, &certificate.description)
            .found_by(&[Audience::SiloViewers(certificate.silo_id), Audience::Fleet]);
    }
}
