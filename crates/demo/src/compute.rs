//! Disks, instances, affinity groups, snapshots and images.

use croft_api::{Error, Result, scalar::NameOrId};
use croft_control::{
    affinity::{self as groups, Affinity, AntiAffinity},
    disk, execute, external_ip, floating_ip, image,
    instance::{self, ProbeOutcome},
    operation, sled, snapshot,
};
use uuid::Uuid;

use crate::{
    facts,
    network::{BIG, FAR, MAIN, OTHER},
    people::DemoActors,
    rack,
    stage::{DemoTransaction, Person, named},
};

const GIB: u64 = 1 << 30;

/// Disks of the main project, in GiB.
const DISKS: [(&str, u64); 12] = [
    ("disk-1", 2),
    ("disk-2", 4),
    ("disk-3", 6),
    ("disk-4", 64),
    ("disk-5", 128),
    ("disk-6", 20),
    ("disk-7", 24),
    ("disk-8", 16),
    ("disk-9", 32),
    ("disk-10", 24),
    ("disk-snapshot-error", 12),
    ("db2-disk", 4),
];

/// Temporary disks, in GiB. Their snapshots and images remain.
const PASSING: [(&str, u64); 9] = [
    ("passing-1", 1),
    ("passing-2", 2),
    ("passing-3", 3),
    ("passing-4", 4),
    ("passing-5", 5),
    ("passing-6", 6),
    ("passing-7", 7),
    ("disk-gone", 5),
    ("disk-max", 1023),
];

/// Disks of the project that uses most of the quota, in GiB.
const BIG_DISKS: [(&str, u64); 3] =
    [("warehouse-boot", 64), ("warehouse-data-1", 300), ("warehouse-data-2", 307)];
/// Disks of the other silo, in GiB.
const FAR_DISKS: [(&str, u64); 3] = [("cave", 1023), ("maze", 1023), ("lamp", 2)];

/// More disks than fit on one page.
const MANY: usize = 1010;
/// The size of each of them: as large as the quota allows in whole GiB.
const MANY_SIZE: u64 = 2;

/// The images, in the order of the temporary disks: silo images first.
const IMAGES: [(&str, &str, &str, bool); 7] = [
    ("ubuntu-22-04", "ubuntu", "22.04", true),
    ("ubuntu-20-04", "ubuntu", "20.04", true),
    ("arch-2022-06-01", "arch", "2022.06.01", true),
    ("image-1", "alpine", "edge1", false),
    ("image-2", "alpine", "edge2", false),
    ("image-3", "alpine", "edge3", false),
    ("image-4", "alpine", "edge4", false),
];

fn create_disk(
    stage: &mut DemoTransaction<'_, '_>,
    by: Person,
    project: &NameOrId,
    name: &str,
    gib: u64,
) -> Result<()> {
    let size = gib * GIB;
    let body = format!(
        r#"{{"name":"{name}","description":"","size":{size},"disk_source":{{"type":"blank","block_size":512}}}}"#
    );
    stage.act(&by, &operation::DISK_CREATE, &body, |cx, by, body| disk::create(cx, by, project, body))?;
    Ok(())
}

/// Creates all disks. They are built when the hosts have had their turn.
pub fn disks(stage: &mut DemoTransaction<'_, '_>, cast: &DemoActors) -> Result<()> {
    for (by, project, disks) in [
        (cast.hannah, MAIN, &DISKS[..]),
        (cast.hannah, MAIN, &PASSING),
        (cast.hannah, BIG, &BIG_DISKS),
        (cast.baruch, FAR, &FAR_DISKS),
    ] {
        let project = named(project)?;
        for (name, gib) in disks {
            create_disk(stage, by, &project, name, *gib)?;
        }
    }
    let other = named(OTHER)?;
    for number in 1..=MANY {
        create_disk(stage, cast.hannah, &other, &format!("disk-{number:04}"), MANY_SIZE)?;
    }
    Ok(())
}

/// An instance in the tables below.
#[derive(Clone, Copy)]
struct Machine {
    project: &'static str,
    name: &'static str,
    cpus: u16,
    gib: u64,
    /// The boot disk first.
    disks: &'static [&'static str],
    /// The request body.
    interfaces: &'static str,
    ephemeral: bool,
}

const NONE: &str = r#"{"type":"none"}"#;

impl Machine {
    /// An instance without disks, interfaces and addresses.
    const fn bare(project: &'static str, name: &'static str, cpus: u16, gib: u64) -> Self {
        Self { project, name, cpus, gib, disks: &[], interfaces: NONE, ephemeral: false }
    }
}

const MACHINES: [Machine; 9] = [
    Machine {
        project: MAIN,
        name: "db1",
        cpus: 2,
        gib: 4,
        disks: &["disk-1", "disk-2"],
        interfaces: r#"{"type":"create","params":[{"name":"my-nic","description":"a network interface",
            "vpc_name":"mock-vpc","subnet_name":"default","ip":"172.30.0.10","transit_ips":["172.30.0.0/22"]}]}"#,
        ephemeral: true,
    },
    Machine {
        project: MAIN,
        name: rack::STUCK,
        cpus: 2,
        gib: 8,
        disks: &[],
        interfaces: NONE,
        ephemeral: true,
    },
    Machine {
        project: MAIN,
        name: "db2",
        cpus: 2,
        gib: 4,
        disks: &["db2-disk"],
        interfaces: r#"{"type":"create","params":[{"name":"db2-nic","description":"a network interface",
            "vpc_name":"mock-vpc","subnet_name":"mock-subnet","ip":"10.1.1.5"}]}"#,
        ephemeral: true,
    },
    Machine::bare(MAIN, "you-fail", 4, 6),
    Machine::bare(OTHER, "failed-restarting-soon", 2, 4),
    Machine::bare(OTHER, "failed-restart-never", 2, 4),
    Machine::bare(OTHER, "failed-cooled-restart-never", 2, 4),
    Machine {
        project: BIG,
        name: "warehouse",
        cpus: 24,
        gib: 218,
        disks: &["warehouse-boot", "warehouse-data-1", "warehouse-data-2"],
        interfaces: r#"{"type":"default"}"#,
        ephemeral: false,
    },
    Machine {
        project: FAR,
        name: "colossal-cave",
        cpus: 8,
        gib: 150,
        disks: &["cave", "maze", "lamp"],
        interfaces: r#"{"type":"default"}"#,
        ephemeral: false,
    },
];

/// The ids of the instances of the demo, by their names.
#[derive(Clone, Debug)]
pub struct Instances(Vec<(&'static str, Uuid)>);

impl Instances {
    pub fn id(&self, name: &str) -> Result<Uuid> {
        let found = self.0.iter().find(|(known, _)| *known == name).map(|(_, id)| *id);
        found.ok_or_else(|| Error::internal(format!("there is no instance {name}")))
    }
}

/// Creates all instances; none is started.
pub fn instances(stage: &mut DemoTransaction<'_, '_>, cast: &DemoActors) -> Result<Instances> {
    let mut made = Vec::with_capacity(MACHINES.len());
    for machine in &MACHINES {
        let by = if machine.project == FAR { cast.baruch } else { cast.hannah };
        made.push((machine.name, instance(stage, by, machine)?));
    }
    Ok(Instances(made))
}

/// Creates an instance, which is not started.
fn instance(stage: &mut DemoTransaction<'_, '_>, by: Person, machine: &Machine) -> Result<Uuid> {
    let project = named(machine.project)?;
    let attach = |name: &&str| format!(r#"{{"type":"attach","name":"{name}"}}"#);
    let boot_disk = machine.disks.first().map_or_else(|| "null".to_owned(), attach);
    let others: Vec<String> = machine.disks.iter().skip(1).map(attach).collect();
    let (name, cpus, memory) = (machine.name, machine.cpus, machine.gib * GIB);
    let body = format!(
        r#"{{"name":"{name}","description":"an instance","hostname":"{name}","ncpus":{cpus},"memory":{memory},
            "network_interfaces":{},"boot_disk":{boot_disk},"disks":[{}],"start":false}}"#,
        machine.interfaces,
        others.join(",")
    );
    let view = stage.act(&by, &operation::INSTANCE_CREATE, &body, |cx, by, body| {
        instance::create(cx, by, &project, body)
    })?;
    Ok(view.id)
}

/// Batch jobs of the last day: how many hours ago each started and ended, and its resources.
pub const SHIFTS: [(i64, i64, OptionalInstance); 4] = [
    (23, 21, OptionalInstance(Machine::bare(BIG, "report-1", 2, 8))),
    (18, 14, OptionalInstance(Machine::bare(BIG, "report-2", 8, 32))),
    (12, 9, OptionalInstance(Machine::bare(BIG, "report-3", 6, 24))),
    (6, 4, OptionalInstance(Machine::bare(BIG, "report-4", 4, 16))),
];

/// An instance that exists as long as it has work.
#[derive(Clone, Copy)]
pub struct OptionalInstance(Machine);

impl OptionalInstance {
    /// Creates and starts it.
    pub fn begin(self, stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
        let instance = NameOrId::Id(instance(stage, hannah, &self.0)?);
        stage.act(&hannah, &operation::INSTANCE_START, "null", |cx, by, (): &()| {
            instance::start(cx, by, &instance, None)
        })?;
        Ok(())
    }

    /// Stops it.
    pub fn end(self, stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
        let (instance, project) = (named(self.0.name)?, named(self.0.project)?);
        stage.act(&hannah, &operation::INSTANCE_STOP, "null", |cx, by, (): &()| {
            instance::stop(cx, by, &instance, Some(&project), &ProbeOutcome::Present)
        })?;
        Ok(())
    }

    /// Deletes it, once it has stopped.
    pub fn remove(self, stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
        let (instance, project) = (named(self.0.name)?, named(self.0.project)?);
        stage.act(&hannah, &operation::INSTANCE_DELETE, "null", |cx, by, (): &()| {
            instance::delete(cx, by, &instance, Some(&project))
        })
    }
}

/// Attaches the external addresses of instances.
pub fn addresses(stage: &mut DemoTransaction<'_, '_>, hannah: Person, instances: &Instances) -> Result<()> {
    for machine in MACHINES.iter().filter(|machine| machine.ephemeral) {
        let instance = NameOrId::Id(instances.id(machine.name)?);
        stage.act(&hannah, &operation::INSTANCE_EPHEMERAL_IP_ATTACH, "{}", |cx, by, body| {
            external_ip::ephemeral_attach(cx, by, &instance, None, body)
        })?;
    }
    let (cola, project) = (named("cola-float")?, named(MAIN)?);
    stage.act(
        &hannah,
        &operation::FLOATING_IP_ATTACH,
        r#"{"kind":"instance","parent":"db1"}"#,
        |cx, by, body| floating_ip::attach(cx, by, &cola, Some(&project), body),
    )?;
    Ok(())
}

/// Affinity and anti-affinity groups.
pub fn affinity_groups(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    let project = named(MAIN)?;
    for (name, policy) in [("main-web-prod", "allow"), ("sandbox-env", "fail"), ("test", "fail")] {
        let body = group(name, "an affinity group", policy);
        stage.act(&hannah, &operation::AFFINITY_GROUP_CREATE, &body, |cx, by, body| {
            groups::create::<Affinity>(cx, by, &project, body)
        })?;
    }
    let groups: [(&str, &str, &str, &[&str]); 3] = [
        (
            "romulus-remus",
            "Keeps the databases on different sleds, so that the loss of one sled does not affect both. An \
             instance that cannot be placed that way does not start",
            "fail",
            &["db1", "db2"],
        ),
        ("set-osiris", "one brother is enough", "allow", &[rack::STUCK]),
        ("oil-water", "no members yet", "fail", &[]),
    ];
    for (name, description, policy, members) in groups {
        let body = group(name, description, policy);
        stage.act(&hannah, &operation::ANTI_AFFINITY_GROUP_CREATE, &body, |cx, by, body| {
            self::groups::create::<AntiAffinity>(cx, by, &project, body)
        })?;
        for member in members {
            let (group, member) = (named(name)?, named(member)?);
            let operation = &operation::ANTI_AFFINITY_GROUP_MEMBER_INSTANCE_ADD;
            stage.act(&hannah, operation, "null", |cx, by, (): &()| {
                self::groups::member_add::<AntiAffinity>(cx, by, &group, &member, Some(&project))
            })?;
        }
    }
    Ok(())
}

fn group(name: &str, description: &str, policy: &str) -> String {
    format!(
        r#"{{"name":"{name}","description":"{description}","policy":"{policy}","failure_domain":"sled"}}"#
    )
}

/// Starts the instances, each on its intended sled.
pub fn start(stage: &mut DemoTransaction<'_, '_>, cast: &DemoActors, instances: &Instances) -> Result<()> {
    for serial in rack::GONE {
        let gone = stage.rule(|cx| {
            execute::on_host(cx, &operation::ADMIN_SLED_EXPUNGE, |cx| sled::expunge(cx, serial))
        })?;
        gone?;
    }
    provision(stage, cast.hannah, "non_provisionable")?;
    for machine in &MACHINES {
        // The second of the two instances with anti-affinity.
        let is_apart = machine.name == "db2";
        if is_apart {
            provision(stage, cast.hannah, "provisionable")?;
        }
        let by = if machine.project == FAR { cast.baruch } else { cast.hannah };
        let instance = NameOrId::Id(instances.id(machine.name)?);
        stage.act(&by, &operation::INSTANCE_START, "null", |cx, by, (): &()| {
            instance::start(cx, by, &instance, None)
        })?;
        if is_apart {
            provision(stage, cast.hannah, "non_provisionable")?;
        }
    }
    Ok(())
}

fn provision(stage: &mut DemoTransaction<'_, '_>, hannah: Person, policy: &str) -> Result<()> {
    let id = rack::sled(rack::RESERVED).ok_or_else(|| Error::internal("a sled of the demo is missing"))?;
    let body = format!(r#"{{"state":"{policy}"}}"#);
    stage.act(&hannah, &operation::SLED_SET_PROVISION_POLICY, &body, |cx, by, body| {
        sled::set_provision_policy(cx, by, id, *body)
    })?;
    Ok(())
}

fn create_snapshot(stage: &mut DemoTransaction<'_, '_>, by: Person, name: &str, disk: &str) -> Result<Uuid> {
    let project = named(MAIN)?;
    let body = format!(r#"{{"name":"{name}","description":"","disk":"{disk}"}}"#);
    let view = stage.act(&by, &operation::SNAPSHOT_CREATE, &body, |cx, by, body| {
        snapshot::create(cx, by, &project, body)
    })?;
    stage.rule(|cx| facts::snapshot_taken(cx, view.id))?;
    Ok(view.id)
}

/// Creates snapshots, images from some of them, and deletes the temporary disks.
pub fn snapshots(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    for name in ["snapshot-1", "snapshot-2", "delete-500", "snapshot-4"] {
        create_snapshot(stage, hannah, name, "disk-1")?;
    }
    create_snapshot(stage, hannah, "snapshot-disk-deleted", "disk-gone")?;
    create_snapshot(stage, hannah, "snapshot-heavy", "disk-6")?;
    create_snapshot(stage, hannah, "snapshot-max-size", "disk-max")?;
    for number in 8..=167 {
        create_snapshot(stage, hannah, &format!("disk-1-snapshot-{number}"), "disk-1")?;
    }
    images(stage, hannah)?;
    let project = named(MAIN)?;
    for (name, _) in PASSING {
        let disk = named(name)?;
        stage.act(&hannah, &operation::DISK_DELETE, "null", |cx, by, (): &()| {
            disk::delete(cx, by, &disk, Some(&project))
        })?;
    }
    Ok(())
}

fn images(stage: &mut DemoTransaction<'_, '_>, hannah: Person) -> Result<()> {
    let project = named(MAIN)?;
    for ((name, os, version, is_of_silo), (disk, _)) in IMAGES.iter().zip(PASSING) {
        let source = create_snapshot(stage, hannah, &format!("source-of-{name}"), disk)?;
        let body = format!(
            r#"{{"name":"{name}","description":"","os":"{os}","version":"{version}",
            "source":{{"type":"snapshot","id":"{source}"}}}}"#
        );
        let place = (!is_of_silo).then_some(&project);
        stage.act(&hannah, &operation::IMAGE_CREATE, &body, |cx, by, body| {
            image::create(cx, by, place, body)
        })?;
        let source = NameOrId::Id(source);
        stage.act(&hannah, &operation::SNAPSHOT_DELETE, "null", |cx, by, (): &()| {
            snapshot::delete(cx, by, &source, None).map(|_| ())
        })?;
    }
    Ok(())
}

/// Disables the automatic restart of some failed instances.
pub fn never_restart(
    stage: &mut DemoTransaction<'_, '_>,
    hannah: Person,
    instances: &Instances,
) -> Result<()> {
    for name in ["failed-restart-never", "failed-cooled-restart-never"] {
        let instance = NameOrId::Id(instances.id(name)?);
        let body =
            format!(r#"{{"ncpus":2,"memory":{},"boot_disk":null,"auto_restart_policy":"never"}}"#, 4 * GIB);
        stage.act(&hannah, &operation::INSTANCE_UPDATE, &body, |cx, by, body| {
            instance::update(cx, by, &instance, None, body)
        })?;
    }
    Ok(())
}
