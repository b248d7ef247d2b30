//! Merging the layers of deleted snapshots, one at a time, in the background.
//!
//! A running machine merges its own layers. The layers of a detached disk are merged by a QEMU process without a
//! machine. Any other use of the disk ends the merge; it starts again at the next attempt to delete the snapshot.

use std::{
    cell::RefCell,
    io,
    os::unix::net::UnixStream,
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        mpsc::{TryRecvError, channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Host, arguments,
    control::Control,
    files,
    machine::Machine,
    probe::Acceleration,
    process::{Process, ProcessSetup, RUN, last_words},
    snapshots::node_of,
    volumes::{
        failed,
        merge::{Merge, Way},
    },
};
use crate::{HypervisorError, HypervisorEvent};

/// QEMU answers immediately, unless the host is very busy.
const ANSWER_LIMIT: Duration = Duration::from_mins(1);
/// Interval at which the progress is checked.
const LOOK: Duration = Duration::from_millis(100);
/// The same for a merge that is to end, for which something else waits.
const LAST_LOOK: Duration = Duration::from_millis(5);
/// The folder with a subfolder for each merge.
const FOLDER: &str = "merges";
const JOB: &str = "merge";

type Result<T> = std::result::Result<T, HypervisorError>;

/// A merge in progress.
#[derive(Debug)]
struct Ongoing {
    disk: Uuid,
    stage: Mutex<Stage>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Runs,
    /// It is to end.
    Unwanted,
    Ended,
}

impl Ongoing {
    fn set(&self, stage: Stage) {
        *self.stage.lock() = stage;
        self.changed.notify_all();
    }

    /// Waits for a moment, and returns whether the merge should continue.
    fn goes_on(&self) -> bool {
        let mut stage = self.stage.lock();
        let pause = if *stage == Stage::Runs { LOOK } else { LAST_LOOK };
        self.changed.wait_for(&mut stage, pause);
        *stage == Stage::Runs
    }
}

/// Where layers are merged.
#[derive(Debug, Default)]
pub(super) struct Merges {
    current: Mutex<Option<Current>>,
}

/// A merge, and the thread that does it.
type Current = (Arc<Ongoing>, JoinHandle<()>);

/// The event of its end may be handled while its thread is about to exit. If the next merge did not begin then, no other
/// event would begin it.
fn is_in_progress((ongoing, thread): &Current) -> bool {
    *ongoing.stage.lock() != Stage::Ended && !thread.is_finished()
}

/// The machine that uses a disk, and the slot.
pub(super) type User = Option<(Arc<Machine>, u8)>;

impl Merges {
    /// Ends processes that an earlier server's merges left running.
    pub(super) fn clean_up(host: &Host) -> io::Result<()> {
        for snapshot in host.volumes.merging() {
            if let Some(process) = Process::find(&process_name(snapshot), None)? {
                process.kill();
            }
        }
        files::remove_folder(&host.options.folder.join(FOLDER))
    }

    /// Starts the merge that a snapshot needs, unless one is in progress. The caller must hold the disk's lock.
    pub(super) fn begin(&self, host: &Arc<Host>, wanted: &Merge, user: User) -> Result<()> {
        let (snapshot, disk) = (wanted.snapshot, wanted.disk);
        let mut current = self.current.lock();
        if current.as_ref().is_some_and(is_in_progress) {
            return Ok(());
        }
        // A merge that has ended a moment ago may have been the one.
        let Way::Merge(merge) = host.volumes.way_to_free(snapshot)? else { return Ok(()) };
        if merge.disk != disk {
            return Ok(());
        }
        let stage = Mutex::new(Stage::Runs);
        let ongoing = Arc::new(Ongoing { disk, stage, changed: Condvar::new() });
        let work = {
            let (host, ongoing) = (Arc::clone(host), Arc::clone(&ongoing));
            move || {
                let outcome = match user {
                    Some((machine, slot)) => merge_in(&host, &machine, slot, &merge, &ongoing),
                    None => merge_alone(&host, &merge, &ongoing),
                };
                let was_wanted = *ongoing.stage.lock() == Stage::Runs;
                match outcome {
                    Err(error) if was_wanted => {
                        tracing::warn!(%disk, %error, "the layers of a disk could not be merged yet; will retry");
                    }
                    _ => {}
                }
                ongoing.set(Stage::Ended);
                host.events.push(HypervisorEvent::Snapshot(snapshot));
            }
        };
        let thread = thread::Builder::new().name("croft-merge".into()).spawn(work);
        let thread = thread.map_err(|error| failed("cannot start to merge layers", error))?;
        *current = Some((ongoing, thread));
        Ok(())
    }

    /// Ends the merge of this disk, or of any disk, and waits for it. Work on other disks does not wait.
    pub(super) fn interrupt(&self, disk: Option<Uuid>) {
        let meant = |(ongoing, _): &mut Current| disk.is_none_or(|disk| ongoing.disk == disk);
        let taken = self.current.lock().take_if(meant);
        let Some((ongoing, thread)) = taken else { return };
        if *ongoing.stage.lock() == Stage::Runs {
            ongoing.set(Stage::Unwanted);
        }
        if thread.join().is_err() {
            tracing::error!(%ongoing.disk, "merging layers panicked");
        }
    }
}

/// Runs QMP commands.
type Ask<'a> = dyn Fn(&'static str, Value) -> Result<Value> + 'a;

/// Makes a machine merge layers of a disk that it writes to.
fn merge_in(host: &Host, machine: &Machine, slot: u8, merge: &Merge, ongoing: &Ongoing) -> Result<()> {
    // QEMU's job also copies what is written meanwhile; after a crash it would be unclear which layer is current.
    if merge.above.is_none() {
        return Err(HypervisorError::Refused("a machine writes into the layer over it".to_owned()));
    }
    let ask = |command, arguments| {
        machine
            .command(command, arguments, ANSWER_LIMIT)
            .map_err(|error| failed("cannot merge layers", error))
    };
    let root = node_of(&ask, slot)?;
    lent(host, merge, machine.kept.user, || {
        commit(&ask, slot, &root, merge, ongoing)?;
        host.volumes.merged(merge)
    })
}

/// Merges layers of a detached disk.
fn merge_alone(host: &Host, merge: &Merge, ongoing: &Ongoing) -> Result<()> {
    let user = host.accounts.map(files::Accounts::of_merges);
    let folder = host.options.folder.join(FOLDER).join(merge.snapshot.to_string());
    let begun = |error| failed("cannot start to merge layers", error);
    lent(host, merge, user, || {
        files::remove_folder(&folder).map_err(begun)?;
        files::passable_folder(&host.options.folder.join(FOLDER), host.accounts).map_err(begun)?;
        files::passable_folder(&folder, host.accounts).map_err(begun)?;
        files::private_folder(&folder.join(RUN), user).map_err(begun)?;
        let tool = Tool::start(host, &folder, user, merge).map_err(begun)?;
        let ask = |command, arguments: Value| {
            tool.ask(command, &arguments)
                .map_err(|error| failed("cannot merge layers", format!("{error}; {}", last_words(&folder))))
        };
        commit(
            &ask,
            0,
            &merge.layers.first().map_or_else(String::new, |top| arguments::layer_node(0, *top)),
            merge,
            ongoing,
        )?;
        ask("quit", json!({}))?;
        tool.has_ended().map_err(|error| failed("cannot merge layers", error))?;
        host.volumes.merged(merge)
    })?;
    files::remove_folder(&folder).map_err(begun)
}

/// Runs a function while a user may write to the layers.
fn lent(host: &Host, merge: &Merge, user: Option<u32>, work: impl FnOnce() -> Result<()>) -> Result<()> {
    host.volumes.lend(merge, user)?;
    let worked = work();
    // Without a machine, the disk is the server's again.
    let owner = user.filter(|user| Some(*user) != host.accounts.map(files::Accounts::of_merges));
    worked.and(host.volumes.take_back(merge, owner))
}

/// Commits the upper layer into the lower one.
fn commit(ask: &Ask<'_>, slot: u8, root: &str, merge: &Merge, ongoing: &Ongoing) -> Result<()> {
    // An earlier server may have left one.
    if state(ask)?.is_none() {
        let mut arguments = json!({
            "job-id": JOB, "device": root, "base-node": arguments::layer_node(slot, merge.lower), "auto-finalize": true, "auto-dismiss": false,
        });
        if merge.above.is_some() {
            arguments["top-node"] = json!(arguments::layer_node(slot, merge.upper));
            arguments["backing-file"] = json!(merge.lower.id.to_string());
        }
        ask("block-commit", arguments)?;
    }
    let mut is_wanted = true;
    loop {
        let Some((status, error)) = state(ask)? else {
            return Err(HypervisorError::Failed("QEMU no longer reports the merge of layers".to_owned()));
        };
        match status.as_str() {
            "concluded" => {
                ask("job-dismiss", json!({ "id": JOB }))?;
                return match error {
                    Some(error) => Err(failed("cannot merge layers", error)),
                    None => close_node(ask, &arguments::layer_node(slot, merge.upper)),
                };
            }
            "ready" => try_to(ask, "job-complete", json!({ "id": JOB })),
            _ => {}
        }
        if !ongoing.goes_on() && is_wanted {
            is_wanted = false;
            try_to(ask, "block-job-cancel", json!({ "device": JOB, "force": true }));
        }
    }
}

/// Tells QEMU something that it refuses if the job has ended since its last look: the next look finds the end. A job that has ended keeps other
/// commands from using the disk until it is dismissed, so it must not be left.
fn try_to(ask: &Ask<'_>, command: &'static str, arguments: Value) {
    if let Err(error) = ask(command, arguments) {
        tracing::debug!(command, %error, "the merge of layers may have ended by itself");
    }
}

/// Makes QEMU close a layer that it was started with. Otherwise it keeps the layer open, and fails when the layer below
/// is merged as well.
fn close_node(ask: &Ask<'_>, node: &str) -> Result<()> {
    let nodes = ask("query-named-block-nodes", json!({ "flat": true }))?;
    if nodes.as_array().into_iter().flatten().any(|other| other["node-name"] == node) {
        ask("blockdev-del", json!({ "node-name": node }))?;
    }
    Ok(())
}

/// The progress of the merge, if QEMU has one.
fn state(ask: &Ask<'_>) -> Result<Option<(String, Option<String>)>> {
    let jobs = ask("query-jobs", json!({}))?;
    let job = jobs.as_array().into_iter().flatten().find(|job| job["id"] == JOB);
    Ok(job.map(|job| {
        let text = |name: &str| job[name].as_str().map(str::to_owned);
        (text("status").unwrap_or_default(), text("error"))
    }))
}

fn process_name(snapshot: Uuid) -> String {
    format!("croft-merge-{snapshot}")
}

/// A QEMU process with a disk and without a machine.
struct Tool {
    process: Process,
    control: RefCell<Control>,
}

impl Tool {
    fn start(host: &Host, folder: &Path, user: Option<u32>, merge: &Merge) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        let ends = |stream: &UnixStream| {
            Ok::<_, io::Error>(Stdio::from(std::os::fd::OwnedFd::from(stream.try_clone()?)))
        };
        let line = arguments::without_machine(&process_name(merge.snapshot), &merge.layers);
        let group = host.accounts.map_or(0, |accounts| accounts.group);
        let (input, output) = (ends(&theirs)?, ends(&theirs)?);
        let place = ProcessSetup { folder, user, group, namespace: None };
        let process = host.launcher(Acceleration::Tcg).start_with_pipes(place, &line, input, Some(output))?;
        ours.set_read_timeout(Some(ANSWER_LIMIT))?;
        Ok(Self { process, control: RefCell::new(Control::new(ours)?) })
    }

    fn ask(&self, command: &str, arguments: &Value) -> std::result::Result<Value, String> {
        let mut control = self.control.borrow_mut();
        let (sender, answer) = channel();
        control.send(command, arguments, sender).map_err(|error| error.to_string())?;
        loop {
            match answer.try_recv() {
                Ok(answer) => return answer,
                Err(TryRecvError::Empty) => drop(control.receive().map_err(|error| error.to_string())?),
                Err(TryRecvError::Disconnected) => return Err(format!("QEMU did not answer {command}")),
            }
        }
    }

    /// Waits until it has ended by itself.
    fn has_ended(&self) -> io::Result<()> {
        let limit = i64::try_from(ANSWER_LIMIT.as_millis()).unwrap_or(i64::MAX);
        let ended = self.process.ends_within(limit)?;
        if ended { Ok(()) } else { Err(io::Error::other("QEMU does not exit")) }
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        self.process.kill();
        self.process.reap();
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::volumes::{Format, Layer},
        *,
    };

    #[test]
    fn a_merge_has_ended_before_its_thread_exits() {
        let ongoing =
            Arc::new(Ongoing { disk: Uuid::nil(), stage: Mutex::new(Stage::Runs), changed: Condvar::new() });
        let (exit, wanted) = channel::<()>();
        let current = (Arc::clone(&ongoing), thread::spawn(move || _ = wanted.recv()));
        assert!(is_in_progress(&current));
        ongoing.set(Stage::Ended);
        assert!(!is_in_progress(&current));
        drop(exit);
        current.1.join().unwrap();
    }

    #[test]
    fn a_job_that_ends_while_it_is_canceled_is_dismissed() {
        let layer = |number| Layer { id: Uuid::from_u128(number), format: Format::Qcow2 };
        let (lower, upper, above) = (layer(1), layer(2), layer(3));
        let merge = Merge {
            disk: Uuid::nil(),
            snapshot: Uuid::nil(),
            lower,
            upper,
            above: Some(above),
            layers: vec![above, upper, lower],
        };
        let ongoing =
            Ongoing { disk: merge.disk, stage: Mutex::new(Stage::Unwanted), changed: Condvar::new() };
        let commands = RefCell::new(Vec::new());
        let statuses = RefCell::new(["concluded", "running", "running"].to_vec());
        let ask = |command: &'static str, _: Value| {
            commands.borrow_mut().push(command);
            match command {
                "query-jobs" => Ok(json!([{ "id": JOB, "status": statuses.borrow_mut().pop() }])),
                "block-job-cancel" => Err(HypervisorError::Failed("its state is concluded".to_owned())),
                "query-named-block-nodes" => Ok(json!([])),
                _ => Ok(Value::Null),
            }
        };
        commit(&ask, 0, "root", &merge, &ongoing).unwrap();
        assert_eq!(
            commands.take()[1..],
            ["query-jobs", "block-job-cancel", "query-jobs", "job-dismiss", "query-named-block-nodes"]
        );
    }
}
