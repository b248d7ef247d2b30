//! What happens in the demo, in the order in which it does.

use croft_api::{Error, Result};
use croft_store::records::Instance;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{
    compute::{self, Instances},
    facts, network,
    people::{self, Cast},
    stage::{Theatre, date},
};

/// Instances were started this long ago.
const AGE: SignedDuration = SignedDuration::from_hours(26);

/// Instances that failed, and how long ago they were restarted before.
const FAILED: [(SignedDuration, &[&str]); 3] = [
    (SignedDuration::from_mins(65), &["failed-cooled-restart-never"]),
    (SignedDuration::from_secs(3630), &["failed-restarting-soon"]),
    (SignedDuration::from_mins(55), &["you-fail", "failed-restart-never"]),
];

pub fn run(mut theatre: Theatre<'_>, now: Timestamp) -> Result<()> {
    let started = now - AGE;
    theatre.open(date("2021-03-01T12:00:00Z")?)?;
    let (cast, instances) = theatre.scene(date("2021-03-01T12:00:00Z")?, move |stage| {
        let cast = people::enter(stage)?;
        network::pools(stage, cast.hannah)?;
        network::projects(stage, &cast)?;
        network::vpcs(stage, cast.hannah)?;
        stage.now = started;
        compute::disks(stage, &cast)?;
        let held = network::floating_ips(stage, cast.hannah)?;
        let instances = compute::instances(stage, &cast)?;
        network::let_go(stage, cast.hannah, &held)?;
        compute::addresses(stage, cast.hannah, &instances)?;
        compute::affinity_groups(stage, cast.hannah)?;
        compute::start(stage, &cast, &instances)?;
        Ok((cast, instances))
    })?;
    for seconds in [1, 10] {
        theatre.pass(started + SignedDuration::from_secs(seconds))?;
    }
    theatre
        .scene(started + SignedDuration::from_mins(1), move |stage| compute::snapshots(stage, cast.hannah))?;
    theatre.pass(started + SignedDuration::from_mins(2))?;
    for (ago, names) in FAILED {
        let ids = names.iter().map(|name| instances.id(name)).collect::<Result<Vec<_>>>()?;
        fail_twice(&mut theatre, &ids, now - ago)?;
    }
    end(&mut theatre, cast, instances, now)
}

/// Has machines be lost, be restarted at a time, and be lost again soon after.
fn fail_twice(theatre: &mut Theatre<'_>, instances: &[Uuid], at: Timestamp) -> Result<()> {
    for (lost, back) in [(0, 10), (20, 20)] {
        lose(theatre, instances)?;
        for seconds in [lost, back] {
            theatre.pass(at + SignedDuration::from_secs(seconds))?;
        }
    }
    Ok(())
}

fn lose(theatre: &mut Theatre<'_>, instances: &[Uuid]) -> Result<()> {
    for id in instances.iter().copied() {
        let instance: Option<Instance> =
            theatre.database.read_blocking(move |tx| tx.get(id).map_err(Error::from))?;
        let machine = instance.as_ref().and_then(Instance::machine);
        let machine = machine.ok_or_else(|| Error::internal("an instance of the demo does not run"))?;
        theatre.hypervisor.forget_machine(machine.id);
    }
    Ok(())
}

fn end(theatre: &mut Theatre<'_>, cast: Cast, instances: Instances, now: Timestamp) -> Result<()> {
    theatre.scene(now - SignedDuration::from_mins(50), move |stage| {
        compute::never_restart(stage, cast.hannah, &instances)?;
        let held_back = instances.id("failed-restarting-soon")?;
        stage.rule(|cx| facts::hold_back(cx, held_back))?;
        stage.rule(facts::sled_dates)?;
        stage.rule(facts::disks_gone)?;
        stage.now = now;
        stage.rule(|cx| facts::tokens(cx, cast.hannah.user_id, cast.hannah.silo_id))
    })?;
    theatre.pass(now)
}
