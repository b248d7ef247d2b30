//! A cloud in which everything can be seen: silos, people with roles, instances in every state, more disks than fit into a
//! list. It is made by the operations that people use, at the times at which they would have.
//!
//! [`hypervisor_options`] is the rack for it, [`seed`] fills an empty database, [`users`] tells who can sign in.

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

/// Somebody of the demo who can sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemoUser {
    /// The user.
    pub id: Uuid,
    /// The user's silo.
    pub silo_id: Uuid,
    /// What the user is called, here and by the identity provider.
    pub display_name: String,
    /// The groups that the identity provider names.
    pub groups: &'static [&'static str],
    /// What the user may do, as text.
    pub role: &'static str,
}

/// The cloud that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demo {
    /// Who can sign in, the administrator first.
    pub users: Vec<DemoUser>,
}

/// What a database holds, as far as the demo is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing that somebody made: it can be [filled](seed).
    Empty,
    /// The demo, and what people have done with it since.
    Demo,
    /// Something else.
    Other,
}

/// Tells what a database holds.
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

/// Who can sign in to a database that holds the demo, the administrator first. Those who were removed are missing.
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

/// Fills an empty database. One that was [set up](croft_control::bootstrap::run) keeps its first silo, with its administrator and
/// nothing else; one that was not gets it with an administrator as whom nobody can sign in.
///
/// Ids and names are the same each time; times are those of the demo, or relative to `now`. Secrets come from `random`.
/// `hypervisor` is to have the [options](hypervisor_options) of the demo, and to have heard of no machine yet. The store
/// of samples, in which nothing is yet, gets what would have been measured on the last day.
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

/// A demo of which there is as yet what everybody sees first: the people and the projects.
pub struct InitialDemo {
    theatre: DemoCloud,
    cast: DemoActors,
}

impl InitialDemo {
    /// Begins to [fill](seed) an empty database.
    ///
    /// # Errors
    /// As of [`seed`].
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

    /// Has everything else made; the people and the projects stay as they are. What would have been measured meanwhile can be
    /// [retold](telemetry::backfill) from it.
    ///
    /// # Errors
    /// The database fails.
    pub fn go_on(mut self, now: Timestamp) -> Result<()> {
        course::go_on(&mut self.theatre, self.cast, now)
    }
}
