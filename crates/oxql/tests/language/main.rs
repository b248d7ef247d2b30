//! The query language, from text to result (`docs/rules/telemetry.md`).
#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "small known numbers, and helpers that fail a test by panicking"
)]

mod align;
mod answers;
mod delta;
mod filter;
mod fuzz;
mod grammar;
mod group;
mod kit;
mod limits;
mod literals;
mod naive;
mod plan;
mod properties;
mod scope;
mod syntax_errors;
