//! Earlier versions of the server beside this one, in turns of one run.
//!
//! Two reports of different days cannot be compared: machines are shared, and their disks and neighbours differ.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, atomic::AtomicU64},
};

use tempfile::TempDir;

use crate::{
    Failure, RunOptions, load,
    load::Target,
    process::Pinned,
    scenario::{self, Destination, Scenario},
    stats::{Run, Spread},
};

/// An earlier version of the server.
#[derive(Clone, Debug)]
pub struct Before {
    commit: String,
    program: PathBuf,
}

impl FromStr for Before {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((commit, program)) if !commit.is_empty() && !program.is_empty() => {
                Ok(Self { commit: commit.to_owned(), program: program.into() })
            }
            _ => Err("write it as COMMIT=PROGRAM".to_owned()),
        }
    }
}

/// What several versions of the server answered, and what the controls did between them.
pub struct Comparison {
    instances: usize,
    /// The versions, the one of this report last.
    commits: Vec<String>,
    /// Scenarios of the controls.
    controls: Vec<(&'static str, Vec<Run>)>,
    /// Scenarios, with the runs of each version.
    scenarios: Vec<(&'static str, Vec<Vec<Run>>)>,
}

struct Version {
    target: Target,
    /// So that no disk of a later run has the name of an earlier one.
    next_disk: Arc<AtomicU64>,
    _server: Pinned,
    _folder: TempDir,
}

impl Version {
    async fn start(options: &RunOptions, program: &Path, instances: usize) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        let data = folder.path().join("data");
        let server = scenario::start_server(options, program, &data, folder.path())?;
        scenario::set_password(program, &data)?;
        let target = scenario::sign_in(&server.address).await?;
        scenario::fill(&target, instances).await?;
        Ok(Self { target, next_disk: Arc::default(), _server: server, _folder: folder })
    }

    async fn run(&self, scenario: &Scenario, seconds: u64) -> Result<Run, Failure> {
        let counter = if scenario.writes { Arc::clone(&self.next_disk) } else { Arc::default() };
        load::closed_loop(&self.target, scenario.connections, seconds, &counter, &scenario.asks).await
    }
}

/// Runs the requests' scenarios on each version in turn, with the controls between them.
pub async fn measure(options: &RunOptions, instances: usize) -> Result<Comparison, Failure> {
    let mut versions = Vec::new();
    let programs = options.before.iter().map(|before| &before.program).chain([&options.server]);
    for program in programs {
        eprintln!("comparison: starting {} with {instances} instances", program.display());
        versions.push(Version::start(options, program, instances).await?);
    }
    let control_folder = tempfile::tempdir()?;
    let control = scenario::start_control(options, control_folder.path())?;
    let to_control = Target { address: control.address.clone(), cookie: String::new() };

    let commits = options.before.iter().map(|before| before.commit.clone()).chain([options.commit.clone()]);
    let mut comparison =
        Comparison { instances, commits: commits.collect(), controls: Vec::new(), scenarios: Vec::new() };
    for number in 1..=options.runs {
        eprintln!("comparison: run {number} of {}", options.runs);
        for scenario in scenario::scenarios(instances) {
            match scenario.to {
                Destination::Control => {
                    let asks = &scenario.asks;
                    let run = load::closed_loop(
                        &to_control,
                        scenario.connections,
                        options.seconds,
                        &Arc::default(),
                        asks,
                    )
                    .await?;
                    runs_of(&mut comparison.controls, scenario.name).push(run);
                }
                Destination::Server => {
                    for (index, version) in versions.iter().enumerate() {
                        let run = version.run(&scenario, options.seconds).await?;
                        let runs = runs_of(&mut comparison.scenarios, scenario.name);
                        runs.resize_with(versions.len().max(runs.len()), Vec::new);
                        runs[index].push(run);
                    }
                }
                // Hashes on every core that the system has, whatever the version.
                Destination::ServerSignedOut => {}
            }
        }
    }
    Ok(comparison)
}

fn runs_of<'a, T>(all: &'a mut Vec<(&'static str, Vec<T>)>, name: &'static str) -> &'a mut Vec<T> {
    if let Some(index) = all.iter().position(|(known, _)| *known == name) {
        return &mut all[index].1;
    }
    all.push((name, Vec::new()));
    &mut all.last_mut().expect("one was pushed").1
}

fn throughput(runs: &[Run]) -> f64 {
    Spread::of(runs.iter().map(|run| run.throughput)).median
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n## Before and after, with {} instances\n", self.instances)?;
        writeln!(
            f,
            "Each version in turn, scenario by scenario: answers a second, and in parentheses their ratio to the control.\n"
        )?;
        write!(f, "| scenario | control |")?;
        for commit in &self.commits {
            write!(f, " {commit} |")?;
        }
        writeln!(f, "\n|---|---|{}", "---|".repeat(self.commits.len()))?;
        for (name, versions) in &self.scenarios {
            let wanted = scenario::control_of(name);
            let control =
                self.controls.iter().find(|(name, _)| *name == wanted).map(|(_, runs)| throughput(runs));
            let Some(control) = control else { continue };
            write!(f, "| {name} | {control:.0} |")?;
            for runs in versions {
                let median = throughput(runs);
                write!(f, " {median:.0} ({:.2}) |", median / control)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
