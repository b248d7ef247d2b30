//! The rules of Croft: what is allowed, for whom, and with what effects.
//!
//! A rule is a synchronous function of a [context](Cx) (transaction, time, randomness, settings, request), a
//! [caller](Caller) and parameters; it returns a view or an [`Error`](croft_api::Error). It may run more than once
//! and has no effect outside its transaction. Effects outside are the work of the [reconciler](reconcile).
//!
//! # Running a rule
//!
//! [`execute::read`] and [`execute::write`] resolve the caller, run the rule, and for writes store the audit entry in
//! the same transaction. `write` returns two results: the outer one is for the store, so that an error of the inner
//! one is committed together with its audit entry:
//!
//! ```text
//! let view = db
//!     .write(move |tx| {
//!         let mut random = edge_random();
//!         let mut cx = Cx::new(tx, now, &mut random, &environment, &request);
//!         execute::write(&mut cx, &credentials, &operation::DISK_CREATE, |cx, caller| {
//!             disk::create(cx, caller, &selector.project, &params)
//!         })
//!     })
//!     .await??;
//! ```
//!
//! # Operations
//!
//! [`operation`] lists every operation, each declared beside its rule. A rule is named after its operation:
//! `disk_create` is [`disk::create`]. An operation with work outside of transactions has a rule for each step:
//! `login_local` is [`login::prepare`] (read), the password check outside, and [`login::complete`] (write).
//!
//! [`bootstrap::run`] sets up a new database; [`reconcile::Reconciler`] does background work.

/// The product's name in machine-readable places: headers of deliveries, and the prefix of tokens.
pub const VENDOR: &str = "croft";

/// Calls a macro with the name of every kind of object, in the order of the authorization table.
macro_rules! for_each_kind {
    ($macro:ident) => {
        $macro! {
            FLEET SILO PROJECT INSTANCE AFFINITY_GROUP DISK SNAPSHOT IMAGE SILO_IMAGE VPC FLOATING_IP
            SILO_USER SILO_GROUP USER_LIST SSH_KEY ACCESS_TOKEN TOKEN_LIST SESSION_LIST SECOND_FACTOR VIEW_AS
            PROVIDER_LIST IDENTITY_PROVIDER CERTIFICATE_LIST CERTIFICATE AUTH_SETTINGS QUOTAS BUILTIN_USER
            SLED SUPPORT_BUNDLE IP_POOL_COLLECTION IP_POOL LINKED_IP_POOL PROBE SYSTEM_NETWORK ALERT
            ALERT_CLASS_LIST ALERT_RECEIVER WEBHOOK_SECRET SYSTEM_UPDATE AUDIT_LOG BATCH
        }
    };
}

/// Calls a macro with every module that declares operations. Lists of operations, also in answers, have this order; add
/// new modules at the end.
macro_rules! for_each_declaration {
    ($macro:ident) => {
        $macro! {
            login, session, device, me, token, ssh_key, account, second_factor, event, auth_settings,
            user, group, user::local, policy, silo, quota, utilization, metric, utilization::of_one,
            identity_provider, saml, auth_settings::sign_in, ip_pool, address_lot, loopback_address, rack,
            sled, physical_disk, support_bundle, switch, switch_port, lldp, switch_port_settings,
            user_builtin, project, trace, instance, affinity, audit, certificate, allow_list, update,
            allow_list::inbound_icmp, bgp, bfd, probe, vpc, subnet, firewall, router, internet_gateway,
            network_interface, external_ip, floating_ip, disk, snapshot, image, timeseries, alert, search,
            batch, label, deletion, activity, view_as,
        }
    };
}

pub mod account;
pub mod activity;
mod activity_note;
pub mod address_lot;
mod addressed;
pub mod affinity;
pub mod alert;
mod alert_class;
pub mod allow_list;
pub mod audit;
pub mod auth_settings;
pub mod authn;
pub mod authz;
pub mod batch;
pub mod bfd;
pub mod bgp;
pub mod bootstrap;
mod cascade;
pub mod certificate;
mod context;
mod deletable;
pub mod deletion;
mod dependents;
mod description;
pub mod device;
pub mod disk;
pub mod endpoint;
pub mod event;
pub mod execute;
pub mod external_ip;
pub mod firewall;
pub mod floating_ip;
mod free_run;
pub mod group;
pub mod identity_provider;
pub mod image;
pub mod instance;
pub mod internet_gateway;
pub mod inventory;
pub mod ip_pool;
pub mod key_check;
pub mod label;
mod label_selector;
mod listing;
pub mod lldp;
pub mod login;
mod lookup;
pub mod loopback_address;
pub mod me;
pub mod metric;
pub mod network;
pub mod network_interface;
pub mod network_invariants;
pub mod operation;
mod paging;
pub mod password;
pub mod permissions;
pub mod physical_disk;
pub mod policy;
pub mod probe;
pub mod project;
pub mod quota;
pub mod rack;
mod random;
pub mod reconcile;
mod resource;
mod role_assignment;
pub mod router;
pub mod saml;
pub mod seal;
pub mod search;
pub mod second_factor;
pub mod session;
mod session_activity;
mod settings;
pub mod silo;
pub mod sled;
pub mod snapshot;
pub mod ssh_key;
mod storage;
pub mod subnet;
pub mod support_bundle;
pub mod switch;
pub mod switch_port;
pub mod switch_port_settings;
pub mod telemetry;
pub mod throttle;
pub mod timeseries;
pub mod token;
pub mod trace;
pub mod update;
pub mod usage;
pub mod user;
pub mod user_builtin;
pub mod utilization;
pub mod view_as;
pub mod vpc;
pub mod web_address;
mod x509;

pub use authn::Credentials;
pub use authz::{AuthMethod, Caller, Operation};
pub use context::{AfterError, Cx, Environment, Progress, Request};
pub use lookup::{Authorized, LookupResult, Protected};
pub use random::{Random, SeededRandom};
pub use resource::{Declaration, ProjectBlocker, ReadScope, Resource, SiloDeletion, SiloOwners, WithParent};
pub use seal::SecretKey;
pub use settings::{NetworkSettings, SessionSettings, Settings, StorageSettings};
