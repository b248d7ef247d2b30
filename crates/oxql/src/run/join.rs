//! Joins tables (`docs/rules/telemetry.md#joining`).

use std::collections::HashMap;

use crate::{
    QueryError, RunError,
    model::FieldValue,
    table::{self, Table, TableField, TablePoints, TableSeries},
};

/// Joins tables into one with a dimension for each. If no table has any matching timeseries, they are returned
/// unchanged.
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
    // The plan ensures that there are tables.
    let Some(mut joined) = tables.pop() else { return Ok(tables) };
    for (position, other) in others.into_iter().enumerate() {
        add(&mut joined, other, position + 1)?;
    }
    joined.series.retain(|series| !series.points.is_empty());
    Ok(vec![Table { name, dimensions, alignment, matched: true, ..joined }])
}

/// Adds the dimensions of another table at its position.
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

/// The positions of the fields in another table, which has the same fields in another order.
fn order(fields: &[TableField], others: &[TableField]) -> Vec<usize> {
    fields.iter().filter_map(|field| others.iter().position(|other| other == field)).collect()
}

/// Keeps the times that both have, with the values of both.
fn intersect(points: &mut TablePoints, mut partner: TablePoints) {
    let within = |points: &TablePoints, others: &TablePoints| -> Vec<bool> {
        points.timestamps.iter().map(|time| others.timestamps.binary_search(time).is_ok()).collect()
    };
    let (own, theirs) = (within(points, &partner), within(&partner, points));
    points.retain(&own);
    partner.retain(&theirs);
    points.dimensions.append(&mut partner.dimensions);
}
