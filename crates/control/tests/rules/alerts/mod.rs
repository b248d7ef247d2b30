//! Alerts and their deliveries, to receivers that a test plays.

mod deliveries;
mod emission;
mod kit;
mod races;
mod receivers;
mod retention;
