//! Type checks of operations: the tables that each accepts and returns.

use crate::{
    condition::{Condition, TableShape},
    error::PlanError,
    language::{Alignment, AlignmentMethod, Grouping, Operation},
    plan::disjunction,
    table::{MetricType, ValueType},
};

/// The types of the tables after an operation.
pub(super) fn after(
    operation: &Operation,
    mut tables: Vec<TableShape>,
) -> Result<Vec<TableShape>, PlanError> {
    match operation {
        Operation::Filter(filter) => {
            disjunction::of(filter)?;
            for table in &tables {
                Condition::new(filter, table)?;
            }
        }
        Operation::Align(alignment) => {
            for table in &mut tables {
                align(*alignment, table)?;
            }
        }
        Operation::GroupBy(grouping) => {
            let count = tables.len();
            let [table] = tables.as_mut_slice() else { return Err(PlanError::GroupTables(count)) };
            group(grouping, table)?;
        }
        Operation::Join => tables = vec![join(&tables)?],
        Operation::Limit(_) => {}
    }
    Ok(tables)
}

fn align(alignment: Alignment, table: &mut TableShape) -> Result<(), PlanError> {
    if alignment.method == AlignmentMethod::Interpolate {
        return Err(PlanError::Interpolation);
    }
    let [(metric_type, value_type)] = table.dimensions[..] else { return Err(PlanError::AlignDimensions) };
    if !value_type.is_numeric() {
        return Err(PlanError::AlignType(value_type.as_str()));
    }
    if metric_type == MetricType::Cumulative {
        return Err(PlanError::AlignCumulative(table.name.clone()));
    }
    table.dimensions = vec![(MetricType::Gauge, ValueType::Double)];
    table.alignment = Some(alignment.period.as_nanoseconds());
    Ok(())
}

fn group(grouping: &Grouping, table: &mut TableShape) -> Result<(), PlanError> {
    let name = || table.name.clone();
    if table.alignment.is_none() {
        return Err(PlanError::GroupUnaligned(name()));
    }
    let [(_, value_type)] = table.dimensions[..] else {
        return Err(PlanError::GroupDimensions(name(), table.dimensions.len()));
    };
    if !value_type.is_numeric() {
        return Err(PlanError::GroupType(name(), value_type.as_str()));
    }
    table.fields = table.grouped_fields(&grouping.fields)?.into_iter().map(|(_, field)| field).collect();
    Ok(())
}

fn join(tables: &[TableShape]) -> Result<TableShape, PlanError> {
    let [first, others @ ..] = tables else { return Err(PlanError::JoinTables) };
    if others.is_empty() {
        return Err(PlanError::JoinTables);
    }
    for table in tables {
        let Some(period) = table.alignment else {
            return Err(PlanError::JoinUnaligned(table.name.clone()));
        };
        if let Some(first_period) = first.alignment.filter(|&first_period| first_period != period) {
            return Err(PlanError::JoinPeriods {
                table: first.name.clone(),
                period: first_period,
                other: table.name.clone(),
                other_period: period,
            });
        }
        if table.dimensions.len() != 1 {
            return Err(PlanError::JoinDimensions(table.name.clone(), table.dimensions.len()));
        }
        if table.described_fields() != first.described_fields() {
            return Err(PlanError::JoinFields {
                table: first.name.clone(),
                fields: first.described_fields(),
                other: table.name.clone(),
                other_fields: table.described_fields(),
            });
        }
    }
    Ok(TableShape {
        name: tables.iter().map(|table| table.name.as_str()).collect::<Vec<_>>().join(","),
        dimensions: tables.iter().flat_map(|table| table.dimensions.clone()).collect(),
        ..first.clone()
    })
}
