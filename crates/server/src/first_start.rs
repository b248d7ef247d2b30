//! The first start on a new database: creates the silo, administrator and IP pool.

use std::sync::Arc;

use croft_api::{Error, scalar::Password};
use croft_control::{
    Cx, Environment, Request,
    bootstrap::{self, Bootstrap, Outcome, PoolBootstrap},
    inventory,
};
use croft_sled::Hypervisor;
use croft_store::{Database, Tx, records::Quota};

use crate::{
    failure::{ExitKind, Failure, Result},
    password,
    system::{SystemRandom, now},
};

/// The first silo of a new database.
pub const FIRST_SILO: &str = "croft";
/// Its administrator.
pub const FIRST_USER: &str = "admin";

/// The administrator of a new database; the password is not stored elsewhere.
pub struct Administrator {
    /// The password, to be shown once.
    pub password: String,
}

/// Sets up a new database; returns `None` if that was done before. `keep` gets the password before it is committed.
pub fn run(
    database: &Database,
    environment: &Arc<Environment>,
    hypervisor: &dyn Hypervisor,
    keep: impl FnOnce(&str) -> Result<()>,
) -> Result<Option<Administrator>> {
    if !run_rule(database, environment, Request::default(), bootstrap::is_needed)? {
        return Ok(None);
    }
    let password = password::generate()?;
    keep(&password)?;
    let capacity = inventory::capacity(&environment.settings, &hypervisor.sleds());
    let parsed: Password = password.parse().map_err(Error::from)?;
    let bootstrap = Bootstrap {
        silo_name: FIRST_SILO.parse().map_err(Error::from)?,
        admin_name: FIRST_USER.parse().map_err(Error::from)?,
        password_hash: password::hash(&parsed)?,
        must_change_password: true,
        quota: Quota { cpus: capacity.cpus, memory: capacity.memory, storage: capacity.storage },
        pool: PoolBootstrap::default(),
    };
    let outcome =
        run_rule(database, environment, Request::default(), move |cx| bootstrap::run(cx, &bootstrap))?;
    Ok(match outcome {
        Outcome::Created { .. } => Some(Administrator { password }),
        // Another server on the same database was faster.
        Outcome::Present => None,
    })
}

/// Runs a rule for the server itself.
pub fn run_rule<T: Send + 'static>(
    database: &Database,
    environment: &Arc<Environment>,
    request: Request,
    mut rule: impl FnMut(&mut Cx<'_, '_>) -> croft_api::Result<T> + Send + 'static,
) -> Result<T> {
    let environment = environment.clone();
    let answer = database.write_blocking(move |tx: &mut Tx<'_>| {
        rule(&mut Cx::new(tx, now(), &mut SystemRandom, &environment, &request))
    });
    answer.map_err(|error| match &error {
        Error::Internal { .. } | Error::Unavailable { .. } => {
            Failure::new(ExitKind::Database, error.detail().unwrap_or_default().to_owned())
        }
        _ => error.into(),
    })
}
