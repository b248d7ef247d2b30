use super::{Parser, SyntaxError};
use crate::language::{Comparison, Filter, Literal, Operator};

/// The operators, ordered so that a longer one comes before its prefix.
const OPERATORS: [Operator; 7] = [
    Operator::Equal,
    Operator::NotEqual,
    Operator::GreaterOrEqual,
    Operator::Greater,
    Operator::LessOrEqual,
    Operator::Less,
    Operator::Matches,
];

impl Parser<'_> {
    pub(super) fn filter(&mut self) -> Result<Filter, SyntaxError> {
        self.row("||", Filter::Any, |parser| {
            parser.row("&&", Filter::All, |parser| parser.row("^", Filter::Odd, Self::factor))
        })
    }

    /// Operands joined by one operator.
    fn row(
        &mut self,
        operator: &'static str,
        together: fn(Vec<Filter>) -> Filter,
        operand: fn(&mut Self) -> Result<Filter, SyntaxError>,
    ) -> Result<Filter, SyntaxError> {
        let first = operand(self)?;
        self.cursor.skip_space();
        if !self.cursor.eat(operator) {
            return Ok(first);
        }
        let mut operands = vec![first];
        loop {
            self.cursor.skip_space();
            operands.push(operand(self)?);
            self.cursor.skip_space();
            if !self.cursor.eat(operator) {
                return Ok(together(operands));
            }
        }
    }

    fn factor(&mut self) -> Result<Filter, SyntaxError> {
        if self.cursor.eat("!") {
            self.cursor.skip_space();
            return Ok(Filter::Not(Box::new(self.nested(Self::factor)?)));
        }
        if self.cursor.eat("(") {
            return self.nested(|parser| {
                parser.cursor.skip_space();
                let filter = parser.filter()?;
                parser.cursor.skip_space();
                parser.cursor.require(")")?;
                Ok(filter)
            });
        }
        self.comparison().map(Filter::Compare)
    }

    fn comparison(&mut self) -> Result<Comparison, SyntaxError> {
        let identifier = self.cursor.identifier()?.into();
        self.cursor.skip_space();
        let operator = OPERATORS.into_iter().find(|operator| self.cursor.eat(operator.as_str()));
        let Some(operator) = operator else { return Err(self.cursor.unexpected("")) };
        self.cursor.skip_space();
        let start = self.cursor.position();
        let literal = self.literal()?;
        if operator == Operator::Matches && !matches!(literal, Literal::String(_)) {
            return Err(self.cursor.error_at(start, "~= comparison is only supported for string literals"));
        }
        Ok(Comparison { identifier, operator, literal })
    }
}
