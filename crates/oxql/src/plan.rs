//! What a query means for the schemas that it names, found out before anything is read.

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

/// What one `get` has to read.
#[derive(Clone, Debug)]
pub(crate) struct Fetch {
    /// Of what.
    pub(crate) schema: Arc<Schema>,
    /// Rows of comparisons; a point is fetched if all of one row hold. None if every point is.
    pub(crate) alternatives: Option<Vec<Vec<Term>>>,
    /// How many of those of each timeseries, to be obeyed one after the other.
    pub(crate) limits: Vec<Limit>,
}

/// Checks a query and tells what each of its `get`s has to read, in the order of writing.
pub(crate) fn plan(query: &Query, source: &dyn Source) -> Result<Vec<Fetch>, QueryError> {
    let mut planner = Planner { source, schemas: Vec::new() };
    planner.tables(query)?;
    let mut fetches = Vec::new();
    planner.fetches(query, &[], &mut fetches)?;
    Ok(fetches)
}

struct Planner<'a> {
    source: &'a dyn Source,
    /// Those of the `get`s, in the order of writing.
    schemas: Vec<Arc<Schema>>,
}

impl Planner<'_> {
    /// The tables that a query gives.
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

    /// What the `get`s of a query have to read if `following` is done to its tables afterwards.
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
