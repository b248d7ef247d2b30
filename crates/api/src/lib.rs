//! The wire of Croft: every value that crosses the HTTP boundary.
//!
//! Views (what the server answers), params (what it is asked), scalars with their rules and messages, the error
//! catalogue and pagination. This crate knows no storage, no rule and no transport.

pub mod account;
pub mod activity;
pub mod address_lot;
pub mod affinity;
pub mod alert;
pub mod allow_list;
pub mod audit;
pub mod auth_settings;
pub mod bfd;
pub mod bgp;
pub mod certificate;
pub mod device;
pub mod disk;
pub mod error;
pub mod event;
pub mod external_ip;
pub mod field_change;
pub mod firewall;
pub mod floating_ip;
pub mod hardware;
pub mod identity;
pub mod identity_provider;
pub mod image;
pub mod instance;
pub mod internet_gateway;
pub mod ip_pool;
pub mod lldp;
pub mod loopback_address;
pub mod metric;
pub mod network_interface;
pub mod page;
pub mod permission;
pub mod policy;
pub mod probe;
pub mod project;
pub mod quota;
pub mod router;
pub mod scalar;
pub mod second_factor;
pub mod serial;
pub mod session;
pub mod silo;
pub mod snapshot;
pub mod ssh_key;
pub mod status;
pub mod subnet;
pub mod support_bundle;
pub mod switch_port;
pub mod switch_port_settings;
pub mod timeseries;
pub mod token;
pub mod trace;
pub mod update;
pub mod user;
pub mod user_builtin;
pub mod utilization;
pub mod vpc;

pub use error::{Error, ErrorBody, Lookup, ResourceKind, Result};
pub use jiff::Timestamp;
pub use uuid::Uuid;
