//! The syntax tree of a query.

mod print;

use std::net::IpAddr;

use uuid::Uuid;

use crate::{Limit, model::TimeseriesName};

/// A query: a source of tables, and operations on them in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The source of its tables.
    pub start: Start,
    /// The operations.
    pub operations: Vec<Operation>,
}

impl Query {
    /// Inserts filters directly after each `get`, at any depth, before all operations of the query.
    pub fn restrict(&mut self, filters: &[Filter]) {
        match &mut self.start {
            Start::Get(_) => {
                self.operations.splice(0..0, filters.iter().cloned().map(Operation::Filter));
            }
            Start::Group(members) => members.iter_mut().for_each(|member| member.restrict(filters)),
        }
    }
}

/// The source of a query's tables.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// A timeseries name.
    Get(TimeseriesName),
    /// The tables of subqueries, in order.
    Group(Vec<Query>),
}

/// An operation on tables.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Removes points for which a condition is false.
    Filter(Filter),
    /// Moves points to a grid of times.
    Align(Alignment),
    /// Merges timeseries with equal fields.
    GroupBy(Grouping),
    /// Merges tables to one with several dimensions.
    Join,
    /// Keeps some of the points of each timeseries.
    Limit(Limit),
}

/// The parameters of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alignment {
    /// The method.
    pub method: AlignmentMethod,
    /// The period of the grid.
    pub period: Duration,
}

/// The method of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignmentMethod {
    /// The mean in the period before each time.
    MeanWithin,
    /// By interpolation, which the evaluator does not support.
    Interpolate,
}

/// The parameters of a grouping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The fields to group by.
    pub fields: Vec<String>,
    /// The reducer.
    pub reducer: Reducer,
}

/// How values at the same time are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reducer {
    /// Their mean.
    Mean,
    /// Their sum.
    Sum,
}

/// A condition. Chained operands of one operator are in one list: all three operators are associative.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// A comparison.
    Compare(Comparison),
    /// Negation.
    Not(Box<Filter>),
    /// `&&`: all of two or more.
    All(Vec<Filter>),
    /// `||`: at least one of two or more.
    Any(Vec<Filter>),
    /// `^`: an odd number of two or more.
    Odd(Vec<Filter>),
}

impl Filter {
    /// Whether a field has exactly this value.
    pub fn equal(field: &str, literal: Literal) -> Self {
        Self::Compare(Comparison { identifier: field.into(), operator: Operator::Equal, literal })
    }
}

/// A comparison of an identifier with a literal.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// A field, or a property of every point.
    pub identifier: String,
    /// The operator.
    pub operator: Operator,
    /// The literal.
    pub literal: Literal,
}

/// The operator of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `~=`: matches a regular expression.
    Matches,
}

impl Operator {
    /// The operator's text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Matches => "~=",
        }
    }
}

/// A value in a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Boolean(bool),
    /// A duration.
    Duration(Duration),
    /// An integer from -2^63 to 2^64-1.
    Integer(i128),
    /// A finite number with a point or an exponent.
    Double(f64),
    /// A UUID.
    Uuid(Uuid),
    /// An IP address.
    IpAddr(IpAddr),
    /// Text.
    String(String),
    /// A time in nanoseconds since the epoch, saturating.
    Timestamp(i64),
}

impl Literal {
    /// The name of the type in error messages.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Boolean(_) => "boolean",
            Self::Duration(_) => "duration",
            Self::Integer(_) => "integer",
            Self::Double(_) => "double",
            Self::Uuid(_) => "uuid",
            Self::IpAddr(_) => "ip_addr",
            Self::String(_) => "string",
            Self::Timestamp(_) => "timestamp",
        }
    }
}

/// A duration, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duration {
    count: u32,
    unit: DurationUnit,
    nanoseconds: u64,
}

impl Duration {
    /// A duration of a number of units; `None` if it exceeds 2^64-1 nanoseconds.
    pub fn new(count: u32, unit: DurationUnit) -> Option<Self> {
        let nanoseconds = unit.nanoseconds().checked_mul(count.into())?;
        Some(Self { count, unit, nanoseconds })
    }

    pub(crate) fn nanoseconds(&self) -> u64 {
        self.nanoseconds
    }

    /// The duration in nanoseconds, saturating at about 292 years.
    pub fn as_nanoseconds(&self) -> i64 {
        i64::try_from(self.nanoseconds).unwrap_or(i64::MAX)
    }
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationUnit {
    /// `Y`: 365 days.
    Year,
    /// `M`: 30 days.
    Month,
    /// `w`
    Week,
    /// `d`: 24 hours.
    Day,
    /// `h`
    Hour,
    /// `m`
    Minute,
    /// `s`
    Second,
    /// `ms`
    Millisecond,
    /// `us`
    Microsecond,
    /// `ns`
    Nanosecond,
}

impl DurationUnit {
    /// All units. A unit whose text starts with the text of another comes before it.
    pub const ALL: [Self; 10] = [
        Self::Millisecond,
        Self::Microsecond,
        Self::Nanosecond,
        Self::Year,
        Self::Month,
        Self::Week,
        Self::Day,
        Self::Hour,
        Self::Minute,
        Self::Second,
    ];

    /// The unit's text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Year => "Y",
            Self::Month => "M",
            Self::Week => "w",
            Self::Day => "d",
            Self::Hour => "h",
            Self::Minute => "m",
            Self::Second => "s",
            Self::Millisecond => "ms",
            Self::Microsecond => "us",
            Self::Nanosecond => "ns",
        }
    }

    fn nanoseconds(self) -> u64 {
        const SECOND: u64 = 1_000_000_000;
        const DAY: u64 = 86_400 * SECOND;
        match self {
            Self::Year => 365 * DAY,
            Self::Month => 30 * DAY,
            Self::Week => 7 * DAY,
            Self::Day => DAY,
            Self::Hour => 3_600 * SECOND,
            Self::Minute => 60 * SECOND,
            Self::Second => SECOND,
            Self::Millisecond => 1_000_000,
            Self::Microsecond => 1_000,
            Self::Nanosecond => 1,
        }
    }
}
