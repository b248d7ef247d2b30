//! Timeseries and their query language (`docs/rules/telemetry.md`).
//!
//! The crate is pure: no files, clock, threads or randomness. Data comes from a [`Source`]; the time is passed in.
//! [`model`] has the types shared by producers, stores and queries. [`parse`] parses text to a [`language::Query`] and
//! [`run`] evaluates it to [`table::Table`]s.

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
