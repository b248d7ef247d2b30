//! Queries of timeseries (`docs/rules/telemetry.md#schemas` and `docs/rules/telemetry.md#query-endpoints`).
//!
//! Authorization uses a transaction; the query itself does not, because samples are in a separate store.

mod view;

use croft_api::{
    Error, Result,
    page::{Marker, NoSelector, PageQuery},
    scalar::NameOrId,
    timeseries::{OxqlQueryResult, TimeseriesSchema, TimeseriesSortMode},
};
use croft_oxql::{
    Context, QueryError, Source, SourceError,
    language::{Filter, Literal},
};
use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, ResourceScope},
    project,
};

crate::authz::operations! {
    contract {
        TIMESERIES_QUERY = reads(Kind::PROJECT, Permission::Read);
        SYSTEM_TIMESERIES_QUERY = reads(Kind::FLEET, Permission::Read);
        SYSTEM_TIMESERIES_SCHEMA_LIST = reads(Kind::FLEET, Permission::List);
    }
}

/// Maximum memory for the points of one query, in bytes.
const MEMORY: usize = 256 << 20;

/// The data that a query may see. Only rules that have checked the caller create one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryScope(Option<Project>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Project {
    id: Uuid,
    silo_id: Uuid,
}

/// `system_timeseries_query`: sees everything.
pub fn of_system(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<QueryScope> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SYSTEM_TIMESERIES_QUERY)?;
    Ok(QueryScope(None))
}

/// `timeseries_query`: sees one project, which the caller must be allowed to read.
pub fn of_project(cx: &mut Cx<'_, '_>, caller: &Caller, project: &NameOrId) -> Result<QueryScope> {
    let project = project::find(cx, caller, project)?.authorize(cx, caller, &operation::TIMESERIES_QUERY)?;
    Ok(QueryScope(Some(Project { id: project.meta.id, silo_id: project.silo_id })))
}

/// Runs a query within its scope. May be slow: stops when `overdue` returns true.
pub fn query(
    source: &dyn Source,
    sight: QueryScope,
    text: &str,
    now: Timestamp,
    overdue: &dyn Fn() -> bool,
) -> Result<OxqlQueryResult> {
    let mut query = croft_oxql::parse(text, now).map_err(|error| refused(error.into()))?;
    if let QueryScope(Some(Project { id, silo_id })) = sight {
        let equal = |field: &str, id: Uuid| Filter::equal(field, Literal::Uuid(id));
        query.restrict(&[equal("silo_id", silo_id), equal("project_id", id)]);
    }
    let context = Context { now, memory: MEMORY, overdue };
    let tables = croft_oxql::run(&query, source, &context).map_err(refused)?;
    Ok(OxqlQueryResult { tables: tables.into_iter().map(view::table).collect::<Result<_>>()? })
}

fn refused(error: QueryError) -> Error {
    match error {
        QueryError::Syntax(_) | QueryError::Plan(_) | QueryError::Run(_) => {
            Error::invalid_request(error.to_string())
        }
        QueryError::Unavailable(_) | QueryError::TimedOut => Error::unavailable(error),
    }
}

/// `system_timeseries_schema_list`: checks whether the caller may see it.
pub fn may_list_schemas(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SYSTEM_TIMESERIES_SCHEMA_LIST)
}

/// `system_timeseries_schema_list`: the schemas with at least one stored sample. May block.
pub fn schemas(
    source: &dyn Source,
    query: &PageQuery<NoSelector, TimeseriesSortMode>,
) -> Result<Vec<TimeseriesSchema>> {
    let after = match &query.after {
        Some(Marker::Name(name)) => {
            Some(name.parse().map_err(|_| Error::Parse("invalid page token".into()))?)
        }
        _ => None,
    };
    let limit = usize::try_from(query.limit).map_err(Error::internal)?;
    let schemas = source
        .stored_schemas(after.as_ref(), limit)
        .map_err(|error: SourceError| Error::unavailable(error))?;
    Ok(schemas.iter().map(|schema| view::schema(schema)).collect())
}
