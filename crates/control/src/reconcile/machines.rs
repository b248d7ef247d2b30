use std::net::IpAddr;

use croft_api::{Error, Result, scalar::IpNet};
use croft_sled::{
    ExpectedMachine, HypervisorError, HypervisorEvent, MachineDisk, MachineInterface, MachineReport,
    MachineSpec, MachineState as HostState,
};
use croft_store::{
    ListBy, Marker, Sort, Tx,
    records::{
        Disk, Instance, InstanceStage, Machine, MachineLink, MachineState, NetworkInterface, PendingRequest,
        Sled, SshKey, VpcSubnet,
    },
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::Work;
use crate::{Cx, instance, paging};

/// Instances handled in one transaction.
const BATCH: usize = 64;
/// Batches handled in one step; what is left is due at the next.
const ROUNDS: usize = 100;
/// How long an automatic restart waits for room or quota.
const RESTART_RETRY: SignedDuration = SignedDuration::from_mins(1);
/// How long a machine waits for its disks before they are looked at again without having been reported.
const DISK_WAIT: SignedDuration = SignedDuration::from_secs(30);

/// What came of telling or asking a host.
#[derive(Clone, Debug)]
enum Heard {
    /// The host knows the machine and says this of it.
    Report(MachineReport),
    /// The machine is gone, as it should be.
    Gone,
    /// The host does not know a machine that it should know.
    Lost,
    /// The host will not make the machine.
    Refused,
    /// The disks are still being built.
    DisksNotReady,
    /// The host could not be reached, or failed; it is asked again.
    NoAnswer,
    /// There is no machine, but one is to be made: an automatic restart.
    Restart,
}

/// One instance's part in a batch.
#[derive(Clone, Debug)]
struct News {
    instance_id: Uuid,
    machine_id: Uuid,
    handled: Option<PendingRequest>,
    heard: Heard,
}

/// Has the hypervisor take over the machines that it was known to run.
pub(super) fn adopt(work: &Work<'_>) -> Result<()> {
    let expected: Vec<ExpectedMachine> = work.read(|tx| {
        let mut expected = Vec::new();
        for machine in paging::all::<Machine>(tx, &ListBy::All)? {
            let Some(instance) = tx.get::<Instance>(machine.instance_id)? else { continue };
            let Some(link) = instance.machine() else { continue };
            // The host has not heard of a restart that is still to be asked for.
            let state = match link.pending {
                Some(PendingRequest::Reboot) => HostState::Running,
                _ => host_state(link.state),
            };
            let last_report = MachineReport { state, generation: link.report_generation };
            let parts = Parts::of(tx, &instance)?;
            expected.push(ExpectedMachine {
                spec: spec(&instance, link, &parts),
                last_report,
                is_registered: link.registered,
            });
        }
        Ok(expected)
    })?;
    work.hypervisor.adopt(&expected, work.now).map_err(Error::unavailable)
}

/// Takes in what hosts reported by themselves.
pub(super) fn hear(work: &mut Work<'_>, events: &[HypervisorEvent]) -> Result<()> {
    let ids: Vec<Uuid> = events
        .iter()
        .filter_map(|event| match event {
            HypervisorEvent::Machine(id) => Some(*id),
            HypervisorEvent::Disk(_) | HypervisorEvent::Snapshot(_) => None,
        })
        .collect();
    for ids in ids.chunks(BATCH) {
        let ids = ids.to_vec();
        let machines: Vec<Machine> = work.read(move |tx| {
            let mut machines = Vec::new();
            for id in &ids {
                machines.extend(tx.get::<Machine>(*id)?);
            }
            Ok(machines)
        })?;
        look(work, &machines)?;
    }
    Ok(())
}

/// Looks at every machine of the fleet: for hosts that lost machines, and reports that were lost.
pub(super) fn watch(work: &mut Work<'_>) -> Result<()> {
    give_up(work)?;
    let mut after = None;
    loop {
        let marker = after.take();
        let machines: Vec<Machine> =
            work.read(move |tx| Ok(tx.page(ListBy::All, Sort::IdAsc, marker.clone(), BATCH)?))?;
        look(work, &machines)?;
        match machines.last() {
            Some(last) if machines.len() == BATCH => after = Some(Marker::after(last, Sort::IdAsc)),
            _ => return Ok(()),
        }
    }
}

/// Gives up the machines of sleds that are out of the fleet for good.
fn give_up(work: &mut Work<'_>) -> Result<()> {
    let sleds: Vec<Sled> = work.read(|tx| paging::all(tx, &ListBy::All))?;
    for sled in sleds.into_iter().filter(|sled| sled.expunged) {
        let id = sled.meta.id;
        let machines: Vec<Machine> = work.read(move |tx| paging::all(tx, &ListBy::Parent(id)))?;
        for machines in machines.chunks(BATCH) {
            let news = machines.iter().map(|machine| give_up_one(work, machine)).collect();
            take_in(work, news)?;
        }
    }
    Ok(())
}

fn give_up_one(work: &Work<'_>, machine: &Machine) -> News {
    let (instance_id, machine_id) = (machine.instance_id, machine.meta.id);
    tracing::warn!(instance = %instance_id, sled = %machine.sled_id, "a machine is lost with its sled");
    // The sled is most likely dead; should it be alive, nothing of the fleet is to go on there.
    if let Err(error) = work.hypervisor.destroy_machine(machine.sled_id, machine_id) {
        tracing::info!(machine = %machine_id, %error, "a machine of a lost sled could not be ended");
    }
    News { instance_id, machine_id, handled: None, heard: Heard::Lost }
}

/// Asks hosts about machines and takes in what is new.
fn look(work: &mut Work<'_>, machines: &[Machine]) -> Result<()> {
    let ids: Vec<Uuid> = machines.iter().map(|machine| machine.instance_id).collect();
    let instances: Vec<Instance> = work.read(move |tx| {
        let mut instances = Vec::new();
        for id in &ids {
            instances.extend(tx.get::<Instance>(*id)?);
        }
        Ok(instances)
    })?;
    let news: Vec<News> = instances
        .iter()
        .filter_map(|instance| {
            let link = instance.machine().filter(|link| link.registered)?;
            let heard = look_at_one(work, instance, link)?;
            Some(News { instance_id: instance.meta.id, machine_id: link.id, handled: None, heard })
        })
        .collect();
    take_in(work, news)
}

/// What is new about a machine that its host knows, or should know.
fn look_at_one(work: &Work<'_>, instance: &Instance, link: &MachineLink) -> Option<Heard> {
    let overdue = link.state == MachineState::Stopping
        && work.now.duration_since(instance.time_run_state_updated) >= work.environment.settings.stop_timeout;
    match work.hypervisor.observe_machine(link.sled_id, link.id) {
        Ok(_) if overdue => {
            tracing::warn!(instance = %instance.meta.id, "the guest did not go down in time and is ended");
            Some(destroy(work, link))
        }
        Ok(report)
            if report.generation == link.report_generation && host_state(link.state) == report.state =>
        {
            None
        }
        Ok(report) => Some(report_of(work, link, report)),
        Err(HypervisorError::UnknownMachine) => Some(Heard::Lost),
        Err(_) => None,
    }
}

/// Tells hosts what is pending, and restarts what failed.
pub(super) fn tell(work: &mut Work<'_>) -> Result<()> {
    for _ in 0..ROUNDS {
        let now = work.now;
        let due: Vec<(Instance, Parts)> = work.read(move |tx| {
            let instances: Vec<Instance> = tx.up_to(Instance::DUE, now, BATCH)?;
            instances
                .into_iter()
                .map(|instance| {
                    let parts = Parts::of(tx, &instance)?;
                    Ok((instance, parts))
                })
                .collect()
        })?;
        if due.is_empty() {
            break;
        }
        let news = due.iter().map(|(instance, parts)| tell_one(work, instance, parts)).collect();
        take_in(work, news)?;
    }
    Ok(())
}

fn tell_one(work: &Work<'_>, instance: &Instance, parts: &Parts) -> News {
    let instance_id = instance.meta.id;
    let Some(link) = instance.machine() else {
        return News { instance_id, machine_id: Uuid::nil(), handled: None, heard: Heard::Restart };
    };
    let heard = match link.pending {
        _ if link.state == MachineState::Ended => destroy(work, link),
        None => heard(work, link, work.hypervisor.observe_machine(link.sled_id, link.id)),
        Some(PendingRequest::Stop) if !link.registered => destroy(work, link),
        Some(PendingRequest::Stop) => ask(work, link, work.hypervisor.stop_machine(link.id)),
        Some(PendingRequest::Run) if link.registered => {
            heard(work, link, work.hypervisor.observe_machine(link.sled_id, link.id))
        }
        Some(PendingRequest::Run) => make(work, instance, link, parts),
        Some(PendingRequest::Reboot) if link.registered => {
            ask(work, link, work.hypervisor.reboot_machine(link.id))
        }
        Some(PendingRequest::Reboot) => match make(work, instance, link, parts) {
            Heard::Report(_) => ask(work, link, work.hypervisor.reboot_machine(link.id)),
            other => other,
        },
    };
    News { instance_id, machine_id: link.id, handled: link.pending, heard }
}

/// Has a host make and run a machine, once its disks are there.
fn make(work: &Work<'_>, instance: &Instance, link: &MachineLink, parts: &Parts) -> Heard {
    let disks = &parts.disks;
    if disks.iter().any(|disk| !disk.can_run()) {
        return Heard::DisksNotReady;
    }
    let boot_disk_missing =
        instance.boot_disk_id.is_some_and(|boot| !disks.iter().any(|disk| disk.meta.id == boot));
    if boot_disk_missing {
        tracing::error!(instance = %instance.meta.id, "the boot disk could not be built");
        return Heard::Refused;
    }
    match work.hypervisor.ensure_machine(&spec(instance, link, parts)) {
        Ok(report) => report_of(work, link, report),
        Err(HypervisorError::Unreachable(detail)) => {
            tracing::warn!(instance = %instance.meta.id, detail, "a machine has to wait for its host");
            Heard::NoAnswer
        }
        Err(error) => {
            tracing::error!(instance = %instance.meta.id, %error, "a machine could not be made");
            match destroy(work, link) {
                Heard::Gone => Heard::Refused,
                other => other,
            }
        }
    }
}

/// What a host that was asked for something answered. A host that refuses says what it does instead.
fn ask(work: &Work<'_>, link: &MachineLink, answer: Result<MachineReport, HypervisorError>) -> Heard {
    match answer {
        Err(HypervisorError::Refused(_)) => {
            heard(work, link, work.hypervisor.observe_machine(link.sled_id, link.id))
        }
        answer => heard(work, link, answer),
    }
}

/// What a host says of a machine. One that broke is ended, so that its host can forget it, and is lost.
fn report_of(work: &Work<'_>, link: &MachineLink, report: MachineReport) -> Heard {
    if report.state != HostState::Failed {
        return Heard::Report(report);
    }
    match destroy(work, link) {
        Heard::Gone => Heard::Lost,
        other => other,
    }
}

fn heard(work: &Work<'_>, link: &MachineLink, answer: Result<MachineReport, HypervisorError>) -> Heard {
    match answer {
        Ok(report) => report_of(work, link, report),
        Err(HypervisorError::UnknownMachine) => Heard::Lost,
        Err(error) => {
            tracing::warn!(%error, "a host did not do what it was told, and is told again");
            Heard::NoAnswer
        }
    }
}

fn destroy(work: &Work<'_>, link: &MachineLink) -> Heard {
    match work.hypervisor.destroy_machine(link.sled_id, link.id) {
        Ok(()) | Err(HypervisorError::UnknownMachine) => Heard::Gone,
        Err(error) => {
            tracing::warn!(machine = %link.id, %error, "a machine that ended is not gone yet");
            Heard::NoAnswer
        }
    }
}

fn take_in(work: &mut Work<'_>, news: Vec<News>) -> Result<()> {
    if news.is_empty() {
        return Ok(());
    }
    work.write(move |cx| {
        for item in &news {
            record(cx, item)?;
        }
        Ok(())
    })
}

fn record(cx: &mut Cx<'_, '_>, news: &News) -> Result<()> {
    let (instance_id, machine_id) = (news.instance_id, news.machine_id);
    match &news.heard {
        Heard::Report(report) => record_report(cx, news, *report),
        Heard::Gone => instance::machine_ended(cx, instance_id, machine_id),
        Heard::Lost => instance::machine_lost(cx, instance_id, machine_id, None),
        Heard::Refused => instance::machine_refused(cx, instance_id, machine_id),
        Heard::DisksNotReady => postpone(cx, instance_id, DISK_WAIT),
        Heard::NoAnswer => {
            let wait = cx.settings().retry_interval;
            postpone(cx, instance_id, wait)
        }
        Heard::Restart => record_restart(cx, instance_id),
    }
}

fn record_report(cx: &mut Cx<'_, '_>, news: &News, report: MachineReport) -> Result<()> {
    let Some(mut instance) = cx.tx.get::<Instance>(news.instance_id)? else { return Ok(()) };
    let Some(mut link) = instance.machine().filter(|link| link.id == news.machine_id).cloned() else {
        return Ok(());
    };
    link.registered = true;
    if link.pending == news.handled {
        link.pending = None;
    }
    let newer = report.generation >= link.report_generation;
    link.report_generation = link.report_generation.max(report.generation);
    // While something is pending, the record shows where the machine is going, not where it still is.
    if newer && (link.pending.is_none() || report.state == HostState::Ended) {
        link.state = link_state(report.state);
    }
    instance::set_stage(&mut instance, InstanceStage::Active(link), cx.now);
    instance::save(cx, &mut instance)
}

fn record_restart(cx: &mut Cx<'_, '_>, instance_id: Uuid) -> Result<()> {
    match cx.attempt(|cx| instance::restart(cx, instance_id)) {
        // No room, no quota, no boot disk, or groups that contradict each other: all of that may change.
        Err(Error::InsufficientCapacity(text) | Error::InvalidRequest(text) | Error::Conflict(text)) => {
            tracing::info!(instance = %instance_id, text, "a failed instance cannot be restarted yet");
            postpone(cx, instance_id, RESTART_RETRY)
        }
        result => result,
    }
}

/// Lets an instance that is due wait.
fn postpone(cx: &mut Cx<'_, '_>, instance_id: Uuid, wait: SignedDuration) -> Result<()> {
    let Some(mut instance) = cx.tx.get::<Instance>(instance_id)? else { return Ok(()) };
    if instance.time_due.is_some_and(|due| due <= cx.now) {
        instance.time_due = Some(instance::later(cx.now, wait));
        cx.tx.update(&mut instance)?;
    }
    Ok(())
}

/// When the next instance is due.
pub(super) fn next_due(tx: &mut Tx<'_>) -> Result<Option<Timestamp>> {
    let first: Vec<Instance> = tx.up_to(Instance::DUE, Timestamp::MAX, 1)?;
    Ok(first.first().and_then(|instance| instance.time_due))
}

/// What a machine is made from, besides its instance.
struct Parts {
    disks: Vec<Disk>,
    public_keys: Vec<String>,
    interfaces: Vec<MachineInterface>,
}

impl Parts {
    fn of(tx: &mut Tx<'_>, instance: &Instance) -> Result<Self> {
        let disks = paging::all(tx, &ListBy::lookup(Disk::INSTANCE, instance.meta.id))?;
        let mut public_keys = Vec::new();
        for id in &instance.ssh_key_ids {
            public_keys.extend(tx.get::<SshKey>(*id)?.map(|key| key.public_key));
        }
        Ok(Self { disks, public_keys, interfaces: interfaces(tx, instance.meta.id)? })
    }
}

/// The network interfaces of a machine, in order of their slots.
fn interfaces(tx: &mut Tx<'_>, instance: Uuid) -> Result<Vec<MachineInterface>> {
    let mut interfaces = Vec::new();
    for interface in paging::all::<NetworkInterface>(tx, &ListBy::Parent(instance))? {
        let Some(subnet) = tx.get::<VpcSubnet>(interface.subnet_id)? else {
            return Err(Error::internal(format!("interface {} is in no subnet", interface.meta.id)));
        };
        let subnet = match interface.ip {
            IpAddr::V4(_) => IpNet::V4(subnet.ipv4_block),
            IpAddr::V6(_) => IpNet::V6(subnet.ipv6_block),
        };
        let NetworkInterface { slot, vpc_id, mac, ip, .. } = interface;
        interfaces.push(MachineInterface { id: interface.meta.id, slot, vpc_id, mac, ip, subnet });
    }
    interfaces.sort_by_key(|interface| interface.slot);
    Ok(interfaces)
}

fn spec(instance: &Instance, link: &MachineLink, parts: &Parts) -> MachineSpec {
    let mut disks: Vec<MachineDisk> = parts
        .disks
        .iter()
        .filter_map(|disk| {
            let (_, slot) = disk.attachment()?;
            Some(MachineDisk { id: disk.meta.id, slot, boot: instance.boot_disk_id == Some(disk.meta.id) })
        })
        .collect();
    disks.sort_by_key(|disk| disk.slot);
    MachineSpec {
        id: link.id,
        instance_id: instance.meta.id,
        sled_id: link.sled_id,
        name: instance.name.to_string(),
        hostname: instance.hostname.to_string(),
        cpus: instance.ncpus.0,
        memory: instance.memory.bytes(),
        disks,
        user_data: instance.user_data.0.clone(),
        public_keys: parts.public_keys.clone(),
        interfaces: parts.interfaces.clone(),
    }
}

const fn host_state(state: MachineState) -> HostState {
    match state {
        MachineState::Starting => HostState::Starting,
        MachineState::Running | MachineState::Migrating => HostState::Running,
        MachineState::Rebooting => HostState::Rebooting,
        MachineState::Stopping => HostState::Stopping,
        MachineState::Ended => HostState::Ended,
    }
}

const fn link_state(state: HostState) -> MachineState {
    match state {
        HostState::Starting => MachineState::Starting,
        HostState::Running => MachineState::Running,
        HostState::Rebooting => MachineState::Rebooting,
        HostState::Stopping => MachineState::Stopping,
        HostState::Ended | HostState::Failed => MachineState::Ended,
    }
}
