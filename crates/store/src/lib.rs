//! Durable state: typed tables over SQLite or PostgreSQL.
//!
//! A resource is a plain Rust struct that implements [`Record`]. It is stored as one row: key columns beside a
//! JSON document with the whole record. [`Tx`] offers the same few operations on every table (insert, get, page,
//! compare-and-swap update, soft delete), each of which also writes the [change log](Change) within the same
//! transaction. [`Database`] runs operations: `read` on a consistent snapshot, `write` durably.
//!
//! SQL stands only in this crate. An operation may run more than once before it is answered, so it has no side
//! effects of its own. Nothing in here reads a clock or makes random numbers: the caller passes times and ids in.

mod activity;
mod change;
mod columns;
mod database;
mod ddl;
mod engine;
mod error;
#[cfg(not(target_family = "wasm"))]
mod fence;
#[cfg(not(target_family = "wasm"))]
mod inspection;
#[cfg(not(target_family = "wasm"))]
mod job;
mod key;
mod labels;
mod migration;
mod plan;
mod record;
pub mod records;
pub mod schema;
pub mod search;
mod shape;
mod statements;
mod statistics;
mod steps;
mod table;
pub mod telemetry;
mod transaction;
mod wire;

pub use change::{Action, Change, ChangeSignal, ChangedRecord};
pub use database::Database;
#[cfg(all(not(target_family = "wasm"), feature = "postgres"))]
pub use engine::postgres::{Encryption, Holder, Lease, LeaseError, LeaseHolder, PostgresOptions};
#[cfg(not(target_family = "wasm"))]
pub use engine::sqlite::SqliteOptions;
pub use error::StoreError;
#[cfg(not(target_family = "wasm"))]
pub use fence::Fence;
#[cfg(not(target_family = "wasm"))]
pub use inspection::Inspection;
pub use key::{Key, KeyKind};
pub use labels::{LabelTarget, labelled};
pub use migration::{DataStep, Dialect, Documents, Migration, NewRow, StoredRow};
pub use plan::QueryPlan;
pub use record::{Meta, Record, Scope};
pub use schema::{Observer, Schema};
pub use statistics::{Retry, Statistics};
pub use table::{Edit, ListBy, Lookup, Marker, Order, Sort, Table};
pub use transaction::Tx;
