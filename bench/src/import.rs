//! The import of a disk image through the API, beside `dd` of the same bytes.

use std::{
    fs,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use hyper::StatusCode;

use crate::{
    Failure,
    load::{Ask, Connection, Target},
    process::Pinned,
};

/// Size of the image, in bytes.
const SIZE: u64 = 1 << 30;
/// What clients of the API send at a time, in bytes.
const CHUNK: u64 = 512 << 10;
/// Writers side by side, as many as the console has.
const WRITERS: usize = 6;
/// Longest wait for a disk to be built.
const PATIENCE: Duration = Duration::from_mins(1);

/// What one import took.
#[derive(Clone, Copy, Debug)]
pub struct Import {
    /// From the first block until the answer that all are durable.
    pub time: Duration,
    /// What `dd` with a sync at the end took for the same bytes.
    pub control: Duration,
    /// Resident memory of the server before, in bytes.
    pub resident: u64,
    /// The most that it ever was, in bytes.
    pub peak: u64,
}

/// Imports an image and has `dd` write the same bytes.
pub async fn measure(
    target: &Target,
    server: &Pinned,
    core: usize,
    folder: &Path,
    number: usize,
) -> Result<Import, Failure> {
    // Not zeros, which a host may leave out.
    let chunk: Vec<u8> = (0..CHUNK).map(|position| (position % 251) as u8).collect();
    let control = copy(&chunk, core, folder)?;
    let name = format!("import-{number}");
    let mut connection = Connection::open(target).await?;
    create(&mut connection, &name).await?;
    let resident = server.resident()?;
    expect(&mut connection, call(&name, "bulk-write-start", String::new())).await?;
    let begun = Instant::now();
    write(target, &name, STANDARD.encode(&chunk)).await?;
    expect(&mut connection, call(&name, "bulk-write-stop", String::new())).await?;
    let time = begun.elapsed();
    expect(&mut connection, call(&name, "finalize", "{}".to_owned())).await?;
    expect(&mut connection, Ask::delete(format!("/v1/disks/{name}?project=import"))).await?;
    Ok(Import { time, control, resident, peak: server.peak()? })
}

/// A project for the disks of [`measure`].
pub async fn prepare(target: &Target) -> Result<(), Failure> {
    let project = serde_json::json!({ "name": "import", "description": "" });
    expect(&mut Connection::open(target).await?, Ask::post("/v1/projects", project.to_string())).await
}

fn copy(chunk: &[u8], core: usize, folder: &Path) -> Result<Duration, Failure> {
    let (source, copy) = (folder.join("source"), folder.join("copy"));
    fs::write(&source, chunk.repeat(usize::try_from(SIZE / CHUNK)?))?;
    let begun = Instant::now();
    let status = Command::new("taskset")
        .args(["-c", &core.to_string(), "dd", "bs=512K", "conv=fsync", "status=none"])
        .arg(format!("if={}", source.display()))
        .arg(format!("of={}", copy.display()))
        .status()?;
    let time = begun.elapsed();
    fs::remove_file(&source)?;
    fs::remove_file(&copy)?;
    if status.success() { Ok(time) } else { Err("dd could not copy the image".into()) }
}

fn call(disk: &str, what: &str, body: String) -> Ask {
    Ask::post(format!("/v1/disks/{disk}/{what}?project=import"), body)
}

async fn expect(connection: &mut Connection, ask: Ask) -> Result<(), Failure> {
    let path = ask.path.clone();
    let (status, body) = connection.send(ask).await?;
    if status.is_success() {
        return Ok(());
    }
    Err(format!("{path}: {status} {}", String::from_utf8_lossy(&body)).into())
}

async fn create(connection: &mut Connection, name: &str) -> Result<(), Failure> {
    let disk = serde_json::json!({
        "name": name,
        "description": "made by the benchmark",
        "size": SIZE,
        "disk_source": { "type": "importing_blocks", "block_size": 512 },
    });
    expect(connection, Ask::post("/v1/disks?project=import", disk.to_string())).await?;
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        let (status, body) = connection.send(Ask::get(format!("/v1/disks/{name}?project=import"))).await?;
        let disk: serde_json::Value = serde_json::from_slice(&body)?;
        if status == StatusCode::OK && disk["state"]["state"] == "import_ready" {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Err(format!("the disk {name} was not built within {PATIENCE:?}").into())
}

async fn write(target: &Target, name: &str, base64: String) -> Result<(), Failure> {
    let (next, base64) = (Arc::new(AtomicU64::new(0)), Arc::new(base64));
    let mut writers = Vec::new();
    for _ in 0..WRITERS {
        let mut connection = Connection::open(target).await?;
        let (next, base64, name) = (Arc::clone(&next), Arc::clone(&base64), name.to_owned());
        writers.push(tokio::spawn(async move {
            loop {
                let offset = next.fetch_add(CHUNK, Ordering::Relaxed);
                if offset >= SIZE {
                    return Ok::<_, Failure>(());
                }
                let body = format!(r#"{{"offset":{offset},"base64_encoded_data":"{base64}"}}"#);
                expect(&mut connection, call(&name, "bulk-write", body)).await?;
            }
        }));
    }
    for writer in writers {
        writer.await??;
    }
    Ok(())
}
