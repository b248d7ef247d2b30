//! Whole-server benchmarks, and the timings of the console's screens.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::console;
use crate::failure::{Failure, Outcome};
use crate::preview;
use crate::requirements::{C_TOOLS, CHROMIUM, install};
use crate::server::Server;
use crate::shell::{announce, capture, cargo, command, root, run, target_directory};

const PASSWORD: &str = "measured-and-gone";
/// The part that Chromium measures.
const SCREENS: &str = "screens";

/// How much is measured.
#[derive(clap::Args)]
pub struct Arguments {
    /// Runs of each scenario
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Seconds of load in each run
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    /// Numbers of instances in the database, smallest first
    #[arg(long, value_delimiter = ',', default_value = "1000,100000")]
    instances: Vec<usize>,
    /// The hypervisor that disks are imported into
    #[arg(long, default_value = "simulated")]
    import_hypervisor: String,
    /// An earlier version of the server, as COMMIT=PROGRAM, whose answers to requests are measured in turns with this one's; may be
    /// repeated
    #[arg(long)]
    before: Vec<String>,
    /// Parts to measure (requests, pools, charts, events, samples, imports, search, screens), reported on standard output instead of
    /// `docs/benchmarks.md`; everything if none is named
    #[arg(long, value_delimiter = ',', conflicts_with = "no_screens")]
    only: Vec<String>,
    /// Leave out the timings of the console's screens
    #[arg(long)]
    no_screens: bool,
}

/// Builds for release, measures, and writes `docs/benchmarks.md`.
pub fn bench(arguments: &Arguments) -> Outcome {
    install(&[C_TOOLS, CHROMIUM])?;
    console::build()?;
    announce("Building the server and the load generator with optimisation.");
    run(cargo().args(["build", "--locked", "--release", "--package", "croft", "--package", "croft-bench"]))?;
    let programs = target_directory().join("release");
    let server = programs.join("croft");
    let is_whole = arguments.only.is_empty();
    let report =
        if is_whole { root().join("docs/benchmarks.md") } else { target_directory().join("benchmarks.md") };
    let parts: Vec<_> = arguments.only.iter().map(String::as_str).filter(|part| *part != SCREENS).collect();

    let wants_screens =
        if is_whole { !arguments.no_screens } else { arguments.only.iter().any(|part| part == SCREENS) };

    if is_whole || !parts.is_empty() {
        measure_server(arguments, &server, &parts, &report)?;
    }
    if wants_screens {
        let preview = preview::serve_site()?;
        announce("Timing the console's screens in Chromium.");
        let screens = screens(&server, &preview)?;
        let text = format!(
            "\n## Screens\n\nChromium, empty cache, median of visits; blocking is the total blocking time.\n\n{screens}"
        );
        if is_whole {
            writeln!(fs::OpenOptions::new().append(true).open(&report)?, "{text}")?;
        } else {
            println!("{text}");
        }
    }
    Ok(())
}

/// Measures the server, or the named parts of it, and writes the report.
fn measure_server(arguments: &Arguments, server: &Path, parts: &[&str], report: &Path) -> Outcome {
    announce("Measuring the server.");
    let programs = target_directory().join("release");
    let list = arguments.instances.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let mut bench = command(programs.join("croft-bench"));
    bench
        .args(["run", "--runs", &arguments.runs.to_string(), "--seconds", &arguments.seconds.to_string()])
        .args(["--instances", &list, "--commit", &commit()?])
        .args(["--import-hypervisor", &arguments.import_hypervisor])
        .arg("--server")
        .arg(server)
        .arg("--out")
        .arg(report);
    for before in &arguments.before {
        bench.args(["--before", before]);
    }
    if !parts.is_empty() {
        bench.args(["--only", &parts.join(",")]);
    }
    run(&mut bench)
}

fn commit() -> Outcome<String> {
    let id = capture(command("git").args(["rev-parse", "--short", "HEAD"]))?;
    let changes = capture(command("git").args(["status", "--porcelain", "--untracked-files=no"]))?;
    let id = id.trim();
    Ok(if changes.trim().is_empty() { id.to_owned() } else { format!("{id} with changes") })
}

fn screens(program: &Path, preview: &str) -> Outcome<String> {
    console::install_packages("e2e")?;
    let folder = target_directory().join("bench-screens");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let server = Server::start(program, &folder)?;
    let mut reset = Command::new(program)
        .args(["admin", "reset-password", "--password-stdin", "--data-dir"])
        .arg(folder.join("data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    reset.stdin.take().expect("standard input is piped").write_all(PASSWORD.as_bytes())?;
    if !reset.wait()?.success() {
        return Err(Failure::new("the administrator's password could not be set"));
    }
    let mut node = command("node");
    node.current_dir(root().join("e2e"));
    node.args(["bench/screens.mjs", &server.url, "croft", "admin", PASSWORD, preview]);
    capture(&mut node)
}
