//! A cloud with examples of everything: silos, people with roles, instances in every state, more disks than fit on a
//! page. It is created by the ordinary operations, at plausible times.
//!
//! [`hypervisor_options`] configures its rack, [`seed`] fills an empty database, [`users`] lists who can sign in.

mod compute;
mod course;
mod facts;
mod network;
mod operators;
mod people;
mod rack;
mod stage;

use std::sync::Arc;

use croft_api::{Error, Result};
use croft_control::{Environment, Random, reconcile::Reconciler, telemetry};
use croft_sled::simulated::Simulated;
use croft_store::{
    Database, ListBy, Tx,
    records::{FLEET, Project, Silo, SiloUser, Usage},
    telemetry::Telemetry,
};
use jiff::Timestamp;
use uuid::Uuid;

use self::{people::DemoActors, stage::DemoCloud};

pub use facts::{PROVIDER, ProviderPlace, place_provider};
pub use operators::NoReceivers;
pub use people::{DemoPerson, PEOPLE, SILO, SILO_ID};
pub use rack::hypervisor_options;

/// A user of the demo who can sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoUser {
    /// The user.
    pub id: Uuid,
    /// The user's silo.
    pub silo_id: Uuid,
    /// The user's name, here and at the identity provider.
    pub display_name: String,
    /// The groups in assertions of the identity provider.
    pub groups: &'static [&'static str],
    /// A description of the user's rights.
    pub role: &'static str,
}

/// The created cloud.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demo {
    /// The users, the administrator first.
    pub users: Vec<DemoUser>,
}

/// The kind of content of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing created by users: it can be [filled](seed).
    Empty,
    /// The demo, with changes made since.
    Demo,
    /// Other content.
    Other,
}

/// Determines the kind of content of a database.
pub fn content(tx: &mut Tx<'_>) -> Result<Content> {
    if tx.get::<Silo>(SILO_ID)?.is_some() {
        return Ok(Content::Demo);
    }
    let is_set_up = tx.get::<Usage>(FLEET)?.is_some();
    // The built-in silos and the first one, and its administrator.
    let is_new = tx.count::<Silo>(ListBy::All)? <= 3
        && tx.count::<SiloUser>(ListBy::All)? <= 1
        && !tx.exists::<Project>(ListBy::All)?;
    Ok(if !is_set_up || is_new { Content::Empty } else { Content::Other })
}

/// The users of a database with the demo, the administrator first. Deleted users are missing.
pub fn users(tx: &mut Tx<'_>) -> Result<Vec<DemoUser>> {
    let mut users = Vec::with_capacity(people::PEOPLE.len());
    for role in people::PEOPLE {
        let user: Option<SiloUser> = tx.get_by_name(SILO_ID, role.name)?;
        users.extend(user.map(|user| DemoUser {
            id: user.meta.id,
            silo_id: SILO_ID,
            display_name: role.name.to_owned(),
            groups: role.groups,
            role: role.label,
        }));
    }
    Ok(users)
}

/// Fills an empty database. One that was [set up](croft_control::bootstrap::run) keeps its first silo, with its
/// administrator and nothing else; otherwise the silo is created with an administrator who cannot sign in.
///
/// Ids and names are the same each time; times are those of the demo, or relative to `now`. Secrets come from `random`.
/// `hypervisor` must have the [options](hypervisor_options) of the demo and no machines. The store of samples must be
/// empty, and gets the samples of the last day.
///
/// # Errors
/// The database is not [empty](Content::Empty), pools may not have IPv6 ranges, or the database fails.
pub fn seed(
    database: &Database,
    samples: &Telemetry,
    environment: &Arc<Environment>,
    hypervisor: &Arc<Simulated>,
    now: Timestamp,
    random: &mut dyn Random,
) -> Result<Demo> {
    let opening = InitialDemo::make(database, environment, hypervisor, random)?;
    opening.go_on(now)?;
    telemetry::backfill(database, samples, hypervisor, now)?;
    Ok(Demo { users: database.read_blocking(users)? })
}

/// A demo of which only the first part exists: the people and the projects.
pub struct InitialDemo {
    theatre: DemoCloud,
    cast: DemoActors,
}

impl InitialDemo {
    /// Starts to [fill](seed) an empty database.
    ///
    /// # Errors
    /// Those of [`seed`].
    pub fn make(
        database: &Database,
        environment: &Arc<Environment>,
        hypervisor: &Arc<Simulated>,
        random: &mut dyn Random,
    ) -> Result<Self> {
        if database.read_blocking(content)? != Content::Empty {
            return Err(Error::invalid_request("only an empty database can be filled with the demo"));
        }
        let reconciler = Reconciler::new(Arc::clone(environment)).sending_by(Arc::new(operators::Receivers));
        let mut theatre = DemoCloud::new(database, environment, hypervisor, random, reconciler);
        let cast = course::open(&mut theatre)?;
        Ok(Self { theatre, cast })
    }

    /// Creates everything else; the people and the projects are not changed. The samples of the time in between can be
    /// [backfilled](telemetry::backfill) from it.
    ///
    /// # Errors
    /// The database fails.
    pub fn go_on(mut self, now: Timestamp) -> Result<()> {
        course::go_on(&mut self.theatre, self.cast, now)
    }
}
