//! `croft disk import`: a file of this computer as a disk, with progress. An import that was interrupted goes on where
//! it stopped.

use std::{
    fs::{self, File},
    io::{self, IsTerminal as _, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use clap::{Arg, ArgMatches, Command, value_parser};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    client::Client,
    failure::{Failure, Result},
    request::{Content, Request, fill},
    size,
    wait::{resource_named, until_at_rest},
};

/// Bytes that are sent at a time.
const CHUNK: u64 = 512 << 10;
const GIB: u64 = 1 << 30;

/// How far an import has come.
#[derive(Debug, Serialize, Deserialize)]
struct Progress {
    disk: String,
    /// Bytes of the file that the server has.
    done: u64,
    /// SHA-256 of those bytes, in hexadecimal.
    digest: String,
}

/// The command.
pub fn command() -> Command {
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("import")
        .about("Import a file of this computer as a disk, and optionally as an image")
        .long_about(
            "Import a file of this computer as a disk, and optionally as an image.\n\nThe file holds the bytes of the \
             disk (raw). Chunks that are all zeros are not sent. An import that was interrupted goes on where it stopped \
             when the same command is run again; the part that was sent is compared by its SHA-256.",
        )
        .arg(Arg::new("file").value_name("FILE").required(true).help("The file with the disk's bytes"))
        .arg(text("project", "TEXT", "Name or id of the project"))
        .arg(text("disk", "NAME", "Name of the disk").required(true))
        .arg(text("description", "TEXT", "Description of the disk").default_value("Imported by croft"))
        .arg(
            text("disk-size", "SIZE", "Size of the disk; the file's, rounded up to 1 GiB, if absent")
                .value_parser(size::parse),
        )
        .arg(
            text("block-size", "BYTES", "Size of a block of the disk")
                .value_parser(value_parser!(u64))
                .default_value("512"),
        )
        .arg(text("snapshot", "NAME", "Take a snapshot of this name when the import is finished"))
        .arg(text("image", "NAME", "Make an image of this name from the snapshot").requires("snapshot"))
        .arg(text("image-os", "TEXT", "Operating system of the image").default_value("unknown"))
        .arg(text("image-version", "TEXT", "Version of the operating system").default_value("unknown"))
}

/// Runs the command. Progress is kept in `folder`.
///
/// # Errors
///
/// The file cannot be read, the server refuses, or the file is not the one whose beginning was sent.
pub fn run(client: &Client, matches: &ArgMatches, project: Option<&str>, folder: &Path) -> Result<Value> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let project = text("project").or(project).ok_or_else(Failure::no_project)?;
    let (path, name) = (text("file").unwrap_or_default(), text("disk").unwrap_or_default());
    let cannot = || format!("cannot read {path}");
    let mut file = File::open(path).map_err(Failure::io(cannot()))?;
    let length = file.metadata().map_err(Failure::io(cannot()))?.len();
    let size = matches.get_one("disk-size").copied().unwrap_or_else(|| length.next_multiple_of(GIB).max(GIB));
    if size < length {
        return Err(Failure::Usage(format!("the file has {}, more than the disk", size::show(length))));
    }
    let block = matches.get_one::<u64>("block-size").copied().unwrap_or(512);
    let import = Import { client, project: project.to_owned(), folder: folder.join("imports") };
    let (disk, begun) = match import.existing(name)? {
        Some(disk) => {
            let begun = import.continued(&disk, &mut file).map_err(Failure::io(cannot()))?;
            let begun = begun.ok_or_else(|| {
                Failure::Usage(format!(
                    "the disk {name} exists, and its import did not begin with this file on this computer; choose another \
                     name, or delete the disk"
                ))
            })?;
            (disk, begun)
        }
        None => {
            (import.create(name, text("description").unwrap_or_default(), size, block)?, (0, Sha256::new()))
        }
    };
    import.act(&disk, "bulk-write-start", &json!(null), &["importing_from_bulk_writes"])?;
    import.send(&disk, &mut file, length, block, begun)?;
    import.act(&disk, "bulk-write-stop", &json!(null), &["import_ready"])?;
    import.act(&disk, "finalize", &json!({ "snapshot_name": text("snapshot") }), &[])?;
    let waited = resource_named("disk");
    let view = until_at_rest(client, waited, &disk, false)?;
    let _ = fs::remove_file(import.file(&disk));
    match (text("snapshot"), text("image")) {
        (Some(snapshot), Some(image)) => {
            import.image(snapshot, image, text("image-os"), text("image-version"))
        }
        _ => Ok(view),
    }
}

struct Import<'a> {
    client: &'a Client,
    project: String,
    folder: PathBuf,
}

impl Import<'_> {
    fn in_project(&self, method: &str, path: String, body: Value) -> Request {
        let content = if body.is_null() { Content::None } else { Content::Json(body) };
        let query = vec![("project".to_owned(), self.project.clone())];
        Request { method: method.to_owned(), path, query, content }
    }

    /// The id of a disk that waits for the rest of its import.
    fn existing(&self, name: &str) -> Result<Option<String>> {
        let request = self.in_project("GET", fill("/v1/disks/{disk}", "disk", name), Value::Null);
        match self.client.json(&request) {
            Err(Failure::Refused { status: 404, .. }) => Ok(None),
            Err(failure) => Err(failure),
            Ok(view) => match view["state"]["state"].as_str() {
                Some("import_ready" | "importing_from_bulk_writes") => {
                    Ok(view["id"].as_str().map(str::to_owned))
                }
                state => Err(Failure::Usage(format!(
                    "the disk {name} exists already and is {}",
                    state.unwrap_or("in an unknown state")
                ))),
            },
        }
    }

    fn create(&self, name: &str, description: &str, size: u64, block: u64) -> Result<String> {
        let source = json!({ "type": "importing_blocks", "block_size": block });
        let body = json!({ "name": name, "description": description, "size": size, "disk_source": source });
        let view = self.client.json(&self.in_project("POST", "/v1/disks".to_owned(), body))?;
        let id = view["id"].as_str().unwrap_or_default().to_owned();
        until_at_rest(self.client, resource_named("disk"), &id, false)?;
        Ok(id)
    }

    /// Calls an action of the import, unless the disk is in a state that it leads to.
    fn act(&self, disk: &str, action: &str, body: &Value, done: &[&str]) -> Result<()> {
        let view = self.client.json(&Request::new("GET", format!("/v1/disks/{disk}")))?;
        if view["state"]["state"].as_str().is_some_and(|state| done.contains(&state)) {
            return Ok(());
        }
        let content = if body.is_null() { Content::None } else { Content::Json(body.clone()) };
        let path = format!("/v1/disks/{disk}/{action}");
        self.client.json(&Request { method: "POST".to_owned(), path, query: Vec::new(), content }).map(drop)
    }

    fn file(&self, disk: &str) -> PathBuf {
        self.folder.join(format!("{disk}.json"))
    }

    /// How far the import of a disk has come, if the file begins with what was sent.
    fn continued(&self, disk: &str, file: &mut File) -> io::Result<Option<(u64, Sha256)>> {
        let Ok(text) = fs::read(self.file(disk)) else { return Ok(None) };
        let Ok(progress) = serde_json::from_slice::<Progress>(&text) else { return Ok(None) };
        let mut hash = Sha256::new();
        file.seek(SeekFrom::Start(0))?;
        let read = io::copy(&mut file.take(progress.done), &mut HashWriter(&mut hash))?;
        let is_same = read == progress.done && hex::encode(hash.clone().finalize()) == progress.digest;
        Ok(is_same.then_some((progress.done, hash)))
    }

    fn note(&self, disk: &str, done: u64, hash: &Sha256) -> io::Result<()> {
        let progress = Progress { disk: disk.to_owned(), done, digest: hex::encode(hash.clone().finalize()) };
        let next = self.file(disk).with_extension("next");
        fs::create_dir_all(&self.folder)?;
        fs::write(&next, serde_json::to_vec(&progress)?)?;
        fs::rename(next, self.file(disk))
    }

    /// Sends the rest of a file. Zeros are left out: a disk begins as zeros.
    fn send(
        &self,
        disk: &str,
        file: &mut File,
        length: u64,
        block: u64,
        (mut offset, mut hash): (u64, Sha256),
    ) -> Result<()> {
        let begun_at = offset;
        let mut shown = Bar::new(length);
        file.seek(SeekFrom::Start(offset)).map_err(Failure::io("cannot read the file"))?;
        let path = format!("/v1/disks/{disk}/bulk-write");
        while offset < length {
            let mut chunk = Vec::new();
            file.take(CHUNK).read_to_end(&mut chunk).map_err(Failure::io("cannot read the file"))?;
            if chunk.is_empty() {
                return Err(Failure::Ended("the file has become shorter while it was read".to_owned()));
            }
            hash.update(&chunk);
            let read = chunk.len() as u64;
            // An interrupted import may have sent this chunk already, from another file with the same beginning.
            if offset == begun_at || chunk.iter().any(|byte| *byte != 0) {
                chunk.resize(usize::try_from(read.next_multiple_of(block)).unwrap_or(chunk.len()), 0);
                let body = json!({ "offset": offset, "base64_encoded_data": BASE64_STANDARD.encode(&chunk) });
                let mut request = Request::new("POST", path.clone());
                request.content = Content::Json(body);
                self.client.json(&request)?;
            }
            offset += read;
            self.note(disk, offset, &hash).map_err(Failure::io("cannot keep the progress"))?;
            shown.set(offset);
        }
        Ok(())
    }

    fn image(&self, snapshot: &str, name: &str, os: Option<&str>, version: Option<&str>) -> Result<Value> {
        let path = fill("/v1/snapshots/{snapshot}", "snapshot", snapshot);
        let view = self.client.json(&self.in_project("GET", path, Value::Null))?;
        let id = view["id"].as_str().unwrap_or_default();
        until_at_rest(self.client, resource_named("snapshot"), id, false)?;
        let body = json!({
            "name": name, "description": "Imported by croft", "os": os, "version": version,
            "source": { "type": "snapshot", "id": id },
        });
        self.client.json(&self.in_project("POST", "/v1/images".to_owned(), body))
    }
}

struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The progress on a terminal.
struct Bar {
    total: u64,
    percent: Option<u64>,
}

impl Bar {
    fn new(total: u64) -> Self {
        Self { total, percent: None }
    }

    fn set(&mut self, done: u64) {
        let percent = (done * 100).checked_div(self.total).unwrap_or(100);
        let mut error = io::stderr();
        if self.percent == Some(percent) || !error.is_terminal() {
            return;
        }
        self.percent = Some(percent);
        let mib = |bytes: u64| bytes >> 20;
        let end = if done == self.total { "\n" } else { "" };
        let _ = write!(error, "\r{percent:>3} %  {} of {} MiB{end}", mib(done), mib(self.total));
    }
}
