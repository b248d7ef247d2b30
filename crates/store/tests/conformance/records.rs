//! Records that use every kind of declaration.

use croft_store::{Key, KeyKind, Lookup, Meta, Migration, Order, Record, Schema, Scope, Table, record};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A named record with lookups of every kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Volume {
    pub meta: Meta,
    pub project: Uuid,
    pub name: String,
    pub host: Option<Uuid>,
    pub serial: Option<String>,
    pub due: Option<i64>,
    pub note: String,
}

record! {
    Volume as volume {
        table: Table::named("volume").by_parent(&[Order::Name, Order::Id, Order::Time])
            .by_all(&[Order::Name, Order::Time]);
        parent: volume.project;
        name: Some(volume.name.as_str());
        scope: Scope::project(Uuid::from_u128(7), volume.project);
        lookups: {
            HOST: Lookup::new("host_id", KeyKind::Id).orders(&[Order::Name, Order::Id, Order::Time]) = volume.host;
            SERIAL: Lookup::unique("serial", KeyKind::Text) = volume.serial.clone();
            DUE: Lookup::new("due", KeyKind::Int) = volume.due;
            HOST_NOTE: Lookup::new("host_note", KeyKind::Bytes) =
                Key::combined([volume.host.into(), volume.note.as_str().into()]);
        }
    }
}

/// A record without a name, which is changed often and excluded from the change log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    pub meta: Meta,
    pub value: u64,
}

record! {
    Counter as counter {
        table: Table::new("counter").unlogged();
    }
}

/// A record whose names are reserved words of SQL, to check that names are quoted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    pub meta: Meta,
    pub order: i64,
}

record! {
    Group as group {
        table: Table::new("group").by_parent(&[Order::Time]);
        lookups: {
            ORDER: Lookup::new("order", KeyKind::Int) = group.order;
        }
    }
}

pub static SCHEMA: Schema =
    Schema::new(&[Volume::TABLE, Counter::TABLE, Group::TABLE], &[Migration::tables(1, "tests")]);

/// The time `seconds` after a fixed one.
pub fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + seconds).unwrap()
}

pub fn project(number: u128) -> Uuid {
    Uuid::from_u128(0xa000 + number)
}

pub fn volume(project: Uuid, name: &str) -> Volume {
    Volume {
        meta: Meta::new(Uuid::new_v4(), moment(0)),
        project,
        name: name.to_owned(),
        host: None,
        serial: None,
        due: None,
        note: String::new(),
    }
}

pub fn counter(id: u128) -> Counter {
    Counter { meta: Meta::new(Uuid::from_u128(id), moment(0)), value: 0 }
}
