//! Labels: pairs of a key and a value on resources with names. [`Tx::set_labels`](crate::Tx::set_labels) writes all three
//! kinds of records together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// The labels of one resource. Its id is that of the resource. It is kept when the last label is taken away, so that its
/// generation counts all changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelSet {
    /// Bookkeeping.
    pub meta: Meta,
    /// The name of the resource's table.
    pub kind: String,
    /// What labels are listed by: the project, silo or user that the resource is in, or [`FLEET`](super::FLEET).
    pub place_id: Uuid,
    /// The silo of the resource.
    pub silo_id: Option<Uuid>,
    /// The project of the resource.
    pub project_id: Option<Uuid>,
    /// The values by their keys.
    pub labels: BTreeMap<String, String>,
}

impl LabelSet {
    /// What [`KIND`](Self::KIND) finds labelled resources by.
    pub fn kind_key(place: Uuid, kind: &str) -> Key {
        Key::combined([place.into(), kind.into()])
    }
}

record! {
    LabelSet as set {
        table: Table::new("label_set").unlogged().since(8);
        scope: Scope { silo: set.silo_id, project: set.project_id };
        lookups: {
            /// The labelled resources of a kind in a place.
            KIND: Lookup::new("place_kind", KeyKind::Bytes).since(8) =
                (!set.labels.is_empty()).then(|| LabelSet::kind_key(set.place_id, &set.kind));
        }
    }
}

/// One label of a resource, by which the resource is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// Bookkeeping.
    pub meta: Meta,
    /// The resource.
    pub resource_id: Uuid,
    /// The name of the resource's table.
    pub kind: String,
    /// See [`LabelSet::place_id`].
    pub place_id: Uuid,
    /// The silo of the resource.
    pub silo_id: Option<Uuid>,
    /// The project of the resource.
    pub project_id: Option<Uuid>,
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
}

impl Label {
    /// What [`KEY`](Self::KEY) finds labels by.
    pub fn label_key(place: Uuid, kind: &str, key: &str) -> Key {
        Key::combined([place.into(), kind.into(), key.into()])
    }

    /// What [`PAIR`](Self::PAIR) finds labels by.
    pub fn pair(place: Uuid, kind: &str, key: &str, value: &str) -> Key {
        Key::combined([place.into(), kind.into(), key.into(), value.into()])
    }
}

record! {
    Label as label {
        table: Table::new("label").by_parent(&[Order::Id]).unlogged().since(8);
        parent: label.resource_id;
        scope: Scope { silo: label.silo_id, project: label.project_id };
        lookups: {
            /// The labels of a kind of resource in a place with this key.
            KEY: Lookup::new("place_kind_key", KeyKind::Bytes).since(8) =
                Label::label_key(label.place_id, &label.kind, &label.key);
            /// Those that have this value, too.
            PAIR: Lookup::new("place_kind_pair", KeyKind::Bytes).since(8) =
                Label::pair(label.place_id, &label.kind, &label.key, &label.value);
        }
    }
}

/// A label that is in use in a place: what is offered for completion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelUse {
    /// Bookkeeping.
    pub meta: Meta,
    /// See [`LabelSet::place_id`].
    pub place_id: Uuid,
    /// The silo of the place.
    pub silo_id: Option<Uuid>,
    /// The project of the place.
    pub project_id: Option<Uuid>,
    /// Kind, key and value, as [`LabelUse::text`] writes them.
    pub text: String,
    /// How many resources have the label.
    pub resources: u64,
}

impl LabelUse {
    /// How a label is written: the uses of one kind follow each other, and so do those of one key.
    pub fn text(kind: &str, key: &str, value: &str) -> String {
        format!("{kind} {key}={value}")
    }

    /// Key and value, if it is of this kind.
    pub fn label_of(&self, kind: &str) -> Option<(&str, &str)> {
        self.text.strip_prefix(kind)?.strip_prefix(' ')?.split_once('=')
    }
}

record! {
    LabelUse as label_use {
        table: Table::named("label_use").unlogged().since(8);
        parent: label_use.place_id;
        name: Some(label_use.text.as_str());
        scope: Scope { silo: label_use.silo_id, project: label_use.project_id };
    }
}
