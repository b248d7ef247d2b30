//! The search: what of a record can be found, by whom, and the index that finds it.
//!
//! A record says beside its table what of it can be found ([`Searched`]). The store keeps an entry for it and a row for
//! each [term](terms) that a search can begin with, in the transaction that writes the record. Each term stands once for
//! each [`Audience`], so that a search reads nothing but what one of its caller's audiences may find.

mod addresses;
pub(crate) mod index;
pub(crate) mod listed;
mod natural;
mod query;
mod terms;

use std::net::IpAddr;

use croft_api::scalar::{IpNet, MacAddr};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use index::{SearchBatch, SearchEntry, SearchHit, SearchPosition};
pub use listed::{ListedOrder, ListedPlace};
pub use natural::natural_key;
pub use query::SearchQuery;

use crate::{Record, Scope, for_each_record, shape};

/// Most fields of a record that are searched: of a firewall of a thousand rules, the first.
const MAX_FIELDS: usize = 256;

/// A set of people by whom a record can be found. Whether somebody may read it, the rules decide for each record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Those with a role on the fleet.
    Fleet,
    /// All users of a silo.
    Silo(Uuid),
    /// Those who may see all projects of a silo.
    SiloViewers(Uuid),
    /// Those with a role on a project.
    Project(Uuid),
    /// One user.
    User(Uuid),
    /// Those to whom this one record was opened.
    Record(Uuid),
}

impl Audience {
    /// What stands in the index. Two audiences with the same number would find each other's records, and be refused them.
    pub(crate) fn number(self) -> i64 {
        let (kind, id) = match self {
            Self::Fleet => (0, Uuid::nil()),
            Self::Silo(id) => (1, id),
            Self::SiloViewers(id) => (2, id),
            Self::Project(id) => (3, id),
            Self::User(id) => (4, id),
            Self::Record(id) => (5, id),
        };
        let mut bytes = [kind; 17];
        bytes[1..].copy_from_slice(id.as_bytes());
        shape::hash(&bytes).cast_signed()
    }

    /// Who finds what stands in a scope, if its record does not say otherwise.
    fn of_scope(scope: Scope) -> Vec<Self> {
        match scope {
            Scope { silo: Some(silo), project: Some(project) } => {
                vec![Self::Project(project), Self::SiloViewers(silo)]
            }
            Scope { silo: Some(silo), project: None } => vec![Self::Silo(silo), Self::Fleet],
            Scope { silo: None, .. } => vec![Self::Fleet],
        }
    }
}

/// What kind of text a field holds: which parts of it can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// Any part of it.
    #[serde(rename = "n")]
    Name,
    /// From the beginning of each of its words.
    #[serde(rename = "l")]
    Label,
    /// The words of a text, which count less than names.
    #[serde(rename = "t")]
    Text,
    /// An address.
    #[serde(rename = "a")]
    Address,
    /// A network.
    #[serde(rename = "c")]
    Network,
    /// Two addresses with a dash between them, and all between them.
    #[serde(rename = "r")]
    Range,
    /// A hardware address.
    #[serde(rename = "m")]
    Mac,
    /// A label as `key=value`: the whole, the key without its prefix, and the words of the value.
    #[serde(rename = "p")]
    Pair,
}

/// Something that can be found of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// Its name, as the answer of a search has it.
    #[serde(rename = "f")]
    pub name: String,
    /// What kind of text it is.
    #[serde(rename = "k")]
    pub form: Form,
    /// The text, as the record has it.
    #[serde(rename = "t")]
    pub text: String,
}

/// What can be found of a record, and by whom. Its id can be found of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    pub(crate) fields: Vec<Field>,
    /// None stands for those who follow from the record's scope.
    audiences: Option<Vec<Audience>>,
    also: Option<Audience>,
    within: Option<Uuid>,
}

impl Field {
    fn of_label(key: &str, value: &str) -> Self {
        Self { name: "label".to_owned(), form: Form::Pair, text: format!("{key}={value}") }
    }
}

impl Searched {
    /// A record with a name and a description.
    #[must_use]
    pub fn named(name: impl ToString, description: impl ToString) -> Self {
        Self::default().name("name", name).text("description", description)
    }

    /// A record of which the id alone can be found, unless more is added.
    #[must_use]
    pub fn by_id() -> Self {
        Self::default()
    }

    /// Adds a name.
    #[must_use]
    pub fn name(self, field: &str, text: impl ToString) -> Self {
        self.with(field, Form::Name, text.to_string())
    }

    /// Adds a name of which words are found, but no parts of words.
    #[must_use]
    pub fn label(self, field: &str, text: impl ToString) -> Self {
        self.with(field, Form::Label, text.to_string())
    }

    /// Adds a text.
    #[must_use]
    pub fn text(self, field: &str, text: impl ToString) -> Self {
        self.with(field, Form::Text, text.to_string())
    }

    /// Adds an address.
    #[must_use]
    pub fn address(self, field: &str, address: IpAddr) -> Self {
        self.with(field, Form::Address, address.to_string())
    }

    /// Adds a network.
    #[must_use]
    pub fn network(self, field: &str, network: IpNet) -> Self {
        self.with(field, Form::Network, network.to_string())
    }

    /// Adds consecutive addresses, both ends included.
    #[must_use]
    pub fn range(self, field: &str, first: IpAddr, last: IpAddr) -> Self {
        self.with(field, Form::Range, format!("{first}-{last}"))
    }

    /// Adds a hardware address.
    #[must_use]
    pub fn mac(self, field: &str, mac: MacAddr) -> Self {
        self.with(field, Form::Mac, mac.to_string())
    }

    /// Says that nobody else finds it.
    #[must_use]
    pub fn found_by(mut self, audiences: &[Audience]) -> Self {
        self.audiences = Some(audiences.to_vec());
        self
    }

    /// Says that these people find it, too.
    #[must_use]
    pub fn also_found_by(mut self, audience: Audience) -> Self {
        self.also = Some(audience);
        self
    }

    /// Says what it is part of, where that is not what it is listed under.
    #[must_use]
    pub fn within(mut self, id: Uuid) -> Self {
        self.within = Some(id);
        self
    }

    pub(crate) fn parent(&self, record: Uuid) -> Uuid {
        self.within.unwrap_or(record)
    }

    pub(crate) fn audiences(&self, scope: Scope) -> Vec<i64> {
        let audiences = self.audiences.clone().unwrap_or_else(|| Audience::of_scope(scope));
        audiences.into_iter().chain(self.also).map(Audience::number).collect()
    }

    fn with(mut self, field: &str, form: Form, text: String) -> Self {
        if !text.is_empty() && self.fields.len() < MAX_FIELDS {
            self.fields.push(Field { name: field.to_owned(), form, text });
        }
        self
    }
}

macro_rules! searched_kinds {
    ($($record:ident)*) => {
        [$(
            if <crate::records::$record as Record>::SEARCHED {
                Some(<crate::records::$record as Record>::TABLE.name)
            } else {
                None
            }
        ),*]
    };
}

/// The kinds of records that are searched, by the names of their tables.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    for_each_record!(searched_kinds).into_iter().flatten()
}
