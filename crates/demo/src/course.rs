//! The events of the demo, in chronological order.

use croft_api::{Error, Result};
use croft_store::records::Instance;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{
    compute::{self, Instances},
    facts, network, operators,
    people::{self, DemoActors},
    stage::{DemoCloud, date},
};

/// When the rack was set up.
const OPENED: &str = "2021-03-01T12:00:00Z";

/// How long ago instances were started.
const AGE: SignedDuration = SignedDuration::from_hours(26);

/// Instances that failed, and how long ago they were restarted before.
const FAILED: [(SignedDuration, &[&str]); 3] = [
    (SignedDuration::from_mins(65), &["failed-cooled-restart-never"]),
    (SignedDuration::from_secs(3630), &["failed-restarting-soon"]),
    (SignedDuration::from_mins(55), &["you-fail", "failed-restart-never"]),
];

/// These failures are sent to another receiver, too.
const PAGED: SignedDuration = FAILED[2].0;
/// The times of the second and the third delivery attempts, which are the last.
const ATTEMPTS: [SignedDuration; 2] = [SignedDuration::from_mins(53), SignedDuration::from_mins(46)];

/// Creates people and projects, which are seen first.
pub fn open(theatre: &mut DemoCloud) -> Result<DemoActors> {
    theatre.scene(date(OPENED)?, move |stage| {
        let cast = people::enter(stage)?;
        network::pools(stage, cast.hannah)?;
        network::projects(stage, &cast)?;
        Ok(cast)
    })
}

/// Everything after the [opening](open).
pub fn go_on(theatre: &mut DemoCloud, cast: DemoActors, now: Timestamp) -> Result<()> {
    let started = now - AGE;
    theatre.take_over(date(OPENED)?)?;
    let instances = theatre.scene(date(network::PROJECTS_MADE)?, move |stage| {
        network::vpcs(stage, cast.hannah)?;
        stage.now = started;
        compute::disks(stage, &cast)?;
        let held = network::floating_ips(stage, cast.hannah)?;
        let instances = compute::instances(stage, &cast)?;
        network::release_addresses(stage, cast.hannah, &held)?;
        compute::addresses(stage, cast.hannah, &instances)?;
        compute::affinity_groups(stage, cast.hannah)?;
        compute::start(stage, &cast, &instances)?;
        Ok(instances)
    })?;
    settle(theatre, started)?;
    theatre.scene(started + SignedDuration::from_mins(1), move |stage| {
        compute::snapshots(stage, cast.hannah)?;
        stage.now = date("2024-06-04T12:00:00Z")?;
        operators::uplink(stage, cast.hannah)?;
        operators::receivers(stage, cast.hannah)
    })?;
    theatre.pass(started + SignedDuration::from_mins(2))?;
    for (begun, ended, shift) in compute::SHIFTS {
        let (begun, ended) =
            (now - SignedDuration::from_hours(begun), now - SignedDuration::from_hours(ended));
        theatre.scene(begun, move |stage| shift.begin(stage, cast.hannah))?;
        settle(theatre, begun)?;
        theatre.scene(ended, move |stage| shift.end(stage, cast.hannah))?;
        settle(theatre, ended)?;
        theatre.scene(ended + SignedDuration::from_mins(1), move |stage| shift.remove(stage, cast.hannah))?;
    }
    for (ago, names) in FAILED {
        if ago == PAGED {
            theatre.scene(now - PAGED, move |stage| operators::pager(stage, cast.hannah))?;
        }
        let ids = names.iter().map(|name| instances.id(name)).collect::<Result<Vec<_>>>()?;
        fail_twice(theatre, &ids, now - ago)?;
    }
    end(theatre, cast, instances, now)
}

/// Runs the reconciler for machines at a time.
fn settle(theatre: &mut DemoCloud, told: Timestamp) -> Result<()> {
    [1, 10].iter().try_for_each(|seconds| theatre.pass(told + SignedDuration::from_secs(*seconds)))
}

/// Loses machines, restarts them at a time, and loses them again soon after.
fn fail_twice(theatre: &mut DemoCloud, instances: &[Uuid], at: Timestamp) -> Result<()> {
    for (lost, back) in [(0, 10), (20, 20)] {
        lose(theatre, instances)?;
        for seconds in [lost, back] {
            theatre.pass(at + SignedDuration::from_secs(seconds))?;
        }
    }
    Ok(())
}

fn lose(theatre: &mut DemoCloud, instances: &[Uuid]) -> Result<()> {
    for id in instances.iter().copied() {
        let instance: Option<Instance> =
            theatre.database.read_blocking(move |tx| tx.get(id).map_err(Error::from))?;
        let machine = instance.as_ref().and_then(Instance::machine);
        let machine = machine.ok_or_else(|| Error::internal("an instance of the demo does not run"))?;
        theatre.hypervisor.forget_machine(machine.id);
    }
    Ok(())
}

/// Sends due deliveries, one after the other.
fn attempts(theatre: &mut DemoCloud, at: Timestamp) -> Result<()> {
    (0..5).try_for_each(|seconds| theatre.pass(at + SignedDuration::from_secs(seconds)))
}

fn end(theatre: &mut DemoCloud, cast: DemoActors, instances: Instances, now: Timestamp) -> Result<()> {
    attempts(theatre, now - ATTEMPTS[0])?;
    theatre.scene(now - SignedDuration::from_mins(50), move |stage| {
        compute::never_restart(stage, cast.hannah, &instances)?;
        let held_back = instances.id("failed-restarting-soon")?;
        stage.rule(|cx| facts::suspend_restart(cx, held_back))?;
        stage.rule(facts::sled_dates)?;
        stage.rule(facts::disks_gone)
    })?;
    attempts(theatre, now - ATTEMPTS[1])?;
    let again = now - SignedDuration::from_secs(40);
    theatre.scene(again, move |stage| {
        operators::page_again(stage, cast.hannah)?;
        stage.now = now;
        operators::support_bundle(stage, cast.hannah)?;
        stage.rule(|cx| facts::tokens(cx, cast.hannah.user_id, cast.hannah.silo_id))
    })?;
    settle(theatre, again)?;
    theatre.pass(now)
}
