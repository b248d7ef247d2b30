//! Prints queries as text that parses to the same query.

use std::{
    fmt::{Display, Formatter, Result, Write as _},
    net::{IpAddr, Ipv6Addr},
};

use jiff::{Timestamp, tz::TimeZone};

use super::{
    Alignment, AlignmentMethod, Comparison, Duration, Filter, Grouping, Literal, Operation, Query, Reducer,
    Start,
};
use crate::Limit;

impl Display for Query {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        self.start.fmt(formatter)?;
        self.operations.iter().try_for_each(|operation| write!(formatter, " | {operation}"))
    }
}

impl Display for Start {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::Get(name) => write!(formatter, "get {name}"),
            Self::Group(members) => {
                formatter.write_str("{ ")?;
                joined(formatter, members, "; ")?;
                formatter.write_str(" }")
            }
        }
    }
}

impl Display for Operation {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::Filter(filter) => write!(formatter, "filter {filter}"),
            Self::Align(alignment) => alignment.fmt(formatter),
            Self::GroupBy(grouping) => grouping.fmt(formatter),
            Self::Join => formatter.write_str("join"),
            Self::Limit(Limit::First(count)) => write!(formatter, "first {count}"),
            Self::Limit(Limit::Last(count)) => write!(formatter, "last {count}"),
        }
    }
}

impl Display for Alignment {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let method = match self.method {
            AlignmentMethod::MeanWithin => "mean_within",
            AlignmentMethod::Interpolate => "interpolate",
        };
        write!(formatter, "align {method}({})", self.period)
    }
}

impl Display for Grouping {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let reducer = match self.reducer {
            Reducer::Mean => "mean",
            Reducer::Sum => "sum",
        };
        write!(formatter, "group_by [{}], {reducer}", self.fields.join(", "))
    }
}

/// The precedence of an operator.
#[derive(PartialEq, PartialOrd)]
enum Binding {
    Any,
    All,
    Odd,
    Single,
}

impl Filter {
    fn binding(&self) -> Binding {
        match self {
            Self::Any(_) => Binding::Any,
            Self::All(_) => Binding::All,
            Self::Odd(_) => Binding::Odd,
            Self::Compare(_) | Self::Not(_) => Binding::Single,
        }
    }
}

impl Display for Filter {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let (operands, separator) = match self {
            Self::Compare(comparison) => return comparison.fmt(formatter),
            Self::Not(filter) => {
                formatter.write_char('!')?;
                return operand(formatter, filter, &Binding::Odd);
            }
            Self::All(operands) => (operands, " && "),
            Self::Any(operands) => (operands, " || "),
            Self::Odd(operands) => (operands, " ^ "),
        };
        for (position, filter) in operands.iter().enumerate() {
            if position > 0 {
                formatter.write_str(separator)?;
            }
            operand(formatter, filter, &self.binding())?;
        }
        Ok(())
    }
}

/// Writes an operand, in parentheses unless it binds more tightly than the surrounding operator.
fn operand(formatter: &mut Formatter<'_>, filter: &Filter, within: &Binding) -> Result {
    if filter.binding() > *within { filter.fmt(formatter) } else { write!(formatter, "({filter})") }
}

impl Display for Comparison {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        write!(formatter, "{} {} {}", self.identifier, self.operator.as_str(), self.literal)
    }
}

impl Display for Literal {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::Boolean(value) => value.fmt(formatter),
            Self::Duration(value) => value.fmt(formatter),
            Self::Integer(value) => value.fmt(formatter),
            Self::Double(value) => write!(formatter, "{value:?}"),
            Self::Uuid(value) => write!(formatter, "\"{value}\""),
            Self::IpAddr(value) => address(formatter, *value),
            Self::String(value) => text(formatter, value),
            Self::Timestamp(value) => {
                let time = Timestamp::from_nanosecond((*value).into()).map_err(|_| std::fmt::Error)?;
                write!(formatter, "@{}", TimeZone::UTC.to_datetime(time))
            }
        }
    }
}

impl Display for Duration {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        write!(formatter, "{}{}", self.count, self.unit.as_str())
    }
}

/// An address without the dotted form of some IPv6 addresses, which the language does not support.
fn address(formatter: &mut Formatter<'_>, address: IpAddr) -> Result {
    let dotted = |address: &Ipv6Addr| address.to_string().contains('.');
    match address {
        IpAddr::V6(address) if dotted(&address) => {
            let segments = address.segments().map(|segment| format!("{segment:x}"));
            write!(formatter, "\"{}\"", segments.join(":"))
        }
        address => write!(formatter, "\"{address}\""),
    }
}

/// Text in single quotes, which is never parsed as a UUID or an address.
fn text(formatter: &mut Formatter<'_>, text: &str) -> Result {
    formatter.write_char('\'')?;
    for character in text.chars() {
        match character {
            '\n' => formatter.write_str("\\n")?,
            '\r' => formatter.write_str("\\r")?,
            '\t' => formatter.write_str("\\t")?,
            '\0' => formatter.write_str("\\0")?,
            '\\' => formatter.write_str("\\\\")?,
            '\'' => formatter.write_str("\\u{27}")?,
            other => formatter.write_char(other)?,
        }
    }
    formatter.write_char('\'')
}

fn joined<T: Display>(formatter: &mut Formatter<'_>, items: &[T], separator: &str) -> Result {
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            formatter.write_str(separator)?;
        }
        item.fmt(formatter)?;
    }
    Ok(())
}
