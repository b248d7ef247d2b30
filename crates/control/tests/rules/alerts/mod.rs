//! Alerts and their deliveries, with receivers that are part of the test.

mod deliveries;
mod emission;
mod kit;
mod races;
mod receivers;
mod retention;
