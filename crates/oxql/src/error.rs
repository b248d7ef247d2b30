//! Errors of queries, from the catalog in `docs/rules/telemetry.md#query-errors`. Clients search for the texts.

use crate::{SourceError, SyntaxError};

/// The error of a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The text cannot be parsed.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The query is invalid for the schemas.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The query is invalid for the data, or exceeds a limit.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The store cannot be read at the moment.
    #[error("the stored samples cannot be read: {0}")]
    Unavailable(String),
    /// The query timed out.
    #[error("the query took too long")]
    TimedOut,
}

impl From<SourceError> for QueryError {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::TooManyPoints => Self::Run(RunError::TooManyPoints),
            SourceError::Unavailable(reason) => Self::Unavailable(reason),
        }
    }
}

/// An error found before any data is read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each case is its text")]
pub enum PlanError {
    #[error("Timeseries not found for: {0}")]
    UnknownTimeseries(String),
    #[error("Timeseries '{0}' holds bytes, which cannot be queried")]
    Bytes(String),
    #[error(
        "This query requires at least one full table scan. Please rewrite the query to filter either the fields or \
         timestamps, in order to reduce the amount of data fetched from the database."
    )]
    FullScan,
    #[error("The filter expression \"{filter}\" is not valid, the following errors were encountered{}", lines(.errors))]
    Filter { filter: String, errors: Vec<FilterError> },
    #[error(
        "Maximum recursion level exceeded trying to simplify logical expression to disjunctive normal form"
    )]
    DeepFilter,
    #[error("Logical expression is too complicated to simplify")]
    WideFilter,
    #[error("Alignment via interpolation is not yet implemented")]
    Interpolation,
    #[error("Aligning multidimensional timeseries is not yet supported")]
    AlignDimensions,
    #[error("Tables with '{0}' data types cannot be aligned")]
    AlignType(&'static str),
    #[error("Only gauge or delta metric types may be aligned, but table '{0}' has cumulative metric type")]
    AlignCumulative(String),
    #[error("`group_by` table operations require exactly one input table, but found {0}")]
    GroupTables(usize),
    #[error("Input table to a `group_by` table operation must be aligned, but table '{0}' is not aligned")]
    GroupUnaligned(String),
    #[error(
        "`group_by` table operations require tables of one dimension, but table '{0}' has {1} dimensions"
    )]
    GroupDimensions(String, usize),
    #[error("`group_by` table operations require numbers, but table '{0}' has '{1}' data type")]
    GroupType(String, &'static str),
    #[error(
        "Cannot group by field '{field}', which does not appear in the input tables. Valid fields are: {valid:?}"
    )]
    GroupField { field: String, valid: Vec<String> },
    #[error("`join` table operations require at least 2 tables")]
    JoinTables,
    #[error("All input tables to a `join` operation must be aligned, but table '{0}' is not aligned")]
    JoinUnaligned(String),
    #[error(
        "All input tables to a `join` operation must have the same alignment period, but table '{table}' has a period \
         of {period} ns and table '{other}' one of {other_period} ns"
    )]
    JoinPeriods { table: String, period: i64, other: String, other_period: i64 },
    #[error("All input tables to a `join` operation must have one dimension, but table '{0}' has {1}")]
    JoinDimensions(String, usize),
    #[error(
        "All input tables to a `join` operation must have the same fields, but those of table '{table}' are {fields} \
         and those of table '{other}' are {other_fields}"
    )]
    JoinFields { table: String, fields: String, other: String, other_fields: String },
}

fn lines(errors: &[FilterError]) -> String {
    errors.iter().fold(String::new(), |lines, error| lines + "\n" + &error.to_string())
}

/// An error in a condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each case is its text")]
pub enum FilterError {
    #[error(
        "The filter expression refers to identifiers that are not valid for its input table \"{table}\". Invalid \
         identifiers: {invalid:?}, valid identifiers: {valid:?}"
    )]
    Identifier { table: String, invalid: Vec<String>, valid: Vec<String> },
    #[error("Filtering on the special identifier \"{0}\" is not yet supported")]
    DistributionPart(String),
    #[error(
        "The special identifier \"datum\" may only be used for 1-dimensional tables, but table \"{table}\" has \
         {dimensions} dimensions"
    )]
    DatumDimensions { table: String, dimensions: usize },
    #[error(
        "Filter expression for identifier \"{identifier}\" has type \"{literal}\" which is not compatible with the \
         expected type \"{expected}\""
    )]
    Type { identifier: String, literal: &'static str, expected: &'static str },
    #[error(
        "The operator \"{operator}\" cannot be used for identifier \"{identifier}\" of type \"{expected}\""
    )]
    Operator { identifier: String, operator: &'static str, expected: &'static str },
    #[error("The regular expression for identifier \"{identifier}\" is not valid: {reason}")]
    Pattern { identifier: String, reason: String },
}

/// An error found while the query runs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each case is its text")]
pub enum RunError {
    #[error(
        "Query requires fetching more than the current limit of 1000000 data points from the timeseries database"
    )]
    TooManyPoints,
    #[error("Query requires more than the {0} MiB of memory that a query may use. Please filter it further.")]
    TooMuchMemory(usize),
    #[error("Failed to convert u64 datum to i64")]
    UnsignedTooGreat,
    #[error(
        "Cannot compute a delta, the timestamp of the next sample has a new start time, or overlaps with the last \
         processed sample. Last processed sample: start time {last_start}, time {last_time}; next sample: start time \
         {next_start}, time {next_time}"
    )]
    DeltaOverlap { last_start: String, last_time: String, next_start: String, next_time: String },
    #[error("Cannot compute a delta, the difference of two samples is not a 64-bit integer")]
    DeltaOverflow,
    #[error("Cannot subtract distributions with different bins")]
    DistributionBins,
    #[error("Underflow subtracting distributions values")]
    DistributionUnderflow,
    #[error("A table alignment operation may not upsample data by more than a factor of 100")]
    Upsampling,
    #[error("Input tables to a `group_by` must be aligned")]
    GroupUnaligned,
    #[error("Input tables for a join operation must be aligned")]
    JoinUnaligned,
    #[error("Join failed, input table {table} does not contain a timeseries with key {key}")]
    JoinPartner { table: usize, key: u64 },
}
