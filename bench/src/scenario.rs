//! What is measured, in which order.

use std::{
    fs,
    path::Path,
    process::Command,
    sync::{Arc, atomic::AtomicU64},
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE};
use hyper::StatusCode;
use tempfile::TempDir;

use crate::{
    Failure, Part, RunOptions, compare,
    events::{self, Events, Interest},
    import::{self, Import},
    ingest::{self, Ingest},
    load::{self, Ask, Asks, Connection, Target},
    machine, pools,
    process::Pinned,
    queries::{self, Queries},
    report::{Figures, Report},
    search,
    stats::Run,
};

const SILO: &str = "croft";
const USER: &str = "admin";
const PASSWORD: &str = "measured-and-gone";
const PROJECT: &str = "bench";
/// Connections of a scenario that asks for throughput.
const MANY: usize = 64;
/// Starts measured for the cold start.
const STARTS: usize = 11;

/// Measures everything and writes the report.
pub fn run(options: &RunOptions) -> Result<(), Failure> {
    // Described before pinning: a pinned process sees one core.
    let machine = machine::describe();
    pin_this_process(options.load_core)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut report = Report::new(machine, options);
    report.binary_bytes = fs::metadata(&options.server)?.len();
    for count in options.instances.iter().filter(|_| options.wants(Part::Requests)) {
        let folder = tempfile::tempdir()?;
        let figures = runtime.block_on(measure(options, *count, &folder))?;
        report.add(*count, figures);
        fs::write(&options.out, report.to_string())?;
    }
    if let Some(count) = options.instances.first().filter(|_| options.wants(Part::Requests))
        && !options.before.is_empty()
    {
        report.comparison = Some(runtime.block_on(compare::measure(options, *count))?);
        fs::write(&options.out, report.to_string())?;
    }
    if options.wants(Part::Pools) {
        report.pools = runtime.block_on(pools(options))?;
        fs::write(&options.out, report.to_string())?;
    }
    if options.wants(Part::Charts) {
        report.queries = Some(runtime.block_on(queries(options))?);
        fs::write(&options.out, report.to_string())?;
    }
    if options.wants(Part::Events) {
        report.events = runtime.block_on(events(options))?;
        fs::write(&options.out, report.to_string())?;
    }
    if options.wants(Part::Samples) {
        report.ingests = ingests(options)?;
        fs::write(&options.out, report.to_string())?;
    }
    if options.wants(Part::Imports) {
        report.imports = runtime.block_on(imports(options))?;
        fs::write(&options.out, report.to_string())?;
    }
    if options.wants(Part::Search) {
        report.searches = runtime.block_on(searches(options))?;
        fs::write(&options.out, report.to_string())?;
    }
    println!("{report}");
    Ok(())
}

async fn searches(options: &RunOptions) -> Result<Vec<search::Searches>, Failure> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    // The first start makes the data directory.
    drop(start_server(options, &options.server, &data, folder.path())?);
    eprintln!("filling the database with {} resources", search::RESOURCES);
    search::fill(&data)?;
    let server = start_server(options, &options.server, &data, folder.path())?;
    set_password(&options.server, &data)?;
    search::measure(&sign_in(&server.address).await?, options).await
}

async fn pools(options: &RunOptions) -> Result<Vec<pools::State>, Failure> {
    let (folder, control_folder) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let data = folder.path().join("data");
    let server = start_server(options, &options.server, &data, folder.path())?;
    set_password(&options.server, &data)?;
    let target = sign_in(&server.address).await?;
    let control = start_control(options, control_folder.path())?;
    let to_control = Target { address: control.address.clone(), cookie: String::new() };
    pools::measure(&target, &to_control, options).await
}

async fn queries(options: &RunOptions) -> Result<Queries, Failure> {
    let (folder, control_folder) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let data = folder.path().join("data");
    // The first start makes the data directory.
    drop(start_server(options, &options.server, &data, folder.path())?);
    eprintln!("filling the store of samples with a day of {} instances", queries::INSTANCES);
    let now = queries::fill(&data)?;
    let server = start_server(options, &options.server, &data, folder.path())?;
    set_password(&options.server, &data)?;
    let target = sign_in(&server.address).await?;
    let charts = queries::measure(&target, now, options).await?;
    let control = start_control(options, control_folder.path())?;
    let to_control = Target { address: control.address.clone(), cookie: String::new() };
    let constant: Asks = Arc::new(|_| Ask::get("/constant"));
    let mut control = Vec::new();
    for _ in 0..options.runs {
        control.push(load::closed_loop(&to_control, 1, options.seconds, &Arc::default(), &constant).await?);
    }
    Ok(Queries { charts, control })
}

async fn events(options: &RunOptions) -> Result<Vec<Events>, Failure> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let server = start_server(options, &options.server, &data, folder.path())?;
    set_password(&options.server, &data)?;
    let target = sign_in(&server.address).await?;
    let followers = events::followers(&target).await?;
    let mut runs = Vec::new();
    for run in 1..=options.runs {
        for interest in Interest::ALL {
            eprintln!("events: {interest:?}, run {run} of {}", options.runs);
            runs.push(events::measure(&target, &followers, interest, options.seconds).await?);
        }
    }
    Ok(runs)
}

fn ingests(options: &RunOptions) -> Result<Vec<Ingest>, Failure> {
    let folder = tempfile::tempdir()?;
    (1..=options.runs)
        .map(|run| {
            eprintln!("samples: run {run} of {}", options.runs);
            ingest::measure(folder.path())
        })
        .collect()
}

async fn imports(options: &RunOptions) -> Result<Vec<Import>, Failure> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let path = data.to_str().ok_or("the temporary folder's path is not text")?;
    let hypervisor = ["--hypervisor", &options.import_hypervisor];
    let arguments = [&["serve", "--data-dir", path, "--listen", "127.0.0.1:0"], &hypervisor[..]].concat();
    let server = Pinned::start(options.server_core, &options.server, &arguments, folder.path())?;
    set_password(&options.server, &data)?;
    let target = sign_in(&server.address).await?;
    import::prepare(&target).await?;
    let mut imports = Vec::new();
    for number in 1..=options.runs {
        eprintln!("import {number} of {}", options.runs);
        imports.push(import::measure(&target, &server, options.server_core, folder.path(), number).await?);
    }
    Ok(imports)
}

fn pin_this_process(core: usize) -> Result<(), Failure> {
    let pinned =
        Command::new("taskset").args(["-cp", &core.to_string(), &std::process::id().to_string()]).output()?;
    if pinned.status.success() { Ok(()) } else { Err("taskset could not pin the load generator".into()) }
}

async fn measure(options: &RunOptions, count: usize, folder: &TempDir) -> Result<Figures, Failure> {
    let data = folder.path().join("data");
    let server = start_server(options, &options.server, &data, folder.path())?;
    set_password(&options.server, &data)?;
    let target = sign_in(&server.address).await?;
    eprintln!("filling the database with {count} instances");
    fill(&target, count).await?;

    let control_folder = tempfile::tempdir()?;
    let control = start_control(options, control_folder.path())?;
    let control_target = Target { address: control.address.clone(), cookie: String::new() };
    let signed_out = Target { cookie: String::new(), ..target.clone() };

    let mut figures = Figures::default();
    let next_disk = Arc::new(AtomicU64::new(0));
    for number in 1..=options.runs {
        eprintln!("run {number} of {}", options.runs);
        for scenario in scenarios(count) {
            let to = match scenario.to {
                Destination::Control => &control_target,
                Destination::Server => &target,
                Destination::ServerSignedOut => &signed_out,
            };
            let counter = if scenario.writes { Arc::clone(&next_disk) } else { Arc::default() };
            let run = load::closed_loop(to, scenario.connections, options.seconds, &counter, &scenario.asks)
                .await?;
            figures.add(scenario.name, run);
        }
        figures.resident.push(server.resident()?);
    }
    figures.overload = Some(overload(options, &target).await?);
    drop(server);
    figures.cold_starts = cold_starts(options, &data, folder.path())?;
    Ok(figures)
}

/// Where the requests of a scenario go.
#[derive(Clone, Copy)]
pub enum Destination {
    /// The control.
    Control,
    /// The server, with a session.
    Server,
    /// The server, without a session.
    ServerSignedOut,
}

/// Requests of one kind.
pub struct Scenario {
    /// What the report calls it.
    pub name: &'static str,
    /// Connections that ask at once.
    pub connections: usize,
    /// Where the requests go.
    pub to: Destination,
    /// Whether each makes something, whose name must be new.
    pub writes: bool,
    /// The requests.
    pub asks: Asks,
}

/// The control that a scenario is compared with.
pub fn control_of(scenario: &str) -> &'static str {
    match scenario {
        name if name.contains("disk create,") || name.contains("commit") => {
            "control: synced commit, 1 connection"
        }
        name if name.contains("password") => "control: one password hashed",
        _ => "control: constant answer",
    }
}

/// Every kind of request that is measured, with `count` instances in the database.
pub fn scenarios(count: usize) -> Vec<Scenario> {
    let count = count as u64;
    let read =
        |name, asks| Scenario { name, connections: MANY, to: Destination::Server, writes: false, asks };
    let disks = |name, connections| Scenario {
        name,
        connections,
        to: Destination::Server,
        writes: true,
        asks: disk_create(),
    };
    let control = |name, connections, asks| Scenario {
        name,
        connections,
        to: Destination::Control,
        writes: false,
        asks,
    };
    vec![
        control("control: constant answer", MANY, Arc::new(|_| Ask::get("/constant"))),
        read("instance view", Arc::new(move |n| instance_view(scatter(n, count)))),
        read("instance list, page of 50", Arc::new(move |n| instance_list(scatter(n, count), 50))),
        control("control: synced commit, 1 connection", 1, Arc::new(|_| Ask::post("/commit", DOCUMENT))),
        disks("disk create, 1 connection", 1),
        disks("disk create, 64 connections", MANY),
        Scenario {
            name: "mix: 9 instance views, 1 disk create",
            connections: MANY,
            to: Destination::Server,
            writes: true,
            asks: {
                let create = disk_create();
                Arc::new(move |n| if n % 10 == 0 { create(n) } else { instance_view(scatter(n, count)) })
            },
        },
        control("control: one password hashed", 1, Arc::new(|_| Ask::post("/hash", PASSWORD))),
        Scenario {
            name: "sign-in by password",
            connections: 1,
            to: Destination::ServerSignedOut,
            writes: false,
            asks: Arc::new(|_| sign_in_ask()),
        },
    ]
}

/// About as many bytes as the record of a disk.
pub const DOCUMENT: &str = r#"{"name":"disk","description":"a document about as long as the record of a disk, so that the control writes no less than a create does; the rest is filling to reach a typical length of some three hundred bytes","size":1073741824,"block_size":4096,"state":{"state":"creating"}}"#;

/// Spreads consecutive numbers over the whole range, so that no two askers meet on the same rows.
fn scatter(number: u64, count: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % count
}

fn instance_view(number: u64) -> Ask {
    Ask::get(format!("/v1/instances/i-{number:06}?project={PROJECT}"))
}

fn instance_list(after: u64, limit: u32) -> Ask {
    let token = serde_json::json!({
        "v": "v1",
        "page_start": { "sort_by": "name_ascending", "project": PROJECT, "last_seen": format!("i-{after:06}") },
    });
    Ask::get(format!(
        "/v1/instances?limit={limit}&page_token={}",
        URL_SAFE.encode(token.to_string()).replace('=', "%3D")
    ))
}

fn disk_create() -> Asks {
    Arc::new(|number| {
        let body = serde_json::json!({
            "name": format!("d-{number}"),
            "description": "made by the benchmark",
            "size": 1u64 << 30,
            "disk_source": { "type": "blank", "block_size": 4096 },
        });
        Ask::post(format!("/v1/disks?project={PROJECT}"), body.to_string())
    })
}

/// Makes the project, and `count` instances in it.
pub async fn fill(target: &Target, count: usize) -> Result<(), Failure> {
    let mut connection = Connection::open(target).await?;
    let project = serde_json::json!({ "name": PROJECT, "description": "" });
    let (status, body) = connection.send(Ask::post("/v1/projects", project.to_string())).await?;
    if status != StatusCode::CREATED {
        return Err(format!("project: {status} {}", String::from_utf8_lossy(&body)).into());
    }
    let create: Asks = Arc::new(|number| {
        let body = serde_json::json!({
            "name": format!("i-{number:06}"),
            "description": "made by the benchmark",
            "hostname": format!("i-{number:06}"),
            "ncpus": 2,
            "memory": 4u64 << 30,
            "network_interfaces": { "type": "none" },
            "start": false,
        });
        Ask::post(format!("/v1/instances?project={PROJECT}"), body.to_string())
    });
    load::fill(target, count as u64, &create).await
}

/// Offers four times what the server can do, with an operation dear enough that the generator is not the limit.
async fn overload(options: &RunOptions, target: &Target) -> Result<(Run, Run), Failure> {
    let asks: Asks = Arc::new(|n| instance_list(scatter(n, 500), 1000));
    let capacity = load::closed_loop(target, 8, options.seconds, &Arc::default(), &asks).await?;
    let rate = 4.0 * capacity.throughput;
    let over = load::open_loop(target, 1024, rate, options.seconds.max(5), &asks).await?;
    Ok((capacity, over))
}

/// Starts the controls on the server's core.
pub fn start_control(options: &RunOptions, folder: &Path) -> Result<Pinned, Failure> {
    Pinned::start(options.server_core, &std::env::current_exe()?, &["control"], folder)
}

/// Starts a server with simulated machines on its core.
pub fn start_server(
    options: &RunOptions,
    program: &Path,
    data: &Path,
    folder: &Path,
) -> Result<Pinned, Failure> {
    let data = data.to_str().ok_or("the temporary folder's path is not text")?;
    let arguments = [
        "serve",
        "--data-dir",
        data,
        "--listen",
        "127.0.0.1:0",
        "--hypervisor",
        "simulated",
        "--simulated-disk-size",
        "1000000",
    ];
    Pinned::start(options.server_core, program, &arguments, folder)
}

/// Sets the first administrator's password.
pub fn set_password(server: &Path, data: &Path) -> Result<(), Failure> {
    use std::io::Write as _;
    let mut child = Command::new(server)
        .args(["admin", "reset-password", "--password-stdin", "--data-dir"])
        .arg(data)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()?;
    child.stdin.take().ok_or("no standard input")?.write_all(PASSWORD.as_bytes())?;
    if child.wait()?.success() { Ok(()) } else { Err("the administrator's password could not be set".into()) }
}

/// A session of the first administrator.
pub async fn sign_in(address: &str) -> Result<Target, Failure> {
    let anonymous = Target { address: address.to_owned(), cookie: String::new() };
    let cookie = Connection::open(&anonymous).await?.cookie(sign_in_ask()).await?;
    Ok(Target { cookie, ..anonymous })
}

fn sign_in_ask() -> Ask {
    let body = serde_json::json!({ "username": USER, "password": PASSWORD }).to_string();
    Ask::post(format!("/v1/login/{SILO}/local"), body)
}

/// Times from starting the process to its first answer, on the filled database.
fn cold_starts(options: &RunOptions, data: &Path, folder: &Path) -> Result<Vec<Duration>, Failure> {
    (0..STARTS)
        .map(|_| {
            let begun = Instant::now();
            let server = start_server(options, &options.server, data, folder)?;
            ping(&server.address)?;
            Ok(begun.elapsed())
        })
        .collect()
}

fn ping(address: &str) -> Result<(), Failure> {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(address)?;
    write!(stream, "GET /v1/ping HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    if answer.starts_with("HTTP/1.1 200") { Ok(()) } else { Err(format!("ping answered {answer}").into()) }
}
