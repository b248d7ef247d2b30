//! A set of tables and what brings a database to them.

use crate::{Dialect, Migration, Table, ddl, records};

pub use crate::records::TABLES;

/// A set of tables and the migrations that bring a database to them.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Every table, in the order of creation.
    pub tables: &'static [&'static Table],
    /// In ascending order of their numbers, from 1, without gaps.
    pub migrations: &'static [Migration],
    /// Tables that are no more, each with the migration that drops it.
    pub dropped: &'static [(u32, &'static Table)],
    /// Sees each statement of a migration before it runs.
    pub(crate) observer: Option<Observer>,
}

/// Sees a statement of a migration before it runs. A panic ends the migration there, as a crash would.
pub type Observer = fn(&str);

impl Schema {
    /// Tables and the migrations that bring a database to them.
    pub const fn new(tables: &'static [&'static Table], migrations: &'static [Migration]) -> Self {
        Self { tables, migrations, dropped: &[], observer: None }
    }

    /// Names the tables that are no more, each with the migration that drops it.
    #[must_use]
    pub const fn dropped(mut self, tables: &'static [(u32, &'static Table)]) -> Self {
        self.dropped = tables;
        self
    }

    /// Has each statement of a migration observed before it runs: for tests that interrupt migrations.
    #[must_use]
    pub const fn observed(mut self, observer: Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// What all migrations do to the tables of an empty database, for review.
    pub fn statements(&self, dialect: Dialect) -> Vec<String> {
        let tables = self.migrations.iter().flat_map(|step| {
            let steps = ddl::table_steps(self, dialect, step.number);
            steps.before_data.into_iter().chain(steps.after_data)
        });
        ddl::base_steps(dialect).into_iter().chain(tables).collect()
    }

    /// The newest migration.
    pub(crate) fn version(&self) -> u32 {
        self.migrations.last().map_or(0, |migration| migration.number)
    }
}

/// Croft's own schema.
pub static CROFT: Schema = Schema::new(TABLES, records::MIGRATIONS);
