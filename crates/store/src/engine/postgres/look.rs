//! Looking at a database that may belong to a running server, or to another program.

use std::thread;

use super::{
    connection::{Connection, PostgresOptions, inspect},
    lease,
    session::{Failure, PostgresSession},
};
use crate::{Inspection, Schema, StoreError, Tx};

/// Looks at a database in a transaction that writes nothing.
pub(crate) fn look<T: Send>(
    options: &PostgresOptions,
    schema: &Schema,
    read: impl FnOnce(&mut Tx<'_>) -> T + Send,
) -> Result<Inspection<T>, StoreError> {
    // The client drives its own asynchronous runtime, which must not happen on a thread that already drives one.
    let looked = thread::scope(|scope| scope.spawn(|| look_here(options, schema, read)).join());
    looked.map_err(|_| StoreError::Internal("looking at the database panicked".into()))?
}

fn look_here<T>(
    options: &PostgresOptions,
    schema: &Schema,
    read: impl FnOnce(&mut Tx<'_>) -> T,
) -> Result<Inspection<T>, StoreError> {
    let failed = |error: postgres::Error| Failure::from(&error).into_error();
    let mut connection = Connection::open(&options.target()?)?;
    connection.client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").map_err(failed)?;
    let holder = lease::look(&mut connection).map_err(failed)?;
    let state = inspect(&mut connection.client)?;
    state.check(schema)?;
    let content = state
        .is_current(schema)
        .then(|| read(&mut Tx::new(&mut PostgresSession::new(&mut connection, 0), false)));
    Ok(Inspection { holder, ..Inspection::new(&state, schema, content) })
}
