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
//! | `current_user_project_list`, `current_user_permissions_view` (extensions) | [`me::projects`], [`me::permissions`] |
//! | `current_user_access_token_list`, `_delete` | [`token::list`], [`token::delete`] |
//! | `current_user_ssh_key_list`, `_create`, `_view`, `_delete` | [`ssh_key::list`], [`ssh_key::create`], [`ssh_key::view`], [`ssh_key::delete`] |
//! | `device_auth_request`, `device_auth_confirm`, `device_access_token` | [`device::request`], [`device::confirm`], [`device::access_token`] |
//! | `auth_settings_view`, `_update` | [`auth_settings::view`], [`auth_settings::update`] |
//! | `user_list`, `_view`, `_token_list`, `_session_list`, `_logout` | [`user::list`], [`user::view`], [`user::token_list`], [`user::session_list`], [`user::logout`] |
//! | `group_list`, `_view` | [`group::list`], [`group::view`] |
//! | `silo_user_list`, `_view` | [`user::silo_list`], [`user::silo_view`] |
//! | `local_idp_user_create`, `_set_password` | [`user::may_create_local`], [`user::may_set_password`] (read), hash the password outside, [`user::local_create`], [`user::set_password`] (write) |
//! | `local_idp_user_delete` | [`user::local_delete`] |
//! | `system_policy_view`, `_update` | [`policy::fleet_view`], [`policy::fleet_update`] |
//! | `policy_view`, `_update` | [`policy::own_silo_view`], [`policy::own_silo_update`] |
//! | `silo_policy_view`, `_update` | [`policy::silo_view`], [`policy::silo_update`] |
//! | `project_policy_view`, `_update` | [`policy::project_view`], [`policy::project_update`] |
//! | `silo_list`, `_create`, `_view`, `_delete` | [`silo::list`], [`silo::create`], [`silo::view`], [`silo::delete`] |
//! | `silo_quotas_view`, `_update`, `system_quotas_list` | [`quota::view`], [`quota::update`], [`quota::list`] |
//! | `utilization_view`, `silo_utilization_list`, `_view` | [`utilization::view`], [`utilization::silo_list`], [`utilization::silo_view`] |
//! | `silo_metric`, `system_metric` | [`metric::of_silo`], [`metric::of_system`] (read), then [`metric::page`] of the store of samples |
//! | `project_ip_pool_list`, `_view`, `silo_ip_pool_list` | [`ip_pool::own_list`], [`ip_pool::own_view`], [`ip_pool::of_silo`] |
//! | `ip_pool_list`, `_create`, `_view`, `_update`, `_delete` | [`ip_pool::list`], [`ip_pool::create`], [`ip_pool::view`], [`ip_pool::update`], [`ip_pool::delete`] |
//! | `ip_pool_silo_list`, `_link`, `_update`, `_unlink` | [`ip_pool::silo_list`], [`ip_pool::silo_link`], [`ip_pool::silo_update`], [`ip_pool::silo_unlink`] |
//! | `ip_pool_range_list`, `_add`, `_remove`, `ip_pool_utilization_view` | [`ip_pool::range_list`], [`ip_pool::range_add`], [`ip_pool::range_remove`], [`ip_pool::utilization_view`] |
//! | `ip_pool_service_view`, `ip_pool_service_range_list`, `_add`, `_remove` | [`ip_pool::service_view`], [`ip_pool::service_range_list`], [`ip_pool::service_range_add`], [`ip_pool::service_range_remove`] |
//! | `networking_allow_list_view`, `_update`, `networking_inbound_icmp_view`, `_update` | [`allow_list::view`], [`allow_list::update`], [`allow_list::inbound_icmp_view`], [`allow_list::inbound_icmp_update`] |
//! | `networking_bgp_config_list`, `_create`, `_delete` | [`bgp::config_list`], [`bgp::config_create`], [`bgp::config_delete`] |
//! | `networking_bgp_announce_set_list`, `_update`, `_delete`, `networking_bgp_announcement_list` | [`bgp::announce_set_list`], [`bgp::announce_set_update`], [`bgp::announce_set_delete`], [`bgp::announcement_list`] |
//! | `networking_bgp_status`, `_exported`, `_message_history`, `_imported_routes_ipv4` | [`bgp::may_see_status`] and its like (read), then [`bgp::status`] and its like on the hypervisor's switches |
//! | `networking_bfd_enable`, `_disable` | [`bfd::enable`], [`bfd::disable`] |
//! | `networking_bfd_status` | [`bfd::sessions`] (read), then [`bfd::status`] on the hypervisor's switches |
//! | `probe_list`, `_create`, `_view`, `_delete` | [`probe::list`], [`probe::create`], [`probe::view`], [`probe::delete`] |
//! | `vpc_list`, `_create`, `_view`, `_update`, `_delete` | [`vpc::list`], [`vpc::create`], [`vpc::view`], [`vpc::update`], [`vpc::delete`] |
//! | `vpc_subnet_list`, `_create`, `_view`, `_update`, `_delete` | [`subnet::list`], [`subnet::create`], [`subnet::view`], [`subnet::update`], [`subnet::delete`] |
//! | `vpc_subnet_list_network_interfaces` | [`subnet::network_interface_list`] |
//! | `vpc_firewall_rules_view`, `_update` | [`firewall::rules_view`], [`firewall::rules_update`] |
//! | `vpc_router_list`, `_create`, `_view`, `_update`, `_delete` | [`router::list`], [`router::create`], [`router::view`], [`router::update`], [`router::delete`] |
//! | `vpc_router_route_list`, `_create`, `_view`, `_update`, `_delete` | [`router::route_list`], [`router::route_create`], [`router::route_view`], [`router::route_update`], [`router::route_delete`] |
//! | `internet_gateway_list`, `_create`, `_view`, `_delete` | [`internet_gateway::list`], [`internet_gateway::create`], [`internet_gateway::view`], [`internet_gateway::delete`] |
//! | `internet_gateway_ip_pool_list`, `_create`, `_delete` | [`internet_gateway::ip_pool_list`], [`internet_gateway::ip_pool_create`], [`internet_gateway::ip_pool_delete`] |
//! | `internet_gateway_ip_address_list`, `_create`, `_delete` | [`internet_gateway::ip_address_list`], [`internet_gateway::ip_address_create`], [`internet_gateway::ip_address_delete`] |
//! | `instance_network_interface_list`, `_create`, `_view`, `_update`, `_delete` | [`network_interface::list`], [`network_interface::create`], [`network_interface::view`], [`network_interface::update`], [`network_interface::delete`] |
//! | `floating_ip_list`, `_create`, `_view`, `_update`, `_delete`, `_attach`, `_detach` | [`floating_ip::list`], [`floating_ip::create`], [`floating_ip::view`], [`floating_ip::update`], [`floating_ip::delete`], [`floating_ip::attach`], [`floating_ip::detach`] |
//! | `instance_external_ip_list`, `instance_ephemeral_ip_attach`, `_detach` | [`external_ip::list`], [`external_ip::ephemeral_attach`], [`external_ip::ephemeral_detach`] |
//! | `networking_address_lot_list`, `_create`, `_delete`, `_block_list` | [`address_lot::list`], [`address_lot::create`], [`address_lot::delete`], [`address_lot::block_list`] |
//! | `networking_loopback_address_list`, `_create`, `_delete` | [`loopback_address::list`], [`loopback_address::create`], [`loopback_address::delete`] |
//! | `networking_switch_port_list`, `_apply_settings`, `_clear_settings`, `_status` | [`switch_port::list`], [`switch_port::apply_settings`], [`switch_port::clear_settings`], [`switch_port::status`] |
//! | `networking_switch_port_settings_list`, `_create`, `_view`, `_delete` | [`switch_port_settings::list`], [`switch_port_settings::create`], [`switch_port_settings::view`], [`switch_port_settings::delete`] |
//! | `networking_switch_port_lldp_config_view`, `_config_update`, `_neighbors` | [`lldp::config_view`], [`lldp::config_update`], [`lldp::neighbors`] |
//! | `rack_list`, `_view` | [`rack::list`], [`rack::view`] |
//! | `sled_list`, `_view`, `_add`, `_list_uninitialized` | [`sled::list`], [`sled::view`], [`sled::add`], [`sled::list_uninitialized`] |
//! | `sled_set_provision_policy`, `_instance_list`, `_physical_disk_list` | [`sled::set_provision_policy`], [`sled::instance_list`], [`sled::physical_disk_list`] |
//! | `physical_disk_list`, `_view` | [`physical_disk::list`], [`physical_disk::view`] |
//! | `switch_list`, `_view` | [`switch::list`], [`switch::view`] |
//! | `support_bundle_list`, `_create`, `_view`, `_update`, `_delete` | [`support_bundle::list`], [`support_bundle::create`], [`support_bundle::view`], [`support_bundle::update`], [`support_bundle::delete`] |
//! | `support_bundle_index`, `_head`, `_head_file` | [`support_bundle::may_download`] (read), then [`support_bundle::Archives`] |
//! | `support_bundle_download`, `_download_file` | [`support_bundle::may_download`] (read), [`support_bundle::Archives`], [`support_bundle::download`] |
//! | `system_update_trust_root_list`, `_create`, `_view`, `_delete` | [`update::trust_root_list`], [`update::trust_root_create`], [`update::trust_root_view`], [`update::trust_root_delete`] |
//! | `system_update_put_repository` | [`update::trusted`] (read), then [`update::repository_put`] (write) |
//! | `system_update_get_repository` | [`update::repository_view`] |
//! | `target_release_view`, `_update` | [`update::target_release_view`], [`update::target_release_update`] |
//! | `user_builtin_list`, `_view` | [`user_builtin::list`], [`user_builtin::view`] |
//! | `project_list`, `_create`, `_view`, `_update`, `_delete` | [`project::list`], [`project::create`], [`project::view`], [`project::update`], [`project::delete`] |
//! | `instance_list`, `_create`, `_view`, `_update`, `_delete` | [`instance::list`], [`instance::create`], [`instance::view`], [`instance::update`], [`instance::delete`] |
//! | `instance_start` | [`instance::start`] |
//! | `instance_stop`, `instance_reboot` | [`instance::probe`] (read), [`instance::Probe::ask`] (outside), [`instance::stop`], [`instance::reboot`] (write) |
//! | `instance_serial_console` | [`instance::serial_machine`] (read), [`instance::serial_history`] on the hypervisor's line, [`instance::serial_was_read`] |
//! | `instance_serial_console_stream` | [`instance::serial_stream_begin`], follow the hypervisor's line, [`instance::serial_stream_end`] |
//! | `instance_ssh_public_key_list` | [`instance::ssh_public_key_list`] |
//! | `instance_disk_list`, `_attach`, `_detach` | [`instance::disk_list`], [`instance::disk_attach`], [`instance::disk_detach`] |
//! | `affinity_group_list`, `_create`, `_view`, `_update`, `_delete`, and those of anti-affinity groups | [`affinity::list`], [`affinity::create`], [`affinity::view`], [`affinity::update`], [`affinity::delete`] |
//! | `affinity_group_member_list`, `_instance_view`, `_instance_add`, `_instance_delete`, and those of anti-affinity groups | [`affinity::member_list`], [`affinity::member_view`], [`affinity::member_add`], [`affinity::member_delete`] |
//! | `instance_affinity_group_list`, `instance_anti_affinity_group_list` | [`affinity::of_instance`] |
//! | `disk_list`, `_create`, `_view`, `_delete` | [`disk::list`], [`disk::create`], [`disk::view`], [`disk::delete`] |
//! | `disk_bulk_write_import_start` | [`disk::import::start`] |
//! | `disk_bulk_write_import` | [`disk::import::bulk_write_target`] (read), then [`disk::import::ImportTarget::write`] (outside) |
//! | `disk_bulk_write_import_stop`, `disk_finalize_import` | [`disk::import::stop_target`], [`disk::import::finalize_target`] (read), [`disk::import::ImportTarget::sync`] (outside), [`disk::import::stop`], [`disk::import::finalize`] (write) |
//! | `snapshot_list`, `_create`, `_view`, `_delete` | [`snapshot::list`], [`snapshot::create`], [`snapshot::view`], [`snapshot::delete`] |
//! | `timeseries_query`, `system_timeseries_query` | [`timeseries::of_project`], [`timeseries::of_system`] (read), then [`timeseries::query`] of the store of samples |
//! | `system_timeseries_schema_list` | [`timeseries::may_list_schemas`] (read), then [`timeseries::schemas`] of the store of samples |
//! | `alert_class_list` | [`alert::class_list`] |
//! | `alert_receiver_list`, `_view`, `_delete`, `webhook_receiver_create`, `_update` | [`alert::receiver_list`], [`alert::receiver_view`], [`alert::receiver_delete`], [`alert::webhook_create`], [`alert::webhook_update`] |
//! | `alert_receiver_subscription_add`, `_remove` | [`alert::subscription_add`], [`alert::subscription_remove`] |
//! | `webhook_secrets_list`, `_add`, `_delete` | [`alert::secrets_list`], [`alert::secrets_add`], [`alert::secrets_delete`] |
//! | `alert_delivery_list`, `alert_delivery_resend` | [`alert::delivery_list`], [`alert::resend`] |
//! | `alert_receiver_probe` | [`alert::prepare_probe`] (read), send it (outside), [`alert::probe`] (write) |
//! | `image_list`, `_create`, `_view`, `_delete`, `_promote`, `_demote` | [`image::list`], [`image::create`], [`image::view`], [`image::delete`], [`image::promote`], [`image::demote`] |
//!
//! `instance_activity_list`, which is beside the contract, is [`instance::activity_list`].
//!
//! `vpc_trace`, which is beside it too, is [`trace::trace`]; it asks a VPC [as packets see it](network).
//!
//! The caller's own account is beside the contract, too: [`account::view`], [`account::password_challenge`] (read), verify and
//! hash outside, [`account::change_password`] (write); [`session::own_list`], [`session::end`], [`session::end_others`];
//! [`token::own_list`], [`token::rename`].
//!
//! So are second factors of users with a password here: [`second_factor::list`], [`second_factor::totp_begin`],
//! [`second_factor::totp_create`], [`second_factor::rename`], [`second_factor::delete`], the recovery codes, and showing one at
//! the end of signing in, [`second_factor::verify`]. For passkeys, whose signatures are checked outside, there is a rule
//! before and one after: [`second_factor::passkey_owner`] and [`second_factor::passkey_begin`],
//! [`second_factor::passkey_registration`] and [`second_factor::passkey_create`], [`second_factor::passkey_check`] and
//! [`second_factor::verify`]. What a silo decides about them is [`auth_settings::sign_in_view`] and
//! [`auth_settings::sign_in_update`].
//!
//! `ping` needs no rule. First start is [`bootstrap::run`]; background work is [`reconcile::Reconciler`]; what an
//! operator does on the server's own host is [`bootstrap::reset_password`], [`second_factor::reset_on_host`], [`token::create`], [`sled::expunge`]
//! and [`allow_list::allow_any`].

/// The word that stands for this product where machines read it: in headers of deliveries, and before tokens.
pub const VENDOR: &str = "croft";

pub mod account;
pub mod address_lot;
pub mod affinity;
pub mod alert;
pub mod allow_list;
pub mod audit;
pub mod auth_settings;
pub mod authn;
pub mod authz;
pub mod bfd;
pub mod bgp;
pub mod bootstrap;
pub mod certificate;
mod context;
pub mod device;
pub mod disk;
pub mod endpoint;
pub mod event;
pub mod execute;
pub mod external_ip;
pub mod firewall;
pub mod floating_ip;
mod found;
mod free_run;
pub mod group;
pub mod identity_provider;
pub mod image;
pub mod instance;
pub mod internet_gateway;
pub mod inventory;
pub mod ip_pool;
pub mod lldp;
pub mod login;
pub mod loopback_address;
pub mod me;
pub mod metric;
pub mod network;
pub mod network_books;
pub mod network_interface;
pub mod operation;
mod paging;
pub mod password;
pub mod physical_disk;
pub mod policy;
pub mod probe;
pub mod project;
pub mod quota;
pub mod rack;
pub mod reconcile;
pub mod router;
pub mod saml;
pub mod seal;
pub mod second_factor;
pub mod session;
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
pub mod vpc;
pub mod web_address;

pub use authn::{AuthMethod, Caller, Credentials};
pub use context::{
    AfterError, Cx, Environment, NetworkSettings, Progress, Random, Request, SeededRandom, SessionSettings,
    Settings, StorageSettings,
};
pub use found::{Authorized, Found, Protected};
pub use operation::Operation;
pub use seal::SecretKey;
