//! Provisioned resources over time (`docs/rules/telemetry.md#capacity-metrics`).

use croft_api::{
    Error, Result,
    metric::{
        Datum, Measurement, PaginationOrder, SiloMetricSelector, SystemMetricName, SystemMetricSelector,
    },
    page::{Marker, PageQuery},
    scalar::NameOrId,
};
use croft_oxql::{
    Limit, Series, Source, SourceError, Window,
    model::{Column, Points, Schema},
};
use croft_store::records::FLEET;
use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, Permission, ResourceScope},
    project, silo,
    telemetry::schema_of,
};

crate::authz::operations! {
    contract {
        SILO_METRIC = reads(Kind::SILO, Permission::Read);
        SYSTEM_METRIC = reads(Kind::FLEET, Permission::Read);
    }
}

/// `silo_metric`: of the caller's silo, or of a project that the caller may read. Returns the id of the collection.
pub fn of_silo(cx: &mut Cx<'_, '_>, caller: &Caller, project: Option<&NameOrId>) -> Result<Uuid> {
    authz::require(cx, caller, &ResourceScope::silo(Kind::SILO, caller.silo_id), &operation::SILO_METRIC)?;
    match project {
        None => Ok(caller.silo_id),
        Some(selector) => Ok(project::enter(cx, caller, selector)?.meta.id),
    }
}

/// `system_metric`: of the fleet, or of one of its silos. Returns the id of the collection.
pub fn of_system(cx: &mut Cx<'_, '_>, caller: &Caller, silo: Option<&NameOrId>) -> Result<Uuid> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SYSTEM_METRIC)?;
    match silo {
        None => Ok(FLEET),
        Some(selector) => Ok(silo::find(cx, selector)?.authorize(cx, caller, Permission::Read)?.meta.id),
    }
}

/// The time range of a list.
pub trait Period {
    /// The first time, inclusive.
    fn start(&self) -> Timestamp;
    /// The end, exclusive.
    fn end(&self) -> Timestamp;
}

impl Period for SiloMetricSelector {
    fn start(&self) -> Timestamp {
        self.start_time
    }

    fn end(&self) -> Timestamp {
        self.end_time
    }
}

impl Period for SystemMetricSelector {
    fn start(&self) -> Timestamp {
        self.start_time
    }

    fn end(&self) -> Timestamp {
        self.end_time
    }
}

/// The requested page, from the store of samples. May block. With `begin_with_value` a list in ascending order starts
/// with the value in effect at its start time.
pub fn page<Selector: Period>(
    source: &dyn Source,
    name: SystemMetricName,
    collection: Uuid,
    query: &PageQuery<Selector, PaginationOrder>,
    begin_with_value: bool,
) -> Result<Vec<Measurement>> {
    let limit = usize::try_from(query.limit).map_err(Error::internal)?;
    let (mut from, mut to) = (nanoseconds(query.selector.start()), nanoseconds(query.selector.end()));
    to = to.saturating_sub(1);
    let ascending = query.sort == PaginationOrder::Ascending;
    if let Some(Marker::Time(time, _)) = &query.after {
        if ascending {
            from = nanoseconds(*time).saturating_add(1);
        } else {
            to = nanoseconds(*time).saturating_sub(1);
        }
    }
    let schema = schema_of("collection_target", name.as_str());
    let found = source.series(schema, &[(0, collection.into())]).map_err(unavailable)?;
    let (Some(series), true) = (found.first(), from <= to) else { return Ok(Vec::new()) };
    let read = |window| points(source, schema, series, &window, limit);
    let mut items = Vec::new();
    if begin_with_value && ascending && query.after.is_none() {
        let before = Window { from: i64::MIN, to: from.saturating_sub(1), limit: Some(Limit::Last(1)) };
        let start = query.selector.start();
        items.extend(read(before)?.pop().map(|item| Measurement { timestamp: start, ..item }));
    }
    let count = limit - items.len();
    if ascending {
        items.extend(read(Window { from, to, limit: Some(Limit::First(count)) })?);
    } else {
        items = read(Window { from, to, limit: Some(Limit::Last(count)) })?;
        items.reverse();
    }
    Ok(items)
}

fn points(
    source: &dyn Source,
    schema: &Schema,
    series: &Series,
    window: &Window,
    most: usize,
) -> Result<Vec<Measurement>> {
    let Points { timestamps, values, .. } =
        source.points(schema, series, window, most).map_err(unavailable)?;
    let Column::Integer(values) = values else {
        return Err(Error::internal(format!("{} does not count", schema.name)));
    };
    let measured = timestamps.into_iter().zip(values).filter_map(|(time, value)| Some((time, value?)));
    measured
        .map(|(time, value)| {
            let timestamp = Timestamp::from_nanosecond(time.into()).map_err(Error::internal)?;
            Ok(Measurement { timestamp, datum: Datum::I64(value) })
        })
        .collect()
}

/// Converts a time for the store, saturating at its limits.
fn nanoseconds(time: Timestamp) -> i64 {
    let wide = time.as_nanosecond();
    i64::try_from(wide).unwrap_or(if wide < 0 { i64::MIN } else { i64::MAX })
}

fn unavailable(error: SourceError) -> Error {
    Error::unavailable(error)
}
