//! What a query says, as it was written.

mod print;

use std::net::IpAddr;

use uuid::Uuid;

use crate::{Limit, model::TimeseriesName};

/// A query: tables to begin with, and what is done to them in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Where its tables come from.
    pub start: Start,
    /// What is done to them.
    pub operations: Vec<Operation>,
}

impl Query {
    /// Puts filters right after each `get`, at any depth: nothing that the query says comes before them.
    pub fn restrict(&mut self, filters: &[Filter]) {
        match &mut self.start {
            Start::Get(_) => {
                self.operations.splice(0..0, filters.iter().cloned().map(Operation::Filter));
            }
            Start::Group(members) => members.iter_mut().for_each(|member| member.restrict(filters)),
        }
    }
}

/// Where the tables of a query come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// A timeseries name.
    Get(TimeseriesName),
    /// The tables of other queries, in order.
    Group(Vec<Query>),
}

/// What is done to tables.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Points for which a condition is false go.
    Filter(Filter),
    /// Points are moved to a grid of times.
    Align(Alignment),
    /// Timeseries with equal fields become one.
    GroupBy(Grouping),
    /// Tables become one with a dimension for each.
    Join,
    /// Only some of the points of each timeseries stay.
    Limit(Limit),
}

/// How points are moved to a grid of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alignment {
    /// By which rule.
    pub method: AlignmentMethod,
    /// The distance between the times of the grid.
    pub period: Duration,
}

/// The rule by which points are moved to a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignmentMethod {
    /// The mean of what was measured in the period before each time.
    MeanWithin,
    /// By interpolation, which the language knows and the evaluator does not.
    Interpolate,
}

/// Which timeseries become one, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The fields that stay.
    pub fields: Vec<String>,
    /// How their values become one.
    pub reducer: Reducer,
}

/// How values of one time become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reducer {
    /// Their mean.
    Mean,
    /// Their sum.
    Sum,
}

/// A condition. Operands in a row of one operator stand together: all three operators are associative.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// A comparison.
    Compare(Comparison),
    /// The opposite.
    Not(Box<Filter>),
    /// `&&`: every one of two or more.
    All(Vec<Filter>),
    /// `||`: at least one of two or more.
    Any(Vec<Filter>),
    /// `^`: an odd number of two or more.
    Odd(Vec<Filter>),
}

impl Filter {
    /// A field has exactly this value.
    pub fn equal(field: &str, literal: Literal) -> Self {
        Self::Compare(Comparison { identifier: field.into(), operator: Operator::Equal, literal })
    }
}

/// A comparison of what an identifier stands for with a literal.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// A field, or something that every point has.
    pub identifier: String,
    /// How to compare.
    pub operator: Operator,
    /// With what.
    pub literal: Literal,
}

/// How to compare.
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
    /// `~=`: a regular expression is found.
    Matches,
}

impl Operator {
    /// The operator as it is written.
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
    /// A span of time.
    Duration(Duration),
    /// A whole number from -2^63 to 2^64-1.
    Integer(i128),
    /// A finite number with a point or an exponent.
    Double(f64),
    /// A UUID.
    Uuid(Uuid),
    /// An IP address.
    IpAddr(IpAddr),
    /// Text.
    String(String),
    /// A time in nanoseconds since the epoch. Times beyond what fits stand at its ends.
    Timestamp(i64),
}

impl Literal {
    /// The type, as error messages call it.
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

/// A span of time, as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duration {
    count: u32,
    unit: DurationUnit,
    nanoseconds: u64,
}

impl Duration {
    /// So many of a unit; `None` if that is more than 2^64-1 nanoseconds.
    pub fn new(count: u32, unit: DurationUnit) -> Option<Self> {
        let nanoseconds = unit.nanoseconds().checked_mul(count.into())?;
        Some(Self { count, unit, nanoseconds })
    }

    pub(crate) fn nanoseconds(&self) -> u64 {
        self.nanoseconds
    }

    /// The span in nanoseconds; what does not fit, which is more than 292 years, is the greatest value.
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
    /// All of them. One whose text begins with another's comes before that one.
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

    /// The unit as it is written.
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
