//! Timeseries and the language that asks for them (`domain/telemetry.md`, sections 1 and 7 to 13).
//!
//! Pure: no file, clock, thread or randomness. What was measured comes from a [`Source`]; the time is passed in.
//! [`model`] is what producers, stores and queries share.

pub mod model;
mod source;

pub use source::{Limit, Series, Source, SourceError, Window};
