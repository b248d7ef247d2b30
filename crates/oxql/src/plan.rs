//! Checks a query against the schemas before any data is read, and plans the reads.

mod check;
mod disjunction;
mod push;

use std::sync::Arc;

use crate::{
    Limit, QueryError, Source,
    condition::TableShape,
    error::PlanError,
    language::{Operation, Query, Start},
    model::Schema,
};
pub(crate) use disjunction::Term;

/// The plan for reading one `get`.
#[derive(Clone, Debug)]
pub(crate) struct Fetch {
    /// The schema.
    pub(crate) schema: Arc<Schema>,
    /// Alternatives of conditions: a point is fetched if all conditions of any alternative hold. `None` fetches every
    /// point.
    pub(crate) alternatives: Option<Vec<Vec<Term>>>,
    /// Limits for each timeseries, applied in order.
    pub(crate) limits: Vec<Limit>,
}

/// Checks a query and returns the plan of each of its `get`s, in textual order.
pub(crate) fn plan(query: &Query, source: &dyn Source) -> Result<Vec<Fetch>, QueryError> {
    let mut planner = Planner { source, schemas: Vec::new() };
    planner.tables(query)?;
    let mut fetches = Vec::new();
    planner.fetches(query, &[], &mut fetches)?;
    Ok(fetches)
}

struct Planner<'a> {
    source: &'a dyn Source,
    /// The plans of the `get`s, in textual order.
    schemas: Vec<Arc<Schema>>,
}

impl Planner<'_> {
    /// The types of a query's tables.
    fn tables(&mut self, query: &Query) -> Result<Vec<TableShape>, QueryError> {
        let mut tables = match &query.start {
            Start::Get(name) => {
                let unknown = || PlanError::UnknownTimeseries(name.to_string());
                let schema = self.source.schema(name)?.ok_or_else(unknown)?;
                let table = TableShape::of_schema(&schema)?;
                self.schemas.push(schema);
                vec![table]
            }
            Start::Group(members) => {
                let mut tables = Vec::new();
                for member in members {
                    tables.extend(self.tables(member)?);
                }
                tables
            }
        };
        for operation in &query.operations {
            tables = check::after(operation, tables)?;
        }
        Ok(tables)
    }

    /// Plans the `get`s of a query whose tables are processed by `following` afterwards.
    fn fetches(
        &self,
        query: &Query,
        following: &[&Operation],
        fetches: &mut Vec<Fetch>,
    ) -> Result<(), PlanError> {
        let operations: Vec<_> = query.operations.iter().chain(following.iter().copied()).collect();
        match &query.start {
            Start::Get(_) => {
                let schema = &self.schemas[fetches.len()];
                fetches.push(push::push(schema, &operations)?);
                Ok(())
            }
            Start::Group(members) => {
                members.iter().try_for_each(|member| self.fetches(member, &operations, fetches))
            }
        }
    }
}
