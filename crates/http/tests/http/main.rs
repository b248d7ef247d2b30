//! The routes over real rules and a real database, as a client sees them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed, and the place says where")]

mod affinity;
mod alerts;
mod allowed_sources;
mod audit;
mod bad_input;
mod callers;
mod certificates;
mod cloud;
mod cross_site;
mod devices;
mod document;
mod events;
mod hardware;
mod hostile;
mod imports;
mod ipv6_pools;
mod load;
mod matrix;
mod metrics;
mod paging;
mod projects;
mod provisioned;
mod proxies;
mod repositories;
mod routing;
mod saml;
mod serial_console;
mod serial_stream;
mod serial_viewers;
mod service_pool;
mod sessions;
mod silos;
mod support_bundles;
mod switches;
mod system_network;
mod tenancy;
mod timeseries;
mod tokens;
mod trace;
mod updates;
mod users;
mod vpcs;
mod waiting;
