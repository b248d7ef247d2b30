//! Tables side by side (`docs/rules/telemetry.md#joining`).

use std::collections::HashMap;

use crate::{
    QueryError, RunError,
    model::FieldValue,
    table::{self, Table, TableField, TablePoints, TableSeries},
};

/// Makes one table with a dimension for each of several. Tables for which no timeseries had the right fields stay as
/// they are if all of them are such.
pub(super) fn join(mut tables: Vec<Table>) -> Result<Vec<Table>, QueryError> {
    if tables.iter().all(|table| !table.matched) {
        return Ok(tables);
    }
    if tables.iter().any(|table| table.matched && table.alignment.is_none()) {
        return Err(RunError::JoinUnaligned.into());
    }
    let names: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
    let name = names.join(",");
    let dimensions = tables.iter().flat_map(|table| table.dimensions.clone()).collect();
    let alignment = tables.iter().find_map(|table| table.alignment);
    let others = tables.split_off(1);
    // The plan has seen to it that there are tables.
    let Some(mut joined) = tables.pop() else { return Ok(tables) };
    for (position, other) in others.into_iter().enumerate() {
        add(&mut joined, other, position + 1)?;
    }
    joined.series.retain(|series| !series.points.is_empty());
    Ok(vec![Table { name, dimensions, alignment, matched: true, ..joined }])
}

/// Adds the dimensions of another table, which has its place among the tables.
fn add(joined: &mut Table, other: Table, place: usize) -> Result<(), RunError> {
    let order = order(&joined.fields, &other.fields);
    let reordered = |values: &[FieldValue]| -> Vec<FieldValue> {
        order.iter().map(|&position| values[position].clone()).collect()
    };
    let mut partners: HashMap<Vec<FieldValue>, TablePoints> =
        other.series.into_iter().map(|series| (reordered(&series.fields), series.points)).collect();
    for TableSeries { fields, points } in &mut joined.series {
        let Some(partner) = partners.remove(fields) else {
            return Err(RunError::JoinPartner { table: place, key: table::key(&joined.fields, fields) });
        };
        intersect(points, partner);
    }
    match partners.keys().map(|fields| table::key(&joined.fields, fields)).min() {
        Some(key) => Err(RunError::JoinPartner { table: 0, key }),
        None => Ok(()),
    }
}

/// Where each of the fields is among the others, which are the same in another order.
fn order(fields: &[TableField], others: &[TableField]) -> Vec<usize> {
    fields.iter().filter_map(|field| others.iter().position(|other| other == field)).collect()
}

/// Leaves the times that both have, with the values of both.
fn intersect(points: &mut TablePoints, mut partner: TablePoints) {
    let within = |points: &TablePoints, others: &TablePoints| -> Vec<bool> {
        points.timestamps.iter().map(|time| others.timestamps.binary_search(time).is_ok()).collect()
    };
    let (own, theirs) = (within(points, &partner), within(&partner, points));
    points.retain(&own);
    partner.retain(&theirs);
    points.dimensions.append(&mut partner.dimensions);
}
