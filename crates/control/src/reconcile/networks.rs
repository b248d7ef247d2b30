use std::collections::{BTreeMap, BTreeSet};

use croft_api::{Error, Result};
use croft_network::Network;
use croft_sled::{HypervisorError, HypervisorEvent};
use croft_store::{
    ListBy, Record as _, Tx,
    records::{
        FloatingIp, InstanceAddress, InternetGateway, InternetGatewayIpAddress, InternetGatewayIpPool,
        NetworkInterface, RouterRoute, Vpc, VpcFirewall, VpcRouter, VpcSubnet,
    },
};
use jiff::Timestamp;
use uuid::Uuid;

use super::{BROKEN_WAIT, Work};
use crate::{context::later, network, paging};

/// VPCs described in one read.
const BATCH: usize = 64;
/// Maximum number of changes examined one by one; with more of them, every VPC is computed again.
const MOST_CHANGES: usize = 10_000;

/// The network configuration that was sent to the hypervisor. It is kept in memory only: every server sends everything
/// once.
#[derive(Debug, Default)]
pub(super) struct Networks {
    /// The last change taken into account; none before the first step.
    seen: Option<i64>,
    /// `None` where it is unknown what has been applied.
    told: BTreeMap<Uuid, Option<Network>>,
    due: BTreeSet<Uuid>,
    /// Whether what earlier servers left behind has been removed.
    tidied: bool,
    /// When to retry a VPC whose configuration could not be applied. Other VPCs do not wait for it.
    waiting: BTreeMap<Uuid, Timestamp>,
    /// When to try again to remove what was left behind.
    tidy_at: Option<Timestamp>,
}

/// The changes found by one read.
#[derive(Debug)]
struct ReadChanges {
    last: i64,
    vpcs: Vec<Uuid>,
}

impl Networks {
    /// Sends the configuration of every VPC that has changed, and of those that events are about.
    pub(super) fn push(&mut self, work: &Work<'_>, events: &[HypervisorEvent]) -> Result<()> {
        for event in events {
            if let HypervisorEvent::Network(id) = event {
                self.waiting.remove(id);
            }
        }
        let seen = self.seen;
        let found = work.read(move |tx| changed(tx, seen))?;
        self.due.extend(found.vpcs);
        self.seen = Some(found.last);
        self.waiting.retain(|_, at| *at > work.now);
        let due: Vec<Uuid> = self.due.iter().filter(|id| !self.waiting.contains_key(id)).copied().collect();
        for ids in due.chunks(BATCH) {
            let ids = ids.to_vec();
            let networks = work.read(move |tx| described(tx, &ids))?;
            for (id, network) in networks {
                match network {
                    Ok(network) => self.push_one(work, id, network),
                    Err(detail) => {
                        tracing::error!(vpc = %id, detail, "a network's configuration could not be \
                                                            computed; will retry");
                        self.waiting.insert(id, later(work.now, BROKEN_WAIT));
                    }
                }
            }
        }
        if !self.tidied && self.due.is_empty() && self.tidy_at.is_none_or(|at| at <= work.now) {
            let ids: Vec<Uuid> = self.told.keys().copied().collect();
            match work.hypervisor.retain_networks(&ids) {
                Ok(()) => self.tidied = true,
                Err(error) => {
                    if error != HypervisorError::Pending {
                        tracing::warn!(%error, "unused networks could not be removed yet");
                    }
                    self.tidy_at = Some(retry_at(work));
                }
            }
        }
        Ok(())
    }

    fn push_one(&mut self, work: &Work<'_>, id: Uuid, network: Option<Network>) {
        let told = match &network {
            Some(network) if self.told.get(&id).is_some_and(|told| told.as_ref() == Some(network)) => Ok(()),
            Some(network) => work.hypervisor.ensure_network(network),
            None if self.told.contains_key(&id) => work.hypervisor.delete_network(id),
            None => Ok(()),
        };
        match told {
            Ok(()) => {
                self.due.remove(&id);
                match network {
                    Some(network) => drop(self.told.insert(id, Some(network))),
                    None => drop(self.told.remove(&id)),
                }
            }
            Err(HypervisorError::Pending) => {
                self.told.insert(id, None);
                self.waiting.insert(id, retry_at(work));
            }
            Err(error) => {
                tracing::warn!(vpc = %id, %error, "a network could not be set up; will retry");
                if network.is_some() {
                    self.told.insert(id, None);
                    self.waiting.insert(id, retry_at(work));
                } else {
                    self.told.remove(&id);
                    (self.tidied, self.tidy_at) = (false, Some(retry_at(work)));
                    self.due.remove(&id);
                }
            }
        }
    }

    /// Retries failures immediately.
    pub(super) fn forget_waits(&mut self) {
        self.waiting.clear();
        self.tidy_at = None;
    }

    /// When to try again what went wrong.
    pub(super) fn next_due(&self) -> Option<Timestamp> {
        let tidy_at = self.tidy_at.filter(|_| !self.tidied);
        self.waiting.values().copied().chain(tidy_at).min()
    }
}

fn retry_at(work: &Work<'_>) -> Timestamp {
    later(work.now, work.environment.settings.retry_interval)
}

/// Makes the hypervisor check and repair networks that are up to date as far as the database knows.
pub(super) fn watch(work: &Work<'_>) {
    match work.hypervisor.watch_networks() {
        Ok(()) | Err(HypervisorError::Pending) => {}
        Err(error) => {
            tracing::warn!(%error, "networks could not be set up; will retry");
        }
    }
}

/// The VPCs that may have changed since a change; all of them if none is known.
fn changed(tx: &mut Tx<'_>, seen: Option<i64>) -> Result<ReadChanges> {
    let last = tx.last_change()?;
    let all = |tx: &mut Tx<'_>| -> Result<Vec<Uuid>> {
        Ok(paging::all::<Vpc>(tx, &ListBy::All)?.into_iter().map(|vpc| vpc.meta.id).collect())
    };
    let Some(seen) = seen else { return Ok(ReadChanges { last, vpcs: all(tx)? }) };
    let changes = tx.changes_since(seen, MOST_CHANGES)?;
    if changes.len() == MOST_CHANGES {
        return Ok(ReadChanges { last, vpcs: all(tx)? });
    }
    let of_networks: Vec<_> = changes.iter().filter(|change| is_of_networks(&change.kind)).collect();
    let projects: BTreeSet<Uuid> = of_networks.iter().filter_map(|change| change.project).collect();
    // A deleted one is in no project any more.
    let own = of_networks.iter().filter(|change| change.kind == Vpc::TABLE.name);
    let mut vpcs: Vec<Uuid> = own.map(|change| change.id).collect();
    for project in projects {
        let all = paging::all::<Vpc>(tx, &ListBy::Parent(project))?;
        vpcs.extend(all.into_iter().map(|vpc| vpc.meta.id));
    }
    // More may have been written than was read.
    let last = changes.last().map_or(seen, |change| change.seq);
    Ok(ReadChanges { last, vpcs })
}

/// Whether records of a table decide about packets. Those of instances do only by what never changes.
fn is_of_networks(table: &str) -> bool {
    [
        Vpc::TABLE.name,
        VpcSubnet::TABLE.name,
        VpcRouter::TABLE.name,
        RouterRoute::TABLE.name,
        VpcFirewall::TABLE.name,
        InternetGateway::TABLE.name,
        InternetGatewayIpPool::TABLE.name,
        InternetGatewayIpAddress::TABLE.name,
        NetworkInterface::TABLE.name,
        FloatingIp::TABLE.name,
        InstanceAddress::TABLE.name,
    ]
    .contains(&table)
}

/// The configuration of a VPC, `None` if it is gone, or what is wrong with its records.
type Described = Result<Option<Network>, String>;

fn described(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, Described)>> {
    ids.iter()
        .map(|id| {
            let vpc = tx.get::<Vpc>(*id)?;
            let network = match vpc.map(|vpc| network::of(tx, vpc)).transpose() {
                Err(Error::Internal { detail }) => Err(detail),
                network => Ok(network?),
            };
            Ok((*id, network))
        })
        .collect()
}
