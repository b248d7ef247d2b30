//! The handlers of operations. They extract parameters, call a rule and return its view.

mod account;
mod activity;
mod address_lot;
mod affinity;
mod alert;
mod allow_list;
mod audit;
mod auth_settings;
mod batch;
mod bfd;
mod bgp;
mod certificate;
pub(crate) mod console_stream;
mod deletion;
mod device;
mod disk;
mod disk_import;
mod events;
mod external_ip;
mod firewall;
mod floating_ip;
mod graphical_console;
mod hardware;
mod identity_provider;
mod image;
mod instance;
mod instance_activity;
mod instance_preview;
mod internet_gateway;
mod internet_gateway_ip_address;
mod internet_gateway_ip_pool;
mod ip_pool;
mod ip_pool_range;
mod label;
mod lists;
mod lldp;
mod local_user;
mod login;
mod login_saml;
mod loopback_address;
mod me;
mod metric;
mod network_interface;
mod paging;
mod policy;
mod probe;
mod project;
mod router;
mod router_route;
mod search;
mod second_factor;
mod serial;
mod silo;
mod sled;
mod snapshot;
mod ssh_key;
mod subnet;
mod support_bundle;
mod support_bundle_content;
mod switch_port;
mod switch_port_settings;
mod system;
mod timeseries;
mod token;
mod trace;
mod update;
mod user;
mod user_builtin;
mod view_as;
mod vpc;
mod webhook;

use crate::routes::{Described, OpenApiRouter};

/// The router of every operation.
pub(crate) fn described() -> Vec<Described> {
    router().into_described()
}

/// Every operation.
pub(crate) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .merge(login::router())
        .merge(login_saml::router())
        .merge(me::router())
        .merge(account::router())
        .merge(second_factor::router())
        .merge(token::router())
        .merge(ssh_key::router())
        .merge(device::router())
        .merge(audit::router())
        .merge(auth_settings::router())
        .merge(user::router())
        .merge(local_user::router())
        .merge(policy::router())
        .merge(silo::router())
        .merge(metric::router())
        .merge(ip_pool::router())
        .merge(ip_pool_range::router())
        .merge(allow_list::router())
        .merge(bgp::router())
        .merge(bfd::router())
        .merge(probe::router())
        .merge(address_lot::router())
        .merge(loopback_address::router())
        .merge(hardware::router())
        .merge(sled::router())
        .merge(support_bundle::router())
        .merge(support_bundle_content::router())
        .merge(switch_port::router())
        .merge(switch_port_settings::router())
        .merge(lldp::router())
        .merge(update::router())
        .merge(user_builtin::router())
        .merge(identity_provider::router())
        .merge(project::router())
        .merge(image::router())
        .merge(instance::router())
        .merge(instance_activity::router())
        .merge(instance_preview::router())
        .merge(disk::router())
        .merge(affinity::router())
        .merge(disk_import::router())
        .merge(snapshot::router())
        .merge(vpc::router())
        .merge(subnet::router())
        .merge(firewall::router())
        .merge(trace::router())
        .merge(router::router())
        .merge(router_route::router())
        .merge(internet_gateway::router())
        .merge(internet_gateway_ip_pool::router())
        .merge(internet_gateway_ip_address::router())
        .merge(network_interface::router())
        .merge(floating_ip::router())
        .merge(external_ip::router())
        .merge(certificate::router())
        .merge(alert::router())
        .merge(webhook::router())
        .merge(serial::router())
        .merge(graphical_console::router())
        .merge(timeseries::router())
        .merge(system::router())
        .merge(console_stream::router())
        .merge(events::router())
        .merge(label::router())
        .merge(activity::router())
        .merge(search::router())
        .merge(lists::router())
        .merge(deletion::router())
        .merge(batch::router())
        .merge(view_as::router())
}
