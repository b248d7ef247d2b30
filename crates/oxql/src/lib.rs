//! Timeseries and the language that asks for them (`docs/rules/telemetry.md`).
//!
//! Pure: no file, clock, thread or randomness. What was measured comes from a [`Source`]; the time is passed in.
//! [`model`] is what producers, stores and queries share. [`parse`] makes a [`language::Query`] of a text and [`run`]
//! answers it with [`table::Table`]s.

mod condition;
mod error;
pub mod language;
mod memory;
pub mod model;
mod parse;
mod plan;
mod run;
mod source;
pub mod table;

pub use error::{FilterError, PlanError, QueryError, RunError};
pub use memory::{Memory, Refused};
pub use parse::{LONGEST_QUERY, SyntaxError, parse};
pub use run::{Context, MOST_POINTS, run};
pub use source::{Limit, Series, Source, SourceError, Window};
