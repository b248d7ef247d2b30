//! The rules of Croft: what may be done, by whom, and what follows.
//!
//! A rule is a synchronous function of a [context](Cx) (transaction, time, randomness, settings, request), a
//! [caller](Caller) and parameters; it answers a view or an [`Error`](croft_api::Error). It may run more than once
//! and has no effect outside its transaction. What has to happen outside, the [reconciler](reconcile) does.
//!
//! # Running a rule
//!
//! [`execute::read`] and [`execute::write`] resolve the caller, run the rule, and for writes keep the audit entry in
//! the same transaction. `write` answers two results: the outer one is for the store, so that an error of the inner
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
//! | operation | rule |
//! |---|---|
//! | `login_local` | [`login::prepare`] (read), verify the password outside, [`login::complete`] (write); [`throttle::Throttle`] before both |
//! | `logout` | [`session::logout`] (write, never fails for lack of credentials) |
//! | `current_user_view`, `current_user_groups` | [`me::view`], [`me::groups`] |
//! | `policy_view`, `system_policy_view` | [`policy::silo_view`], [`policy::fleet_view`] |
//! | `project_list`, `_create`, `_view`, `_update`, `_delete` | [`project::list`], [`project::create`], [`project::view`], [`project::update`], [`project::delete`] |
//! | `instance_list`, `_create`, `_view`, `_update`, `_delete` | [`instance::list`], [`instance::create`], [`instance::view`], [`instance::update`], [`instance::delete`] |
//! | `instance_start` | [`instance::start`] |
//! | `instance_stop`, `instance_reboot` | [`instance::probe`] (read), [`instance::Probe::ask`] (outside), [`instance::stop`], [`instance::reboot`] (write) |
//! | `instance_serial_console` | [`instance::serial_machine`] (read), then [`instance::serial_history`] on the hypervisor's line |
//! | `instance_serial_console_stream` | [`instance::serial_stream_machine`] (read), then follow the hypervisor's line |
//! | `instance_disk_list`, `_attach`, `_detach` | [`instance::disk_list`], [`instance::disk_attach`], [`instance::disk_detach`] |
//! | `disk_list`, `_create`, `_view`, `_delete` | [`disk::list`], [`disk::create`], [`disk::view`], [`disk::delete`] |
//!
//! `ping` needs no rule. First start is [`bootstrap::run`]; background work is [`reconcile::Reconciler`]; passwords and
//! tokens from the server's own host are [`bootstrap::reset_password`] and [`token::create`].

pub mod audit;
pub mod authn;
pub mod authz;
pub mod bootstrap;
mod context;
pub mod disk;
pub mod execute;
mod found;
pub mod instance;
pub mod inventory;
pub mod login;
pub mod me;
pub mod operation;
mod paging;
pub mod policy;
pub mod project;
pub mod reconcile;
pub mod session;
mod storage;
pub mod throttle;
pub mod token;
pub mod usage;

pub use authn::{AuthMethod, Caller, Credentials};
pub use context::{
    AfterError, Cx, Environment, Random, Request, SeededRandom, SessionSettings, Settings, StorageSettings,
};
pub use found::{Authorized, Found, Protected};
pub use operation::Operation;
