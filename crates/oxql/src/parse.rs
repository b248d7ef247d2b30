//! A recursive descent parser for [`Query`] (`docs/rules/telemetry.md#grammar`).

mod cursor;
mod error;
mod filter;
mod literal;

use jiff::Timestamp;

use crate::{
    Limit,
    language::{Alignment, AlignmentMethod, Grouping, Operation, Query, Reducer, Start},
    model::TimeseriesName,
};
use cursor::Cursor;
pub use error::SyntaxError;

/// Maximum length of a query, in bytes without surrounding white space.
pub const LONGEST_QUERY: usize = 4096;

/// Maximum nesting of parentheses, negations and groups. The evaluator has a lower limit; this one protects the stack.
const DEEPEST_NESTING: usize = 100;

/// Keywords of the operations that may follow the first one.
const OPERATIONS: [&str; 6] = ["filter", "align", "group_by", "join", "first", "last"];

const MISPLACED: &str = "every subquery must start with a `get` operation";

/// Parses a query. `now` is the value of `@now()`, and provides the day for `@HH:MM:SS`.
///
/// # Errors
/// The text is too long, or is not a query; the error has the position.
pub fn parse(text: &str, now: Timestamp) -> Result<Query, SyntaxError> {
    let text = text.trim();
    if text.len() > LONGEST_QUERY {
        return Err(SyntaxError::TooLong);
    }
    let mut parser = Parser { cursor: Cursor::new(text), now, depth: 0 };
    let query = parser.query()?;
    if parser.cursor.is_at_end() { Ok(query) } else { Err(parser.cursor.unexpected("end of query")) }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    now: Timestamp,
    depth: usize,
}

impl Parser<'_> {
    /// Parses a nested construct, and checks the depth.
    fn nested<T>(
        &mut self,
        part: impl FnOnce(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        if self.depth == DEEPEST_NESTING {
            return Err(self.cursor.error(format!("at most {DEEPEST_NESTING} levels of nesting")));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn query(&mut self) -> Result<Query, SyntaxError> {
        let start = self.start()?;
        let mut operations = Vec::new();
        self.cursor.skip_space();
        while self.cursor.eat("|") {
            self.cursor.skip_space();
            operations.push(self.operation()?);
            self.cursor.skip_space();
        }
        Ok(Query { start, operations })
    }

    fn start(&mut self) -> Result<Start, SyntaxError> {
        if self.cursor.eat("{") {
            return self.nested(Self::group);
        }
        if self.cursor.eat_word("get") {
            self.cursor.require_space()?;
            return Ok(Start::Get(self.timeseries_name()?));
        }
        let misplaced = OPERATIONS.iter().any(|word| self.cursor.is_at_word(word));
        Err(if misplaced { self.cursor.error(MISPLACED) } else { self.cursor.unexpected("") })
    }

    fn group(&mut self) -> Result<Start, SyntaxError> {
        let mut members = Vec::new();
        loop {
            self.cursor.skip_space();
            members.push(self.query()?);
            self.cursor.skip_space();
            if self.cursor.eat("}") {
                return Ok(Start::Group(members));
            }
            if !self.cursor.eat(";") {
                return Err(self.cursor.unexpected("|"));
            }
        }
    }

    fn timeseries_name(&mut self) -> Result<TimeseriesName, SyntaxError> {
        let start = self.cursor.position();
        let target = self.cursor.identifier()?;
        self.cursor.require(":")?;
        let metric = self.cursor.identifier()?;
        let name = format!("{target}:{metric}").parse();
        name.map_err(|_| self.cursor.error_at(start, "timeseries name"))
    }

    fn operation(&mut self) -> Result<Operation, SyntaxError> {
        if self.cursor.eat_word("filter") {
            self.cursor.require_space()?;
            return Ok(Operation::Filter(self.filter()?));
        }
        if self.cursor.eat_word("align") {
            return Ok(Operation::Align(self.alignment()?));
        }
        if self.cursor.eat_word("group_by") {
            return Ok(Operation::GroupBy(self.grouping()?));
        }
        if self.cursor.eat_word("join") {
            return Ok(Operation::Join);
        }
        if self.cursor.eat_word("first") {
            return Ok(Operation::Limit(Limit::First(self.count()?)));
        }
        if self.cursor.eat_word("last") {
            return Ok(Operation::Limit(Limit::Last(self.count()?)));
        }
        let misplaced = self.cursor.is_at_word("get") || self.cursor.is_at("{");
        Err(if misplaced { self.cursor.error(MISPLACED) } else { self.cursor.unexpected("") })
    }

    fn alignment(&mut self) -> Result<Alignment, SyntaxError> {
        self.cursor.require_space()?;
        let method = if self.cursor.eat_word("mean_within") {
            AlignmentMethod::MeanWithin
        } else if self.cursor.eat_word("interpolate") {
            AlignmentMethod::Interpolate
        } else {
            return Err(self.cursor.unexpected(""));
        };
        self.cursor.require("(")?;
        let start = self.cursor.position();
        let period = self.duration()?;
        if period.as_nanoseconds() == 0 {
            return Err(self.cursor.error_at(start, "a period greater than zero"));
        }
        self.cursor.require(")")?;
        Ok(Alignment { method, period })
    }

    fn grouping(&mut self) -> Result<Grouping, SyntaxError> {
        self.cursor.require_space()?;
        self.cursor.require("[")?;
        let fields = self.grouped_fields()?;
        self.cursor.require("]")?;
        let mut reducer = Reducer::Mean;
        if self.cursor.eat(",") {
            self.cursor.skip_space();
            if self.cursor.eat_word("sum") {
                reducer = Reducer::Sum;
            } else if !self.cursor.eat_word("mean") {
                return Err(self.cursor.unexpected(""));
            }
        }
        Ok(Grouping { fields, reducer })
    }

    /// Parses the names between the brackets, with an optional trailing comma.
    fn grouped_fields(&mut self) -> Result<Vec<String>, SyntaxError> {
        let mut fields = Vec::new();
        self.cursor.skip_space();
        if self.cursor.is_at_identifier() {
            fields.push(self.cursor.identifier()?.into());
        }
        loop {
            let before_space = self.cursor.position();
            self.cursor.skip_space();
            let directly = self.cursor.position() == before_space;
            if !self.cursor.eat(",") {
                return Ok(fields);
            }
            self.cursor.skip_space();
            if fields.is_empty() || (directly && self.cursor.is_at("]")) {
                return Ok(fields);
            }
            fields.push(self.cursor.identifier()?.into());
        }
    }

    fn count(&mut self) -> Result<usize, SyntaxError> {
        self.cursor.require_space()?;
        let start = self.cursor.position();
        let count = self.integer()?;
        match usize::try_from(count) {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(self.cursor.error_at(start, "limit count must be a nonzero usize")),
        }
    }
}
