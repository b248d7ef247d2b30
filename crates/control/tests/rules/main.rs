//! The rules on a whole control plane: a database in memory, a simulated hypervisor and a virtual clock.

// Helpers of tests unwrap as tests do; clippy's exception knows only functions marked as tests.
#![allow(clippy::unwrap_used)]

mod accounts;
mod activity;
mod affinity;
mod alerts;
mod authorization;
mod batches;
mod certificates;
mod credentials;
mod deletions;
mod devices;
mod disks;
mod failures;
mod first_start;
mod hardware;
mod hosts;
mod images;
mod imports;
mod instance_preview;
mod instances;
mod kit;
mod kit_books;
mod kit_people;
mod kit_storage;
mod labels;
mod listing;
mod model;
mod model_storage;
mod network;
mod packets;
mod placement;
mod policies;
mod pools;
mod power;
mod projects;
mod quotas;
mod retention;
mod rights;
mod search;
mod second_factors;
mod selectors;
mod silos;
mod slow_hosts;
mod snapshots;
mod sources;
mod ssh_keys;
mod support_bundles;
mod switches;
mod system_network;
mod timeseries;
mod tokens;
mod updates;
mod users;
mod view_as;
