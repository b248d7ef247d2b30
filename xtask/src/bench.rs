//! Whole-server benchmarks, and the timings of the console's screens.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::console;
use crate::failure::{Failure, Outcome};
use crate::preview;
use crate::requirements::{C_TOOLS, CHROMIUM, install};
use crate::server::Server;
use crate::shell::{announce, capture, cargo, command, root, run, target_directory};

const PASSWORD: &str = "measured-and-gone";
/// The parts that Chromium measures.
const SCREENS: &str = "screens";
const LISTS: &str = "lists";
/// Core of the server, and core of Chromium, where lists are measured.
const SERVER_CORE: usize = 0;
const BROWSER_CORE: usize = 1;

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
    /// Parts to measure (requests, pools, charts, events, samples, imports, search, screens, lists), reported on standard output instead
    /// of `docs/benchmarks.md`; everything if none is named
    #[arg(long, value_delimiter = ',', conflicts_with = "no_screens")]
    only: Vec<String>,
    /// Leave out the timings of the console's screens and lists
    #[arg(long)]
    no_screens: bool,
    /// Rows of the longest list that is timed in the console
    #[arg(long, default_value_t = 100_000)]
    rows: usize,
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
    let in_browser = [SCREENS, LISTS];
    let parts: Vec<_> =
        arguments.only.iter().map(String::as_str).filter(|part| !in_browser.contains(part)).collect();
    let wants = |name: &str| {
        if is_whole { !arguments.no_screens } else { arguments.only.iter().any(|part| part == name) }
    };

    if is_whole || !parts.is_empty() {
        measure_server(arguments, &server, &parts, &report)?;
    }
    if wants(SCREENS) {
        let preview = preview::serve_site()?;
        announce("Timing the console's screens in Chromium.");
        let screens = screens(&server, &preview)?;
        tell(
            is_whole.then_some(&report),
            &format!(
                "\n## Screens\n\nChromium, empty cache, median of visits; blocking is the total blocking time.\n\n{screens}"
            ),
        )?;
    }
    if wants(LISTS) {
        let lists = lists(&server, arguments.rows)?;
        tell(is_whole.then_some(&report), &format!("\n{LISTS_INTRODUCTION}\n{lists}"))?;
    }
    Ok(())
}

/// What stands above the figures of lists.
const LISTS_INTRODUCTION: &str = "## Lists beside a bare page

The list of instances, beside a plain React page that shows the same rows with plain elements (`e2e/bench/bare`), built and compressed in
the same way, from the same server. Both take turns in one run. The server is on core 0 and Chromium on core 1. Blocking is the total
blocking time. The aims: a largest contentful paint (LCP) of at most 1.4 times the bare page's; blocking of at most 150 ms, and 900 ms at a
quarter of the speed; the changes of others within 3 times the bare page's p95; 200 ms from the key to the paint; no frame over 34 ms (p99).
";

/// Adds a section to the report, or prints it.
fn tell(report: Option<&PathBuf>, text: &str) -> Outcome {
    match report {
        Some(report) => writeln!(fs::OpenOptions::new().append(true).open(report)?, "{text}")?,
        None => println!("{text}"),
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

/// Times the console's lists beside the bare page.
fn lists(program: &Path, rows: usize) -> Outcome<String> {
    let folder = empty_folder("bench-lists")?;
    let site = folder.join("site");
    announce("Building the bare page that lists are compared with.");
    run(browser_script("site.mjs").arg(&site))?;
    announce("Timing the console's lists in Chromium, beside the bare page.");
    let server = Server::start_on(SERVER_CORE, program, &folder, &site)?;
    set_password(program, &folder)?;
    let mut node = command("taskset");
    node.current_dir(root().join("e2e"));
    node.args(["-c", &BROWSER_CORE.to_string(), "node", "bench/lists.mjs"]);
    node.args([&server.url, "croft", "admin", PASSWORD, &rows.to_string()]);
    capture(&mut node)
}

fn screens(program: &Path, preview: &str) -> Outcome<String> {
    let folder = empty_folder("bench-screens")?;
    let server = Server::start(program, &folder)?;
    set_password(program, &folder)?;
    let mut node = browser_script("screens.mjs");
    node.args([&server.url, "croft", "admin", PASSWORD, preview]);
    capture(&mut node)
}

/// A script of `e2e/bench`, without its arguments.
fn browser_script(name: &str) -> Command {
    let mut node = command("node");
    node.current_dir(root().join("e2e"));
    node.arg(format!("bench/{name}"));
    node
}

fn empty_folder(name: &str) -> Outcome<PathBuf> {
    console::install_packages("e2e")?;
    let folder = target_directory().join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Gives the administrator of a server the password that the scripts sign in with.
fn set_password(program: &Path, folder: &Path) -> Outcome {
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
    Ok(())
}
