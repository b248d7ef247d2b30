use std::sync::Arc;

use croft_api::{Error, Result};
use croft_sled::Hypervisor;
use croft_store::{
    Database, ListBy, Sort, Tx,
    records::{BundleState, SupportBundle},
};
use jiff::Timestamp;
use uuid::Uuid;

use super::{
    archive::{Archives, Member, Sources},
    facts,
};

/// Collects and removes bundles, one at a time.
pub struct Collector {
    /// The id of this run of the server.
    run: Uuid,
    database: Database,
    hypervisor: Arc<dyn Hypervisor>,
    archives: Arc<dyn Archives>,
    sources: Arc<dyn Sources>,
}

impl Collector {
    /// A collector. `run` is an id that no other run of a server has.
    pub fn new(
        run: Uuid,
        database: Database,
        hypervisor: Arc<dyn Hypervisor>,
        archives: Arc<dyn Archives>,
        sources: Arc<dyn Sources>,
    ) -> Self {
        Self { run, database, hypervisor, archives, sources }
    }

    /// Call this once before the first step: it marks bundles that an earlier run was collecting as failed.
    pub fn start(&self, now: Timestamp) -> Result<()> {
        self.mark_failed(now, "the server restarted during the collection")
    }

    /// Performs the next due task. Returns whether there may be more.
    ///
    /// # Errors
    /// The database failed, or the data of a bundle could not be removed. Try again later.
    pub fn step(&self, now: Timestamp) -> Result<bool> {
        // An interrupted step left this behind; no other step is in progress.
        self.mark_failed(now, "the collection was interrupted")?;
        let Some(bundle) = self.database.read_blocking(due)? else { return Ok(false) };
        let id = bundle.meta.id;
        match bundle.state {
            BundleState::Collecting => self.collect(id, now)?,
            BundleState::Destroying => {
                self.remove_data(id)?;
                self.database
                    .write_blocking(move |tx| Ok::<_, Error>(tx.remove::<SupportBundle>(id, now)?))?;
            }
            BundleState::Failing => {
                self.remove_data(id)?;
                self.change(id, now, |bundle| {
                    if bundle.state == BundleState::Failing {
                        bundle.state = BundleState::Failed;
                    }
                })?;
            }
            BundleState::Active | BundleState::Failed => {}
        }
        Ok(true)
    }

    fn mark_failed(&self, now: Timestamp, reason: &'static str) -> Result<()> {
        let is_interrupted =
            |bundle: &SupportBundle| bundle.state == BundleState::Collecting && bundle.collector.is_some();
        let collecting = self.database.read_blocking(|tx| of_state(tx, BundleState::Collecting))?;
        for bundle in collecting.iter().filter(|bundle| is_interrupted(bundle)) {
            self.change(bundle.meta.id, now, move |bundle| {
                if is_interrupted(bundle) {
                    bundle.state = BundleState::Failing;
                    bundle.reason_for_failure = Some(reason.to_owned());
                }
            })?;
        }
        Ok(())
    }

    fn collect(&self, id: Uuid, now: Timestamp) -> Result<()> {
        let run = self.run;
        self.change(id, now, move |bundle| bundle.collector = Some(run))?;
        let outcome = self.make(id).map_err(|error| {
            tracing::warn!(bundle = %id, %error, "a support bundle could not be collected");
            error.to_string()
        });
        self.change(id, now, move |bundle| {
            // It may have been deleted meanwhile.
            if bundle.state != BundleState::Collecting {
                return;
            }
            match &outcome {
                Ok(true) => bundle.state = BundleState::Active,
                Ok(false) => {}
                Err(reason) => {
                    bundle.state = BundleState::Failing;
                    bundle.reason_for_failure = Some(reason.clone());
                }
            }
        })
    }

    /// Returns false if the bundle is no longer wanted.
    fn make(&self, id: Uuid) -> std::io::Result<bool> {
        let (inventory, statistics) = (self.hypervisor.inventory(), self.database.statistics());
        let facts = self.database.read_blocking(move |tx| facts::of(tx, &inventory, &statistics));
        let mut members = vec![Member::text("bundle_id.txt", format!("{id}\n"))];
        members.extend(facts.map_err(std::io::Error::other)?);
        members.push(Member::folder("sp_task_dumps/"));
        members.extend(self.sources.members());
        let database = &self.database;
        let mut is_wanted = || {
            let bundle = database.read_blocking(move |tx| Ok::<_, Error>(tx.get::<SupportBundle>(id)?));
            // The database may respond again at the end.
            bundle.map_or(true, |bundle| bundle.is_some_and(|bundle| bundle.state == BundleState::Collecting))
        };
        self.archives.make(id, &members, &mut is_wanted)
    }

    fn remove_data(&self, id: Uuid) -> Result<()> {
        self.archives.remove(id).map_err(|error| Error::unavailable(format!("support bundle {id}: {error}")))
    }

    /// Updates a bundle, if it still exists.
    fn change(
        &self,
        id: Uuid,
        now: Timestamp,
        change: impl Fn(&mut SupportBundle) + Send + 'static,
    ) -> Result<()> {
        self.database.write_blocking(move |tx| {
            let Some(old) = tx.get::<SupportBundle>(id)? else { return Ok(()) };
            let mut bundle = old.clone();
            change(&mut bundle);
            if bundle != old {
                bundle.meta.time_modified = now;
                tx.update(&mut bundle)?;
            }
            Ok(())
        })
    }
}

/// The next task: deletions come first.
fn due(tx: &mut Tx<'_>) -> Result<Option<SupportBundle>> {
    for state in [BundleState::Destroying, BundleState::Failing, BundleState::Collecting] {
        if let Some(bundle) = tx.find(SupportBundle::STATE, state.as_str())? {
            return Ok(Some(bundle));
        }
    }
    Ok(None)
}

fn of_state(tx: &mut Tx<'_>, state: BundleState) -> Result<Vec<SupportBundle>> {
    const MANY: usize = 1000;
    let by = ListBy::lookup(SupportBundle::STATE, state.as_str());
    Ok(tx.page(by, Sort::IdAsc, None, MANY)?)
}
